"""What a tensor or a type is, how it lies in memory, and new tensors like a given one."""

import math
import warnings
from typing import Any

from ..core.tensor import Tensor, adds_to_tensor
from ..numbers import dtypes
from ..numbers.size_and_device import CPU, device
from ..ops.copying import contiguous as contiguous_copy
from ..ops.joining import length_of
from ..ops.public import of_tensor
from ..ops.rearranging import storage_offset_of
from ..words import absent, help, printing
from .creation import check_whole, empty, full, ones, tensor, zeros


def is_tensor(obj) -> bool:
    """Whether something is a Tensor.

    >>> import minigrad as mg
    >>> mg.is_tensor(mg.ones(2)), mg.is_tensor([1, 2])
    (True, False)
    """
    return isinstance(obj, Tensor)


@adds_to_tensor
class Facts(Tensor):
    """What a tensor says of itself."""

    def size(self, dim: int | None = None):
        """The shape, or its length along one dimension.

        >>> import minigrad as mg
        >>> mg.ones(2, 3).size(), mg.ones(2, 3).size(1)
        (minigrad.Size([2, 3]), 3)
        """
        if not isinstance(dim, int | None) or dim is True:
            check_whole("size", "dim", dim)
        return self.shape if dim is None else length_of(self, dim)

    def dim(self) -> int:
        """How many dimensions a tensor has.

        >>> import minigrad as mg
        >>> mg.ones(2, 3).dim()
        2
        """
        return self.ndim

    def numel(self) -> int:
        """How many elements a tensor has.

        >>> import minigrad as mg
        >>> mg.ones(2, 3).numel()
        6
        """
        return self._data.size

    nelement = numel

    @property
    def device(self) -> device:
        """Where the tensor lives: always the CPU.

        >>> import minigrad as mg
        >>> mg.ones(2).device
        device(type='cpu')
        """
        return CPU

    @property
    def itemsize(self) -> int:
        """How many bytes an element takes.

        >>> import minigrad as mg
        >>> mg.ones(2).itemsize, mg.arange(2).itemsize
        (4, 8)
        """
        return self.array.itemsize

    def element_size(self) -> int:
        """How many bytes an element takes.

        >>> import minigrad as mg
        >>> mg.ones(2).element_size()
        4
        """
        return self.array.itemsize

    def is_floating_point(self) -> bool:
        """Whether the elements are floats.

        >>> import minigrad as mg
        >>> mg.ones(2).is_floating_point(), mg.arange(2).is_floating_point()
        (True, False)
        """
        return self._data.dtype.kind == "f"

    def is_inference(self) -> bool:
        """Whether the tensor was made in inference mode.

        >>> import minigrad as mg
        >>> with mg.inference_mode():
        ...     x = mg.ones(2)
        >>> x.is_inference()
        True
        """
        return self._inference

    def is_complex(self) -> bool:
        """Whether the elements are complex numbers.

        >>> import minigrad as mg
        >>> mg.tensor([1j]).is_complex()
        True
        """
        return self._data.dtype.kind == "c"

    def is_contiguous(self, memory_format=None) -> bool:
        """Whether the elements lie in memory in the order in which they are counted.

        >>> import minigrad as mg
        >>> x = mg.ones(2, 3)
        >>> x.is_contiguous(), x.T.is_contiguous()
        (True, False)
        """
        return self.array.flags.c_contiguous

    def contiguous(self, memory_format=None) -> Tensor:
        """The tensor itself, or a copy whose elements lie in memory in order.

        >>> import minigrad as mg
        >>> x = mg.ones(2, 3)
        >>> x.contiguous() is x, x.T.contiguous().stride()
        (True, (2, 1))
        """
        return self if self.is_contiguous() else contiguous_copy(self)


def _stride(self, dim: int | None = None):
    """How many elements of memory lie between neighbours, along each dimension.

    >>> import minigrad as mg
    >>> x = mg.ones(2, 3)
    >>> x.stride(), x.T.stride()
    ((3, 1), (1, 3))
    """
    shape, steps = self.shape, [step // self.itemsize for step in self.array.strides]
    if not self.array.size and not any(steps):  # NumPy need not step where nothing is
        steps = [math.prod(max(n, 1) for n in shape[i + 1 :]) for i in range(self.ndim)]
    for i in reversed(range(self.ndim)):
        if shape[i] == 1 and steps[i] == 0:  # a dimension that was put in: NumPy does not step along it
            steps[i] = shape[i + 1] * steps[i + 1] if i + 1 < self.ndim else 1
    if dim is None:
        return tuple(steps)
    check_whole("stride", "dim", dim)
    length_of(self, dim)  # which refuses a dimension that is not there
    return steps[dim]


def _type(self, dtype=None):
    """The name of the type, as `minigrad.FloatTensor`; or the same numbers in another type.

    >>> import minigrad as mg
    >>> mg.ones(2).type(), mg.ones(2).type(int)
    ('minigrad.FloatTensor', tensor([1, 1]))
    """
    if dtype is None:
        return f"{printing.options.namespace}.{dtypes.short_name(self)}Tensor"
    return self.to(dtype=dtype)


def _volatile(self) -> bool:
    """What once turned recording off, as PyTorch says: False."""
    warnings.warn("volatile was removed (Variable.volatile is always False)", stacklevel=2)
    return False


def new(make):
    """`x.new_zeros(2)` of `zeros`: a tensor says the type where none is given."""

    def made_new(self, *args, dtype=None, **options):
        return make(*args, dtype=self.dtype if dtype is None else dtype, **options)

    made_new.__doc__ = help.with_example(f"`{make.__name__}`, in the type of this tensor.", f"new_{make.__name__}")
    return made_new


def set_default_device(device_) -> None:
    """Where new tensors live: here always the CPU.

    >>> import minigrad as mg
    >>> mg.set_default_device("cpu")
    """
    device(device_ or "cpu")


functions: dict[str, Any] = {one.__name__: one for one in (is_tensor, set_default_device)}
FREE = (Facts.is_floating_point, Facts.is_complex, Facts.is_inference, Facts.numel)  # functions as well as methods
functions |= {one.__name__: of_tensor(one, one.__name__) for one in FREE}
functions |= {name: name for name in ("contiguous_format", "preserve_format")}  # how numbers may lie in memory

METHODS: dict[str, Any] = {
    **{f"new_{make.__name__}": new(make) for make in (zeros, ones, empty, full, tensor)},
    "index": lambda self, indices: self[indices],
    "type": _type,
    "stride": _stride,
    "storage_offset": storage_offset_of,
    "data_ptr": lambda self: self.array.ctypes.data,
    "ndimension": lambda self: self.ndim,
}
METHODS |= {name: absent.refusal(name) for name in absent.METHODS}
FACTS: dict[str, Any] = {
    "is_cuda": False,
    "nbytes": property(lambda self: self.array.nbytes, doc="How many bytes the elements take."),
    "name": property(lambda self: None, doc="None: no tensor has a name of its own here."),
    "_grad_fn": property(lambda self: self.grad_fn, doc="The same as `grad_fn`."),
    "volatile": property(_volatile),
}
for _name, _method in METHODS.items():
    _method.__name__ = _method.__qualname__ = _name  # under which an error speaks of it
    _method.__doc__ = _method.__doc__ or help.with_example(None, _name)
for _name, _fact in (METHODS | FACTS).items():
    setattr(Tensor, _name, _fact)
    if isinstance(_fact, property):
        _fact.__set_name__(Tensor, _name)  # type: ignore[attr-defined] # under which an error speaks of it
