"""A spread together with its mean, means without what is missing, and distances."""

import warnings

import numpy as np

from ..autograd.op import op
from ..dtypes import SHORT_NAMES
from ..tensor import Tensor
from .elementwise import NONE, where
from .reduction import (
    _norm,
    _statistic,
    count,
    mean,
    nansum,
    norm_rule,
    per_degree,
    ratio,
    spread,
    squared,
    sum,
    total,
    variance,
    vector_norm,
)
from .shape import unsqueeze

# The gradient of two results is the sum of what each of them passes on.
var_mean_of = op(
    lambda a, dim=None, correction=1, keepdim=False: (
        variance(a, dim, correction, keepdim),
        total(a, dim, keepdim) / count(a.shape, dim),
    ),
    outputs=("parts",),
    grad_fn="VarMeanBackward0",
    holomorphic=False,
    a=lambda gs, a, dim, correction: variance_rule(gs[0], a, dim, correction) + spread(gs[1] / (count(a.shape, dim) or 1), a.shape, dim),
)
std_mean_of = op(  # 0 where the deviation is 0
    lambda a, dim=None, correction=1, keepdim=False: (
        np.sqrt(variance(a, dim, correction, keepdim)),
        total(a, dim, keepdim) / count(a.shape, dim),
    ),
    outputs=("parts",),
    grad_fn="StdMeanBackward0",
    holomorphic=False,
    a=lambda gs, a, dim, correction: (
        variance_rule(half_over(gs[0], a, dim, correction), a, dim, correction)
        + spread(gs[1] / (count(a.shape, dim) or 1), a.shape, dim)
    ),
)
distance = op(  # the length of the difference
    lambda a, b, p: _norm(a - b, p, None, False),
    grad_fn="DistBackward0",
    mixes=True,
    numbers=NONE,
    holomorphic=False,
    a=lambda g, a, b, out, p: norm_rule(g, a - b, out, p, None),
    b=lambda g, a, b, out, p: norm_rule(-g, a - b, out, p, None),
    says="norm(a - b)",
)

cdist_of = op(  # the length of the difference of each row of one and each row of the other
    lambda x1, x2, p: _norm(x1[..., :, None, :] - x2[..., None, :, :], p, -1, False),
    grad_fn="CdistBackward0",
    x1=lambda g, x1, x2, out, p: sum(apart(g, x1, x2, out, p), -2),
    x2=lambda g, x1, x2, out, p: sum(apart(-g, x1, x2, out, p), -3),
)


def apart(g, x1, x2, out, p):
    return norm_rule(unsqueeze(g, -1), unsqueeze(x1, -2) - unsqueeze(x2, -3), unsqueeze(out, -1), p, -1)


def variance_rule(g, a, dim, correction):
    g = spread(2 * g, a.shape, dim)
    slope = g * per_degree(a, dim, correction)
    return slope if count(a.shape, dim) > correction else where(g == 0, 0, slope)  # unknown, but perhaps only the mean is used


def half_over(g, a, dim, correction):
    """The deviation is the root of the variance."""
    deviation = a - mean(a, dim, True)
    found = (sum(squared(deviation), dim) * ratio(1, max(count(a.shape, dim) - correction, 0))).reshape(g.shape)
    flat = found == 0 if count(a.shape, dim) > correction else (found == 0) | (g == 0)  # as above
    return where(flat, 0, g / (2 * found**0.5))


def var_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The variance, and the mean."""
    return _statistic(var_mean_of, input, dim, unbiased, keepdim, correction)


def std_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The standard deviation, and the mean."""
    return _statistic(std_mean_of, input, dim, unbiased, keepdim, correction)


def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    """The mean of the elements that are numbers."""
    if input.array.dtype.kind in "biu":
        kind = SHORT_NAMES[input.dtype.name]
        raise RuntimeError(f"nanmean(): expected input to have floating point or complex dtype but got {kind}")
    return nansum(input, dim, keepdim, dtype=dtype) / sum(input == input, dim, keepdim)


def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """The length of the difference: how far two points are apart.

    >>> import minigrad as mg
    >>> mg.dist(mg.tensor([3.0, 0.0]), mg.tensor([0.0, 4.0]))
    tensor(5.)
    """
    return distance(input, other, p)


