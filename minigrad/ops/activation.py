"""The bends between layers. At a kink the convention is PyTorch's: relu's slope at 0 is 0."""

import functools
import math
from operator import index

import numpy as np

from ..core.row import op
from ..numbers.dtypes import element
from ..numbers.memory import as_all_lie, row_by_row
from .elementwise import NONE, UNORDERED, clipped, each, exp, kept_where, masked, nothing, tanh, where
from .in_place import as_node
from .joining import cat
from .public import public
from .reduction import sum, with_dtype
from .shape import check_dim, narrow

PUBLIC = "functional inplace"  # where these rows are offered, unless they say otherwise
SELU, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772  # which keep mean 0 and deviation 1
SQRT2, TWO_OVER_SQRT_PI, SQRT_2_OVER_PI = math.sqrt(2), 2 / math.sqrt(math.pi), math.sqrt(2 / math.pi)
CUBIC = 0.044715  # which brings gelu's tanh near to erf

# fmt: off
relu = each(lambda a: clipped(a, 0),
    a=lambda g, out: gate(g, out), public="function method functional twin inplace functional.relu_",
    refuses={"b": "Boolean inputs not supported for relu", "c": UNORDERED}, spoken="{}, or 0 if that is negative",
    rules_say={"a": "{g} where {out} > 0, else 0"})
# relu's rule, itself a row: under create_graph it has a derivative for `out` too, which is zero. A nan lets the
# gradient pass
gate = each(lambda a, b: masked(a, b != 0), grad_fn="ThresholdBackwardBackward0",
    a=lambda g, b: kept_where(g, b != 0), b=lambda g: nothing(g), public="", says="where(b != 0, a, 0)")
# a gradient as it is taken at b: under create_graph it does depend on b, and is flat there
at = each(lambda a, b: a, grad_fn="WhereBackward0", a=lambda g: g, b=lambda g: nothing(g), says="a", public="")
leaky_relu = each(lambda a, negative_slope=0.01: leaked(a, negative_slope),
    a=lambda g, a, negative_slope: where(a > 0, g, at(g, a) * negative_slope),
    public="functional inplace functional.leaky_relu_", twin=as_node("LeakyReluBackward1"), refuses="bic")
elu = each(lambda a, alpha=1.0: np.where(a >= 0, a, alpha * np.expm1(np.minimum(a, 0))),  # -0 stays -0
    a=lambda g, a, alpha: where(a <= 0, g * alpha * exp(where(a >= 0, 0, a)), g),
    public="functional inplace functional.elu_", twin=as_node("EluBackward1"), refuses="bic")
selu = each(lambda a: SELU * np.where(a >= 0, a, SELU_ALPHA * np.expm1(np.minimum(a, 0))), grad_fn="EluBackward0",
    a=lambda g, a: SELU * where(a <= 0, g * SELU_ALPHA * exp(where(a >= 0, 0, a)), g),
    public="functional inplace functional.selu_", twin=as_node("EluBackward1"), refuses="bic", kernel="elu_cpu",
    says="selu(a)")
celu = each(lambda a, alpha=1.0: np.where(a < 0, alpha * np.expm1(np.minimum(a, 0) * inverse_of(alpha)), a),
    a=lambda g, a, alpha: where(a < 0, g * exp(where(a < 0, a, 0) * (1 / alpha)), g),
    public="functional inplace functional.celu_", twin=as_node("CeluBackward1"), refuses="bic", kernel="elu_cpu")
silu = each(lambda a: a * sigmoid_of(a), floats=True, a=lambda g, a: g * slope_of_silu(a, sigmoid(a)), refuses="bi")
# above the threshold a straight line
softplus = each(
    lambda a, beta=1.0, threshold=20.0: np.where(a * beta > threshold, a, log_of_one_plus_exp(a * beta) / beta),
    a=lambda g, a, beta, threshold: where(a * beta > threshold, g, g * sigmoid(a * beta)),
    public="functional", refuses="bic")
