"""Views, and what changes through them, their base or their leaf: each small program answers as in PyTorch."""

import pytest

import minigrad as mg

from ..oracle import answer, assert_same, recorded


def leaf(m):
    return m.tensor([[0.5, 2.0], [0.25, 1.0]], dtype=m.float64, requires_grad=True)


def through_a_view(twin: str):
    """The operation saves its result, whose version moves once, although base and view are both written anew."""

    def program(m):
        x = leaf(m)
        y = x * 1
        view = y[:1]
        getattr(view, twin)()
        (y * y).sum().backward()
        return [y.tolist(), x.grad.tolist(), y._version, y.grad_fn.name().rpartition(":")[2], view.tolist()]

    return program


def frozen_afterwards(m):
    x, w = leaf(m), leaf(m)
    y = (x * w).sum()
    x.requires_grad_(False)
    y.backward()
    return [x.grad is None, w.grad.tolist()]


def one_of_several_views_of_a_changed_base(m):
    y = leaf(m) * 1
    first = y.unbind()[0]
    y.mul_(2)
    return first.grad_fn


def one_of_several_views_used_after_a_change(m):
    y = leaf(m) * 1
    first, second = y.split(1)
    y[1].zero_()
    return (first * 2).sum()


def an_unrecorded_view_of_a_changed_base(m):
    y = leaf(m) * 1
    with m.no_grad():
        view = y[0]
    y.mul_(2)
    return view.grad_fn


def an_unrecorded_view_requires_grad(m):
    y = leaf(m) * 1
    with m.no_grad():
        view = y[0]
    return [view.requires_grad, view.is_leaf, (view * 2).requires_grad]


def a_base_that_comes_to_require_grad(m):
    base = m.zeros(2, 2)
    view = base.view(4)
    base.requires_grad_()
    return [view.requires_grad, (view * 2).requires_grad]


def parts_of_complex_numbers(m):
    found = []
    for part in ("real", "imag"):
        z = m.tensor([1 + 2j, 3j], dtype=m.complex128, requires_grad=True)
        y = z * 1
        view = getattr(y, part)
        view.mul_(2)
        y.abs().sum().backward()
        found.append([str(y.detach()), str(z.grad), view._is_view(), view._base is y, view._version])
    return found


def views_of_inference_tensors(m):
    with m.inference_mode():
        x = m.ones(2, 2)
    return [x.t().is_inference(), x[0].tolist(), x.detach().is_inference(), (x.view(4) + 1).is_inference()]


def contiguous_copies(m):
    x = leaf(m)
    y = x.t().contiguous()
    return [y._is_view(), y.grad_fn.name(), y.stride(), x.contiguous() is x]


def integers_carry_no_gradient(m):
    x = leaf(m)
    found = [x.long(), x.bool(), x.to(m.int32), x.type(m.int64)]
    return [[one.requires_grad, one.tolist()] for one in found]


def everything_of_a_leaf(m):
    leaf(m)[...] = 0


def a_part_of_a_leaf(m):
    leaf(m)[0] = 0


def more_dimensions_than_there_are(m):
    return m.ones(2, 2).copy_(m.ones(1, 2, 2))


NUMBERS = """
s.index_fill_(0, i, 1.0)   s.index_add_(0, i, s * 3)   s.index_copy_(0, i, s * 3)   s.index_select(0, i)
s.gather(0, i[0])
s.gather(0, i)   s.unbind(0)   s.split(1)   s.chunk(2)   s.flip(0)   s.cumsum(0)   s.diagonal()   m.ones(3).diagonal()
s.sort()[1]   s.topk(1)[0]   s.squeeze()   s.t()   s.max(0)[1]   s.repeat(2)   s.expand(2)   s.flatten()   s.view(1, 1)
"""


def of_a_number(expression: str):
    """Operations along a dimension, of a tensor that has none."""
    return lambda m: eval(expression, {"m": m, "s": m.tensor(2.0), "i": m.tensor([0])})


