"""A program while it is written: lines of Python in a namespace `m`, which is minigrad or PyTorch."""

import contextlib
import random
import warnings

import numpy as np

import minigrad

from ..oracle import code
from .judge import vocabulary


class Sketch:
    """Lines, and what they lead to in minigrad, so that a family can ask for shapes while it writes.

    A line may be refused: then both libraries have to refuse it, and the program goes on without it.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.space = vocabulary(minigrad)
        self.pick, self.chance = self.random.choice, lambda p: self.random.random() < p

    def add(self, line: str) -> bool:
        """Write a line (or a block of them that belong together); whether minigrad accepts it."""
        self.lines.append(line)
        with warnings.catch_warnings(), contextlib.suppress(Exception):
            warnings.simplefilter("ignore")
            exec(code(line), self.space)
            return True
        return False

    def __getitem__(self, name: str):
        return self.space[name]

    def __contains__(self, name: str) -> bool:
        return name in self.space

    def number(self, low: float = -2.0, high: float = 2.0) -> float:
        return round(self.random.uniform(low, high), 2)

    def numbers(self, shape, low: float = -2.0, high: float = 2.0) -> str:
        """Nested lists of numbers, as one writes them."""
        count = int(np.prod(shape))
        return str(np.array([self.number(low, high) for _ in range(count)]).reshape(shape).tolist())

    def leaf(self, name: str, shape=None, low: float = -2.0, high: float = 2.0, grad: bool = True) -> str:
        """A line `x = T([…])`: float64, and (unless `grad=False`) with requires_grad."""
        shape = self.shape() if shape is None else shape
        self.add(f"{name} = T({self.numbers(shape, low, high)}{'' if grad else ', grad=False'})")
        return name

    def shape(self, most_dims: int = 3, lengths=(1, 2, 3)) -> tuple:
        return tuple(self.pick(lengths) for _ in range(self.random.randint(0, most_dims)))

    def dim(self, name: str) -> int:
        """A dimension of a tensor, counted from the front or from the back."""
        ndim = max(1, self[name].ndim)
        return self.random.randrange(-ndim, ndim)

    def tensors(self) -> list[str]:
        """The names of all tensors so far."""
        return [name for name, value in self.space.items() if isinstance(value, minigrad.Tensor)]
