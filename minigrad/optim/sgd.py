"""Stochastic gradient descent, with momentum if wanted."""

from typing import Any

from ..tensor import Tensor
from .optimizer import Optimizer, Params, check


class SGD(Optimizer):
    """`parameter -= lr * gradient`; with momentum, along a running sum of the gradients.

    >>> import minigrad as mg
    >>> w = mg.tensor([1.0], requires_grad=True)
    >>> optimizer = SGD([w], lr=0.25)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.5000], requires_grad=True)
    """

    def __init__(
        self, params: Params, lr: float = 1e-3, momentum: float = 0, dampening: float = 0, weight_decay: float = 0,
        nesterov: bool = False, *, maximize: bool = False, foreach: bool | None = None, differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:  # fmt: skip
        check(lr, "learning rate")
        check(momentum, "momentum value")
        check(weight_decay, "weight_decay value")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov,
            "maximize": maximize, "foreach": foreach, "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        momentum = group["momentum"]
        if group["weight_decay"]:
            gradient = gradient + group["weight_decay"] * parameter
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
