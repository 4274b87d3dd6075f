"""Order, and what builds up along a dimension: sort, top k, median; running products and extremes."""

import math

import numpy as np

from .. import return_types
from ..autograd.op import op
from ..return_types import OF_EXTREMES
from ..tensor import Tensor, wrap
from .copying import clone
from .elementwise import exp, where
from .index import along, put_along, scatter_add
from .joining import cat
from .reduction import accumulated, amax, amin, check_dim, cumsum, in_type, share, sum
from .shape import expand_to, flip, narrow, unsqueeze

# == sorted: the gradient goes back to where each value came from ==========================================

sort_along = op(  # equal elements keep their order
    lambda a, dim, descending, stable: ordered(a, dim, descending),
    outputs=("values", "indices"),
    grad_fn=lambda a, dim, descending, stable: f"SortBackward{int(stable)}",
    a=lambda g, a_shape, indices, dim: scatter_back(g, indices, a_shape, dim),
)
topk_along = op(
    lambda a, k, dim, largest: tuple(np.take(x, range(k), dim) for x in ordered(a, dim, largest)) if a.ndim else ordered(a, 0, True),
    outputs=("values", "indices"),
    grad_fn="TopkBackward0",
    a=lambda g, a_shape, indices, dim: scatter_back(g, indices, a_shape, dim),
)
kth_along = op(
    lambda a, k, dim, keepdim: along(a, kth_place(a, k - 1, dim), dim, keepdim),
    outputs=("values", "indices"),
    grad_fn="KthvalueBackward0",
    a=lambda g, a_shape, indices, dim: put_along(g, indices, a_shape, dim),
)
mode_along = op(  # of values that occur equally often the smallest, of its places the last
    lambda a, dim, keepdim: along(a, commonest(a, dim), dim, keepdim),
    outputs=("values", "indices"),
    grad_fn="ModeBackward0",
    a=lambda g, a_shape, indices, dim: put_along(g, indices, a_shape, dim),
)
both_extremes = op(
    lambda a, dim, keepdim: (amin(a, dim, keepdim), amax(a, dim, keepdim)),
    outputs=("parts",),
    grad_fn="AminmaxBackward0",
    a=lambda gs, a, dim: share(gs[0], a, amin(a, dim), dim) + share(gs[1], a, amax(a, dim), dim),
)
median_along = op(  # of an even number of elements, the lower of the two in the middle
    lambda a, dim, keepdim, skip: along(a, middle(a, dim, skip), dim, keepdim),
    outputs=("values", "indices"),
    grad_fn=lambda a, dim, keepdim, skip: f"{'Nanmedian' if skip else 'Median'}Backward1",
    a=lambda g, a_shape, indices, dim: put_along(g, indices, a_shape, dim),
)
median_of_all = op(
    lambda a, skip: np.reshape(a, -1)[middle(np.reshape(a, -1), 0, skip)] if a.size else np.asarray(math.nan).astype(a.dtype),
    grad_fn=lambda a, skip: f"{'Nanmedian' if skip else 'Median'}Backward0",
    a=lambda g, a, out: shared_by(g, a, out),
)


def shared_by(g, a, out):
    """Among the elements that are the median, nan being one, its gradient is divided equally."""
    mask = (a == out) | ((a != a) & (out != out))
    return where(mask, g / sum(mask), 0)


def ordered(a, dim, descending):
    """The values in order, and where they were."""
    if not a.ndim:
        return np.array(a), np.zeros((), np.int64)
    if descending:  # sorted backwards, from the back, so that equal elements keep their order
        indices = a.shape[dim] - 1 - np.flip(np.argsort(np.flip(a, dim), dim, kind="stable"), dim)
    else:
        indices = np.argsort(a, dim, kind="stable")
    return np.take_along_axis(a, indices, dim), indices


def scatter_back(g, indices, shape, dim):
    indices = indices.array if isinstance(indices, Tensor) else indices
    return scatter_add(g, shape, dim, indices) if shape else g


def kth_place(a, k, dim):
    return np.take(np.argsort(a, dim, kind="stable"), k, dim) if a.ndim else np.zeros((), np.int64)


