"""What happens inside a step, element by element, where its numbers are few enough to be walked through.

The `arithmetic` of a frame says how the elements of one array come from those of others; see docs/trace.md.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..recording.moments import UNKNOWN
from .calls import COPIES
from .operation import Operation
from .trace import WHOLE, brief
from .words import bracketed, is_single

Number = Callable[[Any], int | None]  # gives the number of a value in the document
PRODUCTS = ("matmul", "mm", "mv", "dot")


def arithmetic(how: str, inputs: Sequence, output: Any, number: Number, **more: Any) -> dict | None:
    """The entry of a frame; None where the arrays are large, or not known."""
    if not all(map(is_small, [*inputs, output])):
        return None
    return {"how": how, "inputs": list(map(number, inputs)), "output": number(output), **more}


def inside(made: Operation, values: list, outputs: list, number: Number) -> dict | None:
    """The arithmetic of an operation."""
    op, arrays = made.op, [values[i] for i in made.tails]
    if len(outputs) > 1 or not arrays:
        return None
    if op.name in COPIES:
        return arithmetic("map", arrays, outputs[0], number, template="{0}")
    if getattr(op, "elementwise", False):
        if any(np.ndim(one) for i, one in enumerate(values) if i not in made.tails):
            return None  # of a mask that is no box, no element is shown
        slots = {i: f"{{{slot}}}" for slot, i in enumerate(made.tails)}
        template = made.written([slots.get(i, word) for i, word in enumerate(made.words)])
        return arithmetic("map", arrays, outputs[0], number, template=template)
    if op.name in PRODUCTS:
        return arithmetic("matmul", arrays, outputs[0], number)
    if op.name in ("sum", "mean"):
        dims = values[1] if len(values) > 1 else None  # the sum of all has no such option
        axes = range(np.ndim(arrays[0])) if dims is None else dims if isinstance(dims, tuple | list) else [dims]
        axes = [int(axis) % max(np.ndim(arrays[0]), 1) for axis in axes]
        return arithmetic(op.name, arrays, outputs[0], number, axes=axes)
    return None


def with_numbers(made: Operation, values: list, output: Any) -> list[str] | None:
    """The arguments of an operation as numbers, where all are single ones that are told as such."""
    arrays = [output, *(values[i] for i in made.tails)]
    if len(arrays) == 1 or made.op.name in COPIES or not all(map(is_single, arrays)):
        return None
    told = brief if made.compares else bracketed_number
    return [told(values[i]) if i in made.tails else word for i, word in enumerate(made.words)]


def is_small(value: Any) -> bool:
    return value is not UNKNOWN and np.size(value) <= WHOLE


def bracketed_number(value: Any) -> str:
    return bracketed(brief(value)) if np.size(value) == 1 else brief(value)
