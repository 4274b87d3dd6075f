"""The gradients in flight: at which boxes they have arrived, along how many paths, and what they are called."""

from typing import Any

from minigrad.autograd import events

from ..recording.moments import Moment
from .paths import Paths
from .scene import Scene
from .trace import Trace
from .words import derived

WAVE = ("grad", "done", "part", "joins", "lost")  # fields of one backward, which are empty at the start of the next


class Flow:
    """What is under way in a backward, of one after the other.

    Attributes:
        loss: what the gradients are of.
        arrived: by box, the gradient so far.
        front: the boxes that a gradient has reached, and that have not passed it on.
        ran_early: the nodes that did not wait for all their parts.
        visit: the gradient with which the last node was visited.
        reached: the boxes of all gradients that it was visited with.
        called: by node that was visited, what these boxes are called.
        output: which of that node's outputs the gradient had come to; the first, where it came to several.
        visited_in: the frame of that visit.
        hooked: whether a hook may have changed what its rules made.
        arrow: along which the last part was sent.
    """

    def __init__(self, scene: Scene, trace: Trace, moments: list[Moment]) -> None:
        self.scene, self.trace = scene, trace
        self.loss = "L"
        self.arrived: dict[int, Any] = {}
        self.front: dict[int, None] = {}
        self.paths = Paths()
        self.ran_early: set = set()
        self.visit: Any = None
        self.output = 0
        self.reached: list[int] = []
        self.called: dict[Any, str] = {}
        self.visited_in, self.hooked = 0, False
        self.arrow: int | None = None
        self._early, self._several = early(moments), in_parts(moments)

    def calm(self) -> None:
        """What an earlier backward left in flight is gone."""
        self.arrived.clear()
        self.front.clear()
        self.paths = Paths()
        self.ran_early.clear()
        for (target, field), value in list(self.trace.now.items()):
            if field in WAVE and value is not None:
                self.trace.change(target, field, None)

    def arrive(self, box: int, gradient: Any) -> None:
        """A gradient is complete, or so far."""
        self.arrived[box] = gradient
        self.front[box] = None
        self.trace.change(f"n{box}", "grad", self.scene.value(gradient))

    def runs_early(self, node: Any, number: int) -> bool:
        """Whether a node runs in this moment before all its parts have come."""
        if number in self._early:
            self.ran_early.add(node)
        return number in self._early

    def comes_in_parts(self, number: int) -> bool:
        """Whether what is sent in this moment is one of several parts that this backward brings to the same place."""
        return number in self._several

    def d(self, box: int) -> str:
        """What the gradient at a box is called."""
        return f"∂{self.loss}/{derived(self.scene.name(box))}"


def early(moments: list[Moment]) -> set[int]:
    """The visits and deposits after which another part still came, by number: of an engine that did not wait."""
    found: set[int] = set()
    coming: set = set()
    done: set = set()
    for number in reversed(range(len(moments))):
        event = moments[number].event
        if isinstance(event, events.Seeded):  # what is before it belongs to another backward
            coming.clear()
            done.clear()
        elif isinstance(event, events.Sent):
            coming.add(event.target)
        elif isinstance(event, events.Visited | events.Deposited):
            if event.node in coming and event.node not in done:
                found.add(number)
            done.add(event.node)
    return found


def in_parts(moments: list[Moment]) -> set[int]:
    """The moments in which a place gets one of several parts of its gradient in one backward, by number."""
    found: set[int] = set()
    parts: dict[tuple, list[int]] = {}
    for number, (event, *_) in enumerate(moments):
        if isinstance(event, events.Seeded):
            if number == 0 or not isinstance(moments[number - 1].event, events.Seeded):
                parts.clear()  # what is before it belongs to another backward
            parts.setdefault((event.node, event.index), []).append(number)
        elif isinstance(event, events.Sent):
            at = parts.setdefault((event.target, event.index), [])
            at.append(number)
            found.update(at if len(at) > 1 else ())
    return found
