"""Many values for one place, brought together by a sum, a mean, a product, or the largest or smallest of them."""

import numpy as np

from ..autograd.op import op
from .elementwise import where
from .index import as_arrays, pick, positions_along
from .scattering import added, along, both, cut, placed, same_type, slices

START = {"sum": 0, "mean": 0, "prod": 1, "amax": None, "amin": None}  # where the place's own value does not count
UFUNC = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}

# `at` is an index as NumPy takes it; `own` says whether what was at a place before counts as well
gathered = op(
    lambda a, b, at, reduce, own, node: brought_together(a, b, at, reduce, own),
    holomorphic=False,
    memory="apart",
    grad_fn=lambda a, b, at, reduce, own, node: node,
    a=lambda g, a, b, out, at, reduce, own, node: for_place(g, a, b, out, at, reduce, own, node),
    b=lambda g, a, b, out, at, reduce, own, node: for_values(g, a, b, out, at, reduce, own, node),
)


def brought_together(a, b, at, reduce, own):
    out = np.array(a)
    if not own:
        extreme = np.finfo(a.dtype) if a.dtype.kind == "f" else np.iinfo(a.dtype)
        start = {"amax": extreme.min, "amin": extreme.max}.get(reduce, START[reduce])
        out[at] = {"amax": -np.inf, "amin": np.inf}.get(reduce, start) if a.dtype.kind == "f" else start
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
    mine, theirs = (a == out) & (untouched(out, at) | own), b == pick(out, at)
    mine, theirs = (one * (out * 0 + 1) if one is mine else one * (b * 0 + 1) for one in (mine, theirs))
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


def known(reduce: str, name: str, allowed) -> None:
    if reduce not in allowed:
        raise RuntimeError(f"{name}(): Expected reduce to be one of {', '.join(allowed)} but got {reduce}.")


def _scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    """`out[index[i][j]][j]` brought together with `src[i][j]` along dim 0, and likewise along the others.

    >>> import minigrad as mg
    >>> mg.zeros(2).scatter_reduce(0, mg.tensor([0, 0, 1]), mg.tensor([1.0, 3.0, -1.0]), "amax")
    tensor([3., 0.])
    """
    known(reduce, "scatter_reduce", START)
    index, dim = along(input, dim, index, "scatter")
    same_type("scatter", input, src)
    return gathered, input, cut(src, index), positions_along(index, dim), reduce, include_self, "ScatterReduceBackward0"


def _index_reduce(input, dim, index, source, reduce, *, include_self=True):
    """The slices of `source` brought together with those of `input` at the positions `index` along `dim`."""
    known(reduce, "index_reduce", ["prod", "mean", "amax", "amin"])
    index, dim = along(input, dim, index, "index_reduce")
    same_type("index_reduce", input, source)
    return gathered, input, source, slices(input, dim, index), reduce, include_self, "IndexReduceBackward0"


def _put(input, index, source, accumulate=False):
    """The elements of `source` at these positions, counted through all elements in a row."""
    same_type("put", input, source)
    places = np.asarray(as_arrays(index))
    at = np.unravel_index(places % max(input.numel(), 1), input.shape)
    return (added if accumulate else placed), input, source, at, "PutBackward0"


scatter_reduce, scatter_reduce_ = both(_scatter_reduce)
index_reduce, index_reduce_ = both(_index_reduce)
put, put_ = both(_put)
