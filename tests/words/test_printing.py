"""Printed tensors against strings recorded from PyTorch 2.13, and against PyTorch itself where it is installed."""

import numpy as np
import pytest

import minigrad
from minigrad.words import printing

# What it shows, the array, facts about the tensor, print options, and what PyTorch prints.
TABLE = [
    (
        "integers as floats",
        np.float32([1, 2, 3]),
        {},
        {},
        "tensor([1., 2., 3.])",
    ),
    (
        "negative and wide",
        np.float32([-1.5, 20.25, 300]),
        {},
        {},
        "tensor([ -1.5000,  20.2500, 300.0000])",
    ),
    (
        "large floats",
        np.float32([1e10, 1]),
        {},
        {},
        "tensor([1.0000e+10, 1.0000e+00])",
    ),
    (
        "small floats",
        np.float32([1e-5, 1]),
        {},
        {},
        "tensor([1.0000e-05, 1.0000e+00])",
    ),
    (
        "spread of exactly a thousand",
        np.float32([1, 1000]),
        {},
        {},
        "tensor([   1., 1000.])",
    ),
    (
        "spread over a thousand",
        np.float32([1, 1001]),
        {},
        {},
        "tensor([1.0000e+00, 1.0010e+03])",
    ),
    (
        "one hundred million, whole",
        np.float32([1e8]),
        {},
        {},
        "tensor([100000000.])",
    ),
    (
        "over one hundred million",
        np.float64([1e8 + 1]),
        {},
        {},
        "tensor([1.0000e+08], dtype=torch.float64)",
    ),
    (
        "one ten-thousandth in float64",
        np.float64([1e-4, 0.05]),
        {},
        {},
        "tensor([0.0001, 0.0500], dtype=torch.float64)",
    ),
    (
        "the same in float32 is less",
        np.float32([1e-4, 0.05]),
        {},
        {},
        "tensor([1.0000e-04, 5.0000e-02])",
    ),
    (
        "zeros have no say",
        np.float32([0, -0.0, 0.25]),
        {},
        {},
        "tensor([0.0000, -0.0000, 0.2500])",
    ),
    (
        "all zero",
        np.zeros((2, 2), np.float32),
        {},
        {},
        ("tensor([[0., 0.],\n        [0., 0.]])"),
    ),
    (
        "nan among whole numbers",
        np.float32([np.nan, 1]),
        {},
        {},
        "tensor([nan, 1.])",
    ),
    (
        "nan among others",
        np.float32([np.nan, 1.5]),
        {},
        {},
        "tensor([   nan, 1.5000])",
    ),
    (
        "only special values",
        np.float32([np.inf, -np.inf, np.nan, 0]),
        {},
        {},
        "tensor([inf, -inf, nan, 0.])",
    ),
    (
        "infinity and scientific",
        np.float32([np.inf, 1e9, -1.5]),
        {},
        {},
        "tensor([        inf,  1.0000e+09, -1.5000e+00])",
    ),
    (
        "0-d float",
        np.float32(1.5),
        {},
        {},
        "tensor(1.5000)",
    ),
    (
        "0-d integer",
        np.int64(-7),
        {},
        {},
        "tensor(-7)",
    ),
    (
        "0-d bool",
        np.bool_(True),
        {},
        {},
        "tensor(True)",
    ),
    (
        "0-d infinity",
        np.float64(-np.inf),
        {},
        {},
        "tensor(-inf, dtype=torch.float64)",
    ),
    (
        "float16",
        np.float16([0.1, 65504]),
        {},
        {},
        "tensor([9.9976e-02, 6.5504e+04], dtype=torch.float16)",
    ),
    (
        "float64 whole",
        np.arange(3.0),
        {},
        {},
        "tensor([0., 1., 2.], dtype=torch.float64)",
    ),
    (
        "bool",
        np.array([True, False]),
        {},
        {},
        "tensor([ True, False])",
    ),
    (
        "int8",
        np.int8([-1, 100]),
        {},
        {},
        "tensor([ -1, 100], dtype=torch.int8)",
    ),
    (
        "uint64",
        np.uint64([2**64 - 1]),
        {},
        {},
        "tensor([18446744073709551615], dtype=torch.uint64)",
    ),
    (
        "int64 widths",
        np.array([[1, -20], [300, 4]]),
        {},
        {},
        ("tensor([[  1, -20],\n        [300,   4]])"),
    ),
    (
        "complex",
        np.complex64([1 + 2j, -3 - 4j, 10 + 20j]),
        {},
        {},
        "tensor([ 1.+2.j, -3.-4.j, 10.+20.j])",
    ),
    (
        "complex, parts formatted apart",
        np.complex64([1 + 2j, 0.5 - 1e-9j]),
        {},
        {},
        "tensor([1.0000+2.0000e+00j, 0.5000-1.0000e-09j])",
    ),
    (
        "complex, special",
        np.complex128([complex(np.nan, np.inf), 1.5 - 0j, 0]),
        {},
        {},
        "tensor([   nan+infj, 1.5000+0.j, 0.0000+0.j], dtype=torch.complex128)",
    ),
    (
        "0-d complex",
        np.complex64(1 - 0.5j),
        {},
        {},
        "tensor(1.-0.5000j)",
    ),
    (
        "empty",
        np.zeros(0, np.float32),
        {},
        {},
        "tensor([])",
    ),
    (
        "empty matrix",
        np.zeros((0, 3), np.float32),
        {},
        {},
        "tensor([], size=(0, 3))",
    ),
    (
        "empty integers",
        np.zeros((2, 0, 3), np.int64),
        {},
        {},
        "tensor([], size=(2, 0, 3), dtype=torch.int64)",
    ),
    (
        "empty bool",
        np.zeros(0, np.bool_),
        {},
        {},
        "tensor([], dtype=torch.bool)",
    ),
    (
        "lines",
        np.arange(17, dtype=np.float32),
        {},
        {},
        ("tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,\n        14., 15., 16.])"),
    ),
    (
        "lines of a matrix",
        np.arange(40).reshape(2, 20) * 1000,
        {},
        {},
        (
            "tensor([[    0,  1000,  2000,  3000,  4000,  5000,  6000,  7000,  8000,  9000,\n"
            "         10000, 11000, 12000, 13000, 14000, 15000, 16000, 17000, 18000, 19000],\n"
            "        [20000, 21000, 22000, 23000, 24000, 25000, 26000, 27000, 28000, 29000,\n"
            "         30000, 31000, 32000, 33000, 34000, 35000, 36000, 37000, 38000, 39000]])"
        ),
    ),
    (
        "three dimensions",
        np.arange(8).reshape(2, 2, 2),
        {},
        {},
        ("tensor([[[0, 1],\n         [2, 3]],\n\n        [[4, 5],\n         [6, 7]]])"),
    ),
    (
        "four dimensions",
        np.arange(4, dtype=np.float32).reshape(2, 1, 2, 1) / 4,
        {},
        {},
        ("tensor([[[[0.0000],\n          [0.2500]]],\n\n\n        [[[0.5000],\n          [0.7500]]]])"),
    ),
    (
        "summary",
        np.arange(1001),
        {},
        {},
        "tensor([   0,    1,    2,  ...,  998,  999, 1000])",
    ),
    (
        "summary of a matrix",
        np.arange(1200).reshape(40, 30),
        {},
        {},
        (
            "tensor([[   0,    1,    2,  ...,   27,   28,   29],\n"
            "        [  30,   31,   32,  ...,   57,   58,   59],\n"
            "        [  60,   61,   62,  ...,   87,   88,   89],\n"
            "        ...,\n"
            "        [1110, 1111, 1112,  ..., 1137, 1138, 1139],\n"
            "        [1140, 1141, 1142,  ..., 1167, 1168, 1169],\n"
            "        [1170, 1171, 1172,  ..., 1197, 1198, 1199]])"
        ),
    ),
    (
        "summary of three dimensions",
        np.arange(1600, dtype=np.float32).reshape(2, 2, 400) / 8,
        {},
        {},
        (
            "tensor([[[0.0000e+00, 1.2500e-01, 2.5000e-01,  ..., 4.9625e+01,\n"
            "          4.9750e+01, 4.9875e+01],\n"
            "         [5.0000e+01, 5.0125e+01, 5.0250e+01,  ..., 9.9625e+01,\n"
            "          9.9750e+01, 9.9875e+01]],\n"
            "\n"
            "        [[1.0000e+02, 1.0012e+02, 1.0025e+02,  ..., 1.4962e+02,\n"
            "          1.4975e+02, 1.4988e+02],\n"
            "         [1.5000e+02, 1.5012e+02, 1.5025e+02,  ..., 1.9962e+02,\n"
            "          1.9975e+02, 1.9988e+02]]])"
        ),
    ),
    (
        "summary widths ignore what is hidden",
        np.array([1] * 500 + [10**9] + [1] * 500),
        {},
        {},
        "tensor([1, 1, 1,  ..., 1, 1, 1])",
    ),
    (
        "requires_grad",
        np.float32([1]),
        {"requires_grad": True},
        {},
        "tensor([1.], requires_grad=True)",
    ),
    (
        "grad_fn",
        np.float32([1.5]),
        {"requires_grad": True, "grad_fn": "MulBackward0"},
        {},
        "tensor([1.5000], grad_fn=<MulBackward0>)",
    ),
    (
        "a full last line",
        np.cos(np.arange(14.0)),
        {"requires_grad": True, "grad_fn": "CosBackward0"},
        {},
        (
            "tensor([ 1.0000,  0.5403, -0.4161, -0.9900, -0.6536,  0.2837,  0.9602,  0.7539,\n"
            "        -0.1455, -0.9111, -0.8391,  0.0044,  0.8439,  0.9074],\n"
            "       dtype=torch.float64, grad_fn=<CosBackward0>)"
        ),
    ),
    (
        "room for one of two",
        np.arange(25.0).reshape(5, 5) * 1.5,
        {"requires_grad": True, "grad_fn": "MulBackward0"},
        {},
        (
            "tensor([[ 0.0000,  1.5000,  3.0000,  4.5000,  6.0000],\n"
            "        [ 7.5000,  9.0000, 10.5000, 12.0000, 13.5000],\n"
            "        [15.0000, 16.5000, 18.0000, 19.5000, 21.0000],\n"
            "        [22.5000, 24.0000, 25.5000, 27.0000, 28.5000],\n"
            "        [30.0000, 31.5000, 33.0000, 34.5000, 36.0000]], dtype=torch.float64,\n"
            "       grad_fn=<MulBackward0>)"
        ),
    ),
    (
        "other default dtype",
        np.float32([1]),
        {"default_dtype": "float64"},
        {},
        "tensor([1.], dtype=torch.float32)",
    ),
    (
        "default dtype says it",
        np.float64([1]),
        {"default_dtype": "float64"},
        {},
        "tensor([1.])",
    ),
    (
        "complex default follows",
        np.complex128([1j]),
        {"default_dtype": "float64"},
        {},
        "tensor([0.+1.j])",
    ),
    (
        "precision",
        np.float32([1.23456, 10]),
        {},
        {"precision": 2},
        "tensor([ 1.23, 10.00])",
    ),
    (
        "precision 0",
        np.float32([1.5, 2.5]),
        {},
        {"precision": 0},
        "tensor([2, 2])",
    ),
    (
        "sci_mode",
        np.float32([1, 2]),
        {},
        {"sci_mode": True},
        "tensor([1.0000e+00, 2.0000e+00])",
    ),
    (
        "no sci_mode",
        np.float32([1e10, 1.5]),
        {},
        {"sci_mode": False},
        "tensor([10000000000.0000,           1.5000])",
    ),
    (
        "sci_mode of zero",
        np.float32([0]),
        {},
        {"sci_mode": True},
        "tensor([0.])",
    ),
    (
        "narrow",
        np.arange(6, dtype=np.float32),
        {"requires_grad": True},
        {"linewidth": 20},
        ("tensor([0., 1., 2.,\n        3., 4., 5.],\n       requires_grad=True)"),
    ),
    (
        "narrower than a number",
        np.float32([1.5, 2.5]),
        {},
        {"linewidth": 5},
        ("tensor([1.5000,\n        2.5000])"),
    ),
    (
        "threshold and edgeitems",
        np.arange(24.0).reshape(2, 3, 4),
        {},
        {"threshold": 5, "edgeitems": 1},
        (
            "tensor([[[ 0.,  ...,  3.],\n"
            "         ...,\n"
            "         [ 8.,  ..., 11.]],\n"
            "\n"
            "        [[12.,  ..., 15.],\n"
            "         ...,\n"
            "         [20.,  ..., 23.]]], dtype=torch.float64)"
        ),
    ),
    (
        "no edgeitems",
        np.arange(6),
        {},
        {"threshold": 5, "edgeitems": 0},
        "tensor([...], size=(6,))",
    ),
    (
        "profile short",
        np.arange(1001.0) / 8,
        {},
        {"profile": "short"},
        "tensor([  0.00,   0.12,  ..., 124.88, 125.00], dtype=torch.float64)",
    ),
    (
        "profile, then an option over it",
        np.float32([1.23456]),
        {},
        {"profile": "short", "precision": 1},
        "tensor([1.2])",
    ),
]


