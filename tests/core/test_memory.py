"""Graphs as long as memory allows, and nothing of them left behind: no recursion, no cycles, no growth."""

import gc
import subprocess
import sys
import tracemalloc
import weakref

import numpy as np
import pytest

import minigrad as mg
from minigrad.autograd import walk
from minigrad.core import events

from ..oracle import scalar

CHAIN = """
import sys, minigrad as mg
sys.setrecursionlimit(200)
x = mg.tensor(1.0, dtype=float, requires_grad=True)
y = x
for _ in range(1_000_000):
    y = y + 1
y.backward()
assert x.grad.item() == 1.0
del y
print("freed")
"""


@pytest.mark.slow
def test_a_chain_of_a_million_operations_builds_runs_and_is_freed():
    """In a process of its own: an engine that recurses, also when freeing, dies here without a Python error."""
    done = subprocess.run([sys.executable, "-c", CHAIN], capture_output=True, text=True, timeout=300)
    assert done.stdout == "freed\n", done.stderr


def test_a_long_chain_is_freed_without_running_it():
    y = scalar(mg, 1.0)
    for _ in range(100_000):
        y = y * 1
    last = weakref.ref(y.grad_fn)
    del y
    assert last() is None


def test_a_reduction_over_8000_leaves():
    leaves = [scalar(mg, float(i)) for i in range(8000)]
    total = leaves[0] * 1
    for leaf in leaves[1:]:
        total = total + leaf
    total.backward()
    assert all(leaf.grad.item() == 1.0 for leaf in leaves)
    mg.stack(leaves).sum().backward()
    assert {leaf.grad.item() for leaf in leaves} == {2.0}


def training_step(w, b, x, y):
    loss = ((mg.relu(x @ w) + b - y) ** 2).mean()
    loss.backward()
    with mg.no_grad():
        for p in (w, b):
            p -= 0.01 * p.grad
            p.grad = None
    return loss


@pytest.fixture
def collected():
    """The garbage collector off, and its findings of earlier tests gone."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_training_leaves_no_reference_cycles(collected):
    w, b = mg.ones(3, 2, requires_grad=True), mg.zeros(2, requires_grad=True)
    x, y = mg.ones(4, 3), mg.zeros(4, 2)
    training_step(w, b, x, y)
    gc.collect()
    for _ in range(20):
        training_step(w, b, x, y)
    assert gc.collect() == 0


def test_double_backward_hooks_and_listeners_leave_no_reference_cycles(collected):
    x = mg.ones(3, requires_grad=True)

    def once():
        y = (x.sin() * x).sum()
        y.register_hook(lambda grad: grad * 1)
        x.register_hook(lambda grad: None).remove()
        (g,) = mg.autograd.grad(y, x, create_graph=True)
        (g * g).sum().backward()
        with events.listen(lambda event: None):
            (x * 2).sum().backward()
        for _ in walk((x * 2).sum()):
            pass
        x.grad = None

    once()
    gc.collect()
    for _ in range(5):
        once()
    assert gc.collect() == 0


def test_memory_stays_flat_over_thousands_of_steps(collected):
    w, b = mg.ones(3, 2, requires_grad=True), mg.zeros(2, requires_grad=True)
    x, y = mg.ones(4, 3), mg.zeros(4, 2)
    for _ in range(100):
        training_step(w, b, x, y)
    tracemalloc.start()
    try:
        training_step(w, b, x, y)
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(2000):
            training_step(w, b, x, y)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 4000, f"{grown} bytes in 2000 steps"


def test_a_graph_nobody_needs_is_gone_at_once(collected):
    x = scalar(mg, 2.0)
    y = (x * x).sin().exp()
    node = weakref.ref(y.grad_fn)
    del y
    assert node() is None


def test_a_node_does_not_hold_the_tensor_it_made(collected):
    x = scalar(mg, 2.0)
    y = x.exp()
    tensor, node = weakref.ref(y), y.grad_fn
    del y
    assert tensor() is None and node._saved_result.item() == pytest.approx(np.exp(2.0))


def test_nor_does_that_of_a_function_which_changed_it_in_place(collected):
    class Doubled(mg.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = (x * 3).detach()
            ctx.mark_dirty(x.mul_(2))
            ctx.mark_non_differentiable(y)
            return x, y

        @staticmethod
        def backward(ctx, g, _):
            return g * 2

    changed, constant = Doubled.apply(scalar(mg, 2.0) * 1)
    tensors = weakref.ref(changed), weakref.ref(constant)
    node = changed.grad_fn
    del changed, constant
    assert [tensor() for tensor in tensors] == [None, None] and node.next_functions


def test_what_is_planned_does_not_grow_with_the_number_of_inputs():
    sizes = []
    for count in (2, 500):
        together = mg.stack([mg.ones(1, requires_grad=True) for _ in range(count)])
        sizes.append(len(together.grad_fn.plan.parts.__code__.co_code))
    assert sizes[0] == sizes[1]
