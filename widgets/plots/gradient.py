"""A function beside its gradient."""

import textwrap
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.transforms import ScaledTranslation

from minigrad import Tensor, float64

from ..words import say
from .figure import Plot, apart, colour, open_up, panels, span, style, superscript
from .given import array, callable_, count, derivatives, different, measuring, points, pointwise, values

MARKS = 250  # points with a mark of their own; of more, some
LETTERS = 36  # of a title, side by side with another


def plot_gradient(
    f: Callable[[Tensor], Tensor] | Tensor,
    a: Any,
    *,
    analytic: Callable | Sequence[Callable] | None = None,
    orders: int = 1,
    labels: tuple[str, str] | None = None,
    ax: Any = None,
) -> Plot:
    """Draw a function of one variable beside its gradient, and a second opinion over the gradient.

    `plot_gradient(f, a)` calls the function at the points. `plot_gradient(a, b)` takes a variable and what was made of
    it; where `a.grad` has arrived, that is what is drawn.

    Args:
        f: works on each point by itself, such as `lambda a: 2 * mg.sin(a) + 1`.
        a: the points, in any order.
        analytic: the derivative as you know it, a function of NumPy arrays; for several orders, one function for each.
            Without it, finite differences are drawn.
        orders: how many derivatives, each one panel.
        labels: what to call the variable and the function.
        ax: `orders + 1` Axes of your own to draw on.

    >>> import minigrad as mg
    >>> a = mg.linspace(0.0, 6.0, steps=25)
    >>> plot_gradient(lambda a: 2 * mg.sin(a) + 1, a, analytic=lambda a: 2 * np.cos(a))
    f(a) at 25 points, a from 0 to 6: from -0.9986 to 2.995
    ∂f/∂a from -1.988 to 2; largest difference from analytic: below 1e-06, which is rounding
    """
    count(orders, "orders")
    exact: list[Any] = list(analytic) if isinstance(analytic, list | tuple) else [] if analytic is None else [analytic]
    if exact and (len(exact) != orders or not all(map(callable, exact))):
        raise TypeError(f"analytic must be one function of the points for each order: {orders}, but got {analytic!r}")
    with measuring():
        found = _of_tensors(f, a, orders) if isinstance(f, Tensor) else _of_function(f, a, orders)
    variable, function = labels or found.labels
    title = f"{function}({variable})" if found.called and not labels else function
    x, by_place = found.x, np.argsort(found.x, kind="stable")
    ends = x[np.isfinite(x)].astype(float)
    fine = np.linspace(ends.min(), ends.max(), 200)
    about = {"function": title, "number": len(x), "variable": variable, "points": span(x)}
    lines = [say("plots.gradient.about", **about, values=span(found.curves[0]))]
    differences = []
    with style(), np.errstate(all="ignore"):
        axes = panels(ax, orders + 1, columns=2)
        curve = without_jumps(x[by_place], *(curve[by_place] for curve in found.curves[:2]))
        axes[0].plot(*curve, "o-", color=colour("value"), markersize=3, markevery=max(1, len(x) // MARKS))
        axes[0].set(title=textwrap.fill(title, LETTERS), xlabel=variable)
        lines[0] += keep_in_view(axes[0], found.curves[0])
        for order, slope in enumerate(found.curves[1:], 1):
            panel, name = axes[order], found.mailbox or symbol(function, variable, order)
            if exact:
                what, expected = say("plots.analytic"), values(exact[order - 1], x)
                drawn = fine, values(exact[order - 1], fine)
            else:
                what, expected = say("plots.gradient.differences"), found.differences[order - 1]
                drawn = x[by_place], expected[by_place]
            panel.plot(*without_jumps(*drawn), color=colour("ink"), linewidth=1, label=what)
            panel.plot(
                x, slope, "o", markevery=max(1, len(x) // MARKS), color=colour("gradient"), label=say("plots.autograd")
            )
            panel.set(title=textwrap.fill(name, LETTERS), xlabel=variable)
            if order == 1:  # it means the same in all
                below = panel.transAxes + ScaledTranslation(0, -0.5, panel.figure.dpi_scale_trans)
                place: Any = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "bbox_transform": below}  # on no curve
                panel.legend(**place, ncols=2, columnspacing=1, handlelength=1.2, handletextpad=0.4)
            open_up(panel)
            difference, words = apart(slope, expected)
            differences.append(difference)
            beyond = keep_in_view(panel, slope)
            told = {"gradient": name, "values": f"{span(slope)}{beyond}", "other": what, "difference": words}
            lines.append(say("plots.gradient.largest", **told))
    return Plot(axes, say("plots.gradient.title", function=title), lines, ax is None, differences=differences)


class _Found(NamedTuple):
    """What there is to draw."""

    x: np.ndarray
    curves: list[np.ndarray]  # the function, and its derivatives
    differences: list[np.ndarray]  # finite ones, for each derivative
    labels: tuple[str, str]
    called: bool = False
    mailbox: str = ""  # the name of the gradient, where it is one that was already there


def _of_function(f: Any, a: Any, orders: int) -> _Found:
    a = points(a)
    curves = _curves(callable_(f), a, orders)
    for curve in curves[1:]:
        curve[np.isnan(curves[0])] = np.nan  # where the function is no number, a rule may still give one
    wide = a.detach().to(float64)
    step = 6e-6 * wide.abs().clamp(min=1)  # the cube root of float64's precision: as much truncation as rounding
    right, left = (_curves(f, place.requires_grad_(), orders - 1) for place in (wide + step, wide - step))
    differences = [(r - l) / (2 * array(step)) for r, l in zip(right, left)]
    return _Found(array(a), curves, differences, ("a", "f"), called=True)


def _curves(f: Callable, a: Tensor, orders: int) -> list[np.ndarray]:
    """A function and its derivatives at the points."""
    result = pointwise(f(a), a)
    return [array(curve) for curve in (result, *derivatives(result, a, orders))]


def _of_tensors(a: Tensor, b: Any, orders: int) -> _Found:
    if not isinstance(b, Tensor):
        raise TypeError(f"plot_gradient(a, b) takes a variable and what was made of it, but b is {type(b).__name__}")
    if a.dim() != 1 or a.shape != b.shape or len(a) < 2 or not a.requires_grad:
        raise ValueError(
            "plot_gradient(a, b) takes two or more points in a row that require grad, and one value for each, but got "
            f"the shapes {tuple(a.shape)} and {tuple(b.shape)}{'' if a.requires_grad else ', and a requires none'}"
        )
    arrived = orders == 1 and a.is_leaf and a.grad is not None
    slopes = [a.grad] if arrived else derivatives(pointwise(b, a), a, orders)
    x, curves = array(different(a)), [array(curve) for curve in (b, *slopes)]
    # The points are all we have: what lies between each one's neighbours.
    by_place, back = np.unique(x, return_index=True, return_inverse=True)[1:]
    differences = [_slopes(curve[by_place], x[by_place])[back] for curve in curves[:-1]]
    return _Found(x, curves, differences, ("a", "b"), mailbox="a.grad" if arrived else "")


def _slopes(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.asarray(np.gradient(y, x, edge_order=2 if len(x) > 2 else 1))


def without_jumps(x: np.ndarray, y: np.ndarray, slope: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """A curve with a gap at each pole: where it leaps through zero, against its slope on both sides if that is known.

    >>> x = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])
    >>> np.round(without_jumps(x, 1 / x)[1], 1)
    array([-0.3, -0.5, -1. ,  nan,  1. ,  0.5,  0.3])
    """
    leaps = np.diff(y)
    known = leaps[np.isfinite(leaps)]
    leap = (np.abs(leaps) > 3 * np.median(np.abs(known)) if known.size else False) & (y[:-1] * y[1:] < 0)
    if slope is not None:
        leap &= (leaps * slope[:-1] < 0) & (leaps * slope[1:] < 0)
    gaps = np.flatnonzero(leap) + 1
    return np.insert(x, gaps, (x[gaps - 1] + x[gaps]) / 2), np.insert(y, gaps, np.nan)


def keep_in_view(axes: Any, drawn: np.ndarray) -> str:
    """Let a few points far away, as beside a pole, not flatten all others; in words, how many are left out."""
    finite = drawn[np.isfinite(drawn)]
    if not finite.size:
        return ""
    low, high = np.quantile(finite, (0.1, 0.9))
    reach = 10 * (high - low)
    outside = np.count_nonzero((finite < low - reach) | (finite > high + reach))
    if not outside or not reach:
        return ""
    inside = finite[(finite >= low - reach) & (finite <= high + reach)]
    room = 0.05 * np.ptp(inside)
    axes.set_ylim(inside.min() - room, inside.max() + room)
    return f" {say('plots.gradient.beyond', number=outside)}"


def symbol(function: str, variable: str, order: int = 1) -> str:
    """How a derivative is written.

    >>> symbol("f", "a"), symbol("2 sin(a)", "a", 3)
    ('∂f/∂a', '∂³(2 sin(a))/∂a³')
    """
    power = superscript(order) if order > 1 else ""
    return f"∂{power}{function if function.isidentifier() else f'({function})'}/∂{variable}{power}"
