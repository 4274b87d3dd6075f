"""Picking elements, and putting them back: each is the other's derivative."""

import warnings
from functools import partial

import numpy as np

from ..core.forward import apply
from ..core.modes import modes, picking
from ..core.row import op
from ..core.tensor import Tensor, wrap
from ..core.views import refresh, replayed
from ..numbers.dtypes import element, short_name
from ..numbers.memory import check_apart, check_unstretched, writeable
from ..words.overwriting import LEAF
from .copying import real_part
from .elementwise import nothing
from .shape import check_fit

# == x[index] ==============================================================================================

PLAIN = frozenset((int, slice, type(None), type(Ellipsis)))


def parts_of(index) -> tuple:
    return index if isinstance(index, tuple) else (index,)


def is_basic(index) -> bool:
    """Whether an index picks by slices and single positions alone: then the result is a view."""
    return type(index) in PLAIN or all(type(part) in PLAIN or is_position(part) for part in parts_of(index))


def is_position(part) -> bool:
    return isinstance(part, int | np.integer) and not isinstance(part, bool)


def name_of_index(a, index, *_) -> str:
    """PyTorch takes an index apart, one node for each part, and shows the last; here one node does it all."""
    if not is_basic(index):
        return "IndexBackward0"
    for part in reversed(parts_of(index)):
        if isinstance(part, int | np.integer):
            return "SelectBackward0"
        if part is None:
            return "UnsqueezeBackward0"
        if isinstance(part, slice) and part != slice(None):
            return "SliceBackward0"
    return "SliceBackward0" if parts_of(index) == (slice(None),) else "AliasBackward0"


moving = partial(op, linear=True, holomorphic=False)  # a row that only moves numbers, so complex ones need no conj
# fmt: off
picking_row = partial(moving, grad_fn=name_of_index, a=lambda g, a_shape, index: put(g, a_shape, index),
    says="a[index]", rules_say={"a": "{g} where {a} was picked, 0 elsewhere"})
pick_view = picking_row(lambda a, index: seen(a, index), view=True)
pick = picking_row(lambda a, index: picked(a, index), places="index",
    rules_say={"a": "{g} added where {a} was picked, 0 elsewhere"})
# zeros elsewhere; an element picked twice gets the sum
put = moving(lambda a, shape, index: _put(a, shape, index), places="index", grad_fn="IndexPutBackward0",
    a=lambda g, index: pick(g, index), says="zeros(shape).index_put(index, a)")
# x[index] = value; `part`: the index picks within a view that single positions took
replace = moving(lambda a, b, index, part=False: changed(put_at, a, index, b), places="index", memory="any",
    write=lambda target, a, b, index, part: put_at(target, index, b), grad_fn=lambda a, b, index, part: (
        "CopySlices" if part or is_basic(index) or not takes_all(index) else "IndexPutBackward0"),
    a=lambda g, index: replace(g, 0, index), b=lambda g, index: pick(g, index),
    rules_say={"a": "{g}, but 0 where {a} was replaced", "b": "{g} where {b} was put"}, says="a with [index] set to b")
# a base of which a view was changed: `a` with the part that `replay` shows replaced by `b`. Nothing is left to write:
# the memory was changed already, through the view
overlay = moving(lambda a, b, replay: overlaid(a, b, replay), memory="any", grad_fn="CopySlices",
    write=lambda target, a, b, replay: None,
    a=lambda g, replay: overlay(g, nothing(replayed(replay, g)), replay), b=lambda g, replay: replayed(replay, g),
    rules_say={"a": "{g}, but 0 where {a} was replaced", "b": "{g} where {b} was put"}, says="a with b put into it")
# fmt: on
Tensor._overlay = lambda base, part, replay: apply(overlay.op, (base, part, replay), into=base)


def seen(a, index):
    """`a[index]` as a view: of a single element, too, NumPy would hand out a copy."""
    out = a[index]
    return out if isinstance(out, np.ndarray) or out is a else a[(*parts_of(index), ...)]


def picked(a, index):
    """`a[index]`, in rows if `a` is: NumPy puts the dimension first that was looked up."""
    out = a[index]
    if out.ndim > 1 and not out.flags.c_contiguous and [*a.strides] == sorted(a.strides, reverse=True):
        return out.copy()
    return out


def overlaid(a, b, replay):
    out = np.array(a)
    part = replayed(replay, out)
    if np.may_share_memory(part, out):
        writeable(part)[...] = b
    else:  # `a`, a gradient perhaps, lies in another order than the memory of which the view was taken
        np.put(out, replayed(replay, np.arange(out.size).reshape(out.shape)), b)
    return out


def _put(a, shape, index):
    out = np.zeros(shape, a.dtype)
    if not any(isinstance(part, np.ndarray) and part.dtype.kind != "b" for part in parts_of(index)):
        out[index] = a  # no element twice
    elif a.ndim < 2:
        np.add.at(out, index, a)
    else:  # in a row, where it is several times as fast
        places = np.arange(out.size).reshape(shape)[index]
        np.add.at(out.reshape(-1), places.reshape(-1), a.reshape(-1))
    return out


