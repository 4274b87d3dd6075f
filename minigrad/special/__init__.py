"""Functions of the tables under the names of `torch.special`.

>>> import minigrad as mg
>>> mg.special.expit(mg.tensor(0.0))
tensor(0.5000)
"""

from .. import erf, exp2, expm1, log1p, log_softmax, logsumexp, round, sigmoid, softmax
from ..words import absent

expit = sigmoid
__all__ = ["erf", "exp2", "expit", "expm1", "log1p", "log_softmax", "logsumexp", "round", "softmax"]

__getattr__ = absent.answer(__name__)
