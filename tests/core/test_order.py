"""The order of everything: nodes, hooks, leaves. PyTorch's, as recorded: learners see it when they print in a hook."""

import pytest

import minigrad as mg

from ..oracle import answer, assert_same, recorded


class Log(list):
    """Writes down who was called, with what gradient."""

    def hook(self, name: str):
        return lambda grad: self.append([name, grad.tolist()])

    def leaf(self, name: str):
        return lambda tensor: self.append([f"deposited in {name}", tensor.grad.tolist()])

    def pre(self, name: str):
        return lambda outputs: self.append([f"before {name}", [one.tolist() for one in outputs]])

    def post(self, name: str):
        def hook(inputs, outputs):
            given = [None if one is None else one.tolist() for one in inputs]
            self.append([f"after {name}", given, [one.tolist() for one in outputs]])

        return hook


def leaves(m, count: int, log=None):
    found = [m.tensor(float(i + 2), dtype=m.float64, requires_grad=True) for i in range(count)]
    for i, leaf in enumerate(found if log is not None else ()):
        leaf.register_hook(log.hook(f"x{i}"))
        leaf.register_post_accumulate_grad_hook(log.leaf(f"x{i}"))
    return found


def watched(log, **tensors):
    for name, tensor in tensors.items():
        tensor.register_hook(log.hook(name))
        tensor.grad_fn.register_prehook(log.pre(name))
        tensor.grad_fn.register_hook(log.post(name))


# == questions =============================================================================================


def a_chain(m):
    log = Log()
    (x,) = leaves(m, 1, log)
    y = x * 3
    z = y.exp()
    watched(log, y=y, z=z)
    z.backward()
    return log


def a_diamond(m):
    log = Log()
    (x,) = leaves(m, 1, log)
    left, right = x * 2, x * 3
    out = left * right
    watched(log, left=left, right=right, out=out)
    out.backward()
    return log


def a_diamond_written_the_other_way_round(m):
    log = Log()
    (x,) = leaves(m, 1, log)
    right, left = x * 3, x * 2
    out = left * right
    watched(log, left=left, right=right, out=out)
    out.backward()
    return log


def an_early_value_used_late(m):
    """The youngest node first, not the shortest way."""
    log = Log()
    a, b = leaves(m, 2, log)
    early = a * b
    middle = b.exp()
    late = middle * b
    out = early + late
    watched(log, early=early, middle=middle, late=late, out=out)
    out.backward()
    return log


def a_leaf_gets_its_gradient_as_soon_as_it_is_complete(m):
    log = Log()
    a, b = leaves(m, 2, log)
    y = (a * 2).exp()
    z = y * b
    watched(log, y=y, z=z)
    z.backward()
    return log


def three_leaves_of_one_node(m):
    log = Log()
    a, b, c = leaves(m, 3, log)
    m.stack([a, b, c]).sum().backward()
    return log


def two_leaves_of_a_product(m):
    log = Log()
    a, b = leaves(m, 2, log)
    (b * a).backward()
    return log


def a_sum_of_leaves(m):
    log = Log()
    a, b, c = leaves(m, 3, log)
    ((a + b) + c).backward()
    return log


def several_roots(m):
    log = Log()
    a, b = leaves(m, 2, log)
    first, second = a * 2, a * b
    watched(log, first=first, second=second)
    m.autograd.backward([first, second])
    return log


def the_same_root_twice(m):
    log = Log()
    (x,) = leaves(m, 1, log)
    y = x * x
    watched(log, y=y)
    m.autograd.backward([y, y])
    return log


def hooks_in_the_order_of_registration(m):
    log = Log()
    (x,) = leaves(m, 1)
    y = x * 2
    y.register_hook(log.hook("first"))
    y.grad_fn.register_prehook(log.pre("node"))
    y.register_hook(log.hook("second"))
    y.grad_fn.register_hook(log.post("node"))
    y.grad_fn.register_hook(log.post("node again"))
    x.register_post_accumulate_grad_hook(log.leaf("x"))
    x.register_hook(log.hook("x"))
    y.backward()
    return log


def a_hook_that_replaces_is_seen_by_the_next(m):
    log = Log()
    (x,) = leaves(m, 1)
    y = x * 2
    y.register_hook(lambda grad: grad * 10)
    y.register_hook(log.hook("y"))
    y.retain_grad()
    x.register_hook(lambda grad: grad + 1)
    x.register_hook(log.hook("x"))
    y.backward()
    return [log, y.grad.tolist(), x.grad.tolist()]


def retain_grad_sees_what_the_hooks_made(m):
    (x,) = leaves(m, 1)
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda grad: grad * 10)
    y.backward()
    return [y.grad.tolist(), x.grad.tolist()]


def node_hooks_replace(m):
    (x,) = leaves(m, 1)
    y = x * 2
    y.grad_fn.register_prehook(lambda outputs: (outputs[0] * 10,))
    y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] + 1, *inputs[1:]))
    y.backward()
    return [x.grad.tolist()]


def a_removed_hook_is_silent(m):
    log = Log()
    (x,) = leaves(m, 1)
    handle = x.register_hook(log.hook("removed"))
    x.register_hook(log.hook("kept"))
    handle.remove()
    handle.remove()
    (x * 2).backward()
    return log


