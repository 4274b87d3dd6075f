"""Stepping through a computation without a block: a result, or a function and its inputs.

Nothing of the caller's changes: what the backward leaves in mailboxes is taken out again.
"""

import contextlib
import inspect
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any

from minigrad import Tensor
from minigrad.autograd.graph import Node, get_gradient_edge

from ..program.program import Program
from ..recording.known import library_of, stand_in
from ..recording.names import variables
from ..recording.reading import reachable
from ..recording.recorder import Recorder
from .run import Run

if TYPE_CHECKING:
    from .stepper import Stepper


def step(what: Tensor | Callable[..., Any], *inputs: Any, title: str = "", **options: Any) -> "Stepper":
    """Step through a computation of one number: a result, or a function and its inputs.

    Nothing of the caller's changes: gradients go where they would go, and are taken back. (Hooks do run.)

    Args:
        what: a Tensor of one element, whose graph is read and whose backward is walked; or a function that returns one.
        inputs: for the function: Tensors, or numbers. If none of them requires a gradient, all do.
        title: a line above the stepper.
        options: those of `Run.step`.

    >>> import minigrad as mg
    >>> step(lambda a: mg.sin(a) * 2, 0.0, title="a slope")
    Stepper: a slope, 4 boxes, 8 steps
    1  v1 = sin(a) = sin(0) = 0.
    2  v2 = v1 * 2 = 0 * 2 = 0.
    3  The backward starts at v2: ∂v2/∂v2 = 1. From here each node hands its gradient on.
    4  All that flows to v2 has arrived: ∂v2/∂v2 = 1. Its rule: ∂v2/∂v1 = 2.
    5  v1 receives ∂v2/∂v2 · 2 = 1 × 2 = 2.
    6  All that flows to v1 has arrived: ∂v2/∂v1 = 2. Its rule: ∂v1/∂a = cos(a).
    7  a receives ∂v2/∂v1 · cos(a) = 2 × 1 = 2.
    8  a.grad was empty: now it holds 2.
    """
    frame, run = sys._getframe(1), Run(title)
    if isinstance(what, library_of(what).Tensor):
        if inputs:
            raise TypeError(f"step() takes inputs only with a function, but got a Tensor and {len(inputs)} inputs")
        with rehearsal() as begin, run.listen(frame) as recorder:
            recorder.names.give(variables(frame))
            recorder.read([begin(what, recorder)], known=[stand_in(what)])
            what.backward(retain_graph=True)
    elif callable(what):
        run_through(what, inputs, run, frame)
    else:
        raise TypeError(f"step() takes a Tensor, or a function and its inputs, but got {type(what).__name__}")
    return run.step(**options)


def run_through(function: Callable[..., Any], inputs: tuple, run: Run, frame: FrameType) -> None:
    """Record a function of some inputs, forward and backward."""
    fresh = copies(inputs)
    taken = inspect.signature(getattr(function, "forward", function)).parameters.values()  # what a module calls them
    names = [one.name for one in taken if one.kind is not one.VAR_POSITIONAL][: len(fresh)]
    with rehearsal() as begin, run.listen(frame, getattr(function, "__code__", None)) as recorder:
        recorder.names.give(zip(names, map(stand_in, fresh)))
        result = function(*fresh)
        begin(result, recorder)
        result.backward(retain_graph=True)


def program(function: Callable[..., Any], *inputs: Any, simplify: bool = False) -> Program:
    """The program that a function comes down to, forward and backward, as lines of NumPy.

    Args:
        function: returns a Tensor of one element.
        inputs: Tensors, or numbers. If none of them requires a gradient, all do.
        simplify: as in `Run.program`.

    >>> import minigrad as mg
    >>> print(program(lambda a: (mg.sin(a) * 2).sum(), mg.tensor([0.0, 1.0]), simplify=True))
    import numpy as np
    <BLANKLINE>
    # given: a, float32 of shape (2,)
    <BLANKLINE>
    t1 = np.sum(np.sin(a) * 2)  # (mg.sin(a) * 2).sum()
    a_grad = np.broadcast_to(np.float32(1.0), (2,)) * 2 * np.cos(a)  # SinBackward0
    """
    if not callable(function):
        raise TypeError(f"program() takes a function and its inputs, but got {type(function).__name__}")
    run = Run()
    run_through(function, inputs, run, sys._getframe(1))
    return run.program(simplify)


def one_number(result: Any) -> Tensor:
    """What a backward can start from."""
    if not isinstance(result, library_of(result).Tensor):
        raise TypeError(f"there must be a Tensor to step back from, but the function returned {type(result).__name__}")
    if not result.requires_grad:
        raise RuntimeError("nothing to step: the result requires no gradient; did an input get requires_grad=True?")
    if result.numel() != 1:
        shape = list(result.shape)
        raise RuntimeError(f"a backward starts from one number, but the result has shape {shape}; take its .sum()")
    return result


def copies(inputs: tuple) -> list[Tensor]:
    """The inputs as leaves of their own, so that the caller's stay as they are."""
    library = library_of(*inputs)
    tensors = [one.detach().clone() if isinstance(one, library.Tensor) else library.tensor(one) for one in inputs]
    wanted = [isinstance(one, library.Tensor) and one.requires_grad for one in inputs]
    for one, want in zip(tensors, wanted):
        one.requires_grad_(one.is_floating_point() and (want or not any(wanted)))
    return tensors


@contextlib.contextmanager
def rehearsal() -> Iterator[Callable[[Any, Recorder], Node]]:
    """Gives a function that says where the backward of a result begins; whatever that backward leaves in mailboxes is
    taken out again when the block ends."""
    mailboxes: list[tuple[Any, Any]] = []

    def begin(result: Any, recorder: Recorder) -> Node:
        stands = stand_in(one_number(result))
        is_own = stands is result
        root = get_gradient_edge(result).node if is_own else stands.origin  # type: ignore[attr-defined]
        for node in reachable([root]):
            for owner in node.owners().values():
                leaf = owner if is_own else owner.tensor  # type: ignore[attr-defined]
                mailboxes.append((leaf, leaf.grad))
        with recorder.deaf():
            for owner, grad in mailboxes:
                owner.grad = None if grad is None else grad.detach().clone()
        return root

    try:
        yield begin
    finally:
        for owner, grad in mailboxes:
            owner.grad = grad
