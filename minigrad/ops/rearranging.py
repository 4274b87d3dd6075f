"""More ways to arrange tensors; nearly all are compositions of the rows in `shape.py`."""

import itertools
import math

import numpy as np

from ..autograd.op import op
from ..tensor import Size, Tensor, wrap
from .index import getitem, index_select, put
from .joining import stack
from .shape import (
    check_dim,
    diagonal_scatter,
    expand_to,
    flip,
    narrow,
    permute_to,
    repeat,
    reshape_to,
    sizes_of,
    spread_to,
    t,
    transpose,
    unsqueeze,
)

# == rows ==================================================================================================

rot90 = op(
    lambda a, k=1, dims=(0, 1): np.array(np.rot90(a, k, dims)), linear=True, a=lambda g, k, dims: rot90(g, -k, dims)
)
unfold = op(  # a window that slides along `dim`; its elements come last
    lambda a, dim, size, step: np.lib.stride_tricks.sliding_window_view(a, size, dim, writeable=a.flags.writeable)[
        (slice(None),) * (dim % a.ndim) + (slice(None, None, step),)
    ],
    view=True,
    linear=True,
    a=lambda g, a_shape, dim, size, step: put(
        movedim(g, -1, dim % len(a_shape) + 1), a_shape, (slice(None),) * (dim % len(a_shape)) + (windows(a_shape[dim], size, step),)
    ),
)
as_strided_to = op(
    lambda a, size, stride, offset: strided(a, size, stride, offset),
    view=True,
    linear=True,
    grad_fn="AsStridedBackward0",
    a=lambda g, a_shape, size, stride, offset: reshape_to(
        put(g, (math.prod(a_shape),), places(size, stride, offset)), a_shape
    ),
)
diag_embed_to = op(  # the last dimension on the diagonal of two new ones
    lambda a, shape, offset, dim1, dim2: diagonal_scatter(a, shape, offset, dim1, dim2),
    linear=True,
    grad_fn="DiagEmbedBackward0",
    a=lambda g, offset, dim1, dim2: g.diagonal(offset, dim1, dim2),
)


def windows(length: int, size: int, step: int) -> np.ndarray:
    return np.arange(0, length - size + 1, step)[:, None] + np.arange(size)


def places(size, stride, offset) -> np.ndarray:
    """Where in memory each element lies, counted in elements."""
    at = np.full(size, offset)
    for dim, (n, step) in enumerate(zip(size, stride)):
        at += (np.arange(n) * step).reshape((-1,) + (1,) * (len(size) - dim - 1))
    return at


def strided(a, size, stride, offset):
    memory = np.reshape(a, -1)[offset:]
    steps = tuple(step * a.itemsize for step in stride)
    return np.lib.stride_tricks.as_strided(memory, size, steps, writeable=memory.flags.writeable)


# == the arrangement of dimensions =========================================================================


def movedim(input, source, destination):
    """Dimensions moved to other places; all others keep their order."""
    sources, targets = ([dim % max(input.ndim, 1) for dim in (dims if isinstance(dims, tuple | list) else (dims,))] for dims in (source, destination))
    if len(sources) != len(targets):
        raise RuntimeError("movedim: Invalid source or destination dims: source and destination must have the same number of elements")
    for dims in (source, destination):
        for dim in dims if isinstance(dims, tuple | list) else (dims,):
            check_dim(dim, input.ndim)
    order = [dim for dim in range(len(input.shape)) if dim not in sources]
    for target, dim in sorted(zip(targets, sources)):
        order.insert(target, dim)
    return permute_to(input, tuple(order[: input.ndim]))


