"""Whatever runs can be recorded: random programs, and in-place programs. (test_equations.py has every row.)"""

import json

import numpy as np
import pytest

import minigrad as mg
from tests.core import programs, test_inplace_programs
from tests.widgets.showing.test_run import states
from widgets.showing.run import record
from widgets.telling.check import fits


def check(run):
    """The document is as its schema says, and its frames lead there and back."""
    trace = run.trace
    assert fits(json.loads(run.to_json()))
    first, *_, last = states(trace)
    for frame in reversed(trace["frames"]):
        for target, field, before, after in reversed(frame.get("changes", [])):
            assert last.get((target, field)) == after
            last[target, field] = before
    assert {key: value for key, value in last.items() if value is not None} == first


@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed):
    program = programs.program(seed)
    with record(keep_errors=True) as run:
        recorded = programs.run(mg, *program, order=1 + seed % 2)
    plain = programs.run(mg, *program, order=1 + seed % 2)
    assert recorded.keys() == plain.keys()
    for name, value in recorded.items():
        assert np.array_equal(value, plain[name], equal_nan=isinstance(value, np.ndarray)), name
    if run.happened:  # else the very first statement was refused
        check(run)


@pytest.mark.parametrize("seed", range(40))
def test_programs_that_change_in_place(seed):
    with record(keep_errors=True) as run:
        test_inplace_programs.outcome(mg, seed)
    check(run)


def a_run_of(case):
    """One call of the row, recorded, with the backward from all that it gives."""
    inputs = [mg.tensor(array, requires_grad=True) for array in case.fixed()]
    with record() as run:
        results = case.call(mg)(*inputs)
        results = results if isinstance(results, tuple | list) else [results]
        live = [one for one in results if isinstance(one, mg.Tensor) and one.requires_grad and one.is_floating_point()]
        if live:
            sum(one.sum() for one in live).backward()
    return run


def test_products_of_arrays_that_are_too_large_to_be_kept_whole():
    x, w = mg.ones(200, 100), mg.ones(100, 300, requires_grad=True)
    with record() as run:
        (x @ w).sum().backward()
        (x.reshape(2, 100, 100) @ w).mean().backward()
    check(run)
    assert run.trace["frames"][-1]["say"].startswith("w.grad held 100×300: all 200")
