"""Values that are packed between forward and backward, and hooks that wait for several gradients."""

import gc
import threading
import weakref

import pytest

import minigrad
from minigrad.autograd import forward_ad

from ..oracle import judge, leaf


def calls_of_the_hooks(m):
    """Each saved value is packed once, and unpacked once in each backward."""
    seen, x = [], leaf(m, 2.0, 3.0)
    with m.autograd.graph.saved_tensors_hooks(
        lambda tensor: (seen.append(("pack", tensor.tolist())), tensor)[1],
        lambda tensor: (seen.append(("unpack", m.is_grad_enabled())), tensor)[1],
    ):
        y = (x * x).exp().sum()
    y.backward()
    return seen, x.grad.tolist()


def order_of_packing(m):
    """Inputs by name, then outputs; an index or a mask and what a change in place overwrote are packed as well."""
    seen, a, b = [], leaf(m, 0.5, 1.5), leaf(m, 0.25, 4.0)
    operations = (lambda: a * b, lambda: a / b, lambda: a**b, lambda: m.atan2(a, b), lambda: (a * 1).mul_(b))
    for operation in (*operations, lambda: a[m.tensor([1, 0])], lambda: m.where(a > 1, a, b)):
        with m.autograd.graph.saved_tensors_hooks(
            lambda tensor: (seen.append(tensor.tolist()), tensor)[1],
            lambda tensor: (seen.append(["unpack", *tensor.tolist()]), tensor)[1],
        ):
            y = operation()
        (g,) = m.autograd.grad(y.sum(), a, create_graph=True)
        y.sum().backward()
        try:
            y.sum().backward()
        except RuntimeError as error:
            seen.append(str(error)[:49])
    return [[round(x, 3) if isinstance(x, float) else x for x in one] if isinstance(one, list) else one for one in seen]


def freed_with_their_index(m):
    """A second backward is refused as well where an index or a mask alone was saved."""
    said, at = [], m.tensor([1, 0])
    for operation in (
        lambda x: x[at], lambda x: x.gather(0, at), lambda x: m.where(x > 1, x, 0.0), lambda x: x.masked_fill(x > 1, 0),
        lambda x: x[:1], lambda x: x.sum(), lambda x: x * 2,
    ):  # fmt: skip
        y = operation(leaf(m, 1.0, 2.0)).sum()
        y.backward()
        try:
            y.backward()
            said.append("again")
        except RuntimeError as error:
            said.append(str(error)[:49])
    return said


def what_unpack_returns_is_taken(m):
    x = leaf(m, 2.0, 3.0)
    with m.autograd.graph.saved_tensors_hooks(lambda tensor: tensor * 2, lambda packed: packed):
        y = (x * x).sum()
    (g,) = m.autograd.grad(y, x, create_graph=True)
    return g, m.autograd.grad(g.sum(), x), y.grad_fn.next_functions[0][0]._saved_self


def higher_derivatives_of_what_unpack_returns(m):
    """They are those of the numbers that the hooks gave: of 2x, as often as they were asked."""
    found, x, hooks = [], leaf(m, 1.0, 2.0), m.autograd.graph.saved_tensors_hooks
    with hooks(lambda tensor: tensor * 2, lambda packed: packed):
        g = m.autograd.grad((x**4).sum(), x, create_graph=True)[0]
    for _ in range(2):
        g = m.autograd.grad(g.sum(), x, create_graph=True)[0]
        found.append(g.tolist())
    with hooks(lambda tensor: tensor * 2, lambda packed: packed):
        (g,) = m.autograd.grad((x**3).sum(), x, create_graph=True)
        found.append(m.autograd.grad(g.sum(), x)[0].tolist())
    return found


def in_place_changes_go_unnoticed(m):
    x = leaf(m, 2.0, 3.0)
    w = x * 1
    with m.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, lambda packed: packed):
        y = w * w
    with m.no_grad():
        w.mul_(100)
    y.sum().backward()
    return x.grad


