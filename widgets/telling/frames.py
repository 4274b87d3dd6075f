"""What all who tell a story share: the moments, who takes part, the next frame, and what is asked about it."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..recording.moments import UNKNOWN, Moment
from ..recording.recorder import Recorder
from ..words import say
from .code import who_changes
from .flow import Flow
from .questions import Number, Question
from .scene import Scene
from .trace import WHOLE, Trace, brief


class Frames:
    """The frames of a story, while one moment after the other is told.

    Attributes:
        elsewhere: whether another engine computed: its numbers are what they are, and none of them is wrong.
        number: of the moment that is told.
        told: for each frame, the number of the moment that it tells.
        questions: what may be asked about the frames.
    """

    def __init__(self, recorder: Recorder, title: str, moments: Iterable[tuple]) -> None:
        self.trace = Trace(title)
        self.scene = Scene(recorder, self.trace)
        self.moments = list(map(Moment._make, moments))
        self.flow = Flow(self.scene, self.trace, self.moments)
        self.elsewhere = recorder.elsewhere
        self.number = 0
        self.told: list[int] = []
        self.questions: list[Question] = []

    @property
    def before(self) -> Moment | None:
        """The moment before the one that is told."""
        return self.moments[self.number - 1] if self.number else None

    @property
    def after(self) -> Moment | None:
        """The one that comes next."""
        return next(iter(self.moments[self.number + 1 : self.number + 2]), None)

    @property
    def last(self) -> dict[str, Any]:
        """The last frame, if there is one."""
        return self.trace.frames[-1] if self.trace.frames else {}

    def add(self, kind: str, moment: Moment, box: int | None, sender: int | None = None, **facts: Any) -> None:
        """The next frame, about one box; what a sender's rule does, happens at the line that made the sender."""
        at, place = self.scene.code.at(moment.where), box if sender is None else sender
        if at is None and place is not None:
            at = self.trace.nodes[place].get("at")
        self.trace.frame(kind, node=box, at=at, **facts)
        self.told.append(self.number)

    def changed(self, moment: Moment, box: int, field: str, before: Any, value: Any, how: str = "") -> None:
        """What stands in a box, or in its mailbox, was written over: by whom, or `how` it comes that it is other."""
        self.trace.change(f"n{box}", field, self.scene.value(value))
        name, change = self.scene.name(box), f"{brief(before)} → {brief(value)}"
        who, names = who_changes(moment.where, name if field == "value" else f"{name}.grad")
        said = say(f"story.{how or who}", **names, change=change, version=getattr(moment.event, "version", 0))
        self.add(
            "mutated", moment, box, hint=say(f"story.{how or who}_next", **names),
            equation=f"{name}: {change}" if field == "value" else None, say=said,
        )  # fmt: skip

    def ask(self, text: str, answer: Any, **facts: Any) -> None:
        """Ask for a number of the last frame, if it is known and told in full."""
        if answer is not UNKNOWN and 0 < np.size(answer) <= WHOLE:
            self.questions.append(Number(frame=len(self.trace.frames) - 1, text=text, answer=answer, **facts))


class Teller:
    """Tells some kinds of moments."""

    def __init__(self, frames: Frames) -> None:
        self.frames, self.trace, self.scene, self.flow = frames, frames.trace, frames.scene, frames.flow