def commonest(a, dim):
    """Where the value is that occurs most often."""

    def place(row):
        _, first, counts = np.unique(row[::-1], return_index=True, return_counts=True, equal_nan=False)
        return len(row) - 1 - first[np.argmax(counts)]

    return np.apply_along_axis(place, dim, a) if a.size and a.ndim else np.zeros_like(a.sum(dim), np.int64)


def middle(a, dim, skip):
    """Where the median is; a missing value (nan) is the largest: it is either skipped, or the answer."""
    if not a.ndim:
        return np.zeros((), np.int64)
    order, missing = np.argsort(a, dim, kind="stable"), np.isnan(a).sum(dim, keepdims=True)
    n = a.shape[dim]
    place = np.where(skip | (missing == 0), (n - 1 - missing * skip) // 2, n - missing)
    return np.take_along_axis(order, np.maximum(place, 0), dim).squeeze(dim)


# == running along a dimension =============================================================================

cumprod = op(
    lambda a, dim: accumulated(np.multiply, a, dim),
    overloads={"dtype": lambda *args, **options: in_type(cumprod, *args, **options)},
    a=lambda g, a, out, dim: running_product_rule(g, a, out, dim),
)
# of elements that tie, the last
cummax_along = op(
    lambda a, dim: running(np.maximum, a, dim),
    outputs=("values", "indices"),
    grad_fn="CummaxBackward0",
    a=lambda g, a, indices, dim: scatter_back(g, indices, a.shape, dim),
)
cummin_along = op(
    lambda a, dim: running(np.minimum, a, dim),
    outputs=("values", "indices"),
    grad_fn="CumminBackward0",
    a=lambda g, a, indices, dim: scatter_back(g, indices, a.shape, dim),
)
logcumsumexp = op(
    lambda a, dim: np.logaddexp.accumulate(a, dim) if a.ndim else np.array(a),
    floats=True,
    a=lambda g, a, out, dim: running_exp_rule(g, a, out, dim),
)


def backwards_sum(g, dim):
    """At each place the sum of what comes from there on."""
    return flip(cumsum(flip(g, (dim,)), dim), (dim,))


def running_product_rule(g, a, out, dim):
    """Each element is a factor of all products from there on."""
    if not len(a.shape):
        return g
    if not (a == 0).any():
        return backwards_sum(g * out, dim) / a
    n, axis = a.shape[dim], dim % len(a.shape)  # with a zero: products without the element, n for each of n
    shape = a.shape[:axis] + (n,) + a.shape[axis:]
    one = np.eye(n, dtype=bool).reshape((n, n) + (1,) * (len(shape) - axis - 2))
    later = upper(n, len(a.shape), dim)
    copies = expand_to(unsqueeze(a, axis), shape)
    return sum(where(later, cumprod(where(one, 1, copies), axis + 1) * unsqueeze(g, axis), 0), axis + 1)


def running_exp_rule(g, a, out, dim):
    """Σ over later results of g · e^(a - out): one row for each element, so that nothing overflows."""
    if not len(a.shape):
        return g
    later, axis = upper(a.shape[dim], len(a.shape), dim), dim % len(a.shape)
    share = exp(where(later, unsqueeze(a, axis + 1) - unsqueeze(out, axis), -math.inf))
    return sum(share * unsqueeze(g, axis), axis + 1)


def upper(n, ndim, dim):
    """True where the second of two places is the same or later, in a shape that broadcasts with ndim + 1 dimensions."""
    return np.triu(np.ones((n, n), bool)).reshape((n, n) + (1,) * (ndim - dim % ndim - 1))


def running(extreme, a, dim):
    """A running extreme and where it was found, the last of those that tie."""
    if not a.ndim:
        return np.array(a), np.zeros((), np.int64)
    values = extreme.accumulate(a, dim)
    place = np.arange(a.shape[dim]).reshape((-1,) + (1,) * (a.ndim - 1 - dim % a.ndim))
    found = np.where((a == values) | np.isnan(a), place, 0)
    return values, np.maximum.accumulate(np.broadcast_to(found, a.shape), dim)


# == as people call them ===================================================================================


def sort(input, dim=-1, descending=False, stable=None):
    """The elements in order, and where they were.

    >>> import minigrad as mg
    >>> mg.sort(mg.tensor([2.0, 3.0, 1.0])).indices
    tensor([2, 0, 1])
    """
    check_dim(dim, input.ndim)
    return OF_EXTREMES["sort"](*sort_along(input, dim, descending, stable is not None))


def check_length(name: str, input, dim: int) -> None:
    """Refuse to choose among no elements."""
    if input.ndim and not input.shape[check_dim(dim, input.ndim)]:
        raise IndexError(f"{name} Expected reduction dim {dim % input.ndim} to have non-zero size.")
    check_dim(dim, input.ndim)


def msort(input):
    """Sorted along the first dimension."""
    return sort_along(input, 0, False, False)[0]


def argsort(input, dim=-1, descending=False, stable=False):
    """The places of the elements in order; no gradient flows."""
    check_dim(dim, input.ndim)
    return wrap(ordered(input.array, dim, descending)[1])


def topk(input, k, dim=-1, largest=True, sorted=True):
    """The `k` largest elements along a dimension, and where they are."""
    check_dim(dim, input.ndim)
    if not 0 <= k <= (input.shape[dim] if input.ndim else 1):
        raise RuntimeError("selected index k out of range")
    return OF_EXTREMES["topk"](*topk_along(input, k, dim, largest))


def kthvalue(input, k, dim=-1, keepdim=False):
    """The `k`-th smallest element along a dimension, counted from 1, and where it is."""
    check_length("kthvalue():", input, dim)
    if not 1 <= k <= (input.shape[dim] if input.ndim else 1):
        raise RuntimeError("kthvalue(): selected number k out of range for dimension " + str(dim))
    return OF_EXTREMES["kthvalue"](*kth_along(input, k, dim, keepdim))


def median(input, dim=None, keepdim=False):
    """The element in the middle (the lower of two): of all elements, or along a dimension, with its place."""
    return _median(input, dim, keepdim, False)


def nanmedian(input, dim=None, keepdim=False):
    """`median` of the elements that are numbers."""
    return _median(input, dim, keepdim, True)


def _median(input, dim, keepdim, skip):
    if dim is None:
        return median_of_all(input, skip)
    check_length("median():", input, dim)
    return OF_EXTREMES["nanmedian" if skip else "median"](*median_along(input, dim, keepdim, skip))


def mode(input, dim=-1, keepdim=False):
    """The value that occurs most often along a dimension, and where it is.

    >>> import minigrad as mg
    >>> mg.mode(mg.tensor([3.0, 1.0, 3.0])).values
    tensor(3.)
    """
    check_length("mode():", input, dim)
    return OF_EXTREMES["mode"](*mode_along(input, dim, keepdim))


def cummax(input, dim):
    """The largest element so far, and where it was found."""
    check_dim(dim, input.ndim)
    return OF_EXTREMES["cummax"](*cummax_along(input, dim))


def cummin(input, dim):
    """The smallest element so far, and where it was found."""
    check_dim(dim, input.ndim)
    return OF_EXTREMES["cummin"](*cummin_along(input, dim))


def diff(input, n=1, dim=-1, prepend=None, append=None):
    """Each element minus the one before, `n` times over.

    >>> import minigrad as mg
    >>> mg.diff(mg.tensor([1, 4, 9]))
    tensor([3, 5])
    """
    if not input.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    check_dim(dim, input.ndim)
    ends = [part for part in (prepend, input, append) if part is not None]
    if any(part.ndim != input.ndim for part in ends):
        raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    x = cat(ends, dim) if len(ends) > 1 else input if n else clone(input)
    for _ in range(min(n, x.shape[dim])):
        last = max(x.shape[dim] - 1, 0)
        later, earlier = narrow(x, dim, x.shape[dim] - last, last), narrow(x, dim, 0, last)
        x = later != earlier if x.array.dtype.kind == "b" else later - earlier
    return x


def aminmax(input, *, dim=None, keepdim=False):
    """The smallest and the largest element."""
    if dim is None and not input.numel():
        raise RuntimeError("aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.")
    if dim is not None:
        check_length("aminmax:", input, dim)
    return return_types.aminmax(*both_extremes(input, dim, keepdim))
