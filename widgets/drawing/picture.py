"""The picture of a trace: its graph is laid out once, and shown at any moment by classes and texts alone.

docs/trace.md says what is in a trace and in a picture.

>>> trace = {
...     "title": "b = sin(a)", "values": [{"text": "2"}, {"text": "0.9093"}], "edges": [{"from": 0, "to": 1}],
...     "nodes": [{"kind": "leaf", "label": "a", "start": {"value": 0}}, {"kind": "operation", "label": "b = sin(a)"}],
...     "frames": [{"kind": "made", "node": 1, "changes": [["n1", "value", None, 1]]}],
... }
>>> list(views(trace))
['']
>>> "0.9093" in svg(trace, 0), "0.9093" in svg(trace, 1)
(False, True)
"""

from collections import defaultdict
from pathlib import Path
from typing import Any

from .. import colours
from ..words import say
from . import arrows, boxes, folding
from .boxes import SMALL, Box
from .fields import TEXTS, beside_arrow, field_lines, is_row, lines_of, part_size
from .folding import View
from .grouping import LIMIT, MADE
from .iterations import alike, in_order, twins
from .layout import CHARACTER, FONT_SIZE, INCH, LINE, Layout, Sheet, columns, lay_out, markup, shorten, space
from .shapes import n

Trace = dict[str, Any]
Frame = dict[str, Any]
State = dict[str, dict[str, Any]]  # what each node and edge shows: {"n3": {"value": 7}}

MARGIN = 8.0  # round a picture
NEAR = 4.0  # between an arrow and its gradient
PANE = 620, 520  # where a picture is looked at most often
GAPS = 18.0, 29.0  # between neighbours, and between ranks
CROWD = 150  # boxes or gradients, above which gradients have no place of their own beside the arrows
HUGE = 1500  # nodes, above which Graphviz shall think less
STYLE = Path(__file__).with_name("picture.css")


def views(trace: Trace, direction: str = "auto", limit: int = LIMIT, index: int | None = 0) -> dict[str, str]:
    """All views of a trace as SVG: the whole "", and folded groups ("g3").

    Args:
        trace: see docs/trace.md; a long one has been through `grouping.grouped`.
        direction: "TB" draws from top to bottom, "LR" from left to right, "auto" as it fits better.
        limit: how many boxes a view has at most; beyond, groups are folded.
        index: the position at which they are drawn: before the first frame, or where they stand alone at times.
    """
    pictures = drawn(trace, folding.views(trace, limit), direction)
    shown = state(trace, position(trace, index))
    return {name: pictures[name].svg(layout, shown) for name, layout in laid_out(pictures).items()}


def svg(trace: Trace, index: int | None = None, direction: str = "auto", limit: int = LIMIT) -> str:
    """A picture that stands alone: the whole at a position (the end if omitted), light or dark as the reader likes."""
    picture = whole(trace, direction, limit)
    index = position(trace, index)
    now = trace["frames"][index - 1] if 0 < index < len(trace["frames"]) else {}
    return picture.svg(laid_out({"": picture})[""], state(trace, index), now, style())


def dot(trace: Trace, index: int | None = None, direction: str = "auto", limit: int = LIMIT) -> str:
    """The same as DOT text, with words and plain looks: for Graphviz and its friends."""
    return whole(trace, direction, limit).dot(state(trace, position(trace, index)))


def whole(trace: Trace, direction: str = "auto", limit: int = LIMIT) -> "Picture":
    """The picture of the whole, not yet laid out."""
    return drawn(trace, {"": folding.views(trace, limit)[""]}, direction)[""]


def drawn(trace: Trace, views: dict[str, View], direction: str) -> dict[str, "Picture"]:
    sizes = Sizes(trace)
    return {name: Picture(view, sizes, direction) for name, view in views.items()}


def laid_out(pictures: dict[str, "Picture"]) -> dict[str, Layout]:
    """Where everything goes: iterations that are alike in the order in which they ran."""
    layouts = lay_out(*(picture.dot() for picture in pictures.values()))
    return {
        name: in_order(layout, picture.alike, 0 if picture.direction == "TB" else 1)
        for (name, picture), layout in zip(pictures.items(), layouts)
    }


