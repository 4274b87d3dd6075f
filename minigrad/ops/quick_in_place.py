"""Changes in place that nobody records and nobody listens to: NumPy writes, the version counts up, and that is all."""

from collections.abc import Callable
from threading import get_ident

import numpy as np

from ..core.events import forward_listeners
from ..core.modes import dual_levels, inferring, packers, paused
from ..core.tensor import Tensor, counter_of
from ..numbers.dtypes import FLOAT32, FLOAT64
from ..numbers.promotion import WEAK
from ..numbers.quiet import quietly
from ..words.source import mark


def quick_in_place(compute: Callable, count: int, twin: Callable, numbers: frozenset = WEAK) -> Callable:
    """A twin that is quick with floats that are no view, and with `count` more arguments: a number, or floats of the
    same type. `compute` is called as NumPy's functions are, the result last. All else is left to `twin`.
    """

    def run(into, *others, **options):
        if options or forward_listeners or dual_levels or packers or len(others) != count:
            return twin(into, *others, **options)
        x, recording = into._data, not paused or get_ident() not in paused
        dtype = x.dtype
        if dtype is not FLOAT32 and dtype is not FLOAT64:
            return twin(into, *others)
        if into._base is not None or into._inference or (recording and into._requires_grad):
            return twin(into, *others)
        if inferring and get_ident() in inferring:
            return twin(into, *others)
        if others and type(y := others[0]) not in numbers:
            if not isinstance(y, Tensor) or y._data.dtype is not dtype or (recording and y.requires_grad):
                return twin(into, y)
            if y._base is not None:  # perhaps of what is written to
                return twin(into, y)
            y = y._data
        memory = x if type(x) is np.ndarray else None
        try:
            out = quietly(compute, x, y, memory) if others else quietly(compute, x, memory)
        except (ValueError, TypeError, RuntimeError):  # a shape that does not fit; or another thread computes now
            return twin(into, *others)
        if memory is None:  # a number that nobody shares is replaced by another
            if out.shape:
                return twin(into, *others)
            into._data = out
        counter = into._counter or counter_of(into)
        counter[:] = counter[0] + 1, mark(2)
        return into

    return run
