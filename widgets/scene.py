"""Who takes part in a story: the boxes, what they are called, in which calls they stand, and the user's lines."""

import ast
import itertools
import linecache
import os
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from minigrad.autograd.graph import AccumulateGrad
from minigrad.nn import Module, Parameter
from minigrad.words.source import is_cell, located

from .moments import NOWHERE, UNKNOWN, Moment, Where
from .reading import place_of
from .recorder import Recorder
from .trace import Large, Trace, brief, filled
from .words import rule, written

ASIDE = 3  # lines of a file shown around those that ran
CELL = 80  # a cell of at most so many lines is shown whole
NAME = 24  # characters of a name
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class Operation:
    """One operation that ran, with a box for each result.

    Attributes:
        boxes: the box of each result.
        tails: the boxes of those arguments that have an arrow.
        words: how each argument is called.
        formula: the operation on these words.
        in_place: whether the result was written over the first argument.
        turned: whether the user wrote it the other way round, `2 * a` for what the engine calls `a * 2`.
    """

    def __init__(self, event: Any, tails: dict[int, int], words: list[str], turned: bool) -> None:
        self.op, self.node, self.tails, self.words, self.turned = event.op, event.node, tails, words, turned
        self.formula = self.written(words)
        self.boxes: list[int] = []
        self.in_place = False
        self.known: dict = {}  # what its rules may ask for, by name
        self.names: dict = {}  # and how that is called

    def written(self, words: list[str]) -> str:
        """The operation on other words, in the user's order."""
        return written(self.op, words[::-1] if self.turned else words)

    def rule(self, slot: int, gradient: str = "g") -> tuple[bool, str] | None:
        """How the part of a slot is made of the gradient, and whether by a factor."""
        if not self.names or self.node.edges[slot] is None:
            return None
        return rule(self.op, self.op.input_of(slot), {**self.names, "g": gradient}, self.known)

    def equation(self, slot: int) -> str | None:
        """A rule as an equation: `∂b/∂a = cos(a)`."""
        said = self.rule(slot)
        if said is None:
            return None
        name = self.op.input_of(slot)
        wrt = self.names.get(name, name)
        return (
            f"∂{self.names[(self.op.outputs or ('out',))[0]]}/∂{wrt} = {said[1]}"
            if said[0]
            else f"gradient of {wrt}: {said[1]}"
        )


