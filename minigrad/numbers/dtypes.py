"""Number types: PyTorch's names and rules of promotion over NumPy's storage.

A `dtype` here is a name for a NumPy dtype. NumPy stores and computes; what this file adds is how PyTorch answers
"which type comes out of these two", where the two libraries differ: an integer never widens a float, and a tensor
without dimensions never widens one with dimensions.
"""

import functools

import numpy as np

from ..words import printing

NUMBERS = (int, float, bool, complex, np.generic)  # what is one number, and no tensor
CATEGORY = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}  # NumPy's one-letter kinds; in a mixture the higher category wins
C_NAMES = {"int32": "int", "float32": "float", "float64": "double"}  # of types; the others are called int8_t and so on
SHORT_NAMES = {  # as PyTorch's error messages spell them
    "bool": "Bool", "uint8": "Byte", "int8": "Char", "int16": "Short", "int32": "Int", "int64": "Long",
    "float16": "Half", "float32": "Float", "float64": "Double",
    "complex64": "ComplexFloat", "complex128": "ComplexDouble",
}  # fmt: skip


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


ALL = {np.dtype(name): dtype(name) for name in SHORT_NAMES}
C_TYPES = {
    "half": "float16", "float": "float32", "double": "float64", "cfloat": "complex64", "cdouble": "complex128",
    "short": "int16", "int": "int32", "long": "int64",
}  # fmt: skip
# the names a person may use
TYPES = {known.name: known for known in ALL.values()} | {name: ALL[np.dtype(C_TYPES[name])] for name in C_TYPES}
FLOAT32, FLOAT64 = np.dtype("float32"), np.dtype("float64")
PYTHON = {float: FLOAT64, int: np.dtype("int64"), bool: np.dtype("bool"), complex: np.dtype("complex128")}
chosen = [FLOAT32]


def of(numpy_dtype) -> dtype:
    """The dtype object that names a NumPy dtype."""
    try:
        return ALL[np.dtype(numpy_dtype)]
    except (KeyError, TypeError, ValueError):
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{numpy_dtype}. The only supported types are: "
            f"{', '.join(d.name for d in ALL.values())}."
        ) from None


def with_own_dtype(array: np.ndarray) -> np.ndarray:
    """An array whose dtype is the very object that the engine compares with; an unpickled one is only equal to it."""
    kind = of(array.dtype).numpy
    return array if array.dtype is kind else array.view(kind)


def to_numpy(given) -> np.dtype:
    """The NumPy dtype behind what a person wrote: `minigrad.float32`, Python's `float`, or NumPy's own."""
    if isinstance(given, dtype):
        return given.numpy
    if not isinstance(given, type | np.dtype):
        instead = f"; the type is minigrad.{given}" if isinstance(given, str) and given in TYPES else ""
        raise TypeError(f"argument 'dtype' must be torch.dtype, not {type(given).__name__}{instead}")
    return (PYTHON.get(given) if isinstance(given, type) else None) or of(given).numpy


def get_default_dtype() -> dtype:
    """The type of tensors made from Python floats.

    >>> import minigrad as mg
    >>> mg.get_default_dtype()
    minigrad.float32
    """
    return ALL[chosen[0]]


def set_default_dtype(d) -> None:
    """Change the type of tensors made from Python floats; only floating types are supported.

    >>> import minigrad as mg
    >>> mg.set_default_dtype(mg.float64)
    >>> mg.tensor(1.5).dtype
    minigrad.float64
    >>> mg.set_default_dtype(mg.float32)
    """
    given = to_numpy(d)
    if given.kind != "f":
        raise TypeError("only floating-point types are supported as the default type")
    chosen[0] = given


def default_float() -> np.dtype:
    return chosen[0]


def default_for(kind: str) -> np.dtype:
    """The NumPy dtype of a bare Python number of this kind."""
    if kind == "c":
        return np.result_type(chosen[0], np.complex64)
    return chosen[0] if kind == "f" else np.dtype("int64" if kind in "iu" else "bool")


def short_name(x) -> str:
    """How PyTorch's error messages spell a type, or that of an array or a tensor."""
    return SHORT_NAMES[getattr(x, "dtype", x).name]


def unsupported(name: str, kind: np.dtype) -> NotImplementedError:
    """The refusal of an operation that has no meaning for a type of number, to be raised: PyTorch's type and words."""
    return NotImplementedError(f"\"{name}\" not implemented for '{short_name(kind)}'")


def typename(value: object) -> str:
    """How PyTorch's messages name the type of a value.

    >>> import minigrad as mg
    >>> typename(mg.ones(1)), typename(3)
    ('torch.FloatTensor', 'int')
    """
    number, kind = getattr(value, "dtype", None), type(value)
    if isinstance(number, dtype):
        return f"torch.{short_name(number)}Tensor"
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def is_differentiable(numpy_dtype: np.dtype) -> bool:
    return CATEGORY[numpy_dtype.kind] > CATEGORY["i"]


def no_gradient(refusal: str, given: np.dtype) -> str:
    """PyTorch's refusal to give such numbers a gradient, and what to do."""
    hint = "write 1.0 for 1, or say dtype=float32" if given.kind in "iu" else "say dtype=float32"
    return f"{refusal} can require gradients\nThese are {given.name}: {hint}."


def half_of(values) -> np.dtype | None:
    """float16, where that is the one type of floats among these arrays."""
    found = {x.dtype for x in values if isinstance(x, (np.ndarray, np.generic)) and is_differentiable(x.dtype)}
    half = found.pop() if len(found) == 1 else None
    return half if half is not None and half.itemsize == 2 else None


def widened(value):
    """Half-precision numbers as float32; anything else as it is."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(widened, value))
    is_half = isinstance(value, (np.ndarray, np.generic)) and value.dtype == np.float16
    return value.astype(FLOAT32) if is_half else value


def element(number, kind: np.dtype):
    """A number as an element of that type, as C has it: of bytes -1 is 255. What is beyond the type is refused."""
    if not hasattr(number, "__abs__"):  # as Python's numbers, NumPy's and tensors have
        raise TypeError(f"a number is expected, not {type(number).__name__}")
    fits, is_real = kind.kind in "bc", not isinstance(number, complex)
    if kind.kind in "iu":
        high = np.iinfo(kind).max
        low = -high - 1 if kind.kind == "i" else -high if isinstance(number, int) else 0
        fits = is_real and low <= number <= high
    elif kind.kind == "f":
        fits = is_real and not np.finfo(kind).max < abs(number) < float("inf")
    if not fits:
        called = C_NAMES.get(kind.name, f"{kind.name}_t")
        raise RuntimeError(f"value cannot be converted to type {called} without overflow")
    return np.asarray(int(number) if kind.kind in "iu" else number).astype(kind)


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
        if isinstance(operand, (np.ndarray, np.generic)) and not hasattr(operand, "is_pythons"):
            tiers[0 if operand.ndim else 1].append(operand.dtype)
        else:
            tiers[2].append(default_for(getattr(operand, "dtype", np.dtype(type(operand))).kind))
    first, *others = (functools.reduce(promote, tier) for tier in tiers if tier)
    for found in others:
        if CATEGORY[found.kind] > CATEGORY[first.kind]:  # of a complex number without dimensions only that it is one
            first = np.result_type(first, np.complex64) if first.kind == "f" else promote(first, found)
    return first
