"""What one thing in a picture looks like: a box that is large enough for all that it will ever show, a frame, an arrow.

>>> box = node_box("n0", {"kind": "leaf", "label": "a"}, {"value": ["2", "2.125"]})
>>> box.height, box.width > columns(".grad –") * CHARACTER
(70.0, True)

Colours are the style sheet's (picture.css). Everything here is geometry, and words that stand as they are.
"""

import html
import math
import re
from typing import Any, NamedTuple

from ..colours import COLOURS
from ..words import say
from .folding import MADE
from .layout import CHARACTER, FONT_SIZE, HEAD, LINE, Arrow, Point, columns, escape, markup, shorten

PADDING, EDGE = 10.0, 6.0  # inside a box: beside the text, and above and below
SMALL = 13  # the size of the font in small boxes and frames' titles
PART = 13  # and of gradients beside arrows
THUMB = 30.0  # a picture of a large value
CURVE = 72.0, 30.0  # a row of numbers, as a curve
ROW = range(5, 41)  # so many numbers make a curve
BESIDE, DEEP = 16, 3  # characters and lines beside an arrow, at most
NO_BREAK = "\u00a0"  # a space that a picture does not leave out
MATRIX = 4  # rows and columns of a matrix that is shown as one, at most
NOT_YET = "–"  # a gradient that has not come is not zero
ROUND = {"operation": 9.0, "output": 9.0, "folded": 9.0, "outside": 3.0, "constant": 3.0}
MEANINGS = dict.fromkeys(("leaf", "parameter"), "parameter") | dict.fromkeys(
    ("input", "constant", "outside"), "constant"
)
STYLES = {"constant": ["dashed"], "output": ["dotted"]}
TEXTS = ("value", "grad", "box", "part")  # fields that show a value
FLAGS = ("done", "freed", "broken", "lost")  # fields that are true or not


class Text(NamedTuple):
    """A line in a box: where, and what it always says; None for one that shows a field."""

    part: str
    x: float
    y: float
    says: str | None = None


class Box(NamedTuple):
    """A box, drawn from its left upper corner."""

    id: str
    classes: str
    hint: str  # what is too long for the box, or of interest to few
    width: float
    height: float
    paths: list[tuple[str, str]]
    texts: list[Text]
    thumb: tuple[float, float, float, float] | None = None  # left, top, width, height
    curves: tuple[tuple[str, tuple[float, float, float, float]], ...] = ()  # of fields that show a row of numbers

    def svg(self, middle: Point, fields: dict[str, Any], values: list[dict], now: bool = False) -> str:
        """The box with what it shows at one moment."""
        x, y = middle[0] - self.width / 2, middle[1] - self.height / 2
        words = " ".join([self.classes, *state_classes(fields), *(["now"] if now else [])])
        lines = [f'<g class="mg-node {words}"{data_id(self.id)} transform="translate({n(x)},{n(y)})">']
        lines += [f"<title>{markup(self.hint)}</title>"] if self.hint else []
        lines += [f'<path class="{part}" d="{d}"/>' for part, d in self.paths]
        for field, place in self.curves:
            value = values[fields[field]] if fields.get(field) is not None else {}
            where = " ".join(map(n, place))
            lines.append(f'<path class="curve of-{field}" data-at="{where}" d="{curve(value, place)}"/>')
        if self.thumb:
            picture = values[fields["value"]].get("thumb") if fields.get("value") is not None else None
            source = f' href="data:image/png;base64,{markup(picture)}"' if picture else ""
            left, top, width, height = map(n, self.thumb)
            size = f'x="{left}" y="{top}" width="{width}" height="{height}" preserveAspectRatio="none"'
            lines.append(f'<image class="thumb" {size}{source}/>')
        for part, at, baseline, says in self.texts:
            shown = [says] if says is not None else field_lines(part, fields.get(part), values)
            bad = " bad" if says is None and any(map(is_bad, shown)) else ""
            lines.append(f'<text class="{part}{bad}" x="{n(at)}" y="{n(baseline)}">{spans(shown, at)}</text>')
        return "".join([*lines, "</g>"])

    def label(self, fields: dict[str, Any], values: list[dict]) -> str:
        """What it says at one moment, for Graphviz."""
        rows: dict[float, list[str]] = {}
        for part, _, baseline, says in self.texts:
            shown = says if says is not None else field_text(part, fields.get(part), values)
            rows.setdefault(baseline, []).append(escape(shorten(shown, 200)))
        return r"\n".join(" ".join(row) for row in rows.values())

    def look(self) -> dict[str, str]:
        """Its plain look, for Graphviz."""
        kind, *more = self.classes.split()
        colour = COLOURS[MEANINGS.get(kind, "value")]
        style = ",".join(["filled", *(["rounded"] if ROUND.get(kind) else []), *STYLES.get(kind, [])])
        look = {"style": style, "color": colour.light, "fillcolor": colour.fill, "fontname": "monospace"}
        look |= {"fontsize": str(SMALL if kind in ("constant", "outside") else FONT_SIZE)}
        look |= {"peripheries": "2"} if "result" in more else {}
        return look | ({"penwidth": "2.5"} if kind in ("leaf", "parameter") else {})


