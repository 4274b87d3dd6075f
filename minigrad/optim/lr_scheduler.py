"""Learning rates that follow a formula of the epoch, while training goes on.

>>> import minigrad as mg
>>> optimizer = mg.optim.SGD([mg.zeros(1, requires_grad=True)], lr=1.0)
>>> scheduler = StepLR(optimizer, step_size=2, gamma=0.5)
>>> for epoch in range(4):
...     print(scheduler.get_last_lr())
...     optimizer.step()
...     scheduler.step()
[1.0]
[1.0]
[0.5]
[0.5]
"""

import copy
import inspect
import math
import warnings
from collections import Counter
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ..core.tensor import Tensor
from ..words import absent, help
from .optimizer import Optimizer

__all__ = [
    "ConstantLR", "CosineAnnealingLR", "ExponentialLR", "LambdaLR", "LinearLR", "LRScheduler", "MultiStepLR",
    "PolynomialLR", "StepLR",
]  # fmt: skip

TOO_EARLY = "Detected call of `lr_scheduler.step()` before `optimizer.step()`. The first learning rate is never used."
LAST_EPOCH = inspect.Parameter("last_epoch", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=-1)
NOT_SAVED = ("optimizer", "lr_lambdas", "_start")


class LRScheduler:
    """Sets each group's "lr" after each epoch; a subclass says by what it is multiplied, or to what.

    Each schedule changes the rate that it finds, so several may be stepped in turn.
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        if last_epoch >= 0 and not all("initial_lr" in group for group in optimizer.param_groups):
            raise KeyError("to go on from an epoch, each of the optimizer's groups must say its 'initial_lr'")
        self.optimizer = optimizer
        self.base_lrs = copy.deepcopy([group.get("initial_lr", group["lr"]) for group in optimizer.param_groups])
        self.last_epoch = last_epoch
        self._start, self._step_count = optimizer.steps_taken, 0
        self._advance()
        for group, rate in zip(optimizer.param_groups, self.base_lrs, strict=True):  # not if that was refused
            group.setdefault("initial_lr", rate)

    def ratio(self, epoch: int) -> float:
        """By what the rate is multiplied when an epoch begins."""
        # The subclass's own part, as with Python's abstract methods.
        raise NotImplementedError(f"{type(self).__name__} must define get_lr() or ratio(epoch)")

    def get_lr(self) -> list[float]:
        """The rate of each group for epoch `last_epoch`."""
        ratio = self.ratio(self.last_epoch)
        return [rate * ratio for rate in self._rates()]

    def get_last_lr(self) -> list[float]:
        """The rates that were set last."""
        return self._last_lr

    def step(self) -> None:
        """One epoch has passed."""
        if self._step_count == 1 and self.optimizer.steps_taken == self._start:
            warnings.warn(TOO_EARLY, UserWarning, stacklevel=2)
        self._advance()

    def _advance(self) -> None:
        self._step_count += 1
        self.last_epoch += 1
        for group, lr in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            if isinstance(group["lr"], Tensor):  # which others may hold
                group["lr"].fill_(lr)
            else:
                group["lr"] = lr
        self._last_lr = copy.deepcopy(self._rates())

    def _rates(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self) -> dict[str, Any]:
        """All but the optimizer, and functions, which cannot be saved."""
        return {name: value for name, value in self.__dict__.items() if name not in NOT_SAVED}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a `state_dict`."""
        self.__dict__.update(state_dict)


