"""Orthogonal polynomials: the first two of a family, and how the next one follows from two. Not differentiable, as in PyTorch."""

import numpy as np

from ..autograd.op import op


def family(first, following):
    """`first` is the one of degree 1; `following(x, k, p, q)` that of degree k + 1, after q of degree k and p before it."""

    def forward(a, n):
        x, n = np.broadcast_arrays(a, n)
        p, q, found = np.ones_like(x), first(x), np.where(n < 0, 0, 1)
        for k in range(1, int(n.max(initial=0)) + 1):
            found = np.where(n >= k, q, found)
            p, q = q, following(x, k, p, q)
        return found.astype(np.result_type(a))

    return op(forward, elementwise=True, floats=True, a=None, n=None)


def chebyshev(x, k, p, q):
    return 2 * x * q - p


def shifted(first):
    return lambda x: first(2 * x - 1)


FIRST = {"t": lambda x: x, "u": lambda x: 2 * x, "v": lambda x: 2 * x - 1, "w": lambda x: 2 * x + 1}
families = {
    **{f"chebyshev_polynomial_{kind}": family(one, chebyshev) for kind, one in FIRST.items()},
    **{
        f"shifted_chebyshev_polynomial_{kind}": family(shifted(one), lambda x, k, p, q: chebyshev(2 * x - 1, k, p, q))
        for kind, one in FIRST.items()
    },
    "hermite_polynomial_h": family(lambda x: 2 * x, lambda x, k, p, q: 2 * (x * q - k * p)),
    "hermite_polynomial_he": family(lambda x: x, lambda x, k, p, q: x * q - k * p),
    "laguerre_polynomial_l": family(lambda x: 1 - x, lambda x, k, p, q: ((2 * k + 1 - x) * q - k * p) / (k + 1)),
    "legendre_polynomial_p": family(lambda x: x, lambda x, k, p, q: ((2 * k + 1) * x * q - k * p) / (k + 1)),
}
globals().update(families)
