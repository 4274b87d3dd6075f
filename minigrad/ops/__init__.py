"""Where the rows of the tables become functions, methods, operators, in-place twins, and the answers to NumPy's calls.

`functions` is all that `minigrad` offers by name; `functional` what `minigrad.nn.functional` offers.
"""

import builtins
import functools

import numpy as np

from .. import dtypes
from ..autograd.engine import apply
from ..autograd.op import named
from ..calling import SYNONYMS, checked
from ..tensor import Tensor
from . import (
    activation,
    convolution,
    copying,
    counting,
    destination,
    einsum,
    elementwise,
    gamma,
    gathering,
    in_place,
    index,
    joining,
    linalg,
    loss,
    margin_loss,
    matrix,
    normalisation,
    pooling,
    quantiles,
    rearranging,
    reduction,
    sampled,
    scattering,
    shape,
    sorting,
    special,
    statistics,
)
from .elementwise import *  # noqa: F403 - the tables are this package's content
from .reduction import *  # noqa: F403

FIRST_RING = (elementwise, copying, shape, joining, index, reduction, matrix, activation, loss, convolution)
TABLES = (*FIRST_RING, special, sorting, statistics, rearranging, scattering, gathering, linalg, pooling, normalisation, margin_loss, gamma, counting)
rows = {name: row for table in TABLES for name, row in named(vars(table)).items()}

# == functions =============================================================================================

