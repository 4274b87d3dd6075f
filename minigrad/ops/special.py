"""Less common operations on each element by itself; the common ones are in `elementwise.py`."""

import math

import numpy as np

from ..autograd.op import op
from ..dtypes import SHORT_NAMES, of
from ..tensor import Tensor
from .elementwise import (
    LOG2,
    NONE,
    TWO_OVER_SQRT_PI,
    clipped,
    element_for,
    exp,
    exp2,
    factor,
    isfinite,
    isnan,
    kept_where,
    log,
    log1p,
    logical_not,
    nothing,
    rsub,
    scaled,
    suited,
    underivable,
    where,
)

# == one input =============================================================================================

erfc = op(
    lambda a: np.vectorize(math.erfc, otypes=[a.dtype])(a) if a.size else a,
    elementwise=True,
    floats=True,
    a=lambda g, a: g * (-TWO_OVER_SQRT_PI * exp(-(a * a))),
)
# beyond the bounds: a straight line with `eps`, not a number without
logit = op(
    lambda a, eps=None: _logit(a if eps is None else np.clip(a, eps, 1 - eps)),
    elementwise=True,
    floats=True,
    a=lambda g, a, eps: where((a < (eps or 0)) | (a > 1 - (eps or 0)), math.nan if eps is None else 0, g / (a * (1 - a))),
)
entr = op(  # 0 at 0, and no probability is negative
    lambda a: np.where(a < 0, a.dtype.type(-np.inf), np.where(a == 0, a, -a * np.log(a))),
    elementwise=True,
    floats=True,
    grad_fn="SpecialEntrBackward0",
    a=lambda g, a: g * (-1 - log(a)),
    says="-a * log(a)",
)
frac = op(lambda a: a - np.trunc(a), elementwise=True, a=lambda g: g, says="a - trunc(a)")
nan_to_num = op(
    lambda a, nan=0.0, posinf=None, neginf=None: np.nan_to_num(a, nan=nan or 0.0, posinf=posinf, neginf=neginf),
    elementwise=True,
    a=lambda g, a: kept_where(g, isfinite(a)),
)
deg2rad = op(lambda a: a * (math.pi / 180), elementwise=True, floats=True, grad_fn="Deg2RadBackward0", a=lambda g: g * (math.pi / 180))
rad2deg = op(lambda a: a * (180 / math.pi), elementwise=True, floats=True, grad_fn="Rad2DegBackward0", a=lambda g: g * (180 / math.pi))
signbit = op(np.signbit, a=None)
isposinf = op(lambda a: np.isposinf(a), elementwise=True, a=None)
isneginf = op(lambda a: np.isneginf(a), elementwise=True, a=None)


def _logit(a):
    return np.log(a / (1 - a))


def turn_of(a, out):
    """1 where a keeps its sign, -1 where it is turned, 0 at 0."""
    return where(a == 0, 0, out / a)


def _lerp(a, b, weight):
    return np.where(np.abs(weight) < 0.5, a + weight * (b - a), b - (b - a) * (1 - weight))


def log_of(number) -> float:
    return math.log(number) if number > 0 else -math.inf if number == 0 else math.nan


def _xlogy(a, b):
    out = a * (np.log(b) if isinstance(b, np.ndarray | np.generic) else log_of(b))
    return np.where((a == 0) & (b == b), out.dtype.type(0), out)


# == several inputs ========================================================================================