def position(trace: Trace, index: int | None) -> int:
    last = len(trace["frames"])
    if index is None:
        return last
    if not isinstance(index, int):
        raise TypeError(f"a position is a whole number, or None for the last, but not {index!r}")
    if not -last - 1 <= index <= last:
        raise IndexError(f"there are positions 0 to {last}, but not {index}")
    return index % (last + 1)


def state(trace: Trace, index: int) -> State:
    """What everything shows when the first `index` frames have happened."""
    found: State = {f"n{i}": dict(node.get("start", {})) for i, node in enumerate(trace["nodes"])}
    for frame in trace["frames"][:index]:
        for target, field, _, after in frame.get("changes", []):
            found.setdefault(target, {})[field] = after
    return found


def shown_ever(trace: Trace) -> dict[tuple[str, str], list[int]]:
    """The values that each field of each node and edge shows at any time."""
    found: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)
    for target, fields in state(trace, 0).items():
        for field, value in fields.items():
            if field in TEXTS and value is not None:
                found[target, field][value] = None
    for frame in trace["frames"]:
        for target, field, _, after in frame.get("changes", []):
            if field in TEXTS and after is not None:
                found[target, field][after] = None
    return {key: list(values) for key, values in found.items()}


def results(trace: Trace) -> set[int]:
    """Where backwards start, or, if none does, what nothing is made of."""
    seeded = {frame["node"] for frame in trace["frames"] if frame["kind"] == "seeded" and "node" in frame}
    used = {edge["from"] for edge in trace["edges"]}
    return seeded or {i for i, node in enumerate(trace["nodes"]) if node["kind"] in MADE and i not in used}


def style() -> str:
    """The style sheet of a picture that stands alone.

    Each colour is written out before its variable, for programs that know none.
    """
    rules = STYLE.read_text(encoding="utf-8")
    plain = {"paper": colours.PAPER["light"]}
    for name, colour in colours.COLOURS.items():
        plain |= {name: colour.light, f"{name}-fill": colour.fill}
    for name, light in plain.items():
        for paint in ("fill", "stroke"):
            rules = rules.replace(f" {paint}: var(--mg-{name});", f" {paint}: {light}; {paint}: var(--mg-{name});")
    return colours.css() + rules