_SAME = (
    "neg add sub mul div reciprocal maximum minimum fmod remainder floor_divide square sqrt rsqrt exp exp2 expm1 log "
    "log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh hypot abs sign sgn floor ceil "
    "round trunc where eq ne lt le gt ge isnan isinf isfinite logical_not logical_and logical_or logical_xor "
    "bitwise_not bitwise_and bitwise_or bitwise_xor clone pow clamp angle "
    "sum nansum mean prod amax amin argmax argmin all any count_nonzero cumsum logsumexp var std norm "
    "matmul mm mv bmm dot outer trace addmm "
    "transpose t unsqueeze squeeze flip roll tile unbind select tril triu diagonal reshape permute "
    "broadcast_to flatten cat stack split chunk diag "
    "index_select relu softmax log_softmax sigmoid erf"
).split()
_everything = {name: value for table in FIRST_RING for name, value in vars(table).items() if callable(value)}
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
    "concat": joining.cat,
    "concatenate": joining.cat,
    "narrow": rearranging.narrow_checked,
    "swapaxes": rearranging.swapaxes,
    "swapdims": shape.transpose,
    "greater": elementwise.gt,
    "less": elementwise.lt,
}
SECOND_RING = {  # less common, by the table in which they stand
    special: "erfc logit frac nan_to_num deg2rad rad2deg signbit isposinf isneginf logaddexp logaddexp2 xlogy lerp addcmul "
    "addcdiv clamp_min clamp_max isclose isin allclose equal positive float_power "
    "fmax fmin copysign ldexp nextafter heaviside gcd lcm bitwise_left_shift bitwise_right_shift",
    gamma: "lgamma digamma polygamma mvlgamma erfinv i0 sinc",
    gathering: "scatter scatter_reduce index_reduce put",
    sorting: "sort msort argsort topk kthvalue mode median nanmedian cumprod cummax cummin logcumsumexp diff aminmax",
    quantiles: "quantile nanquantile",
    statistics: "var_mean std_mean nanmean dist cdist cov corrcoef",
    sampled: "trapezoid cumulative_trapezoid gradient",
    counting: "bincount histc searchsorted bucketize",
    scattering: "scatter_add index_add index_copy index_fill index_put masked_fill masked_scatter masked_select "
    "take_along_dim nonzero where unique unique_consecutive",
    shape: "atleast_1d atleast_2d atleast_3d",
    joining: "hstack vstack dstack column_stack block_diag tensor_split hsplit vsplit dsplit split_with_sizes",
    rearranging: "rot90 movedim unflatten ravel fliplr flipud adjoint tile repeat_interleave meshgrid cartesian_prod "
    "combinations broadcast_shapes broadcast_tensors diag_embed diagflat as_strided",
    matrix: "vdot vander addmv addr baddbmm addbmm",
    einsum: "einsum tensordot inner kron chain_matmul",
    activation: "selu celu prelu threshold hardshrink",
}
functions |= {name: getattr(table, name) for table, names in SECOND_RING.items() for name in names.split()}
functions |= {
    "take": scattering.take_at,
    "squeeze": rearranging.squeeze_dims,
    "moveaxis": rearranging.movedim,
    "row_stack": joining.vstack,
    "fix": elementwise.trunc,
    "arctan2": elementwise.atan2,
    "arcsinh": elementwise.asinh,
    "arccosh": elementwise.acosh,
    "arctanh": elementwise.atanh,
    "not_equal": elementwise.ne,
    "greater_equal": elementwise.ge,
    "less_equal": elementwise.le,
    "argwhere": scattering.nonzero,
    "conj_physical": lambda input: special.conj_physical(input) if input.is_complex() else input,
    "renorm": statistics.renorm,
    "rsub": special.rsub_of,
    "trapz": sampled.trapezoid,
    "unsafe_chunk": joining.chunk,
    "unsafe_split": joining.split,
    "unsafe_split_with_sizes": joining.split_with_sizes,
}
functional = {
    name: _everything[name]
    for name in (
        "relu relu6 leaky_relu elu gelu softplus silu sigmoid tanh softmax log_softmax linear conv1d conv2d "
        "mse_loss l1_loss huber_loss smooth_l1_loss binary_cross_entropy binary_cross_entropy_with_logits nll_loss "
        "cross_entropy kl_div"
    ).split()
}
FUNCTIONAL_SECOND_RING = {
    activation: "selu celu mish hardtanh hardsigmoid hardswish softsign tanhshrink softshrink hardshrink logsigmoid glu "
    "prelu threshold softmin",
    margin_loss: "hinge_embedding_loss margin_ranking_loss soft_margin_loss gaussian_nll_loss poisson_nll_loss "
    "cosine_embedding_loss triplet_margin_loss multi_margin_loss multilabel_soft_margin_loss",
    normalisation: "layer_norm batch_norm group_norm instance_norm rms_norm normalize cosine_similarity pairwise_distance "
    "embedding one_hot bilinear scaled_dot_product_attention dropout dropout1d dropout2d",
    pooling: "max_pool1d max_pool2d avg_pool1d avg_pool2d adaptive_avg_pool1d adaptive_avg_pool2d unfold fold "
    "pad",
    convolution: "conv_transpose1d conv_transpose2d",
}
functional |= {name: getattr(table, name) for table, names in FUNCTIONAL_SECOND_RING.items() for name in names.split()}
for _name, _says in {
    "real": "The real part of each element.",
    "imag": "The imaginary part of each element.",
    "conj": "Each complex number with the other sign of its imaginary part.",
    "conj_physical": "`conj`, always computed.",
}.items():
    functions[_name].__name__, functions[_name].__doc__ = _name, _says
globals().update(functions)

# == methods ===============================================================================================

METHODS_ONLY = {
    "polygamma": lambda self, n: gamma.polygamma(n, self),
    "view": shape.view,
    "expand": shape.expand,
    "repeat": shape.repeat,
    "sum_to_size": lambda self, *size: shape.sum_to_size(self, shape.sizes_of(size)),
    "view_as": lambda self, other: shape.view(self, other.shape),
    "expand_as": lambda self, other: shape.expand(self, other.shape),
    "reshape_as": lambda self, other: shape.reshape(self, other.shape),
    "unfold": rearranging.unfold_checked,
    "flip": rearranging.flip_dims,
    "where": lambda self, condition, other: elementwise.where(condition, self, other),
    "conj": lambda self: elementwise.conj(self) if self.is_complex() else self,
}
FUNCTIONS_ONLY = (
    "real imag conj where cat concat concatenate stack hstack vstack dstack column_stack row_stack block_diag einsum "
    "chain_matmul meshgrid cartesian_prod combinations broadcast_shapes broadcast_tensors atleast_1d atleast_2d "
    "atleast_3d selu celu threshold tensordot std_mean var_mean rsub cdist "
    "trapezoid trapz cumulative_trapezoid gradient vander searchsorted bucketize"
).split()
for _name, _function in {**functions, **METHODS_ONLY}.items():
    if _name not in FUNCTIONS_ONLY or _name in METHODS_ONLY:
        setattr(Tensor, _name, _function)

