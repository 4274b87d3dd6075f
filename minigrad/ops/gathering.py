"""Many values for one place, brought together by a sum, a mean, a product, or the largest or smallest of them."""

import numpy as np

from ..autograd.op import op
from ..dtypes import unsupported
from ..tensor import Tensor
from .elementwise import where
from .index import along_dim, pick, positions_along, same_type, slices
from .scattering import added, both, in_a_row, placed
from .shape import atleast_1d

START = {"sum": 0, "mean": 0, "prod": 1}  # where the place's own value does not count; else any of those that come
UFUNC = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}

# `at` is an index as NumPy takes it; `own` says whether what was at a place before counts as well
gathered = op(
    lambda a, b, at, reduce, own, node: brought_together(a, b, at, reduce, own),
    holomorphic=False,
    places="at",
    memory="apart",
    grad_fn=lambda a, b, at, reduce, own, node: node,
    a=lambda g, a, b, out, at, reduce, own, node: for_place(g, a, b, out, at, reduce, own, node),
    b=lambda g, a, b, out, at, reduce, own, node: for_values(g, a, b, out, at, reduce, own, node),
)


def brought_together(a, b, at, reduce, own):
    out = np.array(a)
    if not own:
        out[at] = START.get(reduce, b)
    UFUNC[reduce].at(out, at, b)
    if reduce == "mean":
        out = (out / counts(out, at, own) if a.dtype.kind in "fc" else out // counts(out, at, own)).astype(a.dtype)
    return out


def counts(like, at, own) -> np.ndarray:
    """How many values come together at each place, and 1 where none do."""
    found = np.full(like.shape, int(own))
    np.add.at(found, at, 1)
    return np.maximum(found, 1)


def untouched(g, at) -> np.ndarray:
    mask = np.ones(g.shape, bool)
    mask[at] = False
    return mask


def ties(a, b, out, at, own):
    """Where a place's own value, and where the others, are the extreme; and how many they are together."""
    mine = where(untouched(out, at) | own, (a == out) * (out * 0 + 1), 0)
    theirs = (b == pick(out, at)) * (b * 0 + 1)
    total = added(mine, theirs, at, "")
    return mine, theirs, where(total == 0, 1, total)


def for_place(g, a, b, out, at, reduce, own, node):
    if reduce in ("amax", "amin"):
        mine, _, total = ties(a, b, out, at, own)
        return g * mine / total
    if reduce == "prod" and own:
        safe = where(a == 0, 1, a)
        return g * (gathered(safe, b, at, "prod", True, node) / safe)
    g = g / counts(g, at, own) if reduce == "mean" else g
    return g if own else where(untouched(g, at), g, 0)


def for_values(g, a, b, out, at, reduce, own, node):
    if reduce in ("amax", "amin"):
        _, theirs, total = ties(a, b, out, at, own)
        return pick(g / total, at) * theirs
    if reduce == "prod":
        zero = b == 0
        alone = zero & (pick(added(a * 0, zero * (b * 0 + 1), at, ""), at) == 1)  # the one zero among the factors
        others = gathered(a, where(alone, 1, b), at, "prod", own, node)
        return where(alone, pick(g * others, at), pick(g * out, at) / where(zero, 1, b))
    return pick(g / counts(g, at, own) if reduce == "mean" else g, at)


# == as people call them ===================================================================================


def _scatter(input, dim, index, src=None, value=None, *, reduce=None):
    """`out[index[i][j]][j] = src[i][j]` along dim 0, and likewise along the others; `src` may be a number.

    >>> import minigrad as mg
    >>> mg.zeros(3).scatter(0, mg.tensor([2, 0]), mg.tensor([5.0, 7.0]))
    tensor([7., 0., 5.])
    """
    if isinstance(value, Tensor):
        raise TypeError("scatter() received an invalid combination of arguments: a tensor is given as `src`, not as `value`")
    several, number = isinstance(src, Tensor), value if src is None else src
    a, dim, places, source = along_dim("scatter", input, dim, index, src if several else None)
    at, node = positions_along(places, dim), f"ScatterBackward{int(not several)}"
    if reduce in (None, "add"):
        return added if reduce else placed, a, source if several else number, at, node
    if reduce != "multiply":
        raise RuntimeError("reduce argument must be either add or multiply.")
    return gathered, a, source if several else a.detach().new_full(places.shape, number), at, "prod", True, node


def _scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    """`out[index[i][j]][j]` brought together with `src[i][j]` along dim 0, and likewise along the others.

    >>> import minigrad as mg
    >>> mg.zeros(2).scatter_reduce(0, mg.tensor([0, 0, 1]), mg.tensor([1.0, 3.0, -1.0]), "amax")
    tensor([3., 0.])
    """
    if reduce not in UFUNC:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    a, dim, places, src = along_dim("scatter", input, dim, index, src)
    if a.array.dtype.kind == "b" and reduce == "mean":
        raise unsupported("scatter_gather_tensor_cpu_reduce_mean", a.array.dtype)
    return gathered, a, src, positions_along(places, dim), reduce, include_self, "ScatterReduceBackward0"


def _index_reduce(input, dim, index, source, reduce, *, include_self=True):
    """The slices of `source` brought together with those of `input` at the positions `index` along `dim`."""
    if reduce not in UFUNC or reduce == "sum":
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    a, at, source = slices("index_reduce", input, dim, index, source)
    return gathered, a, source, at, reduce, include_self, "IndexReduceBackward0"


def _put(input, index, source, accumulate=False):
    """The elements of `source` at these positions, counted through all elements in a row."""
    places = in_a_row("put_", input, index).reshape(-1)
    same_type("put_", input, source, "self and source expected to have the same dtype")
    if source.numel() != places.size:
        raise IndexError("put_(): Expected source and index to have the same number of elements, but got source.numel() = "
                         f"{source.numel()}, index.numel() = {places.size}")
    a = atleast_1d(input)
    at = np.unravel_index(places.reshape(source.shape) % max(a.numel(), 1), a.shape)
    return (added if accumulate else placed), a, source, at, "PutBackward0"


scatter, scatter_ = both(_scatter)
scatter_reduce, scatter_reduce_ = both(_scatter_reduce)
index_reduce, index_reduce_ = both(_index_reduce)
put, put_ = both(_put)
