"""The graph as PyTorch shows it: names, edges, saved values; and nodes that are called by hand."""

import gc
import weakref

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.row import op

from ..oracle import answer, assert_same, recorded

# == names =================================================================================================

NAMED = """
x + y   x + 1   1 + x   x - y   x - 1   1 - x   x * y   2 * x   x / y   x / 2   2 / x   -x   x ** 2   x ** y   2 ** x
x.sin()   x.exp()   x.log()   x.sqrt()   x.tanh()   x.sigmoid()   x.relu()   x.abs()   x.clamp(0, 1)   m.maximum(x, y)
x.sum()   w.sum(0)   x.mean()   w.mean(1)   x.prod()   w.amax(0)   x.max()   w.max(0)[0]   w.min(1).values   x.var()
x.std()   x.norm()   x.cumsum(0)   w.logsumexp(0)   w.softmax(0)   w.log_softmax(1)   x @ y   w @ x   w @ w.t()
w.reshape(6)   w.view(3, 2)   w.t()   w.T   w.transpose(0, 1)   w.permute(1, 0)   x.unsqueeze(0)   x.squeeze()
x.expand(2, 3)   w.flip(0)   x.repeat(2)   w[0]   w[:, 1]   x[1:]   x[None]   x[[0, 1]]   x[x > 1]   w.unbind()[1]
w.split(1)[0]   m.cat([x, y])   m.stack([x, y])   m.where(x > 1, x, y)   x.clone()   x.float()   x.masked_fill(x > 1, 0)
m.nn.functional.mse_loss(x, y)   m.nn.functional.linear(w, w, x[:2])   m.nn.functional.softplus(x)   m.erf(x)
m.nn.functional.leaky_relu(x)   m.nn.functional.gelu(x)   m.nn.functional.elu(x)   m.nn.functional.silu(x)   w.tril()
m.gather(x, 0, m.tensor([0, 1]))   m.index_select(x, 0, m.tensor([1]))   m.diag(x)   w.diagonal()   m.atan2(x, y)
m.nn.functional.cross_entropy(w, m.tensor([0, 1]))   x.log1p()   x.square()   x.reciprocal()   x.rsqrt()   x.expm1()
x % 2   x % y   x // y
m.add(x, y, alpha=2)   x.sub(1, alpha=2)   x.round()
x.clamp(min=y)   x.masked_fill(x > 1, y[0])
w.sum_to_size(1, 3)
x.scatter(0, m.tensor([0, 1]), 2.0)   x.scatter(0, m.tensor([0, 1]), y)
m.bmm(w[None], w.t()[None])   (x * 1j).real   (x * 1j).imag
m.diag(w)
x.sum(None)   w.sum(dim=())   w.mean(dim=None)   x.prod(0)
x.detach().copy_(y, non_blocking=True)
m.outer(x, y)
""".split("   ")
NAMED = [one.strip() for line in NAMED for one in line.split("\n") if one.strip()]


def space(m) -> dict:
    return {
        "m": m,
        "x": m.tensor([1.0, 2.0, 3.0], dtype=m.float64, requires_grad=True),
        "y": m.tensor([2.0, 0.5, 1.0], dtype=m.float64, requires_grad=True),
        "w": m.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]], dtype=m.float64, requires_grad=True),
    }


def named(expression):
    def of(m):
        out = eval(expression, space(m))
        return [
            out.grad_fn.name(),
            type(out.grad_fn).__name__,
            len(out.grad_fn.next_functions),
            str(out).partition("grad_fn=")[2],
        ]

    return of


# == saved values ==========================================================================================

SAVED = {
    "x * y": ["_saved_self", "_saved_other"],
    "x * 2": ["_saved_self", "_saved_other"],
    "x.sin()": ["_saved_self"],
    "x.exp()": ["_saved_result"],
    "x ** 3": ["_saved_self", "_saved_exponent"],
    "x / y": ["_saved_self", "_saved_other"],
    "x.tanh()": ["_saved_result"],
    "x.clamp(0, 1)": ["_saved_self", "_saved_min", "_saved_max"],
    "w.sum(0)": ["_saved_self_sym_sizes"],
    "w @ w.t()": ["_saved_self", "_saved_mat2"],
    "m.where(x > 1, x, y)": ["_saved_condition"],
    "x.log()": ["_saved_self"],
    "x.sigmoid()": ["_saved_result"],
    "x.relu()": ["_saved_result"],
    "m.nn.functional.mse_loss(x, y)": ["_saved_self", "_saved_target"],
    "m.nn.functional.binary_cross_entropy_with_logits(x, y)": ["_saved_self", "_saved_target"],
    "m.addmm(y, w, m.outer(x, y))": ["_saved_mat1", "_saved_mat2"],
}


