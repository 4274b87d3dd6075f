"""Gradients add up: the same backward several times, with and without setting `.grad` to zero in between."""

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import Tensor

from ..words import say
from .figure import Plot, colour, number, panels, style
from .given import array, callable_, count, measuring, one_number

MOST = 10  # elements whose gradients are drawn


def plot_accumulation(
    loss: Callable[[], Tensor], w: Tensor, passes: int = 4, *, labels: tuple[str, str] = ("w", "L"), ax: Any = None
) -> Plot:
    """Draw `w.grad` after each of several backward passes: not zeroed on the left, zeroed before each on the right.

    What `w.grad` held before is put back afterwards.

    Args:
        loss: computes one number of `w`; called for each pass.
        w: a leaf that requires grad; of a large one the first elements are drawn.
        passes: how many backwards.
        labels: what to call the leaf and the loss.
        ax: two Axes of your own to draw on.

    >>> import minigrad as mg
    >>> w = mg.tensor([2.0], requires_grad=True)
    >>> plot_accumulation(lambda: (w + 1) * (w + 1), w)
    w.grad after passes 1 to 4
    not zeroed: 6, 12, 18, 24
    zeroed before each pass: 6, 6, 6, 6
    """
    callable_(loss, "loss", takes=0)
    count(passes, "passes")
    if not isinstance(w, Tensor) or not w.is_leaf or not w.requires_grad:
        raise TypeError("w must be a leaf that requires grad: only there do gradients gather")
    before, w.grad = w.grad, None
    try:
        with measuring():
            kept = [_one_pass(loss, w, labels[1]) for _ in range(passes)]
            fresh = []
            for _ in range(passes):
                w.grad = None
                fresh.append(_one_pass(loss, w, labels[1]))
    finally:
        w.grad = before
    with style():
        axes = panels(ax, 2)
        low, high = min(0, np.min(kept), np.min(fresh)), max(0, np.max(kept), np.max(fresh))
        room = 0.12 * (high - low) or 1
        limits = low - room * (low < 0), high + room
        about = {"name": labels[0], "passes": passes, "shown": MOST, "all": w.numel()}
        lines = [say("plots.accumulation.first_elements" if w.numel() > MOST else "plots.accumulation.passes", **about)]
        for panel, gradients, key in zip(axes, (kept, fresh), ("kept", "fresh")):
            what = say(f"plots.accumulation.{key}")
            _draw(panel, np.array(gradients))
            panel.set(title=what, xlabel=say("plots.accumulation.axis"), ylabel=f"{labels[0]}.grad", ylim=limits)
            panel.set_xticks(range(1, passes + 1))
            lines.append(f"{what}: {', '.join(_words(gradient) for gradient in gradients)}")
    title = say("plots.accumulation.title", name=labels[0], passes=passes)
    return Plot(axes, title, lines, ax is None, kept=kept, fresh=fresh)


def _one_pass(loss: Callable[[], Tensor], w: Tensor, name: str) -> np.ndarray:
    """What is in the mailbox after one more backward: a copy, since the next one adds to it."""
    one_number(loss(), name).backward(inputs=[w])
    if w.grad is None:
        raise ValueError(f"no gradient has arrived at w: {name} was not made of it")
    return array(w.grad).ravel()[:MOST].copy()


def _draw(panel: Any, gradients: np.ndarray) -> None:
    """One bar for each pass where there is one element, its number on top; else one line for each element."""
    passes = np.arange(1, len(gradients) + 1)
    panel.axhline(0, color=colour("constant"), linewidth=0.8)
    if gradients.shape[1] == 1:
        bars = panel.bar(passes, gradients[:, 0], width=0.6, color=colour("gradient"))
        panel.bar_label(bars, [number(value) for value in gradients[:, 0]], padding=2)
    else:
        panel.plot(passes, gradients, "o-", color=colour("gradient"), linewidth=1.2, markersize=3.5)


def _words(gradient: np.ndarray) -> str:
    if min(gradient) == max(gradient):
        return number(gradient[0])
    return f"{number(min(gradient))} … {number(max(gradient))}"