class Scene:
    """The boxes of a trace."""

    def __init__(self, recorder: Recorder, trace: Trace) -> None:
        self.recorder, self.trace = recorder, trace
        self.boxes: dict = {}  # by place
        self.made_by: dict[Any, Operation] = {}  # by the graph's node
        self.edges: dict[tuple, list[int]] = {}  # by the graph's node and slot
        self.values: dict[int, Any] = {}  # by box: its numbers at this moment
        self._groups: dict[int | None, int | None] = {None: None}
        self._files: dict[str, set[int]] = {}  # the lines of each that ran
        self._taken: dict[str, int] = {}  # how often each name was given
        self._users = set(recorder.names.values())
        self._places: dict[Any, list] = {}  # by mark
        self._fresh = (f"v{i}" for i in itertools.count(1))
        self._outgoing: dict[int, int] = {}

    # -- boxes -----------------------------------------------------------------------------------------------------

    def operation(self, moment: Moment) -> Operation:
        """Boxes and arrows for an operation that ran."""
        event, (values, given, outputs, places), where = moment.event, moment.copies, moment.where
        op, node, group = event.op, event.node, self.group(where.call)
        tails: dict[int, int] = {}
        for i, (value, is_tensor) in enumerate(zip(values, given)):
            if is_tensor is not None:
                place, wants_grad = is_tensor
                in_place = isinstance(place, tuple) and place[0] is node  # it is the result now, and was another
                if in_place:
                    slot = slot_of(event, i)
                    wants_grad = slot is not None and node.edges[slot] is not None
                    place = place_of(node, slot or 0) if wants_grad else id(event.values[i])
                known = self.boxes.get(place)
                if in_place:
                    value = values[i] = UNKNOWN if known is None else self.values[known]
                if known is None and value is UNKNOWN and not wants_grad and not is_told(op, i):
                    continue  # empty memory that the result was written into
                tails[i] = self.source(place, value, wants_grad, event.values[i], where) if known is None else known
            elif is_operand(op, i, value):
                tails[i] = self.constant(value, group)
        words = [self.name(tails[i]) if i in tails else word(value) for i, value in enumerate(values)]
        made = Operation(event, tails, words, op.name in ("add", "mul") and is_turned(where.mark))
        several = len(outputs) > 1
        proposed = located(where.mark).name if where.mark and not several and not where.partial else None
        for index, (output, place) in enumerate(zip(outputs, places)):
            name = self._called(place, proposed)
            box = self.trace.node(
                "operation", name=name, label=f"{name} = {made.formula}" + (f"[{index}]" if several else ""),
                formula=made.formula, op=op.name, type=node and node.name(), group=group, at=self.at(where),
                **facts(output),
            )  # fmt: skip
            self.boxes[place], self.values[box] = box, output
            made.boxes.append(box)
            for slot, (i, tail) in enumerate(tails.items()):
                self._arrow(tail, box, slot, (node, slot_of(event, i)))
        if node is not None:
            self._describe(made, values, outputs)
        return made

    def _describe(self, made: Operation, values: list, outputs: list) -> None:
        """What a node will need, and what the inspector says of it."""
        op, node = made.op, made.node
        self.made_by[node] = made
        if not hasattr(op, "rules"):
            return
        results = op.outputs or ("out",)
        made.known = dict(zip(op.parameters, values)) | dict(zip(results, outputs))
        made.names = dict(zip(op.parameters, made.words)) | dict(zip(results, map(self.name, made.boxes)))
        saved = []
        for save in node.plan.saves:
            if not save.shape_only and isinstance(made.known.get(save.name), np.ndarray | np.generic | Large):
                box = made.tails.get(save.position) if save.output is None else made.boxes[save.output]
                version = self.trace.now.get((f"n{box}", "version")) or 0
                called = made.names.get(save.name, save.name)
                saved.append(filled({"name": save.name, "of": called, "node": box, "version": version}))
        for box in made.boxes:
            entry = self.trace.document["nodes"][box]
            entry["rules"], entry["saved"] = list(map(made.equation, range(len(node.edges)))), saved

    def source(self, place: Any, value: Any, wants_grad: bool, tensor: Any, where: Where) -> int:
        """A box for a tensor that no recorded operation made."""
        is_leaf = wants_grad and not isinstance(place, tuple)
        kind = ("parameter" if isinstance(tensor, Parameter) else "leaf") if is_leaf else "input"
        name = self._called(place, self.recorder.names.get(place) or self._path_to(tensor, where))
        box = self.trace.node(kind, name=name, label=name, type="AccumulateGrad" if is_leaf else None, **facts(value))
        self.boxes[place], self.values[box] = box, value
        self.trace.start(box, "value", self.value(value))
        if place in self.recorder.mailboxes:
            self.trace.start(box, "box", self.value(self.recorder.mailboxes[place]))
        return box

    def constant(self, value: Any, group: int | None) -> int:
        text = word(value)
        box = self.trace.node("constant", name=text, label=text, group=group, **facts(value))
        self.values[box] = value
        self.trace.start(box, "value", self.value(value))
        return box

    def box_of(self, node: Any, index: int = 0) -> int:
        """The box of one output of a node of the graph."""
        if isinstance(node, AccumulateGrad):
            tensor = node.variable
            if id(tensor) not in self.boxes:
                self.source(id(tensor), np.array(tensor._data), True, tensor, NOWHERE)
            return self.boxes[id(tensor)]
        if (node, index) in self.boxes:
            return self.boxes[node, index]
        if node in self.made_by:
            return self.made_by[node].boxes[index]
        name = self._called((node, index), None)  # of a node that came by another way, as a change through a view
        box = self.trace.node("operation", name=name, label=f"{name}: {node.name()}", type=node.name(), op=node.name())
        self.boxes[node, index] = box
        self.trace.start(box, "value", self.value(UNKNOWN))
        return box

    def edge_of(self, node: Any, slot: int, target: int) -> int:
        """The arrow along which a slot of a node hands its part to a target."""
        edges = self.trace.document["edges"]
        for edge in self.edges.get((node, slot), []):
            if edges[edge]["from"] == target:
                return edge
        return self._arrow(target, self.box_of(node), slot, (node, slot))

    def _arrow(self, tail: int, head: int, slot: int, of: tuple) -> int:
        edge = self.trace.edge(tail, head, slot)
        self.edges.setdefault(of, []).append(edge)
        self._outgoing[tail] = self._outgoing.get(tail, 0) + 1
        return edge

    def branches(self, box: int) -> bool:
        """Whether several arrows leave a box, so that its gradient comes in parts."""
        return self._outgoing.get(box, 0) > 1

    def value(self, value: Any) -> int | None:
        """The number of a value in the document."""
        if value is None:
            return None
        return self.trace.unknown() if value is UNKNOWN else self.trace.value(value)

    # -- names -----------------------------------------------------------------------------------------------------

    def name(self, box: int) -> str:
        return self.trace.document["nodes"][box]["name"]

    def _called(self, place: Any, proposed: str | None) -> str:
        """A name that no other box has: the user's if there is one, else v1, v2, …"""
        name = proposed or self.recorder.names.get(place)
        if not name:
            name = next(name for name in self._fresh if name not in self._users)
        name = "".join(c if c.isprintable() else "\ufffd" for c in " ".join(name.split()))[:NAME]
        count = self._taken[name] = self._taken.get(name, 0) + 1
        return name if count == 1 else name + str(count).translate(SUBSCRIPTS)

    def _path_to(self, tensor: Any, where: Where) -> str | None:
        """A module's parameter is called by its way through the modules: fc1.weight."""
        for call in self._calls(where.call):
            called = self.recorder.calls[call].called
            if isinstance(called, Module):
                for name, parameter in called.named_parameters():
                    if parameter is tensor:
                        return ".".join(filter(None, (self._title(call), name)))
        return None

    def _calls(self, call: int | None) -> Iterable[int]:
        """A call and those around it, from the inside out."""
        while call is not None:
            yield call
            call = self.recorder.calls[call].parent

    def _title(self, call: int) -> str:
        """What a call is called: a module as its owner calls it, or the user; a function by its name."""
        called, name, parent = self.recorder.calls[call]
        if not isinstance(called, Module):
            return called
        for around in self._calls(parent):
            owner = self.recorder.calls[around].called
            if isinstance(owner, Module):
                return next((path for path, module in owner.named_modules() if module is called), name or "")
        return name or ""

    def group(self, call: int | None) -> int | None:
        """The box around a call."""
        if call not in self._groups:
            assert call is not None
            called, _, parent = self.recorder.calls[call]
            if isinstance(called, Module):
                title, kind = ": ".join(filter(None, (self._title(call), type(called).__name__))), "module"
            else:
                title, kind = f"{called}()", "function"
            self._groups[call] = self.trace.group(title, kind, self.group(parent))
        return self._groups[call]

    # -- the user's lines ------------------------------------------------------------------------------------------

    def at(self, where: Where) -> list | None:
        """A place in one of the document's files; None where nobody knows the lines, as in a plain `python`."""
        if where.mark is None:
            return None
        if where.mark not in self._places:
            place = located(where.mark)
            if not linecache.getline(place.filename, place.line):
                return None  # typed at a prompt, or made by a program
            self._files.setdefault(place.filename, set()).update((place.line, place.end_line))
            file = list(self._files).index(place.filename)
            self._places[where.mark] = [file, place.line, place.column, place.end_line, place.end_column]
        return self._places[where.mark]

    def write_files(self) -> None:
        """The files into the document: a cell whole, of a file what is near the lines that ran."""
        cells = [name for name in self._files if is_cell(name) or name.startswith("<")]
        for filename, used in self._files.items():
            lines = [line.rstrip("\n") for line in linecache.getlines(filename)]
            first, last = max(1, min(used) - ASIDE), min(len(lines), max(used) + ASIDE)
            name = os.path.basename(filename)
            if filename in cells:
                name = "cell" if len(cells) == 1 else f"cell {cells.index(filename) + 1}"
                first, last = (1, len(lines)) if len(lines) <= CELL else (first, last)
            self.trace.file(name, first, lines[first - 1 : last])


