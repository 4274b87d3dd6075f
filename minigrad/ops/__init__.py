"""The tables. Here their rows become functions, methods and in-place twins, in all the places that they name.

`functions` is what `minigrad` offers by name, `functional` what `minigrad.nn.functional` and `of_matrices` what
`minigrad.linalg` offers. The tables of `nets.py` join the others when `minigrad.nn` is imported.
"""

from importlib import import_module
from types import ModuleType

from ..core.tensor import Tensor
from . import operators, public

# each after those whose rows it calls
ORDER = (
    "elementwise copying shape joining index gathering reduction matrix activation sorting statistics norms "
    "rearranging scattering einsum linalg special composed"
)
TABLES: list[ModuleType] = []
rows: dict = {}
functions: dict = {}
methods: dict = {}
functional: dict = {}
of_matrices: dict = {}
spaces = {"function": functions, "method": methods, "functional": functional, "linalg": of_matrices}


def load(*tables: ModuleType) -> None:
    """Offer what these tables declare; each comes after those whose rows it calls."""
    TABLES.extend(tables)
    for table in tables:
        rows.update(public.rows_of(table))
    while public.offered:
        public.put(*public.offered.pop(0), spaces)


load(*(import_module(f".{name}", __name__) for name in ORDER.split()))
for _name, _method in (methods | operators.of(methods)).items():
    setattr(Tensor, _name, _method)
globals().update(functions)
