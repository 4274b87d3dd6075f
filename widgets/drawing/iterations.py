"""Iterations of a loop that are alike, so that one can stand in the place of another.

Graphviz puts frames side by side as their arrows cross least, in any order. Where two have the same boxes and arrows,
they may change places, and each stands where it belongs.

>>> nodes = [{"kind": "leaf"}, {"kind": "operation", "group": 0}, {"kind": "operation", "group": 1}]
>>> groups = [{"kind": "iteration"}, {"kind": "iteration"}]
>>> both, = alike({"nodes": nodes, "groups": groups, "edges": [{"from": 0, "to": 1}, {"from": 0, "to": 2}]})
>>> [one.names for one in both]
[['cluster_g0', 'n1', 'e0'], ['cluster_g1', 'n2', 'e1']]
>>> twins([both])
{'n1': ['n1', 'n2'], 'n2': ['n1', 'n2'], 'e0': ['e0', 'e1'], 'e1': ['e0', 'e1']}
"""

from collections import defaultdict
from typing import Any, NamedTuple

from .layout import Layout


class Iteration(NamedTuple):
    """What is in one: the names that a layout has for its frames, boxes and arrows."""

    frame: str
    names: list[str]


def alike(trace: dict[str, Any]) -> list[list[Iteration]]:
    """The iterations of a trace in their order, those together that have the same boxes and arrows."""
    groups, nodes = trace.get("groups", []), trace["nodes"]
    home: dict[int | None, int | None] = {None: None}  # by group: the iteration that it is in
    for number in range(len(groups)):
        row: list[Any] = [number]
        while row[-1] not in home and groups[row[-1]]["kind"] != "iteration":
            row.append(groups[row[-1]].get("parent"))
        home |= dict.fromkeys(row, home.get(row[-1], row[-1]))
    inside: dict[int, list[str]] = {number: [] for number, group in enumerate(groups) if group["kind"] == "iteration"}
    facts: dict[int, list[Any]] = {number: [] for number in inside}
    place: dict[str, tuple] = {}  # of a group or box: the iteration, and what number it is in there

    def put(name: str, where: int | None, *fact: Any) -> None:
        if where is not None:
            place[name] = where, len(inside[where])
            inside[where].append(name)
            facts[where].append(fact)

    def seen(name: str, where: int | None) -> Any:
        """How something is called from within an iteration: what is in there, in any of them alike."""
        return place[name][1] if name in place and place[name][0] == where else name

    for number, group in enumerate(groups):
        put(f"cluster_g{number}", home[number], group["kind"])
    for number, node in enumerate(nodes):
        where = home[node.get("group")]
        put(f"n{number}", where, node["kind"], seen(f"cluster_g{node.get('group')}", where))
    for number, edge in enumerate(trace["edges"]):
        tail, head = f"n{edge['from']}", f"n{edge['to']}"
        for where in dict.fromkeys(place[name][0] for name in (tail, head) if name in place):
            put(f"e{number}", where, seen(tail, where), seen(head, where))
    classes: dict[str, list[Iteration]] = defaultdict(list)
    for number, names in inside.items():
        classes[repr(facts[number])].append(Iteration(f"cluster_g{number}", names))
    return [row for row in classes.values() if len(row) > 1]


def twins(classes: list[list[Iteration]]) -> dict[str, list[str]]:
    """For each box and arrow in an iteration, those that may stand in its place."""
    together = (list(names) for row in classes for names in zip(*(one.names for one in row)))
    return {name: names for names in together for name in names if not name.startswith("cluster")}


def in_order(layout: Layout, classes: list[list[Iteration]], across: int) -> Layout:
    """A layout in which alike iterations stand in the order in which they ran."""
    put: dict[str, str] = {}  # what goes to whose place
    for row in classes:
        shown = [one for one in row if one.frame in layout.frames]
        places = sorted(shown, key=lambda one: layout.frames[one.frame][0][across])
        for one, other in zip(shown, places):
            put |= zip(one.names, other.names)

    def moved(things: dict[str, Any]) -> dict[str, Any]:
        return {name: things.get(put.get(name, name), thing) for name, thing in things.items()}

    return layout._replace(boxes=moved(layout.boxes), arrows=moved(layout.arrows), frames=moved(layout.frames))
