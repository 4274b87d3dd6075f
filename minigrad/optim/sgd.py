"""Stochastic gradient descent, with momentum if wanted."""

from typing import Any

from ..core.tensor import Tensor
from .optimizer import Optimizer, Params


class SGD(Optimizer):
    """`parameter -= lr * gradient`; with momentum, along a running sum of the gradients.

    >>> import minigrad as mg
    >>> w = mg.tensor([1.0], requires_grad=True)
    >>> optimizer = mg.optim.SGD([w], lr=0.25)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.5000], requires_grad=True)
    """

    def __init__(
        self, params: Params, lr: float = 1e-3, momentum: float = 0, dampening: float = 0, weight_decay: float = 0,
        nesterov: bool = False, **others: Any,
    ) -> None:  # fmt: skip
        own = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov,
        }  # fmt: skip
        super().__init__(params, self.options(own, "maximize foreach differentiable fused", others))
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        momentum = group["momentum"]
        if momentum:
            memory = self.state[parameter]
            running = memory.get("momentum_buffer")
            if running is None:
                running = memory["momentum_buffer"] = gradient.clone()
            else:
                running *= momentum
                running += (1 - group["dampening"]) * gradient
            gradient = gradient + momentum * running if group["nesterov"] else running
        parameter -= group["lr"] * gradient
