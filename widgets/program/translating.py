"""From what a recorder kept to a tape: each operation and each rule runs once more, on arrays that write lines.

What comes out is compared, bit by bit, with what was recorded: a program that would compute anything else is not made.
"""

import bisect
import itertools
import keyword
import re
from collections.abc import Callable
from typing import Any, cast

import numpy as np

import minigrad as mg
from minigrad import Tensor
from minigrad.autograd import events
from minigrad.autograd.meta import AutogradMeta
from minigrad.compiler.lines import Call, Line, Value, root
from minigrad.compiler.tape import Tape, Traced
from minigrad.core.forward import apply
from minigrad.words.source import located

from ..recording.iterations import Began, Passed
from ..recording.large import COPIED, Large
from ..recording.moments import UNKNOWN, Moment, data, is_elsewhere, memory_of
from ..recording.recorder import Recorder
from ..telling.operation import is_told
from ..telling.trace import brief
from ..words import say


class NoProgram(ValueError):
    """Why none can be written of a run, in one sentence."""


class Seen:
    """What stands in a piece of memory now; and how a view is taken, so that it follows when the whole is another."""

    def __init__(self, array: Traced) -> None:
        self.stands(array)

    def stands(self, array: Traced, whole: "Seen | None" = None, take: Callable = lambda whole: whole) -> None:
        self.array, self.whole, self.take = array, whole, take
        self.taken_of = None if whole is None else whole.array

    def views(self) -> list["Seen"]:
        """It, what it is taken of, and so on."""
        views = [self]
        while views[-1].whole is not None:
            views.append(views[-1].whole)
        return views

    def now(self) -> Traced:
        for view in self.views()[-2::-1]:
            whole = cast(Seen, view.whole).array
            if view.taken_of is not whole:
                view.taken_of, view.array = whole, view.take(whole)
        return self.array

    def put(self, part: Traced) -> None:
        """A view was changed: so is what it is taken of, and whatever else is taken of that."""
        whole = self.views()[-1]
        whole.array = whole.array.copy()
        self.now()[...] = part


