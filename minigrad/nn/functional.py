"""The functions that layers are made of: activations, losses, linear maps, convolutions, pooling, normalisation.

>>> import minigrad as mg
>>> relu(mg.tensor([-1.0, 2.0]))
tensor([0., 2.])
"""

from ..ops.nets import functional as _functional
from ..words import absent

globals().update(_functional)
__all__ = sorted(_functional)

__getattr__ = absent.answer(__name__)
