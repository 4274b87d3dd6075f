"""Inverses, determinants, decompositions. A rule says how the result turns when the matrix is nudged.

The letters are those of the textbooks: A = Q R, A = U S Vᵀ, A = V Λ Vᵀ; X̄ is the gradient that arrives for X.
A decomposition that occurs in its own rule is computed there once more, so that rule can be differentiated too.
"""

import math
from functools import partial

import numpy as np

from ..core.row import op
from ..core.tensor import Tensor
from ..numbers.dtypes import short_name
from ..numbers.memory import row_by_row
from .elementwise import asked, is_complex, plain, where
from .joining import cat
from .public import public
from .rearranging import diag_embed
from .shape import diagonal, narrow, reshape_to, tril, unsqueeze

# == inverses, solutions, determinants =====================================================================

LOW = "{}: Low precision dtypes not supported. Got {{}}"
by_matrix = partial(op, refuses="e", kernel="lu_cpu")  # in single precision at least
SINGULAR = (
    "linalg.inv: {}The diagonal element is zero, the inversion could not be completed "
    "because the input matrix is singular."
)
UNSOLVED = "torch.linalg.solve: {}The solver failed because the input matrix is singular."
INDEFINITE = "linalg.cholesky: {}The factorization could not be completed because the input is not positive-definite."

# fmt: off
inv = op(lambda a: inverting(np.linalg.inv, "linalg.inv", SINGULAR, a),
    grad_fn="LinalgInvExBackward0", refuses={"e": LOW.format("linalg.inv")},
    a=lambda g, out: -(out.mT @ g @ out.mT), public="linalg function.inverse method.inverse")
# A X = B, so that the gradient of B solves Aᵀ B̄ = X̄
solve_of = by_matrix(lambda a, b, vector=False: solved(a, b, vector), grad_fn="LinalgSolveExBackward0",
    says="solve(a, b)",
    a=lambda g, a, out, vector: -(as_matrix(solve_of(a.mT, g, vector), vector) @ as_matrix(out, vector).mT),
    b=lambda g, a, vector: solve_of(a.mT, g, vector),
    rules_say={"a": "-solve({a}ᵀ, {g}) @ {out}ᵀ", "b": "solve({a}ᵀ, {g})"})
det = by_matrix(lambda a: where_known(a, np.linalg.det(square("linalg.det", a))), grad_fn="LinalgDetBackward0",
    a=lambda g, a, out: corner(g) * cofactors(a, out), public="linalg function method",
    rules_say={"a": "{g} * the cofactors of {a}"})
turning = partial(by_matrix, holomorphic=False, kernel="")  # a row of whose results some turn in the complex plane
slogdet_of = turning(lambda a: sign_and_size(*np.linalg.slogdet(square("linalg.slogdet", a)), a),
    outputs=("sign", "logabsdet"), grad_fn="LinalgSlogdetBackward0", refuses={"e": LOW.format("linalg.slogdet")},
    a=lambda gs, a, sign: corner(gs[1] - (gs[0].conj() * sign).imag * 1j if is_complex(a) else gs[1])
    * adjoint(inv(a * corner(one_or_nan(plain(sign), plain(a).dtype)))))

# == decompositions ========================================================================================

# `upper`: the adjoint of the factor, made from the triangle that lies above
cholesky_of = turning(lambda a, upper: refusing(
        partial(np.linalg.cholesky, upper=upper), "linalg.cholesky", INDEFINITE, a),
    grad_fn="LinalgCholeskyExBackward0", a=lambda g, out, upper: (
        cholesky_rule(adjoint(g), adjoint(out)) if upper else cholesky_rule(g, out)))
qr_of = turning(lambda a, mode: qr_in(mode, inexact("linalg.qr", a)), outputs=("Q", "R"), grad_fn="LinalgQrBackward0",
    a=lambda gs, Q, R, mode: qr_rule(gs, Q, R, mode))
