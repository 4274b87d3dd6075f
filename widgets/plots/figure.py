"""A plot: a figure in the project's style, the same facts in words, and one picture for the light and the dark theme.

>>> from widgets import plot_activations
>>> figure, axes = plot = plot_activations(["tanh"])
>>> plot
tanh: from -0.9993 to 0.9993; its derivative from 0.001341 to 1
"""

import functools
import html
import io
import math
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from PIL import Image

from ..colours import COLOURS, PAPER, css
from ..drawing import raster
from ..words import say

WIDTH = 6.0  # inches: fits in a notebook of 700 pixels, and on a page
POWERS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
THEMES = ("auto", "light", "dark")
# Where something is drawn: a hundredth of a point is enough, and the same on every machine.
PLACES, DIGITS = re.compile(r' (?:d|x|y|transform)="[^"]*"'), re.compile(r"(\.\d\d)\d+")
NOTHING_PRIVATE = {"Date": None, "Creator": None}  # no date and no version in a file

_theme = "auto"


def set_theme(theme: str = "auto") -> None:
    """Choose the colours of the plots that are drawn from now on.

    Args:
        theme: "light", "dark", or "auto": a picture that adapts itself to where it is shown. What cannot adapt, such as
            a PNG, is light then.
    """
    global _theme
    if theme not in THEMES:
        raise ValueError(f"theme must be one of {', '.join(THEMES)}, not {theme!r}")
    _theme = theme


def colour(meaning: str) -> str:
    """What a line or word of this meaning is drawn in."""
    return getattr(COLOURS[meaning], "dark" if _theme == "dark" else "light")


def style(theme: str | None = None) -> Any:
    """Inside `with style():`, matplotlib draws as our style sheets say."""
    return matplotlib.rc_context(_settings((theme or _theme) == "dark"))


@functools.cache
def _settings(dark: bool) -> Any:
    folder = Path(__file__).parent
    sheets = [folder / "minigrad.mplstyle", folder / "dark.mplstyle"]
    read = [matplotlib.rc_params_from_file(sheet, use_default_template=False) for sheet in sheets[: 1 + dark]]
    return {name: value for settings in read for name, value in settings.items()}


class Plot:
    """A drawn figure: shown as a picture in a notebook, and as words where there are no pictures.

    `figure, axes = plot` takes it apart: the axes are one Axes, or a list of them.

    Attributes:
        figure: matplotlib's Figure.
        axes: the Axes that were drawn on.
        text: what the picture shows, in words. It is the same on every machine, so tests of notebooks may compare it.
        numbers: those behind the words, unrounded.
    """

    def __init__(self, axes: Sequence[Axes], title: str, lines: Sequence[str], own: bool, **numbers: Any) -> None:
        self.axes = axes[0] if len(axes) == 1 else list(axes)
        self.figure: Any = axes[0].figure
        self.title, self.text, self.numbers = title, "\n".join(lines), numbers
        self._own, self._theme = own, _theme

    def __iter__(self) -> Iterator[Any]:
        return iter((self.figure, self.axes))

    def __repr__(self) -> str:
        return self.text

    @property
    def svg(self) -> str:
        """The picture; its colours follow the theme of the page, unless `set_theme` has fixed them."""
        file, canvas = io.StringIO(), self.figure.canvas
        try:
            with style(self._theme):  # savefig() would draw everything twice
                FigureCanvasSVG(self.figure).print_svg(file, metadata=NOTHING_PRIVATE)
        finally:
            self.figure.set_canvas(canvas)
        text = file.getvalue()
        text = re.sub(r"\s*<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
        text = PLACES.sub(lambda place: DIGITS.sub(r"\1", place[0]), text)
        title = f"\n<title>{html.escape(self.title)}</title>\n<desc>{html.escape(self.text)}</desc>"
        if self._theme == "auto":
            title += f"\n<style>{css()}.mg-plot text{{fill:var(--mg-ink)}}</style>"  # matplotlib leaves black unsaid
            text = PAINT.sub(_themed, text)
        return text.replace(">", f' class="mg-plot" role="img" style="max-width:100%;height:auto">{title}', 1)

    def save(self, path: str | Path) -> None:
        """Write the picture to a file: SVG, PNG or PDF, by the file's ending."""
        path = Path(path)
        if path.suffix == ".svg":
            path.write_text(self.svg, encoding="utf-8", newline="\n")
        elif path.suffix in (".png", ".pdf"):
            with style(self._theme):
                self.figure.savefig(path)
        else:
            raise ValueError(f"a plot is saved as .svg, .png or .pdf, not as '{path.name}'")

    def shown(self) -> tuple[dict[str, str], dict[str, Any]]:
        """As an output: SVG for the page's theme, PNG for what shows no SVG, and the words."""
        file = io.BytesIO()
        with style("light" if self._theme == "auto" else self._theme):
            self.figure.savefig(file, format="png", dpi=raster.SCALE * 96)
        png = raster.small(Image.open(file).convert("RGB"))
        return raster.output(self.text, png, self.title, **{"image/svg+xml": self.svg})

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict[str, str], dict[str, Any]]:
        # On the caller's own axes we show nothing: their figure is shown in their way.
        return self.shown() if self._own else ({"text/plain": self.text}, {})


