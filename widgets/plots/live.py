"""A plot that moves: sliders above a picture, and the words below it."""

import html
from collections.abc import Callable
from typing import Any

import ipywidgets

from ..places import Inside
from .figure import Plot


def slider(label: str, value: float, low: float, high: float) -> ipywidgets.FloatSlider:
    """A slider that arrow keys move by about a hundredth of its length, and that can stand at `value`."""
    look = {"description_width": "initial"}  # as wide as the words
    step = (high - low) / 100
    step = (value - low) / max(1, round((value - low) / step)) or step
    return ipywidgets.FloatSlider(
        value=value, min=low, max=high, step=step, description=label, readout_format=".3g", style=look
    )


class Live:
    """A plot with sliders. Without a kernel (in an exported page, on paper) it is the plot as it was drawn first.

    Attributes:
        plot: the `Plot`, with its figure, axes, text and numbers as they are now.
        sliders: ipywidgets' sliders, by name; setting a `value` moves the picture.
        place: what a notebook shows: the first picture, and a place for all of this.
    """

    def __init__(self, plot: Plot, sliders: dict[str, ipywidgets.FloatSlider], draw: Callable[..., list[str]]) -> None:
        self.plot, self.sliders, self._draw = plot, sliders, draw
        first = plot.shown()
        plot.figure.set_layout_engine("none")  # it has found its layout; finding it again takes half of the time
        self._picture, self._words = ipywidgets.HTML(plot.svg), ipywidgets.HTML()
        self._say()
        for each in sliders.values():
            each.observe(self._move, "value")
        self.place = Inside(ipywidgets.VBox([*sliders.values(), self._picture, self._words]), first)

    def _move(self, _change: Any) -> None:
        try:
            lines = self._draw(**{name: each.value for name, each in self.sliders.items()})
        except Exception as error:  # the caller's function may not like every place; a kernel's log is read by nobody
            lines = [f"{type(error).__name__}: {error}"]
        self.plot.text = "\n".join(lines)
        self._picture.value = self.plot.svg
        self._say()

    def _say(self) -> None:
        # A screen reader says what changed.
        self._words.value = f'<pre role="status" style="margin:0">{html.escape(self.plot.text)}</pre>'

    def __iter__(self):
        return iter(self.plot)

    def __repr__(self) -> str:
        return self.plot.text

    def _ipython_display_(self) -> None:
        self.place._ipython_display_()
