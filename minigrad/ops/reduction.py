"""Many numbers to few. Backward, each result's gradient is spread over the numbers that it came from."""

import math
from functools import lru_cache, partial
from operator import index

import numpy as np

from ..core.modes import modes
from ..core.row import op
from ..core.tensor import Tensor
from ..numbers.dtypes import short_name
from ..numbers.memory import row_by_row
from ..return_types import NAMED
from .elementwise import eq, exp, is_complex, isnan, kept_where, masked, maximum, minimum, where
from .gathering import along, put_along
from .public import public
from .shape import check_dim, distinct, expand_to, flip, reshape_to, spread_to, unsqueeze


def reducing(reduce, integers=None):
    """The forward that calls `np.add.reduce` or the like, and brings integers and bools to the type `integers`."""

    def forward(a, dim=None, keepdim=False):
        dim = dim if dim is None else axes(dim)
        if isinstance(dim, tuple):
            dim = distinct(dim, a.ndim)[: a.ndim]  # a number may be reduced along its dimension 0
        found = reduce(a, dim, integers if a.dtype.kind in "biu" else None, None, keepdim)
        return found if dim is None else row_by_row(found)

    return forward


def with_dtype(row, *other_keys):
    """A row with the option `dtype`: `x.sum(dtype=minigrad.float64)` is first the type, then the operation.

    With the key "" the type may also be the last argument, by its place.
    """

    def in_type(input, *args, dtype=None, **options):
        if len(args) == len(row.op.parameters):
            *args, dtype = args
        if dtype is None or not isinstance(input, Tensor):  # which the row refuses
            return row(input, *args, **options)
        given = input.to(dtype=dtype)
        if input.requires_grad and modes.state.grad and not given.requires_grad:
            raise RuntimeError(f"Autograd not support dtype: {short_name(given)}")
        return row(given, *args, **options).to(dtype=dtype)  # integers would be summed to int64

    row.op.overloads |= dict.fromkeys(("dtype", *other_keys), in_type)
    return row


# == sums and means ========================================================================================

total = reducing(np.add.reduce, np.int64)
summing = partial(op, linear=True, spoken="the sum of {}", rules_say={"a": "1"})
averaging = partial(op, linear=True, spoken="the mean of {}", rules_say={"a": "1 / {count}"})
# fmt: off
# of all numbers
_sum = summing(lambda a: np.add.reduce(a, None, np.int64 if a.dtype.kind in "biu" else None), grad_fn="SumBackward0",
    a=lambda g, a_shape: spread_to(g, a_shape))
sum = with_dtype(summing(total, overloads={None: _sum}, grad_fn="SumBackward1",
    a=lambda g, a_shape, dim: spread(g, a_shape, dim), public="function method"))
# a nan counts for nothing
nansum = with_dtype(op(lambda a, dim=None, keepdim=False: total(masked(a, a == a), dim, keepdim),
    a=lambda g, a, dim: kept_where(spread(g, a.shape, dim), ~isnan(a)), public="function method",
    refuses={"c": "nansum does not support complex inputs"},
    rules_say={"a": "{g} where {a} is a number, 0 elsewhere"}))
_mean = averaging(lambda a: total(fractional(a)) / a.size, grad_fn="MeanBackward0",
    a=lambda g, a_shape: spread_to(g / (math.prod(a_shape) or 1), a_shape))
mean = with_dtype(averaging(
    lambda a, dim=None, keepdim=False: total(fractional(a), dim, keepdim) / count(a.shape, dim),
    overloads={None: _mean}, grad_fn="MeanBackward1", public="function method",
    a=lambda g, a_shape, dim: spread(g / (count(a_shape, dim) or 1), a_shape, dim)))
cumsum = with_dtype(op(lambda a, dim: accumulated(np.add, a, dim), linear=True,
    a=lambda g, dim: flip(cumsum(flip(g, (dim,)), dim), (dim,)), public="function method twin"))
# fmt: on


def fractional(a):
    if a.dtype.kind not in "fc":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {short_name(a)}"
        )
    return a


def accumulated(ufunc, a, dim):
    """Running sums or products; integers are added up in int64."""
    a = row_by_row(a.astype(np.int64) if a.dtype.kind in "biu" else np.asarray(a))
    return ufunc.accumulate(a.reshape(-1) if not a.ndim else a, check_dim(dim, a.ndim)).reshape(a.shape)