class Sizes:
    """How large the boxes and the gradients beside arrows become, in whatever view they are."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.shown, self.ends = trace, shown_ever(trace), results(trace)
        self.alike = alike(trace)
        self._twins = twins(self.alike)  # all of a size, so that each may stand in the place of another
        self._boxes: dict[int, Box] = {}

    def box(self, number: int) -> Box:
        """The box of a node."""
        if number not in self._boxes:
            self._boxes[number] = self._box(number)
        return self._boxes[number]

    def _box(self, number: int) -> Box:
        name, told = f"n{number}", {field: self._told(f"n{number}", field) for field in TEXTS}
        texts = {field: ["\n".join(lines_of(value)) for value in values] for field, values in told.items()}
        texts["title"] = [self.trace["nodes"][int(twin[1:])].get("label", "") for twin in self._twins.get(name, ())]
        row = next((value["shape"] for value in told["value"] if is_row(value)), None)
        large = (value["shape"] for value in told["value"] if "thumb" in value and len(lines_of(value)) == 1)
        look = "result" if number in self.ends else ""
        return boxes.node_box(name, self.trace["nodes"][number], texts, look, row or next(large, None), row is not None)

    def part(self, edge: int) -> tuple[float, float] | None:
        """The room beside an arrow for the largest gradient that it shows; None where none flows."""
        told = self._told(f"e{edge}", "part")
        return part_size(list(map(beside_arrow, told))) if told else None

    def _told(self, target: str, field: str) -> list[dict]:
        names = self._twins.get(target, [target])
        return [self.trace["values"][value] for name in names for value in self.shown.get((name, field), ())]


class Picture:
    """One view of a trace, before and after Graphviz has laid it out."""

    def __init__(self, view: View, sizes: Sizes, direction: str) -> None:
        self.trace, self.view, self.values, self.alike = sizes.trace, view, sizes.trace["values"], sizes.alike
        nodes, groups = self.trace["nodes"], self.trace.get("groups", [])
        self.boxes = {f"n{number}": sizes.box(number) for number in view.nodes}
        for group, count in view.folded.items():
            self.boxes[f"g{group}"] = boxes.folded_box(f"g{group}", groups[group], count)
        for number in view.outside:
            node = nodes[number]
            self.boxes[f"n{number}"] = boxes.small_box(f"n{number}", node.get("name") or node.get("label") or "")
        for side, count in view.more.items():
            box = boxes.small_box("", say("drawing.more", number=count))
            self.boxes[side] = box._replace(id="", classes="outside more")
        for name, (number, _) in view.again.items():
            node = nodes[number]
            self.boxes[name] = boxes.small_box("", node["name"])._replace(id="", classes="outside again")
        self.arrows = {f"e{numbers[0]}": numbers for _, _, numbers in view.arrows}
        rooms = {number: sizes.part(number) for numbers in self.arrows.values() for number in numbers}
        self.parts = {number: room for number, room in rooms.items() if room is not None}
        changes = (change for frame in self.trace["frames"] for change in frame.get("changes", []))
        self.joining = {target for target, field, *_ in changes if field == "joins"}
        self.roomy = max(len(self.boxes), len(self.parts)) <= CROWD
        self.direction = best_direction(self) if direction == "auto" else direction

    def dot(self, shown: State | None = None) -> str:
        """As DOT text: to be laid out, or with words, as it is at some moment."""
        view, nodes, groups = self.view, self.trace["nodes"], self.trace.get("groups", [])
        settings = {"nslimit": "0.1", "nslimit1": "0.1"} if len(self.boxes) > HUGE else {}
        many = len(view.arrows) / max(len(self.boxes), 1)  # arrows need room to cross
        settings["ranksep"] = f"{GAPS[1] / INCH * min(max(many / 2, 1), 4):.2f}"
        sheet = Sheet(self.direction, **settings)
        inside = {
            group: Sheet(self.direction, f"cluster_g{group}", **self._frame(group, shown)) for group in view.frames
        }
        for name, box in self.boxes.items():
            group = groups[int(name[1:])].get("parent") if name[0] == "g" else None
            group = nodes[int(name[1:])].get("group") if name[0] == "n" else group
            if name in view.again:  # it stands where it is used
                head = view.again[name][1]
                group = nodes[int(head[1:])].get("group") if head[0] == "n" else group
            words = box.label(shown.get(name, {}), self.values) if shown is not None else ""
            look = box.look() if shown is not None else {}
            inside.get(group, sheet).box(name, box.width, box.height, words, **look)  # type: ignore[arg-type]
        depth: dict[int, int] = {}
        for group in view.frames:
            depth[group] = depth.get(groups[group].get("parent"), 0) + 1
        for group in sorted(view.frames, key=depth.__getitem__, reverse=True):  # inner ones first; others as they come
            inside.get(groups[group].get("parent"), sheet).frame(inside[group])
        for tail, head, numbers in view.arrows:
            label = {}
            if numbers[0] in self.parts and self.roomy and len(numbers) == 1:
                text, (width, height) = "", self.parts[numbers[0]]
                if shown is not None:
                    value = shown.get(f"e{numbers[0]}", {}).get("part")
                    text = "<br/>".join(map(markup, field_lines("part", value, self.values)))
                label = {"label": space(width + 2 * NEAR, height - 2, text)}
            sheet.arrow(tail, head, f"e{numbers[0]}", **label)
        return sheet.dot

    def _frame(self, group: int, shown: State | None) -> dict[str, str]:
        name = shorten(self.trace["groups"][group]["name"])
        width = columns(name) * CHARACTER * SMALL / FONT_SIZE
        return {
            "label": space(width, LINE, markup(name) if shown is not None else ""),
            "labeljust": "l",
            "margin": "10",
        }

    def svg(self, layout: Layout, shown: State, now: Frame | None = None, looks: str = "") -> str:
        """As SVG at one moment.

        Args:
            layout: of `dot()`.
            shown: what everything shows.
            now: the frame whose node and edge are marked.
            looks: a style sheet to be put in, for a picture that stands alone.
        """
        things = [self.thing(name, layout, shown, now or {}) for name in self.names()]
        if not looks:
            return "\n".join([self.root(layout.width, layout.height), *things, "</svg>\n"])
        return "\n".join([*self.alone(layout.width, layout.height, looks), *things, "</svg>\n"])

    def root(self, width: float, height: float, more: str = "") -> str:
        """The element around a drawing of a size."""
        margin, wide, high = (n(length) for length in (MARGIN, width + 2 * MARGIN, height + 2 * MARGIN))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="mg-graph{"" if self.roomy else " crowded"}" width="{wide}"'
            f' height="{high}" viewBox="-{margin} -{margin} {wide} {high}"{more}>'
        )

    def alone(self, width: float, height: float, looks: str) -> list[str]:
        """The beginning of a picture that stands alone: with its title, looks and paper."""
        root = self.root(width, height, f' role="img" aria-label="{markup(self.trace["title"])}"')
        paper = f'<rect class="paper" x="-{MARGIN:g}" y="-{MARGIN:g}" width="100%" height="100%"/>'
        return [root, f"<style>{looks}</style>", paper]

    def names(self) -> list[str]:
        """Of all that is drawn, from the back to the front."""
        return [*(f"g{group}" for group in self.view.frames), *self.arrows, *self.boxes]

    def thing(self, name: str, layout: Layout, shown: State, now: Frame) -> str:
        """One thing as SVG at one moment; nothing for an arrow on which Graphviz gave up."""
        if name in self.boxes:
            active = name == f"n{now.get('node')}"
            return self.boxes[name].svg(layout.boxes[name], shown.get(name, {}), self.values, active)
        if name not in self.arrows:
            return boxes.frame_svg(name, self.trace["groups"][int(name[1:])], layout.frames[f"cluster_{name}"])
        if name not in layout.arrows:
            return ""
        numbers = self.arrows[name]
        parts = [shown[f"e{i}"]["part"] for i in numbers if shown.get(f"e{i}", {}).get("part") is not None]
        room, active = max(self.parts.get(number, (0.0, 0.0))[0] for number in numbers), now.get("edge") in numbers
        fields = {"part": parts[0]} if parts else {}
        fields |= {flag: True for flag in ("lost", "joins") if any(shown.get(f"e{i}", {}).get(flag) for i in numbers)}
        names, downwards = [f"e{i}" for i in numbers], self.direction == "TB"
        cut = any(self.trace["edges"][number].get("cut") for number in numbers)
        back = bool(room) or not self.joining.isdisjoint(names)
        return arrows.arrow_svg(names, layout.arrows[name], fields, self.values, room, downwards, active, cut, back)


def best_direction(picture: Picture) -> str:
    """Downwards or to the right: in which the picture, roughly as Graphviz will lay it out, is larger in its pane."""
    sizes = {name: (box.width, box.height) for name, box in picture.boxes.items()}
    rows: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for name, rank in folding.ranks(list(sizes), [(tail, head) for tail, head, _ in picture.view.arrows]).items():
        rows[rank].append(sizes[name])
    sizes_of_parts = picture.parts.values() if picture.roomy else ()
    label = tuple(max((size[side] for size in sizes_of_parts), default=0.0) for side in (0, 1))

    def scale(across: int) -> float:
        along = 1 - across
        wide = max(sum(size[across] + GAPS[0] for size in row) for row in rows.values())
        long = sum(max(size[along] for size in row) + GAPS[1] + label[along] for row in rows.values())
        return min(PANE[across] / wide, PANE[along] / long, 1)

    return "LR" if rows and scale(1) > scale(0) else "TB"
