"""Which types of number an operation refuses, and in which it computes: PyTorch's rules, also for half precision."""

from collections.abc import Callable

import numpy as np

from ..words.formula import title
from .dtypes import CATEGORY, NUMBERS, common, default_for, element, half_of, promote, short_name, unsupported, widened
from .memory import order_of

WEAK = frozenset((int, float, bool))  # the types of Python's numbers that never change the type of a floating tensor
NOT_OF_BOOLS = {  # what arithmetic on bool tensors is refused with
    "neg": "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use "
    "the `~` or `logical_not()` operator instead.",
    "sub": "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
    "operator instead.",
    "rsub": "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
    "use the `~` or `logical_not()` operator instead.",
}


def refuse(op, arrays: list) -> None:
    """Raise what PyTorch raises, where these operands are not what the operation is for."""
    if not (op.refuses or op.divisor):
        return
    args = dict(zip(op.parameters, arrays))
    dtype = common([args[name] for name in op.typed_by or op.inputs if isinstance(args[name], (np.ndarray, *NUMBERS))])
    kind = "e" if dtype.char == "e" and "e" in op.refuses else "i" if dtype.kind == "u" else dtype.kind
    if kind in op.refuses:
        raise refusal(op, kind, dtype)
    if op.divisor and dtype.kind in "biu" and not np.all(args[op.divisor]):
        raise RuntimeError("ZeroDivisionError")


def refusal(op, kind: str, dtype) -> Exception:
    """What the row says of this kind of number, or PyTorch's usual words."""
    said = op.refuses[kind] if isinstance(op.refuses, dict) else None
    if said is None:
        return unsupported(op.kernel or f"{title(op)}_cpu", dtype)
    if isinstance(said, str):
        return RuntimeError(said.format(short_name(dtype)))
    return type(said)(*said.args)


def promoted(op, arrays: list) -> list:
    """The operands in the type in which PyTorch would compute; reached only when types differ or are no floats."""
    refuse(op, arrays)
    if not (op.mixes or op.floats):
        return arrays
    if op.name in ("sub", "rsub", "sub_scaled", "dist"):
        bools = [isinstance(value, bool) or getattr(value, "dtype", None) == np.bool_ for value in arrays[:2]]
        if any(bools):
            raise RuntimeError(NOT_OF_BOOLS["sub" if all(bools) else "rsub"])
    if op.ufunc is np.square and arrays[0].dtype == bool:
        return [arrays[0].astype(np.int64, order_of(arrays[0]))]  # the power of a number, which is an integer
    operands = [i for i, value in enumerate(arrays) if is_operand(op, i) and value is not None]
    result = common([arrays[i] for i in operands])
    floats = op.floats or (op.name == "quotient" and arrays[2] is None)  # which is not rounded
    if floats and CATEGORY[result.kind] < CATEGORY["f"]:
        result = promote(result, default_for("f"))
    for i in operands:
        if isinstance(arrays[i], (np.ndarray, np.generic)):
            arrays[i] = arrays[i].astype(result, order_of(arrays[i]), copy=False)
        elif half_of([result.type(0)]) is not None:
            if op.name == "where":  # the number itself is the result
                arrays[i] = result.type(arrays[i])
            # else the operation itself rounds
        elif op.name == "where":
            arrays[i] = element(arrays[i], result)
        elif result.kind != "b":
            number = arrays[i]  # one that is too large for the integers loses its upper bits, as in C
            arrays[i] = np.asarray(number).astype(result)[()] if result.kind in "iu" else result.type(number)
    return arrays


def is_operand(op, position: int) -> bool:
    """Whether an argument takes part in the arithmetic; a condition or an index does not."""
    if op.many or not any(op.rules.values()):
        return op.first <= position < op.last
    return position < len(op.inputs) and op.rules[op.inputs[position]] is not None


def forward_for(op, arrays: list) -> Callable:
    """The forward for these types: half precision is computed in float32, and rounded once.

    As in PyTorch; where also a number is rounded first, but for a factor or a divisor.
    """
    half = half_of(arrays)
    if half is None or op.view or (op.elementwise and not op.mixes):  # which takes over numbers as they are
        return op.forward

    def in_float32(*arrays):
        values = list(map(widened, arrays))
        for i, name in enumerate(op.parameters):
            if name in ("b", "exponent") and isinstance(values[i], float) and op.name not in ("mul", "div"):
                values[i] = float(half.type(values[i]))
        out = op.forward(*values)
        if op.outputs:
            return type(out)(rounded(one, half) for one in out)
        return rounded(out, half)

    return in_float32


def rounded(out, half):
    return out.astype(half) if out.dtype.kind == "f" else out


def has_complex(arrays) -> bool:
    return any(np.iscomplexobj(array) for array in arrays if isinstance(array, (np.ndarray, np.generic, complex)))
