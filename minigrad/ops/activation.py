"""The bends between layers. At a kink the convention is PyTorch's: relu's slope at 0 is 0."""

import functools
import math

import numpy as np

from ..autograd.op import op
from ..dtypes import SHORT_NAMES, unsupported
from .elementwise import SQRT2, TWO_OVER_SQRT_PI, clipped, exp, kept_where, masked, nothing, sigmoid_of, tanh, where
from .joining import cat_all, split_to
from .reduction import in_type, sum

SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805

relu = op(lambda a: clipped(a, 0), elementwise=True, a=lambda g, out: gate(g, out))
# relu's rule, itself a row: under create_graph it has a derivative for `out` too, which is zero. A nan lets the gradient pass
gate = op(
    lambda a, b: masked(a, b != 0),
    elementwise=True,
    grad_fn="ThresholdBackwardBackward0",
    a=lambda g, b: kept_where(g, b != 0),
    b=lambda g: nothing(g),
)
at = op(  # a gradient as it is taken at b: under create_graph it does depend on b, and is flat there
    lambda a, b: a, elementwise=True, grad_fn="WhereBackward0", a=lambda g: g, b=lambda g: nothing(g)
)
relu6 = op(
    lambda a: np.clip(a, 0, 6),
    elementwise=True,
    grad_fn="HardtanhBackward0",
    a=lambda g, a: kept_where(at(g, a), ~((a <= 0) | (a >= 6))),
)
leaky_relu = op(
    lambda a, negative_slope=0.01: leaked(a, negative_slope),
    elementwise=True,
    a=lambda g, a, negative_slope: where(a > 0, g, at(g, a) * negative_slope),
)
elu = op(
    lambda a, alpha=1.0: np.where(a > 0, a, alpha * np.expm1(np.minimum(a, 0))),
    elementwise=True,
    a=lambda g, a, alpha: where(a <= 0, g * alpha * exp(where(a >= 0, 0, a)), g),
)
silu = op(
    lambda a: a * sigmoid_of(a),
    elementwise=True,
    floats=True,
    a=lambda g, a: g * slope_of_silu(a, sigmoid(a)),
)
softplus = op(  # above the threshold a straight line
    lambda a, beta=1.0, threshold=20.0: np.where(a * beta > threshold, a, log_of_one_plus_exp(a * beta) / beta),
    elementwise=True,
    a=lambda g, a, beta, threshold: where(a * beta > threshold, g, g * sigmoid(a * beta)),
)
gelu_by_tanh = op(
    lambda a: 0.5 * a * (1 + np.tanh(bent(a))),
    elementwise=True,
    grad_fn="GeluBackward0",
    a=lambda g, a: g * slope_of_gelu(a, tanh(bent(a))),
)
gelu_exact = op(
    lambda a: a * normal_cdf(a), elementwise=True, grad_fn="GeluBackward0", a=lambda g, a: g * (cdf(a) + a * pdf(a))
)
selu = op(  # the two numbers keep mean 0 and variance 1 from layer to layer
    lambda a: SELU_SCALE * np.where(a > 0, a, SELU_ALPHA * np.expm1(np.minimum(a, 0))).astype(a.dtype),
    elementwise=True,
    grad_fn="EluBackward0",
    a=lambda g, a: g * where(a <= 0, SELU_SCALE * SELU_ALPHA * exp(where(a >= 0, 0, a)), SELU_SCALE),
)
celu = op(
    lambda a, alpha=1.0: np.where(a > 0, a, alpha * np.expm1(np.minimum(a, 0) / not_zero(alpha))),
    elementwise=True,
    a=lambda g, a, alpha: where(a <= 0, g * exp(where(a >= 0, 0, a) / alpha), g),
)
mish = op(
    lambda a: a * np.tanh(log_of_one_plus_exp(a)),
    elementwise=True,
    a=lambda g, a: g * slope_of_mish(a, tanh(softplus(a))),
)
hardtanh = op(  # 0 at both bounds
    lambda a, min_val=-1.0, max_val=1.0: np.clip(a, *in_order(min_val, max_val)).astype(a.dtype),
    elementwise=True,
    a=lambda g, a, min_val, max_val: kept_where(at(g, a), ~((a <= min_val) | (a >= max_val))),
)
hardsigmoid = op(
    lambda a: np.clip(a + 3, 0, 6) / 6, elementwise=True, a=lambda g, a: kept_where(g / 6, (a > -3) & (a < 3))
)
hardswish = op(
    lambda a: a * np.clip(a + 3, 0, 6) / 6,
    elementwise=True,
    a=lambda g, a: g * where(a <= -3, 0, where(a < 3, a / 3 + 0.5, 1)),
)
softshrink = op(
    lambda a, lambd=0.5: refuse_negative(lambd, a) if lambd < 0 else np.where(a > lambd, a - lambd, np.where(a < -lambd, a + lambd, a * 0)),
    elementwise=True,
    a=lambda g, a, lambd: kept_where(at(g, a), ~((a >= -lambd) & (a <= lambd))),
)
hardshrink = op(
    lambda a, lambd=0.5: np.where((a >= -lambd) & (a <= lambd), a.dtype.type(0), a),
    elementwise=True,
    a=lambda g, a, lambd: kept_where(at(g, a), ~((a >= -lambd) & (a <= lambd))),
)
threshold = op(
    lambda a, threshold, value: np.where(a <= threshold, a.dtype.type(value), a),
    elementwise=True,
    a=lambda g, a, threshold: kept_where(at(g, a), ~(a <= threshold)),
)
log_sigmoid = op(
    lambda a: np.minimum(a, 0) - np.log1p(np.exp(-np.abs(a))), elementwise=True, a=lambda g, a: g * sigmoid(-a)
)
prelu_of = op(
    lambda a, weight: np.where(a > 0, a, a * weight),
    elementwise=True,
    grad_fn="PreluKernelBackward0",
    a=lambda g, a, weight: where(a > 0, g, at(g, a) * weight),
    weight=lambda g, a: kept_where(g * a, a < 0),
)
glu_of = op(  # one half opens and closes the gate for the other
    lambda a, dim: np.split(a, 2, dim)[0] * sigmoid_of(np.split(a, 2, dim)[1]),
    grad_fn="GluBackward0",
    a=lambda g, a, dim: glu_rule(g, split_to(a, (a.shape[dim] // 2,) * 2, dim), dim),
)
sigmoid = op(lambda a: sigmoid_of(a), elementwise=True, floats=True, a=lambda g, out: g * ((1 - out) * out))
erf = op(
    lambda a: error_function(a), elementwise=True, floats=True, a=lambda g, a: g * (TWO_OVER_SQRT_PI * exp(-(a * a)))
)
softmax = op(
    lambda a, dim: normalised(np.exp(below_top(a, dim, "softmax")), dim),
    overloads={"dtype": lambda *args, **options: in_type(softmax, *args, **options)},
    a=lambda g, out, dim: (g - sum(g * out, dim, True)) * out,
)
safe_softmax = op(  # where all elements are ruled out, -inf, there are no shares
    lambda a, dim: np.where(a.max(dim, keepdims=True) == -math.inf, 0, softmax(a, dim)),
    a=lambda g, out, dim: (g - sum(g * out, dim, True)) * out,
)
log_softmax = op(
    lambda a, dim: log_normalised(below_top(a, dim, "log_softmax"), dim),
    overloads={"dtype": lambda *args, **options: in_type(log_softmax, *args, **options)},
    a=lambda g, out, dim: g - exp(out) * sum(g, dim, True),
)


def in_order(low, high) -> tuple:
    if low > high:
        raise ValueError("min_val cannot be greater than max_val")
    return low, high


def refuse_negative(lambd, a):
    dtype = SHORT_NAMES[a.dtype.name]
    raise RuntimeError(f"lambda must be in range [0, {np.finfo(a.dtype).max:g}] for input dtype {dtype}, but found {lambd:g}")


def not_zero(alpha):
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return alpha


def below_top(a, dim, name):
    """How far the elements are below the largest: of that no exponential overflows."""
    if a.dtype.kind in "biu":
        raise unsupported(f"{name}_lastdim_kernel_impl", a.dtype)
    return a - np.maximum.reduce(a, dim, None, None, True) if a.size else a


def normalised(weights, dim):
    weights /= np.add.reduce(weights, dim, None, None, True)
    return weights


def log_normalised(logits, dim):
    logits -= np.log(np.add.reduce(np.exp(logits), dim, None, None, True))
    return logits


@np.errstate(over="ignore")
def log_of_one_plus_exp(a):
    return np.log1p(np.exp(a))


def leaked(a, slope):
    """a where it is positive, else slope · a: for a slope below 1 the larger of the two."""
    return np.maximum(a, a * slope) if 0 < slope <= 1 else np.where(a > 0, a, a * slope)


FARTHEST, FINENESS = 6, 256  # beyond 6 erf is 1, even in double precision


def error_function(a):
    """NumPy has no erf: Python's at the nearest multiple of 1/256, and from there on Taylor's series."""
    x = np.clip(a, -FARTHEST, FARTHEST)
    near = np.rint(x * FINENESS)
    rest = x - near / FINENESS
    with np.errstate(invalid="ignore"):  # nan is nowhere near, but stays nan by what is left of it
        place = np.asarray(near).astype(np.intp) + FARTHEST * FINENESS
    highest, *others = erf_and_derivatives(a.dtype)
    out = highest.take(place, mode="clip")
    for factors in others:
        out *= rest
        out += factors.take(place, mode="clip")
    return out


@functools.cache
def erf_and_derivatives(dtype) -> tuple:
    """Taylor's factors at each multiple, the highest power's first: as many as the type has digits for."""
    x = np.arange(-FARTHEST * FINENESS, FARTHEST * FINENESS + 1) / FINENESS
    first = TWO_OVER_SQRT_PI * np.exp(-x * x)
    hermite = 1, -x, (2 * x**2 - 1) / 3, (3 * x - 2 * x**3) / 6, (4 * x**4 - 12 * x**2 + 3) / 30
    factors = np.array([math.erf(one) for one in x]), *(first * one for one in hermite)
    return tuple(one.astype(dtype) for one in factors[: 6 if dtype.itemsize > 4 else 4][::-1])


def normal_cdf(a):
    return 0.5 * (1 + error_function(a / SQRT2))


def cdf(a):
    return 0.5 * (1 + erf(a / SQRT2))


def pdf(a):
    return exp(-0.5 * a * a) * (1 / math.sqrt(2 * math.pi))


def bent(a):
    return math.sqrt(2 / math.pi) * (a + 0.044715 * a * a * a)


def slope_of_silu(a, gate):
    return gate * (1 + a * (1 - gate))


def slope_of_mish(a, gate):
    return gate + a * sigmoid(a) * (1 - gate**2)


def slope_of_gelu(a, gate):
    return 0.5 * (1 + gate) + 0.5 * a * (1 - gate**2) * slope_of_bent(a)


def slope_of_bent(a):
    return math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * a * a)


def gelu(input, approximate="none"):
    """The input, weighted by the probability that a standard normal variable is smaller."""
    if approximate == "none":
        return gelu_exact(input)
    if approximate != "tanh":
        raise RuntimeError("approximate argument must be either none or tanh.")
    return gelu_by_tanh(input)


def glu_rule(g, halves, dim):
    a, gate = halves[0], sigmoid(halves[1])
    parts = g * gate, g * a * gate * (1 - gate)
    return cat_all(*parts, dim=dim % len(g.shape), sizes=(g.shape[dim],) * 2)


def glu(input, dim=-1):
    """One half of the input, times the sigmoid of the other half."""
    if not input.ndim:
        raise RuntimeError("glu does not support 0-dimensional tensors")
    if input.shape[dim] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {dim % input.ndim} is size {input.shape[dim]}")
    return glu_of(input, dim)


def prelu(input, weight):
    """`leaky_relu` whose slope is learned: one for all, or one for each channel."""
    if weight.ndim > 1:
        raise RuntimeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.ndim}")
    if weight.dtype != input.dtype:
        raise RuntimeError(f"prelu: Type promoting not supported. Got {input.dtype} and {weight.dtype}")
    if weight.numel() > 1 and (input.ndim < 2 or weight.numel() != input.shape[1]):
        channels = input.shape[1] if input.ndim > 1 else 1
        raise RuntimeError(
            f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {weight.numel()} and channel size = {channels}."
        )
    return prelu_of(input, weight.reshape((1, -1) + (1,) * (input.ndim - 2)) if weight.numel() > 1 else weight.reshape(()))


def logsigmoid(input):
    """log(sigmoid(input)), which never overflows in this form."""
    return log_sigmoid(input)


def softsign(input):
    """input / (1 + |input|)."""
    return input / (input.abs() + 1)


def tanhshrink(input):
    """What tanh takes away: input - tanh(input)."""
    return input - tanh(input)


def softmin(input, dim=None, dtype=None):
    """`softmax` of the negative."""
    options = {} if dtype is None else {"dtype": dtype}
    return softmax(-input, (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim, **options)
