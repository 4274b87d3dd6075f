"""Printed tensors against strings recorded from PyTorch 2.13, and against PyTorch itself where it is installed."""

import numpy as np
import pytest

import minigrad
from minigrad.words import printing
from tests.oracle import answer, assert_same, recorded


def printed(m, array, history="none", default="float32", **options):
    """A tensor as it is printed; one with a history is what a multiplication by 1 made."""
    m.set_printoptions(**{"profile": "default"} | options)
    m.set_default_dtype(getattr(m, default))
    try:
        tensor = m.tensor(array, requires_grad=history != "none")
        return repr(tensor * 1 if history == "node" else tensor)
    finally:
        m.set_printoptions(profile="default")
        m.set_default_dtype(m.float32)


QUESTIONS = {
    "integers as floats": lambda m: printed(m, np.float32([1, 2, 3])),
    "negative and wide": lambda m: printed(m, np.float32([-1.5, 20.25, 300])),
    "large floats": lambda m: printed(m, np.float32([1e10, 1])),
    "small floats": lambda m: printed(m, np.float32([1e-5, 1])),
    "spread of exactly a thousand": lambda m: printed(m, np.float32([1, 1000])),
    "spread over a thousand": lambda m: printed(m, np.float32([1, 1001])),
    "one hundred million, whole": lambda m: printed(m, np.float32([1e8])),
    "over one hundred million": lambda m: printed(m, np.float64([1e8 + 1])),
    "one ten-thousandth in float64": lambda m: printed(m, np.float64([1e-4, 0.05])),
    "the same in float32 is less": lambda m: printed(m, np.float32([1e-4, 0.05])),
    "zeros have no say": lambda m: printed(m, np.float32([0, -0.0, 0.25])),
    "all zero": lambda m: printed(m, np.zeros((2, 2), np.float32)),
    "nan among whole numbers": lambda m: printed(m, np.float32([np.nan, 1])),
    "nan among others": lambda m: printed(m, np.float32([np.nan, 1.5])),
    "only special values": lambda m: printed(m, np.float32([np.inf, -np.inf, np.nan, 0])),
    "infinity and scientific": lambda m: printed(m, np.float32([np.inf, 1e9, -1.5])),
    "0-d float": lambda m: printed(m, np.float32(1.5)),
    "0-d integer": lambda m: printed(m, np.int64(-7)),
    "0-d bool": lambda m: printed(m, np.bool_(True)),
    "0-d infinity": lambda m: printed(m, np.float64(-np.inf)),
    "float16": lambda m: printed(m, np.float16([0.1, 65504])),
    "float64 whole": lambda m: printed(m, np.arange(3.0)),
    "bool": lambda m: printed(m, np.array([True, False])),
    "int8": lambda m: printed(m, np.int8([-1, 100])),
    "int64 widths": lambda m: printed(m, np.array([[1, -20], [300, 4]])),
    "complex": lambda m: printed(m, np.complex64([1 + 2j, -3 - 4j, 10 + 20j])),
    "complex, parts formatted apart": lambda m: printed(m, np.complex64([1 + 2j, 0.5 - 1e-9j])),
    "complex, special": lambda m: printed(m, np.complex128([complex(np.nan, np.inf), 1.5 - 0j, 0])),
    "0-d complex": lambda m: printed(m, np.complex64(1 - 0.5j)),
    "empty": lambda m: printed(m, np.zeros(0, np.float32)),
    "empty matrix": lambda m: printed(m, np.zeros((0, 3), np.float32)),
    "empty integers": lambda m: printed(m, np.zeros((2, 0, 3), np.int64)),
    "empty bool": lambda m: printed(m, np.zeros(0, np.bool_)),
    "lines": lambda m: printed(m, np.arange(17, dtype=np.float32)),
    "lines of a matrix": lambda m: printed(m, np.arange(40).reshape(2, 20) * 1000),
    "three dimensions": lambda m: printed(m, np.arange(8).reshape(2, 2, 2)),
    "four dimensions": lambda m: printed(m, np.arange(4, dtype=np.float32).reshape(2, 1, 2, 1) / 4),
    "summary": lambda m: printed(m, np.arange(1001)),
    "summary of a matrix": lambda m: printed(m, np.arange(1200).reshape(40, 30)),
    "summary of three dimensions": lambda m: printed(m, np.arange(1600, dtype=np.float32).reshape(2, 2, 400) / 8),
    "summary widths ignore what is hidden": lambda m: printed(m, np.array([1] * 500 + [10**9] + [1] * 500)),
    "requires_grad": lambda m: printed(m, np.float32([1]), history="leaf"),
    "grad_fn": lambda m: printed(m, np.float32([1.5]), history="node"),
    "a full last line": lambda m: printed(m, np.cos(np.arange(14.0)), history="node"),
    "room for one of two": lambda m: printed(m, np.arange(25.0).reshape(5, 5) * 1.5, history="node"),
    "other default dtype": lambda m: printed(m, np.float32([1]), default="float64"),
    "default dtype says it": lambda m: printed(m, np.float64([1]), default="float64"),
    "complex default follows": lambda m: printed(m, np.complex128([1j]), default="float64"),
    "precision": lambda m: printed(m, np.float32([1.23456, 10]), precision=2),
    "precision 0": lambda m: printed(m, np.float32([1.5, 2.5]), precision=0),
    "sci_mode": lambda m: printed(m, np.float32([1, 2]), sci_mode=True),
    "no sci_mode": lambda m: printed(m, np.float32([1e10, 1.5]), sci_mode=False),
    "sci_mode of zero": lambda m: printed(m, np.float32([0]), sci_mode=True),
    "narrow": lambda m: printed(m, np.arange(6, dtype=np.float32), history="leaf", linewidth=20),
    "narrower than a number": lambda m: printed(m, np.float32([1.5, 2.5]), linewidth=5),
    "threshold and edgeitems": lambda m: printed(m, np.arange(24.0).reshape(2, 3, 4), threshold=5, edgeitems=1),
    "no edgeitems": lambda m: printed(m, np.arange(6), threshold=5, edgeitems=0),
    "profile short": lambda m: printed(m, np.arange(1001.0) / 8, profile="short"),
    "profile, then an option over it": lambda m: printed(m, np.float32([1.23456]), profile="short", precision=1),
}


