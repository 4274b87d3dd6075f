"""bfloat16: computed in float32 and rounded once, printed, promoted, saved and drawn as in PyTorch."""

import io
import re
import subprocess
import sys

import numpy as np
import pytest

import minigrad as mg

from .oracle import answer, assert_same, judge, numbers, recorded

pytest.importorskip("ml_dtypes", reason="bfloat16 needs ml_dtypes")

# == one expression each: value, type, printed form, and the gradients of x and y ===========================

EXPRESSIONS = """
x + y   x - 0.1   2 * x   x * 0.1   x / y   1 / x   x % 0.3   x // y   x ** 2   x ** y   0.5 ** x   -x   x > y
x + i   x + k   x + k.double()   x + x.half()   x * 1j   x.half() * k   x @ y.T   x @ y[0]   x[0] @ y[0]   x.sum()
x.sum(0)   x.mean(1)   x.amax(1)   x.max(0)[0]   x.var()   x.norm()   x.cumsum(0)   m.exp(x)   m.log(x)
m.sin(x)   m.tanh(x)   m.sigmoid(x)   m.sqrt(x)   x.relu()   x.abs()   x.floor()   x.clamp(0.4, 0.7)   x.softmax(1)
m.where(x > y, x, 0.1)   x.masked_fill(x > y, 0.1)   m.cat((x, y))   x[0]   x[:, 1:]   x[x > 0.5]   x[[1, 0]]   x.T
x.reshape(-1)   x.flip(0)   x.sort(0)[0]   x.argmax()   x.float()   x.double()   x.long()   x.bool()   k.bfloat16()
k.to(D)   k.type(D)   (x * 1).add_(0.1)   (x * 1).mul_(y)   (x * 1).div_(3)   (x * 1).zero_()
(x * 1).clamp_(0.4, 0.7)   (x * 1).copy_(k)   x.clone()   x.detach()   F.mse_loss(x, y)   F.linear(x, y, y[:, 0])
F.gelu(x)   F.softplus(x)   m.tensor([0.1, -2.5, 1e30], dtype=D)   m.tensor([x[0, 0], x[1, 1]])   m.zeros(2, dtype=D)
m.full((2,), 0.1, dtype=D)   m.arange(0, 3, 0.3, dtype=D)   m.linspace(0, 1, 7, dtype=D)   m.eye(2, dtype=D)
m.ones_like(x)   m.tensor(float("nan"), dtype=D)   m.tensor([], dtype=D)   m.ones(40, 40, dtype=D)
m.ones(1000, dtype=D).sum()   (m.ones(1000, 1, dtype=D) * x[0]).sum()
"""
FACTS = """
m.promote_types(D, m.float16)
m.promote_types(D, m.int64)   m.promote_types(D, m.complex64)   m.promote_types(m.bool, D)
D   D.itemsize   D.is_floating_point   x.type()   x.is_floating_point()   x.tolist()   x[0, 0].item()   f"{x[0, 0]:.3f}"
m.allclose(x, x + 0.0001)   x.element_size()   float(x[0, 0])
"""


def each(text: str) -> list[str]:
    return [one for line in text.split("\n") for one in line.split("   ") if one]


def space(m, low: float = 0.3, high: float = 2.0, salt: int = 0) -> dict:
    x, y = (m.tensor(numbers((3, 3), low, high, salt=salt + i)).bfloat16().requires_grad_() for i in (0, 1))
    k, i = m.tensor(numbers((3, 3), salt=5)).float(), m.tensor([1, 2, 3])
    return {"m": m, "F": m.nn.functional, "D": m.bfloat16, "x": x, "y": y, "k": k, "i": i}


def studied(expression: str, **where):
    def question(m):
        names = space(m, **where)
        out = eval(expression, names)
        with m._tensor_str.printoptions() if hasattr(m, "_tensor_str") else m.printoptions(namespace="torch"):
            printed = re.sub(r",\s*grad_fn=.*", "", repr(out), flags=re.DOTALL)
        found = [str(out.dtype), printed, out.requires_grad]
        if out.requires_grad and "NotImplemented" not in str(out.grad_fn):
            (out.abs() if out.is_complex() else out).float().sum().backward()
        return [*found, *[x.grad is not None and str(x.grad.dtype) for x in (names["x"], names["y"])]]

    return question


def fact(expression: str):
    return lambda m: str(eval(expression, space(m)))


def drawn(m):
    found = []
    for size in (3, 16, 19):
        m.manual_seed(size)
        found += [m.rand(size, dtype=m.bfloat16).tolist(), m.randn(size, dtype=m.bfloat16).tolist()]
        found.append(m.zeros(size, dtype=m.bfloat16).uniform_(-1, 1).tolist())
    return found


def trained(m):
    """A small regression, wholly in bfloat16."""
    x, y = (m.tensor(numbers((8, 2), salt=i)).bfloat16() for i in (0, 1))
    layer = m.nn.Linear(2, 2)
    with m.no_grad():
        layer.weight.copy_(m.tensor(numbers((2, 2), salt=3)))
        layer.bias.zero_()
    layer = layer.to(m.bfloat16)
    optimizer = m.optim.SGD(layer.parameters(), lr=0.1, momentum=0.5)
    for _ in range(5):
        optimizer.zero_grad()
        m.nn.functional.mse_loss(layer(x), y).backward()
        optimizer.step()
    return [str(layer.weight.dtype), layer.weight.tolist()]


