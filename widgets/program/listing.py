"""A program as a trace carries it: each line with the frames that tell of it, whole and simplified; docs/trace.md."""

from typing import Any

from minigrad.compiler.lines import Line
from minigrad.compiler.writing import Written
from minigrad.words.source import located

from ..words import say
from .draft import NoProgram
from .program import Program
from .translating import Translator

MOST = 300  # lines; who wants to read more has `run.program()`


def listing(found: Translator | NoProgram, told: list[int]) -> dict[str, Any]:
    """The program of a recorded run; or one sentence that says why there is none.

    Args:
        told: for each frame of the trace, the number of the moment that it tells.
    """
    if isinstance(found, NoProgram):
        return {"why_not": say("program.none", why=found)}
    whole = Program(found, found.lines)
    if len(whole.lines) > MOST:
        why = say("program.too_long", number=f"{len(whole.lines):,}", most=MOST)
        return {"why_not": say("program.none", why=why)}
    return Listing(told, found, whole).document


class Listing:
    """The lines of a program, and beside them what becomes of them when it is simplified."""

    def __init__(self, told: list[int], found: Translator, whole: Program) -> None:
        self.found, self.told = found, told
        self.told_of: dict[int, list[int]] = {}  # by moment: its frames
        for frame, moment in enumerate(told):
            self.told_of.setdefault(moment, []).append(frame)
        self.document = {"head": list(filter(None, whole.head())), "lines": list(map(self.line, whole.lines))}
        self.document["simplified"] = self.beside(whole.lines, Program.simplified(found))

    def line(self, line: Written) -> list:
        return [line.text, line.why, sorted({frame for part in line.parts for frame in self.frames(part)})]

    def frames(self, line: Line) -> list[int]:
        """The frames that tell of a line; of one that prepares a change in place, the frame of the change."""
        moments = self.found.moments_of(line)
        own = [frame for moment in moments for frame in self.told_of.get(moment, [])]
        after = next((frame for frame, moment in enumerate(self.told) if moment > moments[0]), len(self.told))
        if own or after == len(self.told):
            return own
        marks = [self.found.moments[number].where.mark for number in (moments[0], self.told[after])]
        return [after] if all(marks) and len({located(mark).line for mark in marks if mark}) == 1 else []

    def beside(self, before: list[Written], shorter: Program) -> list:
        """What a compiler leaves: the number of a line that stays as it is, a new line, or the number of one that goes
        and why."""
        lines = {line.parts[-1].number: (number, line) for number, line in enumerate(before)}
        left = {line.parts[-1].number: line for line in shorter.lines}
        rows: list = []
        for key in sorted(lines.keys() | left.keys()):
            number, line = lines.get(key, (None, None))
            now = left.get(key)
            if line is not None and now is not None and now.text == line.text:
                rows.append(number)
                continue
            reasons = [] if line is None else [shorter.left_out.get(part.number) for part in line.parts]
            why = ", ".join(dict.fromkeys(filter(None, reasons)))
            if line is not None and (why or now is None):
                rows.append([number, why or say("program.merged")])
            if now is not None:
                rows.append(self.line(now))
        return rows
