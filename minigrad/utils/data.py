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
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, islice
from typing import Any, Generic

import numpy as np

from .. import draws
from ..creation import as_tensor, tensor
from ..dtypes import TYPES
from ..ops.joining import stack
from ..random import Generator
from ..tensor import Tensor
from .samplers import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    T,
    WeightedRandomSampler,
    a_seed,
)

__all__ = [
    "BatchSampler", "ChainDataset", "ConcatDataset", "DataLoader", "Dataset", "IterableDataset", "RandomSampler",
    "Sampler", "SequentialSampler", "StackDataset", "Subset", "SubsetRandomSampler", "TensorDataset",
    "WeightedRandomSampler", "default_collate", "default_convert", "get_worker_info", "random_split",
]  # fmt: skip

# == what there is =========================================================================================


class Dataset(Generic[T]):
    """Things with numbers: a subclass writes `__getitem__`, and `__len__`; `a + b` has the things of both.

    One that fetches many things faster at once writes `__getitems__`, of a list of numbers.
    """

    def __getitem__(self, index) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    """Things one after another: a subclass writes `__iter__`."""

    def __iter__(self) -> Iterator:
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")

    def __add__(self, other):
        return ChainDataset([self, other])


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


class StackDataset(Dataset):
    """Thing number i is made of the things i of several data sets: a tuple, or a dict where they have names.

    >>> StackDataset(image=["a", "b"], label=[0, 1])[1]
    {'image': 'b', 'label': 1}
    """

    def __init__(self, *args, **kwargs) -> None:
        if args and kwargs:
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, but both "
                "types are given."
            )
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        self.datasets: tuple | dict = kwargs or args
        if len({len(one) for one in self._parts()}) > 1:
            raise ValueError("Size mismatch between datasets")

    def _parts(self) -> list:
        return list(self.datasets.values() if isinstance(self.datasets, dict) else self.datasets)

    def _named(self, things) -> Any:
        return dict(zip(self.datasets, things)) if isinstance(self.datasets, dict) else tuple(things)

    def __getitem__(self, index) -> Any:
        return self._named(one[index] for one in self._parts())

    def __getitems__(self, indices: list[int]) -> list:
        columns = [fetched(one, indices) for one in self._parts()]
        for column in columns:
            if len(column) != len(indices):
                raise ValueError(f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(column)}")
        return [self._named(things) for things in zip(*columns)]

    def __len__(self) -> int:
        return len(self._parts()[0])


class Subset(Dataset):
    """Some things of a data set."""

    def __init__(self, dataset, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index) -> Any:
        return self.dataset[[self.indices[i] for i in index] if isinstance(index, list) else self.indices[index]]

    def __getitems__(self, indices: list[int]) -> list:
        return fetched(self.dataset, [self.indices[i] for i in indices])

    def __len__(self) -> int:
        return len(self.indices)


class ConcatDataset(Dataset):
    """The things of several data sets, one set after the other.

    >>> letters = ConcatDataset(["ab", "cde"])
    >>> len(letters), letters[2], letters[-1], letters.cumulative_sizes
    (5, 'c', 'e', [2, 5])
    """

    def __init__(self, datasets: Iterable) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(one, IterableDataset) for one in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = list(accumulate(map(len, self.datasets)))

    def __getitem__(self, index: int) -> Any:
        if index < 0:
            if -index > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            index += len(self)
        place = bisect_right(self.cumulative_sizes, index)
        return self.datasets[place][index - (self.cumulative_sizes[place - 1] if place else 0)]

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]


class ChainDataset(IterableDataset):
    """The things of several sequences, one sequence after the other."""

    def __init__(self, datasets: Iterable) -> None:
        super().__init__()
        self.datasets = datasets

    def __iter__(self) -> Iterator:
        return chain.from_iterable(self.datasets)

    def __len__(self) -> int:
        return sum(map(len, self.datasets))


def fetched(dataset, indices: list[int]) -> list:
    """The things with these numbers, at once where a data set knows how to."""
    many = getattr(dataset, "__getitems__", None)
    return many(indices) if many else [dataset[i] for i in indices]


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
    order = iter(draws.randperm(generator, len(dataset)).tolist())
    return [Subset(dataset, list(islice(order, int(length)))) for length in lengths]


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
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if not num_workers and prefetch_factor is not None:
            raise ValueError(
                "prefetch_factor option could only be specified in multiprocessing."
                "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
            )
        if persistent_workers and not num_workers:
            raise ValueError("persistent_workers option needs num_workers > 0")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None and (batch_size != 1 or shuffle or sampler is not None or drop_last):
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
            )
        if batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        self.dataset, self.batch_size, self.drop_last, self.generator = dataset, batch_size, drop_last, generator
        self.num_workers, self.pin_memory, self.timeout = num_workers, pin_memory, timeout
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
        a_seed(self.generator)  # PyTorch draws one for workers here, and so the order under a seed depends on it
        return self._batches()

    def _batches(self) -> Iterator:
        if self.in_sequence:
            things: Any = iter(self.dataset)
            if self.batch_size is not None:
                things = BatchSampler(things, self.batch_size, self.drop_last)
        elif self.batch_sampler is not None:
            things = (fetched(self.dataset, batch) for batch in self.batch_sampler)
        else:
            things = (self.dataset[i] for i in self.sampler)  # type: ignore[union-attr]
        yield from map(self.collate_fn, things)

    def __len__(self) -> int:
        if self.in_sequence and self.batch_size is not None:
            return len(BatchSampler(self.dataset, self.batch_size, self.drop_last))
        return len(self.dataset if self.in_sequence else self.batch_sampler or self.sampler)  # type: ignore[arg-type]


def default_collate(batch: Sequence) -> Any:
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
    if not isinstance(first, Sequence):
        raise TypeError(
            f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {type(first)}"
        )
    if any(len(one) != len(first) for one in batch):
        raise RuntimeError("each element in list of batch should be of equal size")
    columns = [default_collate(column) for column in zip(*batch)]
    return type(first)(*columns) if hasattr(first, "_fields") else columns


def default_convert(thing: Any) -> Any:
    """Arrays as Tensors, also inside structures; anything else as it is."""
    if isinstance(thing, np.ndarray):
        return as_tensor(thing)
    if isinstance(thing, Mapping):
        return {key: default_convert(one) for key, one in thing.items()}
    if isinstance(thing, Sequence) and not isinstance(thing, str | bytes):
        parts = [default_convert(one) for one in thing]
        return type(thing)(*parts) if hasattr(thing, "_fields") else parts
    return thing


def get_worker_info() -> None:
    """None: everything is loaded in this process."""
