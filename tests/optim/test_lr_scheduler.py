"""Learning rates over many epochs against PyTorch's, and what the schedules refuse."""

import pytest

import minigrad

from ..hunt.judge import difference, run
from ..oracle import answer, judge, recorded
from .test_optimizers import apart, leaf, tried

SCHEDULES = {
    "StepLR": lambda s, o: s.StepLR(o, 3, gamma=0.5),
    "ExponentialLR": lambda s, o: s.ExponentialLR(o, 0.9),
    "MultiStepLR": lambda s, o: s.MultiStepLR(o, [2, 5, 5], gamma=0.5),
    "ConstantLR": lambda s, o: s.ConstantLR(o, factor=0.4, total_iters=7),
    "ConstantLR for no time": lambda s, o: s.ConstantLR(o, total_iters=0),
    "LinearLR": lambda s, o: s.LinearLR(o),
    "LinearLR down": lambda s, o: s.LinearLR(o, 1.0, end_factor=0.0, total_iters=6),
    "PolynomialLR": lambda s, o: s.PolynomialLR(o, total_iters=9, power=2.0),
    "CosineAnnealingLR": lambda s, o: s.CosineAnnealingLR(o, T_max=10, eta_min=0.01),
    "CosineAnnealingLR to the end": lambda s, o: s.CosineAnnealingLR(o, 40),
    "LambdaLR": lambda s, o: s.LambdaLR(o, lambda epoch: 1 / (1 + epoch)),
    "LambdaLR of each group": lambda s, o: s.LambdaLR(o, [lambda epoch: 0.9**epoch, lambda epoch: epoch]),
}


def optimizer_of(m):
    return m.optim.SGD([{"params": leaf(m)}, {"params": leaf(m), "lr": 0.3}], lr=0.1, momentum=0.9)


def rates(name):
    def question(m):
        optimizer = optimizer_of(m)
        scheduler = SCHEDULES[name](m.optim.lr_scheduler, optimizer)
        seen = []
        for _ in range(40):
            seen.append([[group["lr"], group["momentum"]] for group in optimizer.param_groups])
            optimizer.step()
            scheduler.step()
        return [
            seen,
            scheduler.get_last_lr(),
            getattr(scheduler, "last_epoch", None),
            getattr(scheduler, "base_lrs", None),
            sorted(optimizer.param_groups[0]),
        ]

    return question


def too_early(m, w):
    scheduler = m.optim.lr_scheduler.StepLR(m.optim.SGD([w], lr=0.1), 2)
    scheduler.step()


def chained(m):
    """Two schedules on one optimizer: each changes the rate that it finds."""
    optimizer = optimizer_of(m)
    schedules = [m.optim.lr_scheduler.ExponentialLR(optimizer, 0.9), m.optim.lr_scheduler.StepLR(optimizer, 4)]
    seen = []
    for _ in range(10):
        optimizer.step()
        for scheduler in schedules:
            scheduler.step()
        seen.append([group["lr"] for group in optimizer.param_groups])
    return seen


QUESTIONS = {name: rates(name) for name in SCHEDULES} | {
    "chained": chained,
    "refused": tried(
        too_early,
        lambda m, w: m.optim.lr_scheduler.StepLR(3, 2),
        lambda m, w: m.optim.lr_scheduler.LambdaLR(m.optim.SGD([w]), [len, len]),
    ),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_answered(name):
    assert apart(answer(QUESTIONS[name], minigrad), recorded("schedules")[name]) < 1e-12


@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_answers(name):
    assert apart(answer(QUESTIONS[name], minigrad), answer(QUESTIONS[name], judge())) < 1e-12


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_goes_on_from_a_saved_state(name):
    optimizer = optimizer_of(minigrad)
    scheduler = SCHEDULES[name](minigrad.optim.lr_scheduler, optimizer)
    for _ in range(6):
        optimizer.step()
        scheduler.step()
    other = optimizer_of(minigrad)
    resumed = SCHEDULES[name](minigrad.optim.lr_scheduler, other)
    other.load_state_dict(optimizer.state_dict())
    resumed.load_state_dict(scheduler.state_dict())
    for _ in range(6):
        optimizer.step()
        scheduler.step()
        other.step()
        resumed.step()
    assert resumed.get_last_lr() == scheduler.get_last_lr() != scheduler.base_lrs
    assert resumed.last_epoch == 12


def test_an_option_that_does_not_exist_is_refused_by_name():
    with pytest.raises(TypeError, match=r"^StepLR.__init__\(\) got an unexpected keyword argument 'gama'"):
        minigrad.optim.lr_scheduler.StepLR(optimizer_of(minigrad), 3, gama=0.5)


PROGRAMS = (
    """
s = S.StepLR(o, 1); o.step(); s.step(); k = s.get_last_lr()[0] is r
s = S.CosineAnnealingLR(o, 3); b = s.base_lrs; o.step(); s.step(); o.step(); s.step(); k = s.get_last_lr()
s, g = S.LambdaLR(o, A(2.0)), A(5.0); k = s.state_dict(); S.LambdaLR(o, g).load_state_dict(k); k = k['lr_lambdas'], g.a
s, C = S.MultiStepLR(o, [9]), __import__('collections').Counter([1, 1]); s.load_state_dict({'milestones': C}); {TWICE}
""".replace("{TWICE}", "o.step(); s.step(); k = s.get_last_lr()")
    .strip()
    .splitlines()
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_leaves_what_it_leaves_in_pytorch(program):
    rises = "A = type('A', (), {'__init__': lambda s, a: setattr(s, 'a', a), '__call__': lambda s, epoch: s.a * epoch})"
    lines = [rises, "S, w = m.optim.lr_scheduler, T([1.0])", "r = m.tensor(0.25)", "o = m.optim.SGD([w], lr=r)"]
    lines += program.split("; ")
    assert difference(run(minigrad, lines), run(judge(), lines), kinds=True) == []
