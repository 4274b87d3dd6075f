"""A tape while it is written: what each number is at its moment, and whether it is what was recorded."""

from collections.abc import Callable, Container
from typing import Any, cast

import numpy as np

from minigrad.compiler.lines import Call, Line, Value
from minigrad.compiler.tape import Tape
from minigrad.compiler.traced import Traced

from ..recording.large import Large
from ..recording.moments import UNKNOWN, are_whole
from ..recording.recorder import Recorder
from ..telling.trace import brief
from ..words import say
from .naming import Naming


class NoProgram(ValueError):
    """Why none can be written of a run, in one sentence."""


class Draft:
    """What all who translate write on.

    Attributes:
        keeps: whether to keep each number as it was at its moment.
        copies: the lines that are there for that alone.
        results: what a reader of the program wants to have: results and gradients.
        hooked: whether there were hooks, which are left out.
        breaks: why other numbers would not follow from this tape: names of words of the room `immovable`.
        number: of the moment that is translated; and `updating`, whether an optimizer is at work then.
    """

    def __init__(self, recorder: Recorder, keeps: bool, decides: Callable[..., None]) -> None:
        self.recorder, self.keeps, self.tape, self.naming = recorder, keeps, Tape(decides=decides), Naming()
        self.copies: set[Line] = set()
        self.results: list[Value] = []
        self.hooked, self.breaks = False, set[str]()
        self.number, self.updating = 0, False
        self.alike = nearly if recorder.elsewhere else same
        self._kept: dict[Value, Traced] = {}  # what a value is now: a copy, until it is written into
        self._looked = 0  # at how many lines, whether they write into what was kept
        self._numbers: dict[tuple[type, float], Value] = {}  # the results of one number, which Python may take out

    def now(self, array: Traced) -> Traced:
        """An array as it is at this moment. Who does not keep it never asks for it later: it is the array itself."""
        if not self.keeps:
            return array
        memories = {line.changes.memory for line in self.tape.lines[self._looked :] if line.changes is not None}
        self._looked = len(self.tape.lines)
        if memories:
            self._kept = {value: copy for value, copy in self._kept.items() if value.memory not in memories}
        if array.value not in self._kept:
            self._kept[array.value] = copy = self.tape.note(Call("method", "copy", np.ndarray.copy, (array,), {}))
            self.copies.add(cast(Line, copy.value.line))
        return self._kept[array.value]

    def may_leave(self, array: Traced) -> None:
        """A result of one number, which `.item()` may take out of the run."""
        if array.size == 1 and array.dtype.kind in "fi":
            number = array.plain.item()
            self._numbers[type(number), number] = array.value

    def comes_back(self, given: Any, written: Container[float] = ()) -> None:
        """Python puts numbers in: if they are those of a result, its way is that of the run, whatever they were.

        Args:
            written: the numbers that stand in the user's line.
        """
        number = given.item() if isinstance(given, np.ndarray | np.generic) and given.size == 1 else given
        is_common = isinstance(number, float) and number in (-1, 0, 1)
        if isinstance(number, float | int) and number not in written and not is_common:
            if value := self._numbers.get((type(number), number)):
                self.tape.decides(value, "item", (), number)

    def on_tape(self, array: Any) -> Traced:
        return array if isinstance(array, Traced) else self.tape.literal(array)

    def passed_on(self, array: Traced) -> Traced:
        """The same numbers as a line of its own, which may get another name."""
        return self.tape.note(Call("same", "", lambda a: a, (array,), {}))

    def compare(self, array: Traced, copy: Any, what: str) -> None:
        """A program that would compute anything else than the run is not made."""
        if are_whole(copy) and not self.hooked and not self.alike(array.plain, copy):
            raise NoProgram(say("program.otherwise", name=what))

    def as_recorded(self, copies: Any, found: Any) -> Any:
        """What was recorded, with arrays of the tape where they are known and hold the same numbers."""
        if copies is found or copies is UNKNOWN or not isinstance(found, Traced | list | tuple):
            return copies
        if isinstance(found, list | tuple):
            return type(copies)(map(self.as_recorded, copies, found))
        alike = told_alike if self.recorder.elsewhere else same
        if isinstance(copies, Large) or not alike(found.plain, copies):
            self.breaks.add("otherwise")
            return copies
        return found


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