def node_box(
    name: str,
    node: dict[str, Any],
    shown: dict[str, list[str]],
    look: str = "",
    thumb: list[int] | None = None,
    is_curve: bool = False,
) -> Box:
    """The box of a node.

    Args:
        node: from the trace.
        shown: for each field all texts that it ever shows; of a matrix with its rows as lines.
        look: further classes, such as "result".
        thumb: the shape of a value that is shown as a picture, if one is.
        is_curve: whether that is a curve.
    """
    kind, label = node["kind"], node.get("label") or node.get("name") or ""
    title = shorten(label, 40)
    values = shown.get("value", [])
    rows = [("value", "", values)] if any(text != label for text in values) else []
    rows += [("grad", "∂", [*shown["grad"], NOT_YET])] if shown.get("grad") else []
    mailbox = kind in ("leaf", "parameter") or bool(shown.get("box"))
    character = CHARACTER * SMALL / FONT_SIZE if kind == "constant" else CHARACTER
    inset = 3.5 if "result" in look else 0.0  # of a doubled line
    bar = 5.0 if kind == "parameter" else 0.0
    wide_thumb, high_thumb = CURVE if is_curve else thumb_size(thumb or [])
    room = CURVE[0] if is_curve else THUMB
    beside = room + 8 if thumb else 0.0

    wide = [columns(title) * character]
    wide += [beside + (longest(texts) + 4 * bool(sign)) * character for _, sign, texts in rows]
    envelope = 19.0
    mail = [*shown.get("box", []), NOT_YET]
    if mailbox:
        wide.append(envelope + (len(".grad ") + longest(mail)) * character)
    width = max(wide) + 2 * (PADDING + inset) + bar

    edge = EDGE + inset
    middle = (width + bar) / 2
    y = edge if kind != "constant" or rows else 2.0
    texts = [Text("title", middle, y + baseline(character), title)]
    y += LINE
    high = LINE * sum(map(deepest, (told for *_, told in rows)))
    height = max(high, high_thumb + 4 if thumb else 0.0)
    curves: list[tuple[str, tuple[float, float, float, float]]] = []
    left_thumb = PADDING + inset + bar + (room - wide_thumb) / 2
    picture = (left_thumb, y + (height - high_thumb) / 2, wide_thumb, high_thumb) if thumb else None
    if is_curve and picture:
        curves.append(("value", picture))
    y += (height - high) / 2
    for part, sign, told in rows:
        texts.append(Text(part, middle + beside / 2, y + baseline(character)))
        texts += [Text("sign", PADDING + inset + bar + beside, y + baseline(character), sign)] if sign else []
        y += LINE * deepest(told)
    y += (height - high) / 2 + (edge if kind != "constant" or rows else 2.0)
    paths = [("shape", "")]
    if mailbox:
        paths.append(("slit", f"M{n(bar)} {n(y)}H{n(width)}"))
        left = PADDING + inset + bar
        right = width - PADDING - inset
        paths.append(("envelope", f"M{n(left)} {n(y + 6.5)}h13v9h-13z"))
        paths.append(("flap", f"M{n(left)} {n(y + 6.5)}l6.5 5l6.5 -5"))
        texts.append(Text("name", left + envelope, y + 2 + baseline(character), ".grad"))
        centre = (left + envelope + len(".grad ") * character + right) / 2
        texts.append(Text("box", centre, y + 2 + baseline(character)))
        y += LINE * deepest(mail) + 4
        if is_curve:
            curves.append(("box", (left, y, right - left, CURVE[1])))
            y += CURVE[1] + 6
    if kind in MADE and not shown.get("value"):
        look += " silent"  # it is not waiting for a value
    paths[0] = ("shape", outline(0, 0, width, y, ROUND.get(kind, 0)))
    if inset:
        paths.insert(1, ("inner", outline(inset, inset, width - inset, y - inset, max(ROUND.get(kind, 0) - inset, 0))))
    if bar:
        paths.insert(1, ("bar", outline(0, 0, bar, y, 0)))
    hint = "\n".join(filter(None, [label if title != label else "", node.get("type", "")]))
    picture = None if is_curve else picture
    return Box(name, f"{kind} {look}".strip(), hint, width, y, paths, texts, picture, tuple(curves))


