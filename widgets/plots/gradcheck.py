"""Why a derivative is not computed by differences: their error against the size of the step."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import minigrad as mg
from minigrad import Tensor, no_grad

from ..words import say
from .figure import Plot, apart, colour, number, panels, plain_powers, power_of_ten, style
from .given import array, callable_, leaf, measuring, one_number, slopes, values


def plot_gradcheck(
    f: Callable[[Tensor], Tensor],
    x: Any,
    *,
    analytic: Callable | None = None,
    steps: Sequence[float] | None = None,
    labels: tuple[str, str] = ("x", "f"),
    ax: Any = None,
) -> Plot:
    """Draw the error of finite differences against their step: truncation falls with it, rounding rises.

    Autograd takes no step, so its error is one flat line.

    Args:
        f: takes one Tensor, returns one number.
        x: where; a Tensor, or numbers, which are taken as float64.
        analytic: the derivative as you know it, a function of NumPy arrays: what errors are measured from. Without it
            they are measured from autograd in float64, whose own error is then known only where `x` is of fewer digits.
        steps: the steps to try; by default from the precision of the type up to 1.
        labels: what to call the input and the function.
        ax: one Axes of your own to draw on.

    >>> import minigrad as mg
    >>> plot_gradcheck(mg.exp, 1.0, analytic=np.exp)
    error of ∂f/∂x in float64 at 61 steps from 1e-15 to 1, measured from analytic
    forward differences: 1.952 at a step of 1; truncation, of order 1, down to steps near 10⁻⁸, and rounding below
    central differences: 0.4762 at a step of 1; truncation, of order 2, down to steps near 10⁻⁵, and rounding below
    autograd: below 1e-14, which is rounding
    """
    callable_(f)
    given = leaf(x, "x", None if isinstance(x, Tensor) else mg.float64)
    precision = float(np.finfo(array(given).dtype).eps)
    decades = -int(np.ceil(np.log10(precision)))
    sizes = np.logspace(-decades, 0, 4 * decades + 1) if steps is None else np.sort(np.asarray(steps, dtype=float))
    if sizes.ndim != 1 or len(sizes) < 2 or sizes[0] <= 0:
        raise ValueError("steps must be two or more numbers above 0")
    found = _gradient(f, given)
    if not np.isfinite(found).all():
        raise ValueError(f"f must have a finite gradient at x, but has {found}")
    truth, measured_from = _truth(f, given, found, analytic)
    errors = {name: np.array([_apart(rule(f, given, h), truth) for h in sizes]) for name, rule in RULES.items()}
    own = _apart(found, truth)
    size = abs(_value(f, given, 0, 0.0)) + float(np.abs(array(given) * truth).max())
    rounding = precision * size / sizes  # of f(x + h), as large as f, and of x + h, as large as x
    scale = float(np.abs(truth).max()) or 1.0
    variable, function = labels
    kind = str(given.dtype).partition(".")[2]
    symbol, steps_are = f"∂{function}/∂{variable}", {"number": len(sizes), "low": number(sizes[0])}
    measure = say(f"plots.gradcheck.{measured_from}")
    about = {"symbol": symbol, "kind": kind, **steps_are, "high": number(sizes[-1]), "measured_from": measure}
    lines = [say("plots.gradcheck.about", **about)]
    falls = {}
    with style():
        (panel,) = axes = panels(ax, 1, height=3.4)
        for (name, error), dashes in zip(errors.items(), ("--", "-")):
            panel.plot(sizes, np.where(error > 0, error, np.nan), linestyle=dashes, color=colour("ink"), linewidth=1.3)
            label = say(f"plots.gradcheck.{name}")
            panel.lines[-1].set_label(label)
            falls[name], words = in_words(sizes, error, rounding)
            lines.append(f"{label}: {words}")
        # On this axis there is no 0: half a digit's last place stands for it.
        level = max(own, precision * scale / 2)
        panel.plot(sizes[[0, -1]], [level, level], color=colour("gradient"), linewidth=2.5, label=say("plots.autograd"))
        panel.set(
            xscale="log", yscale="log", xlabel=say("plots.step"), ylabel=say("plots.gradcheck.axis", symbol=symbol)
        )
        plain_powers(panel.xaxis)
        plain_powers(panel.yaxis)
        panel.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
        for name, place, side in (("rounding", len(sizes) // 4, "left"), ("truncation", -len(sizes) // 8, "right")):
            where = sizes[place], errors["forward"][place]
            if falls["forward"] and where[1] > 0:
                panel.annotate(say(f"plots.gradcheck.{name}"), where, (0, 12), textcoords="offset points", ha=side)
    if measured_from == "autograd":
        lines.append(say("plots.gradcheck.reference"))
    else:
        lines.append(say("plots.gradcheck.off", difference=apart(found, truth)[1]))
    return Plot(axes, lines[0], lines, ax is None, steps=sizes, autograd=own, **errors)


def in_words(sizes: np.ndarray, error: np.ndarray, rounding: np.ndarray) -> tuple[bool, str]:
    """How the error of a rule behaves as the step shrinks, as far as the errors themselves show it; first whether by
    truncation.

    Args:
        sizes: the steps, the smallest first.
        error: the error at each of them.
        rounding: how large rounding alone may make it, about.

    >>> h = np.logspace(-6, 0, 25)
    >>> in_words(h, 3 * h**2 + 1e-16 / h, 1e-16 / h)
    (True, '3 at a step of 1; truncation, of order 2, down to steps near 10⁻⁵, and rounding below')
    >>> in_words(h, np.ones(25), 1e-16 / h)
    (False, '1 at each step, however small')
    """
    known = np.isfinite(error)
    if not known.any():
        return False, say("plots.gradcheck.no_number")
    sizes, error, rounding = sizes[known], error[known], rounding[known]
    if np.ptp(error) <= 1e-3 * error.max():
        return False, say("plots.gradcheck.same", error=number(error[-1]))
    largest = say("plots.gradcheck.at", error=number(error[-1]), step=number(sizes[-1]))
    more = np.flatnonzero(error <= 20 * rounding)  # than rounding are the steps behind the last of these
    first = int(more[-1]) + 1 if more.size else 0
    if first == len(sizes):
        return False, say("plots.gradcheck.rounding_alone")
    plain = f"{largest}, {say('plots.gradcheck.at', error=number(error[first]), step=number(sizes[first]))}"
    if len(sizes) - first < 3:
        return False, plain
    # Near a step of 1 higher powers of it count, too; where there are smaller steps, they tell the order.
    last = max(np.searchsorted(sizes, 0.1) + 1, first + 3)
    order, level = np.polyfit(np.log10(sizes[first:last]), np.log10(error[first:last]), 1)
    if round(order) < 1 or abs(order - round(order)) > 0.2:
        return False, plain
    about = {"largest": largest, "order": round(order)}
    rounded = float(np.median(error[more] * sizes[more])) if more.size else 0.0
    if not rounded:
        return True, say("plots.gradcheck.no_rounding", **about)
    balance = (np.log10(rounded) - level) / (order + 1)
    return True, say("plots.gradcheck.falls", **about, step=power_of_ten(balance))


def _gradient(f: Callable, x: Tensor) -> np.ndarray:
    with measuring():
        x = leaf(x, "x")
        return array(slopes(one_number(f(x)), x))


def _truth(f: Callable, x: Tensor, found: np.ndarray, analytic: Callable | None) -> tuple[np.ndarray, str]:
    """The derivative that errors are measured from, and what it is."""
    if analytic is not None:
        return values(analytic, array(x)), "analytic"
    if x.dtype == mg.float64:
        return found, "autograd"
    return _gradient(f, x.to(mg.float64)), "autograd_in_float64"


def forward(f: Callable, x: Tensor, h: float) -> np.ndarray:
    """(f(x + h) − f(x)) / h, for each element of x."""
    here = _value(f, x, 0, 0.0)
    return np.array([(_value(f, x, i, h) - here) / h for i in range(x.numel())]).reshape(x.shape)


def central(f: Callable, x: Tensor, h: float) -> np.ndarray:
    """(f(x + h) − f(x − h)) / 2h, for each element of x."""
    ends = [(_value(f, x, i, h), _value(f, x, i, -h)) for i in range(x.numel())]
    return np.array([(right - left) / (2 * h) for right, left in ends]).reshape(x.shape)


RULES = {"forward": forward, "central": central}


def _value(f: Callable, x: Tensor, element: int, shift: float) -> float:
    """f where one element of x is moved, in x's own precision."""
    moved = array(x).copy()
    moved.ravel()[element] += shift
    with no_grad(), np.errstate(all="ignore"):
        result = f(mg.tensor(moved))
    return float(result.sum().item())


def _apart(found: np.ndarray, truth: np.ndarray) -> float:
    return float(np.abs(found.astype(float) - truth).max())
