"""How far numbers spread: variance and deviation, also together with the mean."""

import math
import warnings

import numpy as np

from ..core.row import op
from ..words.calling import ill_typed
from .elementwise import is_complex, where
from .public import public
from .reduction import axes, count, kept, mean, spread, squared, sum, total

var_of = op(
    lambda a, dim=None, correction=1, keepdim=False: variance(a, dim, correction, keepdim),
    grad_fn="VarBackward0",
    holomorphic=False,
    a=lambda g, a, dim, correction: per_degree(2 * g, a, dim, correction),
    rules_say={"a": "2 * {g} * ({a} - its mean) / the degrees of freedom"},
)
std_of = op(  # 0 where the deviation is 0
    lambda a, dim=None, correction=1, keepdim=False: np.sqrt(variance(a, dim, correction, keepdim)),
    grad_fn="StdBackward0",
    holomorphic=False,
    a=lambda g, a, out, dim, correction: per_degree(where(out == 0, 0, g / out), a, dim, correction),
    rules_say={"a": "{g} * ({a} - its mean) / ({out} * the degrees of freedom)"},
)


def with_mean(node: str, measure, onto_variance):
    """A measure of spread together with the mean; their gradient is the sum of what each of them passes on.

    `onto_variance` says what the measure's gradient is for the variance.
    """
    return op(
        lambda a, dim=None, correction=1, keepdim=False: (
            measure(a, dim, correction, keepdim),
            total(a, dim, keepdim) / count(a.shape, dim),
        ),
        outputs=("parts",),
        grad_fn=node,
        holomorphic=False,
        a=lambda gs, a, dim, correction: (
            variance_rule(onto_variance(gs[0], a, dim, correction), a, dim, correction)
            + spread(gs[1] / (count(a.shape, dim) or 1), a.shape, dim)
        ),
    )


var_mean_of = with_mean("VarMeanBackward0", lambda *given: variance(*given), lambda g, a, dim, correction: g)
std_mean_of = with_mean(  # 0 where the deviation is 0
    "StdMeanBackward0", lambda *given: np.sqrt(variance(*given)), lambda *given: half_over(*given)
)


def variance(a, dim, correction, keepdim):
    n = count(a.shape, dim)
    first = a[tuple(map(slice, kept(a.shape, axes(dim))))]
    deviation = a - first  # so that equal numbers deviate by nothing
    deviation -= total(deviation, dim, True) / n
    deviation *= deviation.conj() if is_complex(a) else deviation  # in place, for a second large array is slow
    return total(deviation.real, dim, keepdim) / max(n - correction, 0)


def ratio(a, b) -> float:
    """a / b, which is infinite for b = 0: the variance of one number is not known."""
    return a / b if b else math.inf


def per_degree(g, a, dim, correction):
    """g times the deviation over the degrees of freedom; without any of these, inf, and nan where a is the mean."""
    centre, free = mean(a, dim, True), count(a.shape, dim) - correction
    if free <= 0 and (dim is None or not a.shape):
        return spread(g, a.shape, dim) * where(a == centre, math.nan, math.inf)
    return spread(g * ratio(1, free), a.shape, dim) * (a - centre)


def variance_rule(g, a, dim, correction):
    slope = per_degree(2 * g, a, dim, correction)
    if count(a.shape, dim) > correction:
        return slope
    return where(spread(g, a.shape, dim) == 0, 0, slope)  # unknown, but perhaps only the mean is used


def half_over(g, a, dim, correction):
    """The deviation is the root of the variance."""
    deviation = a - mean(a, dim, True)
    found = (sum(squared(deviation), dim) * ratio(1, max(count(a.shape, dim) - correction, 0))).reshape(g.shape)
    flat = found == 0 if count(a.shape, dim) > correction else (found == 0) | (g == 0)  # as above
    return where(flat, 0, g / (2 * found**0.5))


# == as people call them ===================================================================================


def statistic(name: str, row, says: str, places: str = "function method"):
    """What people call a row of this table, with PyTorch's older ways to say `correction`."""

    def found_by(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
        if isinstance(dim, bool):  # x.var(False): the oldest way to say "biased"
            dim, unbiased = None, dim
        if not isinstance(unbiased, bool | None):
            raise ill_typed(name, [("unbiased", unbiased)])
        if correction is None:
            correction = 1 if unbiased is None else int(unbiased)
        if input.array.dtype.kind in "biu":
            raise RuntimeError("std and var only support floating point and complex dtypes")
        found = row(input, tuple(dim) if isinstance(dim, list) else dim, correction, keepdim)
        results = found[0] if isinstance(found, tuple) else found
        if input.numel() // max(1, results.numel()) <= correction:
            warnings.warn(
                f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
                "(input numel divided by output numel).",
                stacklevel=3,
            )
        return found

    found_by.__name__, found_by.__qualname__, found_by.__doc__ = name, name, says
    return public(places)(found_by)


var = statistic("var", var_of, "The variance: the squared deviations' sum over n - 1 (`correction=0`: over n).")
std = statistic("std", std_of, "The standard deviation, the root of `var`.")
var_mean = statistic("var_mean", var_mean_of, "The variance, and the mean.", "function")
std_mean = statistic("std_mean", std_mean_of, "The standard deviation, and the mean.", "function")
