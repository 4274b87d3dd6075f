"""Hurwitz's zeta function, of which Riemann's is the one from 1 on, by the series of Euler and Maclaurin."""

import math

import numpy as np

from ..autograd.op import op
from .elementwise import underivable
from .gamma import BERNOULLI


def zeta_of(s, q):
    """Hurwitz's: Σ 1 / (q + k)ˢ over all k ≥ 0."""
    s, q = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (s, q)))
    x, total, rising = np.array(q), np.zeros_like(q), s
    for _ in range(12):
        total, x = total + np.where(x == 0, 0, x) ** -s, x + 1
    while (left := (x < 12) & (x > -1000)).any():  # up to where the series is exact
        total, x = total + np.where(left, x ** -s, 0), x + left
    total = total + x ** (1 - s) / (s - 1) + 0.5 * x**-s
    for k, number in enumerate(BERNOULLI):
        total, rising = total + number * rising * x ** -(s + 2 * k + 1), rising * (s + 2 * k + 1) * (s + 2 * k + 2)
    below = np.where(q == np.floor(q), math.inf, np.where(s == np.floor(s), total, math.nan))
    return np.where(s < 1, math.nan, np.where(s == 1, math.inf, np.where(q <= 0, below, total)))


zeta = op(
    lambda a, b: zeta_of(a, b).astype(np.result_type(*(x for x in (a, b) if isinstance(x, np.ndarray | np.generic)))),
    elementwise=True,
    floats=True,
    grad_fn="SpecialZetaBackward0",
    a=lambda g: underivable("special_zeta"),
    b=lambda g, a, b: g * (-a * zeta(a + 1, b)),
)