# == operators =============================================================================================


def of_numbers(function):
    """A comparison that leaves what is neither tensor nor number to Python: `x == None` is False."""
    return lambda self, other: function(self, other) if isinstance(other, NUMERIC) else NotImplemented


NUMERIC = (Tensor, int, float, complex, np.ndarray, np.generic)


def _subtracted_from(self, other):
    """`other - self`."""
    if isinstance(other, Tensor):
        return elementwise.sub(other, self)
    return elementwise.rsub.op.run(self, other)


def _inverted(self):
    """Each bit turned over."""
    if self._data.dtype.kind not in "biu":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return elementwise.bitwise_not(self)


OPERATORS = {
    "__add__": elementwise.add.op.run,
    "__radd__": elementwise.add.op.run,
    "__sub__": elementwise.sub.op.run,
    "__rsub__": _subtracted_from,
    "__mul__": elementwise.mul.op.run,
    "__rmul__": elementwise.mul.op.run,
    "__truediv__": elementwise.div.op.run,
    "__rtruediv__": lambda self, other: elementwise.reciprocal(self) * other,
    "__rdiv__": lambda self, other: elementwise.reciprocal(self) * other,
    "__floordiv__": elementwise.floor_divide,
    "__rfloordiv__": lambda self, other: elementwise.floor_divide(other, self),
    "__mod__": elementwise.remainder,
    "__rmod__": lambda self, other: elementwise.remainder(other, self),
    "__pow__": elementwise.pow,
    "__rpow__": lambda self, other: elementwise.pow(other, self),
    "__matmul__": matrix.matmul_or_mm,
    "__rmatmul__": lambda self, other: matrix.matmul(other, self),
    "__neg__": elementwise.neg,
    "__pos__": special.positive,
    "__abs__": elementwise.abs,
    "__invert__": _inverted,
    "__and__": elementwise.bitwise_and,
    "__rand__": elementwise.bitwise_and,
    "__or__": elementwise.bitwise_or,
    "__ror__": elementwise.bitwise_or,
    "__lshift__": special.bitwise_left_shift,
    "__rlshift__": lambda self, other: special.bitwise_left_shift(other, self),
    "__rshift__": special.bitwise_right_shift,
    "__rrshift__": lambda self, other: special.bitwise_right_shift(other, self),
    "__xor__": elementwise.bitwise_xor,
    "__rxor__": elementwise.bitwise_xor,
    "__eq__": of_numbers(elementwise.eq),
    "__ne__": of_numbers(elementwise.ne),
    "__lt__": of_numbers(elementwise.lt),
    "__le__": of_numbers(elementwise.le),
    "__gt__": of_numbers(elementwise.gt),
    "__ge__": of_numbers(elementwise.ge),
    "__getitem__": index.getitem,
    "__setitem__": index.setitem,
}


def _imag(self):
    """The imaginary part of a complex tensor."""
    if not self.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return elementwise.imag(self)


PROPERTIES = {
    "T": lambda self: shape.permute_to(self, tuple(range(self.ndim)[::-1])),
    "mT": rearranging.matrix_transpose,
    "mH": rearranging.adjoint,
    "H": rearranging.transposed,
    "real": lambda self: elementwise.real(self) if self.is_complex() else self,
    "imag": _imag,
}
for _name, _function in (OPERATORS | {name: property(one) for name, one in PROPERTIES.items()}).items():
    setattr(Tensor, _name, _function)

# == in-place twins ========================================================================================

for _name, _function in in_place.twins(rows, functions).items():
    setattr(Tensor, _name, _function)
functions |= {name + "_": getattr(Tensor, name + "_") for name in functions if hasattr(Tensor, name + "_")}
_overwriting = in_place.activations(rows) | {"relu_": Tensor.relu_}  # type: ignore[attr-defined]
functional |= {name + "_": _overwriting[name + "_"] for name in "relu elu selu celu leaky_relu hardtanh threshold".split()}
functions |= {name + "_": _overwriting[name + "_"] for name in "selu celu threshold".split()}

# == out= and inplace=True =================================================================================

