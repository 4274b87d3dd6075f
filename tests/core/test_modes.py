"""Grad modes: as context managers, as decorators of functions, generators and classes, as calls; nested; in errors."""

import pytest

import minigrad as mg

from ..oracle import answer, assert_same, recorded


def state(m) -> list:
    recorded = (m.ones(1, requires_grad=True) * 2).requires_grad
    return [m.is_grad_enabled(), m.is_inference_mode_enabled(), recorded]


def restored(question):
    """However the question leaves the modes, the next one starts from the beginning."""

    def asked(m):
        try:
            return question(m)
        finally:
            m.set_grad_enabled(True)

    return asked


MANAGERS = (
    "m.no_grad()", "m.enable_grad()", "m.set_grad_enabled(True)", "m.set_grad_enabled(False)", "m.inference_mode()",
    "m.inference_mode(True)", "m.inference_mode(False)",
)  # fmt: skip


def nested(outer: str, inner: str):
    def question(m):
        found = [state(m)]
        with eval(outer):
            found.append(state(m))
            with eval(inner):
                found.append(state(m))
            found.append(state(m))
        return [*found, state(m)]

    return question


def decorated(manager: str):
    def question(m):
        def function(one, *, two=2):
            """About it."""
            return [one, two, state(m)]

        wrapped = eval(manager)(function)
        return [wrapped(1, two=3), wrapped(1), state(m), wrapped.__name__, wrapped.__doc__]

    return question


def after_an_error(manager: str):
    def question(m):
        found = []
        try:
            with eval(manager):
                found.append(state(m))
                raise KeyError
        except KeyError:
            found.append(state(m))

        @eval(manager)
        def fails():
            raise KeyError

        try:
            fails()
        except KeyError:
            found.append(state(m))
        return found

    return question


def generator(manager: str):
    """The mode holds inside the generator, and never for the one who asks it."""

    def question(m):
        found = []

        @eval(manager)
        def steps():
            for _ in range(2):
                found.append(["inside", state(m)])
                sent = yield 1
                found.append(["sent", sent])
            return "end"

        steps_now = steps()
        found.append(["made", state(m)])
        next(steps_now)
        found.append(["between", state(m)])
        with m.no_grad():
            steps_now.send("hello")
            found.append(["between", state(m)])
        try:
            next(steps_now)
        except StopIteration as stop:
            found.append(["stop", stop.value, state(m)])
        return found

    return question


def a_generator_that_catches(m):
    found = []

    @m.no_grad()
    def steps():
        try:
            yield state(m)
        except KeyError:
            found.append(state(m))
            yield "caught"
        finally:
            found.append(["closed", state(m)])

    one = steps()
    found.append(next(one))
    found.append(one.throw(KeyError()))
    one.close()
    other = steps()
    next(other)
    other.close()
    return [*found, state(m)]


def a_call_holds_from_now_on(m):
    found = [state(m)]
    m.set_grad_enabled(False)
    found.append(state(m))
    m.set_grad_enabled(True)
    return [*found, state(m)]


def a_call_inside_a_block_ends_with_the_block(m):
    with m.no_grad():
        m.set_grad_enabled(True)
        inside = state(m)
    return [inside, state(m)]


def an_object_made_early_and_entered_late(m):
    manager = m.set_grad_enabled(False)
    found = [state(m)]
    with manager:
        found.append(state(m))
    return [*found, state(m)]


def a_decorator_acts_when_the_function_runs(m):
    @m.set_grad_enabled(False)
    def function():
        return state(m)

    return [state(m), function(), state(m)]


def without_parentheses(m):
    @m.no_grad
    def function():
        return state(m)

    @m.inference_mode
    def other():
        return state(m)

    return [function(), other(), state(m)]


def a_function_that_calls_itself(m):
    @m.no_grad()
    def down(n):
        return [state(m)] + (down(n - 1) if n else [])

    return [down(2), state(m)]


def the_same_manager_twice(m):
    manager, found = m.no_grad(), []
    for _ in range(2):
        with manager:
            found.append(state(m))
        found.append(state(m))
    return found


def a_class(m):
    @m.no_grad()
    class Model:
        def __init__(self, value):
            self.value, self.state = value, state(m)

    made = Model(3)
    return [made.value, made.state, state(m)]


def a_method(m):
    class Model:
        @m.no_grad()
        def predict(self, x):
            return [x, state(m)]

    return [Model().predict(1), state(m)]


def leaves_in_no_grad(m):
    with m.no_grad():
        x = m.ones(1, requires_grad=True)
        y = x * 2
    return [x.requires_grad, y.requires_grad, y.is_leaf, (x * 2).requires_grad, (y * 2).requires_grad]


def inference_tensors(m):
    with m.inference_mode():
        x = m.ones(2) * 2
        fresh = m.ones(2)
        inside = [x.is_inference(), fresh.is_inference(), m.ones(1, requires_grad=True).requires_grad]
    plain = m.ones(2)
    return [inside, x.is_inference(), fresh.is_inference(), plain.is_inference(), (x + plain).is_inference()]


def inference_tensors_change_within(m):
    """Their numbers and their arrangement, and outside neither."""
    found = []
    with m.inference_mode():
        for x in (m.ones(1, 2, requires_grad=True), m.ones(1, 2)):
            x.transpose_(0, 1).mul_(3)
            found.append([x.tolist(), x.requires_grad, x.is_inference()])
    for change in (lambda: x.mul_(2), x.t_, x.zero_):
        try:
            found.append(change())
        except RuntimeError as error:
            found.append(str(error)[:50])
    return found


def inference_tensors_leave_by_clone(m):
    with m.inference_mode():
        x = m.ones(2)
    y = x.clone()
    y.requires_grad_()
    (y * y).sum().backward()
    return [y.is_inference(), y.grad.tolist()]


def printed(m):
    return repr(m.set_grad_enabled(True)).rpartition(".")[2]


PROGRAMS = (
    a_generator_that_catches, a_call_holds_from_now_on, a_call_inside_a_block_ends_with_the_block,
    an_object_made_early_and_entered_late, a_decorator_acts_when_the_function_runs, without_parentheses,
    a_function_that_calls_itself, the_same_manager_twice, a_class, a_method, leaves_in_no_grad, inference_tensors,
    inference_tensors_change_within, inference_tensors_leave_by_clone, printed,
)  # fmt: skip
EACH = (decorated, after_an_error, generator)
QUESTIONS = {program.__name__: restored(program) for program in PROGRAMS}
QUESTIONS |= {f"{kind.__name__} {text}": restored(kind(text)) for kind in EACH for text in MANAGERS}
QUESTIONS |= {f"{one} in {other}": restored(nested(other, one)) for one in MANAGERS for other in MANAGERS}


@pytest.mark.filterwarnings("ignore:Decorating classes:FutureWarning")
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_mode_is_pytorchs(name):
    assert_same(answer(QUESTIONS[name], mg), recorded("modes")[name])


def test_decorating_a_class_warns():
    with pytest.warns(FutureWarning, match="Decorating classes is deprecated"):
        mg.no_grad()(type("Model", (), {}))
