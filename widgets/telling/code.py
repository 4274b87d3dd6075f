"""The user's code, as far as it is shown: the places where something happened, and the lines around them."""

import linecache
import os
from typing import Any

from minigrad.words.source import is_cell, located

from ..recording.moments import Where
from ..words import say
from .trace import Trace

ASIDE = 3  # lines of a file shown around those that ran
CELL = 80  # a cell of at most so many lines is shown whole


class Code:
    """The files in which a program's lines stand."""

    def __init__(self) -> None:
        self._files: dict[str, set[int]] = {}  # the lines of each that ran
        self._places: dict[Any, list] = {}  # by mark

    def at(self, where: Where) -> list | None:
        """A place in one of the document's files; None where nobody knows the lines, as in a plain `python`."""
        if where.mark is None:
            return None
        if where.mark not in self._places:
            place = located(where.mark)
            if not linecache.getline(place.filename, place.line):
                return None  # typed at a prompt, or made by a program
            self._files.setdefault(place.filename, set()).update((place.line, place.end_line))
            file = list(self._files).index(place.filename)
            self._places[where.mark] = [file, place.line, place.column, place.end_line, place.end_column]
        return self._places[where.mark]

    def write(self, trace: Trace) -> None:
        """Put the files into the document: a cell whole, of a file what is near the lines that ran."""
        cells = [name for name in self._files if is_cell(name) or name.startswith("<")]
        for filename, used in self._files.items():
            lines = [line.rstrip("\n") for line in linecache.getlines(filename)]
            first, last = max(1, min(used) - ASIDE), min(len(lines), max(used) + ASIDE)
            name = os.path.basename(filename)
            if filename in cells:
                number = cells.index(filename) + 1
                name = say("code.cell") if len(cells) == 1 else say("code.cell_of_several", number=number)
                first, last = (1, len(lines)) if len(lines) <= CELL else (first, last)
            trace.file(name, first, lines[first - 1 : last])


def who_changes(where: Where, name: str = "") -> tuple[str, dict[str, str]]:
    """Who is said to change something in place: the name of a sentence, and what stands in it."""
    if where.updating:
        return "changed_by_optimizer", {"name": name}
    if where.mark and (code := located(where.mark).expression):
        return "changed_by_code", {"name": name, "code": code}
    return "changed", {"name": name}
