"""Tensors of random numbers: which way of calling draws which numbers, and what node is recorded, as PyTorch has it."""

import pytest

import minigrad as mg

from .oracle import answer, assert_same, recorded

CALLS = """
m.bernoulli(x)   m.bernoulli(x.t())   m.bernoulli(g)   m.bernoulli(g).sum().backward() or g.grad   m.bernoulli(i)
m.empty(2, 3).bernoulli_(x)   m.zeros(3, 2, 3).bernoulli_(x)
g.bernoulli(generator=m.Generator().manual_seed(3))
m.normal(x, 1.0)   m.normal(2.0, g)   m.normal(g, x)   m.normal(g, x).sum().backward() or g.grad   m.normal(x, -x)
m.normal(g[:, :1], x[0])   m.normal(x.double(), x)   m.normal(i, x[0, :2])   m.normal(x.tile(4, 2), 0.5)
m.normal(0, 0.01, size=(2, 1), requires_grad=True)
m.empty(2, 3).random_(7)   m.zeros(3, dtype=m.uint8).random_(5, 9)   x.t().random_(-5, 6)   x.random_(2, to=9)
(g * 1).random_(4)   (g * 1).random_(4, 6)   i.random_(m.tensor(4))   x.random_(3, 3)
"""
ONE_PROBABILITY = """
m.bernoulli(x, 1)   m.bernoulli(g, p=0.0)   x.bernoulli(1.0)   g.bernoulli(0).sum().backward()   m.bernoulli(i, 1.0)
m.bernoulli(x, 2.0)   m.bernoulli(x, p=1.0, generator=m.Generator())
"""  # for which PyTorch spends other words on Intel processors


def drawn(call: str, counted: bool):
    def question(m):
        m.manual_seed(3)
        x = m.tensor([[0.1, 0.5, 0.9], [1.0, 0.0, 0.4]])
        found = eval(call, {"m": m, "x": x, "g": x.clone().requires_grad_(), "i": m.tensor([0, 1])})
        return [repr(found), counted and m.rand(()).item()]  # the next number tells how many words were spent

    return question


def listed(calls: str) -> list:
    return [call.strip() for line in calls.strip().split("\n") for call in line.split("   ")]


QUESTIONS = {call: drawn(call, calls is CALLS) for calls in (CALLS, ONE_PROBABILITY) for call in listed(calls)}


def without_the_plea(found):
    """PyTorch asks for better messages at the end of some."""
    if isinstance(found, dict):
        found["raises"][1] = found["raises"][1].partition("  (Could this")[0]
    return found


@pytest.mark.parametrize("call", QUESTIONS)
def test_the_numbers_and_the_node_are_pytorchs(call):
    assert_same(answer(QUESTIONS[call], mg), without_the_plea(recorded("sampling")[call]))


def test_a_tensor_of_probabilities_is_for_the_method_in_place():
    with pytest.raises(TypeError, match=r"argument 'p' must be a number, not Tensor; x.bernoulli_\(p\) takes a Tensor"):
        mg.bernoulli(mg.ones(2), mg.ones(2))


def test_what_does_not_fit_is_not_drawn():
    for call in (lambda: mg.normal(mg.ones(2), 1.0, (2,)), lambda: mg.normal(0.0, 1.0)):
        with pytest.raises(TypeError, match="two numbers and a size, or Tensors of means or deviations and no size"):
            call()
    with pytest.raises(RuntimeError, match="not all whole numbers from -1 to 255 fit into minigrad.uint8"):
        mg.zeros(2, dtype=mg.uint8).random_(-1, 256)
    for bounds in ((), (1, 2, 3)):
        with pytest.raises(TypeError, match=r"takes one whole number or two: \(to\) or \(low, to\)"):
            mg.zeros(2).random_(*bounds)
    for bounds, said in (((1.5,), "'to' must be int, not float"), (("a", 2), "'from' must be int, not str")):
        with pytest.raises(TypeError, match=said):
            mg.zeros(2).random_(*bounds)
