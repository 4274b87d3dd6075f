"""Every optimizer trained beside PyTorch's; what they print, keep and refuse."""

import copy
import re
import warnings

import numpy as np
import pytest

import minigrad
from minigrad.nn.module import Module

from ..hunt.judge import difference, run
from ..oracle import answer, judge, numbers, recorded

POINTS = numbers((6, 4))
VALUES = np.sin(POINTS.sum(1, keepdims=True))
STEPS = 200
OPTIONS = {
    "SGD": [
        {}, {"momentum": 0.9}, {"momentum": 0.9, "dampening": 0.1, "weight_decay": 0.01},
        {"momentum": 0.9, "nesterov": True}, {"maximize": True, "lr": 1e-4},
    ],
    "Adam": [
        {}, {"weight_decay": 0.1}, {"betas": (0.8, 0.9), "eps": 1e-6, "maximize": True, "lr": 1e-4},
        {"weight_decay": 0.1, "decoupled_weight_decay": True},
    ],
    "AdamW": [{}, {"weight_decay": 0.2}],
    "RMSprop": [
        {}, {"momentum": 0.9, "weight_decay": 0.01, "lr": 0.01},
        {"momentum": 0.5, "maximize": True, "lr": 1e-4},
    ],
}  # fmt: skip


class doubles:
    """The default type is double within."""

    def __init__(self, m) -> None:
        self.m = m

    def __enter__(self):
        self.m.set_default_dtype(self.m.float64)

    def __exit__(self, *exception):
        self.m.set_default_dtype(self.m.float32)


def problem(m, name, options):
    """A small network, its optimizer, and the closure that computes loss and gradients."""
    m.manual_seed(1)
    net = m.nn.Sequential(m.nn.Linear(4, 6), m.nn.Tanh(), m.nn.Linear(6, 1))
    optimizer = getattr(m.optim, name)(net.parameters(), **{"lr": 0.05, **options})
    x, y = m.tensor(POINTS), m.tensor(VALUES)

    def closure():
        optimizer.zero_grad()
        loss = m.nn.functional.mse_loss(net(x), y)
        loss.backward()
        return loss

    return net, optimizer, closure


def training(name, options):
    def question(m):
        with doubles(m):
            net, optimizer, closure = problem(m, name, options)
            losses = [optimizer.step(closure).item() for _ in range(STEPS)]
            return [repr(optimizer), losses[::10], [np.array(p.detach().numpy()) for p in net.parameters()]]

    return question


TRAINED = {f"{name} {options}": training(name, options) for name in OPTIONS for options in OPTIONS[name]}


def apart(ours, theirs) -> float:
    """How far two answers are from each other; infinitely where they differ in more than numbers."""
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return max(map(apart, ours, theirs), default=0.0)
    if isinstance(ours, int | float) and isinstance(theirs, int | float):
        return abs(ours - theirs) / max(1.0, abs(theirs))
    return 0.0 if ours == theirs else float("inf")


@pytest.mark.parametrize("name", TRAINED)
def test_training_follows_what_pytorch_did(name):
    assert apart(answer(TRAINED[name], minigrad), recorded("trained")[name]) < 1e-9


@pytest.mark.parametrize("name", TRAINED)
def test_training_follows_pytorch(name):
    assert apart(answer(TRAINED[name], minigrad), answer(TRAINED[name], judge())) < 1e-9


RESTLESS = {"momentum": 0.9, "weight_decay": 0.01, "lr": 0.05}
FED = [(name, options) for name in OPTIONS for options in OPTIONS[name]] + [
    ("RMSprop", RESTLESS), ("RMSprop", {"alpha": 0.2}), ("Adam", {"betas": (0.3, 0.4)}),
    ("SGD", {"momentum": 0.5, "nesterov": True, "weight_decay": 0.01, "maximize": True}),
]  # fmt: skip


def fed(m, name, options):
    """Where a parameter goes on gradients that do not depend on it."""
    parameter = m.tensor(numbers((5, 7)), requires_grad=True)
    optimizer = getattr(m.optim, name)([parameter], **{"lr": 0.05, **options})
    for step in range(STEPS):
        parameter.grad = m.tensor(numbers((5, 7), salt=step) * 3.0 ** (step % 5 - 2))
        optimizer.step()
    return parameter.detach().numpy()


@pytest.mark.parametrize(("name", "options"), FED, ids=str)
def test_on_the_same_gradients_every_setting_goes_the_same_way(name, options):
    assert np.abs(fed(minigrad, name, options) - fed(judge(), name, options)).max() < 1e-12


