"""A picture of ours as PNG, for what shows no SVG: a notebook that is not trusted, a sanitised page, paper.

It draws what `picture.svg` writes, and no other SVG: paths, texts and the looks of picture.css. No theme can be asked
here, so the ground is clear: boxes are light, words elsewhere stand on a light tag, and lines are seen on any page.

>>> png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><path d="M1 1h9v4z"/></svg>')[:4]
b'\\x89PNG'
"""

import base64
import functools
import importlib.util
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from PIL import Image, ImageDraw, ImageFont

from .. import colours

SCALE = 2  # pixels of the file for one of the page: sharp on today's screens, and edges come out smooth
INK, PAPER = colours.COLOURS["ink"].light, colours.PAPER["light"]
ON_ANY_PAGE = {colours.COLOURS["constant"].light: "#7a7a7a"}  # for lines that would be lost on a dark one
MOST = 4_000  # pixels of a page, on either side: what is larger, nobody reads in a picture
STEPS = 12  # straight lines for a curve
FEW, MANY = 127, 4096  # colours of a file; and of a drawing, which are more where a plot shades from one to another
Point = tuple[float, float]
Rule = tuple[list[re.Pattern[str]], dict[str, str]]


def png(svg: str) -> bytes:
    """The picture as a file; nothing if it is too large for one."""
    root = fromstring(svg)
    left, top, width, height = map(float, root.get("viewBox", "").split())
    if max(width, height) > MOST:
        return b""
    image = Image.new("RGBA", (round(width * SCALE), round(height * SCALE)), (255, 255, 255, 0))
    sheet = next((one.text or "" for one in root.iter() if one.tag.endswith("style")), "")
    Canvas(ImageDraw.Draw(image), rules(sheet)).group(root, [], (-left, -top))
    return small(image)


def small(image: Image.Image) -> bytes:
    """An image as PNG of few colours, which takes a fraction of the space. What is clear in it stays clear."""
    file, plain = io.BytesIO(), image.convert("RGB")
    found: Any = plain.getcolors(MANY)
    if found:  # the most frequent ones as they are, and any other as the nearest of them
        few, palette = plain, Image.new("P", (1, 1))
        palette.putpalette([part for _, colour in sorted(found)[-FEW:] for part in colour])
        few = plain.quantize(palette=palette, dither=Image.Dither.NONE)
    else:
        few = plain.quantize(FEW, Image.Quantize.FASTOCTREE)
    clear = len(few.getpalette() or []) // 3
    few.putpalette([*(few.getpalette() or []), 255, 255, 255])  # one more, for what is clear
    few.paste(clear, mask=image.convert("RGBA").getchannel("A").point([255] + [0] * 255))
    few.save(file, "PNG", transparency=clear)
    return file.getvalue()


