"""Layers that, in training, forget at random."""

from typing import Any

from ..tensor import Tensor
from . import functional as F
from .module import Module


class Dropout(Module):
    """In training each number is 0 with probability p, and the others grow to make up for it.

    >>> import minigrad as mg
    >>> Dropout(0.5).eval()(mg.ones(3))
    tensor([1., 1., 1.])
    """

    function: Any = "dropout"

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        return getattr(F, self.function)(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout1d(Dropout):
    """Drops whole channels of (batch, channels, length)."""

    function = "dropout1d"


class Dropout2d(Dropout):
    """Drops whole channels of (batch, channels, height, width)."""

    function = "dropout2d"
