"""A recorded run: what a teacher calls.

>>> import minigrad as mg
>>> w, x = mg.tensor(2.0, requires_grad=True), mg.tensor(3.0)
>>> with record() as run:
...     loss = (w * x - 5) ** 2
...     loss.backward()
>>> print(run.equations())
v1 = w * x = 2 * 3 = 6
v2 = v1 - 5 = 6 - 5 = 1
loss = v2 ** 2 = 1 ** 2 = 1
∂loss/∂loss = 1
∂loss/∂v2 = ∂loss/∂loss · (2 * v2) = 1 × 2 = 2
∂loss/∂v1 = ∂loss/∂v2 · 1 = 2 × 1 = 2
∂loss/∂w = ∂loss/∂v1 · x = 2 × 3 = 6
w.grad = 6
"""

import contextlib
import gc
import json
import sys
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from numbers import Integral
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad.words.absent import nearest

from ..drawing import animation, picture
from ..drawing.grouping import grouped
from ..drawing.layout import LayoutError
from ..program.following import traced
from ..program.program import Program
from ..recording.recorder import Recorder
from ..telling.chosen import chosen
from ..words import say
from . import page

if TYPE_CHECKING:
    from .stepper import Stepper

TRAITS = "index", "node", "playing", "level", "predict", "move", "asks", "answers", "height"  # of a stepper
MANY = 20_000  # events; a person does not walk that far, and a browser does not hold it well


