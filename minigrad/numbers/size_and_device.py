"""What a tensor says of itself besides its type: how large it is, and where it lives."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from ..words import printing


class Size(tuple):
    """A shape: a tuple that prints itself as PyTorch's does.

    >>> import minigrad as mg
    >>> mg.ones(2, 3).shape, mg.ones(2, 3).shape.numel()
    (minigrad.Size([2, 3]), 6)
    """

    def __new__(cls, sizes=(), /):
        return tuple.__new__(cls, [whole(size, place) for place, size in enumerate(sizes)])

    def numel(self) -> int:
        return int(np.prod(self, dtype=np.int64))

    def __repr__(self) -> str:
        return f"{printing.options.namespace}.Size({list(self)})"

    def __add__(self, other):
        if not isinstance(other, tuple):
            raise TypeError(f"can only concatenate tuple (not {type(other).__name__}) to {SIZE}")
        return Size(tuple.__add__(self, other))

    def __radd__(self, other):
        return Size(other + tuple(self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, count):
        return Size(tuple.__mul__(self, count))

    __rmul__ = __mul__

    def __getitem__(self, index):
        found = tuple.__getitem__(self, index)
        return Size(found) if isinstance(index, slice) else found


SIZE = "minigrad.Size"


def whole(size, place: int) -> int:
    """One of the sizes, as Python's integer."""
    try:
        return int(index(size))
    except TypeError:
        kind = type(size).__name__
        raise TypeError(f"{SIZE}() takes an iterable of 'int' (item {place} is '{kind}')") from None


def sizes_of(given: tuple) -> tuple:
    """`view(2, 3)` and `view((2, 3))` mean the same."""
    if not given:
        raise TypeError('missing 1 required positional arguments: "size"')
    sizes = given[0] if len(given) == 1 and isinstance(given[0], list | tuple) else given
    try:
        return tuple(map(index, sizes))
    except TypeError:
        wrong = next((one for one in sizes if not hasattr(one, "__index__") or getattr(one, "ndim", None)), sizes[0])
        what = "not" if sizes is given and len(given) == 1 else "but found element of type"
        raise TypeError(f"argument 'size' must be tuple of ints, {what} {type(wrong).__name__}") from None


class device:
    """Where a tensor lives: always the CPU here.

    >>> import minigrad as mg
    >>> mg.device("cpu")
    device(type='cpu')
    """

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        if not isinstance(type, str | device) and type.__class__ is not int:
            raise TypeError(f"argument 'device' must be torch.device, not {type.__class__.__name__}")
        name = str(type)
        kind, _, number = name.partition(":")
        if kind != "cpu":
            instead = f"the type is minigrad.{name}" if hasattr(np, name) else "use 'cpu'"
            raise RuntimeError(f"this engine runs on the CPU only, but the device asked for is '{name}'; {instead}")
        self.type, self.index = kind, int(number) if number else index

    def __repr__(self) -> str:
        return f"device(type='{self.type}'{'' if self.index is None else f', index={self.index}'})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other) -> bool:
        return isinstance(other, device) and self.index == other.index  # as in PyTorch, no string is equal

    def __hash__(self) -> int:
        return hash((self.type, self.index))


CPU = device()