def _themed(paint: re.Match) -> str:
    """A paint with its custom property behind it; a viewer that knows none of these takes the first."""
    return f"{paint[0]}; {paint[1]}: {THEMED[paint[2]]}" if paint[2] in THEMED else paint[0]


PAINT = re.compile("(fill|stroke): (#[0-9a-f]{6})")
THEMED = {colour.light: f"var(--mg-{name})" for name, colour in COLOURS.items()}
THEMED |= {PAPER["light"]: "var(--mg-paper)", "#000000": "var(--mg-ink)"}  # black is matplotlib's own ink


def panels(ax: Any, count: int, columns: int | None = None, height: float = 2.9) -> list[Axes]:
    """The Axes to draw on: the caller's, or `count` new ones in rows of `columns`, each `height` inches high."""
    if ax is None:
        columns = min(columns or count, count)
        rows = math.ceil(count / columns)
        axes = Figure(figsize=(WIDTH, rows * height)).subplots(rows, columns, squeeze=False).ravel()
        for spare in axes[count:]:
            spare.remove()
        return list(axes[:count])
    given = list(np.ravel(np.asarray(ax, dtype=object)))
    if len(given) != count or not all(isinstance(one, Axes) for one in given):
        wanted = "one Axes" if count == 1 else f"{count} Axes, such as those of plt.subplots(1, {count})"
        raise TypeError(f"ax must be {wanted}, but got {len(given)} {type(given[0]).__name__ if given else ''}".strip())
    for one in given:
        pyplot = sys.modules.get("matplotlib.pyplot")
        closed = pyplot and hasattr(one.figure, "number") and not pyplot.fignum_exists(one.figure.number)
        if one.figure is None or closed:
            raise ValueError("the figure of ax is closed; make a new one, or leave ax out")
    return given


def number(value: float) -> str:
    """A number in words: four digits, and never a minus before zero.

    >>> number(0.123456), number(-0.0)
    ('0.1235', '0')
    """
    return f"{float(value) + 0:.4g}"


def apart(found: np.ndarray, expected: np.ndarray, scale: Any = None) -> tuple[float, str]:
    """The largest difference, and it in words: of a small one a bound, as its digits differ from machine to machine.

    What is below a few times the precision of the numbers at `scale` (by default, the expected ones) is rounding.

    >>> apart(np.float32([0.1, 1.0]), np.array([0.1, 1.0]))[1], apart(np.array([1.0]), np.array([1.02]))[1]
    ('below 1e-06, which is rounding', '0.02')
    """
    both = np.isfinite(found) & np.isfinite(expected)
    if not both.any():
        return math.nan, say("plots.no_number")
    found, expected = found[both], expected[both]
    difference = float(np.max(np.abs(found.astype(float) - expected)))
    largest = float(np.nanmax(np.abs(expected if scale is None else scale)))
    rounding = 4 * np.finfo(found.dtype).eps * largest
    if not difference and not rounding:
        return 0.0, say("plots.no_difference")
    most = 10.0 ** math.ceil(math.log10(max(difference, rounding)))
    words = say("plots.rounding" if difference <= rounding else "plots.below", most=f"{most:g}")
    if difference > largest / 1000:  # as a picture shows
        words = number(difference)
    return difference, words if both.all() else say("plots.where_finite", difference=words)


def span(values: np.ndarray) -> str:
    """Between which bounds numbers lie, and how many are none.

    >>> span(np.array([2.0, np.nan, 1.0]))
    'from 1 to 2, and 1 not finite'
    """
    finite = values[np.isfinite(values)]
    if not finite.size:
        return say("plots.none_finite")
    strange = values.size - finite.size
    bounds = {"low": number(finite.min()), "high": number(finite.max())}
    return say("plots.from_to_but", **bounds, number=strange) if strange else say("plots.from_to", **bounds)


def power_of_ten(exponent: float) -> str:
    """
    >>> power_of_ten(-5)
    '10⁻⁵'
    """
    return f"10{superscript(round(exponent))}"


def superscript(whole: int) -> str:
    return str(whole).translate(POWERS)


def plain_powers(axis: Any) -> None:
    """Plain words for a logarithmic axis: matplotlib's formulas take most of the time that drawing takes."""
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(lambda value, _: power_of_ten(math.log10(value)))


def open_up(axes: Axes) -> None:
    """Give a flat line room above and below, lest its rounding fills the panel."""
    low, high = axes.get_ylim()
    least = 0.2 * max(abs(low), abs(high))
    if high - low < least:
        axes.set_ylim((low + high - least) / 2, (low + high + least) / 2)
