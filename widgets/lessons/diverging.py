"""Where a learner's backward leaves the right one: the first step that brings another gradient.

>>> import minigrad as mg, widgets
>>> x = mg.tensor(3.0, requires_grad=True)
>>> with widgets.record() as yours:
...     (x * 1.0).backward()
>>> with widgets.record() as right:
...     (x * 2.0).backward()
>>> divergence(yours.trace, right.trace).says
'Here yours sends 1, the right rule sends 2.'
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..words import say
from .values import close

BRINGING = "sent", "summed", "accumulated", "deposited"  # kinds of frames that bring a gradient
FIELDS = "part", "grad", "box"


@dataclass(frozen=True)
class Divergence:
    """A step of a trace, by how many frames have happened after it, and what is said of it."""

    index: int
    says: str


@dataclass(frozen=True)
class Gradient:
    """A gradient that a frame brings."""

    index: int
    kind: str
    node: str  # its name
    value: dict[str, Any]


def divergence(yours: dict[str, Any], right: dict[str, Any]) -> Divergence | None:
    """The first gradient that differs: of two graphs of one form step by step, of others at the leaves."""
    ours, others = list(gradients(yours)), list(gradients(right))
    pairs = list(zip(ours, others))
    if form(yours) != form(right):
        ends = {other.node: other for other in others if other.kind == "deposited"}
        pairs = [(one, ends[one.node]) for one in ours if one.kind == "deposited" and one.node in ends]
    for one, other in pairs:
        if one.kind != other.kind:
            return None
        if not alike(one.value, other.value):
            return Divergence(one.index, sentence(one, other))
    return None


def form(trace: dict[str, Any]) -> list[tuple[int, int]]:
    """From which node to which the arrows go; a number in a formula is no node here, since a rule may contain it."""
    kept = [i for i, node in enumerate(trace["nodes"]) if node["kind"] != "constant"]
    return [(kept.index(edge["from"]), kept.index(edge["to"])) for edge in trace["edges"] if edge["from"] in kept]


def gradients(trace: dict[str, Any]) -> Iterator[Gradient]:
    for index, frame in enumerate(trace["frames"], 1):
        if frame["kind"] in BRINGING:
            node = trace["nodes"][frame["node"]].get("name", "")
            shown = [after for _, field, _, after in frame.get("changes", []) if field in FIELDS and after is not None]
            yield from (Gradient(index, frame["kind"], node, trace["values"][after]) for after in shown[:1])


def alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    if one.get("shape") != other.get("shape"):
        return False
    if "data" not in one or "data" not in other:
        return one["text"] == other["text"]
    return bool(close(np.array(one["data"], complex), np.array(other["data"], complex)).all())


def sentence(one: Gradient, other: Gradient) -> str:
    return say(f"diverging.{one.kind}", yours=one.value["text"], right=other.value["text"])
