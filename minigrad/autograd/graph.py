"""The graph that a forward leaves behind: one node per operation, one edge per input.

A tensor points to the node that made it (`grad_fn`); a node points to the nodes that made its inputs (`edges`), and to
what its derivative needs (`saved`). Nothing points forward: a node never holds the tensor that it made, so there are no
cycles, and a graph that nobody needs any more is gone at once.
"""

import itertools
import threading
import weakref
from typing import Any, NamedTuple

import numpy as np

from ..dtypes import widened
from ..tensor import Detached, Located, Tensor, counter_of, wrap
from ..words.advice import freed, overwritten
from ..words.source import Source, mark
from .grad_mode import picking
from .hooks import Hooks, RemovableHandle, hooks_of
from .unbroadcast import conform, fitted

sequence = itertools.count()  # never reset: a node is younger than all nodes that it can reach
UNCHANGING = [0]  # the version counter of numbers, shapes and options

new = object.__new__  # a node or a tensor without the call of an __init__
_deposits = threading.Lock()  # two threads may send to one leaf


DETACHED = (
    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, please "
    "use out-of-place `.detach()` instead"
)


class Joint(tuple):
    """The version counters of all tensors that an index is made of, as one."""

    def __getitem__(self, i):
        return sum([counter[0] for counter in self]) if i == 0 else None


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
    hooks: Hooks | None = None
    source: Source | None = None  # where in the user's code it was made, if somebody listened

    def __init__(self) -> None:
        self.sequence = next(sequence)  # its age

    def shown(self) -> "Node":
        """This node, as a person may see it."""
        return self

    def name(self) -> str:
        return type(self.shown()).__name__

    @property
    def next_functions(self) -> tuple:
        """Where each part of the gradient goes: `(node, which of its outputs)`, or `(None, 0)`."""
        return tuple(zip([edge and edge.shown() for edge in self.edges], self.indices or itertools.repeat(0)))

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

    def expects(self, index: int) -> tuple:
        """The shape and type of the gradient of one output."""
        return self.shape, self.dtype

    def gradients(self, g, scope=None, tensors: bool = False) -> list:
        """One part of the gradient per edge, before any un-broadcast; None where no gradient is needed."""
        raise TypeError(f"{self.name()} has no rule for the backward")

    def on_nothing(self, scope=None, tensors: bool = False) -> list:
        """What `gradients` is where no gradient arrived."""
        return [None] * len(self.edges)

    def free(self) -> bool:
        """Let go of what was saved; tells whether there was anything."""
        return False

    def saved_values(self) -> list:
        """What is kept for the backward: names and values."""
        return []

    def __call__(self, *gradients):
        """Run this one step by hand, on Tensors: `dx, dy = product.grad_fn(dz)`."""
        if len(gradients) != self.outputs:
            raise TypeError(f"expected {self.outputs} arguments, got {len(gradients)} instead")
        for i, gradient in enumerate(gradients):
            if gradient is not None and not isinstance(gradient, Tensor):
                raise TypeError(f"argument {i} is not a Variable")
        if all(gradient is None for gradient in gradients):
            parts = self.on_nothing(tensors=True)
        else:
            parts = self.gradients(gradients if self.outputs > 1 else gradients[0], tensors=True)
        parts = [part if part is None else conform(part, self, slot) for slot, part in enumerate(parts)]
        return parts[0] if len(parts) == 1 else tuple(parts)

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"


