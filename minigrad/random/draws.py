"""PyTorch's CPU random numbers, as NumPy arrays: how each distribution spends the words of `stream.py`.

Each function takes a generator first (None for the default one) and returns a new array. On Intel processors PyTorch
takes `bernoulli_` with one probability, `exponential_` and what rests on it from MKL's stream, which is not repeated.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..numbers.rounding import log32, multiply_add, sin_cos32
from .stream import Generator, default_generator

if TYPE_CHECKING:  # at run time numpy.typing would cost a third of the whole import
    from numpy.typing import DTypeLike

Shape = tuple[int, ...]
Array = np.ndarray


def uniform(
    generator: Generator | None, shape: Shape, low: float = 0.0, high: float = 1.0, dtype: DTypeLike = np.float32
) -> Array:
    """Numbers spread evenly over [low, high); a complex number draws its two parts in turn."""
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
    generator: Generator | None, shape: Shape, mean=0.0, std=1.0, dtype: DTypeLike = np.float32, blocks: bool = True
) -> Array:
    """Normal numbers, many in blocks; the variance of a complex number is split between its parts."""
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    generator, dtype, count = generator or default_generator, np.dtype(dtype), math.prod(shape)
    if dtype.kind == "c":
        return normal(generator, (*shape, 2), mean, std / 2**0.5, _part(dtype)).view(dtype)[..., 0]
    numbers = _normal_blocks(generator, count, dtype) if blocks and count >= 16 else _normal_pairs(generator, count)
    return multiply_add(numbers, std, mean).astype(dtype).reshape(shape)


def randint(generator: Generator | None, low: int, high: int, shape: Shape, dtype: DTypeLike = np.int64) -> Array:
    """Whole numbers in [low, high)."""
    generator, count = generator or default_generator, math.prod(shape)
    if low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    # A short range takes one word each, whose remainder is near enough to even.
    words = generator.wide_words(count) if high - low >= 2**28 else generator.words(count).astype(np.uint64)
    # Adding `low` as unsigned wraps around to the right negative number.
    numbers = words % np.uint64(high - low) + np.uint64(low % 2**64)
    return numbers.view(np.int64).astype(dtype).reshape(shape)


def randperm(generator: Generator | None, count: int, dtype: DTypeLike = np.int64) -> Array:
    """The numbers below `count`, shuffled: each place in turn swaps with a random one not before it."""
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
    """Ones with probability `p`, zeros otherwise; an array gives every place its own probability, and the shape."""
    generator = generator or default_generator
    if isinstance(p, np.ndarray | np.floating):
        p = np.asarray(p)
        if not np.all((p >= 0) & (p <= 1)):
            raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
        return np.asarray(generator.unit(p.size, p.dtype).reshape(p.shape) < p, dtype or p.dtype)
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    # One probability for all is compared in double precision, whatever the dtype.
    return (generator.unit(math.prod(shape), np.float64) < p).astype(dtype or np.float32).reshape(shape)


def exponential(generator: Generator | None, shape: Shape, rate: float = 1.0, dtype: DTypeLike = np.float32) -> Array:
    """Waiting times between events that come `rate` times per unit of time."""
    if rate <= 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
    unit = (generator or default_generator).unit(math.prod(shape), np.float64)
    return (-1 / rate * np.log1p(-unit)).astype(dtype).reshape(shape)


def multinomial(generator: Generator | None, weights: Array, count: int, replacement: bool = False) -> Array:
    """`count` places out of each row of weights, a place as likely as its weight is large."""
    places = weights.shape[-1] if weights.ndim else 0
    if weights.ndim not in (1, 2) or weights.dtype.kind != "f":
        raise RuntimeError("prob_dist must be 1 or 2 dim, of floating point numbers")
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
        waits = exponential(generator, weights.shape, dtype=weights.dtype)
        return np.argsort(-(weights / waits), axis=-1, kind="stable")[..., :count].copy()
    sums = weights.cumsum(-1, weights.dtype).reshape(-1, places)
    points = (generator or default_generator).unit(len(sums) * count, np.float64).reshape(-1, count)
    picks = [np.searchsorted(row / row[-1], wanted) for row, wanted in zip(sums, points, strict=True)]
    return np.array(picks).reshape(*weights.shape[:-1], count)


def _part(dtype: np.dtype) -> np.dtype:
    """The dtype of the real and of the imaginary part."""
    return np.dtype(f"f{dtype.itemsize // 2}")


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
