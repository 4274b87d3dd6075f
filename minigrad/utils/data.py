"""Data sets, and loaders that hand them out in batches, shuffled in PyTorch's order."""

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

import numpy as np

from ..core.tensor import Tensor
from ..numbers.dtypes import TYPES
from ..ops.joining import stack
from ..random import draws
from ..random.stream import Generator
from ..tensors.creation import as_tensor, tensor
from ..words import absent

T = TypeVar("T")


class Dataset(Generic[T]):
    """Things with numbers: a subclass writes `__getitem__`, and `__len__`.

    >>> import minigrad as mg
    >>> class Squares(mg.utils.data.Dataset):
    ...     def __getitem__(self, i):
    ...         return mg.tensor([i, i * i])
    ...
    ...     def __len__(self):
    ...         return 3
    >>> next(iter(mg.utils.data.DataLoader(Squares(), batch_size=3)))
    tensor([[0, 0],
            [1, 1],
            [2, 4]])
    """

    def __getitem__(self, index) -> Any:
        # The user's own class must write it: PyTorch's type of error, and its words.
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class TensorDataset(Dataset):
    """Thing number i is the tuple of the tensors' rows i.

    >>> import minigrad as mg
    >>> mg.utils.data.TensorDataset(mg.arange(4), mg.arange(4) * 10)[2]
    (tensor(2), tensor(20))
    """

    def __init__(self, *tensors: Tensor) -> None:
        if not all(isinstance(one, Tensor) for one in tensors):
            raise TypeError(f"TensorDataset takes Tensors, but got {', '.join(type(one).__name__ for one in tensors)}")
        if any(len(tensors[0]) != len(one) for one in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index) -> tuple:
        return tuple(one[index] for one in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


def a_seed(generator: Generator | None) -> int:
    """The next number of a generator, from which another one may start."""
    return int(draws.randint(generator, 0, 2**63, ()))


class DataLoader:
    """Goes through a data set, once in each `for` loop, in batches that `collate_fn` makes of lists of things.

    Args:
        batch_size: how many things make a batch.
        shuffle: in a new order in each loop.
        sampler: the numbers of the things in their order, instead.
        drop_last: leave out a last batch that would be shorter.
        generator: the random numbers for the order; the default ones if omitted.

    Everything is loaded in this process, whatever `num_workers`, `pin_memory` and what else is of workers say.

    >>> import minigrad as mg
    >>> pairs = mg.utils.data.TensorDataset(mg.arange(4), mg.arange(4) * 10)
    >>> for x, y in mg.utils.data.DataLoader(pairs, batch_size=3):
    ...     print(x, y)
    tensor([0, 1, 2]) tensor([ 0, 10, 20])
    tensor([3]) tensor([30])
    """

    def __init__(
        self, dataset, batch_size: int = 1, shuffle: bool | None = None, sampler: Iterable | None = None, *,
        num_workers: int = 0, collate_fn: Callable | None = None, pin_memory: bool = False, drop_last: bool = False,
        timeout: float = 0, worker_init_fn: Callable | None = None, generator: Generator | None = None,
        prefetch_factor: int | None = None, persistent_workers: bool = False,
    ) -> None:  # fmt: skip
        if not hasattr(dataset, "__getitem__"):
            raise TypeError(f"DataLoader: a dataset gives dataset[i] and len(dataset), which {dataset!r} does not")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if type(batch_size) is not int or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        self.dataset, self.batch_size, self.drop_last, self.generator = dataset, batch_size, drop_last, generator
        if shuffle and not len(dataset):
            raise ValueError("num_samples should be a positive integer value, but got num_samples=0")
        self.shuffle, self.sampler = shuffle, range(len(dataset)) if sampler is None else sampler
        self.collate_fn = collate_fn or default_collate

    def __iter__(self) -> Iterator:
        a_seed(self.generator)  # PyTorch draws one for workers here, and so the order under a seed depends on it
        return map(self.collate_fn, self._batches())

    def _batches(self) -> Iterator[list]:
        order = self._shuffled() if self.shuffle else iter(self.sampler)
        while batch := list(islice(order, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield [self.dataset[i] for i in batch]

    def _shuffled(self) -> Iterator[int]:
        generator, count = self.generator or Generator().manual_seed(a_seed(None)), len(self.dataset)
        yield from draws.randperm(generator, count).tolist()
        draws.randperm(generator, count)  # nobody sees this one, but the next loop's order rests on it

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.batch_size)  # type: ignore[arg-type]
        return whole + bool(rest and not self.drop_last)


def default_collate(batch: Sequence) -> Any:
    """A batch from a list of things of one kind: tensors, arrays and numbers are stacked, also inside structures.

    >>> import minigrad as mg
    >>> mg.utils.data.default_collate([{"x": 1, "name": "a"}, {"x": 2, "name": "b"}])
    {'x': tensor([1, 2]), 'name': ['a', 'b']}
    """
    first = batch[0]
    if isinstance(first, Tensor | np.ndarray | np.generic):
        return stack([as_tensor(one) for one in batch])
    if isinstance(first, int | float):
        return tensor(batch, dtype=TYPES["float64"] if isinstance(first, float) else None)
    if isinstance(first, str | bytes):
        return batch
    if isinstance(first, Mapping):
        by_key = {key: default_collate([one[key] for one in batch]) for key in first}
        if not isinstance(first, MutableMapping):
            return type(first)(by_key)  # type: ignore[call-arg]
        found = copy.copy(first)  # with what it has besides, such as a default
        found.update(by_key)
        return found
    if not isinstance(first, Sequence):
        raise TypeError(
            f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {type(first)}"
        )
    if any(len(one) != len(first) for one in batch):
        raise RuntimeError("each element in list of batch should be of equal size")
    columns = [default_collate(column) for column in zip(*batch)]
    return type(first)(*columns) if hasattr(first, "_fields") else columns


__getattr__ = absent.answer(__name__)
