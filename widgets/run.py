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

import json
import sys
from functools import cached_property
from typing import Any

from .recorder import Recorder
from .story import Story


class Run:
    """What happened while a block ran: forward, backward, zeroing, updates, in their order.

    Use it as `with record() as run: ...`; then `run.step()` shows it.

    Args:
        title: a line that says what was recorded; the names of the results if omitted.
        keep_errors: an error ends the block and becomes the last frame, instead of stopping the cell.
    """

    def __init__(self, title: str = "", keep_errors: bool = False) -> None:
        self.title, self.keep_errors = title, keep_errors
        self._recorder: Recorder | None = None

    def __enter__(self) -> "Run":
        if self._recorder is not None:
            raise RuntimeError("this run is recorded already; record() makes a new one")
        self._recorder = Recorder(sys._getframe(1))
        self._recorder.__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        assert self._recorder is not None
        self._recorder.__exit__(kind, error, traceback)
        if error is not None and isinstance(error, Exception):
            self._recorder.failed(error)
            return self.keep_errors
        return False

    @cached_property
    def trace(self) -> dict:
        """The run as a plain document; see docs/trace.md."""
        if self._recorder is None:
            raise RuntimeError("nothing was recorded; use `with record() as run: ...`")
        if not self._recorder.moments:
            raise RuntimeError("nothing was recorded: no operation ran on a Tensor inside the block")
        trace = Story(self._recorder, self.title).trace.document
        self._recorder.moments.clear()
        return trace

    def to_json(self) -> str:
        """The trace as JSON."""
        return json.dumps(self.trace, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    def equations(self) -> str:
        """Each event as an equation, a line each."""
        frames = self.trace["frames"]
        return "\n".join(frame["equation"] for frame in frames if "equation" in frame and frame["kind"] != "visited")


def record(title: str = "", keep_errors: bool = False) -> Run:
    """Record what happens in a block: `with record() as run: ...`; see `Run`."""
    return Run(title, keep_errors)
