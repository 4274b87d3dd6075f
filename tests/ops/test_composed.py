"""Functions that are made of others, ops/composed.py and its like: values, first and second derivatives are PyTorch's.

Each row: the expression, and the very inputs, ordinary ones and those where a formula has no one answer.
"""

from math import inf, nan

import numpy as np
import pytest

import minigrad as mg

from ..oracle import answer, assert_same, recorded
from .cases import names
from .test_kinks import identity, study

pytestmark = pytest.mark.filterwarnings("ignore")
A, B = [[1.3, -2.1, 0.4], [2.9, 0.2, -0.8]], [[0.6, 2.5, -1.7], [1.2, 3.9, 1.9]]
S = [[2.0, 0.3, -0.4], [0.5, -1.0, 0.7], [0.1, 0.6, 3.0]]
U, V, Z = [0.5, -1.5, 2.0], [2.0, 1.0, -0.5], [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]
EDGES = [nan, inf, -inf, 0.0]


def each(calls: str, *inputs) -> list:
    """A row for each call; calls are written one below the other, or side by side with several blanks between."""
    return [(call.strip(), *inputs) for line in calls.split("\n") for call in line.split("   ") if call.strip()]


ROWS = [
    *each(
        """
        m.fliplr(a)   a.flipud()   m.rot90(a)   a.rot90(2)   a.rot90(-1, [1, 0])   m.rot90(a, 4)
        m.unflatten(a, 1, (3, 1))   a.unflatten(-2, (1, -1))   m.diagflat(a)   a.diagflat(offset=-1)
        m.tensor_split(a, 2, dim=1)   a.tensor_split((1, 5), 1)   a.hsplit([1])   m.vsplit(a, 2)   m.hsplit(a, 3)
        m.take(a, ints([[0, -1], [3, 3]]))   a.take(ints(2))   m.msort(a)   a.kthvalue(2)   m.kthvalue(a, 1, 0, True)
        m.take_along_dim(a, ints([[0], [2]]), 1)   a.take_along_dim(ints([[1, 0, 1]]), dim=0)
        m.take_along_dim(a, ints([5, 0]))   a.index_fill(1, ints([0, 2]), 7)
        a.index_fill(0, ints([1]), m.tensor(2.0))   a.masked_fill(bools([True, False, True]), 3.0)   m.isposinf(a)
        a.isneginf()   m.angle(a)   m.nansum(a)   a.nansum(1)   m.nanmean(a, 0, keepdim=True)   a.nanmean()   m.cov(a)
        a.corrcoef()   m.cov(a, correction=0)   m.cov(a[0])   m.corrcoef(a[1])   m.cummax(a, 1)   a.cummin(0)
        a.cummax(dim=-1)   m.logcumsumexp(a, 1)   a.logcumsumexp(0)   a.clamp_min(0.25)   m.clamp_max(a, 1.5)
        a.frac()   m.rad2deg(a)   m.deg2rad(a)   a.renorm(2, 0, 2.0)   m.renorm(a, 1, -1, 1.5)   a.float_power(2)
        m.dstack([a, a])   m.vander(a[0].detach())   m.vander(a[0].detach(), 4, increasing=True)
        m.column_stack((a[0], a.T))   m.row_stack((a, a))   m.combinations(a[0])
        m.combinations(a[0], 3, with_replacement=True)   m.atleast_3d(a)   m.atleast_3d(a[0])
        m.cartesian_prod(a[0], a[1])   m.cartesian_prod(a[0])   m.block_diag(a, a[0], a[0][0])
        m.isin(a, floats([1.3, 2.9]))   m.isin(a, floats([1.3]), invert=True)   m.trapezoid(a)
        m.trapezoid(a, dx=0.5, dim=0)   m.cumulative_trapezoid(a)   m.cumulative_trapezoid(a, dim=0)   a.signbit()
        m.sinc(a)   m.erfc(a)   a.nan_to_num()   m.logit(a / 8 + 0.5)   a.logit(eps=0.3)   m.xlogy(a, 2.0)
        m.xlogy(3, a * a)   a.fmod(0.75)   a.copysign(-2.0)   a.lerp(a * a, 0.3)   m.real(a + 1j)   m.imag(a * 1j)
        m.vstack((a[0], a))   a.split_with_sizes([1, 2], 1)   a.positive()   a.where(a > 0, -a)
        a.view_as(m.zeros(3, 2))   a.expand_as(m.zeros(2, 2, 3))   a.reshape_as(m.zeros(6))   m.linalg.svdvals(a)
        m.linalg.eigvalsh(a @ a.T)   m.linalg.multi_dot([a, a.T, a])   m.special.erfc(a)
        """,
        A,
    ),
    *each(
        """
        m.hypot(a, b)   m.logaddexp(a, b)   a.logaddexp2(b)   m.fmax(a, b)   a.fmin(b)   m.xlogy(a, b * b)
        m.fmod(a, b)   m.copysign(a, b)   m.lerp(a, b, 0.7)   a.lerp(b, a * b)   m.addcmul(a, b, a, value=2)
        a.addcdiv(b, a, value=0.5)   m.isclose(a, b)   a.isclose(a + 1e-9)   m.inner(a, b)   m.kron(a, b)
        m.vdot(a[0], b[1])   m.addmv(a[:, 0], b, a[0])   m.addr(a, b[:, 0], a[0], beta=0.5, alpha=2)
        m.baddbmm(a[None], b[None], S3, alpha=2)   m.dist(a, b)   m.dist(a, b, 3)   m.linalg.cross(a, b)
        m.addbmm(a, b[None], S3, beta=2)   m.chain_matmul(a, b.T, a)   m.trapezoid(a, b)   m.trapezoid(a, b[0])
        m.cumulative_trapezoid(a, b[:, 0], dim=0)   m.float_power(a * a, b)   m.cosine_similarity(a, b)
        F.cosine_similarity(a, b, dim=0, eps=1e-6)   F.pairwise_distance(a, b)
        m.pairwise_distance(a, b, p=1.0, keepdim=True)   a.index_copy(0, ints([1, 0]), b)
        a.index_copy(1, ints([2]), b[:, :1])   a.masked_scatter(bools([True, False, True]), b)
        m.masked_scatter(a, a > b, b)   m.equal(a, b) * a   changed(a * 1, lambda x: x.index_fill_(1, ints([0]), 2.0))
        changed(a * 1, lambda x: x.index_copy_(0, ints([0]), b[:1]))
        changed(a * 1, lambda x: x.masked_scatter_(x > 1, b))   changed(a * 1, lambda x: x.lerp_(b, 0.25))
        changed(a * 1, lambda x: x.addcmul_(a, b))   changed(a * 1, lambda x: x.hypot_(b))
        changed(a * 1, lambda x: x.clamp_min_(0.5))
        """.replace("S3", f"floats([{S}])"),
        A,
        B,
    ),
    *each(
        """
        m.slogdet(a)   m.logdet(a @ a.T)   m.linalg.slogdet(a)   m.matrix_power(a, 3)   a.matrix_power(-2)
        m.matrix_power(a, 1)   m.matrix_power(a, 0)   m.linalg.slogdet(a + 1j * a.T)[1]   m.linalg.matrix_power(a, 2)
        """,
        S,
    ),
    *each(
        """
        F.relu6(a)   F.hardsigmoid(a.detach())   F.hardswish(a)   F.selu(a)   F.celu(a)   F.celu(a, 2)   F.mish(a)
        F.softsign(a)   F.threshold(a, 0.5, 3.0)   F.tanhshrink(a)   F.hardshrink(a)   F.hardshrink(a, 1.0)
        F.softshrink(a, 0.3)   F.prelu(a, floats([0.3]))   F.prelu(a, floats([0.3, 0.2, 0.1]))   F.softmin(a, 1)
        F.softmin(a, dim=0)   F.glu(m.cat([a, a * a]), 0)   F.glu(a.T)   F.normalize(a)   F.normalize(a, p=1.0, dim=0)
        F.logsigmoid(a)   changed(a * 1, lambda x: F.selu(x, inplace=True))
        changed(a * 1, lambda x: F.threshold(x, 0.5, 3.0, inplace=True))
        F.soft_margin_loss(a, floats([[1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]]))
        F.multilabel_soft_margin_loss(a, floats([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]), reduction='none')
        F.multilabel_soft_margin_loss(a, floats([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]), floats([1.0, 2.0, 3.0]))
        F.hinge_embedding_loss(a, ints([[1, -1, 1], [-1, 1, -1]]), margin=0.7)
        """,
        A,
    ),
    *each(
        """
        F.kl_div(a, b * b)   F.kl_div(a, b, log_target=True, reduction='sum')
        F.kl_div(a, b * b, reduction='batchmean')   F.kl_div(a, b * b, reduction='none')
        F.poisson_nll_loss(a, b * b)   F.poisson_nll_loss(a * a, b * b, False, True)
        F.margin_ranking_loss(a, b, ints([[1, -1, 1], [1, 1, 1]]), 0.5, reduction='sum')   F.prelu(a, b[0])
        F.cosine_embedding_loss(a, b, ints([1, -1]), margin=-0.5)   F.cosine_embedding_loss(a, b, ints([-1, -1]))
        F.triplet_margin_loss(a, b, a * b)   F.triplet_margin_loss(a, b, a * b, 5.0, p=1, reduction='none')
        F.triplet_margin_loss(a, b, a * b, margin=3.0, swap=True, reduction='sum')
        """,
        A,
        B,
    ),
    # where a formula has no one answer
    *each(
        "m.hypot(a, b)   m.fmax(a, b)   m.fmin(a, b)   m.dist(a, b)   m.copysign(a, b)",
        Z,
        [-2.0, 1.0, 0.0, 0.0, -1.0, 2.0],
    ),
    *each(
        "m.fmax(a, b)   m.fmin(a, b)   m.logaddexp(a, b)   m.xlogy(a, b)", [nan, 1.0, inf, -inf], [1.0, nan, inf, -inf]
    ),
    *each("m.xlogy(a, b)", [0.0, 0.0, 1.0, 0.0, 0.0], [0.0, -1.0, 0.0, nan, inf]),
    *each(
        "m.cosine_similarity(a, b, 1)   F.pairwise_distance(a, b)", [[0.0, 0.0], [1.0, 2.0]], [[1.0, 2.0], [1.0, 2.0]]
    ),
    *each(
        "m.erfc(a)   m.sinc(a)   m.frac(a)   a.clamp_min(0)   a.clamp_max(1)   a.fmod(2)   a.logit()   a.logit(0.25)", Z
    ),
    *each("a.nan_to_num()   a.nan_to_num(1.0, 2.0, 3.0)   a.nansum()   a.nanmean()   m.angle(a)   m.signbit(a)", EDGES),
    *each("m.cummax(a, 0)   m.cummin(a, 0)", [1.0, 3.0, 3.0, 2.0, nan, 5.0]),
    *each("m.msort(a)   m.logcumsumexp(a, 0)", [1.0, 1.0, 0.5, 1.0]),
    *each("m.logcumsumexp(a, 0)", [-inf, 0.0, 800.0]),
    *each("m.nansum(a)   m.nanmean(a)   m.erfc(a)   a.frac()   m.nansum(a, 0)   m.angle(a)   m.msort(a)", []),
    *each(
        "m.erfc(a)   m.angle(a)   a.frac()   a.take(ints([0, 0]))   m.atleast_3d(a)   m.diagflat(a)   m.isneginf(a)",
        1.5,
    ),
    *each("F.relu6(a)   F.hardswish(a)", [-3.0, 0.0, 3.0, 6.0]),
    *each("F.relu6(a)   F.hardsigmoid(a.detach())", [nan, inf, -inf]),
    *each("F.selu(a)   F.celu(a)   F.celu(a, 0.5)   F.mish(a)   F.softsign(a)   F.tanhshrink(a)", [0.0, -800.0, 800.0]),
    *each("F.hardshrink(a)   F.softshrink(a)   F.threshold(a, 0.5, 2.0)", [-0.5, 0.0, 0.5, 1.0, nan, inf]),
    *each("F.hardshrink(a, 0)   F.softshrink(a, 0)", Z),
    *each("F.logsigmoid(a)   F.celu(a)   F.selu(a)", [0.0, -800.0, 800.0, -inf, inf]),
    *each("F.normalize(a)   F.normalize(a, p=1.0, dim=0)", [[0.0, 0.0], [3.0, 4.0]]),
    *each("F.kl_div(a, b)", [-1.0, -2.0, 0.5], [0.0, 0.5, 1.0]),
    *each(
        "F.margin_ranking_loss(a, b, ints([1, 1, -1]))   F.triplet_margin_loss(a, b, b)",
        [1.0, 2.0, 3.0],
        [1.0, 3.0, 3.0],
    ),
    *each("F.hinge_embedding_loss(a, ints([1, -1, -1]))", [0.0, 1.0, 2.0]),
    *each("F.relu6(a)   F.mish(a)   F.celu(a)   F.softshrink(a)   F.logsigmoid(a)   F.softsign(a)", 1.5),
    *each("F.relu6(a)   F.mish(a)   F.celu(a)   F.softshrink(a)   F.logsigmoid(a)   F.softsign(a)", []),
    *each("m.logdet(a)   m.slogdet(a)[1]", [[1.0, 2.0], [3.0, 4.0]]),
]
ONCE = [  # where PyTorch has no second derivative, or another one at 0 than beside it
    *each("m.cdist(a, b)   m.cdist(a, b, p=1.0)   m.cdist(a, a)", A, B),
    *each("F.prelu(a, b)", [-1.0, 0.0, 2.0, inf], [0.25]),
    *each("F.celu(a)   F.selu(a)   F.mish(a)   F.logsigmoid(a)", [-3.0, 0.0, 3.0, nan, inf, -inf]),
]
QUESTIONS = {identity(row): study(*row) for row in ROWS} | {identity(row): study(*row, order=1) for row in ONCE}
ASKED = {identity(row): row for row in ROWS if row[1] in (A, S)}
SMOOTH = [row for id, row in ASKED.items() if any(recorded("composed").get(id, {}).get("requires grad", ()))]


