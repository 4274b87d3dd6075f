"""The numbers of PyTorch's tensors, copied to the host when they are asked for.

Never through `numpy()` of the program's own tensor, which would make its memory unable to grow.
"""

from typing import Any

import numpy as np
import torch

from ..large import COPIED, Large
from ..moments import UNKNOWN
from . import private


def kept(tensor: torch.Tensor | None) -> Any:
    """The numbers of a tensor as they are now, copied to the host; of a large one what is told of it."""
    if tensor is None:
        return None
    with private.unheard():
        try:
            tensor = private.unwrapped(tensor.detach())
            tensor = tensor if tensor.layout is torch.strided else tensor.to_dense()
            return array(tensor) if tensor.numel() <= COPIED else large(tensor)
        except (RuntimeError, TypeError, NotImplementedError):
            return UNKNOWN  # a tensor without numbers, as of a program that is only traced


def array(tensor: torch.Tensor) -> np.ndarray:
    """A copy; of bfloat16, which NumPy does not have, in float32."""
    with private.unheard():
        tensor = tensor.detach()
        return (tensor.float() if tensor.dtype is torch.bfloat16 else tensor.clone()).numpy(force=True)


def large(tensor: torch.Tensor) -> Large:
    cells = array(Large.sampled(tensor.reshape(-1, tensor.shape[-1])))
    low, high = (None, None) if tensor.is_complex() else (array(one)[()] for one in torch.aminmax(tensor))
    return Large(tuple(tensor.shape), cells.dtype, tensor.numel(), low, high, cells)


def mailbox(tensor: torch.Tensor) -> torch.Tensor | None:
    """What is in `.grad`; of a tensor that has none PyTorch would warn."""
    has_one = private.made_by(tensor) is None or tensor.retains_grad
    return private.GRAD.__get__(tensor) if has_one else None
