"""What a node keeps, kept differently: packed after the forward, unpacked when the backward asks for it.

Also here: places in the graph, and a hook that waits for several gradients.
"""

import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from ..core.graph import AccumulateGrad, Node, node_of
from ..core.hooks import running
from ..core.modes import no_grad, packers
from ..core.op_node import UNCHANGING, OpNode
from ..core.tensor import Tensor, counter_of, wrap
from ..words import absent
from .starts import GradientEdge

# == packing and unpacking =================================================================================


class saved_tensors_hooks:
    """While the block runs, each value saved for a backward goes through `pack_hook`, in this thread.

    What that returns is kept, and goes through `unpack_hook` whenever the value is needed. Of nested blocks only the
    innermost acts. Nobody checks that a packed value stays the same: what `unpack_hook` returns is taken as it is.

    >>> import minigrad as mg
    >>> x = mg.tensor([2.0, 3.0], requires_grad=True)
    >>> with mg.autograd.graph.saved_tensors_hooks(lambda tensor: tensor.half(), lambda packed: packed.float()):
    ...     y = (x * x).sum()
    >>> y.backward()
    >>> x.grad
    tensor([4., 6.])
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        if not (callable(pack_hook) and callable(unpack_hook)):
            raise TypeError("saved_tensors_hooks(pack_hook, unpack_hook) takes two functions")
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        _here.hooks.append(self)
        packers.append(pack)

    def __exit__(self, *exception) -> None:
        _here.hooks.pop()
        packers.pop()


class _Here(threading.local):
    """What holds in this thread; `packers` tells the engine that it holds in some thread."""

    def __init__(self) -> None:
        self.hooks: list[saved_tensors_hooks] = []


_here = _Here()


def innermost() -> saved_tensors_hooks | None:
    """The hooks that act in this thread now."""
    return _here.hooks[-1] if _here.hooks else None


# == the nodes that keep packed values =====================================================================


def pack(node) -> None:
    """Replace what a new node saved by what the pack hook makes of it."""
    hooks = innermost()
    if hooks is None or node is None:
        return
    if isinstance(node, OpNode):
        counters = [None if counter is UNCHANGING else counter for counter in node.counters]
        places = [i for i in in_order(node) if type(counters[i]) is list or isinstance(node.saved[i], np.ndarray)]
    else:
        places = [i for i, one in enumerate(node.saved or ()) if one]
    for i in places:
        pack_one(node, i, hooks)


def in_order(node) -> list[int]:
    """The places of a node's saved values as PyTorch goes through them: inputs by name, then outputs."""
    saves = node.plan.saves
    return sorted(range(len(saves)), key=lambda i: (saves[i].output is not None, saves[i].attribute))


def pack_one(node, i: int, hooks: saved_tensors_hooks) -> None:
    """Replace one saved value by what a pack hook makes of it. The node's class becomes one that unpacks."""
    is_function = not isinstance(node, OpNode)
    if is_function:
        kept = node.saved[i]
        packed: Any = kept._replace(value=Packed(hooks, node.unpacked(kept), node), counter=[0], version=0)
    else:
        tensor = node.unpack(i)
        packed = Packed(hooks, tensor if isinstance(tensor, Tensor) else wrap(np.asarray(tensor)), node)
        at = len(node.plan.saves) + 2 * i
        node.saved = (*node.saved[:at], UNCHANGING, 0, *node.saved[at + 2 :])
    node.saved, node.special = (*node.saved[:i], packed, *node.saved[i + 1 :]), True
    kind, mixin = type(node.shown()), PackedFunctionNode if is_function else PackedOpNode
    if issubclass(kind, mixin):
        return
    if "_packed" not in vars(kind):
        kind._packed = type(kind.__name__, (mixin, kind), {"__module__": kind.__module__})
    node.__class__ = kind._packed


class Packed:
    """A saved value in the form that a pack hook gave it."""

    def __init__(self, hooks: saved_tensors_hooks, tensor: Tensor, node: Node | None) -> None:
        self.unpack_hook, self.dual, counter = hooks.unpack_hook, tensor._dual, counter_of(tensor)
        version = counter[0]
        with no_grad():
            self.value = hooks.pack_hook(tensor)
        if counter[0] != version:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook "
                "cannot be modified by in-place operations as this can lead to unexpected side-effects."
            )
        # a node never holds the tensor that it made
        if node is not None and isinstance(self.value, Tensor) and self.value._node is node:
            self.value = wrap(tensor._data)

    def tensor(self, node, index: int) -> Any:
        """The value again, with the history that belongs to it."""
        found = self.unpack_hook(self.value)
        if not isinstance(found, Tensor):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
                f"{type(found).__name__}"
            )
        if node is None and self.dual is None and not found.requires_grad:  # a constant
            return found
        if isinstance(node, AccumulateGrad):
            if found is node.variable:
                return found
            restored: Any = wrap(found._data)
            restored._requires_grad, restored._accumulator = True, weakref.ref(node)  # its gradient is the leaf's
        else:
            restored = wrap(found._data, node, index)
        restored._dual = self.dual  # the tangent is kept beside, whatever the hooks do
        return restored