def over_channels(g):
    """The sum over all but the channels, which are dimension 1."""
    return sum(g, (0, *range(2, len(g.shape))))


def squared(a):
    """|a|²."""
    return (a * a.conj()).real if is_complex(a) else a * a


# == products ==============================================================================================

product = reducing(np.multiply.reduce, np.int64)
# fmt: off
_prod = op(lambda a: np.multiply.reduce(a, None, np.int64 if a.dtype.kind in "biu" else None), grad_fn="ProdBackward0",
    a=lambda g, a, out: g * product_of_others(a, out, None), rules_say={"a": "{g} times the product of the others"})
prod = with_dtype(op(
    lambda a, dim=None, keepdim=False: product(a, dim if dim is None else check_dim(dim, a.ndim), keepdim),
    a=lambda g, a, out, dim: spread(g, a.shape, dim) * product_of_others(a, out, dim), overloads={None: _prod},
    grad_fn="ProdBackward1", public="function method", rules_say={"a": "{g} times the product of the others"}))
# fmt: on


def product_of_others(a, out, dim):
    """For each element the product of all but itself: out / a, unless there is a zero among them."""
    if not len(a.shape):
        return 1
    if not (a == 0).any():
        return wide(out, a.shape, dim) / a
    if dim is None:
        return reshape_to(product_of_others(reshape_to(a, (-1,)), None, 0), a.shape)
    axis = dim % len(a.shape)
    return prod(each_left_out(a, axis), axis + 1)


def each_left_out(a, axis):
    """A copy of `a` for each of its places along `axis`, with 1 in that place."""
    n, shape = a.shape[axis], tuple(a.shape)
    one = np.eye(n, dtype=bool).reshape((n, n) + (1,) * (len(shape) - axis - 1))
    return where(one, 1, expand_to(unsqueeze(a, axis), shape[:axis] + (n,) + shape[axis:]))


# == extremes ==============================================================================================


# fmt: off
def extreme(ufunc, which: str):
    return op(reducing(ufunc.reduce), a=lambda g, a, out, dim: share(g, a, out, dim),
        public="function method", refuses="c", rules_say={"a": SHARED.format(which)})


def extreme_of_all(ufunc, name: str, which: str):
    return op(lambda a: ufunc.reduce(a, None), grad_fn=f"{name.title()}Backward1",
        a=lambda g, a, out: share_of_all(g, a, out), refuses="c", rules_say={"a": SHARED.format(which)})


def extreme_along(find, name: str, which: str):
    """The extremes along a dimension, and where they are: of elements that tie, the first."""
    return op(lambda a, dim, keepdim=False: along(a, find(a, dim), dim, keepdim), outputs=("values", "indices"),
        grad_fn=f"{name.title()}Backward0", a=lambda g, a_shape, indices, dim: put_along(g, indices, a_shape, dim),
        refuses={"c": f"{name}(): does not support complex input"},
        rules_say={"a": f"{{g}} at the first of the {which}, 0 elsewhere"})


def place_of_extreme(find, name: str):
    return op(lambda a, dim=None, keepdim=False: find(some(a, name, dim), dim, keepdims=keepdim),
        a=None, public="function method",
        refuses={kind: f"{name}(): does not support {word} input" for kind, word in (("b", "bool"), ("c", "complex"))})
# fmt: on


SHARED = "{{g}} where {{a}} is the {}, shared equally by those that tie, 0 elsewhere"
amax = extreme(np.maximum, "largest")
amin = extreme(np.minimum, "smallest")
max_of_all = extreme_of_all(np.maximum, "max", "largest")
min_of_all = extreme_of_all(np.minimum, "min", "smallest")
max_along = extreme_along(np.argmax, "max", "largest")
min_along = extreme_along(np.argmin, "min", "smallest")
argmax = place_of_extreme(np.argmax, "argmax")
argmin = place_of_extreme(np.argmin, "argmin")
all = op(lambda a, dim=None, keepdim=False: logical(np.logical_and, a, dim, keepdim), a=None, public="function method")
any = op(lambda a, dim=None, keepdim=False: logical(np.logical_or, a, dim, keepdim), a=None, public="function method")
count_nonzero = op(lambda a, dim=None: total(a != 0, dim), a=None, public="function method")


