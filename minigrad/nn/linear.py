"""Layers that multiply by a matrix."""

import math
from typing import Any

from ..core.tensor import Tensor
from ..tensors.creation import empty
from . import functional as F, init
from .module import Module
from .parameter import Parameter


class Identity(Module):
    """The input, as it is."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class Weighted(Module):
    """What layers with a weight and perhaps a bias share."""

    def _add_weight(self, shape: tuple, bias: tuple | None, device: Any, dtype: Any) -> None:
        self.weight = Parameter(empty(shape, device=device, dtype=dtype))
        self.register_parameter("bias", Parameter(empty(bias, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            inputs = init._calculate_fan_in_and_fan_out(self.weight)[0]
            bound = 1 / math.sqrt(inputs) if inputs else 0
            init.uniform_(self.bias, -bound, bound)


class Linear(Weighted):
    """`input @ weightᵀ + bias`.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.nn.Linear(3, 2).weight
    Parameter containing:
    tensor([[-0.0043,  0.3097, -0.4752],
            [-0.4249, -0.2224,  0.1548]], requires_grad=True)
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True, device=None, dtype=None) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self._add_weight((out_features, in_features), (out_features,) if bias else None, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"