def word(value: Any) -> str:
    """How an argument that is no tensor is written."""
    if value is UNKNOWN:
        return "?"
    if isinstance(value, np.ndarray | np.generic | float | complex) and np.ndim(value) == 0:
        return brief(value)
    plain = (str, int, type(None))
    is_plain = isinstance(value, plain) or (
        isinstance(value, tuple | list) and all(isinstance(x, plain) for x in value)
    )
    return str(value) if is_plain else "…"


def is_turned(mark: Any) -> bool:
    """Whether the user's expression is a number and something, which the engine takes as its second operand."""
    try:
        tree = ast.parse(located(mark).expression, mode="eval").body if mark else None
    except SyntaxError:  # it goes on over several lines
        return False
    return isinstance(tree, ast.BinOp) and isinstance(tree.left, ast.Constant)


def facts(value: Any) -> dict:
    """Shape and type, where they are not those of one float32."""
    if value is UNKNOWN:
        return {}
    own = value.dtype.name if hasattr(value, "dtype") else None
    return {"shape": list(np.shape(value)), "dtype": None if own == "float32" else own}


def is_operand(op: Any, i: int, value: Any) -> bool:
    """Whether an argument that is no Tensor stands in the place of one: the 2 in `2 * a`."""
    if isinstance(value, bool) or not (value is UNKNOWN or isinstance(value, int | float | complex | np.ndarray)):
        return False
    return not getattr(op, "many", True) and i < len(op.inputs) and op.rules[op.inputs[i]] is not None


def is_told(op: Any, i: int) -> bool:
    """Whether an argument stands in what a person writes for the operation: of a copy, only its source."""
    return not getattr(op, "says", None) or op.parameters[i] in re.findall(r"\w+", op.says)


def slot_of(event: Any, i: int) -> int | None:
    """The slot of the graph's node to which an argument belongs."""
    op, node = event.op, event.node
    if node is None:
        return None
    if hasattr(node, "tensor_at"):  # an operation of the user's own
        return list(node.tensor_at).index(i) if i in node.tensor_at else None
    if op.many:
        return i - op.first
    return op.slots.index(i) if i in op.slots else None
