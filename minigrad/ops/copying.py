"""The same numbers again, and numbers written over others."""

import warnings
from functools import partial, update_wrapper

import numpy as np

from ..core.events import Zeroed, heard, tell
from ..core.forward import apply
from ..core.row import op
from ..core.tensor import Tensor
from ..numbers.dtypes import element
from ..numbers.memory import order_of
from .elementwise import each, nothing, underivable
from .in_place import quick_in_place
from .public import public

# fmt: off
clone = each(lambda a: np.array(a, order=order_of(a)), a=lambda g: g, says="a", public="function method",
    overloads={"memory_format": lambda input, *, memory_format: copy_of(input, memory_format)})
contiguous = each(lambda a: np.array(a, order="C"), grad_fn="CloneBackward0", a=lambda g: g, says="a")
to_copy = each(lambda a, dtype: real_part(a, dtype).astype(dtype, order_of(a)), mixes=False, a=lambda g: g, says="a")
# what `copy_` does, and what gives a leaf a gradient of its own under create_graph
copy = each(lambda a, b: np.array(np.broadcast_to(real_part(b, a.dtype), np.shape(a)), a.dtype), mixes=False,
    write=lambda target, a, b: copy_into(target, b), grad_fn="CopyBackwards",
    a=lambda g: nothing(g), b=lambda g: g, says="b")
overwriting = partial(each, memory="any", mixes=False, a=lambda g: nothing(g))
fill = overwriting(lambda a, value: np.full(np.shape(a), element(value, a.dtype), a.dtype),
    write=lambda target, a, value: target.fill(element(value, target.dtype)), grad_fn="FillBackward2", says="value")
zero = overwriting(lambda a: np.zeros(np.shape(a), np.result_type(a)), write=lambda target, a: target.fill(0), says="0")
# not elementwise: the number may stand in the memory that is written to
fill_with = op(lambda a, b: np.full(np.shape(a), real_part(b, a.dtype), a.dtype), grad_fn="FillBackward3",
    write=lambda target, a, b: np.copyto(target, real_part(b, target.dtype), "unsafe"),
    a=lambda g: nothing(g), b=lambda g: g, says="b")
# random numbers, of which nothing depends on what was there
draw = each(lambda a, numbers, node: numbers, mixes=False, grad_fn=lambda a, numbers, node: node,
    write=lambda target, a, numbers, node: np.copyto(target, numbers, "unsafe"),
    a=lambda g, node: underivable("bernoulli") if node == "NotImplemented" else nothing(g),
    says="numbers", rules_say={"a": "0"})
# fmt: on


def copy_of(input, memory_format):
    """`clone`, whose elements lie as those of the tensor do, or in order."""
    return (contiguous if memory_format == "contiguous_format" else clone)(input)


def real_part(source, dtype):
    """What of complex numbers fits into another type."""
    if np.iscomplexobj(source) and np.dtype(dtype).kind not in "bc":
        warnings.warn("Casting complex values to real discards the imaginary part", UserWarning, stacklevel=2)
        return source.real
    return source


def copy_into(target, source):
    if np.ndim(source) > target.ndim:  # NumPy would let dimensions of length 1 pass
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(np.shape(source))}"
        )
    np.copyto(target, real_part(np.asarray(source), target.dtype), "unsafe")  # of a number: the bits that fit


@public("method")
def copy_(self, src, non_blocking=False):
    """Take over another tensor's numbers; gradients flow to it."""
    return apply(copy.op, (self, src), into=self)


@public("method")
def fill_(self, value):
    """One number everywhere."""
    if isinstance(value, Tensor):
        if value.ndim:
            raise RuntimeError(
                f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions."
            )
        return apply(fill_with.op, (self, value), into=self)
    return apply(fill.op, (self, value), into=self)


def zeroed(_, out):
    if out is None:
        raise TypeError("a number has no memory")
    is_large = type(out) is np.ndarray and out.nbytes > 10_000 and out.flags.c_contiguous
    (out.view(np.uint8) if is_large else out).fill(0)  # bytes are set many at once, in a third less time
    return out


def zero_(self):
    """Zeros everywhere: what `x.grad.zero_()` does between two steps."""
    before = None if heard[Zeroed] is None else self.array.copy()
    apply(zero.op, (self,), into=self)
    if before is not None:
        tell(Zeroed(self, before, self.array))
    return self


public("method")(update_wrapper(quick_in_place(zeroed, 0, zero_), zero_))
