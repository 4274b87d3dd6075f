"""The node of an operation. What it keeps and runs is its `Plan`: one for each set of inputs that want a gradient."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..numbers.dtypes import widened
from ..numbers.promotion import WEAK
from ..words.advice import freed, overwritten
from ..words.calling import TORCH_NAMES
from ..words.overwriting import DETACHED
from ..words.source import PACKAGE
from .graph import AccumulateGrad, Node
from .modes import Joint, modes, picking
from .tensor import Located, Replaced, Tensor, counter_of, wrap

UNCHANGING = [0]  # the version counter of numbers, shapes and options


class OpNode(Node):
    """The node of a row of the tables. Its `plan` says which rule serves which edge, with which saved values.

    A saved value may be used as long as the version counter of its memory, which every in-place change moves, shows
    what it showed then: after all values, `saved` has a counter and its version for each. (All in one tuple: a graph
    is most quickly made, and searched by Python's collector, if it consists of few objects.)
    """

    # Slots: Python's collector reads them fast, which takes a third off a chain of a million nodes.
    __slots__ = ("sequence", "edges", "plan", "shape", "dtype", "saved", "special")
    plan: "Plan"
    duals: dict = {}  # in forward mode, the tangents of the saved values
    conjugates = False  # complex numbers: PyTorch's gradient is g · conj(derivative), so the rule runs between two conj
    in_float32 = False  # half precision: so the rules are computed, as the forward was, and rounded once
    made: Any = None  # where there are several outputs: the shape and type of each

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

    @property
    def saves(self) -> Sequence:
        return self.plan.saves

    @property
    def arguments(self):
        op = self.op
        return range(op.first, op.first + len(self.edges)) if op.many else op.slots

    def gradients(self, g, scope=None, tensors=False):
        saved = self.saved
        if saved is None:
            raise RuntimeError(freed(self))
        if tensors:
            saved = self.unpack_all()
            held = self.plan.op.places and [counter for counter in self.counters if isinstance(counter, Joint)]
            if held:
                with picking(held):
                    return self.special_gradients(g, saved, scope, tensors)
        elif self.plan.outdated(saved):
            saved = list(map(self.checked, range(len(self.plan.saves))))
        return self.special_gradients(g, saved, scope, tensors)

    def on_nothing(self, scope=None, tensors=False):
        self.unpack_all()  # which refuses what was freed or overwritten
        return super().on_nothing()

    def special_gradients(self, g, saved, scope, tensors):
        """On Tensors; for several outputs, half precision, complex numbers; or only what leads somewhere in `scope`."""
        if self.made is not None:
            g = self.whole(g, tensors)
        if self.in_float32 and not tensors:
            g, saved = widened(g), widened(saved)
        if self.conjugates:
            g = conjugated(g)
        slots = self.plan.slots
        if scope is not None:
            slots = frozenset([slot for slot in slots if self.edges[slot] in scope])
        parts = self.plan.of_slots(slots)(g, saved)
        return conjugated(parts) if self.conjugates else parts

    def whole(self, gradients, tensors: bool):
        """The gradients of several outputs, zeros where none arrived; or the first, if the rules ask for `g` only."""
        gradients = list(gradients) if self.outputs > 1 else [gradients]
        for i, (shape, dtype) in enumerate(self.made or ()):
            if gradients[i] is None:
                zeros = np.zeros(shape, dtype)
                gradients[i] = wrap(zeros) if tensors else zeros
        return gradients if self.op.takes_all_gradients else gradients[0]

    @property
    def counters(self) -> tuple:
        """The version counter of each saved value."""
        return self.saved[len(self.plan.saves) :: 2]

    def expects(self, index):
        return self.made[index] if self.made else (self.shape, self.dtype)

    def origin(self, save) -> tuple:
        """The node, and which of its outputs, that a saved value came from."""
        if save.slot is None:
            return (None, 0) if save.output is None or save.output >= self.outputs else (self, save.output)
        return self.edges[save.slot], self.indices[save.slot] if self.indices else 0

    def unpack_all(self) -> list:
        """All saved values as what they were."""
        return list(map(self.unpack, range(len(self.plan.saves))))

    def unpack(self, i: int):
        """A saved value as what it was: a Tensor with its history, or a number, an option, a shape."""
        if self.saved is None:
            raise RuntimeError(freed(self))
        value, save = self.saved[i], self.plan.saves[i]
        counter = self.saved[len(self.plan.saves) + 2 * i]
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
        if isinstance(node, AccumulateGrad) and counter is (node.variable._counter or counter):  # else a hook's numbers
            return node.variable
        tensor = wrap(value, node, index, counter)
        tensor._dual = self.duals.get(i)
        return tensor

    def checked(self, i: int):
        """A saved value, if nobody has overwritten it; a number from where it lives by now, if it was given memory."""
        value, save, at = self.saved[i], self.plan.saves[i], len(self.plan.saves) + 2 * i
        counter, version = self.saved[at], self.saved[at + 1]
        now = counter[0]
        node, index = self.origin(save)
        if now == version:
            if node is not None and save.output is None and getattr(now, "sequence", None) == node.sequence:
                if isinstance(now, Replaced):
                    return now.memory
                raise RuntimeError(DETACHED)
            return now.memory if isinstance(now, Located) and not isinstance(value, np.ndarray) else value
        keeper = f"{self.name()} had saved it as '{save.attribute.removeprefix('_saved_')}'"
        if isinstance(value, tuple):  # an index of several parts
            value = next(part for part in value if isinstance(part, np.ndarray))
        raise RuntimeError(overwritten(value, counter, version, node, index, keeper))

    def saved_values(self):
        return list(zip(self.plan.names, self.saved or ()))

    def free(self):
        had = self.plan.frees and self.saved is not None
        if had:
            self.saved = None
        return had

    @staticmethod
    def saved_property(attribute: str) -> property:
        """An attribute of the node's class for a saved value, as PyTorch has it: `node._saved_self`."""
        return property(lambda node: node.saved_attribute(attribute))

    def saved_attribute(self, attribute: str):
        for i, save in enumerate(self.plan.saves):
            if save.attribute == attribute:
                value = self.unpack(i)
                is_bare = save.is_tensor and not isinstance(value, Tensor | tuple | None)
                return wrap(np.asarray(value)) if is_bare else value
        return None  # not needed by the inputs that require grad


def conjugated(values):
    """The complex conjugate of a gradient, or of each in a list of them."""
    return list(map(conjugated, values)) if isinstance(values, list) else None if values is None else values.conj()


class Save(NamedTuple):
    """One value that a node keeps."""

    name: str
    slot: int | None = None  # which input it is
    output: int | None = None  # or which output
    position: int = -1  # which argument of the forward
    shape_only: bool = False
    held: bool = False  # an input without a derivative: a condition, an index, a mask

    @property
    def is_tensor(self) -> bool:
        """Whether it is an input or an output, and not an option or a mere shape."""
        return not self.shape_only and (self.slot is not None or self.output is not None or self.held)

    @property
    def attribute(self) -> str:
        """The node's attribute for it, as in PyTorch."""
        base = self.name.removesuffix("_shape") if self.shape_only else self.name
        return f"_saved_{TORCH_NAMES.get(base, base)}{'_sym_sizes' if self.shape_only else ''}"


class Plan:
    """What a node needs when a given set of inputs requires grad: which rules run, and which values they are given.

    The set is a binary number, one digit per edge, with a 1 in front of them all.
    """

    def __init__(self, op, wanted: int) -> None:
        self.op, self.count = op, wanted.bit_length() - 1
        self.slots = slots = frozenset(slot for slot in range(self.count) if wanted >> slot & 1)
        inputs = {op.input_of(slot) for slot in slots}
        needs = {name for one in inputs for name in op.needs(one) if name != "i"}
        self.saves = [op.save(name) for name in sorted(needs, key=op.rank)]
        self.names = [save.name for save in self.saves]
        taken = [save for save in self.saves if save.output is None]  # what is saved before there is a result
        self.takes_first = any(save.position == 0 and not save.shape_only for save in taken)
        self.keep = self.keeper(taken, slots) if taken else None
        self.keeps_output = len(taken) < len(self.saves)
        self.frees = any(save.is_tensor for save in self.saves)
        stamps = [len(self.saves) + 2 * i for i, save in enumerate(self.saves) if not save.shape_only]
        moved = " or ".join(f"saved[{at}][0] is not saved[{at + 1}]" for at in stamps) or "False"
        self.outdated = eval(f"lambda saved: {moved}")  # whether any version counter has moved
        self.parts = self.of_slots(slots, f"saved is None or {moved}")  # None: `gradients` has to see to it
        # The class of the nodes where it has one name; they take it when somebody looks (`OpNode.shown`).
        self.shown_as = None if callable(op.grad_fn) else op.choose_node(())
        self.node_type = OpNode if self.shown_as else None

    def keeper(self, taken: list, slots: frozenset) -> Callable:
        """What is saved, and the stamps for it (see `OpNode`): a line of Python that takes them from `perform`.

        For a product: `lambda call, values: (call[1], call[2], …the counter of each, and what it shows…)`.
        """
        saved, stamps = "", ""
        for save in taken:
            value, array = f"values[{save.position}]", f"call[{save.position + 1}]"
            made = f"{value}._counter or counter_of({value})"
            if save.shape_only:
                saved += f"{array}.shape, "
                stamps += "UNCHANGING, 0, "
                continue
            if save.slot in slots:  # its gradient is wanted, so it is a tensor
                counter = made
            elif save.position == self.op.places_at:
                counter = f"counter_of_places({value})"
            else:
                counter = f"{made} if isinstance({value}, Tensor) else UNCHANGING"
            is_tensor = save.slot in slots or save.slot is None
            saved += f"{array}, " if is_tensor else f"{value} if type({value}) in WEAK else {array}, "
            stamps += f"(counter := {counter}), counter[0], "
        return eval(f"lambda call, values: ({saved}{stamps})", KEEPING)

    @lru_cache(4096)  # noqa: B019 - a plan lives as long as its operation
    def of_slots(self, slots: frozenset, unless: str = "False") -> Callable:
        """One part of the gradient for each edge in `slots`, None for the others: a line of Python that calls rules.

        For a product it reads `lambda g, saved: None if … else [rule0(g, saved[1]), rule1(g, saved[0])]`.
        """
        names, count, op = self.names, self.count, self.op

        def call(name: str, rule, slot) -> str:
            given = (f"saved[{names.index(x)}]" if x in names else str(slot) for x in parameters(rule)[1:])
            return f"{name}({', '.join(['g', *given])})"

        if op.many:  # one rule for all
            rules = {"rule": op.rules[op.inputs[0]], "asked": [slot in slots for slot in range(count)]}
            parts = f"{call('rule', rules['rule'], 'i')} if asked[i] else None for i in range({count})"
        else:
            rules = {f"rule{slot}": op.rules[op.input_of(slot)] for slot in slots}
            calls = {slot: call(f"rule{slot}", rules[f"rule{slot}"], slot) for slot in slots}
            parts = ", ".join(calls.get(slot, "None") for slot in range(count))
        called = f"{PACKAGE}the rules of {op.name}"  # as if it stood in this package: it is no line of the user's
        return eval(compile(f"lambda g, saved: None if {unless} else [{parts}]", called, "eval"), rules)


def counter_of_places(value):
    """The version counter of what elements are picked by: of the tensor itself, or of those that it was made from."""
    if isinstance(value, Tensor):
        return counter_of(value)
    by = modes.picking_by
    return Joint([counter_of(one) if isinstance(one, Tensor) else one for one in by]) if by else UNCHANGING


KEEPING = {  # what a plan's line may speak of
    "UNCHANGING": UNCHANGING, "WEAK": WEAK, "Tensor": Tensor, "counter_of": counter_of,
    "counter_of_places": counter_of_places, "__name__": __name__,
}  # fmt: skip


def parameters(function) -> tuple:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]
