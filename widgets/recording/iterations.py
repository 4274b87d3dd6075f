"""A loop of training steps: where each iteration begins, and what is kept of one that is not recorded step by step."""

from types import FrameType
from typing import Any, NamedTuple

from minigrad import Tensor
from minigrad.autograd import events

from .large import Large
from .moments import place

FITS = 800  # moments: as many iterations as fit are recorded step by step, where nobody says how many
FEW = events.Made, events.Seeded, events.Zeroed  # all that must be heard of an iteration of which little is kept
Path = list[tuple[FrameType, int]]  # the user's calls, the outermost first, and the instruction at which each one is


class Began(NamedTuple):
    """In place of an event: an iteration begins, after so many calls."""

    number: int
    calls: int


class Passed(NamedTuple):
    """In place of an event: an iteration as a whole. Copied are its loss, and each leaf's place, value and gradient."""

    number: int


class Loop:
    """Notices where the next iteration begins: at the first thing that happens, after a backward, before its line.

    Attributes:
        number: of the iteration that runs.
    """

    def __init__(self) -> None:
        self.number = 1
        self._back: Path = []  # where the last backward was called
        self._heard: list[tuple[Path, int, int]] = []  # while the first iteration runs: each place, moment and calls

    def went_back(self, path: Path) -> None:
        self._back = path

    def note(self, path: Path, moment: int, calls: int) -> None:
        """Something happens, which may be the beginning of the first iteration."""
        if self.number == 1:
            self._heard.append((path, moment, calls))

    @property
    def has_gone_back(self) -> bool:
        return bool(self._back)

    def begins(self, path: Path) -> bool:
        """Whether an iteration begins with what happens here."""
        depth = self._parting(path)
        if depth == min(len(path), len(self._back)):
            return False
        (frame, at), (before, then) = path[depth], self._back[depth]
        return at < then if frame is before else depth > 0  # the same line has made its call anew

    def first(self, path: Path) -> tuple[int, int, Path]:
        """Where the first iteration began, if the second one begins here: the moment, how many calls had been, and the
        calls that go on through the loop."""
        depth = self._parting(path)
        depth -= path[depth][0] is not self._back[depth][0]
        frame, at = path[depth]
        inside = (one for one in self._heard if len(one[0]) > depth and one[0][depth][0] is frame)
        moment, calls = next((moment, calls) for place, moment, calls in inside if place[depth][1] >= at)
        return moment, calls, path[: depth + 1]

    def begin(self) -> int:
        """The number of the iteration that begins."""
        self.number += 1
        self.forget()
        return self.number

    def forget(self) -> None:
        """The frames are let go."""
        self._back = []
        self._heard.clear()

    def _parting(self, path: Path) -> int:
        """How many calls from outside are the same, and at the same instruction, as those of the last backward."""
        same = 0
        for (frame, at), (before, then) in zip(path, self._back):
            if frame is not before or at != then:
                break
            same += 1
        return same


class Little:
    """Keeps of an iteration its loss, and what it leaves in the leaves."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.loss: Any = None
        self._numbers: dict = {}  # results of one number, by the graph's node

    def hear(self, event: Any) -> None:
        if type(event) is events.Made:
            output = event.output
            if isinstance(output, Tensor) and output.numbers.size == 1:
                self._numbers[event.node] = output.numbers
        elif type(event) is events.Seeded:
            self.loss = self._numbers.get(event.node)

    def kept(self, leaves: Any) -> tuple:
        """The copies of a `Passed`."""
        ends = [
            (place(leaf), Large.kept(leaf.numbers), None if leaf.grad is None else Large.kept(leaf.grad.numbers))
            for leaf in leaves
        ]
        return self.loss, ends
