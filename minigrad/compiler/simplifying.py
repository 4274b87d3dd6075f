"""What a compiler would make of a program: fewer lines that compute the same (where 0 and −0 count as one)."""

from collections import Counter
from collections.abc import Container, Iterable
from typing import Any

import numpy as np

from .lines import Call, Line, Value, is_view, mapped
from .products import is_elementwise

NEUTRAL = {  # by NumPy's name: the number that changes nothing, and as which argument; and the reason
    "multiply": (1, (0, 1), "times_1"),
    "divide": (1, (1,), "divided_by_1"),
    "true_divide": (1, (1,), "divided_by_1"),
    "power": (1, (1,), "power_1"),
    "add": (0, (0, 1), "plus_0"),
    "subtract": (0, (1,), "minus_0"),
}
COPIES = {("method", "copy"), ("method", "astype"), ("function", "array")}


class Simplified:
    """The lines that are left, and those that went, each with its reason (a word of the room `program`).

    Args:
        lines: of a tape.
        results: the values that are wanted; of everything else only what leads to them stays.
        exact: whether each bit is to stay as it is, the sign of a zero, too.
        later: those of the lines that run when somebody has the results, and may have changed them.
    """

    def __init__(
        self, lines: list[Line], results: Iterable[Value], exact: bool = False, later: Iterable[Line] = ()
    ) -> None:
        self.results, self._exact = set(results), exact
        self.removed: list[tuple[Line, str]] = []
        self.instead: dict[Value, Value] = {}
        self._inputs = {value.memory for line in lines for value in line.reads if value.line is None}
        self._open = self._inputs | {value.memory for value in self.results}
        self._later = {line.number for line in later}
        lines = begun_anew(self._without_copies(lines))
        self._laid_out = laid_out(lines)
        lines = filled(lines, {value.memory for value in self.results} if exact else (), self._laid_out)
        self._read_later = {value.memory for line in later for value in line.reads}
        self._sharing = sharing(lines)
        changes = [line.changes for line in lines if line.changes is not None]
        self._changed = set().union(*(self._sharing.get(value, {value}) for value in changes))
        self.lines = self._needed(self._shortened(lines))

    def _without_copies(self, lines: list[Line]) -> list[Line]:
        """All but copies that nobody reads, such as those for who listens: they would hide that a sum begins anew."""
        read = {value for line in lines for value in line.reads} | self.results
        idle = {id(one) for one in lines if (one.call.kind, one.call.name) in COPIES and read.isdisjoint(one.makes)}
        self.removed += [(line, "unread") for line in lines if id(line) in idle]
        return [line for line in lines if id(line) not in idle]

    def _shortened(self, lines: list[Line]) -> list[Line]:
        left: list[Line] = []
        known: dict[Any, Value] = {}
        moved: dict[int, tuple[int, int]] = {}  # the memory in whose place another one is seen, and how far on
        wanted = {one.memory for one in self.results}
        for line in lines:
            for value in line.makes:
                value.memory, shift = moved.get(value.memory, (value.memory, 0))
                value.address += shift
            if not self.instead.keys().isdisjoint(line.reads):
                line = line.doing(line.call.of(self._now(line.call.args), self._now(line.call.options)))
            if line.changes is not None or line.several or not self._changed.isdisjoint(line.values):
                left.append(line)
                continue
            (value,) = line.makes
            key: tuple = (line.call.kind, line.call.name, told(line.call.args), told(line.call.options))
            key += (value.strides,) if self._exact else ()
            place = (value.memory, value.address, value.shape, value.dtype, value.strides)
            is_read_only = line.call.name == "broadcast_to" and value.memory in wanted
            seen = None if is_read_only else known.get(place), "same"  # a view of a view, as it was before
            if line.number in self._later and not self._open.isdisjoint(one.memory for one in line.reads):
                key = ("later", *key)  # somebody may have written there meanwhile
            is_free = value.memory not in self._laid_out and value.memory not in wanted
            is_sure = line.number not in self._later  # that it lies as it does now
            other, reason = unchanged(line, self._exact, is_free, is_sure) or (
                seen if seen[0] else (known.get(key), "again")
            )
            left_alone = other in self.results and value not in self.results and value.memory in self._read_later
            if other is not None and other.memory != value.memory:
                # What was given may be written to later, and whoever gave it must not get it back, nor a view of it.
                is_seen = self._exact and value not in self.results and value.memory in wanted
                is_kept = line.number not in self._later and value.memory in self._read_later
                left_alone |= is_seen or (is_kept and other.memory in self._inputs)
            if other is None or left_alone or (value in self.results and not self._may_leave(value, other)):
                known.setdefault(key, value)
                known.setdefault(place, value)
                left.append(line)
            else:
                if value in self.results:
                    self.results = self.results - {value} | {other}
                    wanted = {one.memory for one in self.results}
                    other.name = value.name  # the name that is wanted stays
                elif line.why == (other.line or line).why or not value.name.startswith("d_"):
                    other.name = other.name or value.name  # but a forward takes no gradient's name
                self.instead[value] = other
                if other.memory != value.memory:
                    lies_alike = other.strides == value.strides
                    shift = other.address - value.address if lies_alike else elsewhere(line)
                    moved[value.memory] = other.memory, shift
                self.removed.append((line, reason))
        return left

    def _may_leave(self, value: Value, other: Value) -> bool:
        """Whether another value may be handed out for a wanted one: it lies alike, and nobody else has its memory."""
        if other in self.results or other.memory in self._inputs or other.strides != value.strides:
            return False
        if other.line is None or other.line.call.name == "broadcast_to":
            return False  # nobody could write to it
        is_view = other.memory in {self.instead.get(one, one).memory for one in other.line.reads}
        return other.memory == value.memory or not (is_view or other.memory in {one.memory for one in self.results})

    def _needed(self, lines: list[Line]) -> list[Line]:
        inputs = {value for value in self._changed if value.line is None}
        wanted, left = self.results | inputs, []
        for line in reversed(lines):
            made = self._sharing.get(line.changes, {line.changes}) if line.changes is not None else set(line.makes)
            if wanted & made or line.call.kind == "check":
                wanted |= set(line.reads)
                left.append(line)
            else:
                self.removed.append((line, "unread"))
        return left[::-1]

    def _now(self, given: Any) -> Any:
        return mapped(given, lambda value: self.instead.get(value, value))


