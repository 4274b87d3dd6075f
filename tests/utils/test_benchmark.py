"""The printed form of a measurement is PyTorch's."""

import re

import pytest

import minigrad
from minigrad.utils.benchmark import Measurement, Timer

CASES = {
    "plain": ({"stmt": "1 + 1"}, [3e-6], "1 + 1\n  30.00 ns\n  1 measurement, 100 runs , 1 thread"),
    "labels": (
        {"stmt": "1", "setup": "x = 2", "label": "L", "sub_label": "S", "description": "D"},
        [2e-3],
        "L: S\nD\nsetup: x = 2\n  20.00 us\n  1 measurement, 100 runs , 1 thread",
    ),
    "several lines": (
        {"stmt": "x = 1\ny = 2", "setup": "a = 1\nb = 2"},
        [0.5, 0.5],
        "stmt:\n  x = 1\n  y = 2\n\nsetup:\n  a = 1\n  b = 2\n\n  Median: 5.00 ms\n"
        "  2 measurements, 100 runs per measurement, 1 thread",
    ),
    "many": (
        {"stmt": "1"},
        [100.0, 101.0, 102.0, 103.0, 104.0],
        "1\n  Median: 1.02 s\n  IQR:    0.02 s (1.01 to 1.03)\n  5 measurements, 100 runs per measurement, 1 thread",
    ),
    "unsteady": (
        {"stmt": "1"},
        [1e-4, 1.1e-4, 1.2e-4, 1.3e-4, 1.3e-4],
        "1\n  Median: 1.20 us\n  IQR:    0.20 us (1.10 to 1.30)\n"
        "  5 measurements, 100 runs per measurement, 1 thread\n"
        "  WARNING: Interquartile range is 16.7% of the median measurement.\n"
        "           This could indicate system fluctuation.",
    ),
    "wild": (
        {"stmt": "1"},
        [1e-4, 2e-4, 3e-4, 4e-4, 5e-4],
        "1\n  Median: 3.00 us\n  IQR:    2.00 us (2.00 to 4.00)\n"
        "  5 measurements, 100 runs per measurement, 1 thread\n"
        "  WARNING: Interquartile range is 66.7% of the median measurement.\n"
        "           This suggests significant environmental influence.",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_printed(name):
    options, times, expected = CASES[name]
    first, _, rest = repr(Measurement(100, times, Timer(**options))).partition("\n")
    assert re.fullmatch(r"<minigrad.utils.benchmark.Measurement object at 0x[0-9a-f]+>", first)
    assert rest == expected


@pytest.mark.parametrize("name", CASES)
def test_printed_by_pytorch(name):
    pytest.importorskip("torch")
    from torch.utils.benchmark import Timer as Theirs
    from torch.utils.benchmark.utils.common import Measurement as Measured

    options, times, expected = CASES[name]
    options = {"setup": "pass"} | options
    assert repr(Measured(100, times, Theirs(**options)._task_spec)).partition("\n")[2] == expected


def test_statistics():
    found = Measurement(10, [10.0, 20.0, 30.0, 80.0], Timer())
    assert (found.times, found.mean, found.median) == ([1.0, 2.0, 3.0, 8.0], 3.5, 2.5)
    assert found.iqr == pytest.approx(4.25 - 1.75)


def test_the_statement_is_run():
    seen = []
    Timer("seen.append(x)", setup="x = torch.ones(1)", globals={"seen": seen}).timeit(5)
    assert len(seen) == 7 and isinstance(seen[0], minigrad.Tensor)  # two of them to warm up


def test_long_enough():
    found = Timer("sum(range(100))").blocked_autorange(min_run_time=0.01)
    assert sum(found.raw_times) >= 0.01 and 1e-8 < found.median < 1e-3


def test_a_statement_must_be_text():
    with pytest.raises(ValueError, match="Currently only a `str` stmt is supported, but got int"):
        Timer(3)