class Translator:
    """The tape of a recorder's moments: `Translator(recorder).tape`.

    Args:
        keeps: whether to keep each number as it was at its moment.

    Attributes:
        lines: what the run comes down to; on the tape there are copies for what is kept, too.
        moments: the recorder's, with arrays of the tape in place of the copies, where they are the same.
        decisions: values for whose numbers Python asked.
        hooked: whether there were hooks, which are left out.
        breaks: why other numbers would not follow from this tape: names of words of the room `immovable`.
    """

    def __init__(self, recorder: Recorder, keeps: bool = False) -> None:
        self.tape, self.recorder, self.keeps = Tape(decides=self._decides), recorder, keeps
        self.moments: list[Moment] = []
        self.decisions: list[Value] = []
        self._kept: dict[Value, Traced] = {}  # what a value is now: a copy, until it is written into
        self._copies: set[Line] = set()
        self._looked = 0  # at how many lines, whether they write into what was kept
        self.results: list[Value] = []  # what a reader of the program wants to have: results and gradients
        self._arrays: dict[int, Traced] = {}  # by id of the user's tensor
        self._places: dict[Any, Traced] = {}  # and by place: of a result, the node that made it
        self._nodes: dict[Any, Any] = {}  # the user's nodes and ours, which hold arrays of the tape
        self._parts: dict[Any, list] = {}
        self._arrived: dict[tuple, Traced] = {}  # by node and output: the gradient so far
        self._mail: dict[int, Traced] = {}  # by id of a leaf: its `.grad`
        self._owners: dict[int, tuple] = {}  # and the leaf itself, with the array that lay in `.grad`
        self._users: list[Value] = []  # what the user gave a name
        self._objects: dict[int, Traced] = {}  # by id of an array of the engine's, which some event keeps alive
        self._memories: dict[Any, Seen] = {}  # by what tells the memory of a tensor apart
        self._written: Traced | None = None  # what the last operation wrote in place
        self._taken: dict[str, str] = {}  # each name, and what it would be if it were the only one: of w_2, w
        self.hooked, self.breaks = False, set[str]()
        self._alike = nearly if recorder.elsewhere else same
        self._seeding = False  # whether several gradients start one backward
        self._ends: list[int] = []  # for each moment, how many lines there were after it
        self._sending: dict[int, list[int]] = {}  # by line of a rule: the moments that send what it made
        self._visit = 0  # the first line of the rules that run
        self._passed = False  # whether iterations ran of which little was kept
        self._updating = False  # whether an optimizer is at work
        with np.errstate(all="ignore"), self.tape.running(), recorder.deaf():
            for moment in map(Moment._make, recorder.moments):
                self._seeding = self._seeding and type(moment.event) is events.Seeded
                self._updating = moment.where.updating
                try:
                    copies = TRANSLATED[type(moment.event)](self, moment)
                except NoProgram:
                    raise
                except Exception as error:  # whoever steps through a run shall not miss it because of its program
                    raise NoProgram(say("program.elsewhere" if recorder.elsewhere else "program.stopped")) from error
                self.moments.append(moment._replace(copies=self._on_the_tape(moment.copies, copies)))
                self._ends.append(len(self.tape.lines))
        self.lines = [line for line in self.tape.lines if line not in self._copies]
        read = {value for line in self.lines for value in line.reads}
        self.results += [value for value in self._users if value not in read and value not in self.results]

    def moments_of(self, line: Line) -> list[int]:
        """The moments to which a line belongs, by number: that it came with, and those that send what it made."""
        return [bisect.bisect(self._ends, line.number), *self._sending.get(line.number, [])]

    def _decides(self, value: Value, how: str, place: tuple, answer: Any) -> None:
        """Python asked for the numbers of a value. A program goes the way of the run."""
        self.decisions.append(value)

    def _now(self, array: Traced) -> Traced:
        """An array as it is at this moment. Who does not keep it never asks for it later: it is the array itself."""
        if not self.keeps:
            return array
        memories = {line.changes.memory for line in self.tape.lines[self._looked :] if line.changes is not None}
        self._looked = len(self.tape.lines)
        if memories:
            self._kept = {value: copy for value, copy in self._kept.items() if value.memory not in memories}
        if array.value not in self._kept:
            self._kept[array.value] = copy = self.tape.note(Call("method", "copy", np.ndarray.copy, (array,), {}))
            self._copies.add(cast(Line, copy.value.line))
        return self._kept[array.value]

    def _on_the_tape(self, copies: Any, found: Any) -> Any:
        """What was recorded, with arrays of the tape where they are known and hold the same numbers."""
        if copies is found or copies is UNKNOWN or not isinstance(found, Traced | list | tuple):
            return copies
        if isinstance(found, list | tuple):
            return type(copies)(map(self._on_the_tape, copies, found))
        alike = told_alike if self.recorder.elsewhere else same
        if isinstance(copies, Large) or not alike(found.plain, copies):
            self.breaks.add("otherwise")
            return copies
        return found

    # -- forward ---------------------------------------------------------------------------------------------------

    def _made(self, moment: Moment) -> tuple | None:
        event, (values, given, outputs, places) = moment.event, moment.copies
        if not hasattr(event.op, "rules"):
            return self._called(moment)
        in_place = event.output is event.values[0]
        if self._passed:
            raise NoProgram(say("program.passed"))
        if in_place and event.node is None and values[0] is UNKNOWN and self._is_new(event.values[0], given[0][0]):
            self._array(event.values[0], given[0][0], outputs[0])  # what it was before nobody saw
            return None
        self.tape.why = line_of(moment)
        arguments: list[Any] = []
        before: list[Any] = list(values)
        for i, (value, copy, known) in enumerate(zip(event.values, values, given)):
            if known is not None:
                is_read = i > 0 or not in_place or event.node is None or is_told(event.op, 0)
                array = self._array(value, known[0], copy, is_read)
                arguments.append(mg.from_numpy(array).requires_grad_(known[1]))
                before[i] = self._now(array) if copy is not UNKNOWN else copy
            elif copy is UNKNOWN:  # no rule needs it, so what was read off a graph lacks it
                raise NoProgram(say("program.unseen"))
            else:
                arguments.append(copy)
        with mg.set_grad_enabled(event.node is not None):
            result = apply(event.op, tuple(arguments))
        found, after = result if isinstance(result, tuple) else (result,), []
        tensors = event.output if isinstance(event.output, tuple) else (event.output,)
        for number, (tensor, one, copy, place) in enumerate(zip(tensors or (None,), found, outputs, places)):
            array = self._on_tape(one.numbers)
            target = arguments[0].numbers if in_place and event.node is None else None
            if target is not None and root(target.plain).ndim:
                target[...] = array
                array = target
            else:  # what is recorded keeps what it saw, so a change in place makes another array
                earlier = arguments[0].numbers.value.name if in_place else ""
                self._name(array.value, self._taken.get(earlier) or self._proposed(moment, place, len(outputs)))
                self._users += [array.value] * bool(array.value.name)
                self._arrays[id(tensor)] = self._objects[object_of(tensor)] = array
                if tensor is not None:
                    self._stands(moment, number, array)
            if isinstance(place, tuple):
                self._places[place] = array
            self._compare(array, copy, array.value.name or event.op.name)
            self._written = array if in_place else None
            after.append(self._now(array))
        if event.node is not None and found:
            self._nodes[event.node] = found[0].grad_fn
        if in_place:  # what was written over was copied after it
            before = [
                after[0] if isinstance(one, Traced) and not same(one.plain, copy) else one
                for one, copy in zip(before, values)
            ]
        return before, given, after, places

    def _called(self, moment: Moment) -> tuple:
        """A Function of the user's own: what it computes was recorded by itself."""
        event, (values, given, _, places) = moment.event, moment.copies
        before = [
            copy if known is None or copy is UNKNOWN else self._now(self._array(value, known[0], copy))
            for value, copy, known in zip(event.values, values, given)
        ]
        after = []
        for tensor, place in zip(event.output if isinstance(event.output, tuple) else (event.output,), places):
            if object_of(tensor) not in self._objects:
                raise NoProgram(say("program.foreign", name=event.op.name))
            self._arrays[id(tensor)] = self._places[place] = array = self._objects[object_of(tensor)]
            self._name(array.value, self._proposed(moment, place, 1))
            after.append(self._now(array))
        return before, given, after, places

    def _array(self, tensor: Tensor | None, place: Any, copy: Any, is_read: bool = True) -> Traced:
        """The array of a tensor; one that comes up for the first time is given to the program, if it is read."""
        known: list[tuple[dict, Any]] = [(self._places, place)]
        if tensor is not None:  # what was read off a graph has no tensor
            known += [(self._arrays, id(tensor)), (self._objects, object_of(tensor))]
        found = self._in_mailbox(tensor)
        if found is None:
            found = next((arrays[key] for arrays, key in known if key in arrays), None)
            found = self._as_it_is_now(tensor, found, copy)
        if found is None:
            name = self.recorder.names.by_place.get(place) or ("state" if self._updating else "x")
            if copy is UNKNOWN or isinstance(place, tuple):  # the place of a result
                raise NoProgram(say("program.unseen"))
            if isinstance(copy, Large):
                raise NoProgram(say("program.too_large", most=f"{COPIED:,}", name=name, shape=tuple(copy.shape)))
            arrays, key = known[:2][-1]
            found = arrays[key] = self.tape.given(copy, "")
            if tensor is not None:
                self._objects[object_of(tensor)] = found
                if memory := memory_of(tensor):
                    self._memories[memory] = Seen(found)
            self._name(found.value, name * is_read)
        return found

    def _stands(self, moment: Moment, number: int, array: Traced) -> None:
        """What stands in the memory of a result from now on; of a view, how it is taken."""
        op, values, output = moment.event.op, moment.event.values, moment.event.output
        memory = memory_of(output[number] if isinstance(output, tuple) else output)
        if memory is None:
            return
        is_view, in_place = getattr(op, "view", False), output is values[0]
        whole = self._memories.get(memory_of(values[0])) if is_view and not in_place else None
        seen = self._memories.setdefault(memory, Seen(array))
        if in_place and seen.whole is not None and not AutogradMeta(output).is_view_:  # else the engine tells of that
            seen.put(array)
        elif whole is None or array.value.memory != whole.array.value.memory:
            seen.stands(array)
        elif seen not in whole.views():  # else it is the same numbers in the same shape, as of `x.t().t()`
            seen.stands(array, whole, lambda now: self._viewed(op, (now, *moment.copies[0][1:]), number))

    def _viewed(self, op: Any, arguments: tuple, number: int) -> Traced:
        """A view, taken anew."""
        with mg.no_grad():
            found = apply(op, (mg.from_numpy(arguments[0]), *arguments[1:]))
        return self._on_tape((found[number] if isinstance(found, tuple) else found).numbers)

    def _as_it_is_now(self, tensor: Tensor | None, known: Traced | None, copy: Any) -> Traced | None:
        """What stands in the memory of a tensor by now, which may have been changed under another name."""
        seen = None if tensor is None else self._memories.get(memory_of(tensor))
        now = None if seen is None else seen.now()
        if now is None or (known is not None and where(known.value) == where(now.value)):
            return known
        return now if copy is UNKNOWN or isinstance(copy, Large) or self._alike(now.plain, copy) else known

    def _is_new(self, tensor: Tensor, place: Any) -> bool:
        known = place in self._places or id(tensor) in self._arrays or memory_of(tensor) in self._memories
        return not known and self._in_mailbox(tensor) is None

    def _in_mailbox(self, tensor: Tensor | None) -> Traced | None:
        """The array of what is called `w.grad`: another one after each backward."""
        for leaf, (owner, after) in self._owners.items():
            if leaf in self._mail and tensor is not None and (owner.grad is tensor or after is tensor.numbers):
                return self._mail[leaf]
        return None

    # -- backward --------------------------------------------------------------------------------------------------

    def _seeded(self, moment: Moment) -> tuple:
        event, (gradient,) = moment.event, moment.copies
        self.tape.why = say("program.begins")
        if not self._seeding:
            self._arrived.clear()  # what autograd.grad was asked for stayed where it arrived
        array = self._arrays.get(id(event.gradient)) if isinstance(event.gradient, Tensor) else None
        if array is None:
            array = self.tape.literal(gradient)
        root = self._places.get((event.node, event.index))
        self.results += [root.value] if root is not None and root.value not in self.results else []
        self._arrives((event.node, event.index), array, event.gradient)
        self._seeding = True
        return (self._now(array),)

    def _visited(self, moment: Moment) -> tuple:
        event = moment.event
        several = isinstance(event.gradient, list | tuple)
        count = len(event.gradient) if several else 1
        node = self._nodes.get(event.node)
        if isinstance(event.gradient, Tensor) or node is None:  # what its rule does was recorded by itself
            if not isinstance(event.gradient, Tensor) and hasattr(event.node, "op"):
                raise NoProgram(say("program.unseen"))
            waiting = [self._arrived.get((event.node, i)) for i in range(count)]
            return ([None if one is None else self._now(one) for one in waiting],)
        self.tape.why, self._visit = event.node.name(), len(self.tape.lines)
        arrived = [self._arrived.pop((event.node, i), None) for i in range(count)]
        self._parts[event.node] = node.gradients(arrived if several else arrived[0])
        return ([None if one is None else self._now(one) for one in arrived],)

    def _sent(self, moment: Moment) -> tuple:
        event, (sent, copy) = moment.event, moment.copies
        array: Any
        whole: Any
        if isinstance(event.part, Tensor):
            array = self._recorded(event.part)
            whole = array if event.whole is event.part else self._recorded(event.whole)
        else:
            whole = self._whole(event)
            with mg.no_grad():
                array = whole if whole.shape == copy.shape else mg.from_numpy(whole).sum_to_size(copy.shape).numbers
                if array.dtype.kind == "c" and copy.dtype.kind != "c":
                    array = array.real
                if array.dtype != copy.dtype:
                    array = array.astype(copy.dtype)
            array = self._on_tape(array)
        self._last = array
        self._sends(array.value)
        key = event.target, event.index
        if key not in self._arrived:
            self._arrives(key, array, event.part)
        self._compare(array, copy, f"what {event.node.name()} sends")
        return self._now(array if sent is copy else whole), self._now(array)

    def _recorded(self, tensor: Tensor) -> Any:
        """The array of a gradient that is a Tensor, so that what made it was recorded."""
        known: list[tuple[dict, Any]] = [(self._arrays, id(tensor)), (self._objects, object_of(tensor))]
        known += [(self._places, tensor.made_by)]
        found = next((arrays[key] for arrays, key in known if key in arrays), None)
        if found is None:
            raise NoProgram(say("program.unseen"))
        return found

    def _sends(self, value: Value) -> None:
        """The lines of the rules that run which lead to what is sent."""
        wanted = {value}
        for line in reversed(self.tape.lines[self._visit :]):
            if wanted & {*line.makes, line.changes}:
                wanted |= set(line.reads)
                self._sending.setdefault(line.number, []).append(len(self._ends))

    def _whole(self, event: Any) -> Traced:
        """What a rule sends, before it takes the shape of its input."""
        if event.node in self._parts:
            return self._on_tape(self._parts[event.node][event.slot])
        if id(event.whole) not in self._objects:
            raise NoProgram(say("program.foreign", name=event.node.name()))
        return self._objects[id(event.whole)]

    def _accumulated(self, moment: Moment) -> tuple:
        event = moment.event
        key = event.node, event.index
        before = self._arrived[key]
        after: Any = self._arrays.get(id(event.after)) if isinstance(event.after, Tensor) else None
        if after is None:
            after = before + self._last
        self._arrives(key, after, event.after)
        return self._now(before), self._now(self._last), self._now(after)

    def _arrives(self, key: tuple, array: Traced, seen: Any) -> None:
        """A gradient is complete, or so far; `seen` is what the engine has of it."""
        node, index = key
        tensor = self._places.get(key) if not node.is_leaf else self._arrays.get(id(node.variable))
        named = tensor.value.name if tensor is not None else ""
        if named and array.value.name:  # passed on as it is
            array = self.tape.note(Call("same", "", lambda a: a, (array,), {}))
        self._arrived[key] = self._objects[id(data(seen))] = array
        if named:
            self._name(array.value, f"d_{named}")

    def _deposited(self, moment: Moment) -> tuple:
        event, (before, _, after) = moment.event, moment.copies
        leaf, array = id(event.tensor), cast(Any, self._arrived.pop((event.node, 0)))
        self.tape.why = "AccumulateGrad"
        name = self._taken.get(self._arrays[leaf].value.name, "x") if leaf in self._arrays else "x"
        before_value, part = self._mail[leaf].value if leaf in self._mail else None, array
        if before is not None:
            if leaf not in self._mail:
                self._mail[leaf] = self.tape.given(before, "")
                self._name(self._mail[leaf].value, f"{name}_grad")
            earlier = self._now(self._mail[leaf])
            array = self._mail[leaf] + array
        else:
            earlier = None
            array = self.tape.note(Call("same", "", lambda a: a, (array,), {}))
        self._name(array.value, f"{name}_grad")
        self._mail[leaf], self._owners[leaf] = array, (event.tensor, data(event.after))
        self.results = [one for one in self.results if one is not before_value] + [array.value]
        self._compare(array, after, f"{name}.grad")
        return earlier, self._now(part), self._now(array)

    def _zeroed(self, moment: Moment) -> tuple:
        event, (leaf, numbers, copy) = moment.event, moment.copies
        if event.after is None:
            self._mail.pop(id(leaf), None)
        elif id(leaf) in self._mail and self._mail[id(leaf)].plain.any():
            self._mail[id(leaf)] = np.zeros_like(self._mail[id(leaf)])
        now = [self._arrays.get(id(leaf)), None if event.after is None else self._mail.get(id(leaf))]
        return leaf, *(two if one is None else self._now(one) for one, two in zip(now, (numbers, copy)))

    # -- what else happens -----------------------------------------------------------------------------------------

    def _mutated(self, moment: Moment) -> tuple:
        """A change in place: an operation told of it already, or an optimizer did it."""
        event, (place, copy) = moment.event, moment.copies
        array = None if isinstance(place, tuple) else self._arrays.get(id(event.tensor))
        array = array if array is None else self._as_it_is_now(event.tensor, array, UNKNOWN)
        if array is not None and not same(array.plain, copy):
            self.tape.why = say("program.changed")
            self.breaks.add("optimizer")
            after = self.tape.given(copy, "")
            self._name(after.value, f"{array.value.name}_changed")
            if array.ndim:
                array[...] = after
            else:
                self._arrays[id(event.tensor)] = after
        known = self._written, self._places.get(place), self._arrays.get(id(event.tensor))
        found = next((one for one in known if one is not None and same(one.plain, copy)), None)
        return place, copy if found is None else self._now(found)

    def _hook(self, moment: Moment) -> tuple | None:
        """Hooks are left out; from there on the program may compute what the run would have computed without them."""
        event, (before, _) = moment.event, moment.copies
        if event.kind == "retain_grad" and before is None and isinstance(event.after, Tensor):
            if event.node.outputs == 1:  # of several, which one it is, is not told
                found = self._objects[object_of(event.after)] = self._arrived[event.node, 0]
                return None, self._now(found)
        self.hooked = True
        self.breaks.add("hooks")
        return None

    def _pass(self, moment: Moment) -> None:
        self._passed = True

    def _nothing(self, moment: Moment) -> None:
        pass

    def _on_tape(self, array: Any) -> Traced:
        return array if isinstance(array, Traced) else self.tape.literal(array)

    def _compare(self, array: Traced, copy: Any, what: str) -> None:
        is_known = copy is not UNKNOWN and not isinstance(copy, Large) and not self.hooked
        if is_known and not self._alike(array.plain, copy):
            raise NoProgram(say("program.otherwise", name=what))

    def _proposed(self, moment: Moment, place: Any, count: int) -> str:
        where = moment.where
        named = self.recorder.names.by_place.get(place)
        if named is None and where.mark and count == 1 and not (where.partial or where.updating):
            named = located(where.mark).name
        return named or ""

    def _name(self, value: Value, name: str) -> None:
        """A name that no other value has."""
        if name and not value.name:
            name = identifier(name)
            names = itertools.chain([name], map(f"{name}_{{}}".format, itertools.count(2)))
            value.name = next(one for one in names if one not in self._taken)
            self._taken[value.name] = name


