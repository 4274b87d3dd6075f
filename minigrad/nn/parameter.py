"""Parameter: a tensor that a module counts among what it learns."""

from typing import Any

from ..core.tensor import Tensor, wrap
from ..numbers.dtypes import is_differentiable, no_gradient
from ..tensors.creation import empty


class Parameter(Tensor):
    """A leaf that asks for its gradient, and that a `Module` registers when it becomes an attribute of it.

    >>> import minigrad as mg
    >>> mg.nn.Parameter(mg.ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Any:
        data = empty(0) if data is None else data.detach()
        if requires_grad and not is_differentiable(data.array.dtype):
            raise RuntimeError(no_gradient("Only Tensors of floating point and complex dtype", data.array.dtype))
        parameter = wrap(data.array, counter=data._counter, cls=cls)
        parameter._inference = data._inference
        parameter.requires_grad = requires_grad
        return parameter

    def __deepcopy__(self, memo: dict) -> "Parameter":
        """The numbers alone: a copied model starts without gradients."""
        return memo.setdefault(id(self), type(self)(self.data.clone(), self.requires_grad))

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()
