"""A recorded run as lines of NumPy, which can be read, and run."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..recording.recorder import Recorder
from ..words import say
from .simplifying import Simplified
from .tape import Line, Value
from .translating import Translator
from .writing import Writer

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
        lines: each line, and what of the run it belongs to.
        removed: when it was simplified, the lines that went, and why.
    """

    def __init__(
        self, inputs: dict[Value, np.ndarray], lines: list[Line], removed: Iterable = (), hooked: bool = False
    ) -> None:
        self.hooked = hooked
        self.inputs = {value.name: array for value, array in inputs.items()}
        writer = Writer(inputs, lines)
        self.lines = [(text, line.why) for text, line in writer.written()]
        self.removed = list(removed)

    @classmethod
    def of(cls, recorder: Recorder, simplify: bool = False) -> "Program":
        """The program of what a recorder kept."""
        found = Translator(recorder)
        lines, removed = found.tape.lines, []
        if simplify:
            for text, line in Writer(found.tape.inputs, lines, apart=True).written():
                line.text = text
            shorter = Simplified(lines, found.results)
            lines, removed = shorter.lines, [(line.text, say(f"program.{why}")) for line, why in shorter.removed]
        return cls(found.tape.inputs, lines, removed, found.hooked)

    def __str__(self) -> str:
        uses_math = any("math." in text for text, _ in self.lines)
        head = [*["import math", ""] * uses_math, "import numpy as np", ""]
        for name, array in self.inputs.items():
            head.append(f"# {say('program.given', name=name, dtype=array.dtype.name, shape=array.shape)}")
        head += [f"# {say('program.hooks')}"] * self.hooked
        width = max((len(text) for text, _ in self.lines if len(text) <= NARROW), default=0)
        before, body = "", []
        for text, why in self.lines:
            body.append(text if why == before or not why else f"{text:{width}}  # {why}")
            before = why
        return "\n".join([*head, "", *body])

    __repr__ = __str__

    def run(self, **inputs: Any) -> dict[str, Any]:
        """All that the program computes, by name: from the arrays of the run, or from others in the place of some."""
        unknown = inputs.keys() - self.inputs.keys()
        if unknown:
            raise TypeError(f"the program is not given {', '.join(unknown)}; it is given {', '.join(self.inputs)}")
        found = {name: np.array(inputs.get(name, array), array.dtype) for name, array in self.inputs.items()}
        with np.errstate(all="ignore"):
            exec(str(self), found)
        return {name: one for name, one in found.items() if name not in ("np", "math", "__builtins__")}
