"""Functions that a person hangs on the backward: what they see, what they may replace, how they are taken off."""

import itertools
import threading
import weakref
from contextlib import AbstractContextManager

import numpy as np

from .events import HookCalled
from .modes import set_grad_enabled
from .tensor import Tensor, wrap
from .unbroadcast import conform

_ids = itertools.count()
running = threading.local()  # `walk`: the backward in which a tensor hook is being called


class RemovableHandle(AbstractContextManager):
    """Takes a hook off again: call `remove()`, or use it as a context manager.

    >>> import minigrad as mg
    >>> x = mg.ones(1, requires_grad=True)
    >>> with x.register_hook(lambda grad: grad * 10):
    ...     (x * 2).sum().backward()
    >>> x.grad
    tensor([20.])
    """

    def __init__(self, hooks: "HookDict", hook) -> None:
        self.id = next(_ids)
        self._hooks = weakref.ref(hooks)
        hooks[self.id] = hook

    def remove(self) -> None:
        hooks = self._hooks()
        if hooks is not None:  # else their node is gone
            hooks.pop(self.id, None)

    def __exit__(self, *exception):
        self.remove()


class HookDict(dict):
    """A dict that a handle can refer to weakly, so that a handle kept for long keeps no graph alive."""

    __slots__ = ("__weakref__",)


class Hooks:
    """The hooks of one node, each kind in the order of registration."""

    def __init__(self, leaf: "Hooks | None" = None) -> None:
        self.tensor: dict[int, HookDict] = {}  # by output: what `Tensor.register_hook` registered
        self.retain: dict[int, weakref.ref] = {}  # by output: the tensor that wants to keep its gradient
        self.pre = HookDict()  # Node.register_prehook
        self.post = HookDict()  # Node.register_hook
        self.accumulated = HookDict()  # Tensor.register_post_accumulate_grad_hook
        if leaf is not None:  # a new node of a leaf goes on with the hooks that the leaf has kept
            self.tensor, self.retain, self.accumulated = leaf.tensor, leaf.retain, leaf.accumulated

    def retains(self, tensor, index: int) -> bool:
        return index in self.retain and self.retain[index]() is tensor


def hooks_of(node) -> Hooks:
    """The hooks of a node, made when first needed; a leaf keeps those of its node, which may vanish before it."""
    if node.hooks is None:
        node.special, node.hooks = True, Hooks()
        if node.is_leaf:
            node.variable._hooks = node.hooks
    return node.hooks


def keep_retaining(tensor, node, index: int) -> None:
    """A tensor that retains its gradient does so, too, after a change in place gave it another node."""
    old = tensor._node and tensor._node.hooks
    if old and old.retains(tensor, tensor._index) and node is not None:
        hooks_of(node).retain[index] = old.retain.pop(tensor._index)


class Walk(list):
    """The nodes of one backward, in the order in which they run."""

    waiting: dict  # by hook that waits for several gradients of this backward: what has arrived so far


# == running them ==========================================================================================


def run_tensor_hooks(node, g, tensors: bool, say: bool, walk: Walk):
    """Show a complete gradient to its tensor's hooks, which may replace it; then keep it where it is retained."""
    shown, touched = _as_tensors(node, g), False
    for index, hooks in tuple(node.hooks.tensor.items()):
        for hook in tuple(hooks.values()):
            before = shown[index]
            running.walk = walk
            try:
                with set_grad_enabled(tensors):
                    answer = hook(before)
            finally:
                running.walk = None
            if answer is not None:
                shown[index] = _checked(answer, before, hook)
            touched = True
            if say:
                yield HookCalled(node, "tensor", hook, before, shown[index])
    for index, reference in node.hooks.retain.items():
        tensor, gradient = reference(), shown[index]
        if tensor is not None and gradient is not None:
            with set_grad_enabled(tensors):  # a copy: what is done to `.grad` later must not reach the graph
                own = gradient.clone() if tensors else wrap(gradient.array.copy())
                old, tensor._grad = tensor._grad, own if tensor._grad is None else tensor._grad + own
            if say:
                yield HookCalled(node, "retain_grad", None, old, tensor._grad)
    return _as_gradient(node, shown, tensors) if touched else g


