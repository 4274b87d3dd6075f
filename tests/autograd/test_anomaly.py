"""Anomaly mode names the operation, the line and the variable; and costs nothing when it is off."""

import re
import warnings

import pytest

import minigrad
from minigrad.core import events

QUIET = pytest.mark.filterwarnings("ignore:Anomaly Detection", "ignore::RuntimeWarning")
pytestmark = QUIET


def nan_from_sqrt(m):
    x = m.tensor([0.0, 4.0], requires_grad=True)
    y = x.sqrt()
    (y * 0).sum().backward()


def nan_in_the_second_input(m):
    a, b = m.tensor([0.0], requires_grad=True), m.tensor([0.0], requires_grad=True)
    q = a / b
    q.sum().backward()


def nan_from_a_hook(m):
    x = m.tensor([1.0], requires_grad=True)
    y = x * 1
    y.register_hook(lambda g: g * float("nan"))
    y.sum().backward()


def failing_backward(m):
    class Fails(m.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            raise ValueError("on purpose")

    x = m.tensor([1.0], requires_grad=True)
    y = Fails.apply(x)
    y.sum().backward()


def second_backward(m):
    x = m.tensor([1.0], requires_grad=True)
    y = x * x
    y.backward()
    y.backward()


def in_double_backward(m):
    x = m.tensor([2.0], requires_grad=True)
    y = x.sqrt()
    (g,) = m.autograd.grad(y, x, create_graph=True)
    (g * 0 / 0).backward()


RECORDED = {  # by PyTorch 2.13: the first line of the error, and that of the warning
    nan_from_sqrt: ("Function 'SqrtBackward0' returned nan values in its 0th output.", "SqrtBackward0", "y = x.sqrt()"),
    nan_in_the_second_input: (
        "Function 'DivBackward0' returned nan values in its 1th output.",
        "DivBackward0",
        "q = a / b",
    ),
    nan_from_a_hook: ("Function 'MulBackward0' returned nan values in its 0th output.", "MulBackward0", "y = x * 1"),
    failing_backward: ("on purpose", "FailsBackward", "y = Fails.apply(x)"),
    second_backward: (
        "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
        "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
        "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
        "saved tensors after calling backward.",
        "MulBackward0",
        "y = x * x",
    ),
    in_double_backward: (
        "Function 'MulBackward0' returned nan values in its 0th output.",
        "MulBackward0",
        "(g * 0 / 0).backward()",
    ),
}


def refused(case, m) -> tuple:
    """What a case raises in anomaly mode, and what it warns of."""
    with warnings.catch_warnings(record=True) as caught, m.autograd.detect_anomaly():
        warnings.simplefilter("always", UserWarning)
        with pytest.raises((RuntimeError, ValueError)) as failure:
            case(m)
    return failure.value, "\n".join(str(one.message) for one in caught if "Error detected" in str(one.message))


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case.__name__)
@pytest.mark.parametrize("library", ["minigrad", "torch"])
def test_the_error_and_the_forward_line(case, library):
    m = minigrad if library == "minigrad" else pytest.importorskip("torch")
    message, name, line = RECORDED[case]
    error, warning = refused(case, m)
    assert str(error).splitlines()[0] == message
    start = f"Error detected in {name}. Traceback of forward call that caused the error:\n"
    assert warning.startswith(start)
    assert re.search(
        rf'File ".*test_anomaly.py", line \d+, in {case.__name__}\n    {re.escape(line)}\n', warning + "\n"
    )


def test_the_variable_is_named():
    error, _ = refused(nan_in_the_second_input, minigrad)
    second = str(error).splitlines()[1]
    assert second.startswith("It is the gradient of `b` in `a / b` (test_anomaly.py:")
    assert second.endswith("What arrived here was not nan, so it arose here.")
    assert "What arrived here was nan already." in str(refused(nan_from_a_hook, minigrad)[0])


def test_a_failure_of_another_kind_is_placed():
    error, _ = refused(failing_backward, minigrad)
    assert error.__notes__[0].startswith("This happened in `Fails.apply(x)` (test_anomaly.py:")


def test_who_has_the_mode_on_is_not_told_to_turn_it_on():
    x = minigrad.tensor(1.0, requires_grad=True)
    with minigrad.autograd.set_detect_anomaly(True), pytest.warns(UserWarning, match="Error detected in ExpBackward0"):
        y = x.exp()
        y.add_(1)
        with pytest.raises(RuntimeError, match="expected version 0 instead. Hint: the backtrace further above shows"):
            y.backward()


def test_a_forward_before_the_mode_was_on():
    x = minigrad.tensor([0.0], requires_grad=True)
    z = (x.sqrt() * 0).sum()
    _, warning = refused(lambda m: z.backward(), minigrad)
    assert warning == (
        "Error detected in SqrtBackward0. No forward pass information available. Enable detect anomaly during forward "
        "pass for more information."
    )


def test_nan_may_pass():
    x = minigrad.tensor([0.0], requires_grad=True)
    with minigrad.autograd.detect_anomaly(check_nan=False):
        (x.sqrt() * 0).sum().backward()
    assert x.grad.isnan().all()


def switches(m) -> list:
    def state():
        return m.is_anomaly_enabled(), m.is_anomaly_check_nan_enabled()

    seen = [state()]
    with m.autograd.set_detect_anomaly(True, check_nan=False):
        seen.append(state())
        with m.autograd.detect_anomaly():
            seen.append(state())
        seen.append(state())
    seen.append(state())
    m.autograd.set_detect_anomaly(True)
    seen.append(state())
    m.autograd.set_detect_anomaly(False)
    return [*seen, state()]


@pytest.mark.parametrize("library", ["minigrad", "torch"])
def test_switches(library):
    off, on, lax = (False, True), (True, True), (True, False)
    assert switches(minigrad if library == "minigrad" else pytest.importorskip("torch")) == [
        off,
        lax,
        on,
        lax,
        off,
        on,
        off,
    ]


def test_nobody_listens_afterwards():
    before = list(events.listeners)
    refused(nan_from_sqrt, minigrad)
    assert events.listeners == before


def test_the_warning_that_it_is_on():
    with pytest.warns(UserWarning, match="^Anomaly Detection has been enabled. This mode will increase the runtime"):
        minigrad.autograd.detect_anomaly()


def test_old_names():
    autograd = minigrad.autograd
    x = minigrad.ones(2)
    y = autograd.Variable(x, requires_grad=True)
    assert y.requires_grad and not x.requires_grad and isinstance(x, autograd.Variable)
    with pytest.raises(TypeError, match="Variable data has to be a tensor, but got list"):
        autograd.Variable([1.0])
