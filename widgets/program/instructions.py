"""A tape as data: instructions with plain names, which web/live.js follows where there is no Python.

>>> import numpy as np
>>> from minigrad.compiler.tape import Tape
>>> tape = Tape()
>>> a = tape.given(np.array([1.0, 2.0]), "a")
>>> out = (a * 3).sum()
>>> found = Instructions(tape, [a.value, out.value])
>>> found.lines
[['multiply', 2, [0, 1]], ['sum', 3, [2], [0]]]
>>> [(slot, data) for slot, data in found.given.items()]
[(0, [1.0, 2.0]), (1, [3.0])]
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from minigrad.compiler.lines import Line, Value, mapped, values_in
from minigrad.compiler.simplifying import filled
from minigrad.compiler.tape import Tape

from ..telling.trace import exact
from ..words import say
from . import primitives
from .primitives import NotLive, axes_of, named, unknown

MOST = 1 << 15  # numbers that are computed at each move: a page keeps pace with them


class Instructions:
    """The lines of a tape as data.

    Args:
        wanted: values that are shown; only what leads to them is computed.

    Attributes:
        lines: `[name, result, [arguments]]`, and what else the name needs; results and arguments are slots.
        slots: of each slot the shape and the type.
        given: by slot, the numbers that do not come from a line.
        slot: by value, its slot.
        decided: the slots of numbers that decided, when the run was recorded, where others are put.
    """

    def __init__(self, tape: Tape, wanted: Iterable[Value], decisions: Iterable[Value] = ()) -> None:
        self.lines: list[list] = []
        self.slots: list[tuple[list[int], str]] = []
        self.given: dict[int, list] = {}
        self.slot: dict[Value, int] = {}
        self._arrays: dict[Value, np.ndarray] = {}  # as NumPy has them at this line
        self._fixed: set[Value] = set()  # what depends on no number that may be moved
        self._memory: dict[Value, Value] = {}  # whose memory a value stands in
        # By a value that sees another's memory, and for which there is a copy here: where its elements stand there.
        self._seen: dict[Value, np.ndarray] = {}
        self._stale: set[Value] = set()  # copies of what was written into since
        self._bits: dict[Value, Value] = {}  # by an array of bits, seen as integers: the numbers that they are
        self._constants: dict[Any, int] = {}  # their slots, by content
        memory = {value: value.memory for line in tape.lines for value in line.makes}
        lines = filled(tape.lines)
        for value, before in memory.items():  # whoever reads the tape after us finds it as it was
            value.memory = before
        self._changed = changed(lines)
        self._decided = set(decisions)
        for value, array in tape.inputs.items():
            self._arrays[value] = np.array(array)
            if array.dtype.kind == "f":
                self._give(value, array)
            else:
                self._fixed.add(value)
        wanted = list(wanted)
        with np.errstate(all="ignore"):
            for line in needed(lines, {*wanted, *self._decided}, self._changed):
                self._follow(line)
        shown = {self._slot(value) for value in wanted}
        self.decided = sorted({self._slot(value) for value in self._decided if value not in self._fixed})
        self._drop(shown | set(self.decided))
        work = sum(int(np.prod(self.slots[line[1]][0])) for line in self.lines)
        if work > MOST:
            raise NotLive(say("immovable.too_large", numbers=f"{work:,}"))

    # -- slots -----------------------------------------------------------------------------------------------------

    def _new(self, value: Value) -> int:
        if value.dtype.name not in primitives.TYPES:
            raise NotLive(say("immovable.type", dtype=value.dtype.name))
        self.slot[value] = len(self.slots)
        self.slots.append((list(value.shape), value.dtype.name))
        return self.slot[value]

    def _give(self, value: Value, array: Any) -> int:
        slot = self._new(value)
        self.given[slot] = [exact(one) for one in np.asarray(array).ravel()]
        return slot

    def _slot(self, given: Any, like: Any = None) -> int:
        """The slot of an argument; a number of Python's takes the type of those beside it."""
        if isinstance(given, Value):
            if given in self._stale:
                self._stale.remove(given)
                memory = self._slot(self._memory[given])
                self.lines.append(["take", self._new(given), [memory], self._seen[given].ravel().tolist()])
            if given not in self.slot:
                self.slot[given] = self._constant(self._arrays[given])
            return self.slot[given]
        return self._constant(np.asarray(given, like))

    def _constant(self, array: np.ndarray) -> int:
        """The slot of numbers that stay what they are, where equal ones stand once."""
        key = array.dtype.str, array.shape, array.tobytes()
        if key not in self._constants:
            self._constants[key] = self._give(Value(-1, array.shape, array.dtype), array)
        return self._constants[key]

    # -- lines -----------------------------------------------------------------------------------------------------

    def _follow(self, line: Line) -> None:
        """Let NumPy do what a line says, and write the instruction for it."""
        call, read = line.call, line.reads
        if call.kind == "literal":
            answer: Any = call.run()
        else:
            answer = call.run(*self._plain(call.args), **self._plain(call.options))
        if line.changes is not None:
            return self._change(line)
        answers = answer if line.several else [answer]
        for value, array in zip(line.makes, answers):
            self._arrays[value] = np.zeros_like(array) if call.name == "empty" else np.asarray(array)
        fixed = call.name in primitives.MAKERS or call.kind == "literal" or all(value in self._fixed for value in read)
        if self._masked(line):
            return
        if fixed and not self._changed & set(line.makes):
            self._fixed |= set(line.makes)
        elif fixed and not any(np.may_share_memory(self._arrays[one], array) for one in read for array in answers):
            for value in line.makes:  # memory that is written into: each time anew
                source = self._constant(self._arrays[value].copy())
                self.lines.append(["copy", self._new(value), [source]])
        elif name := named(line):
            self._compute(name, line)
        elif call.name.rpartition(".")[2] in primitives.PLACING or call.kind in ("same", "index"):
            self._place(line)
        elif call.name in primitives.BY_THE_RECORD:
            self._fixed |= set(line.makes)
            self._decided |= set(read)
        else:
            raise unknown(call.name)

    def _masked(self, line: Line) -> bool:
        """Whether a line is one of three that put 0 where a mask does not hold: bits, times the mask, as numbers."""
        call, value = line.call, line.makes[0]
        bits = [one for one in call.args if isinstance(one, Value) and one in self._bits]
        if call.name == "view" and (bits or value.dtype.kind != call.args[0].dtype.kind):
            source = self._bits.get(call.args[0], call.args[0])
            if value.dtype.kind == "f":
                self.slot[value] = self._slot(source)
            else:
                self._bits[value] = source
            return True
        if call.name != "multiply" or len(bits) != 1:
            return False
        (mask,) = (one for one in call.args if one is not bits[0])
        source = self._bits[bits[0]]
        self._bits[value] = Value(-1, value.shape, source.dtype)
        self._emit("where", self._bits[value], [self._slot(mask), self._slot(source), self._slot(0, source.dtype)])
        return True

    def _plain(self, given: Any) -> Any:
        return mapped(given, lambda value: self._arrays[value])

    def _compute(self, name: str, line: Line) -> None:
        call, (value,) = line.call, line.makes
        args = list(call.args)
        if name in primitives.ELEMENTWISE:
            if len(args) != {"where": 3, "rint": 1}.get(name, len(args)):  # places, or digits
                raise unknown(call.name)
            self._emit(name, value, [self._operand(one, args) for one in args])
        elif name in primitives.REDUCTIONS:
            self._emit(name, value, [self._slot(args[0])], axes_of(call, args[0]))
        elif name in ("matmul", "dot"):
            if name == "dot" and max(len(one.shape) for one in args) > 2:
                raise unknown(name)
            self._emit("matmul", value, [self._slot(one) for one in args[:2]])
        elif name == "clip":
            low, high = [*args[1:], *call.options.values()][:2]
            for what, bound in (("maximum", low), ("minimum", high)):
                if bound is not None:
                    into = value if what == "minimum" or high is None else Value(-1, value.shape, value.dtype)
                    args[0] = self._emit(what, into, [self._slot(args[0]), self._operand(bound, args)])
        elif name == "astype":
            self._emit("astype", value, [self._slot(args[0])])
        else:  # cumsum
            (axis,) = axes_of(call, args[0])
            self._emit(name, value, [self._slot(args[0])], axis)

    def _emit(self, name: str, value: Value, args: list[int], *more: Any) -> Value:
        self.lines.append([name, self._new(value), args, *more])
        return value

    def _operand(self, one: Any, args: list) -> int:
        """An operand; a number of Python's is one of the type that NumPy computes in."""
        types = [other.dtype for other in args if isinstance(other, Value | np.ndarray | np.generic)]
        return self._slot(one, None if isinstance(one, Value) or not types else np.result_type(*types, one))

    def _place(self, line: Line) -> None:
        """Elements at other places: NumPy says where each comes from when it is asked to place their numbers."""
        call = line.call
        sources = list(dict.fromkeys(values_in(call.args[primitives.OF.get(call.name, 0)])))
        if all(value in self._fixed for value in sources):  # which elements of it, depends on what may be moved
            if any(value.dtype.kind == "f" for value in sources):
                raise NotLive(say("immovable.table"))
            if self._changed & set(line.makes):
                raise unknown(call.name or "take")
            self._fixed |= set(line.makes)  # positions, as they were found when it was recorded
            self._decided |= set(line.reads)
            return
        placed = self._placed(line, sources)
        self._decided |= {value for value in line.reads if value not in sources and value not in self._fixed}
        for value, places in zip(line.makes, placed):
            whole, flat = sources[0], places.ravel()
            slots = [self._slot(one) for one in sources]
            is_all = len(sources) == 1 and np.array_equal(flat, np.arange(1, int(np.prod(whole.shape)) + 1))
            shares = len(sources) == 1 and np.may_share_memory(self._arrays[value], self._arrays[whole])
            calm = whole not in self._changed and value not in self._changed
            if is_all and calm and value.shape == whole.shape:
                self.slot[value] = slots[0]
            elif is_all:
                self.lines.append(["same" if shares or calm else "copy", self._new(value), slots])
            else:
                self.lines.append(["take", self._new(value), slots, (flat - 1).tolist()])
            if shares:
                self._memory[value] = self._memory.get(whole, whole)
                if not is_all or whole in self._seen:
                    places = places - 1
                    self._seen[value] = self._seen[whole].ravel()[places] if whole in self._seen else places

    def _placed(self, line: Line, sources: list[Value]) -> list[np.ndarray]:
        """For each element of the results: which element of the sources it is, counted from 1; 0 for a zero."""
        call, first, numbered = line.call, 1, {}
        for value in sources:
            count = int(np.prod(value.shape))
            kind = f"i{max(value.dtype.itemsize, 4)}"  # what goes by bytes finds its elements
            numbered[value] = np.arange(first, first + count, dtype=kind).reshape(value.shape)
            first += count
        of = primitives.OF.get(call.name, 0)  # where among the arguments the elements are; others say where to
        args = [mapped(one, numbered.__getitem__) if i == of else self._plain(one) for i, one in enumerate(call.args)]
        options = self._plain(call.options)
        if call.name in ("array", "asarray", "ascontiguousarray"):
            args, options = args[:1], {}
        answer = call.run(*args, **options)
        return [np.asarray(one) for one in (answer if line.several else [answer])]

    def _change(self, line: Line) -> None:
        """A line that writes into memory."""
        call, target = line.call, line.changes
        assert target is not None
        memory = self._memory.get(target, target)
        if call.name == "setflags":
            return
        if memory.dtype != target.dtype:  # the same bits, as numbers of two types
            raise NotLive(say("immovable.view"))
        places = np.arange(int(np.prod(target.shape))).reshape(target.shape)
        name, index, source = "put", None, None
        if call.kind == "set" or call.name == "add.at":
            _, index, source = call.args
            name, places = "put_add" if call.name == "add.at" else "put", places[self._plain(index)]
        elif call.name == "put_along_axis":
            _, index, source, axis = [*call.args, *call.options.values()]
            places = np.take_along_axis(places, np.asarray(self._plain(index)), axis)
        elif call.name in ("copyto", "fill"):
            source = call.args[1]
        elif "out" in call.options and call.kind == "ufunc":
            found = Value(-1, target.shape, target.dtype)
            name_of = primitives.SAME_AS.get(call.name, call.name)
            if name_of not in primitives.ELEMENTWISE | {"matmul"}:
                raise unknown(call.name)
            self._emit(name_of, found, [self._operand(one, list(call.args)) for one in call.args])
            source = found
        else:
            raise unknown(call.name)
        self._decided |= {one for one in values_in(index) if one not in self._fixed}
        self._stale |= {value for value in self._seen if self._memory[value] is memory}
        if target in self._seen:
            places, target = self._seen[target].ravel()[places], memory
        if target not in self.slot:
            self.lines.append(["copy", self._new(target), [self._slot(target)]])
        put = self._slot(source, target.dtype) if not isinstance(source, Value) else self._slot(source)
        whole = places.size == int(np.prod(target.shape)) and name == "put"
        where = None if whole and np.array_equal(places.ravel(), np.arange(places.size)) else places.ravel().tolist()
        self.lines.append([name, self.slot[target], [put], where, list(places.shape)])

    def is_fixed(self, value: Value) -> bool:
        """Whether a value stays what it is, whatever is moved."""
        return value in self._fixed

    def _drop(self, wanted: set[int]) -> None:
        """Leave out what leads to nothing that is shown."""
        root: dict[int, int] = {}  # one memory, seen as several slots
        for name, result, args, *_ in self.lines:
            root[result] = root.get(args[0], args[0]) if name == "same" else root.get(result, result)
        kept, used = [], {root.get(slot, slot) for slot in wanted}
        for line in reversed(self.lines):
            if root[line[1]] in used:
                kept.append(line)
                used |= {root.get(slot, slot) for slot in line[2]}
        self.lines = kept[::-1]
        used |= wanted
        self.given = {slot: data for slot, data in self.given.items() if slot in used}


def needed(lines: list[Line], wanted: Iterable[Value], changed: set[Value]) -> list[Line]:
    """The lines that lead to some values."""
    kept, wanted = [], set(wanted)
    for line in reversed(lines):
        if any(one in wanted for one in line.makes) or (line.changes is not None and not wanted.isdisjoint(changed)):
            wanted.update(line.reads)
            kept.append(line)
    return kept[::-1]


def changed(lines: list[Line]) -> set[Value]:
    """What is written into after it was made, and all that may see it in the same memory."""
    found = {line.changes for line in lines if line.changes is not None}
    grown = bool(found)
    while grown:
        before = len(found)
        for line in lines:
            name = line.call.name.rpartition(".")[2]
            if line.call.kind in ("same", "index", "attribute") or name in primitives.PLACING - primitives.ANEW:
                together = (*line.makes, *line.reads)
                found.update(together if any(one in found for one in together) else ())
        grown = len(found) > before
    return found
