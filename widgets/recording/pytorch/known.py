"""All tensors and nodes of PyTorch that were met, each with what stands for it."""

import itertools
from collections.abc import Callable
from typing import Any

import torch
from torch.utils.weak import TensorWeakRef, WeakIdKeyDictionary

from minigrad import Tensor

from . import private
from .nodes import LeafStandIn, NodeStandIn, Unheard
from .tensors import ParameterStandIn, StandIn


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

    def leaf(self, stand_in: StandIn) -> LeafStandIn:
        """What stands for the end of a path, where the gradient of a leaf arrives."""
        return LeafStandIn(stand_in)

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
