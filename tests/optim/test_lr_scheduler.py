"""Learning rates over many epochs against PyTorch's, and what the schedules refuse."""

import pytest

import minigrad

from ..oracle import answer, judge, recorded
from .test_optimizers import apart, leaf, tried

SCHEDULES = {
    "MultiplicativeLR": lambda s, o: s.MultiplicativeLR(o, lambda epoch: 0.9 if epoch % 2 else 1.05),
    "ConstantLR": lambda s, o: s.ConstantLR(o, factor=0.25, total_iters=20),
    "LinearLR": lambda s, o: s.LinearLR(o),
    "LinearLR, down": lambda s, o: s.LinearLR(o, 0.9, 0.1, total_iters=7),
    "StepLR": lambda s, o: s.StepLR(o, 3, gamma=0.5),
    "MultiStepLR": lambda s, o: s.MultiStepLR(o, [2, 5, 5, 20], gamma=0.5),
    "ExponentialLR": lambda s, o: s.ExponentialLR(o, 0.9),
    "CosineAnnealingLR": lambda s, o: s.CosineAnnealingLR(o, 7, eta_min=0.01),
    "LambdaLR": lambda s, o: s.LambdaLR(o, lambda epoch: 1 / (1 + epoch)),
    "LambdaLR of each group": lambda s, o: s.LambdaLR(o, [lambda epoch: 0.9**epoch, lambda epoch: epoch]),
    "OneCycleLR": lambda s, o: s.OneCycleLR(o, 0.5, total_steps=40),
    "OneCycleLR, linear": lambda s, o: s.OneCycleLR(o, [0.5, 1], epochs=5, steps_per_epoch=8, anneal_strategy="linear"),
    "OneCycleLR, three phases": lambda s, o: s.OneCycleLR(o, 0.5, total_steps=40, three_phase=True, pct_start=0.2),
    "OneCycleLR, constant momentum": lambda s, o: s.OneCycleLR(o, 0.5, total_steps=50, cycle_momentum=False),
    "PolynomialLR": lambda s, o: s.PolynomialLR(o, 30, power=2.0),
    "PolynomialLR, to the end": lambda s, o: s.PolynomialLR(o, 9),
    "CosineAnnealingWarmRestarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, 5, eta_min=0.01),
    "CosineAnnealingWarmRestarts, longer": lambda s, o: s.CosineAnnealingWarmRestarts(o, 3, 2),
    "CyclicLR": lambda s, o: s.CyclicLR(o, 0.01, [0.1, 0.2], 7),
    "CyclicLR, halved": lambda s, o: s.CyclicLR(o, [0.01, 0.02], 0.1, 4, 7, mode="triangular2"),
    "CyclicLR, decaying": lambda s, o: s.CyclicLR(o, 0.01, 0.1, 5, mode="exp_range", gamma=0.97, cycle_momentum=False),
    "CyclicLR, own": lambda s, o: s.CyclicLR(o, 0.01, 0.1, 5, scale_fn=lambda step: 1 / (1 + step), scale_mode="steps"),
}
OF_SCHEDULES = {
    "SequentialLR": lambda s, o: s.SequentialLR(
        o, [s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.9), s.StepLR(o, 4)], milestones=[5, 20]
    ),
    "SequentialLR, warm": lambda s, o: s.SequentialLR(
        o, [s.LinearLR(o, 0.01, total_iters=5), s.CosineAnnealingLR(o, 30)], milestones=[5]
    ),
    "SequentialLR, multiplied": lambda s, o: s.SequentialLR(
        o,
        [s.LinearLR(o, 0.5, total_iters=3), s.MultiplicativeLR(o, lambda epoch: 0.9 - 0.01 * epoch), s.StepLR(o, 4)],
        milestones=[5, 20],
    ),
    "SequentialLR, multiplied first": lambda s, o: s.SequentialLR(
        o, [s.MultiplicativeLR(o, lambda epoch: 0.9), s.ExponentialLR(o, 0.9)], milestones=[3]
    ),
    "ChainedScheduler, cycle": lambda s, o: s.ChainedScheduler([s.ExponentialLR(o, 0.9), s.CyclicLR(o, 0.1, 0.5, 2)]),
    "ChainedScheduler": lambda s, o: s.ChainedScheduler([s.ConstantLR(o, 0.1, 8), s.ExponentialLR(o, 0.9)]),
}
PLATEAUS = {
    "min": {"patience": 2},
    "max": {"mode": "max", "patience": 1, "factor": 0.5, "cooldown": 2},
    "abs": {"threshold_mode": "abs", "threshold": 0.3, "patience": 0, "min_lr": [0.01, 0.05]},
    "max, abs": {"mode": "max", "threshold_mode": "abs", "threshold": 0.3, "patience": 1},
}
MEASURES = [5, 4, 4, 4.1, 3.9, 4, 4, 4, 4, 2, 2, 2.1, 2, 1.9, 2, 2, 2, 2, 3, 4, 5, 6, 7, 8]


def optimizer_of(m):
    return m.optim.SGD([{"params": leaf(m)}, {"params": leaf(m), "lr": 0.3}], lr=0.1, momentum=0.9)


def uneven(m, w):
    optimizer = m.optim.SGD([w])
    m.optim.lr_scheduler.SequentialLR(optimizer, [m.optim.lr_scheduler.StepLR(optimizer, 2)], [3])


