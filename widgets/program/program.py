"""A recorded run as lines of NumPy, which can be read, and run."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from minigrad.compiler.lines import Line
from minigrad.compiler.simplifying import Simplified
from minigrad.compiler.writing import Writer

from ..recording.recorder import Recorder
from ..words import say
from .translating import Translator

NARROW = 60  # columns: what a longer line belongs to stands close behind it


class Program:
    """The lines that a run comes down to, forward and backward, in the user's own names.

    >>> import minigrad as mg
    >>> from widgets import record
    >>> a = mg.tensor([0.0, 1.0], requires_grad=True)
    >>> with record() as run:
    ...     b = a.sin()
    ...     (2 * b).sum().backward()
    >>> print(run.program())
    import numpy as np
    <BLANKLINE>
    # given: a, float32 of shape (2,)
    <BLANKLINE>
    b = np.sin(a)                    # a.sin()
    t1 = np.sum(b * 2)               # (2 * b).sum()
    t2 = np.empty((2,), np.float32)  # SumBackward0
    t2[...] = np.float32(1.0)
    d_b = t2 * 2                     # MulBackward0
    d_a = d_b * np.cos(a)            # SinBackward0
    a_grad = d_a                     # AccumulateGrad

    Attributes:
        inputs: the arrays that it begins with, by name.
        lines: each line as it is written, with `why`: what of the run it belongs to.
        removed: when it was simplified, the lines that went, and why.
    """

    def __init__(self, found: Translator, lines: list[Line], removed: Iterable[tuple[Line, str]] = ()) -> None:
        self.remarks = [*["hooks"] * found.hooked, *["ends_early"] * found.ends_early]
        read = {value for line in found.lines for value in line.reads}  # not memory that is only written over
        changed = {line.changes.memory for line in found.lines if line.changes is not None}
        self.inputs = {  # a number that is written over needs memory
            value.name: np.array(array) if value.memory in changed else array
            for value, array in found.tape.inputs.items()
            if value in read
        }
        self.lines = list(Writer(found.tape.inputs, lines).written())
        self.left_out = {line.number: say(f"program.{why}") for line, why in removed}
        self.removed = [(line.text, self.left_out[line.number]) for line, _ in removed]

    @classmethod
    def of(cls, recorder: Recorder, simplify: bool = False) -> "Program":
        """The program of what a recorder kept."""
        found = Translator(recorder)
        return cls.simplified(found) if simplify else cls(found, found.lines)

    @classmethod
    def simplified(cls, found: Translator) -> "Program":
        """What a compiler would make of it. (It gives the values other names.)"""
        for text, parts in Writer(found.tape.inputs, found.lines, apart=True).written():
            parts[-1].text = text
        shorter = Simplified(found.lines, found.results)
        return cls(found, shorter.lines, shorter.removed)

    def head(self) -> list[str]:
        """What stands above its lines."""
        uses_math = any("math." in line.text for line in self.lines)
        head = [*["import math", ""] * uses_math, "import numpy as np", ""]
        for name, array in self.inputs.items():
            head.append(f"# {say('program.given', name=name, dtype=array.dtype.name, shape=array.shape)}")
        return head + [f"# {say(f'program.{remark}')}" for remark in self.remarks]

    def __str__(self) -> str:
        width = max((len(line.text) for line in self.lines if len(line.text) <= NARROW), default=0)
        body = [
            f"{line.text:{width}}  # {line.why}" if line.why and line.why != before else line.text
            for line, before in zip(self.lines, ["", *(line.why for line in self.lines)])
        ]
        return "\n".join([*self.head(), "", *body])

    __repr__ = __str__

    def run(self, **inputs: Any) -> dict[str, Any]:
        """All that the program computes, by name: from the arrays of the run, or from others in the place of some."""
        unknown = inputs.keys() - self.inputs.keys()
        if unknown:
            raise TypeError(f"the program is not given {', '.join(unknown)}; it is given {', '.join(self.inputs)}")
        found = {
            name: array.dtype.type(given) if isinstance(array, np.generic) else np.array(given, array.dtype)
            for name, array in self.inputs.items()
            for given in [inputs.get(name, array)]
        }
        with np.errstate(all="ignore"):
            exec(str(self), found)
        return {name: one for name, one in found.items() if name not in ("np", "math", "__builtins__")}
