"""Optimizers, after PyTorch: they change parameters along their gradients.

>>> import minigrad as mg
>>> model = mg.nn.Linear(2, 1)
>>> optimizer = mg.optim.SGD(model.parameters(), lr=0.1)
>>> model(mg.ones(1, 2)).sum().backward()
>>> optimizer.step()
>>> optimizer.zero_grad()
"""

from ..words import absent
from . import adam, lr_scheduler, rmsprop, sgd
from .adam import Adam, AdamW
from .optimizer import Optimizer
from .rmsprop import RMSprop
from .sgd import SGD

__all__ = ["Adam", "AdamW", "lr_scheduler", "Optimizer", "RMSprop", "SGD"]

del adam, rmsprop, sgd  # so that who writes `optim.sgd` is told of `SGD`

__getattr__ = absent.answer(__name__)