class Run:
    """What happened while a block ran: forward, backward, zeroing, updates, in their order.

    Args:
        title: a line that says what was recorded; the line that made the result if omitted.
        keep_errors: an error ends the block and becomes the last frame, instead of stopping the cell.
        iterations: which iterations of a loop of training steps are recorded step by step: so many of the first ones,
            or their numbers, such as `[1, 50, 100]`; as many of the first as fit if omitted. The first always is, and
            each of the others is one line with its loss.
    """

    def __init__(
        self, title: str = "", keep_errors: bool = False, iterations: int | Iterable[int] | None = None
    ) -> None:
        if not isinstance(title, str):
            kind = type(title).__name__
            raise TypeError(f"title must be a line of text, but is {kind}; the program goes into the block")
        self.title, self.keep_errors = title, keep_errors
        self.iterations = numbers_of(iterations)
        self._recorder: Recorder | None = None

    # -- recording -------------------------------------------------------------------------------------------------

    def __enter__(self) -> "Run":
        self.listen(sys._getframe(1)).__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        assert self._recorder is not None
        self._recorder.__exit__(kind, error, traceback)
        if isinstance(error, Exception):
            self.failed(error)
            return self.keep_errors
        return False

    def failed(self, error: BaseException) -> None:
        """An error ended what was recorded: it becomes the last frame."""
        assert self._recorder is not None
        self._recorder.failed(error)

    @property
    def happened(self) -> bool:
        """Whether there is anything to tell."""
        return "trace" in vars(self) or (self._recorder is not None and bool(self._recorder.moments))

    def listen(self, frame: FrameType, outermost: CodeType | None = None) -> Recorder:
        """The recorder of this run, which has not begun yet."""
        if self._recorder is not None:
            raise RuntimeError("this run is recorded already; record() makes a new one")
        self._recorder = Recorder(frame, outermost, self.iterations)
        return self._recorder

    # -- what was recorded -----------------------------------------------------------------------------------------

    @cached_property
    def trace(self) -> dict[str, Any]:
        """The run as a plain document; see docs/trace.md."""
        if self._recorder is None:
            raise RuntimeError("nothing was recorded yet: use `with record() as run: ...`")
        if not self.happened:
            raise RuntimeError("nothing was recorded: no operation ran on a Tensor inside the block")
        told = len(self._recorder.moments) - self._recorder.aside
        if told > MANY:
            raise ValueError(
                f"{told:,} events were recorded, and nobody walks through more than {MANY:,}: "
                "record fewer iterations, or a smaller network"
            )
        with undisturbed():
            return grouped(traced(self._recorder, self.title))

    def to_json(self) -> str:
        """The trace as JSON."""
        return json.dumps(self.trace, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    def equations(self) -> str:
        """Each event as an equation, a line each; what was detached has its line before its first use."""
        nodes, lines, detached = self.trace["nodes"], [], dict[int, int]()
        for arrow in self.trace["edges"]:
            if nodes[arrow["from"]].get("op") == "detach":
                detached.setdefault(arrow["from"], arrow["to"])
        for frame in self.trace["frames"]:
            if frame["kind"] == "made":
                cut = [nodes[box] for box, user in detached.items() if user == frame["node"]]
                lines += [f"{node['name']} = {node['formula']}" for node in cut]
            if "equation" in frame and frame["kind"] != "visited":
                lines.append(frame["equation"])
        return "\n".join(lines)

    def svg(self, frame: int | None = None, direction: str = "auto") -> str:
        """The picture after so many frames (after the last if omitted; -1 is the last), standing alone."""
        return picture.svg(self.trace, frame, direction)

    def dot(self, frame: int | None = None, direction: str = "auto") -> str:
        """The same as DOT text."""
        return picture.dot(self.trace, frame, direction)

    def animated(self, seconds: float = 1.0, direction: str = "auto") -> str:
        """A picture for slides that shows all steps by itself, each for so many seconds; SVG, without a script."""
        return animation.animated(self.trace, seconds, direction)

    def views(self, direction: str = "auto", index: int | None = 0) -> dict[str, str]:
        """The pictures that a stepper walks through; none, with a sentence, where no Graphviz is found."""
        try:
            with undisturbed():
                return picture.views(self.trace, direction, index=index)
        except LayoutError as error:
            print(f"{error}. {say('stepper.table_says_it')}", file=sys.stderr)
            return {}

    # -- showing it ------------------------------------------------------------------------------------------------

    def step(self, direction: str = "auto", ask: Any = None, **traits: Any) -> "Stepper":
        """The stepper, to walk through the run.

        Args:
            direction: of the picture: "LR", "TB", or what fits.
            ask: what is asked before it is shown, one thing or several: steps as the words count them, names of nodes,
                kinds of step ("made", "sent", "accumulated", …) or of question ("rule", "number", "paths", "node"),
                "all"; True for a few questions about what a rule decides, as `predict=True` and the key p ask.
            traits: those of `Stepper`, such as `index` and `predict`.
        """
        from .stepper import Stepper

        return Stepper(self.trace, self.views(direction), **self.traits(ask, traits))

    def traits(self, ask: Any, others: dict[str, Any]) -> dict[str, Any]:
        """The traits of a stepper that asks these questions."""
        for name in others:
            if name not in TRAITS:
                raise TypeError(f"a stepper has no {name!r}{nearest(name, TRAITS)}; it has {', '.join(TRAITS)}")
        pairs = others.get("asks", ())
        if isinstance(pairs, str) or not all(isinstance(one, list | tuple) and len(one) == 2 for one in pairs):
            raise ValueError(
                f"asks are pairs of a frame and a kind of question, not {pairs!r}; ask={pairs!r} chooses them"
            )
        given = [node["name"] for node in self.trace["nodes"] if node["kind"] in ("leaf", "parameter", "input")]
        if (move := others.get("move")) and move not in given:
            raise ValueError(f"there is no {move!r} in this run to be moved; there are {', '.join(given)}")
        return others if ask is None or ask is False else {"predict": True, "asks": chosen(self.trace, ask)} | others

    def save(
        self, path: str | Path, title: str | None = None, direction: str = "auto", ask: Any = None, **traits: Any
    ) -> None:
        """Write the stepper as one HTML file that needs nothing else: no kernel, no network. `ask` as in `step`."""
        path = Path(path)
        if path.suffix != ".html":
            raise ValueError(f"a run is saved as an HTML file, so its name must end in .html, not '{path.name}'")
        traits = self.traits(ask, traits)
        still = self.views(direction, 0 if traits.get("predict") else None)  # where no script runs, nothing is asked
        whole = page.page(self.trace, still, title, **traits)
        path.write_text(whole, encoding="utf-8", newline="\n")

    def program(self, simplify: bool = False) -> Program:
        """The run as lines of NumPy, forward and backward, in the names of the user's program: to read, and to run.

        Args:
            simplify: leave out what a compiler would leave out; `removed` of the program tells what, and why.
        """
        if self._recorder is None or not self._recorder.moments:
            raise RuntimeError("nothing was recorded: no operation ran on a Tensor inside the block")
        with undisturbed():
            return Program.of(self._recorder, simplify)

    def __repr__(self) -> str:
        if not self.happened:
            return f"<Run: {say('stepper.nothing_recorded')}>"
        steps = len(self.trace["frames"])
        return f"<Run: {self.trace['title']}, {say('stepper.steps', count=steps, number=steps)}>"


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """While much is made of which nothing is thrown away: no collector that looks through all of it again and again,
    and no warning of numbers that a run may well hold, such as nan."""
    collects = gc.isenabled()
    gc.disable()
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        if collects:
            gc.enable()


def record(title: str = "", keep_errors: bool = False, iterations: int | Iterable[int] | None = None) -> Run:
    """Record what happens in a block: `with record() as run: ...`; then `run.step()` shows it. See `Run`."""
    return Run(title, keep_errors, iterations)


def numbers_of(iterations: int | Iterable[int] | None) -> Container[int] | None:
    """The iterations that are asked for, which count from 1."""
    if iterations is None:
        return None
    if isinstance(iterations, int):
        return range(1, iterations + 1)
    wanted = frozenset(iterations) if isinstance(iterations, Iterable) else frozenset([iterations])
    if not all(isinstance(one, Integral) for one in wanted):
        raise TypeError(f"iterations is how many, or their numbers from 1, but not {iterations!r}")
    return wanted