class LambdaLR(LRScheduler):
    """The first rate times a function of the epoch, or a function for each group.

    >>> import minigrad as mg
    >>> optimizer = mg.optim.SGD([mg.zeros(1)], lr=1.0)
    >>> schedule = mg.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 / (1 + epoch))
    >>> for epoch in range(3):
    ...     optimizer.step()
    ...     schedule.step()
    ...     print(schedule.get_last_lr())
    [0.5]
    [0.3333333333333333]
    [0.25]
    """

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        count = len(optimizer.param_groups)
        self.lr_lambdas = list(lr_lambda) if isinstance(lr_lambda, list | tuple) else [lr_lambda] * count
        if len(self.lr_lambdas) != count:
            raise ValueError(f"Expected {count} lr_lambdas, but got {len(self.lr_lambdas)}")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return [base * function(self.last_epoch) for base, function in zip(self.base_lrs, self.lr_lambdas)]

    def state_dict(self) -> dict[str, Any]:
        """As any schedule's; of functions that are objects with attributes, these."""
        kept = [None if isinstance(one, FunctionType) else vars(one).copy() for one in self.lr_lambdas]
        return {**super().state_dict(), "lr_lambdas": kept}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a `state_dict`."""
        state = dict(state_dict)
        for function, kept in zip(self.lr_lambdas, state.pop("lr_lambdas", ())):
            if kept is not None:
                vars(function).update(kept)
        super().load_state_dict(state)


def schedule(name: str, doc: str, ratio: Callable, jumps: bool = False) -> Any:
    """A line of a table: `ratio(epoch, …)` says by what the rate is multiplied; its other arguments are the options.

    One that goes on from an epoch finds that epoch's rate, unless it `jumps`: as in PyTorch, it may do so once more.
    """
    _, *options = inspect.signature(ratio).parameters.values()
    signature = inspect.Signature([*options, LAST_EPOCH])

    def __init__(self, optimizer: Optimizer, *args: Any, **options: Any) -> None:
        try:
            given = signature.bind(*args, **options)
        except TypeError as error:
            raise TypeError(f"{name}.__init__() {error}") from None
        given.apply_defaults()
        last_epoch = given.arguments.pop("last_epoch")
        self.__dict__.update(given.arguments)
        LRScheduler.__init__(self, optimizer, last_epoch)

    def by_options(self, epoch: int) -> float:
        found = epoch and self._step_count == 1 and not jumps
        return 1.0 if found else ratio(epoch, *(getattr(self, option.name) for option in options))

    __init__.__qualname__ = f"{name}.__init__"  # by which Python's errors call it
    page = help.with_example(doc, f"optim.lr_scheduler.{name}")
    members = {"__doc__": page, "__module__": __name__, "__init__": __init__, "ratio": by_options}
    return type(name, (LRScheduler,), members)


class CosineAnnealingLR(LRScheduler):
    """Half a cosine, from the first rate to `eta_min`.

    >>> import minigrad as mg
    >>> optimizer = mg.optim.SGD([mg.zeros(1)], lr=1.0)
    >>> schedule = mg.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)
    >>> for epoch in range(4):
    ...     optimizer.step()
    ...     schedule.step()
    ...     print(f"{schedule.get_last_lr()[0]:.4f}")
    0.8536
    0.5000
    0.1464
    0.0000
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self._step_count == 1:  # at the start, or where another one ended
            return self._rates()
        if (self.last_epoch - 1) % (2 * self.T_max) == self.T_max:  # from the bottom, where nothing is left to multiply
            rise = 1 - math.cos(math.pi / self.T_max)
            pairs = zip(self._rates(), self.base_lrs, strict=True)
            return [rate + (base - self.eta_min) * rise / 2 for rate, base in pairs]
        share, before = (1 + math.cos(math.pi * epoch / self.T_max) for epoch in (self.last_epoch, self.last_epoch - 1))
        return [share / before * (rate - self.eta_min) + self.eta_min for rate in self._rates()]


def evenly(epoch: int, epochs: int, start: float, end: float) -> float:
    """By what the factor grows, which moves from `start` to `end`, and stays there."""
    if not 0 < start <= 1 or not 0 <= end <= 1:
        raise ValueError(f"a learning rate's factors are between 0 and 1, but are {start} and {end}")
    if not 0 < epoch <= epochs:
        return 1.0 if epoch else start
    return 1.0 + (end - start) / (epochs * start + (epoch - 1) * (end - start))  # in PyTorch's order, to the last bit


# fmt: off
StepLR = schedule("StepLR", "Times gamma every `step_size` epochs.",
                  lambda epoch, step_size, gamma=0.1: gamma if epoch and epoch % step_size == 0 else 1.0, jumps=True)
MultiStepLR = schedule("MultiStepLR", "Times gamma at each of the milestones.",
                       lambda epoch, milestones, gamma=0.1: gamma ** Counter(milestones)[epoch], jumps=True)
ExponentialLR = schedule("ExponentialLR", "Times gamma after every epoch.",
                         lambda epoch, gamma: gamma if epoch else 1.0)
ConstantLR = schedule("ConstantLR", "Times a factor, until `total_iters` epochs have passed.",
                      lambda epoch, factor=1 / 3, total_iters=5: {
                          total_iters: 1 / factor, 0: evenly(0, 1, factor, 1)}.get(epoch, 1.0), jumps=True)
LinearLR = schedule("LinearLR", "Times a factor that moves evenly from one number to another.",
                    lambda epoch, start_factor=1 / 3, end_factor=1.0, total_iters=5: evenly(
                        epoch, total_iters, start_factor, end_factor))
PolynomialLR = schedule("PolynomialLR", "Times a power of the share of epochs that is left.",
                        lambda epoch, total_iters=5, power=1.0: 1.0 if not 0 < epoch <= total_iters else (
                            (1.0 - epoch / total_iters) / (1.0 - (epoch - 1) / total_iters)) ** power)
# fmt: on
__getattr__ = absent.answer(__name__)
