"""Tensors with some of their elements replaced or added to.

Two rows do it all: `placed` writes, `added` adds. Their derivative for what was put in is to pick it out again.
"""

import functools
from collections.abc import Callable

import numpy as np

from ..autograd.engine import apply
from ..autograd.op import op
from ..dtypes import SHORT_NAMES
from ..tensor import Tensor, wrap
from .elementwise import kept_where
from .elementwise import where as chosen
from .index import as_arrays, gather_along, getitem, masked_fill_with, pick, positions_along, put, put_at
from .shape import expand_to, reshape_to

# `at` is an index as NumPy takes it; `node` is the name that PyTorch gives to this way of saying it
placed_number = op(
    lambda a, b, at, node: changed(put_at, a, at, b),
    memory="apart",
    grad_fn=lambda a, b, at, node: node,
    write=lambda target, a, b, at, node: put_at(target, at, b),
    a=lambda g, at, node: placed(g, 0, at, node),
    says="a, with a[at] = b",
)
placed = op(  # of several values for one place, one is kept, and no rule says which
    lambda a, b, at, node: changed(put_at, a, at, b),
    linear=True,
    holomorphic=False,
    overloads={"b": placed_number},
    memory="apart",
    grad_fn=lambda a, b, at, node: node,
    write=lambda target, a, b, at, node: put_at(target, at, b),
    a=lambda g, at, node: placed(g, 0, at, node),
    b=lambda g, at: pick(g, at),
    says="a, with a[at] = b",
)
added = op(
    lambda a, b, at, node: changed(np.add.at, a, at, b),
    linear=True,
    holomorphic=False,
    memory="apart",
    grad_fn=lambda a, b, at, node: node,
    write=lambda target, a, b, at, node: np.add.at(target, at, b),
    a=lambda g: g,
    b=lambda g, at: pick(g, at),
    says="a, with a[at] += b",
)
take = op(  # positions count through all elements in a row
    lambda a, index: np.reshape(a, -1)[index],
    linear=True,
    a=lambda g, a_shape, index: reshape_to(put(g, (size_of(a_shape),), index), a_shape),
)
masked_select_of = op(
    lambda a, mask: a[mask], linear=True, grad_fn="MaskedSelectBackward0", a=lambda g, a_shape, mask: put(g, a_shape, mask)
)
masked_scattered = op(
    lambda a, b, mask: changed(put_at, a, mask, np.reshape(b, -1)[: np.count_nonzero(mask)]),
    grad_fn="MaskedScatterBackward0",
    write=lambda target, a, b, mask: put_at(target, mask, np.reshape(b, -1)[: np.count_nonzero(mask)]),
    linear=True,
    holomorphic=False,
    a=lambda g, mask: kept_where(g, ~mask),
    b=lambda g, b_shape, mask: reshape_to(put(pick(g, mask), (size_of(b_shape),), slice(np.count_nonzero(mask))), b_shape),
)


def changed(write, a, at, b):
    out = np.array(a)
    write(out, at, b)
    return out


def size_of(shape) -> int:
    return int(np.prod(shape, dtype=int))


# == as people call them: each with its in-place twin ======================================================


def both(arrange) -> tuple[Callable, Callable]:
    """A function and its in-place twin, from a function that says which row to run on which arguments."""

    @functools.wraps(arrange)
    def function(input, *args, **options):
        row, *values = arrange(input, *args, **options)
        return row(*values)

    @functools.wraps(arrange)
    def twin(input, *args, **options):
        row, *values = arrange(input, *args, **options)
        return apply(row.op.overload(values).op, values, into=input)

    function.__name__ = function.__qualname__ = arrange.__name__.strip("_")
    twin.__name__ = twin.__qualname__ = function.__name__ + "_"
    twin.__doc__ = f"`{function.__name__}`, written over the tensor itself."
    return function, twin


def along(input, dim: int, index, name: str) -> tuple:
    """An index along one dimension, checked."""
    index = np.asarray(as_arrays(index))
    if index.dtype.kind != "i":
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    size = input.shape[dim] if input.ndim else 1
    for bad in index[(index < 0) | (index >= size)][:1]:
        raise RuntimeError(f"index {bad} is out of bounds for dimension {dim} with size {size}")
    return index, dim % max(input.ndim, 1)


def same_type(name: str, input, source) -> None:
    if isinstance(source, Tensor) and source.dtype is not input.dtype:
        raise RuntimeError(f"{name}(): Expected self.dtype to be equal to src.dtype")