def saved(expression, attributes):
    def of(m):
        node = eval(expression, space(m)).grad_fn
        found = [getattr(node, name) for name in attributes]
        return [one.tolist() if hasattr(one, "tolist") else one for one in found]

    return of


# == the graph as a whole ==================================================================================


def walked(node, depth: int = 0) -> list:
    """The graph by `next_functions`, as a learner would print it."""
    if node is None or depth > 6:
        return []
    return [[depth, node.name()], *(line for child, _ in node.next_functions for line in walked(child, depth + 1))]


def regression(m):
    x, y = m.tensor([1.0, 2.0]), m.tensor([2.0, 4.0])
    w, b = m.tensor([0.5], requires_grad=True), m.tensor([0.1], requires_grad=True)
    return walked(((x * w + b - y) ** 2).mean().grad_fn)


def detached_edges(m):
    s = space(m)
    out = s["x"] * s["y"].detach() + m.ones(3, dtype=m.float64)
    return [[child and child.name(), index] for child, index in out.grad_fn.next_functions]


def output_numbers(m):
    s = space(m)
    first, second = s["w"].unbind()
    product = second * first
    return [first.output_nr, second.output_nr, [[n.name(), i] for n, i in product.grad_fn.next_functions]]


def leaf_facts(m):
    s = space(m)
    x, y = s["x"], s["x"] * 2
    plain, detached = m.ones(2), y.detach()
    return [
        [t.is_leaf, t.requires_grad, t.grad_fn is None, t.retains_grad, t.output_nr] for t in (x, y, plain, detached)
    ]


def accumulate_grad(m):
    s = space(m)
    node = (s["x"] * 2).grad_fn.next_functions[0][0]
    again = (s["x"] * 3).grad_fn.next_functions[0][0]
    return [node.name(), node.variable is s["x"], node is again, len(node.next_functions)]


def metadata(m):
    node = (space(m)["x"] * 2).grad_fn
    node.metadata["note"] = 1
    return [node.metadata, node.next_functions[0][0].metadata]


def by_hand(m):
    """dz = l.grad_fn(dl); dx, dy = back_mul(dz); back_x(dx) fills x.grad."""
    x, y = m.tensor(3.0, requires_grad=True), m.tensor(4.0, requires_grad=True)
    z = x * y
    loss = z**2
    dl = m.tensor(1.0)
    back_pow = loss.grad_fn
    dz = back_pow(dl)
    back_mul = back_pow.next_functions[0][0]
    dx, dy = back_mul(dz)
    back_x, back_y = back_mul.next_functions[0][0], back_mul.next_functions[1][0]
    back_x(dx)
    back_y(dy)
    return [float(dz), float(dx), float(dy), x.grad.tolist(), y.grad.tolist()]


def by_hand_twice(m):
    x = m.tensor([3.0, 1.0], requires_grad=True)
    node = (x * 2).grad_fn.next_functions[0][0]
    node(m.ones(2))
    node(m.ones(2))
    return x.grad.tolist()


def by_hand_partly(m):
    """An input that needs no gradient gets None."""
    x = m.tensor([3.0, 1.0], requires_grad=True)
    dx, nothing = (x * m.ones(2)).grad_fn(m.ones(2))
    return [dx.tolist(), nothing]


def by_hand_wrongly(m):
    """How many gradients a step takes, and of what kind."""
    x, said = m.tensor([3.0, 1.0], requires_grad=True), []
    one, half = m.ones(2), m.ones(1)
    for node in ((x * 2).grad_fn, x.split(1)[0].grad_fn, x.max(0)[0].grad_fn, (x * 2).grad_fn.next_functions[0][0]):
        for given in ((), (None,), (3,), (None, None), (half, half), (one, one, one)):
            try:
                said.append(node(*given))
            except TypeError as error:
                said.append(str(error))
    return [said, x.grad]