def output(words: str, png: bytes, title: str, **more: str) -> tuple[dict[str, str], dict[str, Any]]:
    """What a notebook is given to show: words, the picture as PNG and in other forms, and what is said of it."""
    data, said = {"text/plain": words, **more}, {}
    if png:
        data["image/png"] = base64.b64encode(png).decode()
        width, height = (int.from_bytes(png[at : at + 4]) // SCALE for at in (16, 20))
        said["image/png"] = {"width": width, "height": height, "alt": title}
    return data, said


class Canvas:
    """What elements are drawn on."""

    def __init__(self, pen: ImageDraw.ImageDraw, rules: list[Rule]) -> None:
        self.pen, self.rules = pen, rules

    def group(self, element: Element, around: list[str], origin: Point) -> None:
        """An element and all that is in it."""
        path = [*around, f" {element.get('class', '')} "]
        if moved := re.match(r"translate\((.+),(.+)\)", element.get("transform", "")):
            origin = origin[0] + float(moved[1]), origin[1] + float(moved[2])
        look = {name: text for chosen, looks in self.rules if matches(chosen, path) for name, text in looks.items()}
        kind = element.tag.rpartition("}")[2]
        if kind != "text" and not any(" mg-node " in classes for classes in path):
            look = {name: ON_ANY_PAGE.get(text, text) for name, text in look.items()}
        if look.get("visibility") != "hidden" and kind in ("path", "rect", "text"):
            getattr(self, kind)(element, look, origin)
        for inner in element:
            self.group(inner, path, origin)

    def path(self, element: Element, look: dict[str, str], origin: Point) -> None:
        for line in lines(element.get("d", "")):
            points = [((x + origin[0]) * SCALE, (y + origin[1]) * SCALE) for x, y in line]
            fill, stroke = look.get("fill", "none"), look.get("stroke", "none")
            if fill != "none" and look.get("fill-opacity") is None:
                self.pen.polygon(points, fill=fill)
            if stroke != "none":
                width = float(look.get("stroke-width", "1").removesuffix("px")) * SCALE
                self.pen.line(points, fill=stroke, width=round(width), joint="curve")

    def rect(self, element: Element, look: dict[str, str], origin: Point) -> None:
        """The frame round a group. Paper is none: the ground stays clear."""
        if "stroke" in look:
            x, y, width, height = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
            left, top = (x + origin[0]) * SCALE, (y + origin[1]) * SCALE
            corners, radius = (left, top, left + width * SCALE, top + height * SCALE), float(element.get("rx", 0))
            self.pen.rounded_rectangle(corners, radius * SCALE, outline=look["stroke"], width=SCALE)

    def text(self, element: Element, look: dict[str, str], origin: Point) -> None:
        size = float(look.get("font-size", "13px").removesuffix("px"))
        letters = font("Bold" if look.get("font-weight") == "bold" else "", round(size * SCALE))
        x, y = ((float(element.get(name, 0)) + start) * SCALE for name, start in zip("xy", origin))
        rows = list(element) or [element]
        anchor = {"start": "ls", "end": "rs"}.get(look.get("text-anchor", ""), "ms")
        for row in rows:
            y += float(row.get("dy", 0)) * SCALE
            says = "".join(row.itertext())
            if "paint-order" in look and says:  # it stands on a line, or on the page itself
                left, top, right, bottom = self.pen.textbbox((x, y), says, letters, anchor)
                tag = left - 2 * SCALE, top - 2 * SCALE, right + 2 * SCALE, bottom + 2 * SCALE
                self.pen.rounded_rectangle(tag, 3 * SCALE, PAPER)
            self.pen.text((x, y), says, look.get("fill", INK), letters, anchor)


@functools.cache
def font(weight: str, size: int) -> ImageFont.FreeTypeFont:
    """DejaVu Sans Mono, which comes with matplotlib: the same on every machine."""
    found = importlib.util.find_spec("matplotlib")
    assert found is not None and found.origin is not None
    name = f"DejaVuSansMono{'-' * bool(weight)}{weight}.ttf"
    return ImageFont.truetype(Path(found.origin).with_name("mpl-data") / "fonts" / "ttf" / name, size)


@functools.lru_cache(4)
def rules(sheet: str) -> list[Rule]:
    """What a style sheet says of classes, later rules last."""
    sheet = re.sub(r"/\*.*?\*/|@media[^{]*\{(?:[^{}]*\{[^}]*\})*[^}]*\}", "", sheet, flags=re.DOTALL)
    found = []
    for names, body in re.findall(r"([^{}]+)\{([^}]*)\}", sheet):
        said = [declaration.split(":", 1) for declaration in body.split(";") if ":" in declaration]
        looks = {name.strip(): text.strip() for name, text in said if "var(" not in text}
        for name in re.split(r",(?![^(]*\))", names):
            if name.strip().startswith("."):
                found.append(([pattern(part) for part in re.split(r" (?![^(]*\))", name.strip())], looks))
    return sorted(found, key=lambda rule: sum(one.pattern.count(r"\ ") for one in rule[0]))


def pattern(part: str) -> re.Pattern[str]:
    """Which class attributes a part of a selector means, such as `.mg-node:not(.has-value, .silent)`."""
    part, _, without = part.partition(":not(")
    has = "".join(f"(?=.*\\ {name}\\ )" for name in re.findall(r"\.([\w-]+)", part))
    lacks = "".join(f"(?!.* {name} )" for name in re.findall(r"\.([\w-]+)", without))
    return re.compile(lacks + has if has else "(?!)")  # a tag alone is nothing of ours


def matches(chosen: list[re.Pattern[str]], path: list[str]) -> bool:
    """Whether a selector means the last element of a path."""
    *outer, last = chosen
    if not last.match(path[-1]):
        return False
    above = iter(path[:-1])
    return all(any(one.match(classes) for classes in above) for one in outer)


def lines(drawn: str) -> Iterator[list[Point]]:
    """A path as straight lines. A corner's arc is drawn as one curve, and curves as some lines."""
    tokens = re.findall(r"[A-Za-z]|-?[\d.]+", drawn)
    line: list[Point] = []
    command, here = "", (0.0, 0.0)
    while tokens:
        if tokens[0].isalpha():
            command = tokens.pop(0)
        if command in "Zz":
            line.append(line[0])
            continue
        if command == "M" and line:
            yield line
            line = []
        numbers = [float(tokens.pop(0)) for _ in range({"H": 1, "V": 1, "C": 6, "A": 7}.get(command.upper(), 2))]
        start = here if command.islower() else (0.0, 0.0)
        if command in "HhVv":
            across = command in "Hh"
            here = (numbers[0] + start[0], here[1]) if across else (here[0], numbers[0] + start[1])
            line.append(here)
            continue
        pairs = numbers[-2:] if command == "a" else numbers
        ends = [(x + start[0], y + start[1]) for x, y in zip(pairs[::2], pairs[1::2])]
        if command == "C":
            line += [curve([here, *ends], k / STEPS) for k in range(1, STEPS + 1)]
        elif command == "a":  # a quarter of a circle, clockwise
            (x, y), (dx, dy) = here, pairs
            corner = (x + dx, y) if dx * dy > 0 else (x, y + dy)
            line += [curve([here, corner, ends[-1]], k / STEPS) for k in range(1, STEPS + 1)]
        else:
            line.append(ends[-1])
        here = ends[-1]
    yield line


def curve(points: list[Point], share: float) -> Point:
    """A point of a Bézier curve, by halving its polygon again and again."""
    while len(points) > 1:
        points = [tuple(a + share * (b - a) for a, b in zip(p, q)) for p, q in zip(points, points[1:])]  # type: ignore[misc]
    return points[0]
