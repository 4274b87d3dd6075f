"""Tensors from nothing, from numbers, and from arrays.

>>> zeros(2, 3)
tensor([[0., 0., 0.],
        [0., 0., 0.]])
"""

import contextlib
import functools
import math
import operator
import warnings
from types import NoneType

import numpy as np

from ..core.modes import modes
from ..core.tensor import Tensor, wrap
from ..numbers import dtypes
from ..numbers.dtypes import to_numpy
from ..numbers.rounding import multiply_add
from ..numbers.size_and_device import device, sizes_of
from ..ops.rearranging import memory_order
from ..ops.shape import inverse
from ..words import help

__all__ = [  # what `minigrad` offers of it
    "arange", "as_tensor", "asarray", "empty", "empty_like", "eye", "from_numpy", "full", "full_like", "linspace",
    "logspace", "ones", "ones_like", "tensor", "zeros", "zeros_like",
]  # fmt: skip


def made(array: np.ndarray, requires_grad: bool = False, on=None) -> Tensor:
    """A new leaf over an array."""
    if on is not None:
        device(on)
    made = wrap(array)
    if type(requires_grad) not in (bool, NoneType):
        raise TypeError(f"argument 'requires_grad' must be bool, not {type(requires_grad).__name__}")
    if requires_grad:
        if not dtypes.is_differentiable(array.dtype):
            raise RuntimeError(dtypes.no_gradient("Only Tensors of floating point and complex dtype", array.dtype))
        made._requires_grad = True
    made._inference = modes.state.inference
    return made


def check_whole(function: str, argument: str, number) -> None:
    with contextlib.suppress(TypeError):
        if type(number) is not bool and operator.index(number) is not None:
            return
    raise TypeError(f"{function}(): argument '{argument}' must be int, not {type(number).__name__}")


def numpy_type(given, otherwise=None) -> np.dtype:
    """The type asked for, or else the default."""
    return to_numpy(given) if given is not None else otherwise or dtypes.default_float()


