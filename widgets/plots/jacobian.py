"""A Jacobian as a heat map, and what a backward makes of it: one vector-Jacobian product."""

from collections.abc import Callable
from typing import Any

import matplotlib.colors
import numpy as np

import minigrad as mg
from minigrad import Tensor
from minigrad.autograd import functional

from ..colours import COLOURS, mix
from ..words import say
from .figure import Plot, apart, colour, number, panels, span, style
from .given import array, callable_, checked, leaf, measuring

MOST = 10  # rows or columns up to which the numbers are written into the squares


def plot_jacobian(
    f: Callable[[Tensor], Tensor],
    x: Any,
    v: Any = None,
    *,
    labels: tuple[str, str] = ("x", "f"),
    ax: Any = None,
) -> Plot:
    """Draw the Jacobian J of `f` at `x` beside the product v·J, which is what one backward started with `v` finds.

    Rows are outputs, columns inputs; tensors of more dimensions are laid out in one row of numbers. Orange is above
    zero, purple below, and the paper's colour is zero.

    Args:
        f: takes one Tensor, returns one.
        x: where.
        v: a weight for each output; ones by default, as in `f(x).sum().backward()`.
        labels: what to call the input and the function.
        ax: two Axes of your own to draw on.

    >>> import minigrad as mg
    >>> plot_jacobian(lambda x: x**2, mg.tensor([1.0, 2.0, 3.0]))
    J = ∂f/∂x: 3 outputs × 3 inputs, from 0 to 6, 6 of 9 entries are zero
    v·J by one backward: [2, 4, 6]; largest difference from the product: below 1e-05, which is rounding
    """
    callable_(f)
    x = leaf(x, "x")
    if not x.numel():
        raise ValueError("x has no elements, and so no Jacobian")
    with measuring():
        out = checked(f(x))
        v = mg.ones_like(out) if v is None else leaf(v, "v", out.dtype)
        if not out.numel() or v.numel() != out.numel():
            raise ValueError(f"v must have a number for each output, but has {v.numel()} for {out.numel()}")
        v = v.reshape(out.shape).detach()
        whole = array(functional.jacobian(f, x)).reshape(out.numel(), x.numel())
        product = array(functional.vjp(f, x, v)[1]).ravel()
        weights = array(v).ravel().astype(float)
        scale = np.abs(weights) @ np.abs(whole)  # of what was added up: where parts cancel, noise remains
        difference, words = apart(product, weights @ whole, scale)
        noise = np.abs(product) < 8 * np.finfo(product.dtype).eps * scale
    variable, function = labels
    symbol, across = f"∂{function}/∂{variable}", say("plots.jacobian.input", name=variable)
    said = np.where(noise, 0, product)
    with style():
        axes = panels(ax, 2, height=3.2)
        _heat(axes[0], whole, f"J = {symbol}", across, say("plots.jacobian.output", name=function))
        _bars(
            axes[1], product, said, "v·J, v = 1" if (weights == 1).all() else say("plots.jacobian.one_backward"), across
        )
    zeros = int((whole == 0).sum())
    size = {"symbol": symbol, "outputs": whole.shape[0], "inputs": whole.shape[1], "all": whole.size}
    lines = [
        say("plots.jacobian.about", **size, values=span(whole), zeros=zeros),
        say("plots.jacobian.product", values=_list(said), difference=words),
    ]
    numbers = {"jacobian": whole, "vjp": product, "difference": difference}
    return Plot(axes, say("plots.jacobian.title", symbol=symbol), lines, ax is None, **numbers)


def signed(image: bool = False) -> matplotlib.colors.Colormap:
    """From purple over nothing to orange: the paper shows through, white or black.

    Squares are so pale that words in ink are readable on them. An image cannot adapt: its tones are half-way between
    the two themes.
    """
    tones = {end: mix(*COLOURS[end], 0.5) if image else colour(end) for end in ("negative", "gradient")}
    below, above = (matplotlib.colors.to_rgb(tone) for tone in tones.values())
    most = 1 if image else 0.65
    shades = [(0, (*below, most)), (0.5, (*below, 0)), (0.5, (*above, 0)), (1, (*above, most))]
    return matplotlib.colors.LinearSegmentedColormap.from_list("signed", shades)


def _heat(panel: Any, values: np.ndarray, title: str, across: str, down: str) -> None:
    most = np.abs(values[np.isfinite(values)]).max(initial=0) or 1
    edges = [np.arange(size + 1) - 0.5 for size in values.shape]
    # Squares of their own change with the theme; many of them are one image, or the file would be large.
    image = values.size > 900
    squares = panel.pcolormesh(*edges[::-1], values, cmap=signed(image), vmin=-most, vmax=most, rasterized=image)
    panel.grid(False)
    panel.invert_yaxis()
    panel.set(title=title, xlabel=across, ylabel=down)
    panel.locator_params(integer=True)
    if max(values.shape) > MOST:
        panel.figure.colorbar(squares, ax=panel)
        return
    panel.set(xticks=range(values.shape[1]), yticks=range(values.shape[0]))
    narrow = values.shape[1] > 3
    for (row, column), value in np.ndenumerate(values):
        words = f"{value:.2g}" if narrow else number(value)
        panel.text(column, row, words, ha="center", va="center", fontsize=7 if values.shape[1] > 6 else 9)


def _bars(panel: Any, values: np.ndarray, words: np.ndarray, title: str, across: str) -> None:
    tones = [colour("negative" if value < 0 else "gradient") for value in values]
    heights = np.where(np.isfinite(values), values, 0)  # of what is not finite, there is only the word
    bars = panel.bar(range(len(values)), heights, color=tones, width=0.8)
    panel.axhline(0, color=colour("constant"), linewidth=0.8)
    panel.set(title=title, xlabel=across)
    panel.locator_params(axis="x", integer=True)
    if len(values) <= MOST:
        panel.set_xticks(range(len(values)))
        panel.bar_label(bars, [number(value) for value in words], padding=2, fontsize=8.5)
        panel.margins(y=0.15)
    if not words.any():
        panel.set_ylim(-1, 1)


def _list(values: np.ndarray) -> str:
    if len(values) <= MOST:
        return f"[{', '.join(map(number, values))}]"
    return say("plots.jacobian.values", number=len(values), values=span(values))
