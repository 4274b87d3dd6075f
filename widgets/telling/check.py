"""Whether a document is a trace: as its schema says, and consistent, so that all that it points to is there.

>>> check({"schema": 2})
Traceback (most recent call last):
  ...
ValueError: this run was written by a later version of minigrad (schema 2, and this one reads 1)
"""

import functools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SCHEMA = json.loads((Path(__file__).parents[1] / "trace.schema.json").read_text(encoding="utf-8"))
VERSION = SCHEMA["properties"]["schema"]["const"]
SLOTS = re.compile(r"⟦\(?(\d+)\)?⟧")  # in a sentence about numbers that may be moved
SHOWN = "value", "grad", "box", "part"  # fields that hold the number of a value


def check(document: Any) -> dict[str, Any]:
    """The document, if it is a trace; else a ValueError that says in one sentence what is wrong."""
    version = document.get("schema") if isinstance(document, dict) else None
    if not isinstance(version, int):
        raise ValueError("this is no recorded run of minigrad")
    if version > VERSION:
        written = f"schema {version}, and this one reads {VERSION}"
        raise ValueError(f"this run was written by a later version of minigrad ({written})")
    misfit = None if fits(document) else worst_misfit(document)
    if misfit is not None:
        where = misfit.json_path.removeprefix("$").removeprefix(".") or "the document"
        raise ValueError(f"this run is damaged: {where}: {misfit.message.partition(chr(10))[0][:200]}")
    contradiction = next(contradictions(document), None)
    if contradiction is not None:
        raise ValueError(f"this run is inconsistent: {contradiction}")
    return document


def fits(document: Any) -> bool:
    """Whether a document is as the schema says: a run of thousands of steps is told at once."""
    try:
        compiled()(document)
    except ValueError:
        return False
    return True


@functools.cache
def compiled() -> Callable[[Any], Any]:
    """The schema as a function; it raises a ValueError."""
    import fastjsonschema

    return fastjsonschema.compile(SCHEMA, use_default=False)


def worst_misfit(document: Any) -> Any:
    """The error that tells best how a document is not as the schema says."""
    import jsonschema  # it takes its time

    return jsonschema.exceptions.best_match(jsonschema.Draft7Validator(SCHEMA).iter_errors(document))


def contradictions(trace: dict[str, Any]) -> Iterator[str]:
    """What does not fit together, a sentence each."""
    for table, number, field, to, entry in references(trace):
        if not 0 <= to < len(trace[entry]):
            yield f"{field} of {table}[{number}] is {entry}[{to}], and there are {len(trace[entry])}"
    yield from strays(trace.get("program", {}), len(trace["frames"]))
    slots = trace.get("live", {}).get("slots")
    named = map(int, SLOTS.findall(json.dumps([one.get("live") for one in trace["frames"]], ensure_ascii=False)))
    for number in [*named, *slots_of(trace)]:
        if not isinstance(number, int) or not 0 <= number < len(slots or ()):
            yield f"slot {number} is meant, and there are {len(slots or ())}"
    yield from circles(trace["groups"])
    yield from gaps(trace)
    yield from jumps(trace)


def references(trace: dict[str, Any]) -> Iterator[tuple[str, int, str, int, str]]:
    """Each number that stands for an entry: the table and the entry that holds it, its field, itself, and its table."""
    for table, fields in POINTERS.items():
        for number, entry in enumerate(trace[table]):
            for field, to, found in fields:
                yield from ((table, number, field, one, to) for one in found(entry) if one is not None)


def of(field: str) -> Callable[[dict], list]:
    return lambda entry: [entry.get(field)]


def place(entry: dict) -> list:
    return entry.get("at", [])[:1]


def inside(frame: dict) -> list:
    arithmetic, questions = frame.get("arithmetic", {}), frame.get("ask", [])
    wrong = [number for one in questions for number, _ in one.get("wrong", [])]
    answers = [one.get("answer") for one in questions]
    return [*arithmetic.get("inputs", []), arithmetic.get("output"), *answers, *wrong]


def mistakes(frame: dict) -> list:
    return [said for one in frame.get("ask", []) for _, said in [*one.get("wrong", []), *one.get("options", [])]]


def values_of(frame: dict) -> list:
    return [one for _, field, *ends in frame.get("changes", []) if field in SHOWN for one in ends]


