"""PyTorch's `nn.utils`: gradients held in bounds, and all parameters as one vector.

>>> import minigrad as mg
>>> w = mg.ones(2, requires_grad=True)
>>> w.grad = mg.tensor([3.0, 4.0])
>>> clip_grad_norm_(w, max_norm=1.0)
tensor(5.)
>>> w.grad
tensor([0.6000, 0.8000])
"""

import math
from collections.abc import Iterable

from .. import absent
from ..autograd.grad_mode import no_grad
from ..creation import tensor
from ..ops.joining import cat, stack
from ..ops.reduction import vector_norm
from ..tensor import Tensor
from .module import typename


def gradients(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    """The gradients of those parameters that have one."""
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    return [parameter.grad for parameter in parameters if parameter.grad is not None]


@no_grad()
def get_total_norm(tensors: Tensor | Iterable[Tensor], norm_type: float = 2.0) -> Tensor:
    """The length of all tensors together, as if they were one vector."""
    norms = [vector_norm(one, norm_type) for one in ([tensors] if isinstance(tensors, Tensor) else tensors)]
    return vector_norm(stack(norms), norm_type) if norms else tensor(0.0)


@no_grad()
def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
) -> Tensor:
    """Shorten all gradients, together, to length `max_norm` if they are longer; returns the length they had."""
    found = gradients(parameters)
    length = get_total_norm(found, float(norm_type))
    if error_if_nonfinite and not math.isfinite(length.item()):
        raise RuntimeError(
            f"The total norm of order {float(norm_type)} for gradients from `parameters` is non-finite, so it cannot "
            "be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
            "`error_if_nonfinite=False`"
        )
    factor = (max_norm / (length + 1e-6)).clamp(max=1.0)
    for gradient in found:
        gradient.mul_(factor)
    return length


@no_grad()
def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float) -> None:
    """Hold every number of the gradients between -clip_value and clip_value."""
    for gradient in gradients(parameters):
        gradient.clamp_(-float(clip_value), float(clip_value))


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All parameters in a row, recorded."""
    return cat([parameter.reshape(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Let each parameter take its numbers from its part of the vector, whose memory it shares from now on."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    start = 0
    for parameter in parameters:
        parameter.data = vec.narrow(0, start, parameter.numel()).reshape(parameter.shape).data
        start += parameter.numel()


def __getattr__(name: str):
    raise absent.error(__name__, name)
