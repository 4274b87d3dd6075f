"""What a compiler would make of a program: fewer lines that compute the same (where 0 and −0 count as one)."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from .tape import Call, Line, Value, values_in

NEUTRAL = {  # by NumPy's name: the number that changes nothing, and as which argument; and the reason
    "multiply": (1, (0, 1), "times_1"),
    "divide": (1, (1,), "divided_by_1"),
    "true_divide": (1, (1,), "divided_by_1"),
    "power": (1, (1,), "power_1"),
    "add": (0, (0, 1), "plus_0"),
    "subtract": (0, (1,), "minus_0"),
}


class Simplified:
    """The lines that are left, and those that went, each with its reason (a word of the room `program`).

    Args:
        lines: of a tape.
        results: the values that are wanted; of everything else only what leads to them stays.
    """

    def __init__(self, lines: list[Line], results: Iterable[Value]) -> None:
        self.results = set(results)
        self.removed: list[tuple[Line, str]] = []
        self._instead: dict[Value, Value] = {}
        lines = filled(lines)
        self._sharing = sharing(lines)
        changes = [line.changes for line in lines if line.changes is not None]
        self._changed = set().union(*(self._sharing.get(value, {value}) for value in changes))
        self.lines = self._needed(self._shortened(lines))

    def _shortened(self, lines: list[Line]) -> list[Line]:
        left: list[Line] = []
        known: dict[Any, Value] = {}
        for line in lines:
            call = line.call
            line = replace(line, call=replace(call, args=self._now(call.args), options=self._now(call.options)))
            if line.changes is not None or line.several or self._changed & {*line.makes, *values_in(line)}:
                left.append(line)
                continue
            (value,) = line.makes
            key = (line.call.kind, line.call.name, told(line.call.args), told(line.call.options))
            other, reason = unchanged(line) or (known.get(key), "again")
            if other is None or (value in self.results and (other in self.results or other.line is None)):
                known.setdefault(key, value)
                left.append(line)
            else:
                if value in self.results:
                    self.results = self.results - {value} | {other}
                    other.name = value.name  # the name that is wanted stays
                other.name = other.name or value.name
                self._instead[value] = other
                self.removed.append((line, reason))
        return left

    def _needed(self, lines: list[Line]) -> list[Line]:
        inputs = {value for value in self._changed if value.line is None}
        wanted, left = self.results | inputs, []
        for line in reversed(lines):
            made = self._sharing.get(line.changes, {line.changes}) if line.changes is not None else set(line.makes)
            if wanted & made:
                wanted |= set(values_in(line))
                left.append(line)
            else:
                self.removed.append((line, "unread"))
        return left[::-1]

    def _now(self, given: Any) -> Any:
        return mapped(given, lambda value: self._instead.get(value, value))


def filled(lines: list[Line]) -> list[Line]:
    """Memory that is taken, and filled with one value in the next line, becomes that value, seen in this shape."""
    changes = Counter(line.changes for line in lines)
    left: list[Line] = []
    for line in lines:
        before = left[-1] if left else line
        fills = line.call.kind == "set" and line.call.args[1] is Ellipsis and before.makes == (line.changes,)
        value = line.call.args[2] if fills else None
        if before.call.name != "empty" or changes[line.changes] > 1 or not isinstance(value, Value):
            left.append(line)
        elif value.dtype == before.makes[0].dtype:
            args = value, before.makes[0].shape
            left[-1] = replace(before, call=Call("function", "broadcast_to", np.broadcast_to, args, {}))
            before.makes[0].line = left[-1]
        else:
            left.append(line)
    return left


def unchanged(line: Line) -> tuple[Value, str] | None:
    """The value that a line only passes on, and why."""
    call, (value,) = line.call, line.makes
    if call.kind == "same":
        return call.args[0], "same"
    neutral = NEUTRAL.get(call.name) if call.kind == "ufunc" and not call.options else None
    if neutral is None:
        return None
    number, places, reason = neutral
    for place in places:
        other = call.args[1 - place]
        fits = isinstance(other, Value) and (other.shape, other.dtype) == (value.shape, value.dtype)
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
    return isinstance(given, int | float | np.ndarray | np.generic) and bool(np.all(given == number))


def sharing(lines: list[Line]) -> dict[Value, set[Value]]:
    """For each value all those that may share memory with it."""
    groups: dict[Value, set[Value]] = {}
    for line in lines:
        if line.call.kind in ("same", "index", "method", "attribute", "function"):
            together = set().union(*(groups.get(value, {value}) for value in (*line.makes, *values_in(line))))
            groups |= dict.fromkeys(together, together)
    return groups


def mapped(given: Any, change: Callable[[Value], Value]) -> Any:
    """Arguments with other values in them."""
    if isinstance(given, Value):
        return change(given)
    if isinstance(given, tuple | list):
        return type(given)(mapped(one, change) for one in given)
    if isinstance(given, dict):
        return {name: mapped(one, change) for name, one in given.items()}
    if isinstance(given, slice):
        return slice(*(mapped(one, change) for one in (given.start, given.stop, given.step)))
    return given


def told(given: Any) -> Any:
    """Arguments as something that can be looked up."""
    if isinstance(given, np.ndarray | np.generic):
        return given.dtype, given.shape, given.tobytes()
    if isinstance(given, tuple | list):
        return type(given), tuple(map(told, given))
    if isinstance(given, dict):
        return tuple((name, told(one)) for name, one in given.items())
    if isinstance(given, slice):
        return "slice", told((given.start, given.stop, given.step))
    return type(given), given
