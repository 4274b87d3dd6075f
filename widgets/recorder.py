"""Watching the engine: everything that it says while a block runs, with copies of the numbers as they were then.

A recorder only keeps; it computes nothing, so that recording costs little. `story.py` makes a trace of what it kept.

>>> import minigrad as mg
>>> x = mg.tensor(3.0, requires_grad=True)
>>> with Recorder() as recorder:
...     (x * x).backward()
>>> [type(moment.event).__name__ for moment in recorder.moments][:3]
['Made', 'Seeded', 'Visited']
"""

import os
import sys
import threading
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

import minigrad
from minigrad import Tensor, is_grad_enabled
from minigrad.autograd import events
from minigrad.autograd.graph import Node, OpNode
from minigrad.autograd.source import name_of
from minigrad.nn import Module
from minigrad.optim import Optimizer

OURS = tuple(os.path.dirname(os.path.abspath(package)) + os.sep for package in (minigrad.__file__, __file__))
MODULE_CALL, OPTIMIZER_STEP = Module.__call__.__code__, Optimizer.step.__code__
KINDS = tuple(kind for kind in events.KINDS if kind is not events.Saved)


class _Unknown:
    """Stands for a value that nobody kept."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()


class Call(NamedTuple):
    """One call of a module or of a function of the user's, inside another one or at the top (None)."""

    called: Any  # the module, or the function's name
    name: str | None  # what the user calls the module
    parent: int | None


class Where(NamedTuple):
    """The moment's place in the program."""

    call: int | None  # the innermost call
    mark: tuple[CodeType, int] | None  # the user's line: code and instruction
    recording: bool  # not under no_grad
    updating: bool  # inside an optimizer's step


NOWHERE = Where(None, None, True, False)


class Moment(NamedTuple):
    """One event, and what of it would not last."""

    event: Any
    copies: tuple
    where: Where = NOWHERE


def place(tensor: Tensor):
    """What tells a tensor apart: the node and output that made it, or the object itself."""
    return (tensor.grad_fn, tensor.output_nr) if tensor.grad_fn is not None else id(tensor)


def place_of(node: Node, slot: int):
    """The place of the tensor behind one slot of a node."""
    target = node.edges[slot]
    return id(target.variable) if target.is_leaf else (target, node.indices[slot] if node.indices else 0)


class Named(NamedTuple):
    """An operation of which only the name is known."""

    name: str


def saved(node: Node) -> list[tuple]:
    """What a node still holds: pairs of a `Save` of its plan and the value."""
    if not isinstance(node, OpNode):
        return []
    values = []
    for i, save in enumerate(node.plan.saves):
        try:
            values.append((save, data(node.unpack(i))))
        except RuntimeError:
            pass  # let go by a backward, or overwritten in place
    return values


def reachable(roots: list[Node]) -> list[Node]:
    """All nodes that the roots lead to, oldest first."""
    seen = set(roots)
    stack = list(seen)
    while stack:
        for target in stack.pop().edges:
            if target is not None and target not in seen:
                seen.add(target)
                stack.append(target)
    return sorted(seen, key=lambda node: node.sequence)


def variables(frame: FrameType | None) -> list[tuple[str, Tensor]]:
    """The Tensors that a frame's names stand for; its own before those of its module."""
    scopes = (frame.f_locals, frame.f_globals) if frame is not None else ()
    return [
        (name, value)
        for scope in scopes
        for name, value in scope.items()
        if isinstance(value, Tensor) and not name.startswith("_")
    ]


def data(value):
    """The array in a Tensor; anything else as it is."""
    return value._data if isinstance(value, Tensor) else value


