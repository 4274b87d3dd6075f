"""Layers that slide a kernel over their input."""

from typing import Any

from ..core.tensor import Tensor
from . import functional as F
from .linear import Weighted


class Convolution(Weighted):
    """What convolutions over one and two dimensions share."""

    spatial = 0
    transposed = False

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, bias: bool = True, *, device=None, dtype=None,
    ) -> None:  # fmt: skip
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % groups:
                raise ValueError(f"{name} must be divisible by groups")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.dilation = map(self._each, (kernel_size, stride, dilation))
        self.padding: Any = self._checked(padding) if isinstance(padding, str) else self._each(padding)
        self.output_padding = self._each(0)
        ends = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        shape = (ends[0], ends[1] // groups, *self.kernel_size)
        self._add_weight(shape, (out_channels,) if bias else None, device, dtype)

    def _each(self, value: Any) -> tuple:
        """One number for each dimension."""
        return (value,) * self.spatial if isinstance(value, int) else tuple(value)

    def _checked(self, padding: str) -> str:
        if padding not in ("valid", "same"):
            raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'valid', 'same'}}")
        if padding == "same" and any(step != 1 for step in self.stride):
            raise ValueError("padding='same' is not supported for strided convolutions")
        return padding

    def forward(self, input: Tensor) -> Tensor:
        convolve = getattr(F, f"conv{self.spatial}d")
        return convolve(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

    def extra_repr(self) -> str:
        none = self._each(0)
        usual = {"padding": none, "dilation": self._each(1), "output_padding": none, "groups": 1}
        unusual = [f", {name}={getattr(self, name)}" for name, value in usual.items() if getattr(self, name) != value]
        bias = ", bias=False" if self.bias is None else ""
        sizes = f"kernel_size={self.kernel_size}, stride={self.stride}"
        return f"{self.in_channels}, {self.out_channels}, {sizes}" + "".join(unusual) + bias


class Conv1d(Convolution):
    """A kernel slid along (batch, channels, length).

    >>> import minigrad as mg
    >>> mg.nn.Conv1d(1, 4, kernel_size=3)(mg.zeros(2, 1, 8)).shape
    minigrad.Size([2, 4, 6])
    """

    spatial = 1


class Conv2d(Convolution):
    """A kernel slid over (batch, channels, height, width).

    >>> import minigrad as mg
    >>> mg.nn.Conv2d(1, 4, kernel_size=3, padding=1)(mg.zeros(2, 1, 8, 8)).shape
    minigrad.Size([2, 4, 8, 8])
    """

    spatial = 2


class ConvTranspose2d(Convolution):
    """Each pixel spread to a kernel: a convolution's way back, which makes images larger.

    >>> import minigrad as mg
    >>> mg.nn.ConvTranspose2d(4, 1, kernel_size=2, stride=2)(mg.zeros(2, 4, 3, 3)).shape
    minigrad.Size([2, 1, 6, 6])
    """

    spatial, transposed = 2, True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1, *, device=None, dtype=None,
    ) -> None:  # fmt: skip
        given = (in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias)
        super().__init__(*given, device=device, dtype=dtype)
        self.output_padding = self._each(output_padding)

    def forward(self, input: Tensor) -> Tensor:
        options = (self.stride, self.padding, self.output_padding, self.groups, self.dilation)
        return F.conv_transpose2d(input, self.weight, self.bias, *options)
