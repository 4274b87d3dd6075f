"""Inverses, determinants, decompositions. A rule says how the result turns when the matrix is nudged.

The letters are those of the textbooks: A = Q R, A = U S Vᵀ, A = V Λ Vᵀ; X̄ is the gradient that arrives for X.
A decomposition that occurs in its own rule is computed there once more, so that rule can be differentiated too.
"""

import math

import numpy as np

from ..autograd.op import op
from ..dtypes import SHORT_NAMES
from ..tensor import Tensor
from .elementwise import is_complex, where
from .joining import cat_all
from .shape import diagonal, narrow, reshape_to, tril, triu, unsqueeze

# == inverses and solutions ================================================================================

inv = op(lambda a: refusing(np.linalg.inv, "linalg.inv", a), grad_fn="LinalgInvExBackward0", a=lambda g, out: -(out.mT @ g @ out.mT))
solve_of = op(  # A X = B, so that the gradient of B solves Aᵀ B̄ = X̄
    lambda a, b: refusing(np.linalg.solve, "linalg.solve", a, b),
    grad_fn="LinalgSolveExBackward0",
    a=lambda g, a, out: -(solve_of(a.mT, g) @ out.mT),
    b=lambda g, a: solve_of(a.mT, g),
)
triangular_solve_of = op(
    lambda a, b, upper, unit: np.linalg.solve(triangle(a, upper, unit), b),
    grad_fn="LinalgSolveTriangularBackward0",
    a=lambda g, a, out, upper, unit: half(-(triangular_solve_of(a.mT, g, not upper, unit) @ out.mT), upper, unit),
    b=lambda g, a, upper, unit: triangular_solve_of(a.mT, g, not upper, unit),
)

# == determinants ==========================================================================================

det = op(lambda a: np.linalg.det(a), grad_fn="LinalgDetBackward0", a=lambda g, a, out: corner(g) * cofactors(a, out))
slogdet_of = op(  # of a complex matrix the sign can turn
    lambda a: tuple(np.linalg.slogdet(a)),
    outputs=("sign", "logabsdet"),
    grad_fn="LinalgSlogdetBackward0",
    holomorphic=False,
    a=lambda gs, a, sign: corner(gs[1] - (gs[0].conj() * sign).imag * 1j if is_complex(a) else gs[1]) * adjoint(inv(a)),
)

# == decompositions ========================================================================================

cholesky_of = op(
    lambda a: refusing(np.linalg.cholesky, "linalg.cholesky", a),
    grad_fn="LinalgCholeskyExBackward0",
    holomorphic=False,
    a=lambda g, out: cholesky_rule(g, out),
)
qr_of = op(
    lambda a, mode: tuple(np.linalg.qr(a, mode)) if mode != "r" else (np.empty(0, a.dtype), np.linalg.qr(a, mode)),
    outputs=("parts",),
    grad_fn="LinalgQrBackward0",
    holomorphic=False,
    a=lambda gs, a, mode: qr_rule(*gs, a, *qr_of(a, mode), mode),  # type: ignore[call-arg]
)
eigh_of = op(  # of the triangle that is read, the gradient is spread over both
    lambda a, upper: tuple(np.linalg.eigh(a, "U" if upper else "L")),
    outputs=("parts",),
    grad_fn="LinalgEighBackward0",
    holomorphic=False,
    a=lambda gs, a, upper: eigh_rule(*gs, *eigh_of(a, upper)),
)
svd_of = op(
    lambda a, full: tuple(np.linalg.svd(a, full)),
    outputs=("parts",),
    grad_fn="LinalgSvdBackward0",
    holomorphic=False,
    a=lambda gs, a, full: svd_rule(*gs, *svd_of(a, full)),
)
eig_of = op(  # complex, also of a real matrix
    lambda a: tuple(x.astype(np.result_type(a, np.complex64), copy=False) for x in np.linalg.eig(a)),
    outputs=("parts",),
    grad_fn="LinalgEigBackward0",
    holomorphic=False,
    a=lambda gs, a: eig_rule(*gs, *eig_of(a)),
)
pinv_of = op(
    lambda a: pseudo_inverse(a), grad_fn="LinalgPinvBackward0", holomorphic=False, a=lambda g, a, out: pinv_rule(g, a, out)
)
lstsq_of = op(  # the x for which |a x - b| is least
    lambda a, b: pseudo_inverse(a) @ b,
    grad_fn="LinalgLstsqBackward0",
    holomorphic=False,
    a=lambda g, a, b: pinv_rule(g @ adjoint(b), a, pinv_of(a)),
    b=lambda g, a: adjoint(pinv_of(a)) @ g,
)
matrix_exp = op(  # the nudge travels in the upper right corner of a matrix of twice the size
    lambda a: expm(a), grad_fn="LinalgMatrixExpBackward0", a=lambda g, a: upper_right(matrix_exp(with_nudge(a.mT, g)))
)