def unflatten(input, dim, sizes):
    """One dimension as several; one of the sizes may be -1."""
    dim = dim % max(input.ndim, 1)
    sizes = (sizes,) if isinstance(sizes, int) else tuple(sizes)
    total = math.prod(n for n in sizes if n != -1)
    if total == 0 or input.shape[dim] % total or (-1 not in sizes and total != input.shape[dim]):
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} ({input.shape[dim]}) in the input tensor"
        )
    known = tuple(input.shape[dim] // total if n == -1 else n for n in sizes)
    return reshape_to(input, input.shape[:dim] + known + input.shape[dim + 1 :])


def swapaxes(input, axis0, axis1):
    """`transpose`, in NumPy's words."""
    return transpose(input, axis0, axis1)


def ravel(input):
    """All elements in a row."""
    return reshape_to(input, (-1,))


def squeeze_dims(input, dim=None):
    """Without its dimensions of length 1: all of them, or those named."""
    from .shape import squeeze

    for one in () if dim is None else dim if isinstance(dim, tuple | list) else (dim,):
        check_dim(one, input.ndim)
    return squeeze(input, tuple(dim) if isinstance(dim, list) else dim)


def fliplr(input):
    """The columns from right to left."""
    if input.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(input, (1,))


def flipud(input):
    """The rows from bottom to top."""
    if input.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip(input, (0,))


def adjoint(input):
    """The last two dimensions exchanged, and complex numbers conjugated."""
    return transpose(input, -2, -1).conj()


# == copies ================================================================================================


def tile(input, *dims):
    """Copies side by side; dimensions that are not named stay as they are."""
    dims = sizes_of(dims)
    return repeat(input, (1,) * (input.ndim - len(dims)) + dims)


def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    """Each element (or slice along `dim`) several times in a row.

    >>> import minigrad as mg
    >>> mg.repeat_interleave(mg.tensor([1, 2]), 2)
    tensor([1, 1, 2, 2])
    """
    if repeats is None:  # the counts alone: which element each copy is
        return wrap(np.repeat(np.arange(len(input)), input.array))
    counts = repeats.array if isinstance(repeats, Tensor) else repeats
    if np.min(counts, initial=0) < 0:
        raise RuntimeError("Repeats must be non-negative" if isinstance(repeats, int) else "repeats can not be negative")
    input, dim = (ravel(input), 0) if dim is None else (input, dim % max(input.ndim, 1))
    if not isinstance(counts, int) and counts.ndim:
        if len(counts) not in (1, input.shape[dim]):
            raise RuntimeError("repeats must have the same size as input along dim, but got repeats.size(0) = "
                               f"{len(counts)} and input.size({dim}) = {input.shape[dim]}")
        return index_select(input, dim, wrap(np.repeat(np.arange(input.shape[dim]), counts)))
    shape, n = input.shape, int(counts)
    copies = spread_to(unsqueeze(input, dim + 1), shape[: dim + 1] + (n,) + shape[dim + 1 :])
    return reshape_to(copies, shape[:dim] + (shape[dim] * n,) + shape[dim + 1 :])


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
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if any(x.dtype is not tensors[0].dtype for x in tensors):
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    if any(x.ndim > 1 for x in tensors):
        raise RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {[list(x.shape) for x in tensors]}")
    swap = indexing == "xy" and len(tensors) > 1
    ordered = (tensors[1], tensors[0], *tensors[2:]) if swap else tensors
    shape = tuple(one.numel() for one in ordered)
    grids = tuple(
        expand_to(reshape_to(one, (1,) * i + (-1,) + (1,) * (len(shape) - i - 1)), shape) for i, one in enumerate(ordered)
    )
    return (grids[1], grids[0], *grids[2:]) if swap else grids


def cartesian_prod(*tensors):
    """All combinations of one element of each vector."""
    if len(tensors) == 1:
        return tensors[0]
    return stack([ravel(grid) for grid in meshgrid(*tensors, indexing="ij")], 1)


def combinations(input, r=2, with_replacement=False):
    """All choices of `r` elements of a vector."""
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = np.array(list(choose(range(len(input)), r)), dtype=np.int64).reshape(-1, r)
    return getitem(input, wrap(places))


def broadcast_shapes(*shapes):
    """The shape in which tensors of these shapes meet."""
    try:
        return Size(np.broadcast_shapes(*[(s,) if isinstance(s, int) else tuple(s) for s in shapes]))
    except ValueError:
        raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape") from None


def broadcast_tensors(*tensors):
    """All tensors, stretched to the shape in which they meet."""
    tensors = tuple(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], tuple | list) else tensors
    shape = tuple(broadcast_shapes(*[one.shape for one in tensors]))
    return tuple(one if one.shape == shape else expand_to(one, shape) for one in tensors)


# == diagonals and strides =================================================================================


def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Each vector (the last dimension) as the diagonal of a matrix."""
    n, ndim = input.shape[-1] + abs(offset), input.ndim + 1
    dim1, dim2 = dim1 % ndim, dim2 % ndim
    if dim1 == dim2:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    rest = iter(input.shape[:-1])
    shape = tuple(n if dim in (dim1, dim2) else next(rest) for dim in range(ndim))
    return diag_embed_to(input, shape, offset, dim1, dim2)


def diagflat(input, offset=0):
    """All elements as the diagonal of a matrix."""
    return diag_embed(ravel(input), offset)


def unfold_checked(input, dimension, size, step):
    """A window of `size` elements that slides along a dimension: a view, with the window's elements last."""
    if size > (input.shape[dimension] if input.ndim else 1):
        raise RuntimeError(f"maximum size for tensor at dimension {dimension} is {input.shape[dimension]} but size is {size}")
    return unfold(input, dimension, size, step)


def narrow_checked(input, dim, start, length):
    """The `length` slices from `start` on along a dimension: a view."""
    if not input.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    check_dim(dim, input.ndim)
    if isinstance(start, Tensor):
        if start.ndim or start.array.dtype.kind not in "iu":
            raise RuntimeError("start must be an 0-dim integral Tensor.")
        start = start.item()
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    size = input.shape[dim]
    if not -size <= start <= size:
        raise IndexError(f"start out of range (expected to be in range of [{-size}, {size}], but got {start})")
    return narrow(input, dim, start + size if start < 0 else start, length)


def as_strided(input, size, stride, storage_offset=None):
    """A view of the memory in which the tensor lies: element (i, j) is number `offset + i·stride[0] + j·stride[1]`."""
    whole, own = input, storage_offset_of(input)
    offset = own if storage_offset is None else storage_offset
    reach = offset + sum((n - 1) * step for n, step in zip(size, stride)) + 1
    if input._base is not None:
        if input.is_contiguous() and own <= offset and reach <= own + input.numel():
            offset -= own
        else:
            whole = input._base  # it shows elements that the view does not
    if not whole.is_contiguous():
        raise RuntimeError("as_strided is available here for contiguous memory only; call .contiguous() first")
    if reach > whole.numel() and 0 not in tuple(size):
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize {input.itemsize} requiring a "
            f"storage size of {reach * input.itemsize} are out of bounds for storage of size {whole.numel() * input.itemsize}"
        )
    return as_strided_to(whole, tuple(size), tuple(stride), offset)


def storage_offset_of(input) -> int:
    """How many elements of its memory lie before the first of a view."""
    if input._base is None:
        return 0
    return (input.data_ptr() - input._base.data_ptr()) // input.itemsize


def transposed(self):
    """`x.H`: a matrix's transpose, and complex numbers conjugated."""
    return t(self).conj()
