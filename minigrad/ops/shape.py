"""The same numbers in another arrangement. Each row undoes itself: its rule is the reverse arrangement of `g`.

A `view` shares the memory of its input.
"""

import inspect
import math
from functools import lru_cache, partial
from operator import index

import numpy as np

from ..core.forward import MAYBE
from ..core.row import op
from ..core.tensor import Size
from ..core.unbroadcast import sum_to
from ..numbers.dtypes import dtype
from ..numbers.memory import order_of, row_by_row
from ..numbers.size_and_device import sizes_of
from ..words.calling import checked
from ..words.refusals import unlike
from .in_place import moved, reshaping
from .public import public

# == the arrangement of dimensions =========================================================================


def turned(a):
    if a.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {a.ndim}D")
    return a.T


def _reshape(a, shape):
    if shape.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    least = min(shape, default=0)
    if least < -1:
        raise RuntimeError(f"invalid shape dimension {least} at index {shape.index(least)} of shape {list(shape)}")
    try:
        return a.reshape(shape)
    except ValueError:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {np.size(a)}") from None


# fmt: off
reshape_to = op(_reshape, view=MAYBE, linear=True, grad_fn="ViewBackward0",
    a=lambda g, a_shape: reshape_to(g, a_shape), rules_say={"a": "{g} in the shape of {a}"})
reshaping.append(reshape_to.op)
arranged = partial(op, view=True, linear=True)  # a row that shows the same memory
permute_to = arranged(lambda a, dims: a.transpose(dims), grad_fn="PermuteBackward0",
    a=lambda g, dims: permute_to(g, inverse(dims)), rules_say={"a": "{g}, permuted back"})
movable = partial(arranged, public="function method twin", twin=moved)  # such a row in place, too
transpose = movable(
    lambda a, dim0, dim1: a.swapaxes(*in_dims(a, dim0, dim1)) if a.ndim else a.transpose(in_dims(a, dim0, dim1)[2:]),
    a=lambda g, dim0, dim1: transpose(g, dim0, dim1), also="swapdims swapaxes", rules_say={"a": "{g}, transposed back"})
t = movable(turned, a=lambda g: t(g), says="aᵀ", rules_say={"a": "{g}ᵀ"})
unsqueeze = movable(lambda a, dim: lengthened(a, dim),
    a=lambda g, a_shape: reshape_to(g, a_shape), rules_say={"a": "{g} in the shape of {a}"})
squeeze = movable(
    lambda a, dim=None: a.reshape(squeezed(a.shape, tuple(map(index, dim)) if isinstance(dim, list | tuple) else dim)),
    grad_fn=lambda a, dim: f"SqueezeBackward{0 if dim is None else 2 if isinstance(dim, tuple | list) else 1}",
    a=lambda g, a_shape: reshape_to(g, a_shape),
    twin=partial(moved, number=3), rules_say={"a": "{g} in the shape of {a}"})
expand_to = arranged(lambda a, shape: expanded(a, shape), grad_fn="ExpandBackward0",
    a=lambda g, a_shape: sum_to_size(g, a_shape), rules_say={"a": "{g}, summed over the copies of {a}"})
# fmt: on


def filled(a, shape) -> np.ndarray:
    out = np.empty(shape, a.dtype)  # `np.broadcast_to` takes three times as long
    out[...] = a
    return out


# fmt: off
# `expand_to` with memory of its own, which matrix products need to be fast
spread_to = op(filled, linear=True, grad_fn="ExpandBackward0",
    a=lambda g, a_shape: sum_to_size(g, a_shape), rules_say={"a": "{g}, summed over the copies of {a}"})
sum_to_size = op(lambda a, shape: sum_to(a if a.dtype.kind != "u" else a.astype(np.int64), shape), linear=True,
    grad_fn="SumBackward1",
    a=lambda g, a_shape: expand_to(g, a_shape), rules_say={"a": "{g}, the same for all that were summed"})
flip = op(lambda a, dims: np.array(a[reversing(a, dims)], order=order_of(a)), linear=True,
    a=lambda g, dims: flip(g, dims), public="function", rules_say={"a": "{g}, flipped back"})
