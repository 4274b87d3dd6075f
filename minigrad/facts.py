"""What a tensor or a type is, new tensors like a given one, and what is not here, with what to use instead."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from . import dtypes
from .creation import full, made, numpy_type, ones, shape_of, tensor, zeros
from .ops.copying import contiguous as contiguous_copy
from .ops.rearranging import storage_offset_of
from .storage import TypedStorage, UntypedStorage
from .tensor import CPU, Tensor, device, wrap
from .words import printing

# == types =================================================================================================


class finfo:
    """The limits of a floating type.

    >>> import minigrad as mg
    >>> finfo(mg.float32).eps
    1.1920928955078125e-07
    """

    def __init__(self, type=None) -> None:
        kind = numpy_type(type)
        if not dtypes.is_differentiable(kind):
            raise TypeError(
                f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{dtypes.of(kind)}'"
            )
        found = dtypes.limits(kind)
        self.bits, self.dtype = found.bits, found.dtype.name
        self.eps, self.max, self.min = float(found.eps), float(found.max), float(found.min)
        self.tiny = self.smallest_normal = float(found.smallest_normal)
        self.resolution = 10.0**-found.precision

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        shown = ", ".join(f"{name}={getattr(self, name):.6g}" for name in names)
        return f"finfo({shown}, dtype={self.dtype})"


class iinfo:
    """The limits of an integer type.

    >>> import minigrad as mg
    >>> iinfo(mg.int8).max
    127
    """

    def __init__(self, type) -> None:
        kind = numpy_type(type)
        if kind.kind not in "iu":
            raise TypeError(
                f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{dtypes.of(kind)}'"
            )
        found = np.iinfo(kind)
        self.bits, self.dtype, self.min, self.max = found.bits, kind.name, int(found.min), int(found.max)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


def result_type(tensor1, tensor2) -> dtypes.dtype:
    """The type in which two tensors or numbers meet.

    >>> import minigrad as mg
    >>> result_type(mg.tensor([1, 2]), 1.5)
    minigrad.float32
    """
    return dtypes.of(dtypes.common([one.array if isinstance(one, Tensor) else one for one in (tensor1, tensor2)]))


def can_cast(from_, to) -> bool:
    """Whether an in-place operation may write one type into another: never a float into integers.

    >>> import minigrad as mg
    >>> can_cast(mg.float64, mg.float32), can_cast(mg.float32, mg.int64)
    (True, False)
    """
    kinds = [dtypes.CATEGORY[dtypes.to_numpy(one).kind] for one in (from_, to)]
    return kinds[0] <= kinds[1]


# == what a tensor is ======================================================================================


def is_tensor(obj) -> bool:
    """Whether something is a Tensor."""
    return isinstance(obj, Tensor)


def is_floating_point(input: Tensor) -> bool:
    """Whether the elements are floats."""
    return input.is_floating_point()


def is_complex(input: Tensor) -> bool:
    """Whether the elements are complex numbers."""
    return input.is_complex()


def is_inference(input: Tensor) -> bool:
    """Whether the tensor was made in inference mode."""
    return input.is_inference()


def is_nonzero(input: Tensor) -> bool:
    """Whether the one element of a tensor is not 0."""
    return bool(input)


def numel(input: Tensor) -> int:
    """How many elements a tensor has."""
    return input.numel()


def _stride(self, dim: int | None = None):
    """How many elements of memory lie between neighbours, along each dimension."""
    steps = tuple(step // self.itemsize for step in self.array.strides)
    if self.array.size and 1 in self.array.shape:  # NumPy's steps along a length of 1 may be anything
        steps = tuple(contiguous_steps(self.shape)) if self.is_contiguous() else steps
    return steps if dim is None else steps[dim]


def contiguous_steps(shape) -> list:
    return [math.prod(max(n, 1) for n in shape[i + 1 :]) for i in range(len(shape))]


def _type(self, dtype=None):
    """The name of the type, as `minigrad.FloatTensor`; or the same numbers in another type."""
    if dtype is None:
        return f"{printing.options.namespace}.{dtypes.SHORT_NAMES[self.dtype.name]}Tensor"
    if isinstance(dtype, str):
        short = dtype.rpartition(".")[2].removesuffix("Tensor")
        found = {short_name: name for name, short_name in dtypes.SHORT_NAMES.items()}.get(short)
        if found is None:
            raise ValueError(f"invalid type: '{dtype}'")
        dtype = dtypes.of(found)
    if isinstance(dtype, _Maker):
        dtype = dtype.dtype
    return self.to(dtype)


def _is_contiguous(self, memory_format=None) -> bool:
    """Whether the elements lie in memory in the order in which they are counted."""
    _only_contiguous(memory_format)
    return self.array.flags.c_contiguous


def _contiguous(self, memory_format=None):
    """The tensor itself, or a copy whose elements lie in memory in order."""
    _only_contiguous(memory_format)
    return self if self.array.flags.c_contiguous else contiguous_copy(self)


def _only_contiguous(memory_format) -> None:
    if memory_format not in (None, contiguous_format, preserve_format):
        # left out for good: other orders of memory serve kernels that NumPy has not
        raise NotImplementedError("memory is always contiguous in C order here; leave the memory_format out")


@dataclass(frozen=True)
class memory_format:
    """How the elements of an image lie in memory."""

    name: str

    def __repr__(self) -> str:
        return f"{printing.options.namespace}.{self.name}"


contiguous_format, preserve_format = memory_format("contiguous_format"), memory_format("preserve_format")
strided = memory_format("strided")  # the one layout that there is

# == new tensors ===========================================================================================


def _new_zeros(self, *size, dtype=None, device=None, requires_grad=False):
    """Zeros of the same type, in another shape."""
    return zeros(*size, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad)


def _new_ones(self, *size, dtype=None, device=None, requires_grad=False):
    """Ones of the same type, in another shape."""
    return ones(*size, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad)


def _new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False):
    """One number everywhere, of the same type, in another shape."""
    return full(size, fill_value, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad)


def _new_tensor(self, data, *, dtype=None, device=None, requires_grad=False):
    """A copy of `data` in the same type."""
    return tensor(data, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad)


def empty_strided(size, stride, *, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """Memory for numbers still to come, with given distances between neighbours."""
    length = 1 + sum((n - 1) * step for n, step in zip(size, stride)) if 0 not in tuple(size) else 0
    memory = np.zeros(length, numpy_type(dtype))
    steps = tuple(step * memory.itemsize for step in stride)
    return made(np.lib.stride_tricks.as_strided(memory, shape_of((size,)), steps), requires_grad, device)


def logspace(start, end, steps: int, base=10.0, *, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """`base` to the power of `steps` numbers at equal distances."""
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    power = np.linspace(float(start), float(end), steps)
    return made((float(base) ** power).astype(numpy_type(dtype)), requires_grad, device)


class _Maker:
    """`LongTensor([1, 2])`: the old way to say `tensor([1, 2], dtype=int64)`."""

    def __init__(self, name: str) -> None:
        self.dtype, self.__name__ = np.dtype(name), f"{dtypes.SHORT_NAMES[name]}Tensor"

    def __call__(self, *data):
        if len(data) == 1 and not isinstance(data[0], int):
            given = data[0].array if isinstance(data[0], Tensor) else np.array(data[0])
            return wrap(given.astype(self.dtype))
        return wrap(np.zeros(shape_of(data) if data else 0, self.dtype))

    def __repr__(self) -> str:
        return f"<class '{printing.options.namespace}.{self.__name__}'>"


def set_default_device(device_) -> None:
    """Where new tensors live: here always the CPU."""
    device(device_ or "cpu")


def get_default_device() -> device:
    """Where new tensors live: here always the CPU."""
    return CPU


# == what is not here ======================================================================================


def unavailable(name: str, instead: str) -> Callable:
    """A function that says in one sentence why it is not here, and what to use."""

    def refuse(*args, **options):
        # left out on purpose, not unfinished: `instead` says what serves here
        raise NotImplementedError(f"{name} is not available here: {instead}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"Not available: {instead}."
    refuse.instead = instead  # type: ignore[attr-defined]
    return refuse


FUNCTIONS_NOT_HERE = {
    "igamma": "use scipy.special.gammainc on tensor.numpy()",
    "igammac": "use scipy.special.gammaincc on tensor.numpy()",
}
METHODS_NOT_HERE = {
    "set_": "a tensor keeps its memory; use copy_ to change the numbers, or tensor.data = other",
    "resize_": "a tensor keeps its size; use reshape, or make a new one",
    "resize_as_": "a tensor keeps its size; use reshape_as, or make a new one",
    **dict.fromkeys(
        ("sparse_resize_", "sparse_resize_and_clear_", "resize_as_sparse_"),
        "all tensors are dense here; make a new one of that size",
    ),
    "igamma_": "use scipy.special.gammainc on tensor.numpy()",
    "igammac_": "use scipy.special.gammaincc on tensor.numpy()",
    "to_sparse": "all tensors are dense here; leave the call out",
    "to_dense": "all tensors are dense here; leave the call out",
    "values": "all tensors are dense here; the tensor itself holds all values",
    "indices": "all tensors are dense here; use nonzero()",
    "pin_memory": "it makes copies to a GPU faster; leave the call out",
    "share_memory_": "processes share no tensors here; leave the call out",
}

functions = {
    one.__name__: one
    for one in (
        finfo, iinfo, result_type, can_cast, is_tensor, is_floating_point, is_complex, is_inference, is_nonzero, numel,
        empty_strided, logspace, set_default_device, get_default_device,
    )
} | {
    "newaxis": None, "contiguous_format": contiguous_format, "preserve_format": preserve_format, "strided": strided,
}  # fmt: skip
with_makers = [name for name in dtypes.SHORT_NAMES if "complex" not in name and name != "bfloat16"]
functions |= {f"{dtypes.SHORT_NAMES[name]}Tensor": _Maker(name) for name in with_makers}
functions |= {name: unavailable(name, instead) for name, instead in FUNCTIONS_NOT_HERE.items()}

METHODS = {
    "new_zeros": _new_zeros,
    "new_ones": _new_ones,
    "new_empty": _new_zeros,
    "new_full": _new_full,
    "new_tensor": _new_tensor,
    "index": lambda self, indices: self[indices],
    "type": _type,
    "stride": _stride,
    "storage_offset": storage_offset_of,
    "data_ptr": lambda self: self.array.ctypes.data,
    "storage": lambda self: TypedStorage(self),
    "untyped_storage": lambda self: UntypedStorage(self),
    "is_contiguous": _is_contiguous,
    "contiguous": _contiguous,
    "is_nonzero": is_nonzero,
    "is_signed": lambda self: self.dtype.is_signed,
    "is_same_size": lambda self, other: self.shape == other.shape,
    "ndimension": lambda self: self.ndim,
    "get_device": lambda self: -1,
}
for _name, _method in METHODS.items():
    setattr(Tensor, _name, _method)
for _name, _instead in METHODS_NOT_HERE.items():
    setattr(Tensor, _name, unavailable(_name, _instead))
for _name, _fact in {"is_cuda": False, "is_sparse": False, "layout": strided}.items():
    setattr(Tensor, _name, _fact)
PROPERTIES: dict[str, Callable] = {
    "nbytes": lambda self: self.array.nbytes,
    "name": lambda self: None,
    "_grad_fn": lambda self: self.grad_fn,
}
for _name, _fact in PROPERTIES.items():
    setattr(Tensor, _name, property(_fact))
