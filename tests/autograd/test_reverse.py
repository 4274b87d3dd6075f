"""`backward`, `grad` and their arguments, as PyTorch answers."""

import pytest

import minigrad as mg

from ..oracle import answer, assert_same, recorded


def leaves(m):
    return (
        m.tensor([1.0, 2.0, 3.0], dtype=m.float64, requires_grad=True),
        m.tensor([0.5, -1.0, 2.0], dtype=m.float64, requires_grad=True),
    )


def shown(tensors) -> list:
    return [None if t is None else [t.tolist(), t.requires_grad, str(t.dtype), t.is_leaf] for t in tensors]


def gradient_argument(m):
    x, y = leaves(m)
    (x * y).backward(m.tensor([1.0, 10.0, 100.0], dtype=m.float64))
    return shown([x.grad, y.grad])


def gradient_of_another_type(m):
    x, _ = leaves(m)
    (x * x).backward(m.tensor([1.0, 1.0, 2.0]))
    return shown([x.grad])


def gradient_by_keyword(m):
    x, _ = leaves(m)
    (x * x).backward(gradient=m.ones_like(x), retain_graph=True, create_graph=False, inputs=[x])
    return shown([x.grad])


def one_element_of_any_shape(m):
    x, _ = leaves(m)
    (x.sum() * 2).reshape(1, 1, 1).backward()
    return shown([x.grad])


def backward_of_several(m):
    x, y = leaves(m)
    m.autograd.backward([(x * y).sum(), x * 2], [None, m.ones_like(x)])
    return shown([x.grad, y.grad])


def backward_with_inputs(m):
    x, y = leaves(m)
    z = x * y
    z.sum().backward(inputs=[x])
    return shown([x.grad, y.grad])


def backward_with_inner_inputs(m):
    x, y = leaves(m)
    z = x * y
    (z * z).sum().backward(inputs=[z])
    return shown([x.grad, y.grad, z.grad])


def backward_with_one_input(m):
    x, y = leaves(m)
    (x * y).sum().backward(inputs=y)
    return shown([x.grad, y.grad])


def accumulates(m):
    x, y = leaves(m)
    (x * y).sum().backward()
    (x * x).sum().backward()
    return shown([x.grad, y.grad])


def grad_of_one(m):
    x, y = leaves(m)
    return [shown(m.autograd.grad((x * y).sum(), x)), shown([x.grad])]


def grad_of_several(m):
    x, y = leaves(m)
    return shown(m.autograd.grad([x * y, x.sum()], [y, x], [m.ones_like(x), None]))


def grad_of_the_same_input_twice(m):
    x, y = leaves(m)
    return shown(m.autograd.grad((x * y).sum(), [x, x, y]))


def grad_of_an_inner_tensor(m):
    x, y = leaves(m)
    z = x * y
    return shown(m.autograd.grad((z * z).sum(), [z, x]))


def grad_of_itself(m):
    x, _ = leaves(m)
    y = x.sum()
    return [shown(m.autograd.grad(y, y)), shown(m.autograd.grad(x, x, m.ones_like(x)))]


def grad_of_an_output_and_its_own_input(m):
    x, _ = leaves(m)
    y = x * 2
    z = y * 3
    return shown(m.autograd.grad([z.sum(), y.sum()], [y, x]))


def grad_of_the_outputs_of_one_node(m):
    x, _ = leaves(m)
    a, b, c = x.unbind()
    return shown(m.autograd.grad(a * b + c, [a, b, c, x], retain_graph=True))


def unused(m):
    x, y = leaves(m)
    return [
        shown(m.autograd.grad(x.sum(), [x, y], allow_unused=True)),
        shown(m.autograd.grad(x.sum(), [x, y], materialize_grads=True)),
    ]


def materialized_under_create_graph(m):
    x, y = leaves(m)
    return [g.tolist() for g in m.autograd.grad((x * x).sum(), [x, y], materialize_grads=True, create_graph=True)]


def batched(m):
    x, y = leaves(m)
    seeds = m.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]], dtype=m.float64)
    return shown(m.autograd.grad(x * y, [x, y], seeds, is_grads_batched=True))


def batched_and_recorded(m):
    x, y = leaves(m)
    (found,) = m.autograd.grad(x * x, x, m.eye(3, dtype=m.float64), create_graph=True, is_grads_batched=True)
    return [shown(m.autograd.grad(found.sum(), x)), found.shape]


def batched_and_unused(m):
    x, y = leaves(m)
    seeds = m.eye(3, dtype=m.float64)
    return shown(m.autograd.grad(x * 2, [x, y], seeds, is_grads_batched=True, allow_unused=True))


