"""The lines of a tape: what NumPy was asked, of which values, and what came of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(eq=False, slots=True)
class Call:
    """One thing that NumPy is asked: `kind` says how it is written, as a function, a method, an index, …"""

    kind: str
    name: str
    run: Callable
    args: tuple
    options: dict

    def of(self, args: tuple, options: dict) -> "Call":
        """The same with other arguments."""
        return Call(self.kind, self.name, self.run, args, options)


@dataclass(eq=False, slots=True)
class Line:
    """A call, and the values that it makes; or the value that it changes."""

    call: Call
    makes: tuple["Value", ...] = ()
    changes: "Value | None" = None
    why: str = ""  # what of the user's program it belongs to
    text: str = ""  # how it was written, for whoever leaves it out
    several: bool = False
    number: int = 0  # its place on the tape
    reads: list["Value"] = field(default_factory=list)  # what it reads or changes, as often as it does, the last first

    def __post_init__(self) -> None:
        self.reads = self.reads or values_in((self.call.args, self.call.options))[::-1]

    def doing(self, call: Call) -> "Line":
        """The same line with another call in it."""
        return Line(call, self.makes, self.changes, self.why, self.text, self.several, self.number)

    @property
    def values(self) -> tuple["Value", ...]:
        """All that it makes, reads or changes."""
        return *self.makes, *self.reads


@dataclass(eq=False, slots=True)
class Value:
    """What a line made, or what was given."""

    number: int
    shape: tuple
    dtype: np.dtype
    name: str = ""
    line: Line | None = None  # none for what was given
    memory: int = 0  # the same number for all values on the same memory
    strides: tuple = ()
    address: int = 0  # where in that memory it begins


def is_view(line: Line) -> bool:
    """Whether what a line makes lies in the memory of what it reads."""
    return any(made.memory == one.memory for made in line.makes for one in line.reads)


PLAIN = frozenset((int, float, bool, str, type(None)))  # in which nothing is


def mapped(given: Any, change: Callable[[Any], Any], kind: type = Value) -> Any:
    """Arguments with something else in place of each thing of this kind."""
    if isinstance(given, kind):
        return change(given)
    if isinstance(given, (tuple, list)):
        found = [
            one if type(one) in PLAIN else change(one) if isinstance(one, kind) else mapped(one, change, kind)
            for one in given
        ]
        return found if isinstance(given, list) else tuple(found)
    if isinstance(given, dict):
        return given and {name: mapped(one, change, kind) for name, one in given.items()}
    if isinstance(given, slice):
        return slice(*(mapped(one, change, kind) for one in (given.start, given.stop, given.step)))
    return given


def values_in(given: Any) -> list[Value]:
    """The values in an argument."""
    found: list[Value] = []
    mapped(given, found.append)
    return found


def root(array: Any) -> Any:
    """Whose memory it is."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return array
