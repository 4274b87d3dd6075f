"""Cut a program down to the lines that a disagreement needs."""

from collections.abc import Callable


def shrunk(lines: list[str], disagrees: Callable[[list[str]], bool]) -> list[str]:
    """The fewest lines found that still disagree: each is left out in turn, from the end, until none can be.

    >>> shrunk(["a", "b", "c"], lambda lines: "b" in lines)
    ['b']
    """
    before = None
    while before != len(lines):
        before = len(lines)
        for i in range(len(lines) - 1, -1, -1):
            fewer = lines[:i] + lines[i + 1 :]
            if disagrees(fewer):
                lines = fewer
    return lines
