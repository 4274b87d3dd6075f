"""Arithmetic that rounds as PyTorch's kernels do, where NumPy differs in the last bit.

>>> x = np.float32([1 + 2**-12])
>>> print(multiply_add(x, x, -1), x * x - 1)
[0.00048834] [0.00048828]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:  # at run time numpy.typing would cost a third of the whole import
    from numpy.typing import ArrayLike


def multiply_add(x: np.ndarray, factor: ArrayLike, term: ArrayLike) -> np.ndarray:
    """x * factor + term rounded once at the end, like the processor instruction PyTorch's kernels are built on."""
    factor, term = np.asarray(factor, x.dtype), np.asarray(term, x.dtype)
    if x.dtype.kind == "c":  # for which there is no such instruction
        return x * factor + term
    wider = np.float64 if x.dtype == np.float32 else np.longdouble
    return (x.astype(wider) * factor + term).astype(x.dtype)


# PyTorch's float32 normals use the polynomials of the Cephes library (S. Moshier) for log, sin and cos. NumPy's own
# functions differ from them in the last bit.
LOG_POLYNOMIAL = (
    *(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1),
    *(-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)
SIN_POLYNOMIAL = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
COS_POLYNOMIAL = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
# A number too long for one float32, in parts: multiples of the first parts are exact.
LOG_2 = (-2.12194440e-4, 0.693359375)
HALF_PI = (1.5703125, 4.8375129699707031e-4, 7.5497899548918822e-8)


def _polynomial(x: np.ndarray, coefficients: tuple[float, ...]) -> np.ndarray:
    """The polynomial with the highest power's coefficient first, by Horner's rule."""
    total = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        total = multiply_add(total, x, coefficient)
    return total


def log32(x: np.ndarray) -> np.ndarray:
    """Natural logarithm of positive float32: x = 2**exponent * (1 + rest), the rest between -0.3 and 0.42."""
    mantissa, exponent = np.frexp(x)
    low = mantissa < np.float32(0.5**0.5)
    rest, exponent = np.where(low, mantissa - 1 + mantissa, mantissa - 1), (exponent - low).astype(np.float32)
    square = rest * rest
    log = multiply_add(_polynomial(rest, LOG_POLYNOMIAL) * rest, square, exponent * np.float32(LOG_2[0]))
    log = rest + multiply_add(square, -0.5, log)
    return multiply_add(exponent, LOG_2[1], log)


def sin_cos32(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sine and cosine of float32 angles from 0 to 2 pi: turned back by quarters to within pi/4 of 0."""
    quarter = ((x * np.float32(4 / np.pi)).astype(np.int32) + 1) // 2
    for part in HALF_PI:
        x = multiply_add(quarter.astype(np.float32), -np.float32(part), x)
    square = x * x
    sin = multiply_add(_polynomial(square, SIN_POLYNOMIAL) * square, x, x)
    cos = 1 + multiply_add(_polynomial(square, COS_POLYNOMIAL) * square, square, -square / 2)
    odd = quarter % 2 == 1
    return (
        np.where(odd, cos, sin) * np.where(quarter & 2, np.float32(-1), np.float32(1)),
        np.where(odd, sin, cos) * np.where((quarter + 1) & 2, np.float32(-1), np.float32(1)),
    )
