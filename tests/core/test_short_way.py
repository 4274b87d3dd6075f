"""Most operations take a short way through `apply`. Both ways say the same, and leave the same behind."""

from contextlib import contextmanager

import numpy as np
import pytest

import minigrad as mg
from minigrad.core import events
from minigrad.core.modes import packers

from ..oracle import answer, assert_same, judge

EXPRESSIONS = {
    "one": lambda a, b: a.sin(),
    "one that saves its output": lambda a, b: a.exp(),
    "one with options": lambda a, b: a.sum(1, keepdim=True),
    "one with a number as its option": lambda a, b: a**3,
    "two": lambda a, b: a * b,
    "twice the same": lambda a, b: a * a,
    "the other alone": lambda a, b: a.detach() / b,
    "the first alone": lambda a, b: a / b.detach(),
    "neither": lambda a, b: a.detach() - b.detach(),
    "a number": lambda a, b: 2 * a,
    "a number in front": lambda a, b: 1 - a,
    "a matrix product": lambda a, b: a @ b.T,
    "stretched": lambda a, b: a + b[0],
    "of results": lambda a, b: (a * b).tanh() - a.mean(),
    "without dimensions": lambda a, b: a.sum() * b.sum() + 0.5,
    "one output of several": lambda a, b: a.max(1)[0] * 2,
    "two types": lambda a, b: a * b.double(),
    "an integer": lambda a, b: a * mg.tensor([1, 2, 3]),
    "a view": lambda a, b: (a * 1)[1] * 2,
    "after a change of its base": lambda a, b: changed(a * 1) * b[1],
    "halves": lambda a, b: a.half() * b.half(),
    "complex numbers": lambda a, b: (a * 1j) * b,
}


@contextmanager
def the_long_way():
    """Somebody packs what is saved (here, nobody does): then no operation takes the short way."""
    packers.append(lambda node: None)
    try:
        yield
    finally:
        packers.pop()


MODES = {"recorded": mg.enable_grad, "no_grad": mg.no_grad, "inference": mg.inference_mode}


def changed(x):
    view = x[1]
    x.mul_(3)
    return view


def outcome(expression, mode) -> list:
    """All that a computation leaves behind: numbers, types, flags, the nodes with what they saved, the gradients."""
    a = mg.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, 3.0]], requires_grad=True)
    b = mg.tensor([[2.0, 1.0, -0.5], [1.0, 4.0, 0.75]], requires_grad=True)
    with MODES[mode]():
        out = expression(a, b)
    left = [repr(out), out.array.tobytes(), out.dtype, out.requires_grad, out.is_inference()]
    nodes = [out.grad_fn] if out.grad_fn else []
    for node in nodes:
        saved = [(name, np.asarray(value).tolist()) for name, value in node.saved_values()]
        edges = [(source and source.name(), index) for source, index in node.next_functions]
        left.append((node.name(), node.shape, node.dtype, saved, edges))
        nodes += [source for source, _ in node.next_functions if source is not None]
    if nodes:
        out.abs().sum().backward()
    return [*left, *(None if leaf.grad is None else leaf.grad.tolist() for leaf in (a, b))]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_both_ways_leave_the_same(name, mode):
    silent = outcome(EXPRESSIONS[name], mode)
    with the_long_way():
        assert outcome(EXPRESSIONS[name], mode) == silent


def told(expression) -> list:
    """What a listener hears, without the times and the addresses."""

    def plain(value):
        if isinstance(value, mg.Tensor | np.ndarray | np.generic):
            return np.asarray(value.array if isinstance(value, mg.Tensor) else value).tolist()
        return [plain(one) for one in value] if isinstance(value, tuple | list) else str(value).partition(" at 0x")[0]

    heard = []
    with events.listen(heard.append):
        a = mg.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, 3.0]], requires_grad=True)
        b = mg.tensor([[2.0, 1.0, -0.5], [1.0, 4.0, 0.75]], requires_grad=True)
        (expression(a, b).abs().sum() + a.sum().abs()).backward()
    return [(type(event).__name__, plain(facts(event))) for event in heard]


def facts(event) -> list:
    return [getattr(event, field) for field in event._fields if field not in ("started", "ended")]


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_both_ways_tell_the_same(name):
    with the_long_way():
        expected = told(EXPRESSIONS[name])
    assert told(EXPRESSIONS[name]) == expected
    assert "Made" in dict(expected) and "Deposited" in dict(expected)


@pytest.mark.parametrize("name, short", {"mul": True, "sum": True, "max_along": False, "t": False}.items())
def test_which_operations_may_take_it(name, short):
    assert bool(mg.ops.rows[name].op.run) is short


def test_an_error_is_explained_on_both_ways():
    def refusal() -> str:
        with pytest.raises(RuntimeError, match=r"must match the size of tensor b \(3\)") as caught:
            mg.ones(2, requires_grad=True) * mg.ones(3)
        return str(caught.value)

    silent = refusal()
    with the_long_way():
        assert refusal() == silent


