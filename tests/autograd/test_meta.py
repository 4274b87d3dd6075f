"""What a tensor knows for autograd's sake, laid side by side, is what PyTorch's tensor answers one by one."""

import pytest

import minigrad as mg
from minigrad.autograd import AutogradMeta

from ..oracle import answer, assert_same, recorded


def tensors(m) -> dict:
    """Tensors of all kinds."""
    leaf = m.tensor([1.0, 2.0], dtype=m.float64, requires_grad=True)
    made = leaf * 3
    kept = leaf.exp()
    kept.retain_grad()
    kept.register_hook(lambda grad: None)
    changed = m.zeros(2)
    changed.add_(1).mul_(2)
    first, second = made.unbind()
    (kept * 2 + made).sum().backward()
    view, no_view = made[1:], leaf.detach().clone()
    with m.inference_mode():
        outside = m.ones(1)
    return {
        "leaf": leaf, "made": made, "kept": kept, "changed": changed, "second": second, "view": view,
        "constant": m.ones(1), "copy": no_view, "outside": outside, "base of a view": view._base,
    }  # fmt: skip


def facts(m, tensor) -> dict:
    """The fields as PyTorch's tensors have them."""
    grad = tensor.grad if tensor.is_leaf or tensor.retains_grad else None
    return {
        "requires_grad_": tensor.requires_grad,
        "grad_fn_": tensor.grad_fn and tensor.grad_fn.name(),
        "output_nr_": tensor.output_nr,
        "grad_": grad is not None and grad.tolist(),
        "retains_grad_": tensor.retains_grad,
        "hooks_": len(tensor._backward_hooks or ()),
        "version_counter_": None if tensor.is_inference() else tensor._version,
        "is_view_": tensor._is_view(),
        "base_": tensor._base is not None and tensor._base.tolist(),
    }


def laid_out(tensor) -> dict:
    meta = AutogradMeta(tensor)
    found = {field: getattr(meta, field) for field in recorded("meta")["leaf"]}
    found["grad_fn_"] = found["grad_fn_"] and found["grad_fn_"].name()
    return found | {field: found[field] is not None and found[field].tolist() for field in ("grad_", "base_")}


QUESTIONS = {name: lambda m, name=name: facts(m, tensors(m)[name]) for name in tensors(mg)}


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_fields_are_pytorchs(name):
    assert_same(answer(lambda m: laid_out(tensors(m)[name]), mg), recorded("meta")[name])


def test_the_accumulator_is_there_while_a_graph_needs_it():
    leaf = mg.ones(2, requires_grad=True)
    meta = AutogradMeta(leaf)
    assert meta.grad_accumulator_ is None
    product = leaf * 2
    assert meta.grad_accumulator_ is product.grad_fn.next_functions[0][0]
    assert meta.grad_accumulator_.variable is leaf and AutogradMeta(product).grad_accumulator_ is None
    del product
    assert meta.grad_accumulator_ is None


def test_it_shows_what_holds_now():
    leaf = mg.zeros(2, requires_grad=True)
    meta = AutogradMeta(leaf)
    assert meta.grad_ is None and meta.version_counter_ == 0
    leaf.sum().backward()
    with mg.no_grad():
        leaf -= leaf.grad
    assert meta.grad_ is leaf.grad and meta.version_counter_ == 1
    assert "grad_             [1.0, 1.0]" in repr(meta) and "version_counter_  1 " in repr(meta)


def test_the_name_is_the_users():
    weight, held_by_no_variable = mg.ones(1), [mg.ones(1)]
    assert AutogradMeta(weight).name_ == "weight"
    found = AutogradMeta(held_by_no_variable[0]).name_
    assert found is None
    assert repr(AutogradMeta(weight)).splitlines()[1].split()[:2] == ["name_", "weight"]


def test_the_tangent_is_there_in_forward_mode():
    with mg.autograd.forward_ad.dual_level():
        dual = mg.autograd.forward_ad.make_dual(mg.ones(1), mg.tensor([5.0]))
        assert AutogradMeta(dual * 2).fw_grad_.tolist() == [10.0]


def test_every_field_is_printed_with_a_word_about_it():
    lines = repr(AutogradMeta(mg.ones(7))).splitlines()
    assert {line.split()[0] for line in lines[1:]} == set(dir(AutogradMeta(mg.ones(1))))
    assert all(len(line.split()) > 4 for line in lines[1:])


def test_bad_input():
    with pytest.raises(AttributeError, match="AutogradMeta has no field 'gradient_'; it has name_, requires_grad_"):
        _ = AutogradMeta(mg.ones(1)).gradient_
