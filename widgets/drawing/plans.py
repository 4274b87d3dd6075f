"""A plan as a picture: what NumPy was asked when a function was watched, and beside it what it is asked from then on.

>>> import minigrad as mg
>>> def wave(x):
...     return (x.sin() * x.sin()).sum()
>>> drawing = draw_plan(wave, mg.ones(1000))
>>> [group["name"] for group in drawing.trace["groups"]]
['as it was: 4 operations', 'the plan: 3 operations']
"""

from collections.abc import Callable
from typing import Any

from minigrad.compiler.compiled import Compiled, inner
from minigrad.compiler.explaining import asked_of_numpy, described, planned, written
from minigrad.compiler.lines import Line, Value
from minigrad.compiler.memory import size_of
from minigrad.compiler.plan import Plan
from minigrad.compiler.writing import Writer
from minigrad.static import Session

from ..words import say
from .graph import Drawing
from .layout import shorten

WIDEST = 44  # characters of a line that are shown


def draw_plan(function: Callable | Session, *inputs: Any, direction: str = "TB", **options: Any) -> Drawing:
    """Draw the plan of a call: the operations as they were, each that goes with the reason, and those that are left.

    Beside what is left stands where its result lies: results with the same number lie in the same memory, one after the
    other.

    Args:
        function: what `mg.compile` takes; or a session, whose run is drawn.
        inputs, options: what it is called with; what `session.run` would be.
        direction: "TB" draws from top to bottom, "LR" from left to right.
    """
    if isinstance(function, Session):
        compiled, given, names = function.planning(*inputs, **options)
        plan = planned(compiled, given, {}, names)
    else:
        compiled = Compiled(inner(function))
        plan = planned(compiled, inputs, options)
    if plan is None:
        raise ValueError(say("drawing.no_plan", reason=compiled.refusal))
    drawing = Drawing(Sides(plan).trace, direction)
    drawing.outline = described(plan)
    return drawing


class Sides:
    """The trace of a plan: two groups of boxes, one for each operation of NumPy's."""

    def __init__(self, plan: Plan) -> None:
        self.trace: dict[str, Any] = {"schema": 1, "title": say("drawing.plan"), "frames": []}
        self.trace |= {part: [] for part in ("values", "groups", "nodes", "edges")}
        before = [line for part in plan.before for line in asked_of_numpy(part)]
        after = [line for planner in plan.planners for line in asked_of_numpy(planner.left)]
        left = {line.number for line in after}
        gone = {line.number: say("program.merged") for line in before if line.number not in left}
        gone |= {line.number: say(f"program.{reason}") for line, reason in plan.removed}
        left_as = written(plan)
        given = {value for line in before for value in line.reads if value.line is None}
        as_it_was = [one.text for one in Writer(given, before, apart=True).written()]
        title = say("drawing.before", operations=say("drawing.operations", count=len(before)))
        self.side(title, before, as_it_was, gone, {})
        title = say("drawing.after", operations=say("drawing.operations", count=len(after)))
        self.side(title, after, [left_as[id(line)] for line in after], {}, places(plan))

    def side(self, title: str, lines: list[Line], texts: list[str], gone: dict[int, str], lies: dict) -> None:
        """One group: each line with its text, why it goes, and where its result lies."""
        group = len(self.trace["groups"])
        self.trace["groups"].append({"name": title, "kind": "block"})
        boxes: dict[Value, int] = {}
        for line, text in zip(lines, texts):
            note = gone.get(line.number) or ", ".join(filter(None, map(lies.get, line.makes)))
            tails = [self.source(value, boxes, group) for value in dict.fromkeys(line.reads)]
            number = self.box("constant" if line.number in gone else "operation", text, note, group)
            self.trace["edges"] += [{"from": tail, "to": number, "slot": slot} for slot, tail in enumerate(tails)]
            boxes |= dict.fromkeys([*line.makes, *filter(None, [line.changes])], number)

    def source(self, value: Value, boxes: dict[Value, int], group: int) -> int:
        """The box of a value; of a view that was taken once, that of what it is a view of."""
        while value not in boxes and value.line is not None and value.line.reads:
            value = value.line.reads[0]
        if value not in boxes:
            boxes[value] = self.box("input", value.name, "", group)
        return boxes[value]

    def box(self, kind: str, label: str, note: str, group: int) -> int:
        node: dict[str, Any] = {"kind": kind, "name": label, "label": shorten(label, WIDEST), "group": group}
        if note:
            node["start"] = {"value": len(self.trace["values"])}
            self.trace["values"].append({"text": note})
        self.trace["nodes"].append(node)
        return len(self.trace["nodes"]) - 1


def places(plan: Plan) -> dict[Value, str]:
    """Where results lie: in which piece of the plan's memory, or in one that is handed out."""
    numbers: dict[int, int] = {}
    found = {}
    for planner in plan.planners:
        for value in planner.placed:
            address = planner.fixed[value].__array_interface__["data"][0]
            number = numbers.setdefault(address, len(numbers) + 1)
            found[value] = say("drawing.memory", number=number, size=f"{size_of(value):,}")
        found |= {value: say("drawing.own_memory", size=f"{size_of(value):,}") for value in planner.lent}
    return found
