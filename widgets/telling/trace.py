"""The trace: one run as one plain document, from which everything that a person sees is made. See docs/trace.md.

>>> trace = Trace("b = sin(a)")
>>> a = trace.node("leaf", name="a", label="a")
>>> trace.change(f"n{a}", "box", trace.value(np.float32(2.0)))
>>> trace.frame("deposited", node=a, say="a.grad was empty: now it holds 2.")
>>> trace.document["frames"][0]["changes"]
[['n0', 'box', None, 0]]
"""

import base64
import io
import math
import re

import numpy as np

from minigrad.compiler.traced import Traced

from ..colours import COLOURS
from ..recording.large import Large
from ..recording.moments import UNKNOWN
from ..words import say
from .marks import marked, plain

PHASE, NODE, CONTRIBUTION = 1, 2, 3  # levels
STARTS = "made", "seeded", "visited", "deposited", "zeroed", "mutated", "iteration", "error"  # a new step each
# Everything else is part of a backward.
PHASES = {"made": "forward", "zeroed": "zeroing", "mutated": "update", "iteration": "iterations"}
WHOLE = 40  # a value of at most so many elements is told in full
PASSED_ON = re.compile(r"\s*(async def|class|def|return|yield)\b")  # lines that say of a result only where it goes
SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"  # they tell boxes of one name apart
SEEN = 1024  # of one larger than this only a sample is looked at


