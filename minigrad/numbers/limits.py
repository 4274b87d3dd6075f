"""How large, how small and how near to each other the numbers of a type can be: PyTorch's `finfo` and `iinfo`."""

import numpy as np

from .dtypes import dtype, get_default_dtype


class Limits:
    names: tuple[str, ...]
    dtype: str

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name}={getattr(self, name):g}" for name in self.names)
        return f"{type(self).__name__}({numbers}, dtype={self.dtype})"

    def __eq__(self, other) -> bool:
        return type(self) is type(other) and self.dtype == other.dtype

    __hash__ = None  # type: ignore[assignment]


class finfo(Limits):
    """What a type of floating point can hold; without an argument, the default type.

    >>> import minigrad as mg
    >>> mg.finfo(mg.float32).eps, 1 + mg.finfo(mg.float64).eps > 1
    (1.1920928955078125e-07, True)
    """

    names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")

    def __init__(self, type: dtype | None = None) -> None:
        kind = checked("finfo", get_default_dtype() if type is None else type)
        if kind.kind not in "fc":
            raise TypeError(f"finfo() requires a floating point input type, but got {type}")
        found = np.finfo(kind)
        self.resolution = 10.0**-found.precision
        self.min, self.max, self.eps = float(found.min), float(found.max), float(found.eps)
        self.smallest_normal = self.tiny = float(found.tiny)
        self.bits, self.dtype = found.bits, found.dtype.name


class iinfo(Limits):
    """What a type of whole numbers can hold.

    >>> import minigrad as mg
    >>> mg.iinfo(mg.uint8).max, mg.iinfo(mg.int8)
    (255, iinfo(min=-128, max=127, dtype=int8))
    """

    names = ("min", "max")

    def __init__(self, type: dtype) -> None:
        kind = checked("iinfo", type)
        if kind.kind not in "iu":
            raise TypeError(f"iinfo() requires an integer input type, but got {type}")
        found = np.iinfo(kind)
        self.min, self.max, self.bits, self.dtype = found.min, found.max, found.bits, kind.name


def checked(name: str, given) -> np.dtype:
    if not isinstance(given, dtype):
        raise TypeError(f"{name}(): argument 'type' (position 1) must be minigrad.dtype, not {type(given).__name__}")
    return given.numpy
