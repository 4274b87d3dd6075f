"""All that a learner or a teacher reads of the kit, the stepper and the plots: english.toml, or another language.

A sentence is a template with named places. One that depends on a number has two forms, `one` and `many`, between which
its place `count` chooses. docs/translate.md tells how to write another language.

>>> say("story.receives", name="a", part="2")
'a receives 2.'
>>> say("narration.operations", count=1), say("narration.operations", count=3)
('1 operation', '3 operations')
"""

import functools
import html
import os
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import minigrad
from minigrad import Tensor
from minigrad.faults import FAULTS, Fault
from minigrad.nn import functional
from minigrad.words.absent import nearest

Entry = str | dict[str, str]
FORMS = {"one", "many"}
VARIABLE = "MINIGRAD_LANGUAGE"  # of the environment: the file of a language


def say(key: str, **places: Any) -> str:
    """What stands under a key in the language that is spoken, with these in its places."""
    entry = SPOKEN[key]
    template = entry if isinstance(entry, str) else entry["one" if places.get("count") == 1 else "many"]
    return template.format(**places)


def in_html(key: str, **places: Any) -> str:
    """The same as text of a page."""
    return html.escape(say(key, **places))


def listed(words: Iterable[str]) -> str:
    """Words in a row.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *before, last = words
    return say("list.and", before=", ".join(before), last=last) if before else last


def operation(op: Any) -> str:
    """How a person says an operation, such as `the sine of {}`; nothing where we do not know how."""
    return str(SPOKEN.get(f"operations.{op.name}", getattr(op, "spoken", "")))


def misconception(fault: Fault) -> str:
    """What somebody may think in whose engine there is this fault."""
    return str(SPOKEN.get(f"misconceptions.{fault.name.replace(' ', '_')}", fault.misconception))


def rooms(names: Iterable[str]) -> dict[str, Entry]:
    """The entries of some rooms; an entry's room is the beginning of its key."""
    wanted = tuple(f"{name}." for name in names)
    return {key: entry for key, entry in SPOKEN.items() if key.startswith(wanted)}


# == languages =====================================================================================================


def language(path: str | os.PathLike[str] | None = None) -> None:
    """Speak the language of a TOML file from now on, and English where that says nothing; without a file, English.

    So do the processes that this one starts, such as the one in which a learner's function is tried.

    Raises:
        ValueError: one sentence that says what is wrong with the file.
    """
    own = {} if path is None else read(Path(path))
    SPOKEN.clear()
    SPOKEN.update(english() | own)
    if path is None:
        os.environ.pop(VARIABLE, None)
    else:
        os.environ[VARIABLE] = os.path.abspath(path)


def read(path: Path) -> dict[str, Entry]:
    """The entries of a language, each with the places of the English one."""
    try:
        found = dict(entries(tomllib.loads(path.read_text(encoding="utf-8"))))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise ValueError(f"the language {path} cannot be read: {problem}") from None
    known = english() | of_the_engine()
    for key, entry in found.items():
        if key not in known:
            raise ValueError(f"{path.name}: there is no {key!r} in english.toml{nearest(key, known)}")
        try:
            own = places(entry)
        except ValueError as problem:
            raise ValueError(f"{path.name}: {key} is no template: {problem}") from None
        if own != places(known[key]):
            wanted = ", ".join(f"{{{name}}}" for name in sorted(places(known[key]))) or "none"
            raise ValueError(f"{path.name}: {key} must have these places, and no others: {wanted}")
    return found


def entries(table: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Each entry of a table with its whole key; the tables in it are rooms, but for those of two forms."""
    for name, entry in table.items():
        if isinstance(entry, dict) and entry.keys() != FORMS:
            yield from entries(entry, f"{above}{name}.")
        else:
            yield f"{above}{name}", entry


def places(entry: Any) -> set[str]:
    """The places of an entry, by name, or by number where they have none.

    >>> sorted(places("{name} receives {part}.")), sorted(places("{} times {}"))
    (['name', 'part'], ['0', '1'])
    """
    templates = list(entry.values()) if isinstance(entry, dict) else [entry]
    if not all(isinstance(one, str) for one in templates):
        raise ValueError("a text is expected")
    fields = [[part[1:] for part in Formatter().parse(one) if part[1] is not None] for one in templates]
    if any(how or conversion for row in fields for _, how, conversion in row):
        raise ValueError("in the braces there is only a name")
    return {name or str(i) for row in fields for i, (name, *_) in enumerate(row)}


@functools.cache
def english() -> dict[str, Entry]:
    return dict(entries(tomllib.loads(Path(__file__).with_name("english.toml").read_text(encoding="utf-8"))))


def of_the_engine() -> dict[str, Entry]:
    """The sentences that stand in the engine, beside what they are about, and which a language may bring as well."""
    offered = [
        one.op for space in (minigrad, Tensor, functional) for one in [*vars(space).values()] if hasattr(one, "op")
    ]
    said: dict[str, Entry] = {f"operations.{op.name}": op.spoken for op in offered if getattr(op, "spoken", "")}
    return said | {f"misconceptions.{name}": fault.misconception for name, fault in FAULTS.items()}


SPOKEN: dict[str, Entry] = {}  # what is said under each key
language(os.environ.get(VARIABLE) or None)
