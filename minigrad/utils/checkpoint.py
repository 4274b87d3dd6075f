"""Memory against time: keep only the inputs of a part of the forward, and compute the rest again for the backward.

The graph is the usual one, but in the place of each saved value it holds a promise (see
`autograd.graph.saved_tensors_hooks`). When the backward asks for the first of them, the function runs again and
fulfils them all.
"""

import contextlib
import warnings
from collections.abc import Callable
from typing import Any

from ..autograd import is_grad_enabled
from ..autograd.graph import Packed, innermost, saved_tensors_hooks
from ..core.graph import node_of
from ..core.modes import enable_grad
from ..core.tensor import Tensor, counter_of
from ..random.sampling import get_rng_state, set_rng_state
from ..words import absent
from ..words.advice import overwritten

UNSAID = "the use_reentrant parameter should be passed explicitly; use_reentrant=False is the only way here"
REENTRANT = "use_reentrant=True, PyTorch's older way, does not exist here; use_reentrant=False gives the same gradients"
OPTIONS = ("context_fn", "determinism_check", "debug", "early_stop")  # PyTorch's, which never reach the function


class CheckpointError(RuntimeError):
    """The function did something else when it ran again."""


def checkpoint(
    function: Callable, *args: Any, use_reentrant: bool | None = None, preserve_rng_state: bool = True, **kwargs: Any
) -> Any:
    """`function(*args, **kwargs)`, of which only the arguments are kept for the backward.

    Args:
        use_reentrant: say False; PyTorch has an older way besides.
        preserve_rng_state: draw the same random numbers when it runs again.

    >>> import minigrad as mg
    >>> x = mg.ones(3, requires_grad=True)
    >>> y = mg.utils.checkpoint.checkpoint(lambda x: x.sin().exp(), x, use_reentrant=False)
    >>> y.sum().backward()
    >>> x.grad
    tensor([1.2534, 1.2534, 1.2534])
    """
    if use_reentrant:  # it hides the graph from `grad` and from hooks, so PyTorch advises against it
        raise NotImplementedError(REENTRANT)
    for option in OPTIONS:
        if option in kwargs:
            raise NotImplementedError(
                f"the option {option} does not exist here; a second run always ends with the last value that the "
                "backward needs, and is compared with the first"
            )
    if use_reentrant is None:
        warnings.warn(UNSAID, stacklevel=2)
    if not is_grad_enabled():
        return function(*args, **kwargs)
    run = _Run(function, args, kwargs, preserve_rng_state)
    with saved_tensors_hooks(run.promise, run.fulfil):
        return function(*args, **kwargs)


class _Enough(Exception):
    """All promised values are there."""


class _Run:
    """One call of a function, its promises, and the second run that fulfils them."""

    def __init__(self, function: Callable, args: tuple, kwargs: dict, keep_random: bool) -> None:
        self.function, self.kwargs = function, kwargs
        self.random = get_rng_state() if keep_random else None
        self.args = [_Kept(one) if isinstance(one, Tensor) else one for one in args]
        self.promised: list[dict] = []  # what is known of each value, by its number
        self.values: dict[int, Tensor] = {}  # those that are there and have not been asked for

    def promise(self, tensor: Tensor) -> int:
        self.promised.append(looks(tensor))
        return len(self.promised) - 1

    def fulfil(self, number: int) -> Tensor:
        if number not in self.values:
            self.run_again()
        return self.values.pop(number)

    def run_again(self) -> None:
        found: list[Tensor] = []

        def keep(tensor: Tensor):
            found.append(tensor.detach() if tensor.requires_grad else tensor)
            if len(found) == len(self.promised):
                raise _Enough
            return found[-1]  # for a backward inside the function

        args = [one.tensor() if isinstance(one, _Kept) else one for one in self.args]
        random = contextlib.nullcontext() if self.random is None else _random_numbers(self.random)
        with enable_grad(), random, contextlib.suppress(_Enough):
            with saved_tensors_hooks(keep, lambda kept: kept):
                self.function(*args, **self.kwargs)
        if len(found) != len(self.promised):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {len(self.promised)}\n"
                f"Number of tensors saved during recomputation: {len(found)}."
            )
        others = [
            f"tensor at position {i}:\nsaved metadata: {promised}\nrecomputed metadata: {looks(tensor)}\n"
            for i, (tensor, promised) in enumerate(zip(found, self.promised))
            if looks(tensor) != promised
        ]
        if others:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than "
                "during the forward pass.\n" + "".join(others)
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
                tensor._accumulator = type(None)  # its numbers may be others: a leaf of its own
            return tensor
        if self.counter[0] != self.version:
            tensor, kept = self.held, "A checkpoint had kept it as an argument"
            made_by = tensor.grad_fn
            raise RuntimeError(overwritten(tensor.array, self.counter, self.version, made_by, tensor.output_nr, kept))
        return self.held


def looks(tensor: Tensor) -> dict[str, Any]:
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


@contextlib.contextmanager
def _random_numbers(state):
    """The random numbers of then; those of now go on afterwards."""
    now = get_rng_state()
    set_rng_state(state)
    try:
        yield
    finally:
        set_rng_state(now)


__getattr__ = absent.answer(__name__)
