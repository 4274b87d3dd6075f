"""Disagreements that stay, each with the reason why ours is the better answer, or the same one."""

import re
from typing import NamedTuple


class Known(NamedTuple):
    reason: str
    pattern: str  # what is found in a shrunk program of this kind
    example: tuple  # lines in which the two still disagree


KNOWN: tuple[Known, ...] = ()


def reason_for(lines: list[str]) -> str | None:
    text = "\n".join(lines)
    return next((known.reason for known in KNOWN if re.search(known.pattern, text)), None)
