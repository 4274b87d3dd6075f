"""The node that a plan leaves in the graph: its gradients are a plan's, too."""

from typing import Any

from ..autograd.reverse import grad
from ..core.graph import Node, leaf_node, sequence
from ..core.modes import enable_grad, modes
from ..core.tensor import Tensor, counter_of, wrap
from ..tensors import trees
from ..words.advice import freed, overwritten

MISS = object()  # what a plan answers that does not fit


class CompiledBackward(Node):
    """The node of a compiled function: its gradients are a plan's, too."""

    special = True  # it may have several outputs

    def __init__(self, plan: Any, starts: list[Tensor], saved: list, args: tuple, options: dict) -> None:
        self.plan, self.saved, self.given = plan, (saved,), (starts, args, options)
        for start in starts:
            if start._base is not None:
                start._refresh()
        self.edges = [start._node or leaf_node(start) for start in starts]
        self.indices = [start._index for start in starts]
        self.sequence = next(sequence)
        self.stamps = [(counter, counter[0]) for counter in map(counter_of, map(starts.__getitem__, plan.kept_starts))]
        self.versions = plan.versions(args, options)
        self.returned: list[tuple] = []
        self.outputs = len(plan.metas)
        if self.outputs == 1:
            self.shape, self.dtype = plan.metas[0]

    def stamp(self, returned: list[Tensor]) -> None:
        """What is returned, and kept for the backward, too, must not be overwritten."""
        self.returned = [(one._data, one._index, counter_of(one), counter_of(one)[0]) for one in returned]

    def expects(self, index: int) -> tuple:
        return self.plan.metas[index]

    def gradients(self, g: Any, scope: Any = None, tensors: bool = False) -> list:
        if self.plan.refusal is not None:
            raise self.plan.refusal
        if self.saved is None:
            raise RuntimeError(freed(self))
        for place, (counter, version) in zip(self.plan.kept_starts, self.stamps):
            if counter[0] != version:
                start = self.given[0][place]
                keeper = f"{self.name()} had saved it"
                raise RuntimeError(overwritten(start.array, counter, version, start._node, start._index, keeper))
        for array, index, counter, version in self.returned:
            if counter[0] != version:
                raise RuntimeError(overwritten(array, counter, version, self, index, f"{self.name()} had saved it"))
        arrived = list(g) if self.outputs > 1 else [g]
        if tensors or any(one is None for one in arrived) or not self.plan.busy.acquire(blocking=False):
            return self._once_more(arrived, tensors)
        try:
            found = self.plan.back(arrived, *self.saved)
        finally:
            self.plan.busy.release()
        return self._once_more(arrived, tensors) if found is MISS else found

    def _once_more(self, arrived: list, tensors: bool) -> list:
        """The function itself, and its backward: where that is recorded, or not all gradients came."""
        if self.plan.effects:
            raise RuntimeError(f"{self.name()} cannot go backward so: the compiled function also changes something")
        starts, args, options = self.given
        if not self.plan.is_as_it_was(args, options, self.versions):
            raise RuntimeError(f"{self.name()} cannot go backward so: what the compiled function looks at has changed")
        create_graph = modes.state.grad
        with enable_grad():
            ends = ends_of(self.plan.function(*args, **options), [])
        pairs = [(end, one) for end, one in zip(ends, arrived) if one is not None]
        gradients = [one if tensors else wrap(one) for _, one in pairs]
        found = grad([end for end, _ in pairs], starts, gradients, create_graph=create_graph, allow_unused=True)
        return [one if one is None or tensors else one.array for one in found]

    def free(self) -> bool:
        had = self.plan.frees and self.saved is not None
        self.saved = None if had else self.saved
        return had


def ends_of(result: Any, known: Any) -> list[Tensor]:
    """The tensors in what a function returned that have a history."""
    found = [one for one in trees.leaves(result) if isinstance(one, Tensor) and one._node is not None]
    return list({id(one): one for one in found if id(one) not in known}.values())