def begun_anew(lines: list[Line]) -> list[Line]:
    """What is set to zero and then added to: the sum begins with the zero itself."""
    left: list[Line] = []
    zeroed: dict[int, Line] = {}  # by memory: a line that set it to zero, and that nobody has read since
    for line in lines:
        place, call = line.changes, line.call
        filling = zeroed.get(place.memory) if place is not None else None
        adds = call.name == "add" and len(call.args) == 2 and call.args[0] is place and isinstance(call.args[1], Value)
        if filling is not None and filling.changes is place and adds and call.args[1].memory != call.args[0].memory:
            left = [one for one in left if one is not filling]
            line = line.doing(call.of((0, call.args[1]), call.options))
        for value in line.values:
            zeroed.pop(value.memory, None)
        if place is not None and (call.kind, call.name, call.args[1:]) == ("method", "fill", (0,)):
            zeroed[place.memory] = line
        left.append(line)
    return left


def laid_out(lines: list[Line]) -> set[int]:
    """The memories of which it matters how numbers lie in them: otherwise they are added up in another order."""

    def is_indifferent(line: Line) -> bool:
        is_copying = line.call.kind == "set" or line.call.name in ("copy", "astype", "copyto", "where")
        return is_copying or is_elementwise(line) or is_view(line)

    return {value.memory for line in lines if not is_indifferent(line) for value in line.reads}


