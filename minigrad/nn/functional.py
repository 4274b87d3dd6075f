"""The functions that layers are made of: activations, losses, linear maps, convolutions, pooling, normalisation.

>>> import minigrad as mg
>>> relu(mg.tensor([-1.0, 2.0]))
tensor([0., 2.])
"""

from typing import TYPE_CHECKING, Any

from ..ops import functional as _functional

globals().update(_functional)
__all__ = sorted(_functional)

if TYPE_CHECKING:  # the functions of the tables, which are put here when the package is imported

    def __getattr__(name: str) -> Any: ...