gelu_exact = each(lambda a: a * cdf(a), grad_fn="GeluBackward0",
    a=lambda g, a: g * (cdf(a) + a * pdf(a)), public="", refuses="bic")
gelu_by_tanh = each(lambda a: 0.5 * a * (1 + tanh(bent_line(a))), grad_fn="GeluBackward0",
    a=lambda g, a: g * slope_of_gelu(a, tanh(bent_line(a))), public="", refuses="bic", kernel="gelu_cpu")
threshold = each(lambda a, threshold, value: np.where(a <= element(threshold, a.dtype), element(value, a.dtype), a),
    a=lambda g, a, threshold: kept_where(at(g, a), ~(a <= threshold)), twin=as_node("ThresholdBackward1"),
    public="functional inplace functional.threshold_", refuses="bc")
prelu_kernel = each(lambda a, weight: np.where(a > 0, a, a * weight), numbers=NONE, public="",
    a=lambda g, a, weight: where(a > 0, g, at(g, a) * weight), weight=lambda g, a: g * where(a > 0, 0, a))
# one half, times the sigmoid of the other
glu = op(lambda a, dim=-1: gated(*halves(a, dim)), refuses="bic", kernel="glu_cpu", public="functional",
    a=lambda g, a, dim: cat(slopes_of_gated(g, *halves(a, dim)), dim))
# the slope at all bounds is 0
hardshrink = each(lambda a, lambd=0.5: masked(a, ~(abs(a) <= lambd)),
    a=lambda g, a, lambd: kept_where(at(g, a), ~(abs(a) <= lambd)), public="functional", refuses="bic")
softshrink = each(lambda a, lambd=0.5: shrunk(a, lambd),
    a=lambda g, a, lambd: kept_where(at(g, a), ~(abs(a) <= lambd)), public="functional", refuses="bic")
hardsigmoid = each(lambda a: np.clip(a + 3, 0, 6) / 6,
    a=lambda g, a: kept_where(at(g, a), (a > -3) & (a < 3)) / 6, refuses="bic")
hardswish = each(lambda a: a * np.clip(a + 3, 0, 6) / 6,
    a=lambda g, a: kept_where(where(a < 3, g * (a / 3 + 0.5), g), ~(a <= -3)), refuses="bic")
mish = each(lambda a: a * np.tanh(log_of_one_plus_exp(a)),
    a=lambda g, a: g * slope_of_mish(a, tanh(softplus(a)), sigmoid(a)), refuses="bic")
hardtanh = each(lambda a, min_val=-1.0, max_val=1.0: np.clip(a, *in_order(min_val, max_val)).astype(a.dtype),
    a=lambda g, a, min_val, max_val: kept_where(at(g, a), ~((a <= min_val) | (a >= max_val))),
    public="functional inplace functional.hardtanh_",
    refuses={"b": "Bool inputs not supported for hardtanh", "c": UNORDERED})
sigmoid = each(lambda a: sigmoid_of(a), floats=True,
    a=lambda g, out: g * ((1 - out) * out), public="function method functional twin", spoken="the sigmoid of {}")
erf = each(lambda a: error_function(a), floats=True, a=lambda g, a: g * (TWO_OVER_SQRT_PI * exp(-(a * a))),
    public="function method twin", refuses="c", kernel="erf_vml_cpu")
softmax = with_dtype(op(lambda a, dim: normalised(np.exp(below_top(a, dim)), dim),
    a=lambda g, out, dim: (g - sum(g * out, dim, True)) * out,
    public="function method", refuses="bic", kernel="softmax_lastdim_kernel_impl"), "")
# where all elements are ruled out, -inf, there are no shares
safe_softmax = op(
    lambda a, dim: np.where(a.max(dim, keepdims=True, initial=-math.inf) == -math.inf, 0, softmax(a, dim)),
    a=lambda g, out, dim: (g - sum(g * out, dim, True)) * out, public="")