logaddexp = op(np.logaddexp, numbers=NONE, floats=True, a=lambda g, a, b: g / (1 + exp(b - a)), b=lambda g, a, b: g / (1 + exp(a - b)))
logaddexp2 = op(np.logaddexp2, numbers=NONE, floats=True, a=lambda g, a, b: g / (1 + exp2(b - a)), b=lambda g, a, b: g / (1 + exp2(a - b)))
rsub_of = op(
    lambda a, b, alpha=1: b - scaled(b, a, alpha),
    elementwise=True,
    linear=True,
    overloads={"b": lambda a, b, alpha=1: rsub(a if alpha == 1 else a * factor(a.array.dtype, alpha), b)},
    grad_fn="RsubBackward0",
    a=lambda g, alpha: g * -alpha,
    b=lambda g: g,
    says="b - alpha * a",
)
# a · log b, which is 0 at a = 0, whatever b is (but a number)
xlogy_of_number = op(  # xlogy(b, a)
    lambda a, b: _xlogy(b, a), elementwise=True, floats=True, grad_fn="XlogyBackward1", a=lambda g, a, b: g * (b / a), says="b * log(a)"
)
xlogy_by_number = op(
    lambda a, b: _xlogy(a, b),
    elementwise=True,
    floats=True,
    grad_fn="XlogyBackward2",
    a=lambda g, a, b: g * (log_of(b) if b > 0 else where(a == 0, 0, log_of(b))),
    says="a * log(b)",
)
xlogy = op(
    lambda a, b: _xlogy(a, b),
    elementwise=True,
    floats=True,
    overloads={"b": xlogy_by_number, "a": lambda a, b: xlogy_of_number(b, a)},
    a=lambda g, a, b: g * where((a == 0) & (b <= 0), 0, log(where((a == 0) & (b <= 0), 1, b))),
    b=lambda g, a, b: g * (a / b),
    says="a * log(b)",
)
xlog1py = op(  # a · log(1 + b), which is 0 at a = 0
    lambda a, b: _xlogy(a, 1 + b),
    elementwise=True,
    floats=True,
    overloads={"b": lambda a, b: xlogy(a, 1 + b), "a": lambda a, b: xlogy(a, 1 + b)},
    grad_fn="SpecialXlog1PyBackward0",
    a=lambda g, a, b: g * where((a == 0) & (b <= -1), 0, log1p(where((a == 0) & (b <= -1), 0, b))),
    b=lambda g, a, b: g * (a / (1 + b)),
    says="a * log(1 + b)",
)
lerp_by_number = op(
    lambda a, end, weight: _lerp(a, end, weight),
    numbers=NONE,
    elementwise=True,
    grad_fn="LerpBackward0",
    a=lambda g, weight: g * (1 - weight),
    end=lambda g, weight: g * weight,
    says="a + weight * (end - a)",
)
lerp = op(  # from a to the end, as far as `weight` says
    lambda a, end, weight: _lerp(a, end, weight),
    elementwise=True,
    overloads={"weight": lerp_by_number},
    grad_fn="LerpBackward1",
    a=lambda g, weight: g * (1 - weight),
    end=lambda g, weight: g * weight,
    weight=lambda g, a, end: g * (end - a),
    says="a + weight * (end - a)",
)
addcmul = op(
    lambda a, tensor1, tensor2, value=1: a + element_for(a, value) * tensor1 * tensor2,
    numbers=NONE,
    elementwise=True,
    a=lambda g: g,
    tensor1=lambda g, tensor2, value: g * (tensor2 * value),
    tensor2=lambda g, tensor1, value: g * (tensor1 * value),
    says="a + value * tensor1 * tensor2",
)
addcdiv = op(
    lambda a, tensor1, tensor2, value=1: a + value * (tensor1 / tensor2),
    numbers=NONE,
    elementwise=True,
    a=lambda g: g,
    tensor1=lambda g, tensor2, value: g * (value / tensor2),
    tensor2=lambda g, tensor1, tensor2, value: -g * (value * tensor1 / (tensor2 * tensor2)),
    says="a + value * tensor1 / tensor2",
)
# the larger and the smaller, where a missing value (nan) loses
fmax = op(np.fmax, numbers=NONE, a=lambda g, a, b: kept_where(g, (a >= b) | isnan(b)), b=lambda g, a, b: kept_where(g, logical_not((a >= b) | isnan(b))))
fmin = op(np.fmin, numbers=NONE, a=lambda g, a, b: kept_where(g, (a <= b) | isnan(b)), b=lambda g, a, b: kept_where(g, logical_not((a <= b) | isnan(b))))
copysign_number = op(
    lambda a, b: np.copysign(suited(a, float(b)), b), elementwise=True, grad_fn="CopysignBackward1", a=lambda g, a, out: g * turn_of(a, out)
)
copysign = op(
    np.copysign, floats=True, overloads={"b": copysign_number}, a=lambda g, a, out: g * turn_of(a, out), b=lambda g: nothing(g)
)
ldexp = op(
    lambda a, b: a * np.exp2(b),
    numbers=NONE,
    elementwise=True,
    floats=True,
    a=lambda g, b: g * exp2(b),
    b=lambda g, out: g * out * LOG2,
    says="a * 2 ** b",
)
nextafter = op(np.nextafter, numbers=NONE, a=lambda g, a, b: where(a == b, 0, g), b=lambda g: nothing(g))
heaviside = op(
    lambda a, values: np.where(a == 0, values, a > 0).astype(a.dtype),
    numbers=NONE,
    ufunc=np.heaviside,
    grad_fn="NotImplemented",
    a=lambda g: underivable("heaviside"),
    values=lambda g: underivable("heaviside"),
)
gcd = op(np.gcd, numbers=NONE, a=None, b=None)
lcm = op(np.lcm, numbers=NONE, a=None, b=None)
bitwise_left_shift = op(np.left_shift, a=None, b=None, says="a << b")
bitwise_right_shift = op(np.right_shift, a=None, b=None, says="a >> b")
conj_physical = op(np.conjugate, holomorphic=False, linear=True, a=lambda g: g.conj())
# inclusive bounds: at a tie the gradient is a's
clamp_min_number = op(
    lambda a, min: clipped(a, min), elementwise=True, grad_fn="ClampMinBackward0", a=lambda g, a, min: kept_where(g, a >= min)
)
clamp_max_number = op(
    lambda a, max: clipped(a, None, max), elementwise=True, grad_fn="ClampMaxBackward0", a=lambda g, a, max: kept_where(g, a <= max)
)
clamp_min = op(
    lambda a, min: np.maximum(a, min),
    elementwise=True,
    overloads={"min": clamp_min_number},
    grad_fn="ClampMinBackward1",
    a=lambda g, a, min: kept_where(g, a >= min),
    min=lambda g, a, min: kept_where(g, a < min),
)
clamp_max = op(
    lambda a, max: np.minimum(a, max),
    elementwise=True,
    overloads={"max": clamp_max_number},
    grad_fn="ClampMaxBackward1",
    a=lambda g, a, max: kept_where(g, a <= max),
    max=lambda g, a, max: kept_where(g, a > max),
)

