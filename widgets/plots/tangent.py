"""A tangent: what the gradient at one point says, beside what a step of finite size says."""

from collections.abc import Callable
from typing import Any

import numpy as np

import minigrad as mg
from minigrad import Tensor
from minigrad.autograd import grad

from ..words import say
from .figure import Plot, colour, number, panels, style
from .given import callable_, interval, measuring, one_number, real
from .gradient import symbol
from .live import Live, slider


def plot_tangent(
    f: Callable[[Tensor], Tensor],
    at: float = 0.0,
    step: float = 1.0,
    *,
    between: tuple[float, float] | None = None,
    labels: tuple[str, str] = ("a", "f"),
    ax: Any = None,
    live: bool = False,
) -> Plot | Live:
    """Draw a function, its tangent at a point, and the secant to a point one step away.

    Args:
        f: takes one number as a Tensor and returns one.
        at: where the tangent touches.
        step: how far away the secant meets the curve again.
        between: from where to where the curve is drawn; by default 4 to each side of `at`.
        labels: what to call the variable and the function.
        ax: one Axes of your own to draw on.
        live: with sliders for the point and the step.

    >>> import minigrad as mg
    >>> plot_tangent(mg.sin, at=0.0, step=0.5)
    f(a) at a = 0: 0
    tangent: ∂f/∂a = 1, by autograd
    secant: (f(a + h) − f(a)) / h = 0.9589, with h = 0.5
    """
    at, step = real(at, "at"), real(step, "step")
    low, high = interval(between or (at - 4, at + 4))
    if step == 0:
        raise ValueError("step must not be 0: a secant needs two points")
    if not low <= at <= high:
        raise ValueError(f"at must be between {low:g} and {high:g}, where the curve is drawn, but is {at:g}")
    with style():
        axes = panels(ax, 1, height=3.4)
        drawing = _Tangent(callable_(f), axes[0], low, high, labels)
        lines = drawing.move(at, step)
    plot = Plot(axes, say("plots.tangent.title", function=f"{labels[1]}({labels[0]})"), lines, ax is None)
    if not live:
        return plot
    sliders = {
        "at": slider(labels[0], at, low, high),
        "step": slider(say("plots.step"), step, -(high - low) / 2, (high - low) / 2),
    }
    return Live(plot, sliders, drawing.move)


class _Tangent:
    """The lines on the Axes, and how they move."""

    def __init__(self, f: Callable, axes: Any, low: float, high: float, labels: tuple[str, str]) -> None:
        self.f, self.axes, (self.variable, self.function) = f, axes, labels
        self.ends = np.array([low, high])
        x = np.linspace(low, high, 161)
        y = [self.value_and_slope(place)[0] for place in x]
        name = f"{self.function}({self.variable})"
        axes.plot(x, y, color=colour("value"), label=name)
        # Fixed: the picture must not jump when the point moves, nor shrink for a steep tangent.
        axes.set(xlim=(low, high), ylim=axes.get_ylim(), xlabel=self.variable, ylabel=name)
        tangent = say("plots.tangent.tangent_of", symbol=symbol(self.function, self.variable))
        (self.tangent,) = axes.plot([], [], color=colour("gradient"), label=tangent)
        (self.secant,) = axes.plot(
            [], [], "o--", color=colour("ink"), linewidth=1.2, markersize=4, label=say("plots.tangent.secant")
        )
        (self.point,) = axes.plot([], [], "o", color=colour("gradient"), markersize=8)
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)

    def value_and_slope(self, x: float) -> tuple[float, float]:
        """f and its gradient at a point, by the engine."""
        with measuring():
            a = mg.tensor(x, dtype=mg.float64, requires_grad=True)
            result = one_number(self.f(a))
            (slope,) = grad(result, a, allow_unused=True)
        return result.item(), 0.0 if slope is None else slope.item()

    def move(self, at: float, step: float) -> list[str]:
        """Put the point elsewhere; what the picture says then, in words."""
        y, slope = self.value_and_slope(at)
        name = f"{self.function}({self.variable})"
        slope_is = f"{symbol(self.function, self.variable)} = {number(slope)}"
        lines = [say("plots.tangent.point", function=name, point=f"{self.variable} = {number(at)}", value=number(y))]
        lines.append(say("plots.tangent.by_autograd", slope=slope_is))
        self.point.set_data([at], [y])
        with np.errstate(all="ignore"):  # where f has no slope, there is no tangent to draw
            self.tangent.set_data(self.ends, y + slope * (self.ends - at))
        if step:
            other, _ = self.value_and_slope(at + step)
            self.secant.set_data([at, at + step], [y, other])
            quotient = f"({self.function}({self.variable} + h) − {self.function}({self.variable})) / h"
            slope_is = f"{quotient} = {number((other - y) / step)}"
            lines.append(say("plots.tangent.by_secant", slope=slope_is, step=number(step)))
        else:
            self.secant.set_data([], [])
            lines.append(say("plots.tangent.no_secant"))
        return lines