@pytest.fixture(autouse=True)
def torch_spelling():
    with printing.printoptions(profile="default", namespace="torch"):
        yield


@pytest.mark.parametrize(
    ("array", "facts", "options", "expected"), [row[1:] for row in TABLE], ids=[r[0] for r in TABLE]
)
def test_recorded(array, facts, options, expected):
    with printing.printoptions(**options):
        assert printing.text(array, **facts) == expected


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
        now = printing.get_printoptions()
        assert (now["precision"], now["linewidth"], now["sci_mode"]) == (2, 100, None)
    now = printing.get_printoptions()
    assert (now["precision"], now["linewidth"], now["sci_mode"]) == (4, 80, None)


def test_formatted():
    assert format(minigrad.tensor(1.1)) == "1.100000023841858"
    assert format(minigrad.tensor(3), "5d") == "    3"
    assert format(minigrad.tensor(1 + 1j)) == "(1+1j)"
    assert format(minigrad.tensor([1.1])) == "tensor([1.1000])"
    with pytest.raises(TypeError, match="unsupported format string passed to Tensor.__format__"):
        format(minigrad.tensor([1.1]), ".2f")


DTYPES = (
    *("float32", "float32", "float32", "float64", "float16", "complex64", "complex128", "bool"),
    *("uint8", "int8", "int16", "int32", "int64", "int64", "uint16", "uint32", "uint64"),
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
