"""Hunt through one family: write programs, judge them, shrink what disagrees."""

import importlib
import pkgutil
from typing import NamedTuple

import minigrad

from . import families
from .judge import difference, leave_level, run
from .known import reason_for
from .shrink import shrunk
from .sketch import Sketch

FAMILIES = sorted(module.name for module in pkgutil.iter_modules(families.__path__))


class Disagreement(NamedTuple):
    family: str
    seed: int
    lines: list[str]
    found: list[str]
    reason: str | None  # why it is known and stays

    def __str__(self) -> str:
        return "\n".join([f"== {self.family}, seed {self.seed}", *self.lines, *(f"   # {line}" for line in self.found)])


def family(name: str):
    return importlib.import_module(f"{families.__name__}.{name}")


def program(name: str, seed: int) -> list[str]:
    sketch = Sketch(seed)
    try:
        family(name).write(sketch)
    finally:
        leave_level(minigrad)  # it was entered if a line of the program did so
    return sketch.lines


def disagreement(name: str, seed: int, judge) -> Disagreement | None:
    """What the two libraries do not agree on in one program, cut down to the lines that it needs."""
    kinds = getattr(family(name), "KINDS", False)

    def found(lines) -> list[str]:
        return difference(run(minigrad, lines), run(judge, lines), kinds)

    def misses_a_name(differences) -> bool:
        return any("NameError" in one for one in differences)

    lines = program(name, seed)
    first = found(lines)
    if not first:
        return None
    complete = not misses_a_name(first)  # then a line that gives a name must stay

    def disagrees(fewer) -> bool:
        differences = found(fewer)
        return bool(differences) and not (complete and misses_a_name(differences))

    lines = shrunk(lines, disagrees)
    differences = found(lines)
    return Disagreement(name, seed, lines, differences, reason_for(lines, differences, name))
