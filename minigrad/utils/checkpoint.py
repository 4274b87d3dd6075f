"""Memory against time: keep only the inputs of a part of the forward, and compute the rest again for the backward.

>>> import minigrad as mg
>>> x = mg.ones(3, requires_grad=True)
>>> y = checkpoint(lambda x: x.sin().exp(), x, use_reentrant=False)
>>> y.sum().backward()
>>> x.grad
tensor([1.2534, 1.2534, 1.2534])

Without `use_reentrant` the graph is the usual one, but in the place of each saved value it holds a promise (see
`autograd.graph.saved_tensors_hooks`). When the backward asks for the first of them, the function runs again and
fulfils them all. With `use_reentrant` the function is one single node of the graph, whose backward runs the function
again with a graph of its own, and a backward within the backward through that.
"""

import contextlib
import warnings
from collections.abc import Callable
from typing import Any

from ..autograd import Function, backward, events, is_grad_enabled
from ..autograd.grad_mode import enable_grad, no_grad
from ..autograd.graph import node_of
from ..autograd.saved_hooks import Packed, innermost, saved_tensors_hooks
from ..sampling import get_rng_state, set_rng_state
from ..tensor import Tensor, counter_of
from ..words.advice import overwritten

UNSAID = (
    "torch.utils.checkpoint{}: the use_reentrant parameter should be passed explicitly. {} "
    "use_reentrant=False is recommended, but if you need to preserve the current default behavior, you can pass "
    "use_reentrant=True. Refer to docs for more details on the differences between the two variants."
)


class CheckpointError(RuntimeError):
    """The function did something else when it ran again."""


def checkpoint(
    function: Callable,
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    determinism_check: str = "default",
    debug: bool = False,
    **kwargs: Any,
) -> Any:
    """`function(*args, **kwargs)`, of which only the arguments are kept for the backward.

    Args:
        use_reentrant: the older way, see above. It needs an input that requires grad, takes no keyword arguments, and
            is for `backward()` only, not for `autograd.grad`.
        preserve_rng_state: draw the same random numbers when it runs again.
        determinism_check: "none" to accept other shapes and types of saved values when it runs again.
        debug: list the operations of both runs in the error that says how they differ.
    """
    if use_reentrant is None:
        warnings.warn(
            UNSAID.format(
                "", "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception."
            ),
            stacklevel=2,
        )
        use_reentrant = True
    if use_reentrant:
        if debug:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if not any(isinstance(one, Tensor) and one.requires_grad for one in args):
            warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    if not is_grad_enabled():
        return function(*args, **kwargs)
    run = _Run(function, args, kwargs, preserve_rng_state, determinism_check)
    run.debug = debug if _Debug.enabled is None else _Debug.enabled
    with saved_tensors_hooks(run.promise, run.fulfil), run.noted("at first"):
        return function(*args, **kwargs)


def checkpoint_sequential(
    functions, segments: int, input: Any, use_reentrant: bool | None = None, preserve_rng_state: bool = True
) -> Any:
    """A chain of modules in so many segments, of which each but the last is a `checkpoint`.

    >>> import minigrad as mg
    >>> checkpoint_sequential([mg.sin, mg.exp, mg.sqrt, mg.tanh], 2, mg.zeros(1), use_reentrant=False)
    tensor([0.7616])
    """
    if use_reentrant is None:
        warnings.warn(
            UNSAID.format(
                ".checkpoint_sequential", "In version 2.9 we will raise an exception if use_reentrant is not passed."
            ),
            stacklevel=2,
        )
        use_reentrant = True
    functions = list(functions)
    size = len(functions) // segments

    def segment(start: int, end: int | None):
        def run(input):
            for function in functions[start:end]:
                input = function(input)
            return input

        return run

    for start in range(0, size * (segments - 1), size) if size else ():
        part = segment(start, start + size)
        input = checkpoint(part, input, use_reentrant=use_reentrant, preserve_rng_state=preserve_rng_state)
    return segment(size * (segments - 1), None)(input)


class _Early:
    stop = True


@contextlib.contextmanager
def set_checkpoint_early_stop(enable: bool):
    """Whether a second run ends with the last value that the backward needs (the default) or with the function."""
    before, _Early.stop = _Early.stop, enable
    try:
        yield
    finally:
        _Early.stop = before


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None):
    """Whether a `CheckpointError` lists the operations of both runs; None leaves it to `checkpoint(..., debug=...)`."""
    before, _Debug.enabled = _Debug.enabled, enabled
    try:
        yield
    finally:
        _Debug.enabled = before


class _Debug:
    enabled: bool | None = None


# == promises ==============================================================================================


class _Enough(Exception):
    """All promised values are there."""


