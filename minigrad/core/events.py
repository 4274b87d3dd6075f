"""What the engine says while it works. Tools listen; nothing is computed twice.

`apply` (the forward) and `walk` (the backward) tell each step as one of the small objects below. The profiler, the
stepper, the pictures and anomaly mode are listeners; the engine knows none of them.

>>> import minigrad as mg
>>> from minigrad.autograd import events
>>> with events.listen(lambda event: print(type(event).__name__), events.Made, events.Deposited):
...     x = mg.tensor(2.0, requires_grad=True)
...     (x * x).backward()
Made
Deposited

An event carries the live arrays and nodes, not copies: a listener that keeps numbers copies them.
"""

import contextlib
from typing import Any, NamedTuple

from ..words.source import Source

listeners: list = []  # pairs of a function and the kinds of events that it hears
forward_listeners: list = []  # those that hear of operations; almost always empty, and then `apply` looks no further
wants_source: list = []  # those among them that asked where in the user's code things happen


class Made(NamedTuple):
    """An operation ran. `node` is None where nothing was recorded, and then nothing was saved."""

    op: Any
    values: list  # the arguments as given: Tensors, numbers, options
    output: Any  # a Tensor, or a tuple of them
    node: Any
    started: int  # nanoseconds, around the NumPy call alone
    ended: int
    source: Source | None = None
    before: Any = None  # of an operation in place: what its memory held


class Saved(NamedTuple):
    """A node kept one value for its backward."""

    node: Any
    name: str
    value: Any


class Seeded(NamedTuple):
    """The backward starts here, with this gradient: 1 for a loss."""

    node: Any
    index: int  # type: ignore[assignment]  # which output of the node
    gradient: Any


class HookCalled(NamedTuple):
    """A hook saw a gradient; `after` differs from `before` where it replaced it."""

    node: Any
    kind: str  # tensor · retain_grad · pre · post · accumulated
    hook: Any
    before: Any
    after: Any


class Visited(NamedTuple):
    """A node's gradient is complete, and its rules turned it into one part per input."""

    node: Any
    gradient: Any
    parts: list
    started: int
    ended: int


class Sent(NamedTuple):
    """One part left for one input slot. `part` is `whole` summed over the axes along which the input was broadcast."""

    node: Any
    slot: int
    target: Any
    index: int  # type: ignore[assignment]  # which output of the target this is the gradient of
    whole: Any
    part: Any


class Accumulated(NamedTuple):
    """A second path arrived at the same place: `before + part = after`."""

    node: Any  # the target
    index: int  # type: ignore[assignment]
    before: Any
    part: Any
    after: Any


class Deposited(NamedTuple):
    """A gradient was added to a leaf's `.grad`. `before` is None where nothing was there: "not yet" is not zero."""

    node: Any
    tensor: Any
    before: Any
    part: Any
    after: Any


class Freed(NamedTuple):
    """A node let go of what it saved: a second backward through it is no longer possible."""

    node: Any


class Zeroed(NamedTuple):
    """A gradient was set to zeros (`tensor` is the gradient itself) or taken away from its leaf (`after` is None)."""

    tensor: Any
    before: Any
    after: Any


class Mutated(NamedTuple):
    """A tensor was changed in place; whoever saved an earlier version can no longer use it."""

    tensor: Any
    op: Any
    version: int
    source: Source | None = None


class Failed(NamedTuple):
    """An error is about to be raised. In a backward, `node` is where it happened."""

    node: Any
    error: BaseException


def shown(place: int) -> property:
    """A node in an event, as a person may see it."""
    return property(lambda event: event[place] and event[place].shown())


KINDS = (Made, Saved, Seeded, HookCalled, Visited, Sent, Accumulated, Deposited, Freed, Zeroed, Mutated, Failed)
for _kind in KINDS:
    for _name in {"node", "target"} & set(_kind._fields):
        setattr(_kind, _name, shown(_kind._fields.index(_name)))
event = tuple.__new__  # `event(Freed, (node,))` is `Freed(node)` in a third of the time: for whoever makes many
heard: dict = dict.fromkeys(KINDS)  # for each kind the function to call; None: an event that nobody hears is not made
_kinds_heard: frozenset = frozenset()


def tell(event) -> None:
    if (callback := heard[type(event)]) is not None:
        callback(event)


def kinds_heard() -> frozenset:
    """The kinds of events that somebody listens to."""
    return _kinds_heard


@contextlib.contextmanager
def listen(callback, *kinds, source: bool = False):
    """Call `callback(event)` for each event, or only for the kinds named, while the block runs.

    With `source=True` the events of the forward carry the user's line, sub-expression and variable names.
    """
    unknown = [kind for kind in kinds if kind not in KINDS]
    if not callable(callback) or unknown:
        raise TypeError(f"listen() takes a function and kinds of events, but got {callback!r} and {unknown}")
    entry = (callback, kinds or KINDS)
    _set_listeners([*listeners, entry])
    wants_source.extend([entry] * source)
    try:
        yield
    finally:
        _set_listeners([one for one in listeners if one is not entry])
        wants_source[:] = [one for one in wants_source if one is not entry]


def each(callbacks: list):
    """One function that calls several."""
    return lambda event: [callback(event) for callback in callbacks]


def _set_listeners(now: list) -> None:
    global _kinds_heard
    listeners[:] = now
    forward_listeners[:] = [entry for entry in now if {Made, Saved, Mutated, Zeroed} & set(entry[1])]
    for kind in KINDS:
        callbacks = [callback for callback, kinds in now if kind in kinds]
        heard[kind] = each(callbacks) if callbacks[1:] else callbacks[0] if callbacks else None
    _kinds_heard = frozenset(kind for kind in KINDS if heard[kind] is not None)
