"""The node that a plan leaves in the graph: its gradients are a plan's, too."""

import functools
from collections.abc import Callable, Iterable
from typing import Any

from ..core import events
from ..core.backward import schedule, walk_from
from ..core.graph import Node, leaf_node, sequence
from ..core.hooks import HookDict
from ..core.modes import enable_grad, modes
from ..core.tensor import Tensor, counter_of
from ..numbers.quiet import quiet
from ..tensors import trees
from ..words.advice import freed, overwritten

MISS = object()  # what a plan answers that does not fit


class Apart(HookDict):
    """Hooks of one of several results, which do not hear that another one's gradient comes without its own."""

    def __setitem__(self, key: int, hook: Callable) -> None:
        super().__setitem__(key, functools.wraps(hook)(lambda g: g if g is None else hook(g)))


class CompiledBackward(Node):
    """The node of a compiled function: its gradients are a plan's, too."""

    special = True  # it may have several outputs
    _hooks: Any = None
    passes_on = False  # to the nodes of the function itself, which ran once more: the last of its edges

    def __init__(self, plan: Any, starts: list, read: list, saved: list, args: tuple, options: dict) -> None:
        self.plan, self.saved, self.given = plan, (saved,), (starts, args, options)
        for start in starts:
            if start._base is not None:
                start._refresh()
        self.edges = [start._node or leaf_node(start) for start in starts]
        self.indices: list = [start._index for start in starts]
        self.sequence = next(sequence)
        self.stamps: list[tuple] = []
        self.stamp(read)
        self.versions = plan.versions(args, options)
        self.outputs = len(plan.metas)
        self.used = self.freed = frozenset[int]()  # of the nodes in whose place it stands
        if self.outputs == 1:
            self.shape, self.dtype = plan.metas[0]

    @property
    def hooks(self) -> Any:  # type: ignore[override]
        return self._hooks

    @hooks.setter
    def hooks(self, hooks: Any) -> None:
        for index in self.plan.lead_on:
            self.check_asked(index)
        if self.outputs > 1:
            hooks.tensor = {index: Apart() for index in range(self.outputs)}
        self._hooks = hooks

    def check_asked(self, index: int) -> None:
        if index in self.plan.lead_on:
            raise RuntimeError(
                "a result of a compiled function that leads to another one has no gradient to tell, and can have no "
                "hook; compute the other one outside"
            )

    def stamp(self, kept: list[Tensor]) -> None:
        """What is kept for the backward must not be overwritten: what was read, and what is returned."""
        for one in kept:
            maker = one._node is not self and one._node  # no node holds itself
            self.stamps.append((one._data, counter_of(one), counter_of(one)[0], maker, one._index))

    def expects(self, index: int) -> tuple:
        return self.plan.metas[index]

    def gradients(self, g: Any, scope: Any = None, tensors: bool = False) -> list:
        if self.plan.refusal is not None:
            raise self.plan.refusal
        arrived = list(g) if self.outputs > 1 else [g]
        if self.passes_on:
            return [None] * (len(self.edges) - len(arrived)) + arrived
        self.used = frozenset().union(*(frees := [one for one, g in zip(self.plan.frees, arrived) if g is not None]))
        if scope is not None:  # not all of it runs
            wanted = sum(1 << place for place, edge in enumerate(self.edges) if edge in scope)
            self.used = frozenset(one for one in self.used if any(bits.get(one, 0) & wanted for bits in frees))
        if self.saved is None or not self.used.isdisjoint(self.freed):
            raise RuntimeError(freed(self))
        for array, counter, version, maker, index in self.stamps:
            if counter[0] != version:
                maker, keeper = self if maker is False else maker, f"{self.name()} had saved it"
                raise RuntimeError(overwritten(array, counter, version, maker, index, keeper))
        if tensors or any(one is None for one in arrived) or not self.plan.busy.acquire(blocking=False):
            return self._once_more(arrived, tensors)
        try:
            found = self.plan.back(arrived, *self.saved)
        finally:
            self.plan.busy.release()
        return self._once_more(arrived, tensors) if found is MISS else found

    def _once_more(self, arrived: list, tensors: bool) -> list:
        """The function itself, and its backward: where that is recorded, or not all gradients came."""
        if self.plan.changes:
            raise RuntimeError(f"{self.name()} cannot go backward so: the compiled function also changes something")
        _, args, options = self.given
        if not self.plan.is_as_it_was(args, options, self.versions, self.saved[0]):
            raise RuntimeError(f"{self.name()} cannot go backward so: what the compiled function looks at has changed")
        create_graph = tensors and modes.state.grad
        with enable_grad():
            ends = ends_of(self.plan.function(*args, **options), [])
        made = [node for node in schedule([end._node for end in ends])[0] if node.sequence > self.sequence]
        for number, node in enumerate(made, 1):  # as old as they would be if the first run had made them
            node.sequence = self.sequence - number / (len(made) + 1)
        places = [*zip(self.edges, self.indices or ())]
        found = contributions(ends, places, arrived, create_graph)
        if create_graph:  # gradients of these gradients meet in that run, as they would in the first
            self.edges = [*self.edges, *(one._node for one in ends)]
            self.indices, self.passes_on = [*self.indices, *(one._index for one in ends)], True
        return [parts.pop(0) if parts else None for parts in map(found.__getitem__, places)]

    def free(self) -> bool:
        self.freed |= self.used
        if self.used and self.freed == frozenset().union(*self.plan.frees):
            self.saved = None
        return bool(self.used)


@quiet
def contributions(ends: list[Tensor], places: Iterable, arriving: list, create_graph=False) -> dict[tuple, list]:
    """What the backward brings to each of these places, a node and which of its outputs, part by part.

    Added up here, they would be rounded otherwise than one after the other among those of others.
    """
    found: dict[tuple, list] = {place: [] for place in places}
    seeds = [(end._node, end._index, one) for end, one in zip(ends, arriving) if one is not None]
    last: dict = {node: {} for node, _ in found}
    kinds = events.kinds_heard() | {events.Sent}
    for said in walk_from(seeds, True, create_graph, targets=[*last], captured=last, kinds=kinds):
        events.tell(said)
        if type(said) is events.Sent:
            found.get((said[2], said[3]), []).append(said.part)
    return found


def ends_of(result: Any, known: Any) -> list[Tensor]:
    """The tensors in what a function returned that have a history, in the order in which their hooks are called."""
    found = [one for one in trees.leaves(result) if isinstance(one, Tensor)]
    found = [one for one in found if (one.grad_fn if one._base is not None else one._node) is not None]  # a view's anew
    ends = {id(one): one for one in found if id(one) not in known}
    return sorted(ends.values(), key=lambda one: (-one._node.sequence, one._index))
