"""The forward on a tape: each operation runs once more, on arrays that write lines."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.compiler.lines import Value, root
from minigrad.compiler.traced import Traced
from minigrad.core.forward import apply
from minigrad.words.source import located

from ..recording.moments import UNKNOWN, Moment
from ..telling.operation import is_told
from ..words import say
from .arrays import Arrays, object_of
from .draft import Draft, NoProgram, same

NUMBER = re.compile(r"\d+\.?\d*(?:[eE][-+]?\d+)?")


class Forward:
    """Translates operations, and changes in place.

    Attributes:
        nodes: the user's nodes and ours, which hold arrays of the tape.
        users: what the user gave a name.
        passed_over: whether iterations ran of which little was kept.
    """

    def __init__(self, draft: Draft, arrays: Arrays) -> None:
        self.draft, self.arrays, self.tape, self.naming = draft, arrays, draft.tape, draft.naming
        self.nodes: dict[Any, Any] = {}
        self.users: list[Value] = []
        self._written: Traced | None = None  # what the last operation wrote in place
        self.passed_over = False

    def made(self, moment: Moment) -> tuple | None:
        event, (values, given, outputs, places) = moment.event, moment.copies
        if not hasattr(event.op, "rules"):
            return self._called(moment)
        in_place = event.output is event.values[0]
        if self.passed_over:
            raise NoProgram(say("program.passed"))
        is_filled = not is_told(event.op, 0) and not any(given[1:])  # whatever it was before
        if in_place and event.node is None and (values[0] is UNKNOWN or is_filled):
            if self.arrays.is_new(event.values[0], given[0][0]):
                self.arrays.of(event.values[0], given[0][0], outputs[0])  # what it was before nobody saw
                return None
        self.tape.why = located(moment.where.mark).expression if moment.where.mark else ""
        asked = self._asked(event.values)
        arguments: list[Any] = []
        before: list[Any] = list(values)
        for i, (value, copy, known) in enumerate(zip(event.values, values, given)):
            if known is not None:
                is_read = i > 0 or not in_place or event.node is None or is_told(event.op, 0)
                array = self.arrays.of(value, known[0], copy, is_read)
                arguments.append(mg.from_numpy(array).requires_grad_(known[1]))
                before[i] = self.draft.now(array) if copy is not UNKNOWN else copy
            elif copy is UNKNOWN:  # no rule needs it, so what was read off a graph lacks it
                raise NoProgram(say("program.unseen"))
            else:
                arguments.append(copy if moment.where.updating else self._put_in(copy, asked))
        with mg.set_grad_enabled(event.node is not None):
            result = apply(event.op, tuple(arguments))
        found, after = result if isinstance(result, tuple) else (result,), []
        tensors = event.output if isinstance(event.output, tuple) else (event.output,)
        for number, (tensor, one, copy, place) in enumerate(zip(tensors or (None,), found, outputs, places)):
            array = self.draft.on_tape(one.numbers)
            if in_place and array.dtype != (kept := arguments[0].numbers.dtype):  # truth values, written over numbers
                array = self.draft.on_tape(array.astype(kept))
            target = arguments[0].numbers if in_place and event.node is None else None
            if target is not None and root(target.plain).ndim:
                target[...] = array
                array = target
            else:  # what is recorded keeps what it saw, so a change in place makes another array
                earlier = self.naming.wanted(arguments[0].numbers.value) if in_place else ""
                self.naming.give(array.value, earlier or self._proposed(moment, place, len(outputs)))
                self.users += [array.value] * bool(array.value.name)
                self.arrays.by_tensor[id(tensor)] = self.arrays.by_object[object_of(tensor)] = array
                if tensor is not None:
                    self.arrays.memories.stands(moment, number, array)
            if isinstance(place, tuple):
                self.arrays.by_place[place] = array
            self.draft.compare(array, copy, array.value.name or event.op.name)
            self._written = array if in_place else None
            self.draft.may_leave(array)
            after.append(self.draft.now(array))
        if event.node is not None and found:
            self.nodes[event.node] = found[0].grad_fn
        if in_place:  # what was written over was copied after it
            before = [
                after[0] if isinstance(one, Traced) and not same(one.plain, copy) else one
                for one, copy in zip(before, values)
            ]
        return before, given, after, places

    def _asked(self, values: Any) -> list[Traced]:
        """The arrays of which another engine's operation takes only the numbers: it goes the way that these say."""
        asked = []
        for tensor in getattr(values, "asked", ()):
            found = self.arrays.as_it_is_now(tensor, self.arrays.by_object.get(object_of(tensor)), UNKNOWN)
            if found is not None:
                self.tape.decides(found.value, "item", (), None)
                asked.append(found)
        return asked

    def _put_in(self, given: Any, asked: Iterable[Traced] = ()) -> Any:
        """An option of an operation, which Python may have from a result: a mask, an index, a number."""
        if isinstance(given, np.ndarray) and given.dtype.kind == "b" and given.ndim:
            given = next((one for one in asked if same(one.plain, given)), given)
        if isinstance(given, list | tuple):
            for one in given:
                self._put_in(one)
        elif isinstance(given, np.ndarray) and (found := self.arrays.by_object.get(id(given))) is not None:
            if same(found.plain, given):
                if given.dtype.kind == "b" and given.ndim:
                    return found
                self.tape.decides(found.value, "item", (), None)
        elif self.tape.why:  # else nobody knows whether the line has the number itself
            self.draft.comes_back(given, {float(one) for one in NUMBER.findall(self.tape.why)})
        return given

    def _called(self, moment: Moment) -> tuple | None:
        """A Function of the user's own: what it computes was recorded by itself."""
        event, (values, given, _, places) = moment.event, moment.copies
        outputs = event.output if isinstance(event.output, tuple) else (event.output,)
        if event.node is None and event.output is not None and self._are_aside(event, given, outputs):
            return None
        before = [
            copy if known is None or copy is UNKNOWN else self.draft.now(self.arrays.of(value, known[0], copy))
            for value, copy, known in zip(event.values, values, given)
        ]
        after = []
        for tensor, place in zip(outputs, places):
            if object_of(tensor) not in self.arrays.by_object:
                raise NoProgram(say("program.foreign", name=event.op.name))
            array = self.arrays.by_object[object_of(tensor)]
            self.arrays.by_tensor[id(tensor)] = self.arrays.by_place[place] = array
            self.naming.give(array.value, self._proposed(moment, place, 1))
            after.append(self.draft.now(array))
        return before, given, after, places

    def _are_aside(self, event: Any, given: list, outputs: tuple) -> bool:
        """Whether another engine's operation stands beside the program: it drew numbers, which are given, or its
        results may be for nobody but the user."""
        if any(object_of(one) in self.arrays.by_object or id(one) in self.arrays.by_tensor for one in outputs):
            return False
        of = [(value, known[0]) for value, known in zip(event.values, given) if known is not None]
        if not all(value is event.output and self.arrays.is_new(value, place) for value, place in of):
            self.arrays.foreign |= dict.fromkeys(map(id, outputs), event.op.name)
            self.draft.breaks.add("otherwise")
        return True

    def mutated(self, moment: Moment) -> tuple:
        """A change in place: an operation told of it already, or an optimizer did it."""
        event, (place, copy, leaf) = moment.event, moment.copies
        if id(leaf) in self.arrays.mail:
            self._mail_changed(id(leaf), copy)
        array = None if isinstance(place, tuple) else self.arrays.by_tensor.get(id(event.tensor))
        array = array if array is None else self.arrays.as_it_is_now(event.tensor, array, UNKNOWN)
        if array is not None and not same(array.plain, copy):
            after = self._given_anew(array, copy)
            if array.ndim:
                array[...] = after
            else:
                self.arrays.by_tensor[id(event.tensor)] = after
        known = (
            *(self._written, self.arrays.by_place.get(place), self.arrays.by_tensor.get(id(event.tensor))),
            self.arrays.mail.get(id(leaf)),
        )
        found = next((one for one in known if one is not None and same(one.plain, copy)), None)
        return place, copy if found is None else self.draft.now(found), leaf

    def _mail_changed(self, leaf: int, copy: Any) -> None:
        """A gradient in a mailbox is another now: as the operation left it that just ran, or nobody saw which."""
        array, draft = self.arrays.mail[leaf], self.draft
        if draft.alike(array.plain, copy):
            return
        is_seen = self._written is not None and same(self._written.plain, copy)
        after: Any = self._written if is_seen else self._given_anew(array, copy)
        if array.ndim:
            array[...] = after
        else:
            name = self.naming.wanted(array.value)
            if self.naming.wanted(after.value) != name:
                after = draft.passed_on(after)
                self.naming.give(after.value, name)
            self.arrays.mail[leaf] = after
            draft.results = [after.value if one is array.value else one for one in draft.results]

    def _given_anew(self, array: Traced, copy: Any) -> Traced:
        """What an array is after a change that is no operation."""
        self.tape.why = say("program.changed")
        self.draft.breaks.add("optimizer")
        after = self.tape.given(copy, "")
        self.naming.give(after.value, f"{array.value.name}_changed")
        return after

    def passed(self, moment: Moment) -> None:
        self.passed_over = True

    def _proposed(self, moment: Moment, place: Any, count: int) -> str:
        """What the user calls a result."""
        where = moment.where
        named = self.draft.recorder.names.by_place.get(place)
        if named is None and where.mark and count == 1 and not (where.partial or where.updating):
            named = located(where.mark).name
        return named or ""
