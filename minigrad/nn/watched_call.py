"""Full backward hooks: a module's gradients, seen where they enter it and where they leave it.

A module is no node of the graph. So a call that is watched leads its inputs and its outputs through two nodes that
change nothing, and hangs the hooks there.
"""

import warnings
from collections.abc import Callable
from typing import Any

from ..autograd.function import Function
from ..core.modes import modes
from ..core.tensor import Tensor

UNSEEN = (
    "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require "
    "gradients."
)


class BackwardHookFunction(Function):
    """The tensors as they are, with a node behind them."""

    @staticmethod
    def forward(ctx: Any, *tensors: Tensor) -> Any:
        ctx.mark_non_differentiable(*(tensor for tensor in tensors if not tensor.requires_grad))
        return tensors

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        return gradients


class WatchedCall:
    """One call of a module that has full backward hooks."""

    def __init__(self, module: Any, pre_hooks: dict, hooks: dict) -> None:
        self.module, self.pre_hooks, self.hooks = module, tuple(pre_hooks.values()), tuple(hooks.values())
        self.grad_output: tuple | None = None  # while a gradient is on its way through the module

    def enter(self, args: tuple) -> tuple:
        """The arguments, led through the node at which gradients leave the module."""
        self.count = len(args)
        args, self.inputs = through_node(args, self._left)
        return args

    def leave(self, result: Any) -> Any:
        """The result, led through the node at which gradients enter the module."""
        several = isinstance(result, tuple)
        if not several and not isinstance(result, Tensor):
            wanted = "module output should be a Tensor or a tuple of Tensors"
            warnings.warn(f"For backward hooks to be called, {wanted} but received {type(result)}", stacklevel=3)
        self.result_count = len(result) if several else 1
        results, self.outputs = through_node(result if several else (result,), self._entered)
        return results if several else results[0]

    def _entered(self, _: tuple, gradients: tuple) -> tuple:
        seen = spread(gradients, self.outputs, self.result_count)
        for hook in self.pre_hooks:
            seen = answered(hook(self.module, seen), seen, "pre hook returned an invalid number of grad_output")
        if self.inputs:
            self.grad_output = seen
        else:  # the gradient ends in the module itself
            if self.hooks:
                warnings.warn(UNSEEN, stacklevel=2)
            for hook in self.hooks:
                answer = hook(self.module, (None,) * self.count, seen)
                if answer is not None and not (isinstance(answer, tuple) and all(part is None for part in answer)):
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always return None or None "
                        "for all gradients."
                    )
        return tuple(seen[i] for i in self.outputs)

    def _left(self, gradients: tuple, _: tuple) -> tuple | None:
        if self.grad_output is None:  # a gradient that came past the output, as in a double backward
            return None
        seen = spread(gradients, self.inputs, self.count)
        for hook in self.hooks:
            answer = hook(self.module, seen, self.grad_output)
            seen = answered(answer, seen, "hook returned an invalid number of grad_input")
        self.grad_output = None
        return tuple(seen[i] for i in self.inputs)


def through_node(values: tuple, watch: Callable) -> tuple[tuple, list[int]]:
    """The values, of which the tensors come from one new node with a hook, and their places; if any needs gradients."""
    places = [i for i, value in enumerate(values) if isinstance(value, Tensor)]
    if not modes.state.grad or not any(values[i].requires_grad for i in places):
        return values, []
    passed = dict(zip(places, BackwardHookFunction.apply(*(values[i] for i in places))))

    def hook(gradients: tuple, others: tuple) -> tuple | None:  # by this name an error speaks of it, as in PyTorch
        return watch(gradients, others)

    next(one.grad_fn for one in passed.values() if one.grad_fn is not None).register_hook(hook)
    moved = [passed.get(i, value) for i, value in enumerate(values)]
    return tuple(moved) if type(values) is tuple else type(values)(*moved), places


def spread(gradients: tuple, places: list[int], count: int) -> tuple:
    """One gradient for each value, None for what is no tensor."""
    found = dict(zip(places, gradients))
    return tuple(found.get(i) for i in range(count))


def answered(answer: tuple | None, seen: tuple, refusal: str) -> tuple:
    """The gradients after a hook, which returned others or None."""
    if answer is not None and len(answer) != len(seen):
        raise RuntimeError(f"Backward {refusal}, got {len(answer)}, but expected {len(seen)}")
    return seen if answer is None else answer
