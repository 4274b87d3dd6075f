"""The tensor itself: its facts, its operators, Python's and NumPy's protocols."""

import copy
import pickle

import numpy as np
import pytest

import minigrad as mg

from .oracle import answer, assert_same, recorded

CALLS = """
x.shape   x.size()   x.size(1)   x.size(-1)   x.ndim   x.dim()   x.numel()   x.nelement()   x.dtype   x.device
len(x)   x.device.type   x.itemsize   x.element_size()   x.is_floating_point()   x.is_complex()   x.is_contiguous()
i.is_floating_point()   x.t().is_contiguous()   x.t().contiguous().is_contiguous()   x.requires_grad   x.is_leaf
(x * 2).is_leaf   x.grad   x.grad_fn   x.output_nr   x._version   x.detach().requires_grad   x.detach().is_leaf
x.data.requires_grad   x.shape.numel()   x.shape + (1,)   x.shape[:1]   tuple(x.shape)   x.shape == (2, 3)
str(x.shape)   repr(m.Size([2]))   x.tolist()   s.tolist()   s.item()   i.sum().item()   (i == 1).any().item()
x.detach().numpy().shape   float(s)   int(s)   bool(s)   complex(s)   [10, 20, 30][i[0]]   range(i[1])   x[0].tolist()
x[0, 1].item()   x[-1, -1].item()   x[:, 1].tolist()   x[..., 0].tolist()   x[None].shape   x[:, None].shape
x[i].shape   x[[0]].shape   x[0][1].item()   x[x > 2].tolist()   x[m.tensor([True, False])].tolist()
x[:, [0, 2]].tolist()   x[1:].shape   x[::2].shape   x[0:0].shape   x[m.tensor(1)].tolist()   x[True].shape
x[...].shape   x[0, ...].shape   x[(0, 1)].item()   [row.tolist() for row in x]   list(map(len, x))   sum(x).tolist()
max(s, s * 2).item()   2.0 in x   9.0 in x   s in x   (x == 1).tolist()   (x > 2).tolist()   (x != x).any().item()
x + 1 == 1 + x   (1 - x).tolist()   (2 / x).tolist()   (2 ** x).tolist()   (x // 2).tolist()   (7 // x).tolist()
(x % 2).tolist()   (7 % x).tolist()   (-x).tolist()   (+x).tolist()   abs(-x).tolist()   (~(x > 2)).tolist()
(x @ x.t()).tolist()   ((x > 1) & (x < 3)).tolist()   ((x > 4) | (x < 2)).tolist()   ((x > 1) ^ (x < 3)).tolist()
x.T.shape   x.mT.shape   m.ones(2, 3, 4).mT.shape   x.view_as(x.t()).shape   x.reshape_as(x.t()).shape   f'{s:.2f}'
f'{s}'   str(i)   repr(x)   repr(x * 2)   repr(x.detach())   repr(s.detach())   repr(x.sum().double())
m.is_tensor(x)   isinstance(x, m.Tensor)   (x == x).all().item()   x.equal(x)   m.equal(x, x + 1)
m.allclose(x, x + 1e-9)   x.allclose(x * 2)   hash(x) == hash(x)   x.dim() == len(x.shape)   x.new_zeros(2).tolist()
x.clone().requires_grad   x.retains_grad   x.is_inference()   i.bool().tolist()   x.cpu() is x   x.type_as(i).dtype
x.float() is x   x.stride()   x.t().stride()   x.expand_as(x) is x   x._backward_hooks
[x.register_hook(abs), len(x._backward_hooks)][1]   [x.register_hook(abs).remove(), len(x._backward_hooks)][1]
[y := x * 2, y.register_hook(abs), len(y._backward_hooks)][2]   (x * 2)._backward_hooks
"""
CALLS = [call.strip() for line in CALLS.strip().split("\n") for call in line.split("   ")]


def asked(call: str):
    def question(m):
        space = {
            "m": m,
            "x": m.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True),
            "s": m.tensor(2.5, requires_grad=True),
            "i": m.tensor([0, 1]),
        }
        found = eval(call, space)
        return found if isinstance(found, bool | int | float | list) or hasattr(found, "detach") else str(found)

    return question


QUESTIONS = {call: asked(call) for call in CALLS}