@pytest.mark.parametrize("id", QUESTIONS)
def test_values_and_derivatives_are_pytorchs(id):
    ours, theirs = answer(QUESTIONS[id], mg), recorded("composed")[id]
    if theirs.get("second") and "nan" in str(theirs["second"]):  # there ours may know more, and may know it exactly
        ours["second"] = theirs["second"]
    assert_same(ours, theirs)


@pytest.mark.parametrize("row", SMOOTH, ids=identity)
def test_gradients_are_the_differences(row):
    expression, *arrays = row
    call = eval(f"lambda {', '.join('ab'[: len(arrays)])}: {expression}", names(mg))
    inputs = [mg.tensor(np.array(x), requires_grad=True) for x in arrays]
    assert mg.autograd.gradcheck(call, inputs, check_forward_ad=True)


def test_no_two_rows_ask_the_same():
    assert len(QUESTIONS) == len(ROWS) + len(ONCE)


def test_weights_are_counted_in_double_unless_they_are_single():
    places = mg.tensor([2, 0, 2])
    for kind, counted in {"float16": "float64", "float32": "float32", "float64": "float64", "int32": "float64"}.items():
        found = mg.bincount(places, mg.tensor([1, 2, 3]).to(getattr(mg, kind)), minlength=4)
        assert (found.tolist(), found.dtype) == ([2, 0, 4, 0], getattr(mg, counted))
    assert places.bincount().tolist() == [1, 0, 2] and places.bincount().dtype is mg.int64
