"""Ties, kinks and borders of the second ring: PyTorch's conventions, asked of PyTorch itself."""

from math import inf, nan

import numpy as np
import pytest

import minigrad as mg

from ..oracle import answer, assert_same, derivatives, judge
from .cases import names

ROWS = [
    ("m.clamp_min(a, 0)", [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]),
    ("m.clamp_min(a, b)", [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("m.clamp_max(a, b)", [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("m.clamp_max(a, 0)", [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]),
    ("F.hardtanh(a)", [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]),
    ("F.hardswish(a)", [-3.0, 3.0, 0.0, -4.0, 5.0]),
    ("F.softshrink(a, 1.)", [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]),
    ("F.hardshrink(a, 1.)", [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]),
    ("F.threshold(a, 1., 5.)", [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]),
    ("F.selu(a)", [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]),
    ("F.celu(a)", [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]),
    ("F.logsigmoid(a)", [0.0, -800.0, 800.0]),
    ("F.softsign(a)", [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]),
    ("m.cummax(a, 0)", [1.0, 1.0, 0.0, 1.0, 2.0]),
    ("m.cummin(a, 0)", [1.0, 1.0, 0.0, 0.0, 2.0]),
    ("m.cummax(a, 0)", [1.0, nan, 2.0, 3.0]),
    ("m.cummin(a, 0)", [1.0, nan, 0.0, 3.0]),
    ("m.median(a)", [1.0, 2.0, 2.0, 3.0]),
    ("m.median(a)", [1.0, nan, 2.0]),
    ("m.nanmedian(a)", [1.0, nan, 2.0, 5.0]),
    ("m.nanmedian(a, 0)", [1.0, nan, 2.0, 5.0]),
    ("m.median(a, 0)[0]", [1.0, nan, 2.0, 5.0]),
    ("m.nanmedian(a)", [nan, nan]),
    ("m.sort(a)", [2.0, nan, 1.0]),
    ("m.sort(a, descending=True)", [2.0, nan, 1.0]),
    ("m.topk(a, 2)[0]", [2.0, nan, 1.0]),
    ("m.sort(a, stable=True)", [1.0, 0.0, 1.0, 0.0]),
    ("m.sort(a, stable=True, descending=True)", [1.0, 0.0, 1.0, 0.0]),
    ("m.cumprod(a, 0)", [2.0, 0.0, 3.0, 0.0, 1.0]),
    ("m.cumprod(a, 0)", [2.0, 0.0, 3.0]),
    ("m.logcumsumexp(a, 0)", [-800.0, 800.0, 0.0]),
    ("m.xlogy(a, b)", [0.0, 0.0, 0.0, 1.0, 0.0], [0.0, -1.0, nan, 0.0, 2.0]),
    ("m.logit(a)", [0.0, 1.0, 0.5, -1.0, 2.0]),
    ("m.logit(a, .1)", [0.0, 1.0, 0.5, 0.1, 0.9]),
    ("m.logaddexp(a, b)", [800.0, -800.0, -inf, inf], [-800.0, -800.0, -inf, inf]),
    ("m.nan_to_num(a)", [nan, inf, -inf, 1.0]),
    ("m.frac(a)", [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]),
    ("m.erfc(a)", [0.0, -9.0, 9.0, 30.0]),
    ("m.dist(a, b, inf)", [1.0, 2.0], [0.0, 1.0]),
    ("m.dist(a, b, 1)", [1.0, 2.0], [1.0, 3.0]),
    ("F.max_pool1d(a[None], 2)[0]", [1.0, 1.0, 3.0, 3.0]),
    ("F.max_pool1d(a[None], 2)[0]", [1.0, nan, 3.0, 3.0]),
    ("m.linalg.det(a.reshape(2, 2))", [1.0, 2.0, 2.0, 4.0]),
    ("m.linalg.matrix_norm(a.reshape(2, 2), 1)", [1.0, 1.0, 2.0, -2.0]),
    ("m.isclose(a, b)", [1.0, nan, inf], [1.000001, nan, inf]),
    ("m.lerp(a, b, .5)", [inf, 1.0], [1.0, inf]),
    ("m.aminmax(a)", [1.0, 1.0, 0.0, 0.0]),
    ("F.hinge_embedding_loss(a, floats([1, -1, -1.]))", [1.0, 1.0, 2.0]),
    ("F.soft_margin_loss(a, floats([1, -1, 1.]))", [-800.0, 800.0, 0.0]),
    ("F.gaussian_nll_loss(a, b, c)", [1.0, 1.0], [1.0, 2.0], [0.0, 1.0]),
    ("F.poisson_nll_loss(a, b, full=True)", [1.0, 1.0, 2.0], [0.0, 1.0, 3.0]),
    ("F.glu(a)", [0.0, 1.0, 800.0, -800.0]),
    ("m.addcdiv(a, b, c)", [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]),
    ("m.cross(a, b)", [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]} at {row[1]}" for row in ROWS])
def test_the_convention_is_pytorchs(row):
    expression, *inputs = row
    arrays = [np.array(x) for x in inputs]

    def question(m):
        return derivatives(m, eval(f"lambda {', '.join('abc'[: len(arrays)])}: {expression}", names(m)), arrays)

    assert_same(answer(question, mg), answer(question, judge()))
