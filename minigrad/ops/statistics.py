"""How far numbers spread: variance and deviation, also together with the mean."""

import math
import warnings
from functools import partial

import numpy as np

from ..core.row import op
from ..words.calling import ill_typed
from .elementwise import asked, is_complex, where
from .public import public
from .reduction import axes, count, kept, mean, spread, total


def variance(a, dim=None, correction=1, keepdim=False):
    n = count(a.shape, dim)
    first = a[tuple(map(slice, kept(a.shape, axes(dim))))]
    deviation = a - first  # so that equal numbers deviate by nothing
    deviation -= total(deviation, dim, True) / n
    deviation *= deviation.conj() if is_complex(a) else deviation  # in place, for a second large array is slow
    return total(deviation.real, dim, keepdim) / (n and max(n - correction, 0))


# fmt: off
var_of = op(variance, grad_fn="VarBackward0", holomorphic=False,
    a=lambda g, a, dim, correction: per_degree(2 * g, a, dim, correction),
    rules_say={"a": "2 * {g} * ({a} - its mean) / the degrees of freedom"})
std_of = op(lambda a, dim=None, correction=1, keepdim=False: np.sqrt(variance(a, dim, correction, keepdim)),
    grad_fn="StdBackward0", holomorphic=False,
    a=lambda g, a, out, dim, correction: per_degree(over_spread(g, out), a, dim, correction),
    rules_say={"a": "{g} * ({a} - its mean) / ({out} * the degrees of freedom)"})
# together with the mean: `gs` are the gradients of both. Without degrees of freedom the spread's slope is infinite
with_mean = partial(op, holomorphic=False)
var_mean_of = with_mean(lambda a, dim=None, correction=1, keepdim=False: (
        variance(a, dim, correction, keepdim), mean(a, dim, keepdim)),
    outputs=("var", "mean"), grad_fn="VarMeanBackward0",
    a=lambda gs, a, dim, correction: of_mean(gs[1], a, dim) + (
        per_degree(2 * gs[0], a, dim, correction) if asked(gs[0]) else 0),
    rules_say={"a": "2 * {g} * ({a} - its mean) / the degrees of freedom, and the mean's {g} / {count}"})
std_mean_of = with_mean(lambda a, dim=None, correction=1, keepdim=False: (
        np.sqrt(variance(a, dim, correction, keepdim)), mean(a, dim, keepdim)),
    outputs=("std", "mean"), grad_fn="StdMeanBackward0",
    a=lambda gs, a, std, dim, correction: of_mean(gs[1], a, dim) + (
        per_degree(over_spread(gs[0], std), a, dim, correction) if asked(gs[0]) else 0),
    rules_say={"a": "{g} * ({a} - its mean) / ({std} * the degrees of freedom), and the mean's {g} / {count}"})
# fmt: on


def of_mean(g, a, dim):
    return spread(g / (count(a.shape, dim) or 1), a.shape, dim)


def over_spread(g, out):
    """g over the deviation, 0 where that is 0: over inf, as a 0 / 0 would be nan in forward mode, chosen or not."""
    return where(out == 0, 0, g) / where(out == 0, math.inf, out)


def per_degree(g, a, dim, correction):
    """g times the deviation over the degrees of freedom; without any of these, inf, and nan where a is the mean."""
    centre, free = mean(a, dim, True), count(a.shape, dim) - correction
    if free <= 0 and (dim is None or not a.shape):
        return spread(g, a.shape, dim) * where(a == centre, math.nan, math.inf)
    return spread(g * (1 / free if free else math.inf), a.shape, dim) * (a - centre)


def statistic(name: str, row, says: str):
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
        found = row(input, dim, correction, keepdim)
        if input.numel() // max(1, (found[0] if both else found).numel()) <= correction:
            warnings.warn(
                f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
                "(input numel divided by output numel).",
                stacklevel=3,
            )
        return found

    both = row.op.outputs
    found_by.__name__, found_by.__qualname__, found_by.__doc__ = name, name, says
    return public("function" if both else "function method")(found_by)


var = statistic("var", var_of, "The variance: the squared deviations' sum over n - 1 (`correction=0`: over n).")
std = statistic("std", std_of, "The standard deviation, the root of `var`.")
var_mean = statistic("var_mean", var_mean_of, "The variance, and the mean.")
std_mean = statistic("std_mean", std_mean_of, "The standard deviation, and the mean.")
