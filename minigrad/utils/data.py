"""Data sets, and loaders that hand them out in batches, shuffled in PyTorch's order.

>>> import minigrad as mg
>>> pairs = TensorDataset(mg.arange(4), mg.arange(4) * 10)
>>> for x, y in DataLoader(pairs, batch_size=3):
...     print(x, y)
tensor([0, 1, 2]) tensor([ 0, 10, 20])
tensor([3]) tensor([30])
"""

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from .. import random, sampling
from ..creation import as_tensor, tensor
from ..dtypes import TYPES
from ..ops.shape import stack
from ..random import Generator
from ..tensor import Tensor

# == what there is =========================================================================================


class Dataset:
    """Things with numbers: a subclass writes `__getitem__`, and `__len__`."""

    def __getitem__(self, index) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class IterableDataset(Dataset):
    """Things one after another: a subclass writes `__iter__`."""

    def __iter__(self) -> Iterator:
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")


class TensorDataset(Dataset):
    """Thing number i is the tuple of the tensors' rows i."""

    def __init__(self, *tensors: Tensor) -> None:
        if any(len(tensors[0]) != len(one) for one in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors: tuple[Any, ...] = tensors

    def __getitem__(self, index) -> tuple:
        return tuple(one[index] for one in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


class Subset(Dataset):
    """Some things of a data set."""

    def __init__(self, dataset, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index) -> Any:
        return self.dataset[[self.indices[i] for i in index] if isinstance(index, list) else self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset, lengths: Sequence[int | float], generator: Generator | None = None) -> list[Subset]:
    """Subsets that share nothing, of given lengths, or of given fractions of the whole.

    >>> [len(part) for part in random_split(range(10), [0.5, 0.3, 0.2])]
    [5, 3, 2]
    """
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        for i, fraction in enumerate(lengths):
            if not 0 <= fraction <= 1:
                raise ValueError(f"Fraction at index {i} is not between 0 and 1")
        counts = [math.floor(len(dataset) * fraction) for fraction in lengths]
        for i in range(len(dataset) - sum(counts)):
            counts[i % len(counts)] += 1
        for i, count in enumerate(counts):
            if not count:
                message = f"Length of split at index {i} is 0. This might result in an empty dataset."
                warnings.warn(message, stacklevel=2)
        lengths = counts
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = iter(random.randperm(generator, len(dataset)).tolist())
    return [Subset(dataset, list(islice(order, int(length)))) for length in lengths]


# == in which order ========================================================================================


class SequentialSampler:
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
        if num_samples is not None and (not isinstance(num_samples, int) or num_samples <= 0):
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")
        self.replacement, self.generator = replacement, generator
        self.num_samples = len(data_source) if num_samples is None else num_samples

    def __len__(self) -> int:
        return self.num_samples

    def __iter__(self) -> Iterator[int]:
        generator, n = self.generator or Generator().manual_seed(_a_seed(None)), len(self.data_source)
        if self.replacement:
            for start in range(0, self.num_samples, 32):  # PyTorch draws 32 at a time
                size = (min(32, self.num_samples - start),)
                yield from sampling.randint(0, n, size, generator=generator).tolist()
            return
        whole, rest = divmod(self.num_samples, n)
        for _ in range(whole):
            yield from random.randperm(generator, n).tolist()
        yield from random.randperm(generator, n).tolist()[
            :rest
        ]  # drawn also for none: the next loop's order rests on it


class BatchSampler:
    """What another sampler says, in lists of `batch_size`; the last may be shorter, unless `drop_last`."""

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        if type(batch_size) is not int or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        rest = iter(self.sampler)
        while batch := list(islice(rest, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.batch_size)  # type: ignore[arg-type]
        return whole + bool(rest and not self.drop_last)


def _a_seed(generator: Generator | None) -> int:
    return int(random.randint(generator, 0, None, (), np.int64))


# == in batches ============================================================================================


class DataLoader:
    """Goes through a data set, once in each `for` loop, in batches that `collate_fn` makes of lists of things.

    Args:
        batch_size: how many things make a batch; None: each comes by itself.
        shuffle: in a new order in each loop.
        sampler, batch_sampler: who says in which order, or in which batches, instead.
        drop_last: leave out a last batch that would be shorter.
        generator: the random numbers for the order; the default ones if omitted.

    Everything is loaded in this process, whatever PyTorch's other options (`num_workers` and so on) say.
    """

    def __init__(
        self,
        dataset,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable | None = None,
        batch_sampler: Iterable | None = None,
        num_workers: int = 0,
        collate_fn: Callable | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        **ignored: Any,
    ) -> None:
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None and (batch_size != 1 or shuffle or sampler is not None or drop_last):
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
            )
        if batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        self.dataset, self.batch_size, self.drop_last, self.generator = dataset, batch_size, drop_last, generator
        self.in_sequence = isinstance(dataset, IterableDataset)
        if self.in_sequence:
            for name, option in (("shuffle", shuffle), ("sampler", sampler), ("batch_sampler", batch_sampler)):
                if option:
                    raise ValueError(
                        f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={option}"
                    )
        elif sampler is None and batch_sampler is None:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if sampler is not None and batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.sampler, self.batch_sampler = sampler, batch_sampler
        self.collate_fn = collate_fn or (default_convert if batch_size is None else default_collate)

    def __iter__(self) -> Iterator:
        _a_seed(self.generator)  # PyTorch draws one for workers here, and so the order under a seed depends on it
        return self._batches()

    def _batches(self) -> Iterator:
        if self.in_sequence:
            things: Any = iter(self.dataset)
            if self.batch_size is not None:
                things = BatchSampler(things, self.batch_size, self.drop_last)
        elif self.batch_sampler is not None:
            things = ([self.dataset[i] for i in batch] for batch in self.batch_sampler)
        else:
            things = (self.dataset[i] for i in self.sampler)  # type: ignore[union-attr]
        yield from map(self.collate_fn, things)

    def __len__(self) -> int:
        if self.in_sequence and self.batch_size is not None:
            return len(BatchSampler(self.dataset, self.batch_size, self.drop_last))
        return len(self.dataset if self.in_sequence else self.batch_sampler or self.sampler)  # type: ignore[arg-type]


def default_collate(batch: list) -> Any:
    """A batch from a list of things of one kind: tensors, arrays and numbers are stacked, also inside structures.

    >>> default_collate([{"x": 1, "name": "a"}, {"x": 2, "name": "b"}])
    {'x': tensor([1, 2]), 'name': ['a', 'b']}
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(batch)
    if isinstance(first, np.ndarray | np.generic):
        return stack([as_tensor(one) for one in batch])
    if isinstance(first, float):
        return tensor(batch, dtype=TYPES["float64"])
    if isinstance(first, int):
        return tensor(batch)
    if isinstance(first, str | bytes):
        return batch
    if isinstance(first, Mapping):
        return type(first)({key: default_collate([one[key] for one in batch]) for key in first})  # type: ignore[call-arg]
    if not isinstance(first, tuple | list):
        raise TypeError(
            f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {type(first)}"
        )
    if any(len(one) != len(first) for one in batch):
        raise RuntimeError("each element in list of batch should be of equal size")
    columns = [default_collate(list(column)) for column in zip(*batch)]
    return type(first)(*columns) if hasattr(first, "_fields") else columns


def default_convert(thing: Any) -> Any:
    """Arrays as Tensors, also inside structures; anything else as it is."""
    if isinstance(thing, np.ndarray):
        return as_tensor(thing)
    if isinstance(thing, Mapping):
        return {key: default_convert(one) for key, one in thing.items()}
    if isinstance(thing, tuple | list):
        parts = [default_convert(one) for one in thing]
        return type(thing)(*parts) if hasattr(thing, "_fields") else parts
    return thing
