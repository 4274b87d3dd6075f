"""Linear algebra, after `torch.linalg`: norms, inverses, determinants, decompositions.

>>> import minigrad as mg
>>> mg.linalg.inv(mg.tensor([[2.0, 0.0], [0.0, 4.0]]))
tensor([[0.5000, 0.0000],
        [0.0000, 0.2500]])
"""

from ..ops import of_matrices as _of_matrices
from ..ops.linalg import LinAlgError as LinAlgError
from ..words import absent

globals().update(_of_matrices)
__all__ = sorted(_of_matrices)

__getattr__ = absent.answer(__name__)
