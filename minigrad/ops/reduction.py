"""Many numbers to few. Backward, each result's gradient is spread over the numbers that it came from."""

import math
import warnings
from functools import lru_cache

import numpy as np

from ..autograd.op import op
from ..dtypes import SHORT_NAMES
from ..return_types import OF_EXTREMES
from ..tensor import Tensor
from .elementwise import abs, eq, exp, is_complex, isnan, maximum, minimum, sgn, where
from .index import along, put_along
from .shape import check_dim, distinct, expand_to, flip, reshape_to, spread_to


def axes(dim):
    """The reduced dimensions as NumPy takes them; an empty list means all of them, as None does; one may be of a number."""
    if isinstance(dim, list | tuple):
        return tuple(dim) if len(dim) > 1 else dim[0] if dim else None
    return dim


@lru_cache
def kept(shape, axis):
    """A shape in which the reduced dimensions have length 1, so that it broadcasts with the unreduced one."""
    if axis is None:
        return (1,) * len(shape)
    dims = [d % max(len(shape), 1) for d in (axis if isinstance(axis, tuple) else (axis,))]
    return tuple(1 if i in dims else n for i, n in enumerate(shape))


@lru_cache
def counted(shape, axis) -> int:
    return math.prod(n for n, left in zip(shape, kept(shape, axis)) if left == 1)


def count(shape, dim) -> int:
    """How many numbers become one."""
    return counted(shape, dim if dim is None else axes(dim))


def wide(x, shape, dim):
    """A reduced result in a shape that broadcasts with the input."""
    return x if dim is None or not shape else reshape_to(x, kept(shape, axes(dim)))


def spread(g, shape, dim):
    """A reduced gradient, the same for each number that was reduced."""
    return spread_to(g if dim is None else wide(g, shape, dim), shape)


def ratio(a, b) -> float:
    """a / b, which is infinite for b = 0: the variance of one number is not known."""
    return a / b if b else math.inf


def share(g, a, out, dim):
    """An extreme's gradient, divided equally among the elements that tie for it; nan, which equals none, makes all nan."""
    mask = eq(a, wide(out, a.shape, dim))
    return mask * (wide(g, a.shape, dim) / sum(mask, dim, True))


def share_of_all(g, a, out):
    """The same where all are reduced; if the extreme is nan, those that are nan divide it."""
    mask = eq(a, out) if out == out else isnan(a)
    return where(mask, g / sum(mask), 0)


def some(a, name: str, dim):
    if dim is None and not a.size:
        raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
    return a


def reducing(reduce, integers=None):
    """The forward that calls `np.add.reduce` or the like; `integers` is the type to which it brings integers and bools."""

    def forward(a, dim=None, keepdim=False):
        dim = dim if dim is None else axes(dim)
        if isinstance(dim, tuple):
            dim = distinct(dim, a.ndim)[: a.ndim]  # a number may be reduced along its dimension 0
        return reduce(a, dim, integers if a.dtype.kind in "biu" else None, None, keepdim)

    return forward


def in_type(row, input, *args, dtype=None, **options):
    """`x.sum(dtype=minigrad.float64)`: first the type, then the operation."""
    if dtype is None:
        return row(input, *args, **options)
    return row(input.to(dtype), *args, **options).to(dtype)  # integers would be summed to int64


# == sums and means ========================================================================================

