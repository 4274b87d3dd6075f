"""The reverse of broadcasting, which happens here and in no rule: a gradient takes the shape and type of its input.

Where one number was used many times, its gradients add up.
"""

import functools
from typing import Any

import numpy as np

from .tensor import Tensor


def conform(part, node, slot: int):
    """The un-broadcast: `part` summed over the axes along which the input was stretched, in the input's own type."""
    target, index = node.edges[slot], node.indices[slot] if node.indices else 0
    return part if target is None else fitted(part, target.expects(index), node, slot)


def fitted(part, expected: tuple, node, slot: int):
    (shape, dtype), is_tensor = expected, isinstance(part, Tensor)
    if part.shape != shape:
        axes = stretched_axes(part.shape, shape)
        if axes is None:
            raise RuntimeError(
                f"Function {node.name()} returned an invalid gradient at index {slot} - got {list(part.shape)} but "
                f"expected shape compatible with {list(shape)}"
            )
        part = part.sum_to_size(shape) if is_tensor else reduced(part, axes, shape)
    given = (part._data if is_tensor else part).dtype
    if given != dtype:
        part = part.real if given.kind == "c" and dtype.kind != "c" else part
        part = part.to(dtype) if is_tensor else part.astype(dtype)
    return part


def sum_to(array: np.ndarray, shape: tuple) -> np.ndarray:
    """An array summed over the axes along which broadcasting would stretch `shape` to its own.

    >>> sum_to(np.ones((2, 3)), (3,))
    array([2., 2., 2.])
    """
    axes = stretched_axes(array.shape, shape)
    if axes is None:
        raise RuntimeError(f"size {{{list(shape)}}} is not expandable to size {{{list(array.shape)}}}.")
    return reduced(array, axes, shape)


def reduced(array: np.ndarray, axes, shape: tuple) -> np.ndarray:
    keepdims: Any = len(axes) > array.ndim - len(shape)  # else all these axes are ones that broadcasting had added
    total = np.add.reduce(array, axes, keepdims=keepdims)
    return total if total.shape == shape else total.reshape(shape)


@functools.lru_cache(1024)
def stretched_axes(large: tuple, small: tuple) -> tuple | None:
    """The axes along which broadcasting stretches shape `small` to shape `large`; None where it cannot."""
    added = len(large) - len(small)
    if added < 0 or any(n not in (m, 1) for m, n in zip(large[added:], small)):
        return None
    return (*range(added), *(added + i for i, n in enumerate(small) if n != large[added + i]))
