"""Layers that slide a kernel over their input."""

import math
from typing import Any

from ..creation import empty
from ..tensor import Tensor
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter

PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class _Conv(Module):
    """What convolutions over one and two dimensions share."""

    spatial = 0
    output_padding: tuple = ()  # of the transposed ones

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros", device=None, dtype=None,
    ) -> None:  # fmt: skip
        super().__init__()
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % groups:
                raise ValueError(f"{name} must be divisible by groups")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.dilation = map(self._each, (kernel_size, stride, dilation))
        self.padding: Any = self._checked(padding) if isinstance(padding, str) else self._each(padding)
        if padding_mode not in PADDING_MODES:
            modes = "{" + ", ".join(map(repr, PADDING_MODES)) + "}"
            raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode='{padding_mode}'")
        self.padding_mode = padding_mode
        self.weight = Parameter(empty(self._weight_shape(), device=device, dtype=dtype))
        self.register_parameter("bias", Parameter(empty(out_channels, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def _weight_shape(self) -> tuple:
        return (self.out_channels, self.in_channels // self.groups, *self.kernel_size)

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

    def _borders(self) -> list[int]:
        """The padding before and after, last dimension first, as `nn.functional.pad` wants it."""
        if self.padding == "valid":
            return [0] * 2 * self.spatial
        if self.padding == "same":
            reach = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size)]
            return [side for r in reversed(reach) for side in (r // 2, r - r // 2)]
        return [side for n in reversed(self.padding) for side in (n, n)]

    def forward(self, input: Tensor) -> Tensor:
        padding = self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self._borders(), mode=self.padding_mode), 0
        convolve = getattr(F, f"conv{self.spatial}d")
        return convolve(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def extra_repr(self) -> str:
        none = (0,) * self.spatial
        return (
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
            + (f", padding={self.padding}" if self.padding != none else "")
            + (f", output_padding={self.output_padding}" if any(self.output_padding) else "")
            + (f", dilation={self.dilation}" if self.dilation != (1,) * self.spatial else "")
            + (f", groups={self.groups}" if self.groups != 1 else "")
            + (", bias=False" if self.bias is None else "")
            + (f", padding_mode={self.padding_mode}" if self.padding_mode != "zeros" else "")
        )


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


class ConvTranspose2d(_Conv):
    """Each pixel stretched to a kernel: how a convolution's gradient goes back, used to make images larger.

    >>> import minigrad as mg
    >>> ConvTranspose2d(4, 1, kernel_size=2, stride=2)(mg.zeros(2, 4, 3, 3)).shape
    minigrad.Size([2, 1, 6, 6])
    """

    spatial = 2

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1, padding_mode: str = "zeros",
        device=None, dtype=None,
    ) -> None:  # fmt: skip
        if padding_mode != "zeros":
            raise ValueError('Only "zeros" padding mode is supported for ConvTranspose2d')
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device, dtype
        )
        self.output_padding = self._each(output_padding)

    def _weight_shape(self) -> tuple:
        return (self.in_channels, self.out_channels // self.groups, *self.kernel_size)

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        extra = self.output_padding if output_size is None else self._extra(input.shape[-2:], tuple(output_size))
        return F.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation
        )

    def _extra(self, size: tuple, wanted: tuple) -> tuple:
        """What the smallest result lacks to the wanted size: a stride makes several sizes possible."""
        steps = zip(size, self.stride, self.padding, self.dilation, self.kernel_size)
        smallest = [(n - 1) * step - 2 * pad + wide * (k - 1) + 1 for n, step, pad, wide, k in steps]
        largest = [n + step - 1 for n, step in zip(smallest, self.stride)]
        if not all(low <= n <= high for low, n, high in zip(smallest, wanted[-2:], largest)):
            raise ValueError(
                f"requested an output size of {list(wanted[-2:])}, but valid sizes range from {smallest} to {largest} "
                f"(for an input of {size})"
            )
        return tuple(n - low for n, low in zip(wanted[-2:], smallest))
