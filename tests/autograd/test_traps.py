"""Traps into which other engines fell, each under its own name."""

import gc

import numpy as np
import pytest

import minigrad as mg
from minigrad.autograd import walk
from minigrad.core import events

from ..oracle import scalar


def diamonds(x, count: int):
    """x -> 2x, `count` times; each step reaches the next by two ways."""
    for _ in range(count):
        x = x + x * 1
    return x


# == one visit per node ====================================================================================


@pytest.mark.parametrize("count", [18, 20, 60])
def test_diamonds_are_visited_once_each(count):
    """By paths, 18 diamonds cost 2.7 s elsewhere, and 60 would never end; by nodes it is two visits for each."""
    x = scalar(mg, 1.0)
    visited = [event.node for event in walk(diamonds(x, count)) if isinstance(event, events.Visited)]
    assert len(visited) == len(set(visited)) == 2 * count
    assert x.grad.item() == 2.0**count


def test_a_shared_interior_node_is_not_freed_at_its_first_visit():
    """6 for 21 where the shared part was let go of too early."""
    x = scalar(mg, 3.0)
    shared = x * x
    (shared * 2 + shared * 1.5).backward()
    assert x.grad.item() == 21.0


def test_a_second_backward_adds_the_first_gradient_once():
    """45 for 27 where the gradients inside the graph were kept from the first backward."""
    x = scalar(mg, 3.0)
    y = x * x
    z = y * 1.5 + y * 0
    for expected in (9.0, 18.0, 27.0):
        z.backward(retain_graph=True)
        assert x.grad.item() == expected


def test_a_plus_a_has_two_edges_and_gradient_two():
    a = scalar(mg, 5.0)
    out = a + a
    (first, _), (second, _) = out.grad_fn.next_functions
    assert first is second and first.variable is a
    out.backward()
    assert a.grad.item() == 2.0


def test_the_same_leaf_in_every_slot():
    a, yes = mg.tensor([1.0, 2.0], requires_grad=True), mg.tensor([True, False])
    mg.where(yes, a, a).sum().backward()
    assert a.grad.tolist() == [1.0, 1.0]
    mg.cat([a, a, a]).sum().backward()
    assert a.grad.tolist() == [4.0, 4.0]
    (a @ a).backward()
    assert a.grad.tolist() == [6.0, 8.0]


def test_a_node_runs_only_when_its_gradient_is_complete():
    """Depth first, the gradient of `a` would be pushed on before the longer path has arrived."""
    x = scalar(mg, 2.0)
    a = x * x
    b = a * 3
    (a * b).backward()  # 3 x⁴
    assert x.grad.item() == 12 * 8.0


# == who owns a gradient ===================================================================================


@pytest.mark.parametrize("combine", [lambda a, b: a + b, lambda a, b: b + a, lambda a, b: a - b + 2 * b])
def test_two_leaves_never_share_a_gradient(combine):
    a, b = (mg.ones(3, requires_grad=True) for _ in range(2))
    combine(a, b).sum().backward()
    assert not np.shares_memory(a.grad.numpy(), b.grad.numpy())
    a.grad += 1
    a.grad[0] = 7.0
    assert a.grad.tolist() == [7.0, 2.0, 2.0] and b.grad.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("reduce", [lambda x: x.sum(), lambda x: x.expand(2, 3).sum(), lambda x: x.mean()])
def test_a_broadcast_gradient_is_never_read_only(reduce):
    x = mg.ones(3, requires_grad=True)
    reduce(x).backward()
    assert x.grad.numpy().flags.writeable and x.grad.numpy().strides == (4,)
    x.grad.zero_()
    assert x.grad.tolist() == [0.0, 0.0, 0.0]


def test_a_root_that_is_a_leaf_does_not_keep_the_gradient_that_was_handed_in():
    x, given = mg.ones(2, requires_grad=True), mg.tensor([1.0, 2.0])
    x.backward(given)
    x.grad.add_(100)
    assert given.tolist() == [1.0, 2.0]


