"""What an arrow looks like: its line, its heads, and beside it the gradient that flows back along it."""

from typing import Any

from .fields import PART, field_lines, spans, state_classes
from .layout import LINE, Arrow
from .shapes import data_id, halfway, head, n


def arrow_svg(
    names: list[str],
    arrow: Arrow,
    fields: dict[str, Any],
    values: list[dict],
    room: float,
    downwards: bool,
    now: bool,
    cut: bool = False,
    back: bool = False,
) -> str:
    """An arrow, which may stand for several.

    Args:
        room: the width of its gradient's longest text. If it is not 0, the arrow has it unless it stands for several.
        cut: whether no gradient can flow along it.
        back: whether one flows at some time, for which it has a second head.
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
    if back:
        after = next((point for point in rest if point != start), arrow.tip)
        lines.append(f'<path class="back" d="{head(start, after)}"/>')
    if room and len(names) == 1:
        x, y = arrow.label or halfway(arrow.line)
        x, look = (x - room / 2, "part beside") if arrow.label and downwards else (x, "part")
        shown = field_lines("part", fields.get("part"), values)
        part = spans(shown, x, (1 - len(shown)) * LINE / 2)
        lines.append(f'<text class="{look}" x="{n(x)}" y="{n(y + 0.35 * PART)}">{part}</text>')
    return "".join([*lines, "</g>"])
