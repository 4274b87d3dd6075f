"""More ways to arrange tensors; nearly all are compositions of the rows in `shape.py`."""

import math
import operator

import numpy as np

from ..core.tensor import Tensor, wrap
from ..numbers.dtypes import unsupported
from ..numbers.memory import writeable
from .gathering import index_select
from .in_place import moved
from .index import put
from .joining import length_of
from .public import public
from .shape import (
    arranged,
    atleast_1d,
    check_dim,
    diagonal_scatter,
    distinct,
    expand_to,
    flip,
    narrow,
    permute_to,
    repeat,
    reshape_to,
    sizes_of,
    spread_out,
    spread_to,
    transpose,
    unsqueeze,
)

# == rows ==================================================================================================

# fmt: off
as_strided_to = arranged(lambda a, size, stride, offset: strided(a, size, stride, offset), grad_fn="AsStridedBackward0",
    a=lambda g, a_shape, size, stride, offset: added_back(g, a_shape, strided, size, stride, offset),
    rules_say={"a": "{g}, each number added back where it was"})
unfold = arranged(lambda a, dimension, size, step: slid(a, dimension, size, step),
    a=lambda g, a_shape, dimension, size, step: added_back(g, a_shape, slid, dimension, size, step),
    public="method", rules_say={"a": "{g}, each number added back where it was"})
# fmt: on


def added_back(g, shape, show, *how):
    """A gradient for what `show` shows of a memory, each number added where it was."""
    numbers = np.arange(math.prod(shape)).reshape(shape)
    return reshape_to(put(g, (numbers.size,), show(numbers, *how)), shape)


def slid(a, dim, size, step):
    """All windows of `size` elements along a dimension, `step` apart; their elements are the last dimension."""
    whole, dim = np.atleast_1d(a), check_dim(dim, a.ndim)
    if size < 0 or step < 1:
        raise RuntimeError(f"size is {size} but must be >= 0" if size < 0 else f"step is {step} but must be > 0")
    if size > whole.shape[dim]:
        raise RuntimeError(f"maximum size for tensor at dimension {dim} is {whole.shape[dim]} but size is {size}")
    view = np.lib.stride_tricks.sliding_window_view(writeable(whole), size, dim, writeable=True)
    view = view[(slice(None),) * dim + (slice(None, None, step),)]
    return view if a.ndim else view[0]


def strided(a, size, stride, offset):
    reach = offset + sum((n - 1) * step for n, step in zip(size, stride)) + 1
    if reach > a.size and 0 not in size:
        raise RuntimeError(f"as_strided: element {reach - 1} is out of bounds for a memory of {a.size} elements")
    memory = np.reshape(writeable(a), -1)[offset:]
    steps = tuple(step * a.itemsize for step in stride)
    return np.lib.stride_tricks.as_strided(memory, size, steps)


# == the arrangement of dimensions =========================================================================


@public("function method", also="moveaxis")
def movedim(input, source, destination):
    """Dimensions moved to other places; all others keep their order."""
    sources, targets = (dims if isinstance(dims, tuple | list) else (dims,) for dims in (source, destination))
    if len(sources) != len(targets):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(sources)} dims) should contain the same "
            f"number of dims as destination ({list(targets)} dims)"
        )
    moved_to = dict(zip(distinct(targets, input.ndim), distinct(sources, input.ndim)))
    others = (dim for dim in range(input.ndim) if dim not in moved_to.values())
    return permute_to(input, tuple(moved_to[dim] if dim in moved_to else next(others) for dim in range(input.ndim)))


@public("method", name="flip")
@spread_out("dims")
def flip_dims(input, dims):
    """Backwards along these dimensions."""
    return flip(input, sizes_of(dims))


def matrix_transpose(input, name="mT"):
    """The last two dimensions exchanged."""
    if input.ndim == 1:
        raise RuntimeError(f"tensor.{name} is only supported on matrices or batches of matrices. Got 1-D tensor.")
    return transpose(input, -2, -1) if input.ndim else input


@public("function method")
def adjoint(input):
    """The last two dimensions exchanged, and complex numbers conjugated."""
    return matrix_transpose(input, "adjoint()").conj()


# == copies ================================================================================================


@public("function method")
@spread_out("dims")
def tile(input, dims):
    """Copies side by side; dimensions that are not named stay as they are."""
    dims = sizes_of(dims)
    return repeat(input, (1,) * (input.ndim - len(dims)) + dims)


