"""A case: one row of a table as an expression, how to call it in minigrad and PyTorch, and what NumPy says.

In an expression `m` is the namespace (minigrad, torch or numpy), `F` its `nn.functional`, `a`, `b`, `c` the inputs.
Where NumPy spells it differently, the third column says how, and `n` is by_numpy.py; where a row has no public name in
PyTorch, `torch` does.
"""

import math
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from minigrad.ops import rows

from ...oracle import numbers
from . import by_numpy

# == domains: where the operation is defined and smooth ====================================================

ANY, POSITIVE, UNIT, ABOVE_ONE, LARGE = (-2.5, 2.5), (0.3, 3.0), (-0.9, 0.9), (1.2, 3.0), (3.0, 9.0)
PROBABILITY = (0.1, 0.9)

# == shapes ================================================================================================

MATRIX, SQUARE, CUBE = [((2, 3),)], [((3, 3),)], [((2, 3, 2),)]
DIMS = [((2, 3),), ((3, 1),)]
PAIR = [((2, 3), (2, 3)), ((4,), (4,)), ((2, 1, 2), (2, 1, 2))]
BATCH = [((3, 3),), ((2, 3, 3),)]


@dataclass
class Case:
    row: str  # the row of the table that it is about
    expression: str
    reference: str | None = None  # in NumPy; None: the same text
    shapes: list | None = None  # tuples of input shapes; None: whatever broadcasts
    domains: dict = field(default_factory=dict)  # by input; ANY where not named
    torch: str | None = None  # where it is called differently there
    smooth: bool = True  # whether finite differences mean something

    def __post_init__(self):
        self.inputs = [name for name in "abc" if uses(self.expression, name)]
        self.id = f"{self.row}: {self.expression}"

    def call(self, m):
        """The expression as a function of its inputs."""
        text = self.expression
        if m is np:
            text = self.reference or text
        elif self.torch and m.__name__ == "torch":
            text = self.torch
        return eval(f"lambda {', '.join(self.inputs)}: {text}", names(m))

    def fixed(self) -> list[np.ndarray]:
        """The inputs for which PyTorch's answers are recorded."""
        shapes = self.shapes[0] if self.shapes else [(2, 3), (3,), (2, 1)][: len(self.inputs)]
        return [
            numbers(shape, *self.domains.get(name, ANY), salt=i)
            for i, (name, shape) in enumerate(zip(self.inputs, shapes))
        ]

    def arrays(self, smallest: int = 0):
        """Hypothesis: shapes that fit, and numbers in the domain, no two of them equal, none on a kink."""
        shapes = broadcasting(len(self.inputs), smallest)
        if self.shapes:
            shapes = st.sampled_from([group for group in self.shapes if min((smallest, *sum(group, ()))) >= smallest])
        return shapes.flatmap(lambda chosen: st.tuples(*[self._array(i, shape) for i, shape in enumerate(chosen)]))

    def _array(self, i: int, shape):
        low, high = self.domains.get(self.inputs[i], ANY)
        jitter = numbers(shape, 0.1, 0.9, salt=i)
        steps = hnp.arrays(np.int64, shape, elements=st.integers(0, 31))
        return steps.map(lambda k: np.asarray(low + (high - low) * (k + jitter) / 32))


def uses(text: str, name: str) -> bool:
    code = compile(text, "<expression>", "eval")
    constants = [one for one in code.co_consts if hasattr(one, "co_names")]
    return name in code.co_names or any(name in one.co_names for one in constants)


def broadcasting(count: int, smallest: int):
    if count == 1:
        return hnp.array_shapes(min_dims=0, max_dims=3, min_side=smallest, max_side=3).map(lambda shape: (shape,))
    shapes = hnp.mutually_broadcastable_shapes(num_shapes=count, min_dims=0, max_dims=3, min_side=smallest, max_side=3)
    return shapes.map(lambda found: found.input_shapes)


def names(m) -> dict:
    """What an expression may use, in one namespace."""

    def of(values, kind):
        array = np.array(values, kind)
        return array if m is np else m.tensor(array)

    def assign(x, index, value):
        x[index] = value
        return x

    def changed(x, change):
        change(x)
        return x

    functional = None if m is np else m.nn.functional
    kinds = {"ints": "int64", "bools": "bool", "floats": "float64"}
    known = {name: lambda values, kind=kind: of(values, kind) for name, kind in kinds.items()}
    known |= {"assign": assign, "changed": changed, "rows": SimpleNamespace(**rows), "n": by_numpy}
    return {"m": m, "F": functional, "np": np, "inf": math.inf, "nan": math.nan, **known}


def case(row, expression, reference=None, shapes=None, torch=None, smooth=True, **domains):
    return Case(row, expression, reference, shapes, domains, torch, smooth)