def only_the_innermost(m):
    seen, x = [], leaf(m, 2.0)
    with m.autograd.graph.saved_tensors_hooks(lambda tensor: seen.append("outer") or tensor, lambda packed: packed):
        with m.autograd.graph.saved_tensors_hooks(lambda tensor: seen.append("inner") or tensor, lambda packed: packed):
            y = x.sin()
        z = y.sin()
    z.backward()
    return seen, x.grad


def custom_operation(m):
    class Exp(m.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            result = x.exp()
            ctx.save_for_backward(x, result)
            return result

        @staticmethod
        def backward(ctx, g):
            x, result = ctx.saved_tensors
            return g * result * x

    x = leaf(m, 1.0, 2.0)
    with m.autograd.graph.saved_tensors_hooks(lambda tensor: tensor.double(), lambda packed: packed.float()):
        y = Exp.apply(x).sum()
    y.backward()
    return x.grad


def constants_come_back_themselves(m):
    class Scaled(m.autograd.Function):
        @staticmethod
        def forward(ctx, x, by):
            ctx.save_for_backward(by)
            return x * by

        @staticmethod
        def backward(ctx, g):
            seen.append(ctx.saved_tensors[0] is by)
            return g, None

    seen, by = [], m.nn.Parameter(m.tensor(2.0), requires_grad=False)
    with m.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, lambda packed: packed):
        Scaled.apply(leaf(m, 1.0), by).backward()
    m.utils.checkpoint.checkpoint(Scaled.apply, leaf(m, 1.0), by, use_reentrant=False).backward()
    return seen


def no_tensor_comes_back(m):
    x = leaf(m, 2.0)
    with m.autograd.graph.saved_tensors_hooks(lambda tensor: 5, lambda packed: packed):
        y = x * x
    y.backward()


def pack_that_changes_its_input(m):
    x = leaf(m, 2.0) * 1
    with m.autograd.graph.saved_tensors_hooks(lambda tensor: tensor.mul_(2), lambda packed: packed):
        x * x


def hooks_of_one_value(m):
    """`_raw_saved_self` packs at once, without the history; the rest of the node stays as it was."""
    seen, x = [], leaf(m, 2.0, 3.0)

    class Cube(m.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, None)
            return x**3

        @staticmethod
        def backward(ctx, g):
            return g * 3 * ctx.saved_tensors[0] ** 2

    def pack(tensor):
        seen.append((tensor.tolist(), tensor.requires_grad, tensor is x, m.is_grad_enabled()))
        return tensor * 10

    def register(one, *hooks):
        try:
            seen.append(one().register_hooks(*hooks))
        except (RuntimeError, AttributeError) as error:
            seen.append(str(error)[:110])

    def same(tensor):
        return tensor

    cube, e, y, small = Cube.apply(x), x.sqrt(), (x * 1) * x, x.clamp(min=0)
    made = [
        lambda: y.grad_fn._raw_saved_self,
        lambda: e.grad_fn._raw_saved_result,
        lambda: small.grad_fn._raw_saved_min,
    ]
    made += [lambda: cube.grad_fn._raw_saved_tensors[0], lambda: cube.grad_fn._raw_saved_tensors[1]]
    for one in made:
        register(one, pack, same)
        register(one, pack, same)
    register(lambda: y.grad_fn._raw_saved_other, same, same)
    seen += [y.grad_fn._saved_self.tolist(), y.grad_fn._saved_other.tolist(), y.grad_fn._raw_saved_self.data.tolist()]
    (cube + e + y).sum().backward()
    register(lambda: y.grad_fn._raw_saved_self, same, same)
    register(lambda: y.grad_fn._raw_saved_other, same, same)
    register(lambda: cube.grad_fn._raw_saved_tensors[0], same, same)
    return seen, x.grad.tolist()


def several_gradients(m):
    a, b, c, seen = leaf(m, 2.0), leaf(m, 3.0), leaf(m, 5.0), []
    y = a * b
    handle = m.autograd.graph.register_multi_grad_hook((a, b, c), lambda gradients: seen.append(str(gradients)))
    y.backward(retain_graph=True)
    (y + c).backward(retain_graph=True)
    handle.remove()
    y.backward(retain_graph=True)
    return seen