def test_what_a_restless_training_makes_of_rounding_is_its_own():
    """With these options runs that begin 1e-15 apart end 1e-7 apart or more: no two libraries can agree there."""

    def trained(nudge):
        with doubles(minigrad):
            net, optimizer, closure = problem(minigrad, "RMSprop", RESTLESS)
            with minigrad.no_grad():
                net[0].weight[0, 0] += nudge
            return [optimizer.step(closure).item() for _ in range(STEPS)]

    assert apart(trained(0.0), trained(1e-15)) > 1e-7


@pytest.mark.parametrize("name", TRAINED)
def test_training_goes_on_from_a_saved_state(name):
    kind, options = name.split()[0], next(o for o in OPTIONS[name.split()[0]] if f"{name.split()[0]} {o}" == name)
    with doubles(minigrad):
        net, optimizer, closure = problem(minigrad, kind, options)
        for _ in range(5):
            optimizer.step(closure)
        other, resumed, closure_of_other = problem(minigrad, kind, options)
        assert isinstance(other, Module)
        other.load_state_dict(net.state_dict())
        resumed.load_state_dict(copy.deepcopy(optimizer.state_dict()))  # as from a file: else both share their memory
        for _ in range(5):
            optimizer.step(closure)
        for _ in range(5):
            resumed.step(closure_of_other)
    assert [p.tolist() for p in other.parameters()] == [p.tolist() for p in net.parameters()]


# == conversations =========================================================================================


def tried(*calls):
    """What each call answers: its repr, or its error; and what it warns of."""

    def question(m):
        found = []
        for call in calls:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                try:
                    found.append(repr(call(m, leaf(m))))
                except Exception as error:
                    found.append(f"{type(error).__name__}: {error}")
            found += [re.split(r"; |\. ", str(one.message))[0] for one in warned]
        return found

    return question


def leaf(m):
    return m.zeros(2, requires_grad=True)


def refused(name, **wrong):
    return [lambda m, w, k=k, v=v: getattr(m.optim, name)([w], **{k: v}) for k, v in wrong.items()]


def memory(name, **options):
    """What an optimizer keeps after a step, as its state says it."""

    def question(m):
        w = m.tensor([1.0, 2.0], requires_grad=True)
        optimizer = getattr(m.optim, name)([w], **options)
        (w * w).sum().backward()
        return [optimizer.step(), repr(optimizer.state_dict()), repr(w)]

    return question


def groups(m):
    v, w = m.zeros(1, requires_grad=True), m.ones(2, requires_grad=True)
    optimizer = m.optim.SGD([{"params": [v]}, {"params": w, "lr": 0.5}], lr=0.1, momentum=0.9)
    (v.sum() + w.sum()).backward()
    optimizer.step()
    said = [repr(optimizer), repr(optimizer.state_dict()), v, w]
    optimizer.zero_grad(set_to_none=False)
    said += [repr(v.grad)]
    optimizer.zero_grad()
    said += [repr(v.grad)]
    optimizer.step()  # nothing has a gradient: nothing moves
    return [*said, v, w]