# == the rules that take more than a line ==================================================================


def corner(g):
    """A number for each matrix, so that it multiplies the whole matrix."""
    return reshape_to(g, (*g.shape, 1, 1))


def cofactors(a, out):
    """∂det/∂A = det(A) · A⁻ᵀ; or, where there is nearly no inverse, the determinants of A without row i and column j."""
    numbers = a.array if isinstance(a, Tensor) else a
    if not a.shape[-1] or (np.linalg.cond(numbers, 1) < 1e6).all():  # else rounding eats the inverse's own derivative
        return corner(out) * inv(a).mT
    n = a.shape[-1]
    rest = np.array([[k for k in range(n) if k != i] for i in range(n)], dtype=int)
    sign = (-1) ** np.add.outer(range(n), range(n))
    return det(a[..., rest[:, None, :, None], rest[None, :, None, :]]) * sign


def halved(x):
    """The lower triangle, with half of the diagonal."""
    return tril(x) - 0.5 * embedded(diagonal(x, 0, -2, -1))


def embedded(x):
    """Vectors as diagonal matrices."""
    return unsqueeze(x, -1) * eye_like(x)


def eye_like(x):
    return np.eye(x.shape[-1], dtype=x.array.dtype if isinstance(x, Tensor) else x.dtype)


def adjoint(x):
    """The transposed matrix, of conjugate numbers where they are complex."""
    return x.mT.conj()


def cholesky_rule(g, l):
    x = triangular_solve_of(adjoint(l), halved(adjoint(l) @ g) @ inv(l), True, False)
    return 0.5 * (x + adjoint(x))


def qr_rule(gq, gr, a, q, r, mode):
    rows, columns = a.shape[-2:]
    if mode == "r":
        raise RuntimeError("The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, "
                           "mode='reduced') if you are going to differentiate through linalg.qr.")
    if mode == "complete" and rows > columns:
        raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols")
    if rows < columns:  # the columns beyond the square follow from its Q: they are Q times the rest of R
        rest, further = narrow(a, -1, rows, columns - rows), narrow(gr, -1, rows, columns - rows)
        square = qr_rule(gq + rest @ adjoint(further), narrow(gr, -1, 0, rows), narrow(a, -1, 0, rows), q, narrow(r, -1, 0, rows), mode)
        return cat_columns(square, q @ further)
    x = r @ adjoint(gr) - adjoint(gq) @ q
    x = tril(x, -1) + adjoint(tril(x, -1)) + embedded(diagonal(x, 0, -2, -1).real)
    return adjoint(triangular_solve_of(r, adjoint(gq + q @ x), True, False))


def eigh_rule(gw, gv, w, v):
    """Eigenvalues push each other's vectors apart: the more, the closer they are."""
    distance = unsqueeze(w, -2) - unsqueeze(w, -1)
    twist = skew(adjoint(v) @ gv) / where(distance == 0, math.inf, 2 * distance)
    return v @ (embedded(gw) + twist) @ adjoint(v)


def eig_rule(gw, gv, w, v):
    """As `eigh_rule`, where vectors need not stand at right angles, and each has the length 1."""
    vh = adjoint(v)
    distance = unsqueeze(w, -2) - unsqueeze(w, -1)
    gap = where(distance == 0, 1, distance).conj()
    turned = vh @ gv
    numbers = diagonal(turned.array if isinstance(turned, Tensor) else turned, 0, -2, -1)
    if not np.allclose(numbers.imag, 0, rtol=1e-2, atol=1e-2):
        raise RuntimeError("linalg_eig_backward: The eigenvectors in the complex case are specified up to multiplication by e^{i phi}. "
                           "The specified loss function depends on this quantity, so it is ill-defined.")
    twist = turned - (vh @ v) * unsqueeze(diagonal(turned, 0, -2, -1).real, -2)
    return inv(vh) @ (where(distance == 0, 0, twist / gap) + embedded(gw)) @ vh


def tolerance(a) -> float:
    """The part of the largest singular value below which one counts as 0."""
    return max(a.shape[-2:]) * np.finfo(a.dtype).eps


def pseudo_inverse(a):
    return np.linalg.pinv(a, tolerance(a))


