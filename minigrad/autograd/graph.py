"""The graph that a forward leaves behind: one node per operation, one edge per input.

A tensor points to the node that made it (`grad_fn`); a node points to the nodes that made its inputs, and to what its
derivative needs. Nothing points forward: a node never holds the tensor that it made, so there are no cycles, and a
graph that nobody needs is gone at once.

An *edge* is a tuple `(node, index, shape, dtype)`: the gradient goes to output number `index` of `node`, and must have
that shape and type when it arrives there. A tensor makes its edge once, and all its consumers share it.
"""

import itertools
import threading
import weakref

import numpy as np

from ..dtypes import SHORT_NAMES
from ..tensor import Tensor, wrap
from .hooks import Hooks, RemovableHandle, hooks_of

NOWHERE = (None, 0, None, None)  # the edge of an input that needs no gradient
FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
    "freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors "
    "after calling backward."
)
_sequence = itertools.count()  # never reset: a node is younger than all nodes that it can reach
_deposits = threading.Lock()  # two threads may send to one leaf


class Node:
    """A step of the backward. Subclasses say how: `gradients(g)` gives one part per edge."""

    is_leaf = False
    makes_new = True  # whether what `gradients` returns is new, or the incoming gradient, but never something kept
    outputs = 1  # how many tensors the operation made
    hooks: Hooks | None = None
    edges: tuple = ()
    source = None  # where in the user's code it was made, if somebody asked

    def name(self) -> str:
        return type(self).__name__

    @property
    def next_functions(self) -> tuple:
        """Where each part of the gradient goes: `(node, which of its outputs)`, or `(None, 0)`."""
        return tuple(edge[:2] for edge in self.edges)

    @property
    def metadata(self) -> dict:
        """A place for the user's own notes about this node."""
        return self.__dict__.setdefault("_metadata", {})

    def register_prehook(self, hook) -> RemovableHandle:
        """`hook(grad_outputs)` runs before the node and may return other gradients, as a tuple."""
        return RemovableHandle(hooks_of(self).pre, hook)

    def register_hook(self, hook) -> RemovableHandle:
        """`hook(grad_inputs, grad_outputs)` runs after the node and may return other `grad_inputs`, as a tuple."""
        return RemovableHandle(hooks_of(self).post, hook)

    def gradients(self, g, scope=None, tensors: bool = False) -> list:
        """One part of the gradient per edge, before any un-broadcast; None where no gradient is needed."""
        raise TypeError(f"{self.name()} has no rule for the backward")

    def free(self) -> bool:
        """Let go of what was saved; tells whether there was anything."""
        return False

    def __call__(self, *gradients):
        """Run this one step by hand, on Tensors: `dx, dy = product.grad_fn(dz)`."""
        parts = self.gradients(gradients if self.outputs > 1 else gradients[0], tensors=True)
        parts = [p if p is None else conform(p, edge, self, i) for i, (p, edge) in enumerate(zip(parts, self.edges))]
        return parts[0] if len(parts) == 1 else tuple(parts)

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"


class OpNode(Node):
    """The node of a row of the tables. `plan` (from the row) says which rule serves which edge with what saved values.

    A saved value is a triple `(array, counter, version)`: it may be used as long as the counter, which every in-place
    change of the array moves, still shows the version of that moment.
    """

    def __init__(self, edges: tuple, saved: tuple, plan) -> None:
        self.sequence = next(_sequence)
        self.edges = edges
        self.saved = saved
        self.plan = plan

    def gradients(self, g, scope=None, tensors=False):
        saved = self.saved
        if saved is None:
            raise RuntimeError(FREED)
        if self.outputs > 1 or self.op.outputs:
            g = self.whole(g, tensors)
        if tensors:
            values = [self.unpack(i, tensors=True) for i in range(len(saved))]
        else:
            values = []
            for array, counter, version in saved:
                if counter[0] != version:
                    raise RuntimeError(self.changed(len(values)))
                values.append(array)
        parts = [None] * len(self.edges)
        for slot, rule, picks in self.plan.rules:
            if scope is None or self.edges[slot][0] in scope:
                parts[slot] = rule(g, *values) if picks is None else rule(g, *[values[i] for i in picks])
        return parts

    def whole(self, gradients, tensors: bool):
        """The gradients of several outputs, zeros where none arrived; the first alone where only it has a gradient."""
        gradients = list(gradients) if self.outputs > 1 else [gradients]
        for i, (shape, dtype) in enumerate(self.made):
            if gradients[i] is None:
                zeros = np.zeros(shape, dtype)
                gradients[i] = wrap(zeros) if tensors else zeros
        return gradients if self.op.outputs == ("parts",) else gradients[0]

    def unpack(self, i: int, tensors: bool):
        """A saved value, as an array, or as the Tensor that it was, with its history."""
        if self.saved is None:
            raise RuntimeError(FREED)
        array, counter, version = self.saved[i]
        if counter[0] != version:
            raise RuntimeError(self.changed(i))
        save = self.plan.saves[i]
        slot, output = save.slot, save.output
        if not tensors or save.shape_only or (slot is None and output is None):
            return array
        edge = (self, output, array.shape, array.dtype) if slot is None else self.edges[slot]
        if edge is NOWHERE:  # a constant: a Tensor without history, or just a Python number
            return wrap(array, counter=counter) if isinstance(array, np.ndarray | np.generic) else array
        return edge[0].variable if edge[0].is_leaf else wrap(array, edge, counter)

    def changed(self, i: int) -> str:
        array, counter, version = self.saved[i]
        kind = f"[torch.{SHORT_NAMES[array.dtype.name]}Tensor {list(array.shape)}]"
        output, slot = self.plan.saves[i].output, self.plan.saves[i].slot
        made_by = self if slot is None else self.edges[slot][0]
        whose = "" if made_by is None or made_by.is_leaf else f", which is output {output or 0} of {made_by.name()},"
        return (
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"{kind}{whose} is at version {counter[0]}; expected version {version} instead. Hint: enable anomaly "
            "detection to find the operation that failed to compute its gradient, with "
            "torch.autograd.set_detect_anomaly(True)."
        )

    def free(self) -> bool:
        if self.plan.frees and self.saved is not None:
            self.saved = None
            return True
        return False

    def saved_arrays(self) -> dict:
        """What is kept for the backward, by name."""
        return {save.name: array for save, (array, _, _) in zip(self.plan.saves, self.saved or ())}

    @classmethod
    def expose(cls, attribute: str) -> None:
        """Give the class an attribute for a saved value, as PyTorch has it: `node._saved_self`."""
        setattr(cls, attribute, property(lambda node: node.saved_attribute(attribute)))

    def saved_attribute(self, attribute: str):
        for i, save in enumerate(self.plan.saves):
            if save.attribute == attribute:
                value = self.unpack(i, tensors=True)
                number = save.slot is not None and not save.shape_only and not isinstance(value, Tensor)
                return wrap(np.asarray(value)) if number else value
        return None  # not needed by the inputs that require grad