def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    """How far each row of `x1` is from each row of `x2`, by the norm `p`.

    >>> import minigrad as mg
    >>> mg.cdist(mg.tensor([[0.0, 0.0], [3.0, 0.0]]), mg.tensor([[0.0, 4.0]]))
    tensor([[4.],
            [5.]])
    """
    for name, x in (("X1", x1), ("X2", x2)):
        if x.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {x.ndim}D")
        if not x.is_floating_point():
            raise RuntimeError(f"cdist only supports floating-point dtypes, {name} got: {SHORT_NAMES[x.dtype.name]}")
    if x1.dtype is not x2.dtype:
        raise RuntimeError(f"expected scalar type {SHORT_NAMES[x1.dtype.name]} but found {SHORT_NAMES[x2.dtype.name]}")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}")
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    if not compute_mode.removeprefix("donot_").startswith("use_mm_for_euclid_dist"):
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    return cdist_of(x1, x2, p)


def cov(input, *, correction=1, fweights=None, aweights=None):
    """How the variables, one a row, vary together over the observations, one a column.

    >>> import minigrad as mg
    >>> mg.cov(mg.tensor([[0.0, 2.0], [6.0, 2.0]]))
    tensor([[ 2., -4.],
            [-4.,  8.]])
    """
    two_at_most("cov", input)
    if input.array.dtype.kind == "b":
        raise RuntimeError("cov(): bool dtype is not supported for input")
    x = input.reshape(1, -1) if input.ndim < 2 else input
    n = x.shape[1]
    for name, weights, kinds in (("fweights", fweights, "iu"), ("aweights", aweights, "f")):
        if weights is not None:
            check_weights(name, weights, n, kinds)
    weight = fweights if aweights is None else aweights if fweights is None else fweights * aweights
    total = n if weight is None else sum(weight)
    centred = x - unsqueeze(sum(x if weight is None else x * weight, 1) / total, 1)
    free = total - correction if aweights is None else total - correction * sum(weight * aweights) / total
    if free <= 0:
        warnings.warn(
            "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.",
            stacklevel=2,
        )
        free = free * 0
    return (centred @ (centred if weight is None else centred * weight).mT.conj() / free).squeeze()


def two_at_most(name, input) -> None:
    if input.ndim > 2:
        raise RuntimeError(
            f"{name}(): expected input to have two or fewer dimensions but got an input with {input.ndim} dimensions"
        )


def check_weights(name, weights, n, kinds) -> None:
    if weights.ndim > 1:
        raise RuntimeError(f"cov(): expected {name} to have one or fewer dimensions but got {name} with {weights.ndim} dimensions")
    if weights.array.dtype.kind not in kinds:
        raise RuntimeError(
            f"cov(): expected {name} to have {'integral' if 'i' in kinds else 'floating point'} dtype but got {name} with "
            f"{SHORT_NAMES[weights.dtype.name]} dtype"
        )
    if weights.numel() != n:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the input but got {weights.numel()} != {n}"
        )
    if (weights.array < 0).any():
        raise RuntimeError(f"cov(): {name} cannot be negative")


def corrcoef(input):
    """`cov` of variables that are brought to the deviation 1: how straight the line is that one is of the other."""
    two_at_most("corrcoef", input)
    c = cov(input)
    if not c.ndim:
        return c / c
    deviation = c.diagonal().real ** 0.5
    c = c / deviation.reshape(-1, 1) / deviation
    return c if c.is_complex() else c.clamp(-1, 1)


renormed = op(
    lambda a, p, dim, maxnorm: a * shrunk(a, p, dim, maxnorm)[0],
    grad_fn="RenormBackward0",
    a=lambda g, a, p, dim, maxnorm: renorm_rule(g, a, p, dim, maxnorm),
)


def shrunk(a, p, dim, maxnorm):
    """For each slice along `dim` a factor that shortens it to `maxnorm`, 1 where it is not longer; and its norm."""
    if a.ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {a.ndim} dimensions")
    others = tuple(i for i in range(len(a.shape)) if i != dim % len(a.shape))
    norm = vector_norm(a, p, others, True)
    return where(norm > maxnorm, maxnorm / (norm + 1e-7), 1), norm, others


def renorm_rule(g, a, p, dim, maxnorm):
    factor, norm, others = shrunk(a, p, dim, maxnorm)
    steepness = where(norm > maxnorm, -maxnorm / (norm + 1e-7) ** 2, 0)
    return g * factor + norm_rule(steepness * sum(g * a, others, True), a, norm, p, others)


def renorm(input, p, dim, maxnorm):
    """Each slice along `dim` that is longer than `maxnorm`, by the norm p, shortened to it."""
    return renormed(input, p, dim, maxnorm)
