"""Adam: each number takes steps of its own size, from the mean of its gradients and of their squares."""

from typing import Any

from ..creation import tensor, zeros_like
from ..ops.elementwise import maximum
from ..tensor import Tensor
from .optimizer import Optimizer, Params, check


class Adam(Optimizer):
    """`parameter -= lr * mean / (√mean_of_squares + eps)`, both means freed from their start at zero.

    >>> import minigrad as mg
    >>> w = mg.tensor([1.0], requires_grad=True)
    >>> optimizer = Adam([w], lr=0.25)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.7500], requires_grad=True)
    """

    def __init__(
        self, params: Params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, amsgrad: bool = False, *, foreach: bool | None = None, maximize: bool = False,
        capturable: bool = False, differentiable: bool = False, fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:  # fmt: skip
        check(lr, "learning rate")
        check(eps, "epsilon value")
        for index, beta in enumerate(betas):
            if not 0 <= beta < 1:
                raise ValueError(f"Invalid beta parameter at index {index}: {beta}")
        check(weight_decay, "weight_decay value")
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
            "maximize": maximize, "foreach": foreach, "capturable": capturable, "differentiable": differentiable,
            "fused": fused, "decoupled_weight_decay": decoupled_weight_decay,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        memory, lr, (beta1, beta2) = self.state[parameter], group["lr"], group["betas"]
        if not memory:
            memory["step"] = tensor(0.0)
            memory["exp_avg"], memory["exp_avg_sq"] = zeros_like(parameter), zeros_like(parameter)
            if group["amsgrad"]:
                memory["max_exp_avg_sq"] = zeros_like(parameter)
        memory["step"] += 1
        step, mean, mean_of_squares = memory["step"].item(), memory["exp_avg"], memory["exp_avg_sq"]
        if group["decoupled_weight_decay"]:
            parameter *= 1 - lr * group["weight_decay"]
        elif group["weight_decay"]:
            gradient = gradient + group["weight_decay"] * parameter
        change = gradient - mean  # from here on each intermediate result is written over the one before
        change *= 1 - beta1
        mean += change
        mean_of_squares *= beta2
        square = gradient * (1 - beta2)
        square *= gradient
        mean_of_squares += square
        if group["amsgrad"]:
            largest = memory["max_exp_avg_sq"]
            mean_of_squares = maximum(largest, mean_of_squares, out=largest)
        size = mean_of_squares.sqrt()
        size /= (1 - beta2**step) ** 0.5
        size += group["eps"]
        change = mean * (lr / (1 - beta1**step))
        change /= size
        parameter -= change


class AdamW(Adam):
    """Adam whose weight decay shrinks the parameters directly, apart from the gradients."""

    def __init__(
        self, params: Params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 1e-2, amsgrad: bool = False, *, maximize: bool = False, foreach: bool | None = None,
        capturable: bool = False, differentiable: bool = False, fused: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable,
            differentiable=differentiable, fused=fused, decoupled_weight_decay=True,
        )  # fmt: skip