def first_of_several_gradients(m):
    a, b, seen = leaf(m, 2.0), leaf(m, 2.0), []
    y = a * b
    hooks = m.autograd.graph.register_multi_grad_hook
    with hooks((a, b), lambda gradient: seen.append(gradient.item()), mode="any"):
        y.backward(retain_graph=True)
        y.backward(retain_graph=True)
    y.backward()
    return seen


def gradients_of_a_backward_inside_another_one(m):
    """Each backward waits for its own."""
    a, b, seen, hooks = leaf(m, 2.0), leaf(m, 3.0), [], m.autograd.graph.register_multi_grad_hook
    hooks((a, b), lambda gradients: seen.append(str(gradients)))
    hooks((a, b), lambda gradient: seen.append(gradient.item()), mode="any")

    def inner(gradient):
        if len(seen) == 1:  # the first of the outer one's two has come
            m.autograd.backward(again)

    again = a * b * 2
    a.register_hook(inner)
    b.register_hook(inner)
    (a * b).backward()
    return seen, a.grad.item(), b.grad.item()


def edges(m):
    x = leaf(m, 1.0, 2.0)
    graph = m.autograd.graph
    found = [graph.get_gradient_edge(one) for one in (x, x * 2, (x * 2).unbind()[1])]
    return [(edge.node.name(), edge.output_nr) for edge in found]


def edge_of_a_constant(m):
    m.autograd.graph.get_gradient_edge(m.ones(1))


def hook_on_a_constant(m):
    m.autograd.graph.register_multi_grad_hook((m.ones(1),), print)


def hook_of_no_mode(m):
    m.autograd.graph.register_multi_grad_hook((leaf(m, 1.0),), print, mode="some")


RECORDED = {  # by PyTorch 2.13
    calls_of_the_hooks: "([('pack', [2.0, 3.0]), ('pack', [2.0, 3.0]), ('pack', [54.598148345947266, 8103.083984375]), "
    "('unpack', False), ('unpack', False), ('unpack', False)], [218.39259338378906, 48618.50390625])",
    what_unpack_returns_is_taken: "(tensor([ 8., 12.], grad_fn=<AddBackward0>), (tensor([2., 2.]),), "
    "tensor([4., 6.], requires_grad=True))",
    in_place_changes_go_unnoticed: "tensor([400., 600.])",
    only_the_innermost: "(['inner', 'outer'], tensor([-0.2556]))",
    custom_operation: "tensor([ 2.7183, 14.7781])",
    constants_come_back_themselves: "[True, True]",
    no_tensor_comes_back: "TypeError: Output of saved tensor unpack_hook expected to be a Tensor but got result of "
    "type int",
    pack_that_changes_its_input: "RuntimeError: A saved tensor pack hook is modifying its input in place",
    several_gradients: "(['[tensor([3.]), tensor([2.]), None]', '[tensor([3.]), tensor([2.]), tensor([1.])]'])",
    first_of_several_gradients: "[2.0, 2.0]",
    edges: "[('torch::autograd::AccumulateGrad', 0), ('MulBackward0', 0), ('UnbindBackward0', 1)]",
    edge_of_a_constant: "RuntimeError: It is not possible to get the gradient edge for a Tensor that does not require "
    "gradients",
    hook_on_a_constant: "AssertionError: Expected gradient function to be set",
    hook_of_no_mode: "ValueError: Expects mode to be one of ('all', 'any') but got some",
}
ASKED = (
    order_of_packing, freed_with_their_index, hooks_of_one_value, higher_derivatives_of_what_unpack_returns,
    gradients_of_a_backward_inside_another_one,
)  # fmt: skip
RECORDED[several_gradients] = RECORDED[several_gradients].strip("()")


def said(case, m) -> str:
    """What it answers, or the first sentence of its error."""
    try:
        return str(case(m))
    except Exception as error:
        return f"{type(error).__name__}: {error}".partition(". ")[0]


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case.__name__)
def test_against_recorded(case):
    assert said(case, minigrad) == RECORDED[case]


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case.__name__)
def test_against_pytorch(case):
    assert said(case, pytest.importorskip("torch")) == RECORDED[case]