def test_a_leaf_does_not_keep_the_gradient_that_was_handed_in():
    x, given = mg.ones(2, requires_grad=True), mg.tensor([1.0, 2.0])
    (x * 1).backward(given)
    x.clone().backward(given)
    x.grad.add_(100)
    assert given.tolist() == [1.0, 2.0]


def test_a_kept_gradient_is_not_changed_by_the_next_backward():
    """`old = x.grad` and then `x.grad = None`: the old one is the learner's own."""
    x = mg.ones(2, requires_grad=True)
    x.sum().backward()
    old, x.grad = x.grad, None
    (x * 5).sum().backward()
    assert old.tolist() == [1.0, 1.0] and x.grad.tolist() == [5.0, 5.0]


def test_what_grad_returns_is_not_shared_with_anything():
    x, y = mg.ones(2, requires_grad=True), mg.ones(2, requires_grad=True)
    seed = mg.ones(2)
    first, second = mg.autograd.grad(x + y, [x, y], seed)
    for one, other in ((first, second), (first, seed), (second, seed)):
        assert not np.shares_memory(one.numpy(), other.numpy())


def test_what_grad_returns_may_be_changed():
    """The gradient of a sum is one number seen many times; a learner's own is an array like any other."""
    x = mg.ones(3, requires_grad=True)
    y = x * 1
    for g in mg.autograd.grad(y.sum(), [x, y], allow_unused=False):
        g[0] += 1
        assert g.tolist() == [2.0, 1.0, 1.0]


def test_a_non_leaf_that_retains_its_gradient_shares_it_with_nobody():
    x = mg.ones(2, requires_grad=True)
    y = x + 0
    y.retain_grad()
    (y + 0).sum().backward()
    y.grad.fill_(9.0)
    assert x.grad.tolist() == [1.0, 1.0]


# == several outputs, errors ===============================================================================


def test_a_dropped_second_output_counts_as_zero():
    x = mg.tensor([3.0, 1.0, 2.0], requires_grad=True)
    first, *_ = x.split([1, 2])
    gc.collect()
    first.sum().backward()
    assert x.grad.tolist() == [1.0, 0.0, 0.0]
    values = mg.max(x, 0)[0]
    values.backward()
    assert x.grad.tolist() == [2.0, 0.0, 0.0]


def test_only_the_last_output_is_used():
    x = mg.tensor([3.0, 1.0, 2.0], requires_grad=True)
    *_, last = x.unbind()
    (last * 4).backward()
    assert x.grad.tolist() == [0.0, 0.0, 4.0]


@pytest.mark.parametrize("create_graph", [False, True])
def test_an_exception_in_a_backward_leaves_engine_and_mode_usable(create_graph):
    x = scalar(mg, 2.0)

    def refuse(grad):
        raise ZeroDivisionError("planted")

    y = x * x
    handle = y.register_hook(refuse)
    with pytest.raises(ZeroDivisionError, match="planted"):
        (y * 3).backward(create_graph=create_graph)
    assert mg.is_grad_enabled() and x.grad is None
    handle.remove()
    (y * 3).backward(retain_graph=True)
    assert x.grad.item() == 12.0
    with mg.no_grad(), pytest.raises(ZeroDivisionError):
        with y.register_hook(refuse):
            y.backward()
    assert mg.is_grad_enabled()


def test_the_walk_that_failed_did_not_half_fill_the_next():
    x = scalar(mg, 2.0)
    y = x * x
    z = y * 3
    with y.register_hook(lambda grad: 1 / 0), pytest.raises(ZeroDivisionError):
        z.backward(retain_graph=True)
    z.backward()
    assert x.grad.item() == 12.0


# == "not yet" is not zero =================================================================================


def test_a_gradient_that_has_not_arrived_is_none():
    x, unused = scalar(mg, 2.0), scalar(mg, 1.0)
    assert x.grad is None
    y = x * x
    y.retain_grad()
    assert y.grad is None
    y.backward()
    assert unused.grad is None and x.grad.item() == 4.0 and y.grad.item() == 1.0


