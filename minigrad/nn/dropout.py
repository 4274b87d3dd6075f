"""Layers that, in training, forget at random."""

from ..core.tensor import Tensor
from . import functional as F
from .layer import Layer


class Dropout(Layer, of=F.dropout):
    """In training each number is 0 with probability p, and the others grow to make up for it.

    >>> import minigrad as mg
    >>> mg.nn.Dropout(0.5).eval()(mg.ones(3))
    tensor([1., 1., 1.])
    """

    p: float = 0.5
    inplace: bool = False

    def __init__(self, *args, **options) -> None:
        super().__init__(*args, **options)
        if not 0 <= self.p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {self.p}")

    def forward(self, input: Tensor) -> Tensor:
        return self._function(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout2d(Dropout, of=F.dropout2d):
    """Drops whole channels of (batch, channels, height, width).

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.nn.Dropout2d(0.5)(mg.ones(1, 4, 1, 1)).flatten()
    tensor([0., 0., 2., 0.])
    """
