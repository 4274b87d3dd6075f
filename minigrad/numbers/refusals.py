"""Which types of number an operation refuses, though NumPy would compute something: its row says so.

>>> import minigrad as mg
>>> mg.lt(mg.tensor([3j]), mg.tensor([4j]))
Traceback (most recent call last):
    ...
NotImplementedError: "lt_cpu" not implemented for 'ComplexFloat'
"""

import numpy as np

from ..words.formula import title
from .dtypes import NUMBERS, SHORT_NAMES, common, unsupported


def refuse(op, arrays: list) -> None:
    """Raise what PyTorch raises, where these operands are not what the operation is for."""
    if not (op.refuses or op.divisor):
        return
    given = dict(zip(op.parameters, arrays))
    dtype = common(
        [given[name] for name in op.typed_by or op.inputs if isinstance(given[name], (np.ndarray, *NUMBERS))]
    )
    kind = "e" if dtype.char == "e" and "e" in op.refuses else "i" if dtype.kind == "u" else dtype.kind
    if kind in op.refuses:
        raise refusal(op, kind, dtype)
    if op.divisor and dtype.kind in "biu" and not np.all(given[op.divisor]):
        raise RuntimeError("ZeroDivisionError")


def refusal(op, kind: str, dtype) -> Exception:
    """What the row says of this kind of number, or PyTorch's usual words."""
    said = op.refuses[kind] if isinstance(op.refuses, dict) else None
    if said is None:
        return unsupported(op.kernel or f"{title(op)}_cpu", dtype)
    if isinstance(said, str):
        return RuntimeError(said.format(SHORT_NAMES[dtype.name]))
    return type(said)(*said.args)
