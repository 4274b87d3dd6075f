"""Python's own protocols for a tensor: as a truth value, a number, an array, a sequence, a text, and as a copy."""

from __future__ import annotations

from copy import deepcopy
from numbers import Number
from typing import Any

import numpy as np

from ..core.modes import modes
from ..core.tensor import Tensor, adds_to_tensor, wrap
from ..numbers import dtypes
from ..words import printing


@adds_to_tensor
class Protocols(Tensor):
    """What Python asks of an object that may stand for a number or for many."""

    def __bool__(self) -> bool:
        if self.array.size != 1:
            count = "no values" if self.array.size == 0 else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {count} is ambiguous")
        return bool(self.array.item())

    def __float__(self) -> float:
        return float(self._only())

    def __int__(self) -> int:
        return int(self._only())

    def __complex__(self) -> complex:
        return complex(self._only())

    def _only(self) -> Any:
        if self.array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        number = self.array.item()
        return number.real if isinstance(number, complex) and not number.imag else number

    def __index__(self) -> int:
        if self.array.size != 1 or self.array.dtype.kind not in "biu":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.array.item())

    def __len__(self) -> int:
        if self.array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return len(self.array)

    def __delitem__(self, index) -> None:
        raise TypeError("Tensor does not support deleting items")

    def __iter__(self):
        if self.array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __reversed__(self):
        return self.flip(0) if self.array.ndim else self

    def __contains__(self, element) -> bool:
        if not isinstance(element, Tensor | Number):
            raise RuntimeError(
                f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}."
            )
        return bool((self.array == getattr(element, "array", element)).any())

    def numpy(self, *, force: bool = False) -> np.ndarray:
        """The array itself, sharing memory.

        >>> import minigrad as mg
        >>> x = mg.zeros(2)
        >>> x.numpy()[0] = 5
        >>> x
        tensor([5., 0.])
        """
        if not force and self.requires_grad and modes.state.enabled:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return self.array

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def item(self) -> Any:
        """The number in a tensor of one element.

        >>> import minigrad as mg
        >>> mg.tensor([2.5]).item()
        2.5
        """
        if self.array.size != 1:
            raise RuntimeError(f"a Tensor with {self.array.size} elements cannot be converted to Scalar")
        return self.array.item()

    def tolist(self):
        """Nested lists of Python's numbers; of a tensor without dimensions, the number.

        >>> import minigrad as mg
        >>> mg.tensor([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
        return self.array.tolist()

    def __repr__(self) -> str:
        try:
            grad_fn: Any = self.grad_fn and type(self.grad_fn).__name__
        except RuntimeError:  # a view that was not to be changed, and was
            grad_fn = "Invalid"
        default = dtypes.default_float()
        tangent = None if self._tangent is None else f"{self._tangent}"
        facts = {"requires_grad": self.requires_grad, "grad_fn": grad_fn, "tangent": tangent}
        return printing.text(self.array, default_dtype=default, **facts)

    def __format__(self, spec: str) -> str:
        """A number is written as `spec` says; several numbers only as a whole."""
        if self.array.ndim == 0:
            return format(self.array.item(), spec)
        if spec:
            raise TypeError("unsupported format string passed to Tensor.__format__")
        return str(self)

    def _notes(self) -> dict:
        """What a person has written on it."""
        return {name: value for name, value in vars(self).items() if not hasattr(Tensor, name) and name != "_data"}

    def __reduce__(self):
        return rebuilt, (type(self), self.array, self.requires_grad), self._notes()

    def __deepcopy__(self, memo):
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
                "moment."
            )
        copy = wrap(in_copied_memory(self.array, memo), cls=type(self))
        memo[id(self)] = copy
        vars(copy).update(deepcopy(self._notes(), memo))
        copy._requires_grad = self._requires_grad
        copy._grad = None if self._grad is None else self._grad.__deepcopy__(memo)
        return copy


def in_copied_memory(array: np.ndarray, memo: dict) -> np.ndarray:
    """A copy of an array; what shares memory and is copied along with it shares memory again."""
    owner: Any = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    memory = deepcopy(owner, memo)
    if owner is array:
        return memory
    start = array.ctypes.data - owner.ctypes.data
    return np.ndarray(array.shape, array.dtype, memory.reshape(-1, order="A").data, start, array.strides)


def rebuilt(cls: type, array: np.ndarray, requires_grad: bool) -> Tensor:
    """A tensor as `pickle` keeps it: a leaf, without its gradient."""
    tensor = wrap(dtypes.with_own_dtype(array), cls=cls)
    tensor._requires_grad = requires_grad
    return tensor
