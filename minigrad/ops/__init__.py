"""Where the rows of the tables become functions, methods, operators, in-place twins, and the answers to NumPy's calls.

`functions` is all that `minigrad` offers by name; `functional` what `minigrad.nn.functional` offers.
"""

import builtins

import numpy as np

from ..autograd.engine import apply
from ..autograd.events import Zeroed, heard, tell
from ..autograd.op import named
from ..tensor import Tensor
from . import activation, convolution, elementwise, index, loss, matrix, reduction, shape
from .elementwise import *  # noqa: F403 - the tables are this package's content
from .reduction import *  # noqa: F403

TABLES = (elementwise, shape, index, reduction, matrix, activation, loss, convolution)
rows = {name: row for table in TABLES for name, row in named(vars(table)).items()}

# == functions =============================================================================================

_SAME = (
    "neg add sub mul div reciprocal maximum minimum fmod remainder floor_divide square sqrt rsqrt exp exp2 expm1 log "
    "log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh hypot abs sign sgn floor ceil "
    "round trunc where eq ne lt le gt ge isnan isinf isfinite logical_not logical_and logical_or logical_xor "
    "bitwise_not bitwise_and bitwise_or bitwise_xor clone pow clamp angle "
    "sum nansum mean prod amax amin argmax argmin all any count_nonzero cumsum logsumexp var std norm "
    "matmul mm mv bmm dot outer trace addmm "
    "transpose t unsqueeze squeeze flip roll tile unbind select narrow tril triu diagonal reshape permute "
    "broadcast_to flatten cat stack split chunk diag "
    "index_select masked_fill relu softmax log_softmax sigmoid erf"
).split()
_everything = {name: value for table in TABLES for name, value in vars(table).items() if callable(value)}
functions = {name: _everything[name] for name in _SAME} | {
    "max": reduction.largest,
    "min": reduction.smallest,
    "gather": index.gather_along,
    "real": lambda input: input.real,
    "imag": lambda input: input.imag,
    "conj": lambda input: input.conj(),
    "absolute": elementwise.abs,
    "subtract": elementwise.sub,
    "multiply": elementwise.mul,
    "divide": elementwise.div,
    "true_divide": elementwise.div,
    "negative": elementwise.neg,
    "arcsin": elementwise.asin,
    "arccos": elementwise.acos,
    "arctan": elementwise.atan,
    "clip": elementwise.clamp,
    "concat": shape.cat,
    "concatenate": shape.cat,
    "swapaxes": shape.transpose,
    "swapdims": shape.transpose,
    "greater": elementwise.gt,
    "less": elementwise.lt,
}
functional = {
    name: _everything[name]
    for name in (
        "relu relu6 leaky_relu elu gelu softplus silu sigmoid tanh softmax log_softmax linear conv1d conv2d "
        "mse_loss l1_loss huber_loss smooth_l1_loss binary_cross_entropy binary_cross_entropy_with_logits nll_loss "
        "cross_entropy kl_div"
    ).split()
}
globals().update(functions)

# == methods ===============================================================================================

METHODS_ONLY = {
    "view": shape.view,
    "expand": shape.expand,
    "repeat": shape.repeat,
    "sum_to_size": lambda self, *size: shape.sum_to_size(self, shape.sizes_of(size)),
    "view_as": lambda self, other: shape.view(self, other.shape),
    "expand_as": lambda self, other: shape.expand(self, *other.shape),
    "reshape_as": lambda self, other: shape.reshape(self, other.shape),
}
FUNCTIONS_ONLY = {"real", "imag", "conj", "where", "cat", "concat", "concatenate", "stack"}
for _name, _function in {**functions, **METHODS_ONLY}.items():
    if _name not in FUNCTIONS_ONLY:
        setattr(Tensor, _name, _function)
Tensor.where = lambda self, condition, other: elementwise.where(condition, self, other)

# == operators =============================================================================================



def _operator(row):
    """`a * b`, which is `mul(a, b)` without the choices of a call."""
    return lambda self, other: apply(row.op, (self, other))


