"""RMSprop: steps divided by the root of the mean square of the recent gradients."""

from typing import Any

from ..core.tensor import Tensor
from .optimizer import Optimizer, Params


class RMSprop(Optimizer):
    """`parameter -= lr * gradient / (√mean_of_squares + eps)`; with momentum, along a running sum of these steps.

    >>> import minigrad as mg
    >>> w = mg.tensor([1.0], requires_grad=True)
    >>> optimizer = mg.optim.RMSprop([w], lr=0.1, alpha=0.75)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.8000], requires_grad=True)
    """

    def __init__(
        self, params: Params, lr: float = 1e-2, alpha: float = 0.99, eps: float = 1e-8, weight_decay: float = 0,
        momentum: float = 0, centered: bool = False, **others: Any,
    ) -> None:  # fmt: skip
        own = {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered}
        own["weight_decay"] = weight_decay
        super().__init__(params, self.options(own, "capturable foreach maximize differentiable", others))

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        names = ["square_avg"] + ["momentum_buffer"] * bool(group["momentum"]) + ["grad_avg"] * group["centered"]
        for part, slope, spread, *others in self.remembered(parameter, gradient, *names):
            spread *= group["alpha"]
            spread += (1 - group["alpha"]) * slope * slope
            if group["centered"]:  # about the mean gradient, not about 0
                spread = spread - others[-1].lerp_(slope, 1 - group["alpha"]).square()
            size = spread.sqrt() + group["eps"]
            if group["momentum"]:
                slope, size = others[0].mul_(group["momentum"]).add_(slope / size), 1
            part -= group["lr"] * slope / size