def a_hook_that_removes_itself(m):
    log = Log()
    (x,) = leaves(m, 1)

    def once(grad):
        log.append("once")
        handle.remove()

    handle = x.register_hook(once)
    for _ in range(2):
        (x * 2).backward()
    return log


def hooks_of_a_leaf_outlive_the_graph(m):
    log = Log()
    (x,) = leaves(m, 1, log)
    for _ in range(2):
        (x * 2).backward()
    return log


def hooks_under_grad(m):
    """`autograd.grad` deposits nothing, so only hooks on tensors are called."""
    log = Log()
    a, b = leaves(m, 2, log)
    y = a * b
    z = y.exp()
    watched(log, y=y, z=z)
    found = m.autograd.grad(z, [a, y])
    return [log, [g.tolist() for g in found]]


def hooks_under_grad_of_an_inner_tensor_alone(m):
    log = Log()
    (a,) = leaves(m, 1, log)
    y = a * 2
    z = y.exp()
    watched(log, y=y, z=z)
    (found,) = m.autograd.grad(z, y)
    return [log, found.tolist()]


def hooks_under_backward_with_inputs(m):
    log = Log()
    a, b = leaves(m, 2, log)
    y = a * b
    watched(log, y=y)
    (y * y).backward(inputs=[b])
    return [log, a.grad, b.grad.tolist()]


def backward_to_an_inner_tensor(m):
    log = Log()
    a, b = leaves(m, 2, log)
    y = a * b
    watched(log, y=y)
    (y * y).backward(inputs=[y, b])
    return [log, y.grad.tolist(), a.grad, b.grad.tolist()]


def grad_mode_inside_hooks(m):
    (x,) = leaves(m, 1)
    found = []
    y = x * 2
    y.register_hook(lambda grad: found.append([m.is_grad_enabled(), grad.requires_grad]))
    y.backward(retain_graph=True)
    y.backward(create_graph=True)
    with m.no_grad():
        y.backward()
    return found


def a_tensor_with_several_outputs(m):
    log = Log()
    x = m.tensor([1.0, 2.0, 3.0], requires_grad=True)
    first, second, third = x.unbind()
    first.register_hook(log.hook("first"))
    third.register_hook(log.hook("third"))
    first.grad_fn.register_hook(lambda inputs, outputs: log.append([len(inputs), len(outputs)]))
    (first * 2 + third * 5).backward()
    return [log, x.grad.tolist()]


def a_wide_graph(m):
    """Five branches of different length that meet."""
    log = Log()
    a, b = leaves(m, 2, log)
    branches = []
    for i in range(5):
        y = a * (i + 1)
        for j in range(i % 3):
            y = y + b * j
        y.register_hook(log.hook(f"branch {i}"))
        branches.append(y)
    out = branches[3] + branches[0]
    out = out + branches[4] * branches[1]
    (out + branches[2]).backward()
    return log


def a_leaf_that_is_the_root(m):
    log = Log()
    (x,) = leaves(m, 1, log)
    x.backward()
    return [log, x.grad.tolist()]


def an_unused_branch_is_not_visited(m):
    log = Log()
    a, b = leaves(m, 2, log)
    used, unused = a * 2, b * 3
    watched(log, used=used, unused=unused)
    (used + 1).backward()
    return [log, b.grad]


def second_backward_order(m):
    """The graph that create_graph made has an order too: that of the first backward."""
    log = Log()
    a, b = leaves(m, 2)
    y = (a * b).sin() * a
    ga, gb = m.autograd.grad(y, [a, b], create_graph=True)
    ga.register_hook(log.hook("ga"))
    gb.register_hook(log.hook("gb"))
    a.register_post_accumulate_grad_hook(log.leaf("a"))
    b.register_post_accumulate_grad_hook(log.leaf("b"))
    (ga * gb).backward()
    return [[name, [round(float(g), 5)]] for name, g in log]


PROGRAMS = (
    a_chain, a_diamond, a_diamond_written_the_other_way_round, an_early_value_used_late,
    a_leaf_gets_its_gradient_as_soon_as_it_is_complete, three_leaves_of_one_node, two_leaves_of_a_product,
    a_sum_of_leaves, several_roots, the_same_root_twice, hooks_in_the_order_of_registration,
    a_hook_that_replaces_is_seen_by_the_next, retain_grad_sees_what_the_hooks_made, node_hooks_replace,
    a_removed_hook_is_silent, a_hook_that_removes_itself, hooks_of_a_leaf_outlive_the_graph, hooks_under_grad,
    hooks_under_grad_of_an_inner_tensor_alone, hooks_under_backward_with_inputs, backward_to_an_inner_tensor,
    grad_mode_inside_hooks, a_tensor_with_several_outputs, a_wide_graph, a_leaf_that_is_the_root,
    an_unused_branch_is_not_visited, second_backward_order,
)  # fmt: skip
QUESTIONS = {program.__name__: lambda m, program=program: list(program(m)) for program in PROGRAMS}


@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_order_is_pytorchs(name):
    assert_same(answer(QUESTIONS[name], mg), recorded("order")[name])
