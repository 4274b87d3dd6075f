"""Shapes as SVG writes them: rectangles, the heads of arrows, and the numbers in them."""

from .layout import HEAD, Point


def outline(left: float, top: float, right: float, bottom: float, radius: float) -> str:
    """A rectangle as a path, with round corners if it has a radius."""
    if not radius:
        return f"M{n(left)} {n(top)}H{n(right)}V{n(bottom)}H{n(left)}z"
    r = n(radius)
    return (
        f"M{n(left + radius)} {n(top)}H{n(right - radius)}a{r} {r} 0 0 1 {r} {r}V{n(bottom - radius)}"
        f"a{r} {r} 0 0 1 -{r} {r}H{n(left + radius)}a{r} {r} 0 0 1 -{r} -{r}V{n(top + radius)}a{r} {r} 0 0 1 {r} -{r}z"
    )


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


def data_id(name: str) -> str:
    return f' data-id="{name}"' if name else ""


def n(number: float) -> str:
    """A number in SVG, with one digit behind the point."""
    text = f"{number:.1f}".removesuffix(".0")
    return text if text != "-0" else "0"