OPERATORS = {
    "__add__": _operator(elementwise.add),
    "__radd__": _operator(elementwise.add),
    "__sub__": _operator(elementwise.sub),
    "__rsub__": _operator(elementwise.rsub),
    "__mul__": _operator(elementwise.mul),
    "__rmul__": _operator(elementwise.mul),
    "__truediv__": _operator(elementwise.div),
    "__rtruediv__": lambda self, other: elementwise.reciprocal(self) * other,
    "__floordiv__": elementwise.floor_divide,
    "__rfloordiv__": lambda self, other: elementwise.floor_divide(other, self),
    "__mod__": elementwise.remainder,
    "__rmod__": lambda self, other: elementwise.remainder(other, self),
    "__pow__": elementwise.pow,
    "__rpow__": lambda self, other: elementwise.pow(other, self),
    "__matmul__": _operator(matrix.matmul),
    "__rmatmul__": lambda self, other: matrix.matmul(other, self),
    "__neg__": elementwise.neg,
    "__pos__": lambda self: self,
    "__abs__": elementwise.abs,
    "__invert__": elementwise.bitwise_not,
    "__and__": elementwise.bitwise_and,
    "__rand__": elementwise.bitwise_and,
    "__or__": elementwise.bitwise_or,
    "__ror__": elementwise.bitwise_or,
    "__xor__": elementwise.bitwise_xor,
    "__rxor__": elementwise.bitwise_xor,
    "__eq__": elementwise.eq,
    "__ne__": elementwise.ne,
    "__lt__": elementwise.lt,
    "__le__": elementwise.le,
    "__gt__": elementwise.gt,
    "__ge__": elementwise.ge,
    "__getitem__": index.getitem,
    "__setitem__": index.setitem,
}
for _name, _function in OPERATORS.items():
    setattr(Tensor, _name, _function)
Tensor.T = property(lambda self: shape.permute(self, *reversed(range(self.ndim))))
Tensor.mT = property(lambda self: shape.transpose(self, -2, -1))
Tensor.real = property(lambda self: elementwise.real(self) if self.is_complex() else self)
Tensor.conj = lambda self: elementwise.conj(self) if self.is_complex() else self

def _imag(self):
    """The imaginary part of a complex tensor."""
    if not self.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return elementwise.imag(self)


Tensor.imag = property(_imag)

# == in-place twins ========================================================================================

TWINS = (
    "neg add sub mul div reciprocal fmod remainder square sqrt rsqrt exp exp2 expm1 log log2 log10 log1p sin cos tan "
    "asin acos atan sinh cosh tanh asinh acosh atanh abs sign floor ceil round trunc relu sigmoid"
).split()


def _twin(row):
    """`x.mul_(y)`: the same row, the result written over x."""

    def twin(self, *args, **options):
        args = (self, *args)
        if options or len(args) != len(row.op.parameters):
            args = row.op.bind(args, options)
        return apply(row.op, args, into=self)

    twin.__name__ = twin.__qualname__ = row.op.name + "_"
    twin.__doc__ = f"`{row.op.name}`, written over the tensor itself."
    return twin


for _name in TWINS:
    setattr(Tensor, _name + "_", _twin(_everything[_name]))
for _sign, _name in {"__iadd__": "add", "__isub__": "sub", "__imul__": "mul", "__itruediv__": "div"}.items():
    setattr(Tensor, _sign, getattr(Tensor, _name + "_"))


def _pow_(self, exponent):
    """`pow`, written over the tensor itself."""
    row = elementwise.power_of_tensor if isinstance(exponent, Tensor) else elementwise.power_of_number
    return apply(row.op, (self, exponent), into=self)


def _clamp_(self, min=None, max=None):
    """`clamp`, written over the tensor itself."""
    return apply(elementwise.clamp_to_numbers.op, (self, min, max), into=self)


def _copy_(self, src):
    """Take over another tensor's numbers; gradients flow to it."""
    return apply(elementwise.copy.op, (self, src), into=self)


def _fill_(self, value):
    """One number everywhere."""
    if isinstance(value, Tensor):
        if value.ndim:
            raise RuntimeError(
                "fill_ only supports 0-dimension value tensor but got tensor with "
                f"{value.ndim} dimensions."
            )
        return _copy_(self, value)
    return apply(elementwise.fill.op, (self, value), into=self)


