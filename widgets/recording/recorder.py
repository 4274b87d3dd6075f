"""Watching the engine: everything that it says while a block runs, with copies of the numbers as they were then.

A recorder only keeps; it computes nothing, so that recording costs little. `story.py` makes a trace of what it kept.

>>> import minigrad as mg
>>> x = mg.tensor(3.0, requires_grad=True)
>>> with Recorder() as recorder:
...     (x * x).backward()
>>> [type(event).__name__ for event, *_ in recorder.moments][:3]
['Made', 'Seeded', 'Visited']
"""

import contextlib
import sys
import threading
from collections.abc import Container, Iterable, Iterator
from types import CodeType, FrameType
from typing import Any, ClassVar

import numpy as np

from minigrad import Tensor
from minigrad.autograd import events
from minigrad.autograd.meta import AutogradMeta
from minigrad.compiler.overhearing import is_own

from .iterations import FEW, FITS, Began, Little, Loop, Passed, Path
from .large import Large
from .moments import NOWHERE, UNKNOWN, Where, data, place
from .names import Names, variables
from .program import Program
from .pytorch import listening
from .reading import Reader, reachable
from .tensors import Tensors

KINDS = tuple(kind for kind in events.KINDS if kind is not events.Saved)
FIRST = events.Made, events.Mutated, events.Zeroed, events.Seeded  # with which an iteration of a loop may begin