class OpNode(Node):
    """The node of a row of the tables. Its `plan` says which rule serves which edge, with which saved values.

    A saved value may be used as long as the version counter of its memory, which every in-place change moves, shows
    what it showed then: `stamps` has a counter and its version for each. (All in one tuple: a graph is most quickly
    made, and searched by Python's collector, if it consists of few objects.)
    """

    # Slots: Python's collector reads them fast, which takes a third off a chain of a million nodes.
    __slots__ = ("sequence", "edges", "plan", "shape", "dtype", "saved", "stamps")
    duals: dict = {}  # in forward mode, the tangents of the saved values
    special = False  # one of the following, or several outputs
    conjugates = False  # complex numbers: PyTorch's gradient is g · conj(derivative), so the rule runs between two conj
    in_float32 = False  # half precision: so the rules are computed, as the forward was, and rounded once
    made: Any = None  # where there are several outputs: the shape and type of each

    def __init__(self, edges: list | tuple, saved: tuple, stamps: tuple, plan) -> None:
        self.sequence = next(sequence)
        self.edges = edges
        self.saved = saved
        self.stamps = stamps
        self.plan = plan

    def shown(self):
        """This node in its operation's own class, SinBackward0, which it takes when somebody looks: while all nodes
        are of one class, Python finds their attributes faster.
        """
        if type(self) is OpNode:
            self.__class__ = self.plan.shown_as
        return self

    @property
    def op(self) -> Any:
        """The row of the tables that made it."""
        return self.plan.op

    def gradients(self, g, scope=None, tensors=False):
        saved = self.saved
        if saved is None:
            raise RuntimeError(freed(self))
        if saved and self.plan.outdated(self.stamps):
            saved = list(map(self.checked, range(len(saved))))
        if tensors:
            saved = self.unpack_all()
            held = [counter for counter in self.stamps[::2] if isinstance(counter, Joint)]
            if held:
                with picking(held):
                    return self.special_gradients(g, saved, scope, tensors)
        if self.special or scope is not None:
            return self.special_gradients(g, saved, scope, tensors)
        return self.plan.parts(g, saved)

    def on_nothing(self, scope=None, tensors=False):
        self.unpack_all()  # which refuses what was freed or overwritten
        return super().on_nothing()

    def special_gradients(self, g, saved, scope, tensors):
        """Several outputs, half precision, complex numbers; or only those parts that lead somewhere within `scope`."""
        if self.made is not None:
            g = self.whole(g, tensors)
        if self.in_float32 and not tensors:
            g, saved = widened(g), widened(saved)
        if self.conjugates:
            g = conjugated(g)
        parts = self.rules_within(scope)(g, saved)
        return conjugated(parts) if self.conjugates else parts

    def rules_within(self, scope):
        """The rules as one function; with `scope` only those whose part leads somewhere within it."""
        if scope is None:
            return self.plan.parts
        return self.plan.of_slots(frozenset(slot for slot, target in enumerate(self.edges) if target in scope))

    def whole(self, gradients, tensors: bool):
        """The gradients of several outputs, zeros where none arrived; or the first, if the rules ask for `g` only."""
        gradients = list(gradients) if self.outputs > 1 else [gradients]
        for i, (shape, dtype) in enumerate(self.made or ()):
            if gradients[i] is None:
                zeros = np.zeros(shape, dtype)
                gradients[i] = wrap(zeros) if tensors else zeros
        return gradients if self.op.takes_all_gradients else gradients[0]

    def expects(self, index):
        return self.made[index] if self.made else (self.shape, self.dtype)

    def origin(self, save) -> tuple:
        """The node, and which of its outputs, that a saved value came from."""
        if save.slot is None:
            return (None, 0) if save.output is None else (self, save.output)
        return self.edges[save.slot], self.indices[save.slot] if self.indices else 0

    def unpack_all(self) -> list:
        """All saved values as what they were."""
        return list(map(self.unpack, range(len(self.plan.saves))))

    def unpack(self, i: int):
        """A saved value as what it was: a Tensor with its history, or a number, an option, a shape."""
        if self.saved is None:
            raise RuntimeError(freed(self))
        value, save = self.saved[i], self.plan.saves[i]
        counter, _ = self.stamp(i)
        node, index = self.origin(save)
        if counter is UNCHANGING:  # a number, an option, a shape; or a copy of what an in-place operation overwrote
            was_tensor = save.slot is not None and not save.shape_only and isinstance(value, np.ndarray)
            if not (was_tensor and (node or i in self.duals)):
                return value
            tensor = wrap(value, node, index)
            tensor._dual = self.duals.get(i)
            return tensor
        value = self.checked(i)
        if save.held:
            return value
        if isinstance(node, AccumulateGrad):
            return node.variable
        tensor = wrap(value, node, index, counter)
        tensor._dual = self.duals.get(i)
        return tensor

    def stamp(self, i: int) -> tuple:
        """The version counter of one saved value, and what it showed."""
        return self.stamps[2 * i : 2 * i + 2]

    def checked(self, i: int):
        """A saved value, if nobody has overwritten it; a number from where it lives by now, if it was given memory."""
        (counter, version), value = self.stamp(i), self.saved[i]
        now, save = counter[0], self.plan.saves[i]
        node, index = self.origin(save)
        if now == version:
            if isinstance(now, Detached) and save.output is None and node is not None and node.sequence == now.sequence:
                raise RuntimeError(DETACHED)
            return now.memory if isinstance(now, Located) and not isinstance(value, np.ndarray) else value
        kept_as = save.attribute.removeprefix("_saved_")
        keeper = f"{self.name()} had saved it as '{kept_as}'"
        if isinstance(value, tuple):  # an index of several parts
            value = next(part for part in value if isinstance(part, np.ndarray))
        raise RuntimeError(overwritten(value, counter, version, node, index, keeper))

    def saved_values(self):
        return [(save.name, value) for save, value in zip(self.plan.saves, self.saved or ())]

    def free(self):
        if self.plan.frees and self.saved is not None:
            self.saved = None
            return True
        return False

    @staticmethod
    def saved_property(attribute: str) -> property:
        """An attribute of the node's class for a saved value, as PyTorch has it: `node._saved_self`."""
        return property(lambda node: node.saved_attribute(attribute))

    @staticmethod
    def raw_saved_property(attribute: str) -> property:
        """The same value with its place, which can have hooks: `node._raw_saved_self.register_hooks(…)`."""
        return property(lambda node: _saved_tensor().of_operation(node, attribute))

    def saved_attribute(self, attribute: str):
        for i, save in enumerate(self.plan.saves):
            if save.attribute == attribute:
                value = self.unpack(i)
                return wrap(np.asarray(value)) if save.is_tensor and not isinstance(value, Tensor | tuple) else value
        return None  # not needed by the inputs that require grad


