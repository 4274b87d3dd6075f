"""A backward held in the hand: what a step shows, and that nothing of it leaks into the learner's own cells."""

import gc

import numpy as np
import pytest

import minigrad as mg
from minigrad.autograd import walk
from minigrad.core import events

from ..oracle import scalar


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("mode", [True, False])
def test_grad_mode_never_leaks_out_of_a_paused_walk(create_graph, mode):
    x = scalar(mg, 2.0)
    y = (x * x).sin()
    y.register_hook(lambda grad: grad * 1)
    x.register_post_accumulate_grad_hook(lambda tensor: None)
    y.grad_fn.register_hook(lambda inputs, outputs: None)
    y.grad_fn.register_prehook(lambda outputs: None)
    with mg.set_grad_enabled(mode):
        for _ in walk(y, create_graph=create_graph):
            assert mg.is_grad_enabled() is mode
        assert mg.is_grad_enabled() is mode
    assert mg.is_grad_enabled()


def test_what_is_computed_between_two_steps_belongs_to_the_learner():
    x, a = scalar(mg, 2.0), scalar(mg, 3.0)
    for _ in walk((x * x).exp()):
        assert (a * a).requires_grad
        with mg.no_grad():
            assert not (a * a).requires_grad


def network(seed: int, dtype: str):
    draw = np.random.default_rng(seed)
    w1, w2, b = (
        mg.tensor(draw.normal(size=shape).astype(dtype), requires_grad=True) for shape in ((3, 4), (4, 2), (4,))
    )
    x = mg.tensor(draw.normal(size=(5, 3)).astype(dtype))
    hidden = mg.tanh(x @ w1 + b)
    return (mg.log_softmax(hidden @ w2 + hidden.sum(), 1) * (w2.sum() + 1)).mean(), (w1, w2, b)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("seed", range(5))
def test_stepping_gives_the_gradients_of_backward_bit_for_bit(seed, dtype):
    found = []
    for step in (False, True):
        loss, leaves = network(seed, dtype)
        if step:
            gathered = dict.fromkeys(leaves)
            for event in walk(loss):
                if isinstance(event, events.Deposited):
                    gathered[event.tensor] = event.part.copy()
            found.append([gathered[leaf] for leaf in leaves])
        else:
            loss.backward()
        found.append([leaf.grad.numpy() for leaf in leaves])
    for by_backward, by_event, by_walk in zip(*found):
        assert by_backward.tobytes() == by_event.tobytes() == by_walk.tobytes()


@pytest.mark.parametrize("kind", events.KINDS)
def test_a_walk_shows_the_kinds_that_were_asked_for_and_no_others(kind):
    x = scalar(mg, 2.0)
    assert {type(event) for event in walk(x * x + x, kinds=[kind])} <= {kind}


def test_an_abandoned_walk_leaves_nothing_behind():
    x = scalar(mg, 2.0)
    y = x * x
    steps = walk(y, retain_graph=True)
    next(steps)
    del steps
    gc.collect()
    assert x.grad is None and mg.is_grad_enabled()
    y.backward()
    assert x.grad.item() == 4.0


def test_two_walks_through_one_graph_may_take_turns():
    x = scalar(mg, 2.0)
    y = (x * x).exp()
    for _ in zip(walk(y, retain_graph=True), walk(y, retain_graph=True)):
        pass
    once = 4 * np.exp(4.0)
    assert x.grad.item() == pytest.approx(2 * once)
