"""The tables. Here their rows become functions, methods and in-place twins, in all the places that they name.

`functions` is what `minigrad` offers by name, `functional` what `minigrad.nn.functional` and `of_matrices` what
`minigrad.linalg` offers.
"""

from ..core.tensor import Tensor
from . import (
    activation,
    convolution,
    copying,
    einsum,
    elementwise,
    gathering,
    index,
    joining,
    linalg,
    loss,
    matrix,
    normalisation,
    norms,
    operators,
    pooling,
    public,
    rearranging,
    reduction,
    scattering,
    shape,
    sorting,
    statistics,
)

TABLES = (  # each after those whose rows it calls
    elementwise, copying, shape, joining, index, gathering, reduction, matrix, activation, loss, convolution, sorting,
    statistics, norms, rearranging, scattering, einsum, linalg, pooling, normalisation,
)  # fmt: skip
rows: dict = {}
functions: dict = {}
methods: dict = {}
functional: dict = {}
of_matrices: dict = {}
spaces = {"function": functions, "method": methods, "functional": functional, "linalg": of_matrices}
for _table in TABLES:
    rows |= public.rows_of(_table)
    public.offer(_table, spaces)
for _name, _method in (methods | operators.of(methods)).items():
    setattr(Tensor, _name, _method)
globals().update(functions)
