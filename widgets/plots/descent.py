"""Gradient descent: the path that an optimizer takes over the loss surface, and the loss on the way."""

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib.colors
import numpy as np
from tqdm.auto import tqdm

import minigrad as mg
from minigrad import Tensor, no_grad

from ..words import listed, say
from .figure import Plot, colour, number, panels, plain_powers, style
from .given import array, callable_, count, interval, leaf, measuring, one_number
from .live import Live, slider

GRID = 31  # places in each direction where the surface is computed
ARROWS, MARKS = 8, 100  # at most, on the path
STRETCH = 1.35  # how much more than the path is shown


def plot_descent(
    loss: Callable[..., Tensor],
    start: Tensor | Sequence[Any],
    *,
    lr: float = 0.1,
    epochs: int = 100,
    optimizer: Callable[..., Any] = mg.optim.SGD,
    between: tuple[float, float] | None = None,
    labels: Sequence[str] | None = None,
    ax: Any = None,
    live: bool = False,
) -> Plot | Live:
    """Draw how an optimizer goes down: its path over the loss surface with gradients as arrows, and loss against epoch.

    The arrows point down the slope, where −∂L/∂w points, and are as long as the gradient is large.

    Args:
        loss: takes the parameters as Tensors, one argument for each, and returns one number.
        start: where to begin: a Tensor or number for each parameter; one or two numbers in all. Copies are trained.
        lr: the learning rate.
        epochs: how many steps. A progress bar appears if they take longer than a second.
        optimizer: called with the parameters and `lr`; for more options, a `functools.partial` of it.
        between: of one number, from where to where the curve is drawn; by default a bit more than the path.
        labels: what to call the numbers.
        ax: two Axes of your own to draw on.
        live: with a slider for the learning rate.

    >>> plot_descent(lambda w: (w - 3) ** 2, 0.0, lr=0.25, epochs=20)
    20 epochs of SGD, lr = 0.25
    L from 9 to 8.185e-12
    w from 0 to 3
    """
    callable_(loss, "loss")
    callable_(optimizer, "optimizer")
    count(epochs, "epochs")
    if isinstance(lr, bool) or not isinstance(lr, int | float):
        raise TypeError(f"lr must be a number, but is {lr!r}")
    parameters = [leaf(value, "start") for value in (start if isinstance(start, list | tuple) else [start])]
    size = sum(parameter.numel() for parameter in parameters)
    if size not in (1, 2):
        raise ValueError(f"start must be one or two numbers in all, to be drawn, but has {size}")
    if between is not None and size != 1:
        raise ValueError(f"between is for the curve over one number, but start has {size}")
    names = tuple(labels or ("w",) if size == 1 else labels or ("w₁", "w₂"))
    if len(names) != size:
        raise ValueError(f"labels must be {size} name(s), but got {names}")
    with style():
        axes = panels(ax, 2, height=3.2)
        drawing = _Descent(loss, parameters, epochs, optimizer, names, axes, between and interval(between))
        lines = drawing.move(lr)
    plot = Plot(axes, say("plots.descent.title", names=listed(names)), lines, ax is None)
    plot.numbers = drawing.numbers
    return Live(plot, {"lr": slider(say("plots.descent.rate"), lr, 0.0, 4 * lr)}, drawing.move) if live else plot


