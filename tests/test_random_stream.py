"""Random numbers against values recorded from PyTorch 2.13, and against PyTorch itself where it is installed."""

import copy

import numpy as np
import pytest

import minigrad as mg
from minigrad.random import draws, stream

from . import oracle
from .oracle import recorded


def exponential(m, n, rate):
    """PyTorch's `exponential_`; of ours only multinomial() makes use."""
    return m.from_numpy(draws.exponential(None, (n,), rate)) if m is mg else m.empty(n).exponential_(rate)


# One call of each kind; run in this order they also mix kinds, dtypes and left-over normals.
CALLS = {
    "rand": lambda m: m.rand(3),
    "odd randn": lambda m: m.randn(3),
    "randint": lambda m: m.randint(-5, 5, (6,)),
    "ragged randn": lambda m: m.randn(3, 6),
    "left-over randn": lambda m: m.randn(2),
    "randperm": lambda m: m.randperm(8),
    "rand float64": lambda m: m.rand(2, dtype=m.double),
    "small float64": lambda m: m.randn((), dtype=m.double),
    "randn float64": lambda m: m.randn(17, dtype=m.double),
    "wide randint": lambda m: m.randint(0, 2**40, (2,)),
    "uniform_": lambda m: m.empty(4).uniform_(-1, 3),
    "normal_": lambda m: m.empty(16).normal_(10, 2),
    "complex randn": lambda m: m.from_numpy(m.randn(3, dtype=m.cfloat).numpy().view("f4")),
    "widest randint": lambda m: m.randint(0, 2**63 - 1, (2,)),
    "rand again": lambda m: m.rand(4),
    "square randn": lambda m: m.randn(2, 2),
    "bernoulli": lambda m: m.bernoulli(m.tensor([0.1, 0.5, 0.9, 0, 1])),
    "multinomial": lambda m: m.multinomial(m.tensor([[1.0, 2, 3], [0, 0, 1]]), 5, True),
}
# PyTorch takes these from another stream, MKL's, on Intel processors; elsewhere as we do.
NOT_FROM_MKL = {
    "bernoulli_": lambda m: m.empty(6).bernoulli_(0.3),
    "exponential_": lambda m: exponential(m, 3, 2),
    "multinomial, no replacement": lambda m: m.multinomial(m.tensor([1.0, 2, 3, 4]), 3),
}


def all_calls(m, seed):
    m.manual_seed(seed)
    return {name: call(m) for name, call in CALLS.items()}


