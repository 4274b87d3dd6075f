"""Functions composed of others, most of them in one expression; their derivatives follow from those of their parts."""

import itertools
import math
import sys
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from ..core.tensor import wrap
from ..numbers.dtypes import promote_types, unsupported
from ..return_types import NAMED
from .public import composed

m: Any = sys.modules[__package__]  # what `import minigrad as m` offers
ABOVE = [range(least, 99) for least in range(4)]  # at least so many dimensions
VECTOR = range(1, 2), "Expect a 1D vector"


def only(input, these: bool | str | Sequence[int], said: str):
    """A tensor, if it has one of these kinds of number or counts of dimensions, or if something else holds.

    If not, `said` is raised: a sentence, or the name of a kernel of PyTorch's, which stands for its usual sentence.
    """
    dtype = input.numbers.dtype
    found = dtype.kind if isinstance(these, str) else input.ndim
    if not (found in these if isinstance(these, Sequence) else these):
        raise RuntimeError(f"{said}, but got {list(input.shape)}") if " " in said else unsupported(said, dtype)
    return input


def parts(split, input, dim, ends):
    """The parts that NumPy's function makes of the places along a dimension."""
    cuts = ends[0] if len(ends) == 1 else ends
    cuts = cuts.tolist() if hasattr(cuts, "detach") else cuts
    each = cuts if isinstance(cuts, list | tuple) else [cuts]
    if not ends or any(type(one) is bool or not hasattr(one, "__index__") for one in each):
        raise TypeError("argument must be a number of parts, or the places between them")
    places = np.arange(only(input, ABOVE[1], "Expect at least 1D").shape[dim])
    cuts = list(map(int, each)) if each is cuts else int(cuts)
    if isinstance(cuts, int) and (cuts < 1 or (split is np.split and len(places) % cuts)):
        raise RuntimeError(f"{len(places)} places cannot be split into {cuts} parts of one size")
    places = split(places, cuts)
    return tuple(input.narrow(dim, place[0] if place.size else 0, len(place)) for place in places)


def take_along_dim(input, indices, dim=None):
    """The elements at `indices` along a dimension; without one, of all elements in a row."""
    if dim is None:
        return input.reshape(-1).gather(0, indices.reshape(-1))
    only(indices, (input.ndim,), "take_along_dim(): input and indices should have the same number of dimensions")
    m.gathering.places_of("take_along_dim", indices)
    whole = m.broadcast_tensors(input, indices.narrow(dim, 0, 1))[0]
    return whole.gather(dim, m.broadcast_tensors(indices % input.shape[dim], input.narrow(dim, 0, 1))[0])


def masked_scatter(input, mask, source):
    """The elements of `source`, one after the other, where the mask is True."""
    m.gathering.as_mask(mask, "masked_scatter_ only supports boolean masks, but got mask with dtype {}")
    row = only(source, source.dtype == input.dtype, "Expect self and source of one type").reshape(-1)
    wide = m.broadcast_tensors(mask, input)[0]
    if wide.array.sum() > len(row.array):
        raise RuntimeError("Number of elements of source < number of ones in mask")
    places = (wide.reshape(-1).cumsum(0) - 1).clamp(min=0)
    return m.where(mask, row[places].reshape(wide.shape), input)


def is_upper(uplo: str) -> bool:
    """Which triangle of a matrix is read."""
    if not isinstance(uplo, str) or uplo.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {uplo}")
    return uplo.upper() == "U"


def side(given: int) -> int:
    """A count of rows or of columns."""
    if not isinstance(given, int | np.integer) or isinstance(given, bool):
        raise TypeError(f"a count of rows or columns must be int, not {type(given).__name__}")
    if given < 0:
        raise RuntimeError(f"a count of rows or columns must be non-negative, but got {given}")
    return int(given)


def combinations(input, r=2, with_replacement=False):
    """All ways to choose `r` of the elements."""
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if r == 0:
        return only(input, *VECTOR)[:0]
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    return only(input, *VECTOR)[wrap(np.array(list(choose(range(len(input)), r)), np.int64).reshape(-1, r))]


def block_diag(*tensors):
    """Matrices along the diagonal of a larger one."""
    whole = tensors[0].new_zeros(0, 0)
    for one in map(m.atleast_2d, tensors):
        upper = m.cat([whole, whole.new_zeros(len(whole), one.shape[1])], 1)
        whole = m.cat([upper, m.cat([one.new_zeros(len(one), whole.shape[1]), one], 1)])
    return whole


def kron(input, other):
    """Each element of the first times the whole second."""
    n = max(input.ndim, other.ndim)
    rows, columns = ([1] * (n - x.ndim) + [*x.shape] for x in (input, other))
    large = input.reshape([size for row in rows for size in (row, 1)])
    small = other.reshape([size for column in columns for size in (1, column)])
    return (large * small).reshape([row * column for row, column in zip(rows, columns)])


