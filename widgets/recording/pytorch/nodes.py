"""What stands for the nodes of PyTorch's graph: where their edges lead, and which row says what they compute."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import torch

from minigrad.autograd.graph import Node

from . import private, rows
from .numbers import kept
from .tensors import StandIn, place_of

if TYPE_CHECKING:
    from .known import Known


class NodeStandIn(Node):
    """Stands for a node of PyTorch's graph.

    Args:
        op: the row of the tables that says how it computes; or something with a name, where there is none.
        number: PyTorch's own, by which it is older or younger than others.
        values: the arguments of its operation.
        operator: what PyTorch calls it.

    Attributes:
        slots: by the number of PyTorch's edge, the number of ours, once PyTorch's node was met.
        is_sure: whether no other node can have this number.
    """

    edges: list
    indices: list
    arguments: Any = ()
    saves: Any = ()
    slots: dict[int, int]
    conjugates = False
    is_sure = True

    def __init__(self, op: Any, number: int, values: Sequence[Any], operator: str) -> None:
        self.op, self.sequence, self.operator = op, number, operator.replace("_", "").lower()
        self.called, self.slots = f"{operator.title().replace('_', '')}Backward0", {}
        if isinstance(op, rows.Named):
            self.arguments = [i for i, value in enumerate(values) if isinstance(value, StandIn)]
        else:
            self.arguments = range(op.first, len(values)) if op.many else op.slots
        places = [place_of(values[i]) for i in self.arguments]
        self.edges, self.indices = [target for target, _ in places], [index for _, index in places]
        if not isinstance(op, rows.Named):
            tensors = [one.tensor for one in values if isinstance(one, StandIn)]
            self.conjugates = any(one is not None and one.is_complex() for one in tensors)
            self.saves = saves_of(op, self.edges)

    def name(self) -> str:
        return self.called

    def fits(self, made: Any) -> bool:
        """Whether it stands for this node; PyTorch may have made others on the way, and given them numbers."""
        theirs = re.sub("Backward.*", "", made.name()).lower()
        return self.is_sure or self.operator.startswith(theirs) or theirs.startswith(self.operator)

    def meets(self, made: Any, known: "Known") -> None:
        """PyTorch's node is here: what it is called, and which of its edges is which of ours."""
        if self.slots:
            return
        self.called, left = made.name(), [slot for slot, edge in enumerate(self.edges) if edge is not None]
        for k, edge in enumerate(made.next_functions):
            place = known.target(*edge)
            if place[0] is not None and left:
                slot = next((slot for slot in left if (self.edges[slot], self.indices[slot]) == place), left[0])
                left.remove(slot)
                self.slots[k], (self.edges[slot], self.indices[slot]) = slot, place


def saves_of(op: Any, edges: Sequence[Any]) -> Any:
    """What a row keeps where these edges want a gradient."""
    wanted = sum(1 << slot for slot, edge in enumerate(edges) if edge is not None) | 1 << len(edges)
    return (op.plans.get(wanted) or op.plan(wanted)).saves


class LeafStandIn(NodeStandIn):
    """Stands for the AccumulateGrad of a leaf."""

    is_leaf = True

    def __init__(self, leaf: StandIn) -> None:
        super().__init__(rows.Named("leaf"), 0, (), "")
        self.called, self.variable = "torch::autograd::AccumulateGrad", leaf

    def owners(self) -> dict:
        return {0: self.variable}


class Unheard(NodeStandIn):
    """Stands for a node of which nobody heard when it was made; what its graph tells is read when asked for."""

    def __init__(self, known: "Known", made: Any) -> None:
        self.sequence, self.called, self.outputs = private.number(made), made.name(), private.outputs(made)
        self.known, self.made = known, made

    def fits(self, made: Any) -> bool:
        return self.made is None or self.made is made

    def meets(self, made: Any, known: "Known") -> None:
        """It was made of this node."""

    @cached_property
    def op(self) -> Any:  # type: ignore[override]
        """The row whose nodes are called so, if its inputs are as many."""
        row = rows.of_node(self.made)
        return row if row is not None and len(row.slots) == len(self.made.next_functions) else None

    @cached_property
    def places(self) -> dict[int, tuple]:
        """Where its edges lead; where no row gives them places, only those that lead somewhere."""
        places = {k: self.known.target(*edge) for k, edge in enumerate(self.made.next_functions)}
        return {k: place for k, place in places.items() if self.op is not None or place[0] is not None}

    @property
    def edges(self) -> list:  # type: ignore[override]
        return [target for target, _ in self.places.values()]

    @property
    def indices(self) -> list:  # type: ignore[override]
        return [index for _, index in self.places.values()]

    @property
    def slots(self) -> dict[int, int]:  # type: ignore[override]
        return {k: slot for slot, k in enumerate(self.places)}

    @property
    def arguments(self) -> Any:  # type: ignore[override]
        return range(len(self.places)) if self.op is None else self.op.slots

    @property
    def saves(self) -> Any:  # type: ignore[override]
        return () if self.op is None else saves_of(self.op, self.edges)

    def owners(self) -> dict:
        """Those that keep the gradient which arrives here."""
        keeping = [one for tensor, one in self.known.tensors() if tensor.retains_grad and one.made_by]
        return {one.place[1]: one for one in keeping if one.place and one.place[0] is self}

    def unpack(self, i: int) -> Any:
        try:
            value = private.saved(self.made, self.saves[i].attribute)
        except AttributeError:
            raise RuntimeError(f"{self.called} does not keep this") from None
        slot = self.saves[i].slot
        if isinstance(value, torch.Tensor) and not value.ndim and slot is not None and self.edges[slot] is None:
            return kept(value).item()  # the 2 of `w * 2`
        if isinstance(value, int) and value >= 1 << 63:  # a dimension that counts from the end
            return value - (1 << 64)
        return kept(value) if isinstance(value, torch.Tensor) else tuple(value) if isinstance(value, list) else value
