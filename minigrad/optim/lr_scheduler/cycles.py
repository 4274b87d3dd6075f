"""Learning rates that go up and down: once, or round and round.

>>> import minigrad as mg
>>> optimizer = mg.optim.SGD([mg.zeros(1, requires_grad=True)], lr=1.0)
>>> scheduler = CosineAnnealingWarmRestarts(optimizer, T_0=2)
>>> for epoch in range(4):
...     print(scheduler.get_last_lr())
...     optimizer.step()
...     scheduler.step()
[1.0]
[0.5]
[1.0]
[0.5]
"""

import math
from collections.abc import Callable
from typing import Any

from ..optimizer import Optimizer
from .schedules import LRScheduler, checked, each

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


class OneCycleLR(LRScheduler):
    """Up to `max_lr` and down to almost nothing, once, while the momentum goes the other way."""

    def __init__(
        self, optimizer: Optimizer, max_lr: Any, total_steps: int | None = None, epochs: int | None = None,
        steps_per_epoch: int | None = None, pct_start: float = 0.3, anneal_strategy: str = "cos",
        cycle_momentum: bool = True, base_momentum: Any = 0.85, max_momentum: Any = 0.95, div_factor: float = 25.0,
        final_div_factor: float = 1e4, three_phase: bool = False, last_epoch: int = -1,
    ) -> None:  # fmt: skip
        groups = checked(optimizer).param_groups
        if total_steps is None:
            if epochs is None or steps_per_epoch is None:
                raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
            for name, value in (("epochs", epochs), ("steps_per_epoch", steps_per_epoch)):
                if not isinstance(value, int) or value <= 0:
                    raise ValueError(f"Expected positive integer {name}, but got {value}")
            total_steps = epochs * steps_per_epoch
        if not isinstance(total_steps, int) or total_steps <= 0:
            raise ValueError(f"Expected positive integer total_steps, but got {total_steps}")
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self.total_steps, self._anneal_func_type, self.cycle_momentum = total_steps, anneal_strategy, cycle_momentum
        rise = float(pct_start * total_steps) - 1
        up = ("initial_lr", "max_lr", "max_momentum", "base_momentum")
        fall, rest = ("max_lr", "min_lr", *up[:1:-1]), ("max_lr", "initial_lr", *up[:1:-1])
        ends = [(rise, up), (total_steps - 1, fall)]
        if three_phase:
            flat = ("initial_lr", "min_lr", "max_momentum", "max_momentum")
            ends = [(rise, up), (2 * rise, rest), (total_steps - 1, flat)]
        names = ("start_lr", "end_lr", "start_momentum", "end_momentum")
        self._schedule_phases: list[dict[str, Any]] = [
            {"end_step": end, **dict(zip(names, phase))} for end, phase in ends
        ]
        for index, group in enumerate(groups):
            if last_epoch == -1:
                top = each(max_lr, index)
                group["initial_lr"], group["max_lr"] = top / div_factor, top
                group["min_lr"] = group["initial_lr"] / final_div_factor
        if cycle_momentum:
            check_momentum(optimizer)
            for index, group in enumerate(groups):
                if last_epoch == -1:
                    group["max_momentum"], group["base_momentum"] = (
                        each(max_momentum, index),
                        each(base_momentum, index),
                    )
                    set_momentum(group, group["max_momentum"])
        super().__init__(optimizer, last_epoch)

    def _between(self, start: float, end: float, share: float) -> float:
        """A part of the way from one value to another."""
        if self._anneal_func_type == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)

    def get_lr(self) -> list[float]:
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"Tried to step {self.last_epoch} times. The specified number of total steps is {self.total_steps}"
            )
        begin = 0.0
        for phase in self._schedule_phases:
            end: Any = phase["end_step"]
            if self.last_epoch <= end or phase is self._schedule_phases[-1]:
                break
            begin = end
        share = (self.last_epoch - begin) / (end - begin)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._between(group[phase["start_lr"]], group[phase["end_lr"]], share))
            if self.cycle_momentum:
                start, stop = group[phase["start_momentum"]], group[phase["end_momentum"]]
                set_momentum(group, self._between(start, stop, share))
        return rates


def check_momentum(optimizer: Optimizer) -> None:
    if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
        raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")


def set_momentum(group: dict[str, Any], momentum: float) -> None:
    """The momentum of a group, or what Adam has in its place."""
    if "betas" in group:
        group["betas"] = (momentum, *group["betas"][1:])
    else:
        group["momentum"] = momentum
