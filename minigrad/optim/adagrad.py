"""Adagrad: steps divided by the root of the sum of all squares so far."""

from typing import Any

from ..creation import full_like, tensor
from ..tensor import Tensor
from .optimizer import Optimizer, Params, check


class Adagrad(Optimizer):
    """`parameter -= lr * gradient / (√sum_of_squares + eps)`."""

    def __init__(
        self, params: Params, lr: float = 1e-2, lr_decay: float = 0, weight_decay: float = 0,
        initial_accumulator_value: float = 0, eps: float = 1e-10, foreach: bool | None = None, *,
        maximize: bool = False, differentiable: bool = False, fused: bool | None = None,
    ) -> None:  # fmt: skip
        check(lr, "learning rate")
        check(lr_decay, "lr_decay value")
        check(weight_decay, "weight_decay value")
        check(initial_accumulator_value, "initial_accumulator_value value")
        check(eps, "epsilon value")
        defaults = {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)
        for group in self.param_groups:
            for parameter in group["params"]:
                self.begin(parameter, group)

    def begin(self, parameter: Tensor, group: dict[str, Any]) -> None:
        """Nothing summed yet."""
        start = group["initial_accumulator_value"]
        self.state[parameter] = {"step": tensor(0.0), "sum": full_like(parameter, start)}

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        if not self.state[parameter]:
            self.begin(parameter, group)
        memory = self.state[parameter]
        memory["step"] += 1
        if group["weight_decay"]:
            gradient = gradient + group["weight_decay"] * parameter
        squares = memory["sum"]
        squares += gradient.square()
        lr = group["lr"] / (1 + (memory["step"].item() - 1) * group["lr_decay"])
        parameter -= lr * gradient / (squares.sqrt() + group["eps"])
