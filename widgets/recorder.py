"""Watching the engine: everything that it says while a block runs, with copies of the numbers as they were then.

A recorder only keeps; it computes nothing, so that recording costs little. `story.py` makes a trace of what it kept.

>>> import minigrad as mg
>>> x = mg.tensor(3.0, requires_grad=True)
>>> with Recorder() as recorder:
...     (x * x).backward()
>>> [type(event).__name__ for event, *_ in recorder.moments][:3]
['Made', 'Seeded', 'Visited']
"""

import sys
import threading
from collections.abc import Iterable
from types import CodeType, FrameType
from typing import Any

import numpy as np

from minigrad import Tensor, is_grad_enabled
from minigrad.autograd import events
from minigrad.autograd.graph import AccumulateGrad
from minigrad.nn import Module
from minigrad.optim import Optimizer
from minigrad.words.source import is_ours

from .moments import NOWHERE, Call, Where, data, place
from .reading import Reader, reachable, variables
from .trace import Large

MODULE_CALL, OPTIMIZER_STEP = Module.__call__.__code__, Optimizer.step.__code__
COPIED = 1 << 14  # elements; to copy a larger array takes longer than to look at it
KINDS = tuple(kind for kind in events.KINDS if kind is not events.Saved)


class Recorder:
    """Listens while its block runs; only to the thread in which it was opened.

    Args:
        base: the frame whose variables have names, and whose calls are told apart; the caller's if omitted. A module
            (or a notebook's cell) between it and an operation takes its place.
        outermost: a function that is the program itself, and no call in it.

    Attributes:
        names: the user's names of tensors, by place. Events keep their tensors alive, so an id means one tensor.
        mailboxes: what was in `.grad` of leaves before, by place.
    """

    def __init__(self, base: FrameType | None = None, outermost: CodeType | None = None) -> None:
        self.moments: list[tuple] = []  # each as a `Moment` tells
        self.calls: list[Call] = []
        self.names: dict = {}
        self.mailboxes: dict = {}
        self._base, self._outermost = base, outermost
        self._scope = base  # the frame whose variables are the user's, as far as is known
        self._heard: set = set()  # the graph's nodes that were heard of or read
        self._seen: dict[int, Tensor] = {}  # tensors without history, which have been asked for their names
        self._path: list[tuple[FrameType, int]] = []  # the calls of the last moment, outermost first
        self._tables: dict[FrameType, dict] = {}  # the names in frames that still run
        self._entry: FrameType | None = None  # the call of ours that the user's line makes
        self._last_made: tuple[FrameType | None, int] = None, 0  # in which one the last operation ran, and its moment
        self._copies: dict[int, tuple] = {}  # by id: an array that nothing has changed since, and its copy

    def __enter__(self) -> "Recorder":
        self._base = self._scope = self._base or sys._getframe(1)
        self._thread = threading.get_ident()
        self._listening = events.listen(self.hear, *KINDS)
        self._listening.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._listening.__exit__(*error)
        del self._listening  # it holds us
        for name, tensor in variables(self._scope):  # where a name came by another way than `name = …`
            self.names.setdefault(place(tensor), name)
        self._base = self._scope = self._entry = None
        self._last_made = None, 0
        self._path.clear()
        self._tables.clear()
        self._copies.clear()

    def hear(self, event: Any) -> None:
        if threading.get_ident() == self._thread:
            HEARERS[type(event)](self, event)

    def failed(self, error: BaseException) -> None:
        """An error that ended the block; of most the engine has spoken."""
        where, step = NOWHERE, error.__traceback__
        while step is not None:  # the user's last line on the way to where it was raised
            if not is_ours[step.tb_frame.f_code.co_filename]:
                where = NOWHERE._replace(mark=(step.tb_frame.f_code, step.tb_lasti))
            step = step.tb_next
        self._keep(events.Failed(None, error), (), where)

    def read(self, roots: Iterable[Any], named: Iterable[tuple[str, Tensor]] | None = None) -> None:
        """What led to these nodes, where it was not heard; `named` instead of the user's variables."""
        nodes = [node for node in reachable(roots) if node not in self._heard]
        reader = Reader(variables(self._scope) if named is None else named)
        self.names = {**reader.names, **self.names}
        self._heard.update(nodes)
        for node in nodes:
            if isinstance(node, AccumulateGrad):
                self._see(node.variable, ())
        self.moments += reader.moments([node for node in nodes if not node.is_leaf])

    # -- one kind of event each ------------------------------------------------------------------------------------

    def _made(self, event: events.Made) -> None:
        output, copy = event.output, self._copy
        outputs = output if isinstance(output, tuple) else (output,)
        where = self._where(event.values)
        self._heard.add(event.node)
        given: list[Any] = []
        values: list[Any] = []
        for value in event.values:
            if isinstance(value, Tensor):
                if value._node is not None and value._node not in self._heard:
                    self.read([value._node])  # it was made before this block
                given.append((place(value), value._requires_grad))
                values.append(copy(value._data))
            else:
                given.append(None)
                values.append(value)
        entry, (before, last) = self._entry, self._last_made
        if entry is not None and entry is before:
            *made, earlier = self.moments[last]
            self.moments[last] = (*made, earlier._replace(partial=True))
        self._last_made = entry, len(self.moments)
        self._keep(event, (values, given, [copy(o._data) for o in outputs], [place(o) for o in outputs]), where)

    def _mutated(self, event: events.Mutated) -> None:
        self._copies.clear()
        self._keep(event, (place(event.tensor), self._copy(event.tensor._data)), self._where([event.tensor]))

    def _zeroed(self, event: events.Zeroed) -> None:
        """A leaf's mailbox, or the gradient that is in one."""
        leaf = event.tensor
        if event.after is not None:
            self._copies.clear()
            leaf = next((leaf for leaf in self._seen.values() if leaf._grad is event.tensor), None)
        if leaf is not None:
            self._see(leaf, ())
            self._keep(event, (place(leaf), self._copy(leaf._data), self._copy(event.after)), self._where([leaf]))

    def _deposited(self, event: events.Deposited) -> None:
        after = data(event.after)
        if event.before is not None:
            self._copies.pop(id(after), None)  # it was added to in place
        self._seen[id(event.tensor)] = event.tensor
        self._keep(event, (self._copy(event.before), self._copy(data(event.part)), self._copy(after)))

    def _seeded(self, event: events.Seeded) -> None:
        where = self._where(())
        if event.node not in self._heard:
            self.read([event.node])
        self._keep(event, (self._copy(data(event.gradient)),), where)

    def _visited(self, event: events.Visited) -> None:
        g = event.gradient
        self._keep(event, ([self._copy(data(one)) for one in (g if isinstance(g, list | tuple) else [g])],))

    def _sent(self, event: events.Sent) -> None:
        part = self._copy(data(event.part))
        self._keep(event, (part if event.whole is event.part else self._copy(data(event.whole)), part))

    def _accumulated(self, event: events.Accumulated) -> None:
        self._keep(event, tuple(self._copy(data(one)) for one in (event.before, event.part, event.after)))

    def _hook(self, event: events.HookCalled) -> None:
        def copied(shown: Any) -> Any:
            return tuple(map(copied, shown)) if isinstance(shown, tuple) else self._copy(data(shown))

        self._keep(event, (copied(event.before), copied(event.after)))

    def _freed(self, event: events.Freed) -> None:
        self._keep(event, ())

    def _failed(self, event: events.Failed) -> None:
        self._keep(event, (), self._where(()))

    def _keep(self, event: Any, copies: tuple, where: Where = NOWHERE) -> None:
        self.moments.append((event, copies, where))

    # -- numbers, places, names ------------------------------------------------------------------------------------

    def _copy(self, value: Any) -> Any:
        """An array as it is now; of a large one only what is told of it."""
        if type(value) is not np.ndarray:
            return value
        kept = self._copies.get(id(value))
        if kept is None:
            kept = self._copies[id(value)] = value, value.copy() if value.size <= COPIED else Large.of(value)
        return kept[1]

    def _where(self, values: Any) -> Where:
        """The user's line, and the calls that led there."""
        frame: FrameType | None = sys._getframe(3)
        base, frames, mark, updating, inner = self._base, [], None, False, None
        while frame is not None and frame is not base:
            code = frame.f_code
            if not is_ours[code.co_filename]:
                if mark is None:
                    mark, self._entry = (code, frame.f_lasti), inner
                if code.co_name == "<module>":
                    break
                if code.co_name[0] != "<" and code.co_name != "forward" and code is not self._outermost:
                    frames.append(frame)
            elif code is MODULE_CALL:
                frames.append(frame)
            elif code is OPTIMIZER_STEP:
                updating = True
            inner, frame = frame, frame.f_back
        if frame is not None:
            self._scope = frame
            if mark is None:
                mark, self._entry = (frame.f_code, frame.f_lasti), inner
        call = self._call(frames) if frames or self._path else None
        for value in values:
            if isinstance(value, Tensor) and value._node is None and id(value) not in self._seen:
                self._see(value, frames)
        return Where(call, mark, is_grad_enabled(), updating)

    def _see(self, tensor: Tensor, frames: Iterable[FrameType]) -> None:
        """A tensor without history comes up for the first time: its name, and what is in its mailbox."""
        if id(tensor) not in self._seen:
            self._seen[id(tensor)] = tensor
            name = self._name(tensor, frames)
            if name:
                self.names.setdefault(id(tensor), name)
            if tensor._grad is not None:
                self.mailboxes[id(tensor)] = tensor._grad.array.copy()

    def _name(self, thing: Any, frames: Iterable[FrameType]) -> str | None:
        """What the user calls a thing, in these calls or outside of them."""
        scopes = [frame for frame in frames if frame.f_code is not MODULE_CALL]
        for scope in [*scopes, *filter(None, [self._scope])]:
            table = self._tables.get(scope)
            if table is None or id(thing) not in table:  # it may have got its name since
                table = self._tables[scope] = names_in(scope)
            if id(thing) in table:
                return table[id(thing)][0]
        return None

    def _call(self, frames: list[FrameType]) -> int | None:
        """The number of the innermost call; a frame that is still the same object is still the same call."""
        path: list[tuple[FrameType, int]] = []
        parent: int | None = None
        for depth, frame in enumerate(reversed(frames)):
            if depth < len(self._path) and self._path[depth][0] is frame:
                parent = self._path[depth][1]
            else:
                self._path = self._path[:depth]
                self._tables.clear()
                if frame.f_code is MODULE_CALL:
                    module = frame.f_locals["self"]
                    call = Call(module, self._name(module, frames), parent)
                else:
                    name = frame.f_code.co_qualname.rpartition("<locals>.")[2].removesuffix(".__call__")
                    call = Call(name, None, parent)
                self.calls.append(call)
                parent = len(self.calls) - 1
            path.append((frame, parent))
        self._path = path
        return parent


def names_in(frame: FrameType) -> dict[int, tuple[str, Any]]:
    """A frame's names by the id of what they stand for, its own before those of its module. What could lose its id to
    another thing is held."""
    scopes = (frame.f_locals,) if frame.f_locals is frame.f_globals else (frame.f_locals, frame.f_globals)
    table: dict[int, tuple[str, Any]] = {}
    for scope in scopes:
        for name, value in scope.items():
            if isinstance(value, Tensor | Module) and name[0] != "_":
                table.setdefault(id(value), (name, value))
    return table


HEARERS: dict = {
    events.Made: Recorder._made,
    events.Mutated: Recorder._mutated,
    events.Zeroed: Recorder._zeroed,
    events.Seeded: Recorder._seeded,
    events.Visited: Recorder._visited,
    events.Sent: Recorder._sent,
    events.Accumulated: Recorder._accumulated,
    events.Deposited: Recorder._deposited,
    events.HookCalled: Recorder._hook,
    events.Freed: Recorder._freed,
    events.Failed: Recorder._failed,
}
