"""The stepper in a notebook: a widget while there is a kernel, a page in a frame where there is none (../places.py).

>>> trace = {"title": "b = 2", "values": [{"text": "2"}], "nodes": [{"kind": "operation", "label": "b"}],
...          "frames": [{"kind": "made", "node": 0, "say": "b is 2."}]}
>>> stepper = Stepper(trace)
>>> stepper
Stepper: b = 2, 1 box, 1 step
1  b is 2.
>>> stepper.index = 1
"""

from collections.abc import Sequence
from typing import Any

import traitlets

from .. import places
from ..drawing import picture, raster
from ..telling.chosen import asked_in, chosen
from ..words import say
from . import page

OUTLINE = 40  # steps that the text form tells; a longer run is told by its beginning


class Stepper(places.Placed):
    """Walks a recorded run forward and back. Everything happens in the browser; the traits tell where it is.

    Attributes:
        index: how many frames have happened.
        node: the chosen node, such as "n3"; "" if none is.
        playing: whether it goes on by itself.
        level: how much one step does: 1 a phase, 2 a node, 3 a contribution, 4 an element.
        predict: whether it asks before it shows.
        move: the name of a leaf whose number is offered to be moved; "" if none is.
        asks: what it asks then: pairs of a frame and a kind of question.
        answers: each try to answer: `{"frame", "kind", "given", "right", "diagnosis", "try"}`.
        height: of the picture and the panels, in pixels.
    """

    _css = page.style()
    trace = traitlets.Dict().tag(sync=True)
    views = traitlets.Dict().tag(sync=True)
    index = traitlets.Int(0).tag(sync=True)
    node = traitlets.Unicode("").tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)
    level = traitlets.Int(3, min=1, max=4).tag(sync=True)
    predict = traitlets.Bool(False).tag(sync=True)
    move = traitlets.Unicode("").tag(sync=True)
    asks: traitlets.List = traitlets.List().tag(sync=True)
    answers: traitlets.List = traitlets.List().tag(sync=True)
    height = traitlets.Int(560).tag(sync=True)

    def __init__(self, trace: dict[str, Any], views: dict[str, str] | None = None, **traits: Any) -> None:
        super().__init__(trace=trace, views=views or {}, **{"asks": chosen(trace)} | traits)

    @property
    def _esm(self) -> str:
        """The module, with the words of the language that is spoken now."""
        return page.module()

    @traitlets.validate("index")
    def _inside(self, proposal: Any) -> int:
        return min(max(proposal["value"], 0), len(self.trace["frames"]))

    def words(self) -> list[str]:
        """The title, and what each step says: of a longer run its beginning, and nothing that is asked first."""
        frames, nodes = self.trace["frames"], self.trace["nodes"]
        shown = frames if len(frames) <= OUTLINE else frames[: OUTLINE - 1]
        more = counted("more_steps", frames[len(shown) :])
        asks = [tuple(one) for one in self.asks] if self.predict else []
        asked = [one for one in asked_in(self.trace) if (one[0], one[1]["kind"]) in asks]
        places = [(question.get("before", frame), question["question"]) for frame, question in asked]
        if places and (first := min(places))[0] < len(shown):
            shown = frames[: first[0]]
            more = say("stepper.asked_first", more=counted("more_steps", frames[first[0] :]), question=first[1])
        size = f"{counted('boxes', nodes)}, {counted('steps', frames)}"
        title = f"{say('stepper.title', title=self.trace.get('title', ''))}, {size}"
        told = [frame.get("say", frame["kind"]) for frame in shown]
        return [title, *told, *[f"… {more}"] * (len(shown) < len(frames))]

    def __repr__(self) -> str:
        title, *words = self.words()
        width = len(str(len(self.trace["frames"])))
        said = [f"{i:>{width}}  {line}" for i, line in enumerate(words, 1)]
        if words and words[-1].startswith("…"):
            said[-1] = f"{'…':>{width}} {words[-1][1:]}"
        return "\n".join([title, *said])

    def kept(self) -> tuple[tuple[dict[str, str], dict[str, Any]], str]:
        """The picture, at the start of the run if the stepper asks first; and the place, with the exported page."""
        traits = {name: getattr(self, name) for name in ("index", "level", "predict", "asks", "height")}
        traits |= {"move": self.move} if self.move else {}
        document = page.page(self.trace, self.views, "", **traits)
        title, *words = self.words()
        still = raster.png(picture.svg(self.trace, 0 if self.predict else None)) if self.views else b""
        # Where there is no picture, the text stands in its place, and says all of this.
        kept = places.place(self.place, title, document, self.height + 360, words if still else [])
        return raster.output(repr(self), still, say("stepper.its_graph", title=title)), kept


def counted(key: str, things: Sequence[Any]) -> str:
    return say(f"stepper.{key}", count=len(things), number=f"{len(things):,}")