@pytest.mark.parametrize("case", ASKED, ids=lambda case: case.__name__)
def test_as_pytorch(case):
    assert case(minigrad) == case(judge())


def test_another_thread_packs_nothing():
    seen, x = [], leaf(minigrad, 2.0)

    def elsewhere():
        x.sin().backward()

    with minigrad.autograd.graph.saved_tensors_hooks(seen.append, lambda packed: packed):
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    assert not seen
    assert x.grad.item() == pytest.approx(-0.4161468)


def test_no_cycles():
    gc.collect()
    gc.disable()
    try:
        x = leaf(minigrad, 1.0)
        with minigrad.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, lambda packed: packed):
            y = x.exp().tanh()
        gone = weakref.ref(y.grad_fn)
        del y
        assert gone() is None
    finally:
        gc.enable()


def test_a_removed_multi_hook_holds_no_graph():
    x = leaf(minigrad, 1.0)
    y = x.exp()
    with minigrad.autograd.graph.register_multi_grad_hook((x,), lambda gradients: None):
        y.backward()
    node = weakref.ref(y.grad_fn)
    del y
    assert node() is None


@pytest.mark.parametrize("mode", ["all", "any"])
def test_nor_does_one_that_stays(mode):
    gc.collect()
    gc.disable()
    try:
        x, y = leaf(minigrad, 1.0) * 1, leaf(minigrad, 2.0) * 1
        minigrad.autograd.graph.register_multi_grad_hook((x, y), lambda gradients: None, mode=mode)
        (x * y).backward()
        gone = weakref.ref(x.grad_fn)
        del x, y
        assert gone() is None
    finally:
        gc.enable()


def test_nor_does_one_that_waited_in_a_backward_that_failed():
    x = leaf(minigrad, 1.0)
    y = x * 1
    minigrad.autograd.graph.register_multi_grad_hook((x, y), lambda gradients: None)
    y.grad_fn.register_hook(lambda *gradients: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        (y * 2).backward()
    node = weakref.ref(y.grad_fn)
    del y
    assert node() is None


def test_each_thread_waits_for_the_gradients_of_its_own_backward():
    a, b, heard, meet = leaf(minigrad, 2.0), leaf(minigrad, 3.0), [], threading.Barrier(2)
    y = a * b
    minigrad.autograd.graph.register_multi_grad_hook((a, b), lambda gradients: heard.append(len(gradients)))

    def wait(grad):  # so that the two backwards go on in turn
        meet.wait(10)

    a.register_hook(wait), b.register_hook(wait)
    threads = [threading.Thread(target=y.backward, kwargs={"retain_graph": True}) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard == [2, 2]


def test_a_packed_value_keeps_its_tangent():
    same = minigrad.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, lambda packed: packed)
    with forward_ad.dual_level(), same:
        x = forward_ad.make_dual(minigrad.tensor([1.0, 2.0], requires_grad=True), minigrad.tensor([1.0, 10.0]))
        y = (x.exp() * x.sin()).sum()
        (g,) = minigrad.autograd.grad(y, x, create_graph=True)
        tangent = forward_ad.unpack_dual(g).tangent
    assert tangent.tolist() == pytest.approx([2.9373878, -61.4986464], rel=1e-6)


def test_a_tensor_that_is_multiplied_by_itself_in_place_is_packed_as_it_was():
    """What a hook keeps as it is, PyTorch overwrites meanwhile: its gradient is then 6 and 12."""
    x = minigrad.tensor([2.0, 3.0], requires_grad=True)
    packed, y = [], x * 1
    with minigrad.autograd.graph.saved_tensors_hooks(lambda one: packed.append(one) or one, lambda one: one):
        y.mul_(y)
    assert [one.tolist() for one in packed] == [[2, 3], [2, 3]]
    y.sum().backward()
    assert x.grad.tolist() == [4, 6]
