"""Layers that slide a kernel over their input."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.tensor import Tensor
from . import functional as F
from .linear import Weighted

MODES = ("zeros", "reflect", "replicate", "circular")  # what stands outside of the input


class Convolution(Weighted):
    """What convolutions over one and two dimensions share."""

    spatial = 0
    transposed = False

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros", *, device=None, dtype=None,
    ) -> None:  # fmt: skip
        super().__init__()
        if padding_mode not in MODES:
            raise ValueError(f"padding_mode must be one of {MODES}, but got padding_mode={padding_mode!r}")
        self.padding_mode = padding_mode
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
        if not isinstance(value, int | np.integer | Iterable):
            raise TypeError(f"{type(self).__name__}: an int or a tuple of ints is expected, not {value!r}")
        return tuple(value) if isinstance(value, Iterable) else (value,) * self.spatial

    def _checked(self, padding: str) -> str:
        if padding not in ("valid", "same"):
            raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'valid', 'same'}}")
        if padding == "same" and any(step != 1 for step in self.stride):
            raise ValueError("padding='same' is not supported for strided convolutions")
        return padding

    def forward(self, input: Tensor) -> Tensor:
        convolve, padding = getattr(F, f"conv{self.spatial}d"), self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self._borders(), self.padding_mode), 0
        return convolve(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def _borders(self) -> list[int]:
        """Before and after, of the last dimension first."""
        if isinstance(self.padding, str):
            is_kept = self.padding == "same"
            reach = [is_kept * step * (size - 1) for step, size in zip(self.dilation, self.kernel_size)]
            ends = [(n // 2, n - n // 2) for n in reach]
        else:
            ends = [(n, n) for n in self.padding]
        return [n for pair in reversed(ends) for n in pair]

    def extra_repr(self) -> str:
        none = self._each(0)
        usual = {"padding": none, "dilation": self._each(1), "output_padding": none, "groups": 1}
        unusual = [f", {name}={getattr(self, name)}" for name, value in usual.items() if getattr(self, name) != value]
        bias = ", bias=False" if self.bias is None else ""
        bias += "" if self.padding_mode == "zeros" else f", padding_mode={self.padding_mode}"
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
        output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1, padding_mode: str = "zeros", *,
        device=None, dtype=None,
    ) -> None:  # fmt: skip
        if padding_mode != "zeros":
            raise ValueError('Only "zeros" padding mode is supported for ConvTranspose2d')
        given = (in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias)
        super().__init__(*given, device=device, dtype=dtype)
        self.output_padding = self._each(output_padding)

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        more = self.output_padding if output_size is None else self._more(input, tuple(output_size))
        options = (self.stride, self.padding, more, self.groups, self.dilation)
        return F.conv_transpose2d(input, self.weight, self.bias, *options)

    def _more(self, input: Tensor, wanted: tuple) -> tuple:
        """What is added at the end, so that the output has the size wanted: the last dimensions, or all."""
        if len(wanted) not in (self.spatial, input.ndim):
            counts = f"{self.spatial} or {input.ndim} elements (got {len(wanted)})"
            raise ValueError(f"ConvTranspose2D: for {input.ndim}D input, output_size must have {counts}")
        wanted, size = wanted[-self.spatial :], input.shape[-self.spatial :]
        settings = zip(size, self.stride, self.padding, self.dilation, self.kernel_size)
        least = [(n - 1) * step - 2 * pad + dilation * (k - 1) + 1 for n, step, pad, dilation, k in settings]
        most = [n + step - 1 for n, step in zip(least, self.stride)]
        if not all(low <= n <= high for low, n, high in zip(least, wanted, most)):
            raise ValueError(
                f"requested an output size of {wanted}, but valid sizes range from {least} to {most} "
                f"(for an input of {size})"
            )
        return tuple(n - low for n, low in zip(wanted, least))
