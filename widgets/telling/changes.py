"""How a change in place is told, and that the same numbers are known under other names, too."""

from typing import Any

from minigrad import Tensor
from minigrad.autograd import events

from ..recording.moments import UNKNOWN, Moment
from .frames import Frames, Teller
from .mail import Mail
from .scene import share_memory
from .trace import look_alike


class Changes(Teller):
    """Tells what was written over."""

    def __init__(self, frames: Frames, mail: Mail) -> None:
        super().__init__(frames)
        self.mail = mail
        self._shared: list = []  # what the last operation, which ran in place, saw of its inputs in the same memory

    def mutated(self, moment: Moment) -> None:
        of, value, _ = moment.copies
        box = self.scene.boxes.get(of)
        if box is None:
            self._echo(moment, None, value)
            self.mail.mutated(moment)
            return  # nothing that is in the picture, but perhaps under another name
        before, self.scene.values[box] = self.scene.values[box], value
        self.trace.change(f"n{box}", "value", self.scene.value(value))
        self.trace.change(f"n{box}", "version", moment.event.version)
        earlier = self.frames.before
        if earlier is not None and isinstance(made := earlier.event, events.Made) and made.node is not None:
            if made.output is moment.event.tensor and self.frames.last.get("node") == box:
                self.trace.amend("")  # the operation that made the box ran in place
                self.refresh(earlier, self._shared)
                self._echo(moment, box, value)
                return
        self.frames.changed(moment, box, "value", before, value)
        self._echo(moment, box, value)

    def refresh(self, moment: Moment, values: list, in_place: bool = False) -> None:
        """An operation may see that the memory of one of its inputs was changed under another name.

        What the operation itself changed, as it ran in place, is told after it.
        """
        output = moment.event.output
        self._shared = [
            value if in_place and isinstance(one, Tensor) and share_memory(one, output) else UNKNOWN
            for one, value in zip(moment.event.values, values)
        ]
        for one, value, is_tensor, shared in zip(moment.event.values, values, moment.copies[1], self._shared):
            box = None if is_tensor is None or shared is not UNKNOWN else self.scene.boxes.get(is_tensor[0])
            if box is not None and one is not output:
                self._elsewhere(moment, box, value)

    def _echo(self, moment: Moment, changed: int | None, value: Any) -> None:
        """What was changed in place is known under other names, too."""
        for box in self.scene.sharing(moment.event.tensor):
            if box != changed:
                self._elsewhere(moment, box, value)

    def _elsewhere(self, moment: Moment, box: int, value: Any) -> None:
        before = self.scene.values[box]
        if before is not value and not look_alike(before, value):
            self.scene.values[box] = value
            self.frames.changed(moment, box, "value", before, value, "shares")
