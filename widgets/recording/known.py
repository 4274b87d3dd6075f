"""Whose tensors, modules and optimizers a program may use: minigrad's, and those of an engine that is listened to.

Whoever listens to another engine adds to these tables, and a function that gives the `Tensor` which stands for a
tensor of that engine; names are found for both alike.
"""

import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import minigrad
from minigrad import Tensor, is_grad_enabled
from minigrad.nn import Module
from minigrad.optim import Optimizer
from minigrad.words.source import is_ours

MODULES: list[type] = [Module]
MODULE_CALLS: set[CodeType] = {Module.__call__.__code__}  # in its frame, `self` is the module that is called
UPDATES: set[CodeType] = {Optimizer.step.__code__}
STAND_INS: list[Callable[[Any], Tensor | None]] = []
RECORDING: list[Callable[[], bool]] = [is_grad_enabled]  # each says whether its engine records


def seen(thing: Any) -> Tensor | None:
    """The Tensor that a thing is or that stands for it; None for anything else."""
    if isinstance(thing, Tensor):
        return thing
    for stand_in in STAND_INS:
        if (found := stand_in(thing)) is not None:
            return found
    return None


def stand_in(tensor: Any) -> Tensor:
    """The Tensor that a tensor is or that stands for it."""
    found = seen(tensor)
    assert found is not None
    return found


def library_of(*things: Any) -> Any:
    """The library whose tensors these are: PyTorch, if one of them is its, else minigrad."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and any(isinstance(thing, torch.Tensor) for thing in things) else minigrad


def is_module(thing: Any) -> bool:
    return isinstance(thing, tuple(MODULES))


def is_forward(frame: FrameType) -> bool:
    """Whether a module or a Function computes here: the call around it, no line of the user's, stands for both."""
    if frame.f_code.co_name != "forward":
        return False
    around = frame.f_back
    return (around is not None and is_ours(around.f_code.co_filename)) or is_module(frame.f_locals.get("self"))


def as_seen(thing: Any) -> Any:
    """A tensor as the one that stands for it, a module as it is; None for anything else."""
    return thing if is_module(thing) else seen(thing)