# of the triangle that is read, the gradient is spread over both
eigh_of = turning(lambda a, upper: by_columns(*np.linalg.eigh(square("linalg.eigh", a), "U" if upper else "L")),
    outputs=("eigenvalues", "eigenvectors"), grad_fn="LinalgEighBackward0",
    a=lambda gs, eigenvalues, eigenvectors: eigh_rule(gs, eigenvalues, eigenvectors))
svd_of = turning(lambda a, full: svd_in(full, inexact("linalg.svd", a)), outputs=("U", "S", "Vh"),
    grad_fn="LinalgSvdBackward0", a=lambda gs, U, S, Vh: svd_rule(gs, U, S, Vh))

# == powers and products ===================================================================================

# the nudge travels in the upper right corner of a matrix of twice the size
matrix_exp = op(lambda a: expm(square("linalg.matrix_exp", a)), grad_fn="LinalgMatrixExpBackward0",
    a=lambda g, a: nudged(a.mT, g, size_of(plain(g))), public="linalg function method")
cross_of = op(lambda a, b, dim: row_by_row(np.cross(a, b, axis=dim)), linear="each", mixes=True,
    grad_fn="LinalgCrossBackward0",
    a=lambda g, b, dim: cross_of(b, g, dim), b=lambda g, a, dim: cross_of(g, a, dim), says="a × b", refuses="b")
# fmt: on


# == the rules that take more than a line ==================================================================


def corner(g):
    """A number for each matrix, so that it multiplies the whole matrix."""
    return reshape_to(g, (*g.shape, 1, 1))


def as_matrix(x, vector):
    """A vector as a matrix of one column."""
    return unsqueeze(x, -1) if vector else x


def one_or_nan(sign, kind):
    """A factor of 1 for each matrix that has an inverse: where none is, nothing is known."""
    return np.where(sign == 0, np.nan, 1).astype(kind)


def cofactors(a, out):
    """∂det/∂A = det(A) · A⁻ᵀ; where there is nearly no inverse, the determinants without row i and column j."""
    if not a.shape[-1] or (np.linalg.cond(plain(a), 1) < 1e6).all():  # else rounding eats the inverse's own derivative
        return corner(out) * inv(a).mT
    n = a.shape[-1]
    rest = np.array([[k for k in range(n) if k != i] for i in range(n)], dtype=int)
    sign = (-1) ** np.add.outer(range(n), range(n))
    return det(a[..., rest[:, None, :, None], rest[None, :, None, :]]) * sign


def cholesky_rule(g, l):
    x = adjoint(l) @ g
    lower = tril(x) - 0.5 * diag_embed(diagonal(x, 0, -2, -1))  # the lower triangle, with half of the diagonal
    x = solve_of(adjoint(l), lower @ inv(l))
    return 0.5 * (x + adjoint(x))


def qr_rule(grads, q, r, mode="reduced"):
    """Columns beyond a square follow from it: they are Q times the rest of R."""
    if mode == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
            "linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr."
        )
    if mode == "complete" and q.shape[-2] > r.shape[-1]:
        raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")
    (gq, gr), n, more = grads, q.shape[-1], r.shape[-1] - q.shape[-1]
    if more > 0:
        rest, g_rest = narrow(r, -1, n, more), narrow(gr, -1, n, more)
        square = qr_rule((gq + q @ rest @ adjoint(g_rest), narrow(gr, -1, 0, n)), q, narrow(r, -1, 0, n))
        return cat([square, q @ g_rest], -1)
    x = r @ adjoint(gr) - adjoint(gq) @ q
    lower = tril(x, -1)
    x = lower + adjoint(lower) + diag_embed(diagonal(x, 0, -2, -1).real)
    return adjoint(solve_of(r, adjoint(gq + q @ x)))


def adjoint(x):
    """The transposed matrix, of conjugate numbers where they are complex."""
    return x.mT.conj()