def create_graph_to_the_fifth(m):
    x = m.tensor(1.5, dtype=m.float64, requires_grad=True)
    y, found = x**5 + x.sin(), []
    for _ in range(6):
        (y,) = m.autograd.grad(y, x, create_graph=True)
        found.append([float(y), y.requires_grad])
    return found


def create_graph_in_backward(m):
    x, _ = leaves(m)
    (x**3).sum().backward(create_graph=True)
    first = x.grad
    x.grad = None
    first.sum().backward()
    return [first.requires_grad, shown([x.grad])]


def create_graph_accumulates(m):
    x, y = leaves(m)
    (x * y).sum().backward(create_graph=True)
    (x * x * y).sum().backward(create_graph=True)
    return [x.grad.requires_grad, shown(m.autograd.grad(x.grad.sum(), [x, y]))]


def create_graph_keeps_what_grad_was(m):
    x, _ = leaves(m)
    (x * x).sum().backward(create_graph=True)
    kept = x.grad
    before = kept.tolist()
    (x * x).sum().backward(create_graph=True)
    return [kept.tolist() == before, kept is x.grad]


def in_place_accumulation_without_create_graph(m):
    x, _ = leaves(m)
    (x * x).sum().backward()
    kept = x.grad
    (x * x).sum().backward()
    return [kept is x.grad]


def retain_graph_default_is_create_graph(m):
    x, _ = leaves(m)
    y = (x * x).sum()
    m.autograd.grad(y, x, create_graph=True)
    return shown(m.autograd.grad(y, x))


def edges_as_outputs(m):
    x, y = leaves(m)
    edge, graph = m.autograd.graph.get_gradient_edge, m.autograd.graph
    product, total = x * y, (x * y).sum()
    found = [m.autograd.grad(edge(total), x), m.autograd.grad(edge(product), [x, y], m.ones(3))]
    product, other = x * y, x * x
    m.autograd.backward((edge(product), other.sum()), (m.ones(3), None))
    alone = edge(x * x * y)  # which keeps the graph alive
    by_hand = graph.GradientEdge((x * y).grad_fn, 0)
    rows = m.autograd.grad(edge(x * y), x, m.eye(3), is_grads_batched=True)
    found += [m.autograd.grad(alone, y, m.ones(3)), m.autograd.grad(by_hand, y, m.ones(3)), rows]
    return [shown(one) for one in found], shown([x.grad, y.grad])


def edges_as_inputs(m):
    x, y = leaves(m)
    edge = m.autograd.graph.get_gradient_edge
    product = x * y
    first, second, _ = product.unbind()
    inputs = [edge(product), edge(second), first]
    found = [m.autograd.grad(first * second * second, inputs, retain_graph=True)]
    found += [m.autograd.grad(product.sum(), edge(x), create_graph=True)]
    found += [m.autograd.grad(y.sum(), [edge(x), y], allow_unused=True)]
    (product * product).sum().backward(inputs=[edge(y), edge(product)])
    return [shown(one) for one in found], x.grad is None, shown([y.grad])


def edges_that_do_not_fit(m):
    x, y = leaves(m)
    edge, refused = m.autograd.graph.get_gradient_edge, []
    for attempt in (
        lambda: edge(m.ones(2)),
        lambda: m.autograd.grad(edge(x * y), x),
        lambda: m.autograd.backward(edge(x * y)),
        lambda: m.autograd.backward(edge(x * y), m.ones(2)),
        lambda: m.autograd.grad(x.sum(), edge(y)),
        lambda: m.autograd.grad(x.sum(), (x, edge(y)), materialize_grads=True),
        lambda: m.autograd.grad(m.autograd.graph.GradientEdge(edge(x * y).node, 1), x, m.ones(3)),
    ):
        try:
            attempt()
        except (RuntimeError, IndexError) as error:
            refused.append(str(error).partition("\n")[0])  # what we add stands below
    return refused


def inputs_by_name(m):
    x, y = leaves(m)
    z, inputs = x * y, {"x": x, "y": y}
    found = [m.autograd.grad(z.sum(), inputs, retain_graph=True)]
    found.append(m.autograd.grad(z, inputs, m.eye(3, dtype=m.float64), is_grads_batched=True, retain_graph=True))
    z.sum().backward(inputs=inputs)
    return [*map(list, found), *[list(one.values()) for one in found], x.grad, y.grad]


def what_runs_for_an_inner_input(m):
    """`backward` runs the node of an input as well, on nothing further, and frees it; `grad` does not."""
    x, y = leaves(m)
    seen = []
    for ask in (lambda out, z: m.autograd.grad(out, z), lambda out, z: out.backward(inputs=z)):
        z = x * y
        z.grad_fn.register_prehook(lambda outer: seen.append(["pre", *outer]))
        z.grad_fn.register_hook(lambda inner, outer: seen.append(["post", *inner]))
        ask(z.sin().sum(), z)
        try:
            z.sum().backward()
        except RuntimeError as error:
            seen.append(str(error)[:40])
    return [seen, x.grad]