def filled(lines: list[Line], leaving: Container[int] = (), laid_out: Container[int] = ()) -> list[Line]:
    """Memory that is taken, and filled with one value in the next line, becomes that value, seen in this shape.

    Not what is `leaving`: somebody may write there. What is `laid_out` becomes an array full of the value, if that
    is always the same.
    """
    changes = Counter(line.changes.memory for line in lines if line.changes is not None)
    left: list[Line] = []
    now: dict[int, tuple[int, int]] = {}  # the memory in whose place another one is seen, and how far on
    for line in lines:
        before = left[-1] if left else line
        fills = line.call.kind == "set" and line.call.args[1] is Ellipsis and before.makes == (line.changes,)
        value = line.call.args[2] if fills and before.call.name == "empty" else None
        place = before.makes[0] if before.makes else None
        is_read_only = not (isinstance(value, Value) and changes[value.memory])
        is_alone = place is not None and changes[place.memory] == 1 and is_read_only and place.memory not in leaving
        if place is None or value is None or not is_alone or np.result_type(value_type(value)) != place.dtype:
            left.append(line)
        elif place.memory in laid_out:
            if isinstance(value, Value):
                left.append(line)
            else:
                left[-1] = place.line = before.doing(Call("function", "full", np.full, (place.shape, value), {}))
        else:
            call = Call("filled", "broadcast_to", np.broadcast_to, (value, place.shape), {})
            left[-1] = place.line = before.doing(call)
            place.strides = (0,) * len(place.shape)  # nobody takes it for memory of its own
            if isinstance(value, Value):
                now[place.memory] = now.get(value.memory, (value.memory, 0))[0], elsewhere(line)
    for value in {value for line in lines for value in line.values}:
        value.memory, shift = now.get(value.memory, (value.memory, 0))
        value.address += shift
    return left


def elsewhere(line: Line) -> int:
    """Where none of the memory's own views lie: of what lies otherwise, such as one number all over."""
    return (1 + line.number) << 40


def value_type(given: Any) -> Any:
    return given.dtype if isinstance(given, (Value, np.ndarray, np.generic)) else np.object_


def unchanged(line: Line, exact: bool, is_free: bool, is_sure: bool) -> tuple[Value, str] | None:
    """The value that a line only passes on, or copies, and why; if `is_free`, it may lie otherwise."""
    call, (value,) = line.call, line.makes
    other: Any = call.args[0] if call.args else None
    if call.kind == "same":
        return other, "same"
    if (call.kind, call.name) in COPIES and isinstance(other, Value):
        alike = (other.shape, other.dtype, other.strides) == (value.shape, value.dtype, value.strides)
        return (other, "same") if alike else None
    neutral = NEUTRAL.get(call.name) if call.kind == "ufunc" and not call.options else None
    if neutral is None:
        return None
    number, places, reason = neutral
    for place in places if not (exact and reason == "plus_0") else ():
        other = call.args[1 - place]
        fits = isinstance(other, Value) and (other.shape, other.dtype) == (value.shape, value.dtype)
        is_alike = fits and other.strides == value.strides
        fits = fits and (not exact or (is_free and 0 in other.strides) or (is_alike and (is_free or is_sure)))
        if fits and is_all(call.args[place], number):
            return other, reason
    return None


def is_all(given: Any, number: int) -> bool:
    """Whether an argument is this number, or an array of it that stands in the program."""
    if isinstance(given, Value):
        call = given.line.call if given.line is not None else None
        return (
            call is not None
            and (call.kind == "literal" or call.name == "broadcast_to")
            and is_all(call.args[0], number)
        )
    return isinstance(given, (int, float, np.ndarray, np.generic)) and bool(np.all(given == number))


def sharing(lines: list[Line]) -> dict[Value, set[Value]]:
    """For each value all those on the same memory."""
    groups: dict[int, set[Value]] = {}
    for line in lines:
        for value in line.values:
            groups.setdefault(value.memory, set()).add(value)
    return {value: group for group in groups.values() for value in group}


def told(given: Any) -> Any:
    """Arguments as something that can be looked up."""
    if isinstance(given, (np.ndarray, np.generic)):
        return given.dtype, given.shape, given.tobytes()
    if isinstance(given, (tuple, list)):
        return type(given), tuple(map(told, given))
    if isinstance(given, dict):
        return tuple((name, told(one)) for name, one in given.items())
    if isinstance(given, slice):
        return "slice", told((given.start, given.stop, given.step))
    return type(given), given
