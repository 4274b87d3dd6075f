"""A tensor in another type of number: `x.to(minigrad.float64)`, `x.float()`, `x.type_as(y)`."""

import numpy as np

from ..core.tensor import Tensor
from ..numbers import dtypes
from ..numbers.size_and_device import device as Device
from ..ops.copying import to_copy
from ..words.calling import kind_of


def asked(args: tuple, dtype=None, device=None):
    """The type that the arguments of `to` ask for, by place or by name; the device can be the CPU only."""
    for given in args:
        if isinstance(given, Tensor | dtypes.dtype | type | np.dtype) and dtype is None:
            dtype = given.dtype if isinstance(given, Tensor) else given
        elif isinstance(given, str | Device) and device is None:
            device = given
        elif not isinstance(given, bool | None):
            kinds = ", ".join(map(kind_of, args))
            raise TypeError(f"to() received an invalid combination of arguments - got ({kinds})")
    if device is not None:
        Device(device)
    return dtype


def to(self, *args, dtype=None, device=None, copy=False, non_blocking=False, memory_format=None):
    """The same numbers in another type: `x.to(minigrad.float64)`, `x.to(other)`, `x.to("cpu")`.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.5, 2.5], requires_grad=True)
    >>> x.to(mg.float64)
    tensor([1.5000, 2.5000], dtype=minigrad.float64, grad_fn=<ToCopyBackward0>)
    >>> x.to(mg.float32) is x, x.to(int)
    (True, tensor([1, 2]))
    """
    dtype = asked(args, dtype, device)
    copy = copy or [one for one in args if isinstance(one, bool)][1:] == [True]  # the first is `non_blocking`
    wanted = self.numbers.dtype if dtype is None else dtypes.to_numpy(dtype)
    if wanted != self.numbers.dtype or copy:
        self = to_copy(self if dtypes.is_differentiable(wanted) else self.detach(), wanted)
    if memory_format not in (None, "contiguous_format", "preserve_format"):
        raise TypeError(f"to(): argument 'memory_format' must not be a {type(memory_format).__name__}")
    return self.contiguous() if memory_format == "contiguous_format" else self


def into(name: str):
    """The method that is named after a type."""

    def converted(self, *, memory_format=None):
        return to(self, dtype=dtypes.of(name), memory_format=memory_format)

    converted.__doc__ = f"The same numbers as {name}: `x.to(minigrad.{name})`."
    return converted


def type_as(self, other):
    """The same numbers in the type of another tensor."""
    return to(self, dtype=other.dtype)


def cpu(self):
    """The tensor itself, which is on the CPU already."""
    return self


TYPES = dtypes.C_TYPES | {"bool": "bool", "byte": "uint8", "char": "int8"}
METHODS = {method.__name__: method for method in (to, type_as, cpu)} | {name: into(TYPES[name]) for name in TYPES}
for _name, _method in METHODS.items():
    _method.__name__ = _method.__qualname__ = _name  # under which an error speaks of it
    setattr(Tensor, _name, _method)