class PackedOpNode(OpNode):
    def unpack(self, i):
        if self.saved is None or not isinstance(self.saved[i], Packed):
            return super().unpack(i)
        save = self.plan.saves[i]
        return self.saved[i].tensor(*self.origin(save)) if save.is_tensor else self.saved[i].tensor(None, 0)._data

    def unpack_all(self):
        found = {i: self.unpack(i) for i in in_order(self)}
        return [found[i] for i in range(len(found))]

    def gradients(self, g, scope=None, tensors=False):
        kept = self.saved
        if kept is not None and not tensors:  # for the rules, plain arrays
            with no_grad():
                packed = [i for i in in_order(self) if isinstance(kept[i], Packed)]
                found = {i: kept[i].tensor(None, 0)._data for i in packed}
                self.saved = tuple([found.get(i, one) for i, one in enumerate(kept)])
        try:
            return super().gradients(g, scope, tensors)
        finally:
            self.saved = kept

    def free(self):
        kept, self.saved = self.saved, None
        return kept is not None


class PackedFunctionNode(Node):  # laid over the class of a custom Function's nodes
    __slots__ = ()

    def unpacked(self, kept):
        if isinstance(kept.value, Packed):
            return kept.value.tensor(self if kept.is_output else kept.node, kept.output_nr)
        return super().unpacked(kept)  # type: ignore[misc]


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The place in the graph where the gradient of a tensor arrives. It keeps the graph alive, not the tensor.

    >>> import minigrad as mg
    >>> x = mg.tensor([2.0], requires_grad=True)
    >>> edge = mg.autograd.graph.get_gradient_edge(x * x)
    >>> edge.node.name(), mg.autograd.grad(edge, x)
    ('MulBackward0', (tensor([4.]),))
    """
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(node_of(tensor), tensor.output_nr)


class register_multi_grad_hook(AbstractContextManager):
    """Call `fn` in each backward that reaches some of the tensors; `remove()` ends that.

    With mode "all", once all that this backward reaches have their gradients: `fn(gradients)`, a list, None for the
    others. With "any", as soon as the first has: `fn(gradient)`.

    >>> import minigrad as mg
    >>> a, b = mg.ones(1, requires_grad=True), mg.ones(1, requires_grad=True)
    >>> handle = mg.autograd.graph.register_multi_grad_hook((a, b), lambda gradients: print(gradients))
    >>> (a * 2 + b * 3).sum().backward()
    [tensor([2.]), tensor([3.])]
    """

    def __init__(self, tensors: Sequence[Tensor], fn: Callable[[Any], Any], mode: str = "all") -> None:
        if mode not in ("all", "any"):
            raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
        if mode == "any":  # as in PyTorch, which then overlooks those that will never have a gradient
            tensors = [tensor for tensor in tensors if tensor.requires_grad]
        if not all(tensor.requires_grad for tensor in tensors):
            raise AssertionError("Expected gradient function to be set")
        self.places = [weakref.ref(tensor.grad_fn or tensor) for tensor in tensors]  # a hook keeps no graph alive
        self.fn, self.mode = fn, mode
        self.handles = [tensor.register_hook(self._waiter(i)) for i, tensor in enumerate(tensors)]

    def _waiter(self, i: int):
        def arrived(gradient):
            waiting = vars(running.walk).setdefault("waiting", {})
            first = self not in waiting
            if first:
                waiting[self] = [None] * len(self.places), self._reached(set(running.walk))
            gradients, missing = waiting.pop(self)
            gradients[i], done = gradient, missing == 1
            if not done:
                waiting[self] = gradients, missing - 1
            if self.mode == "any" and first:
                self.fn(gradient)
            elif self.mode == "all" and done:
                self.fn(gradients)

        return arrived

    def _reached(self, nodes: set) -> int:
        """How many of the tensors take part in a backward over these nodes."""
        places = (place() for place in self.places)
        return sum((node_of(one) if isinstance(one, Tensor) else one) in nodes for one in places)

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()

    def __exit__(self, *exception) -> None:
        self.remove()


__getattr__ = absent.answer(__name__)