roll = op(lambda a, shifts, dims=None: row_by_row(np.roll(a, *aligned(shifts, dims))), linear=True,
    a=lambda g, shifts, dims: roll(g, negative(shifts), dims),
    public="function method", rules_say={"a": "{g}, rolled back"})
# repeat: the copies' gradients add up
tile = op(lambda a, repeats: row_by_row(np.tile(a, repeats)), linear=True, grad_fn="RepeatBackward0",
    a=lambda g, a_shape, repeats: untile(g, a_shape, repeats), rules_say={"a": "{g}, summed over the copies of {a}"})
# fmt: on


def of_matrices(a, name: str):
    if a.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    return a


def lengthened(a, dim):
    check_dim(dim, a.ndim + 1)
    return a[(slice(None),) * (dim % (a.ndim + 1)) + (None,)]


@lru_cache
def inverse(dims):
    return tuple(sorted(range(len(dims)), key=lambda i: dims[i] % len(dims)))


def negative(shifts):
    return -shifts if isinstance(shifts, int) else tuple(-s for s in shifts)


def aligned(shifts, dims) -> tuple:
    """A shift for each dimension; without dimensions there is one."""
    shifts = tuple(map(index, shifts)) if isinstance(shifts, list | tuple) else index(shifts)
    counts = np.size(shifts), 1 if dims is None else np.size(dims)
    if not counts[0]:
        raise RuntimeError("`shifts` required")
    if counts[0] != counts[1]:
        raise RuntimeError(f"shifts and dimensions must align. shifts: {counts[0]}, dims:{counts[1]}")
    return shifts, dims


def check_dim(dim: int, ndim: int) -> int:
    """A dimension counted from the front."""
    if not -max(ndim, 1) <= index(dim) < max(ndim, 1):
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-max(ndim, 1)}, {max(ndim, 1) - 1}], but got {dim})"
        )
    return index(dim) % max(ndim, 1)


def distinct(dims, ndim: int) -> tuple:
    """Dimensions counted from the front, each within range and named once."""
    found = tuple([check_dim(dim, ndim) for dim in dims])
    for dim in found:
        if found.count(dim) > 1:
            raise RuntimeError(f"dim {dim} appears multiple times in the list of dims")
    return found


def reversing(a, dims) -> tuple:
    """The index that takes these dimensions backwards; `np.flip` takes longer."""
    backwards = distinct(dims, a.ndim)
    return tuple([slice(None, None, -1 if dim in backwards else 1) for dim in range(a.ndim)])


@lru_cache(typed=True)  # for 0.0 is no dimension
def squeezed(shape, dim):
    """A shape without its dimensions of length 1: all of them, or those named."""
    dims = range(len(shape)) if dim is None else distinct(dim if isinstance(dim, tuple) else (dim,), len(shape))
    return tuple(n for i, n in enumerate(shape) if n != 1 or i not in dims)


def expanded(a, shape):
    """A read-only view of `a`, stretched."""
    given, missing = np.shape(a), len(shape) - np.ndim(a)
    full = tuple(given[i - missing] if n == -1 and i >= missing else n for i, n in enumerate(shape))
    if -1 in full:
        raise RuntimeError(
            f"The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {full.index(-1)}"
        )
    check_fit(given, full, shape)
    return np.broadcast_to(a, full)


def check_fit(given: tuple, shape: tuple, written: tuple | None = None) -> None:
    """PyTorch's refusal to stretch a dimension that is not of length 1."""
    if len(given) > len(shape):
        raise RuntimeError(
            f"expand(torch.FloatTensor{{{list(given)}}}, size={list(shape)}): the number of sizes provided "
            f"({len(shape)}) must be greater or equal to the number of dimensions in the tensor ({len(given)})"
        )
    for dim in range(-1, -len(given) - 1, -1):
        if given[dim] not in (1, shape[dim]):
            raise RuntimeError(
                f"The expanded size of the tensor ({shape[dim]}) must match the existing size ({given[dim]}) at "
                f"non-singleton dimension {dim % len(shape)}.  Target sizes: {list(written or shape)}.  "
                f"Tensor sizes: {list(given)}"
            )


