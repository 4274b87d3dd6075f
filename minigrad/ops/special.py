"""Less common operations on each element by itself; the common ones are in `elementwise.py`."""

import math
from functools import partial

import numpy as np

from ..core.row import op
from ..core.tensor import Tensor
from ..numbers.dtypes import element, short_name, widened
from ..numbers.memory import row_by_row
from .activation import TWO_OVER_SQRT_PI, sigmoid
from .elementwise import NONE, cos, each, exp, exp2, isfinite, isnan, kept_where, nothing, numbered, quotient, where

DEGREE = math.pi / 180
PUBLIC = "function method twin"  # where these rows are offered


def logit_of(a, eps=None):
    a = a if eps is None else np.clip(a, eps, 1 - eps)
    return np.log(a / (1 - a))


def times_log(a, b):
    """a · log b, which is 0 at a = 0, whatever b is (but no number)."""
    kind = np.result_type(a, b)
    a, b = np.asarray(a, kind), np.asarray(b, kind)
    return np.where((a == 0) & (b == b), kind.type(0), a * np.log(b))


def between(a, end, weight):
    """a + weight * (end - a), computed from the nearer end; of one type, but for a weight without dimensions."""
    for name, x in (("end", end), ("weight", weight)):
        if getattr(x, "dtype", a.dtype) != a.dtype and (x.ndim or name == "end"):
            kinds = [short_name(one).lower() for one in (a, x)]
            raise RuntimeError(f"expected dtype {kinds[0]} for `{name}` but got dtype {kinds[1]}")
    start, end, weight = map(widened, (a, end, weight))
    out = np.where(np.abs(weight) < 0.5, start + weight * (end - start), end - (end - start) * (1 - weight))
    return out.astype(a.dtype, casting="same_kind", copy=False)


# a row is one to three lines, so that the table is taken in at a glance
# fmt: off
erfc = each(lambda a: np.vectorize(math.erfc, otypes=[a.dtype])(a) if a.size else a, floats=True, refuses="c",
    kernel="erfc_vml_cpu", a=lambda g, a: g * (-TWO_OVER_SQRT_PI * exp(-(a * a))))
# beyond the bounds: a straight line with `eps`, not a number without
logit = each(logit_of, floats=True, refuses="c", a=lambda g, a, eps: where(
    (a < (eps or 0)) | (a > 1 - (eps or 0)), math.nan if eps is None else 0, g / (a * (1 - a))))
# at 0 the slope of a parabola
sinc = each(lambda a: np.sinc(a), floats=True,
    a=lambda g, a: g * where(a == 0, -math.pi**2 / 3 * a, (cos(math.pi * a) - sinc(a)) / where(a == 0, 1, a)))
nan_to_num = each(lambda a, nan=0.0, posinf=None, neginf=None: np.nan_to_num(a, True, nan or 0.0, posinf, neginf),
    mixes=False, a=lambda g, a: kept_where(g, isfinite(a)))
logsigmoid = each(lambda a: row_by_row(np.minimum(a, 0) - np.log1p(np.exp(-np.abs(a)))), public="functional",
    refuses="bic", kernel="log_sigmoid_cpu", grad_fn="LogSigmoidBackward0", a=lambda g, a: g * sigmoid(-a))
addcmul = each(lambda a, tensor1, tensor2, value=1: a + element(value, a.dtype) * tensor1 * tensor2, numbers=NONE,
    refuses="b", says="a + value * tensor1 * tensor2", a=lambda g: g,
    tensor1=lambda g, tensor2, value: g * value * tensor2, tensor2=lambda g, tensor1, value: g * value * tensor1)
addcdiv = each(lambda a, tensor1, tensor2, value=1: a + value * tensor1 / tensor2, numbers=NONE,
    refuses=dict.fromkeys("bi", "addcdiv() divides no integers by integers"), typed_by=("tensor1", "tensor2"),
    says="a + value * tensor1 / tensor2", a=lambda g: g, tensor1=lambda g, tensor2, value: g * value / tensor2,
    tensor2=lambda g, tensor1, tensor2, value: -g * value * tensor1 / (tensor2 * tensor2))
deg2rad = each(lambda a: a * DEGREE, floats=True, grad_fn="Deg2RadBackward0", a=lambda g: g * DEGREE,
    refuses={"c": "deg2rad is not supported for complex tensors."})
rad2deg = each(lambda a: a / DEGREE, floats=True, grad_fn="Rad2DegBackward0", a=lambda g: g / DEGREE,
    refuses={"c": "rad2deg is not supported for complex tensors."})
# a nan gives way to a number
fmax = op(np.fmax, numbers=NONE, public="function method", refuses={"c": "fmax not implemented for complex tensors."},
    a=lambda g, a, b: kept_where(g, (a >= b) | isnan(b)), b=lambda g, a, b: kept_where(g, ~((a >= b) | isnan(b))))
fmin = op(np.fmin, numbers=NONE, public="function method", refuses={"c": "fmin not implemented for complex tensors."},
    a=lambda g, a, b: kept_where(g, (a <= b) | isnan(b)), b=lambda g, a, b: kept_where(g, ~((a <= b) | isnan(b))))
frac = each(lambda a: a - np.trunc(a), refuses="bic", a=lambda g: g)
signbit = op(np.signbit, a=None, public="function method")
hypot = op(np.hypot, numbers=NONE, refuses="bi", a=lambda g, a, out: g * (a / out), b=lambda g, b, out: g * (b / out))
logaddexp = op(np.logaddexp, numbers=NONE, refuses="bi", public="function method",
    a=lambda g, a, b: g / (1 + exp(b - a)), b=lambda g, a, b: g / (1 + exp(a - b)))
logaddexp2 = op(np.logaddexp2, numbers=NONE, refuses="bi", public="function method",
    a=lambda g, a, b: g / (1 + exp2(b - a)), b=lambda g, a, b: g / (1 + exp2(a - b)))
xlogy = each(times_log, floats=True, refuses="c", grad_fn=lambda a, b: (
        f"XlogyBackward{0 if isinstance(a, Tensor) is isinstance(b, Tensor) else 1 + isinstance(a, Tensor)}"),
    says="a * log(b)", rules_say={"a": "log({b})"},
    a=lambda g, a, b: xlogy(g, where((a == 0) & (b <= 0), nothing(a) + 1, b)), b=lambda g, a, b: g * (a / b))
fmod = op(np.fmod, grad_fn=numbered("Fmod"), refuses="b", divisor="b",
    a=lambda g: g, b=lambda g, a, b: -g * quotient(a, b, "trunc"), rules_say={"b": "-trunc({a} / {b})"})
copysign = op(np.copysign, floats=True, grad_fn=lambda a, b: f"CopysignBackward{int(not isinstance(b, Tensor))}",
    a=lambda g, a, out: g * where(a == 0, 0, out / a), b=lambda g: nothing(g))
lerping = partial(each, between, mixes=False, refuses="bi", typed_by=("a", "end"), says="a + weight * (end - a)",
    a=lambda g, weight: g * (1 - weight), end=lambda g, weight: g * weight)
lerp_by_number = lerping(public="", grad_fn="LerpBackward0")
lerp = lerping(overloads={"weight": lerp_by_number}, grad_fn="LerpBackward1", weight=lambda g, a, end: g * (end - a))
