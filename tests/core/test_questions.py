"""What a tool asks of tensors and nodes: the numbers, what made them, what is kept, whose gradient arrives where."""

import numpy as np

import minigrad as mg

from ..oracle import leaf, scalar


def test_a_tensor_tells_its_numbers_and_what_made_it():
    x = leaf(mg, 2.0, 3.0)
    assert x.numbers is x.array and x.made_by is None
    first, second = x.unbind()
    assert second.made_by == (second.grad_fn, 1) and first.made_by[0] is second.made_by[0]
    total = x.sum()
    assert isinstance(total.numbers, np.float32)  # as it was computed: to look at it gives it no memory


def test_to_ask_what_made_a_view_takes_it_not_anew():
    base = leaf(mg, 2.0, 3.0) * 1
    view = base[:1]
    before = view.made_by
    base.mul_(2)
    assert view.made_by == before
    assert view.grad_fn is not before[0]


def test_a_node_tells_what_it_keeps():
    a, b = scalar(mg, 2.0), scalar(mg, 2.0)
    product, larger = a * b, mg.exp(a)
    kept = [(save.name, save.position, product.grad_fn.unpack(i)) for i, save in enumerate(product.grad_fn.saves)]
    assert kept == [("a", 0, a), ("b", 1, b)]
    (save,) = larger.grad_fn.saves
    assert save.output == 0 and larger.grad_fn.unpack(0).item() == larger.item()
    assert list(mg.autograd.graph.get_gradient_edge(a).node.saves) == []


def test_a_node_tells_which_argument_an_edge_belongs_to():
    class Scaled(mg.autograd.Function):
        @staticmethod
        def forward(ctx, factor, x):
            return x * factor

        @staticmethod
        def backward(ctx, g):
            return None, g

    x, y = scalar(mg, 2.0), scalar(mg, 2.0)
    assert list((x * y).grad_fn.arguments) == [0, 1]
    assert list(mg.where(x > 0, x, y).grad_fn.arguments) == [1, 2]
    assert list(Scaled.apply(3, x).grad_fn.arguments) == [1]
    joined = mg.cat([leaf(mg, 1.0), leaf(mg, 2.0)]).grad_fn
    assert len(joined.arguments) == len(joined.next_functions)


def test_a_node_tells_whose_gradient_is_filled_there():
    x = scalar(mg, 2.0)
    y = x * 2
    assert y.grad_fn.owners() == {}
    y.retain_grad()
    assert y.grad_fn.owners() == {0: y} and y.grad_fn.next_functions[0][0].owners() == {0: x}
    node = y.grad_fn
    del y
    assert node.owners() == {}
