"""Small programs, one a line: what each of them shows is what PyTorch shows, and its errors are PyTorch's, too."""

import ast
import copy
import io
from math import inf, nan

import pytest

import minigrad as mg

from .oracle import answer, assert_same, recorded

PROGRAMS = r"""
# a value that is missing, and what it does to a gradient
T([nan, 1., -0., -2.]).sign(), T([nan, 1.]).sgn(), T([nan, 2]).sign_(), T([True, False]).sign()
x = T([nan, 1., 0., -1.], requires_grad=True); x.abs().sum().backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); F.l1_loss(x, m.ones(3)).backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); F.smooth_l1_loss(x, m.ones(3)).backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); F.huber_loss(x, m.ones(3)).backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); x.norm(1).backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); x.norm(inf).backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); x.amax().backward(); x.grad
x = T([[nan, 1.], [1., 1.]], requires_grad=True); x.amin(1).sum().backward(); x.grad
x = T([nan, 1., nan], requires_grad=True); (x.max() + 2 * x.min()).backward(); x.grad
x = T([nan, 1., -1.], requires_grad=True); (F.elu(x) + F.selu(x) + F.celu(x)).sum().backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); (F.softshrink(x) + 2 * F.hardshrink(x)).sum().backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); y = F.threshold(x, 0., 1.); y.sum().backward(); y, x.grad
# a variance without degrees of freedom
T([1., 2.]).var(correction=2), T([1., 2.]).std(correction=3), T([]).var(), T([1.]).std(), m.zeros(2, 0).var(0)
x = T([1., 2.], requires_grad=True); x.var(correction=3).backward(); x.grad
x = T([1., 2.], requires_grad=True); x.std(correction=3).backward(); x.grad
x = T([1., 2., 1.5], requires_grad=True); x.std(correction=3).backward(); x.grad
x = T([[1., 1.], [1., 2.]], requires_grad=True); x.var(1, correction=5).sum().backward(); x.grad + 0
x = T([[1., 1.], [1., 2.]], requires_grad=True); x.std(1, correction=2).sum().backward(); x.grad
x = T([[1., 1.], [1., 2.]], requires_grad=True); m.var_mean(x, correction=5)[0].backward(); x.grad + 0
x = T([[1., 1.], [1., 2.]], requires_grad=True); m.std_mean(x, 1, correction=5)[0].sum().backward(); x.grad + 0
T([1, 2]).var()
T([True]).std()
# copies
x = T([1.]); x.note = [3]; y = copy.deepcopy(x); y.note, y.note is x.note
x = T([1.], requires_grad=True); x.sum().backward(); x.grad.note = 3; copy.deepcopy(x).grad.note
x = nn.Parameter(T([1.])); x.note = 3; hasattr(copy.deepcopy(x), "note"), copy.copy(x).note
"""
PROGRAMS = [line for line in PROGRAMS.strip().split("\n") if not line.startswith("#")]


def program(line: str):
    def question(m):
        names = {"m": m, "T": m.tensor, "nn": m.nn, "F": m.nn.functional, "nan": nan, "inf": inf}
        names |= {"copy": copy, "io": io}
        tree = ast.parse(line)
        last = ast.Expression(tree.body.pop().value)
        exec(compile(tree, "program", "exec"), names)
        return repr(eval(compile(last, "program", "eval"), names))

    return question


QUESTIONS = {line: program(line) for line in PROGRAMS}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", QUESTIONS)
def test_a_program_shows_what_it_shows_in_pytorch(line):
    assert_same(answer(QUESTIONS[line], mg), recorded("small_programs")[line])


def test_no_program_is_there_twice():
    assert len(QUESTIONS) == len(PROGRAMS)


def test_a_variance_that_nothing_is_known_of_is_warned_of():
    with pytest.warns(
        UserWarning, match=r"std_mean\(\): degrees of freedom is <= 0. Correction should be strictly less"
    ):
        mg.std_mean(mg.ones(2), correction=2)
