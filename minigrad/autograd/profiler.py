"""Where the time goes: a listener that keeps a list of what ran, and when."""

import re
import threading
from collections.abc import Callable
from contextlib import ContextDecorator
from time import perf_counter_ns

from ..core import events

SORT_KEYS = ("cpu_time", "cpu_time_total", "self_cpu_time_total", "count")


class FunctionEvent:
    """One thing that ran: an operation, a node of the backward, or a labelled block."""

    count = 1
    sequence_nr = -1  # the node's age: what ties an operation to its backward
    is_backward = False

    def __init__(self, name: str, start: float, end: float) -> None:
        """It ran from `start` to `end`, in microseconds since the profile began."""
        self.name = self.key = name
        self.start, self.end, self.thread = start, end, threading.get_ident()
        self.cpu_children: list[FunctionEvent] = []
        self.cpu_time = self.cpu_time_total = end - start

    @property
    def self_cpu_time_total(self) -> float:
        """The time less that of what ran inside."""
        return self.cpu_time_total - sum(child.cpu_time_total for child in self.cpu_children)


class FunctionEventAvg:
    """All runs of one name together."""

    def __init__(self, key: str, events: list) -> None:
        self.key, self.count = key, len(events)
        self.cpu_time_total = sum(event.cpu_time_total for event in events)
        self.self_cpu_time_total = sum(event.self_cpu_time_total for event in events)
        self.cpu_time = self.cpu_time_total / self.count  # the average of one run


class EventList(list):
    """Events, or averages of them."""

    @property
    def self_cpu_time_total(self) -> float:
        return sum(event.self_cpu_time_total for event in self)

    def key_averages(self) -> "EventList":
        """One row per name."""
        groups: dict[str, list] = {}
        for event in self:
            groups.setdefault(event.name, []).append(event)
        return EventList(FunctionEventAvg(name, events) for name, events in groups.items())

    def table(self, sort_by: str | None = None, row_limit: int = 100) -> str:
        """The events as text, the largest by `sort_by` first, such as "self_cpu_time_total"."""
        if sort_by is not None and sort_by not in SORT_KEYS:
            raise ValueError(f"sort_by must be one of {', '.join(SORT_KEYS)}, but is '{sort_by}'")
        rows = sorted(self, key=lambda row: -getattr(row, sort_by)) if sort_by else list(self)
        whole, limit = self.self_cpu_time_total or 1.0, None if row_limit < 0 else row_limit
        columns: dict[str, Callable] = {
            "Name": lambda row: row.key,
            "Self CPU %": lambda row: f"{100 * row.self_cpu_time_total / whole:.2f}%",
            "Self CPU": lambda row: written(row.self_cpu_time_total),
            "CPU total %": lambda row: f"{100 * row.cpu_time_total / whole:.2f}%",
            "CPU total": lambda row: written(row.cpu_time_total),
            "CPU time avg": lambda row: written(row.cpu_time),
            "# of Calls": lambda row: str(row.count),
        }
        cells = [list(columns), *([cell(row) for cell in columns.values()] for row in rows[:limit])]
        widths = [max(12, *map(len, column)) for column in zip(*cells)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in cells]
        rule = "  ".join("-" * width for width in widths)
        total = f"Self CPU time total: {written(self.self_cpu_time_total)}"
        return "\n".join([rule, lines[0], rule, *lines[1:], rule, total, ""])

    def __str__(self) -> str:
        return self.table()


class profile:
    """Profile what runs inside the block, forward and backward. `use_cuda` is ignored; there is none.

    >>> import minigrad as mg
    >>> x = mg.ones(2, 3, requires_grad=True)
    >>> with mg.autograd.profiler.profile() as prof:
    ...     for _ in range(3):
    ...         y = x * 2
    >>> [(row.key, row.count) for row in prof.key_averages()]
    [('aten::mul', 3)]
    """

    def __init__(self, *, use_cuda: bool = False) -> None:
        self.function_events = EventList()
        # what an EventList does, the profile does too
        self.key_averages, self.table = self.function_events.key_averages, self.function_events.table
        self._used = False

    @property
    def self_cpu_time_total(self) -> float:
        return self.function_events.self_cpu_time_total

    def __enter__(self) -> "profile":
        if self._used:
            raise RuntimeError("Profiler context manager is not reentrant")
        self._used, self._began = True, perf_counter_ns()
        self._listening = events.listen(self._hear, events.Made, events.Visited)
        self._listening.__enter__()
        running.append(self)
        return self

    def __exit__(self, *exception) -> None:
        self._listening.__exit__(*exception)
        running.remove(self)
        self._nest()

    def _hear(self, event) -> None:
        is_backward = isinstance(event, events.Visited)
        name = event.node.name() if is_backward else "aten::" + aten_name(event.op)
        ran = self.add(name, event.started, event.ended)
        ran.is_backward = is_backward
        if event.node is not None:
            ran.sequence_nr = event.node.sequence

    def add(self, name: str, started: int, ended: int) -> FunctionEvent:
        ran = FunctionEvent(name, (started - self._began) / 1e3, (ended - self._began) / 1e3)
        self.function_events.append(ran)
        return ran

    def _nest(self) -> None:
        """What ran within another thing's time, in the same thread, ran inside it."""
        self.function_events.sort(key=lambda event: (event.thread, event.start, -event.end))
        around: list = []
        for event in self.function_events:
            while around and (around[-1].thread != event.thread or around[-1].end < event.end):
                around.pop()
            if around:
                around[-1].cpu_children.append(event)
            around.append(event)


running: list[profile] = []


class record_function(ContextDecorator):
    """Label a block, in the profile, with a name of your own. Also a decorator.

    >>> import minigrad as mg
    >>> with mg.autograd.profiler.profile() as prof:
    ...     with mg.autograd.profiler.record_function("my block"):
    ...         y = mg.ones(2) * 2
    >>> [(row.key, row.count) for row in prof.key_averages()]
    [('my block', 1), ('aten::mul', 1)]
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name = name

    def _recreate_cm(self) -> "record_function":
        return record_function(self.name)  # each call of a decorated function has a beginning of its own

    def __enter__(self) -> "record_function":
        self._started = perf_counter_ns()
        return self

    def __exit__(self, *exception) -> None:
        ended = perf_counter_ns()
        for profiler in running:
            profiler.add(self.name, self._started, ended)


def aten_name(op) -> str:
    """PyTorch's name of an operation: that of the node, where the table has its own for the row."""
    given = getattr(op, "grad_fn", None)
    if not isinstance(given, str):
        return op.name
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", given.partition("Backward")[0]).lower()


def written(microseconds: float) -> str:
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if microseconds >= size:
            return f"{microseconds / size:.3f}{unit}"
    return f"{microseconds:.3f}us"
