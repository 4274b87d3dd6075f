"""The memory behind tensors, as one row of numbers: what a tensor shares with its views.

>>> import minigrad as mg
>>> x = mg.tensor([[1.0, 2.0], [3.0, 4.0]])
>>> x.t().storage().tolist()
[1.0, 2.0, 3.0, 4.0]
>>> x[1].storage().data_ptr() == x.storage().data_ptr()
True
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from .tensor import Tensor
from .words import printing


class TypedStorage:
    """All numbers of a tensor's memory, in their order there."""

    def __init__(self, tensor: Tensor) -> None:
        owner = tensor if tensor._base is None else tensor._base
        self.dtype = tensor.dtype
        self._memory = self._row(owner.array.ravel(order="K"))  # the memory itself, unless it has gaps

    @staticmethod
    def _row(memory: np.ndarray) -> np.ndarray:
        return memory

    def data_ptr(self) -> int:
        """Where the memory begins."""
        return self._memory.ctypes.data

    def size(self) -> int:
        return self._memory.size

    __len__ = size

    def nbytes(self) -> int:
        return self._memory.nbytes

    def tolist(self) -> list:
        return self._memory.tolist()

    def __getitem__(self, index: int) -> Any:
        return self._memory[index].item()

    def __iter__(self) -> Iterator:
        return iter(self.tolist())

    def __repr__(self) -> str:
        kind = f"{printing.options.namespace}.storage.{type(self).__name__}"
        numbers = "".join(f" {number}\n" for number in self)
        return f"{numbers}[{kind}({self._said()}device=cpu) of size {len(self)}]"

    def _said(self) -> str:
        return f"dtype={self.dtype}, "


class UntypedStorage(TypedStorage):
    """The same as bytes."""

    @staticmethod
    def _row(memory: np.ndarray) -> np.ndarray:
        return memory.view(np.uint8)

    def _said(self) -> str:
        return ""
