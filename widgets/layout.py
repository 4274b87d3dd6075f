"""Boxes and arrows as SVG: DOT text written with the `graphviz` package, laid out by a Graphviz wherever there is one.

>>> sheet = Sheet("LR")
>>> sheet.box("n0", "leaf", ["a", "2.5"], mailbox=".grad –")
>>> sheet.box("n1", "operation", ["b = sin(a)"])
>>> sheet.arrow("n0", "n1", "n1-0")
>>> svg(sheet.dot, "b = sin(a)").startswith("<svg")
True

The same DOT text gives the same picture with any fonts: each box has the size that we computed for its text, and the
text is monospaced. Ids in the SVG begin with a hash of the DOT text, so two pictures on one page do not meet.
"""

import functools
import hashlib
import html
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import unicodedata

import graphviz

from .colours import COLOURS

FONT_SIZE = 10  # points, as all lengths here
CHARACTER, LINE, PADDING = 0.61 * FONT_SIZE, 1.25 * FONT_SIZE, 8
INK, LINES = "#1a1a1a", "#808080"  # text on a box; arrows, which must show on white and on black paper alike

# A kind of box has its own shape and line; its colour says what is in it. The fills are the light theme's, so
# that dark text is readable on them in either.
LOOKS = {
    kind: {**look, "fillcolor": COLOURS[meaning].fill, "color": COLOURS[meaning].light}
    for kind, meaning, look in [
        ("leaf", "parameter", {"shape": "record", "penwidth": "2.5"}),
        ("constant", "constant", {"shape": "box", "style": "filled,dashed", "penwidth": "1.5"}),
        ("operation", "value", {"shape": "box", "style": "filled,rounded"}),
        ("output", "value", {"shape": "box", "style": "filled,rounded,dotted"}),
        ("result", "value", {"shape": "box", "peripheries": "2"}),
    ]
}

# Graphviz runs in a process of its own: it cannot be interrupted, holds Python's lock, and writes to the terminal.
BUNDLED = (
    "import sys, pygraphviz\n"
    "drawing = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())\n"
    "sys.stdout.buffer.write(drawing.draw(format='svg', prog='dot'))"
)


class LayoutError(RuntimeError):
    """A picture cannot be made; the message says in one sentence why, and what helps."""


class Sheet:
    """A drawing under construction.

    Args:
        direction: where the arrows go: "TB" from top to bottom, "LR" from left to right.
    """

    def __init__(self, direction: str = "TB") -> None:
        if direction not in ("TB", "LR"):
            raise ValueError(f"direction must be 'TB' (downwards) or 'LR' (to the right), not {direction!r}")
        self.direction = direction
        self._graph = graphviz.Digraph(
            graph_attr={"rankdir": direction, "bgcolor": "transparent", "nodesep": "0.2", "ranksep": "0.3"},
            node_attr={
                "fixedsize": "true",
                "style": "filled",
                "fontname": "monospace",
                "fontsize": str(FONT_SIZE),
                "fontcolor": INK,
            },
            edge_attr={"color": LINES, "penwidth": "1.2", "arrowsize": "0.7"},
        )

    def box(self, name: str, kind: str, lines: list[str], mailbox: str | None = None) -> None:
        """Add a box of one of the kinds in `LOOKS`; a mailbox is a compartment below the lines."""
        parts = [lines] if mailbox is None else [lines, [mailbox]]
        shown = [[shorten(line) for line in part] for part in parts]
        width = max(columns(line) for part in shown for line in part) * CHARACTER + 2 * PADDING
        height = sum(len(part) * LINE + PADDING for part in shown)
        look = dict(LOOKS[kind])
        if mailbox is not None:
            look["shape"] = "record"
        label = "|".join(r"\n".join(escape(line, look["shape"] == "record") for line in part) for part in shown)
        if look["shape"] == "record" and self.direction == "TB":
            label = f"{{{label}}}"  # a record turns with the direction; braces turn it back
        size = {"width": f"{width / 72:.3f}", "height": f"{height / 72:.3f}"}
        # Every node needs a label of its own: the bundled Graphviz loses default labels at the first drawing.
        self._graph.node(name, graphviz.nohtml(label), **{"id": name, "class": kind, **size, **look})

    def arrow(self, tail: str, head: str, name: str) -> None:
        """Add an arrow between two boxes; between the same two there may be several."""
        self._graph.edge(tail, head, id=name)

    @property
    def dot(self) -> str:
        """The drawing as DOT text."""
        return self._graph.source


