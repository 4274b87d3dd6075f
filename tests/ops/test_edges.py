"""Nothing at all, integers, missing values and bad arguments: what PyTorch answers, in the same words."""

import math

import numpy as np
import pytest

import minigrad as mg

from ..oracle import answer, assert_same, recorded

CALLS = """
m.special.softmax(t(1., 2.), 0)   m.special.softmax(t(1, 2), 0, dtype=m.float64)   m.special.logsumexp(t(1., 2.), 0)
m.special.expit(t(1, 2))
t(1., 2.) ** np.float64(2)   np.float64(2) ** t(1., 2.)   t(1., 2.).clamp(np.float64(1.5))   t(1., 2.) % np.float64(2)
m.nn.functional.leaky_relu(t(-1.), np.float64(0.5))   t(True, False).square().dtype   t(2, 3).byte().cumprod(0).dtype
t(2, 3).byte().fill_(-1)   t(2, 3).byte().fill_(300)   t(2, 3).fill_(1j)
t(2, 3).fill_(2.7)
m.full((2,), -1, dtype=m.uint8)   m.full((2,), 300, dtype=m.uint8)   -3 - t(2, 3).byte()   t(7, 8).byte() % -3
t(7, 8).byte() // -3   t(2, 3).byte() ** -1
t(7, 8).byte().masked_fill(t(True, False), -1)
m.add(t(True), t(True), alpha=2)
m.addmm(m.ones(1, 1).long(), m.ones(1, 2).long(), m.ones(2, 1).long(), alpha=2.5)
t(1.) - True   m.maximum(t(1.), 2)
m.atan2(t(1.), 2)
m.logical_and(t(True), True)   t(1.) + 2
m.bitwise_not(t(1.))   ~t(1.)   m.logsumexp(t(1.))
t(1j) // 2   t(1j) % 2   m.erf(t(1j))   t(1.) < 1j
m.dist(t(True), t(2.))
"""
CALLS = [call.strip() for line in CALLS.strip().split("\n") for call in line.split("   ")]


def called(call: str):
    def question(m):
        return repr(
            eval(call, {"m": m, "np": np, "t": lambda *numbers: m.tensor(numbers), "nan": math.nan, "inf": math.inf})
        )

    return question


QUESTIONS = {call: called(call) for call in CALLS}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", QUESTIONS)
def test_the_answer_is_pytorchs(call):
    ours = answer(QUESTIONS[call], mg)
    if "raises" in ours:  # ours goes on
        ours["raises"][1] = ours["raises"][1].partition("\n")[0]
    assert_same(ours, recorded("edges")[call])


def test_a_condition_of_bytes_is_true_wherever_it_is_not_zero():
    a, b = mg.tensor([1.0, 2.0], requires_grad=True), mg.tensor([3.0, 4.0], requires_grad=True)
    chosen = mg.where(mg.tensor([2, 0], dtype=mg.uint8), a, b)
    chosen.sum().backward()
    assert [x.tolist() for x in (chosen, a.grad, b.grad)] == [[1.0, 4.0], [1.0, 0.0], [0.0, 1.0]]


def test_a_size_that_no_sum_leads_to():
    with pytest.raises(RuntimeError, match=r"size \{\[2\]\} is not expandable to size \{\[3\]\}"):
        mg.ones(3).sum_to_size(2)