PROGRAMS = (
    regression, detached_edges, output_numbers, leaf_facts, accumulate_grad, metadata, by_hand, by_hand_twice,
    by_hand_partly, by_hand_wrongly,
)  # fmt: skip
QUESTIONS = (
    {expression: named(expression) for expression in NAMED}
    | {f"saved by {expression}": saved(expression, names) for expression, names in SAVED.items()}
    | {program.__name__: program for program in PROGRAMS}
)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_graph_is_pytorchs(name):
    assert_same(answer(QUESTIONS[name], mg), recorded("graph")[name])


# == what is ours ==========================================================================================


def test_a_node_prints_its_name_and_place():
    node = (mg.ones(1, requires_grad=True) * 2).grad_fn
    assert repr(node) == f"<MulBackward0 object at {id(node):#x}>"


def test_next_functions_are_tuples_of_node_and_index():
    x = mg.ones(1, requires_grad=True)
    edges = (x * mg.ones(1)).grad_fn.next_functions
    assert isinstance(edges, tuple) and edges[1] == (None, 0) and edges[0][0].variable is x


def test_a_saved_tensor_has_its_history():
    x = mg.tensor([2.0], requires_grad=True)
    y = x * 3
    z = y.exp() * y
    assert z.grad_fn._saved_other.grad_fn is y.grad_fn
    assert (y * y).grad_fn._saved_self.grad_fn is y.grad_fn
    assert (x * x).grad_fn._saved_self is x


def test_a_saved_value_shares_the_memory_of_what_was_saved():
    x, y = mg.ones(3, requires_grad=True), mg.ones(3)
    node = (x * y).grad_fn
    assert np.shares_memory(node._saved_other.numpy(), y.numpy())


def test_the_accumulator_lives_as_long_as_a_graph_needs_it():
    x = mg.ones(1, requires_grad=True)
    y = x * 2
    node = weakref.ref(y.grad_fn.next_functions[0][0])
    assert (x * 3).grad_fn.next_functions[0][0] is node()
    del y
    gc.collect()
    assert node() is None


def test_a_graph_keeps_its_leaf_alive():
    y = mg.ones(1, requires_grad=True) * 2
    gc.collect()
    y.backward()
    assert y.grad_fn.next_functions[0][0].variable.grad.tolist() == [2.0]


def test_a_node_by_hand_sums_over_what_was_broadcast():
    x = mg.ones(3, requires_grad=True)
    dx, _ = (x * mg.full((2, 3), 5.0)).grad_fn(mg.ones(2, 3))
    assert dx.tolist() == [10.0] * 3


def test_a_node_by_hand_of_several_outputs():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    first, _ = x.unbind()
    assert first.grad_fn(mg.tensor(3.0), None).tolist() == [3.0, 0.0]


def test_a_node_by_hand_after_it_was_freed():
    x = mg.ones(1, requires_grad=True)
    y = x * x
    y.backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.grad_fn(mg.ones(1))


def test_a_saved_value_that_was_changed_is_not_shown():
    x = mg.ones(1, requires_grad=True)
    y = x * 1
    z = y * y
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        _ = z.grad_fn._saved_self


def test_the_formula_as_a_person_writes_it():
    assert mg.sin.op.derivative("a") == "∂out/∂a = cos(a)"
    assert mg.mul.op.derivative("b") == "∂out/∂b = a"
    assert mg.add.op.derivative("a") == "∂out/∂a = 1"
    assert mg.neg.op.derivative("a") == "∂out/∂a = -1"
    assert mg.ops.rows["where"].op.derivative("condition") == "no gradient flows to condition"


@pytest.mark.parametrize("name", [name for name, row in mg.ops.rows.items()])
def test_every_rule_can_be_written_down(name):
    op = mg.ops.rows[name].op
    for given in op.inputs:
        text = op.derivative(given)
        assert text.startswith((f"∂out/∂{given} = ", f"∂L/∂{given} = ")) or "no gradient" in text
        assert "lambda" not in text and "\n" not in text


@pytest.mark.parametrize("outputs", [("parts",), ("half", "double")])
def test_a_rule_of_several_outputs_takes_a_gradient_of_each_whatever_they_are_called(outputs):
    halves = op(lambda a: (a / 2, a * 2), outputs=outputs, a=lambda gs: gs[0] / 2 + gs[1] * 2)
    x = mg.ones(3, requires_grad=True)
    half, double = halves(x)
    (half + 10 * double).sum().backward()
    assert x.grad.tolist() == [20.5] * 3