def slots_of(trace: dict[str, Any]) -> Iterator[int]:
    """Each slot that is named: of a value, in an instruction, of a leaf."""
    live = trace.get("live", {})
    yield from (value["slot"] for value in trace["values"] if "slot" in value)
    yield from (slot for slot, _ in live.get("given", ()))
    for _, result, given, *_ in live.get("lines", ()):
        yield from (result, *(given if isinstance(given, list) else [given]))
    yield from (*live.get("leaves", {}).values(), *live.get("decided", ()))


def targets(letter: str) -> Callable[[dict], list]:
    return lambda frame: [int(one[0][1:]) for one in frame.get("changes", []) if one[0][0] == letter]


POINTERS: dict[str, list[tuple[str, str, Callable[[dict], list]]]] = {
    "groups": [("parent", "groups", of("parent"))],
    "nodes": [
        ("group", "groups", of("group")),
        ("at", "files", place),
        ("saved", "nodes", lambda node: [one.get("node") for one in node.get("saved", [])]),
        ("start", "values", lambda node: [one for field, one in node.get("start", {}).items() if field in SHOWN]),
    ],
    "edges": [("from", "nodes", of("from")), ("to", "nodes", of("to"))],
    "phases": [("first", "frames", of("first")), ("last", "frames", of("last"))],
    "iterations": [
        *[("first", "frames", of("first")), ("last", "frames", of("last"))],
        *[("group", "groups", of("group")), ("loss", "values", of("loss"))],
    ],
    "frames": [
        *[("node", "nodes", of("node")), ("edge", "edges", of("edge")), ("at", "files", place)],
        *[("arithmetic or ask", "values", inside), ("changes", "values", values_of)],
        ("ask", "misconceptions", mistakes),
        ("ask", "frames", lambda frame: [one.get("before") for one in frame.get("ask", [])]),
        *[("changes", "nodes", targets("n")), ("changes", "edges", targets("e"))],
    ],
}


def strays(program: dict[str, Any], frames: int) -> Iterator[str]:
    """Lines of the program that point to frames or lines that are not there."""
    lines = program.get("lines", [])
    for table in ("lines", "simplified"):
        for number, row in enumerate(program.get(table, [])):
            points_to_a_line = not isinstance(row, list) or len(row) == 2
            found = ([row] if isinstance(row, int) else row[:1]) if points_to_a_line else row[2]
            entry, count = ("program.lines", len(lines)) if points_to_a_line else ("frames", frames)
            for one in found:
                if one >= count:
                    yield f"program.{table}[{number}] is of {entry}[{one}], and there are {count}"


def circles(groups: list[dict]) -> Iterator[str]:
    """Groups that are inside themselves."""
    fine: set[int | None] = {None}
    for number in range(len(groups)):
        way: dict[int | None, None] = {}
        here: int | None = number
        while here not in fine and here not in way:
            way[here] = None
            here = groups[here].get("parent")  # type: ignore[index]
        if here in way:
            yield f"groups[{here}] is inside itself"
            return
        fine |= way.keys()


def gaps(trace: dict[str, Any]) -> Iterator[str]:
    """Phases and iterations that do not follow each other; and before the first iteration there may be something."""
    for table in ("phases", "iterations"):
        rows = trace[table]
        starts = [one["last"] + 1 for one in rows[:-1]]
        starts = [rows[0]["first"] if table == "iterations" else 0, *starts] if rows else []
        for number, (start, one) in enumerate(zip(starts, rows)):
            if one["first"] != start or one["last"] < start:
                yield f"{table}[{number}] goes from {one['first']} to {one['last']}, and should begin at {start}"


def jumps(trace: dict[str, Any]) -> Iterator[str]:
    """Changes of what was something else before."""
    now: dict[tuple[str, str], Any] = {}
    for number, node in enumerate(trace["nodes"]):
        now |= {(f"n{number}", field): value for field, value in node.get("start", {}).items()}
    for number, frame in enumerate(trace["frames"]):
        for target, field, before, after in frame.get("changes", []):
            was = now.get((target, field))
            if was != before:
                yield f"frames[{number}] changes {field} of {target} from {before}, and it is {was}"
            now[target, field] = after
