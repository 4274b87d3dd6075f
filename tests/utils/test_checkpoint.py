"""Values computed again give the same gradients, in less memory, and only when they are needed."""

import gc
import tracemalloc
import weakref

import numpy as np
import pytest

import minigrad
from minigrad.utils.checkpoint import CheckpointError, checkpoint

from ..oracle import leaf


class Counted:
    """A function that counts its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x, w=None):
        self.calls += 1
        y = (x.sin() * x).exp()
        return y if w is None else y * w


def in_segments(chain, count, x):
    """A chain of functions in so many segments, of which each but the last is a checkpoint."""

    def run(part, x):
        for function in part:
            x = function(x)
        return x

    size = len(chain) // count
    for start in range(0, size * (count - 1), size):
        x = checkpoint(run, chain[start : start + size], x, use_reentrant=False)
    return run(chain[size * (count - 1) :], x)


def gradients(x, y):
    y.sum().backward()
    return x.grad.tolist()


def test_the_same_gradients_from_a_second_run():
    f, x, twin = Counted(), leaf(minigrad, 1.0, 2.0), leaf(minigrad, 1.0, 2.0)
    y = checkpoint(f, x, use_reentrant=False)
    assert f.calls == 1
    assert (
        gradients(x, y) == gradients(twin, f(twin)) == pytest.approx([3.2054057, 0.4745884], rel=1e-5)
    )  # as PyTorch's
    assert f.calls == 3


def test_several_inputs_and_outputs():
    x, w = leaf(minigrad, 1.0, 2.0), leaf(minigrad, 3.0, 4.0)
    a, b, number = checkpoint(lambda x, w: (x * w, x + w, 7), x, w, use_reentrant=False)
    (a * b).sum().backward()
    assert (x.grad.tolist(), w.grad.tolist(), number) == ([15.0, 32.0], [7.0, 20.0], 7)


def test_nested():
    f, x = Counted(), leaf(minigrad, 1.0, 2.0)

    def part(x):
        return checkpoint(f, checkpoint(f, x.sin(), use_reentrant=False).cos(), use_reentrant=False).tan()

    assert gradients(x, checkpoint(part, x, use_reentrant=False)) == pytest.approx([3.7323, -9.4436], rel=1e-4)
    assert f.calls == 6  # as in PyTorch: two in the forward, two when the outer one runs again, two for themselves


def test_the_same_random_numbers_again():
    minigrad.manual_seed(0)
    x = leaf(minigrad, 1.0, 2.0)
    y = checkpoint(lambda x: x * minigrad.rand(2), x, use_reentrant=False)
    between = minigrad.rand(1).item()
    assert gradients(x, y) == (y / x).tolist()
    numbers = [between, minigrad.rand(1).item()]
    assert numbers == pytest.approx([0.08847743272781372, 0.13203048706054688])  # PyTorch's: the stream goes on


def test_other_random_numbers_if_that_is_wanted():
    x = leaf(minigrad, 1.0, 2.0)
    y = checkpoint(lambda x: x * minigrad.rand(2), x, use_reentrant=False, preserve_rng_state=False)
    assert gradients(x, y) != (y / x).tolist()


def test_two_backwards():
    f, x = Counted(), leaf(minigrad, 1.0, 2.0)
    y = checkpoint(f, x, use_reentrant=False).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == pytest.approx([6.4108114, 0.9491768], rel=1e-5) and f.calls == 3
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()


def test_a_chain_in_segments():
    x, twin = leaf(minigrad, 0.1, 0.2), leaf(minigrad, 0.1, 0.2)
    chain = [minigrad.sin, minigrad.exp, minigrad.cos, minigrad.tanh, minigrad.sqrt]
    expected = twin
    for function in chain:
        expected = function(expected)
    expected = gradients(twin, expected)
    for segments in (1, 2, 3, 5):
        x.grad = None
        assert gradients(x, in_segments(chain, segments, x)) == expected


def test_a_changed_argument_is_noticed():
    x = leaf(minigrad, 1.0, 2.0)
    z = x * 1
    y = checkpoint(lambda x: x.exp() * x, z, use_reentrant=False)
    with minigrad.no_grad():
        z.mul_(3)
    with pytest.raises(RuntimeError, match="modified by an inplace operation: .* is at version 1; expected version 0"):
        y.sum().backward()


def test_nothing_is_kept_without_grad_mode():
    f, x = Counted(), leaf(minigrad, 1.0)
    with minigrad.no_grad():
        assert not checkpoint(f, x, use_reentrant=False).requires_grad


def test_less_memory():
    def peak(run):
        x = minigrad.ones(200_000, requires_grad=True)
        gc.collect()
        tracemalloc.start()
        run(x).sum().backward()
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found / x.array.nbytes

    chain = [minigrad.sin] * 24
    parts = peak(lambda x: in_segments(chain, 6, x))
    whole = peak(lambda x: in_segments(chain, 1, x))
    assert whole > 24 and parts < 18


def test_no_cycles():
    gc.collect()
    gc.disable()
    try:
        x = leaf(minigrad, 1.0)
        y = checkpoint(Counted(), x, use_reentrant=False)
        node = weakref.ref(y.grad_fn)
        gradients(x, y)
        del y
        assert node() is None
    finally:
        gc.enable()


class TestPromises:
    def test_parameters_outside_and_keywords(self):
        x, w = minigrad.ones(2), leaf(minigrad, 1.0, 2.0)
        y = checkpoint(lambda x, w: x * w, x, w=w, use_reentrant=False)
        assert gradients(w, y) == [1.0, 1.0]

    def test_double_backward(self):
        x = leaf(minigrad, 1.0, 2.0)
        (g,) = minigrad.autograd.grad(checkpoint(lambda x: x**3, x, use_reentrant=False).sum(), x, create_graph=True)
        assert g.tolist() == [3.0, 12.0]
        assert minigrad.autograd.grad(g.sum(), x)[0].tolist() == [6.0, 12.0]

    @pytest.mark.parametrize("recorded", [False, True])
    def test_a_derivative_inside_the_function(self, recorded):
        def f(x):
            y = x.sin() * x
            (g,) = minigrad.autograd.grad(y.sum(), x, create_graph=recorded)
            return x * g

        x, twin = leaf(minigrad, 1.0, 2.0), leaf(minigrad, 1.0, 2.0)
        assert gradients(x, checkpoint(f, x, use_reentrant=False)) == gradients(twin, f(twin))

    def test_a_derivative_inside_through_what_came_before(self):
        """An argument that went through hooks has its history when the function runs again."""

        def f(a, b):
            return minigrad.autograd.grad((a * b).sum(), a, retain_graph=True)[0] * b.sin()

        def run(call):
            x = leaf(minigrad, 1.0, 2.0)
            with minigrad.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x):
                return gradients(x, call(x, x * x))

        assert run(lambda a, b: checkpoint(f, a, b, use_reentrant=False)) == run(f)

    def test_the_second_run_ends_with_the_last_value(self):
        seen, x = [], leaf(minigrad, 1.0)

        def f(x):
            y = x.exp()
            seen.append("after")
            return y + 1

        gradients(x, checkpoint(f, x, use_reentrant=False))
        assert seen == ["after"]

    @pytest.mark.parametrize(
        "first, again, message",
        [
            (
                lambda x: x.sin().sin(),
                lambda x: x.sin(),
                "saved during forward: 2\nNumber of tensors saved during recomputation: 1.",
            ),
            (
                lambda x: x.sin(),
                lambda x: x.double().sin(),
                "at position 0:\nsaved metadata: {'shape': minigrad.Size([2]), 'dtype': minigrad.float32",
            ),
            (
                lambda x: x.sin(),
                lambda x: x[:1].sin(),
                "recomputed metadata: {'shape': minigrad.Size([1]), 'dtype': minigrad.float32",
            ),
        ],
    )
    def test_another_second_run_is_noticed(self, first, again, message):
        functions = [first, again]
        x = leaf(minigrad, 1.0, 2.0)
        y = checkpoint(lambda x: functions.pop(0)(x), x, use_reentrant=False)
        with pytest.raises(CheckpointError) as failure:
            y.sum().backward()
        assert message in str(failure.value)

    def test_within_saved_tensors_hooks(self):
        """The arguments go through the hooks around; what is promised does not."""
        seen, x = [], leaf(minigrad, 1.0, 2.0)
        with minigrad.autograd.graph.saved_tensors_hooks(lambda t: seen.append(t) or t, lambda packed: packed):
            y = checkpoint(Counted(), x, use_reentrant=False)
        assert len(seen) == 1 and seen[0] is x
        assert gradients(x, y) == pytest.approx([3.2054057, 0.4745884], rel=1e-5)


def test_the_way_must_be_chosen():
    with pytest.warns(UserWarning, match="the use_reentrant parameter should be passed explicitly"):
        checkpoint(Counted(), leaf(minigrad, 1.0))
    with pytest.raises(NotImplementedError, match="use_reentrant=False gives the same gradients"):
        checkpoint(Counted(), leaf(minigrad, 1.0), use_reentrant=True)
    with pytest.raises(AttributeError, match="autograd.events.listen tells what runs"):
        _ = minigrad.utils.checkpoint.set_checkpoint_debug_enabled


def test_a_network():
    def trained(run):
        minigrad.manual_seed(0)
        layers = [minigrad.nn.Sequential(minigrad.nn.Linear(4, 4), minigrad.nn.Dropout(0.3)) for _ in range(4)]
        model = minigrad.nn.Sequential(*layers)
        x = minigrad.rand(8, 4)
        run(model, x).pow(2).sum().backward()
        return [one.grad.tolist() for one in model.parameters()]

    expected = trained(lambda model, x: model(x))
    assert np.allclose(trained(lambda m, x: in_segments(m, 2, x))[0], expected[0])


def test_an_option_of_pytorchs_is_not_handed_to_the_function():
    x = leaf(minigrad, 1.0)
    with pytest.raises(NotImplementedError, match="the option early_stop does not exist here"):
        checkpoint(lambda x, **kwargs: x.sin(), x, use_reentrant=False, early_stop=False)
