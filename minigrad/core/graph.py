"""The graph that a forward leaves behind: one node per operation, one edge per input.

A tensor points to the node that made it (`grad_fn`); a node points to the nodes that made its inputs (`edges`), and to
what its derivative needs (`saved`). Nothing points forward: a node never holds the tensor that it made, so there are no
cycles, and a graph that nobody needs any more is gone at once.
"""

import itertools
import re
import threading
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..numbers.memory import add_to, lying_as, room_like
from ..words.source import Source
from .hooks import Hooks, RemovableHandle, hooks_of
from .tensor import Tensor, counter_of, wrap
from .unbroadcast import fitted

sequence = itertools.count()  # never reset: a node is younger than all nodes that it can reach
_leaves = threading.RLock()  # two threads may use one leaf, or send to it


class Node:
    """A step of the backward. Subclasses say how: `gradients(g)` gives one part per edge."""

    is_leaf = False
    variable: Any  # of a leaf alone
    makes_new = True  # whether what `gradients` returns is new, or the incoming gradient, but never something kept
    # For each input the node to which its part of the gradient goes; None where none is needed.
    edges: list | tuple = ()
    indices: list | None = None  # which output of that node each input was; None: the first everywhere
    outputs = 1  # how many tensors the operation made
    shape: tuple = ()  # what a gradient must look like when it arrives here
    dtype: np.dtype | None = None
    saved: Any = ()  # what its derivative needs; None once that was freed
    plan: Any = None  # of an operation of the tables: how its derivative is computed
    special = False  # whether it has hooks, several outputs, no `plan`, or more that most nodes have not
    hooks: Hooks | None = None
    source: Source | None = None  # where in the user's code it was made, if somebody listened
    sequence: int  # its age

    def shown(self) -> "Node":
        """This node, as a person may see it."""
        return self

    def name(self) -> str:
        """As PyTorch says it: its nodes that come from no table have the C++ namespace in front."""
        name = type(self.shown()).__name__
        return name if re.search(r"Backward(\d|$)", name) else f"torch::autograd::{name}"

    @property
    def next_functions(self) -> tuple:
        """Where each part of the gradient goes: `(node, which of its outputs)`, or `(None, 0)`."""
        return tuple(zip([edge and edge.shown() for edge in self.edges], self.indices or itertools.repeat(0)))

    @property
    def metadata(self) -> dict:
        """A place for the user's own notes about this node."""
        return self.__dict__.setdefault("_metadata", {})

    @property
    def saves(self) -> Sequence:
        """What it keeps for its derivative: a `Save` for each value, which `unpack(i)` gives."""
        return ()

    def unpack(self, i: int) -> Any:
        raise IndexError(f"{self.name()} keeps no value {i}")

    @property
    def arguments(self) -> Sequence[int]:
        """For each edge: which argument of the call it belongs to."""
        return range(len(self.edges))

    def owners(self) -> dict[int, Tensor]:
        """The tensors whose `.grad` is filled here, by output: a leaf, or those that retain their gradient."""
        retaining = self.hooks.retain.items() if self.hooks is not None else ()
        return {index: tensor for index, reference in retaining if (tensor := reference()) is not None}

    def register_prehook(self, hook) -> RemovableHandle:
        """`hook(grad_outputs)` runs before the node and may return other gradients, as a tuple."""
        return RemovableHandle(hooks_of(self).pre, hook)

    def register_hook(self, hook) -> RemovableHandle:
        """`hook(grad_inputs, grad_outputs)` runs after the node and may return other `grad_inputs`, as a tuple."""
        return RemovableHandle(hooks_of(self).post, hook)

    def expects(self, index: int) -> tuple:
        """The shape and type of the gradient of one output."""
        return self.shape, self.dtype

    def gradients(self, g, scope=None, tensors: bool = False) -> list:
        """One part of the gradient per edge, before any un-broadcast; None where no gradient is needed."""
        raise TypeError(f"{self.name()} has no rule for the backward")

    def on_nothing(self, scope=None, tensors: bool = False) -> list:
        """What `gradients` is where no gradient arrived."""
        return [None] * len(self.edges)

    def check_asked(self, index: int) -> None:
        """Refuse to tell the gradient of an output of which not all arrives here."""

    def free(self) -> bool:
        """Let go of what was saved; tells whether there was anything."""
        return False

    def saved_values(self) -> list:
        """What is kept for the backward: names and values."""
        return []

    def __repr__(self) -> str:
        return f"<{type(self.shown()).__name__} object at {id(self):#x}>"


class AccumulateGrad(Node):
    """The end of a path: adds what arrives to the `.grad` of a leaf. It keeps the leaf alive, never the reverse."""

    is_leaf = True

    def deposit(self, part, tensors: bool = False) -> None:
        """Add `part`, an array that nobody else holds (or a Tensor), to the leaf's `.grad`."""
        variable, data = self.variable, self.variable._data  # as in PyTorch, a gradient lies as its leaf does
        if not variable._requires_grad:  # frozen since
            return
        with _leaves:
            grad = variable._grad
            if tensors:  # recorded: what `.grad` was stays as it was, and the new one belongs to this leaf alone
                variable._grad = wrap(room_like(part.array, data)).copy_(part) if grad is None else grad + part
            elif grad is None:
                variable._grad = wrap(part if part.ndim < 2 or part.strides == data.strides else lying_as(part, data))
            else:
                try:
                    grad._data += part
                except ValueError:  # NumPy hands out a diagonal, or one number for many, for reading only
                    add_to(grad._data, part)
                (grad._counter or counter_of(grad))[0] += 1

    def owners(self):
        return {0: self.variable}

    def gradients(self, g, scope=None, tensors=False):
        """Called by hand, it deposits."""
        self.deposit(fitted(g, self.expects(0), self, 0), tensors)
        return []


def leaf_node(variable) -> AccumulateGrad:
    """The one AccumulateGrad of a leaf, which exists as long as some graph needs it."""
    with _leaves:
        node = variable._accumulator()
        if node is None:
            node, data = AccumulateGrad(), variable._data
            node.sequence, node.variable = next(sequence), variable
            node.shape, node.dtype = data.shape, data.dtype
            if variable._hooks is not None:  # they outlive the graph, so the leaf keeps them
                node.special, node.hooks = True, Hooks(variable._hooks)
            variable._accumulator = weakref.ref(node)
    return node


def node_of(tensor) -> Node:
    """Where the gradient of a tensor that requires one arrives."""
    node = tensor._node if tensor._base is None else tensor.grad_fn  # a view's may have to be taken anew
    return node or leaf_node(tensor)
