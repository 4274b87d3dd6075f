"""How far to go along a direction: a point that is low enough, and where the slope is flat enough (Wolfe)."""

import math
from collections.abc import Callable
from typing import NamedTuple

from ..tensor import Tensor

ENOUGH_DESCENT, ENOUGH_FLATTENING = 1e-4, 0.9
SHORTEST, MOST_TRIES = 1e-9, 25


class Trial(NamedTuple):
    """One point on the line: how far out, the loss, the gradient, and its component along the line."""

    size: float
    loss: float
    gradient: Tensor
    slope: float


def strong_wolfe(trial: Callable[[float], Trial], start: Trial, size: float, longest: float) -> tuple[Trial, int]:
    """A point that satisfies both conditions, or the best one seen, and how often the loss was computed.

    First the steps grow until two points are known to have such a point between them; then that bracket is narrowed.
    `longest` is the largest component of the direction.
    """

    def too_high(point: Trial) -> bool:
        return point.loss > start.loss + ENOUGH_DESCENT * point.size * start.slope

    def flat_enough(point: Trial) -> bool:
        return abs(point.slope) <= -ENOUGH_FLATTENING * start.slope

    last, point, rounds, tries = start, trial(size), 0, 1
    while rounds < MOST_TRIES:
        if too_high(point) or (rounds > 1 and point.loss >= last.loss):
            break
        if flat_enough(point):
            return point, tries
        if point.slope >= 0:
            break
        furthest = (point.size + 0.01 * (point.size - last.size), point.size * 10)
        last, point = point, trial(lowest_between(last, point, furthest))
        rounds, tries = rounds + 1, tries + 1
    if rounds == MOST_TRIES:
        last = start

    low, high = (last, point) if last.loss <= point.loss else (point, last)
    stuck = False  # whether the last guess was near an end of the bracket
    while rounds < MOST_TRIES and abs(high.size - low.size) * longest >= SHORTEST:
        left, right = sorted((low.size, high.size))
        size = lowest_between(last, point, None)
        margin = 0.1 * (right - left)
        near_an_end = min(right - size, size - left) < margin
        if near_an_end and (stuck or size >= right or size <= left):
            size = right - margin if abs(size - right) < abs(size - left) else left + margin
            near_an_end = False
        stuck = near_an_end
        new = trial(size)
        rounds, tries = rounds + 1, tries + 1
        if too_high(new) or new.loss >= low.loss:
            low, high = (low, new) if low.loss <= new.loss else (new, low)
        else:
            if flat_enough(new):
                return new, tries
            low, high = new, low if new.slope * (high.size - low.size) >= 0 else high
        last, point = low, high
    return low, tries


def lowest_between(a: Trial, b: Trial, bounds: tuple[float, float] | None) -> float:
    """Where the cubic through two points with their slopes is lowest, within bounds; the middle if nowhere."""
    low, high = bounds or sorted((a.size, b.size))
    bend = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.size - b.size)
    root = bend * bend - a.slope * b.slope
    if root < 0:
        return (low + high) / 2
    left, right = (a, b) if a.size <= b.size else (b, a)
    root = math.sqrt(root)
    share = (right.slope + root - bend) / (right.slope - left.slope + 2 * root)
    return min(max(right.size - (right.size - left.size) * share, low), high)
