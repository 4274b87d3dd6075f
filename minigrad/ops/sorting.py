"""Order, and what builds up along a dimension: sort, top k, median; running products and extremes."""

import math
from functools import partial

import numpy as np

from ..core.row import op
from ..numbers.memory import as_all_lie, row_by_row
from ..return_types import NAMED
from .copying import clone
from .elementwise import plain, where
from .gathering import along, put_along, scatter_add
from .joining import cat
from .public import public
from .reduction import accumulated, check_dim, cumsum, each_left_out, share_of_all, sum, with_dtype
from .shape import flip, narrow, unsqueeze

# fmt: off
found_along = partial(op, outputs=("values", "indices"),
    rules_say={"a": "{g} at the place from which each number came"})
# equal elements keep their order
sort_along = found_along(lambda a, dim, descending, stable: ordered(a, dim, descending),
    grad_fn=lambda a, dim, descending, stable: f"SortBackward{int(stable)}",
    a=lambda g, a_shape, indices, dim: scatter_back(g, indices, a_shape, dim),
    refuses={"c": " Sort does not support complex dtypes on CPU"})
topk_along = found_along(
    lambda a, k, dim, largest: (
        tuple(np.take(x, range(k), dim) for x in ordered(a, dim, largest)) if a.ndim else ordered(a, 0, True)),
    grad_fn="TopkBackward0",
    a=lambda g, a_shape, indices, dim: scatter_back(g, indices, a_shape, dim),
    refuses={"b": "topk does not support bool dtypes on CPU", "c": " topk does not support complex dtypes on CPU"})
kth_along = found_along(lambda a, k, dim, keepdim: along(a, kth(a, k, dim), dim, keepdim),
    grad_fn="KthvalueBackward0",
    a=lambda g, a_shape, indices, dim: put_along(g, indices, a_shape, dim), refuses="bc", kernel="kthvalue_cpu")
# of elements that tie, the last
so_far = partial(found_along, a=lambda g, a, indices, dim: scatter_back(g, indices, a.shape, dim), refuses="c")
largest_so_far = so_far(lambda a, dim: running(np.maximum, a, dim), grad_fn="CummaxBackward0", kernel="cummax_cpu")
smallest_so_far = so_far(lambda a, dim: running(np.minimum, a, dim), grad_fn="CumminBackward0", kernel="cummin_cpu")
# of an even number of elements, the lower of the two in the middle
median_along = found_along(lambda a, dim, keepdim, skip: along(a, middle(a, dim, skip), dim, keepdim),
    grad_fn=lambda a, dim, keepdim, skip: f"{'Nanmedian' if skip else 'Median'}Backward1",
    a=lambda g, a_shape, indices, dim: put_along(g, indices, a_shape, dim), refuses="bc", kernel="median_cpu")
median_of_all = op(
    lambda a, skip: (
        np.reshape(a, -1)[middle(np.reshape(a, -1), 0, skip)] if a.size else np.asarray(math.nan).astype(a.dtype)),
    grad_fn=lambda a, skip: f"{'Nanmedian' if skip else 'Median'}Backward0",
    a=lambda g, a, out: share_of_all(g, a, out),
    refuses="bc", kernel="median_cpu",
    rules_say={"a": "{g} where {a} is the median, shared equally by those that tie, 0 elsewhere"})
# fmt: on


def ordered(a, dim, descending):
    """The values in order, and where they were."""
    if not a.ndim:
        return np.array(a), np.zeros((), np.int64)
    if descending:  # sorted backwards, from the back, so that equal elements keep their order
        indices = a.shape[dim] - 1 - np.flip(np.argsort(np.flip(a, dim), dim, kind="stable"), dim)
    else:
        indices = np.argsort(a, dim, kind="stable")
    return as_all_lie(np.take_along_axis(a, indices, dim), (a,)), as_all_lie(indices, (a,))


def scatter_back(g, indices, shape, dim):
    return scatter_add(g, shape, dim, plain(indices)) if shape else g


def kth(a, k, dim):
    """Where the `k`-th smallest is."""
    return np.take(np.argsort(a, dim, kind="stable"), k - 1, dim) if a.ndim else np.zeros((), np.int64)