def counted(input, weights=None, minlength=0):
    if input.ndim != 1 or (input.array < 0).any():
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if weights is not None and weights.shape != input.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    n = np.bincount(only(input, "iu", "bincount_cpu").array, weights if weights is None else weights.array, minlength)
    return wrap(n.astype(np.float32) if weights is not None and weights.array.dtype == np.float32 else n)


def quarter_turns(input, k=1, dims=(0, 1)):
    """Turned by a right angle, `k` times, in the plane of two dimensions."""
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    a, b = m.shape.distinct(dims, only(input, ABOVE[2], "Expect at least 2D").ndim)
    flipped = input.flip([b] * (k % 4 in (1, 2)) + [a] * (k % 4 in (2, 3)))
    return flipped.transpose(a, b if k % 2 else a)


def matrix_power(input, n):
    """A matrix times itself, `n` times; of a negative `n`, its inverse."""
    only(input, input.ndim > 1 and input.shape[-2] == input.shape[-1], "Expect square matrices")
    if n == 0:
        return input.tril(-1).triu() + input.new_ones(input.shape[:-1]).diag_embed()
    return input.clone() if n == 1 else reduce(m.matmul, [input if n > 0 else input.inverse()] * abs(n))


def renorm(input, p, dim, maxnorm):
    """Slices along a dimension, shortened to a length where they are longer."""
    only(input, input.ndim > 1 and p > 0 <= maxnorm, "Expect 2D and bounds above 0")
    own = m.shape.check_dim(dim, input.ndim)
    size = input.norm(p, [i for i in range(input.ndim) if i != own], True)
    return input * m.where(size > maxnorm, maxnorm / (size + 1e-7), 1)


def correlation(covariances):
    """Each covariance over the deviations of both variables."""
    if not covariances.ndim:
        return covariances / covariances
    size = covariances.diagonal().real.sqrt()
    found = covariances / size[:, None] / size
    return found if found.is_complex() else found.clamp(-1, 1)


def covariance(rows, correction):
    n = rows.shape[-1]
    deviation = rows - rows.sum(-1, keepdim=True) / n
    return (deviation @ deviation.H / max(n - correction, 0)).squeeze()


def strips(y, x, dx, dim):
    """The areas under a line, between one point and the next."""
    if x is not None and x.ndim == 1 and len(x) != y.shape[dim]:
        raise RuntimeError("trapezoid: There must be one `x` value for each sample point")
    n, dim = m.joining.length_of(only(y, "iufc", "no bool"), dim), dim % y.ndim
    twice = y.narrow(dim, 1, n - 1) + y.narrow(dim, 0, n - 1)
    if x is None:
        return twice * (dx / 2)
    ahead, behind = (dim, y.ndim - dim - 1) if x.ndim == 1 else (y.ndim - x.ndim, 0)
    return twice * x.reshape(*(1,) * ahead, *x.shape, *(1,) * behind).diff(dim=dim) / 2


def at_least(eps, length):
    """A length by which one may divide; the gradient does not know that it was enlarged."""
    return length + (length.clamp(min=eps) - length).detach()


def apart(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """How far vectors are from each other; nearly, so that no distance is 0."""
    return (x1 - x2 + eps).norm(p, -1, keepdim)


def distances(x1, x2, p=2.0):
    """From each row of the one to each row of the other."""
    ours, theirs = (only(one, ABOVE[2], "cdist only supports at least 2D tensors").shape[-1] for one in (x1, x2))
    if ours != theirs:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {ours} X2: {theirs}")
    return m.sub(x1.unsqueeze(-2), x2.unsqueeze(-3)).norm(p, -1)


# a line or two for each name, so that the table is taken in at a glance
def unflatten(input, dim, sizes):
    """One dimension as several."""
    dim, sizes = m.shape.check_dim(dim, input.ndim), tuple(sizes)
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    try:
        found = np.broadcast_to(0, input.shape[dim]).reshape(sizes).shape
    except ValueError:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} ({input.shape[dim]}) "
            "in the input tensor"
        ) from None
    return input.reshape(*input.shape[:dim], *found, *input.shape[dim + 1 :])


