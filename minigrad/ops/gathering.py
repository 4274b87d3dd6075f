"""Elements picked by a tensor that says where: along one dimension, or by a mask."""

import math

import numpy as np

from ..core.modes import picking
from ..core.row import op
from ..core.tensor import Tensor, wrap
from ..numbers.dtypes import short_name
from .elementwise import UNDERIVABLE, plain, where as chosen
from .index import getitem, put
from .joining import length_of
from .public import public
from .shape import atleast_1d, broadcast_tensors, check_dim, lengthened, reshape_to

# fmt: off
gather = op(lambda a, dim, index: np.take_along_axis(a, index, dim), places="index", linear=True,
    a=lambda g, a, dim, index: scatter_add(g, a.shape, dim, index))
_index_select = op(lambda a, dim, index: np.take(a, index, dim), places="index", linear=True,
    grad_fn="IndexSelectBackward0",
    a=lambda g, a_shape, dim, index: put(g, a_shape, (slice(None),) * dim + (np.atleast_1d(plain(index)),)),
    rules_say={"a": "{g} added where {a} was picked, 0 elsewhere"})
masked_select_of = op(lambda a, mask: a[mask], places="mask", linear=True, grad_fn="MaskedSelectBackward0",
    a=lambda g, a, mask: put(g, a.shape, mask), rules_say={"a": "{g} where {a} was picked, 0 elsewhere"})
taken = op(lambda a, index: a.reshape(-1)[index], places="index", linear=True, grad_fn="TakeBackward0",
    a=lambda g, a, index: reshape_to(put(g, (math.prod(a.shape),), index), a.shape),
    says="take(a, index)", rules_say={"a": "{g} added where {a} was picked, 0 elsewhere"})
# the different elements: PyTorch records that they were found, and knows no derivative
once = op(lambda a, values, name: values, grad_fn=lambda a, values, name: f"{name.title().replace('_', '')}Backward0",
    a=lambda g, name: unknown_derivative(name), rules_say={"a": UNDERIVABLE})
# fmt: on


def scatter_add(a, shape, dim, index):
    """The reverse of `gather`: an element picked twice gets the sum."""
    return put(a, shape, positions_along(index, dim))


def positions_along(index, dim):
    """The full positions that `index` means along one dimension, all others counting up."""
    grid = list(np.ogrid[tuple(map(slice, index.shape))])
    grid[dim] = plain(index)
    return tuple(grid)


def along(a, indices, dim, keepdim):
    """The elements at `indices` along `dim`, and the indices: what max and min over a dimension return."""
    if not a.ndim:
        return np.array(a), indices
    wide = lengthened(indices, dim)
    values = np.take_along_axis(a, wide, dim)
    return (values, wide) if keepdim else (values.squeeze(dim), indices)


def put_along(g, indices, shape, dim):
    """The reverse of `along`."""
    if not shape:
        return g
    kept = tuple(1 if i == dim % len(shape) else n for i, n in enumerate(shape))
    return scatter_add(reshape_to(g, kept), shape, dim, np.reshape(plain(indices), kept))


def unknown_derivative(name: str):
    # There is none to write: PyTorch refuses it with this type of error, in these words.
    raise NotImplementedError(f"the derivative for '{name}' is not implemented.")


# == as people call them =====================================================================================


@public("function method", name="gather")
def gather_along(input, dim, index, *, sparse_grad=False):
    """`out[i][j] = input[index[i][j]][j]` along dim 0, and likewise along the others."""
    a, dim, places, _ = along_dim("gather", input, dim, index)
    within = tuple(slice(None if axis == dim or n == a.shape[axis] else n) for axis, n in enumerate(places.shape))
    a = a if within == (slice(None),) * a.ndim else getitem(a, within)
    with picking((index,)):
        out = gather(a, dim, places)
    return out if out.shape == index.shape else reshape_to(out, index.shape)


@public("function method")
def index_select(input, dim, index):
    """The slices of `input` along `dim` at the positions `index`."""
    a, (*before, places), _ = slices("index_select", input, dim, index)
    if not input.ndim and places.size != 1:
        raise RuntimeError(f"index_select(): Index to scalar can have only 1 value, got {places.size} value(s)")
    with picking((index,)):
        out = _index_select(a, len(before), places)
    return out if input.ndim else reshape_to(out, ())


@public("function method")
def take(input, index):
    """The elements at these places, all elements counted in a row."""
    places, size = places_of("take", index), input.numel()
    for bad in places[(places < -size) | (places >= size)][:1]:
        raise IndexError(f"out of range: tried to access index {bad} on a tensor of {size} elements.")
    with picking((index,)):
        return taken(input, places)