def untile(g, shape, repeats):
    """Sum over the copies: each tiled dimension is split into (copy, original)."""
    shape = (1,) * (len(repeats) - len(shape)) + tuple(shape)
    repeats = (1,) * (len(shape) - len(repeats)) + tuple(repeats)
    split = tuple(n for pair in zip(repeats, shape) for n in pair)
    kept = tuple(n for size in shape for n in (1, size))
    return reshape_to(sum_to_size(reshape_to(g, split), kept), shape)


# == parts =================================================================================================

# fmt: off
# the ellipsis makes a view of a single element, too
select = arranged(lambda a, dim, index: a[(*(slice(None),) * (dim % max(a.ndim, 1)), in_range(a, dim, index), ...)],
    a=lambda g, a_shape, dim, index: pad_back(unsqueeze(g, dim), a_shape, dim, index % a_shape[dim]),
    public="function method", rules_say={"a": "{g} where {a} was picked, 0 elsewhere"})
narrow = arranged(lambda a, dim, start, length: a[(slice(None),) * (dim % a.ndim) + (stretch(a, dim, start, length),)],
    grad_fn="SliceBackward0",
    a=lambda g, a_shape, dim, start: pad_back(g, a_shape, dim, start),
    rules_say={"a": "{g} where {a} was picked, 0 elsewhere"})
# zeros all round: the reverse of narrow
pad_back = op(lambda a, shape, dim, start: padded(a, shape, dim, start), linear=True,
    a=lambda g, a_shape, dim, start: narrow(g, dim, start, a_shape[dim]))
triangle = partial(op, linear=True, public="function method twin")
tril = triangle(lambda a, diagonal=0: row_by_row(np.tril(of_matrices(a, "tril"), index(diagonal))),
    a=lambda g, diagonal: tril(g, diagonal))
triu = triangle(lambda a, diagonal=0: row_by_row(np.triu(of_matrices(a, "triu"), index(diagonal))),
    a=lambda g, diagonal: triu(g, diagonal))
diagonal = arranged(lambda a, offset=0, dim1=0, dim2=1: diagonal_view(a, offset, *in_dims(a, dim1, dim2)),
    a=lambda g, a_shape, offset, dim1, dim2: diagonal_scatter(g, a_shape, offset, dim1, dim2),
    public="function method", rules_say={"a": "{g} on the diagonal, 0 elsewhere"})
diagonal_copy = op(lambda a, offset: np.diagonal(a, offset).copy(), linear=True, grad_fn="DiagonalBackward0_copy",
    a=lambda g, a_shape, offset: diagonal_scatter(g, a_shape, offset, 0, 1),
    rules_say={"a": "{g} on the diagonal, 0 elsewhere"})
diagonal_scatter = op(lambda a, shape, offset, dim1, dim2: _diagonal_scatter(a, shape, offset, dim1, dim2),
    grad_fn="DiagEmbedBackward0", linear=True,
    a=lambda g, offset, dim1, dim2: diagonal(g, offset, dim1, dim2))
# fmt: on


def diagonal_view(a, offset, dim1, dim2):
    if dim1 % max(a.ndim, 1) == dim2 % max(a.ndim, 1):
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    view = np.diagonal(a, offset, dim1, dim2)
    view.flags.writeable = a.flags.writeable  # which NumPy says no view of a diagonal is
    return view


def in_dims(a, *dims: int) -> tuple:
    for dim in dims:
        check_dim(dim, a.ndim)
    return dims


def in_range(a, dim: int, place: int) -> int:
    if not a.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    check_dim(dim, a.ndim)
    if not -a.shape[dim] <= index(place) < a.shape[dim]:
        raise IndexError(f"select(): index {place} out of range for tensor of size {list(a.shape)} at dimension {dim}")
    return place


def stretch(a, dim: int, start: int, length: int) -> slice:
    if start + length > a.shape[dim]:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({a.shape[dim]}).")
    return slice(start, start + length)


def padded(a, shape, dim, start):
    out = np.zeros(shape, a.dtype)
    out[(slice(None),) * (dim % len(shape)) + (slice(start, start + a.shape[dim]),)] = a
    return out


def _diagonal_scatter(a, shape, offset, dim1, dim2):
    out = np.zeros(shape, a.dtype)
    diagonal_view(out, offset, dim1, dim2)[...] = a
    return out


# == as people call them ===================================================================================


