"""Where boxes and arrows go: DOT text, laid out by a Graphviz wherever there is one.

>>> layout, = lay_out("digraph { node [shape=box fixedsize=true]; a; b; a -> b [id=e0] }")
>>> layout.boxes
{'a': (27.0, 18.0), 'b': (27.0, 90.0)}

Graphviz gives positions only; the pictures are drawn by ourselves. It measures no text: the text is monospaced, and
each box has the size that we computed, so that a layout is the same with any fonts.
"""

import html
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from typing import NamedTuple

import graphviz

from ..words import say

FONT_SIZE = 13  # pixels, as all lengths here; Graphviz takes them for points, of which 72 make an inch
CHARACTER, LINE = 0.61 * FONT_SIZE, 18.0  # no common monospaced font is wider
HEAD = 9.0  # the length of an arrow's head
INCH = 72
LAST_INDEX = re.compile(r"(\[\d+\])?$")

# Graphviz runs in a process of its own: it cannot be interrupted, holds Python's lock, and writes to the terminal.
NEXT = "\n# next drawing\n"  # a comment in DOT; a text with a line of its own never comes into a drawing
BUNDLED = (
    "import sys, pygraphviz\n"
    f"for drawing in sys.stdin.buffer.read().decode().split({NEXT!r}):\n"
    "    sys.stdout.buffer.write(pygraphviz.AGraph(string=drawing).draw(format='json0', prog='dot'))"
)

Point = tuple[float, float]


class LayoutError(RuntimeError):
    """A picture cannot be made; the message says in one sentence why, and what helps."""


class Arrow(NamedTuple):
    """A spline (a start, then three points for each curve), the tip of its head, and the middle of its label."""

    line: list[Point]
    tip: Point
    label: Point | None


class Layout(NamedTuple):
    """Positions in a drawing whose y grows downwards: middles of boxes by name, arrows by id, clusters' corners."""

    width: float
    height: float
    boxes: dict[str, Point]
    arrows: dict[str, Arrow]
    frames: dict[str, tuple[Point, Point]]


KNOWN: dict[str, Layout] = {}  # by drawing: a picture that is shown again, alone or among others, is laid out once
LAST = 64  # of them, so many are kept


class Sheet:
    """A drawing under construction, as DOT text.

    Args:
        direction: where the arrows go: "TB" from top to bottom, "LR" from left to right.
    """

    def __init__(self, direction: str = "TB", name: str | None = None, **settings: str) -> None:
        if direction not in ("TB", "LR"):
            raise ValueError(f"direction must be 'TB' (downwards) or 'LR' (to the right), not {direction!r}")
        if name is None:
            # Without newrank, frames and labels together make Graphviz put boxes on each other, or give up.
            settings = {"newrank": "true", "rankdir": direction, "nodesep": "0.25", **settings}
        self._graph = graphviz.Digraph(
            name=name,
            graph_attr=settings,
            node_attr={"fixedsize": "true", "shape": "box"} if name is None else None,
            edge_attr={"arrowsize": f"{HEAD / 10:g}"} if name is None else None,
        )

    def box(self, name: str, width: float, height: float, label: str = "", **look: str) -> None:
        """Add a box of a size."""
        # Every node needs a label of its own: the bundled Graphviz loses default labels at the first drawing.
        size = {"width": f"{width / INCH:.4f}", "height": f"{height / INCH:.4f}"}
        self._graph.node(name, graphviz.nohtml(label), **size, **look)

    def arrow(self, tail: str, head: str, name: str, **look: str) -> None:
        """Add an arrow between two boxes; between the same two there may be several."""
        self._graph.edge(tail, head, id=name, **look)

    def frame(self, inside: "Sheet") -> None:
        """Put another sheet's boxes, with a frame round them, on this one."""
        self._graph.subgraph(inside._graph)

    @property
    def dot(self) -> str:
        """The drawing as DOT text."""
        return self._graph.source


def space(width: float, height: float, text: str = "") -> str:
    """A label that takes exactly so much space, whatever is written in it."""
    size = f'width="{round(width)}" height="{round(height)}"'
    return (
        f'<<table border="0" cellspacing="0" cellpadding="0" fixedsize="true" {size}><tr><td>{text}</td></tr></table>>'
    )


