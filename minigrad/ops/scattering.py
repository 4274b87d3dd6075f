"""Tensors with some of their elements replaced or added to.

Two rows do it all: `placed` writes, `added` adds. Their derivative for what was put in is to pick it out again.
"""

import functools
from collections.abc import Callable

import numpy as np

from ..autograd.engine import apply
from ..autograd.grad_mode import picking
from ..autograd.op import op
from ..tensor import Tensor, wrap
from .elementwise import kept_where
from .elementwise import where as chosen
from .index import (
    along_dim,
    as_arrays,
    check_bounds,
    check_put,
    gather_along,
    masked_fill_with,
    pick,
    places_of,
    positions_along,
    put,
    put_at,
    same_type,
    slices,
    tensors_among,
)
from .joining import length_of
from .rearranging import broadcast_shapes, broadcast_tensors
from .shape import check_dim, check_fit, expand_to, reshape_to

# `at` is an index as NumPy takes it; `node` is the name that PyTorch gives to this way of saying it
placed_number = op(
    lambda a, b, at, node: changed(put_at, a, at, b),
    places="at",
    memory="apart",
    grad_fn=lambda a, b, at, node: node,
    write=lambda target, a, b, at, node: put_at(target, at, b),
    a=lambda g, at, node: placed(g, 0, at, node),
    says="a, with a[at] = b",
)
placed = op(  # of several values for one place, one is kept, and no rule says which
    lambda a, b, at, node: changed(put_at, a, at, b),
    places="at",
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
    lambda a, b, at, node: changed(put_at, a, at, b, True),
    places="at",
    linear=True,
    holomorphic=False,
    memory="apart",
    grad_fn=lambda a, b, at, node: node,
    write=lambda target, a, b, at, node: put_at(target, at, b, True),
    a=lambda g: g,
    b=lambda g, at: pick(g, at),
    says="a, with a[at] += b",
)
take = op(  # positions count through all elements in a row
    lambda a, index: np.reshape(a, -1)[index],
    places="index",
    linear=True,
    a=lambda g, a, index: reshape_to(put(g, (size_of(a.shape),), index), a.shape),
)
masked_select_of = op(
    lambda a, mask: a[mask], places="mask", linear=True, grad_fn="MaskedSelectBackward0", a=lambda g, a, mask: put(g, a.shape, mask)
)
masked_scattered = op(
    lambda a, b, mask: changed(put_at, a, mask, np.reshape(b, -1)[: np.count_nonzero(mask)]),
    places="mask",
    grad_fn="MaskedScatterBackward0",
    write=lambda target, a, b, mask: put_at(target, mask, np.reshape(b, -1)[: np.count_nonzero(mask)]),
    linear=True,
    holomorphic=False,
    a=lambda g, mask: kept_where(g, ~mask),
    b=lambda g, b_shape, mask: reshape_to(put(pick(g, mask), (size_of(b_shape),), slice(np.count_nonzero(mask))), b_shape),
)
once = op(  # the different elements: PyTorch records that they were found, and knows no derivative
    lambda a, values, name: values,
    grad_fn=lambda a, values, name: f"{name.title().replace('_', '')}Backward0",
    a=lambda g, name: unknown_derivative(name),
)


def unknown_derivative(name: str):
    raise NotImplementedError(f"the derivative for '{name}' is not implemented.")


def changed(write, a, at, b, *more):
    out = np.array(a)
    write(out, at, b, *more)
    return out


def size_of(shape) -> int:
    return int(np.prod(shape, dtype=int))


# == as people call them: each with its in-place twin ======================================================


