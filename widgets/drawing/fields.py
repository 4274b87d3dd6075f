"""What a box or an arrow says of a value: a line, the rows of a matrix, a row of numbers as a curve.

>>> field_text("grad", None, []), field_lines("value", 0, [{"text": "2"}])
('–', ['2'])
"""

import html
import re
from typing import Any

from ..words import say
from .layout import CHARACTER, FONT_SIZE, LINE, columns, markup
from .shapes import n

PART = 13  # the size of the font of gradients beside arrows
ROW = range(5, 41)  # so many numbers make a curve
BESIDE, DEEP = 16, 3  # characters and lines beside an arrow, at most
NO_BREAK = "\u00a0"  # a space that a picture does not leave out
MATRIX = 4  # rows and columns of a matrix that is shown as one, at most
NOT_YET = "–"  # a gradient that has not come is not zero
TEXTS = ("value", "grad", "box", "part")  # fields that show a value
FLAGS = ("done", "freed", "broken", "joins", "lost")  # fields that are true or not


def field_lines(field: str, value: int | None, values: list[dict]) -> list[str]:
    """What a field shows, line by line."""
    if value is None:
        return [field_text(field, value, values)]
    return beside_arrow(values[value]) if field == "part" else lines_of(values[value])


def field_text(field: str, value: int | None, values: list[dict]) -> str:
    """What a field shows in one line: its value's text, and a dash for a gradient that has not come."""
    if value is None:
        return NOT_YET if field in ("grad", "box") else ""
    return values[value]["text"]


def lines_of(value: dict[str, Any]) -> list[str]:
    """What a box says of a value: its text; of a small matrix its rows.

    >>> lines_of({"text": "[[1, 0], [0, -1]]", "shape": [2, 2], "data": [1.0, 0.0, 0.0, -1.0]})
    ['⎡\\xa01\\xa0\\xa00⎤', '⎣\\xa00\\xa0-1⎦']
    """
    shape, numbers = value.get("shape", []), value.get("data")
    if len(shape) != 2 or not numbers or max(shape) > MATRIX:
        return [value["text"]]
    words = [str(one) if isinstance(one, str | int) else f"{one + 0:.4g}" for one in numbers]
    wide = max(map(len, words))
    filled = [word.rjust(wide, NO_BREAK) for word in words]
    rows = [NO_BREAK.join(filled[i : i + shape[1]]) for i in range(0, len(words), shape[1])]
    if len(rows) == 1:
        return [f"[{rows[0]}]"]
    sides = [("⎡", "⎤"), *[("⎢", "⎥")] * (len(rows) - 2), ("⎣", "⎦")]
    return [f"{left}{row}{right}" for (left, right), row in zip(sides, rows)]


def beside_arrow(value: dict[str, Any]) -> list[str]:
    """What stands beside an arrow, line by line: of several numbers that take too much room, how they range.

    >>> beside_arrow({"text": "[[0.3333], [-0.25]]", "shape": [2, 1], "data": [0.3333, -0.25]})
    ['⎡0.3333⎤', '⎣\xa0-0.25⎦']
    >>> beside_arrow({"text": "[0.3333, -0.25, 0, 1]", "shape": [4], "data": [0.3333, -0.25, 0.0, 1.0]})
    ['-0.25 … 1']
    """
    lines, numbers = lines_of(value), value.get("data", [])
    fits = len(lines) <= DEEP and longest(lines) <= BESIDE
    if fits or len(numbers) < 2 or any(isinstance(one, str) for one in numbers):
        return lines
    low, high = (f"{one + 0:.4g}" for one in (min(numbers), max(numbers)))
    return [f"{low} … {high}" if low != high else say("values.all", number=low)]


def is_row(value: dict[str, Any]) -> bool:
    """Whether a value is a row of numbers that is shown as a curve."""
    shape = [length for length in value.get("shape", []) if length != 1]
    numbers = value.get("data", [])
    return len(shape) == 1 and len(numbers) in ROW and not any(isinstance(one, str | bool) for one in numbers)


def curve(value: dict[str, Any], place: tuple[float, float, float, float]) -> str:
    """A row of numbers as a line; nothing for anything else.

    >>> curve({"shape": [5], "data": [0, 1, 2, 1, 0]}, (0, 0, 8, 4))
    'M0 4L2 2L4 0L6 2L8 4'
    """
    if not is_row(value):
        return ""
    numbers, (left, top, width, height) = value["data"], place
    low, high = min(numbers), max(numbers)
    step, scale = width / (len(numbers) - 1), height / ((high - low) or 1)
    points = [f"{n(left + i * step)} {n(top + (high - one) * scale)}" for i, one in enumerate(numbers)]
    return f"M{'L'.join(points)}"


def is_bad(text: str) -> bool:
    """Whether a text tells of what is no number, or is infinite."""
    return bool(re.search(r"\b(nan|inf)\b", text))


def state_classes(fields: dict[str, Any]) -> list[str]:
    has = [f"has-{name}" for name in TEXTS if fields.get(name) is not None]
    return has + [name for name in FLAGS if fields.get(name)]


def spans(lines: list[str], x: float, first: float = 0) -> str:
    """The lines of a text, the first of them so far below its place."""
    if len(lines) == 1:
        return markup(lines[0])
    rows = ((line, LINE if number else first) for number, line in enumerate(lines))
    return "".join(f'<tspan x="{n(x)}" dy="{n(down)}">{html.escape(line)}</tspan>' for line, down in rows)


def part_size(texts: list[list[str]]) -> tuple[float, float]:
    """The width and height of the room beside an arrow for each of these texts."""
    return max(map(longest, texts)) * CHARACTER * PART / FONT_SIZE, max(map(len, texts)) * LINE


def longest(texts: list[str]) -> int:
    return max((columns(line) for text in texts for line in text.split("\n")), default=0)


def deepest(texts: list[str]) -> int:
    """How many lines the highest text has."""
    return max((text.count("\n") + 1 for text in texts), default=1)