class Trace:
    """A document under construction; it knows the state that its frames have led to so far."""

    def __init__(self, title: str) -> None:
        self.document: dict = {
            "schema": 1, "title": writable(title), "values": [], "groups": [], "nodes": [], "edges": [], "files": [],
            "phases": [], "iterations": [], "misconceptions": [], "frames": [],
        }  # fmt: skip
        self.nodes, self.edges, self.frames = (self.document[table] for table in ("nodes", "edges", "frames"))
        self.now: dict = {}  # (target, field) -> what it shows at this moment
        self._pending: list = []
        self._known: dict = {}  # values by content

    # -- what there is ---------------------------------------------------------------------------------------------

    def value(self, value) -> int:
        """The number of a value in the document, where equal ones stand once: those that may move apart, each."""
        if value is UNKNOWN:
            return self.unknown()
        slot = slot_of(value)
        if not isinstance(value, Large):
            array = np.asarray(value if slot is None else value.plain)
            value = array if array.size <= SEEN else Large.of(array)
        key = value.dtype.str, value.shape, value.tobytes(), slot
        if key not in self._known:
            self._known[key] = self._add("values", told(value) | ({} if slot is None else {"slot": slot}))
        return self._known[key]

    def short(self, value) -> int:
        """The number of a value of which only the text is told."""
        text = plain(brief(value))
        if text not in self._known:
            self._known[text] = self._add("values", {"text": text})
        return self._known[text]

    def unknown(self) -> int:
        """The number of the value that stands for one that nobody kept."""
        if None not in self._known:
            self._known[None] = self._add("values", {"text": say("values.not_kept")})
        return self._known[None]

    def misconception(self, sentence: str) -> int:
        """The number of a sentence about a wrong answer, where each stands once."""
        said = self.document["misconceptions"]
        if sentence not in said:
            said.append(sentence)
        return said.index(sentence)

    def node(self, kind: str, **facts) -> int:
        return self._add("nodes", {"kind": kind, **facts})

    def edge(self, tail: int, head: int, slot: int, cut: bool = False) -> int:
        return self._add("edges", {"from": tail, "to": head, "slot": slot, "cut": cut})

    def group(self, name: str, kind: str, parent: int | None) -> int:
        return self._add("groups", {"name": name, "kind": kind, "parent": parent})

    def file(self, name: str, first: int, lines: list[str]) -> int:
        return self._add("files", {"name": name, "first": first, "lines": list(map(writable, lines))})

    def _add(self, table: str, entry: dict) -> int:
        self.document[table].append(filled(entry))
        return len(self.document[table]) - 1

    # -- what happens ----------------------------------------------------------------------------------------------

    def start(self, node: int, field: str, value) -> None:
        """What a node shows before the first frame."""
        self.nodes[node].setdefault("start", {})[field] = value
        self.now[f"n{node}", field] = value

    def change(self, target: str, field: str, after) -> None:
        """Part of the next frame: a field gets a new value. One that stays as it is, is no change."""
        before = self.now.get((target, field))
        if before != after:
            self.now[target, field] = after
            self._pending.append([target, field, before, after])

    def frame(self, kind: str, **facts) -> None:
        """The next frame, with all changes since the last one."""
        changes, self._pending = self._pending, []
        self._add("frames", {"kind": kind, "level": CONTRIBUTION, **facts, "changes": changes})

    def iteration(self, **facts) -> None:
        """An iteration of a loop begins with the next frame."""
        self._add("iterations", {"first": len(self.frames), **facts})

    def amend(self, say: str) -> None:
        """Changes since the last frame become part of it after all, and are told with it."""
        frame = self.frames[-1]
        frame["say"] += say
        frame["changes"], self._pending = frame.get("changes", []) + self._pending, []

    def title(self) -> str:
        """What to call a run without a title: the user's line that made its loss, or else its last result."""
        seeded, made = ([frame for frame in self.frames if frame["kind"] == kind] for kind in ("seeded", "made"))
        results = seeded or made
        if not results:
            return say("story.nothing_computed")
        node = self.nodes[results[-1]["node"]]
        if "at" in node:
            file, line, *_ = node["at"]
            whole = self.document["files"][file]
            text = whole["lines"][line - whole["first"]]
            if not PASSED_ON.match(text):
                return text.strip()
            _, _, column, last, end = node["at"]
            return f"{node['name'].rstrip(SUBSCRIPTS)} = {text[column : end if last == line else None].strip()}"
        return node["label"]

    def finish(self) -> None:
        """Divide the frames into phases, and say how coarse a step may be to stop after each."""
        frames, phases = self.frames, self.document["phases"]
        begins = [iteration["first"] for iteration in self.document["iterations"]]
        for iteration, first in zip(self.document["iterations"], [*begins[1:], len(frames)]):
            iteration["last"] = first - 1
        for number, (frame, after) in enumerate(zip(frames, [*frames[1:], None])):
            kind, earlier = PHASES.get(frame["kind"], "backward"), phases[-1] if phases else None
            if kind == "forward" and earlier and earlier["kind"] == "backward" and "at" in frame:
                if frame["at"] == frames[earlier["first"]].get("at"):  # a backward under create_graph recorded it
                    kind = "backward"
            is_new = kind != "iterations" and (
                number in begins or frame["kind"] == "seeded" != frames[number - 1]["kind"]
            )
            if not phases or phases[-1]["kind"] != kind or is_new:
                phases.append({"kind": kind, "title": say(f"phases.{kind}"), "first": number})
            phases[-1]["last"] = number
            if after is None or after["kind"] in STARTS:
                frame["level"] = NODE
        for iteration in self.document["iterations"]:
            frames[iteration["last"]]["level"] = PHASE
        for kind in {phase["kind"] for phase in phases}:
            alike = [phase for phase in phases if phase["kind"] == kind]
            for number, phase in enumerate(alike, 1):
                frames[phase["last"]]["level"] = PHASE
                if len(alike) > 1:
                    phase["title"] += f" {number}"


def filled(entry: dict) -> dict:
    """An entry of the document: what is None, False or empty is left out."""
    kept = {name: value for name, value in entry.items() if value is not None and value is not False and value != []}
    return {name: writable(value) if isinstance(value, str) else value for name, value in kept.items()}


