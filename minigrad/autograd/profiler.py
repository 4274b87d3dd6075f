"""Where the time goes: a listener that keeps a list of what ran, and when.

>>> import minigrad as mg
>>> x = mg.ones(2, 3, requires_grad=True)
>>> with profile() as prof:
...     for _ in range(3):
...         y = x * 2
>>> [(row.key, row.count) for row in prof.key_averages()]
[('aten::mul', 3)]
"""

import functools
import gzip
import json
import os
import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Any, NamedTuple

from ..tensor import Tensor
from . import events

SORT_KEYS = ("cpu_time", "cpu_time_total", "self_cpu_time_total", "cpu_memory_usage", "self_cpu_memory_usage", "count")


class Interval(NamedTuple):
    """From when to when, in microseconds since the profile began."""

    start: float
    end: float

    def elapsed_us(self) -> float:
        return self.end - self.start


@dataclass
class FunctionEvent:
    """One thing that ran: an operation, a node of the backward, or a labelled block."""

    id: int
    name: str
    time_range: Interval
    thread: int
    input_shapes: list = field(default_factory=list)
    stack: list = field(default_factory=list)
    cpu_memory_usage: int = 0
    sequence_nr: int = -1  # the node's age: what ties an operation to its backward
    is_backward: bool = False
    cpu_children: list = field(default_factory=list)
    count = 1

    @property
    def key(self) -> str:
        """What it is counted under: its name; all steps of a loop together."""
        return "ProfilerStep*" if self.name.startswith("ProfilerStep#") else self.name

    @property
    def cpu_time_total(self) -> float:
        return self.time_range.elapsed_us()

    cpu_time = cpu_time_total

    @property
    def self_cpu_time_total(self) -> float:
        """The time less that of what ran inside."""
        return self.cpu_time_total - sum(child.cpu_time_total for child in self.cpu_children)

    @property
    def self_cpu_memory_usage(self) -> int:
        return self.cpu_memory_usage - sum(child.cpu_memory_usage for child in self.cpu_children)

    def __repr__(self) -> str:
        return f"<FunctionEvent id={self.id} name={self.name} cpu_time={written(self.cpu_time_total)}>"


@dataclass
class FunctionEventAvg:
    """All runs of one name (and, where asked, one set of input shapes) together."""

    key: str
    input_shapes: list
    stack: list
    count: int = 0
    cpu_time_total: float = 0.0
    self_cpu_time_total: float = 0.0
    cpu_memory_usage: int = 0
    self_cpu_memory_usage: int = 0

    def add(self, event: Any) -> None:
        self.count += event.count
        self.cpu_time_total += event.cpu_time_total
        self.self_cpu_time_total += event.self_cpu_time_total
        self.cpu_memory_usage += event.cpu_memory_usage
        self.self_cpu_memory_usage += event.self_cpu_memory_usage

    @property
    def cpu_time(self) -> float:
        """The average of one run."""
        return self.cpu_time_total / self.count if self.count else 0.0

    def __repr__(self) -> str:
        return (
            f"<FunctionEventAvg key={self.key} self_cpu_time={written(self.self_cpu_time_total)} "
            f"cpu_time={written(self.cpu_time)} input_shapes={self.input_shapes or ''} "
            f"cpu_memory_usage={self.cpu_memory_usage}>"
        )


