"""The normal distribution's tails: erfc without its exponential, logarithms of probabilities, and the way back."""

import math

import numpy as np

from ..autograd.op import op
from .elementwise import SQRT2, TWO_OVER_SQRT_PI, exp
from .gamma import in_double

ROOT_OF_TURN = math.sqrt(2 * math.pi)


@in_double
def erfcx_of(a):
    """exp(a²) · erfc(a); from afar by the series in 1 / 2a²."""
    far = np.maximum(a, 25.0)
    small = 1 / (2 * far * far)
    tail = TWO_OVER_SQRT_PI / 2 / far * (1 - small * (1 - 3 * small * (1 - 5 * small * (1 - 7 * small))))
    middle = np.clip(a, -30, 25)
    return np.where(a > 25, tail, np.exp(middle * middle) * np.vectorize(math.erfc, otypes=[float])(middle) if a.size else a)


@in_double
def log_ndtr_of(a):
    low = np.minimum(a, -1) / -SQRT2
    upper = np.vectorize(math.erfc, otypes=[float])(np.maximum(a, -1) / SQRT2) if a.size else a
    return np.where(a < -1, np.log(erfcx_of(low) / 2) - low * low, np.log1p(-upper / 2))


@in_double
def ndtri_of(a):
    """Newton's steps on the logarithm, from below the middle; above it the mirror image."""
    p = np.minimum(a, 1 - a)
    inside = (p > 0) & (a < 1)
    p = np.where(inside, p, 0.5)
    x = -np.sqrt(np.maximum(-2 * np.log(2 * p), 0))
    for _ in range(8):
        log_p = log_ndtr_of(x)
        x = x - (log_p - np.log(p)) * np.exp(log_p + x * x / 2) * ROOT_OF_TURN
    outside = np.where(a == 0, -math.inf, np.where(a == 1, math.inf, math.nan))
    return np.where(inside, np.where(a > 0.5, -x, np.where(a == 0.5, 0, x)), outside)


erfcx = op(
    lambda a: erfcx_of(a),
    elementwise=True,
    floats=True,
    grad_fn="SpecialErfcxBackward0",
    a=lambda g, a, out: g * (2 * a * out - TWO_OVER_SQRT_PI),
)
log_ndtr = op(
    lambda a: log_ndtr_of(a),
    elementwise=True,
    floats=True,
    grad_fn="SpecialLogNdtrBackward0",
    a=lambda g, a: g / erfcx(a / -SQRT2) * (2 / ROOT_OF_TURN),
)
ndtri = op(
    lambda a: ndtri_of(a),
    elementwise=True,
    floats=True,
    grad_fn="SpecialNdtriBackward0",
    a=lambda g, out: g * (ROOT_OF_TURN * exp(out * out / 2)),
)
