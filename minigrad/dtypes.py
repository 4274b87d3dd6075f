"""Number types: PyTorch's names and rules of promotion over NumPy's storage.

A `dtype` here is a name for a NumPy dtype. NumPy stores and computes; what this file adds is how PyTorch answers
"which type comes out of these two", where the two libraries differ: an integer never widens a float, and a tensor
without dimensions never widens one with dimensions.
"""

import functools

import numpy as np

from . import printing

KINDS = "biufc"  # NumPy's one-letter kinds: bool, integers, unsigned integers, floats, complex numbers
CATEGORY = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}  # in a mixture the higher category wins
SHORT_NAMES = {  # as PyTorch's error messages spell them
    "bool": "Bool",
    "uint8": "Byte",
    "int8": "Char",
    "int16": "Short",
    "int32": "Int",
    "int64": "Long",
    "float16": "Half",
    "float32": "Float",
    "float64": "Double",
    "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}


class dtype:
    """The type of a tensor's elements, such as `minigrad.float32`.

    >>> import minigrad
    >>> minigrad.ones(2).dtype
    minigrad.float32
    >>> minigrad.int64.is_floating_point, minigrad.float64.itemsize
    (False, 8)
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.numpy = np.dtype(name)
        self.itemsize = self.numpy.itemsize
        self.is_floating_point = self.numpy.kind == "f"
        self.is_complex = self.numpy.kind == "c"
        self.is_signed = self.numpy.kind not in "bu"

    def __repr__(self) -> str:
        return f"{printing.options.namespace}.{self.name}"

    def __reduce__(self):
        return of, (self.name,)


ALL = {np.dtype(name): dtype(name) for name in (*SHORT_NAMES, "uint16", "uint32", "uint64")}
TYPES = {known.name: known for known in ALL.values()} | {  # the names a person may use
    other: ALL[np.dtype(name)]
    for other, name in {
        "half": "float16", "float": "float32", "double": "float64", "cfloat": "complex64", "cdouble": "complex128",
        "short": "int16", "int": "int32", "long": "int64",
    }.items()
}  # fmt: skip
FLOAT32, FLOAT64 = np.dtype("float32"), np.dtype("float64")
PYTHON = {float: FLOAT64, int: np.dtype("int64"), bool: np.dtype("bool"), complex: np.dtype("complex128")}
_default = [FLOAT32]


def of(numpy_dtype) -> dtype:
    """The dtype object that names a NumPy dtype."""
    try:
        return ALL[np.dtype(numpy_dtype)]
    except (KeyError, TypeError):
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{numpy_dtype}. The only supported types are: "
            f"{', '.join(d.name for d in ALL.values())}."
        ) from None


def to_numpy(given) -> np.dtype:
    """The NumPy dtype behind what a person wrote: `minigrad.float32`, Python's `float`, or NumPy's own."""
    if isinstance(given, dtype):
        return given.numpy
    if isinstance(given, str):
        raise TypeError("argument 'dtype' must be torch.dtype, not str")
    return PYTHON.get(given) or of(given).numpy


def get_default_dtype() -> dtype:
    """The type of tensors made from Python floats.

    >>> get_default_dtype()
    minigrad.float32
    """
    return ALL[_default[0]]


def set_default_dtype(d) -> None:
    """Change the type of tensors made from Python floats; only floating types are supported."""
    given = to_numpy(d)
    if given.kind != "f":
        raise TypeError("only floating-point types are supported as the default type")
    _default[0] = given


def default_float() -> np.dtype:
    return _default[0]


def default_for(kind: str) -> np.dtype:
    """The NumPy dtype of a bare Python number of this kind."""
    if kind == "c":
        return np.result_type(_default[0], np.complex64)
    return _default[0] if kind == "f" else np.dtype("int64" if kind in "iu" else "bool")


def is_differentiable(numpy_dtype: np.dtype) -> bool:
    return numpy_dtype.kind in "fc"


def promote(a: np.dtype, b: np.dtype) -> np.dtype:
    """The smallest type that holds both, as PyTorch sees it: int64 with float16 is float16."""
    if a is b:
        return a
    low, high = sorted((a, b), key=lambda d: CATEGORY[d.kind])
    return high if CATEGORY[low.kind] < 2 and CATEGORY[low.kind] < CATEGORY[high.kind] else np.promote_types(a, b)


def promote_types(type1, type2) -> dtype:
    """
    >>> import minigrad
    >>> minigrad.promote_types(minigrad.int64, minigrad.float16)
    minigrad.float16
    """
    return of(promote(to_numpy(type1), to_numpy(type2)))


def common(operands) -> np.dtype:
    """PyTorch's result type of arrays and Python numbers.

    Operands with dimensions decide; those without (0-d arrays, then Python numbers) count only where they bring a
    higher category, as a float does among integers.
    """
    tiers: list[list[np.dtype]] = [[], [], []]
    for operand in operands:
        if isinstance(operand, np.ndarray | np.generic):
            tiers[0 if operand.ndim else 1].append(operand.dtype)
        else:
            tiers[2].append(default_for(np.dtype(type(operand)).kind))
    first, *others = (functools.reduce(promote, tier) for tier in tiers if tier)
    for found in others:
        if CATEGORY[found.kind] > CATEGORY[first.kind]:  # of a complex number without dimensions only that it is one
            first = np.result_type(first, np.complex64) if first.kind == "f" else promote(first, found)
    return first