def pinv_rule(g, a, p):
    """A⁺ turns as an inverse does, and with what A leaves out: the rest of the rows, and of the columns."""
    rows, columns = eye_like(a @ p) - a @ p, eye_like(p @ a) - p @ a
    ph, gh = adjoint(p), adjoint(g)
    return -(ph @ g @ ph) + rows @ gh @ p @ ph + ph @ p @ gh @ columns


def svd_rule(gu, gs, gvh, u, s, vh):
    m, n, k = u.shape[-2], vh.shape[-1], s.shape[-1]
    u, gu = narrow(u, -1, 0, k), narrow(gu, -1, 0, k)
    v, gv = adjoint(narrow(vh, -2, 0, k)), adjoint(narrow(gvh, -2, 0, k))
    gap = unsqueeze(s * s, -2) - unsqueeze(s * s, -1)
    gap = where(gap == 0, math.inf, gap)
    turned = skew(adjoint(u) @ gu)
    left, right = turned / gap, skew(adjoint(v) @ gv) / gap
    phases = diagonal(turned, 0, -2, -1) / (2 * s)  # 0 for real numbers
    core = left * unsqueeze(s, -2) + unsqueeze(s, -1) * right + embedded(gs + phases)
    out = u @ core @ adjoint(v)
    if m > k:
        x = gu / unsqueeze(s, -2)
        out = out + (x - u @ (adjoint(u) @ x)) @ adjoint(v)
    if n > k:
        x = gv / unsqueeze(s, -2)
        out = out + u @ adjoint(x - v @ (adjoint(v) @ x))
    return out


def skew(x):
    return x - adjoint(x)


def with_nudge(a, g):
    return cat_rows(cat_columns(a, g), cat_columns(g * 0, a))


def cat_rows(a, b):
    return joined(a, b, -2)


def cat_columns(a, b):
    return joined(a, b, -1)


def joined(a, b, dim):
    dim = dim % len(a.shape)
    return cat_all(a, b, dim=dim, sizes=(a.shape[dim], b.shape[dim]))


def upper_right(x):
    n = x.shape[-1] // 2
    return narrow(narrow(x, -2, 0, n), -1, n, n)


def half(x, upper, unit):
    """What a triangular matrix can change of itself."""
    return triu(x, int(unit)) if upper else tril(x, -int(unit))


def triangle(a, upper, unit):
    a = np.triu(a) if upper else np.tril(a)
    if unit:
        a = a.copy()
        a[..., range(a.shape[-1]), range(a.shape[-1])] = 1
    return a


def expm(a):
    """e to the power of a matrix: its series for A / 2ᵏ, squared k times."""
    size = np.abs(a).sum(-1).max() if a.size else 0
    k = max(int(np.ceil(np.log2(size))) + 2, 0) if size > 0 and np.isfinite(size) else 0
    a = a / a.dtype.type(2**k)
    term = out = np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape)
    for i in range(1, 19):
        term = term @ a / a.dtype.type(i)
        out = out + term
    for _ in range(k):
        out = out @ out
    return out


def refusing(function, name, a, *others):
    """NumPy's answer, or PyTorch's words where there is none."""
    square(name, a)
    if others:
        b = others[0]
        if b.dtype != a.dtype:
            raise RuntimeError(f"{name}: Expected A and B to have the same dtype, but found A of type {SHORT_NAMES[a.dtype.name]} and B "
                               f"of type {SHORT_NAMES[b.dtype.name]} instead")
    try:
        return function(a, *others)
    except np.linalg.LinAlgError:
        if "cholesky" in name:
            raise LinAlgError(f"{name}: The factorization could not be completed because the input is not positive-definite.") from None
        raise LinAlgError(f"{name}: The diagonal element is zero, the solve could not be completed because the input matrix is "
                          "singular." if others else f"{name}: The diagonal element is zero, the inversion could not be completed "
                          "because the input matrix is singular.") from None


class LinAlgError(RuntimeError):
    """A matrix that has no such decomposition."""


def square(name, a) -> None:
    if a.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if a.shape[-1] != a.shape[-2]:
        raise RuntimeError(f"{name}: A must be batches of square matrices, but they are {a.shape[-2]} by {a.shape[-1]} matrices")
    if "power" not in name:
        inexact(name, a)


def inexact(name, a) -> None:
    if a.dtype.kind not in "fcV":
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {SHORT_NAMES[a.dtype.name]}")


cross_of = op(
    lambda a, b, dim: np.cross(a, b, axis=dim),
    linear="each",
    mixes=True,
    grad_fn="LinalgCrossBackward0",
    a=lambda g, b, dim: cross_of(b, g, dim),
    b=lambda g, a, dim: cross_of(g, a, dim),
    says="a × b",
)
