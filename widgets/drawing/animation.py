"""A run as a picture that moves by itself, for slides: one SVG, without a script.

>>> trace = {
...     "title": "b = sin(a)", "values": [{"text": "0.9093"}], "edges": [],
...     "nodes": [{"kind": "operation", "label": "b = sin(a)"}],
...     "frames": [{"kind": "made", "node": 0, "say": "b is 0.9093.", "changes": [["n0", "value", None, 0]]}],
... }
>>> svg = animated(trace)
>>> svg.count('class="at '), "prefers-reduced-motion" in svg
(4, True)

What a thing looks like is drawn once for each of its looks; all of them lie on each other, and one at a time is seen.
"""

import textwrap
from collections import defaultdict

from . import picture
from .grouping import LIMIT
from .layout import CHARACTER, LINE, Layout, markup
from .picture import Picture, Trace
from .shapes import n

HOLD = 4  # the end is shown as long as so many steps
NARROWEST = 480.0  # so that a sentence has room below a narrow picture
LOOKS = """
.at { opacity: 0; }
.at.end { opacity: 1; }
@media (prefers-reduced-motion: reduce) { .mg-graph .at { animation: none; } }
"""


def animated(trace: Trace, seconds: float = 1.0, direction: str = "auto", limit: int = LIMIT) -> str:
    """All positions of a run, one after the other and from the start again, with a sentence for each.

    Who prefers no motion sees the end.

    Args:
        trace: see docs/trace.md.
        seconds: for each step.
        direction: "TB" draws from top to bottom, "LR" from left to right, "auto" as it fits better.
        limit: how many boxes there are at most; beyond, groups are folded.
    """
    drawn = picture.whole(trace, direction, limit)
    layout = picture.laid_out({"": drawn})[""]
    last = len(trace["frames"])
    width = max(layout.width, NARROWEST)
    said, height = sentences(trace, width, layout.height)
    motions: dict[tuple[int, ...], str] = {}

    def stacked(looks: dict[str, list[int]]) -> str:
        """All looks of a thing, each seen at its positions."""
        layers = []
        for svg, positions in looks.items():
            name = motions.setdefault(tuple(positions), f"at{len(motions)}")
            layers.append(f'<g class="at {name}{" end" * (positions[-1] == last)}">{svg}</g>')
        return "".join(layers) if len(looks) > 1 else next(iter(looks))

    things = [stacked(looks) for looks in histories(drawn, layout, trace)]
    words = stacked(said)
    moves = "\n".join(motion(name, positions, last, seconds) for positions, name in motions.items())
    start = drawn.alone(width, height, f"{picture.style()}{LOOKS}{moves}")
    graph = f'<g transform="translate({n((width - layout.width) / 2)},0)">'
    return "\n".join([*start, graph, *things, "</g>", words, "</svg>\n"])


def histories(drawn: Picture, layout: Layout, trace: Trace) -> list[dict[str, list[int]]]:
    """For each thing in a picture its looks, and the positions at which it has them."""
    homes = {f"e{number}": name for name, numbers in drawn.arrows.items() for number in numbers}
    state, names = picture.state(trace, 0), drawn.names()
    now = {name: drawn.thing(name, layout, state, {}) for name in names}
    found: dict[str, dict[str, list[int]]] = {name: {svg: [0]} for name, svg in now.items()}
    touched: set[str] = set()
    for position, frame in enumerate(trace["frames"], 1):
        touched = {f"n{frame.get('node')}", f"e{frame.get('edge')}"} | touched  # what was marked, is so no more
        for target, field, _, after in frame.get("changes", []):
            state.setdefault(target, {})[field] = after
            touched.add(target)
        marked = frame if position < len(trace["frames"]) else {}
        for name in {homes.get(target, target) for target in touched} & now.keys():
            now[name] = drawn.thing(name, layout, state, marked)
        touched = {f"n{frame.get('node')}", f"e{frame.get('edge')}"}
        for name, svg in now.items():
            found[name].setdefault(svg, []).append(position)
    return list(found.values())


def sentences(trace: Trace, width: float, top: float) -> tuple[dict[str, list[int]], float]:
    """What is said below the picture at each position; and the height with it."""
    most, lines = int(width / CHARACTER), 1
    found = defaultdict(list)
    for position, frame in enumerate([{}, *trace["frames"]]):
        said = textwrap.wrap(frame.get("say", ""), most)
        lines = max(lines, len(said))
        rows = [
            f'<text x="{n(width / 2)}" y="{n(top + (i + 2) * LINE)}">{markup(line)}</text>'
            for i, line in enumerate(said)
        ]
        found["".join(rows)].append(position)
    return dict(found), top + (lines + 1.5) * LINE


def motion(name: str, positions: tuple[int, ...], last: int, seconds: float) -> str:
    """The style of what is seen at some positions only."""
    steps = last + HOLD
    seen = [position in set(positions) for position in range(last + 1)]
    turns = [position for position in range(last + 1) if position == 0 or seen[position] != seen[position - 1]]
    frames = "".join(f"{100 * turn / steps:.6g}%{{opacity:{int(seen[turn])}}}" for turn in turns)
    return f".{name}{{animation:{name} {steps * seconds:g}s step-end infinite}}@keyframes {name}{{{frames}}}"