def freed_parts(m):
    """A second backward is refused only where a saved value is needed."""
    x, y = leaves(m)
    total = (x + y.lerp(x, 0.25)).sum()
    total.backward()
    total.backward()
    product = (x * y).sum()
    m.autograd.grad(product, x)
    try:
        m.autograd.grad(product, y)
    except RuntimeError as error:
        return [shown([x.grad]), str(error).partition("\n")[0]]


def freed_only_on_the_way(m):
    """`grad` frees the nodes that it ran; another branch is untouched."""
    x, y = leaves(m)
    shared = x.exp()
    one, other = (shared * 2).sum(), (y * y).sum()
    m.autograd.grad(one + other, y)
    return shown(m.autograd.grad(one, x))


def vector_jacobian_with_zeros(m):
    x, _ = leaves(m)
    return shown(m.autograd.grad(x / x, x, m.zeros_like(x)))


def hessian(m):
    x, y = leaves(m)
    (first,) = m.autograd.grad((x.exp() * y * x.sum()).sum(), x, create_graph=True)
    return [shown(m.autograd.grad(first[i], x, retain_graph=True)) for i in range(3)]


def float16_and_float32(m):
    x = m.tensor([1.0, 2.0], dtype=m.float16, requires_grad=True)
    y = m.tensor([1.0, 2.0], dtype=m.float64, requires_grad=True)
    (x * y * 2).sum().backward()
    return shown([x.grad, y.grad])


def through_a_cast(m):
    x = m.tensor([1.0, 2.0], requires_grad=True)
    (x.double() * 3).float().half().sum().backward()
    return shown([x.grad])


def with_ints(m):
    x, _ = leaves(m)
    (x * m.tensor([1, 2, 3])).sum().backward()
    return shown([x.grad])


def empty(m):
    x = m.zeros(0, 3, requires_grad=True)
    (x.sum() * 2).backward()
    return [list(x.grad.shape), str(x.grad.dtype)]


def requires_grad_later(m):
    x = m.ones(2)
    y = x * 2
    x.requires_grad_()
    z = x * 3
    z.sum().backward()
    return [y.requires_grad, shown([x.grad])]


def requires_grad_off(m):
    x, y = leaves(m)
    y.requires_grad_(False)
    (x * y).sum().backward()
    return shown([x.grad, y.grad])


def detached_and_cloned(m):
    x, _ = leaves(m)
    (x.detach().clone().requires_grad_() * x.clone()).sum().backward()
    return shown([x.grad])


def grad_may_be_assigned(m):
    x, _ = leaves(m)
    x.grad = m.ones_like(x) * 100
    (x * 2).sum().backward()
    return shown([x.grad])


def a_non_leafs_gradient_warns(m):
    import warnings

    x, _ = leaves(m)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = (x * 2).grad
    return [found, [[w.category.__name__, str(w.message)[:80]] for w in caught]]


PROGRAMS = (
    gradient_argument, gradient_of_another_type, gradient_by_keyword, one_element_of_any_shape, backward_of_several,
    backward_with_inputs, backward_with_inner_inputs, backward_with_one_input, accumulates, grad_of_one,
    grad_of_several, grad_of_the_same_input_twice, grad_of_an_inner_tensor, grad_of_itself,
    grad_of_an_output_and_its_own_input, grad_of_the_outputs_of_one_node, unused, materialized_under_create_graph,
    batched, batched_and_recorded, batched_and_unused, create_graph_to_the_fifth, create_graph_in_backward,
    create_graph_accumulates, create_graph_keeps_what_grad_was, in_place_accumulation_without_create_graph,
    retain_graph_default_is_create_graph, edges_as_outputs, edges_as_inputs, edges_that_do_not_fit,
    inputs_by_name, what_runs_for_an_inner_input, freed_parts, freed_only_on_the_way, vector_jacobian_with_zeros,
    hessian,
    float16_and_float32, through_a_cast, with_ints, empty, requires_grad_later, requires_grad_off, detached_and_cloned,
    grad_may_be_assigned, a_non_leafs_gradient_warns,
)  # fmt: skip
QUESTIONS = {program.__name__: program for program in PROGRAMS}


@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answer_is_pytorchs(name):
    assert_same(answer(QUESTIONS[name], mg), recorded("reverse")[name])


def test_an_edge_without_a_node_is_refused():
    with pytest.raises(TypeError, match="the node of a GradientEdge must be one like y.grad_fn, but is 3"):
        mg.autograd.backward(mg.autograd.graph.GradientEdge(3, 0), mg.ones(2))
