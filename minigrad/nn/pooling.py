"""Layers that make images smaller: the largest or the mean of each window."""

from typing import Any

from . import functional as F
from .layer import Layer


class _Pool(Layer):
    """Windows, by default side by side."""

    kernel_size: Any
    stride: Any = None
    padding: Any = 0

    def __init__(self, *args, **options) -> None:
        super().__init__(*args, **options)
        if self.stride is None:
            self.stride = self.kernel_size


class MaxPool2d(_Pool, of=F.max_pool2d, shown="kernel_size stride padding dilation ceil_mode"):
    """The largest number of each window over (batch, channels, height, width).

    >>> import minigrad as mg
    >>> MaxPool2d(2)(mg.tensor([[[1.0, 2.0], [3.0, 4.0]]]))
    tensor([[[4.]]])
    """

    dilation: Any = 1
    return_indices: bool = False
    ceil_mode: bool = False


class AvgPool2d(_Pool, of=F.avg_pool2d, shown="kernel_size stride padding"):
    """The mean of each window over (batch, channels, height, width)."""


class AdaptiveAvgPool2d(Layer, of=F.adaptive_avg_pool2d):
    """The means of as many windows as the output shall have numbers; None keeps a dimension."""

    output_size: Any