log_softmax = with_dtype(op(lambda a, dim: log_normalised(below_top(a, dim), dim),
    a=lambda g, out, dim: g - exp(out) * sum(g, dim, True),
    public="function method", refuses="bic", kernel="log_softmax_lastdim_kernel_impl"), "")
# fmt: on


@np.errstate(over="ignore")
def sigmoid_of(a):
    """1 / (1 + e⁻ᵃ), which is 0 where e⁻ᵃ is too large for a number."""
    return 1 / (1 + np.exp(-a))


def inverse_of(alpha: float) -> float:
    if not alpha:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return 1 / alpha


def shrunk(a, lambd):
    """Nearer to 0 by lambd; what is nearer than that becomes a 0 of its sign."""
    if lambd < 0:
        raise RuntimeError(f"lambda must be greater or equal to 0, but found to be {lambd:g}.")
    return np.where(abs(a) <= lambd, a * 0, a - np.copysign(lambd, a))


def in_order(low, high) -> tuple:
    if low > high:
        raise ValueError("min_val cannot be greater than max_val")
    return low, high


def below_top(a, dim):
    """How far the elements are below the largest: of that no exponential overflows."""
    dim, a = index(dim), row_by_row(a)  # NumPy takes None for all dimensions
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
    highest, *others = map(np.asarray, erf_and_derivatives(a.dtype))
    out = highest.take(place, mode="clip")
    for factors in others:
        out *= rest
        out += factors.take(place, mode="clip")
    return as_all_lie(out, (a,)) if a.ndim > 1 else out


@functools.cache
def erf_and_derivatives(dtype) -> tuple:
    """Taylor's factors at each multiple, the highest power's first: as many as the type has digits for."""
    x = np.linspace(-FARTHEST, FARTHEST, 2 * FARTHEST * FINENESS + 1)
    first = TWO_OVER_SQRT_PI * np.exp(-x * x)
    hermite = 1, -x, (2 * x**2 - 1) / 3, (3 * x - 2 * x**3) / 6, (4 * x**4 - 12 * x**2 + 3) / 30
    factors = np.fromiter(map(math.erf, x), float), *(first * one for one in hermite)
    return tuple(one.astype(dtype) for one in factors[: 6 if dtype.itemsize > 4 else 4][::-1])


def cdf(a):
    return 0.5 * (1 + erf(a / SQRT2))


def pdf(a):
    return exp(-0.5 * a * a) * (1 / math.sqrt(2 * math.pi))


def bent_line(a):
    """What gelu's tanh is taken of."""
    return SQRT_2_OVER_PI * (a + CUBIC * a * a * a)


def slope_of_gelu(a, tanh_of_bent):
    return 0.5 * (1 + tanh_of_bent + a * (1 - tanh_of_bent * tanh_of_bent) * SQRT_2_OVER_PI * (1 + 3 * CUBIC * a * a))


def halves(a, dim) -> tuple:
    """The two halves along a dimension."""
    if not len(a.shape):
        raise RuntimeError("glu does not support 0-dimensional tensors")
    size = a.shape[dim := check_dim(dim, len(a.shape))]
    if size % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {dim} is size {size}")
    return narrow(a, dim, 0, size // 2), narrow(a, dim, size // 2, size // 2)


def gated(a, b):
    return a * sigmoid(b)


def slopes_of_gated(g, a, b) -> tuple:
    gate = sigmoid(b)
    return g * gate, g * a * (1 - gate) * gate


def slope_of_silu(a, gate):
    return gate * (1 + a * (1 - gate))


def slope_of_mish(a, bent, gate):
    return bent + a * gate * (1 - bent * bent)


@public("functional")
def gelu(input, approximate="none"):
    """The input, weighted by the probability that a standard normal variable is smaller."""
    if approximate == "none":
        return gelu_exact(input)
    if approximate != "tanh":
        raise RuntimeError("approximate argument must be either none or tanh.")
    return gelu_by_tanh(input)