class EventList(list):
    """Events, or averages of them."""

    def __init__(self, entries: Iterable, show_shapes: bool = False, show_memory: bool = False) -> None:
        super().__init__(entries)
        self.show_shapes, self.show_memory = show_shapes, show_memory

    @property
    def self_cpu_time_total(self) -> float:
        return sum(event.self_cpu_time_total for event in self)

    def key_averages(self, group_by_input_shape: bool = False, group_by_stack_n: int = 0) -> "EventList":
        """One row per name; with `group_by_input_shape`, per name and shapes."""
        groups: dict = {}
        for event in self:
            shapes = event.input_shapes if group_by_input_shape else []
            stack = event.stack[:group_by_stack_n]
            group = groups.setdefault((event.key, str(shapes), *stack), FunctionEventAvg(event.key, shapes, stack))
            group.add(event)
        return EventList(groups.values(), group_by_input_shape, self.show_memory)

    def total_average(self) -> FunctionEventAvg:
        """Everything as one row."""
        total = FunctionEventAvg("Total", [], [])
        for event in self:
            total.add(event)
        return total

    def table(
        self,
        sort_by: str | None = None,
        row_limit: int = 100,
        max_src_column_width: int = 75,
        max_name_column_width: int = 55,
        header: str | None = None,
        top_level_events_only: bool = False,
    ) -> str:
        """The events as text, the largest by `sort_by` first, such as "self_cpu_time_total"."""
        if sort_by is not None and sort_by not in SORT_KEYS:
            raise ValueError(f"sort_by must be one of {', '.join(SORT_KEYS)}, but is '{sort_by}'")
        rows = sorted(self, key=lambda row: -getattr(row, sort_by)) if sort_by else list(self)
        whole = sum(row.self_cpu_time_total for row in self) or 1.0
        columns: list = [
            ("Name", lambda row: shortened(row.key, max_name_column_width)),
            ("Self CPU %", lambda row: f"{100 * row.self_cpu_time_total / whole:.2f}%"),
            ("Self CPU", lambda row: written(row.self_cpu_time_total)),
            ("CPU total %", lambda row: f"{100 * row.cpu_time_total / whole:.2f}%"),
            ("CPU total", lambda row: written(row.cpu_time_total)),
            ("CPU time avg", lambda row: written(row.cpu_time)),
        ]
        if self.show_memory:
            columns += [("CPU Mem", lambda row: bytes_written(row.cpu_memory_usage))]
            columns += [("Self CPU Mem", lambda row: bytes_written(row.self_cpu_memory_usage))]
        columns.append(("# of Calls", lambda row: str(row.count)))
        if self.show_shapes:
            columns.append(("Input Shapes", lambda row: shortened(str(row.input_shapes), max_src_column_width)))
        cells = [[cell(row) for _, cell in columns] for row in rows[: row_limit if row_limit >= 0 else None]]
        widths = [max(12, len(title), *(len(line[i]) for line in cells), 0) for i, (title, _) in enumerate(columns)]
        widths[0] = max([len(line[0]) + 4 for line in cells] + [12])
        rule = "  ".join("-" * width for width in widths)
        lines = [rule, "  ".join(title.rjust(width) for (title, _), width in zip(columns, widths)), rule]
        lines += ["  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in cells]
        lines += [rule, f"Self CPU time total: {written(self.self_cpu_time_total)}", ""]
        return "\n".join([header, *lines] if header else lines)

    def __str__(self) -> str:
        return self.table()

    def export_chrome_trace(self, path) -> None:
        """Write a file that a trace viewer opens, with an arrow from each operation to its backward.

        It is compressed where the name ends with .gz.
        """
        process, trace, forwards = os.getpid(), [], {}
        for event in self:
            place = {"pid": process, "tid": event.thread, "ts": event.time_range.start}
            kind = "cpu_op" if "::" in event.name or event.is_backward else "user_annotation"
            details = {"Input Dims": event.input_shapes} if event.input_shapes else {}
            trace.append(
                {"ph": "X", "cat": kind, "name": event.name, "dur": event.cpu_time_total, "args": details} | place
            )
            if event.sequence_nr >= 0:
                link = {"cat": "fwdbwd", "name": "fwdbwd", "id": event.sequence_nr} | place
                if not event.is_backward:
                    forwards[event.sequence_nr] = link | {"ph": "s"}
                elif event.sequence_nr in forwards:
                    trace += [forwards.pop(event.sequence_nr), link | {"ph": "f", "bp": "e"}]
        opened = gzip.open if str(path).endswith(".gz") else open
        with opened(path, "wt", encoding="utf-8") as file:
            json.dump({"schemaVersion": 1, "displayTimeUnit": "ms", "traceEvents": trace}, file)


class profile:
    """Profile what runs inside the block, forward and backward.

    Args:
        enabled: False does nothing, at no cost.
        use_cuda: accepted and ignored; there is none.
        record_shapes: keep the shapes of the inputs.
        with_stack: keep the user's line of code.
        profile_memory: count the bytes of the results.
    """

    def __init__(
        self,
        enabled: bool = True,
        *,
        use_cuda: bool = False,
        use_device: str | None = None,
        record_shapes: bool = False,
        with_flops: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_modules: bool = False,
        use_kineto: bool = True,
        use_cpu: bool = True,
    ) -> None:
        self.enabled, self.record_shapes = enabled, record_shapes
        self.profile_memory, self.with_stack = profile_memory, with_stack
        self.function_events = EventList([], show_memory=profile_memory)
        self._used = False

    def __enter__(self) -> "profile":
        if not self.enabled:
            return self
        if self._used:
            raise RuntimeError("Profiler context manager is not reentrant")
        self._used, self._began = True, perf_counter_ns()
        self._listening = events.listen(self._hear, events.Made, events.Visited, source=self.with_stack)
        self._listening.__enter__()
        running.append(self)
        return self

    def __exit__(self, *exception) -> None:
        if self.enabled:
            self._listening.__exit__(*exception)
            running.remove(self)
            self._nest()

    def _hear(self, event) -> None:
        if isinstance(event, events.Made):
            tensors = [value for value in event.values if isinstance(value, Tensor)]
            shapes = [list(tensor.shape) for tensor in tensors] if self.record_shapes else []
            results = event.output if isinstance(event.output, tuple) else (event.output,)
            size = sum(r.array.nbytes for r in results if isinstance(r, Tensor)) if self.profile_memory else 0
            stack = [str(event.source)] if event.source else []
            age = event.node.sequence if event.node else -1
            self.add("aten::" + aten_name(event.op), event.started, event.ended, shapes, stack, size, age)
        else:
            shapes = [list(event.gradient.shape)] if self.record_shapes and event.node.outputs == 1 else []
            self.add(event.node.name(), event.started, event.ended, shapes, [], 0, event.node.sequence, True)

    def add(self, name, started, ended, shapes=(), stack=(), size=0, age=-1, is_backward=False) -> None:
        interval = Interval((started - self._began) / 1e3, (ended - self._began) / 1e3)
        thread, events = threading.get_ident(), self.function_events
        events.append(
            FunctionEvent(len(events), name, interval, thread, list(shapes), list(stack), size, age, is_backward)
        )

    def _nest(self) -> None:
        """What ran within another thing's time, in the same thread, ran inside it."""
        self.function_events.sort(key=lambda event: (event.thread, event.time_range.start, -event.time_range.end))
        around: list = []
        for event in self.function_events:
            while around and (around[-1].thread != event.thread or around[-1].time_range.end < event.time_range.end):
                around.pop()
            if around:
                around[-1].cpu_children.append(event)
            around.append(event)

    def key_averages(self, group_by_input_shape: bool = False, group_by_stack_n: int = 0) -> EventList:
        return self.function_events.key_averages(group_by_input_shape, group_by_stack_n)

    def total_average(self) -> FunctionEventAvg:
        return self.function_events.total_average()

    def table(self, sort_by=None, row_limit=100, **options) -> str:
        return self.function_events.table(sort_by, row_limit, **options)

    def export_chrome_trace(self, path) -> None:
        self.function_events.export_chrome_trace(path)

    @property
    def self_cpu_time_total(self) -> float:
        return self.function_events.self_cpu_time_total

    def __repr__(self) -> str:
        return repr(list(self.function_events)) if self.enabled else "<disabled torch.autograd.profiler.profile>"


running: list[profile] = []


class record_function:
    """Label a block, in the profile, with a name of your own. Also a decorator."""

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name = name

    def __enter__(self) -> "record_function":
        self._started = perf_counter_ns()
        return self

    def __exit__(self, *exception) -> None:
        ended = perf_counter_ns()
        for profiler in running:
            profiler.add(self.name, self._started, ended)

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with record_function(self.name):
                return function(*args, **kwargs)

        return wrapper


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


def bytes_written(size: int) -> str:
    for unit, name in ((2**30, "GB"), (2**20, "MB"), (2**10, "KB")):
        if abs(size) >= unit:
            return f"{size / unit:.2f} {name}"
    return f"{size} B"


def shortened(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."