for _name, _row in rows.items():
    _row.op.overloads["out"] = destination.into_out(_row, _name)
COMPOSED_WITH_OUT = (  # functions of several rows: for these it costs a call in between
    "cat concat concatenate stack hstack vstack dstack clamp clip pow where outer bmm mv dot addmm addmv addr baddbmm addbmm "
    "max min sort topk kthvalue median nanmedian mode gather index_select masked_select nonzero take diag kron inner diff "
    "tensordot quantile nanquantile norm float_power isclose"
).split()
for _name in COMPOSED_WITH_OUT:
    functions[_name] = functools.wraps(functions[_name])(destination.into_out(functions[_name], _name))
for _name in "max min median nanmedian mode sort topk kthvalue".split():
    setattr(Tensor, _name, functions[_name])
for _offered in (functions, functional):
    for _name, _function in _offered.items():
        if not (hasattr(_function, "op") or _name.endswith("_") or _name in COMPOSED_WITH_OUT):
            _offered[_name] = checked(_function, _name)
for _name, _twin in _overwriting.items():
    _row = rows[_name.removesuffix("_")]
    _row.op.overloads["inplace"] = destination.on_request(_row, _twin)

# == conversions ===========================================================================================


def to(self, *args, dtype=None, device=None, copy=False, non_blocking=False):
    """The same numbers in another type: `x.to(minigrad.float64)`, `x.to(other)`, `x.to("cpu")`."""
    from ..tensor import device as Device

    for given in args:
        if isinstance(given, Tensor):
            dtype = given.dtype
        elif isinstance(given, str | Device):
            device = given
        elif isinstance(given, dtypes.dtype | type | np.dtype):
            dtype = given
        elif not isinstance(given, bool | None):
            raise TypeError(f"to() received an invalid combination of arguments - got ({type(given).__name__})")
    if device is not None:
        Device(device)
    wanted = self.array.dtype if dtype is None else dtypes.to_numpy(dtype)
    if wanted == self.array.dtype and not copy:
        return self
    return copying.to_copy(self if dtypes.is_differentiable(wanted) else self.detach(), wanted)



def _into(name: str):
    return lambda self: to(self, dtype=dtypes.of(name))


CASTS = {
    "float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16", "int": "int32", "long": "int64",
    "short": "int16", "bool": "bool", "byte": "uint8", "char": "int8", "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip
CONVERSIONS = {"to": to, "type_as": lambda self, other: to(self, dtype=other.dtype), "cpu": lambda self: self}
for _name, _function in (CONVERSIONS | {name: _into(kind) for name, kind in CASTS.items()}).items():
    setattr(Tensor, _name, _function)

# == NumPy calls minigrad ==================================================================================

BY_UFUNC = {row.op.ufunc: row for row in rows.values() if row.op.ufunc}
BY_UFUNC |= {np.power: elementwise.pow, np.clip: elementwise.clamp, np.remainder: elementwise.remainder, np.positive: lambda a: a}


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


NUMPYS_OWN = "sort median nanmedian unique nonzero take std_mean isin quantile nanquantile gradient bincount".split()  # where the two libraries answer differently


def _array_function(self, function, types, args, options):
    """`np.sum(tensor)` is `minigrad.sum(tensor)`; what minigrad lacks, NumPy does on the numbers alone."""
    if function in (np.shape, np.ndim, np.size):
        return function(*(one.array if isinstance(one, Tensor) else one for one in args), **options)
    own = {"max": reduction.amax, "min": reduction.amin}.get(function.__name__) or functions.get(function.__name__)
    if own is not None and getattr(np, function.__name__, None) is function and function.__name__ not in NUMPYS_OWN:
        given = {SYNONYMS.get(name, name): value for name, value in options.items() if value is not np._NoValue}
        return own(*args, **given)
    return function(*_plain(args), **_plain(options))


def _plain(value):
    if isinstance(value, Tensor):
        return value.numpy()
    if isinstance(value, tuple | list):
        return type(value)(map(_plain, value))
    return {name: _plain(one) for name, one in value.items()} if isinstance(value, dict) else value


Tensor.__array_ufunc__, Tensor.__array_function__ = _array_ufunc, _array_function
