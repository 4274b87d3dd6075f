"""What a recorder keeps: one moment for each event, with what of it would not last."""

from types import CodeType
from typing import Any, NamedTuple

import numpy as np

from minigrad import Tensor

from .large import Large


class _Unknown:
    """Stands for a value that nobody kept."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()


class Call(NamedTuple):
    """One call of a module or of a function of the user's, inside another one or at the top (None)."""

    title: str  # fc1: Linear
    kind: str  # "module" or "function"
    parent: int | None


class Where(NamedTuple):
    """The moment's place in the program."""

    call: int | None  # the innermost call
    mark: tuple[CodeType, int] | None  # the user's line: code and instruction
    recording: bool  # not under no_grad
    updating: bool  # inside an optimizer's step
    partial: bool = False  # a step on the way inside a call of ours: the user's line names what comes at its end


NOWHERE = Where(None, None, True, False)


class Moment(NamedTuple):
    """One event, copies of its numbers, and where in the program it was."""

    event: Any
    copies: tuple
    where: Where = NOWHERE


def are_whole(*values: Any) -> bool:
    """Whether all of these were kept, and whole."""
    return not any(one is UNKNOWN or isinstance(one, Large) for one in values)


def place(tensor: Tensor) -> Any:
    """What tells a tensor apart: the node and output that made it, or the object itself."""
    return tensor.made_by or id(tensor)


def is_elsewhere(tensor: Any) -> bool:
    """Whether a tensor stands for one of another engine, which computed its numbers."""
    return "memory" in getattr(tensor, "__dict__", ())


def data(value: Any) -> Any:
    """The numbers in a Tensor; anything else as it is."""
    return value.numbers if isinstance(value, Tensor) else value


def memory_of(tensor: Tensor) -> tuple | None:
    """What tells the memory of a tensor apart; numbers that NumPy keeps as such have none."""
    if is_elsewhere(tensor):
        return tensor.memory  # type: ignore[attr-defined]
    numbers = tensor.numbers
    if not isinstance(numbers, np.ndarray) or not numbers.size:
        return None
    return numbers.__array_interface__["data"][0], numbers.shape, numbers.strides
