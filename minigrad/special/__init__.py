"""Functions of the tables under the names of `torch.special`.

>>> import minigrad as mg
>>> mg.special.expit(mg.tensor(0.0))
tensor(0.5000)
"""

from .. import erf, erfc, exp2, expm1, log1p, log_softmax, logit, logsumexp, round, sigmoid, sinc, softmax, xlogy
from ..words import absent

expit = sigmoid
__all__ = [
    "erf", "erfc", "exp2", "expit", "expm1", "log1p", "log_softmax", "logit", "logsumexp", "round", "sinc", "softmax",
    "xlogy",
]  # fmt: skip

__getattr__ = absent.answer(__name__)
