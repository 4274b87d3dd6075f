"""Dual tensors: how they are printed, and that a tangent has its value's type."""

import pytest

import minigrad as mg

from ..oracle import answer, assert_same, recorded


def printed(change):
    def question(m):
        fa = m.autograd.forward_ad
        with fa.dual_level():
            dual = change(m, fa.make_dual(m.tensor([1.0, 2.0]), m.tensor([3.0, 4.0])))
            inside = [repr(dual), repr(fa.unpack_dual(dual).primal)]
        return [*inside, repr(dual)]

    return question


QUESTIONS = {
    "as it is": printed(lambda m, dual: dual),
    "long": printed(lambda m, dual: m.cat([dual] * 12)),
    "in another type": printed(lambda m, dual: dual.double()),
    "in another type and back": printed(lambda m, dual: (dual.double() * dual).half()),
    "the real part of a complex one": printed(lambda m, dual: dual.to(m.complex64).real),
    "a constant": printed(lambda m, dual: m.ones(2)),
    "cut off": printed(lambda m, dual: dual.detach()),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_prints(name):
    assert_same(answer(QUESTIONS[name], mg), recorded("forward_ad")[name])