def both(arrange) -> tuple[Callable, Callable]:
    """A function and its in-place twin, from a function that says which row to run on which arguments.

    The first of them is the tensor itself, or a vector of one for a number.
    """

    @functools.wraps(arrange)
    def function(input, *args, **options):
        row, *values = arrange(input, *args, **options)
        with picking(tensors_among((*args, *options.values()))):
            out = row(*values)
        return out if values[0] is input else reshape_to(out, input.shape)

    @functools.wraps(arrange)
    def twin(input, *args, **options):
        row, *values = arrange(input, *args, **options)
        with picking(tensors_among((*args, *options.values()))):
            apply(row.op.overload(values).op, values, into=values[0])
        return input

    function.__name__ = function.__qualname__ = arrange.__name__.strip("_")
    twin.__name__ = twin.__qualname__ = function.__name__ + "_"
    twin.__doc__ = f"`{function.__name__}`, written over the tensor itself."
    return function, twin


def _scatter_add(input, dim, index, src):
    """`out[index[i][j]][j] += src[i][j]` along dim 0, and likewise along the others."""
    a, dim, places, source = along_dim("scatter_add", input, dim, index, src)
    return added, a, source, positions_along(places, dim), "ScatterAddBackward0"


def _index_add(input, dim, index, source, *, alpha=1):
    """The slices of `source`, added to those of `input` at the positions `index` along `dim`."""
    a, at, source = slices("index_add_", input, dim, index, source)
    return added, a, source if alpha == 1 else source * source.array.dtype.type(alpha).item(), at, "IndexAddBackward0"


def _index_copy(input, dim, index, source):
    """The slices of `source` in place of those of `input` at the positions `index` along `dim`."""
    a, at, source = slices("index_copy_", input, dim, index, source, short=False)
    return placed, a, source, at, "IndexCopyBackward0"


def _index_fill(input, dim, index, value):
    """One number in all slices at the positions `index` along `dim`."""
    a, (*before, places), _ = slices("index_fill_", input, dim, index, short=False, refusal=IndexError)
    if isinstance(value, Tensor) and value.ndim:
        raise RuntimeError(f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s).")
    once = np.unique(places % max(a.shape[len(before)], 1))  # a slice that is named twice is filled once
    return placed, a, value, (*before, once), f"IndexFillBackward{int(isinstance(value, Tensor))}"


def _index_put(input, indices, values, accumulate=False):
    """`input[indices] = values`, or `+=` with `accumulate`; the indices are a tuple of tensors."""
    for i, one in enumerate(indices if isinstance(indices, tuple | list) else [indices]):
        if not isinstance(indices, tuple | list) or not isinstance(one, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(one).__name__}")
    if not isinstance(values, Tensor):
        raise TypeError(f"index_put(): argument 'values' (position 2) must be Tensor, not {type(values).__name__}")
    check_put(input, values)
    at = as_arrays(tuple(indices))
    check_bounds(at, input.shape)
    return (added if accumulate else placed), input, values, at, "IndexPutBackward0"


def _masked_fill(input, mask, value):
    """`value` where the mask is True.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, -2.0])
    >>> x.masked_fill(x < 0, 0)
    tensor([1., 0.])
    """
    if isinstance(value, Tensor) and value.ndim:
        raise RuntimeError(f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s).")
    return masked_fill_with, input, value, as_mask(mask, "masked_fill_ only supports boolean masks, but got mask with dtype {}")


def _masked_scatter(input, mask, source):
    """The elements of `source`, one after another, where the mask is True."""
    mask = as_mask(mask, "masked_scatter_ only supports boolean masks, but got mask with dtype {}")
    same_type("masked_scatter", input, source, "expected self and source to have same dtypes")
    check_fit(mask.shape, input.shape)
    mask = np.broadcast_to(mask, input.shape)
    if source.numel() < int(mask.sum()):
        raise RuntimeError("Number of elements of source < number of ones in mask")
    return masked_scattered, input, source, mask


def as_mask(mask, refusal: str) -> np.ndarray:
    if not isinstance(mask, Tensor):
        raise TypeError(f"argument 'mask' must be Tensor, not {type(mask).__name__}")
    if mask.array.dtype != bool:
        raise RuntimeError(refusal.format(mask.dtype.name))
    return mask.array


