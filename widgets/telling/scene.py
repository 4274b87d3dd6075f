"""Who takes part in a story: the boxes, what they are called, and in which calls they stand."""

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.nn import Parameter
from minigrad.words.source import located

from ..recording.iterations import Began
from ..recording.large import Large
from ..recording.moments import UNKNOWN, Moment, is_elsewhere, memory_of
from ..recording.recorder import Recorder
from ..words import say
from .code import Code
from .operation import FEW, Operation, is_in_place, is_operand, is_told, slot_of, word
from .trace import SUBSCRIPTS, Trace, filled
from .words import bare

NAME = 24  # characters of a name; of a longer one its two ends are told


class Scene:
    """The boxes of a trace."""

    def __init__(self, recorder: Recorder, trace: Trace) -> None:
        self.recorder, self.trace = recorder, trace
        self.boxes: dict = {}  # by place
        self.made_by: dict[Any, Operation] = {}  # by the graph's node
        self.edges: dict[tuple, list[int]] = {}  # by the graph's node and slot
        self.computed: set = set()  # places of results that are no part of the graph: there only since then
        self.has_gone_back = False  # what is new after the first backward may not have been there at the start
        self.values: dict[int, Any] = {}  # by box: its numbers at this moment
        self._arrays: dict[int, int] = {}  # by id of a result's array of whole numbers, which events keep: its box
        self._sharing: dict[tuple, list[int]] = {}  # by memory: the boxes whose numbers stand there now
        self._groups: dict[Any, int | None] = {None: None}  # by call; by iteration and the call in which its loop is
        self._iteration: Began | None = None
        self._taken: dict[str, int] = {}  # how often each name was given
        self._users = set(recorder.names.by_place.values())
        self.code = Code()
        self._fresh = itertools.count(1)

    # -- boxes -----------------------------------------------------------------------------------------------------

    def operation(self, moment: Moment) -> Operation:
        """Boxes and arrows for an operation that ran."""
        event, (values, given, outputs, places), where = moment.event, moment.copies, moment.where
        op, node, group = event.op, event.node, self.group(where.call)
        tails: dict[int, int] = {}
        written_over = is_in_place(event)
        for i, (value, is_tensor) in enumerate(zip(values, given)):
            if is_tensor is not None:
                place, wants_grad = is_tensor
                known = self.boxes.get(place)
                if written_over and known is not None:
                    value = values[i] = self.values[known]  # before it was written over, if it is the same memory
                if known is None and (written_over or value is UNKNOWN) and not wants_grad and not is_told(op, i):
                    continue  # empty memory that the result was written into
                tails[i] = self.source(place, value, wants_grad, event.values[i]) if known is None else known
            elif is_operand(op, i, value):
                tails[i] = self.constant(value, group)
        words = [self.name(tails[i]) if i in tails else word(value, self._name_of) for i, value in enumerate(values)]
        made = Operation(event, tails, words, where.mark)
        several = len(outputs) > 1
        proposed = located(where.mark).name if where.mark and not several and not where.partial else None
        if written_over and 0 in tails:
            proposed = self.name(tails[0]).rstrip(SUBSCRIPTS)  # what was written over keeps its name
        for index, (output, place) in enumerate(zip(outputs, places)):
            name = self._called(place, proposed)
            box = self.trace.node(
                "operation", name=name, label=f"{name} = {made.formula}" + (f"[{index}]" if several else ""),
                formula=made.formula, op=op.name, type=node and bare(node), group=group, at=self.code.at(where),
                **facts(output),
            )  # fmt: skip
            self.boxes[place], self.values[box] = box, output
            made.boxes.append(box)
            if isinstance(event.output, Tensor):
                self.stands_in(event.output, box, tails.values())
            if op.name == "overlay":  # the view that was put into it is taken anew next, as another box
                part = self._sharing.get(memory_of(event.values[1]) or (), [])
                part[:] = [one for one in part if one != tails[1]]
            if isinstance(output, np.ndarray) and output.dtype.kind in "bi" and not self.recorder.elsewhere:
                one = event.output[index] if several else event.output
                self._arrays |= {id(one.numbers): box} if isinstance(one, Tensor) else {}
            for slot, (i, tail) in enumerate(tails.items()):
                self._arrow(tail, box, slot, (node, slot_of(event, i)))
            for value in values:  # a mask or an index that was computed
                if (tail := self._arrays.get(id(value), box)) != box:
                    self._arrow(tail, box, len(tails), (node, None))
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
        for save in node.saves:
            if not save.shape_only and isinstance(made.known.get(save.name), np.ndarray | np.generic | Large):
                box = made.tails.get(save.position) if save.output is None else made.boxes[save.output]
                version = self.trace.now.get((f"n{box}", "version")) or 0
                called = made.names.get(save.name, save.name)
                saved.append(filled({"name": save.name, "of": called, "node": box, "version": version}))
        for box in made.boxes:
            entry = self.trace.nodes[box]
            entry["rules"], entry["saved"] = list(map(made.equation, range(len(node.edges)))), saved

    def source(self, place: Any, value: Any, wants_grad: bool, tensor: Any) -> int:
        """A box for a tensor that no recorded operation made."""
        is_leaf = wants_grad and not isinstance(place, tuple)
        kind = ("parameter" if isinstance(tensor, Parameter) else "leaf") if is_leaf else "input"
        name = self._called(place, None)
        memory = memory_of(tensor) if isinstance(tensor, Tensor) else None
        shared = self._sharing.get(memory, []) if memory else []
        detached = {}
        if shared and kind == "input":  # it was cut off what has a history
            detached = {"formula": f"{self.name(shared[0])}.detach()", "op": "detach"}
        label = f"{name} = {detached['formula']}" if detached else name
        accumulates = "AccumulateGrad" if is_leaf else None
        box = self.trace.node(kind, name=name, label=label, type=accumulates, **detached, **facts(value))
        self.boxes[place], self.values[box] = box, value
        if memory:
            self._sharing.setdefault(memory, []).append(box)
        if detached:
            self.trace.edge(shared[0], box, 0, cut=True)
        if detached or kind == "input" and (place in self.computed or self.has_gone_back):
            self.trace.change(f"n{box}", "value", self.value(value))  # it is shown when it is used
        else:
            self.trace.start(box, "value", self.value(value))
        if place in self.recorder.mailboxes:
            self.trace.start(box, "box", self.value(self.recorder.mailboxes[place]))
        return box

    def stands_in(self, tensor: Tensor, box: int, before: Iterable[int]) -> None:
        """The numbers of a box stand in the memory of a tensor, and those of the boxes before it do no longer."""
        if memory := memory_of(tensor):
            others = [other for other in self._sharing.get(memory, []) if other not in before and other != box]
            self._sharing[memory] = [*others, box]

    def sharing(self, tensor: Tensor) -> list[int]:
        """The boxes whose numbers stand in the memory of a tensor."""
        return list(self._sharing.get(memory_of(tensor) or (), []))

    def constant(self, value: Any, group: int | None) -> int:
        text = word(value)
        box = self.trace.node("constant", name=text, label=text, group=group, **facts(value))
        self.values[box] = value
        self.trace.start(box, "value", self.value(value))
        return box

    def box_of(self, node: Any, index: int = 0) -> int:
        """The box of one output of a node of the graph."""
        if node.is_leaf:
            tensor = node.variable
            if id(tensor) not in self.boxes:
                self.source(id(tensor), Large.kept(tensor.numbers), True, tensor)
            return self.boxes[id(tensor)]
        if (node, index) in self.boxes:
            return self.boxes[node, index]
        if node in self.made_by and index < len(self.made_by[node].boxes):
            return self.made_by[node].boxes[index]
        name = self._called((node, index), None)  # of a node that came by another way, as a change through a view
        box = self.trace.node("operation", name=name, label=f"{name}: {bare(node)}", type=bare(node), op=bare(node))
        self.boxes[node, index] = box
        self.trace.start(box, "value", self.value(UNKNOWN))
        return box

    def edge_of(self, node: Any, slot: int, target: int, sender: int) -> int:
        """The arrow along which a slot of a node, at the box of one of its outputs, hands its part to a target."""
        for edge in self.edges.get((node, slot), []):
            if (self.trace.edges[edge]["from"], self.trace.edges[edge]["to"]) == (target, sender):
                return edge
        return self._arrow(target, sender, slot, (node, slot))

    def _arrow(self, tail: int, head: int, slot: int, of: tuple) -> int:
        edge = self.trace.edge(tail, head, slot)
        self.edges.setdefault(of, []).append(edge)
        return edge

    def value(self, value: Any) -> int | None:
        """The number of a value in the document."""
        if value is None:
            return None
        return self.trace.unknown() if value is UNKNOWN else self.trace.value(value)

    # -- names -----------------------------------------------------------------------------------------------------

    def name(self, box: int) -> str:
        return self.trace.nodes[box]["name"]

    def _name_of(self, array: np.ndarray) -> str | None:
        """What an array is called that is no operand: a mask, an index, the right classes. Few numbers without a box
        are told themselves."""
        box = self._arrays.get(id(array))
        if box is not None:
            return self.name(box)
        return self.recorder.names.by_place.get(id(array)) if array.size > FEW else None

    def _called(self, place: Any, proposed: str | None) -> str:
        """A name that no other box has: the user's if there is one, else v1, v2, …"""
        name = proposed or self.recorder.names.by_place.get(place)
        if not name:
            name = next(name for name in map("v{}".format, self._fresh) if name not in self._users)
        name = "".join(c if c.isprintable() else "\ufffd" for c in " ".join(name.split()))
        name = name if len(name) <= NAME else f"{name[: NAME // 2 - 1]}…{name[-NAME // 2 :]}"
        count = self._taken[name] = self._taken.get(name, 0) + 1
        return name if count == 1 else name + "".join(SUBSCRIPTS[int(digit)] for digit in str(count))

    def begin_iteration(self, began: Began) -> None:
        """From here on boxes stand in a box of this iteration, inside of the calls that go on through the loop."""
        self._iteration = began
        if began.number > 1:  # what has no name is called as in the first iteration
            self._fresh = itertools.count(1)

    def group(self, call: int | None) -> int | None:
        """The box around what runs in a call, or in an iteration."""
        if self._iteration is None or not self._goes_on(call):
            return self._call(call)
        key = self._iteration.number, call
        if key not in self._groups:
            name = say("story.iteration_title", number=self._iteration.number)
            self._groups[key] = self.trace.group(name, "iteration", self._call(call))
            self.trace.document["iterations"][-1].setdefault("group", self._groups[key])
        return self._groups[key]

    def _call(self, call: int | None) -> int | None:
        if call not in self._groups:
            assert call is not None
            title, kind, parent = self.recorder.program.calls[call]
            around = self._call(parent) if self._goes_on(call) else self.group(parent)
            self._groups[call] = self.trace.group(title, kind, around)
        return self._groups[call]

    def _goes_on(self, call: int | None) -> bool:
        """Whether a call had begun before the iteration did."""
        return call is None or self._iteration is not None and call < self._iteration.calls


def share_memory(one: Tensor, other: Tensor) -> bool:
    """Whether a change of one may show in the other."""
    if is_elsewhere(one) and is_elsewhere(other):
        first, second = memory_of(one), memory_of(other)
        return first is not None and second is not None and first[0] == second[0]
    return bool(np.may_share_memory(one.numbers, other.numbers))


def facts(value: Any) -> dict:
    """Shape and type, where they are not those of one float32."""
    if value is UNKNOWN:
        return {}
    own = value.dtype.name if hasattr(value, "dtype") else None
    return {"shape": list(np.shape(value)), "dtype": None if own == "float32" else own}
