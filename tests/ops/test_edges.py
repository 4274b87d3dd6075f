"""Nothing at all, integers, missing values and bad arguments: what PyTorch answers, in the same words."""

import math

import pytest

import minigrad as mg

from ..oracle import answer, assert_same, recorded

CALLS = """
m.mode(t(3., 1., 3., 1., 2.))   m.mode(m.tensor([[1, 1, 2, 2, 2], [5, 4, 5, 4, 4]]), 0)   m.mode(m.tensor(2.))
m.mode(m.zeros(0))   m.mode(m.zeros(0, 2))   m.mode(m.zeros(2, 0))   m.mode(m.zeros(2, 0), 0)
m.mode(t(True, False, True))   m.mode(t(2., 1., 1.), keepdim=True)   m.mode(t(1.), 2)   t(1, 1).mode()
m.quantile(t(1, 2), 0.5)   m.quantile(t(1., 2.), 2)   m.quantile(t(1., 2.), 1.5)   m.quantile(t(1., 2.), t(1.5))
m.quantile(t(1., 2.), m.tensor([[0.5]]))   m.quantile(t(1., 2.), t(0.5).double())   m.quantile(m.tensor([]), 0.5)
m.quantile(m.zeros(2, 0), 0.5, 0)   m.quantile(t(1., 2.), 0.5, interpolation='foo')   m.quantile(t(1., 2.), 0.5, 3)
m.quantile(m.tensor(1.), t(0.5, 0.2), keepdim=True)   m.quantile(m.ones(2, 3), t(0.5, 0.2), keepdim=True)
m.quantile(m.ones(2, 3), t(0.5, 0.2), 1, keepdim=True)   m.quantile(m.ones(2, 3), m.tensor([]), 1, keepdim=True).shape
m.quantile(m.ones(2, 3).half(), 0.5)   m.quantile(t(1., nan), 0.)
m.quantile(t(1., nan), 0.5, interpolation='midpoint')   m.nanquantile(t(nan, nan), 0.)
m.nanquantile(m.tensor([[nan, 1.], [3., 5.]]), 0.5, 1)   m.nanquantile(t(1, 2), 0.5)
m.quantile(m.tensor([[3., 1.], [nan, 5.]]), t(0., 1.), 1)   t(1., 2., 4.).quantile(0.5)   t(1., nan).nanquantile(0.5)
m.quantile(m.tensor(2.), 0.5, 0)   m.quantile(m.tensor(2.), 0.5, 0, keepdim=True)
m.quantile(t(0., 1.), 0.5, interpolation='nearest')   m.vdot(m.ones(2, 2), m.ones(2))   m.vdot(m.ones(3), m.ones(2))
m.vdot(m.ones(3), m.ones(3).double())   m.vdot(t(1, 2), t(3, 4))   t(1j, 2).vdot(t(1, 1j))   m.rsub(t(True), t(True))
m.rsub(t(True), 1)   m.rsub(t(1.), t(True))   m.rsub(t(1, 2), 1, alpha=2)   m.rsub(t(1, 2), 1, alpha=2.5)
m.rsub(t(1, 2), t(0.5))   m.rsub(t(1., 2.), t(3., 5.), alpha=2)   m.cdist(m.ones(3), m.ones(2, 3))
m.cdist(m.ones(2, 3), m.ones(3))   m.cdist(m.ones(2, 3), m.ones(2, 4))   m.cdist(m.ones(2, 3), m.ones(2, 3), p=-1)
m.cdist(m.ones(2, 3).long(), m.ones(2, 3).long())   m.cdist(m.ones(2, 3), m.ones(2, 3).double())
m.cdist(m.ones(2, 3), m.ones(2, 3), compute_mode='x')   m.cdist(m.tensor([[1., 2.]]), m.tensor([[1., 3.]]), p=0)
m.cdist(m.ones(2, 0), m.ones(3, 0))   m.cdist(m.ones(0, 2), m.ones(3, 2))
m.cdist(m.ones(2, 3), m.zeros(2, 3), p=inf)
"""
CALLS = [call.strip() for line in CALLS.strip().split("\n") for call in line.split("   ")]


def called(call: str):
    def question(m):
        return repr(eval(call, {"m": m, "t": lambda *numbers: m.tensor(numbers), "nan": math.nan, "inf": math.inf}))

    return question


NODES = ("m.vdot(x, y)", "m.rsub(x, y)", "m.rsub(x, 2)", "m.mode(x)[0]", "m.cdist(w, w)")


def node(call: str):
    """The name of a node, and which tensors it saved."""

    def question(m):
        x, y = m.tensor([1.0, 2.0], requires_grad=True), m.tensor([3.0, 4.0], requires_grad=True)
        found = eval(call, {"m": m, "x": x, "y": y, "w": m.stack([x, y])}).grad_fn
        saved = [name for name in dir(found) if name.startswith("_saved_")]
        return [found.name(), sorted(name for name in saved if hasattr(getattr(found, name), "detach"))]

    return question


QUESTIONS = {call: called(call) for call in CALLS} | {f"node of {call}": node(call) for call in NODES}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", QUESTIONS)
def test_the_answer_is_pytorchs(call):
    assert_same(answer(QUESTIONS[call], mg), recorded("edges")[call])


def test_a_fraction_that_is_no_number_is_refused():
    with pytest.raises(TypeError, match="argument 'q' must be Tensor or float, not list"):
        mg.quantile(mg.tensor([1.0, 2.0]), [0.5])
