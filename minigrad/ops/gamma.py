"""Functions that NumPy lacks: of the family of gamma, the inverse of erf, and Bessel's of order 0 and 1.

Each is computed in float64 by a series that is exact to rounding, and leads on to the next one: lgamma's derivative is
digamma, digamma's are the polygammas.
"""

import math

import numpy as np

from ..autograd.op import op
from ..tensor import Tensor
from .activation import error_function
from .elementwise import cos, exp, where

# of Bernoulli: B₂ₖ / (2k)!, which the series of Euler and Maclaurin is made of
BERNOULLI = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000)
TURNS = (np.arange(400) + 0.5) * (math.pi / 400)


def in_double(function):
    """A function of float64, for floats of any width."""
    return lambda a, *options: np.asarray(function(np.asarray(a, np.float64), *options)).astype(a.dtype)


@in_double
def log_gamma(a):
    return np.vectorize(_log_gamma, otypes=[float])(a) if a.size else a


def _log_gamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):  # at 0, -1, -2, …, and beyond the largest float
        return math.inf


@in_double
def digamma_of(a):
    x = np.where(a < 0, 1 - a, a)  # reflected: digamma(1 - x) - digamma(x) = π / tan(πx)
    out = np.zeros_like(x)
    for _ in range(10):  # digamma(x) = digamma(x + 1) - 1 / x, up to where the series is exact
        small = x < 10
        out -= np.where(small, 1 / x, 0)
        x = x + small
    series = sum(number * math.factorial(2 * k + 1) / x ** (2 * k + 2) for k, number in enumerate(BERNOULLI))
    out += np.log(x) - 0.5 / x - series
    out = np.where(a < 0, out - math.pi / np.tan(math.pi * a), out)
    return np.where(a == 0, -np.copysign(math.inf, a), np.where((a < 0) & (a == np.floor(a)), math.nan, out))


@in_double
def polygamma_of(a, n):
    """(-1)ⁿ⁺¹ n! Σ 1 / (a + k)ⁿ⁺¹, the sum over all k ≥ 0."""
    if n == 0:
        return digamma_of(a)
    s, x, total = n + 1, np.array(a), np.zeros_like(a)
    poles = (a <= 0) & (a == np.floor(a))
    while (near := (x < 10 + n) & (x > -1000)).any():
        total += np.where(near, 1 / np.where(poles, 1, x) ** s, 0)
        x = x + near
    total += x ** (1 - s) / (s - 1) + 0.5 * x**-s
    for k, number in enumerate(BERNOULLI):
        total += number * math.prod(range(s, s + 2 * k + 1)) * x ** -(s + 2 * k + 1.0)
    return np.where(poles, math.inf, total) * (math.factorial(n) * (-1.0) ** s)


@in_double
def inverse_erf(a):
    """A first guess (of Winitzki's), and Halley's steps from there."""
    size = np.abs(a)
    with np.errstate(all="ignore"):
        bend = np.log1p(-size * size)
        middle = 2 / (math.pi * 0.147) + bend / 2
        w = np.sqrt(np.sqrt(middle * middle - bend / 0.147) - middle)
        for _ in range(3):  # near 1 the distance to 1 is what counts, and is what erfc gives
            beyond = (1 - size) - np.vectorize(math.erfc, otypes=[float])(np.nan_to_num(w))
            step = np.where(size > 0.5, beyond, error_function(np.nan_to_num(w)) - size) * math.sqrt(math.pi) / 2 * np.exp(w * w)
            w = w - step / (1 + w * step)
    return np.copysign(np.where(size < 1, w, np.where(size == 1, math.inf, math.nan)), a)


bessel_0 = in_double(np.i0)


@in_double
def bessel_1(a):
    """The mean of exp(a · cos t) · cos t over half a turn: sums like this one are exact to rounding."""
    return (np.expm1(a[..., None] * np.cos(TURNS)) * np.cos(TURNS)).mean(-1)


lgamma = op(lambda a: log_gamma(a), elementwise=True, floats=True, a=lambda g, a: g * digamma(a))
digamma = op(lambda a: digamma_of(a), elementwise=True, floats=True, a=lambda g, a: g * polygamma_at(a, 1))
polygamma_at = op(
    lambda a, n: polygamma_of(a, n), elementwise=True, floats=True, grad_fn="PolygammaBackward0", a=lambda g, a, n: g * polygamma_at(a, n + 1)
)
multigamma = op(
    lambda a, p: sum(log_gamma(a - j / 2) for j in range(p)) + p * (p - 1) / 4 * math.log(math.pi),
    elementwise=True,
    floats=True,
    grad_fn="MvlgammaBackward0",
    a=lambda g, a, p: g * sum(digamma(a - j / 2) for j in range(p)),
)
erfinv = op(lambda a: inverse_erf(a), elementwise=True, floats=True, a=lambda g, a: g * (math.sqrt(math.pi) / 2 * exp(erfinv(a) ** 2)))
i0 = op(lambda a: bessel_0(a), elementwise=True, floats=True, a=lambda g, a: g * i1(a))
i1 = op(
    lambda a: bessel_1(a),
    elementwise=True,
    floats=True,
    grad_fn="SpecialI1Backward0",
    a=lambda g, a, out: g * where(a == 0, 0.5, i0(a) - out / where(a == 0, 1, a)),
)
sinc = op(
    lambda a: np.sinc(a),
    elementwise=True,
    floats=True,
    a=lambda g, a: g * where(a == 0, 0, (cos(math.pi * a) - sinc(a)) / a),
    says="sin(πa) / πa",
)


def polygamma(n: int, input: Tensor) -> Tensor:
    """The derivative number n of `digamma`.

    >>> import minigrad as mg
    >>> polygamma(1, mg.tensor([1.0, 2.0]))
    tensor([1.6449, 0.6449])
    """
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    return polygamma_at(input, n)


def mvlgamma(input: Tensor, p: int) -> Tensor:
    """The logarithm of the gamma function of p dimensions."""
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    if input.numel() and float(input.array.min()) <= (p - 1) / 2:
        raise RuntimeError(f"All elements must be greater than (p-1)/2 = {(p - 1) / 2:g}")
    return multigamma(input, p)
