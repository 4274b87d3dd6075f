"""What is shown where: in a big graph groups are folded, and each of them opens into a view of its own.

>>> from widgets.drawing.grouping import grouped
>>> chain = {"nodes": [{"kind": "operation"}] * 1000, "edges": [{"from": i, "to": i + 1} for i in range(999)]}
>>> {name: (len(view.nodes), len(view.folded)) for name, view in views(grouped(chain)).items() if name in ("", "g7")}
{'': (0, 10), 'g7': (100, 0)}
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from .grouping import LIMIT, MADE, Tree

DEEP = 6  # frames within frames
ALIKE = 8  # times as large at most: groups that are folded together
TANGLE = 1000  # boxes that arrows run past, all together, beyond which far arrows are cut short
FAR = 8  # ranks that such an arrow spans
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
