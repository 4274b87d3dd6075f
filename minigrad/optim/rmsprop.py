"""RMSprop: steps divided by the root of the mean square of the recent gradients."""

from typing import Any

from ..core.tensor import Tensor
from .optimizer import Optimizer, Params


class RMSprop(Optimizer):
    """`parameter -= lr * gradient / (√mean_of_squares + eps)`; with momentum, along a running sum of these steps."""

    def __init__(
        self, params: Params, lr: float = 1e-2, alpha: float = 0.99, eps: float = 1e-8, weight_decay: float = 0,
        momentum: float = 0, **others: Any,
    ) -> None:  # fmt: skip
        own = {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": False}
        own["weight_decay"] = weight_decay
        super().__init__(params, self.options(own, "capturable foreach maximize differentiable", others))

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        memory = self.remembered(parameter, "square_avg", *["momentum_buffer"] * bool(group["momentum"]))
        alpha, spread = group["alpha"], memory["square_avg"]
        spread *= alpha
        spread += (1 - alpha) * gradient * gradient
        size = spread.sqrt() + group["eps"]
        if group["momentum"]:
            running = memory["momentum_buffer"]
            running *= group["momentum"]
            running += gradient / size
            parameter -= group["lr"] * running
        else:
            parameter -= group["lr"] * gradient / size
