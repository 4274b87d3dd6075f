"""What is shown where: big graphs fold into groups, each of which opens into a view of its own.

>>> chain = {"nodes": [{"kind": "operation"}] * 1000, "edges": [{"from": i, "to": i + 1} for i in range(999)]}
>>> trace = grouped(chain)
>>> {name: (len(view.nodes), len(view.folded)) for name, view in views(trace).items() if name in ("", "g7")}
{'': (0, 10), 'g7': (100, 0)}

Nothing here recurses: groups may lie in each other as deep as a user's functions call each other.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from ..words import say

LIMIT = 300  # boxes among which a person still finds the way
DEEP = 6  # frames within frames
BLOCK = 100  # nodes in a block, where nothing else divides a long row of them
ALIKE = 8  # times as large at most: groups that are folded together
MADE = ("operation", "output")  # kinds of nodes whose names say how far a program is
TANGLE = 1000  # boxes that arrows run past, all together, beyond which far arrows are cut short
FAR = 8  # ranks that such an arrow spans
HOMES = "module", "iteration", "iterations"  # kinds of groups in which a parameter is at home
LOOP = 60  # boxes, beyond which a loop shows its first iteration and folds the others
NEIGHBOURS = 6  # boxes from elsewhere on either side of an opened group


@dataclass
class View:
    """What one picture shows: the inside of a group, or (None) the whole.

    Attributes:
        nodes: those with a box of their own.
        folded: groups shown as one box, with the number of nodes in them.
        frames: groups shown as a frame round what is in them, outer ones first.
        outside: nodes of elsewhere at the other end of an arrow.
        more: how many further ones there are "before" and "after".
        arrows: from box, to box, and the edges that it stands for. A box is called "n3", "g2", "before" or "after".
        again: small boxes that stand for a node beside a far one that uses it: its number, and the name of that box.
    """

    inside: int | None = None
    nodes: list[int] = field(default_factory=list)
    folded: dict[int, int] = field(default_factory=dict)
    frames: list[int] = field(default_factory=list)
    outside: list[int] = field(default_factory=list)
    more: dict[str, int] = field(default_factory=dict)
    arrows: list[tuple[str, str, list[int]]] = field(default_factory=list)
    again: dict[str, tuple[int, str]] = field(default_factory=dict)


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


def views(trace: dict[str, Any], limit: int = LIMIT) -> dict[str, View]:
    """The view of the whole, called "", and one for each group that is folded in another view, called "g3"."""
    tree = Tree(trace)
    touching = defaultdict(list)
    for number, edge in enumerate(trace["edges"]):
        for end in {edge["from"], edge["to"]}:
            touching[end].append(number)
    found: dict[str, View] = {}
    loops = {group for group, kind in tree.kinds.items() if kind == "iterations"}
    first = next((group for group, kind in tree.kinds.items() if loops and kind == "iteration"), None)
    wanted: list[int | None] = [None, *([] if first is None else [first])]  # as the others have views of their own
    for inside in wanted:
        view, homes = _view(tree, inside, limit)
        here = sorted({number for node in homes for number in touching[node]})
        if tree.kinds.get(inside) == "iteration":
            _bring_sources(view, homes, trace, here)
        _connect(view, homes, trace["edges"], here)
        found["" if inside is None else f"g{inside}"] = view
        wanted += view.folded
    return found


def _view(tree: Tree, inside: int | None, limit: int) -> tuple[View, dict[int, str]]:
    """What a view shows of its inside, and the box in which each node is shown."""
    view, homes = View(inside, nodes=list(tree.nodes[inside])), {node: f"n{node}" for node in tree.nodes[inside]}
    depths = {group: depth for group, depth in tree.below(inside).items() if tree.sizes[group]}
    folded = _folded(tree, depths, inside, limit)
    box_of: dict[int, str] = {}  # of groups in a folded one
    for group in depths:
        parent = tree.parents[group]
        if parent in box_of:
            box_of[group] = box_of[parent]  # type: ignore[index]
        elif group in folded:
            view.folded[group] = tree.sizes[group]
            box_of[group] = f"g{group}"
        else:
            view.frames.append(group)
            view.nodes += tree.nodes[group]
        homes |= {node: box_of.get(group, f"n{node}") for node in tree.nodes[group]}
    view.nodes.sort()
    return view, homes


def _folded(tree: Tree, depths: dict[int, int], inside: int | None, limit: int) -> set[int]:
    """The groups to fold so that a view has at most `limit` boxes: the deepest first, of them the largest, and with it
    those that are nearly as large."""
    folded = {group for group, depth in depths.items() if depth > DEEP or tree.kinds[group] == "iterations"}
    folded |= set(tree.groups[inside]) & set(depths) if tree.kinds.get(inside) == "iterations" else set()
    shown = {group: 1 if group in folded else len(tree.nodes[group]) for group in depths}
    for group in reversed(depths):
        parent = tree.parents[group]
        if parent != inside and parent not in folded:
            shown[parent] += shown[group]  # type: ignore[index]
    total = len(tree.nodes[inside]) + sum(shown[group] for group, depth in depths.items() if depth == 1)

    for depth in range(DEEP, 0, -1):
        row = sorted((g for g in depths if depths[g] == depth), key=lambda group: (-tree.sizes[group], group))
        while row and total > limit:
            alike = [group for group in row if tree.sizes[group] * ALIKE >= tree.sizes[row[0]]]
            row = row[len(alike) :]
            for group in alike:
                won = shown[group] - 1
                if won:
                    folded.add(group)
                    total -= won
                    here: int | None = group
                    while here != inside:
                        shown[here] -= won  # type: ignore[index]
                        here = tree.parents[here]  # type: ignore[index]
    return folded


def _bring_sources(view: View, homes: dict[int, str], trace: dict[str, Any], here: list[int]) -> None:
    """Parameters and inputs have boxes of their own also in the view of an iteration, which is all of its graph."""
    sources = dict.fromkeys(trace["edges"][number]["from"] for number in here)
    brought = [node for node in sources if node not in homes and trace["nodes"][node]["kind"] not in MADE]
    view.nodes = sorted([*view.nodes, *brought])
    homes |= {node: f"n{node}" for node in brought}


def _connect(view: View, homes: dict[int, str], edges: list[dict], here: list[int]) -> None:
    """Add the arrows, and the boxes from elsewhere that they need; arrows of a folded box that run alike become one."""
    ends = {"before": [edges[number]["from"] for number in here], "after": [edges[number]["to"] for number in here]}
    beyond = {side: [node for node in dict.fromkeys(nodes) if node not in homes] for side, nodes in ends.items()}
    for nodes in beyond.values():
        view.outside += [node for node in nodes[:NEIGHBOURS] if node not in view.outside]
        homes |= {node: f"n{node}" for node in nodes[:NEIGHBOURS]}
    for side, nodes in beyond.items():
        rest = [node for node in nodes if node not in homes]
        homes |= dict.fromkeys(rest, side)
        view.more |= {side: len(rest)} if rest else {}
    merged: dict[tuple, list[int]] = defaultdict(list)
    for number in here:
        tail, head = homes[edges[number]["from"]], homes[edges[number]["to"]]
        if tail != head:
            single = tail[0] == head[0] == "n"
            merged[tail, head, number if single else None].append(number)
    view.arrows = [(tail, head, numbers) for (tail, head, _), numbers in merged.items()]
    _shorten(view)


def _shorten(view: View) -> None:
    """Where many arrows run past many boxes, which nobody can follow and Graphviz lays out for minutes, the longest
    begin at a small box with the same name, beside what they lead to."""
    names = list(dict.fromkeys(name for tail, head, _ in view.arrows for name in (tail, head)))
    rank = ranks(names, [(tail, head) for tail, head, _ in view.arrows])
    past = [rank[head] - rank[tail] for tail, head, _ in view.arrows]
    if sum(past) - len(past) <= TANGLE:
        return
    for i, (tail, head, numbers) in enumerate(view.arrows):
        if past[i] > FAR and tail[0] == "n":
            again = f"again{numbers[0]}"
            view.again[again] = int(tail[1:]), head
            view.arrows[i] = again, head, numbers


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


def ranks(names: list[str], arrows: list[tuple[str, str]]) -> dict[str, int]:
    """How far from the start each box stands; what has nothing before it stands just before what it is for."""
    after, missing = defaultdict(list), dict.fromkeys(names, 0)
    for tail, head in arrows:
        after[tail].append(head)
        missing[head] += 1
    sources = [name for name in names if not missing[name]]
    found, ready = dict.fromkeys(names, 0), list(sources)
    for name in ready:  # it grows while we go
        for head in after[name]:
            found[head] = max(found[head], found[name] + 1)
            missing[head] -= 1
            if not missing[head]:
                ready.append(head)
    return found | {name: min(found[head] for head in after[name]) - 1 for name in sources if after[name]}
