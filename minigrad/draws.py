"""PyTorch's CPU random numbers, as NumPy arrays: how each distribution spends the words of the stream in `random.py`.

>>> generator = Generator().manual_seed(6)
>>> print(normal(generator, (4, 4))[0, :3].round(4))
[-1.2113  0.6304 -1.4713]

Each function takes a generator first (None for the default one) and returns a new array. On Intel processors PyTorch
takes `bernoulli_` with one probability, `exponential_` and what rests on it from MKL's stream, which is not repeated.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .random import Generator, default_generator
from .rounding import log32, multiply_add, sin_cos32

if TYPE_CHECKING:  # at run time numpy.typing would cost a third of the whole import
    from numpy.typing import DTypeLike

Shape = tuple[int, ...]
Array = np.ndarray


def uniform(
    generator: Generator | None, shape: Shape, low: float = 0.0, high: float = 1.0, dtype: DTypeLike = np.float32
) -> Array:
    """Numbers spread evenly over [low, high); a complex number draws its two parts in turn.

    >>> print(uniform(Generator().manual_seed(0), (3,)).round(4))
    [0.4963 0.7682 0.0885]
    """
    if low > high:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}")
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        return uniform(generator, (*shape, 2), low, high, _part(dtype)).view(dtype)[..., 0]
    unit = (generator or default_generator).unit(math.prod(shape), dtype)
    bounds = np.array([low, high], unit.dtype)
    numbers = multiply_add(unit, bounds[1] - bounds[0], bounds[0]).astype(dtype)
    # Rounding can reach `high`, which is outside.
    return np.where(numbers == np.asarray(high, dtype), np.asarray(low, dtype), numbers).reshape(shape)


def normal(
    generator: Generator | None,
    shape: Shape,
    mean: float = 0.0,
    std: float = 1.0,
    dtype: DTypeLike = np.float32,
    contiguous: bool = True,
) -> Array:
    """Normal numbers; `contiguous=False` is how PyTorch fills an array that is not (see `fill`).

    The variance of a complex number is split between its parts.

    >>> print(normal(Generator().manual_seed(0), (3,)).round(4))
    [ 1.541  -0.2934 -2.1788]
    """
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    generator, dtype, count = generator or default_generator, np.dtype(dtype), math.prod(shape)
    if dtype.kind == "c":
        return normal(generator, (*shape, 2), mean, std / 2**0.5, _part(dtype), contiguous).view(dtype)[..., 0]
    in_blocks = contiguous and count >= 16
    numbers = _normal_blocks(generator, count, dtype) if in_blocks else _normal_pairs(generator, count)
    return multiply_add(numbers, std, mean).astype(dtype).reshape(shape)


def normal_around(generator: Generator | None, mean: float | Array, std: float | Array) -> Array:
    """One normal number for each mean and standard deviation, of which one may be a plain number.

    >>> print(normal_around(Generator().manual_seed(0), np.float32([0, 100]), 1.0).round(4))
    [ 1.541  99.7066]
    """
    if np.any(np.asarray(std) < 0):
        raise RuntimeError("normal expects all elements of std >= 0.0")
    shape = np.broadcast(mean, std).shape
    if isinstance(std, np.ndarray):
        return normal(generator, shape, dtype=np.result_type(mean, std)) * std + mean
    return normal(generator, shape, 0.0, std, np.asarray(mean).dtype) + mean


def randint(
    generator: Generator | None, low: int, high: int | None, shape: Shape, dtype: DTypeLike = np.int64
) -> Array:
    """Whole numbers in [low, high); high=None is every number from 0 that the dtype counts without a gap.

    >>> randint(Generator().manual_seed(0), 0, 10, (4,)).tolist()
    [4, 9, 3, 0]
    """
    generator, dtype, count = generator or default_generator, np.dtype(dtype), math.prod(shape)
    wide = dtype.itemsize == 8
    if high is None:
        low, high = 0, _count_of_whole_numbers(dtype)
    elif low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    else:
        wide = True
    # A short range takes one word each, whose remainder is near enough to even.
    words = generator.wide_words(count) if wide and high - low >= 2**28 else generator.words(count).astype(np.uint64)
    # Adding `low` as unsigned wraps around to the right negative number.
    numbers = words % np.uint64(high - low) + np.uint64(low % 2**64)
    return numbers.view(np.int64).astype(dtype).reshape(shape)


def randperm(generator: Generator | None, count: int, dtype: DTypeLike = np.int64) -> Array:
    """The numbers below `count`, shuffled: each place in turn swaps with a random one not before it.

    >>> randperm(Generator().manual_seed(0), 5).tolist()
    [4, 0, 1, 3, 2]
    """
    if count < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {count}: [{count}]")
    order = list(range(count))
    steps = (generator or default_generator).words(max(count - 1, 0)) % np.arange(count, 1, -1)
    for place, step in enumerate(steps.tolist()):
        order[place], order[place + step] = order[place + step], order[place]
    return np.array(order, dtype)


def bernoulli(
    generator: Generator | None, p: float | Array, shape: Shape = (), dtype: DTypeLike | None = None
) -> Array:
    """Ones with probability `p`, zeros otherwise; an array gives every place its own probability, and the shape.

    >>> bernoulli(Generator().manual_seed(0), 0.5, (5,)).tolist()
    [0.0, 0.0, 1.0, 0.0, 0.0]
    """
    generator = generator or default_generator
    if isinstance(p, np.ndarray):
        if not np.all((p >= 0) & (p <= 1)):
            raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
        return (generator.unit(p.size, p.dtype).reshape(p.shape) < p).astype(dtype or p.dtype)
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    # One probability for all is compared in double precision, whatever the dtype.
    return (generator.unit(math.prod(shape), np.float64) < p).astype(dtype or np.float32).reshape(shape)


def poisson(generator: Generator | None, rates: Array) -> Array:
    """How many events happen where so many are expected, for each of the rates.

    >>> poisson(Generator().manual_seed(0), np.float32([1, 5, 50])).tolist()
    [2.0, 6.0, 49.0]
    """
    if not np.all(rates >= 0):
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    generator = generator or default_generator
    counts = [(_few_events if rate < 10 else _many_events)(generator, rate) for rate in rates.ravel().tolist()]
    return np.array(counts, rates.dtype).reshape(rates.shape)


def _few_events(generator: Generator, rate: float) -> int:
    """Waits of random length are put one after another, until one unit of time has passed (D. Knuth)."""
    count, product = 0, 1.0
    while rate and (product := product * float(generator.unit(1, np.float64)[0])) > math.exp(-rate):
        count += 1
    return count


def _many_events(generator: Generator, rate: float) -> int:
    """Points below a curve that covers the distribution; the first one below that, too, counts (W. Hörmann's PTRS)."""
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = 0.02483 * b - 0.059
    while True:
        u, v = generator.unit(2, np.float64).tolist()
        edge = 0.5 - abs(u - 0.5)
        if edge == 0:
            continue
        count = math.floor((2 * a / edge + b) * (u - 0.5) + rate + 0.43)
        if edge >= 0.07 and v <= 0.9277 - 3.6224 / (b - 2):
            return count
        if count < 0 or (edge < 0.013 and v > edge):
            continue
        height = math.log(v * (1.1239 + 1.1328 / (b - 3.4)) / (a / edge**2 + b)) if v else -math.inf
        if height <= count * math.log(rate) - rate - math.lgamma(count + 1):
            return count


def exponential(generator: Generator | None, shape: Shape, rate: float = 1.0, dtype: DTypeLike = np.float32) -> Array:
    """Waiting times between events that come `rate` times per unit of time.

    >>> print(exponential(Generator().manual_seed(0), (2,)).round(4))
    [3.5083 1.2304]
    """
    if rate <= 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
    unit = (generator or default_generator).unit(math.prod(shape), np.float64)
    return (-1 / rate * np.log1p(-unit)).astype(dtype).reshape(shape)


def cauchy(
    generator: Generator | None, shape: Shape, median: float = 0.0, sigma: float = 1.0, dtype: DTypeLike = np.float32
) -> Array:
    """Where a lamp at distance `sigma` from a wall shines that points anywhere.

    >>> print(cauchy(Generator().manual_seed(0), (2,)).round(4))
    [10.5977  0.7648]
    """
    if sigma <= 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    unit = (generator or default_generator).unit(math.prod(shape), np.float64)
    return (median + sigma * np.tan(np.pi * (unit - 0.5))).astype(dtype).reshape(shape)


def log_normal(
    generator: Generator | None, shape: Shape, mean: float = 1.0, std: float = 2.0, dtype: DTypeLike = np.float32
) -> Array:
    """Numbers whose logarithms are normal.

    >>> print(log_normal(Generator().manual_seed(0), (2,)).round(4))
    [59.2634  1.5116]
    """
    if std <= 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    numbers = _normal_pairs(generator or default_generator, math.prod(shape))
    return np.exp(numbers * std + mean).astype(dtype).reshape(shape)


def geometric(generator: Generator | None, shape: Shape, p: float, dtype: DTypeLike = np.float32) -> Array:
    """How many trials it takes to the first success.

    >>> geometric(Generator().manual_seed(0), (5,), 0.3, np.int64).tolist()
    [1, 1, 3, 1, 2]
    """
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    unit = (generator or default_generator).unit(math.prod(shape), np.float64)
    return np.ceil(np.log(unit) / np.log1p(-p)).astype(dtype).reshape(shape)


def multinomial(generator: Generator | None, weights: Array, count: int, replacement: bool = False) -> Array:
    """`count` places out of each row of weights, a place as likely as its weight is large.

    >>> multinomial(Generator().manual_seed(0), np.float32([0, 3, 1, 0]), 2).tolist()
    [1, 2]
    """
    places = weights.shape[-1] if weights.ndim else 0
    if weights.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if count <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if count > places and not replacement:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if not np.all(np.isfinite(weights) & (weights >= 0)):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if not np.all(weights.sum(-1) > 0):
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    if count == 1 or not replacement:
        # The first of several events to happen is the one with the highest rate over waiting time.
        waits = fill(np.empty_like(weights), lambda shape: exponential(generator, shape, dtype=weights.dtype))
        return np.argsort(-(weights / waits), axis=-1, kind="stable")[..., :count]
    sums = weights.cumsum(-1, weights.dtype).reshape(-1, places)
    points = (generator or default_generator).unit(len(sums) * count, np.float64).reshape(-1, count)
    picks = [np.searchsorted(row / row[-1], wanted) for row, wanted in zip(sums, points, strict=True)]
    return np.array(picks).reshape(*weights.shape[:-1], count)


def fill(target: Array, draw: Callable[..., Array], *along: Array) -> Array:
    """Write `draw(shape)` into `target` the way PyTorch fills any strided array: in the order of its memory.

    What else `draw` needs for each element is brought into that order, too.

    >>> columns = np.zeros((2, 3)).T
    >>> fill(columns, lambda shape: np.arange(6).reshape(shape)).tolist()
    [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]
    """
    outermost_first = sorted(range(target.ndim), key=lambda axis: -target.strides[axis])
    in_memory_order = target.transpose(outermost_first)
    others = [np.broadcast_to(one, target.shape).transpose(outermost_first) for one in along]
    in_memory_order[...] = draw(in_memory_order.shape, *others)
    return target


def _part(dtype: np.dtype) -> np.dtype:
    """The dtype of the real and of the imaginary part."""
    return np.dtype(f"f{dtype.itemsize // 2}")


def _count_of_whole_numbers(dtype: np.dtype) -> int:
    """How many whole numbers from 0 up `dtype` holds without a gap."""
    if dtype.kind == "f":
        return 2 ** (np.finfo(dtype).nmant + 1) + 1
    return 2 if dtype.kind == "b" else int(np.iinfo(dtype).max) + 1


def _normal_pairs(generator: Generator, count: int) -> Array:
    """Box and Muller's method one pair at a time, in double precision; the half of a pair not asked for waits."""
    waiting = [] if generator.spare_normal is None or count == 0 else [generator.spare_normal]
    unit = generator.unit((count - len(waiting) + 1) // 2 * 2, np.float64)
    angle, radius = 2 * np.pi * unit[0::2], np.sqrt(-2 * np.log1p(-unit[1::2]))
    pairs = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()
    numbers = np.concatenate([waiting, pairs])
    if count:
        generator.spare_normal = float(numbers[count]) if numbers.size > count else None
    return numbers[:count]


def _normal_blocks(generator: Generator, count: int, dtype: DTypeLike) -> Array:
    """Box and Muller's method on blocks of 16: eight radii, eight angles. A ragged end gets a last block of its own."""
    whole = count // 16 * 16
    numbers = _box_muller(generator.unit(whole, dtype).reshape(-1, 2, 8)).ravel()
    if count == whole:
        return numbers
    if np.dtype(dtype).itemsize > 2:
        # PyTorch draws the ragged end too, only to overwrite it.
        generator.unit(count - whole, dtype)
    last = _box_muller(generator.unit(16, dtype).reshape(1, 2, 8)).ravel()
    return np.concatenate([numbers[: count - 16], last])


def _box_muller(unit: Array) -> Array:
    """Blocks (n, 2, 8) of uniform numbers, radii over angles, into as many normal ones."""
    log, sin_cos = (log32, sin_cos32) if unit.dtype == np.float32 else (np.log, lambda x: (np.sin(x), np.cos(x)))
    radius = np.sqrt(unit.dtype.type(-2) * log(1 - unit[:, 0]))
    sin, cos = sin_cos(unit.dtype.type(2 * np.pi) * unit[:, 1])
    return np.stack([radius * cos, radius * sin], axis=1)
