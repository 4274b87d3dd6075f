"""In-place twins: `x.sin_()` for every `*_` method of a PyTorch tensor; its value, version, node and gradient."""

import pytest

import minigrad as mg

from ..oracle import answer, assert_same, judge, numbers, recorded

# y is a computed tensor, x and w require grad, k does not, i and j are integers, at is an index
CALLS = """
y.abs_() y.acos_() y.asin_() y.atan_() y.ceil_() y.cos_() y.cosh_() y.erf_()
y.exp_() y.exp2_() y.expm1_() y.floor_() y.log_() y.log10_() y.log1p_()
y.log2_() y.neg_() y.reciprocal_() y.relu_() y.round_()
y.rsqrt_() y.sgn_() y.sigmoid_() y.sign_() y.sin_() y.sinh_() y.sqrt_() y.square_() y.tan_() y.tanh_()
y.trunc_() y.zero_() y.add_(x) y.add_(2) y.add_(x,alpha=3) y.sub_(x) y.sub_(2,alpha=3) y.mul_(x) y.mul_(2) y.div_(x)
y.div_(2) y.pow_(2) y.pow_(x) y.remainder_(0.3)
y.remainder_(x) y.floor_divide_(x) y.atan2_(x)
y.clamp_(0.3,0.6) y.clamp_(k,x)
y.clip_(0.3) k.eq_(0.5) k.lt_(0.5) y.cumsum_(0)
y.cumprod_(1) y.tril_() y.triu_(1)
y.fill_(2.0) y.fill_(x[0,0]) y.copy_(x)
y.masked_fill_(m,2.0) y.masked_fill_(m,x[0,0]) y.scatter_(0,at,x)
y.scatter_(1,at,2.0) y.scatter_add_(0,at,x) y.index_add_(0,at[0],x)
y.index_put_((at[0],),x[0])
i.bitwise_and_(j) i.bitwise_or_(2) i.bitwise_xor_(j) i.bitwise_not_()
y.uniform_() y.normal_() y.bernoulli_() x.add_(1) x.normal_()
y.detach_() y.asinh_() (y+1).acosh_() y.atanh_() x.atanh_() k.asinh_()
y[0].arctanh_() y.squeeze_() y.squeeze_(0) y.squeeze_((0,1)) y.unsqueeze_(dim=0) y.transpose_(dim0=0,dim1=1)
"""
EACH = CALLS.replace("lambda ", "lambda:").split()
EACH = [one.replace("lambda:", "lambda ") for one in EACH]


def studied(expression: str):
    def question(m):
        x, w, k = (m.tensor(numbers((2, 2), 0.2, 0.9, salt=salt), dtype=m.float64) for salt in (1, 2, 3))
        x.requires_grad_()
        w.requires_grad_()
        y = w * x
        names = {"x": x, "w": w, "y": y, "k": k, "i": m.tensor([[1, 5], [6, 4]]), "j": m.tensor([[3, 2], [4, 6]])}
        names |= {"at": m.tensor([[0, 1], [0, 0]]), "m": m.tensor([[True, False], [True, True]])}
        m.manual_seed(5)
        out = eval(expression, names)
        node = out.grad_fn and [out.grad_fn.name(), [one and one.name() for one, _ in out.grad_fn.next_functions]]
        node = node and node[: 1 + (node[0] != "torch::autograd::CopySlices")]
        found = [
            out.detach().tolist() if not out.is_complex() else str(out.detach()),
            str(out.dtype),
            out._version,
            node,
        ]
        if out.requires_grad and "NotImplemented" not in str(node):
            ((out.imag if out.is_complex() else out) * 2).sum().backward()
        return [*found, x.grad, w.grad]

    return question


QUESTIONS = {expression: studied(expression) for expression in EACH}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("expression", EACH)
def test_a_twin_is_pytorchs(expression):
    found = answer(QUESTIONS[expression], mg)
    if "raises" in found:
        found["raises"][1] = found["raises"][1].partition("\n")[
            0
        ]  # the rest names the variable, which PyTorch does not
    assert_same(found, recorded("twins")[expression])


def test_every_twin_of_pytorchs_is_here_or_says_what_to_use():
    names = [name for name in dir(judge().Tensor) if name.endswith("_") and not name.startswith("_")]
    assert len(names) > 150
    for name in names:
        if hasattr(getattr(mg.Tensor, name, None), "instead"):
            with pytest.raises(NotImplementedError, match=f"{name} is not available here: "):
                getattr(mg.ones(2), name)()
        elif not hasattr(mg.Tensor, name):
            with pytest.raises(AttributeError, match="does not exist: "):
                getattr(mg, name.removesuffix("_"))


@pytest.mark.parametrize("call", ["normal_", "uniform_", "zero_"])
def test_what_was_overwritten_gets_no_gradient(call):
    x = mg.ones(3, requires_grad=True)
    y = x * 2
    getattr(y, call)()
    (y + x).sum().backward()
    assert x.grad.tolist() == [1.0, 1.0, 1.0]