def logical(ufunc, a, dim, keepdim):
    """True or false; of bytes, which PyTorch took for that in its past, 1 or 0."""
    found = a != 0 if dim in ((), []) else reducing(ufunc.reduce)(a, dim, keepdim)
    return found.astype(np.uint8 if a.dtype == np.uint8 else bool)


def _logsumexp(a, dim, keepdim=False):
    dim, a = axes(dim), row_by_row(a)
    top = np.maximum.reduce(a.real, dim, keepdims=True, initial=-math.inf)
    top = np.where(np.isfinite(top), top, 0).astype(top.dtype)
    out = np.log(np.sum(np.exp(a - top), axis=dim, keepdims=True)) + top
    return out if keepdim else np.squeeze(out, dim)


logsumexp = op(_logsumexp, floats=True,
    a=lambda g, a, out, dim: wide(g, a.shape, dim) * exp(a - wide(out, a.shape, dim)),
    public="function method", rules_say={"a": "{g} * exp({a} - {out})"})  # fmt: skip


def _logcumsumexp(a, dim):
    dim, a = check_dim(dim, a.ndim), np.asarray(a)
    if not a.ndim:
        return a.copy()
    below = np.where(up_to(a, dim), np.expand_dims(a, dim), -math.inf).astype(a.dtype)
    return row_by_row(_logsumexp(below, dim + 1))


logcumsumexp = op(_logcumsumexp, refuses="bi", kernel="logcumsumexp_out_cpu",
    a=lambda g, a, out, dim: shares_so_far(g, a, out, dim % max(len(a.shape), 1)),
    public="function method", rules_say={"a": "the sum of {g} * exp({a} - {out}) from there on"})  # fmt: skip


def up_to(a, dim):
    """For each place along a dimension, which places count: itself, and those before it."""
    n = a.shape[dim]
    return np.tri(n, dtype=bool).reshape(n, n, *(1,) * (len(a.shape) - dim - 1))


def shares_so_far(g, a, out, dim):
    if not len(a.shape):
        return g
    share = exp(where(up_to(a, dim), unsqueeze(a, dim) - unsqueeze(out, dim + 1), -math.inf))
    return sum(share * unsqueeze(g, dim + 1), dim)


# == shapes and shares ======================================================================================


def axes(dim):
    """The reduced dimensions as NumPy takes them; an empty list means all of them, as None does."""
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


def share(g, a, out, dim):
    """An extreme's gradient, divided equally among the elements that tie for it; nan equals none, and makes all nan."""
    mask = eq(a, wide(out, a.shape, dim))
    return mask * (wide(g, a.shape, dim) / sum(mask, dim, True))


def share_of_all(g, a, out):
    """The same where all are reduced, for a median too; if that is nan, those that are nan divide it."""
    mask = eq(a, out) if out == out else isnan(a)
    return where(mask, g / sum(mask), 0)


def some(a, name: str, dim):
    if dim is None and not a.size:
        raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
    return a


# == as people call them ===================================================================================


@public("function method", name="max")
def largest(input, dim=None, keepdim=False, *, other=None):
    """`max`: of all elements; with a tensor as second argument, of each pair; along a dimension, values and indices."""
    return _extreme(max_of_all, max_along, maximum, input, dim if other is None else other, keepdim)


@public("function method", name="min")
def smallest(input, dim=None, keepdim=False, *, other=None):
    """`min`, as `max`."""
    return _extreme(min_of_all, min_along, minimum, input, dim if other is None else other, keepdim)


def _extreme(of_all, along_dim, of_pair, input, dim, keepdim):
    if isinstance(dim, Tensor) and not keepdim:
        return of_pair(input, dim)
    if not input.numel() and dim is None:
        raise RuntimeError(
            f"{of_all.op.name[:3]}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
            "reduction dim with the 'dim' argument."
        )
    if dim is None and not keepdim:
        return of_all(input)
    dim = index(dim)
    check_dim(dim, input.ndim)
    return NAMED[of_all.op.name[:3]](*along_dim(input, dim, keepdim))
