"""Formulas are read from the rules' own source, where there is one."""

import pytest

import minigrad as mg
from minigrad import ops
from minigrad.core.row import op

from ..private import PRIVATE


def test_a_formula_is_the_source_of_its_rule():
    assert mg.sin.op.derivative("a") == "∂out/∂a = cos(a)"
    assert mg.matmul.op.derivative("a") == "∂L/∂a = g @ bᵀ"


def test_a_rule_without_a_file_says_so():
    typed = eval("op(lambda a: a * 2, elementwise=True, a=lambda g: g * 2)", {"op": op})
    assert typed.op.derivative("a") == "∂L/∂a: the rule has no source to read"


@pytest.mark.parametrize("name", ops.rows)
def test_no_helper_of_the_tables_stands_in_a_formula(name):
    op = ops.rows[name].op
    for one in op.inputs:
        assert not PRIVATE.search(op.derivative(one)), op.derivative(one)


def test_a_helper_is_written_out():
    assert ops.rows["elu"].op.derivative("a") == "∂out/∂a = where(a <= 0, alpha * exp(where(a >= 0, 0, a)), 1)"
    assert ops.rows["silu"].op.derivative("a") == "∂out/∂a = sigmoid(a) * (1 + a * (1 - sigmoid(a)))"
    assert ops.rows["reshape_to"].op.derivative("a") == "∂L/∂a = g in the shape of a"
