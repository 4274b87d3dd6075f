"""Python's operators and the properties of a tensor: what `x + y`, `-x`, `x[0]`, `x += y` and `x.T` call."""

import numpy as np

from ..core.forward import apply, quick_way
from ..core.tensor import Tensor
from ..numbers.dtypes import NUMBERS
from ..words import help
from . import elementwise, index, matrix, rearranging, shape

COMPARABLE = (Tensor, np.ndarray, *NUMBERS)


def of_numbers(function):
    """An operator that leaves what is neither tensor nor number to Python: `x == None` is False."""
    return lambda self, other: function(self, other) if isinstance(other, COMPARABLE) else NotImplemented


def reflected(function):
    """The operator of what stands at the right: `2 // x`."""
    return of_numbers(lambda self, other: function(other, self))


def _behind_array(self, other):
    """`other @ self`; a number is no matrix."""
    return matrix.matmul(other, self) if isinstance(other, Tensor | np.ndarray) else NotImplemented


def _power(self, other):
    """`self ** other`, most often by a number."""
    if type(other) in (int, float):
        return elementwise.power_of_number.op.run(self, other)
    return elementwise.pow(self, other) if isinstance(other, COMPARABLE) else NotImplemented


def of_row(row):
    """The operator of a row, as quick as the row itself."""
    return quick_way(row.op, lambda op, both: apply(op, both) if isinstance(both[1], COMPARABLE) else NotImplemented)


def _subtracted_from(self, other):
    """`other - self`."""
    if isinstance(other, Tensor):
        return elementwise.sub(other, self)
    return elementwise.rsub.op.run(self, other) if isinstance(other, COMPARABLE) else NotImplemented


def _divided_into(self, other):
    """`other / self`."""
    return elementwise.reciprocal(self) * other if isinstance(other, COMPARABLE) else NotImplemented


def _inverted(self):
    """Each bit turned over."""
    if self._data.dtype.kind not in "biu":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return elementwise.bitwise_not(self)


def _imag(self):
    """The imaginary part of a complex tensor."""
    if not self.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return elementwise.imag(self)


OPERATORS = {
    "__sub__": of_row(elementwise.sub), "__rsub__": _subtracted_from,
    "__truediv__": of_row(elementwise.div), "__rtruediv__": _divided_into, "__rdiv__": _divided_into,
    "__floordiv__": of_numbers(elementwise.floor_divide), "__rfloordiv__": reflected(elementwise.floor_divide),
    "__mod__": of_numbers(elementwise.remainder), "__rmod__": reflected(elementwise.remainder),
    "__pow__": _power, "__rpow__": reflected(elementwise.pow),
    "__matmul__": matrix.matmul_or_mm, "__rmatmul__": _behind_array,
    "__neg__": elementwise.neg, "__pos__": elementwise.positive, "__abs__": elementwise.abs, "__invert__": _inverted,
    "__getitem__": index.getitem, "__setitem__": index.setitem,
}  # fmt: skip
OPERATORS |= {f"__{name}__": of_numbers(getattr(elementwise, name)) for name in "eq ne lt le gt ge".split()}
SYMMETRIC = {  # the same, whichever of the two is the tensor
    "add": of_row(elementwise.add), "mul": of_row(elementwise.mul),
    "and": of_numbers(elementwise.bitwise_and), "or": of_numbers(elementwise.bitwise_or),
    "xor": of_numbers(elementwise.bitwise_xor),
}  # fmt: skip
OPERATORS |= {f"__{side}{name}__": function for name, function in SYMMETRIC.items() for side in ("", "r")}
IN_PLACE = {
    "__iadd__": "add_", "__isub__": "sub_", "__imul__": "mul_", "__itruediv__": "div_", "__ipow__": "pow_",
    "__ifloordiv__": "floor_divide_", "__imod__": "remainder_", "__iand__": "bitwise_and_", "__ior__": "bitwise_or_",
    "__ixor__": "bitwise_xor_",
}  # fmt: skip
PROPERTIES = {
    "T": lambda self: shape.permute_to(self, tuple(range(self.ndim)[::-1])),
    "mT": rearranging.matrix_transpose,
    "mH": rearranging.adjoint,
    "H": lambda self: (rearranging.matrix_transpose if self.ndim == 1 else shape.t)(self).conj(),
    "real": lambda self: elementwise.real(self) if self.is_complex() else self,
    "imag": _imag,
}
# `z.imag = 0`: what is assigned is written into the part
WRITTEN_TO = {name: lambda self, value, part=PROPERTIES[name]: part(self).copy_(value) for name in ("real", "imag")}


def in_place_of(method):
    """The operator of a method, as quick as the method itself."""
    return method.as_operator(of_numbers) if hasattr(method, "as_operator") else of_numbers(method)


def of(methods: dict) -> dict:
    """All of them, by the names that Python has for them; those in place are methods."""
    for name, one in OPERATORS.items():
        if not one.__qualname__.isidentifier() or one.__qualname__[0] == "_":  # none that a person knows
            one.__name__ = one.__qualname__ = name
    in_place = {sign: in_place_of(methods[name]) for sign, name in IN_PLACE.items()}
    properties = {
        name: property(one, WRITTEN_TO.get(name), doc=help.with_example(one.__doc__, name))
        for name, one in PROPERTIES.items()
    }
    for name, one in properties.items():
        one.__set_name__(Tensor, name)  # under which an error speaks of it
    return OPERATORS | in_place | properties
