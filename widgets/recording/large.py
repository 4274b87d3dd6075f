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
        cells = cls.sampled(array.reshape(-1, array.shape[-1])).copy()
        if array.dtype.kind == "c":
            return cls(array.shape, array.dtype, array.size, None, None, cells)
        return cls(array.shape, array.dtype, array.size, array.min(), array.max(), cells)

    @staticmethod
    def sampled(rows: Any) -> Any:
        """Some rows and columns of a matrix."""
        return rows[:: -(-len(rows) // CELLS), :: -(-rows.shape[1] // CELLS)]

    @classmethod
    def kept(cls, array: Any) -> Any:
        """An array as it is now; of a large one only what is told of it. What was kept before stays as it is."""
        if not isinstance(array, np.ndarray | np.generic):
            return array
        return array.copy() if array.size <= COPIED else cls.of(np.asarray(array))

    def tobytes(self) -> bytes:
        """What tells it apart."""
        return repr((self.low, self.high)).encode() + self.cells.tobytes()