def put_at(target, index, b, add=False):
    b = real_part(b, target.dtype) if isinstance(b, np.ndarray | np.generic) else b
    try:
        if add:
            np.add.at(target, index, b)
        else:
            target[index] = b
    except (OverflowError, TypeError, ValueError):
        place, given = np.shape(target[index]), np.shape(b)
        if given == ():  # a number that is none of the type
            is_numpys = isinstance(b, np.generic)
            target[index] = np.asarray(b).astype(target.dtype) if is_numpys else element(b, target.dtype)
            return
        if is_basic(index):
            check_fit(given, place)
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(given)} cannot be broadcast to indexing result of shape "
            f"{list(place)}"
        ) from None


def changed(write, a, at, b):
    """A copy, of which some elements were written over."""
    out = np.array(a)
    write(out, at, b)
    return out


def as_parts(index):
    """A short list that holds lists, tensors or slices stands for a tuple, as it did in NumPy long ago."""
    several = isinstance(index, list) and len(index) < 32
    parted = several and any(
        isinstance(part, list | tuple | range | slice | Tensor | type(None)) or part is Ellipsis for part in index
    )
    if parted:
        was = "Using a non-tuple sequence for multidimensional indexing is deprecated; use x[tuple(seq)], not x[seq]"
        warnings.warn(was, stacklevel=3)
    return tuple(index) if parted else index


def as_arrays(index):
    """An index as NumPy takes it, part by part."""
    if type(index) in PLAIN and type(index) is not slice:
        return index
    return tuple(map(as_array, index)) if isinstance(index, tuple) else as_array(index)


def as_array(part):
    """One part of an index: what says where by many numbers, or by true and false, is an array."""
    if isinstance(part, list | tuple | range):
        part = array_of(part)
    if isinstance(part, Tensor):
        part = part.array
    if isinstance(part, np.ndarray):
        if part.dtype.name not in ("int64", "int32", "uint8", "bool"):
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if part.dtype == np.uint8:  # bytes are masks, of old
            if part.ndim:
                warnings.warn(
                    "indexing with dtype minigrad.uint8 is now deprecated, please use a dtype minigrad.bool instead.",
                    stacklevel=4,
                )
            part = part.astype(bool)
        return part if part.ndim or part.dtype.kind == "b" else int(part)
    if isinstance(part, slice):
        ends = part.start, part.stop, part.step
        if isinstance(ends[0], Tensor) or isinstance(ends[1], Tensor) or isinstance(ends[2], Tensor):
            part = slice(*(one.__index__() if isinstance(one, Tensor) else one for one in ends))  # which may change
        return part
    if isinstance(part, int | np.integer) or part is None or part is Ellipsis:
        return part
    raise no_index(part)


def array_of(part) -> np.ndarray:
    """A list within an index."""
    try:
        array = np.asarray(part, dtype=None if len(part) else np.int64)
    except ValueError:
        raise ValueError("the lists within an index must be of one length") from None
    if array.dtype.kind in "OU":  # that holds what is no number
        raise no_index(next(one for one in np.ravel(array).tolist() if not isinstance(one, int | float)))
    return array


def no_index(part) -> IndexError:
    return IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
        f"(got {type(part).__name__})"
    )


def getitem(input, index):
    """`x[index]`, with whatever NumPy takes as an index, and tensors too.

    >>> import minigrad as mg
    >>> x = mg.tensor([[1, 2], [3, 4]])
    >>> x[0], x[:, 1], x[x > 2], x[[1, 0], [0, 0]]
    (tensor([1, 2]), tensor([2, 4]), tensor([3, 4]), tensor([3, 1]))
    """
    given = as_parts(index)
    index = check_bounds(as_arrays(given), input.shape)
    if is_basic(index):
        return pick_view(input, index)
    positions, rest = apart(index, input.ndim)
    with picking(tensors_among(parts_of(given))):
        return pick(pick_view(input, positions) if positions else input, rest)


def tensors_among(given) -> list:
    """The tensors that say where, by numbers or by true and false."""
    several = [one for part in given for one in (part if isinstance(part, tuple | list) else (part,))]
    return [one for one in several if isinstance(one, Tensor) and one._data.dtype.kind in "biu"]


def apart(index, ndim: int) -> tuple:
    """Single positions beside arrays pick first: `x[0, :, rows]` is `x[0][:, rows]`; NumPy takes 0 for an array."""
    if not isinstance(index, tuple):
        return None, index
    if sum(map(dims_taken, index)) == ndim:  # an ellipsis that stands for nothing does not part two arrays
        index = tuple(part for part in index if part is not Ellipsis)
    if not any(map(is_position, index)):
        return None, index
    first: list = []
    for part in index:
        if is_position(part) or part is Ellipsis:
            first.append(part)
        else:
            first += [slice(None)] * dims_taken(part)
    return tuple(first), tuple(part for part in index if not is_position(part))


def takes_all(index) -> bool:
    """Whether all parts of an index but its arrays are a bare `:` or `...`."""
    return all(isinstance(part, np.ndarray) or part is Ellipsis or part == slice(None) for part in parts_of(index))


