"""Layers that slide a kernel over their input."""

import math
from typing import Any

from ..core.tensor import Tensor
from ..tensors.creation import empty
from . import functional as F, init
from .module import Module
from .parameter import Parameter


class _Conv(Module):
    """What convolutions over one and two dimensions share."""

    spatial = 0

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, bias: bool = True, *, device=None, dtype=None,
    ) -> None:  # fmt: skip
        super().__init__()
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % groups:
                raise ValueError(f"{name} must be divisible by groups")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.dilation = map(self._each, (kernel_size, stride, dilation))
        self.padding: Any = self._checked(padding) if isinstance(padding, str) else self._each(padding)
        shape = (out_channels, in_channels // groups, *self.kernel_size)
        self.weight = Parameter(empty(shape, device=device, dtype=dtype))
        self.register_parameter("bias", Parameter(empty(out_channels, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def _each(self, value: Any) -> tuple:
        """One number for each dimension."""
        return (value,) * self.spatial if isinstance(value, int) else tuple(value)

    def _checked(self, padding: str) -> str:
        if padding not in ("valid", "same"):
            raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'valid', 'same'}}")
        if padding == "same" and any(step != 1 for step in self.stride):
            raise ValueError("padding='same' is not supported for strided convolutions")
        return padding

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(init.fans(self.weight)[0])
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        convolve = getattr(F, f"conv{self.spatial}d")
        return convolve(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

    def extra_repr(self) -> str:
        usual = {"padding": self._each(0), "dilation": self._each(1), "groups": 1}
        unusual = [f", {name}={getattr(self, name)}" for name, value in usual.items() if getattr(self, name) != value]
        bias = ", bias=False" if self.bias is None else ""
        sizes = f"kernel_size={self.kernel_size}, stride={self.stride}"
        return f"{self.in_channels}, {self.out_channels}, {sizes}" + "".join(unusual) + bias


class Conv1d(_Conv):
    """A kernel slid along (batch, channels, length)."""

    spatial = 1


class Conv2d(_Conv):
    """A kernel slid over (batch, channels, height, width).

    >>> import minigrad as mg
    >>> Conv2d(1, 4, kernel_size=3, padding=1)(mg.zeros(2, 1, 8, 8)).shape
    minigrad.Size([2, 4, 8, 8])
    """

    spatial = 2