def running(ufunc, a, dim):
    """Running extremes, and where each is."""
    if not a.ndim:
        return np.array(a), np.zeros((), np.int64)
    values = row_by_row(ufunc.accumulate(a, dim))
    hit = (a == values) | np.isnan(a)
    return values, np.maximum.accumulate(np.where(hit, np.indices(a.shape)[dim], 0), dim)


def middle(a, dim, skip):
    """Where the median is; a missing value (nan) is the largest: it is either skipped, or the answer."""
    if not a.ndim:
        return np.zeros((), np.int64)
    order, missing = np.argsort(a, dim, kind="stable"), np.isnan(a).sum(dim, keepdims=True)
    n = a.shape[dim]
    place = np.where(skip | (missing == 0), (n - 1 - missing * skip) // 2, n - missing)
    return row_by_row(np.take_along_axis(order, np.maximum(place, 0), dim).squeeze(dim))


cumprod = with_dtype(op(lambda a, dim: accumulated(np.multiply, a, dim),
    a=lambda g, a, out, dim: running_product_rule(g, a, out, dim), public="function method twin"))  # fmt: skip


def running_product_rule(g, a, out, dim):
    """Each element is a factor of all products from there on."""
    if not len(a.shape):
        return g
    if not (a == 0).any():
        return flip(cumsum(flip(g * out, (dim,)), dim), (dim,)) / a
    axis, n = dim % len(a.shape), a.shape[dim]  # with a zero: products without the element, n for each of n
    later = np.tri(n, dtype=bool).T.reshape((n, n) + (1,) * (len(a.shape) - axis - 1))
    return sum(where(later, cumprod(each_left_out(a, axis), axis + 1) * unsqueeze(g, axis), 0), axis + 1)


@public("function method")
def sort(input, dim=-1, descending=False, stable=None):
    """The elements in order, and where they were.

    >>> import minigrad as mg
    >>> mg.sort(mg.tensor([2.0, 3.0, 1.0])).indices
    tensor([2, 0, 1])
    """
    check_dim(dim, input.ndim)
    return NAMED["sort"](*sort_along(input, dim, descending, stable is not None))


@public("function method")
def topk(input, k, dim=-1, largest=True, sorted=True):
    """The `k` largest elements along a dimension, and where they are."""
    check_dim(dim, input.ndim)
    if not 0 <= k <= (input.shape[dim] if input.ndim else 1):
        raise RuntimeError("selected index k out of range")
    return NAMED["topk"](*topk_along(input, k, dim, largest))


@public("function method")
def kthvalue(input, k, dim=-1, keepdim=False):
    """The `k`-th smallest element along a dimension, and where it is."""
    at = filled(input, dim, "kthvalue")
    if not 1 <= k <= (input.shape[at] if input.ndim else 1):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {at}")
    return NAMED["kthvalue"](*kth_along(input, k, dim, keepdim))


def filled(input, dim, name: str) -> int:
    """A dimension along which there is something to choose."""
    axis = check_dim(dim, input.ndim)
    if input.ndim and not input.shape[axis]:
        raise IndexError(f"{name}(): Expected reduction dim {axis} to have non-zero size.")
    return axis


def middle_of(input, dim, keepdim, skip):
    """The element in the middle (the lower of two): of all elements, or along a dimension, with its place."""
    if dim is None:
        return median_of_all(input, skip)
    filled(input, dim, "median")
    return NAMED["nanmedian" if skip else "median"](*median_along(input, dim, keepdim, skip))


@public("function method")
def diff(input, n=1, dim=-1, prepend=None, append=None):
    """Each element minus the one before, `n` times over; `prepend` and `append` are put at the ends before that.

    >>> import minigrad as mg
    >>> mg.diff(mg.tensor([1, 4, 9]))
    tensor([3, 5])
    """
    if not input.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    check_dim(dim, input.ndim)
    x = input if n else clone(input)
    if n and (prepend is not None or append is not None):
        x = cat([one for one in (prepend, x, append) if one is not None], dim)
    for _ in range(min(n, x.shape[dim])):
        last = max(x.shape[dim] - 1, 0)
        later, earlier = narrow(x, dim, x.shape[dim] - last, last), narrow(x, dim, 0, last)
        x = later != earlier if x.array.dtype.kind == "b" else later - earlier
    return x
