"""Draw the pictures of the documents: docs/picture.svg for the README, docs/rooms.svg for architecture.md.

    .venv/bin/python docs/make_picture.py

Both bring their own paper, light or dark as the reader's browser is.
"""

import ast
import importlib.util
import math
import re
from pathlib import Path

import numpy as np

import minigrad as mg
from widgets import draw, picture, plot_gradient

DOCS = Path(__file__).parent
ROOT = DOCS.parent
ON_ITS_OWN = ' style="max-width:100%;height:auto"'  # a picture inside another keeps its size

# == the README's picture ==================================================================================


def lesson() -> str:
    """The graph of 2·sin(a) + 1 beside the curve and its gradient, as one SVG."""
    a = mg.linspace(0.0, 2 * math.pi, steps=25, requires_grad=True)

    def program():
        b = mg.sin(a)
        c = 2 * b
        d = c + 1
        return d

    result = program()
    result.sum().backward()
    plot = plot_gradient(a, result, analytic=lambda a: 2 * np.cos(a), labels=("a", "d = 2 sin(a) + 1"))
    return beside(draw(program, names={"a": a}).svg, plot.svg.replace(ON_ITS_OWN, ""))


def beside(graph: str, plot: str, gap: float = 24) -> str:
    """A picture of ours and a plot next to each other, centred, on one sheet of paper."""
    sizes = []
    for text in (graph, plot):
        head = text[text.index("<svg") :].split(">")[0]
        found = [re.search(rf'\b{side}="([\d.]+)(pt)?"', head) for side in ("width", "height")]
        sizes.append([float(size[1]) * (4 / 3 if size[2] else 1) for size in found])  # a point is 4/3 of a pixel
    width, height = sizes[0][0] + gap + sizes[1][0], max(size[1] for size in sizes)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}" role="img">',
        "<title>The graph of 2 sin(a) + 1 with its values, beside the curve and its gradient 2 cos(a)</title>",
        '<rect width="100%" height="100%" style="fill: #ffffff; fill: var(--mg-paper)"/>',
    ]
    x = 0.0
    for text, (wide, high) in zip((graph, plot), sizes):
        size = re.compile(r'(<svg[^>]*?)width="[^"]*"\s*height="[^"]*"')
        inner = size.sub(rf'\1width="{wide:g}" height="{high:g}"', text, count=1)
        place = f'<svg x="{x:g}" y="{(height - high) / 2:g}"'
        lines.append(inner[inner.index("<svg") :].replace("<svg", place, 1).strip())
        x += wide + gap
    return "\n".join([*lines, "</svg>\n"])


# == the rooms of the house ================================================================================

ROOMS = {
    "notebooks": "the course",
    "widgets": "all that is looked at",
    "minigrad": "the names a person uses",
    "minigrad.nn": "networks",
    "minigrad.optim": "optimizers",
    "minigrad.ops": "tables of formulas",
    "minigrad.autograd": "apply, walk, graph, events",
    "minigrad.tensor": "array, gradient, history",
}


def imports() -> set[tuple[str, str]]:
    """Which room imports which, read from the code: what is imported when the file itself is."""
    paths = [*ROOT.glob("minigrad/**/*.py"), *ROOT.glob("widgets/**/*.py")]
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}
    found = {("notebooks", "minigrad"), ("notebooks", "widgets")}
    for module, path in modules.items():
        package = module.rpartition(".")[0]
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            if not isinstance(statement, ast.ImportFrom):
                continue
            base = importlib.util.resolve_name("." * statement.level + (statement.module or ""), package)
            for name in statement.names:
                whole = f"{base}.{name.name}"
                is_module = whole in modules or f"{whole}.__init__" in modules
                found.add((room_of(module.removesuffix(".__init__")), room_of(whole if is_module else base)))
    return {(tail, head) for tail, head in found if {tail, head} <= ROOMS.keys() and tail != head}


def room_of(module: str) -> str:
    """The room that a module belongs to, or the module itself: small helpers are left out of the drawing."""
    inside = [room for room in ROOMS if module.startswith(room + ".") and room != "minigrad"]
    return inside[0] if inside else module


def essential(arrows: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The arrows without those that follow from others."""
    kept = set(arrows)
    for tail, head in sorted(arrows, reverse=True):
        reached, stack = {tail}, [tail]
        while stack:
            here = stack.pop()
            for start, end in kept - {(tail, head)}:
                if start == here and end not in reached:
                    reached.add(end)
                    stack.append(end)
        if head in reached:
            kept.remove((tail, head))
    return kept


def rooms() -> str:
    """The rooms, and an arrow from each to those that it imports."""
    numbers = {room: number for number, room in enumerate(ROOMS)}
    trace = {
        "title": "Which room imports which",
        "values": [{"text": what} for what in ROOMS.values()],
        "nodes": [
            {
                "kind": "operation" if room.startswith("minigrad") else "input",
                "label": room.replace(".", "/"),
                "start": {"value": number},
            }
            for room, number in numbers.items()
        ],
        "edges": [{"from": numbers[tail], "to": numbers[head]} for tail, head in sorted(essential(imports()))],
        "frames": [],
    }
    return picture.svg(trace, direction="TB")


if __name__ == "__main__":
    (DOCS / "picture.svg").write_text(lesson(), encoding="utf-8", newline="\n")
    (DOCS / "rooms.svg").write_text(rooms(), encoding="utf-8", newline="\n")
