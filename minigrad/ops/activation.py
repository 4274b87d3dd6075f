"""The bends between layers. At a kink the convention is PyTorch's: relu's slope at 0 is 0."""

import math

import numpy as np

from ..autograd.op import op
from .elementwise import SQRT2, TWO_OVER_SQRT_PI, exp, kept_where, masked, sigmoid_of, tanh, where
from .reduction import sum

relu = op(lambda a: np.maximum(a, 0), elementwise=True, a=lambda g, out: gate(g, out))
gate = op(  # relu's rule, itself a row: under create_graph it has a derivative for `out` too, which is zero
    lambda a, b: masked(a, b > 0),
    elementwise=True,
    grad_fn="ThresholdBackwardBackward0",
    a=lambda g, b: kept_where(g, b > 0),
    b=lambda g: g * 0,
)
relu6 = op(
    lambda a: np.clip(a, 0, 6),
    elementwise=True,
    grad_fn="HardtanhBackward0",
    a=lambda g, a: kept_where(g, (a > 0) & (a < 6)),
)
leaky_relu = op(
    lambda a, negative_slope=0.01: np.where(a > 0, a, a * negative_slope),
    elementwise=True,
    a=lambda g, a, negative_slope: where(a > 0, g, g * negative_slope),
)
elu = op(
    lambda a, alpha=1.0: np.where(a > 0, a, alpha * np.expm1(np.minimum(a, 0))),
    elementwise=True,
    a=lambda g, a, alpha: where(a > 0, g, g * alpha * exp(where(a > 0, 0, a))),
)
silu = op(
    lambda a: a * sigmoid_of(a),
    elementwise=True,
    floats=True,
    a=lambda g, a: g * (sigmoid(a) * (1 + a * (1 - sigmoid(a)))),
)
softplus = op(  # above the threshold a straight line
    lambda a, beta=1.0, threshold=20.0: np.where(a * beta > threshold, a, np.logaddexp(0, a * beta) / beta).astype(a.dtype),
    elementwise=True,
    a=lambda g, a, beta, threshold: where(a * beta > threshold, g, g * sigmoid(a * beta)),
)
gelu_by_tanh = op(
    lambda a: 0.5 * a * (1 + np.tanh(bent(a))),
    elementwise=True,
    grad_fn="GeluBackward0",
    a=lambda g, a: g * (0.5 * (1 + tanh(bent(a))) + 0.5 * a * (1 - tanh(bent(a)) ** 2) * slope_of_bent(a)),
)
gelu_exact = op(
    lambda a: a * normal_cdf(a), elementwise=True, grad_fn="GeluBackward0", a=lambda g, a: g * (cdf(a) + a * pdf(a))
)
sigmoid = op(lambda a: sigmoid_of(a), elementwise=True, floats=True, a=lambda g, out: g * ((1 - out) * out))
erf = op(
    lambda a: error_function(a), elementwise=True, floats=True, a=lambda g, a: g * (TWO_OVER_SQRT_PI * exp(-(a * a)))
)
softmax = op(
    lambda a, dim: normalised(np.exp(a - np.max(a, dim, keepdims=True)), dim),
    a=lambda g, out, dim: (g - sum(g * out, dim, True)) * out,
)
log_softmax = op(
    lambda a, dim: a - log_total(a, dim),
    a=lambda g, out, dim: g - exp(out) * sum(g, dim, True),
)


def normalised(weights, dim):
    return weights / np.add.reduce(weights, dim, keepdims=True)


def log_total(a, dim):
    top = np.max(a, dim, keepdims=True)
    return top + np.log(np.add.reduce(np.exp(a - top), dim, keepdims=True))


def error_function(a):
    """NumPy has no erf; Python's is exact and quick enough for lessons."""
    return np.vectorize(math.erf, otypes=[a.dtype])(a) if a.size else a


def normal_cdf(a):
    return (0.5 * (1 + error_function(a / SQRT2))).astype(a.dtype)


def cdf(a):
    return 0.5 * (1 + erf(a / SQRT2))


def pdf(a):
    return exp(-0.5 * a * a) * (1 / math.sqrt(2 * math.pi))


def bent(a):
    return math.sqrt(2 / math.pi) * (a + 0.044715 * a * a * a)


def slope_of_bent(a):
    return math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * a * a)


def gelu(input, approximate="none"):
    """The input, weighted by the probability that a standard normal variable is smaller."""
    if approximate == "none":
        return gelu_exact(input)
    if approximate != "tanh":
        raise RuntimeError("approximate argument must be either none or tanh.")
    return gelu_by_tanh(input)
