"""What is said of an operation that cannot be computed: in PyTorch's words, then with the user's own names and line.

>>> import minigrad as mg
>>> a = mg.ones(2)
>>> try:
...     a + mg.ones(3)
... except RuntimeError as error:
...     print(str(error).splitlines()[0])
The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0
"""

import ast
import itertools
import re
from collections.abc import Sequence
from types import FrameType
from typing import Any

import numpy as np

from ..numbers.dtypes import unsupported
from ..numbers.promotion import NOT_OF_BOOLS
from .calling import PYTHONS, ill_typed, no_number, received
from .formula import title
from .source import is_method, is_tensor, located, named_in, spot, user_frame, value_of

# == the refusal ===========================================================================================


def explained(op, error: Exception, arrays, values) -> Exception:
    """A refusal of the forward in PyTorch's words, then in the user's."""
    wrong = None
    if not (op.many or isinstance(error, RuntimeError) or "broadcast" in str(error)):
        wrong = ill_typed(op.called, zip(map(op.torch_name, op.parameters), values), op.presets)
    takes_numbers = op.many or op.elementwise or any(part in str(error) for part in ("overflow", "broadcast"))
    for position, value in enumerate(() if takes_numbers else values[: op.last]):
        wrong = op.no_tensor(position, value) if isinstance(value, int | float) else wrong
    error = wrong or in_torch_words(op, error, arrays)
    if PYTHONS.search(str(error)):
        given = dict(zip(map(op.torch_name, op.parameters), values))
        return no_number(op.called, given, str(error)) or received(op.called, values, {}, op.signature())
    return wrong or with_operands(error, op.called, values)


OF_NO_SUCH_KIND = "not supported for the input types", "not contain a loop", "numpy boolean"


def in_torch_words(op, error: Exception, arrays) -> Exception:
    """NumPy's refusal as PyTorch would say it, where a dimension, a type or the shapes do not fit."""
    said = str(error)
    if isinstance(error, np.exceptions.AxisError) and error.axis is not None:
        ndim = max(error.ndim or 0, 1)
        low, high = -ndim, ndim - 1
        return IndexError(f"Dimension out of range (expected to be in range of [{low}, {high}], but got {error.axis})")
    if said.startswith("shape mismatch: indexing arrays"):
        meant = ", ".join(f"[{inner.strip(',')}]" for inner in re.findall(r"\(([\d,]*)\)", said))
        return IndexError(f"shape mismatch: indexing tensors could not be broadcast together with shapes {meant}")
    if "of an empty sequence" in said or "zero-size array" in said:
        return empty_error(f"{op.name.removesuffix('_along')}(): Expected reduction dim", arrays[0].shape, *arrays[1:2])
    if "duplicate value" in said or "repeated axis" in said:
        dims = [dim % arrays[0].ndim for dim in arrays[1]]
        return RuntimeError(f"dim {max(dims, key=dims.count)} appears multiple times in the list of dims")
    if isinstance(error, OverflowError) or "real number, not 'complex'" in said:
        return RuntimeError("value cannot be converted to the tensor's type without overflow")
    if isinstance(error, TypeError) and "numpy boolean" in said and op.name in NOT_OF_BOOLS:
        return RuntimeError(NOT_OF_BOOLS[op.name])
    if isinstance(error, TypeError) and any(part in said for part in OF_NO_SUCH_KIND):
        kind = next(array.dtype for array in arrays if hasattr(array, "dtype"))
        return unsupported(op.kernel or f"{title(op)}_cpu", kind)
    if not (isinstance(error, ValueError) and "broadcast" in said):
        return error
    shapes = [array.shape for array in arrays if isinstance(array, np.ndarray)]
    if refusal := unlike(shapes):
        return refusal
    own, whole = list(np.shape(arrays[0])), list(np.broadcast_shapes(*shapes))  # `own`: what would be written over
    return error if own == whole else RuntimeError(f"output with shape {own} doesn't match the broadcast shape {whole}")