class Recorder:
    """Listens while its block runs; only to the thread in which it was opened."""

    def __init__(self, base: FrameType | None = None) -> None:
        self.moments: list[Moment] = []
        self.calls: list[Call] = []
        self.names: dict = {}  # the user's names of tensors, by place; the tensors live on in `moments`
        self.mailboxes: dict = {}  # what was in `.grad` of leaves before, by place
        self.base = base
        self._heard: set = set()  # the graph's nodes that were heard of or read
        self._path: list[tuple[FrameType, int]] = []  # the calls of the last moment, outermost first
        self._copies: dict[int, tuple] = {}
        self._leaves: dict[int, Tensor] = {}

    def __enter__(self) -> "Recorder":
        self.base = self.base or sys._getframe(1)
        self._thread = threading.get_ident()
        self._listening = events.listen(self.hear, *KINDS)
        self._listening.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._listening.__exit__(*error)
        self.base = None
        self._path.clear()
        self._copies.clear()

    def hear(self, event: Any) -> None:
        if threading.get_ident() == self._thread:
            HEARERS[type(event)](self, event)

    # -- one kind of event each ------------------------------------------------------------------------------------

    def _made(self, event: events.Made) -> None:
        outputs = event.output if isinstance(event.output, tuple) else (event.output,)
        where = self._where(event.values)
        self._heard.add(event.node)
        given = [(place(v), v.requires_grad) if isinstance(v, Tensor) else None for v in event.values]
        values = [self._copy(data(value)) for value in event.values]
        self._keep(event, (values, given, [self._copy(data(o)) for o in outputs], [place(o) for o in outputs]), where)

    def _mutated(self, event: events.Mutated) -> None:
        self._copies.clear()
        where = self._where([event.tensor])
        self._keep(event, (place(event.tensor), np.array(event.tensor._data)), where)

    def _zeroed(self, event: events.Zeroed) -> None:
        """Of the leaf, or of the gradient that is in some leaf's mailbox."""
        self._copies.clear()
        owner = event.tensor
        if event.after is not None:
            owner = next((leaf for leaf in self._leaves.values() if leaf._grad is event.tensor), None)
        if owner is not None:
            self._leaf(owner)
            after = None if event.after is None else np.array(event.after)
            self._keep(event, (place(owner), self._copy(owner._data), after), self._where([owner]))

    def _deposited(self, event: events.Deposited) -> None:
        self._leaf(event.tensor)
        copies = event.before, self._copy(data(event.part)), np.array(data(event.after))
        self._copies.clear()  # what arrived may now be the memory of `.grad`, which is added to in place
        self._keep(event, copies)

    def _seeded(self, event: events.Seeded) -> None:
        if event.node not in self._heard:
            self.read([event.node])
        self._keep(event, (self._copy(data(event.gradient)),), self._where(()))

    def _visited(self, event: events.Visited) -> None:
        g = event.gradient
        self._keep(event, ([self._copy(data(one)) for one in (g if isinstance(g, list | tuple) else [g])],))

    def _sent(self, event: events.Sent) -> None:
        whole, part = data(event.whole), data(event.part)
        self._keep(event, (self._copy(whole), self._copy(part)))

    def _accumulated(self, event: events.Accumulated) -> None:
        self._keep(event, tuple(self._copy(data(one)) for one in (event.before, event.part, event.after)))

    def _hook(self, event: events.HookCalled) -> None:
        def copied(shown):
            return tuple(map(copied, shown)) if isinstance(shown, tuple) else self._copy(data(shown))

        self._keep(event, (copied(event.before), copied(event.after)))

    def _other(self, event: Any) -> None:
        self._keep(event, ())

    def failed(self, error: BaseException) -> None:
        """An error of which the engine did not speak: it came before the first step."""
        self.moments.append(Moment(events.Failed(None, error), ()))

    def _keep(self, event: Any, copies: tuple, where: Where = NOWHERE) -> None:
        self.moments.append(Moment(event, copies, where))

    def _leaf(self, tensor: Tensor) -> None:
        self._leaves[id(tensor)] = tensor

    # -- a forward that ran before ---------------------------------------------------------------------------------

    def read(self, roots: list[Node]) -> None:
        """Tell what led to these nodes, as far as the graph itself still knows it."""
        nodes = [node for node in reachable(roots) if node not in self._heard and not node.is_leaf]
        self._heard.update(nodes)
        found: dict = {}  # values by place: of the user's variables, and what nodes saved
        for name, tensor in variables(self.base):
            self.names.setdefault(place(tensor), name)
            found[place(tensor)] = np.array(tensor._data)
            self.names.setdefault(id(tensor._data), name)  # a node keeps no more of a tensor without history
        kept = {node: saved(node) for node in nodes}
        for node in nodes:
            for save, value in kept[node]:
                if not save.shape_only and isinstance(value, np.ndarray | np.generic):
                    if save.output is not None:
                        found.setdefault((node, save.output), value)
                    elif save.slot is not None and node.edges[save.slot] is not None:
                        found.setdefault(place_of(node, save.slot), value)
        for node in nodes:
            op = getattr(node, "op", None)
            outputs = [(node, index) for index in range(node.outputs)]
            if op is None or op.many:
                slots, positions = list(range(len(node.edges))), list(range(len(node.edges)))
                op = op or Named(node.name().removesuffix("Backward"))
                values: list = [UNKNOWN] * len(slots)
            else:
                slots, positions = list(range(len(node.edges))), op.slots
                values = [op.defaults.get(name) if i >= op.last else UNKNOWN for i, name in enumerate(op.parameters)]
                for save, value in kept[node]:
                    if save.output is None and not save.shape_only:
                        values[save.position] = value
            given: list = [None] * len(values)
            tensors: list = [None] * len(values)
            for slot, i in zip(slots, positions):
                target = node.edges[slot]
                if target is None and isinstance(values[i], np.ndarray):
                    given[i] = id(values[i]), False
                elif target is not None:
                    given[i] = place_of(node, slot), True
                    tensors[i] = getattr(target, "variable", None)
                    values[i] = np.array(tensors[i]._data) if target.is_leaf else found.get(given[i][0], UNKNOWN)
                    if target.is_leaf:
                        self._leaf(target.variable)
                        if target.variable._grad is not None:
                            self.mailboxes.setdefault(id(target.variable), target.variable._grad.array.copy())
            copies = (
                [self._copy(value) for value in values],
                given,
                [found.get(one, UNKNOWN) for one in outputs],
                outputs,
            )
            self.moments.append(Moment(events.Made(op, tensors, (), node, 0, 0), copies))

    # -- numbers, places, names ------------------------------------------------------------------------------------

    def _copy(self, value: Any) -> Any:
        """An array as it is now; of a large one, one copy until something changes in place."""
        if not isinstance(value, np.ndarray):
            return value
        if value.size <= 1024:
            return value.copy()
        kept = self._copies.get(id(value))
        if kept is None:
            kept = self._copies[id(value)] = value, value.copy()
        return kept[1]

    def _where(self, values: Any) -> Where:
        """The user's line, and the calls that led there."""
        frame: FrameType | None = sys._getframe(3)
        frames: list[FrameType] = []
        mark, updating = None, False
        while frame is not None and frame is not self.base:
            code = frame.f_code
            if code is MODULE_CALL:
                frames.append(frame)
            elif code is OPTIMIZER_STEP:
                updating = True
            elif not code.co_filename.startswith(OURS):
                mark = mark or (code, frame.f_lasti)
                if not code.co_name.startswith("<") and code.co_name != "forward":
                    frames.append(frame)
            frame = frame.f_back
        if frame is not None:
            mark = mark or (frame.f_code, frame.f_lasti)
        scopes = [*(f for f in frames if f.f_code is not MODULE_CALL), *([self.base] if self.base else [])]
        for value in values:
            if isinstance(value, Tensor) and value.grad_fn is None and id(value) not in self.names:
                self._name(value, scopes)
        return Where(self._call(frames, scopes), mark, is_grad_enabled(), updating)

    def _name(self, tensor: Tensor, scopes: list[FrameType]) -> None:
        name = next(filter(None, (name_of(tensor, scope) for scope in scopes)), None)
        if name:
            self.names[id(tensor)] = name
        if tensor.requires_grad:
            self._leaf(tensor)
            if tensor._grad is not None:
                self.mailboxes[id(tensor)] = tensor._grad.array.copy()

    def _call(self, frames: list[FrameType], scopes: list[FrameType]) -> int | None:
        """The number of the innermost call; a frame that is still the same object is still the same call."""
        path, parent = [], None
        for depth, frame in enumerate(reversed(frames)):
            if depth < len(self._path) and self._path[depth][0] is frame:
                parent = self._path[depth][1]
            else:
                self._path = self._path[:depth]
                if frame.f_code is MODULE_CALL:
                    module = frame.f_locals["self"]
                    name = next(filter(None, (name_of(module, scope) for scope in scopes)), None)
                    self.calls.append(Call(module, name, parent))
                else:
                    self.calls.append(Call(frame.f_code.co_qualname.removesuffix(".__call__"), None, parent))
                parent = len(self.calls) - 1
            path.append((frame, parent))
        self._path = path
        return parent


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
    events.Freed: Recorder._other,
    events.Failed: Recorder._other,
}