def _zero_(self):
    """Zeros everywhere: what `x.grad.zero_()` does between two steps."""
    before = self.array.copy() if heard[Zeroed] else None
    apply(elementwise.zero.op, (self,), into=self)
    if before is not None:
        tell(Zeroed(self, before, self.array))
    return self


Tensor.pow_ = Tensor.__ipow__ = _pow_
Tensor.clamp_, Tensor.copy_, Tensor.fill_, Tensor.zero_ = _clamp_, _copy_, _fill_, _zero_

# == conversions ===========================================================================================


def to(self, *args, dtype=None, device=None, copy=False, non_blocking=False):
    """The same numbers in another type: `x.to(minigrad.float64)`, `x.to(other)`, `x.to("cpu")`."""
    from ..dtypes import dtype as Dtype
    from ..dtypes import to_numpy
    from ..tensor import device as Device

    for given in args:
        if isinstance(given, Tensor):
            dtype = given.dtype
        elif isinstance(given, str | Device):
            device = given
        elif isinstance(given, Dtype | type | np.dtype):
            dtype = given
        elif not isinstance(given, bool):
            raise TypeError(f"to() received an invalid combination of arguments - got ({type(given).__name__})")
    if device is not None:
        Device(device)
    wanted = self.array.dtype if dtype is None else to_numpy(dtype)
    if wanted == self.array.dtype and not copy:
        return self
    return elementwise.to_copy(self, wanted)


Tensor.to = to
for _name, _type in {
    "float": "float32", "double": "float64", "half": "float16", "int": "int32", "long": "int64", "short": "int16",
    "bool": "bool", "byte": "uint8", "cfloat": "complex64", "cdouble": "complex128",
}.items():  # fmt: skip
    setattr(Tensor, _name, lambda self, _type=_type: to(self, dtype=np.dtype(_type)))
Tensor.type_as = lambda self, other: to(self, dtype=other.dtype)
Tensor.cpu = lambda self: self
Tensor.contiguous = lambda self: self if self.is_contiguous() else elementwise.clone(self)

# == NumPy calls minigrad ==================================================================================

BY_UFUNC = {row.op.ufunc: row for row in rows.values() if row.op.ufunc}
BY_UFUNC |= {np.power: elementwise.pow, np.clip: elementwise.clamp, np.positive: lambda a: a}


def _array_ufunc(self, ufunc, method, *inputs, **options):
    """`np.sin(tensor)` is `minigrad.sin(tensor)`, recorded."""
    if method == "reduce" and ufunc is np.add:
        axis = options.get("axis", 0)
        return reduction.sum(inputs[0], axis, builtins.bool(options.get("keepdims")))
    row = BY_UFUNC.get(ufunc)
    if method != "__call__" or row is None or options:
        raise TypeError(
            f"np.{ufunc.__name__}{'' if method == '__call__' else '.' + method} with {', '.join(options) or 'these'} "
            "arguments is not available for a minigrad Tensor; use a minigrad function, or tensor.detach().numpy()"
        )
    return row(*inputs)


def _array_function(self, function, types, args, options):
    """`np.sum(tensor)` is `minigrad.sum(tensor)`; what minigrad lacks, NumPy does on the numbers alone."""
    if function in (np.shape, np.ndim, np.size):
        return function(*(one.array if isinstance(one, Tensor) else one for one in args), **options)
    own = functions.get(function.__name__)
    if own is not None and getattr(np, function.__name__, None) is function:
        return own(*args, **{name: value for name, value in options.items() if value is not np._NoValue})
    return function(*_plain(args), **_plain(options))


def _plain(value):
    if isinstance(value, Tensor):
        return value.numpy()
    if isinstance(value, tuple | list):
        return type(value)(map(_plain, value))
    return {name: _plain(one) for name, one in value.items()} if isinstance(value, dict) else value


Tensor.__array_ufunc__, Tensor.__array_function__ = _array_ufunc, _array_function
