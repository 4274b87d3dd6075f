"""The bends between layers, as modules: each is a function of `nn.functional` with its options."""

import warnings
from typing import Any

from ..creation import full
from ..tensor import Tensor
from . import functional as F
from .module import Module
from .parameter import Parameter


class _Activation(Module):
    """A module that only calls the function of its name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return getattr(F, type(self).__name__.lower())(input)


class Sigmoid(_Activation):
    """1 / (1 + e⁻ˣ)."""


class Tanh(_Activation):
    """The hyperbolic tangent."""


class Softsign(_Activation):
    """x / (1 + |x|)."""


class Tanhshrink(_Activation):
    """x - tanh(x)."""


class LogSigmoid(_Activation):
    """log(1 / (1 + e⁻ˣ)), which stays finite where the sigmoid rounds to 0."""

    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class _InPlace(Module):
    """A module that can overwrite its input: the same numbers with less memory."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return self.compute(input, inplace=True) if self.inplace else self.compute(input)

    def compute(self, input: Tensor, **where: bool) -> Tensor:
        return getattr(F, type(self).__name__.lower())(input, **where)

    def options(self) -> str:
        """The options besides `inplace`, as text."""
        return ""

    def extra_repr(self) -> str:
        return ", ".join(filter(None, (self.options(), "inplace=True" if self.inplace else "")))


class ReLU(_InPlace):
    """x where it is positive, else 0.

    >>> import minigrad as mg
    >>> ReLU()(mg.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return input.relu_() if self.inplace else F.relu(input)


class ReLU6(_InPlace):
    """x held between 0 and 6."""


class SiLU(_InPlace):
    """x · sigmoid(x)."""


class SELU(_InPlace):
    """ELU with the scale that keeps mean 0 and deviation 1."""


class Mish(_InPlace):
    """x · tanh(softplus(x))."""


class Hardswish(_InPlace):
    """x · relu6(x + 3) / 6."""

    def extra_repr(self) -> str:
        return ""


class Hardsigmoid(_InPlace):
    """relu6(x + 3) / 6."""

    def extra_repr(self) -> str:
        return ""


class LeakyReLU(_InPlace):
    """x where it is positive, else a small multiple of it."""

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.negative_slope = negative_slope

    def compute(self, input: Tensor, **where: bool) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, **where)

    def options(self) -> str:
        return f"negative_slope={self.negative_slope}"


class ELU(_InPlace):
    """x where it is positive, else α(eˣ - 1)."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.alpha = alpha

    def compute(self, input: Tensor, **where: bool) -> Tensor:
        return F.elu(input, self.alpha, **where)

    def options(self) -> str:
        return f"alpha={self.alpha}"


class CELU(ELU):
    """x where it is positive, else α(eˣᐟᵅ - 1)."""

    def compute(self, input: Tensor, **where: bool) -> Tensor:
        return F.celu(input, self.alpha, **where)


class Hardtanh(_InPlace):
    """x held between two bounds."""

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        if max_val <= min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")
        self.min_val, self.max_val = min_val, max_val

    def compute(self, input: Tensor, **where: bool) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, **where)

    def options(self) -> str:
        return f"min_val={self.min_val}, max_val={self.max_val}"


class Threshold(_InPlace):
    """x where it is above the threshold, else a value."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.threshold, self.value = threshold, value

    def compute(self, input: Tensor, **where: bool) -> Tensor:
        return F.threshold(input, self.threshold, self.value, **where)

    def options(self) -> str:
        return f"threshold={self.threshold}, value={self.value}"


class GELU(Module):
    """x weighted by the probability that a standard normal variable is smaller."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class Softplus(Module):
    """log(1 + eᵝˣ) / β: a smooth ReLU."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        return f"beta={self.beta}, threshold={self.threshold}"


class Softshrink(Module):
    """x moved towards 0 by λ."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        return F.softshrink(input, self.lambd)

    def extra_repr(self) -> str:
        return str(self.lambd)


class Hardshrink(Softshrink):
    """x where it is further than λ from 0, else 0."""

    def forward(self, input: Tensor) -> Tensor:
        return F.hardshrink(input, self.lambd)


class PReLU(Module):
    """LeakyReLU whose slope is learned: one for all, or one for each channel."""

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device=None, dtype=None) -> None:
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(full((num_parameters,), float(init), device=device, dtype=dtype))

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class Softmax(Module):
    """Probabilities: eˣ divided by its sum along a dimension.

    >>> import minigrad as mg
    >>> Softmax(dim=0)(mg.zeros(4))
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, chosen(self.dim, input, "softmax"))

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Softmin(Softmax):
    """Softmax of -x."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input.neg(), chosen(self.dim, input, "softmin"))


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
