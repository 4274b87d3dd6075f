"""Optimizers, after PyTorch: they change parameters along their gradients.

>>> import minigrad as mg
>>> model = mg.nn.Linear(2, 1)
>>> optimizer = SGD(model.parameters(), lr=0.1)
>>> model(mg.ones(1, 2)).sum().backward()
>>> optimizer.step()
>>> optimizer.zero_grad()
"""

from .. import absent
from . import lr_scheduler
from .adadelta import Adadelta
from .adagrad import Adagrad
from .adam import Adam, AdamW
from .lbfgs import LBFGS
from .optimizer import Optimizer
from .rmsprop import RMSprop
from .sgd import SGD


def __getattr__(name: str):
    raise absent.error(__name__, name)
