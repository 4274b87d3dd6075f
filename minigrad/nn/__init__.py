"""Networks, after PyTorch: modules that know their parameters, layers, and losses.

>>> import minigrad as mg
>>> net = mg.nn.Sequential(mg.nn.Linear(4, 8), mg.nn.ReLU(), mg.nn.Linear(8, 1))
>>> net(mg.zeros(2, 4)).shape
minigrad.Size([2, 1])
"""

from ..words import absent
from . import convolution, dropout, embedding, functional, init, layers, linear, module, utils
from .containers import ModuleDict, ModuleList, Sequential
from .convolution import Conv1d, Conv2d, ConvTranspose2d
from .dropout import Dropout, Dropout2d
from .embedding import Embedding
from .layers import *  # noqa: F403 - a table, which lists its names
from .linear import Identity, Linear
from .module import Module
from .normalization import BatchNorm1d, BatchNorm2d, LayerNorm
from .parameter import Parameter

__all__ = [
    *layers.__all__, "BatchNorm1d", "BatchNorm2d", "Conv1d", "Conv2d", "ConvTranspose2d", "Dropout", "Dropout2d",
    "Embedding", "functional", "Identity", "init", "LayerNorm", "Linear", "Module", "ModuleDict", "ModuleList",
    "Parameter", "Sequential", "utils",
]  # fmt: skip

del convolution, dropout, embedding, linear, module  # so that who writes `nn.linear` is told of `Linear`

__getattr__ = absent.answer(__name__)
