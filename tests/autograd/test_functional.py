"""Jacobians, Hessians and their products with vectors: against PyTorch's answers, and against each other."""

import numpy as np
import pytest

import minigrad
from minigrad.autograd import functional
from tests.oracle import answer, judge, recorded


def cube(x):
    return (x**3).sum()


CASES = {
    "jacobian": lambda F, x, y: F.jacobian(lambda x: x.exp(), x),
    "jacobian of a number": lambda F, x, y: F.jacobian(lambda x: x.sum(), x),
    "jacobian with a graph": lambda F, x, y: F.jacobian(lambda x: x.exp(), y, create_graph=True),
    "jacobian of tuples": lambda F, x, y: F.jacobian(lambda x, y: (x.exp() * y, x.sum()), (x, y)),
    "jacobian of a tuple of one": lambda F, x, y: F.jacobian(lambda x: (x * 2,), (x,)),
    "jacobian vectorized": lambda F, x, y: F.jacobian(lambda x, y: (x.exp() * y, x.sum()), (x, y), vectorize=True),
    "jacobian of no tensor": lambda F, x, y: F.jacobian(lambda x: 3, x),
    "jacobian of a tuple with no tensor": lambda F, x, y: F.jacobian(lambda x: (x, 3), x),
    "jacobian at a list": lambda F, x, y: F.jacobian(lambda x: x, [x]),
    "hessian": lambda F, x, y: F.hessian(cube, y),
    "hessian with a graph": lambda F, x, y: F.hessian(cube, y, create_graph=True),
    "hessian of tuples": lambda F, x, y: F.hessian(lambda x, y: (x**3 * y).sum(), (x, y)),
    "hessian vectorized": lambda F, x, y: F.hessian(cube, y, vectorize=True),
    "hessian of a vector": lambda F, x, y: F.hessian(lambda x: x, y),
    "hessian of a tuple": lambda F, x, y: F.hessian(lambda x: (x.sum(),), y),
    "vjp": lambda F, x, y: F.vjp(lambda x: x.exp(), y, y),
    "vjp of a number": lambda F, x, y: F.vjp(cube, y),
    "vjp with a graph": lambda F, x, y: F.vjp(lambda x: x.exp(), y, y, create_graph=True),
    "vjp of tuples": lambda F, x, y: F.vjp(lambda x, y: (x * y, x.sum()), (x, y), (x, x.sum())),
    "vjp unused": lambda F, x, y: F.vjp(lambda x, y: x * 2, (x, y), x),
    "vjp without v": lambda F, x, y: F.vjp(lambda x: x.exp(), y),
    "vjp with two v": lambda F, x, y: F.vjp(lambda x: x.exp(), (y,), (y, y)),
    "vjp with a short v": lambda F, x, y: F.vjp(lambda x: x.exp(), (y,), y[:1]),
    "vjp of a tuple with a short v": lambda F, x, y: F.vjp(lambda x: (x, x), y, (y, y[:1])),
    "vjp of a tuple with one v": lambda F, x, y: F.vjp(lambda x: (x, x), y, y),
    "vjp at no tensor": lambda F, x, y: F.vjp(lambda x: x * 2, (y, 3), y),
    "jvp": lambda F, x, y: F.jvp(lambda x: x.exp().sum(), y, y),
    "jvp at a number": lambda F, x, y: F.jvp(lambda x: x**2, x[1]),
    "jvp of tuples": lambda F, x, y: F.jvp(lambda x, y: (x * y, x.sum()), (x, y), (x, y)),
    "jvp unused": lambda F, x, y: F.jvp(lambda x, y: x.exp().sum(), (x, y), (x, y)),
    "jvp without v": lambda F, x, y: F.jvp(lambda x: x.exp(), y),
    "vhp": lambda F, x, y: F.vhp(cube, y, y),
    "vhp with a graph": lambda F, x, y: F.vhp(cube, y, y, create_graph=True),
    "vhp unused": lambda F, x, y: F.vhp(lambda x, y: cube(x), (y, y), (y, y)),
    "vhp of a vector": lambda F, x, y: F.vhp(lambda x: x, y, y),
    "vhp without v": lambda F, x, y: F.vhp(cube, y),
    "hvp": lambda F, x, y: F.hvp(cube, y, y),
    "hvp with a graph": lambda F, x, y: F.hvp(cube, y, y, create_graph=True),
    "hvp linear": lambda F, x, y: F.hvp(lambda x: x.sum(), y, y),
    "hvp of a tuple": lambda F, x, y: F.hvp(lambda x: (x.sum(),), y, y),
    "strict: a constant": lambda F, x, y: F.vhp(lambda x: x.detach().sum(), y, y, strict=True),
    "strict: an unused input": lambda F, x, y: F.vjp(lambda x, y: x * 2, (x, y), x, strict=True),
    "strict: an output that is its own leaf": lambda F, x, y: F.jacobian(lambda x: (x, y), x, strict=True),
}