def rearranged(call: str, take: str, change: str):
    """A base that is rearranged in place has views from before; then the memory is changed."""

    def question(m):
        w = m.ones(1, 3, requires_grad=True)
        x = m.arange(3.0).reshape(1, 3) * w
        v = eval(take, {"x": x})
        eval(f"x.{call}", {"x": x})
        eval(change, {"x": x, "v": v})
        found = [x.detach(), v.detach(), x._version, x.grad_fn.name().removeprefix("torch::autograd::")]
        for out in (x, v):
            found += m.autograd.grad((out * out).sum(), w, retain_graph=True)
        return found

    return question


REARRANGEMENTS = "t_() transpose_(0,1) unsqueeze_(0) unsqueeze_(dim=-1) squeeze_() squeeze_(0) squeeze_((0,))".split()
TAKEN = "x[0] x.t()[1] x.view(-1)[1:] x.unsqueeze_(0)[0,0]".split()
CHANGES = "x.mul_(3) v.mul_(3) x.view(-1)[:2].mul_(3) v.add_(x.sum())".split()
PROGRAMS = (
    frozen_afterwards, one_of_several_views_of_a_changed_base, one_of_several_views_used_after_a_change,
    an_unrecorded_view_of_a_changed_base, an_unrecorded_view_requires_grad, a_base_that_comes_to_require_grad,
    parts_of_complex_numbers, views_of_inference_tensors, contiguous_copies, integers_carry_no_gradient,
    everything_of_a_leaf, a_part_of_a_leaf, more_dimensions_than_there_are,
)  # fmt: skip
SAVE_THEIR_RESULT = "tanh_ sigmoid_ exp_ sqrt_ rsqrt_ reciprocal_ relu_ exp2_ expm1_ tan_".split()
QUESTIONS = (
    {one.__name__: one for one in PROGRAMS}
    | {f"{twin} through a view": through_a_view(twin) for twin in SAVE_THEIR_RESULT}
    | {
        f"v={take} x.{call} {change}": rearranged(call, take, change)
        for call in REARRANGEMENTS
        for take in TAKEN
        for change in CHANGES
        if not ("_" in take and call in ("t_()",))  # of three dimensions
    }
    | {one: of_a_number(one) for line in NUMBERS.split("\n") for one in line.split("   ") if one}
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", QUESTIONS)
def test_it_is_pytorchs(name):
    found = answer(QUESTIONS[name], mg)
    if "raises" in found:
        found["raises"][1] = found["raises"][1].partition("\n")[0]  # the rest names the variable
    assert_same(found, recorded("views")[name])


def test_a_view_from_before_as_strided_in_place_is_refused_after_a_change():
    x = mg.arange(6.0).requires_grad_() * 2
    view = x[1:]
    x.as_strided_((2,), (1,)).mul_(3)
    with pytest.raises(RuntimeError, match=r"Take the view anew after as_strided_\(\)"):
        view.sum().backward()


def test_a_tangent_is_rearranged_with_its_tensor():
    with mg.autograd.forward_ad.dual_level():
        x = mg.autograd.forward_ad.make_dual(mg.ones(2, 3), mg.arange(6.0).reshape(2, 3))
        assert mg.autograd.forward_ad.unpack_dual(x.t_() * 2).tangent.tolist() == [[0, 6], [2, 8], [4, 10]]


def test_what_is_not_recorded_asks_for_no_history():
    """A view of several whose base was changed has none that could be taken; its numbers can be read all the same."""
    y = mg.ones(2, requires_grad=True) * 1
    first, _ = y.unbind()
    y.mul_(3)
    with mg.no_grad():
        assert [(first + 1).item(), (first + first).item(), mg.stack([first])[0].item()] == [4, 6, 3]
    with pytest.raises(RuntimeError, match="its base or another view of its base has been modified"):
        first + 1


@pytest.mark.parametrize("change", ["add_(1)", "add_(mg.tensor(1.0))", "zero_()", "exp_()"])
def test_the_short_way_changes_no_view_that_must_not_be_changed(change):
    y = mg.ones(2, requires_grad=True) * 1
    with mg.no_grad():
        view = y[0]
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode and is being modified inplace"):
        eval(f"view.{change}", {"view": view, "mg": mg})
    assert y.tolist() == [1.0, 1.0]
