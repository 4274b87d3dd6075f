"""Chains of elementwise lines that are worth doing a cacheful at a time: large, of one shape, and lying row by row."""

import math
from typing import Any

import numpy as np

from .lines import Line, Value
from .memory import is_rowwise
from .products import is_elementwise

BLOCK = 65_536  # numbers of which all arrays of a chain fit into a processor's cache


def chains(lines: list[Line]) -> dict[int, int]:
    """Where such chains begin, and where they end."""
    found: dict[int, int] = {}
    start, shape = 0, None
    for number, line in enumerate([*lines, None]):
        own = chained(line) if line is not None else None
        if own is None or own != shape or not is_apart(lines[start : number + 1]):
            if shape is not None and number - start > 1:
                found[start] = number
            start, shape = number, own
    return found


def chained(line: Line) -> tuple | None:
    """The shape of an elementwise line that may be done block by block."""
    call: Any = line.call
    values = [value for value in line.values if value.shape]
    if not (values and math.prod(values[0].shape) >= 2 * BLOCK and is_elementwise(line)):
        return None
    shape = values[0].shape
    alike = all(value.shape == shape and is_rowwise(value) for value in values)
    numbers = all(isinstance(one, (Value, int, float, np.generic)) or np.ndim(one) == 0 for one in call.args)
    return shape if alike and numbers and call.options.keys() <= {"out"} else None


def is_apart(lines: list[Line]) -> bool:
    """Whether arrays on the same memory are the same array: block by block, one is not ahead of the other."""
    places: dict[int, set[int]] = {}
    for line in lines:
        for value in line.values:
            places.setdefault(value.memory, set()).add(value.address if value.shape else 0)
    return all(len(place) == 1 for place in places.values())