def slices(input, dim: int, index) -> tuple:
    """The whole slices at these positions of a dimension; of a single number, itself."""
    return () if not input.ndim else (slice(None),) * dim + (np.atleast_1d(index),)


def cut(src, index):
    """The part of `src` that an index of this shape reads."""
    return getitem(src, tuple(slice(n) for n in index.shape)) if src.shape != index.shape else src


def _scatter(input, dim, index, src=None, value=None, *, reduce=None):
    """`out[index[i][j]][j] = src[i][j]` along dim 0, and likewise along the others; `src` may be a number.

    >>> import minigrad as mg
    >>> mg.zeros(3).scatter(0, mg.tensor([2, 0]), mg.tensor([5.0, 7.0]))
    tensor([7., 0., 5.])
    """
    src = value if src is None else src
    index, dim = along(input, dim, index, "scatter")
    same_type("scatter", input, src)
    if reduce not in (None, "add"):
        # left out on purpose: PyTorch deprecates it for the function below
        raise NotImplementedError(f"scatter with reduce='{reduce}' is not available here; use scatter_reduce with 'prod'")
    at, several = positions_along(index, dim), isinstance(src, Tensor) and src.ndim > 0
    source = cut(src, index) if several else src
    return (placed if reduce is None else added), input, source, at, f"ScatterBackward{0 if several else 1}"


def _scatter_add(input, dim, index, src):
    """`out[index[i][j]][j] += src[i][j]` along dim 0, and likewise along the others."""
    index, dim = along(input, dim, index, "scatter")
    same_type("scatter", input, src)
    return added, input, cut(src, index), positions_along(index, dim), "ScatterAddBackward0"


def _index_add(input, dim, index, source, *, alpha=1):
    """The slices of `source`, added to those of `input` at the positions `index` along `dim`."""
    index, dim = along(input, dim, index, "index_add")
    if isinstance(source, Tensor) and source.dtype is not input.dtype:
        raise RuntimeError("index_add_(): self and source expected to have the same dtype, but got (self) "
                           f"{SHORT_NAMES[input.dtype.name]} and (source) {SHORT_NAMES[source.dtype.name]}")
    return added, input, source if alpha == 1 else source * alpha, slices(input, dim, index), "IndexAddBackward0"


def _index_copy(input, dim, index, source):
    """The slices of `source` in place of those of `input` at the positions `index` along `dim`."""
    index, dim = along(input, dim, index, "index_copy")
    same_type("index_copy", input, source)
    return placed, input, source, slices(input, dim, index), "IndexCopyBackward0"


def _index_fill(input, dim, index, value):
    """One number in all slices at the positions `index` along `dim`."""
    index, dim = along(input, dim, index, "index_fill")
    return placed, input, value, slices(input, dim, index), f"IndexFillBackward{int(isinstance(value, Tensor))}"


def _index_put(input, indices, values, accumulate=False):
    """`input[indices] = values`, or `+=` with `accumulate`; the indices are a tuple of tensors."""
    if isinstance(values, Tensor) and values.dtype is not input.dtype:
        raise RuntimeError(f"Index put requires the source and destination dtypes match, got "
                           f"{SHORT_NAMES[input.dtype.name]} for the destination and "
                           f"{SHORT_NAMES[values.dtype.name]} for the source.")
    at = tuple(slice(None) if one is None else one for one in as_arrays(tuple(indices)))
    return (added if accumulate else placed), input, values, at, "IndexPutBackward0"


def _masked_fill(input, mask, value):
    """`value` where the mask is True.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, -2.0])
    >>> x.masked_fill(x < 0, 0)
    tensor([1., 0.])
    """
    return masked_fill_with, input, value, as_mask(mask, "masked_fill")


def _masked_scatter(input, mask, source):
    """The elements of `source`, one after another, where the mask is True."""
    mask = np.broadcast_to(as_mask(mask, "masked_scatter"), input.shape)
    count = int(mask.sum())
    if source.numel() < count:
        raise RuntimeError(f"masked_scatter: expected self.numel() >= {count}, got {source.numel()}")
    return masked_scattered, input, source, mask


def as_mask(mask, name: str) -> np.ndarray:
    mask = np.asarray(as_arrays(mask))
    if mask.dtype != bool:
        raise RuntimeError(f"{name}_ only supports boolean masks, but got mask with dtype {mask.dtype.name}")
    return mask


