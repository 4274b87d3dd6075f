"""Formulas are read from the rules' own source, where there is one."""

import minigrad as mg
from minigrad.autograd.op import op


def test_a_formula_is_the_source_of_its_rule():
    assert mg.sin.op.derivative("a") == "∂out/∂a = cos(a)"
    assert mg.matmul.op.derivative("a").startswith("∂L/∂a = g @ b.mT")


def test_a_rule_without_a_file_says_so():
    typed = eval("op(lambda a: a * 2, elementwise=True, a=lambda g: g * 2)", {"op": op})
    assert typed.op.derivative("a") == "∂L/∂a: the rule has no source to read"
