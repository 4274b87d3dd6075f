"""Ties, kinks and borders of the less common rows: PyTorch's conventions, asked of PyTorch itself."""

from math import nan

import numpy as np
import pytest

import minigrad as mg

from ..oracle import answer, assert_same, derivatives, judge
from .cases import names

ROWS = [
    ("F.hardtanh(a)", [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]),
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
    ("m.dist(a, b, inf)", [1.0, 2.0], [0.0, 1.0]),
    ("m.dist(a, b, 1)", [1.0, 2.0], [1.0, 3.0]),
    ("m.linalg.det(a.reshape(2, 2))", [1.0, 2.0, 2.0, 4.0]),
    ("m.cross(a, b)", [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]} at {row[1]}" for row in ROWS])
def test_the_convention_is_pytorchs(row):
    expression, *inputs = row
    arrays = [np.array(x) for x in inputs]

    def question(m):
        return derivatives(m, eval(f"lambda {', '.join('abc'[: len(arrays)])}: {expression}", names(m)), arrays)

    assert_same(answer(question, mg), answer(question, judge()))
