"""The backward of PyTorch as minigrad's events: hooks on each node of the graph say what came and what went.

The hooks are there while this backward runs, and gone afterwards. A gradient is told as minigrad tells it: a visit,
then a part for each edge, then what the parts add up to.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch

from minigrad.autograd import events

from ..moments import UNKNOWN, are_whole
from ..reading import all_from
from . import private
from .known import Known
from .nodes import NodeStandIn
from .numbers import kept, mailbox
from .tensors import StandIn, place_of


class Backward:
    """One call of PyTorch's engine.

    Args:
        running: the backwards that run, of which this becomes the innermost.
        outputs: where it starts: tensors, or edges of the graph.
        gradients: with what, and the rest as PyTorch's engine takes it.
        hearing: gives a context in which operators are heard, for hooks of the user's.
    """

    def __init__(
        self, known: Known, running: list, hearing: Any, outputs: Any, gradients: Any, retain: bool, create: bool
    ) -> None:
        self.known, self.running, self.hearing, self.retain, self.create = known, running, hearing, retain, create
        edges = [edge_of(one) for one in outputs]
        self.roots = [(made, index) for made, index in edges if made is not None]
        self.seeds = list(zip(edges, gradients))
        self.current: NodeStandIn | None = None
        self.arrived: dict[tuple, Any] = {}  # by node and output: the gradient so far, as it was told
        self.totals: dict[tuple, torch.Tensor] = {}  # and, where several parts come, as PyTorch adds it up
        self.handles: list[Any] = []
        self.retaining: dict[tuple, list[torch.Tensor]] = {}  # by node and output: who keeps that gradient
        self.undo: list[Callable[[], Any]] = []
        self.deposit: tuple = ()
        self.visited: NodeStandIn | None = None  # whose visit was told before a hook of the user's saw what it sends

    def __enter__(self) -> "Backward":
        self.running.append(self)
        self.known.tries(self._begin)
        return self

    def _begin(self) -> None:
        """Hooks for all nodes that can be reached; and the first gradients are told."""
        follows = {events.Visited, events.Sent, events.Deposited} & events.kinds_heard()
        senders: dict[Any, int] = {}
        if follows:
            self._hook_hooks()
            for made in all_from((made for made, _ in self.roots), targets_of):
                node = self.known.node(made)
                node.meets(made, self.known)
                for target in targets_of(made):
                    senders[target] = senders.get(target, 0) + 1
                before, after = (self._reaches, self._filled) if node.is_leaf else (self._before, self._after)
                first = made.register_prehook(partial(self.known.tries, before, node))
                last = made.register_hook(partial(self.known.tries, after, node))
                self.handles += [first, last]
                self._hook_hooks_of(node, first, last)
        for made, _ in self.roots:
            senders[made] = senders.get(made, 0) + 1
        self.several = {self.known.node(made) for made, count in senders.items() if made is not None and count > 1}
        for (made, index), gradient in self.seeds:
            if made is not None:
                node = self.known.node(made)
                told = self.known.tensor(gradient) if self.create else kept(gradient)
                events.tell(events.Seeded(node, index, told))
                self._arrive(node, index, gradient, kept(gradient))

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        for handle in self.handles:
            handle.remove()
        for undo in self.undo:
            undo()
        self.running.remove(self)
        if isinstance(error, Exception):
            self.known.tries(events.tell, events.Failed(self.current, error))

    # -- nodes -----------------------------------------------------------------------------------------------------

    def _before(self, node: NodeStandIn, gradients: tuple) -> None:
        """A node is about to run; if what it is given is not what had arrived, somebody's hook replaced it."""
        self.current = node
        for index, gradient in enumerate(gradients):
            self._compare(node, index, gradient)
            self._retained(node, index)

    def _compare(self, node: NodeStandIn, index: int, gradient: torch.Tensor | None) -> None:
        arrived, now = self.arrived.pop((node, index), None), kept(gradient)
        self.totals.pop((node, index), None)
        if arrived is not None and now is not None and not is_same(arrived, now):
            events.tell(events.HookCalled(node, "tensor", None, arrived, now))

    def _retained(self, node: NodeStandIn, index: int) -> None:
        for tensor in self.retaining.get((node, index), ()):
            events.tell(events.HookCalled(node, "retain_grad", None, None, kept(mailbox(tensor))))

    def _after(self, node: NodeStandIn, parts: tuple, gradients: tuple) -> None:
        self._visits(node, parts, gradients)
        self.visited = None
        if all(one is None for one in gradients):
            return
        if not self.retain and node.saves:
            events.tell(events.Freed(node))
        for k, part in enumerate(parts):
            if part is None or k not in node.slots:
                continue
            slot = node.slots[k]
            target, index, copy = node.edges[slot], node.indices[slot], kept(part)
            events.tell(events.Sent(node, slot, target, index, copy, copy))
            self._arrive(target, index, part, copy)

    def _visits(self, node: NodeStandIn, parts: tuple, gradients: tuple) -> None:
        told = [kept(one) for one in gradients]
        if self.visited is not node and not all(one is None for one in told):
            self.visited = node
            events.tell(events.Visited(node, told[0] if node.outputs == 1 else told, list(map(kept, parts)), 0, 0))

    def _arrive(self, target: NodeStandIn, index: int, part: torch.Tensor, copy: Any) -> None:
        key = target, index
        if target in self.several:
            with private.unheard(), torch.no_grad():
                total = self.totals.get(key)
                self.totals[key] = part.detach().clone() if total is None else total + part.detach()
        before = self.arrived.get(key)
        if before is not None:
            total_copy = kept(self.totals[key]) if key in self.totals else UNKNOWN
            events.tell(events.Accumulated(target, index, before, copy, total_copy))
            copy = total_copy
        self.arrived[key] = copy

    # -- leaves ----------------------------------------------------------------------------------------------------

    def _reaches(self, leaf: NodeStandIn, gradients: tuple) -> None:
        self.current = leaf
        self._compare(leaf, 0, gradients[0])
        self.deposit = kept(mailbox(leaf.variable.tensor)), kept(gradients[0])

    def _filled(self, leaf: NodeStandIn, _: tuple, gradients: tuple) -> None:
        """The mailbox was filled; where somebody waited for that, it was told before."""
        if self.deposit:
            (before, part), self.deposit = self.deposit, ()
            after = kept(mailbox(leaf.variable.tensor))
            if part is not None and after is not None:  # it was frozen since, or a hook took it away
                events.tell(events.Deposited(leaf, leaf.variable, before, part, after))

    # -- hooks of the user's ---------------------------------------------------------------------------------------

    def _hook_hooks(self) -> None:
        """As long as this backward runs, the hooks of tensors are called by ones that also tell what they did."""
        for tensor, stand_in in self.known.tensors():
            if not tensor.requires_grad or private.made_by(tensor) is private.UNTOLD:
                continue
            if tensor.retains_grad and stand_in.made_by:
                self.retaining.setdefault(stand_in.made_by, []).append(tensor)
            self._stand_before(private.hooks(tensor), partial(self._tensor_hook, stand_in))
            self._stand_before(private.hooks_when_filled(tensor), partial(self._accumulated_hook, stand_in))

    def _hook_hooks_of(self, node: NodeStandIn, first: Any, last: Any) -> None:
        """The same for the hooks of a node; `first` and `last` are the handles of our own."""
        for handle, teller in (first, self._hook_before), (last, self._hook_after):
            hooks, others = handle.hooks_dict_ref(), private.others(handle)
            self._stand_before(others, partial(teller, node), hooks)
            if handle is first:  # ours is called before them
                hooks |= {key: hooks.pop(key) for key in others}

    def _stand_before(self, hooks: dict | None, teller: Callable, where: Any = None) -> None:
        """Some hooks, or all that there are, where they are kept."""
        where = hooks if where is None else where
        for key, hook in list((hooks or {}).items()):
            where[key] = partial(teller, hook)
            self.undo.append(partial(self._put_back, where, key, hook))

    @staticmethod
    def _put_back(hooks: dict, key: int, hook: Any) -> None:
        if key in hooks:  # a hook may have taken itself off
            hooks[key] = hook

    def _tensor_hook(self, stand_in: StandIn, hook: Any, gradient: torch.Tensor) -> Any:
        before = kept(gradient)
        with self.hearing():
            answer = hook(gradient)
        self.known.tries(self._hooked, stand_in, hook, before, answer)
        return answer

    def _hooked(self, stand_in: StandIn, hook: Any, before: Any, answer: Any) -> None:
        node, index = place_of(stand_in)
        after = before if answer is None else kept(answer)
        events.tell(events.HookCalled(node, "tensor", hook, before, after))
        if (node, index) in self.arrived:
            self.arrived[node, index] = after

    def _hook_before(self, node: NodeStandIn, hook: Any, gradients: tuple) -> Any:
        """A hook of a node, which sees what has arrived at it."""
        before = tuple(map(kept, gradients))
        with self.hearing():
            answer = hook(gradients)
        after = before if answer is None else tuple(map(kept, answer))
        self.known.tries(events.tell, events.HookCalled(node, "pre", hook, before, after))
        if node.is_leaf:
            self.deposit = self.deposit[0], after[0]
        return answer

    def _hook_after(self, node: NodeStandIn, hook: Any, parts: tuple, gradients: tuple) -> Any:
        """One that sees what a node sends; or, of a leaf, that its mailbox was filled."""
        self.known.tries(self._filled if node.is_leaf else self._visits, node, parts, gradients)
        before = tuple(map(kept, parts))
        with self.hearing():
            answer = hook(parts, gradients)
        after = before if answer is None else tuple(map(kept, answer))
        self.known.tries(events.tell, events.HookCalled(node, "post", hook, before, after))
        return answer

    def _accumulated_hook(self, stand_in: StandIn, hook: Any, leaf: torch.Tensor) -> Any:
        self.known.tries(self._filled, stand_in.leaf, (), ())
        with self.hearing():
            answer = hook(leaf)
        told = events.HookCalled(stand_in.leaf, "accumulated", hook, stand_in, stand_in)
        self.known.tries(events.tell, told)
        return answer


def edge_of(output: Any) -> tuple:
    """The node at which a backward starts, and which of its outputs that is."""
    if not isinstance(output, torch.Tensor):
        return output.node, output.output_nr
    edge = torch.autograd.graph.get_gradient_edge(output) if output.requires_grad else None
    return (None, 0) if edge is None else (edge.node, edge.output_nr)


def targets_of(made: Any) -> list[Any]:
    return [target for target, _ in made.next_functions]


def is_same(one: Any, other: Any) -> bool:
    return not are_whole(one, other) or np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind in "fc")