class Recorder:
    """Listens while its block runs; only to the thread in which it was opened.

    Args:
        base: the frame at which the user's program begins; the caller's if omitted.
        outermost: a function that is the whole program, and so is not shown as a call.
        iterations: of a loop of training steps, those that are recorded step by step; as many as fit if omitted.

    Attributes:
        names: the user's names of tensors; events keep these alive.
        program: the user's lines and calls.
        mailboxes: what was in `.grad` of leaves before, by place.
        elsewhere: whether another engine computed what was recorded: its roundings may be others.
        aside: how many moments are steps on an optimizer's way: the changes are told, and a program has them all.
    """

    _open: ClassVar[list["Recorder"]] = []  # those that listen

    def __init__(
        self,
        base: FrameType | None = None,
        outermost: CodeType | None = None,
        iterations: Container[int] | None = None,
    ) -> None:
        self.moments: list[tuple] = []  # each as a `Moment` tells
        self.names = Names()
        self.program = Program(self.names, base, outermost)
        self.tensors = Tensors(self.names, self.program)
        self.mailboxes = self.tensors.mailboxes
        self.elsewhere = False
        self.aside = 0
        self.iterations, self._loop = iterations, Loop()
        self._little: Little | None = None  # the iteration that runs, if little is kept of it
        self._told = 0  # how many moments were told before the iteration that runs
        self._heard: set = set()  # the graph's nodes that were heard of or read
        self._last_made: tuple[FrameType | None, int | None] = None, None  # the call of the last one, and its moment
        self._made_at: dict[Any, int] = {}  # by the user's line: the moment of its last operation
        self._copies: dict[int, tuple] = {}  # by id: an array that nothing has changed since, and its copy

    def __enter__(self) -> "Recorder":
        program = self.program
        program.base = program.scope = program.base or sys._getframe(1)
        self._thread = threading.get_ident()
        self._open.append(self)
        self._listening = events.listen(self.hear, *KINDS)
        self._listening.__enter__()
        self._pytorch = listening()
        self._pytorch.__enter__()
        return self

    def _listen(self, *kinds: type) -> None:
        """Hear other kinds of events from now on."""
        before, self._listening = self._listening, events.listen(self.hear, *kinds)
        self._listening.__enter__()
        before.__exit__(None, None, None)

    def __exit__(self, *error: Any) -> None:
        self._open.remove(self)
        self._end_little()
        self.tensors.forget_the_view()
        self._loop.forget()
        # where a name came by another way than `name = …`
        self.names.give(variables(self.program.scope), also_arrays=True)
        self._pytorch.__exit__(*error)
        self.elsewhere = getattr(self._pytorch, "heard", False)
        self._listening.__exit__(*error)
        del self._listening  # it holds us
        self.program.forget()
        self._last_made = None, None
        self._made_at.clear()
        self._copies.clear()

    def hear(self, event: Any) -> None:
        if threading.get_ident() != self._thread:
            return
        kind = type(event)
        if kind in FIRST and self._loop.has_gone_back and self._loop.begins(path := self.program.path()):
            self._begin(path)
        if self._little is None:
            HEARERS[kind](self, event)
        else:
            self._little.hear(event)
        if kind is events.Seeded:
            self._loop.went_back(self.program.path())

    @classmethod
    @contextlib.contextmanager
    def deaf(cls) -> Iterator[None]:
        """What is done here is no part of a program, whichever recorder listens."""
        here = threading.get_ident()
        recorders = [one for one in cls._open if one._thread == here]
        for one in recorders:
            one._thread = 0
        try:
            yield
        finally:
            for one in recorders:
                one._thread = here

    def failed(self, error: BaseException) -> None:
        """An error that ended the block; of most the engine has spoken."""
        self._keep(events.Failed(None, error), (), NOWHERE._replace(mark=raised_at(error)))

    def read(
        self, roots: Iterable[Any], named: Iterable[tuple[str, Tensor]] | None = None, known: Iterable[Tensor] = ()
    ) -> None:
        """What led to these nodes, where it was not heard.

        Args:
            roots: nodes of the graph.
            named: tensors with names, instead of the user's variables.
            known: further tensors whose values are known.
        """
        nodes = [node for node in reachable(roots) if node not in self._heard]
        named = variables(self.program.scope) if named is None else list(named)
        reader = Reader([*(tensor for _, tensor in named), *known])
        self.names.give(named, also_arrays=True)
        self._heard.update(nodes)
        for node in nodes:
            if node.is_leaf:
                self.tensors.see(node.variable, self.program.with_scope([]))
        self.moments += reader.moments([node for node in nodes if not node.is_leaf])

    # -- a loop of training steps ----------------------------------------------------------------------------------

    def _begin(self, path: Path) -> None:
        """An iteration of a loop begins, which is not the first one."""
        if self._loop.number == 1:
            self._told, calls, around = self._loop.first(path)
            began = Began(1, max(calls, self.program.after(around)))
            self.moments.insert(self._told, (began, (), NOWHERE))
        self._end_little()
        told = len(self.moments) - self.aside
        number, grown = self._loop.begin(), told - self._told
        self._last_made = None, None
        self._made_at.clear()
        if number in self.iterations if self.iterations is not None else told + grown <= FITS:
            self._told = told
            self._keep(Began(number, len(self.program.calls)), ())
            self._listen(*KINDS)
        else:
            self._little = Little(number)
            self._listen(*FEW)

    def _end_little(self) -> None:
        """An iteration of which little is kept is over."""
        if self._little is not None:
            self._keep(Passed(self._little.number), self._little.kept(self.tensors.leaves()))
            self._little = None
            self._copies.clear()

    # -- one kind of event each ------------------------------------------------------------------------------------

    def _made(self, event: events.Made) -> None:
        output, copy = event.output, self._copy
        outputs = output if isinstance(output, tuple) else (output,)
        where = self._where(event.values)
        self._heard.add(event.node)
        in_place = bool(event.values) and output is event.values[0]
        if in_place:
            self._copies.clear()
        given: list[Any] = []
        values: list[Any] = []
        for i, value in enumerate(event.values):
            if in_place and value is output:
                given.append(self.tensors.before(event, i))
                if isinstance(made := given[-1][0], tuple) and made[0] not in self._heard:
                    self.read([made[0]], () if AutogradMeta(value).is_view_ else None)  # made before
                values.append(UNKNOWN if event.before is None else Large.kept(event.before))
            elif isinstance(value, Tensor):
                if value.made_by is not None and value.made_by[0] not in self._heard:
                    self.read([value.made_by[0]], known=[value])  # it was made before this block
                given.append((self.tensors.place(value), value.requires_grad))
                values.append(copy(value.numbers))
            else:
                given.append(None)
                values.append(value)
        event = event._replace(before=None)  # which nobody needs to keep
        copies = values, given, [copy(o.numbers) for o in outputs], [place(o) for o in outputs]
        if where.updating and event.node is None:
            self.aside += 1
            self._keep(event, copies, where)
            return
        entry, (before, last) = self.program.entry, self._last_made
        if entry is None or entry is not before:
            last = self._used_at_once(where, given)
        if last is not None:
            *made, earlier = self.moments[last]
            self.moments[last] = (*made, earlier._replace(partial=True))
        self._last_made = entry, len(self.moments)
        self._made_at[where.mark] = len(self.moments)
        self._keep(event, copies, where)

    def _used_at_once(self, where: Where, given: list[Any]) -> int | None:
        """The last operation of the same expression, if its result is nameless and used here, as in `sum(parts)`."""
        last = self._made_at.get(where.mark)
        made = () if last is None else self.moments[last][1][3]
        used = any(one is not None and one[0] in made and one[0] not in self.names.by_place for one in given)
        return last if used else None

    def _mutated(self, event: events.Mutated) -> None:
        self._copies.clear()
        where = self._where([event.tensor])
        leaf = None if where.updating else self.tensors.leaf_with(event.tensor)  # an optimizer changes no gradient
        self._keep(event, (place(event.tensor), self._copy(event.tensor.numbers), leaf), where)

    def _zeroed(self, event: events.Zeroed) -> None:
        """A leaf's mailbox, or the gradient that is in one."""
        leaf = event.tensor
        if event.after is not None:
            self._copies.clear()
            leaf = self.tensors.leaf_with(event.tensor)
        if leaf is not None:
            where = self._where([leaf])
            self._keep(event, (leaf, self._copy(leaf.numbers), self._copy(event.after)), where)

    def _deposited(self, event: events.Deposited) -> None:
        if event.before is not None:
            self._copies.pop(id(data(event.after)), None)  # it was added to in place
        self.tensors.fill(event.tensor)
        self._accumulated(event)

    def _seeded(self, event: events.Seeded) -> None:
        where = self._where(())
        if event.node not in self._heard:
            self.read([event.node])
        self._keep(event, (self._copy(data(event.gradient)),), where)

    def _visited(self, event: events.Visited) -> None:
        g = event.gradient
        self._keep(event, (self._copied(g if type(g) in (list, tuple) else [g]),))

    def _sent(self, event: events.Sent) -> None:
        part = self._copy(data(event.part))
        self._keep(event, (part if event.whole is event.part else self._copy(data(event.whole)), part))

    def _accumulated(self, event: events.Accumulated | events.Deposited) -> None:
        self._keep(event, self._copied((event.before, event.part, event.after)))

    def _hook(self, event: events.HookCalled) -> None:
        self._keep(event, self._copied((event.before, event.after)))

    def _freed(self, event: events.Freed) -> None:
        self._keep(event, ())

    def _failed(self, event: events.Failed) -> None:
        where, inside = self._where(()), raised_at(event.error)  # a hook of the user's, or a Function
        self._keep(event, (inside,), where._replace(mark=inside or where.mark))

    def _keep(self, event: Any, copies: tuple, where: Where = NOWHERE) -> None:
        self.moments.append((event, copies, where))

    # -- numbers, places, names ------------------------------------------------------------------------------------

    def _copy(self, value: Any) -> Any:
        """An array as it is now; of a large one only what is told of it."""
        if type(value) is not np.ndarray:
            return value
        kept = self._copies.get(id(value))
        if kept is None:
            kept = self._copies[id(value)] = value, Large.kept(value)
        return kept[1]

    def _copied(self, given: Any) -> Any:
        """The numbers of tensors as they are now, and of several together."""
        if type(given) in (tuple, list):
            return type(given)(map(self._copied, given))
        return self._copy(data(given))

    def _where(self, values: Any) -> Where:
        """The user's line and calls; and a name for each tensor that comes up for the first time."""
        self.tensors.name_the_view()
        calls = len(self.program.calls)
        where, frames = self.program.here()
        if self._loop.number == 1:
            self._loop.note(self.program.path(), len(self.moments), calls)
        self.tensors.come_up(values, where, frames, len(self.moments))
        return where


def raised_at(error: BaseException) -> tuple[CodeType, int] | None:
    """The user's last line on the way to where an error was raised, as far as that is known by now."""
    mark, step = None, error.__traceback__
    while step is not None:
        if is_own(step.tb_frame.f_code.co_filename):
            mark = step.tb_frame.f_code, step.tb_lasti
        step = step.tb_next
    return mark


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