total = reducing(np.add.reduce, np.int64)
_sum = op(lambda a: np.add.reduce(a, None, np.int64 if a.dtype.kind in "biu" else None), grad_fn="SumBackward0", linear=True, a=lambda g, a_shape: spread_to(g, a_shape))  # of all
sum = op(
    total,
    overloads={None: _sum, "dtype": lambda *args, **options: in_type(sum, *args, **options)},
    grad_fn="SumBackward1",
    linear=True,
    a=lambda g, a_shape, dim: spread(g, a_shape, dim),
)
nansum = op(
    lambda a, dim=None, keepdim=False: total(np.where(a == a, a, a.dtype.type(0)), dim, keepdim),
    overloads={"dtype": lambda *args, **options: in_type(nansum, *args, **options)},
    a=lambda g, a, dim: spread(g, a.shape, dim) * (a == a),
)
_mean = op(
    lambda a: total(fractional(a)) / a.size,
    grad_fn="MeanBackward0",
    linear=True,
    a=lambda g, a_shape: spread_to(g / (math.prod(a_shape) or 1), a_shape),
)
mean = op(
    lambda a, dim=None, keepdim=False: total(fractional(a), dim, keepdim) / count(a.shape, dim),
    overloads={None: _mean, "dtype": lambda *args, **options: in_type(mean, *args, **options)},
    grad_fn="MeanBackward1",
    linear=True,
    a=lambda g, a_shape, dim: spread(g / (count(a_shape, dim) or 1), a_shape, dim),
)
var_of = op(
    lambda a, dim=None, correction=1, keepdim=False: variance(a, dim, correction, keepdim),
    grad_fn="VarBackward0",
    holomorphic=False,
    a=lambda g, a, dim, correction: spread(2 * g, a.shape, dim) * per_degree(a, dim, correction),
)
std_of = op(  # 0 where the deviation is 0
    lambda a, dim=None, correction=1, keepdim=False: np.sqrt(variance(a, dim, correction, keepdim)),
    grad_fn="StdBackward0",
    holomorphic=False,
    a=lambda g, a, out, dim, correction: spread(where(out == 0, 0, g / out), a.shape, dim) * per_degree(a, dim, correction),
)
cumsum = op(
    lambda a, dim: accumulated(np.add, a, dim),
    overloads={"dtype": lambda *args, **options: in_type(cumsum, *args, **options)},
    linear=True,
    a=lambda g, dim: flip(cumsum(flip(g, (dim,)), dim), (dim,)),
)


def fractional(a):
    if a.dtype.kind not in "fc":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {a.dtype.name.capitalize().replace('Int64', 'Long').replace('Int32', 'Int')}"
        )
    return a


def variance(a, dim, correction, keepdim):
    n = count(a.shape, dim)
    deviation = a - a[tuple(map(slice, kept(a.shape, axes(dim))))]  # from the first, so that equal numbers deviate by nothing
    deviation -= total(deviation, dim, True) / n
    deviation *= deviation.conj() if is_complex(a) else deviation  # where it is: a second large array costs more than the product
    return total(deviation.real, dim, keepdim) / max(n - correction, 0)


def per_degree(a, dim, correction):
    """The deviation from the mean over the degrees of freedom; without any, nothing is known: inf, and nan where it is 0."""
    centre, free = mean(a, dim, True), count(a.shape, dim) - correction
    if free <= 0 and (dim is None or not a.shape):
        return where(a == centre, math.nan, math.inf)
    return (a - centre) * ratio(1, free)


def accumulated(ufunc, a, dim):
    """Running sums or products; integers are added up in int64."""
    a = a.astype(np.int64) if a.dtype.kind in "biu" else np.asarray(a)
    return ufunc.accumulate(a.reshape(-1) if not a.ndim else a, dim).reshape(a.shape)


def squared(a):
    """|a|²."""
    return (a * a.conj()).real if is_complex(a) else a * a


# == products ==============================================================================================

_prod = op(
    lambda a: np.multiply.reduce(a, None, np.int64 if a.dtype.kind in "biu" else None),
    grad_fn="ProdBackward0",
    a=lambda g, a, out: g * product_of_others(a, out, None),
)
prod = op(
    reducing(np.multiply.reduce, np.int64),
    overloads={None: _prod, "dtype": lambda *args, **options: in_type(prod, *args, **options)},
    grad_fn="ProdBackward1",
    a=lambda g, a, out, dim: spread(g, a.shape, dim) * product_of_others(a, out, dim),
)


