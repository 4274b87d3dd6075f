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


def place(array: np.ndarray) -> tuple:
    return array.ctypes.data, array.shape, [step for n, step in zip(array.shape, array.strides) if n != 1]


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
