"""Which questions of a trace are asked: a few about what a rule decides, or those that a teacher names."""

from collections.abc import Iterable, Iterator
from typing import Any

KINDS = "rule", "paths", "number", "node"  # in this order they are preferred
MANY = 24  # names that a sentence lists, at most
DECIDED = "accumulated", "deposited", "summed"  # at these a number is decided by a rule, and not by arithmetic alone


def chosen(trace: dict[str, Any], wanted: Any = True) -> list[list]:
    """Which questions of a trace are asked: pairs of a frame and the kind of its question.

    Args:
        wanted: True for a few about what a rule decides; or one name or several: a step as the words count them, the
            name of a node, a kind of frame or of question, "all".
    """
    if wanted is True:
        return sorted(few(trace))
    steps: dict[Any, list] = {}
    nodes: dict[Any, list] = {}
    kinds: dict[Any, list] = {"all": []}
    for frame, question in asked_in(trace):
        entry, one = trace["frames"][frame], (frame, question["kind"])
        steps.setdefault(frame + 1, []).append(one)
        if "node" in entry:
            nodes.setdefault(trace["nodes"][entry["node"]]["name"], []).append(one)
        for kind in dict.fromkeys([entry["kind"], question["kind"], "all"]):
            kinds.setdefault(kind, []).append(one)
    several = wanted if isinstance(wanted, list | tuple | set | range) else [wanted]
    for name in several:
        if not any(name in named for named in (steps, nodes, kinds)):
            there = f"the steps {listed(steps)}; the nodes {listed(nodes)}; and {listed(map(repr, kinds))}"
            raise ValueError(f"nothing can be asked about {name!r} in this run; there are {there}")
    found = [one for name in several for named in (steps, nodes, kinds) for one in named.get(name, [])]
    return list(map(list, sorted(set(found))))


def listed(names: Iterable[Any]) -> str:
    """Names in a row, of many the first ones."""
    words = list(map(str, names))
    return ", ".join([*words[:MANY], "…"] if len(words) > MANY else words)


def asked_in(trace: dict[str, Any]) -> Iterator[tuple[int, dict]]:
    """All questions, each with the number of its frame; a frame has one of a kind, at most."""
    for frame, entry in enumerate(trace.get("frames", [])):
        yield from ((frame, question) for question in entry.get("ask", []))


def few(trace: dict[str, Any]) -> list[list]:
    """One question of each kind, then one about the rules of each operation, those first that tell most mistakes apart;
    they are asked at a third of the backward's steps, at most."""
    frames, edges, nodes = trace.get("frames", []), trace.get("edges", []), trace.get("nodes", [])
    best: dict[str, dict[Any, tuple]] = {kind: {} for kind in KINDS}  # by kind and subject
    for frame, question in asked_in(trace):
        entry, kind = frames[frame], question["kind"]
        if entry.get("wrong") or kind == "number" and (entry["kind"] not in DECIDED or not question.get("wrong")):
            continue
        subject, mistakes = entry["kind"] if kind == "number" else "", len(question.get("wrong", []))
        if kind == "rule":
            subject = nodes[edges[entry["edge"]]["to"]].get("op", "")
            mistakes = sum(len(one.get("wrong", [])) for one in entry["ask"])  # that show in its numbers
        found = -mistakes, frame, kind
        best[kind][subject] = min(found, best[kind].get(subject, found))
    rows = [sorted(subjects.values()) for subjects in best.values()]
    in_turn = [row[turn] for turn in range(max(map(len, rows))) for row in rows if turn < len(row)]
    backward = [phase for phase in trace.get("phases", []) if phase["kind"] == "backward"]
    steps = sum(phase["last"] - phase["first"] + 1 for phase in backward)
    return [[frame, kind] for _, frame, kind in in_turn[: max(1, steps // 3)]]
