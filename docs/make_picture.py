"""Draw the rooms of the house for architecture.md: docs/rooms.svg, light or dark as the reader's browser is.

.venv/bin/python docs/make_picture.py
"""

import ast
import importlib.util
from pathlib import Path

from widgets.drawing import picture

DOCS = Path(__file__).parent
ROOT = DOCS.parent

ROOMS = {
    "notebooks": "the course",
    "widgets": "all that is looked at",
    "minigrad": "the names a person uses",
    "minigrad.nn": "networks",
    "minigrad.optim": "optimizers",
    "minigrad.autograd": "PyTorch's tools for derivatives",
    "minigrad.tensors": "made, described, stored",
    "minigrad.random": "PyTorch's stream of numbers",
    "minigrad.ops": "tables of formulas",
    "minigrad.core": "tensor, forward, graph, backward",
    "minigrad.numbers": "types of number",
    "minigrad.words": "what is said to a person",
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
    (DOCS / "rooms.svg").write_text(rooms(), encoding="utf-8", newline="\n")
