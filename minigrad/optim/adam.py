"""Adam: each number takes steps of its own size, from the mean of its gradients and of their squares."""

from typing import Any

from ..core.tensor import Tensor
from .optimizer import Optimizer, Params


class Adam(Optimizer):
    """`parameter -= lr * mean / (√mean_of_squares + eps)`, both means corrected for their start at zero.

    >>> import minigrad as mg
    >>> w = mg.tensor([1.0], requires_grad=True)
    >>> optimizer = mg.optim.Adam([w], lr=0.25)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.7500], requires_grad=True)
    """

    def __init__(
        self, params: Params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, amsgrad: bool = False, *, decoupled_weight_decay: bool = False, **others: Any,
    ) -> None:  # fmt: skip
        betas = tuple(betas) if isinstance(betas, list) else betas
        own = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad}
        found = self.options(own, "maximize foreach capturable differentiable fused", others)
        super().__init__(params, {**found, "decoupled_weight_decay": decoupled_weight_decay})

    def decayed(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> Tensor:
        if not group["decoupled_weight_decay"]:
            return super().decayed(parameter, gradient, group)
        if group["weight_decay"]:
            parameter *= 1 - group["lr"] * group["weight_decay"]
        return gradient

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        halves = self.remembered(parameter, gradient, "exp_avg", "exp_avg_sq", *["max_exp_avg_sq"] * group["amsgrad"])
        step = self.state[parameter]["step"].item()
        beta1, beta2 = group["betas"]
        for part, slope, mean, mean_of_squares, *largest in halves:
            change = slope - mean  # from here on each intermediate result is written over the one before
            change *= 1 - beta1
            mean += change
            mean_of_squares *= beta2
            square = slope * (1 - beta2)
            square *= slope
            mean_of_squares += square
            for biggest in largest:  # with amsgrad, a step never grows because a slope of long ago is forgotten
                mean_of_squares = biggest.copy_(biggest.maximum(mean_of_squares))
            size = mean_of_squares.sqrt()
            size /= (1 - beta2**step) ** 0.5
            size += group["eps"]
            change = mean * (group["lr"] / (1 - beta1**step))
            change /= size
            part -= change


class AdamW(Adam):
    """Adam whose weight decay shrinks the parameters directly, apart from the gradients.

    >>> import minigrad as mg
    >>> w = mg.tensor([1.0], requires_grad=True)
    >>> optimizer = mg.optim.AdamW([w], lr=0.25, weight_decay=0.4)
    >>> (w * 0).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000], requires_grad=True)
    """

    def __init__(
        self, params: Params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 1e-2, amsgrad: bool = False, **others: Any,
    ) -> None:  # fmt: skip
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, decoupled_weight_decay=True, **others)