class _Run:
    """One call of a function, its promises, and the second run that fulfils them."""

    def __init__(self, function, args: tuple, kwargs: dict, keep_random: bool, check: str) -> None:
        self.function, self.kwargs, self.check = function, kwargs, check
        self.random = get_rng_state() if keep_random else None
        self.args = [_Kept(one) if isinstance(one, Tensor) else one for one in args]
        self.promised: list[dict] = []  # what is known of each value, by its number
        self.values: dict[int, Tensor] = {}  # those that are there and have not been asked for
        self.debug, self.ran = False, dict[str, list[str]]()  # in debug mode, the operations of each run

    @contextlib.contextmanager
    def noted(self, when: str):
        """Note which operations run, in debug mode; an error lists them."""
        if not self.debug:
            yield
            return
        names = self.ran[when] = list[str]()
        with events.listen(lambda made: names.append(made.op.name), events.Made):
            yield

    def error(self, text: str) -> CheckpointError:
        if not self.debug:
            text += "\nTip: with debug=True this message lists the operations of both runs."
        lists = (f"\nOperations {when}: {', '.join(names)}" for when, names in self.ran.items())
        return CheckpointError(text + "".join(lists))

    def promise(self, tensor: Tensor) -> int:
        self.promised.append(_metadata(tensor))
        return len(self.promised) - 1

    def fulfil(self, number: int) -> Tensor:
        if number not in self.values:
            self.run_again()
        return self.values.pop(number)

    def run_again(self) -> None:
        found: list[Tensor] = []

        def keep(tensor: Tensor):
            if len(found) == len(self.promised):
                raise self.error(
                    "torch.utils.checkpoint: trying to save more tensors during recomputation than during the original "
                    "forward pass."
                )
            found.append(tensor.detach())
            if _Early.stop and len(found) == len(self.promised):
                raise _Enough
            return found[-1]  # for a backward inside the function

        args = [one.tensor() if isinstance(one, _Kept) else one for one in self.args]
        with enable_grad(), _random_numbers(self.random), contextlib.suppress(_Enough):
            with saved_tensors_hooks(keep, lambda kept: kept), self.noted("when it ran again"):
                self.function(*args, **self.kwargs)
        if len(found) != len(self.promised):
            raise self.error(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {len(self.promised)}\nNumber of tensors "
                f"saved during recomputation: {len(found)}."
            )
        for i, (tensor, promised) in enumerate(zip(found, self.promised)):
            if _metadata(tensor) != promised and self.check != "none":
                raise self.error(
                    "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than "
                    f"during the forward pass.\ntensor at position {i}:\nsaved metadata: {promised}\n"
                    f"recomputed metadata: {_metadata(tensor)}."
                )
        self.values = dict(enumerate(found))


class _Kept:
    """An argument: with the checkpoint around this one, if there is any, else as it is, watched for changes."""

    def __init__(self, tensor: Tensor) -> None:
        hooks, self.counter = innermost(), counter_of(tensor)
        self.place = (node_of(tensor), tensor._index) if tensor.requires_grad else (None, 0)
        self.version = self.counter[0]
        self.held: Any = Packed(hooks, tensor, None) if hooks else tensor

    def tensor(self) -> Tensor:
        if isinstance(self.held, Packed):
            tensor, node = self.held.tensor(*self.place), self.place[0]  # with its history, for a derivative inside
            if node is not None and node.is_leaf and tensor is not node.variable:
                tensor._accumulator = None  # its numbers may be others: a leaf of its own
            return tensor
        if self.counter[0] != self.version:
            tensor, kept = self.held, "A checkpoint had kept it as an argument"
            made_by = tensor.grad_fn
            raise RuntimeError(overwritten(tensor.array, self.counter, self.version, made_by, tensor.output_nr, kept))
        return self.held


def _metadata(tensor: Tensor) -> dict:
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


@contextlib.contextmanager
def _random_numbers(state):
    """The random numbers of then; those of now go on afterwards."""
    if state is None:
        yield
        return
    now = get_rng_state()
    set_rng_state(state)
    try:
        yield
    finally:
        set_rng_state(now)


# == a backward within the backward ========================================================================


class CheckpointFunction(Function):
    @staticmethod
    def forward(ctx, function, keep_random, *args):
        ctx.function, ctx.random = function, get_rng_state() if keep_random else None
        ctx.args = [None if isinstance(one, Tensor) else one for one in args]
        ctx.save_for_backward(*(one if isinstance(one, Tensor) else None for one in args))
        with no_grad():
            return function(*args)

    @staticmethod
    def backward(ctx, *gradients):
        if ctx.selective:  # the backward within would reach the others all the same
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                "parameter to .backward(). To resolve this error, you can either set use_reentrant=False, or call "
                ".backward() without passing the `inputs` argument."
            )
        saved = zip(ctx.saved_tensors, ctx.args, ctx.needs_input_grad[2:])
        args = [one if kept is None else kept.detach().requires_grad_(needed) for kept, one, needed in saved]
        with enable_grad(), _random_numbers(ctx.random):
            outputs = ctx.function(*args)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        pairs = [(out, g) for out, g in zip(outputs, gradients) if isinstance(out, Tensor) and out.requires_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward(*zip(*pairs))
        return (None, None, *(one.grad if isinstance(one, Tensor) else None for one in args))
