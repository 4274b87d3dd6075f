"""The stepper in a notebook: a widget while there is a kernel, a page in a frame where there is none.

>>> trace = {"title": "b = 2", "values": [{"text": "2"}], "nodes": [{"kind": "operation", "label": "b"}],
...          "frames": [{"kind": "made", "node": 0, "say": "b is 2."}]}
>>> stepper = Stepper(trace)
>>> stepper
Stepper: b = 2, 1 node, 1 step
1  b is 2.
>>> stepper.index = 1
"""

import base64
import html
from typing import Any

import anywidget
import traitlets

from . import page, picture

MOST = 4_000_000  # characters of a page that is kept in a notebook; a run of a thousand nodes takes three million
OUTLINE = 40  # steps that the text form tells; a longer run is told by its beginning


class Stepper(anywidget.AnyWidget):
    """Walks a recorded run forward and back. Everything happens in the browser; the traits tell where it is.

    Attributes:
        index: how many frames have happened.
        node: the chosen node, such as "n3"; "" if none is.
        playing: whether it goes on by itself.
        level: how much one step does: 1 a phase, 2 a node, 3 a contribution, 4 an element.
        predict: whether it asks before it shows.
        answers: what was answered: `{"frame", "given", "right", "diagnosis"}`.
        height: of the picture and the panels, in pixels.
    """

    _esm = page.module()
    _css = page.style()
    trace = traitlets.Dict().tag(sync=True)
    views = traitlets.Dict().tag(sync=True)
    index = traitlets.Int(0).tag(sync=True)
    node = traitlets.Unicode("").tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)
    level = traitlets.Int(3, min=1, max=4).tag(sync=True)
    predict = traitlets.Bool(False).tag(sync=True)
    answers: traitlets.List = traitlets.List().tag(sync=True)
    height = traitlets.Int(560).tag(sync=True)

    def __init__(self, trace: dict[str, Any], views: dict[str, str] | None = None, **traits: Any) -> None:
        super().__init__(trace=trace, views=views or {}, **traits)

    @traitlets.validate("index")
    def _inside(self, proposal: Any) -> int:
        return min(max(proposal["value"], 0), len(self.trace["frames"]))

    def __repr__(self) -> str:
        frames, nodes = self.trace["frames"], self.trace["nodes"]
        lines = [f"Stepper: {self.trace.get('title', '')}, {count(nodes, 'node')}, {count(frames, 'step')}"]
        shown = frames if len(frames) <= OUTLINE else frames[: OUTLINE - 1]
        width = len(str(len(frames)))
        lines += [f"{i:>{width}}  {frame.get('say', frame['kind'])}" for i, frame in enumerate(shown, 1)]
        if len(shown) < len(frames):
            lines.append(f"{'…':>{width}}  {count(frames[len(shown) :], 'more step')}")
        return "\n".join(lines)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        shown: Any = super()._repr_mimebundle_(**options)
        data, metadata = shown if isinstance(shown, tuple) else (shown, {})
        return {**data, "text/plain": repr(self), "text/html": self.frame()}, metadata

    def frame(self) -> str:
        """The exported page in a frame of its own, for a notebook whose kernel is gone and for its HTML.

        The frame's inside shows where no frame is allowed: JupyterLab keeps only that of a notebook it does not trust.
        """
        document = page.page(
            self.trace, self.views, "", index=self.index, level=self.level, predict=self.predict, height=self.height
        )
        if len(document) > MOST:
            return self.still()
        source = document.replace("&", "&amp;").replace("'", "&#39;")
        title = html.escape(f"Stepper: {self.trace.get('title', '')}")
        look = f"width:100%;height:{self.height + 360}px;border:0"
        start = f'<iframe sandbox="allow-scripts" title="{title}" style="{look}"'
        return f"{start} srcdoc='{source}'>{self.still()}</iframe>"

    def still(self) -> str:
        """The picture at the end of the run, or at its start where one shall predict, and how to see more."""
        words = "<p>Run this cell, or trust the notebook, to step through it.</p>"
        if not self.views:
            return words
        index, when = (0, "start") if self.predict else (None, "end")
        image = base64.b64encode(picture.svg(self.trace, index).encode()).decode()
        text = html.escape(f"The graph of {self.trace.get('title', 'the run')} at its {when}")
        return f'<img alt="{text}" src="data:image/svg+xml;base64,{image}">{words}'


def count(things: Any, name: str) -> str:
    return f"{len(things):,} {name}{'s' * (len(things) != 1)}"