def writable(text: str) -> str:
    """Text as a file can hold it: half of a pair of UTF-16, which Python allows, becomes a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


# == values ================================================================================================


def told(value: np.ndarray | Large) -> dict:
    """A value as the document tells it."""
    told = {"text": brief(value), "shape": list(value.shape)}
    if value.dtype != np.float32:
        told["dtype"] = value.dtype.name
    if not isinstance(value, Large):
        if value.size <= WHOLE:
            told["data"] = [exact(element) for element in value.ravel()]
        value = value if value.size <= 4 else Large.of(value)
    if isinstance(value, Large) and value.dtype.kind != "c":
        told["thumb"] = thumb(value.cells)
        if "data" not in told:
            told |= {"low": exact(value.low), "high": exact(value.high)}
    return filled(told)


def exact(element):
    """A number that reads back bit for bit in its own type; JSON knows no nan, no infinity, no complex number."""
    if element.dtype.kind in "biu":
        return element.item()
    if element.dtype.kind == "c":
        return str(element).strip("()")
    number = float(str(element))  # the shortest decimal that is this number in its own type
    return number if math.isfinite(number) else str(number)


def thumb(cells: np.ndarray) -> str:
    """A tiny picture of numbers, as base64 of a PNG: one colour above zero, one below, clear at zero."""
    from PIL import Image  # it comes with matplotlib, and takes its time

    cells = cells.astype(float)
    most = np.abs(cells[np.isfinite(cells)]).max(initial=0) or 1
    share = np.clip(np.nan_to_num(cells / most, nan=0, posinf=1, neginf=-1), -1, 1)
    picture = np.zeros((*cells.shape, 4), np.uint8)
    for sign, name in ((1, "value"), (-1, "negative")):
        picture[share * sign > 0, :3] = [int(COLOURS[name].light[i : i + 2], 16) for i in (1, 3, 5)]
    picture[..., 3] = np.abs(share) * 255
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


def brief(value) -> str:
    """A value in a few characters: a number, a few of them, up to 3×3, or its shape and the bounds.

    >>> brief(2.0), brief(np.array([0, 0.5])), brief(np.eye(2)), brief(np.ones((64, 100)))
    ('2', '[0, 0.5]', '[[1, 0], [0, 1]]', '64×100: all 1')
    """
    slot = slot_of(value)
    if slot is not None:
        return marked(brief(value.plain), slot)
    array = value if isinstance(value, Large) else np.asarray(value)
    if array.dtype.kind not in "biufc":
        return repr(value)
    if array.shape == ():
        return number(array)
    is_small = array.size <= 4 or max(array.shape) <= 3
    if len(array.shape) <= 2 and array.size and is_small:
        return f"[{', '.join(map(brief if len(array.shape) == 2 else number, array))}]"
    size = "×".join(map(str, array.shape))
    size = say("values.of_a_row", size=size) if len(array.shape) == 1 else size
    if array.size == 0 or array.dtype.kind == "c":
        return size
    bounds = (array.low, array.high) if isinstance(array, Large) else (array.min(), array.max())
    low, high = map(number, bounds)
    return f"{size}: {say('values.all', number=low) if low == high else f'{low} … {high}'}"


def look_alike(one, other) -> bool:
    """Whether two values look alike; what nobody kept looks like anything."""
    if one is UNKNOWN or other is UNKNOWN:
        return True
    if isinstance(one, Large) or isinstance(other, Large):
        return brief(one) == brief(other)
    return np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind in "fc")


def slot_of(value) -> int | None:
    """The number that a value has on a tape, if it stands on one: then its number may be moved."""
    return value.value.number if isinstance(value, Traced) and value.value is not None else None


def number(value) -> str:
    """One number with four digits that count.

    >>> number(np.float32(0.125)), number(np.array(-0.0)), number(np.int64(3))
    ('0.125', '0', '3')
    """
    return str(value) if value.dtype.kind in "biu" else f"{value + 0:.4g}"  # + 0: never a minus before zero
