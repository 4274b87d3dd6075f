"""Numbers in sentences that may be moved: each between two signs that nobody sees, so that it is known which it is.

>>> text = f"v = {in_brackets(marked('2', 7))} * 3"
>>> plain(text), with_slots(text, {7: 0}.get), with_slots(text, lambda number: None)
('v = 2 * 3', 'v = ⟦(0)⟧ * 3', 'v = 2 * 3')
"""

import re
from collections.abc import Callable

FIRST = 0xF0000  # of the signs that Unicode leaves to everybody: one for each number of a tape
END, BRACKETS = "\ue000", "\ue001"  # behind the number; and behind that, where it stands in brackets if it is negative
SIGN = "[\U000f0000-\U0010ffff]"
MARKED = re.compile(rf"\(({SIGN})(-[^{END}]*){END}{BRACKETS}\)|({SIGN})([^{END}]*?){END}({BRACKETS}?)")
SINGLE = re.compile(rf"{SIGN}[^{END}]*{END}")
WRAPPED = re.compile(  # in brackets, or needing them when it is negative, where others or commas stand around it
    rf"(?<=[(,])( ?)(?:\(([^(),]*?){BRACKETS}?\)|({SIGN}(?!-)[^{END}]*{END}){BRACKETS})(?=[,)])"
)


def marked(text: str, number: int) -> str:
    """The text of a number that may be moved."""
    return f"{chr(FIRST + number)}{text}{END}"


def in_brackets(text: str) -> str:
    """A number by itself with the mark that it needs brackets when it is negative; any other text as it is."""
    return text + BRACKETS if SINGLE.fullmatch(text) else text


def unwrapped(text: str) -> str:
    """A formula without the brackets of what stands between brackets or commas already.

    >>> unwrapped("erf((-4.4)) * (-2)"), unwrapped("maximum(a, (-1))"), unwrapped("sum(a, (0, 1))")
    ('erf(-4.4) * (-2)', 'maximum(a, -1)', 'sum(a, (0, 1))')
    """
    return WRAPPED.sub(lambda found: found[1] + (found[2] or found[3] or ""), text)


def plain(text: str) -> str:
    """What a person reads."""
    return MARKED.sub(lambda found: f"({found[2]})" if found[1] else found[4], text) if END in text else text


def numbers_in(text: str) -> list[int]:
    """Which numbers a sentence names."""
    return [ord(one or other) - FIRST for one, _, other, *_ in MARKED.findall(text)] if END in text else []


def with_slots(text: str, slot_of: Callable[[int], int | None]) -> str:
    """A sentence with places for its numbers: `⟦5⟧`, or `⟦(5)⟧` for one that stands in brackets when it is negative."""

    def place(found: re.Match[str]) -> str:
        slot = slot_of(ord(found[1] or found[3]) - FIRST)
        if slot is None:
            return plain(found[0])
        return f"⟦({slot})⟧" if found[1] or found[5] else f"⟦{slot}⟧"

    return MARKED.sub(place, text) if END in text else text
