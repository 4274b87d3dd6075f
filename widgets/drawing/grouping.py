"""Which group each box of a graph is in: a module, a call, an iteration, or a block of a row that is too long.

>>> chain = {"nodes": [{"kind": "operation"}] * 1000, "edges": [{"from": i, "to": i + 1} for i in range(999)]}
>>> len(grouped(chain)["groups"])
10

Nothing here recurses: groups may lie in each other as deep as a user's functions call each other.
"""

from collections import defaultdict
from typing import Any

from ..words import say

LIMIT = 300  # boxes among which a person still finds the way
BLOCK = 100  # nodes in a block, where nothing else divides a long row of them
LOOP = 60  # boxes, beyond which a loop shows its first iteration and folds the others
MADE = ("operation", "output")  # kinds of nodes whose names say how far a program is
HOMES = "module", "iteration", "iterations"  # kinds of groups in which a parameter is at home


class Tree:
    """Groups within groups, with the nodes at their ends."""

    def __init__(self, trace: dict[str, Any]) -> None:
        self.parents: list[int | None] = [group.get("parent") for group in trace.get("groups", [])]
        self.kinds: dict[int | None, str] = dict(enumerate(group["kind"] for group in trace.get("groups", [])))
        self.groups: dict[int | None, list[int]] = defaultdict(list)  # directly in a group
        self.nodes: dict[int | None, list[int]] = defaultdict(list)
        for number, parent in enumerate(self.parents):
            self.groups[parent].append(number)
        for number, node in enumerate(trace["nodes"]):
            self.nodes[node.get("group")].append(number)
        self.sizes = [len(self.nodes[group]) for group in range(len(self.parents))]  # nodes in it and below
        for group in reversed(self.below(None)):
            parent = self.parents[group]
            if parent is not None:
                self.sizes[parent] += self.sizes[group]

    def below(self, top: int | None) -> dict[int, int]:
        """All groups inside one, outer ones first, with their depth from 1."""
        depths = dict.fromkeys(self.groups[top], 1)
        row = list(depths)
        for group in row:  # it grows while we go
            depths |= dict.fromkeys(self.groups[group], depths[group] + 1)
            row += self.groups[group]
        return depths


def grouped(trace: dict[str, Any], limit: int = LIMIT) -> dict[str, Any]:
    """A trace with groups as a picture needs them: parameters are in the module that uses them (in a large graph each
    leaf in the call that does), and no group has more than `limit` things directly in it, for longer rows are cut into
    blocks."""
    trace = _first_iteration_apart(trace)
    tree = Tree(trace)
    homes = _homes(trace, tree, len(trace["nodes"]) > limit)
    if homes:
        nodes = [{**node, "group": homes[i]} if i in homes else node for i, node in enumerate(trace["nodes"])]
        trace = {**trace, "nodes": nodes}
        tree = Tree(trace)
    crowded = [top for top in [None, *tree.below(None)] if len(tree.nodes[top]) + len(tree.groups[top]) > limit]
    return _cut(trace, tree, crowded, limit) if crowded else trace


def _first_iteration_apart(trace: dict[str, Any]) -> dict[str, Any]:
    """A trace of a long loop, with all iterations after the first in one group, which every view folds."""
    loop = [number for number, group in enumerate(trace.get("groups", [])) if group["kind"] == "iteration"]
    if len(loop) < 3 or len(trace["nodes"]) <= LOOP:
        return trace
    groups, last = trace["groups"], trace["groups"][loop[-1]]["name"]
    rest = {"name": f"{groups[loop[1]]['name']} … {last}", "kind": "iterations"}
    rest |= {"parent": groups[loop[1]]["parent"]} if "parent" in groups[loop[1]] else {}
    apart = [{**group, "parent": len(groups)} if number in loop[1:] else group for number, group in enumerate(groups)]
    return {**trace, "groups": [*apart, rest]}


def _homes(trace: dict[str, Any], tree: Tree, is_large: bool) -> dict[int, int]:
    """For parameters that are in no group: the innermost module in which all that uses them is; in a loop for whatever
    came from outside: that, or the iteration; in a large graph: the innermost group."""
    is_loop = "iteration" in tree.kinds.values()
    depths: dict[Any, int] = {None: 0, **tree.below(None)}
    found: dict[int, int | None] = {}
    for edge in trace["edges"]:
        node = trace["nodes"][edge["from"]]
        if "group" not in node and (node["kind"] == "parameter" or (is_large or is_loop) and node["kind"] not in MADE):
            here = trace["nodes"][edge["to"]].get("group")
            there = found.get(edge["from"], here)
            while here != there:
                if depths[here] >= depths[there]:
                    here = tree.parents[here]  # type: ignore[index]
                else:
                    there = tree.parents[there]  # type: ignore[index]
            while here is not None and not is_large and tree.kinds[here] not in HOMES:
                here = tree.parents[here]
            found[edge["from"]] = here
    return {node: group for node, group in found.items() if group is not None}


def _cut(trace: dict[str, Any], tree: Tree, crowded: list[int | None], limit: int) -> dict[str, Any]:
    """A trace with blocks in crowded groups, and blocks of blocks."""
    age = _ages(trace, tree)
    nodes, groups = [dict(node) for node in trace["nodes"]], [dict(group) for group in trace.get("groups", [])]
    ends: dict[int, tuple[str, str]] = {}  # the names of a block's first and last node

    def ends_of(thing: tuple[str, int]) -> tuple[str, str]:
        kind, number = thing
        if kind == "g":
            return ends.get(number) or (groups[number]["name"],) * 2
        return (nodes[number].get("name") or nodes[number].get("label") or say("table.unnamed", number=number),) * 2

    for top in crowded:
        row = [("n", node) for node in tree.nodes[top]] + [("g", group) for group in tree.groups[top]]
        row.sort(key=age.__getitem__)
        while len(row) > limit:
            count = -(-len(row) // BLOCK)
            cuts = [len(row) * i // count for i in range(count + 1)]
            blocks = []
            for start, end in zip(cuts, cuts[1:]):
                within = row[start:end]
                telling = [t for t in within if t[0] == "g" or nodes[t[1]]["kind"] in MADE] or within
                ends[len(groups)] = first, last = ends_of(telling[0])[0], ends_of(telling[-1])[1]
                groups.append({"name": f"{first} … {last}", "kind": "block"} | ({} if top is None else {"parent": top}))
                for kind, number in within:
                    if kind == "n":
                        nodes[number]["group"] = len(groups) - 1
                    else:
                        groups[number]["parent"] = len(groups) - 1
                blocks.append(("g", len(groups) - 1))
            row = blocks
    return {**trace, "nodes": nodes, "groups": groups}


def _ages(trace: dict[str, Any], tree: Tree) -> dict[tuple[str, int], float]:
    """The order in which nodes and groups follow each other; what is made of nothing stands before its first use."""
    made = {edge["to"] for edge in trace["edges"]}
    first: dict[int, int] = {}
    for edge in trace["edges"]:
        first[edge["from"]] = min(edge["to"], first.get(edge["from"], edge["to"]))
    age = {("n", node): node if node in made else first.get(node, node) - 0.5 for node in range(len(trace["nodes"]))}
    for group in reversed(tree.below(None)):
        inner = [age["n", node] for node in tree.nodes[group]] + [age["g", one] for one in tree.groups[group]]
        age["g", group] = min(inner, default=len(trace["nodes"]))
    return age
