"""Schedules of the learning rate that are made of schedules: one after another, or several at once.

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

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from ..optimizer import Optimizer
from .schedules import LRScheduler, ReduceLROnPlateau


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