@public("function method")
def repeat_interleave(input, repeats=None, dim=None):
    """Each element (or slice along `dim`) several times in a row; of counts alone, the place of each so often.

    >>> import minigrad as mg
    >>> mg.repeat_interleave(mg.tensor([1, 2]), 2)
    tensor([1, 1, 2, 2])
    """
    if repeats is None:
        input, repeats = wrap(np.arange(len(input), dtype=input.array.dtype)), input
    if not isinstance(repeats, Tensor | int | np.integer):
        raise TypeError(f"repeat_interleave(): argument 'repeats' must be Tensor or int, not {type(repeats).__name__}")
    counts = repeats.array if isinstance(repeats, Tensor) else np.array(repeats)
    if counts.dtype.kind not in "iu":
        raise unsupported("repeat_interleave_cpu", counts.dtype)
    if counts.min(initial=0) < 0:
        raise RuntimeError("repeats can not be negative")
    input, dim = (reshape_to(input, (-1,)), 0) if dim is None else (atleast_1d(input), check_dim(dim, input.ndim))
    size = input.shape[dim]
    if counts.size not in (1, size) or counts.ndim > 1:
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{counts.size} and input.size({dim}) = {size}"
        )
    if counts.ndim:
        return index_select(input, dim, wrap(np.repeat(np.arange(size), counts)))
    shape, n = input.shape, int(counts)
    copies = spread_to(unsqueeze(input, dim + 1), shape[: dim + 1] + (n,) + shape[dim + 1 :])
    return reshape_to(copies, shape[:dim] + (size * n,) + shape[dim + 1 :])


@public("function")
def meshgrid(*tensors, indexing=None):
    """The coordinates of all points of a grid, one tensor for each direction.

    >>> import minigrad as mg
    >>> mg.meshgrid(mg.tensor([1, 2]), mg.tensor([3, 4]), indexing="ij")[1]
    tensor([[3, 4],
            [3, 4]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], tuple | list):
        tensors = tuple(tensors[0])
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    if not tensors or any(x.ndim > 1 or x.dtype is not tensors[0].dtype for x in tensors):
        raise RuntimeError("meshgrid expects numbers or vectors of one dtype")
    n = len(tensors)
    places = (1, 0, *range(2, n)) if indexing == "xy" and n > 1 else range(n)  # the dimension of each tensor
    shape = tuple(tensors[place].numel() for place in places)
    return tuple(
        expand_to(reshape_to(one, (1,) * place + (-1,) + (1,) * (n - place - 1)), shape)
        for place, one in zip(places, tensors)
    )


# == diagonals and strides =================================================================================


@public("function method")
def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Each vector (the last dimension) as the diagonal of a matrix."""
    ndim = input.ndim + 1
    dim1, dim2 = distinct((dim1, dim2), ndim)
    n = length_of(input, -1) + abs(offset)
    rest = iter(input.shape[:-1])
    shape = tuple(n if dim in (dim1, dim2) else next(rest) for dim in range(ndim))
    return diagonal_scatter(input, shape, offset, dim1, dim2)


@public("function method", name="narrow")
def narrow_checked(input, dim, start, length):
    """The `length` slices from `start` on along a dimension: a view."""
    if not input.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    check_dim(dim, input.ndim)
    start = operator.index(start)
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    size = input.shape[dim]
    if not -size <= start <= size:
        raise IndexError(f"start out of range (expected to be in range of [{-size}, {size}], but got {start})")
    return narrow(input, dim, start + size if start < 0 else start, length)


@public("function method twin", twin=moved)
def as_strided(input, size, stride, storage_offset=None):
    """A view of the tensor's memory: element (i, j) is number `offset + i·stride[0] + j·stride[1]`."""
    if input._base is not None and not input.numel() and storage_offset is None and 0 not in size:
        raise RuntimeError("as_strided: a view without elements does not tell where it begins; give storage_offset")
    whole, own = in_memory_order(input), storage_offset_of(input)
    offset = own if storage_offset is None else storage_offset
    if len(size) != len(stride) or min(*size, *stride, offset, 0) < 0:
        raise RuntimeError("as_strided: takes as many strides as sizes, none of them negative, nor the offset")
    reach = offset + sum((n - 1) * step for n, step in zip(size, stride)) + 1
    if input._base is not None and whole.is_contiguous() and own <= offset and reach <= own + input.numel():
        offset -= own
    elif input._base is not None:
        whole = in_memory_order(input._base)  # it shows elements that the view does not
    if not whole.is_contiguous() or input.requires_grad > whole.requires_grad:
        raise RuntimeError("as_strided is available here for memory without gaps only; call .contiguous() first")
    view = as_strided_to(whole, tuple(size), tuple(stride), offset)
    view._forbids = view._forbids or input._forbids
    return view


def in_memory_order(a):
    """A tensor without gaps, as its elements lie one after the other; another one as it is, or nearly."""
    return a if a.is_contiguous() else permute_to(a, memory_order(a))


def memory_order(a) -> tuple:
    """The dimensions from that with the largest steps to that with the smallest; as they are, if one is stretched."""
    steps = a.stride()
    return tuple(range(a.ndim) if 0 in steps else sorted(range(a.ndim), key=lambda dim: -steps[dim]))


def storage_offset_of(input) -> int:
    """How many elements of its memory lie before the first of a view."""
    if input._base is None:
        return 0
    return (input.data_ptr() - input._base.data_ptr()) // input.itemsize
