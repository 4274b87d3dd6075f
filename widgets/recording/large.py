"""What is kept of an array that is too large to be kept whole: its shape, its bounds, and a sample."""

from typing import Any, NamedTuple

import numpy as np

COPIED = 1 << 14  # elements; to copy a larger array takes longer than to look at it
CELLS = 12  # rows and columns of the sample, at most


class Large(NamedTuple):
    """A large array, as far as it is kept."""

    shape: tuple
    dtype: np.dtype
    size: int
    low: Any
    high: Any
    cells: np.ndarray  # the sample: numbers from all over it, in their order

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @classmethod
    def of(cls, array: np.ndarray) -> "Large":
        rows = array.reshape(-1, array.shape[-1])
        cells = rows[:: -(-len(rows) // CELLS), :: -(-rows.shape[1] // CELLS)].copy()
        if array.dtype.kind == "c":
            return cls(array.shape, array.dtype, array.size, None, None, cells)
        return cls(array.shape, array.dtype, array.size, array.min(), array.max(), cells)

    @classmethod
    def kept(cls, array: np.ndarray) -> "np.ndarray | Large":
        """An array as it is now; of a large one only what is told of it."""
        return array.copy() if array.size <= COPIED else cls.of(array)

    def tobytes(self) -> bytes:
        """What tells it apart."""
        return repr((self.low, self.high)).encode() + self.cells.tobytes()