# fmt: off
composed("function method",
    bincount=counted,
    # arrangement
    fliplr=lambda input: only(input, ABOVE[2], "Input must be >= 2-d").flip(1),
    flipud=lambda input: only(input, ABOVE[1], "Input must be >= 1-d").flip(0),
    rot90=quarter_turns,
    unflatten=unflatten,
    diagflat=lambda input, offset=0: input.reshape(-1).diag_embed(offset),
    tensor_split=lambda input, indices_or_sections, dim=0: parts(np.array_split, input, dim, [indices_or_sections]),
    hsplit=lambda input, *ends: parts(np.split, input, min(input.ndim - 1, 1), ends),
    vsplit=lambda input, *ends: parts(np.split, only(input, ABOVE[2], "Expect at least 2D"), 0, ends),
    dsplit=lambda input, *ends: parts(np.split, only(input, ABOVE[3], "Expect at least 3D"), 2, ends),
    conj=lambda input: m.elementwise.conj(input) if input.is_complex() else input,
    ravel=lambda input: input.contiguous().view(-1),
    # elements picked
    take_along_dim=take_along_dim,
    argsort=lambda input, dim=-1, descending=False, stable=False: input.sort(dim, descending).indices,
    median=lambda input, dim=None, keepdim=False: m.sorting.middle_of(input, dim, keepdim, False),
    nanmedian=lambda input, dim=None, keepdim=False: m.sorting.middle_of(input, dim, keepdim, True),
    msort=lambda input: input.sort(0).values,
    split_with_sizes=lambda input, split_sizes, dim=0: input.split(list(split_sizes), dim),
    unsafe_split_with_sizes=lambda input, split_sizes, dim=0: input.split(list(split_sizes), dim),
    # comparison
    equal=lambda input, other: input.shape == other.shape and bool((input.array == other.array).all()),
    allclose=lambda input, other, rtol=1e-5, atol=1e-8, equal_nan=False: bool(
        m.isclose(input, other, rtol, atol, equal_nan).all()),
    isposinf=lambda input: only(input, "biuf", "isposinf is of real numbers") == math.inf,
    isneginf=lambda input: only(input, "biuf", "isneginf is of real numbers") == -math.inf,
    # sums
    nanmean=lambda input, dim=None, keepdim=False, *, dtype=None: (
        m.nansum(only(input, "fc", "no floats"), dim, keepdim, dtype=dtype) / (~input.isnan()).sum(dim, keepdim)),
    cummax=lambda input, dim: NAMED["cummax"](*m.sorting.largest_so_far(input, m.shape.check_dim(dim, input.ndim))),
    cummin=lambda input, dim: NAMED["cummin"](*m.sorting.smallest_so_far(input, m.shape.check_dim(dim, input.ndim))),
    cov=lambda input, *, correction=1: covariance(
        m.atleast_2d(only(input, range(3), "cov(): expected input to have two or fewer dimensions")), correction),
    corrcoef=lambda input: correlation(m.cov(input)),
    # products
    norm=lambda input, p=2, dim=None, keepdim=False, *, dtype=None: m.norms.length(only(
        input, p != "nuc", "norm: for the order nuc write linalg.svdvals(A).sum(-1)"
        ), 2 if p in ("fro", None) else p, dim, keepdim, dtype=dtype),
    inner=lambda input, other: m.tensordot(input, only(
        other, other.shape[-1] == input.shape[-1], "Expect vectors of one length"
        ), ([-1], [-1])) if input.ndim and other.ndim else input * other,
    kron=kron, matrix_power=matrix_power,
    slogdet=lambda input: NAMED["slogdet"](*m.linalg.slogdet_of(input)),
    svd=lambda input, some=True: NAMED["svd"](*(found := m.linalg.svd_of(input, not some))[:2], found[2].mT),
    qr=lambda input, some=True: NAMED["qr"](*m.linalg.qr_of(input, "reduced" if some else "complete")),
    logdet=lambda input: (found := m.slogdet(input)).logabsdet + found.sign.log() if input.is_complex()
    else m.where((found := m.slogdet(input)).sign == -1, math.nan, found.logabsdet),
    float_power=lambda input, exponent: m.pow(*(one.to(complex if one.is_complex() else float)
        if hasattr(one, "detach") else one for one in (input, exponent))),
    float_power_=lambda self, exponent: m.pow_(only(
        self, self.array.dtype.char in "dD", "Expect float64 or complex128"), exponent),
)
composed("function method twin",
    addmv=lambda input, mat, vec, *, beta=1, alpha=1: m.matrix.addmv_of(input, mat, vec, beta, alpha),
    addr=lambda input, vec1, vec2, *, beta=1, alpha=1: m.matrix.addr_of(input, vec1, vec2, beta, alpha),
    baddbmm=lambda input, batch1, batch2, *, beta=1, alpha=1: m.matrix.baddbmm_of(input, batch1, batch2, beta, alpha),
    addbmm=lambda input, batch1, batch2, *, beta=1, alpha=1: m.matrix.addbmm_of(input, batch1, batch2, beta, alpha),
    masked_scatter=masked_scatter, renorm=renorm,
)
composed("function",
    hstack=lambda tensors: m.cat(
        found := [m.atleast_1d(one) for one in m.joining.several(tensors, "hstack")], int(found[0].ndim > 1)),
    column_stack=lambda tensors: m.cat(
        [one if one.ndim > 1 else one.reshape(-1, 1) for one in m.joining.several(tensors, "column_stack")], 1),
    row_stack=lambda tensors: m.vstack(tensors),
    dstack=lambda tensors: m.cat([m.atleast_3d(one) for one in m.joining.several(tensors, "dstack")], 2),
    atleast_2d=m.shape.of_each(lambda input: (
        input if input.ndim > 1 else input.unsqueeze(0) if input.ndim else input.view(1, 1))),
    atleast_3d=m.shape.of_each(lambda input: input if input.ndim > 2 else (
        m.atleast_2d(input).unsqueeze(-1) if input.ndim else input.view(1, 1, 1))),
    block_diag=block_diag, combinations=combinations,
    cartesian_prod=lambda *tensors: (
        m.stack(m.meshgrid(*[only(one, *VECTOR) for one in tensors], indexing="ij"), -1).reshape(-1, len(tensors))
        if tensors[1:] else only(tensors[0], *VECTOR)),
    real=lambda input: input.real,
    imag=lambda input: input.imag,
    vstack=lambda tensors: m.cat([m.atleast_2d(one) for one in m.joining.several(tensors, "vstack")], 0),
    vander=lambda x, N=None, increasing=False: (
        only(x, *VECTOR)[:, None]
        ** wrap(np.arange(len(x) if N is None else side(N))[:: 1 if increasing else -1].copy())),
    chain_matmul=lambda *matrices: reduce(m.matmul, matrices) if [only(
        one, (2,), "Expect 2D matrices") for one in matrices][1:] else matrices[0].clone(),
    isin=lambda elements, test_elements, *, assume_unique=False, invert=False: wrap(np.isin(*[
        one if type(one) in (int, float) else only(one, "iuf", "isin is of real numbers").array
        for one in (elements, test_elements)]) != invert),
    tril_indices=lambda row, col, offset=0, *, dtype=int, device="cpu": (
        wrap(np.array(np.tril_indices(side(row), offset, side(col)))).to(device, dtype=dtype)),
    triu_indices=lambda row, col, offset=0, *, dtype=int, device="cpu": (
        wrap(np.array(np.triu_indices(side(row), offset, side(col)))).to(device, dtype=dtype)),
    trapezoid=lambda y, x=None, *, dx=1, dim=-1: (
        strips(y, x, dx, dim).sum(dim) if m.joining.length_of(y, dim) else y.detach().sum(dim)),
    cumulative_trapezoid=lambda y, x=None, *, dx=1, dim=-1: strips(y, x, dx, dim).cumsum(dim),
    cdist=distances,
)
composed("linalg",
    cross=lambda input, other, *, dim=-1: m.cross(input, other, dim),
    matrix_power=lambda A, n: m.matrix_power(A, n),
    cholesky=lambda A, *, upper=False: m.linalg.cholesky_of(A, upper),
    eigh=lambda A, UPLO="L": NAMED["linalg_eigh"](*m.linalg.eigh_of(A, is_upper(UPLO))),
    eigvalsh=lambda A, UPLO="L": m.linalg.eigh_of(A, is_upper(UPLO))[0],
    slogdet=lambda A: NAMED["linalg_slogdet"](*m.linalg.slogdet_of(A)),
    qr=lambda A, mode="reduced": NAMED["linalg_qr"](*m.linalg.qr_of(A, mode)),
    svd=lambda A, full_matrices=True: NAMED["linalg_svd"](*m.linalg.svd_of(A, full_matrices)),
    svdvals=lambda A: m.linalg.svd_of(A, False)[1],
    multi_dot=lambda tensors: reduce(m.matmul, [
        only(one, (1, 2) if tensors[1:] else (), "Expect two or more of 1D or 2D") for one in tensors]),
)
composed("method",
    sum_to_size=lambda self, *size: (
        self.sum() if not (sizes := m.shape.sizes_of(size)) else
        self if self.shape == sizes else m.shape.sum_to_size(self, sizes)),
    view_as=lambda self, other: self.view(other.shape),
    reshape_as=lambda self, other: self.reshape(other.shape),
    expand_as=lambda self, other: self.expand(other.shape),
    where=lambda self, condition, other: m.where(condition, self, other),
)
composed("functional function",
    cosine_similarity=lambda x1, x2, dim=1, eps=1e-8: m.mul(
        *(x / at_least(eps, x.norm(2, dim, True)) for x in (only(one.to(promote_types(
            x1.dtype, x2.dtype)), "f", "Expect floats") for one in m.broadcast_tensors(x1, x2)))).sum(dim),
    pairwise_distance=apart,
)
