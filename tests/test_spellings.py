"""Arguments under the names that PyTorch documents, and the option `inplace=True`."""

import pytest

import minigrad as mg

from .oracle import answer, assert_same, recorded

CALLS = """
m.bmm(input=t, mat2=t)   m.mv(w, vec=x)   m.mm(w, mat2=w)   m.dot(x, tensor=y)
m.outer(x, vec2=y)
m.addmm(input=w, mat1=w, mat2=w, beta=2, alpha=3)
m.swapaxes(w, axis0=0, axis1=1)   w.swapaxes(axis0=0, axis1=1)
w.clone().swapaxes_(axis0=0, axis1=1)
m.max(input=x, other=y)   m.min(x, other=y)   x.max(other=y)   m.full_like(x, fill_value=3)   m.full_like(w, 2)
m.gather(w, dim=0, index=i, sparse_grad=False)
m.randn_like(x, generator=m.Generator().manual_seed(1))
m.rand_like(x, generator=m.Generator().manual_seed(1))
"""
CALLS = [call.strip() for line in CALLS.strip().split("\n") for call in line.split("   ")]


def called(call: str):
    def question(m):
        x, y = (m.tensor(numbers, requires_grad=True) for numbers in ([1.0, -2.0], [0.5, 3.0]))
        w = m.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        return repr(eval(call, {"m": m, "x": x, "y": y, "w": w, "t": m.stack([w, w + 1]), "i": m.tensor([[0, 1]])}))

    return question


OVERWRITTEN = "elu hardtanh leaky_relu relu silu".split()


def overwritten(name: str, *options):
    def question(m):
        found = []
        for call in (getattr(m.nn.functional, name), getattr(m.nn.functional, f"{name}_", None)):
            x = m.tensor([-2.0, 0.5, 4.0], requires_grad=True)
            y = x * 2
            if call:
                out = call(y, *options) if call.__name__.endswith("_") else call(y, *options, inplace=True)
                found += [out is y, y._version, repr(out), *map(repr, m.autograd.grad(out.sum(), x))]
        return found

    return question


QUESTIONS = {call: called(call) for call in CALLS} | {f"{name} in place": overwritten(name) for name in OVERWRITTEN}


@pytest.mark.parametrize("call", QUESTIONS)
def test_an_argument_has_pytorchs_name(call):
    assert_same(answer(QUESTIONS[call], mg), recorded("spellings")[call])