def of_another(m, w):
    step = m.optim.lr_scheduler.ReduceLROnPlateau(m.optim.SGD([w]))
    m.optim.lr_scheduler.ChainedScheduler([step])


def rates(name):
    def question(m):
        optimizer = optimizer_of(m)
        scheduler = {**SCHEDULES, **OF_SCHEDULES}[name](m.optim.lr_scheduler, optimizer)
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


def plateau(name):
    def question(m):
        optimizer = optimizer_of(m)
        scheduler = m.optim.lr_scheduler.ReduceLROnPlateau(optimizer, **PLATEAUS[name])
        seen = []
        for measure in MEASURES:
            scheduler.step(m.tensor(float(measure)))
            seen.append([scheduler.get_last_lr(), scheduler.num_bad_epochs, scheduler.best])
        return [seen, sorted(scheduler.state_dict()), scheduler.last_epoch]

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


def too_long(m, w):
    optimizer = m.optim.SGD([w], lr=0.1, momentum=0.9)
    scheduler = m.optim.lr_scheduler.OneCycleLR(optimizer, 1, total_steps=2)
    for _ in range(4):
        optimizer.step()
        scheduler.step()


QUESTIONS = (
    {name: rates(name) for name in (*SCHEDULES, *OF_SCHEDULES)}
    | {f"ReduceLROnPlateau, {name}": plateau(name) for name in PLATEAUS}
    | {
        "chained": chained,
        "refused": tried(
            too_early,
            too_long,
            lambda m, w: m.optim.lr_scheduler.StepLR(3, 2),
            lambda m, w: m.optim.lr_scheduler.StepLR(m.optim.SGD([w]), 2, last_epoch=3),
            lambda m, w: m.optim.lr_scheduler.LambdaLR(m.optim.SGD([w]), [len, len]),
            lambda m, w: m.optim.lr_scheduler.ReduceLROnPlateau(m.optim.SGD([w]), "x"),
            lambda m, w: m.optim.lr_scheduler.ConstantLR(m.optim.SGD([w]), factor=2),
            lambda m, w: m.optim.lr_scheduler.LinearLR(m.optim.SGD([w]), start_factor=0),
            lambda m, w: m.optim.lr_scheduler.LinearLR(m.optim.SGD([w]), end_factor=1.5),
            lambda m, w: m.optim.lr_scheduler.ReduceLROnPlateau(m.optim.SGD([w]), factor=2),
            lambda m, w: m.optim.lr_scheduler.ReduceLROnPlateau(m.optim.SGD([w]), threshold_mode="x"),
            lambda m, w: m.optim.lr_scheduler.OneCycleLR(m.optim.SGD([w]), 1),
            lambda m, w: m.optim.lr_scheduler.OneCycleLR(m.optim.SGD([w]), 1, total_steps=-1),
            lambda m, w: m.optim.lr_scheduler.OneCycleLR(m.optim.SGD([w]), 1, total_steps=5, anneal_strategy="x"),
            lambda m, w: m.optim.lr_scheduler.OneCycleLR(m.optim.SGD([w]), 1, total_steps=5, pct_start=3),
            lambda m, w: m.optim.lr_scheduler.OneCycleLR(m.optim.Adagrad([w]), 1, total_steps=5),
            lambda m, w: m.optim.lr_scheduler.CyclicLR(m.optim.Adagrad([w]), 1, 2),
            lambda m, w: m.optim.lr_scheduler.CosineAnnealingWarmRestarts(m.optim.SGD([w]), 0),
            lambda m, w: m.optim.lr_scheduler.CosineAnnealingWarmRestarts(m.optim.SGD([w]), 3, 0),
            lambda m, w: m.optim.lr_scheduler.CyclicLR(m.optim.SGD([w]), 1, 2, mode="x"),
            lambda m, w: m.optim.lr_scheduler.SequentialLR(m.optim.SGD([w]), [], []),
            lambda m, w: m.optim.lr_scheduler.ChainedScheduler([]),
            uneven,
            of_another,
        ),
    }
)


@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_answered(name):
    assert apart(answer(QUESTIONS[name], minigrad), recorded("schedules")[name]) < 1e-12


@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_answers(name):
    assert apart(answer(QUESTIONS[name], minigrad), answer(QUESTIONS[name], judge())) < 1e-12


@pytest.mark.parametrize("name", OF_SCHEDULES)
def test_schedules_of_schedules_go_on_from_a_saved_state(name):
    def after(epochs, state=None):
        optimizer = optimizer_of(minigrad)
        scheduler = OF_SCHEDULES[name](minigrad.optim.lr_scheduler, optimizer)
        if state:
            optimizer.load_state_dict(state[0])
            scheduler.load_state_dict(state[1])
        for _ in range(epochs):
            optimizer.step()
            scheduler.step()
        return optimizer, scheduler

    saved = [one.state_dict() for one in after(7)]
    assert after(6, saved)[1].get_last_lr() == after(13)[1].get_last_lr()


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


def test_schedules_of_schedules_cannot_follow_another_one():
    optimizer = optimizer_of(minigrad)
    s = minigrad.optim.lr_scheduler
    both = s.ChainedScheduler([s.ExponentialLR(optimizer, 0.9), s.StepLR(optimizer, 2)])
    scheduler = s.SequentialLR(optimizer, [s.ConstantLR(optimizer), both], milestones=[1])
    optimizer.step()
    with pytest.raises(NotImplementedError, match="a ChainedScheduler can only be the first part"):
        scheduler.step()