def line_of(moment: Moment) -> str:
    return located(moment.where.mark).expression if moment.where.mark else ""


def where(value: Value) -> tuple:
    return value.memory, value.address, value.shape, value.strides


def object_of(tensor: Tensor) -> int:
    """The engine's object that holds its numbers; of another engine's, what stands for the tensor."""
    return id(tensor if is_elsewhere(tensor) else data(tensor))


def identifier(name: str) -> str:
    """A name that Python takes: `self.w` becomes self_w."""
    name = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "x"
    if name[0].isdigit():
        return f"p{name}"  # a parameter of nn.Sequential: `0.weight`
    return f"{name}_" if keyword.iskeyword(name) or name in ("np", "math") else name


def same(one: Any, other: Any) -> bool:
    """Whether two arrays are the same to the last bit."""
    one, other = np.asarray(one), np.asarray(other)
    return one.shape == other.shape and one.dtype == other.dtype and one.tobytes() == other.tobytes()


def told_alike(one: Any, other: Any) -> bool:
    """Whether two arrays are told in the same words."""
    return np.shape(one) == np.shape(other) and brief(one) == brief(other)


def nearly(one: Any, other: Any) -> bool:
    """Whether two arrays are the same but for roundings."""
    one, other = np.asarray(one), np.asarray(other)
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-4, atol=1e-6, equal_nan=one.dtype.kind in "fc")


TRANSLATED: dict[type, Callable] = {
    events.Made: Translator._made,
    events.Seeded: Translator._seeded,
    events.Visited: Translator._visited,
    events.Sent: Translator._sent,
    events.Accumulated: Translator._accumulated,
    events.Deposited: Translator._deposited,
    events.Zeroed: Translator._zeroed,
    events.Mutated: Translator._mutated,
    events.HookCalled: Translator._hook,
    events.Freed: Translator._nothing,
    events.Failed: Translator._nothing,
    Began: Translator._nothing,
    Passed: Translator._pass,
}