def run_pre_hooks(node, g, tensors: bool, say: bool):
    """Show the gradients to the hooks of the node itself, which may replace them, before it runs."""
    shown = _as_tensors(node, g)
    for hook in tuple(node.hooks.pre.values()):
        before = tuple(shown)
        with set_grad_enabled(tensors):
            answer = hook(before)
        if answer is not None:
            shown = _checked_all(answer, shown, hook)
        if say:
            yield HookCalled(node, "pre", hook, before, tuple(shown))
    return _as_gradient(node, shown, tensors)


def run_post_hooks(node, parts, g, tensors: bool, say: bool):
    """Show the gradients that a node computed to its own hooks, which may replace them."""
    outer = tuple(_as_tensors(node, g))
    parts = [part if part is None else conform(part, node, slot) for slot, part in enumerate(parts)]
    for hook in tuple(node.hooks.post.values()):
        before = tuple(_tensor(part) for part in parts)
        with set_grad_enabled(tensors):
            answer = hook(before, outer)
        if answer is not None:
            parts = [one if tensors or one is None else one.array for one in _checked_all(answer, before, hook)]
        if say:
            yield HookCalled(node, "post", hook, before, tuple(_tensor(part) for part in parts))
    parts = parts if tensors else [part if part is None else part.copy() for part in parts]  # as in `_as_gradient`
    return [None if edge is None else part for part, edge in zip(parts, node.edges)]


def run_accumulated_hooks(node, g, tensors: bool, say: bool):
    """A leaf's `.grad` was filled: call the hooks that wait for it, then those of its node."""
    for hook in tuple(node.hooks.accumulated.values()):
        with set_grad_enabled(tensors):
            answer = hook(node.variable)
            if answer is not None and _checked(answer, node.variable, hook) is not node.variable:
                raise RuntimeError("Tensor post accumulate grad hooks should return None.")
        if say:
            yield HookCalled(node, "accumulated", hook, node.variable, node.variable)
    if node.hooks.post:
        yield from run_post_hooks(node, [], g, tensors, say)


def _tensor(value):
    return value if value is None or isinstance(value, Tensor) else wrap(np.asarray(value))


def _as_tensors(node, g) -> list:
    return [_tensor(one) for one in (g if g is not None and node.outputs > 1 else [g] * node.outputs)]


def _as_gradient(node, shown: list, tensors: bool):
    if not tensors:  # copied: a hook may have kept what it saw
        shown = [None if value is None else value.array.copy() for value in shown]
    if all(value is None for value in shown):
        return None
    return shown if node.outputs > 1 else shown[0]


def _checked_all(answer, before, hook) -> list:
    """What a node's hook returned instead of several gradients, if all fit."""
    if not isinstance(answer, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(answer).__name__}'")
    if len(answer) != len(before):
        raise RuntimeError(
            f"hook '{name_of(hook)}' has returned an incorrect number of values (got {len(answer)}, but expected "
            f"{len(before)})"
        )
    return [one if one is None else _checked(one, old, hook) for one, old in zip(answer, before)]


def _checked(answer, before, hook) -> Tensor:
    """What a tensor hook returned instead of the gradient, if it fits."""
    if before is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if not isinstance(answer, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(answer).__name__}'")
    if answer.dtype is not before.dtype:
        raise RuntimeError(
            f"hook '{name_of(hook)}' has changed the type of value (was {before.type()} got {answer.type()})"
        )
    if answer.shape != before.shape:
        raise RuntimeError(f"hook '{name_of(hook)}' has changed the size of value")
    return answer


def name_of(hook) -> str:
    return getattr(hook, "__name__", type(hook).__name__)