QUESTIONS = {
    "params refused": tried(
        lambda m, w: m.optim.SGD(w),
        lambda m, w: m.optim.SGD([]),
        lambda m, w: m.optim.SGD([3]),
        lambda m, w: m.optim.SGD([w * 2]),
        lambda m, w: m.optim.SGD([w, w]),
        lambda m, w: m.optim.SGD([{"params": [w]}, {"params": [w]}]),
        lambda m, w: m.optim.SGD([{"lr": 3}]),
        lambda m, w: m.optim.SGD([w]).add_param_group({"params": [w]}),
        lambda m, w: m.optim.SGD([w]).add_param_group(3),
    ),
    "options refused": tried(
        *refused("SGD", lr=-1, momentum=-1, weight_decay=-1, nesterov=True),
        *refused("Adam", lr=-1, eps=-1, weight_decay=-1, betas=(2, 0)),
        *refused("AdamW", betas=(0.5, 1.0)),
        *refused("RMSprop", lr=-1, eps=-1, momentum=-1, weight_decay=-1, alpha=-1),
        *refused("SGD", leraning_rate=1),
    ),
    "groups": groups,
    "memory of SGD": memory("SGD", lr=0.1),
    "memory of SGD with momentum": memory("SGD", momentum=0.9),
    "memory of Adam": memory("Adam"),
    "memory of AdamW": memory("AdamW"),
    "memory of RMSprop": memory("RMSprop", momentum=0.5),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_answered(name):
    assert apart(answer(QUESTIONS[name], minigrad), recorded("optimizers")[name]) < 1e-6


@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_answers(name):
    assert apart(answer(QUESTIONS[name], minigrad), answer(QUESTIONS[name], judge())) < 1e-6


def test_a_state_from_before_an_option_came_is_gone_on_from():
    w = leaf(minigrad)
    optimizer = minigrad.optim.AdamW([w], weight_decay=0.5)
    state = optimizer.state_dict()
    for name in ("maximize", "foreach", "fused", "capturable", "differentiable", "decoupled_weight_decay"):
        del state["param_groups"][0][name]
    optimizer.load_state_dict(state)
    assert optimizer.param_groups[0]["decoupled_weight_decay"]
    w.sum().backward()
    optimizer.step()


def test_a_state_may_hold_what_belongs_to_no_parameter():
    w = leaf(minigrad)
    optimizer = minigrad.optim.SGD([w])
    optimizer.state["calls"] = 3
    state = optimizer.state_dict()
    optimizer.load_state_dict(state)
    assert state["state"] == {"calls": 3} == dict(optimizer.state)


def test_the_rates_of_two_means_are_both_fractions_or_both_tensors():
    for betas in ((0, 0.9), (0.9, minigrad.tensor(0.9))):
        with pytest.raises(ValueError, match="betas must be either both floats or both Tensors"):
            minigrad.optim.Adam([leaf(minigrad)], betas=betas)


def test_parameters_without_an_order_and_states_of_others_are_refused():
    w, v = leaf(minigrad), leaf(minigrad)
    with pytest.raises(TypeError, match="need to be ordered, which a set is not"):
        minigrad.optim.SGD([{"params": {w}}])
    for others in ([{"params": w}, {"params": v}], [w, v]):
        with pytest.raises(ValueError, match="different number of parameter groups|match the size of optimizer"):
            minigrad.optim.SGD([w]).load_state_dict(minigrad.optim.SGD(others).state_dict())


@pytest.mark.parametrize(
    ("params", "options", "words"),
    [
        (None, {"lr": "0.1"}, "Adam: lr must be a number, but is '0.1'"),
        (None, {"eps": None}, "Adam: eps must be a number, but is None"),
        (None, {"betas": (0.9,)}, "betas must be two numbers"),
        (None, {"betas": 0.9}, "betas must be two numbers"),
        ([{"params": []}, 3], {}, "param_group must be a dict, but got <class 'int'>"),
    ],
)
def test_an_option_of_another_kind_is_refused_by_name(params, options, words):
    with pytest.raises(TypeError, match=words):
        minigrad.optim.Adam(params or [minigrad.ones(1)], **options)


def test_what_is_not_available_is_refused():
    with pytest.raises(NotImplementedError, match="differentiable=True is not available here"):
        minigrad.optim.SGD([leaf(minigrad)], differentiable=True)
    with pytest.raises(NotImplementedError, match="differentiable=True is not available here"):
        minigrad.optim.Adam([{"params": [leaf(minigrad)], "differentiable": True}])
    with pytest.raises(TypeError, match="unexpected keyword argument 'centered'"):
        minigrad.optim.Adam([leaf(minigrad)], centered=True)


def test_a_step_leaves_the_gradient_as_it_was():
    w = minigrad.ones(2, requires_grad=True)
    w.sum().backward()
    optimizer = minigrad.optim.SGD([w], lr=0.5, momentum=0.9, weight_decay=0.1, maximize=True)
    optimizer.step()
    assert w.grad.tolist() == [1.0, 1.0]
    assert w._version == 1


PROGRAMS = """
one = m.optim.Adam([w]); one.step(); kept = one.state_dict(); one.load_state_dict(kept); one.step()
one = m.optim.RMSprop([w]); one.step(); two = m.optim.RMSprop([v]); two.load_state_dict(one.state_dict()); s = two.state
o = m.optim.Adam([w]); o.step(); k = o.state_dict(); k['state'][0]['step'] = 1; o.load_state_dict(k); o.step()
(w ** 3).sum().backward(create_graph=True); g = w.grad; o = m.optim.SGD([w]); o.zero_grad(set_to_none=False)
w.grad = m.ones(2, 3).double()[1]; g = w.grad; m.optim.SGD([w]).zero_grad(False)
""".strip().splitlines()


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_leaves_what_it_leaves_in_pytorch(program):
    lines = ["w = T([1.0, -2.0, 3.0])", "w.grad = m.ones(3).double() / 2", "v = m.zeros(3)", *program.split("; ")]
    assert difference(run(minigrad, lines), run(judge(), lines), kinds=True) == []
