"""The backward on a tape: each rule runs once more, and what it makes flows as it did."""

from typing import Any, cast

import numpy as np

import minigrad as mg
from minigrad import Tensor
from minigrad.compiler.lines import Value
from minigrad.compiler.traced import Traced

from ..recording.moments import Moment, data
from ..telling.words import bare
from ..words import say
from .arrays import Arrays, first, object_of
from .draft import Draft, NoProgram, same


class Backward:
    """Translates what flows.

    Args:
        nodes: the user's nodes and ours, which hold arrays of the tape.

    Attributes:
        sending: by the number of a line of a rule: the moments that send what it made.
    """

    def __init__(self, draft: Draft, arrays: Arrays, nodes: dict[Any, Any]) -> None:
        self.draft, self.arrays, self.tape, self.naming = draft, arrays, draft.tape, draft.naming
        self.sending: dict[int, list[int]] = {}
        self.is_starting = False  # whether several gradients start one backward
        self._nodes = nodes
        self._parts: dict[Any, list] = {}
        self._visit = 0  # the first line of the rules that run
        self._last: Any = None  # the last part

    def seeded(self, moment: Moment) -> tuple:
        event, (gradient,) = moment.event, moment.copies
        self.tape.why = say("program.begins")
        if not self.is_starting:
            self.over()
        array = self._of(event.gradient)
        if array is None or not isinstance(event.gradient, Tensor) and np.all(gradient == 1):  # the engine's own
            array = self.tape.literal(gradient)
        root = self.arrays.by_place.get((event.node, event.index))
        results = self.draft.results
        results += [root.value] if root is not None and root.value not in results else []
        self._arrives((event.node, event.index), array, event.gradient)
        self.is_starting = True
        return (self.draft.now(array),)

    def over(self) -> None:
        """A backward has ended: what lies at a leaf and in no mailbox, `autograd.grad` has given to somebody."""
        given = [first(array.value) for (node, _), array in self.arrays.arrived.items() if node.is_leaf]
        self.draft.results += [value for value in given if value not in self.draft.results]
        self.arrays.arrived.clear()

    def visited(self, moment: Moment) -> tuple:
        event = moment.event
        several = isinstance(event.gradient, list | tuple)
        keys = [(event.node, i) for i in range(len(event.gradient) if several else 1)]
        node = self._nodes.get(event.node)
        if isinstance(event.gradient, Tensor) or node is None:  # what its rule does was recorded by itself
            if not isinstance(event.gradient, Tensor) and hasattr(event.node, "op"):
                has_rules = hasattr(event.node.op, "rules")  # else it is a Function of another engine's, or CopySlices
                raise NoProgram(say("program.unseen") if has_rules else say("program.inside", name=bare(event.node)))
            arrived = [self.arrays.arrived.get(key) for key in keys]
        else:
            self.tape.why, self._visit = bare(event.node), len(self.tape.lines)
            arrived = [self.arrays.arrived.pop(key, None) for key in keys]
            self._parts[event.node] = node.gradients(arrived if several else arrived[0])
        return ([None if one is None else self.draft.now(one) for one in arrived],)

    def sent(self, moment: Moment) -> tuple:
        event, (sent, copy) = moment.event, moment.copies
        array: Any
        whole: Any
        if isinstance(event.part, Tensor):
            array = self.arrays.recorded(event.part)
            whole = array if event.whole is event.part else self.arrays.recorded(event.whole)
        else:
            whole = self._whole(event)
            with mg.no_grad():
                array = whole if whole.shape == copy.shape else mg.from_numpy(whole).sum_to_size(copy.shape).numbers
                if array.dtype.kind == "c" and copy.dtype.kind != "c":
                    array = array.real
                if array.dtype != copy.dtype:
                    array = array.astype(copy.dtype)
            array = self.draft.on_tape(array)
        self._last = array
        self._sends(array.value)
        key = event.target, event.index
        if key not in self.arrays.arrived:
            self._arrives(key, array, event.part)
        self.draft.compare(array, copy, f"what {event.node.name()} sends")
        return self.draft.now(array if sent is copy else whole), self.draft.now(array)

    def accumulated(self, moment: Moment) -> tuple:
        event = moment.event
        key = event.node, event.index
        before, after = self.arrays.arrived[key], self._of(event.after)
        if after is None:
            after = before + self._last
        self._arrives(key, after, event.after)
        return self.draft.now(before), self.draft.now(self._last), self.draft.now(after)

    def deposited(self, moment: Moment) -> tuple:
        event, (before, _, after) = moment.event, moment.copies
        leaf, part, mail = id(event.tensor), cast(Any, self.arrays.arrived.pop((event.node, 0))), self.arrays.mail
        self.tape.why = "AccumulateGrad"
        owner = self.arrays.by_tensor.get(leaf)
        name = "x" if owner is None else self.naming.wanted(owner.value, "x")
        replaced, earlier = mail[leaf].value if leaf in mail else None, None
        if before is None:
            array = self.draft.passed_on(part)
        else:
            if leaf not in mail or not (self.draft.hooked or self.draft.alike(mail[leaf].plain, before)):
                found = self._of(event.before)
                if found is None and leaf in self.arrays.owners:  # it was put there, and nobody knows what made it
                    self.draft.breaks.add("otherwise")
                mail[leaf] = self.tape.given(before, "") if found is None else self.draft.passed_on(found)
                self.naming.give(mail[leaf].value, f"{name}_grad")
            earlier = self.draft.now(mail[leaf])
            array = mail[leaf] + part
        self.naming.give(array.value, f"{name}_grad")
        mail[leaf], self.arrays.owners[leaf] = array, (event.tensor, data(event.after))
        self.draft.results = [one for one in self.draft.results if one is not replaced] + [array.value]
        self.draft.compare(array, after, f"{name}.grad")
        return earlier, self.draft.now(part), self.draft.now(array)

    def zeroed(self, moment: Moment) -> tuple:
        event, (leaf, numbers, copy) = moment.event, moment.copies
        mail = self.arrays.mail
        if event.after is None:
            mail.pop(id(leaf), None)
        elif id(leaf) in mail and mail[id(leaf)].plain.any():
            mail[id(leaf)] = np.zeros_like(mail[id(leaf)])
        whole = self.arrays.as_it_is_now(leaf, self.arrays.by_tensor.get(id(leaf)), numbers)
        now = [whole, None if event.after is None else mail.get(id(leaf))]
        return leaf, *(two if one is None else self.draft.now(one) for one, two in zip(now, (numbers, copy)))

    def hooked(self, moment: Moment) -> tuple | None:
        """What a tensor's hook puts in the place of its gradient, if that was computed in sight.

        Other hooks are left out; from there on the program may compute what the run would have computed without them.
        """
        event, (before, after) = moment.event, moment.copies
        if event.kind == "retain_grad" and before is None and isinstance(event.after, Tensor):
            if event.node.outputs == 1:  # of several, which one it is, is not told
                found = self.arrays.by_object[object_of(event.after)] = self.arrays.arrived[event.node, 0]
                return None, self.draft.now(found)
        self.draft.breaks.add("hooks")
        if event.kind == "retain_grad" or event.after is event.before:  # which changes nothing
            return None
        kept = self._of(event.after) if event.kind == "tensor" and event.node.outputs == 1 else None
        if kept is not None and same(kept.plain, after):
            self._arrives((event.node, 0), kept, event.after)
        else:
            self.draft.hooked = True
        return None

    def _of(self, gradient: Any) -> Any:
        """The array of a gradient, if it is one that is known: a Tensor, or the numbers of one."""
        if isinstance(gradient, Tensor):
            return self.arrays.by_tensor.get(id(gradient))
        found = self.arrays.by_object.get(id(gradient))
        return found if found is not None and same(found.plain, gradient) else None

    def _sends(self, value: Value) -> None:
        """The lines of the rules that run which lead to what is sent."""
        wanted = {value}
        for line in reversed(self.tape.lines[self._visit :]):
            if wanted & {*line.makes, line.changes}:
                wanted |= set(line.reads)
                self.sending.setdefault(line.number, []).append(self.draft.number)

    def _whole(self, event: Any) -> Traced:
        """What a rule sends, before it takes the shape of its input."""
        if event.node in self._parts:
            return self.draft.on_tape(self._parts[event.node][event.slot])
        if id(event.whole) not in self.arrays.by_object:
            raise NoProgram(say("program.foreign", name=event.node.name()))
        return self.arrays.by_object[id(event.whole)]

    def _arrives(self, key: tuple, array: Traced, seen: Any) -> None:
        """A gradient is complete, or so far; `seen` is what the engine has of it."""
        node, index = key
        tensor = self.arrays.by_tensor.get(id(node.variable)) if node.is_leaf else self.arrays.by_place.get(key)
        named = tensor.value.name if tensor is not None else ""
        if named and array.value.name:  # it goes on as it is
            array = self.draft.passed_on(array)
        self.arrays.arrived[key] = self.arrays.by_object[id(data(seen))] = array
        if named:
            self.naming.give(array.value, f"d_{named}")
