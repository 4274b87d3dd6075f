"""What a mask leaves of an array, as a person writes it.

The engine reads the bits of a number as an integer and takes them times 0 or 1, which is several times as fast as
`np.where` and gives the same bits; but nobody who reads a program would see what it is for.
"""

from collections import Counter

import numpy as np

from minigrad.compiler.lines import Call, Line, Value


def with_where(lines: list[Line]) -> list[Line]:
    """The same lines, with `np.where(mask, a, 0)` in the place of `(a.view(int) * mask).view(float)`."""
    read = Counter(value for line in lines for value in line.reads)
    left = {id(line): line for line in lines}
    for line in lines:
        product = viewed(line, "f")
        factors = product.call.args if product is not None and product.call.name == "multiply" else ()
        seen = [one for one in factors if isinstance(one, Value) and viewed(one.line, "iu") and read[one] == 1]
        if product is None or len(seen) != 1 or read[product.makes[0]] != 1:
            continue
        (bits,), (mask,) = seen, [one for one in factors if one is not seen[0]]
        left.pop(id(product)), left.pop(id(bits.line))
        call = Call("function", "where", np.where, (mask, bits.line.call.args[0], 0), {})  # type: ignore[union-attr]
        left[id(line)] = line.makes[0].line = line.doing(call)
    return list(left.values())


def viewed(line: Line | None, kinds: str) -> Line | None:
    """The line that made what this one sees as numbers of another kind; the line itself where that was given."""
    if line is None or line.call.name != "view" or line.makes[0].dtype.kind not in kinds:
        return None
    source = line.call.args[0]
    return (source.line or line) if source.dtype.kind not in kinds else None
