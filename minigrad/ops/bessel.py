"""Bessel functions. Near 0 each is an integral whose sum over equal steps is exact to rounding; far away, Hankel's series.

PyTorch differentiates i0, i1, i0e and i1e; so do we.
"""

import math

import numpy as np

from ..autograd.op import op
from .elementwise import sgn, where
from .gamma import TURNS, i0, i1, in_double

FAR = 25.0  # from where on Hankel's series is exact to rounding
STEPS = np.linspace(0, 1, 600)


def series(x, order: int, sign: int):
    """Hankel's: 1 + sign (4n² - 1) / 8x + (4n² - 1)(4n² - 9) / 2! (8x)² + …, each term by itself."""
    terms = [np.ones_like(x)]
    for k in range(1, 24):
        terms.append(terms[-1] * sign * (4 * order**2 - (2 * k - 1) ** 2) / (8 * k * x))
    return terms


def near(x, order: int):
    """Jₙ(x), for an x that is not far."""
    turned = x[..., None] * np.sin(TURNS)
    return (np.sin(order * TURNS) * np.sin(turned) if order % 2 else np.cos(order * TURNS) * np.cos(turned)).mean(-1)


def waves(x, order: int, quarter: float):
    """Jₙ(x) from afar, and Yₙ(x) a quarter of a turn later."""
    terms, turn = series(x, order, 1), x - math.pi * (0.5 * order + 0.25 + quarter)
    even, odd = (sum(terms[i + 4 * k] - terms[i + 2 + 4 * k] for k in range(5)) for i in (0, 1))
    return np.sqrt(2 / (math.pi * x)) * (even * np.cos(turn) - odd * np.sin(turn))


def j_of(order: int):
    @in_double
    def forward(a):
        x = np.abs(a)
        found = np.where(x < FAR, near(np.minimum(x, FAR), order), waves(np.maximum(x, FAR), order, 0.0))
        return np.where(a < 0, (-1) ** order, 1) * found

    return forward


def y_of(order: int):
    """By Neumann's series in Jₙ, whose first member has the logarithm."""

    @in_double
    def forward(a):
        x = np.clip(a, 1e-300, FAR)
        sums = [(-1) ** k * (2 * k + order) / (k * (k + order)) * near(x, 2 * k + order) for k in range(1, 40)]
        first = (np.log(x / 2) + np.euler_gamma - order) * near(x, order) - order * near(x, 0) / x
        found = np.where(a < FAR, 2 / math.pi * (first - sum(sums)), waves(np.maximum(a, FAR), order, 0.5))
        return np.where(a < 0, math.nan, np.where(a == 0, -math.inf, found))

    return forward


def k_of(order: int, scaled: bool):
    """∫ exp(-x cosh t) cosh nt dt, as far as it is no zero; scaled: times eˣ."""

    @in_double
    def forward(a):
        x = np.where(a > 0, np.minimum(a, 1e300), 1)[..., None]
        end = np.arccosh(1 + 745 / x)
        t = STEPS * end
        values = np.exp(-2 * x * np.sinh(t / 2) ** 2) * np.cosh(order * t)
        found = ((values.sum(-1) - values[..., 0] / 2) * end[..., 0] / (len(STEPS) - 1)) * (1 if scaled else np.exp(-x[..., 0]))
        return np.where(a > 0, found, np.where(a == 0, math.inf, math.nan))

    return forward


def i_scaled(order: int):
    """Iₙ(x) e⁻ˣ, which is never too large for a number."""

    @in_double
    def forward(a):
        x = np.abs(a)
        close, far = np.minimum(x, FAR), np.maximum(x, FAR)
        mean = ((np.expm1 if order else np.exp)(close[..., None] * np.cos(TURNS)) * np.cos(order * TURNS)).mean(-1) * np.exp(-close)
        found = np.where(x < FAR, mean, sum(series(far, order, -1)) / np.sqrt(2 * math.pi * far))
        return np.where(a < 0, (-1) ** order, 1) * found

    return forward


i0e_of, i1e_of = i_scaled(0), i_scaled(1)
i0e = op(lambda a: i0e_of(a), elementwise=True, floats=True, grad_fn="SpecialI0EBackward0", a=lambda g, a, out: g * (i1e(a) - sgn(a) * out))
i1e = op(
    lambda a: i1e_of(a),
    elementwise=True,
    floats=True,
    grad_fn="SpecialI1EBackward0",
    a=lambda g, a, out: g * where(a == 0, 0.5, i0e(a) - out * (sgn(a) + 1 / where(a == 0, 1, a))),
)


def without_rule(function):
    """A row without a gradient, as in PyTorch."""
    return op(lambda a: function(a), elementwise=True, floats=True, a=None)


bessel_j0, bessel_j1 = without_rule(j_of(0)), without_rule(j_of(1))
bessel_y0, bessel_y1 = without_rule(y_of(0)), without_rule(y_of(1))
modified_bessel_i0, modified_bessel_i1 = without_rule(i0), without_rule(i1)
modified_bessel_k0, modified_bessel_k1 = (without_rule(k_of(n, False)) for n in (0, 1))
scaled_modified_bessel_k0, scaled_modified_bessel_k1 = (
    without_rule(k_of(n, True)) for n in (0, 1)
)
spherical_bessel_j0 = without_rule(lambda a: np.where(np.isinf(a), a.dtype.type(0), np.sinc(a / math.pi)).astype(a.dtype))