def printed(case):
    """A question: what a case gives at [1, 2], which requires no grad, and [3, 4], which does, as it is printed."""
    return lambda m: str(case(m.autograd.functional, m.tensor([1.0, 2.0]), m.tensor([3.0, 4.0], requires_grad=True)))


QUESTIONS = {name: printed(case) for name, case in CASES.items()}


@pytest.mark.parametrize("name", QUESTIONS)
def test_against_recorded(name):
    assert answer(QUESTIONS[name], minigrad) == recorded("functional")[name]


@pytest.mark.parametrize("name", QUESTIONS)
def test_against_pytorch(name):
    assert answer(QUESTIONS[name], judge()) == recorded("functional")[name]


# == against each other ====================================================================================

POINT = minigrad.tensor([0.3, -1.2, 0.7], dtype=minigrad.float64)
DIRECTION = minigrad.tensor([1.0, 0.5, -2.0], dtype=minigrad.float64)


def curved(x):
    return minigrad.stack([x.sin() * x.roll(1), x.exp() / (1 + x**2)])


def bowl(x):
    return (curved(x) ** 2).sum()


def test_the_products_are_those_of_the_matrix():
    matrix = functional.jacobian(curved, POINT)
    weights = curved(POINT) * 2 + 1
    assert np.allclose(functional.jvp(curved, POINT, DIRECTION)[1], matrix @ DIRECTION, rtol=1e-12)
    expected = (weights.unsqueeze(-1) * matrix).sum((0, 1))
    assert np.allclose(functional.vjp(curved, POINT, weights)[1], expected, rtol=1e-12)


@pytest.mark.parametrize("product", [functional.vhp, functional.hvp])
def test_the_products_are_those_of_the_hessian(product):
    assert np.allclose(product(bowl, POINT, DIRECTION)[1], functional.hessian(bowl, POINT) @ DIRECTION, rtol=1e-12)


def test_forward_and_reverse_agree():
    assert np.allclose(minigrad.func.jacfwd(curved)(POINT), functional.jacobian(curved, POINT), rtol=1e-12)
    assert np.allclose(minigrad.func.hessian(bowl)(POINT), functional.hessian(bowl, POINT), rtol=1e-12)


def test_the_derivative_of_a_jacobian():
    x = POINT.clone().requires_grad_()
    functional.jacobian(lambda x: x**3, x, create_graph=True).sum().backward()
    assert np.allclose(x.grad, 6 * POINT)


def test_zeros_where_the_value_is_not_finite():
    x = minigrad.tensor([np.inf, np.nan])
    assert functional.jacobian(lambda x, y: y * 2, (x, minigrad.ones(1)))[0].tolist() == [[0.0, 0.0]]


def test_nothing_to_differentiate():
    assert functional.jacobian(lambda x: x[:0], POINT).shape == (0, 3)


def test_inside_no_grad():
    with minigrad.no_grad():
        assert functional.hessian(lambda x: (x**3).sum(), minigrad.ones(1)).tolist() == [[6.0]]
        assert functional.jvp(lambda x: x**3, minigrad.ones(1), minigrad.ones(1))[1].tolist() == [3.0]
