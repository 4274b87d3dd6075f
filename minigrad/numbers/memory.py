"""Which memory may be written to, and PyTorch's refusals to write to any other.

>>> import numpy as np
>>> array = np.arange(6.0)
>>> dense(array[:3]), dense(array[::2]), stretched(np.broadcast_to(array, (2, 6)))
(True, False, True)
"""

import contextlib
from typing import Literal

import numpy as np

from .dtypes import CATEGORY, short_name

MANY = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
    "Please clone() the tensor before performing the operation."
)
SOME = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
    "location. Please clone() the tensor before performing the operation."
)


def check_apart(target: np.ndarray, sources, same: bool = True) -> None:
    """PyTorch's refusal to write over memory that is read meanwhile; of exactly the `same` place it may be read."""
    for source in sources:
        if isinstance(source, tuple):
            check_apart(target, source, same)
        elif isinstance(source, np.ndarray) and np.may_share_memory(source, target):
            if not same if place(source) == place(target) else dense(source) and dense(target):
                raise RuntimeError(SOME)


def check_unstretched(target: np.ndarray) -> None:
    """PyTorch's refusal to write two numbers to one place."""
    if stretched(target):
        raise RuntimeError(MANY)


def stretched(array: np.ndarray) -> bool:
    steps = zip(array.shape, array.strides)
    return 0 in array.strides and array.size > 0 and any(n > 1 and step == 0 for n, step in steps)


def row_by_row(array: np.ndarray) -> np.ndarray:
    """The same numbers, row by row in memory."""
    return array if array.flags.c_contiguous else np.asarray(array, order="C")


def order_of(array: np.ndarray) -> Literal["C", "K"]:
    """In which order a copy lies: as the array does; of one that is stretched, row by row."""
    return "K" if array.flags.c_contiguous or not stretched(array) else "C"


def room_like(part: np.ndarray, array: np.ndarray) -> np.ndarray:
    """Memory for `part`, each number where one of `array` lies; row by row, if that has gaps."""
    return np.empty_like(array, part.dtype, "K" if dense(array) else "C", shape=part.shape)


def lying_as(part: np.ndarray, array: np.ndarray) -> np.ndarray:
    """The numbers of `part` in memory that is laid out like `array`: its own, where that is so."""
    if part.flags.c_contiguous and array.flags.c_contiguous:
        return part
    own = room_like(part, array)
    own[...] = part
    return own


def as_all_lie(out: np.ndarray, arrays: tuple) -> np.ndarray:
    """What was computed of arrays element by element, laid out as PyTorch does where they do not lie alike.

    Which of two dimensions has the larger steps is said by the first array that has steps along both.

    >>> rows = np.ones((2, 3))
    >>> as_all_lie(rows, (np.ones((3, 2)).T, rows)).strides
    (8, 16)
    """
    arrays = tuple(one for one in arrays if isinstance(one, np.ndarray) and one.ndim > 1)
    if all(one.flags.c_contiguous for one in arrays):
        return row_by_row(out)
    lengths = [n > 1 for n in out.shape]
    steps = [np.multiply(np.broadcast_to(one, out.shape).strides, lengths) for one in arrays]
    order = [*range(out.ndim)][::-1]  # the dimensions, from the smallest steps on
    for at in range(1, out.ndim):  # sorted by insertion, as there: of two dimensions it may be that neither comes first
        for before in range(at - 1, -1, -1):
            pairs = [(one[order[before]], one[order[at]]) for one in steps]
            first, second = next(((a, b) for a, b in pairs if a and b and a != b), (0, 0))
            if first < second:
                break
            if first > second:
                order[before], order[at], at = order[at], order[before], before
    order = order[::-1]
    lying = out.transpose(order)
    return out if lying.flags.c_contiguous else lying.copy().transpose([*map(order.index, range(out.ndim))])


def place(array: np.ndarray) -> tuple:
    start = array.__array_interface__["data"][0]  # a plan may ask so, too: what else `ctypes` tells, nobody would
    return start, array.shape, [step for n, step in zip(array.shape, array.strides) if n != 1]


def dense(array: np.ndarray) -> bool:
    """Whether the elements fill their stretch of memory, each once; of others PyTorch does not ask."""
    low, high = np.lib.array_utils.byte_bounds(array)
    return high - low == array.nbytes and not stretched(array)


def writeable(array: np.ndarray) -> np.ndarray:
    """An array to write to: NumPy hands out diagonals and what was broadcast for reading only."""
    if not array.flags.writeable:
        array = array.view()
        with contextlib.suppress(ValueError):  # memory that its owner protects
            array.flags.writeable = True
    return array


def add_to(array: np.ndarray, part: np.ndarray) -> None:
    """`array += part`, also where NumPy hands out the array for reading only."""
    check_unstretched(array)
    np.add(array, part, out=writeable(array))


def check_type(result: np.dtype, wanted: np.dtype) -> None:
    """PyTorch's refusal to write fractions over integers, and the like."""
    if CATEGORY[result.kind] > CATEGORY[wanted.kind]:
        names = short_name(result), short_name(wanted)
        raise RuntimeError("result type {} can't be cast to the desired output type {}".format(*names))


def written(out: np.ndarray, target: np.ndarray) -> np.ndarray:
    """A result, written to memory that must have its shape, and a type that can hold it."""
    if out.shape != target.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(out.shape)}"
        )
    check_type(out.dtype, target.dtype)
    np.copyto(target, out, "unsafe")  # a single number may lose its upper bits, as one among many does
    return target
