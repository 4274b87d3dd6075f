"""Functions that a person hangs on the backward: what they see, what they may replace, how they are taken off."""

import itertools
import weakref

_ids = itertools.count()


class RemovableHandle:
    """Takes a hook off again: call `remove()`, or use it as a context manager.

    >>> import minigrad as mg
    >>> x = mg.ones(1, requires_grad=True)
    >>> with x.register_hook(lambda grad: grad * 10):
    ...     (x * 2).sum().backward()
    >>> x.grad
    tensor([20.])
    """

    def __init__(self, hooks: dict, hook) -> None:
        self.id = next(_ids)
        self._hooks = weakref.ref(hooks)
        hooks[self.id] = hook

    def remove(self) -> None:
        hooks = self._hooks()
        if hooks is not None:
            hooks.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.remove()


class HookDict(dict):
    """A dict that a handle can refer to weakly: a handle kept for long keeps no graph alive."""

    __slots__ = ("__weakref__",)


class Hooks:
    """The hooks of one node, each kind in the order of registration."""

    def __init__(self) -> None:
        self.tensor: dict[int, HookDict] = {}  # by output: what `Tensor.register_hook` registered
        self.retain: dict[int, weakref.ref] = {}  # by output: the tensor that wants to keep its gradient
        self.pre = HookDict()  # Node.register_prehook
        self.post = HookDict()  # Node.register_hook
        self.accumulated = HookDict()  # Tensor.register_post_accumulate_grad_hook

    def retain_for(self, tensor, index: int) -> None:
        self.retain[index] = weakref.ref(tensor)

    def retains(self, tensor, index: int) -> bool:
        return index in self.retain and self.retain[index]() is tensor


def hooks_of(owner) -> Hooks:
    """The hooks of a node or a leaf, made when first needed."""
    if owner.hooks is None:
        owner.hooks = Hooks()
    return owner.hooks


def register(tensor, hook, accumulated: bool = False) -> RemovableHandle:
    """Hang a hook on a tensor: a leaf keeps it itself, any other leaves it with the node that made it."""
    if tensor._edge is None:
        if tensor._hooks is None:
            tensor._hooks = Hooks()
        hooks = tensor._hooks
        return RemovableHandle(hooks.accumulated if accumulated else hooks.tensor.setdefault(0, HookDict()), hook)
    node, index = tensor._edge[0], tensor._edge[1]
    return RemovableHandle(hooks_of(node).tensor.setdefault(index, HookDict()), hook)