class _Descent:
    """The lines on the Axes, and how they change with the learning rate."""

    def __init__(
        self, loss: Callable, start: list[Tensor], epochs: int, optimizer: Callable, names: tuple, axes, between
    ) -> None:
        self.loss, self.start, self.epochs, self.optimizer, self.names = loss, start, epochs, optimizer, names
        self.between = between
        self.surface, self.curve = axes
        self.numbers: dict[str, np.ndarray] = {}  # a row for each epoch, and the surface
        self._arrows: Any = None
        (self.path,) = self.surface.plot([], [], "o-", color=colour("parameter"), linewidth=1.2, markersize=3)
        (self.losses,) = self.curve.plot([], [], color=colour("value"))
        self.curve.set(ylabel=say("plots.descent.loss"), xlabel=say("plots.descent.epoch"))

    def move(self, lr: float) -> list[str]:
        """Descend with a learning rate, and draw that; what the picture says then, in words."""
        self.descend(lr)
        path, losses = self.numbers["path"], self.numbers["losses"]
        if not np.isfinite(losses[0]):
            raise ValueError(f"loss must be finite where the descent starts, but is {losses[0]}")
        if "surface" not in self.numbers:
            near = path[losses <= losses[0] + 2 * abs(losses[0])]  # where it diverges, only the beginning is shown
            low, high = near.min(0), near.max(0)
            half = np.where(high > low, (high - low) / 2 * STRETCH, 1)
            middle = (low + high) / 2
            ends = middle - half, middle + half
            self.draw_surface(*(np.reshape(self.between, (2, 1)) if self.between else ends))
        self.path.set_data(path[:, 0], losses if len(self.names) == 1 else path[:, 1])
        self.path.set_markevery(max(1, len(path) // MARKS))
        self.draw_arrows()
        self.losses.set_data(np.arange(len(losses)), losses)
        finite = losses[np.isfinite(losses)]
        wide = 0 < 100 * finite.min() < finite.max()
        self.curve.set_yscale("log" if wide else "linear")
        if wide:
            plain_powers(self.curve.yaxis)
        self.curve.relim()
        self.curve.autoscale()
        how = getattr(self.optimizer, "func", self.optimizer)  # a functools.partial has the optimizer in it
        key = "epochs" if len(losses) == self.epochs + 1 and len(finite) == len(losses) else "diverged"
        name = getattr(how, "__name__", say("plots.descent.optimizer"))
        lines = [say(f"plots.descent.{key}", number=len(losses) - 1, optimizer=name, lr=number(lr))]
        went = [("L", losses[0], losses[-1]), *zip(self.names, path[0], path[-1])]
        return lines + [say("plots.descent.went", name=one, start=number(a), end=number(b)) for one, a, b in went]

    def descend(self, lr: float) -> None:
        """Train copies of the parameters; remember where they were, with the loss and the gradient there."""
        parameters = [parameter.detach().clone().requires_grad_() for parameter in self.start]
        optimizer = self.optimizer(parameters, lr=lr)
        path: list[np.ndarray] = []
        losses: list[float] = []
        gradients: list[np.ndarray] = []
        with measuring():
            # Nothing is shown in the first second: a short lesson prints the same each time.
            for epoch in tqdm(
                range(self.epochs + 1),
                desc=say("plots.descent.bar"),
                unit=f" {say('plots.descent.bar_unit')}",
                delay=1,
                leave=False,
            ):
                if losses and not np.isfinite(losses[-1]):
                    continue  # a loop that is left early would leave its bar behind
                if epoch:
                    optimizer.step()
                optimizer.zero_grad()
                loss = one_number(self.loss(*parameters), "loss")
                loss.backward()
                path.append(_flat(parameters))
                losses.append(loss.item())
                gradients.append(_flat([mg.zeros_like(p) if p.grad is None else p.grad for p in parameters]))
        self.numbers.update(path=np.array(path), losses=np.array(losses), gradients=np.array(gradients))

    def draw_surface(self, low: np.ndarray, high: np.ndarray) -> None:
        """The loss around the path: a curve for one number, lines of equal loss for two."""
        axes = [np.linspace(*ends, GRID if len(self.names) == 2 else 161) for ends in zip(low, high)]
        places = np.stack(np.meshgrid(*axes), axis=-1)
        heights = np.array([self.height(place) for place in places.reshape(-1, len(axes))]).reshape(places.shape[:-1])
        self.numbers["surface"] = heights
        self.surface.set(xlim=axes[0][[0, -1]], xlabel=self.names[0])
        if len(axes) == 1:
            self.surface.plot(axes[0], heights, color=colour("value"), zorder=1)
            title = say("plots.descent.curve", name=self.names[0])
            self.surface.set(ylabel=say("plots.descent.loss"), ylim=self.surface.get_ylim(), title=title)
            return
        # Levels whose distance grows: in a bowl, rings of equal width.
        finite = heights[np.isfinite(heights)]
        levels = finite.min() + (np.ptp(finite) or 1) * np.linspace(0, 1, 13) ** 2
        blues = [matplotlib.colors.to_rgba(colour("value"), 0.04 * i) for i in range(len(levels) - 1)]
        self.surface.contourf(*axes, np.ma.masked_invalid(heights), levels=levels, colors=blues)
        title = say("plots.descent.surface", names=", ".join(self.names))
        self.surface.set(ylim=axes[1][[0, -1]], ylabel=self.names[1], title=title)
        self.surface.grid(False)

    def height(self, place: np.ndarray) -> float:
        """The loss at a place."""
        parts, parameters = list(place), []
        for parameter in self.start:
            parameters.append(mg.tensor(parts[: parameter.numel()], dtype=parameter.dtype).reshape(parameter.shape))
            del parts[: parameter.numel()]
        with no_grad(), np.errstate(all="ignore"):
            return float(self.loss(*parameters).item())

    def draw_arrows(self) -> None:
        """The gradient, turned downhill, at equal distances along the path; the longest takes a fifth of the panel."""
        path, losses, gradients = (self.numbers[name] for name in ("path", "losses", "gradients"))
        limits = np.array([self.surface.get_xlim(), self.surface.get_ylim()])[: path.shape[1]]
        corner, size = limits[:, 0], np.ptp(limits, axis=1)
        inside = (path >= corner) & (path <= corner + size) & np.isfinite(gradients)
        shown = np.flatnonzero(inside.all(axis=1))
        walked = np.cumsum([0, *np.linalg.norm(np.diff(path[shown], axis=0) / size, axis=1)])
        picked = shown[np.unique(np.searchsorted(walked, np.linspace(0, walked[-1], ARROWS, endpoint=False)))]
        tails = path[picked] if len(self.names) == 2 else np.column_stack([path[picked, 0], losses[picked]])
        downhill = np.zeros_like(tails)
        downhill[:, : path.shape[1]] = -gradients[picked]
        longest = np.abs(gradients[picked] / size).max(initial=0) / 0.2 or 1
        if self._arrows is not None:
            self._arrows.remove()
        how = {"angles": "xy", "scale_units": "xy", "scale": longest, "width": 0.01, "zorder": 3}
        self._arrows = self.surface.quiver(*tails.T, *downhill.T, color=colour("gradient"), **how)


def _flat(tensors: Sequence[Tensor]) -> np.ndarray:
    """The numbers of several Tensors in one row, copied: an optimizer changes them in place."""
    return np.concatenate([array(tensor).ravel() for tensor in tensors])