QUESTIONS = (
    {one: studied(one) for one in each(EXPRESSIONS)} | {one: fact(one) for one in each(FACTS)} | {"drawn": drawn}
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", QUESTIONS)
def test_it_is_pytorchs(name):
    assert_same(answer(QUESTIONS[name], mg), recorded("bfloat16")[name])


SMOOTH = "x + y|x * y|x / y|x * 0.1|x - 0.3|x ** 2|m.exp(x)|m.sin(x)|m.tanh(x)|m.sigmoid(x)|m.sqrt(x)|x @ y.T"
SMOOTH += "|x.softmax(1)|x.sum(0)|x.mean(1)|x.cumsum(0)|m.where(x > y, x, y)|x.relu()|x.clamp(0.4, 0.7)|x[0] * y"


@pytest.mark.parametrize("expression", SMOOTH.split("|"))
@pytest.mark.parametrize("salt", range(8))
def test_values_are_pytorchs_to_the_last_bit_and_gradients_within_two(expression, salt):
    torch = judge()
    found = []
    for m in (mg, torch):
        names = space(m, -1.5 if "sqrt" not in expression and "**" not in expression else 0.1, 1.5, salt)
        out = eval(expression, names)
        (out * (m.tensor(numbers(tuple(out.shape), salt=9)).bfloat16())).sum().backward()
        grads = [x.grad.float().numpy() for x in (names["x"], names["y"]) if x.grad is not None]
        found.append((out.detach().float().numpy(), grads))
    (ours, gradients), (theirs, expected) = found
    np.testing.assert_allclose(ours, theirs, rtol=2**-8)
    assert np.mean(ours == theirs) > 0.9
    for a, b in zip(gradients, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=2**-6, atol=2**-7)


def test_sums_are_gathered_in_float32():
    """In bfloat16 itself, 256 + 1 is 256."""
    x = mg.ones(1, dtype=mg.bfloat16, requires_grad=True)
    total = (x * mg.ones(1000, dtype=mg.bfloat16)).sum()
    total.backward()
    assert total.item() == x.grad.item() == 1000


def test_a_training_in_bfloat16_follows_pytorchs():
    torch = judge()
    (ours, weight), (theirs, expected) = trained(mg), trained(torch)
    assert ours.partition(".")[2] == theirs.partition(".")[2] == "bfloat16"
    np.testing.assert_allclose(weight, expected, atol=0.02)


def test_it_is_saved_and_read_again():
    x = mg.tensor([0.1, -2.5], dtype=mg.bfloat16, requires_grad=True)
    file = io.BytesIO()
    mg.save({"x": x, "again": x, "type": mg.bfloat16}, file)
    found = mg.load(io.BytesIO(file.getvalue()))
    assert found["x"] is found["again"] and found["type"] is mg.bfloat16
    assert found["x"].dtype is mg.bfloat16 and found["x"].requires_grad
    assert found["x"].tolist() == x.tolist()


def test_numpy_has_no_such_type():
    with pytest.raises(TypeError, match="Got unsupported ScalarType BFloat16.*float"):
        mg.ones(2, dtype=mg.bfloat16).numpy()


def test_second_derivatives_too():
    x = mg.tensor([0.5, 2.0], dtype=mg.bfloat16, requires_grad=True)
    (first,) = mg.autograd.grad((x**3).sum(), x, create_graph=True)
    (second,) = mg.autograd.grad(first.sum(), x)
    assert second.dtype is mg.bfloat16 and second.tolist() == [3.0, 12.0]


def test_a_saved_value_keeps_its_type_and_its_watch():
    x = mg.tensor([0.5, 2.0], dtype=mg.bfloat16, requires_grad=True)
    y = x * 1
    z = y.sin()
    assert z.grad_fn._saved_self.dtype is mg.bfloat16
    y.mul_(2)
    with pytest.raises(RuntimeError, match="BFloat16Tensor .* is at version 1; expected version 0"):
        z.sum().backward()


def test_a_view_is_changed_through():
    x = mg.ones(3, dtype=mg.bfloat16, requires_grad=True)
    y = x * 2
    y[:2].mul_(10)
    y.sum().backward()
    assert y.tolist() == [20.0, 20.0, 2.0] and x.grad.tolist() == [20.0, 20.0, 2.0]


# == loaded when it is asked for, and not before ===========================================================


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_ml_dtypes_is_imported_with_the_first_use():
    program = "import sys, minigrad as m; m.ones(2).half().sum(); print('ml_dtypes' in sys.modules); m.bfloat16; "
    assert run(program + "print('ml_dtypes' in sys.modules)").split() == ["False", "True"]


@pytest.mark.parametrize("use", ["m.bfloat16", "m.ones(2).bfloat16()"])
def test_without_ml_dtypes_the_answer_says_what_to_install(use):
    program = f"import sys; sys.modules['ml_dtypes'] = None\nimport minigrad as m\ntry:\n    {use}\n"
    said = run(program + "except Exception as error:\n    print(type(error).__name__, error)")
    assert said.startswith("AttributeError bfloat16 needs the small package ml_dtypes") and "pip install" in said
