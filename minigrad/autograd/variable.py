"""A name from PyTorch's past that its pages still touch.

>>> import minigrad as mg
>>> Variable(mg.ones(2), requires_grad=True)
tensor([1., 1.], requires_grad=True)
"""

from ..core.tensor import Tensor, counter_of, wrap
from ..words.calling import kind_of


class _IsTensor(type):
    def __instancecheck__(cls, thing) -> bool:
        return isinstance(thing, Tensor)


class Variable(metaclass=_IsTensor):
    """What once wrapped a tensor to record its history; every Tensor can do that by itself now."""

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = False, volatile: bool | None = None) -> Tensor:  # type: ignore[misc]
        if data is None:
            return Tensor()
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {kind_of(data)}")
        return wrap(data.array, counter=counter_of(data)).requires_grad_(requires_grad)
