"""What values are called in a program: as Python allows it, and each by a name of its own."""

import itertools
import keyword
import re

from minigrad.compiler.lines import Value


class Naming:
    """The names that were given.

    >>> import numpy as np
    >>> naming, values = Naming(), [Value(number, (), np.dtype("float32")) for number in range(2)]
    >>> for value in values:
    ...     naming.give(value, "self.w")
    >>> [value.name for value in values], naming.wanted(values[1])
    (['self_w', 'self_w_2'], 'self_w')
    """

    def __init__(self) -> None:
        self._taken: dict[str, str] = {}  # each name, and what it would be if it were the only one

    def give(self, value: Value, name: str, is_another: bool = False) -> None:
        """Call a value so, if it has no name yet; another tensor keeps the number that tells the two apart."""
        if name and not value.name:
            name = identifier(name)
            names = itertools.chain([name], map(f"{name}_{{}}".format, itertools.count(2)))
            value.name = next(one for one in names if one not in self._taken)
            self._taken[value.name] = value.name if is_another else name

    def wanted(self, value: Value, otherwise: str = "") -> str:
        """What a value would be called if nobody else were."""
        return self._taken.get(value.name, otherwise)


def identifier(name: str) -> str:
    """A name that Python takes: `self.w` becomes self_w."""
    name = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "x"
    if name[0].isdigit():
        return f"p{name}"  # a parameter of an nn.Sequential that no variable holds: `0.weight`
    return f"{name}_" if keyword.iskeyword(name) or name in ("np", "math") else name
