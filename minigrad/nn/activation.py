"""The bends between layers, as modules: each is a function of `nn.functional` with its options.

>>> import minigrad as mg
>>> ReLU()(mg.tensor([-1.0, 2.0]))
tensor([0., 2.])
"""

import warnings

from ..core.tensor import Tensor
from . import functional as F
from .layer import Layer


class Sigmoid(Layer, of=F.sigmoid):
    """1 / (1 + e⁻ˣ)."""


class Tanh(Layer, of=F.tanh):
    """The hyperbolic tangent."""


class ReLU(Layer, of=F.relu):
    """x where it is positive, else 0."""

    inplace: bool = False


class SiLU(Layer, of=F.silu):
    """x · sigmoid(x)."""

    inplace: bool = False


class LeakyReLU(Layer, of=F.leaky_relu):
    """x where it is positive, else a small multiple of it."""

    negative_slope: float = 0.01
    inplace: bool = False


class ELU(Layer, of=F.elu):
    """x where it is positive, else α(eˣ - 1)."""

    alpha: float = 1.0
    inplace: bool = False


class GELU(Layer, of=F.gelu):
    """x weighted by the probability that a standard normal variable is smaller."""

    approximate: str = "none"


class Softplus(Layer, of=F.softplus):
    """log(1 + eᵝˣ) / β: a smooth ReLU."""

    beta: float = 1.0
    threshold: float = 20.0


class Softmax(Layer):
    """Probabilities: eˣ divided by its sum along a dimension.

    >>> import minigrad as mg
    >>> Softmax(dim=0)(mg.zeros(4))
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """

    dim: int | None = None

    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, chosen(self.dim, input, "softmax"))


class LogSoftmax(Softmax):
    """The logarithm of Softmax, which stays finite where that rounds to 0."""

    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, chosen(self.dim, input, "log_softmax"))


def chosen(dim: int | None, input: Tensor, name: str) -> int:
    """The dimension to normalise along; without one, PyTorch's old guess and its warning."""
    if dim is not None:
        return dim
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=4,
    )
    return 0 if input.ndim in (0, 1, 3) else 1
