"""The loss, step by step: whether a training still gains, has ended, or ran away."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from ..words import say
from .figure import Plot, colour, number, panels, plain_powers, style

DASHES = ("-", "--", "-.", ":")


def plot_losses(losses: Iterable[Any] | Mapping[str, Iterable[Any]], *, ax: Any = None) -> Plot:
    """Draw the losses of a training, or of several to compare; with powers of ten where they span more than one.

    Args:
        losses: a number for each step; or several such rows by name.
        ax: an Axes of your own.

    >>> plot_losses({"lr = 0.1": [4.0, 2.0, 1.0], "lr = 1": [4.0, 8.0, 16.0]})
    lr = 0.1: 4 at first, 1 after 2 steps
    lr = 1: 4 at first, 16 after 2 steps
    """
    rows = losses if isinstance(losses, Mapping) else {say("plots.losses.loss"): losses}
    curves = {
        str(name): numbers(row, f"losses[{name!r}]" if row is not losses else "losses") for name, row in rows.items()
    }
    if not curves:
        raise ValueError("losses must have one row of numbers or more")
    finite = np.concatenate([curve[np.isfinite(curve)] for curve in curves.values()])
    with style():
        axes = panels(ax, 1)
        for i, (name, curve) in enumerate(curves.items()):
            axes[0].plot(curve, color=colour("value"), linestyle=DASHES[i % len(DASHES)], label=name)
        if finite.size and 0 < 10 * finite.min() < finite.max():
            axes[0].set_yscale("log")
            plain_powers(axes[0].yaxis)
        axes[0].xaxis.set_major_locator(MaxNLocator(integer=True))
        axes[0].set(xlabel=say("plots.losses.step"), ylabel=say("plots.losses.loss"))
        if len(curves) > 1:
            axes[0].legend()
    lines = [f"{name}: {told(curve)}" for name, curve in curves.items()]
    return Plot(axes, say("plots.losses.title"), lines, ax is None)


def numbers(row: Any, name: str) -> np.ndarray:
    """One loss for each step, given as numbers or as tensors of one element."""
    try:
        found = np.array([float(loss) for loss in row])
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a row of numbers, one for each step, but is {type(row).__name__}") from None
    if len(found) < 2:
        raise ValueError(f"{name} must have two numbers or more, but has {len(found)}")
    return found


def told(curve: np.ndarray) -> str:
    """Where a loss began, and where it went."""
    strange = np.flatnonzero(~np.isfinite(curve))
    words = say("plots.losses.one", first=number(curve[0]), last=number(curve[-1]), steps=len(curve) - 1)
    if strange.size:
        return f"{words}; {say('plots.losses.not_finite', step=strange[0])}"
    lowest = int(curve.argmin())
    if lowest in (0, len(curve) - 1):
        return words
    return f"{words}; {say('plots.losses.lowest', loss=number(curve[lowest]), step=lowest)}"
