"""Products of matrices: of the ways to ask for one that give the same bits, the quickest.

`a @ b` may be asked as `np.matmul(a, b)`, as `np.dot(a, b)`, which needs less time to begin, or turned, as `bᵀ @ aᵀ`,
whose result lies in memory column by column. Which of them add in the same order is tried on numbers of our own.

>>> a, b = np.zeros((16, 1000), np.float32), np.zeros((100, 1000), np.float32).T
>>> is_alike(True, look(a), look(b))
True
"""

import functools
from collections.abc import Container
from typing import Any

import numpy as np

from .lines import Line, Value

LONG = 256  # of sums so long a turned product may be quicker: BLAS then copies the smaller of two matrices
SMALL = 100_000  # additions, of which the time to begin is a part worth saving


def look(array: Any) -> tuple:
    """What decides how a product is computed."""
    return array.shape, array.strides, array.dtype


def is_product(line: Line) -> bool:
    """Whether a line multiplies two matrices."""
    call = line.call
    if call.name not in ("matmul", "dot") or len(call.args) != 2 or call.options or not line.makes:
        return False
    return all(isinstance(one, Value) and len(one.shape) == 2 and 0 not in one.shape for one in call.args)


def is_small(line: Line) -> bool:
    a, b = line.call.args
    return a.shape[0] * a.shape[1] * b.shape[1] < SMALL


def would_be_quicker(line: Line) -> bool:
    """Whether a product had better be turned: few rows meet many columns, which lie where they must be gathered."""
    a, b = line.call.args
    return a.shape[1] >= LONG and a.shape[0] < b.shape[1] and a.strides[1] == a.dtype.itemsize == b.strides[0]


def turn(lines: list[Line], leaving: Container[int]) -> set[Value]:
    """Let products that are quicker so lie column by column, where nobody notices it: not in memory that leaves."""
    readers: dict[int, list[Line]] = {}
    for line in lines:
        for value in line.values:
            readers.setdefault(value.memory, []).append(line)
    turned = set()
    for line in filter(is_product, lines):
        (value,) = line.makes
        others = [one for one in readers[value.memory] if one is not line]
        unnoticed = value.memory not in leaving and all(one.makes and is_elementwise(one) for one in others)
        if unnoticed and would_be_quicker(line) and is_alike(True, *map(look, line.call.args)):
            value.strides = (value.dtype.itemsize, value.dtype.itemsize * value.shape[0])
            turned.add(value)
    return turned


def is_elementwise(line: Line) -> bool:
    run = line.call.run
    return isinstance(run, np.ufunc) and run.signature is None and run.nout == 1


@functools.lru_cache(1000)
def is_alike(turned: bool, a: tuple, b: tuple) -> bool:
    """Whether `np.dot`, maybe turned, gives the bits of `np.matmul` for matrices that look so."""
    if not (is_plain(*a) and is_plain(*b)):
        return False
    one, other = filled(0, *a), filled(1, *b)
    found = np.dot(other.T, one.T).T if turned else np.dot(one, other)
    return found.tobytes() == np.matmul(one, other).tobytes()


def is_plain(shape: tuple, strides: tuple, dtype: np.dtype) -> bool:
    """Whether a matrix of floats lies in its memory without gaps, row by row or column by column."""
    size, (n, m) = dtype.itemsize, shape
    return dtype.kind == "f" and strides in ((m * size, size), (size, n * size))


def filled(start: int, shape: tuple, strides: tuple, dtype: np.dtype) -> np.ndarray:
    """A matrix that lies so, full of numbers whose sums depend on their order."""
    found = np.resize(numbers(dtype)[start:], shape[0] * shape[1])
    return found.reshape(shape) if strides[1] == dtype.itemsize else found.reshape(shape[::-1]).T


@functools.cache
def numbers(dtype: np.dtype) -> np.ndarray:
    return np.sin(np.arange(10_007.0) ** 2).astype(dtype)
