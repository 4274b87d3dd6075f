"""Layers that change the shape only."""

from ..core.tensor import Tensor
from .layer import Layer


class Flatten(Layer, of=Tensor.flatten):
    """Several dimensions as one; by default all but the batch's.

    >>> import minigrad as mg
    >>> Flatten()(mg.ones(2, 3, 4)).shape
    minigrad.Size([2, 12])
    """

    start_dim: int = 1
    end_dim: int = -1