# == comparison with a tolerance, and among sets ===========================================================

isclose_of = op(
    lambda a, b, rtol, atol, equal_nan: np.isclose(a, b, rtol, atol, equal_nan), elementwise=True, a=None, b=None
)
isin = op(
    lambda elements, test_elements, assume_unique=False, invert=False: np.isin(elements, test_elements, invert=invert),
    elements=None,
    test_elements=None,
)


def isclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Tensor:
    """Where |input - other| ≤ atol + rtol · |other|."""
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{SHORT_NAMES[input.dtype.name]} did not match {SHORT_NAMES[other.dtype.name]}")
    return isclose_of(input, other, rtol, atol, equal_nan)


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> bool:
    """Whether two tensors are the same up to rounding.

    >>> import minigrad as mg
    >>> allclose(mg.tensor([0.1]) + 0.2, mg.tensor([0.3]))
    True
    """
    return bool(isclose(input, other, rtol, atol, equal_nan).array.all())


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and the same elements, to the last digit."""
    return input.shape == other.shape and bool((input.array == other.array).all())


def positive(input: Tensor) -> Tensor:
    """The tensor itself: `+input`."""
    if input.array.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


def float_power(input, exponent) -> Tensor:
    """`input ** exponent`, computed in the widest float type."""
    wide = [x.to(of(np.dtype("c16" if x.is_complex() else "f8"))) if isinstance(x, Tensor) else x for x in (input, exponent)]
    return wide[0] ** wide[1]
