"""Networks, after PyTorch: modules that know their parameters, layers, and losses.

>>> import minigrad as mg
>>> Sequential(Linear(4, 8), ReLU(), Linear(8, 1))
Sequential(
  (0): Linear(in_features=4, out_features=8, bias=True)
  (1): ReLU()
  (2): Linear(in_features=8, out_features=1, bias=True)
)
"""

from ..words import absent
from . import functional, init, utils
from .activation import ELU, GELU, LeakyReLU, LogSoftmax, ReLU, Sigmoid, SiLU, Softmax, Softplus, Tanh
from .containers import ModuleList, Sequential
from .convolution import Conv1d, Conv2d
from .dropout import Dropout, Dropout2d
from .embedding import Embedding
from .linear import Identity, Linear
from .loss import BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, HuberLoss, L1Loss, MSELoss, NLLLoss
from .module import Module
from .normalization import BatchNorm1d, BatchNorm2d, LayerNorm
from .parameter import Parameter
from .pooling import AdaptiveAvgPool2d, AvgPool2d, MaxPool2d
from .reshaping import Flatten

__all__ = [
    "AdaptiveAvgPool2d", "AvgPool2d", "BatchNorm1d", "BatchNorm2d", "BCELoss", "BCEWithLogitsLoss", "Conv1d", "Conv2d",
    "CrossEntropyLoss", "Dropout", "Dropout2d", "ELU", "Embedding", "Flatten", "functional", "GELU", "HuberLoss",
    "Identity", "init", "L1Loss", "LayerNorm", "LeakyReLU", "Linear", "LogSoftmax", "MaxPool2d", "Module",
    "ModuleList", "MSELoss", "NLLLoss", "Parameter", "ReLU", "Sequential", "Sigmoid", "SiLU",
    "Softmax", "Softplus", "Tanh", "utils",
]  # fmt: skip

__getattr__ = absent.answer(__name__)
