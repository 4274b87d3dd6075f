"""Values computed again give the same gradients, in less memory, and only when they are needed."""

import gc
import tracemalloc
import weakref

import numpy as np
import pytest

import minigrad
from minigrad.utils.checkpoint import (
    CheckpointError,
    checkpoint,
    checkpoint_sequential,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
)

BOTH = pytest.mark.parametrize("reentrant", [False, True], ids=["promises", "reentrant"])


def leaf(*numbers):
    return minigrad.tensor(numbers, requires_grad=True)


class Counted:
    """A function that counts its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x, w=None):
        self.calls += 1
        y = (x.sin() * x).exp()
        return y if w is None else y * w


def gradients(x, y):
    y.sum().backward()
    return x.grad.tolist()


@BOTH
def test_the_same_gradients_from_a_second_run(reentrant):
    f, x, twin = Counted(), leaf(1.0, 2.0), leaf(1.0, 2.0)
    y = checkpoint(f, x, use_reentrant=reentrant)
    assert f.calls == 1
    assert (
        gradients(x, y) == gradients(twin, f(twin)) == pytest.approx([3.2054057, 0.4745884], rel=1e-5)
    )  # as PyTorch's
    assert f.calls == 3


@BOTH
def test_several_inputs_and_outputs(reentrant):
    x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
    a, b, number = checkpoint(lambda x, w: (x * w, x + w, 7), x, w, use_reentrant=reentrant)
    (a * b).sum().backward()
    assert (x.grad.tolist(), w.grad.tolist(), number) == ([15.0, 32.0], [7.0, 20.0], 7)


@BOTH
@pytest.mark.filterwarnings("ignore:None of the inputs")  # the inner one runs without grad mode
def test_nested(reentrant):
    f, x = Counted(), leaf(1.0, 2.0)

    def part(x):
        return checkpoint(f, checkpoint(f, x.sin(), use_reentrant=reentrant).cos(), use_reentrant=reentrant).tan()

    assert gradients(x, checkpoint(part, x, use_reentrant=reentrant)) == pytest.approx([3.7323, -9.4436], rel=1e-4)
    assert f.calls == 6  # as in PyTorch: two in the forward, two when the outer one runs again, two for themselves


@BOTH
def test_the_same_random_numbers_again(reentrant):
    minigrad.manual_seed(0)
    x = leaf(1.0, 2.0)
    y = checkpoint(lambda x: x * minigrad.rand(2), x, use_reentrant=reentrant)
    between = minigrad.rand(1).item()
    assert gradients(x, y) == (y / x).tolist()
    numbers = [between, minigrad.rand(1).item()]
    assert numbers == pytest.approx([0.08847743272781372, 0.13203048706054688])  # PyTorch's: the stream goes on


@BOTH
def test_other_random_numbers_if_that_is_wanted(reentrant):
    x = leaf(1.0, 2.0)
    y = checkpoint(lambda x: x * minigrad.rand(2), x, use_reentrant=reentrant, preserve_rng_state=False)
    assert gradients(x, y) != (y / x).tolist()


@BOTH
def test_two_backwards(reentrant):
    f, x = Counted(), leaf(1.0, 2.0)
    y = checkpoint(f, x, use_reentrant=reentrant).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == pytest.approx([6.4108114, 0.9491768], rel=1e-5) and f.calls == 3
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()


@BOTH
def test_a_chain_in_segments(reentrant):
    x, twin = leaf(0.1, 0.2), leaf(0.1, 0.2)
    chain = [minigrad.sin, minigrad.exp, minigrad.cos, minigrad.tanh, minigrad.sqrt]
    expected = twin
    for function in chain:
        expected = function(expected)
    expected = gradients(twin, expected)
    for segments in (1, 2, 3, 5):
        x.grad = None
        assert gradients(x, checkpoint_sequential(chain, segments, x, use_reentrant=reentrant)) == expected


@BOTH
def test_a_changed_argument_is_noticed(reentrant):
    x = leaf(1.0, 2.0)
    z = x * 1
    y = checkpoint(lambda x: x.exp() * x, z, use_reentrant=reentrant)
    with minigrad.no_grad():
        z.mul_(3)
    with pytest.raises(RuntimeError, match="modified by an inplace operation: .* is at version 1; expected version 0"):
        y.sum().backward()


@BOTH
def test_nothing_is_kept_without_grad_mode(reentrant):
    f, x = Counted(), leaf(1.0)
    with minigrad.no_grad():
        assert not checkpoint(f, x, use_reentrant=reentrant).requires_grad


@BOTH
def test_less_memory(reentrant):
    def peak(run):
        x = minigrad.ones(200_000, requires_grad=True)
        gc.collect()
        tracemalloc.start()
        run(x).sum().backward()
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found / x.array.nbytes

    chain = [minigrad.sin] * 24
    parts = peak(lambda x: checkpoint_sequential(chain, 6, x, use_reentrant=reentrant))
    whole = peak(lambda x: checkpoint_sequential(chain, 1, x, use_reentrant=reentrant))
    assert whole > 24 and parts < 18


@BOTH
def test_no_cycles(reentrant):
    gc.collect()
    gc.disable()
    try:
        x = leaf(1.0)
        y = checkpoint(Counted(), x, use_reentrant=reentrant)
        node = weakref.ref(y.grad_fn)
        gradients(x, y)
        del y
        assert node() is None
    finally:
        gc.enable()


class TestPromises:
    def test_parameters_outside_and_keywords(self):
        x, w = minigrad.ones(2), leaf(1.0, 2.0)
        y = checkpoint(lambda x, w: x * w, x, w=w, use_reentrant=False)
        assert gradients(w, y) == [1.0, 1.0]

    def test_double_backward(self):
        x = leaf(1.0, 2.0)
        (g,) = minigrad.autograd.grad(checkpoint(lambda x: x**3, x, use_reentrant=False).sum(), x, create_graph=True)
        assert g.tolist() == [3.0, 12.0]
        assert minigrad.autograd.grad(g.sum(), x)[0].tolist() == [6.0, 12.0]

    @pytest.mark.parametrize("recorded", [False, True])
    def test_a_derivative_inside_the_function(self, recorded):
        def f(x):
            y = x.sin() * x
            (g,) = minigrad.autograd.grad(y.sum(), x, create_graph=recorded)
            return x * g

        x, twin = leaf(1.0, 2.0), leaf(1.0, 2.0)
        assert gradients(x, checkpoint(f, x, use_reentrant=False)) == gradients(twin, f(twin))

    def test_a_derivative_inside_through_what_came_before(self):
        """An argument that went through hooks has its history when the function runs again."""

        def f(a, b):
            return minigrad.autograd.grad((a * b).sum(), a, retain_graph=True)[0] * b.sin()

        def run(call):
            x = leaf(1.0, 2.0)
            with minigrad.autograd.graph.save_on_cpu():
                return gradients(x, call(x, x * x))

        assert run(lambda a, b: checkpoint(f, a, b, use_reentrant=False)) == run(f)

    def test_the_second_run_ends_with_the_last_value(self):
        def run(early):
            seen = []

            def f(x):
                y = x.exp()
                seen.append("after")
                return y + 1

            with set_checkpoint_early_stop(early):
                x = leaf(1.0)
                gradients(x, checkpoint(f, x, use_reentrant=False))
            return len(seen)

        assert run(True) == 1 and run(False) == 2

    @pytest.mark.parametrize(
        "first, again, message",
        [
            (lambda x: x.sin(), lambda x: x.sin().sin(), "trying to save more tensors during recomputation than"),
            (lambda x: x.sin().sin(), lambda x: x.sin(), "Number of tensors saved during recomputation: 1."),
            (lambda x: x.sin(), lambda x: x.double().sin(), "have different metadata than during the forward pass."),
            (lambda x: x.sin(), lambda x: x[:1].sin(), "recomputed metadata: {'shape': minigrad.Size([1])"),
        ],
    )
    def test_another_second_run_is_noticed(self, first, again, message):
        functions = [first, again]
        x = leaf(1.0, 2.0)
        with set_checkpoint_early_stop(False):
            y = checkpoint(lambda x: functions.pop(0)(x), x, use_reentrant=False)
            with pytest.raises(CheckpointError) as failure:
                y.sum().backward()
        assert message in str(failure.value)

    def test_within_saved_tensors_hooks(self):
        """The arguments go through the hooks around; what is promised does not."""
        seen, x = [], leaf(1.0, 2.0)
        with minigrad.autograd.graph.saved_tensors_hooks(lambda t: seen.append(t) or t, lambda packed: packed):
            y = checkpoint(Counted(), x, use_reentrant=False)
        assert len(seen) == 1 and seen[0] is x
        assert gradients(x, y) == pytest.approx([3.2054057, 0.4745884], rel=1e-5)


class TestReentrant:
    def test_inputs_without_grad_are_warned_of(self):
        with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True. Gradients will be None"):
            assert not checkpoint(Counted(), minigrad.ones(2), use_reentrant=True).requires_grad

    def test_refusals(self):
        with pytest.raises(ValueError, match="Unexpected keyword arguments: w"):
            checkpoint(Counted(), leaf(1.0), w=leaf(1.0), use_reentrant=True)
        with pytest.raises(RuntimeError, match="none of output has requires_grad=True, this checkpoint"):
            checkpoint(lambda x: x.detach(), leaf(1.0), use_reentrant=True).backward()
        x = leaf(1.0)
        for asked in (lambda y: minigrad.autograd.grad(y, x), lambda y: y.backward(inputs=[x])):
            with pytest.raises(RuntimeError, match=r"incompatible with .grad\(\) or passing an `inputs` parameter"):
                asked(checkpoint(minigrad.sin, x, use_reentrant=True))

    def test_the_way_must_be_chosen(self):
        with pytest.warns(UserWarning, match="the use_reentrant parameter should be passed explicitly"):
            y = checkpoint(Counted(), leaf(1.0))
        assert y.grad_fn.name() == "CheckpointFunctionBackward"


def test_a_network():
    def trained(run):
        minigrad.manual_seed(0)
        layers = [minigrad.nn.Sequential(minigrad.nn.Linear(4, 4), minigrad.nn.Dropout(0.3)) for _ in range(4)]
        model = minigrad.nn.Sequential(*layers)
        x = minigrad.rand(8, 4)
        run(model, x).pow(2).sum().backward()
        return [one.grad.tolist() for one in model.parameters()]

    expected = trained(lambda model, x: model(x))
    assert np.allclose(trained(lambda m, x: checkpoint_sequential(m, 2, x, use_reentrant=False))[0], expected[0])


def inconstant():
    counted = []

    def function(x):
        counted.append(None)
        y = x.sin().exp()
        return y if len(counted) == 1 else y.tanh()

    return function


@pytest.mark.parametrize("how", ["asked for", "everywhere"])
def test_in_debug_mode_the_error_lists_what_ran(how):
    def run(**options):
        y = checkpoint(inconstant(), leaf(1.0, 2.0), use_reentrant=False, **options)
        y.sum().backward()

    ran = "Operations at first: sin, exp\nOperations when it ran again: sin, exp"
    with set_checkpoint_early_stop(False):
        with pytest.raises(CheckpointError, match="more tensors during recomputation .*\n*Tip: with debug=True"):
            run()
        with pytest.raises(CheckpointError, match=ran):
            if how == "asked for":
                run(debug=True)
            else:
                with set_checkpoint_debug_enabled(True):
                    run()
        with set_checkpoint_debug_enabled(False), pytest.raises(CheckpointError, match="Tip"):
            run(debug=True)
    with pytest.raises(ValueError, match="only supported when use_reentrant=False"):
        checkpoint(inconstant(), leaf(1.0), use_reentrant=True, debug=True)