def unlike(shapes: Sequence[tuple]) -> RuntimeError | None:
    """The refusal of shapes that do not meet, by the first sizes that differ."""
    for back, sizes in enumerate(itertools.zip_longest(*[shape[::-1] for shape in shapes], fillvalue=1), 1):
        first, *others = [size for size in sizes if size != 1] or [1]
        other = next((size for size in others if size != first), None)
        if other is not None:
            where = f"at non-singleton dimension {max(map(len, shapes)) - back}"
            return RuntimeError(f"The size of tensor a ({first}) must match the size of tensor b ({other}) {where}")
    return None


def of_rule(error: Exception) -> RuntimeError | None:
    """The refusal of a rule whose shapes do not meet, as where a tensor's numbers were replaced by fewer."""
    said = str(error).partition("could not be broadcast together with shapes")[2]
    return unlike([tuple(map(int, re.findall(r"\d+", one))) for one in said.split()]) if said else None


def empty_error(beginning: str, shape: tuple, dim=None) -> Exception:
    """The refusal to choose one among no numbers."""
    dims = dim if isinstance(dim, tuple | list) else [dim]
    if dim is None or not dims:
        return RuntimeError(
            f"{beginning} to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."
        )
    return IndexError(f"{beginning} {next(d % len(shape) for d in dims if not shape[d])} to have non-zero size.")


# == operands that do not fit ==============================================================================


def with_operands(error: Exception, operation: str, values) -> Exception:
    """The error of an operation, with what the user calls its operands, their types and shapes, and the user's line."""
    frame, tensors = user_frame(), [value for value in values if is_tensor(value)]
    if frame is None or not tensors or not isinstance(error, RuntimeError | IndexError | ValueError):
        return error
    source = located((frame.f_code, frame.f_lasti))
    described, nameless, words = [], [], re.findall(r"\w+", source.expression)  # of several names the one written here
    for tensor, text in zip(tensors, written(source.expression, operation, tensors, frame)):
        names = sorted((one for one, held in named_in(frame) if held is tensor), key=lambda one: one not in words)
        name = names[0] if names else text
        kind = f"{str(tensor.dtype).partition('.')[2]} {list(tensor.shape)}"
        described += [f"`{name}` is {kind}"] if name else []
        nameless += [] if name else [kind]
    if nameless:
        who, all_but_last = "other" if described else "operand", ", ".join(nameless[:-1])
        described.append(
            f"the {who}s are {all_but_last} and {nameless[-1]}" if all_but_last else f"the {who} is {nameless[0]}"
        )
    where = f"In `{source.expression}` ({spot(source.filename, source.line)}) " if source.text else ""
    error.args = (f"{error}\n{where}{', '.join(dict.fromkeys(described))}.",)
    return error


def written(expression: str, operation: str, tensors: list, frame: FrameType) -> list[str | None]:
    """What the user wrote for each operand, where he wrote the operation itself, and not what is composed of it."""
    try:
        node: Any = ast.parse(expression).body[0]
    except (SyntaxError, IndexError):
        return [None] * len(tensors)
    match getattr(node, "value", node) if isinstance(node, ast.Expr) else node:
        case (
            ast.BinOp(left=one, right=other)
            | ast.AugAssign(target=one, value=other)
            | ast.Compare(left=one, comparators=[other])
        ):
            parts = [one, other]
        case ast.Call(func=ast.Name(id=name), args=args) if name == operation:
            parts = args
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=args) if name.rstrip("_") == operation:
            parts = [owner, *args] if is_method(operation) else args
        case _:
            parts = []
    parts = [one for part in parts for one in getattr(part, "elts", [part])]
    names: dict[Any, Any] = {part: value_of(part.id, frame) for part in parts if isinstance(part, ast.Name)}
    parts = [part for part in parts if not isinstance(part, ast.Constant) and is_tensor(names.get(part, tensors[0]))]
    if len(parts) != len(tensors) or any(names.get(part, one) is not one for part, one in zip(parts, tensors)):
        return [None] * len(tensors)
    return [ast.get_source_segment(expression, part) for part in parts]