QUESTIONS = {f"seed {seed}": lambda m, seed=seed: all_calls(m, seed) for seed in (0, 6, 42, 1099511627783)}
# What PyTorch gave for those of the other stream, after all calls above, on a processor where it has only one.
AFTERWARDS = {
    0: [[0.0, 1.0, 1.0, 0.0, 0.0, 0.0], [1.5727587938308716, 0.060097500681877136, 1.9953094720840454], [2, 3, 1]],
    6: [[0.0, 0.0, 0.0, 1.0, 0.0, 0.0], [0.39296334981918335, 0.3830172121524811, 0.13393475115299225], [3, 1, 2]],
    42: [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [1.2600538730621338, 0.1104065328836441, 0.5651798844337463], [1, 3, 0]],
    1099511627783: [
        [1.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        [0.16842032968997955, 0.029471151530742645, 0.49815163016319275],
        [3, 1, 2],
    ],
}


def assert_same(ours, theirs, tolerance=0.0):
    assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


def tolerance(numbers, vectorised=True):
    """How near normals must come: float32 ones to the bit, float64 ones as two libraries' sine and cosine agree."""
    if numbers.dtype.itemsize == 8 and numbers.dtype.kind == "f":
        return 1e-12
    return 0.0 if vectorised else 1e-5


@pytest.mark.parametrize("id", QUESTIONS)
def test_recorded(id):
    oracle.assert_same(oracle.answer(QUESTIONS[id], mg), recorded("random_stream")[id])


@pytest.mark.parametrize("seed", AFTERWARDS)
def test_recorded_where_mkl_is_not_used(seed):
    all_calls(mg, seed)
    for call, expected in zip(NOT_FROM_MKL.values(), AFTERWARDS[seed]):
        assert call(mg).tolist() == expected


def test_the_first_numbers_of_seed_6():
    numbers = draws.normal(stream.Generator().manual_seed(6), (4, 4))
    assert numbers.ravel()[:3].round(4).tolist() == np.float32([-1.2113, 0.6304, -1.4713]).tolist()


def test_a_generator_tells_where_it_draws():
    generator = copy.deepcopy(mg.Generator())
    assert generator.device == mg.device("cpu") and generator.device.type == "cpu"


def test_default_generator():
    assert stream.manual_seed(-1) is stream.default_generator
    assert stream.initial_seed() == 2**64 - 1
    first = draws.normal(None, (20,))
    stream.default_generator.manual_seed(-1)
    assert_same(draws.normal(None, (20,)), first)
    assert stream.seed() == stream.initial_seed() != 2**64 - 1
    assert stream.Generator().initial_seed() == 67280421310721


def test_state_carries_the_position_and_the_left_over_normal():
    generator = stream.Generator().manual_seed(3)
    draws.normal(generator, (3,))
    state = generator.get_state()
    expected = draws.normal(generator, (3,)), draws.uniform(generator, (1000,))
    other = stream.Generator().set_state(state)
    assert_same(draws.normal(other, (3,)), expected[0])
    assert_same(draws.uniform(other, (1000,)), expected[1])
    assert other.initial_seed() == 3


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: draws.randint(None, 5, 2, (2,)), RuntimeError, "got from=5 >= to=2"),
        (lambda: draws.bernoulli(None, 2.0, (2,)), RuntimeError, "but got p=2"),
        (lambda: draws.bernoulli(None, np.float32([2])), RuntimeError, "p_in <= 1"),
        (lambda: draws.normal(None, (2,), 0, -1), RuntimeError, "found std -1"),
        (lambda: draws.uniform(None, (2,), 2, 1), RuntimeError, "from=2 > to=1"),
        (lambda: draws.exponential(None, (2,), 0), RuntimeError, "found lambda=0"),
        (lambda: draws.randperm(None, -1), RuntimeError, "negative dimension -1"),
        (lambda: draws.multinomial(None, np.ones(3), 4), RuntimeError, "without replacement"),
        (lambda: draws.multinomial(None, np.ones(3), 0), RuntimeError, "n_sample <= 0"),
        (lambda: draws.multinomial(None, -np.ones(3), 2), RuntimeError, "element < 0"),
        (lambda: draws.multinomial(None, np.zeros(3), 2), RuntimeError, "sum of probabilities <= 0"),
        (lambda: draws.multinomial(None, np.ones((1, 1, 3)), 2), RuntimeError, "1 or 2 dim"),
        (lambda: stream.Generator("cuda"), RuntimeError, "cuda"),
        (lambda: stream.Generator().manual_seed(2**64), ValueError, "Overflow"),
        (lambda: stream.Generator().manual_seed(1.5), RuntimeError, "expected a long, but got float"),
        (lambda: stream.Generator().set_state(np.zeros(3)), TypeError, "ByteTensor"),
        (lambda: stream.Generator().set_state(np.zeros(3, np.uint8)), RuntimeError, "of size 5056 .* to be 3"),
    ],
)
def test_refusals_are_worded_as_in_torch(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


@pytest.fixture
def not_mkl(torch):
    torch.manual_seed(0)
    torch.empty(100).bernoulli_(0.5)
    after = stream.Generator().manual_seed(0)
    after.words(200)
    if torch.rand(()).item() != draws.uniform(after, ()):
        pytest.skip("here PyTorch takes these numbers from MKL")


def both(torch, seed):
    torch.manual_seed(seed)
    return stream.Generator().manual_seed(seed)


def vectorised(torch):
    """Whether PyTorch computes normals with its vector code, which we repeat to the bit."""
    return torch.backends.cpu.get_cpu_capability() in ("AVX2", "AVX512")


SEEDS = [*range(14), 2**32 + 1, 2**63 + 12345]
SIZES = [*range(41), 100, 1000, 10000]
SIZED = {
    "rand": lambda m, n: m.rand(n),
    "rand float64": lambda m, n: m.rand(n, dtype=m.double),
    "randn": lambda m, n: m.randn(n),
    "randn float64": lambda m, n: m.randn(n, dtype=m.double),
    "normal_": lambda m, n: m.empty(n).normal_(0.1, 2.3),
    "uniform_": lambda m, n: m.empty(n).uniform_(-0.7, 0.3),
    "randint": lambda m, n: m.randint(-7, 1000, (n,)),
    "short range": lambda m, n: m.randint(0, 2**28 - 1, (n,)),
    "wide range": lambda m, n: m.randint(0, 2**28, (n,)),
    "widest range": lambda m, n: m.randint(-(2**63), 2**63 - 1, (n,)),
    "randperm": lambda m, n: m.randperm(n),
    "bernoulli": lambda m, n: m.bernoulli(m.from_numpy(np.linspace(0, 1, n, dtype=np.float32))),
    "bernoulli float64": lambda m, n: m.bernoulli(m.from_numpy(np.linspace(0, 1, n))),
}
SIZED_NOT_FROM_MKL = {
    "bernoulli_": lambda m, n: m.empty(n).bernoulli_(0.3),
    "exponential_": lambda m, n: exponential(m, n, 2.5),
}


def compare_sizes(torch, call, normal=False):
    for seed in SEEDS:
        mg.manual_seed(seed), torch.manual_seed(seed)
        for size in SIZES:
            numbers, expected = call(mg, size).numpy(), call(torch, size).numpy()
            assert_same(numbers, expected, tolerance(numbers, vectorised(torch)) if normal else 0.0)


@pytest.mark.parametrize("name", SIZED)
def test_sizes(torch, name):
    compare_sizes(torch, SIZED[name], normal=name in ("randn", "randn float64", "normal_"))


@pytest.mark.parametrize("name", SIZED_NOT_FROM_MKL)
def test_sizes_where_mkl_is_not_used(torch, not_mkl, name):
    compare_sizes(torch, SIZED_NOT_FROM_MKL[name])


def compare_mixed(torch, calls, skipped_words=0):
    for seed in SEEDS:
        mg.manual_seed(seed).words(skipped_words)
        torch.manual_seed(seed)
        for pick in np.random.default_rng(seed).integers(len(calls), size=200):
            call = list(calls.values())[pick]
            numbers = call(mg).numpy()
            assert_same(numbers, call(torch).numpy(), tolerance(numbers, vectorised(torch)))


def test_mixed_calls_stay_in_step(torch):
    compare_mixed(torch, CALLS)


def test_mixed_calls_where_mkl_is_not_used(torch, not_mkl):
    compare_mixed(torch, CALLS | NOT_FROM_MKL)


def test_the_comparison_notices_one_skipped_word(torch):
    with pytest.raises(AssertionError):
        compare_mixed(torch, CALLS, skipped_words=1)


def test_state_moves_to_torch_and_back(torch):
    generator = both(torch, 5)
    for count in (0, 3, 621, 624, 700):
        generator.set_state(torch.get_rng_state().numpy())
        torch.rand(count), draws.uniform(generator, (count,))
        assert_same(draws.normal(generator, (3,)), torch.randn(3).numpy())
        torch.set_rng_state(torch.from_numpy(generator.get_state().numpy()))
        numbers = draws.normal(generator, (30,))
        assert_same(numbers, torch.randn(30).numpy(), tolerance(numbers, vectorised(torch)))


def test_the_state_is_got_and_set_by_pytorchs_names():
    state = mg.get_rng_state()
    drawn = mg.rand(3)
    mg.set_rng_state(state)
    assert mg.equal(mg.rand(3), drawn)