@pytest.fixture(autouse=True)
def torch_spelling():
    with printing.printoptions(profile="default", namespace="torch"):
        yield


@pytest.mark.parametrize("id", QUESTIONS)
def test_recorded(id):
    assert_same(answer(QUESTIONS[id], minigrad), recorded("printing")[id])


def test_namespace_and_prefix():
    with printing.printoptions(namespace="minigrad"):
        assert printing.text(np.float64([1])) == "tensor([1.], dtype=minigrad.float64)"
    assert printing.text(np.eye(2, dtype=np.float32), prefix="Weight(") == "Weight([[1., 0.],\n        [0., 1.]])"


def test_more_than_threshold_is_summarised():
    assert "..." not in printing.text(np.ones(1000))
    assert "..." in printing.text(np.ones(1001))
    with printing.printoptions(profile="full"):
        assert "..." not in printing.text(np.ones(1001))


def test_options_stay_except_sci_mode_and_come_back_after_with():
    with printing.printoptions(precision=2, sci_mode=True):
        printing.set_printoptions(linewidth=100)
        now = printing.options
        assert (now.precision, now.linewidth, now.sci_mode) == (2, 100, None)
    assert (now.precision, now.linewidth, now.sci_mode) == (4, 80, None)


def test_formatted():
    assert format(minigrad.tensor(1.1)) == "1.100000023841858"
    assert format(minigrad.tensor(3), "5d") == "    3"
    assert format(minigrad.tensor(1 + 1j)) == "(1+1j)"
    assert format(minigrad.tensor([1.1])) == "tensor([1.1000])"
    with pytest.raises(TypeError, match="unsupported format string passed to Tensor.__format__"):
        format(minigrad.tensor([1.1]), ".2f")


