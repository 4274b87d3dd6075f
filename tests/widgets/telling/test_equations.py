"""Every equation is true of the numbers beside it: after a change in place, for complex numbers, under create_graph."""

import re

import numpy as np
import pytest

import minigrad as mg
from widgets.showing.run import record


def told(program, *leaves) -> list[str]:
    with record() as run:
        program(*leaves)
    return run.equations().splitlines()


def complex_leaf(values):
    return mg.tensor(values, requires_grad=True)


def test_what_ran_in_place_has_the_numbers_of_afterwards():
    def program(b):
        c = b + 1
        c.add_(1)
        c[0] = 10.0
        c.sum().backward()

    lines = told(program, mg.tensor([1.0, 2.0, 3.0], requires_grad=True))
    assert lines[:2] == ["c = b + 1 = [2, 3, 4]", "c₂ = c + 1 = [3, 4, 5]"]
    assert lines[2].endswith(" = [10, 4, 5]") and lines[3].endswith("= 19")


@pytest.mark.parametrize("factor", [1 + 2j, 3.0, -1j])
def test_the_factors_of_complex_numbers_multiply_to_the_result(factor):
    lines = told(lambda z: (z * factor * (1 + 1j)).abs().backward(), complex_leaf(2 - 1j))
    products = [line for line in lines if line.startswith("∂") and " × " in line]
    assert len(products) == 3
    for line in products:
        first, second, result = (complex(part) for part in re.fullmatch(r".* = (.*) × (.*) = (.*)", line).groups())
        assert np.isclose(first * second, result, rtol=2e-3)
        local = line.partition(" · ")[2].partition(" = ")[0]
        assert local.startswith("conj(") or "sgn" in local


def test_a_complex_number_stands_in_brackets():
    assert told(lambda z: z * (2 - 1j), complex_leaf(1j))[0] == "v1 = z * (2-1j) = (0+1j) * (2-1j) = 1+2j"
    line = told(lambda z: (z * (2 - 1j)).abs().backward(), complex_leaf(1j))[-2]
    assert "conj(2-1j)" in line and "((" not in line


def test_a_product_of_complex_matrices_is_told_between_two_conjugations():
    z, u = complex_leaf([[2 - 1j]]), mg.tensor([[1 + 1j]])
    lines = told(lambda z: (z @ u).abs().sum().backward(), z)
    assert any("conj(conj(∂v3/∂v1) @ uᵀ)" in line for line in lines), lines
    assert np.allclose(np.conj(np.conj(z.grad.numbers / np.conj(u.numbers)) * u.numbers), z.grad.numbers)


def test_where_a_backward_starts_is_called_so_when_it_is_recorded():
    def program(x):
        y = x**3
        (g,) = mg.autograd.grad(y, x, create_graph=True)
        g.backward()

    x = mg.tensor(3.0, requires_grad=True)
    assert "g = ∂y/∂y * v2 = 1 * 27 = 27" in told(program, x)


def test_a_long_gradient_is_told_in_a_sentence():
    x = mg.ones(50, requires_grad=True)
    with record() as run:
        (x * x).sum().backward()
    assert run.trace["frames"][-1]["say"] == "x.grad was empty: now it holds 50 values: all 2."
