"""From what a recorder kept to a tape: each operation and each rule runs once more, on arrays that write lines.

What comes out is compared, bit by bit, with what was recorded: a program that would compute anything else is not made.
"""

import bisect
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.autograd import events
from minigrad.compiler.lines import Line, Value

from ..recording.iterations import Began, Passed
from ..recording.moments import Moment
from ..recording.recorder import Recorder
from ..words import say
from .arrays import Arrays
from .backward import Backward
from .draft import Draft, NoProgram
from .forward import Forward
from .masks import with_where


class Translator:
    """The tape of a recorder's moments: `Translator(recorder).tape`.

    Args:
        keeps: whether to keep each number as it was at its moment.

    Attributes:
        lines: what the run comes down to; on the tape there are copies for what is kept, too.
        moments: the recorder's, with arrays of the tape in place of the copies, where they are the same.
        decisions: values for whose numbers Python asked.
        results: what a reader of the program wants to have.
        hooked: whether there were hooks, which are left out.
        ends_early: whether iterations follow of which little was kept.
        breaks: why other numbers would not follow from this tape: names of words of the room `immovable`.
    """

    def __init__(self, recorder: Recorder, keeps: bool = False) -> None:
        self.moments: list[Moment] = []
        self.decisions: list[Value] = []
        self._ends: list[int] = []  # for each moment, how many lines there were after it
        # When Python asks for the numbers of a value, a program goes the way of the run.
        draft = Draft(recorder, keeps, lambda value, *asked: self.decisions.append(value))
        self.tape, arrays = draft.tape, Arrays(draft)
        forward = Forward(draft, arrays)
        backward = Backward(draft, arrays, forward.nodes)
        translated: dict[type, Callable[[Moment], Any]] = {
            events.Made: forward.made,
            events.Seeded: backward.seeded,
            events.Visited: backward.visited,
            events.Sent: backward.sent,
            events.Accumulated: backward.accumulated,
            events.Deposited: backward.deposited,
            events.Zeroed: backward.zeroed,
            events.Mutated: forward.mutated,
            events.HookCalled: backward.hooked,
            Passed: forward.passed,
            **dict.fromkeys((events.Freed, events.Failed, Began), lambda moment: None),
        }
        with np.errstate(all="ignore"), self.tape.running(), recorder.deaf():
            for draft.number, moment in enumerate(map(Moment._make, recorder.moments)):
                backward.is_starting = backward.is_starting and type(moment.event) is events.Seeded
                draft.updating = moment.where.updating
                try:
                    copies = translated[type(moment.event)](moment)
                except NoProgram:
                    raise
                except Exception as error:  # whoever steps through a run shall not miss it because of its program
                    raise NoProgram(say("program.elsewhere" if recorder.elsewhere else "program.stopped")) from error
                self.moments.append(moment._replace(copies=draft.as_recorded(moment.copies, copies)))
                self._ends.append(len(self.tape.lines))
        self.lines = with_where([line for line in self.tape.lines if line not in draft.copies])
        read = {value for line in self.lines for value in line.reads}
        backward.over()
        self.results = draft.results
        self.results += [value for value in forward.users if value not in read and value not in self.results]
        self.hooked, self.breaks, self._sending = draft.hooked, draft.breaks, backward.sending
        self.ends_early = forward.passed_over

    def moments_of(self, line: Line) -> list[int]:
        """The moments to which a line belongs, by number: that it came with, and those that send what it made."""
        return [bisect.bisect(self._ends, line.number), *self._sending.get(line.number, [])]
