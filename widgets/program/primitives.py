"""What a page can compute, by NumPy's names: web/live.js has a function for each of them."""

import operator
from typing import Any

from minigrad.compiler.lines import Line, Value

from ..words import say
from .draft import NoProgram

ELEMENTWISE = set(
    """
    negative positive absolute sign sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp exp2
    expm1 log log2 log10 log1p sqrt cbrt square reciprocal floor ceil rint trunc isnan isinf isfinite logical_not
    conjugate add subtract multiply divide power remainder fmod floor_divide maximum minimum fmax fmin arctan2
    copysign hypot logaddexp greater greater_equal less less_equal equal not_equal logical_and logical_or logical_xor
    where
""".split()
)
REDUCTIONS = set("sum mean prod max min any all argmax argmin".split())
SAME_AS = {
    "true_divide": "divide", "float_power": "power", "conj": "conjugate", "abs": "absolute", "fabs": "absolute",
    "add.reduce": "sum", "multiply.reduce": "prod", "maximum.reduce": "max", "minimum.reduce": "min", "amax": "max",
    "amin": "min", "logical_and.reduce": "all", "logical_or.reduce": "any", "round": "rint", "invert": "logical_not",
    "add.accumulate": "cumsum", "bitwise_and": "logical_and", "bitwise_or": "logical_or", "bitwise_xor": "logical_xor",
}  # fmt: skip
# What only brings elements to other places: which element comes from where is known before the numbers are.
PLACING = set(
    """
    T mT real transpose reshape ravel flatten squeeze expand_dims broadcast_to swapaxes moveaxis flip roll repeat tile
    take take_along_axis diagonal concatenate stack as_strided copy triu tril atleast_1d split array_split view
    ascontiguousarray array asarray same pad diag choose compress getitem trace_of rot90 sliding_window_view
""".split()
)
OF = {"choose": 1, "compress": 1}  # which argument has the elements; else the first
ANEW = set("copy repeat tile take take_along_axis concatenate stack flatten array pad roll choose compress".split())
BY_THE_RECORD = set("argsort nonzero searchsorted argpartition".split())  # they decide, and what they decided is kept
MAKERS = set("empty zeros ones full zeros_like ones_like full_like empty_like arange eye literal".split())
TYPES = {"float16", "float32", "float64", "bool", "int64", "int32"}


class NotLive(NoProgram):
    """A sentence that says why no number of a run can be moved."""


def unknown(name: str) -> NotLive:
    return NotLive(say("immovable.unknown", name=f"np.{name}"))


def named(line: Line) -> str:
    """The name of an instruction that computes; none for one that moves elements, or that is not known."""
    name = SAME_AS.get(line.call.name, line.call.name)
    known = ELEMENTWISE | REDUCTIONS | {"matmul", "dot", "clip", "astype", "cumsum"}
    return name if name in known and line.call.kind in ("ufunc", "function", "method", "vectorized") else ""


def axes_of(call: Any, source: Value) -> list[int]:
    """The axes of a reduction; all where none are named."""
    axis = call.args[1] if len(call.args) > 1 else call.options.get("axis", 0 if "." in call.name else None)
    dimensions = len(source.shape)
    if axis is None:
        return list(range(dimensions))
    return [operator.index(one) % max(dimensions, 1) for one in (axis if isinstance(axis, tuple | list) else [axis])]