DTYPES = (
    *("float32", "float32", "float32", "float64", "float16", "complex64", "complex128", "bool"),
    *("uint8", "int8", "int16", "int32", "int64", "int64"),
)
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 1e-4, 1e8, 1000.0]
OPTIONS = {
    "profile": ["default", "short", "full"],
    "precision": [0, 1, 2, 3, 6, 10],
    "threshold": [0, 5, 20, 100, float("inf")],
    "edgeitems": [0, 1, 2, 3, 5],
    "linewidth": [5, 20, 40, 60, 100, 200],
    "sci_mode": [True, False],
}


def random_shape(rng):
    dimensions = rng.choice([0, 1, 1, 2, 2, 3, 4, 5])
    if rng.random() < 0.3:
        longest = [1, 1500, 40, 12, 7, 5][dimensions]
    else:
        longest = 40 if dimensions == 1 else 4
    shortest = 0 if rng.random() < 0.2 else 1
    return tuple(rng.integers(shortest, longest + 1, dimensions).tolist())


def random_floats(rng, shape):
    kind, values = rng.integers(7), rng.standard_normal(shape)
    if kind == 0:
        values = np.round(values * 10.0 ** rng.integers(0, 10))
    elif kind == 1:
        values = values * 10.0 ** rng.integers(-12, 12)
    elif kind == 2:
        values = values * 10.0 ** rng.uniform(-4, 4, shape)
    elif kind == 3:
        values = np.round(values * 4) / 4
    elif kind == 4:
        values = np.zeros(shape)
    if rng.random() < 0.4:
        values = np.where(rng.random(shape) < rng.choice([0.1, 0.5, 1]), rng.choice(SPECIAL, shape), values)
    return values


def random_array(rng):
    shape, dtype = random_shape(rng), np.dtype(rng.choice(DTYPES))
    array = np.zeros(shape, dtype)
    with np.errstate(over="ignore"):
        if dtype.kind == "c":
            array.real[...], array.imag[...] = random_floats(rng, shape), random_floats(rng, shape)
        elif dtype.kind == "f":
            array[...] = random_floats(rng, shape)
        elif dtype.kind == "b":
            array[...] = rng.random(shape) < 0.5
        else:
            limits = np.iinfo(dtype)
            largest = min(limits.max, rng.choice([2, 100, limits.max]))
            array[...] = rng.integers(max(limits.min, -int(largest)), largest, shape, dtype, endpoint=True)
    return array


def differences(torch, count, **planted):
    """How many of `count` random tensors print unlike in PyTorch; `planted` options are given to our side only."""
    rng, different = np.random.default_rng(0), []
    for _ in range(count):
        options = {
            name: choices[rng.integers(len(choices))] for name, choices in OPTIONS.items() if rng.random() < 0.15
        }
        options = {"profile": "default"} | options
        default = str(rng.choice(["float32", "float32", "float64", "float16"]))
        array, history = random_array(rng), rng.choice(["none", "leaf", "node"])
        torch.set_printoptions(**options)
        torch.set_default_dtype(getattr(torch, default))
        tensor, facts = torch.tensor(array), {}
        if array.dtype.kind in "fc" and history != "none":
            tensor.requires_grad_()
            facts["requires_grad"] = True
            if history == "node":
                tensor = tensor.view(tensor.shape)
                facts["grad_fn"] = tensor.grad_fn.name()
        with printing.printoptions(**(options | planted)):
            ours = printing.text(array, default_dtype=default, **facts)
        inserted = ours if array.ndim else format(minigrad.tensor(array))
        if ours != repr(tensor) or inserted != format(tensor):
            different.append((options, array.dtype, array.shape, ours, repr(tensor)))
    return different


@pytest.fixture
def torch():
    torch = pytest.importorskip("torch")
    yield torch
    torch.set_printoptions(profile="default")
    torch.set_default_dtype(torch.float32)


def test_random_tensors_print_as_in_torch(torch):
    assert differences(torch, 5000) == []


def test_the_comparison_notices_a_wrong_digit_count(torch):
    assert len(differences(torch, 200, precision=3)) > 20