def eigh_rule(grads, w, v):
    """Eigenvalues push each other's vectors apart: the more, the closer they are."""
    gw, gv = grads
    if not asked(gv):
        return v * unsqueeze(gw, -2) @ adjoint(v)
    return v @ (diag_embed(gw) + skew(adjoint(v) @ gv) / (2 * gaps(w))) @ adjoint(v)


def gaps(x):
    """How far the numbers are from each other, but each from itself, by which nothing is twisted."""
    return where(np.eye(x.shape[-1], dtype=bool), math.inf, unsqueeze(x, -2) - unsqueeze(x, -1))


def svd_rule(grads, u, s, vh):
    gu, gs, gvh = grads
    m, n, k = u.shape[-2], vh.shape[-1], s.shape[-1]
    u, gu = narrow(u, -1, 0, k), narrow(gu, -1, 0, k)
    v, gv = adjoint(narrow(vh, -2, 0, k)), adjoint(narrow(gvh, -2, 0, k))
    if not asked(gu, gv):
        return u * unsqueeze(gs, -2) @ adjoint(v)
    gap, turned = gaps(s * s), skew(adjoint(u) @ gu)
    left, right = turned / gap, skew(adjoint(v) @ gv) / gap
    phases = diagonal(turned, 0, -2, -1) / (2 * s) if is_complex(u) else 0
    core = left * unsqueeze(s, -2) + unsqueeze(s, -1) * right + diag_embed(gs + phases)
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
    """The matrix (a g; 0 a)."""
    return cat([cat([a, g], -1), cat([g * 0, a], -1)], -2)


def nudged(a, g, size):
    """How e to the power of `a` moves with `a`; a nudge of another size than 1 would cost digits."""
    n = a.shape[-1]
    return narrow(narrow(matrix_exp(with_nudge(a, g / size)), -2, 0, n), -1, n, n) * size


def size_of(g):
    """The largest number of each matrix, or 1 where all are 0."""
    size = np.abs(g).max((-2, -1), initial=0, keepdims=True)
    return np.where(size == 0, 1, size).astype(size.dtype)


# == what is computed, and what is refused =================================================================


def expm(a):
    """e to the power of each matrix: its series for A / 2ᵏ, squared k times."""
    size = np.abs(a).sum(-1).max(-1, initial=0)[..., None, None]
    known = np.isfinite(size)
    k = np.ceil(np.log2(np.where(known, size, 0).clip(0.25))) + 2
    a = a * np.where(known, np.exp2(-k), np.nan).astype(size.dtype)
    term = out = np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape)
    for i in range(1, 19):
        term = term @ a / a.dtype.type(i)
        out = out + term
    for i in range(int(k.max(initial=0))):
        out = np.where(i < k, out @ out, out)
    return out


def qr_in(mode, a):
    """Q and R, in one of PyTorch's modes; in mode "r" there is no Q."""
    if mode not in ("reduced", "complete", "r"):
        known = "'reduced' (default), 'r', or 'complete'"
        raise RuntimeError(f"qr received unrecognized mode '{mode}' but expected one of {known}")
    return by_columns(*((np.empty(0, a.dtype), np.linalg.qr(a, mode)) if mode == "r" else np.linalg.qr(a, mode)))


def svd_in(full, a):
    try:
        return by_columns(*np.linalg.svd(a, full))
    except np.linalg.LinAlgError:
        raise LinAlgError("linalg.svd: The algorithm failed to converge: is there nan or inf in the matrix?") from None


def by_columns(*arrays) -> tuple:
    """Matrices column by column in memory, as PyTorch's libraries leave them; values beside them as they are."""
    widest = max(array.ndim for array in arrays)
    return tuple(row_by_row(x.swapaxes(-1, -2)).swapaxes(-1, -2) if x.ndim == widest else x for x in arrays)