def product_of_others(a, out, dim):
    """For each element the product of all but itself: out / a, unless there is a zero among them."""
    if not len(a.shape):
        return 1
    if not (a == 0).any():
        return wide(out, a.shape, dim) / a
    if dim is None:
        return reshape_to(product_of_others(reshape_to(a, (-1,)), None, 0), a.shape)
    n = a.shape[dim]
    axis = dim % len(a.shape)
    shape = a.shape[:axis] + (n,) + a.shape[axis:]
    one = np.eye(n, dtype=bool).reshape((n, n) + (1,) * (len(a.shape) - axis - 1))
    copies = expand_to(reshape_to(a, a.shape[:axis] + (1,) + a.shape[axis:]), shape)
    return prod(where(one, 1, copies), axis + 1)


# == extremes ==============================================================================================

amax = op(reducing(np.maximum.reduce), a=lambda g, a, out, dim: share(g, a, out, dim))
amin = op(reducing(np.minimum.reduce), a=lambda g, a, out, dim: share(g, a, out, dim))
max_of_all = op(lambda a: np.maximum.reduce(a, None), grad_fn="MaxBackward1", a=lambda g, a, out: share_of_all(g, a, out))
min_of_all = op(lambda a: np.minimum.reduce(a, None), grad_fn="MinBackward1", a=lambda g, a, out: share_of_all(g, a, out))
max_along = op(  # of elements that tie, the first
    lambda a, dim, keepdim=False: along(a, np.argmax(a, dim), dim, keepdim),
    outputs=("values", "indices"),
    grad_fn="MaxBackward0",
    a=lambda g, a_shape, indices, dim: put_along(g, indices, a_shape, dim),
)
min_along = op(
    lambda a, dim, keepdim=False: along(a, np.argmin(a, dim), dim, keepdim),
    outputs=("values", "indices"),
    grad_fn="MinBackward0",
    a=lambda g, a_shape, indices, dim: put_along(g, indices, a_shape, dim),
)
argmax = op(lambda a, dim=None, keepdim=False: np.argmax(some(a, "argmax", dim), dim, keepdims=keepdim), a=None)
argmin = op(lambda a, dim=None, keepdim=False: np.argmin(some(a, "argmin", dim), dim, keepdims=keepdim), a=None)
all = op(lambda a, dim=None, keepdim=False: logical(np.logical_and, a, dim, keepdim), a=None)
any = op(lambda a, dim=None, keepdim=False: logical(np.logical_or, a, dim, keepdim), a=None)
count_nonzero = op(lambda a, dim=None: np.count_nonzero(a, dim), a=None)


def logical(ufunc, a, dim, keepdim):
    """True or false; of bytes, which PyTorch took for that in its past, 1 or 0."""
    return reducing(ufunc.reduce)(a, dim, keepdim).astype(np.uint8 if a.dtype == np.uint8 else bool)


# == norms =================================================================================================

logsumexp = op(
    lambda a, dim, keepdim=False: _logsumexp(a, dim, keepdim),
    floats=True,
    a=lambda g, a, out, dim: wide(g, a.shape, dim) * exp(a - wide(out, a.shape, dim)),
)
vector_norm = op(  # 0 where the norm is 0
    lambda a, ord=2, dim=None, keepdim=False: _norm(a, ord, dim, keepdim),
    grad_fn="LinalgVectorNormBackward0",
    holomorphic=False,
    a=lambda g, a, out, ord, dim: norm_rule(wide(g, a.shape, dim), a, wide(out, a.shape, dim), ord, dim),
)
norm_of_difference = op(  # the same under the name that it has in PyTorch's distances
    vector_norm.op.forward, grad_fn="NormBackward1", holomorphic=False, a=vector_norm.op.rules["a"]
)


def _logsumexp(a, dim, keepdim):
    dim = axes(dim)
    top = np.maximum.reduce(a, dim, keepdims=True, initial=-math.inf)
    top = np.where(np.isfinite(top), top, 0).astype(top.dtype)
    out = np.log(np.sum(np.exp(a - top), axis=dim, keepdims=True)) + top
    return out if keepdim else np.squeeze(out, dim)


