"""Linear algebra, after `torch.linalg`: norms, inverses, determinants, decompositions."""

import math

import numpy as np

from . import absent, return_types
from .dtypes import SHORT_NAMES
from .ops import linalg as rows
from .ops import reduction
from .ops.copying import clone
from .ops.einsum import multi_dot as multi_dot
from .ops.elementwise import add, mul, where
from .ops.joining import stack
from .ops.matrix import matmul, powers_of
from .tensor import Tensor, wrap

# == norms =================================================================================================


def vector_norm(x: Tensor, ord=2, dim=None, keepdim: bool = False, *, dtype=None) -> Tensor:
    """The length of a vector: √Σx² for `ord=2`, Σ|x| for 1, the largest |x| for infinity.

    >>> import minigrad as mg
    >>> vector_norm(mg.tensor([3.0, 4.0]))
    tensor(5.)
    """
    rows.inexact("linalg.vector_norm", x.array)
    return reduction.vector_norm(
        reduction.input_of_norm(x, dtype), ord, tuple(dim) if isinstance(dim, list) else dim, keepdim
    )


def matrix_norm(A: Tensor, ord="fro", dim=(-2, -1), keepdim: bool = False, *, dtype=None) -> Tensor:
    """The size of a matrix: `'fro'` as of a vector, `2` how far it stretches at most, `1` the largest column sum.

    >>> import minigrad as mg
    >>> matrix_norm(mg.tensor([[3.0, 0.0], [0.0, 4.0]]), 2)
    tensor(4.)
    """
    A, dim = A if dtype is None else A.to(dtype), tuple(d % A.ndim for d in dim)
    if ord == "fro":
        return reduction.vector_norm(A, 2, dim, keepdim)
    if ord in (1, -1, math.inf, -math.inf):
        summed, other = dim if abs(ord) == 1 else dim[::-1]
        sizes = reduction.sum(A.abs(), summed, keepdim)
        extreme = reduction.amax if ord > 0 else reduction.amin
        return extreme(sizes, other - (other > summed and not keepdim), keepdim)
    if ord in (2, -2, "nuc"):
        values = svdvals(A.movedim(dim, (-2, -1)))
        out = {2: reduction.amax, -2: reduction.amin, "nuc": reduction.sum}[ord](values, -1)
        return out.unsqueeze(min(dim)).unsqueeze(max(dim)) if keepdim else out
    raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")


def norm(A: Tensor, ord=None, dim=None, keepdim: bool = False, *, dtype=None) -> Tensor:
    """`vector_norm`, or `matrix_norm` where an order is asked of a matrix or two dimensions are named."""
    is_matrix = A.ndim == 2 if dim is None else isinstance(dim, tuple | list) and len(dim) == 2
    if ord is not None and dim is None and A.ndim not in (1, 2):
        raise RuntimeError(
            f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {A.ndim}D."
        )
    if ord is None or not is_matrix:
        flat = A if dim is not None or ord is None else A.reshape(-1)
        return vector_norm(flat, 2 if ord is None else ord, dim, keepdim, dtype=dtype)
    return matrix_norm(A, ord, (0, 1) if dim is None else tuple(dim), keepdim, dtype=dtype)


# == inverses, determinants, powers ========================================================================


def inv(A: Tensor) -> Tensor:
    """The matrix that undoes A.

    >>> import minigrad as mg
    >>> inv(mg.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    return rows.inv(A)


def det(A: Tensor) -> Tensor:
    """By how much a matrix stretches volume.

    >>> import minigrad as mg
    >>> det(mg.tensor([[2.0, 1.0], [0.0, 3.0]]))
    tensor(6.)
    """
    rows.square("linalg.det", A.array)
    return rows.det(A)


def slogdet(A: Tensor) -> return_types.linalg_slogdet:
    """The sign of the determinant, and the logarithm of its size."""
    rows.square("linalg.slogdet", A.array)
    sign, size = rows.slogdet_of(A)
    return return_types.linalg_slogdet(sign, size)


def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant; not a number where that is negative."""
    sign, size = slogdet(input)
    return sign.log() + size if input.is_complex() else where(sign == -1, math.nan, size)


def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """The X with A X = B.

    >>> import minigrad as mg
    >>> solve(mg.tensor([[2.0, 0.0], [0.0, 4.0]]), mg.tensor([2.0, 2.0]))
    tensor([1.0000, 0.5000])
    """
    rows.square("linalg.solve", A.array)
    vector = B.ndim == 1 or (A.ndim - 1 == B.ndim and B.shape == A.shape[:-1])
    if vector and not left:
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation XA = B ({A.shape[-2]}x{A.shape[-1]} and "
            f"{B.shape[-1]}x1)"
        )
    if vector:
        _check_rows("linalg.solve", A, B.unsqueeze(-1))
        return rows.solve_of(A, B.unsqueeze(-1)).squeeze(-1)
    if not left:
        return rows.solve_of(A.mT, B.mT).mT
    _check_rows("linalg.solve", A, B)
    return rows.solve_of(A, B)


