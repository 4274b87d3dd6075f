"""Random programs of 3 to 30 operations give what they give in PyTorch, to the second derivative, or are refused where
PyTorch refuses them."""

import numpy as np
import pytest

import minigrad as mg

from ..oracle import judge
from .programs import TEMPLATES, Writer, disagreement, program, run

pytestmark = pytest.mark.filterwarnings("ignore")
BATCH = 100


def batches(seeds: int):
    return pytest.mark.parametrize("start", range(0, seeds, BATCH))


def compare(start: int, order: int) -> None:
    torch = judge()
    found = [disagreement(mg, torch, seed, order) for seed in range(start, start + BATCH)]
    found = [text for text in found if text]
    assert not found, f"{len(found)} of {BATCH} programs\n\n" + "\n\n".join(found[:3])


@batches(1500)
def test_values_gradients_and_refusals(start):
    compare(start, order=1)


@batches(400)
def test_second_derivatives(start):
    compare(100_000 + start, order=2)


@batches(300)
def test_a_program_gives_the_same_bits_each_time(start):
    """The same program twice: the engine has no order of its own, no memory of earlier graphs."""
    for seed in range(start, start + BATCH):
        once, again = (run(mg, *program(seed)) for _ in range(2))
        assert once.keys() == again.keys()
        for name, value in once.items():
            same = value.tobytes() == again[name].tobytes() if isinstance(value, np.ndarray) else value == again[name]
            assert same, (seed, name)


def test_the_programs_are_what_they_are_said_to_be():
    writers = [Writer(seed, mistakes=True) for seed in range(1000)]
    assert set().union(*(writer.templates for writer in writers)) >= TEMPLATES
    lengths = [len(writer.statements) - len(writer.leaves) for writer in writers]
    assert max(lengths) == 30 and sum(length >= 10 for length in lengths) > 500
    refused = sum("by" in run(mg, *program(seed)) for seed in range(300))
    assert 30 < refused < 120
    many_outputs = sum(len(program(seed)[2]) > 1 for seed in range(300))
    assert many_outputs > 100


def test_a_program_is_a_function_of_its_seed():
    assert program(17) == program(17) != program(18)
