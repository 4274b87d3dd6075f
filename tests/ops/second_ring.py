"""The less common rows as expressions, in the words of cases.py."""

import itertools
import math

import numpy as np

from .cases import CUBE, LARGE, MATRIX, PAIR, POSITIVE, PROBABILITY, REFERENCES, SQUARE, case

# == what NumPy has no function for ========================================================================


def median(a, dim):
    """The lower of the two in the middle, and where it is."""
    order = np.argsort(a, dim, kind="stable")
    place = np.take(order, [(a.shape[dim] - 1) // 2], dim)
    return [np.take_along_axis(a, place, dim).squeeze(dim), place.squeeze(dim)]


def in_order(a, dim, descending=False):
    order = np.argsort(-a if descending else a, dim, kind="stable")
    return [np.take_along_axis(a, order, dim), order]


def top(a, k, dim, largest=True):
    return [np.take(x, range(k), dim) for x in in_order(a, dim, largest)]


def so_far(a, dim, function):
    """A running extreme, element by element, and where it was found."""
    values = function.accumulate(a, dim)
    steps = np.moveaxis(a, dim, 0)
    found = [np.where(step == value, i, -1) for i, (step, value) in enumerate(zip(steps, np.moveaxis(values, dim, 0)))]
    return [values, np.maximum.accumulate(np.stack(found, dim), dim)]


def with_at(a, index, b, add=False):
    out = a.copy()
    if add:
        np.add.at(out, index, b)
    else:
        out[index] = b
    return out


def scattered(a, dim, index, b, add=False):
    out = a.copy()
    for place in np.ndindex(*index.shape):
        target = list(place)
        target[dim] = index[place]
        value = b[place] if isinstance(b, np.ndarray) else b
        out[tuple(target)] = out[tuple(target)] + value if add else value
    return out


def pooled(a, k, stride, pad, function, border):
    """Each window of the last dimensions, by a loop."""
    dims = len(k)
    a = np.pad(a, [(0, 0)] * (a.ndim - dims) + [(p, p) for p in pad], constant_values=border)
    size = [(n - w) // s + 1 for n, w, s in zip(a.shape[-dims:], k, stride)]
    out = np.zeros((*a.shape[:-dims], *size))
    for place in np.ndindex(*size):
        window = a[(..., *(slice(i * s, i * s + w) for i, s, w in zip(place, stride, k)))]
        out[(..., *place)] = function(window, tuple(range(-dims, 0)))
    return out


def adaptive(a, size):
    out = np.zeros((*a.shape[:-2], *size))
    (h, w), (height, width) = a.shape[-2:], size
    for i, j in np.ndindex(*size):
        places = (i, h, height), (j, w, width)
        rows, columns = (slice(q * n // count, -(-(q + 1) * n // count)) for q, n, count in places)
        out[..., i, j] = a[..., rows, columns].mean((-2, -1))
    return out


def conv_transpose(a, weight, bias=None, stride=1, padding=0):
    k = weight.shape[2:]
    size = [(n - 1) * stride + w for n, w in zip(a.shape[2:], k)]
    out = np.zeros((a.shape[0], weight.shape[1], *size))
    for place in np.ndindex(*a.shape[2:]):
        at = tuple(slice(i * stride, i * stride + w) for i, w in zip(place, k))
        out[(slice(None), slice(None), *at)] += np.tensordot(a[(..., *place)], weight, 1)
    out = out[(slice(None), slice(None), *(slice(padding, n - padding) for n in size))]
    return out if bias is None else out + bias.reshape(-1, *(1,) * len(k))


def exp_of_matrix(a):
    out = term = np.eye(len(a))
    for i in range(1, 60):
        term = term @ a / i
        out = out + term
    return out


def margins(a, target, margin, p):
    rows = [[margin + x - row[t] for i, x in enumerate(row) if i != t] for row, t in zip(a, target)]
    return (np.maximum(rows, 0) ** p).sum() / a.size


def standard(a, dims, eps=1e-5):
    return (a - a.mean(dims, keepdims=True)) / np.sqrt(a.var(dims, keepdims=True) + eps)


vars(REFERENCES).update(
    median=median, sort=in_order, top=top, so_far=so_far, with_at=with_at, scattered=scattered, pooled=pooled,
    adaptive=adaptive, conv_transpose=conv_transpose, expm=exp_of_matrix, standard=standard, margins=margins,
    erfc=np.vectorize(math.erfc, otypes=[float]),
    cosine=lambda a, b: (a * b).sum(1) / np.sqrt((a * a).sum(1) * (b * b).sum(1)),
    product=lambda *arrays: np.array(list(itertools.product(*arrays))),
)  # fmt: skip

# == one element at a time =================================================================================

SPECIAL = [
    case("erfc", "m.erfc(a)", "n.erfc(a)"),
    case("logit", "m.logit(a)", "np.log(a / (1 - a))", a=PROBABILITY),
    case("logit", "a.logit(eps=0.2)", "np.log(np.clip(a, 0.2, 0.8) / (1 - np.clip(a, 0.2, 0.8)))", a=(0.05, 0.95)),
    case("frac", "m.frac(a)", "a - np.trunc(a)"),
    case("nan_to_num", "m.nan_to_num(a)"),
    case(
        "nan_to_num",
        "m.nan_to_num((a / (a > 0)).detach(), nan=1.0, posinf=2.0, neginf=-1.0)",
        "np.nan_to_num(a / (a > 0), nan=1.0, posinf=2.0, neginf=-1.0)",
        smooth=False,
    ),
    case("deg2rad", "m.deg2rad(a)"),
    case("rad2deg", "m.rad2deg(a)"),
    *[case(row, f"m.{row}(a / (a > 0))") for row in ("signbit", "isposinf", "isneginf")],
    case("logaddexp", "m.logaddexp(a, b)"),
    case("logaddexp2", "m.logaddexp2(a, b)"),
    case("xlogy", "m.xlogy(a, b)", "a * np.log(b)", b=POSITIVE),
    case("xlogy_by_number", "m.xlogy(a, 2.5)", "a * np.log(2.5)", torch=f"a * {np.log(2.5)}"),
    case("xlogy_of_number", "m.xlogy(3, a)", "3 * np.log(a)", a=POSITIVE),
    case("lerp", "m.lerp(a, b, c)", "a + c * (b - a)"),
    case("lerp_by_number", "m.lerp(a, b, 0.3)", "a + 0.3 * (b - a)"),
    case("addcmul", "m.addcmul(a, b, c, value=2)", "a + 2 * b * c"),
    case("addcdiv", "m.addcdiv(a, b, c, value=2)", "a + 2 * b / c", c=POSITIVE),
    case("clamp_min_number", "m.clamp_min(a, 0.5)", "np.maximum(a, 0.5)"),
    case("clamp_min", "m.clamp_min(a, b)", "np.maximum(a, b)"),
    case("clamp_max_number", "a.clamp_max(-0.5)", "np.minimum(a, -0.5)"),
    case("clamp_max", "m.clamp_max(a, b)", "np.minimum(a, b)"),
    case("isclose_of", "m.isclose(a, a + 1e-9)", "np.isclose(a, a + 1e-9)"),
    case("isin", "m.isin(a, a[:1])", "np.isin(a, a[:1])", shapes=MATRIX),
    case("selu", "F.selu(a)", "1.0507009873554805 * np.where(a > 0, a, 1.6732632423543772 * np.expm1(a))"),
    case("celu", "F.celu(a, alpha=0.5)", "np.where(a > 0, a, 0.5 * np.expm1(2 * a))"),
    case("mish", "F.mish(a)", "a * np.tanh(np.log1p(np.exp(a)))"),
    case("hardtanh", "F.hardtanh(a)", "np.clip(a, -1, 1)"),
    case("hardtanh", "F.hardtanh(a, -0.5, 2)", "np.clip(a, -0.5, 2)"),
    case("hardsigmoid", "F.hardsigmoid(2 * a)", "np.clip(2 * a + 3, 0, 6) / 6", torch="F.relu6(2 * a + 3) / 6"),
    case("hardswish", "F.hardswish(2 * a)", "2 * a * np.clip(2 * a + 3, 0, 6) / 6"),
    case("softshrink", "F.softshrink(a)", "np.sign(a) * np.maximum(abs(a) - 0.5, 0)"),
    case("hardshrink", "F.hardshrink(a, 0.8)", "np.where(abs(a) > 0.8, a, 0)"),
    case("threshold", "F.threshold(a, 0.1, -3.0)", "np.where(a > 0.1, a, -3.0)"),
    case("log_sigmoid", "F.logsigmoid(a)", "np.log(n.sigmoid(a))"),
    case("prelu_of", "F.prelu(a, b)", "np.where(a > 0, a, b * a)", shapes=[((2, 3), (1,)), ((3,), (1,))]),
    case("prelu_of", "m.prelu(a, b)", "np.where(a > 0, a, b * a)", shapes=[((2, 3), (3,))]),
    case("glu_of", "F.glu(a, 0)", "a[:1] * n.sigmoid(a[1:])", shapes=MATRIX),
    case("glu_of", "F.glu(a)", "a[:, :2] * n.sigmoid(a[:, 2:])", shapes=[((2, 4),)]),
    case("abs", "F.softsign(a)", "a / (1 + abs(a))"),
    case("tanh", "F.tanhshrink(a)", "a - np.tanh(a)"),
    case("softmax", "F.softmin(a, 1)", "n.softmax(-a, 1)", shapes=MATRIX),
]

# == order, and what builds up =============================================================================

SORTED = [
    case("sort_along", "m.sort(a, 1)", "n.sort(a, 1)", shapes=[*MATRIX, *CUBE]),
    case("sort_along", "a.sort(dim=0, descending=True)", "n.sort(a, 0, True)", shapes=MATRIX),
    case("sort_along", "m.msort(a)", "np.sort(a, 0)", shapes=MATRIX),
    case("sort_along", "m.sort(a, stable=True)[0]", "np.sort(a, -1)", shapes=[*MATRIX, ((),)][:1]),
    case("topk_along", "m.topk(a, 2)", "n.top(a, 2, -1)", shapes=[*MATRIX, ((4,),)]),
    case("topk_along", "a.topk(1, 0, largest=False)", "n.top(a, 1, 0, False)", shapes=MATRIX),
    case("kth_along", "m.kthvalue(a, 2, 1)", "[x[:, 1] for x in n.sort(a, 1)]", shapes=MATRIX),
    case("median_along", "m.median(a, 1)", "n.median(a, 1)", shapes=[*MATRIX, ((2, 4),)]),
    case("median_along", "m.nanmedian(a, 0)", "n.median(a, 0)", shapes=[*MATRIX, ((4,),)]),
    case("median_of_all", "m.median(a)", "n.median(a.ravel(), 0)[0]", shapes=[*MATRIX, ((3,),)]),
    case("cumprod", "m.cumprod(a, 1)", shapes=[*MATRIX, *CUBE]),
    case("cumprod", "(a * (a > 0)).cumprod(0)", "(a * (a > 0)).cumprod(0)", shapes=[((4,),), ((3, 2),)]),
    case("cummax_along", "m.cummax(a, 1)", "n.so_far(a, 1, np.maximum)", shapes=[*MATRIX, *CUBE]),
    case("cummin_along", "m.cummin(a, 0)", "n.so_far(a, 0, np.minimum)", shapes=[*MATRIX, *CUBE]),
    case("logcumsumexp", "m.logcumsumexp(a, 1)", "np.log(np.cumsum(np.exp(a), 1))", shapes=[*MATRIX, *CUBE]),
    case("narrow", "m.diff(a)", shapes=MATRIX),
    case("cat_all", "m.diff(a, 2, 0, prepend=b)", "np.diff(a, 2, 0, prepend=b)", shapes=[((3, 2), (1, 2))]),
    case("both_extremes", "m.aminmax(a, dim=1)", "[a.min(1), a.max(1)]", shapes=MATRIX),
    case("std_mean_of", "m.std_mean(a, 1)", "[a.std(1, ddof=1), a.mean(1)]", shapes=[*MATRIX, *CUBE]),
    case("std_mean_of", "m.std_mean(a)", "[a.std(ddof=1), a.mean()]", shapes=MATRIX),
    case("var_mean_of", "m.var_mean(a, 0, correction=0, keepdim=True)",
         "[a.var(0, keepdims=True), a.mean(0, keepdims=True)]",
         shapes=MATRIX),
    case("nansum", "m.nanmean(a, 1)", "a.mean(1)", shapes=MATRIX),
    case("distance", "m.dist(a, b)", "np.sqrt(((a - b) ** 2).sum())", shapes=[((2, 3), (2, 3)), ((2, 3), (3,))]),
    case("distance", "m.dist(a, b, 3)", "(abs(a - b) ** 3).sum() ** (1 / 3)", shapes=PAIR),
]  # fmt: skip

# == arrangement ===========================================================================================

REARRANGED = [
    case("rot90", "m.rot90(a)", shapes=[*MATRIX, *CUBE]),
    case("rot90", "a.rot90(2, (1, 0))", "np.rot90(a, 2, (1, 0))", shapes=MATRIX),
    case("unfold", "a.unfold(0, 2, 1)", "np.stack([a[:-1], a[1:]], -1)", shapes=[((4,),), ((3, 2),)]),
    case("unfold", "a.unfold(1, 2, 2)", "np.stack([a[:, 0:4:2], a[:, 1:5:2]], -1)", shapes=[((2, 5),), ((2, 4),)]),
    case("as_strided_to", "m.as_strided(a, (2, 2), (1, 2), 1)", "a.ravel()[[[1, 3], [2, 4]]]", shapes=MATRIX),
    case("as_strided_to", "a.as_strided((3, 2), (1, 1))", "a.ravel()[[[0, 1], [1, 2], [2, 3]]]", shapes=[((4,),)]),
    case("diag_embed_to", "m.diag_embed(a)", "a[..., None] * np.eye(a.shape[-1])", shapes=[*MATRIX, ((2,),)]),
    case("diag_embed_to", "m.diag_embed(a, 1, 0, 1)", "np.diag(a, 1)", shapes=[((2,),)]),
    case("diag_embed_to", "m.diagflat(a)", shapes=MATRIX),
    case(
        "block_diag_of",
        "m.block_diag(a, b)",
        "np.block([[a, np.zeros((2, 2))], [np.zeros((1, 3)), b]])",
        shapes=[((2, 3), (1, 2)), ((2, 3), (2,))],
    ),
    case("permute_to", "m.movedim(a, 0, 2)", "np.moveaxis(a, 0, 2)", shapes=CUBE),
    case("permute_to", "a.moveaxis((0, 1), (1, 2))", "np.moveaxis(a, (0, 1), (1, 2))", shapes=CUBE),
    case("reshape_to", "m.unflatten(a, 1, (-1, 2))", "a.reshape(2, -1, 2)", shapes=[((2, 4),)]),
    case("reshape_to", "m.ravel(a)", shapes=[*MATRIX, ((),)]),
    case("squeeze", "a.squeeze((0, 2))", "a[0, :, 0]", shapes=[((1, 3, 1),)]),
    case("flip", "m.fliplr(a)", shapes=MATRIX),
    case("flip", "m.flipud(a)", shapes=MATRIX),
    *[
        case(
            "reshape_to" if n < 2 else "unsqueeze", f"m.atleast_{n}d(a)", shapes=[((),)] if n < 2 else [((3,),), ((),)]
        )
        for n in (1, 2, 3)
    ],
    case("tile", "m.tile(a, (2,))", shapes=MATRIX),
    case("reshape_to", "m.repeat_interleave(a, 2)", "np.repeat(a, 2)", shapes=MATRIX),
    case("spread_to", "a.repeat_interleave(3, 1)", "np.repeat(a, 3, 1)", shapes=[*MATRIX, *CUBE]),
    case("index_select", "m.repeat_interleave(a, ints([0, 2]), 0)", "np.repeat(a, [0, 2], 0)", shapes=MATRIX),
    case(
        "expand_to", "m.meshgrid(a, b, indexing='ij')", "list(np.meshgrid(a, b, indexing='ij'))", shapes=[((2,), (3,))]
    ),
    case("expand_to", "m.meshgrid(a, b, indexing='xy')", "list(np.meshgrid(a, b))", shapes=[((2,), (3,))]),
    case("stack_all", "m.cartesian_prod(a, b)", "n.product(a, b)", shapes=[((2,), (3,))]),
    case("pick", "m.combinations(a)", "a[[[0, 1], [0, 2], [1, 2]]]", shapes=[((3,),)]),
    case("expand_to", "m.broadcast_tensors(a, b)", "list(np.broadcast_arrays(a, b))", shapes=[((2, 1), (3,))]),
    case("cat_all", "m.hstack((a, b))", shapes=[((2, 3), (2, 1)), ((2,), (3,))]),
    case("cat_all", "m.vstack((a, b))", shapes=[((2, 3), (1, 3)), ((3,), (3,))]),
    case("cat_all", "m.dstack((a, b))", shapes=[((2, 3), (2, 3)), ((3,), (3,))]),
    case("cat_all", "m.column_stack((a, b))", shapes=[((3,), (3,)), ((2,), (2, 3))]),
    case("narrow", "m.tensor_split(a, 2)", "np.array_split(a, 2)", shapes=[((5,),), ((3, 2),)]),
    case("narrow", "a.tensor_split((1, 2), 1)", "np.split(a, (1, 2), 1)", shapes=[((2, 4),)]),
    case("narrow", "m.hsplit(a, 3)", shapes=MATRIX),
    case("narrow", "m.vsplit(a, 2)", shapes=MATRIX),
    case("narrow", "m.dsplit(a, 2)", shapes=CUBE),
    case("split_to", "a.split_with_sizes([1, 2], 1)", "np.split(a, [1], 1)", shapes=MATRIX),
]

# == placed and picked =====================================================================================

PICKED = [
    case("placed", "a.scatter(0, ints([[0, 1, 1]]), b)", "n.scattered(a, 0, ints([[0, 1, 1]]), b)",
         shapes=[((2, 3), (1, 3))]),
    case("placed_number", "m.scatter(a, 1, ints([[2], [0]]), 5.0)",
         "n.scattered(a, 1, ints([[2], [0]]), 5.0)", shapes=MATRIX),
    case("added", "a.scatter_add(1, ints([[2, 2], [0, 1]]), b)", "n.scattered(a, 1, ints([[2, 2], [0, 1]]), b, True)",
         shapes=[((2, 3), (2, 2))]),
    case("added", "m.index_add(a, 1, ints([2, 2, 0]), b)", "n.with_at(a, (slice(None), [2, 2, 0]), b, True)",
         shapes=[((2, 3), (2, 3))]),
    case("added", "a.index_add(0, ints([1]), b, alpha=3)", "n.with_at(a, [1], 3 * b, True)", shapes=[((2, 3), (1, 3))]),
    case("placed", "m.index_copy(a, 0, ints([1, 0]), b)", "n.with_at(a, [1, 0], b)", shapes=PAIR[:1]),
    case("placed_number", "m.index_fill(a, 1, ints([0, 2]), 1.5)",
         "n.with_at(a, (slice(None), [0, 2]), 1.5)", shapes=MATRIX),
    case("placed", "m.index_put(a, (ints([0, 1]), ints([2, 0])), b)", "n.with_at(a, ([0, 1], [2, 0]), b)",
         shapes=[((2, 3), (2,)), ((2, 3), (1,))]),
    case("added", "a.index_put((ints([1, 1]),), b, accumulate=True)", "n.with_at(a, [1, 1], b, True)",
         shapes=[((2, 3), (2, 3)), ((2, 3), (3,))]),
    case("masked_scattered", "m.masked_scatter(a, a > 0, b)", "n.with_at(a, a > 0, b[: (a > 0).sum()])",
         shapes=[((2, 3), (6,))]),
    case("masked_fill_number", "m.clone(a).masked_fill_(a < 0, 2.0)", "np.where(a < 0, 2.0, a)", shapes=MATRIX),
    case("added", "m.clone(a).index_add_(0, ints([1, 1]), b)", "n.with_at(a, [1, 1], b, True)", shapes=PAIR[:1]),
    case("placed", "(a * 2).scatter_(1, ints([[1], [0]]), b)", "n.scattered(a * 2, 1, ints([[1], [0]]), b)",
         shapes=[((2, 3), (2, 1))]),
    case("take", "m.take(a, ints([[0, -1], [3, 3]]))", shapes=MATRIX),
    case("gather", "m.take_along_dim(a, ints([[2], [0]]), 1)", "np.take_along_axis(a, ints([[2], [0]]), 1)",
         shapes=MATRIX),
    case("gather", "m.take_along_dim(a, ints([4, 1]))", "a.ravel()[[4, 1]]", shapes=MATRIX),
    case("masked_select_of", "m.masked_select(a, a > 0)", "a[a > 0]", shapes=[*MATRIX, ((4,),)], smooth=False),
    case("masked_select_of", "a.masked_select(bools([True, False, True]))", "a[:, [0, 2]].ravel()", shapes=MATRIX),
    # indices of all kinds, mixed: a number beside an array picks first
    case("pick", "a[0, :, ints([1, 0, 1])]", "a[0][:, [1, 0, 1]]", shapes=CUBE),
    case("pick", "a[:, 1, ints([1, 0])]", "a[:, 1][:, [1, 0]]", shapes=CUBE),
    case("pick", "a[..., ints([1, 1]), None]", "a[..., [1, 1], None]", shapes=[*MATRIX, *CUBE]),
    case("pick", "a[ints([0, 1]), :, ints([1, 0])]", "a[[0, 1], :, [1, 0]]", shapes=CUBE),
    case("pick", "a[bools([True, False]), 1:]", "a[[0], 1:]", shapes=[*MATRIX, *CUBE]),
    case("pick", "a[ints([[0, 1], [1, 1]])]", "a[[[0, 1], [1, 1]]]", shapes=MATRIX),
    case("pick", "a[bools([True, False]), ints([1])]", "a[[0], [1]]", shapes=MATRIX),
    case("replace", "assign(a * 1, (0, slice(None), ints([1, 0])), b)", "assign(a * 1, (0, slice(None), [1, 0]), b.T)",
         shapes=[((2, 3, 2), (3, 2))]),
    case("replace", "assign(a * 1, (Ellipsis, ints([0])), b)", "assign(a * 1, (Ellipsis, [0]), b)",
         shapes=[((2, 3), (2, 1))]),
    case("replace", "assign(a * 1, (bools([True, False]), slice(1, None)), b)",
         "assign(a * 1, ([0], slice(1, None)), b)",
         shapes=[((2, 3), (1, 2)), ((2, 3), (2,))]),
    case("replace", "assign(a * 1, (None, 1), b)", "assign(a * 1, (None, 1), b)", shapes=[((2, 3), (3,))]),
]  # fmt: skip

# == products and linear algebra ===========================================================================

STEADY = "a @ a.mT + m.eye(3, dtype=a.dtype)"  # symmetric, with positive eigenvalues
NP_STEADY = "a @ a.mT + np.eye(3)"
LEANING = "a + 5 * m.eye(*a.shape, dtype=a.dtype)"  # of full rank
NP_LEANING = "a + 5 * np.eye(*a.shape)"
BATCH = [((3, 3),), ((2, 3, 3),)]

LINEAR = [
    case("plus_product", "m.addmv(c, a, b, beta=0.5, alpha=2)", "0.5 * c + 2 * a @ b", shapes=[((2, 3), (3,), (2,))]),
    case("plus_product", "m.baddbmm(c, a, b)", "c + a @ b",
         shapes=[((2, 2, 3), (2, 3, 1), (2, 2, 1)), ((2, 2, 3), (2, 3, 2), (2,))]),
    case("plus_outer", "m.addr(c, a, b)", "c + np.outer(a, b)", shapes=[((2,), (3,), (2, 3))]),
    case("bmm_of", "m.addbmm(c, a, b)", "c + (a @ b).sum(0)", shapes=[((2, 2, 3), (2, 3, 2), (2, 2))]),
    case("bmm_of", "m.einsum('ij,jk->ik', a, b)", "a @ b", shapes=[((2, 3), (3, 2))]),
    case("bmm_of", "m.einsum('bij,bjk', a, b)", "np.einsum('bij,bjk', a, b)", shapes=[((2, 2, 3), (2, 3, 2))]),
    case("mul", "m.einsum('i,j->ji', a, b)", "np.outer(b, a)", shapes=[((2,), (3,))]),
    case("diagonal", "m.einsum('ii', a)", "np.trace(a)", shapes=SQUARE),
    case("permute_to", "m.einsum('...ij->...ji', a)", "a.swapaxes(-1, -2)", shapes=[*MATRIX, *CUBE]),
    case("bmm_of", "m.einsum('ij,kj,ljm->imk', a, b, c)", "np.einsum('ij,kj,ljm->imk', a, b, c)",
         shapes=[((2, 3), (2, 3), (2, 3, 2))]),
    case("bmm_of", "m.einsum('...i,i->...', a, b)", "a @ b", shapes=[((2, 3, 2), (2,))]),
    case("mul", "m.einsum('ij,j->i', a, b)", "(a * b).sum(1)", shapes=[((2, 3), (1,))]),
    case("matmul", "m.tensordot(a, b, 2)", shapes=[((2, 3, 2), (3, 2, 2)), ((2, 3), (2, 3))]),
    case("matmul", "m.tensordot(a, b, ([0], [1]))", shapes=[((2, 3), (3, 2))]),
    case("matmul", "m.inner(a, b)", shapes=[((2, 3), (4, 3)), ((3,), (3,))]),
    case("mul", "m.kron(a, b)", shapes=[((2, 3), (2, 2)), ((2,), (2, 2))]),
    case("matmul", "m.linalg.multi_dot([a, b, c])", "a @ b @ c",
         shapes=[((2, 3), (3, 2), (2, 4)), ((3,), (3, 2), (2,))]),
    case("matmul", "m.chain_matmul(a, b)", "a @ b", shapes=[((2, 3), (3, 2))]),
    case("matmul", "m.linalg.matrix_power(a, 3)", "a @ a @ a", shapes=BATCH),
    case("inv", f"m.linalg.matrix_power({STEADY}, -2)", f"np.linalg.matrix_power({NP_STEADY}, -2)", shapes=SQUARE),
    case("inv", f"m.linalg.inv({STEADY})", f"np.linalg.inv({NP_STEADY})", shapes=BATCH),
    case("det", "m.linalg.det(a)", "np.linalg.det(a)", shapes=BATCH),
    case("det", "m.det(a * ints([1, 1, 0]))", "np.linalg.det(a) * 0", shapes=SQUARE, smooth=False),
    case("slogdet_of", f"m.linalg.slogdet({STEADY})[1]", f"np.log(np.linalg.det({NP_STEADY}))", shapes=BATCH),
    case("slogdet_of", f"m.logdet({STEADY})", f"np.log(np.linalg.det({NP_STEADY}))", shapes=SQUARE),
    case("solve_of", f"m.linalg.solve({STEADY}, b)", f"np.linalg.solve({NP_STEADY}, b)",
         shapes=[((3, 3), (3, 2)), ((3, 3), (3,)), ((2, 3, 3), (2, 3, 1))]),
    case("triangular_solve_of", "m.linalg.solve_triangular(a, b, upper=True)", "np.linalg.solve(np.triu(a), b)",
         shapes=[((3, 3), (3, 2))], a=POSITIVE),
    case("triangular_solve_of", "m.linalg.solve_triangular(a, b, upper=False, unitriangular=True)",
         "np.linalg.solve(np.tril(a, -1) + np.eye(3), b)", shapes=[((3, 3), (3, 1))], a=POSITIVE),
    case("cholesky_of", f"m.linalg.cholesky({STEADY})", f"np.linalg.cholesky({NP_STEADY})", shapes=BATCH),
    case("qr_of", f"m.linalg.qr({LEANING})", f"list(np.linalg.qr({NP_LEANING}))", shapes=[((3, 2),), ((3, 3),)]),
    case("eigh_of", f"m.linalg.eigvalsh({STEADY})", f"np.linalg.eigvalsh({NP_STEADY})", shapes=BATCH),
    case("eigh_of", f"m.linalg.eigh({STEADY})[1] ** 2", f"np.linalg.eigh({NP_STEADY})[1] ** 2", shapes=SQUARE),
    case("svd_of", "m.linalg.svdvals(a)", "np.linalg.svd(a)[1]", shapes=[*SQUARE, *MATRIX]),
    case("svd_of",
         f"m.svd({LEANING})[0] ** 2", f"np.linalg.svd({NP_LEANING}, False)[0] ** 2", shapes=[((2, 3),), ((3, 2),)]),
    case("pinv_of", f"m.linalg.pinv({LEANING})", f"np.linalg.pinv({NP_LEANING})", shapes=[((3, 2),), ((2, 3),)]),
    case("matrix_exp", "m.matrix_exp(a)", "n.expm(a)", shapes=SQUARE),
    case("cross_of", "m.linalg.cross(a, b)", "np.cross(a, b)", shapes=[((2, 3), (2, 3)), ((3,), (3,))]),
    case("cross_of", "m.cross(a, b, 0)", "np.cross(a, b, axis=0)", shapes=[((3, 2), (3, 2))]),
    case("vector_norm", "m.linalg.norm(a)", "np.linalg.norm(a)", shapes=[*MATRIX, *CUBE]),
    *[case("sum" if ord == "'nuc'" else "amax" if "-" not in ord else "amin", f"m.linalg.matrix_norm(a, {ord})",
           f"np.linalg.norm(a, {ord})", shapes=MATRIX) for ord in ("1", "-1", "inf", "-inf", "2", "-2", "'nuc'")],
    case("vector_norm", "m.linalg.matrix_norm(a, dim=(0, 2), keepdim=True)",
         "np.sqrt((a * a).sum((0, 2), keepdims=True))",
         shapes=CUBE),
]  # fmt: skip

# == networks ==============================================================================================

IMAGE = [((1, 2, 4, 4),)]
NETWORKS = [
    case("standardise", "F.layer_norm(a, (3,))", "n.standard(a, -1)", shapes=[*MATRIX, ((2, 2, 3),)]),
    case("standardise", "F.layer_norm(a, (2, 3), b, c)", "n.standard(a, (-2, -1)) * b + c",
         shapes=[((2, 2, 3), (2, 3), (2, 3))]),
    case("normalise_channels", "F.batch_norm(a, None, None, b, c, True)", "n.standard(a, 0) * b + c",
         shapes=[((4, 2), (2,), (2,))]),
    case("normalise_channels", "F.batch_norm(a, None, None, training=True, eps=0.01)", "n.standard(a, (0, 2, 3), 0.01)",
         shapes=[((2, 2, 2, 2),)]),
    case("normalise_as_gathered", "F.batch_norm(a, floats([0.5, 1]), floats([2, 3]), eps=0)",
         "(a - [0.5, 1]) / np.sqrt([2, 3])", shapes=[((3, 2),)]),
    case("normalise_channels", "F.group_norm(a, 2, b, c)",
         "n.standard(a.reshape(1, 2, -1), 2).reshape(a.shape) * b[:, None] + c[:, None]",
         shapes=[((1, 4, 2), (4,), (4,))]),
    case("normalise_channels", "F.instance_norm(a)", "n.standard(a, -1)", shapes=[((2, 2, 3),)]),
    case("rsqrt", "F.rms_norm(a, (3,), b, eps=0.1)", "a / np.sqrt((a * a).mean(-1, keepdims=True) + 0.1) * b",
         shapes=[((2, 3), (3,))]),
    case("vector_norm", "F.normalize(a)", "a / np.sqrt((a * a).sum(1, keepdims=True))", shapes=MATRIX),
    case("vector_norm", "F.cosine_similarity(a, b)", "n.cosine(a, b)",
         shapes=PAIR[:1]),
    case("plus", "F.pairwise_distance(a, b)", "np.sqrt(((a - b + 1e-6) ** 2).sum(1))", shapes=PAIR[:1]),
    case("embedding_of", "F.embedding(ints([[1, 0], [1, 1]]), a)", "a[[[1, 0], [1, 1]]]", shapes=MATRIX),
    case("embedding_of", "F.embedding(ints([1, 0]), a, padding_idx=0)", "a[[1, 0]]", shapes=MATRIX, smooth=False),
    case("matmul", "F.bilinear(a, b, c)", "np.einsum('ni,oij,nj->no', a, c, b)", shapes=[((2, 3), (2, 2), (4, 3, 2))]),
    case("safe_softmax", "F.scaled_dot_product_attention(a, b, c)", "n.softmax(a @ b.mT / np.sqrt(2), -1) @ c",
         shapes=[((1, 2, 2), (1, 3, 2), (1, 3, 2))]),
    case("safe_softmax", "F.scaled_dot_product_attention(a, b, b, enable_gqa=True)",
         "n.softmax(a @ np.repeat(b, 2, 0).mT / np.sqrt(2), -1) @ np.repeat(b, 2, 0)",
         shapes=[((4, 2, 2), (2, 3, 2))]),
    case("safe_softmax", "F.scaled_dot_product_attention(a, a, b, is_causal=True)",
         "n.softmax(np.where(np.tri(3, dtype=bool), a @ a.mT / np.sqrt(2), -1e9), -1) @ b",
         shapes=[((1, 3, 2), (1, 3, 2))]),
    case("max_pool", "F.max_pool2d(a, 2)", "n.pooled(a, (2, 2), (2, 2), (0, 0), np.max, 0)",
         shapes=[*IMAGE, ((2, 1, 2, 5),)]),
    case("max_pool", "F.max_pool2d(a, 3, stride=(1, 2), padding=1)",
         "n.pooled(a, (3, 3), (1, 2), (1, 1), np.max, -np.inf)",
         shapes=IMAGE),
    case("max_pool", "F.max_pool1d(a, 2, 1)", "n.pooled(a, (2,), (1,), (0,), np.max, 0)",
         shapes=[((1, 2, 4),), ((2, 3),)]),
    case("avg_pool", "F.avg_pool2d(a, 2, 1)", "n.pooled(a, (2, 2), (1, 1), (0, 0), np.mean, 0)",
         shapes=[*IMAGE, ((1, 3, 3),)]),
    case("avg_pool", "F.avg_pool2d(a, (2, 3), padding=1)", "n.pooled(a, (2, 3), (2, 3), (1, 1), np.mean, 0)",
         shapes=IMAGE),
    case("max_pool", "F.max_pool2d(a, 2, 1)", "n.pooled(a[None], (2, 2), (1, 1), (0, 0), np.max, 0)[0]",
         shapes=[((2, 3, 3),)]),
    case("avg_pool", "F.avg_pool2d(a, 2, padding=1)", "n.pooled(a[None], (2, 2), (2, 2), (1, 1), np.mean, 0)[0]",
         shapes=[((2, 2, 4),)]),
    case("avg_pool", "F.avg_pool1d(a, 2)", "n.pooled(a, (2,), (2,), (0,), np.mean, 0)", shapes=[((1, 2, 4),)]),
    case("avg_pool", "F.avg_pool2d(a, 3, 2, 1, ceil_mode=True, count_include_pad=False)",
         "n.pooled(np.where(True, a, a), (3, 3), (2, 2), (1, 1), lambda w, d: np.nanmean(w, d), np.nan)",
         shapes=[((1, 1, 3, 3),)]),
    case("adaptive_avg_pool", "F.adaptive_avg_pool2d(a, (2, 3))", "n.adaptive(a, (2, 3))",
         shapes=[*IMAGE, ((1, 3, 5),)]),
    case("mean", "F.adaptive_avg_pool2d(a, 1)", "a.mean((-2, -1), keepdims=True)", shapes=IMAGE),
    case("columns", "F.unfold(a, 2)",
         "np.stack([a[:, :, i : i + 2, j : j + 2].reshape(1, -1) for i, j in np.ndindex(3, 3)], 2)",
         shapes=IMAGE),
    case("image", "F.fold(a, (2, 2), (1, 2))", "a.mT.reshape(1, 1, 2, 2)", shapes=[((1, 2, 2),)]),
    case("transposed_convolution", "F.conv_transpose2d(a, b, c, stride=2, padding=1)",
         "n.conv_transpose(a, b, c, 2, 1)",
         shapes=[((1, 2, 2, 3), (2, 1, 2, 2), (1,))]),
    case("transposed_convolution", "F.conv_transpose2d(a, b, c, stride=2, groups=2)",
         "np.concatenate([n.conv_transpose(a[:, i : i + 1], b[i : i + 1], c[i : i + 1], 2) for i in range(2)], 1)",
         shapes=[((1, 2, 2, 2), (2, 1, 2, 2), (2,))]),
    case("transposed_convolution", "F.conv_transpose1d(a, b)", "n.conv_transpose(a, b)",
         shapes=[((2, 1, 3), (1, 2, 2))]),
    case("constant_pad", "F.pad(a, (1, 2), value=3.0)", "np.pad(a, ((0, 0), (1, 2)), constant_values=3.0)",
         shapes=MATRIX),
    case("constant_pad", "F.pad(a, (-1, 0, 0, 1))", "np.pad(a[:, 1:], ((0, 1), (0, 0)))", shapes=MATRIX),
    *[case("pad_from_inside", f"F.pad(a, (2, 1), mode='{mode}')",
           f"np.pad(a, ((0, 0), (0, 0), (2, 1)), mode='{numpys}')",
           shapes=[((1, 2, 3),)])
      for mode, numpys in (("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap"))],
    case("clamp_min_number", "F.hinge_embedding_loss(a, floats([[1, -1, 1]] * 2))",
         "np.where(floats([[1, -1, 1]] * 2) == 1, a, np.maximum(1 - a, 0)).mean()", shapes=MATRIX),
    case("clamp_min_number", "F.margin_ranking_loss(a, b, floats([[1, -1, 1]] * 2), 0.2)",
         "np.maximum(-floats([1, -1, 1]) * (a - b) + 0.2, 0).mean()", shapes=PAIR[:1]),
    case("soft_margin", "F.soft_margin_loss(a, floats([[1, -1, 1]] * 2))",
         "np.log1p(np.exp(-floats([1, -1, 1]) * a)).mean()", shapes=MATRIX),
    *[case("multi_margin", f"F.multi_margin_loss(a, ints([2, 0]), p={p}, margin=6)",
           f"n.margins(a, [2, 0], 6, {p})", shapes=MATRIX,
           torch=f"((6 + a - a.gather(1, ints([[2], [0]]))) * ints([[1, 1, 0], [0, 1, 1]])).pow({p}).mean()")
      for p in (1, 2)],
    case("log_sigmoid", "F.multilabel_soft_margin_loss(a, floats([[1, 0, 1]] * 2))",
         "np.log1p(np.exp(-np.array([1, -1, 1]) * a)).mean()", shapes=MATRIX),
    case("log", "F.gaussian_nll_loss(a, b, c)", "(np.log(c) + (a - b) ** 2 / c).mean() / 2",
         shapes=[((2, 3), (2, 3), (2, 3))],
         c=POSITIVE),
    case("exp", "F.poisson_nll_loss(a, b)", "(np.exp(a) - a * b).mean()", shapes=PAIR[:1], b=POSITIVE),
    case("exp", "F.poisson_nll_loss(a, b, size_average=False)", "(np.exp(a) - a * b).sum()", shapes=PAIR[:1],
         b=POSITIVE),
    case("log", "F.poisson_nll_loss(a, b, log_input=False, eps=0)", "(a - b * np.log(a)).mean()",
         shapes=PAIR[:1], a=POSITIVE, b=LARGE),
    case("minus", "F.cosine_embedding_loss(a, b, floats([1, -1]))",
         "([1, 0] + np.array([-1, 1]) * np.maximum(n.cosine(a, b), [-9, 0])).mean()",
         shapes=PAIR[:1], smooth=False),
    case("norm_of_difference", "F.triplet_margin_loss(a, b, c)",
         "np.maximum(1 + np.sqrt(((a - b + 1e-6) ** 2).sum(1)) - np.sqrt(((a - c + 1e-6) ** 2).sum(1)), 0).mean()",
         shapes=[((2, 3), (2, 3), (2, 3))], smooth=False),
]  # fmt: skip

SECOND_RING = SPECIAL + SORTED + REARRANGED + PICKED + LINEAR + NETWORKS