def solved(a, b, vector):
    if b.dtype != a.dtype:
        raise RuntimeError(
            f"linalg.solve: Expected A and B to have the same dtype, but found A of type {short_name(a)} "
            f"and B of type {short_name(b)} instead"
        )
    found = inverting(np.linalg.solve, "linalg.solve", UNSOLVED, a, as_matrix(b, vector))
    return found[..., 0] if vector else found


def refusing(compute, name: str, failure: str, a, *others):
    """NumPy's answer, or PyTorch's words where there is none."""
    try:
        return by_columns(compute(square(name, a), *others))[0]
    except np.linalg.LinAlgError:
        raise LinAlgError(failure.format(which_of(a, np.linalg.inv if others else compute))) from None


def which_of(a, compute) -> str:
    """The first matrix of a batch that NumPy has no answer for, in PyTorch's words."""
    for number, one in enumerate(a.reshape(-1, *a.shape[-2:]) if a.ndim > 2 else ()):
        try:
            compute(one)
        except np.linalg.LinAlgError:
            return f"(Batch element {number}): "
    return ""


def inverting(compute, name: str, failure: str, a, *others):
    """What takes the inverse of a matrix: nan where a number of it is missing, which as a pivot counts as 0."""
    refuse = partial(refusing, compute, name, failure)
    try:
        found = refuse(a, *others)
    except LinAlgError:
        if not np.isnan(a).any():
            raise
        found = refuse(np.where(missing_in(a), np.eye(a.shape[-1], dtype=a.dtype), a), *others)
    return by_columns(np.where(missing_in(a), np.nan, found))[0]


def missing_in(a):
    """The matrices in which a number is missing."""
    return np.isnan(a).any((-2, -1), keepdims=True)


def where_known(a, out):
    return np.where(missing_in(a)[..., 0, 0], np.nan, out)


def sign_and_size(sign, size, a) -> tuple:
    return sign, where_known(a, size)


class LinAlgError(RuntimeError):
    """A matrix that has no such decomposition."""


def square(name: str, a):
    """The matrices themselves, if they are square."""
    a = inexact(name, a)
    if a.shape[-1] != a.shape[-2]:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {a.shape[-2]} by {a.shape[-1]} matrices"
        )
    return a


def inexact(name: str, a):
    """The matrices themselves, if they are some, and their numbers have fractions."""
    if a.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if a.dtype.kind not in "fcV":
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {short_name(a)}")
    return a


# == as people call them ===================================================================================


@public("linalg")
def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """The X with A X = B, or else X A = B.

    >>> import minigrad as mg
    >>> mg.linalg.solve(mg.tensor([[2.0, 0.0], [0.0, 4.0]]), mg.tensor([2.0, 2.0]))
    tensor([1.0000, 0.5000])
    """
    square("linalg.solve", A.array)
    vector = B.ndim == 1 or (A.ndim - 1 == B.ndim and B.shape == A.shape[:-1])
    if not B.ndim:
        raise RuntimeError("linalg.solve: The input tensor B must have at least 2 dimensions.")
    rows, columns = (*B.shape, 1)[-2:] if vector else B.shape[-2:]
    if A.shape[-1] != (rows if left else columns):
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation {'AX' if left else 'XA'} = B "
            f"({A.shape[-2]}x{A.shape[-1]} and {rows}x{columns})"
        )
    return solve_of(A, B, vector) if left else solve_of(A.mT, as_matrix(B, vector).mT).mT


@public("function method")
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The vector at right angles to both, as long as the area between them; `dim`: the first of length 3.

    >>> import minigrad as mg
    >>> mg.cross(mg.tensor([1.0, 0.0, 0.0]), mg.tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    if input.ndim != other.ndim or input.dtype != other.dtype:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions, and the same type.")
    dim = input.shape.index(3) if dim is None and 3 in input.shape else dim or 0
    if input.shape[dim] != 3 or other.shape[dim] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {input.shape[dim]} and {other.shape[dim]}"
        )
    return cross_of(input, other, dim)
