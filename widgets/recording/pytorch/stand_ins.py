"""What stands for PyTorch's tensors and nodes in events: it has what a listener may ask, and keeps no tensor alive.

Numbers are copied when they are asked for, and never through `numpy()` of the program's own tensor, which would make
its memory unable to grow.
"""

import itertools
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch.utils.weak import TensorWeakRef, WeakIdKeyDictionary

from minigrad import Tensor
from minigrad.autograd.graph import Node
from minigrad.nn import Parameter

from ..large import COPIED, Large
from ..moments import UNKNOWN
from . import private, rows

# == numbers ===================================================================================================


def kept(tensor: torch.Tensor | None) -> Any:
    """The numbers of a tensor as they are now, copied to the host; of a large one what is told of it."""
    if tensor is None:
        return None
    with private.unheard():
        try:
            tensor = private.unwrapped(tensor.detach())
            tensor = tensor if tensor.layout is torch.strided else tensor.to_dense()
            return array(tensor) if tensor.numel() <= COPIED else large(tensor)
        except (RuntimeError, TypeError, NotImplementedError):
            return UNKNOWN  # a tensor without numbers, as of a program that is only traced


def array(tensor: torch.Tensor) -> np.ndarray:
    """A copy; of bfloat16, which NumPy does not have, in float32."""
    return (tensor.float() if tensor.dtype is torch.bfloat16 else tensor.clone()).numpy(force=True)


def large(tensor: torch.Tensor) -> Large:
    cells = array(Large.sampled(tensor.reshape(-1, tensor.shape[-1])))
    low, high = (None, None) if tensor.is_complex() else (array(one)[()] for one in torch.aminmax(tensor))
    return Large(tuple(tensor.shape), cells.dtype, tensor.numel(), low, high, cells)


def is_differentiable(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


def mailbox(tensor: torch.Tensor) -> torch.Tensor | None:
    """What is in `.grad`; of a tensor that has none PyTorch would warn."""
    has_one = private.made_by(tensor) is None or tensor.retains_grad
    return private.GRAD.__get__(tensor) if has_one else None


# == tensors ===================================================================================================


class StandIn(Tensor):
    """Stands for one tensor: `made_by`, `numbers`, `grad` are those that the tensor has at this moment."""

    known: "Known"
    reference: TensorWeakRef
    memory: tuple | None  # what tells its memory apart
    place: tuple | None = None  # what made it, when somebody last looked
    wants: bool = False  # whether it required a gradient then
    told: int = -1  # in the operation of this number it got another history, which PyTorch does not show yet

    @property
    def tensor(self) -> torch.Tensor | None:
        return self.reference()

    @property
    def numbers(self) -> Any:
        return UNKNOWN if self.tensor is None else kept(self.tensor)

    @property
    def made_by(self) -> tuple | None:
        return self.looked_at().place

    @property  # type: ignore[misc]
    def requires_grad(self) -> bool:
        return self.looked_at().wants

    @property
    def grad(self) -> Tensor | None:  # type: ignore[misc, override]
        grad = None if self.tensor is None else mailbox(self.tensor)
        return None if grad is None else self.known.tensor(grad)

    @cached_property
    def leaf(self) -> "LeafStandIn":
        """Where its gradient arrives, if nothing made it."""
        return LeafStandIn(self)

    @property
    def origin(self) -> "NodeStandIn":
        """The node at which its gradient arrives."""
        return place_of(self)[0]

    def looked_at(self) -> "StandIn":
        tensor = self.tensor
        if tensor is not None and self.told != self.known.operations:
            made, self.wants = private.made_by(tensor), tensor.requires_grad
            if made is not private.UNTOLD:
                self.place = None if made is None else (self.known.node(made), tensor.output_nr)
        return self

    def is_made_by(self, place: tuple | None) -> None:
        """The operation that runs now makes it, or writes over it."""
        self.place, self.told, self.wants = place, self.known.operations, place is not None


class ParameterStandIn(StandIn, Parameter):
    pass


def place_of(value: Any) -> tuple:
    """Where the gradient of an argument arrives: a node, and which of its outputs it is; if it wants one."""
    if not isinstance(value, StandIn) or not value.requires_grad:
        return None, 0
    return value.made_by or (value.leaf, 0)


# == nodes =====================================================================================================


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


# == all of them ===============================================================================================


class Known:
    """All tensors and nodes that were met while we listen.

    Attributes:
        operations: how many have run.
        failures: what could not be told.
        nodes: by PyTorch's number.
    """

    def __init__(self) -> None:
        self.operations = 0
        self.nodes: dict[int, NodeStandIn] = {}
        self._tensors = WeakIdKeyDictionary()
        self._memories = WeakIdKeyDictionary()
        self._numbers = itertools.count(1)
        self.failures: list[Exception] = []

    def tries(self, tell: Callable, *given: Any) -> None:
        """Tell something; where that fails, the program goes on as it would have."""
        try:
            tell(*given)
        except Exception as error:
            self.failures.append(error)

    def stand_in(self, thing: Any) -> Tensor | None:
        return self.tensor(thing) if isinstance(thing, torch.Tensor) else None

    def tensor(self, tensor: torch.Tensor) -> StandIn:
        found: StandIn | None = self._tensors.get(tensor)
        if found is None:
            found = object.__new__(ParameterStandIn if isinstance(tensor, torch.nn.Parameter) else StandIn)
            found.known, found.reference, found.memory = self, TensorWeakRef(tensor), self.memory(tensor)
            self._tensors[tensor] = found
        return found

    def tensors(self) -> list[tuple[torch.Tensor, StandIn]]:
        return list(self._tensors.items())

    def has_met(self, tensor: torch.Tensor) -> bool:
        """Whether this tensor, or one with the same memory, has come up."""
        return tensor in self._tensors or storage(tensor) in self._memories

    def memory(self, tensor: torch.Tensor) -> tuple | None:
        """What tells its memory apart: an address would come again when the memory is given to somebody else."""
        memory = storage(tensor)
        if memory is None or not tensor.numel():
            return None
        if memory not in self._memories:
            self._memories[memory] = next(self._numbers)
        return self._memories[memory], tensor.storage_offset(), tuple(tensor.shape), tensor.stride()

    def heard(self, node: NodeStandIn, first: int) -> None:
        """A node was made; it has its number or, if PyTorch made others on the way, one down to `first`."""
        node.is_sure = first == node.sequence
        for number in range(first, node.sequence + 1):
            self.nodes.setdefault(number, node)

    def node(self, made: Any) -> NodeStandIn:
        """What stands for a node."""
        if hasattr(made, "variable"):
            return self.tensor(made.variable).leaf
        found = self.nodes.get(private.number(made))
        if found is None or not found.fits(made):
            found = self.nodes[private.number(made)] = Unheard(self, made)
        return found

    def target(self, made: Any, index: int) -> tuple:
        """Where an edge of PyTorch's leads."""
        return (None, 0) if made is None else (self.node(made), index)

    def forget(self) -> None:
        """Nothing more is told: PyTorch's nodes are let go."""
        for node in list(self.nodes.values()):
            if isinstance(node, Unheard) and node.made is not None:
                assert node.places is not None  # read, as long as there is something to read
                node.made = None


def storage(tensor: torch.Tensor) -> Any:
    with private.unheard():
        try:
            return tensor.untyped_storage()
        except (RuntimeError, NotImplementedError):
            return None  # it is sparse
