"""A network's parameters and their gradients, layer by layer: where gradients vanish or explode."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from minigrad import Tensor

from ..words import say
from .figure import Plot, colour, panels, power_of_ten, span, style
from .given import array

FADED = 0.01  # of the gradient at the output: less at the input has vanished, and 1 / FADED of it has exploded
BINS = 40


def plot_parameters(model: Any, *, ax: Any = None) -> Plot:
    """Draw, for each parameter, a histogram of its values and one of the sizes of its gradients.

    Sizes are on a scale of powers of ten that all layers share: gradients that vanish drift to the left from layer to
    layer, exploding ones to the right. A gradient of 0 has no place there and is counted in words.

    Args:
        model: a module, or a mapping from names to Tensors.
        ax: two Axes of your own to draw on.

    >>> import minigrad as mg
    >>> w = mg.tensor([1.0, -2.0], requires_grad=True)
    >>> b = mg.tensor([0.5], requires_grad=True)
    >>> (3 * w).sum().backward()
    >>> plot_parameters({"w": w, "b": b})
    w, 2 values: from -2 to 1; typical |gradient| 3
    b, 1 value: from 0.5 to 0.5; .grad –
    """
    named = dict(model if isinstance(model, Mapping) else _named_parameters(model))
    if not named or not all(isinstance(tensor, Tensor) and tensor.numel() for tensor in named.values()):
        raise TypeError("model must be a module with parameters, or a mapping from names to Tensors that are not empty")
    values = {name: array(tensor).ravel().astype(float) for name, tensor in named.items()}
    sizes = {name: np.abs(array(t.grad)).ravel().astype(float) for name, t in named.items() if t.grad is not None}
    drawn = {name: np.log10(size[(size > 0) & np.isfinite(size)]) for name, size in sizes.items()}
    with style():
        axes = panels(ax, 2, height=1.1 + min(0.42, 9 / len(named)) * len(named))
        _ridges(axes[0], list(named), values, colour("parameter"))
        axes[0].set(title=say("plots.parameters.values"), xlabel=say("plots.parameters.value"))
        _ridges(axes[1], list(named), drawn, colour("gradient"))
        axes[1].set(title=say("plots.parameters.gradients"), xlabel=say("plots.parameters.gradient"))
        axes[1].xaxis.set_major_formatter(lambda power, _: power_of_ten(power))
        axes[1].tick_params(labelleft=False)
        axes[1].locator_params(axis="x", integer=True)
    lines = []
    for name in named:
        told = {"name": name, "count": values[name].size, "values": span(values[name])}
        lines.append(say("plots.parameters.one", **told, gradients=_gradient_words(sizes.get(name))))
    lines += _trend([(name, size) for name, size in sizes.items() if named[name].dim() > 1])
    return Plot(axes, say("plots.parameters.title"), lines, ax is None, values=values, gradients=sizes)


def _named_parameters(model: Any) -> Any:
    if not hasattr(model, "named_parameters"):
        raise TypeError(f"model must be a module, or a mapping from names to Tensors, but is {type(model).__name__}")
    return model.named_parameters()


def _ridges(panel: Any, names: list[str], samples: Mapping[str, np.ndarray], tone: str) -> None:
    """One histogram above the other, on one scale, the first on top."""
    every = np.concatenate([sample[np.isfinite(sample)] for sample in samples.values()] or [[]])
    low, high = (every.min(), every.max()) if every.size else (-1.0, 1.0)
    room = 0.02 * (high - low) or 0.5
    edges = np.linspace(low - room, high + room, BINS + 1)
    for row, name in enumerate(names):
        panel.axhline(row, color=colour("constant"), linewidth=0.6)
        if not len(samples.get(name, ())):
            panel.text(0.02, row - 0.1, "–", transform=panel.get_yaxis_transform())  # nothing has arrived, or all is 0
            continue
        counts = np.histogram(samples[name], edges)[0]
        panel.stairs(row - 0.85 * counts / max(1, counts.max()), edges, baseline=row, fill=True, color=tone, label=name)
    panel.set_yticks(range(len(names)), names)
    panel.set(ylim=(len(names) - 0.85, -1), xlim=edges[[0, -1]])
    panel.grid(visible=False, axis="y")
    panel.locator_params(axis="x", nbins=5)


def _gradient_words(size: np.ndarray | None) -> str:
    if size is None:
        return ".grad –"
    if not np.isfinite(size).all():
        return say("plots.parameters.not_finite", number=np.count_nonzero(~np.isfinite(size)))
    zeros = np.count_nonzero(size == 0)
    if zeros == size.size:
        return say("plots.parameters.all_zero")
    middle = float(np.median(size[size > 0]))  # two digits of it: the smallest sizes are another machine's rounding
    key = "typical_but" if zeros else "typical"
    return say(f"plots.parameters.{key}", size=f"{middle:.2g}", number=zeros)


def _trend(sizes: list[tuple[str, np.ndarray]]) -> list[str]:
    """What becomes of gradients on their way from the last matrix back to the first."""
    if len(sizes) < 2:
        return []
    (first, at_input), (last, at_output) = ((name, np.sqrt(np.mean(size**2))) for name, size in (sizes[0], sizes[-1]))
    if not (np.isfinite([at_input, at_output]).all() and at_output):
        return []
    share = at_input / at_output
    key = "vanish" if share < FADED else "explode" if share > 1 / FADED else "stay"
    return [say(f"plots.parameters.{key}", last=last, first=first, share=f"{share:.1g}")]