def _check_rows(name: str, A: Tensor, B: Tensor) -> None:
    if A.shape[-1] != B.shape[-2]:
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation AX = B ({A.shape[-2]}x{A.shape[-1]} and "
            f"{B.shape[-2]}x{B.shape[-1]})"
        )


def solve_triangular(A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Tensor:
    """The X with A X = B, where only one triangle of A is read."""
    if not left:
        return rows.triangular_solve_of(A.mT, B.mT, not upper, unitriangular).mT
    _check_rows("linalg.solve_triangular", A, B)
    return rows.triangular_solve_of(A, B, upper, unitriangular)


def matrix_power(A: Tensor, n: int) -> Tensor:
    """A @ A @ … @ A, n times; of the inverse where n is negative."""
    rows.square("linalg.matrix_power", A.array)
    if n == 0:
        return add(mul(A, 0), wrap(np.eye(A.shape[-1], dtype=A.array.dtype)))
    if n < 0:
        return matrix_power(inv(A), -n)
    if n == 1:
        return clone(A)
    half = matrix_power(A, n // 2)  # by squaring: A¹³ = (A⁶)² · A
    return matmul(matmul(half, half), A) if n % 2 else matmul(half, half)


def matrix_exp(A: Tensor) -> Tensor:
    """e to the power of a matrix: 1 + A + A²/2 + A³/6 + …"""
    rows.square("linalg.matrix_exp", A.array)
    return rows.matrix_exp(A)


# == decompositions ========================================================================================


def cholesky(A: Tensor, *, upper: bool = False) -> Tensor:
    """The triangle L with A = L Lᵀ, for a symmetric and positive A."""
    rows.square("linalg.cholesky", A.array)
    found = rows.cholesky_of(A)
    return found.mH if upper else found


def qr(A: Tensor, mode: str = "reduced") -> return_types.linalg_qr:
    """A = Q R: a turn and a triangle."""
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    return return_types.linalg_qr(*rows.qr_of(A, mode))


def eigh(A: Tensor, UPLO: str = "L") -> return_types.linalg_eigh:
    """The eigenvalues, in order, and eigenvectors of a symmetric matrix."""
    rows.square("linalg.eigh", A.array)
    return return_types.linalg_eigh(*rows.eigh_of(A, UPLO.upper() == "U"))


def eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    """The eigenvalues of a symmetric matrix, in order.

    >>> import minigrad as mg
    >>> eigvalsh(mg.tensor([[2.0, 1.0], [1.0, 2.0]]))
    tensor([1., 3.])
    """
    return eigh(A, UPLO).eigenvalues


def eig(A: Tensor) -> return_types.linalg_eig:
    """The eigenvalues and eigenvectors of any square matrix, as complex numbers.

    >>> import minigrad as mg
    >>> eig(mg.tensor([[0.0, 1.0], [-1.0, 0.0]])).eigenvalues  # a quarter turn
    tensor([0.+1.j, 0.-1.j])
    """
    rows.square("linalg.eig", A.array)
    if not np.isfinite(A.array).all():
        raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")
    return return_types.linalg_eig(*rows.eig_of(A))


def eigvals(A: Tensor) -> Tensor:
    """The eigenvalues of any square matrix, as complex numbers."""
    return eig(A).eigenvalues


def svd(A: Tensor, full_matrices: bool = True) -> return_types.linalg_svd:
    """A = U S Vᵀ: what a matrix stretches, into which directions, by how much."""
    rows.inexact("linalg.svd", A.array)
    return return_types.linalg_svd(*rows.svd_of(A, full_matrices))


def svdvals(A: Tensor) -> Tensor:
    """The singular values, from the largest to the smallest."""
    rows.inexact("linalg.svd", A.array)
    return rows.svd_of(A, False)[1]


def pinv(A: Tensor) -> Tensor:
    """The inverse where there is one, else the nearest thing: A⁺ b is the shortest x with the least |A x - b|."""
    return rows.pinv_of(A)


def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None) -> return_types.linalg_lstsq:
    """The X for which A X is as near to B as can be: the line through points that do not lie on one.

    >>> import minigrad as mg
    >>> lstsq(mg.tensor([[1.0], [1.0]]), mg.tensor([[1.0], [4.0]])).solution
    tensor([[2.5000]])
    """
    name = "torch.linalg.lstsq"
    if driver not in (None, "gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError(f"{name}: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")
    if rcond is not None:
        # left out on purpose: PyTorch finds the rank by a QR with pivots, which NumPy lacks; singular values differ
        raise NotImplementedError(f"{name}: rcond is not available here: leave it out, or use linalg.svd")
    if A.ndim < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if A.dtype is not B.dtype:
        kinds = [SHORT_NAMES[one.dtype.name] for one in (A, B)]
        raise RuntimeError(
            f"{name}: Expected input and other to have the same dtype, but got input's dtype {kinds[0]} and "
            f"other's dtype {kinds[1]}"
        )
    vector = A.ndim - 1 == B.ndim and B.shape == A.shape[:-1]
    B = B.unsqueeze(-1) if vector else B
    if A.shape[-2] != B.shape[-2]:
        raise RuntimeError(f"{name}: input.size(-2) should match other.size(-2)")
    found = rows.lstsq_of(A, B)
    a, nothing = A.array, wrap(np.empty(0, A.array.dtype))
    rank = np.asarray(np.linalg.matrix_rank(a, rtol=rows.tolerance(a)))
    full = bool((rank == A.shape[-1]).all())
    if driver == "gels" and not full:
        raise rows.LinAlgError(
            f"{name}: The least squares solution could not be computed because the input matrix does not have full "
            f"rank (error code: {int(rank.min()) + 1})."
        )
    tall = full and a.shape[-2] > a.shape[-1] and driver not in (None, "gelsy")
    residuals = ((matmul(A, found) - B) ** 2).sum(-2).detach() if tall else nothing
    stretches = wrap(np.linalg.svd(a, compute_uv=False)) if driver in ("gelsd", "gelss") else nothing
    return return_types.linalg_lstsq(found.squeeze(-1) if vector else found, residuals, wrap(rank), stretches)


def cond(A: Tensor, p=None) -> Tensor:
    """How much a matrix can magnify a relative error: its largest stretch over its smallest, or |A| · |A⁻¹|.

    >>> import minigrad as mg
    >>> cond(mg.tensor([[8.0, 0.0], [0.0, 2.0]]))
    tensor(4.)
    """
    if A.ndim < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if p in (None, 2, -2):
        s = svdvals(A)
        return s.select(-1, 0) / s.select(-1, -1) if p != -2 else s.select(-1, -1) / s.select(-1, 0)
    if p not in (1, -1, math.inf, -math.inf, "fro", "nuc"):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {p}")
    rows.square(f"linalg.cond(ord={p})", A.array)
    try:
        return matrix_norm(A, p) * matrix_norm(inv(A), p)
    except rows.LinAlgError:  # a singular matrix; the others of a batch are well
        return stack([cond(one, p) for one in A]) if A.ndim > 2 else A.new_full((), math.inf)


def matrix_rank(A: Tensor) -> Tensor:
    """How many directions survive the matrix; no gradient flows."""
    rows.inexact("linalg.matrix_rank", A.array)
    return wrap(np.asarray(np.linalg.matrix_rank(A.array)))


# == products ==============================================================================================


def cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    """The vector at right angles to both, as long as the area between them.

    >>> import minigrad as mg
    >>> cross(mg.tensor([1.0, 0.0, 0.0]), mg.tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    if input.shape[dim] != 3 or other.shape[dim] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {input.shape[dim]} and {other.shape[dim]}"
        )
    return rows.cross_of(input, other, dim)


def vander(x: Tensor, *, N: int | None = None) -> Tensor:
    """The powers of each element in a row, from 1 up."""
    if x.array.dtype.kind == "b":
        raise RuntimeError("linalg.vander supports floating point, complex, and integer tensors, but got Bool")
    N = N if N is not None else x.shape[-1] if x.ndim else 1
    if N < 2:
        raise RuntimeError("N must be greater than 1.")
    return powers_of(x, N)


def _cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """`linalg.cross` along the first dimension of length 3."""
    if dim is None:
        dim = next((d for d, n in enumerate(input.shape) if n == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return cross(input, other, dim=dim)


def _qr(input: Tensor, some: bool = True) -> return_types.linalg_qr:
    """The old form of `linalg.qr`."""
    return qr(input, "reduced" if some else "complete")


def _cholesky(input: Tensor, upper: bool = False) -> Tensor:
    """The old form of `linalg.cholesky`."""
    return cholesky(input, upper=upper)


def _svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> return_types.svd:
    """The old form of `linalg.svd`: it returns V, not Vᵀ; without `compute_uv` zeros stand for both."""
    if not compute_uv:
        *batch, m, n = input.shape
        return return_types.svd(input.new_zeros((*batch, m, m)), svdvals(input), input.new_zeros((*batch, n, n)))
    u, s, vh = svd(input, not some)
    return return_types.svd(u, s, vh.mT)


functions = {one.__name__: one for one in (det, slogdet, logdet, matrix_exp, matrix_power)} | {
    "inverse": inv, "pinverse": pinv, "cross": _cross, "svd": _svd, "qr": _qr, "cholesky": _cholesky,
}  # fmt: skip
for _name, _function in functions.items():
    if _function.__name__.startswith("_"):
        _function.__name__ = _function.__qualname__ = _name  # by which errors call it
    setattr(Tensor, _name, _function)


def __getattr__(name: str):
    raise absent.error(__name__, name)
