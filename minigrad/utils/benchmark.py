"""How long a line of code takes.

>>> timer = Timer("x * 2", setup="x = minigrad.ones(3)", label="a product")
>>> timer.timeit(100).number_per_run
100
"""

import textwrap
import timeit
from dataclasses import dataclass
from typing import Any

import numpy as np

import minigrad

UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass(repr=False)
class Measurement:
    """What a `Timer` found: `raw_times` in seconds, each for `number_per_run` runs of the statement."""

    number_per_run: int
    raw_times: list[float]
    timer: "Timer"

    @property
    def times(self) -> list[float]:
        """Seconds per run, for each measurement."""
        return [time / self.number_per_run for time in self.raw_times]

    @property
    def mean(self) -> float:
        return float(np.mean(self.times))

    @property
    def median(self) -> float:
        return float(np.median(self.times))

    @property
    def iqr(self) -> float:
        """The range of the middle half, as the measure of how sure the median is."""
        low, high = self._middle()
        return high - low

    def _middle(self) -> tuple[float, float]:
        low, high = np.quantile(self.times, [0.25, 0.75])
        return float(low), float(high)

    def __repr__(self) -> str:
        unit, scale = next(((u, s) for u, s in UNITS.items() if self.median < 1000 * s), ("s", 1.0))
        count = len(self.raw_times)
        lines = [object.__repr__(self), *self.timer.summary()]
        lines.append(f"  {'Median: ' if count > 1 else ''}{self.median / scale:.2f} {unit}")
        if count >= 4:
            low, high = self._middle()
            lines.append(f"  IQR:    {self.iqr / scale:.2f} {unit} ({low / scale:.2f} to {high / scale:.2f})")
        runs = f"{self.number_per_run} runs {'per measurement,' if count > 1 else ','} 1 thread"
        lines.append(f"  {count} measurement{'s' if count > 1 else ''}, {runs}")
        if self.iqr > 0.1 * self.median:
            lines.append(
                f"  WARNING: Interquartile range is {self.iqr / self.median * 100:.1f}% of the median measurement."
            )
            gross = self.iqr > 0.25 * self.median
            reason = (
                "This suggests significant environmental influence."
                if gross
                else "This could indicate system fluctuation."
            )
            lines.append(f"           {reason}")
        return "\n".join(lines)


class Timer:
    """Runs `stmt` again and again, after `setup`; both see `globals`, and minigrad also by the name torch."""

    def __init__(
        self,
        stmt: str = "pass",
        setup: str = "pass",
        global_setup: str = "",
        timer: Any = timeit.default_timer,
        globals: dict[str, Any] | None = None,
        label: str | None = None,
        sub_label: str | None = None,
        description: str | None = None,
        env: str | None = None,
        num_threads: int = 1,
    ) -> None:
        if not isinstance(stmt, str):
            raise ValueError(f"Currently only a `str` stmt is supported, but got {type(stmt).__name__}")
        self.stmt, self.setup = textwrap.dedent(stmt).strip(), textwrap.dedent(setup).strip()
        self.label, self.sub_label, self.description = label, sub_label, description
        names = {"minigrad": minigrad, "torch": minigrad} | (globals or {})
        self._timer = timeit.Timer(self.stmt, self.setup, timer, names)

    def timeit(self, number: int = 1_000_000) -> Measurement:
        """One measurement of so many runs, after a few to warm up."""
        self._timer.timeit(max(number // 100, 2))
        return Measurement(number, [self._timer.timeit(number)], self)

    def blocked_autorange(self, callback: Any = None, min_run_time: float = 0.2) -> Measurement:
        """Measurements of as many runs as make the clock's own cost small, for `min_run_time` seconds in all."""
        number = 1
        while (time := self._timer.timeit(number)) < min_run_time / 1000 and number < 10**9:
            number *= 10
        times = [time] if time >= min_run_time else []
        while sum(times) < min_run_time:
            times.append(self._timer.timeit(number))
            if callback:
                callback(number, times[-1])
        return Measurement(number, times, self)

    def summary(self) -> list[str]:
        """What was measured, in the lines of a measurement's printed form."""
        several = self.label is None and "\n" in self.stmt
        title = f"stmt:\n{textwrap.indent(self.stmt, '  ')}\n" if several else self.label or self.stmt
        title += f": {self.sub_label}" if self.sub_label else ""
        setup = ""
        if self.setup and self.setup != "pass":
            several = "\n" in self.setup
            setup = f"setup:\n{textwrap.indent(self.setup, '  ')}\n" if several else f"setup: {self.setup}"
        return [line for line in (title, self.description, setup) if line]
