"""PyTorch's `nn.utils`: gradients held in bounds.

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
from ..ops.joining import stack
from ..ops.norms import vector_norm
from ..tensors.creation import tensor
from ..words import absent


@no_grad()
def clip_grad_norm_(parameters: Tensor | Iterable[Tensor], max_norm: float, norm_type: float = 2.0) -> Tensor:
    """Shorten all gradients, together, to length `max_norm` if they are longer; returns the length they had."""
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    found = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm_type = float(norm_type)
    norms = [vector_norm(gradient, norm_type) for gradient in found]
    length = vector_norm(stack(norms), norm_type) if norms else tensor(0.0)
    factor = (max_norm / (length + 1e-6)).clamp(max=1.0)
    for gradient in found:
        gradient.mul_(factor)
    return length


__getattr__ = absent.answer(__name__)
