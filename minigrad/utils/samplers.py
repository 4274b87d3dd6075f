"""In which order a loader goes through a data set: numbers, one after the other or in batches, in PyTorch's order.

>>> from minigrad.random import Generator
>>> list(RandomSampler(range(5), generator=Generator().manual_seed(0)))
[4, 0, 1, 3, 2]
>>> list(BatchSampler(SequentialSampler(range(5)), 2, drop_last=False))
[[0, 1], [2, 3], [4]]
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

import numpy as np

from .. import draws, sampling
from ..creation import as_tensor
from ..dtypes import TYPES
from ..random import Generator
from ..tensor import Tensor

T = TypeVar("T")


class Sampler(Generic[T]):
    """Says in which order: a subclass writes `__iter__`, and `__len__` where it knows how many there are."""

    def __iter__(self) -> Iterator[T]:
        raise NotImplementedError("Subclasses of Sampler should implement __iter__.")


class SequentialSampler(Sampler[int]):
    """One after the other."""

    def __init__(self, data_source) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(SequentialSampler):
    """In an order that is new each time; the generator, or else the default one's next number, decides it.

    With `num_samples` as many numbers as that; with `replacement` each is drawn from all.
    """

    def __init__(
        self, data_source, replacement: bool = False, num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:  # fmt: skip
        super().__init__(data_source)
        check_flag("replacement", replacement)
        self.replacement, self.generator = replacement, generator
        self.num_samples = check_count(len(data_source) if num_samples is None else num_samples)

    def __len__(self) -> int:
        return self.num_samples

    def __iter__(self) -> Iterator[int]:
        generator, n = self.generator or Generator().manual_seed(a_seed(None)), len(self.data_source)
        if self.replacement:
            for start in range(0, self.num_samples, 32):  # PyTorch draws 32 at a time
                size = (min(32, self.num_samples - start),)
                yield from sampling.randint(0, n, size, generator=generator).tolist()
            return
        whole, rest = divmod(self.num_samples, n)
        for _ in range(whole):
            yield from draws.randperm(generator, n).tolist()
        last = draws.randperm(generator, n).tolist()  # drawn also for none: the next loop's order rests on it
        yield from last[:rest]


class SubsetRandomSampler(Sampler[int]):
    """The given numbers, in an order that is new each time."""

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        for place in draws.randperm(self.generator, len(self.indices)).tolist():
            yield self.indices[place]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """`num_samples` numbers below that of the weights, each as often as its weight says.

    >>> list(WeightedRandomSampler([0.0, 1.0], 3))
    [1, 1, 1]
    """

    def __init__(
        self, weights: Sequence[float], num_samples: int, replacement: bool = True, generator: Generator | None = None
    ) -> None:
        self.num_samples = check_count(num_samples)
        check_flag("replacement", replacement)
        self.weights: Tensor = as_tensor(weights, dtype=TYPES["float64"])
        if self.weights.ndim != 1:
            shape = tuple(self.weights.shape)
            raise ValueError(f"weights should be a 1d sequence but given weights have shape {shape}")
        self.replacement, self.generator = replacement, generator

    def __iter__(self) -> Iterator[int]:
        drawn = sampling.multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator)
        return iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """What another sampler says, in lists of `batch_size`; the last may be shorter, unless `drop_last`."""

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        if type(batch_size) is not int or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        check_flag("drop_last", drop_last)
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        rest = iter(self.sampler)
        while batch := list(islice(rest, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.batch_size)  # type: ignore[arg-type]
        return whole + bool(rest and not self.drop_last)


def a_seed(generator: Generator | None) -> int:
    """The next number of a generator, from which another one may start."""
    return int(draws.randint(generator, 0, None, (), np.int64))


def check_count(num_samples: Any) -> int:
    if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
        raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")
    return num_samples


def check_flag(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        kind = ValueError if name == "drop_last" else TypeError  # as PyTorch has it
        raise kind(f"{name} should be a boolean value, but got {name}={value}")
