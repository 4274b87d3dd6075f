"""The length of a vector, and how far two points are apart: each number's share of the length is its gradient."""

import math

import numpy as np

from ..core.row import op
from ..core.tensor import Tensor
from ..numbers.memory import row_by_row
from ..words.absent import sentences
from .elementwise import NONE, abs, eq, isnan, sgn, where
from .public import public
from .reduction import axes, count, squared, sum, wide


def _norm(a, ord=2, dim=None, keepdim=False):
    dim, a = axes(dim), row_by_row(a)
    if ord == 2:
        return np.sqrt(np.add.reduce(squared(a), axis=dim, keepdims=keepdim))
    size = np.abs(a)
    if (ord == math.inf or ord < 0) and not count(a.shape, dim):
        raise RuntimeError(
            f"linalg.vector_norm cannot compute the {ord} norm on an empty tensor because the operation does not have "
            "an identity"
        )
    if ord in (math.inf, -math.inf):
        return (np.maximum if ord > 0 else np.minimum).reduce(size, dim, keepdims=keepdim)
    if ord == 0:
        return np.add.reduce(size != 0, axis=dim, keepdims=keepdim).astype(size.dtype)
    return np.add.reduce(size**ord, axis=dim, keepdims=keepdim) ** (1 / ord)


OF_INTEGERS = "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {}"
# the gradient is 0 where the norm is 0
vector_norm = op(_norm, grad_fn="LinalgVectorNormBackward0", holomorphic=False,
    a=lambda g, a, out, ord, dim: norm_rule(wide(g, a.shape, dim), a, wide(out, a.shape, dim), ord, dim),
    refuses=dict.fromkeys("bi", OF_INTEGERS),
    rules_say={"a": "{g} * the derivative of the norm, {a} / {out} for ord=2"})  # fmt: skip
dist = op(lambda a, b, p=2.0: _norm(a - b, p), holomorphic=False, mixes=True, numbers=NONE, public="function method",
    refuses=dict.fromkeys("bi", OF_INTEGERS),
    a=lambda g, a, b, out, p: norm_rule(g, a - b, out, p, None),
    b=lambda g, a, b, out, p: norm_rule(-g, a - b, out, p, None),
    rules_say={"a": "{g} * ({a} - {b}) / {out} for p=2", "b": "{g} * ({b} - {a}) / {out} for p=2"})  # fmt: skip


def norm_rule(g, a, out, ord, dim):
    if ord == 0:  # a count has no slope
        return None
    if ord == 1:
        return g * sgn(a)
    if ord == 2:
        return g * where(out == 0, 0, a / out)
    if ord in (math.inf, -math.inf):
        largest = eq(abs(a), out) | isnan(a)
        return sgn(a) * (g / sum(largest, dim, True) * largest)
    if ord < 1:
        return sgn(a) * where(a == 0, 0, abs(a) ** (ord - 1)) * g * out ** (1 - ord)
    direction = a * abs(a) ** (ord - 2) if ord > 2 else sgn(a) * abs(a) ** (ord - 1)
    return g * (direction * where(out == 0, 0, 1 / where(out == 0, 1, out) ** (ord - 1)))


@public("linalg", name="vector_norm")
def length(x: Tensor, ord=2, dim=None, keepdim: bool = False, *, dtype=None) -> Tensor:
    """The length of a vector: √Σx² for `ord=2`, Σ|x| for 1, the largest |x| for infinity.

    >>> import minigrad as mg
    >>> mg.linalg.vector_norm(mg.tensor([3.0, 4.0]))
    tensor(5.)
    """
    return vector_norm(x.to(dtype=dtype), ord, dim, keepdim)


@public("linalg", name="norm")
def norm_of_either(A: Tensor, ord=None, dim=None, keepdim: bool = False) -> Tensor:
    """The length of all elements in a row, or along dimensions; of a matrix `ord="fro"` is the same."""
    is_matrix = A.ndim == 2 if dim is None else isinstance(dim, tuple | list) and len(dim) == 2
    if ord is not None and dim is None and A.ndim not in (1, 2):
        raise RuntimeError(
            f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {A.ndim}D."
        )
    if ord is not None and isinstance(dim, tuple | list) and len(dim) > 2:
        raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dim)}")
    if is_matrix and ord not in (None, "fro"):  # they are sums of singular values, which linalg.svd gives
        raise NotImplementedError(f"linalg.norm: no order {ord} of a matrix here: {sentences()['matrix_norm']}")
    return length(A, 2 if ord is None or is_matrix else ord, dim, keepdim)