def thumb_size(shape: list[int]) -> tuple[float, float]:
    """Width and height of a picture of a value, in its proportions unless they are extreme; a vector is a strip."""
    across, down = shape[-1] if shape else 1, math.prod(shape[:-1])
    return THUMB * min(max(across / down, 0.4), 1), THUMB * min(max(down / across, 0.4), 1)


def folded_box(name: str, group: dict[str, Any], count: int) -> Box:
    """A group as one box: sheets on each other, for there is more in it."""
    title, says, sheet = shorten(group["name"]), say("drawing.nodes", count=count), 5.0
    width = max(columns(title), columns(says)) * CHARACTER + 2 * PADDING + sheet
    height = 2 * LINE + 2 * EDGE + sheet
    middle = (width - sheet) / 2
    texts = [
        Text("title", middle, sheet + EDGE + baseline(CHARACTER), title),
        Text("count", middle, sheet + EDGE + LINE + baseline(CHARACTER), says),
    ]
    paths = [
        ("sheet", outline(sheet, 0, width, height - sheet, ROUND["folded"])),
        ("shape", outline(0, sheet, width - sheet, height, ROUND["folded"])),
    ]
    return Box(
        name, f"folded {group['kind']}", group["name"] if title != group["name"] else "", width, height, paths, texts
    )


def small_box(name: str, title: str) -> Box:
    """Something outside of what is looked at."""
    text = shorten(title, 20)
    character = CHARACTER * SMALL / FONT_SIZE
    width, height = columns(text) * character + 2 * EDGE, LINE + 4
    shape = [("shape", outline(0, 0, width, height, ROUND["outside"]))]
    hint = title if text != title else ""
    return Box(name, "outside", hint, width, height, shape, [Text("title", width / 2, 2 + baseline(character), text)])


def frame_svg(name: str, group: dict[str, Any], corners: tuple[Point, Point]) -> str:
    """A frame round what is in a group."""
    (left, top), (right, bottom) = corners
    place = f'x="{n(left)}" y="{n(top)}" width="{n(right - left)}" height="{n(bottom - top)}"'
    return (
        f'<g class="mg-group {group["kind"]}"{data_id(name)}><rect class="shape" {place} rx="8"/>'
        f'<text class="title" x="{n(left + 10)}" y="{n(top + 15)}">{markup(shorten(group["name"]))}</text></g>'
    )


def arrow_svg(
    names: list[str],
    arrow: Arrow,
    fields: dict[str, Any],
    values: list[dict],
    room: float,
    downwards: bool,
    now: bool,
    cut: bool = False,
) -> str:
    """An arrow, which may stand for several.

    Args:
        room: the width of its gradient's longest text. If it is not 0, a gradient flows at some time: the arrow has a
            second head for the way back, and the text unless it stands for several.
        cut: whether no gradient can flow along it.
        downwards: in such a drawing the room is on the right of the arrow, and the text begins on its left side.
    """
    words = ["mg-edge", *(["merged"] if len(names) > 1 else []), *(["cut"] if cut else [])]
    words += [*state_classes(fields), *(["now"] if now else [])]
    start, rest = arrow.line[0], arrow.line[1:]
    curves = "".join(f"C{' '.join(f'{n(x)} {n(y)}' for x, y in rest[i : i + 3])}" for i in range(0, len(rest), 3))
    line = f"M{n(start[0])} {n(start[1])}{curves}L{n(arrow.tip[0])} {n(arrow.tip[1])}"
    lines = [
        f'<g class="{" ".join(words)}"{data_id(" ".join(names))}><path class="line" d="{line}"/>',
        f'<path class="head" d="{head(arrow.tip, arrow.line[-1])}"/>',
    ]
    if cut:
        x, y = halfway(arrow.line)
        lines.append(f'<path class="scissors" d="M{n(x - 6)} {n(y - 6)}L{n(x + 6)} {n(y + 6)}"/>')
    if room:
        after = next((point for point in rest if point != start), arrow.tip)
        lines.append(f'<path class="back" d="{head(start, after)}"/>')
        if len(names) == 1:
            x, y = arrow.label or halfway(arrow.line)
            x, look = (x - room / 2, "part beside") if arrow.label and downwards else (x, "part")
            shown = field_lines("part", fields.get("part"), values)
            part = spans(shown, x, (1 - len(shown)) * LINE / 2)
            lines.append(f'<text class="{look}" x="{n(x)}" y="{n(y + 0.35 * PART)}">{part}</text>')
    return "".join([*lines, "</g>"])