def test_a_path_that_multiplies_by_zero_gives_zero_not_none():
    x = scalar(mg, 2.0)
    (x * 0).backward()
    assert x.grad is not None and x.grad.item() == 0.0


def test_detach_stops_the_gradient_and_only_there():
    x = scalar(mg, 3.0)
    (x * x.detach()).backward()
    assert x.grad.item() == 3.0


def test_a_no_grad_piece_is_a_constant():
    x = scalar(mg, 3.0)
    with mg.no_grad():
        y = x * x
    assert not y.requires_grad and y.grad_fn is None
    (x * y).backward()
    assert x.grad.item() == 9.0


# == values that changed under the graph ===================================================================


def test_a_saved_value_that_was_overwritten_is_refused():
    x = mg.tensor([2.0], requires_grad=True)
    y = x * 1
    z = y * y
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


def test_a_saved_output_that_was_overwritten_is_refused():
    x = mg.tensor([2.0], requires_grad=True)
    y = x.exp()
    y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_a_value_that_is_not_needed_may_be_overwritten():
    x = mg.tensor([2.0], requires_grad=True)
    y = x * 3
    z = y + 1  # saves nothing
    y.mul_(100)
    z.backward()
    assert x.grad.tolist() == [3.0]


def test_an_optimizer_step_between_two_backwards_is_noticed():
    w = mg.tensor([2.0], requires_grad=True)
    loss = (w * w).sum()
    loss.backward(retain_graph=True)
    with mg.no_grad():
        w -= 0.1 * w.grad
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_the_graph_that_was_freed_says_so_only_where_a_saved_value_is_needed():
    x = scalar(mg, 2.0)
    y = x + 1
    y.backward()
    y.backward()  # additions save nothing
    assert x.grad.item() == 2.0
    z = x * x
    z.backward()
    with pytest.raises(RuntimeError, match="second time"):
        z.backward()


# == views ================================================================================================


@pytest.mark.parametrize("take", ["x[1]", "x.select(0, 1)", "x.unbind()[1]", "x[1:2].squeeze()", "list(x)[1]"])
def test_an_element_is_a_view_too(take):
    x = mg.ones(3)
    eval(take).mul_(5)
    assert x.tolist() == [1.0, 5.0, 1.0]


@pytest.mark.parametrize("take", ["x[1:2]", "x.reshape(3, 1)[1]", "x.narrow(0, 1, 1)", "x.detach()[1:2]"])
def test_a_change_through_a_view_is_seen_in_its_base(take):
    x = mg.ones(3)
    eval(take).mul_(5)
    assert x.tolist() == [1.0, 5.0, 1.0] and x._version == 1


def test_a_tangent_follows_a_change_through_a_view():
    with mg.autograd.forward_ad.dual_level():
        x = mg.autograd.forward_ad.make_dual(mg.ones(3), mg.ones(3)).clone()
        x[0].mul_(5)
        assert mg.autograd.forward_ad.unpack_dual(x).tangent.tolist() == [5.0, 1.0, 1.0]


# == broadcasting ==========================================================================================


@pytest.mark.parametrize(
    "shape", [(), (1,), (3,), (1, 1), (2, 1), (1, 3), (2, 3)], ids=lambda shape: "x".join(map(str, shape)) or "scalar"
)
def test_the_gradient_of_a_broadcast_input_is_summed_to_its_shape(shape):
    small, large = mg.ones(shape, requires_grad=True), mg.full((2, 3), 5.0)
    (small * large).sum().backward()
    assert small.grad.shape == shape
    assert small.grad.flatten().tolist() == [30.0 / max(small.numel(), 1)] * small.numel()


def test_a_python_number_never_widens_a_gradient():
    x = mg.ones(2, requires_grad=True)
    (x * 2.0 + np.float64(1.5)).sum().backward()
    assert x.grad.dtype is mg.float32
