"""The race: many short rounds in which every contestant runs once, so that a busy machine slows all of them alike.

A ratio is taken within each round, between neighbours in time. Its median over the rounds counts, and the quartiles
say how far to trust it.
"""

from dataclasses import dataclass, field
from statistics import median, quantiles

import numpy as np

SPOKEN = {
    "minigrad": "ours",
    "torch": "PyTorch",
    "numpy": "NumPy",
    "micrograd_style": "micrograd-style",
    "bare_tape": "bare tape",
    "minigrad_untuned": "ours",
    "numpy_untuned": "NumPy",
    "compiled_untuned": "untuned: compiled",
}


@dataclass
class Row:
    """One line of the table: a text for each contestant, a ratio, the figure to reach, and whether it was."""

    work: str
    cells: dict = field(default_factory=dict)
    ratio: str = ""
    figure: str = ""
    reached: bool | None = None


def race(work, runners: dict, rounds: int, budget: float) -> list[Row]:
    """Run one work in all processes that take part, and compare their times with the figures to reach."""
    cells, expected, times = {}, None, {}
    for name, process in runners.items():
        try:
            gradients = process.ask("gradients", work=work.__name__)
        except RuntimeError as error:
            cells[name] = str(error)
            continue
        expected = expected or gradients
        if agree(gradients, expected):
            times[name] = []
        else:
            cells[name] = "other gradients"  # a wrong answer is never fast
    order = list(times)
    for _ in range(rounds):
        for name in order:
            times[name].append(runners[name].ask("seconds", work=work.__name__, budget=budget))
        order.append(order.pop(0))
    cells |= {name: time_text(median(seconds)) for name, seconds in times.items()}
    first, *more = [verdict(times, figure) for figure in work.figures] or [()]
    return [Row(work.title, cells, *first), *(Row("", {}, *each) for each in more)]


def agree(gradients: list, expected: list) -> bool:
    """Whether all gradients are the same but for the rounding of float32."""
    pairs = list(zip(gradients, expected))
    return len(gradients) == len(expected) and all(np.allclose(a, b, 1e-3, 1e-4) for a, b in pairs)


def verdict(times: dict, figure) -> tuple:
    """The ratio that a figure asks for, the figure itself, and whether it was reached."""
    over, under = (figure.ours, figure.rival) if figure.at_most else (figure.rival, figure.ours)
    label = " / ".join(SPOKEN.get(name, name.replace("_", " ")) for name in (over, under))
    wanted = f"≤ {figure.at_most:g}" if figure.at_most else f"≥ {figure.at_least:g}"
    if over not in times or under not in times:
        return label, wanted, None
    ratio, (low, _, high) = compared(times, over, under)
    most = figure.at_most
    if figure.above in times:
        floor, _ = compared(times, figure.above, under)
        most, wanted = most + floor, f"≤ {most:g} + {SPOKEN.get(figure.above)}'s {floor:.3g}"
    reached = ratio <= most if most else ratio >= figure.at_least
    return f"{label} = {ratio:.3g} ({low:.3g}–{high:.3g})", wanted, reached


def compared(times: dict, over: str, under: str) -> tuple:
    """The median of the ratios within the rounds, and their quartiles."""
    ratios = [a / b for a, b in zip(times[over], times[under])]
    return median(ratios), quantiles(ratios, n=4)


def time_text(seconds: float) -> str:
    unit, size = next((pair for pair in (("s", 1), ("ms", 1e-3)) if seconds >= pair[1]), ("µs", 1e-6))
    return f"{seconds / size:.3g} {unit}"
