"""Adadelta: steps as long as the recent ones, in proportion to the recent gradients."""

from typing import Any

from ..creation import tensor, zeros_like
from ..tensor import Tensor
from .optimizer import Optimizer, Params, check


class Adadelta(Optimizer):
    """`parameter -= lr * gradient * √mean_square_of_steps / √mean_square_of_gradients`."""

    def __init__(
        self, params: Params, lr: float = 1.0, rho: float = 0.9, eps: float = 1e-6, weight_decay: float = 0,
        foreach: bool | None = None, *, capturable: bool = False, maximize: bool = False,
        differentiable: bool = False,
    ) -> None:  # fmt: skip
        check(lr, "learning rate")
        if not 0 <= rho <= 1:
            raise ValueError(f"Invalid rho value: {rho}")
        check(eps, "epsilon value")
        check(weight_decay, "weight_decay value")
        defaults = {
            "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "capturable": capturable, "foreach": foreach, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        memory, rho, eps = self.state[parameter], group["rho"], group["eps"]
        if not memory:
            memory["step"] = tensor(0.0)
            memory["square_avg"], memory["acc_delta"] = zeros_like(parameter), zeros_like(parameter)
        memory["step"] += 1
        if group["weight_decay"]:
            gradient = gradient + group["weight_decay"] * parameter
        squares, steps = memory["square_avg"], memory["acc_delta"]
        squares *= rho
        squares += (1 - rho) * gradient * gradient
        step = (steps + eps).sqrt() / (squares + eps).sqrt() * gradient
        steps *= rho
        steps += (1 - rho) * step * step
        parameter -= group["lr"] * step
