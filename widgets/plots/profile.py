"""Where the time goes, operation by operation: forward beside backward."""

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.autograd import profiler

from ..words import say
from .figure import Plot, colour, panels, style
from .given import count


def plot_profile(program: Callable[[], Any] | Any, *, most: int = 10, ax: Any = None) -> Plot:
    """Draw how long each kind of operation took, forward and backward, the slowest on top.

    Times are of the operations themselves, without what ran inside them. They differ from run to run; the words name
    what ran and how often, which does not.

    Args:
        program: a function without arguments, which is run and timed; or a finished profile.
        most: how many kinds are drawn at most.
        ax: one Axes of your own to draw on.

    >>> import minigrad as mg
    >>> x = mg.ones(2, 3, requires_grad=True)
    >>> plot_profile(lambda: (x * x).sum().backward())
    mul: 1 forward, 1 backward
    sum: 1 forward, 1 backward
    """
    count(most, "most")
    kinds = _kinds(_events(program))
    if not kinds:
        raise ValueError("nothing ran: the program must compute with Tensors")
    names = sorted(kinds, key=lambda name: sum(kinds[name].times))[-most:]
    times = np.array([kinds[name].times for name in names]) / 1e3
    places = np.arange(len(names))
    with style():
        (panel,) = axes = panels(ax, 1, height=1.1 + 0.36 * len(names))
        panel.barh(places + 0.2, times[:, 0], height=0.36, color=colour("value"), label=say("plots.profile.forward"))
        panel.barh(
            places - 0.2,
            times[:, 1],
            height=0.36,
            color=colour("gradient"),
            hatch="//",
            label=say("plots.profile.backward"),
        )
        panel.set_yticks(places, [f"{name} ×{max(kinds[name].calls)}" for name in names])
        panel.set(xlabel=say("plots.profile.axis"), title=say("plots.profile.sum", time=f"{times.sum():.3g}"))
        panel.grid(visible=False, axis="y")
        panel.legend(loc="lower right")
    calls = [(name, *kinds[name].calls) for name in sorted(kinds)]
    lines = [say("plots.profile.one", name=name, forward=made, backward=sent) for name, made, sent in calls]
    shown = {name: tuple(kinds[name].times) for name in kinds}
    return Plot(axes, say("plots.profile.title"), lines, ax is None, microseconds=shown)


def _events(program: Any) -> Any:
    """What a profile has recorded, or records now."""
    if isinstance(program, profiler.profile):
        return program.function_events
    if not callable(program):
        raise TypeError(f"program must be a function or a profile, but is {type(program).__name__}")
    with profiler.profile() as recorded:
        program()
    return recorded.function_events


class _Kind:
    """All runs of one operation: forward and backward."""

    def __init__(self) -> None:
        self.times, self.calls = [0.0, 0.0], [0, 0]


def _kinds(events: Any) -> dict[str, _Kind]:
    """The profile by the name of the operation; a backward belongs to the forward whose age it has."""
    names = {e.sequence_nr: e.name for e in events if not e.is_backward and e.sequence_nr >= 0}
    kinds: dict[str, _Kind] = {}
    for event in events:
        name = names.get(event.sequence_nr, event.name) if event.is_backward else event.name
        kind = kinds.setdefault(name.removeprefix("aten::"), _Kind())
        kind.times[event.is_backward] += event.self_cpu_time_total
        kind.calls[event.is_backward] += 1
    return kinds