def _norm(a, ord, dim, keepdim):
    dim = axes(dim)
    if ord == 2:
        return np.sqrt(np.add.reduce(squared(a), axis=dim, keepdims=keepdim))
    size = np.abs(a)
    if (ord == math.inf or ord < 0) and not count(a.shape, dim):
        raise RuntimeError(
            f"linalg.vector_norm cannot compute the {ord} norm on an empty tensor because the operation does not have an identity"
        )
    if ord in (math.inf, -math.inf):
        return (np.maximum if ord > 0 else np.minimum).reduce(size, dim, keepdims=keepdim)
    if ord == 0:
        return np.add.reduce(size != 0, axis=dim, keepdims=keepdim).astype(size.dtype)
    return np.add.reduce(size**ord, axis=dim, keepdims=keepdim) ** (1 / ord)


def norm_rule(g, a, out, ord, dim):
    if ord in (0, 1):
        return g * sgn(a) * ord
    if ord == 2:
        return g * where(out == 0, 0, a / out)
    if ord in (math.inf, -math.inf):
        largest = eq(abs(a), out) | isnan(a)
        return sgn(a) * (g / sum(largest, dim, True) * largest)
    if ord < 1:
        return sgn(a) * where(a == 0, 0, abs(a) ** (ord - 1)) * g * out ** (1 - ord)
    direction = a * abs(a) ** (ord - 2) if ord > 2 else sgn(a) * abs(a) ** (ord - 1)
    return g * (direction * where(out == 0, 0, 1 / out ** (ord - 1)))


# == as people call them ===================================================================================


def _statistic(row, input, dim, unbiased, keepdim, correction):
    if isinstance(dim, bool):  # x.var(False): the old way to say "biased"
        dim, unbiased = None, dim
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    if input.array.dtype.kind in "biu":
        raise RuntimeError("std and var only support floating point and complex dtypes")
    found = row(input, tuple(dim) if isinstance(dim, list) else dim, correction, keepdim)
    results = found[0] if isinstance(found, tuple) else found
    if input.numel() // max(1, results.numel()) <= correction:
        warnings.warn(
            f"{row.op.name.removesuffix('_of')}(): degrees of freedom is <= 0. Correction should be strictly less than the "
            "reduction factor (input numel divided by output numel).",
            stacklevel=3,
        )
    return found


def var(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The variance: the squared deviations' sum over n - 1 (`correction=0`: over n)."""
    return _statistic(var_of, input, dim, unbiased, keepdim, correction)


def std(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The standard deviation, the root of `var`."""
    return _statistic(std_of, input, dim, unbiased, keepdim, correction)


def norm(input, p=2, dim=None, keepdim=False, dtype=None):
    """The length of a vector; of a matrix, that of its elements in a row."""
    return vector_norm(input_of_norm(input, dtype), {"fro": 2, None: 2}.get(p, p), tuple(dim) if isinstance(dim, list) else dim, keepdim)


def input_of_norm(input, dtype):
    """The numbers in the type that is asked for, which must be real or complex as they are; integers are refused anyhow."""
    if dtype is None or input.array.dtype.kind in "biu":
        return input
    if is_complex(input) != dtype.is_complex:
        kind = ("real", "complex")[is_complex(input)]
        raise RuntimeError(
            f"linalg.vector_norm: dtype should be {kind} for {kind} inputs, but got {SHORT_NAMES[dtype.name]}"
        )
    return input.to(dtype)


def largest(input, dim=None, keepdim=False, *, other=None):
    """`max`: of all elements; with a tensor as second argument, of each pair; along a dimension, values and indices."""
    return _extreme(max_of_all, max_along, maximum, input, dim if other is None else other, keepdim)


def smallest(input, dim=None, keepdim=False, *, other=None):
    """`min`, as `max`."""
    return _extreme(min_of_all, min_along, minimum, input, dim if other is None else other, keepdim)


def _extreme(of_all, along_dim, of_pair, input, dim, keepdim):
    if isinstance(dim, Tensor):
        return of_pair(input, dim)
    if not input.numel() and dim is None:
        raise RuntimeError(
            f"{of_all.op.name[:3]}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
            "reduction dim with the 'dim' argument."
        )
    if dim is None:
        return of_all(input)
    check_dim(dim, input.ndim)
    return OF_EXTREMES[of_all.op.name[:3]](*along_dim(input, dim, keepdim))
