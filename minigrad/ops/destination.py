"""Where a result is written, if not into new memory: `out=` names a tensor for it, `inplace=True` means the argument.

Both are forms of a row, chosen by their keyword: a call without them pays nothing for it. A function that is made of
several rows pays a call in between; its method, which has no `out`, does not.

>>> import minigrad as mg
>>> sums = mg.zeros(2)
>>> mg.add(mg.ones(2), 1, out=sums) is sums
True
>>> sums
tensor([2., 2.])
"""

import warnings
from collections.abc import Callable

import numpy as np

from ..core.modes import modes, no_grad
from ..core.tensor import Tensor
from ..numbers.dtypes import CATEGORY, SHORT_NAMES
from ..numbers.memory import check_apart
from ..words.calling import MISUSES, called_again


def into_out(function: Callable, name: str) -> Callable:
    """The form with `out=`: nothing is recorded, so no argument may ask for it."""

    elementwise = hasattr(function, "op") and function.op.elementwise

    def form(*args, out=None, **options):
        if out is None:
            try:
                return function(*args, **options)
            except MISUSES:
                return called_again(function, name, args, options)
        targets = out if isinstance(out, tuple | list) else (out,)
        for target in targets:
            if not isinstance(target, Tensor):
                raise TypeError(f"{name}(): argument 'out' must be Tensor, not {type(target).__name__}")
        lists = [one for one in args if isinstance(one, tuple | list)]
        given = [*targets, *args, *options.values(), *(one for several in lists for one in several)]
        if modes.state.grad and any(isinstance(one, Tensor) and one.requires_grad for one in given):
            raise RuntimeError(
                f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
                "arguments requires grad."
            )
        with no_grad():
            found = function(*args, **options)
            for target, result in zip(targets, found if isinstance(found, tuple) else (found,)):
                if elementwise:
                    check_apart(target.array, [one.array for one in given if isinstance(one, Tensor)])
                put(target, result)
        return out

    return form


def put(target: Tensor, result: Tensor) -> None:
    """Write a result over a tensor, which takes its shape, but keeps its own type."""
    kinds = result.array.dtype, target.array.dtype
    if CATEGORY[kinds[0].kind] > CATEGORY[kinds[1].kind]:
        names = [SHORT_NAMES[one.name] for one in kinds]
        raise RuntimeError(f"result type {names[0]} can't be cast to the desired output type {names[1]}")
    if target.shape != result.shape:
        if target.numel():
            warnings.warn(
                "An output with one or more elements was resized since it had shape "
                f"{list(target.shape)}, which does not match the required output shape {list(result.shape)}. "
                "Give a tensor of that shape, or an empty one.",
                stacklevel=5,
            )
        target._data = np.empty(result.shape, kinds[1])
    target.copy_(result)


def on_request(function: Callable, twin: Callable) -> Callable:
    """The form with `inplace`: as PyTorch's activations have it."""

    def form(*args, inplace=False, **options):
        return (twin if inplace else function)(*args, **options)

    return form
