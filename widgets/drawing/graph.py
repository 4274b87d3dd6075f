"""The graph of a result as a picture: what was made from what, the values on the way, and each leaf's mailbox.

>>> import minigrad as mg
>>> a = mg.tensor(3.0, requires_grad=True)
>>> b = a + a
>>> draw(b)
a          AccumulateGrad  3  .grad –
b = a + a  AddBackward0    6
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.autograd.graph import get_gradient_edge

from ..recording.moments import place
from ..recording.names import variables
from ..recording.recorder import Recorder
from ..telling.story import Story
from ..words import say
from . import picture
from .fields import field_text
from .grouping import grouped
from .layout import LayoutError, columns

MOST = 400  # lines of an outline


class Drawing:
    """A drawn graph: shown as a picture in a notebook, and as an outline where there are no pictures.

    Attributes:
        trace: what is drawn, as docs/trace.md tells it.
        outline: the same facts as lines of text.
    """

    def __init__(self, trace: dict[str, Any], direction: str = "TB") -> None:
        self.trace, self.direction = trace, direction
        self.outline = outline(trace)

    @property
    def svg(self) -> str:
        """The picture; `LayoutError` where it cannot be made."""
        return picture.svg(self.trace, direction=self.direction)

    @property
    def dot(self) -> str:
        """The picture as DOT text."""
        return picture.dot(self.trace, direction=self.direction)

    def save(self, path: str | Path) -> None:
        """Write the picture to a file, as SVG or as DOT text by the file's ending."""
        path = Path(path)
        if path.suffix not in (".svg", ".dot"):
            raise ValueError(f"a drawing is saved as .svg or .dot, not as '{path.name}'")
        path.write_text(self.svg if path.suffix == ".svg" else self.dot, encoding="utf-8", newline="\n")

    def __repr__(self) -> str:
        return self.outline

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict[str, str], dict[str, Any]]:
        from . import raster  # it brings Pillow, which `import widgets` does without

        try:
            svg = self.svg
        except LayoutError as error:
            print(error, file=sys.stderr)
            return {"text/plain": self.outline}, {}
        title = say("drawing.graph_of", title=self.trace["title"])
        return raster.output(self.outline, raster.png(svg), title, **{"image/svg+xml": svg})


def draw(
    *results: Tensor | Callable[[], Any], names: Mapping[str, Tensor] | None = None, direction: str = "TB"
) -> Drawing:
    """Draw how results were made, from the leaves down.

    A graph keeps only what its backward needs. So the picture shows the values that it kept and those of variables; a
    value that is gone is marked "not kept". To see all of them, hand over the program instead of its result.

    Args:
        results: one Tensor or several; or a function without arguments that returns them, which is run and watched.
        names: what to call tensors; the caller's variables if omitted. What has no name becomes v1, v2, …
        direction: "TB" draws from top to bottom, "LR" from left to right, "auto" as it fits better.

    >>> import minigrad as mg
    >>> a = mg.tensor([0.0, 1.0], requires_grad=True)
    >>> draw(lambda: 2 * mg.sin(a) + 1)
    a            AccumulateGrad  [0, 1]       .grad –
    v1 = sin(a)  SinBackward0    [0, 0.8415]
    v2 = 2 * v1  MulBackward0    [0, 1.683]
    v3 = v2 + 1  AddBackward0    [1, 2.683]
    """
    if direction not in ("TB", "LR", "auto"):
        raise ValueError(f"direction must be 'TB' (downwards), 'LR' (to the right) or 'auto', not {direction!r}")
    if names is not None and not (
        isinstance(names, Mapping) and all(isinstance(tensor, Tensor) for tensor in names.values())
    ):
        raise TypeError("names must be a dictionary from names to Tensors")
    frame = sys._getframe(1)
    named = variables(frame) if names is None else list(names.items())
    recorder = Recorder(frame if names is None else None, getattr(results[0], "__code__", None) if results else None)
    recorder.names.give(named)
    tensors: Any = results
    if len(results) == 1 and not isinstance(results[0], Tensor) and callable(results[0]):
        with recorder:
            found = results[0]()
        tensors = found if isinstance(found, tuple) else (found,)
    if not tensors or not all(isinstance(tensor, Tensor) for tensor in tensors):
        raise TypeError(f"draw() takes Tensors, or a function that returns them, but got {tensors!r}")
    roots = [get_gradient_edge(tensor).node for tensor in tensors if tensor.requires_grad]
    recorder.read(roots, [*named, *(("", tensor) for tensor in tensors)])
    return Drawing(told(recorder, tensors), direction)


def told(recorder: Recorder, results: tuple[Tensor, ...]) -> dict[str, Any]:
    """The trace of what was recorded or read; with results that nothing was done with."""
    story = Story(recorder)
    scene, trace = story.scene, story.trace
    for tensor in results:
        if place(tensor) not in scene.boxes:
            scene.source(place(tensor), np.array(tensor.numbers), tensor.requires_grad, tensor)
    for where, box in scene.boxes.items():
        node, index = where if isinstance(where, tuple) else (None, 0)
        retained = node.owners().get(index) if node is not None else None
        if retained is not None and retained.grad is not None:
            trace.start(box, "box", scene.value(np.array(retained.grad.numbers)))
    names = ", ".join(scene.name(scene.boxes[place(tensor)]) for tensor in results)
    trace.document["title"] = say("drawing.title", names=names)
    return grouped(trace.document)


def outline(trace: dict[str, Any]) -> str:
    """All boxes but those of bare numbers, which the formulas name, as a table."""
    state = picture.state(trace, len(trace["frames"]))
    rows = []
    for number, node in enumerate(trace["nodes"]):
        if node["kind"] != "constant":
            fields = state[f"n{number}"]
            value, box = (field_text(field, fields.get(field), trace["values"]) for field in ("value", "box"))
            has_mailbox = fields.get("box") is not None or node["kind"] in ("leaf", "parameter")
            made_by = node.get("type") or say(f"table.{node['kind']}")
            rows.append((node["label"], made_by, value, f".grad {box}" if has_mailbox else ""))
    shown = rows[:MOST]
    widths = [max(columns(row[i]) for row in shown) for i in range(3)]
    lines = ["  ".join(cell + " " * (w - columns(cell)) for cell, w in zip(row, [*widths, 0])) for row in shown]
    if len(rows) > MOST:
        lines.append(say("drawing.and_more", number=f"{len(rows) - MOST:,}"))
    if any("?" in row[0] for row in shown):
        lines.append(say("drawing.unknown"))
    return "\n".join(line.rstrip() for line in lines)