def dims_taken(part) -> int:
    """How many dimensions one part of an index is about."""
    if part is None or part is Ellipsis or isinstance(part, bool):
        return 0
    return part.ndim if isinstance(part, np.ndarray) and part.dtype == bool else 1


def check_bounds(index, shape):
    """PyTorch's messages for what is outside; and the index, a slice that takes all as a bare `:`."""
    parts = parts_of(index)
    total, dim = sum(map(dims_taken, parts)), 0
    if total > len(shape):
        if not shape and is_basic(index):
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ "
                "to convert a 0-dim tensor to a number"
            )
        raise IndexError(f"too many indices for tensor of dimension {len(shape)}")
    for i, part in enumerate(parts):
        if part is Ellipsis:
            dim = len(shape) - total + dim
        elif isinstance(part, slice):
            if part.step is not None and part.step <= 0:
                raise ValueError("step must be greater than zero")
            if part != slice(None) and part.indices(shape[dim]) == (0, shape[dim], 1):
                parts = (*parts[:i], slice(None), *parts[i + 1 :])
        elif is_position(part):
            check_position(part, part, dim, shape[dim])
        elif isinstance(part, np.ndarray) and part.dtype != bool and part.size:
            check_position(part.min(), part.max(), dim, shape[dim])
        elif isinstance(part, np.ndarray):
            for axis, n in enumerate(part.shape if part.dtype == bool else ()):
                if n != shape[dim + axis]:
                    raise IndexError(
                        f"The shape of the mask {list(part.shape)} at index {axis} does not match the shape of the "
                        f"indexed tensor {list(shape)} at index {dim + axis}"
                    )
        dim += dims_taken(part)
    return parts if isinstance(index, tuple | slice) else index


def check_position(low, high, dim: int, size: int) -> None:
    if not -size <= low <= high < size:
        raise IndexError(f"index {high if high >= size else low} is out of bounds for dimension {dim} with size {size}")


def setitem(input, index, value):
    """`x[index] = value`, recorded like any other operation.

    >>> import minigrad as mg
    >>> x, w = mg.zeros(2, 2), mg.tensor(3.0, requires_grad=True)
    >>> x[:, 1] = w
    >>> x
    tensor([[0., 3.],
            [0., 3.]], grad_fn=<CopySlices>)
    """
    if isinstance(value, list | tuple | str | np.ndarray | None):
        given = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
        raise TypeError(f"can't assign a {given} to a torch.{short_name(input)}Tensor; make a tensor of it first")
    parts = as_parts(index)
    index, positions = check_bounds(as_arrays(parts), input.shape), None
    if not is_basic(index):
        positions, index = apart(index, input.ndim)
        masks = [part.ndim > 0 and part.dtype == bool for part in parts_of(index) if isinstance(part, np.ndarray)]
        if isinstance(value, Tensor) and masks and (masks != [True] or value.numel() != 1):
            check_put(input, value)
        if positions:
            places = np.arange(input.numel()).reshape(input.shape)[positions][index]
            index = np.unravel_index(places, input.shape)
    if positions and input._base is not None and modes.state.grad:
        refresh(input)  # for of it a part is taken
    value = value if isinstance(value, Tensor | int | float | bool | complex) else np.asarray(value)
    if isinstance(value, Tensor) and value.ndim and value.shape[0] == 1:
        extra = value.ndim - input.array[index].ndim  # leading dimensions of length 1 are let through
        value = value.reshape(value.shape[extra:]) if extra > 0 else value
    if is_basic(index) and (takes_all(index) or input._base is not None):
        # the tensor itself, or a view of its part, since of a view several elements may be one in memory
        part = input if takes_all(index) else pick_view(input, index)
        value = value if isinstance(value, Tensor) else wrap(element(value, input.array.dtype))
        if value.ndim <= part.ndim:
            if 0 < value.ndim and value.shape != part.shape and np.may_share_memory(value._data, part.array):
                value = value.expand(part.shape)  # x[:] = x[0]: what is read for many places may be one of them
            (part.copy_ if value.ndim or not part.ndim else part.fill_)(value)
            return
    if is_basic(index) and index is not Ellipsis and input.requires_grad and input._node is None and modes.state.grad:
        raise RuntimeError(LEAF.replace("a leaf", "a view of a leaf"))
    given = value._data if isinstance(value, Tensor) else None
    if is_basic(index):
        region = seen(input.array, index)
        check_unstretched(region)
        check_apart(region, (given,) if np.shape(given) == region.shape else ())
    else:
        if modes.state.grad and (input.requires_grad or (given is not None and value.requires_grad)):
            check_unstretched(input.array)  # what it shows several times is one number, to which one gradient belongs
        check_apart(input.array, (given,), same=False)
    with picking(tensors_among(parts_of(parts))):
        apply(replace.op, (input, value, index, positions is not None), into=input)


def check_put(input, value) -> None:
    if value.dtype is not input.dtype:
        kinds = [short_name(x) for x in (input, value)]
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {kinds[0]} for the destination and "
            f"{kinds[1]} for the source."
        )
