"""What stands for PyTorch's tensors in events: it has what a listener may ask, and keeps no tensor alive."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import torch
from torch.utils.weak import TensorWeakRef

from minigrad import Tensor
from minigrad.nn import Parameter

from ..moments import UNKNOWN
from . import private
from .numbers import kept, mailbox

if TYPE_CHECKING:
    from .known import Known
    from .nodes import LeafStandIn, NodeStandIn


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
        return self.known.leaf(self)

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


class Values(list):
    """What a row takes; `asked` are the tensors of which it takes only numbers, as of an index."""

    asked: list[StandIn]


def place_of(value: Any) -> tuple:
    """Where the gradient of an argument arrives: a node, and which of its outputs it is; if it wants one."""
    if not isinstance(value, StandIn) or not value.requires_grad:
        return None, 0
    return value.made_by or (value.leaf, 0)
