"""Learning rates that go round, and schedules made of schedules.

>>> import minigrad as mg
>>> optimizer = mg.optim.SGD([mg.zeros(1, requires_grad=True)], lr=1.0)
>>> warm = mg.optim.lr_scheduler.ConstantLR(optimizer, 0.1, total_iters=2)
>>> fall = mg.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
>>> scheduler = SequentialLR(optimizer, [warm, fall], milestones=[2])
>>> for epoch in range(4):
...     print(scheduler.get_last_lr())
...     optimizer.step()
...     scheduler.step()
[0.1]
[0.1]
[1.0]
[0.5]
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from .lr_scheduler import LRScheduler, ReduceLROnPlateau, check_momentum, each, set_momentum
from .optimizer import Optimizer

SHRINKING: dict[str, Callable] = {  # how high a cycle goes: its number, or the step's, counts
    "triangular": lambda cycle, step, gamma: 1.0,
    "triangular2": lambda cycle, step, gamma: 1 / 2.0 ** (cycle - 1),
    "exp_range": lambda cycle, step, gamma: gamma**step,
}


class CosineAnnealingWarmRestarts(LRScheduler):
    """Down along half a cosine to `eta_min`, then back at once; each way is `T_mult` times as long as the last."""

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        start, length = 0, self.T_0
        while self.last_epoch >= start + length:
            start, length = start + length, length * self.T_mult
        self.T_cur, self.T_i = self.last_epoch - start, length
        share = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


class CyclicLR(LRScheduler):
    """Up from `base_lr` to `max_lr` and down again, round and round, while the momentum goes the other way."""

    def __init__(
        self, optimizer: Optimizer, base_lr: Any, max_lr: Any, step_size_up: int = 2000,
        step_size_down: int | None = None, mode: str = "triangular", gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None, scale_mode: str = "cycle", cycle_momentum: bool = True,
        base_momentum: Any = 0.8, max_momentum: Any = 0.9, last_epoch: int = -1,
    ) -> None:  # fmt: skip
        if mode not in SHRINKING and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        if cycle_momentum:
            check_momentum(optimizer)
        groups = optimizer.param_groups
        for index, group in enumerate(groups if last_epoch == -1 else ()):
            group["lr"] = each(base_lr, index)
            if cycle_momentum:
                group["max_momentum"], group["base_momentum"] = each(max_momentum, index), each(base_momentum, index)
                set_momentum(group, group["max_momentum"])
        self.total_size = float(step_size_up) + (step_size_up if step_size_down is None else step_size_down)
        self.step_ratio = step_size_up / self.total_size
        self.mode, self.gamma, self.scale_mode, self._scale_fn_custom = mode, gamma, scale_mode, scale_fn
        self.cycle_momentum = cycle_momentum
        self.max_lrs = [each(max_lr, index) for index in range(len(groups))]
        super().__init__(optimizer, last_epoch)  # begins at the rate of an earlier schedule, where there is one
        self.base_lrs = [each(base_lr, index) for index in range(len(groups))]

    def _height(self) -> float:
        """How far up the way is now, from 0 to 1, and less where the cycles shrink."""
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        if self._scale_fn_custom is not None:
            return height * self._scale_fn_custom(cycle if self.scale_mode == "cycle" else self.last_epoch)
        return height * SHRINKING[self.mode](cycle, self.last_epoch, self.gamma)

    def get_lr(self) -> list[float]:
        height = self._height()
        for group in self.optimizer.param_groups if self.cycle_momentum else ():
            low, high = group["base_momentum"], group["max_momentum"]
            set_momentum(group, high - (high - low) * height)
        return [base + (top - base) * height for base, top in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self) -> dict[str, Any]:
        """All but the optimizer and a function of your own, which cannot be saved."""
        return {**super().state_dict(), "_scale_fn_custom": None}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a `state_dict`, with this object's own function."""
        super().load_state_dict({**state_dict, "_scale_fn_custom": self._scale_fn_custom})


class _Several(LRScheduler):
    """What schedules made of schedules share."""

    _schedulers: list[LRScheduler]

    def state_dict(self) -> dict[str, Any]:
        """The states of the parts among its own."""
        return {**super().state_dict(), "_schedulers": [one.state_dict() for one in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a `state_dict`."""
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"]):
            scheduler.load_state_dict(state)
        super().load_state_dict({**state_dict, "_schedulers": self._schedulers})

    def _take_over(self) -> None:
        raise NotImplementedError(f"in a SequentialLR, a {type(self).__name__} can only be the first part")

    def _check(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None) -> None:
        name = type(self).__name__
        if not schedulers:
            chained = "" if isinstance(self, SequentialLR) else " to be chained"
            raise ValueError(f"{name} expects at least one scheduler{chained}, but got no scheduler.")
        for index, one in enumerate(schedulers):
            if isinstance(one, ReduceLROnPlateau):
                raise ValueError(
                    f"{name} does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to be "
                    f"specified when calling `step`, but got one at index {index} in the given schedulers sequence."
                )
            if one.optimizer is not (optimizer or schedulers[0].optimizer):
                raise ValueError(
                    f"{name} expects all schedulers to belong to the same optimizer, but got scheduler "
                    f"{type(one).__name__} at index {index} has {one.optimizer}, which is different from "
                    f"{type(optimizer or schedulers[0].optimizer).__name__}."
                )


class SequentialLR(_Several):
    """One schedule after another; each `milestone` is the epoch at which the next begins, at its own epoch 0."""

    def __init__(
        self, optimizer: Optimizer, schedulers: list[LRScheduler], milestones: list[int], last_epoch: int = -1
    ) -> None:
        self._check(schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of "
                f"milestone points, but got number of schedulers {len(schedulers)} and the number of milestones to be "
                f"equal to {len(milestones)}"
            )
        self.optimizer, self._schedulers, self._milestones = optimizer, schedulers, milestones
        self.last_epoch = last_epoch + 1
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for one in schedulers:  # each has begun when it was made; only the first shall have
            _take_back(one)
        first = schedulers[bisect_right(milestones, 0)]
        first.step() if isinstance(first, _Several) else first._advance()
        self._last_lr = first.get_last_lr()

    def step(self) -> None:
        """One epoch has passed."""
        self.last_epoch += 1
        now = bisect_right(self._milestones, self.last_epoch)
        one = self._schedulers[now]
        if now and self._milestones[now - 1] == self.last_epoch:
            one._take_over()
        else:
            one.step()
        self._last_lr = one.get_last_lr()


def _take_back(one: LRScheduler) -> None:
    """The first epoch of a schedule, which its making began, as if it had not been."""
    if isinstance(one, _Several):
        for part in one._schedulers:
            _take_back(part)
    else:
        one.last_epoch -= 1


class ChainedScheduler(_Several):
    """Several schedules at once: each changes what the one before it has set."""

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None) -> None:
        self._check(schedulers, optimizer)
        self._schedulers, self.optimizer = list(schedulers), optimizer or schedulers[0].optimizer
        self._last_lr = self._rates()

    def step(self) -> None:
        """One epoch has passed."""
        for one in self._schedulers:
            one.step()
        self._last_lr = self._rates()
