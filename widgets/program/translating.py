"""From what a recorder kept to a tape: each operation and each rule runs once more, on arrays that write lines.

What comes out is compared, bit by bit, with what was recorded: a program that would compute anything else is not made.
"""

import itertools
import keyword
import re
from collections.abc import Callable
from typing import Any, cast

import numpy as np

import minigrad as mg
from minigrad import Tensor
from minigrad.autograd import events
from minigrad.core.forward import apply
from minigrad.words.source import located

from ..recording.iterations import Began, Passed
from ..recording.large import COPIED, Large
from ..recording.moments import Moment, data
from ..recording.recorder import Recorder
from ..words import say
from .tape import Call, Tape, Traced, Value, values_in

TOO_LARGE = "a program is written of arrays of at most {:,} numbers, but {} has the shape {}; record a smaller case"
UNSEEN = "this run began before the block: a program needs the forward inside of `with record() as run:`"
FOREIGN = "{} is an operation of your own; a program is written of minigrad's, whose rules are formulas"
OTHERWISE = "{} came out otherwise when it was computed again, so no program is written of this run"


class Translator:
    """The tape of a recorder's moments: `Translator(recorder).tape`."""

    def __init__(self, recorder: Recorder) -> None:
        self.tape, self.recorder = Tape(), recorder
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
        self._taken: set[str] = set()
        self.hooked = False
        self._seeding = False  # whether several gradients start one backward
        with np.errstate(all="ignore"), self.tape.running():
            for moment in map(Moment._make, recorder.moments):
                self._seeding = self._seeding and type(moment.event) is events.Seeded
                TRANSLATED[type(moment.event)](self, moment)
        read = {value for line in self.tape.lines for value in values_in(line)}
        self.results += [value for value in self._users if value not in read and value not in self.results]

    # -- forward ---------------------------------------------------------------------------------------------------

    def _made(self, moment: Moment) -> None:
        event, (values, given, outputs, places) = moment.event, moment.copies
        if not hasattr(event.op, "rules"):
            self._called(moment)
            return
        in_place = event.output is event.values[0]
        if in_place and event.node in self._nodes:
            return  # a change of a view: it was told of as one of its base, whose memory it shares
        self.tape.why = line_of(moment)
        arguments: list[Any] = []
        for value, copy, known in zip(event.values, values, given):
            if known is not None:
                array = self._array(value, known[0], copy)
                arguments.append(mg.from_numpy(array).requires_grad_(known[1]))
            else:
                arguments.append(value)
        with mg.set_grad_enabled(event.node is not None):
            try:
                result = apply(event.op, tuple(arguments))
            except TypeError:  # what was read off a graph lacks the values that no rule needs
                raise ValueError(UNSEEN) from None
        found = result if isinstance(result, tuple) else (result,)
        tensors = event.output if isinstance(event.output, tuple) else (event.output,)
        for tensor, one, copy, place in zip(tensors or (None,), found, outputs, places):
            array = self._on_tape(one.numbers)
            if in_place and event.node is None and array.ndim:
                target = arguments[0].numbers
                target[...] = array
                array = target
            else:  # what is recorded keeps what it saw, so a change in place makes another array
                before = arguments[0].numbers.value.name if in_place else ""
                self._name(array.value, before or self._proposed(moment, place, len(outputs)))
                self._users += [array.value] * bool(array.value.name)
                self._arrays[id(tensor)] = self._objects[id(data(tensor))] = array
            if isinstance(place, tuple):
                self._places[place] = array
            self._compare(array, copy, array.value.name or event.op.name)
        if event.node is not None:
            self._nodes[event.node] = found[0].grad_fn

    def _called(self, moment: Moment) -> None:
        """A Function of the user's own: what it computes was recorded by itself."""
        event, (*_, places) = moment.event, moment.copies
        for tensor, place in zip(event.output if isinstance(event.output, tuple) else (event.output,), places):
            if id(tensor.numbers) not in self._objects:
                raise ValueError(FOREIGN.format(event.op.name))
            self._arrays[id(tensor)] = self._places[place] = array = self._objects[id(tensor.numbers)]
            self._name(array.value, self._proposed(moment, place, 1))

    def _array(self, tensor: Tensor | None, place: Any, copy: Any) -> Traced:
        """The array of a tensor; one that comes up for the first time is given to the program."""
        known = (self._places, place), (self._arrays, id(tensor)), (self._objects, id(data(tensor)))
        found = self._in_mailbox(tensor)
        if found is None:
            found = next((arrays[key] for arrays, key in known if key in arrays), None)
        if found is None:
            name = self.recorder.names.by_place.get(place) or "x"
            if tensor is None or tensor.made_by is not None:
                raise ValueError(UNSEEN)
            if isinstance(copy, Large):
                raise ValueError(TOO_LARGE.format(COPIED, name, tuple(copy.shape)))
            found = self._arrays[id(tensor)] = self.tape.given(copy, "")
            self._name(found.value, name)
        return found

    def _in_mailbox(self, tensor: Tensor | None) -> Traced | None:
        """The array of what is called `w.grad`: another one after each backward."""
        for leaf, (owner, after) in self._owners.items():
            if leaf in self._mail and tensor is not None and (owner.grad is tensor or after is tensor.numbers):
                return self._mail[leaf]
        return None

    # -- backward --------------------------------------------------------------------------------------------------

    def _seeded(self, moment: Moment) -> None:
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

    def _visited(self, moment: Moment) -> None:
        event = moment.event
        if isinstance(event.gradient, Tensor):
            return  # what its rule does was recorded by itself
        node = self._nodes.get(event.node)
        if node is None:
            if hasattr(event.node, "op"):
                raise ValueError(UNSEEN)
            return  # a Function of the user's own, whose backward was recorded by itself
        self.tape.why = event.node.name()
        several = isinstance(event.gradient, list | tuple)
        count = len(event.gradient) if several else 1
        arrived = [self._arrived.pop((event.node, i), None) for i in range(count)]
        self._parts[event.node] = node.gradients(arrived if several else arrived[0])

    def _sent(self, moment: Moment) -> None:
        event, (_, copy) = moment.event, moment.copies
        array: Any
        if isinstance(event.part, Tensor):
            array = self._arrays.get(id(event.part))
            if array is None:
                array = self._places[event.part.made_by]
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
        key = event.target, event.index
        if key not in self._arrived:
            self._arrives(key, array, event.part)
        self._compare(array, copy, f"what {event.node.name()} sends")

    def _whole(self, event: Any) -> Traced:
        """What a rule sends, before it takes the shape of its input."""
        if event.node in self._parts:
            return self._on_tape(self._parts[event.node][event.slot])
        if id(event.whole) not in self._objects:
            raise ValueError(FOREIGN.format(event.node.name()))
        return self._objects[id(event.whole)]

    def _accumulated(self, moment: Moment) -> None:
        event = moment.event
        key = event.node, event.index
        after: Any = self._arrays.get(id(event.after)) if isinstance(event.after, Tensor) else None
        if after is None:
            after = self._arrived[key] + self._last
        self._arrives(key, after, event.after)

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

    def _deposited(self, moment: Moment) -> None:
        event, (before, _, after) = moment.event, moment.copies
        leaf, array = id(event.tensor), cast(Any, self._arrived.pop((event.node, 0)))
        self.tape.why = "AccumulateGrad"
        name = self._arrays[leaf].value.name if leaf in self._arrays else "x"
        before_value = self._mail[leaf].value if leaf in self._mail else None
        if before is not None:
            if leaf not in self._mail:
                self._mail[leaf] = self.tape.given(before, "")
                self._name(self._mail[leaf].value, f"{name}_grad")
            array = self._mail[leaf] + array
        else:
            array = self.tape.note(Call("same", "", lambda a: a, (array,), {}))
        self._name(array.value, f"{name}_grad")
        self._mail[leaf], self._owners[leaf] = array, (event.tensor, data(event.after))
        self.results = [one for one in self.results if one is not before_value] + [array.value]
        self._compare(array, after, f"{name}.grad")

    def _zeroed(self, moment: Moment) -> None:
        event, leaf = moment.event, moment.copies[0]
        if event.after is None:
            self._mail.pop(id(leaf), None)
        elif id(leaf) in self._mail and self._mail[id(leaf)].plain.any():
            self._mail[id(leaf)] = np.zeros_like(self._mail[id(leaf)])

    # -- what else happens -----------------------------------------------------------------------------------------

    def _mutated(self, moment: Moment) -> None:
        """A change in place: an operation told of it already, or an optimizer did it."""
        event, (place, copy) = moment.event, moment.copies
        array = None if isinstance(place, tuple) else self._arrays.get(id(event.tensor))
        if array is not None and not same(array.plain, copy):
            self.tape.why = say("program.changed")
            after = self.tape.given(copy, "")
            self._name(after.value, f"{array.value.name}_changed")
            if array.ndim:
                array[...] = after
            else:
                self._arrays[id(event.tensor)] = after

    def _hook(self, moment: Moment) -> None:
        """Hooks are left out; from there on the program may compute what the run would have computed without them."""
        self.hooked = True

    def _nothing(self, moment: Moment) -> None:
        pass

    def _on_tape(self, array: Any) -> Traced:
        return array if isinstance(array, Traced) else self.tape.adopted(array)

    def _compare(self, array: Traced, copy: Any, what: str) -> None:
        if not isinstance(copy, Large) and not self.hooked and not same(array.plain, copy):
            raise ValueError(OTHERWISE.format(what))

    def _proposed(self, moment: Moment, place: Any, count: int) -> str:
        where = moment.where
        named = self.recorder.names.by_place.get(place)
        if named is None and where.mark and count == 1 and not where.partial:
            named = located(where.mark).name
        return named or ""

    def _name(self, value: Value, name: str) -> None:
        """A name that no other value has."""
        if name and not value.name:
            name = identifier(name)
            names = itertools.chain([name], map(f"{name}_{{}}".format, itertools.count(2)))
            value.name = next(one for one in names if one not in self._taken)
            self._taken.add(value.name)


def line_of(moment: Moment) -> str:
    return located(moment.where.mark).expression if moment.where.mark else ""


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
    Passed: Translator._nothing,
}