def shorten(text: str, most: int = 34) -> str:
    """Text that fits on one line of a box: nothing invisible in it, and not too long.

    >>> shorten("a\\x00b\\n c" + 40 * "d")
    'a�b cdddddddddddddddddddddddddddd…'
    """
    text = "".join(c if c.isprintable() else "\ufffd" for c in " ".join(text.split()))
    return text if len(text) <= most else text[: most - 1] + "…"


def columns(text: str) -> int:
    """How many characters' places a text takes; a Chinese character takes two.

    >>> columns("ab"), columns("梯度")
    (2, 4)
    """
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def escape(text: str, record: bool = False) -> str:
    """Text that Graphviz shows as it stands: no entity, no escape sequence, no field of a record in it."""
    text = text.replace("\\", r"\\").replace("&", "&amp;")
    return re.sub(r"([{}|<>])", r"\\\1", text) if record else text


@functools.lru_cache(64)
def svg(dot: str, title: str, timeout: float = 60) -> str:
    """Lay a drawing out; the SVG without anything that depends on the machine or on Graphviz's version number.

    Args:
        dot: the drawing as DOT text.
        title: what the picture shows, for those who cannot see it.
        timeout: seconds after which `LayoutError` is raised.
    """
    text = _graphviz(dot, timeout)
    text = re.sub(r"<!--.*?-->\s*|<title>.*?</title>\s*", "", text[text.index("<svg") :], flags=re.DOTALL)
    prefix = f"g{hashlib.sha256(dot.encode()).hexdigest()[:8]}-"
    text = re.sub(r'(<\w+ id=")', rf"\1{prefix}", text)
    text = re.sub(r"(?:<text.*</text>\n)+", _spread, text)
    return text.replace(">", f' role="img">\n<title>{html.escape(title)}</title>', 1)


def _spread(run: re.Match) -> str:
    """Lines of text set `LINE` apart; Graphviz asks the host's fonts for their distance."""
    y = re.compile(r'(?<= y=")[-.0-9]+')
    lines = run[0].splitlines(keepends=True)
    middle = sum(float(y.findall(line)[0]) for line in lines) / len(lines)
    return "".join(y.sub(f"{middle + (i - len(lines) / 2 + 0.5) * LINE:.2f}", line, 1) for i, line in enumerate(lines))


def _graphviz(dot: str, timeout: float) -> str:
    reason = "no Graphviz was found; install the Python package pygraphviz, or Graphviz with its command `dot`"
    for command in commands():
        try:
            run = subprocess.run(
                command,
                input=dot.encode(),
                capture_output=True,
                timeout=timeout,
                env=os.environ | {"FONTCONFIG_FILE": os.devnull},  # without the host's fonts all texts measure alike
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except subprocess.TimeoutExpired:
            raise LayoutError(f"Graphviz was stopped after {timeout:g} s; draw something smaller") from None
        if run.returncode == 0 and b"<svg" in run.stdout:
            return run.stdout.decode()
        said = run.stderr.decode(errors="replace").strip().splitlines()
        reason = f"Graphviz failed ({said[-1] if said else f'exit code {run.returncode}'})"
    raise LayoutError(f"the picture cannot be drawn: {reason}")


def commands() -> list[list[str]]:
    """The ways to run Graphviz on this machine, best first: the one inside pygraphviz's wheel, a `dot` on the PATH."""
    bundled = [[sys.executable, "-P", "-c", BUNDLED]] if importlib.util.find_spec("pygraphviz") else []
    dot = shutil.which("dot")
    return bundled + ([[dot, "-Tsvg"]] if dot else [])
