"""Profiling some steps of a training loop: after a wait and a warm-up, for a few steps, and perhaps again.

The watching itself is done by `autograd.profiler`; here is when it begins and ends.

>>> import minigrad as mg
>>> x = mg.ones(2, requires_grad=True)
>>> def tell(prof):
...     print(prof.step_num, [(row.key, row.count) for row in prof.key_averages() if row.key == "MulBackward0"])
>>> with profile(schedule=schedule(wait=1, warmup=1, active=2, repeat=1), on_trace_ready=tell) as prof:
...     for _ in range(6):
...         (x * 2).sum().backward()
...         prof.step()
4 [('MulBackward0', 2)]
"""

import enum
import os
import socket
import time
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from .autograd import profiler as watch
from .autograd.profiler import EventList, record_function


class ProfilerActivity(enum.Enum):
    """What can be watched. Here everything runs on the CPU; the others may be named, and stay empty."""

    CPU = 0
    CUDA = 1
    XPU = 2
    MTIA = 3
    HPU = 4


class ProfilerAction(enum.Enum):
    """What to do in one step."""

    NONE = 0
    WARMUP = 1  # PyTorch starts its tracer; here there is nothing to start
    RECORD = 2
    RECORD_AND_SAVE = 3  # the last step of a cycle: afterwards its trace is ready


RECORDING = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


def supported_activities() -> set[ProfilerActivity]:
    return {ProfilerActivity.CPU}


def schedule(
    *, wait: int, warmup: int, active: int, repeat: int = 0, skip_first: int = 0, skip_first_wait: int = 0
) -> Callable[[int], ProfilerAction]:
    """Cycles of `wait` steps without profiling, `warmup` and `active` ones, `repeat` times (0: for ever).

    >>> [schedule(wait=1, warmup=0, active=2, repeat=1)(step).name for step in range(4)]
    ['NONE', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    """
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        raise AssertionError(
            f"Invalid profiler schedule arguments. Got wait={wait} (need >= 0), warmup={warmup} (need >= 0), "
            f"active={active} (need > 0), repeat={repeat} (need >= 0), skip_first={skip_first} (need >= 0)."
        )
    cycle = wait + warmup + active

    def action(step: int) -> ProfilerAction:
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        counted = step - skip_first + (wait if skip_first_wait else 0)
        if step < skip_first or 0 < repeat <= counted / cycle or counted % cycle < wait:
            return ProfilerAction.NONE
        if counted % cycle < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD_AND_SAVE if counted % cycle == cycle - 1 else ProfilerAction.RECORD

    return action


def tensorboard_trace_handler(
    dir_name: str, worker_name: str | None = None, use_gzip: bool = False
) -> Callable[["profile"], None]:
    """An `on_trace_ready` that writes each trace into a folder, under the names that TensorBoard looks for."""

    def handler(prof: "profile") -> None:
        try:
            os.makedirs(dir_name, exist_ok=True)
        except OSError as error:
            raise RuntimeError(f"Can't create directory: {dir_name}") from error
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        file = f"{worker}.{time.time_ns()}.pt.trace.json{'.gz' if use_gzip else ''}"
        prof.export_chrome_trace(os.path.join(dir_name, file))

    return handler


class profile:
    """Profile what runs inside the block; with a `schedule`, only the steps that it names, told apart by `step()`.

    Args:
        activities: which of `ProfilerActivity` to watch; the CPU must be among them. Default: all there is.
        schedule: from the number of a step to what to do in it. Default: record from the first line to the last.
        on_trace_ready: called with this object at the end of each cycle, and at the end of the block.
        record_shapes, profile_memory, with_stack: as in `autograd.profiler.profile`.
    """

    def __init__(
        self, *, activities: Iterable[ProfilerActivity] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[["profile"], Any] | None = None, record_shapes: bool = False,
        profile_memory: bool = False, with_stack: bool = False, with_flops: bool = False, with_modules: bool = False,
        use_cuda: bool | None = None,
    ) -> None:  # fmt: skip
        if activities is not None and ProfilerActivity.CPU not in list(activities):
            raise AssertionError("No valid profiler activities found: name ProfilerActivity.CPU, all runs there")
        self._options: dict[str, Any] = {
            "record_shapes": record_shapes,
            "profile_memory": profile_memory,
            "with_stack": with_stack,
        }
        self.schedule, self.on_trace_ready = schedule, on_trace_ready
        self.step_num = 0
        self.current_action = self._planned()
        self.profiler: watch.profile | None = None  # that of the running cycle, or of the last one
        self._recording = False

    def _planned(self) -> ProfilerAction:
        action = self.schedule(self.step_num) if self.schedule else ProfilerAction.RECORD
        if not isinstance(action, ProfilerAction):
            raise RuntimeError(f"schedule({self.step_num}) must give a ProfilerAction, but gave {action!r}")
        return action

    def start(self) -> None:
        """Begin, without `with`."""
        self._begin_step()

    def stop(self) -> None:
        """End, without `with`."""
        if self._end_step():
            self._finish(tell=True)

    def step(self) -> None:
        """The next step begins."""
        before = self.current_action
        self.step_num += 1
        self.current_action = self._planned()
        if self._end_step():
            if before is ProfilerAction.RECORD_AND_SAVE:
                self._finish(tell=True)
            elif self.current_action not in RECORDING:
                warnings.warn(f"Incorrect schedule: RECORD followed by {self.current_action.name}", stacklevel=2)
                self._finish(tell=False)
        self._begin_step()

    def _begin_step(self) -> None:
        if self.current_action in RECORDING and not self._recording:
            self.profiler, self._recording = watch.profile(**self._options), True
            self.profiler.__enter__()
        if self._recording and self.schedule:
            self._label = record_function(f"ProfilerStep#{self.step_num}")
            self._label.__enter__()

    def _end_step(self) -> bool:
        """Whether there was anything to end."""
        if self._recording and self.schedule:
            self._label.__exit__()
        return self._recording

    def _finish(self, tell: bool) -> None:
        self._recording = False
        self._traced("ending a cycle").__exit__(None, None, None)
        if tell and self.on_trace_ready:
            self.on_trace_ready(self)

    def __enter__(self) -> "profile":
        self.start()
        return self

    def __exit__(self, *exception) -> None:
        self.stop()

    def _traced(self, purpose: str) -> watch.profile:
        if self.profiler is None:
            raise AssertionError(f"Profiler must be initialized before {purpose}")
        return self.profiler

    def events(self) -> EventList:
        """All that was recorded, one by one."""
        return self._traced("accessing events").function_events

    def key_averages(self, group_by_input_shape: bool = False, group_by_stack_n: int = 0) -> EventList:
        """One row per name; with `group_by_input_shape`, per name and shapes."""
        return self._traced("getting key averages").key_averages(group_by_input_shape, group_by_stack_n)

    def export_chrome_trace(self, path: str) -> None:
        """Write a file that a trace viewer opens; compressed, where its name ends with .gz."""
        self._traced("exporting chrome trace").export_chrome_trace(path)