scatter_add, scatter_add_ = both(_scatter_add)
index_add, index_add_ = both(_index_add)
index_copy, index_copy_ = both(_index_copy)
index_fill, index_fill_ = both(_index_fill)
index_put, index_put_ = both(_index_put)
masked_fill, masked_fill_ = both(_masked_fill)
masked_scatter_of, masked_scatter_ = both(_masked_scatter)


def masked_scatter(input, mask, source):
    """The elements of `source`, one after another, where the mask is True."""
    return masked_scatter_of(broadcast_tensors(input, mask)[0], mask, source)


# == picking ===============================================================================================


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where the mask is True, in a row."""
    as_mask(mask, "masked_select: expected BoolTensor for mask")
    whole, places = broadcast_tensors(input, mask)
    with picking((mask,)):
        return masked_select_of(whole, places.array)


def take_at(input: Tensor, index: Tensor) -> Tensor:
    """The elements at these positions, counted through all elements in a row.

    >>> import minigrad as mg
    >>> mg.take(mg.tensor([[1, 2], [3, 4]]), mg.tensor([0, 3]))
    tensor([1, 4])
    """
    with picking((index,)):
        return take(input, in_a_row("take", input, index))


def in_a_row(name: str, input: Tensor, index) -> np.ndarray:
    """Positions that count through all elements, checked."""
    places, total = places_of(name, index, short=False), input.numel()
    for bad in places[(places < -total) | (places >= total)][:1]:
        raise IndexError(f"out of range: tried to access index {bad} on a tensor of {total} elements.")
    return places


def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """`gather` that broadcasts, and counts from the back, too: what `argsort` returns, applied."""
    places_of("torch.take_along_dim", indices, short=False)
    if dim is None:
        return gather_along(reshape_to(input, (-1,)), 0, reshape_to(indices, (-1,)))
    if input.ndim != indices.ndim:
        raise RuntimeError(f"torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
                           f"{input.ndim} dimensions for input, and {indices.ndim} dimensions for indices")
    check_dim(dim, input.ndim)
    size, dim = length_of(input, dim), dim % input.ndim
    shape = broadcast_shapes(*[x.shape[:dim] + (1,) + x.shape[dim + 1 :] for x in (input, indices)])
    a, places = (expand_to(x, shape[:dim] + (x.shape[dim],) + shape[dim + 1 :]) for x in (input, wrap(indices.array % max(size, 1))))
    return gather_along(a, dim, places)


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
    """The different elements (or slices along `dim`), in order; no gradient flows back.

    >>> import minigrad as mg
    >>> mg.unique(mg.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    if dim is not None:
        length_of(input, dim)
    values, inverse, counts = np.unique(input.array, return_inverse=True, return_counts=True, axis=dim, equal_nan=False)
    values = once(input, values, "_unique2" if dim is None else "unique_dim")
    return found_of(values, inverse.reshape(input.shape) if dim is None else inverse.reshape(-1), counts, return_inverse, return_counts)


def found_of(values, inverse, counts, return_inverse: bool, return_counts: bool):
    found = [wrap(one) for one, asked in ((inverse, return_inverse), (counts, return_counts)) if asked]
    return (values, *found) if found else values


def unique_consecutive(input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None):
    """One element for each run of equal ones; no gradient flows back."""
    array = input.array.reshape(-1) if dim is None else np.moveaxis(input.array, dim, 0)
    differs = (array[1:] != array[:-1]).any(tuple(range(1, array.ndim)))
    starts = np.flatnonzero(np.concatenate([np.ones(min(len(array), 1), bool), differs]))
    values = array[starts] if dim is None else np.moveaxis(array[starts], 0, dim)
    counts = np.diff(np.append(starts, len(array)))
    runs = np.repeat(np.arange(len(starts)), counts)
    values = once(input, values, "unique_consecutive")
    return found_of(values, runs.reshape(input.shape) if dim is None else runs, counts, return_inverse, return_counts)
