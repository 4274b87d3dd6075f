"""What a box looks like, large enough for all that it will ever show; and a frame round some.

>>> box = node_box("n0", {"kind": "leaf", "label": "a"}, {"value": ["2", "2.125"]})
>>> box.height, box.width > columns(".grad –") * CHARACTER
(70.0, True)

Colours are the style sheet's (picture.css). Everything here is geometry, and words that stand as they are.
"""

import math
from typing import Any, NamedTuple

from ..colours import COLOURS
from ..words import say
from .fields import NOT_YET, curve, deepest, field_lines, field_text, is_bad, longest, spans, state_classes
from .grouping import MADE
from .layout import CHARACTER, FONT_SIZE, LINE, Point, columns, escape, markup, shorten
from .shapes import data_id, n, outline

PADDING, EDGE = 10.0, 6.0  # inside a box: beside the text, and above and below
SMALL = 13  # the size of the font in small boxes and frames' titles
THUMB = 30.0  # a picture of a large value
CURVE = 72.0, 30.0  # a row of numbers, as a curve
ROUND = {"operation": 9.0, "output": 9.0, "folded": 9.0, "outside": 3.0, "constant": 3.0}
MEANINGS = dict.fromkeys(("leaf", "parameter"), "parameter") | dict.fromkeys(
    ("input", "constant", "outside"), "constant"
)
STYLES = {"constant": ["dashed"], "output": ["dotted"]}


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
        shown: for each field all texts that it ever shows; of a matrix with its rows as lines. As "title" those of
            other boxes that are to be as wide.
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

    wide = [max(columns(shorten(one, 40)) for one in [title, *shown.get("title", [])]) * character]
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


def baseline(character: float) -> float:
    """From the top of a line to the baseline of a text in its middle."""
    return LINE / 2 + 0.35 * character / 0.61