def each_call():
    return list(QUESTIONS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", each_call())
def test_the_answer_is_pytorchs(call):
    assert_same(answer(QUESTIONS[call], mg), recorded("tensor")[call])


# == copies, memory ========================================================================================


def test_numpy_and_detach_share_memory():
    x = mg.ones(3)
    x.numpy()[0] = 5.0
    x.detach()[1] = 7.0
    assert x.tolist() == [5.0, 7.0, 1.0]


def test_detach_shares_the_version_and_data_does_not():
    x = mg.ones(3, requires_grad=True)
    y = x * 1
    y.detach().add_(1)
    assert y._version == 1
    y.data.add_(1)
    assert y._version == 1 and y.tolist() == [3.0, 3.0, 3.0]


def test_deepcopy_keeps_the_gradient_but_not_the_hooks():
    x = mg.ones(2, requires_grad=True)
    x.register_hook(lambda grad: grad * 100)
    x.grad = mg.full((2,), 3.0)
    other = copy.deepcopy(x)
    assert other.requires_grad and other.is_leaf and other.grad.tolist() == [3.0, 3.0]
    (other * 2).sum().backward()
    assert other.grad.tolist() == [5.0, 5.0] and x.grad.tolist() == [3.0, 3.0]


def test_deepcopy_copies_what_is_shared_once():
    x = mg.ones(2, requires_grad=True)
    one, other = copy.deepcopy([x, x])
    assert one is other is not x


def test_data_may_be_replaced():
    x = mg.ones(2, requires_grad=True)
    x.data = mg.zeros(2)
    assert x.tolist() == [0.0, 0.0] and x.requires_grad


class Foreign:
    """What is no tensor and no number, and computes with one itself."""

    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rpow__ = lambda self, other: "mine"
    __rfloordiv__ = __rmod__ = __rmatmul__ = __rand__ = __ror__ = __rxor__ = lambda self, other: "mine"


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "**", "//", "%", "@", "&", "|", "^"])
def test_an_operator_leaves_to_python_what_it_does_not_know(sign):
    x = mg.tensor([1, 2]) if sign in "&|^" else mg.tensor([1.0, 2.0])
    assert eval(f"x {sign} other", {"x": x, "other": Foreign()}) == "mine"
    for program in (f"x {sign} None", f"None {sign} x", f"x {sign}= None"):
        with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for"):
            exec(program, {"x": x})


def test_in_place_gives_back_the_very_tensor():
    x = mg.ones(2)
    assert x.add_(1) is x and x.mul_(2).zero_() is x
    before = x
    x += 1
    assert x is before


# == NumPy calls minigrad ==================================================================================


@pytest.mark.parametrize(
    ("call", "node"),
    [
        (lambda x: np.sin(x), "SinBackward0"),
        (lambda x: np.add(x, 1), "AddBackward0"),
        (lambda x: np.ones(3) * x, "MulBackward0"),
        (lambda x: np.float64(2) * x, "MulBackward0"),
        (lambda x: np.ones(3) - x, None),
        (lambda x: np.sum(x), "SumBackward0"),
        (lambda x: np.concatenate([x, x]), "CatBackward0"),
        (lambda x: np.maximum(x, np.zeros(3)), "MaximumBackward0"),
        (lambda x: np.power(x, 2), "PowBackward0"),
    ],
)
def test_numpys_functions_are_recorded(call, node):
    x = mg.tensor([1.0, 2.0, 3.0], dtype=float, requires_grad=True)
    out = call(x)
    assert isinstance(out, mg.Tensor) and out.requires_grad
    assert node is None or out.grad_fn.name() == node
    np.testing.assert_allclose(out.detach().numpy(), call(x.detach().numpy()))
    out.sum().backward()
    assert x.grad is not None


def test_what_numpy_does_alone_is_refused_where_it_would_lose_the_gradient():
    x = mg.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="Can't call numpy"):
        np.linalg.norm(x)
    assert np.linalg.norm(x.detach()) == pytest.approx(3**0.5)


def test_ufunc_options_are_refused_in_one_sentence():
    with pytest.raises(TypeError, match="is not available for a minigrad Tensor; use a minigrad function"):
        np.add(mg.ones(3), 1, where=np.array([True, False, True]))


def test_asarray_shares_and_array_copies():
    x = mg.ones(3)
    assert np.shares_memory(np.asarray(x), x.numpy()) and not np.shares_memory(np.array(x), x.numpy())


def test_a_tensor_is_a_key():
    x, y = mg.ones(2), mg.ones(2)
    assert len({x, y, x}) == 2 and {x: 1}[x] == 1


def test_a_tensor_can_be_pickled():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    again = pickle.loads(pickle.dumps(x))
    assert again.tolist() == [1.0, 2.0] and again.requires_grad and again.is_leaf
