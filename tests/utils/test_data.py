"""Batches, and their order under a seed, against PyTorch's."""

from collections import defaultdict, namedtuple

import numpy as np
import pytest

import minigrad
from tests.oracle import answer, judge, recorded

Pair = namedtuple("Pair", "x y")


def data(m):
    return m.utils.data


class Squares:
    """A data set as people write them."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        return i, i**2


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


QUESTIONS = {
    "batches": lambda m: batches(m, batch_size=4),
    "batches, the last dropped": lambda m: batches(m, batch_size=4, drop_last=True),
    "batches of one": lambda m: batches(m, m.arange(2)),
    "pairs of tensors": lambda m: batches(m, data(m).TensorDataset(m.arange(3), m.eye(3)), batch_size=2),
    "pairs of numbers": lambda m: batches(m, Squares(3), batch_size=2),
    "tensors of two lengths": lambda m: data(m).TensorDataset(m.arange(3), m.eye(2)),
    "floats": lambda m: batches(m, [1.5, 2.5], batch_size=2),
    "bools": lambda m: batches(m, [True, False], batch_size=2),
    "texts": lambda m: batches(m, ["a", "b"], batch_size=2),
    "dicts": lambda m: batches(m, [{"x": 1, "y": "a"}, {"x": 2, "y": "b"}], batch_size=2),
    "dicts with a default": lambda m: batches(m, [defaultdict(int, x=1), defaultdict(int, x=2)], batch_size=2),
    "named": lambda m: batches(m, [Pair(1, 2.0), Pair(3, 4.0)], batch_size=2),
    "nested": lambda m: batches(m, [(1, [2, 3]), (4, [5, 6])], batch_size=2),
    "arrays": lambda m: batches(m, [np.ones(2), np.zeros(2)], batch_size=2),
    "array numbers": lambda m: batches(m, [np.float32(1), np.float32(2)], batch_size=2),
    "lists of two lengths": lambda m: batches(m, [[1], [2, 3]], batch_size=2),
    "things of no kind": lambda m: batches(m, [None, None], batch_size=2),
    "shuffled": two_loops,
    "shuffled, own generator": own_generator,
    "random after": random_after_an_unshuffled_loop,
    "random inside": random_inside_a_loop,
    "sampler": lambda m: batches(m, sampler=[3, 1, 2], batch_size=2),
    "collate": lambda m: batches(m, batch_size=5, collate_fn=len),
    "sampler and shuffle": lambda m: batches(m, sampler=[1], shuffle=True),
    "size 0": lambda m: batches(m, batch_size=0),
    "dataset without things": lambda m: data(m).Dataset()[0],
    "random sampler of nothing": lambda m: data(m).DataLoader([], shuffle=True),
    "ranges": lambda m: batches(m, [range(2), range(2)], batch_size=2),
}
QUESTIONS = {name: lambda m, question=question: str(question(m)) for name, question in QUESTIONS.items()}


@pytest.mark.parametrize("name", QUESTIONS)
def test_against_recorded(name):
    assert answer(QUESTIONS[name], minigrad) == recorded("data_loading")[name]


@pytest.mark.parametrize("name", QUESTIONS)
def test_against_pytorch(name):
    assert answer(QUESTIONS[name], judge()) == recorded("data_loading")[name]


def test_options_for_several_processes_change_nothing():
    loader = minigrad.utils.data.DataLoader(minigrad.arange(3), num_workers=2, pin_memory=True)
    assert [batch.item() for batch in loader] == [0, 1, 2]
    with pytest.raises(TypeError, match="unexpected keyword argument 'nonsense'"):
        minigrad.utils.data.DataLoader([1], nonsense=3)


def test_what_is_no_dataset_is_refused():
    with pytest.raises(TypeError, match=r"a dataset gives dataset\[i\] and len\(dataset\), which 3 does not"):
        minigrad.utils.data.DataLoader(3)
