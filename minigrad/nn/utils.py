"""PyTorch's `nn.utils`: gradients held in bounds, and all parameters as one vector.

>>> import minigrad as mg
>>> w = mg.ones(2, requires_grad=True)
>>> w.grad = mg.tensor([3.0, 4.0])
>>> clip_grad_norm_(w, max_norm=1.0)
tensor(5.)
>>> w.grad
tensor([0.6000, 0.8000])
"""

from collections.abc import Iterable

from ..core.modes import no_grad
from ..core.tensor import Tensor
from ..ops.joining import cat, stack
from ..ops.norms import vector_norm
from ..tensors.creation import tensor
from ..words import absent


def gradients(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    """The gradients of those parameters that have one."""
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    return [parameter.grad for parameter in parameters if parameter.grad is not None]


@no_grad()
def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor], max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:  # fmt: skip
    """Shorten all gradients, together, to length `max_norm` if they are longer; returns the length they had.

    >>> import minigrad as mg
    >>> w = mg.ones(2, requires_grad=True)
    >>> (w * mg.tensor([3.0, 4.0])).sum().backward()
    >>> mg.nn.utils.clip_grad_norm_([w], max_norm=1.0), w.grad
    (tensor(5.), tensor([0.6000, 0.8000]))
    """
    found = gradients(parameters)
    norm_type = float(norm_type)
    norms = [vector_norm(gradient, norm_type) for gradient in found]
    length = vector_norm(stack(norms), norm_type) if norms else tensor(0.0)
    if error_if_nonfinite and not length.isfinite():
        raise RuntimeError(f"The total norm of order {norm_type} is non-finite, so it cannot be clipped")
    factor = (float(max_norm) / (length + 1e-6)).clamp(max=1.0)
    for gradient in found:
        gradient.mul_(factor)
    return length


@no_grad()
def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None) -> None:
    """Hold every number of the gradients between -clip_value and clip_value.

    >>> import minigrad as mg
    >>> w = mg.ones(2, requires_grad=True)
    >>> (w * mg.tensor([3.0, -4.0])).sum().backward()
    >>> mg.nn.utils.clip_grad_value_([w], 3.5)
    >>> w.grad
    tensor([ 3.0000, -3.5000])
    """
    bound = float(clip_value)
    for gradient in gradients(parameters):
        gradient.clamp_(-bound, bound)


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All parameters in a row, recorded.

    >>> import minigrad as mg
    >>> mg.nn.utils.parameters_to_vector([mg.ones(1, 2), mg.zeros(1)])
    tensor([1., 1., 0.])
    """
    return cat([parameter.reshape(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Each parameter takes its numbers from its part of the vector, whose memory it shares from now on.

    >>> import minigrad as mg
    >>> w, b = mg.zeros(1, 2), mg.zeros(1)
    >>> mg.nn.utils.vector_to_parameters(mg.tensor([1.0, 2.0, 3.0]), [w, b])
    >>> w, b
    (tensor([[1., 2.]]), tensor([3.]))
    """
    start = 0
    for parameter in parameters:
        parameter.data = vec.narrow(0, start, parameter.numel()).view_as(parameter).data
        start += parameter.numel()


__getattr__ = absent.answer(__name__)
