"""How mailboxes are told: what is put into a leaf's `.grad`, changed there, and taken out."""

from typing import Any

from minigrad.autograd import events

from ..recording.moments import Moment, place
from ..words import say
from .frames import Frames, Teller
from .trace import brief, look_alike


class Mail(Teller):
    """Tells of mailboxes, and knows what each holds."""

    def __init__(self, frames: Frames) -> None:
        super().__init__(frames)
        self._held: dict[int, Any] = {}  # by box

    def filled(self, moment: Moment, box: int) -> None:
        """A gradient is deposited. If the mailbox held another one than is known, that is told before."""
        before, _, after = moment.copies
        if before is not None and not look_alike(self._held.get(box, before), before):
            self.frames.changed(moment, box, "box", self._held[box], before, "refilled")
        self._hold(box, after)

    def zeroed(self, moment: Moment) -> None:
        leaf, value, after = moment.copies
        known = self.scene.boxes.get(place(leaf))
        box = self.scene.source(place(leaf), value, True, leaf) if known is None else known
        name, what = self.scene.name(box), "emptied" if after is None else "zeroed"
        self._hold(box, after)
        self.frames.add(
            "zeroed", moment, box, hint=say(f"story.{what}_next", name=name), say=say(f"story.{what}", name=name),
            equation=f"{name}.grad = {'None' if after is None else brief(after)}",
        )  # fmt: skip

    def mutated(self, moment: Moment) -> None:
        """A gradient was changed in place where it lies, as those are that are clipped."""
        _, value, leaf = moment.copies
        if leaf is None or self.frames.after is not None and type(self.frames.after.event) is events.Zeroed:
            return  # which tells it
        box = self.scene.boxes.get(place(leaf))
        if box in self._held and not look_alike(self._held[box], value):
            self.frames.changed(moment, box, "box", self._held[box], value)
            self._held[box] = value

    def _hold(self, box: int, value: Any) -> None:
        self._held[box] = value
        self.trace.change(f"n{box}", "box", self.scene.value(value))
