"""Layers that bring their input to mean 0 and deviation 1."""

from numbers import Integral
from typing import Any

from ..core.tensor import Tensor
from ..tensors.creation import empty, ones, tensor, zeros
from . import functional as F, init
from .module import Module
from .parameter import Parameter


class _Scaled(Module):
    """What is normalised may get a scale and a shift again, which are learned."""

    def _add_scale(self, shape: tuple, affine: bool, bias: bool, device: Any, dtype: Any) -> None:
        for name, wanted in (("weight", affine), ("bias", affine and bias)):
            new = Parameter(empty(shape, device=device, dtype=dtype)) if wanted else None
            self.register_parameter(name, new)

    def reset_parameters(self) -> None:
        """Start with weight 1 and bias 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)


class LayerNorm(_Scaled):
    """Each sample by its own mean and deviation, over the last dimensions.

    >>> import minigrad as mg
    >>> mg.nn.LayerNorm(2)(mg.tensor([[1.0, 3.0]])).detach()
    tensor([[-1.0000,  1.0000]])
    """

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True,
        device=None, dtype=None,
    ) -> None:  # fmt: skip
        super().__init__()
        is_one = isinstance(normalized_shape, Integral)
        self.normalized_shape = (normalized_shape,) if is_one else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self._add_scale(self.normalized_shape, elementwise_affine, bias, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class BatchNorm(_Scaled):
    """Each channel by its mean and deviation over the batch; in use, by what training saw on average."""

    dims: tuple[int, ...] = ()  # how many dimensions the input may have
    _version, _since = 2, {"num_batches_tracked": 2}

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, device=None, dtype=None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        given: Any = {"device": device, "dtype": dtype}
        self._add_scale((num_features,), affine, bias, device, dtype)
        self.register_buffer("running_mean", zeros(num_features, **given) if track_running_stats else None)
        self.register_buffer("running_var", ones(num_features, **given) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", tensor(0) if track_running_stats else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Forget what training saw."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Start with weight 1 and bias 0, and nothing seen."""
        self.reset_running_stats()
        super().reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        if input.ndim not in self.dims:
            allowed = " or ".join(f"{n}D" for n in self.dims)
            raise ValueError(f"expected {allowed} input (got {input.ndim}D input)")
        share = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # the plain average of all batches
                share = 1.0 / self.num_batches_tracked.item()
        by_batch = self.training or self.running_mean is None
        keeps = not self.training or self.track_running_stats
        mean, var = (self.running_mean, self.running_var) if keeps else (None, None)
        return F.batch_norm(input, mean, var, self.weight, self.bias, by_batch, share, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(BatchNorm):
    """Batch norm of (batch, channels) or (batch, channels, length).

    >>> import minigrad as mg
    >>> mg.nn.BatchNorm1d(1)(mg.tensor([[1.0], [3.0]])).detach()
    tensor([[-1.0000],
            [ 1.0000]])
    """

    dims = (2, 3)


class BatchNorm2d(BatchNorm):
    """Batch norm of (batch, channels, height, width).

    >>> import minigrad as mg
    >>> norm = mg.nn.BatchNorm2d(1)
    >>> _ = norm(mg.ones(2, 1, 3, 3) * 10)
    >>> norm.running_mean
    tensor([1.])
    """

    dims = (4,)
