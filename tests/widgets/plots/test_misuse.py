"""A mistake is one clear sentence, which names the argument."""

import math

import numpy as np
import pytest

import minigrad as mg
import widgets
from widgets import (
    plot_accumulation,
    plot_activations,
    plot_descent,
    plot_gradcheck,
    plot_gradient,
    plot_jacobian,
    plot_losses,
    plot_parameters,
    plot_profile,
    plot_tangent,
)

A = mg.linspace(0.0, 6.0, steps=7)
LEAF = mg.tensor([1.0, 2.0], requires_grad=True)
OTHER = mg.tensor([1.0, 2.0], requires_grad=True)


def used_up():
    b = OTHER.sin() * OTHER
    b.sum().backward()
    OTHER.grad = None
    return b


TABLE = [
    # what is done, the error, part of its sentence
    (lambda: plot_gradient(3, A), TypeError, "f must be a function, but is int"),
    (lambda: plot_gradient(mg.sin, "a"), TypeError, "a must be a Tensor or numbers, but is str"),
    (lambda: plot_gradient(mg.sin, A * 1j), TypeError, "a must be real to be drawn, but is minigrad.complex64"),
    (lambda: plot_gradient(mg.sin, 1.0), ValueError, "a must be two or more points in a row, but has the shape ()"),
    (lambda: plot_gradient(mg.sin, [1.0]), ValueError, "two or more points in a row, but has the shape (1,)"),
    (
        lambda: plot_gradient(mg.sin, [1.0, np.nan]),
        ValueError,
        "a must have two or more points that are finite and diff",
    ),
    (lambda: plot_gradient(lambda a: 2.0, A), TypeError, "f must return a Tensor, but returned float"),
    (lambda: plot_gradient(lambda a: a.numpy(), A), RuntimeError, "Can't call numpy() on Tensor that requires grad"),
    (lambda: plot_gradient(lambda a: a.sum(), A), ValueError, "one value for each of the 7 points, but returned ()"),
    (lambda: plot_gradient(lambda a: a.detach(), A), ValueError, "f's result has no gradient: was it detached"),
    (lambda: plot_gradient(lambda a: a * 1j, A), TypeError, "f must return real numbers to be drawn"),
    (lambda: plot_gradient(lambda a: a.softmax(0), A), ValueError, "must depend on its own point alone; see plot_jac"),
    (
        lambda: plot_gradient(lambda a: OTHER.repeat(4)[:7], A),
        ValueError,
        "f's result was not made of what it",
    ),
    (lambda: plot_gradient(lambda a: a.flip(0), A), ValueError, "each value of f must depend on its own point alone"),
    (lambda: plot_gradient(lambda a: a.roll(2, 0), A), ValueError, "each value of f must depend on its own point"),
    (lambda: plot_gradient(mg.sin, A, orders=0), ValueError, "orders must be a whole number, 1 or more, but is 0"),
    (lambda: plot_gradient(mg.sin, A, orders=1.5), ValueError, "orders must be a whole number, 1 or more, but is 1.5"),
    (lambda: plot_gradient(mg.sin, A, analytic=3), TypeError, "analytic must be one function of the points for each"),
    (lambda: plot_gradient(mg.sin, A, orders=2, analytic=np.cos), TypeError, "for each order: 2, but got"),
    (
        lambda: plot_gradient(LEAF, lambda a: a),
        TypeError,
        "a variable and what was made of it, but b is function",
    ),
    (lambda: plot_gradient(A, A * 2), ValueError, "the shapes (7,) and (7,), and a requires none"),
    (lambda: plot_gradient(LEAF, LEAF.sum()), ValueError, "the shapes (2,) and ()"),
    (lambda: plot_gradient(LEAF * 2, LEAF), ValueError, "f's result was not made of what it"),
    (lambda: plot_gradient(OTHER, used_up()), ValueError, "Trying to backward through the graph a second time"),
    (
        lambda: plot_gradient(mg.sin, A, ax=3),
        TypeError,
        "ax must be 2 Axes, such as those of plt.subplots(1, 2)",
    ),
    (lambda: plot_tangent(mg.sin, at="here"), TypeError, "at must be a number, but is 'here'"),
    (lambda: plot_tangent(mg.sin, step=0), ValueError, "step must not be 0: a secant needs two points"),
    (lambda: plot_tangent(mg.sin, between=(1, 0)), ValueError, "between must be two numbers, the smaller first"),
    (lambda: plot_tangent(mg.sin, at=np.nan), ValueError, "at must be a finite number, but is nan"),
    (lambda: plot_tangent(mg.sin, at=9, between=(0, 1)), ValueError, "at must be between 0 and 1, where the curve is"),
    (lambda: plot_tangent(lambda a: a.repeat(2)), ValueError, "f must return one number, but returned the shape (2,)"),
    (lambda: plot_tangent(lambda a: a.item()), TypeError, "f must return a Tensor, but returned float"),
    (lambda: plot_tangent(mg.sin, ax=[]), TypeError, "ax must be one Axes, but got 0"),
    (lambda: plot_accumulation(3, LEAF), TypeError, "loss must be a function, but is int"),
    (
        lambda: plot_accumulation(lambda w: w.sum(), LEAF),
        TypeError,
        "loss is called as loss(), but does not take that",
    ),
    (lambda: plot_accumulation(lambda: LEAF.sum(), A), TypeError, "w must be a leaf that requires grad"),
    (lambda: plot_accumulation(lambda: LEAF.sum(), LEAF * 2), TypeError, "w must be a leaf that requires grad"),
    (
        lambda: plot_accumulation(lambda: LEAF * 2, LEAF),
        ValueError,
        "L must return one number, but returned the shape",
    ),
    (
        lambda: plot_accumulation(lambda: LEAF.sum(), LEAF, passes=0),
        ValueError,
        "passes must be a whole number, 1",
    ),
    (
        lambda: plot_accumulation(lambda: OTHER.sum(), LEAF),
        ValueError,
        "no gradient has arrived at w: L was not",
    ),
    (
        lambda: plot_descent(lambda w: w.sum(), mg.ones(3)),
        ValueError,
        "one or two numbers in all, to be drawn",
    ),
    (
        lambda: plot_descent(lambda *w: sum(w), (1.0, 2.0), between=(0, 1)),
        ValueError,
        "between is for the curve over one number, but",
    ),
    (
        lambda: plot_descent(lambda w: w, 1.0, between=(1, 0)),
        ValueError,
        "between must be two numbers, the smaller first",
    ),
    (lambda: plot_descent(lambda w: 1.0, 1.0), TypeError, "loss must return a Tensor, but returned float"),
    (
        lambda: plot_descent(lambda w: w, 1.0, epochs=0),
        ValueError,
        "epochs must be a whole number, 1 or more",
    ),
    (lambda: plot_descent(lambda w: w, 1.0, labels=("a", "b")), ValueError, "labels must be 1 name(s), but got"),
    (lambda: plot_descent(lambda w: w, 1.0, lr="0.1"), TypeError, "lr must be a number, but is '0.1'"),
    (lambda: plot_descent(lambda w: w, 1.0, lr=-1), ValueError, "Invalid learning rate: -1"),
    (lambda: plot_descent(lambda w: w.log(), -1.0), ValueError, "loss must be finite where the descent starts, but is"),
    (lambda: plot_descent(lambda w: w**2, 1.0, optimizer=3), TypeError, "optimizer must be a function, but is int"),
    (lambda: plot_jacobian(lambda x: x.detach(), A), ValueError, "f's result has no gradient: was it detached"),
    (lambda: plot_jacobian(lambda x: x[:0], A), ValueError, "v must have a number for each output, but has 0 for 0"),
    (lambda: plot_jacobian(mg.sin, A, "v"), TypeError, "v must be a Tensor or numbers, but is str"),
    (lambda: plot_jacobian(lambda x: 1.0, A), TypeError, "f must return a Tensor, but returned float"),
    (
        lambda: plot_jacobian(mg.sin, A, [1.0]),
        ValueError,
        "v must have a number for each output, but has 1 for 7",
    ),
    (lambda: plot_jacobian(mg.sin, []), ValueError, "x has no elements, and so no Jacobian"),
    (
        lambda: plot_gradcheck(mg.sin, A),
        ValueError,
        "but returned the shape (7,): add .sum()?",
    ),
    (lambda: plot_gradcheck(mg.sqrt, 0.0), ValueError, "f must have a finite gradient at x, but has inf"),
    (lambda: plot_gradcheck(lambda x: LEAF.sum(), 1.0), ValueError, "f's result was not made of what it was given"),
    (lambda: plot_gradcheck(mg.sin, 1.0, steps=[0, 1]), ValueError, "steps must be two or more numbers above 0"),
    (lambda: plot_gradcheck(mg.sin, 1.0, analytic=1), ValueError, "analytic must take an array of points and give"),
    (lambda: plot_gradient(mg.sin, A, analytic=math.cos), ValueError, "analytic must take an array of points and give"),
    (lambda: plot_gradient(mg.sin, A, analytic=lambda a: a[:2]), ValueError, "give a number for each: operands could"),
    (lambda: plot_profile(3), TypeError, "program must be a function or a profile, but is int"),
    (lambda: plot_profile(lambda: 1 + 1), ValueError, "nothing ran: the program must compute with Tensors"),
    (lambda: plot_parameters(3), TypeError, "model must be a module, or a mapping from names to Tensors, but is int"),
    (lambda: plot_parameters({}), TypeError, "model must be a module with parameters, or a mapping"),
    (
        lambda: plot_activations(3),
        TypeError,
        "which must be names of activations such as 'relu', or functions, but is 3",
    ),
    (lambda: plot_activations(["swoosh"]), ValueError, "which has 'swoosh', but minigrad.nn.functional has no such"),
    (lambda: plot_activations(["linear"]), TypeError, "which has 'linear', which takes more than the points: linear()"),
    (lambda: plot_activations([]), ValueError, "which must name at least one activation, such as 'relu'"),
    (lambda: plot_losses(3.0), TypeError, "losses must be a row of numbers, one for each step, but is float"),
    (
        lambda: plot_losses({"a": ["x"]}),
        TypeError,
        "losses['a'] must be a row of numbers, one for each step, but is list",
    ),
    (lambda: plot_losses([1.0]), ValueError, "losses must have two numbers or more, but has 1"),
    (lambda: plot_losses({}), ValueError, "losses must have one row of numbers or more"),
    (lambda: plot_activations("relu", between=(1, 1)), ValueError, "between must be two numbers, the smaller first"),
    (lambda: widgets.set_theme("blue"), ValueError, "theme must be one of auto, light, dark, not 'blue'"),
]


@pytest.mark.parametrize(("act", "error", "said"), TABLE, ids=[row[2] for row in TABLE])
def test_a_mistake_is_one_sentence(act, error, said):
    before = LEAF.grad
    with pytest.raises(error) as raised:
        act()
    assert said in str(raised.value)
    assert LEAF.grad is before