def spread_out(keyword: str):
    """Lets a function of a tuple be called with its numbers one by one, or with their name as well."""

    def of(function):
        def call(input, *given, **named):
            given = (named.pop(keyword),) if keyword in named and not given else given
            if not given:
                raise TypeError(f'{function.__name__}() missing 1 required positional arguments: "{keyword}"')
            return function(input, given, **named)

        call.__name__, call.__qualname__, call.__doc__ = function.__name__, function.__name__, function.__doc__
        several = inspect.Parameter(keyword, inspect.Parameter.VAR_POSITIONAL)
        call.__signature__ = inspect.Signature([next(iter(inspect.signature(function).parameters.values())), several])
        return call

    return of


@public("function method")
@spread_out("shape")
def reshape(input, shape):
    """The same numbers in another shape; one size may be -1.

    >>> import minigrad as mg
    >>> mg.reshape(mg.arange(6), (2, -1))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    return reshape_to(input, sizes_of(shape))


@public("method")
@spread_out("size")
def view(input, shape):
    """`reshape` that refuses to copy."""
    if len(shape) == 1 and isinstance(shape[0], dtype):
        raise RuntimeError("view(dtype) is not available here; use .to(dtype) to convert")
    result = reshape_to(input, sizes_of(shape))
    if not np.may_share_memory(result.array, input.array) and result.array.size:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        )
    return result


@public("function method")
@spread_out("dims")
def permute(input, dims):
    """The dimensions in another order."""
    dims = sizes_of(dims)
    if len(dims) != input.ndim:
        raise RuntimeError(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {input.ndim} is not equal to len(dims) = {len(dims)}"
        )
    distinct(dims, input.ndim)
    return permute_to(input, dims)


@public("function method", name="broadcast_to")
@public("method")
@spread_out("size")
def expand(input, sizes):
    """A view stretched along dimensions of length 1; -1 keeps a size."""
    return expand_to(input, sizes_of(sizes))


@public("method")
@spread_out("repeats")
def repeat(input, sizes):
    """Copies side by side along each dimension."""
    repeats = sizes_of(sizes)
    if min(repeats, default=0) < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(repeats)}: {list(repeats)}")
    if len(repeats) < input.ndim:
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    return tile(input, repeats)


@public("function method")
def flatten(input, start_dim=0, end_dim=-1):
    """The dimensions from `start_dim` to `end_dim` as one."""
    shape = tuple(input.shape) or (1,)
    start, end = check_dim(start_dim, input.ndim), check_dim(end_dim, input.ndim)
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if start == end and input.ndim:
        return input
    return reshape_to(input, shape[:start] + (math.prod(shape[start : end + 1]),) + shape[end + 1 :])


@public("function")
def broadcast_shapes(*shapes):
    """The shape in which tensors of these shapes meet."""
    shapes = tuple((s,) if isinstance(s, int) else tuple(s) for s in shapes)
    try:
        return Size(np.broadcast_shapes(*shapes))
    except ValueError as error:
        raise unlike(shapes) or RuntimeError(str(error)) from None


@public("function")
def broadcast_tensors(*tensors):
    """All tensors, stretched to the shape in which they meet."""
    tensors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], tuple | list) else tensors
    shape = tuple(broadcast_shapes(*[one.shape for one in tensors]))
    return tuple(one if one.shape == shape else expand_to(one, shape) for one in tensors)


def of_each(function):
    """A function of a tensor as one of several, or of a list of them, which answers with a tuple."""

    def call(*tensors):
        given, one = tensors[0] if len(tensors) == 1 else tensors, checked(function, call.__name__)
        return tuple(map(one, given)) if isinstance(given, tuple | list) else one(given)

    call.__name__, call.__qualname__, call.__doc__ = function.__name__, function.__name__, function.__doc__
    return call


@public("function")
@of_each
def atleast_1d(input):
    """A number as a vector of one; all else as it is."""
    return input if input.ndim else reshape_to(input, (1,))


@public("function method")
def diag(input, diagonal=0):
    """The diagonal of a matrix, or the matrix with that diagonal."""
    if input.ndim == 2:
        return diagonal_copy(input, diagonal)
    if input.ndim != 1:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.ndim}D")
    n = len(input) + abs(diagonal)
    return diagonal_scatter(input, (n, n), diagonal, 0, 1)