class AccumulateGrad(Node):
    """The end of a path: adds what arrives to the `.grad` of a leaf. It keeps the leaf alive, never the reverse."""

    is_leaf = True
    sequence = float("inf")

    def __init__(self, variable) -> None:
        self.variable = variable
        self.edge = (self, 0, variable._data.shape, variable._data.dtype)

    @property
    def hooks(self):  # a leaf's hooks outlive the graph, so the leaf keeps them
        return self.variable._hooks

    @hooks.setter
    def hooks(self, hooks) -> None:
        self.variable._hooks = hooks

    def deposit(self, part, tensors: bool = False) -> None:
        """Add `part`, an array that nobody else holds (or a Tensor), to the leaf's `.grad`."""
        variable = self.variable
        with _deposits:
            grad = variable._grad
            if tensors:  # recorded: what `.grad` was stays as it was, and the new one belongs to this leaf alone
                variable._grad = wrap(np.empty_like(part.array)).copy_(part) if grad is None else grad + part
            elif grad is None:
                variable._grad = wrap(part)
            else:
                grad._data += part
                grad._counter[0] += 1

    def __call__(self, gradient):
        """Deposit a gradient by hand."""
        self.deposit(conform(gradient, self.edge, self, 0), tensors=True)


def leaf_edge(variable) -> tuple:
    """The edge to a leaf's AccumulateGrad: one node per leaf, as long as some graph needs it."""
    node = variable._accumulator and variable._accumulator()
    if node is None:
        node = AccumulateGrad(variable)
        variable._accumulator = weakref.ref(node)
    return node.edge


def conform(part, edge: tuple, node, slot: int):
    """The un-broadcast: `part` summed over the axes along which the input was stretched, in the input's own type."""
    _, _, shape, dtype = edge
    is_tensor = isinstance(part, Tensor)
    if part.shape != shape:
        if not is_broadcast_of(part.shape, shape):
            raise RuntimeError(
                f"Function {node.name()} returned an invalid gradient at index {slot} - got {list(part.shape)} but "
                f"expected shape compatible with {list(shape)}"
            )
        part = part.sum_to_size(shape) if is_tensor else sum_to(part, shape)
    given = (part._data if is_tensor else part).dtype
    if given != dtype:
        part = part.real if given.kind == "c" and dtype.kind != "c" else part
        part = part.to(dtype) if is_tensor else part.astype(dtype)
    return part


def is_broadcast_of(large: tuple, small: tuple) -> bool:
    """Whether broadcasting an array of shape `small` can give shape `large`."""
    pairs = zip(reversed(large), reversed(small))
    return len(large) >= len(small) and all(n in (m, 1) for m, n in pairs)


def sum_to(array: np.ndarray, shape: tuple) -> np.ndarray:
    """The reverse of broadcasting: where one value was used many times, its gradients add up.

    >>> sum_to(np.ones((2, 3)), (3,))
    array([2., 2., 2.])
    """
    extra = array.ndim - len(shape)
    axes = tuple(i + extra for i, n in enumerate(shape) if n == 1 and array.shape[i + extra] != 1)
    reduced = np.add.reduce(array, tuple(range(extra)) + axes, keepdims=bool(axes))
    return reduced.reshape(shape) if axes else reduced