def _saved_tensor():
    from . import saved_tensor  # rarely needed

    return saved_tensor


def conjugated(values):
    """The complex conjugate of a gradient, or of each in a list of them."""
    return list(map(conjugated, values)) if isinstance(values, list) else None if values is None else values.conj()


class AccumulateGrad(Node):
    """The end of a path: adds what arrives to the `.grad` of a leaf. It keeps the leaf alive, never the reverse."""

    is_leaf = True

    variable: Tensor

    def deposit(self, part, tensors: bool = False) -> None:
        """Add `part`, an array that nobody else holds (or a Tensor), to the leaf's `.grad`."""
        variable = self.variable
        with _deposits:
            grad = variable._grad
            if tensors:  # recorded: what `.grad` was stays as it was, and the new one belongs to this leaf alone
                variable._grad = wrap(np.empty_like(part.array)).copy_(part) if grad is None else grad + part
            elif grad is None:
                variable._grad = grad = new(Tensor)
                grad._data = part
            else:
                grad._data += part
                counter_of(grad)[0] += 1

    def gradients(self, g, scope=None, tensors=False):
        """Called by hand, it deposits."""
        self.deposit(fitted(g, self.shape, self.dtype, self, 0), tensors)
        return []


def leaf_node(variable) -> AccumulateGrad:
    """The one AccumulateGrad of a leaf, which exists as long as some graph needs it."""
    accumulator = variable._accumulator
    node = accumulator and accumulator()
    if node is None:
        node, data = new(AccumulateGrad), variable._data
        node.sequence, node.variable = next(sequence), variable
        node.shape, node.dtype = data.shape, data.dtype
        if variable._hooks is not None:
            node.hooks = Hooks(variable._hooks)  # they outlive the graph, so the leaf keeps them
        variable._accumulator = weakref.ref(node)
    return node


def node_of(tensor) -> Node:
    """Where the gradient of a tensor that requires one arrives."""
    node = tensor._node if tensor._base is None else tensor.grad_fn  # a view's may have to be taken anew
    return node or leaf_node(tensor)


class GradientEdge(NamedTuple):
    """Where a gradient arrives: at which output of which node. `backward` and `grad` take it in place of a tensor."""

    node: Node
    output_nr: int
    ownership_token: Any = None

    def stand_in(self) -> Tensor:
        """A tensor at that place in the graph; of its numbers there are none to be had."""
        if isinstance(self.node, AccumulateGrad):
            return self.node.variable
        if not isinstance(self.node, Node):
            raise TypeError(f"the node of a GradientEdge must be one like y.grad_fn, but is {self.node!r}")
        if self.output_nr >= self.node.outputs:
            raise IndexError("tuple index out of range")
        shape, dtype = self.node.expects(self.output_nr)
        return wrap(np.broadcast_to(np.zeros((), dtype), shape), self.node, self.output_nr)


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The place in the graph where the gradient of a tensor arrives. It keeps the graph alive, not the tensor.

    >>> import minigrad as mg
    >>> x = mg.tensor([2.0], requires_grad=True)
    >>> edge = get_gradient_edge(x * x)
    >>> edge.node.name(), mg.autograd.grad(edge, x)
    ('MulBackward0', (tensor([4.]),))
    """
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(node_of(tensor), tensor.output_nr)


def increment_version(tensor) -> None:
    """Count a change of a tensor (or of several) that was made behind the engine's back: through `.data`, by NumPy.

    >>> import minigrad as mg
    >>> x = mg.ones(1)
    >>> increment_version(x)
    >>> x._version
    1
    """
    tensors = [tensor] if isinstance(tensor, Tensor) else tensor
    try:
        tensors = list(tensors)
    except TypeError:
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input") from None
    for one in tensors:
        if not one.is_inference():
            counter_of(one)[:] = counter_of(one)[0] + 1, mark(2)


LATER = (  # PyTorch has them in this module; they live in saved_hooks.py, and are imported when first asked for
    "allow_mutation_on_saved_tensors disable_saved_tensors_hooks register_multi_grad_hook save_on_cpu "
    "saved_tensors_hooks"
).split()


def __getattr__(name: str):
    if name in LATER:
        from . import saved_hooks

        return getattr(saved_hooks, name)
    raise AttributeError(f"module 'minigrad.autograd.graph' has no attribute '{name}'")