CHANGES = {
    "by a number": lambda a, b: a.mul_(2),
    "by an operator": lambda a, b: a.__isub__(0.5),
    "by a tensor": lambda a, b: a.add_(b),
    "by a stretched tensor": lambda a, b: a.div_(b[:, :1] * 1),
    "by itself": lambda a, b: a.mul_(a),
    "of one": lambda a, b: a.sin_(),
    "to zero": lambda a, b: a.zero_(),
    "by another type": lambda a, b: a.add_(b.double()),
    "with an option": lambda a, b: a.add_(b, alpha=3),
    "of a leaf that requires grad": lambda a, b: a.requires_grad_().sub_(b),
    "by one that requires grad": lambda a, b: a.mul_(b.requires_grad_()),
    "of a view": lambda a, b: a[0].exp_(),
    "of integers": lambda a, b: a.long().add_(1),
    "of the wrong shape": lambda a, b: a.add_(mg.ones(5)),
    "of a stretched view": lambda a, b: b[0].expand(2, 3).add_(1),
}


def change(name, mode):
    """What a change in place leaves behind: the numbers, flags and versions, or the refusal."""
    a = mg.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, 3.0]])
    b = mg.tensor([[2.0, 1.0, -0.5], [1.0, 4.0, 0.75]])
    with MODES[mode]():
        try:
            out = CHANGES[name](a, b)
        except RuntimeError as error:
            return str(error)
    return [(repr(x), x.dtype, x._version, x.requires_grad, bool((x._counter or [])[1:])) for x in (out, a)]


@pytest.mark.parametrize("mode", ["recorded", "no_grad"])
@pytest.mark.parametrize("name", CHANGES)
def test_both_ways_change_the_same(name, mode):
    silent = change(name, mode)
    with the_long_way():
        assert change(name, mode) == silent


# == results without dimensions: numbers, until their memory is shared =====================================


def alias_of_a_saved_number(m, change):
    """A change that no version counter sees, of a number that a product has saved."""
    x = m.tensor(2.0, requires_grad=True)
    z = x * 3
    y = z * z
    change(z)
    y.backward()
    return x.grad


def views_of_a_number(m):
    y = m.tensor(3.0) * 2
    views = [y.unsqueeze(0), y.view(1), y.expand(1), y.detach(), y.reshape(1, 1), y.squeeze(), y.data]
    y -= 1
    views[0].mul_(2)
    return [y, *views]


def changes_of_a_number(m):
    y = m.tensor(3.0) * 2
    alias = y
    versions = [y._version]
    for change in (lambda: y.add_(1), lambda: y.mul_(y), lambda: y.zero_(), lambda: y.add_(m.ones(()))):
        change()
        versions.append(y._version)
    return [y, alias, versions]


@pytest.mark.parametrize(
    "question",
    [
        lambda m: alias_of_a_saved_number(m, lambda z: z.data.fill_(5.0)),
        lambda m: alias_of_a_saved_number(m, lambda z: z.detach().numpy().fill(5.0)),
        lambda m: alias_of_a_saved_number(m, lambda z: z.unsqueeze(0)),
        views_of_a_number,
        changes_of_a_number,
    ],
)
def test_a_number_is_shared_as_in_pytorch(question):
    assert_same(answer(question, mg), answer(question, judge()))


NUMBERS_IN_TENSORS = {  # a tensor without dimensions as an option: its number, whatever its type
    "alpha": lambda m, a, two: a.add(1, alpha=two),
    "delta": lambda m, a, two: m.nn.functional.huber_loss(a, 3 * a, delta=two),
    "bounds": lambda m, a, two: m.nn.functional.hardtanh(-a, -two, two),
    "slope": lambda m, a, two: m.nn.functional.leaky_relu(-a, two),
    "eps": lambda m, a, two: m.nn.functional.layer_norm(a * a, (2,), eps=two),
    "dim": lambda m, a, two: a.sum(two.long() - 2),
}


@pytest.mark.parametrize("name", NUMBERS_IN_TENSORS)
@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_an_option_in_a_tensor_is_its_number(name, dtype):
    def question(m):
        a = m.tensor([0.5, 1.5], requires_grad=True)
        out = NUMBERS_IN_TENSORS[name](m, a, m.tensor(2, dtype=getattr(m, dtype)))
        out.sum().backward()
        return [out, str(out.dtype), a.grad, str(a.grad.dtype)]

    ours, theirs = answer(question, mg), answer(question, judge())
    assert "raises" not in theirs
    assert (ours[1], ours[3]) == (theirs[1], theirs[3])
    assert np.allclose(ours[0][1], theirs[0][1], rtol=1e-5) and np.allclose(ours[2][1], theirs[2][1], rtol=1e-5)
