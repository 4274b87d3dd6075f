"""Memory that a plan takes once: lent to one result after the other, or to whoever holds what a plan returned."""

import math
import sys
from collections.abc import Callable, Iterable

import numpy as np

from .lines import Value

MOST = 4  # how many arrays are kept of a result of which several are held at once


class Lent:
    """An array that leaves the plan: the same one again, once nobody holds it any more.

    >>> lent = Lent(lambda: np.empty(3))
    >>> first = lent()
    >>> second = lent()
    >>> first is second
    False
    >>> del first
    >>> third = lent()
    >>> len(lent.arrays)
    2
    """

    def __init__(self, make: Callable[[], np.ndarray]) -> None:
        self.make, self.arrays = make, [make()]

    def __call__(self) -> np.ndarray:
        if (array := first(self.arrays, FREE)) is not None:
            return array
        self.arrays.append(self.make())
        del self.arrays[:-MOST]
        return self.arrays[-1]


def first(arrays: list[np.ndarray], count: int) -> np.ndarray | None:
    """The first of these arrays to which Python counts so many references."""
    for array in arrays:
        if sys.getrefcount(array) == count:
            return array
    return None


# To one that nobody else holds: the list's, and of ours as many as this Python counts, which are fewer from 3.14 on.
FREE = next(count for count in range(9) if first([np.empty(0)], count) is not None)


class Memory:
    """Pieces of memory, lent by their size in bytes.

    Attributes:
        size: how many bytes there are in all.
    """

    def __init__(self) -> None:
        self.size = 0
        self._free: dict[int, list[np.ndarray]] = {}

    def take(self, size: int) -> np.ndarray:
        free = self._free.setdefault(size, [])
        if free:
            return free.pop()
        self.size += size
        whole = np.empty(size + 63, np.uint8)
        start = -whole.__array_interface__["data"][0] % 64
        return whole[start : start + size]

    def give_back(self, piece: np.ndarray) -> None:
        self._free.setdefault(piece.nbytes, []).append(piece)


def size_of(value: Value) -> int:
    return math.prod(value.shape) * value.dtype.itemsize


def has_no_gaps(value: Value, axes: Iterable[tuple[int, int]]) -> bool:
    """Whether it fills its memory, if these are the strides and lengths of its axes, the closest numbers first."""
    expected = value.dtype.itemsize
    for stride, n in axes:
        if n != 1 and stride != expected:
            return False
        expected *= n
    return True


def is_rowwise(value: Value) -> bool:
    """Whether it lies in its memory row after row, without gaps."""
    return has_no_gaps(value, zip(reversed(value.strides), reversed(value.shape)))


def is_dense(value: Value) -> bool:
    """Whether it lies in its memory without gaps, in whatever order."""
    return 0 not in value.shape and has_no_gaps(value, sorted(zip(value.strides, value.shape)))


def fresh(value: Value) -> np.ndarray:
    """An array of a value's shape, type and strides, which owns its memory: whoever holds a view of it holds itself."""
    return np.ndarray(value.shape, value.dtype, strides=value.strides)