scatter, scatter_ = both(_scatter)
scatter_add, scatter_add_ = both(_scatter_add)
index_add, index_add_ = both(_index_add)
index_copy, index_copy_ = both(_index_copy)
index_fill, index_fill_ = both(_index_fill)
index_put, index_put_ = both(_index_put)
masked_fill, masked_fill_ = both(_masked_fill)
masked_scatter, masked_scatter_ = both(_masked_scatter)

# == picking ===============================================================================================


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where the mask is True, in a row."""
    places = as_mask(mask, "masked_select")
    shape = np.broadcast_shapes(input.shape, places.shape)
    whole = input if input.shape == shape else expand_to(input, shape)
    return masked_select_of(whole, np.broadcast_to(places, shape))


def take_at(input: Tensor, index: Tensor) -> Tensor:
    """The elements at these positions, counted through all elements in a row.

    >>> import minigrad as mg
    >>> mg.take(mg.tensor([[1, 2], [3, 4]]), mg.tensor([0, 3]))
    tensor([1, 4])
    """
    at, total = np.asarray(as_arrays(index)), input.numel()
    if at.dtype.kind != "i":
        raise RuntimeError("take(): Expected a long tensor for index, but got " + SHORT_NAMES[at.dtype.name])
    if at.size and not -total <= at.min() <= at.max() < total:
        bad = next(place for place in at.ravel() if not -total <= place < total)
        raise IndexError(f"out of range: tried to access index {bad} on a tensor of {total} elements.")
    return take(input, at)


def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """`gather` that broadcasts: what `argsort` returns, applied."""
    if dim is None:
        return gather_along(reshape_to(input, (-1,)), 0, reshape_to(indices, (-1,)))
    if input.ndim != indices.ndim:
        raise RuntimeError(f"torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
                           f"{input.ndim} dimensions for input, and {indices.ndim} dimensions for indices")
    dim = dim % input.ndim
    shape = np.broadcast_shapes(*[x.shape[:dim] + (1,) + x.shape[dim + 1 :] for x in (input, indices)])
    wide = [expand_to(x, shape[:dim] + (x.shape[dim],) + shape[dim + 1 :]) for x in (input, indices)]
    return gather_along(wide[0], dim, wide[1])


# == places, which carry no gradient =======================================================================


def nonzero(input: Tensor, *, as_tuple: bool = False):
    """Where the elements are not 0: one row of positions for each; with `as_tuple`, what an index takes."""
    if as_tuple:
        return tuple(map(wrap, np.nonzero(np.atleast_1d(input.array))))
    return wrap(np.argwhere(input.array))


def where(condition, input=None, other=None):
    """`input` where the condition holds, else `other`; the condition alone: where it holds.

    >>> import minigrad as mg
    >>> x = mg.tensor([-1.0, 2.0])
    >>> mg.where(x > 0, x, 0.0)
    tensor([0., 2.])
    """
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    return chosen(condition, input, other)


def unique(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None):
    """The different elements (or slices along `dim`), in order; without a gradient.

    >>> import minigrad as mg
    >>> mg.unique(mg.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    values, inverse, counts = np.unique(input.array, return_inverse=True, return_counts=True, axis=dim)
    inverse = inverse.reshape(input.shape) if dim is None else inverse.reshape(-1)
    found = [values, *[one for one, asked in ((inverse, return_inverse), (counts, return_counts)) if asked]]
    return tuple(map(wrap, found)) if len(found) > 1 else wrap(values)


def unique_consecutive(input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None):
    """One element for each run of equal ones; without a gradient."""
    array = input.array.reshape(-1) if dim is None else np.moveaxis(input.array, dim, 0)
    differs = (array[1:] != array[:-1]).reshape(max(len(array) - 1, 0), -1).any(1)
    starts = np.flatnonzero(np.concatenate([np.ones(min(len(array), 1), bool), differs]))
    values = array[starts] if dim is None else np.moveaxis(array[starts], 0, dim)
    counts = np.diff(np.append(starts, len(array)))
    runs = np.repeat(np.arange(len(starts)), counts)
    inverse = runs.reshape(input.shape) if dim is None else runs
    found = [values, *[one for one, asked in ((inverse, return_inverse), (counts, return_counts)) if asked]]
    return tuple(map(wrap, found)) if len(found) > 1 else wrap(values)
