"""Batches, and their order under a seed, against PyTorch's."""

from collections import namedtuple

import numpy as np
import pytest

import minigrad
from tests.oracle import answer, judge, recorded

Pair = namedtuple("Pair", "x y")


def data(m):
    return m.utils.data


def sampled_by(m, name, *options):
    m.manual_seed(3)
    sampler = getattr(data(m), name)(*options)
    return [list(sampler), list(sampler), len(sampler), m.rand(()).item()]


def backwards(m, count):
    class Backwards(data(m).Sampler):
        def __iter__(self):
            return iter(range(count - 1, -1, -1))

        def __len__(self):
            return count

    return Backwards()


def at_once(m):
    class Tens(data(m).Dataset[int]):
        def __len__(self):
            return 5

        def __getitems__(self, indices):
            return [10 * i for i in indices]

    return Tens()


def places(both, *indices):
    return [both[i] for i in indices], len(both), both.cumulative_sizes


def facts(loader):
    kinds = [type(one).__name__ for one in (loader.sampler, loader.batch_sampler)]
    options = loader.batch_size, loader.num_workers, loader.pin_memory, loader.timeout, loader.drop_last
    return [*options, len(loader), *kinds]


class Squares:
    """A data set as people write them."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        return i, i**2


def stream(m, count):
    class Stream(data(m).IterableDataset):
        def __iter__(self):
            return iter(range(count))

        def __len__(self):
            return count

    return Stream()


def batches(m, dataset=None, **options):
    loader = data(m).DataLoader(m.arange(10) if dataset is None else dataset, **options)
    return len(loader), list(loader)


def two_loops(m, **options):
    m.manual_seed(3)
    loader = data(m).DataLoader(m.arange(10), shuffle=True, batch_size=4, **options)
    return [batch.tolist() for _ in range(2) for batch in loader], m.rand(1)


def own_generator(m):
    return two_loops(m, generator=m.Generator().manual_seed(7))


def random_after_an_unshuffled_loop(m):
    m.manual_seed(3)
    list(data(m).DataLoader(m.arange(3)))
    return m.rand(1)


def random_inside_a_loop(m):
    m.manual_seed(3)
    return [(batch.tolist(), m.rand(1)) for batch in data(m).DataLoader(m.arange(4), shuffle=True, batch_size=2)]


def split(m, lengths, **options):
    m.manual_seed(1)
    return [list(part) for part in data(m).random_split(range(10), lengths, **options)]


def converted(m, thing):
    return list(data(m).DataLoader([thing], batch_size=None))


class Quick(Squares):
    """Fetches many at once, but no more than two."""

    def __getitems__(self, indices):
        return [self[i] for i in indices[:2]]


def stacked(m, *sets, **named):
    found = data(m).StackDataset(*sets, **named)
    return [len(found), found[1], found.__getitems__([0, 2]), batches(m, found, batch_size=2), type(found[1]).__name__]


def sampled(m, *arguments, **options):
    """What a random sampler says in two rounds, and what the default stream says then."""
    m.manual_seed(2)
    sampler = data(m).RandomSampler(*arguments, **options)
    return [list(sampler), list(sampler), len(sampler), m.rand(1).item()]


QUESTIONS = {
    "batches": lambda m: batches(m, batch_size=4),
    "batches, the last dropped": lambda m: batches(m, batch_size=4, drop_last=True),
    "batches of one": lambda m: batches(m, m.arange(2)),
    "no batches": lambda m: batches(m, m.arange(3), batch_size=None),
    "pairs of tensors": lambda m: batches(m, data(m).TensorDataset(m.arange(3), m.eye(3)), batch_size=2),
    "pairs of numbers": lambda m: batches(m, Squares(3), batch_size=2),
    "stacked": lambda m: stacked(m, [1, 2, 3], "abc", m.eye(3)),
    "stacked by name": lambda m: stacked(m, x=m.arange(3), y=Quick(3)),
    "stacked at once": lambda m: batches(m, data(m).StackDataset(Quick(3), "abc"), batch_size=2),
    "stacked, some missing": lambda m: batches(m, data(m).StackDataset("abc", Quick(3)), batch_size=3),
    "stacked of two lengths": lambda m: data(m).StackDataset([1, 2], [3]),
    "stacked in two ways": lambda m: data(m).StackDataset([1], y=[3]),
    "nothing stacked": lambda m: data(m).StackDataset(),
    "tensors of two lengths": lambda m: data(m).TensorDataset(m.arange(3), m.eye(2)),
    "floats": lambda m: batches(m, [1.5, 2.5], batch_size=2),
    "bools": lambda m: batches(m, [True, False], batch_size=2),
    "texts": lambda m: batches(m, ["a", "b"], batch_size=2),
    "dicts": lambda m: batches(m, [{"x": 1, "y": "a"}, {"x": 2, "y": "b"}], batch_size=2),
    "named": lambda m: batches(m, [Pair(1, 2.0), Pair(3, 4.0)], batch_size=2),
    "nested": lambda m: batches(m, [(1, [2, 3]), (4, [5, 6])], batch_size=2),
    "arrays": lambda m: batches(m, [np.ones(2), np.zeros(2)], batch_size=2),
    "array numbers": lambda m: batches(m, [np.float32(1), np.float32(2)], batch_size=2),
    "arrays by themselves": lambda m: converted(m, {"a": np.ones(2), "b": [np.zeros(1), "c"]}),
    "lists of two lengths": lambda m: batches(m, [[1], [2, 3]], batch_size=2),
    "things of no kind": lambda m: batches(m, [None, None], batch_size=2),
    "shuffled": two_loops,
    "shuffled, own generator": own_generator,
    "random after": random_after_an_unshuffled_loop,
    "random inside": random_inside_a_loop,
    "random sampler": lambda m: sampled(m, range(7)),
    "random sampler, some": lambda m: sampled(m, range(7), num_samples=3),
    "random sampler, more than there are": lambda m: sampled(m, range(7), num_samples=16),
    "random sampler with replacement": lambda m: sampled(m, range(7), replacement=True, num_samples=70),
    "random sampler, own generator": lambda m: sampled(m, range(7), True, 5, m.Generator().manual_seed(4)),
    "random sampler of none": lambda m: sampled(m, range(7), num_samples=0),
    "sampler": lambda m: batches(m, sampler=[3, 1, 2], batch_size=2),
    "batch sampler": lambda m: batches(m, batch_sampler=[[3, 1], [2]]),
    "collate": lambda m: batches(m, batch_size=5, collate_fn=len),
    "subset": lambda m: batches(m, data(m).Subset(m.arange(10) * 10, [3, 1, 5]), batch_size=2),
    "stream": lambda m: batches(m, stream(m, 5), batch_size=2),
    "stream, the last dropped": lambda m: batches(m, stream(m, 5), batch_size=2, drop_last=True),
    "split": lambda m: split(m, [3, 7]),
    "split in fractions": lambda m: split(m, [0.55, 0.25, 0.2]),
    "split with a generator": lambda m: split(m, [5, 5], generator=m.Generator().manual_seed(2)),
    "split of too much": lambda m: split(m, [3, 8]),
    "split of a wrong fraction": lambda m: split(m, [1.5, -0.5]),
    "sampler and shuffle": lambda m: batches(m, sampler=[1], shuffle=True),
    "batch sampler and size": lambda m: batches(m, batch_sampler=[[1]], batch_size=2),
    "no batches and dropped": lambda m: batches(m, batch_size=None, drop_last=True),
    "size 0": lambda m: batches(m, batch_size=0),
    "shuffled stream": lambda m: batches(m, stream(m, 5), shuffle=True),
    "dataset without things": lambda m: data(m).Dataset()[0],
    "subset random": lambda m: sampled_by(m, "SubsetRandomSampler", [5, 3, 1, 7, 9]),
    "weighted": lambda m: sampled_by(m, "WeightedRandomSampler", [0.1, 0.2, 0.3, 0.4], 8),
    "weighted, of integers": lambda m: sampled_by(m, "WeightedRandomSampler", [1, 0, 3], 8),
    "weighted, a negative number": lambda m: data(m).WeightedRandomSampler([0.1], -1),
    "weighted by a matrix": lambda m: data(m).WeightedRandomSampler([[0.1]], 1),
    "own sampler": lambda m: batches(m, sampler=backwards(m, 3), batch_size=2),
    "random sampler of nothing": lambda m: data(m).DataLoader([], shuffle=True),
    "replacement is no flag": lambda m: data(m).RandomSampler([1], replacement=1),
    "dropping is no flag": lambda m: data(m).BatchSampler([1], 2, None),
    "together": lambda m: batches(m, data(m).Subset(m.arange(4), [3, 1]) + m.arange(10, 13), batch_size=4),
    "together, places": lambda m: places(data(m).ConcatDataset(["ab", "", "cde"]), 0, 1, 2, 4, -1, -5),
    "together, outside": lambda m: data(m).ConcatDataset(["ab"])[-3],
    "together, none": lambda m: data(m).ConcatDataset([]),
    "together, streams": lambda m: data(m).ConcatDataset([stream(m, 2)]),
    "one stream after the other": lambda m: [list(stream(m, 2) + stream(m, 3)), len(stream(m, 2) + stream(m, 3))],
    "many at once": lambda m: batches(m, at_once(m), batch_size=2),
    "many at once, of a subset": lambda m: batches(m, data(m).Subset(at_once(m), [3, 1, 0]), batch_size=2),
    "ranges": lambda m: batches(m, [range(2), range(2)], batch_size=2),
    "workers, negative": lambda m: batches(m, num_workers=-1),
    "timeout, negative": lambda m: batches(m, timeout=-1),
    "prefetching without workers": lambda m: batches(m, prefetch_factor=2),
    "persistent without workers": lambda m: batches(m, persistent_workers=True),
    "facts": lambda m: facts(data(m).DataLoader(range(5), 2, True)),
    "worker": lambda m: data(m).get_worker_info(),
}
QUESTIONS = {name: lambda m, question=question: str(question(m)) for name, question in QUESTIONS.items()}


@pytest.mark.parametrize("name", QUESTIONS)
def test_against_recorded(name):
    assert answer(QUESTIONS[name], minigrad) == recorded("data_loading")[name]


@pytest.mark.parametrize("name", QUESTIONS)
def test_against_pytorch(name):
    assert answer(QUESTIONS[name], judge()) == recorded("data_loading")[name]


def test_an_empty_split_is_warned_of():
    with pytest.warns(UserWarning, match="Length of split at index 1 is 0"):
        minigrad.utils.data.random_split(range(1), [0.5, 0.5])


def test_the_parts_of_a_split_are_disjoint_and_all():
    parts = minigrad.utils.data.random_split(range(100), [0.3, 0.7])
    assert sorted(i for part in parts for i in part) == list(range(100))