def tensor(data, *, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """A new tensor that holds a copy of `data`: a number, a nested list, an array.

    >>> import minigrad as mg
    >>> mg.tensor([1, 2]), mg.tensor([1.0, 2]), mg.tensor(True)
    (tensor([1, 2]), tensor([1., 2.]), tensor(True))
    """
    if isinstance(data, Tensor):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
    array = _numbers(data, dtype, copy=True)
    return made(array if array.ndim else array[()], requires_grad, device)


def as_tensor(data, dtype=None, device=None) -> Tensor:
    """`data` itself where it is a tensor of that type, the memory of an array, or a copy of anything else.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0])
    >>> mg.as_tensor(x) is x, mg.as_tensor([1, 2])
    (True, tensor([1, 2]))
    """
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    return made(_numbers(data, dtype, copy=False), on=device)


def asarray(obj, *, dtype=None, device=None, copy: bool | None = None, requires_grad: bool = False) -> Tensor:
    """`as_tensor` that may be told to copy in any case (`copy=True`), or in none.

    >>> import numpy as np
    >>> import minigrad as mg
    >>> array = np.zeros(2)
    >>> x, y = mg.asarray(array), mg.asarray(array, copy=True)
    >>> array[0] = 5
    >>> x.tolist(), y.tolist()
    ([5.0, 0.0], [0.0, 0.0])
    """
    found, source = as_tensor(obj, dtype, device), obj.array if isinstance(obj, Tensor) else obj
    is_shared = isinstance(source, np.ndarray) and np.may_share_memory(found.array, source)
    if copy is False and not is_shared:
        given = f"tensor with dtype '{source.dtype}'" if isinstance(source, np.ndarray) else "arbitrary sequence"
        raise ValueError(f"can't alias {given} into a tensor of {found.dtype}: that takes a copy")
    if copy and is_shared:
        found = found.clone()
    return found.requires_grad_() if requires_grad else found


def from_numpy(array: np.ndarray) -> Tensor:
    """A tensor on the memory of an array: a change in one is seen in the other.

    >>> import numpy as np
    >>> import minigrad as mg
    >>> array = np.zeros(2)
    >>> x = mg.from_numpy(array)
    >>> array[0] = 5
    >>> x
    tensor([5., 0.], dtype=minigrad.float64)
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    array = dtypes.with_own_dtype(array)
    if any(step < 0 for step in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
            "currently supported. (You can probably work around this by making a copy of your array  with "
            "array.copy().) "
        )
    return made(array)


def _numbers(data, dtype, copy: bool) -> np.ndarray:
    """Any data as an array: Python numbers take the default types, arrays keep theirs."""
    data = data.array if isinstance(data, Tensor) else data
    if isinstance(data, np.ndarray | np.generic):
        array = dtypes.with_own_dtype(np.array(data, copy=copy or None))
        return array if dtype is None else array.astype(to_numpy(dtype), copy=False)
    found: set = set()  # the types of all that the lists hold
    plain = _plain(data, found)
    inferred = functools.reduce(dtypes.promote, map(_type_of, found)) if found else dtypes.default_float()
    try:
        array = np.array(plain)
    except ValueError:
        raise _uneven(plain) from None
    kind = to_numpy(dtype) if dtype is not None else inferred
    _check_range(array, kind)
    return array.astype(kind, copy=False)


def _check_range(array: np.ndarray, kind: np.dtype) -> None:
    """Numbers that were written down must be numbers of the type."""
    if array.dtype.kind == "c" and kind.kind not in "bc":
        raise TypeError("must be real number, not complex")
    if (array.dtype.kind == "O" or array.dtype == np.uint64) and kind.kind in "iu":
        raise ValueError("Overflow when unpacking long long")
    if kind.kind in "iu" and array.dtype.kind in "if" and array.size:
        limits = np.iinfo(kind)  # negative integers count from the end, as in C
        if not (limits.min or -limits.max * (array.dtype.kind == "i")) <= array.min() <= array.max() <= limits.max:
            raise RuntimeError(f"value cannot be converted to type {kind.name} without overflow")


def _plain(data, found: set):
    """Nested lists with the tensors in them as numbers; `found` collects the types that they hold."""
    if isinstance(data, list | tuple | range):
        return [_plain(one, found) for one in data]
    if isinstance(data, Tensor):
        found.add(data.array.dtype)
        if data.array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return data.item()
    found.add(data.dtype if isinstance(data, np.ndarray | np.generic) else type(data))
    return data


def _type_of(kind) -> np.dtype:
    """The type that a tensor of such elements has."""
    if isinstance(kind, np.dtype):
        return dtypes.of(kind).numpy
    if issubclass(kind, str):
        raise TypeError(f"new(): invalid data type '{kind.__name__}'")
    if not issubclass(kind, int | float | complex):
        raise RuntimeError(f"Could not infer dtype of {kind.__name__}")
    return dtypes.default_for(np.dtype(kind).kind)


def _uneven(data) -> ValueError:
    """What is wrong with nested lists that have no one shape."""
    level, dim = [data], 0
    while True:
        found = [f"sequence of length {len(one)}" if isinstance(one, list | np.ndarray) else "number" for one in level]
        other = next((one for one in found if one != found[0]), None)
        if other:
            got = other if found[0] == "number" else other.removeprefix("sequence of length ")
            return ValueError(f"expected {found[0]} at dim {dim} (got {got})")
        level, dim = [inner for one in level for inner in one], dim + 1


def shape_of(function: str, given: tuple, size=None) -> tuple:
    """The shape of a new tensor."""
    if given and size is not None:
        raise TypeError(f"{function}() got multiple values for argument 'size'")
    size = given if size is None else (size,)
    try:
        shape = sizes_of(size)
    except TypeError as error:
        raise TypeError(f"{function}(): {error}") from None
    if bool in map(type, size[0] if isinstance(size[0], list | tuple) else size):
        raise TypeError(f"{function}(): argument 'size' (position 1) must be tuple of ints, not bool")
    if any(n < 0 for n in shape):
        if function == "zeros":
            raise RuntimeError("zeros: Dimension size must be non-negative.")
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}")
    return shape


def zeros(*shape, size=None, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """Zeros.

    >>> import minigrad as mg
    >>> mg.zeros(3), mg.zeros((1, 2), dtype=int)
    (tensor([0., 0., 0.]), tensor([[0, 0]]))
    """
    return made(np.zeros(shape_of("zeros", shape, size), numpy_type(dtype)), requires_grad, device)


def ones(*shape, size=None, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """Ones.

    >>> import minigrad as mg
    >>> mg.ones(2, requires_grad=True)
    tensor([1., 1.], requires_grad=True)
    """
    return made(np.ones(shape_of("ones", shape, size), numpy_type(dtype)), requires_grad, device)


def empty(*shape, size=None, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """Memory for numbers still to come. It is zeroed here, so that a lesson prints the same each time.

    >>> import minigrad as mg
    >>> mg.empty(2)
    tensor([0., 0.])
    """
    return made(np.zeros(shape_of("empty", shape, size), numpy_type(dtype)), requires_grad, device)


def number(function: str, argument: str, given):
    """An argument that must be a number, or a tensor that stands for one; not one that waits for a gradient."""
    value = given.item() if isinstance(given, Tensor) and not (given.ndim or given.requires_grad) else given
    if not isinstance(value, int | float | complex | np.number | np.bool_):
        raise TypeError(f"{function}(): argument '{argument}' must be Number, not {type(value).__name__}")
    return value


def full(size, fill_value, *, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """One number everywhere.

    >>> import minigrad as mg
    >>> mg.full((2,), 7), mg.full((2,), 0.5)
    (tensor([7, 7]), tensor([0.5000, 0.5000]))
    """
    value = number("full", "fill_value", fill_value)
    if not isinstance(size, list | tuple):
        raise TypeError(f"full(): argument 'size' (position 1) must be tuple of ints, not {type(size).__name__}")
    kind = numpy_type(dtype, dtypes.default_for(np.dtype(type(value)).kind))
    return made(np.full(shape_of("full", (size,)), dtypes.element(value, kind), kind), requires_grad, device)


def eye(n: int, m: int | None = None, *, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """Ones on the diagonal.

    >>> import minigrad as mg
    >>> mg.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
    for name, size in (("n", n), ("m", n if m is None else m)):
        check_whole("eye", name, size)
        if size < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {size}")
    return made(np.eye(n, m, dtype=numpy_type(dtype)), requires_grad, device)


def arange(start=None, end=None, step=1, *, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """Numbers from `start` (or 0) up to but not including `end`.

    >>> import minigrad as mg
    >>> mg.arange(3), mg.arange(1, 2, 0.5)
    (tensor([0, 1, 2]), tensor([1.0000, 1.5000]))
    """
    start, end = (0, start) if end is None else (0 if start is None else start, end)
    given = {"start": start, "end": end, "step": step}
    start, end, step = (number("arange", name, value) for name, value in given.items())
    whole = all(isinstance(value, int | np.integer) for value in (start, end, step))
    kind = numpy_type(dtype, np.dtype("int64") if whole else None)
    if kind.kind in "bc":
        raise dtypes.unsupported("arange_cpu", kind)
    if not (step < 0 or step > 0):  # nor may it be nan
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    if (end - start) / step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if kind == np.int64:  # the other types count the numbers before they cut them off
        start, end, step = int(start), int(end), int(step)
        if step == 0:
            raise ValueError("step must be nonzero")
    count = math.ceil((end - start) / step)
    if kind.kind in "iu":
        start, step, whole = int(start), int(step), True
    wide = np.int64 if whole else np.float64
    return made((start + np.arange(count, dtype=wide) * step).astype(kind), requires_grad, device)


def line(function: str, start, end, steps) -> tuple:
    """Both ends and the count of a line of numbers; a tensor without dimensions is an end, too."""
    check_whole(function, "steps", steps)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    ends = {"start": start, "end": end}
    if many := [f"{name} with {one.ndim} dimension(s)" for name, one in ends.items() if getattr(one, "ndim", 0)]:
        raise RuntimeError(
            f"{function} only supports 0-dimensional start and end tensors, but got {' and '.join(many)}."
        )
    ends = {name: one.detach() if isinstance(one, Tensor) else one for name, one in ends.items()}
    start, end = (number(function, *pair) for pair in ends.items())
    return start, end, int(steps)


def linspace(start, end, steps: int, *, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """`steps` numbers at equal distances, both ends included.

    >>> import minigrad as mg
    >>> mg.linspace(0, 1, 3)
    tensor([0.0000, 0.5000, 1.0000])
    """
    start, end, steps = line("linspace", start, end, steps)
    is_complex = isinstance(start, complex) or isinstance(end, complex)
    kind = dtypes.default_for("c") if dtype is None and is_complex else numpy_type(dtype)
    if kind.kind == "b":
        raise dtypes.unsupported("linspace_cpu", kind)
    if is_complex and kind.kind != "c":
        raise RuntimeError(f"torch.linspace(): inferred dtype complex can't be safely cast to passed dtype {kind}")
    # PyTorch counts the first half up from `start`, the second half down from `end`, in the type, and rounds once;
    # between whole numbers it counts in float64
    real = kind.type if kind.kind in "fc" else np.float64
    if kind.kind not in "fc" and steps:
        start, end = dtypes.element(start, kind), dtypes.element(end, kind)
    step = (real(end) - real(start)) / real(max(steps - 1, 1))
    index = np.arange(steps)
    up = multiply_add(index.astype(real), step, real(start))
    down = multiply_add((steps - 1 - index).astype(real), -step, real(end))
    return made(np.where(index < steps // 2 if steps > 1 else True, up, down).astype(kind), requires_grad, device)


def logspace(start, end, steps: int, base=10.0, *, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """Powers of `base`, whose exponents are at equal distances.

    >>> import minigrad as mg
    >>> mg.logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """
    start, end, steps = line("logspace", start, end, steps)
    if dtype is not None and to_numpy(dtype).kind in "iu":  # the ends are brought to the type before
        start, end = (dtypes.element(one, to_numpy(dtype)).item() for one in (start, end))
    powers = np.float64(number("logspace", "base", base)) ** np.linspace(start, end, steps)
    return made(powers.astype(numpy_type(dtype, dtypes.default_for(powers.dtype.kind))), requires_grad, device)


def like(make, otherwise=None):
    """`zeros_like` of `zeros`: another tensor says the shape, how it lies in memory, and the type where none is given.

    One that does not lie in the order of its dimensions is made `otherwise`, where that is given.
    """

    def made_like(input: Tensor, *args, dtype=None, memory_format=None, **options) -> Tensor:
        if not isinstance(input, Tensor):
            raise TypeError(f"{made_like.__name__}(): argument 'input' must be Tensor, not {type(input).__name__}")
        kind = input.dtype if dtype is None else dtype
        is_plain = memory_format == "contiguous_format" or input.is_contiguous()
        if is_plain or (order := memory_order(input)) == (*range(input.ndim),):
            return make(input.shape, *args, dtype=kind, **options)
        made = (otherwise or make)([input.shape[dim] for dim in order], *args, dtype=kind, **options)
        made._data = made._data.transpose(inverse(order))
        return made

    made_like.__name__ = made_like.__qualname__ = name = f"{make.__name__}_like"
    made_like.__doc__ = help.with_example(f"`{make.__name__}` in the shape and type of another tensor.", name)
    return made_like


zeros_like, ones_like, empty_like, full_like = map(like, (zeros, ones, empty, full))
