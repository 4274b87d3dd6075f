"""`%%after NAME`, the first line of a cell: it runs when the question NAME is over, and not before.

    %%after slope of y
    run.step()

What the cell would show gives the answer away. Until there is one, the cell says what it waits for, so that "Run All"
does neither fail nor tell.
"""

import re
from typing import Any

from ..words import say
from .lesson import Lesson

FIRST_LINE = re.compile(r"%%after(?:\s+(.*\S))?\s*")


def transformed(lines: list[str]) -> list[str]:
    """The lines of a cell without its first, or a line that says what it waits for."""
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    match = FIRST_LINE.fullmatch(lines[first]) if lines else None
    if match is None:
        return lines
    name, lesson = match[1] or "", Lesson.current
    if lesson is None:
        return [f"raise NameError({say('lesson.make_it_first', name=name)!r})\n"]
    if name not in lesson.questions:
        return [f"raise ValueError({lesson.unknown(name)!r})\n"]
    return lines[first + 1 :] if lesson.is_over(name) else [f"print({waiting(name)!r})\n"]


def waiting(name: str) -> str:
    return say("lesson.cell_waits", name=name, waive=f"lesson.waive({name!r})")


def register(shell: Any) -> None:
    """Make it known, once."""
    if transformed not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.append(transformed)
