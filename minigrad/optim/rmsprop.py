"""RMSprop: steps divided by the root of the mean square of the recent gradients."""

from typing import Any

from ..creation import tensor, zeros_like
from ..tensor import Tensor
from .optimizer import Optimizer, Params, check


class RMSprop(Optimizer):
    """`parameter -= lr * gradient / (√mean_of_squares + eps)`; `centered` takes the variance instead."""

    def __init__(
        self, params: Params, lr: float = 1e-2, alpha: float = 0.99, eps: float = 1e-8, weight_decay: float = 0,
        momentum: float = 0, centered: bool = False, capturable: bool = False, foreach: bool | None = None,
        maximize: bool = False, differentiable: bool = False,
    ) -> None:  # fmt: skip
        check(lr, "learning rate")
        check(eps, "epsilon value")
        check(momentum, "momentum value")
        check(weight_decay, "weight_decay value")
        check(alpha, "alpha value")
        defaults = {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
            "weight_decay": weight_decay, "capturable": capturable, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        memory, alpha = self.state[parameter], group["alpha"]
        if not memory:
            memory["step"], memory["square_avg"] = tensor(0.0), zeros_like(parameter)
            if group["momentum"]:
                memory["momentum_buffer"] = zeros_like(parameter)
            if group["centered"]:
                memory["grad_avg"] = zeros_like(parameter)
        memory["step"] += 1
        if group["weight_decay"]:
            gradient = gradient + group["weight_decay"] * parameter
        spread = memory["square_avg"]
        spread *= alpha
        spread += (1 - alpha) * gradient * gradient
        if group["centered"]:
            mean = memory["grad_avg"]
            mean += (1 - alpha) * (gradient - mean)
            spread = spread - mean * mean
        size = spread.sqrt() + group["eps"]
        if group["momentum"]:
            running = memory["momentum_buffer"]
            running *= group["momentum"]
            running += gradient / size
            parameter -= group["lr"] * running
        else:
            parameter -= group["lr"] * gradient / size
