"""Activation functions, each with its derivative."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import minigrad as mg
from minigrad import Tensor
from minigrad.nn import functional

from ..words import say
from .figure import Plot, colour, panels, span, style
from .given import array, derivatives, interval, measuring, pointwise

USUAL = ("relu", "leaky_relu", "elu", "sigmoid", "tanh", "softplus", "gelu", "silu", "hardtanh")


def plot_activations(
    which: Sequence[str | Callable[[Tensor], Tensor]] = USUAL,
    *,
    between: tuple[float, float] = (-4.0, 4.0),
    ax: Any = None,
) -> Plot:
    """Draw activation functions (blue) and their derivatives (orange), as autograd finds them.

    Args:
        which: names in `minigrad.nn.functional`, or functions of your own.
        between: from where to where.
        ax: as many Axes of your own as there are functions.

    >>> plot_activations(["relu", "sigmoid"])
    relu: from 0 to 4; its derivative from 0 to 1
    sigmoid: from 0.01799 to 0.982; its derivative from 0.01766 to 0.25
    """
    which = [which] if isinstance(which, str) or callable(which) else which
    if not isinstance(which, Iterable):
        raise TypeError(f"which must be names of activations such as 'relu', or functions, but is {which!r}")
    functions = [(name, _function(name)) for name in which]
    if not functions:
        raise ValueError("which must name at least one activation, such as 'relu'")
    low, high = interval(between)
    lines = []
    with style(), measuring():
        axes = panels(ax, len(functions), columns=3, height=1.9 if len(functions) > 3 else 2.4)
        for i, (panel, (given, function)) in enumerate(zip(axes, functions)):
            x = mg.linspace(low, high, steps=201, dtype=mg.float64, requires_grad=True)
            try:
                result = function(x)
            except TypeError as error:
                raise TypeError(f"which has {given!r}, which takes more than the points: {error}") from None
            y = pointwise(result, x)
            (slope,) = derivatives(y, x, 1)
            panel.plot(array(x), array(y), color=colour("value"), label="f(x)")
            panel.plot(array(x), array(slope), color=colour("gradient"), linestyle="--", label="∂f/∂x")
            name = given if isinstance(given, str) else getattr(given, "__name__", type(given).__name__)
            panel.set(title=name)
            if not i:
                panel.legend()
            told = {"name": name, "values": span(array(y)), "derivatives": span(array(slope))}
            lines.append(say("plots.activations.one", **told))
    return Plot(axes, say("plots.activations.title"), lines, ax is None)


def _function(name: Any) -> Callable[[Tensor], Tensor]:
    found = getattr(functional, name, None) if isinstance(name, str) else name
    if not callable(found):
        raise ValueError(f"which has {name!r}, but minigrad.nn.functional has no such function")
    return found