def shorten(text: str, most: int = 34) -> str:
    """Text that fits on one line of a box: nothing invisible in it, and not too long.

    >>> shorten("a\\x00b\\n c" + 40 * "d")
    'a�b cdddddddddddddddddddddddddddd…'
    >>> shorten(f"v1, which of several = {30 * 'x'}[1]")
    'v1, which of several = xxxxxxx…[1]'
    """
    text = "".join(c if c.isprintable() else "\ufffd" for c in " ".join(text.split()))
    if len(text) <= most:
        return text
    which = LAST_INDEX.findall(text)[0]  # two results of one operation may differ in this alone
    return f"{text[: most - 1 - len(which)].rstrip('…')}…{which}"


def columns(text: str) -> int:
    """How many characters' places a text takes; a Chinese character takes two.

    >>> columns("ab"), columns("梯度")
    (2, 4)
    """
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def escape(text: str) -> str:
    """Text that Graphviz shows as it stands: no entity and no escape sequence in it."""
    return text.replace("\\", r"\\").replace("&", "&amp;")


def markup(text: str) -> str:
    """Text that stands as it is in an element or an attribute."""
    return html.escape(shorten(text, 10_000))


def lay_out(*drawings: str, timeout: float = 60) -> list[Layout]:
    """The layouts of some drawings, by one run of Graphviz for those that are new.

    Args:
        drawings: DOT texts.
        timeout: seconds after which `LayoutError` is raised.
    """
    new = tuple(drawing for drawing in dict.fromkeys(drawings) if drawing not in KNOWN)
    if new:
        KNOWN.update(zip(new, map(_read, _graphviz(new, timeout))))
    found = [KNOWN[drawing] for drawing in drawings]
    for drawing in list(KNOWN)[:-LAST]:
        del KNOWN[drawing]
    return found


def _read(told: dict) -> Layout:
    """What Graphviz's JSON says; its y grows upwards, and numbers of different versions differ in the last digits."""
    _, _, width, height = map(float, told["bb"].split(","))

    def point(text: str) -> Point:
        x, y = text.split(",")
        return round(float(x), 1), round(height - float(y), 1)

    boxes, frames, arrows = {}, {}, {}
    objects = told.get("objects", [])
    for thing in objects:
        if "pos" in thing:
            boxes[thing["name"]] = point(thing["pos"])
        elif "bb" in thing:
            left, low, right, high = thing["bb"].split(",")
            frames[thing["name"]] = point(f"{left},{high}"), point(f"{right},{low}")
    for edge in told.get("edges", []):
        if "pos" not in edge:
            continue  # Graphviz gave up on it
        end, *line = edge["pos"].split()
        label = point(edge["lp"]) if "lp" in edge else None
        arrows[edge["id"]] = Arrow([point(text) for text in line], point(end.removeprefix("e,")), label)
    return Layout(round(width, 1), round(height, 1), boxes, arrows, frames)


def _graphviz(drawings: tuple[str, ...], timeout: float) -> list[dict]:
    reason = say("drawing.no_graphviz")
    for command in commands():
        try:
            run = subprocess.run(
                command,
                input=NEXT.join(drawings).encode(),
                capture_output=True,
                timeout=timeout,
                env=os.environ | {"FONTCONFIG_FILE": os.devnull},  # nobody asks for fonts, and they take time
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except subprocess.TimeoutExpired:
            raise LayoutError(say("drawing.too_slow", seconds=f"{timeout:g}")) from None
        if run.returncode == 0:
            told = _documents(run.stdout.decode())
            if len(told) == len(drawings):
                return told
        said = run.stderr.decode(errors="replace").strip().splitlines()
        reason = say("drawing.failed", why=said[-1] if said else say("drawing.exit_code", code=run.returncode))
    raise LayoutError(say("drawing.no_picture", reason=reason))


def _documents(text: str) -> list[dict]:
    """JSON documents that stand one after the other."""
    found, decoder, at = [], json.JSONDecoder(), text.find("{")
    while at >= 0:
        told, end = decoder.raw_decode(text, at)
        found.append(told)
        at = text.find("{", end)
    return found


def commands() -> list[list[str]]:
    """The ways to run Graphviz on this machine, best first: the one inside pygraphviz's wheel, a `dot` on the PATH."""
    bundled = [[sys.executable, "-P", "-c", BUNDLED]] if importlib.util.find_spec("pygraphviz") else []
    dot = shutil.which("dot")
    return bundled + ([[dot, "-Tjson0"]] if dot else [])
