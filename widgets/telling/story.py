"""From what a recorder kept to a trace: a frame for each moment, with what changes and a sentence about it.

Each kind of moment has somebody who tells it; who takes part in it is the scene's affair.
"""

import re
from collections.abc import Callable
from typing import Any

from minigrad.autograd import events
from minigrad.faults import right_rules
from minigrad.words.source import located, spot

from ..recording.iterations import Began, Passed
from ..recording.moments import Moment
from ..recording.recorder import Recorder
from ..words import say
from .backward import Backward
from .changes import Changes
from .forward import Forward
from .frames import Frames, Teller
from .hooks import Hooks
from .mail import Mail
from .parts import Parts
from .questions import ask
from .trace import SUBSCRIPTS, brief, writable
from .words import bare


class Story:
    """Tells a recorder's moments as a trace: `Story(recorder).trace.document`.

    Args:
        moments: the recorder's own, or the same with other arrays in them.
        asks: whether to put questions at once.
    """

    def __init__(
        self, recorder: Recorder, title: str = "", moments: list[tuple] | None = None, asks: bool = True
    ) -> None:
        frames = self._frames = Frames(recorder, title, recorder.moments if moments is None else moments)
        self.trace, self.scene, self.told = frames.trace, frames.scene, frames.told
        tellers = self._tellers()
        with right_rules():  # a run may have been recorded in an engine that is broken on purpose
            for number in as_told(frames.moments):
                frames.number, moment = number, frames.moments[number]
                tellers[type(moment.event)](moment)
            self.scene.code.write(self.trace)
            self.trace.document["title"] = writable(title) or self.trace.title()
            self.trace.finish()
        if asks:
            self.ask()

    def _tellers(self) -> dict[type, Callable[[Moment], None]]:
        """Who tells which kind of moment."""
        frames = self._frames
        mail, parts, hooks, course = Mail(frames), Parts(frames), Hooks(frames), Course(frames)
        changes, backward = Changes(frames, mail), Backward(frames, mail)
        return {
            events.Made: Forward(frames, changes).made,
            events.Seeded: backward.seeded,
            events.Visited: backward.visited,
            events.Freed: backward.freed,
            events.Sent: parts.sent,
            events.Accumulated: backward.accumulated,
            events.Deposited: backward.deposited,
            events.HookCalled: hooks.called,
            events.Zeroed: mail.zeroed,
            events.Mutated: changes.mutated,
            events.Failed: course.failed,
            Began: course.began,
            Passed: course.passed,
        }

    def ask(self) -> None:
        """Put questions to the frames."""
        with right_rules():
            ask(self._frames.questions, self.trace)


def as_told(moments: list[Moment]) -> list[int]:
    """The moments by number, in the order in which they are told: what a recorded backward computes at a step, the
    engine has computed before it says which step it is."""
    order: list[int] = []
    computed = 0  # where those begin that were computed since the backward's last step
    for number, (event, *_) in enumerate(moments):
        if isinstance(event, events.Visited | events.Sent | events.Accumulated):
            order.insert(computed, number)
        else:
            order.append(number)
        computed = computed if isinstance(event, events.Made | events.Mutated) else len(order)
    return order


class Course(Teller):
    """Tells how a program goes on: that an iteration of a loop begins, has passed, or that an error ended it."""

    def began(self, moment: Moment) -> None:
        self.trace.iteration()
        self.scene.begin_iteration(moment.event)

    def passed(self, moment: Moment) -> None:
        """An iteration in one line; numbers that the next line replaces are told in short."""
        number, (loss, leaves), after = moment.event.number, moment.copies, self.frames.after
        shown = self.trace.short if after is not None and type(after.event) is Passed else self.scene.value
        self.flow.calm()
        for where, value, grad in leaves:
            box = self.scene.boxes.get(where)
            if box is not None:
                self.scene.values[box] = value
                self.trace.change(f"n{box}", "value", shown(value))
                self.trace.change(f"n{box}", "box", None if grad is None else shown(grad))
        equation = f"{self.flow.loss.rstrip(SUBSCRIPTS)} = {brief(loss)}" if loss is not None else ""
        told = equation or say("story.several_losses")
        self.trace.iteration(folded=True, loss=None if loss is None else self.trace.value(loss))
        self.frames.add(
            "iteration", moment, None, equation=equation, hint=say("story.iteration_next", number=number),
            say=say("story.iteration", number=number, told=told),
        )  # fmt: skip

    def failed(self, moment: Moment) -> None:
        event = moment.event
        said = f"{type(event.error).__name__}: {event.error}"
        if self.frames.last.get("say", "").partition("\n")[0] == said.partition("\n")[0]:
            return
        box = None if event.node is None else self.scene.box_of(event.node)
        if box is not None:
            self.trace.change(f"n{box}", "broken", True)
        if self.frames.elsewhere and box is not None:
            said = "\n".join(filter(None, (said, self._advice(str(event.error), event.node, box))))
        inside = located(moment.copies[0]) if any(moment.copies) else None
        if inside is not None and inside.expression:
            name = moment.copies[0][0].co_qualname.rpartition("<locals>.")[2]
            function = say("story.a_lambda") if name == "<lambda>" else f"{name}()"
            told = {"code": inside.expression, "place": spot(inside.filename, inside.line)}
            said += "\n" + say("story.failed_inside", function=function, **told)
        self.frames.add("error", moment, box, hint=say("story.failed_next"), say=said)

    def _advice(self, error: str, node: Any, box: int) -> str:
        """What the run knows beyond an error of another engine's: which step it was, and which line is to blame."""
        told = {"node": bare(node), "name": self.scene.name(box)}
        if "a second time" in error:
            return say("story.freed_before", **told)
        version = re.search(r"is at version (\d+); expected", error)
        earlier = reversed(self.frames.moments[: self.frames.number])
        changes = (one for one in earlier if version and isinstance(one.event, events.Mutated))
        changed = (one for one in changes if version and one.event.version == int(version[1]))
        code = next(filter(None, (located(one.where.mark).expression for one in changed if one.where.mark)), "")
        return say("story.changed_since", **told, code=code) if code else ""
