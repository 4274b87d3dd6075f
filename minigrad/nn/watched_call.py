"""Full backward hooks: a module's gradients, seen where they enter it and where they leave it.

A module is no node of the graph. So a call that is watched leads its inputs and its outputs through two nodes that
change nothing, and hangs the hooks there.
"""

from typing import Any

from ..autograd.function import Function
from ..creation import zeros
from ..tensor import Tensor


class BackwardHookFunction(Function):
    """The tensors as they are, with a node behind them."""

    @staticmethod
    def forward(ctx: Any, *tensors: Tensor) -> Any:
        return tensors

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        return gradients


class WatchedCall:
    """One call of a module that has full backward hooks."""

    def __init__(self, module: Any, pre_hooks: dict, hooks: dict) -> None:
        self.module, self.pre_hooks, self.hooks = module, tuple(pre_hooks.values()), tuple(hooks.values())
        self.inputs: list[int] = []  # which arguments gradients flow to
        self.grad_output: tuple | None = None

    def enter(self, args: tuple) -> tuple:
        """The arguments, led through the node at which gradients leave the module."""
        self.count = len(args)
        self.constants = {
            i: (value.shape, value.dtype)
            for i, value in enumerate(args)
            if isinstance(value, Tensor) and not value.requires_grad
        }
        args, self.inputs, node = through_node(args)
        if node is not None and self.hooks:
            node.register_hook(self._left)
        return args

    def leave(self, result: Any) -> Any:
        """The result, led through the node at which gradients enter the module."""
        several = isinstance(result, tuple)
        results, self.outputs, node = through_node(result if several else (result,))
        self.result_count = len(results)
        if node is not None:
            node.register_prehook(self._entered)
        return results if several else results[0]

    def _entered(self, gradients: tuple) -> tuple:
        seen = spread(gradients, self.outputs, self.result_count)
        for hook in self.pre_hooks:
            seen = answered(hook(self.module, seen), seen, "grad_output")
        self.grad_output = seen
        if not self.inputs:  # the gradient ends in the module itself
            for hook in self.hooks:
                answer = hook(self.module, (None,) * self.count, seen)
                if answer is not None and any(part is not None for part in answer):
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always return None or None "
                        "for all gradients."
                    )
        return tuple(seen[i] for i in self.outputs)

    def _left(self, gradients: tuple, _: tuple) -> tuple:
        zero = {i: zeros(shape, dtype=dtype) for i, (shape, dtype) in self.constants.items()}
        seen = spread(gradients, self.inputs, self.count, zero)
        for hook in self.hooks:
            seen = answered(hook(self.module, seen, self.grad_output), seen, "grad_input")
        return tuple(seen[i] for i in self.inputs)


def through_node(values: tuple) -> tuple[tuple, list[int], Any]:
    """The values, of which those that need gradients come from one new node; which ones, and the node."""
    places = [i for i, value in enumerate(values) if isinstance(value, Tensor) and value.requires_grad]
    passed = BackwardHookFunction.apply(*(values[i] for i in places)) if places else ()
    if not passed or passed[0].grad_fn is None:  # nothing is recorded now
        return values, [], None
    moved = dict(zip(places, passed))
    return tuple(moved.get(i, value) for i, value in enumerate(values)), places, passed[0].grad_fn


def spread(gradients: tuple, places: list[int], count: int, others: dict[int, Tensor] | None = None) -> tuple:
    """One gradient for each value: of those that need none what `others` says, or None."""
    found = {**(others or {}), **dict(zip(places, gradients))}
    return tuple(found.get(i) for i in range(count))


def answered(answer: Any, before: tuple, called: str) -> tuple:
    """The gradients after a hook, which returned others or None."""
    if answer is None:
        return before
    answer = answer if isinstance(answer, tuple) else (answer,)
    if len(answer) != len(before):
        raise RuntimeError(
            f"Backward {'pre ' if called == 'grad_output' else ''}hook returned an invalid number of {called}, "
            f"got {len(answer)}, but expected {len(before)}"
        )
    return answer