@public("function method")
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where the mask is True, in a row."""
    as_mask(mask, "masked_select: expected BoolTensor for mask")
    whole, places = broadcast_tensors(input, mask)
    with picking((mask,)):
        return masked_select_of(whole, places.array)


@public("function method", also="argwhere")
def nonzero(input: Tensor, *, as_tuple: bool = False):
    """Where the elements are not 0: one row of positions for each; with `as_tuple`, what an index takes."""
    if as_tuple:
        return tuple(wrap(one.copy()) for one in np.nonzero(np.atleast_1d(input.array)))  # each in one piece
    return wrap(np.argwhere(input.array))


@public("function")
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


@public("function method")
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim: int | None = None):
    """The different elements (or slices along `dim`), in order; no gradient flows back.

    >>> import minigrad as mg
    >>> mg.unique(mg.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    if dim is not None:
        length_of(input, dim)
    values, inverse, counts = np.unique(input.array, return_inverse=True, return_counts=True, axis=dim, equal_nan=False)
    found = [once(input, values, "_unique2" if dim is None else "unique_dim")]
    if return_inverse:
        found.append(wrap(inverse.reshape(input.shape if dim is None else -1)))
    if return_counts:
        found.append(wrap(counts))
    return tuple(found) if len(found) > 1 else found[0]


# == places, checked =========================================================================================


def places_of(name: str, index) -> np.ndarray:
    """The numbers of an index, which is a tensor of integers."""
    if not isinstance(index, Tensor):
        raise TypeError(f"{name}(): argument 'index' must be Tensor, not {type(index).__name__}")
    if index.array.dtype.name not in ("int64", "int32"):
        refusal = IndexError if name == "index_fill" else RuntimeError
        raise refusal(f"{name}(): Expected dtype int32/int64 for index")
    return index.array


def slices(name: str, input, dim: int, index, source=None) -> tuple:
    """Whole slices along a dimension, and a source that has as many: the tensor, the index, the source, all checked.

    A number stands as a vector of one.
    """
    places = places_of(name, index)
    check_dim(dim, input.ndim)
    if places.ndim > 1:
        raise IndexError(f"{name}(): Index is supposed to be a vector, but got dim: {places.ndim}")
    places, dim, a = np.atleast_1d(places), dim % max(input.ndim, 1), atleast_1d(input)
    at, size = (slice(None),) * dim + (places,), a.shape[dim]
    for bad in places[(places < 0) | (places >= size)][:1]:
        refusal = RuntimeError if name == "index_select" and dim > 0 else IndexError
        raise refusal(f"{name}(): index {bad} is out of bounds for dimension {dim} with size {size}")
    if source is None:
        return a, at, None
    same_type(name, input, source, "self and source expected to have the same dtype")
    given = atleast_1d(source)
    if source.ndim != input.ndim or given.shape[:dim] + given.shape[dim + 1 :] != a.shape[:dim] + a.shape[dim + 1 :]:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got "
            f"self.shape = {list(input.shape)} source.shape = {list(source.shape)}"
        )
    if given.shape[dim] != places.size:
        refusal = IndexError if name == "index_copy_" else RuntimeError
        raise refusal(
            f"{name}(): Number of indices ({places.size}) should be equal to source.size(dim): "
            f"({given.shape[dim]}), for dim: {dim}"
        )
    return a, at, given


def along_dim(name: str, input, dim: int, index, src=None) -> tuple:
    """A tensor, a dimension, places along it for elements side by side, and as many of a source: all checked.

    A number stands as a vector of one.
    """
    places = np.atleast_1d(places_of(name, index))
    check_dim(dim, input.ndim)
    same_type(name, input, src, "Expected self.dtype to be equal to src.dtype")
    dim, a, src = dim % max(input.ndim, 1), atleast_1d(input), src if src is None else atleast_1d(src)
    if not places.size:  # then no shape matters
        places = np.zeros((0,) * a.ndim, np.int64)
        return a, dim, places, src if src is None else reshape_to(corner(reshape_to(src, (-1,)), (0,)), places.shape)
    for whose, x in ("self" if name != "gather" else "input", a), ("src", src):
        if x is not None and x.ndim != places.ndim:
            raise RuntimeError(f"Index tensor must have the same number of dimensions as {whose} tensor")
    for axis, n in enumerate(places.shape):
        if (axis != dim and n > a.shape[axis]) or (src is not None and n > src.shape[axis]):
            given = "" if src is None else f" and to be no larger size than src {list(src.shape)}"
            raise RuntimeError(
                f"Expected index {list(places.shape)} to be no larger than self {list(a.shape)} "
                f"apart from dimension {dim}{given}"
            )
    for bad in places[(places < 0) | (places >= a.shape[dim])][:1]:
        raise RuntimeError(f"index {bad} is out of bounds for dimension {dim} with size {a.shape[dim]}")
    return a, dim, places, src if src is None or src.shape == places.shape else corner(src, places.shape)


def corner(x, shape):
    """The first elements along each dimension, as many as this shape has."""
    return getitem(x, tuple(map(slice, shape)))


def same_type(name: str, input, source, expected: str) -> None:
    if source is not None and not isinstance(source, Tensor):
        argument = "src" if name.startswith("scatter") else "source"
        raise TypeError(f"{name}(): argument '{argument}' must be Tensor, not {type(source).__name__}")
    if source is not None and source.dtype is not input.dtype:
        kinds = [short_name(x) for x in (input, source)]
        raise RuntimeError(f"{name}(): {expected}, but got (self) {kinds[0]} and (source) {kinds[1]}")


def as_mask(mask, refusal: str) -> np.ndarray:
    if not isinstance(mask, Tensor):
        raise TypeError(f"argument 'mask' must be Tensor, not {type(mask).__name__}")
    if mask.array.dtype != bool:
        raise RuntimeError(refusal.format(mask.dtype.name))
    return mask.array