def head(tip: Point, towards: Point) -> str:
    """A triangle at the tip, whose middle line goes to a point on the arrow."""
    across, down = towards[0] - tip[0], towards[1] - tip[1]
    length = (across**2 + down**2) ** 0.5 or 1.0
    across, down = across / length * HEAD, down / length * HEAD
    x, y, half = tip[0] + across, tip[1] + down, 0.4
    return (
        f"M{n(tip[0])} {n(tip[1])}L{n(x - half * down)} {n(y + half * across)}"
        f"L{n(x + half * down)} {n(y - half * across)}z"
    )


def halfway(line: list[Point]) -> Point:
    """The middle of a spline: of the curve in the middle, its middle."""
    first = (len(line) - 1) // 3 // 2 * 3
    a, b, c, d = line[first : first + 4]
    return (a[0] + 3 * b[0] + 3 * c[0] + d[0]) / 8, (a[1] + 3 * b[1] + 3 * c[1] + d[1]) / 8


def outline(left: float, top: float, right: float, bottom: float, radius: float) -> str:
    """A rectangle as a path, with round corners if it has a radius."""
    if not radius:
        return f"M{n(left)} {n(top)}H{n(right)}V{n(bottom)}H{n(left)}z"
    r = n(radius)
    return (
        f"M{n(left + radius)} {n(top)}H{n(right - radius)}a{r} {r} 0 0 1 {r} {r}V{n(bottom - radius)}"
        f"a{r} {r} 0 0 1 -{r} {r}H{n(left + radius)}a{r} {r} 0 0 1 -{r} -{r}V{n(top + radius)}a{r} {r} 0 0 1 {r} -{r}z"
    )


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


def is_bad(text: str) -> bool:
    """Whether a text tells of what is no number, or is infinite."""
    return bool(re.search(r"\b(nan|inf)\b", text))


def spans(lines: list[str], x: float, first: float = 0) -> str:
    """The lines of a text, the first of them so far below its place."""
    if len(lines) == 1:
        return markup(lines[0])
    rows = ((line, LINE if number else first) for number, line in enumerate(lines))
    return "".join(f'<tspan x="{n(x)}" dy="{n(down)}">{html.escape(line)}</tspan>' for line, down in rows)


def deepest(texts: list[str]) -> int:
    """How many lines the highest text has."""
    return max((text.count("\n") + 1 for text in texts), default=1)


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


def state_classes(fields: dict[str, Any]) -> list[str]:
    has = [f"has-{name}" for name in TEXTS if fields.get(name) is not None]
    return has + [name for name in FLAGS if fields.get(name)]


def part_size(texts: list[list[str]]) -> tuple[float, float]:
    """The width and height of the room beside an arrow for each of these texts."""
    return max(map(longest, texts)) * CHARACTER * PART / FONT_SIZE, max(map(len, texts)) * LINE


def longest(texts: list[str]) -> int:
    return max((columns(line) for text in texts for line in text.split("\n")), default=0)


def baseline(character: float) -> float:
    """From the top of a line to the baseline of a text in its middle."""
    return LINE / 2 + 0.35 * character / 0.61


def data_id(name: str) -> str:
    return f' data-id="{name}"' if name else ""


def n(number: float) -> str:
    """A number in SVG, with one digit behind the point."""
    text = f"{number:.1f}".removesuffix(".0")
    return text if text != "-0" else "0"
