"""Arguments under the names that PyTorch documents, and where a result is written: `out=`, `inplace=True`."""

import pytest

import minigrad as mg

from .oracle import answer, assert_same, recorded

CALLS = """
m.bmm(input=t, mat2=t)   m.mv(w, vec=x)   m.mm(w, mat2=w)   m.dot(x, tensor=y)
m.outer(x, vec2=y)
m.addmm(input=w, mat1=w, mat2=w, beta=2, alpha=3)
w.clone().addmm_(mat1=w, mat2=w, beta=2).detach()
m.swapaxes(w, axis0=0, axis1=1)   w.swapaxes(axis0=0, axis1=1)
w.clone().swapaxes_(axis0=0, axis1=1)
m.max(input=x, other=y)   m.min(x, other=y)   x.max(other=y)   m.full_like(x, fill_value=3)   m.full_like(w, 2)
m.gather(w, dim=0, index=i, sparse_grad=False)   m.norm(x, dtype=m.float64)
x.norm(2, dtype=m.float64)   m.linalg.norm(w, dtype=m.float64)   m.linalg.vector_norm(x, dtype=m.float64)
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


WRITTEN = """
m.add(a, a, out=o) is o   m.add(a, a, alpha=2, out=o)   m.mul(a, a, out=a)   m.sin(x, out=o)   m.sin(a, out=x)
m.add(a, 1, out=m.empty(0))   m.add(a, a, out=m.zeros(3))   m.add(a, a, out=m.zeros(2, dtype=m.int64))
m.add(a, a, out=m.zeros(2, dtype=m.float64))   m.add(a, a, out=b[::2])   m.eq(a, a, out=o)   m.sum(w, 0, out=o)
m.matmul(w, a, out=o)   m.exp(a, out=None)   m.cumsum(a, dim=0, out=o)   m.round(a, decimals=1, out=o)
"""
OVERWRITTEN = "elu hardtanh leaky_relu relu silu".split()


def written(call: str):
    """What is returned, and how all that might have been written to looks afterwards."""

    def question(m):
        a, x = m.tensor([1.25, -2.0]), m.tensor([1.0, 2.0], requires_grad=True)
        space = {"m": m, "a": a, "x": x, "o": m.zeros(2), "b": m.zeros(4), "w": m.ones(2, 2)}
        found = eval(call, space)
        return [repr(found), *(repr(space[name]) for name in "aob"), [space[name]._version for name in "aob"]]

    return question


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


QUESTIONS = (
    {call: called(call) for call in CALLS}
    | {call: written(call) for line in WRITTEN.strip().split("\n") for call in line.split("   ")}
    | {f"{name} in place": overwritten(name) for name in OVERWRITTEN}
)


@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
@pytest.mark.parametrize("call", QUESTIONS)
def test_an_argument_has_pytorchs_name(call):
    assert_same(answer(QUESTIONS[call], mg), recorded("spellings")[call])


def test_another_shape_is_warned_of():
    with pytest.warns(UserWarning, match=r"resized since it had shape \[3\], .* output shape \[2\]"):
        mg.add(mg.ones(2), 1, out=mg.zeros(3))


def test_what_is_no_tensor_is_refused():
    with pytest.raises(TypeError, match="argument 'out' must be Tensor, not int"):
        mg.add(mg.ones(2), 1, out=3)
