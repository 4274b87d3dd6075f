"""Special functions under the names of `torch.special`; most stand in the tables under a name of their own as well.

>>> import minigrad as mg
>>> mg.special.expit(mg.tensor(0.0)), mg.special.entr(mg.tensor(1.0))
(tensor(0.5000), tensor(-0.))
"""

import math

from . import (
    digamma,
    erf,
    erfc,
    erfinv,
    exp2,
    expm1,
    i0,
    lgamma,
    log1p,
    log_softmax,
    logit,
    logsumexp,
    mvlgamma,
    polygamma,
    round,
    sigmoid,
    sinc,
    softmax,
    xlogy,
)
from .ops.gamma import i1
from .ops.special import entr, xlog1py
from .tensor import Tensor

__all__ = [
    "digamma", "entr", "erf", "erfc", "erfinv", "exp2", "expit", "expm1", "gammaln", "i0", "i1", "log1p", "log_softmax",
    "logit", "logsumexp", "multigammaln", "ndtr", "polygamma", "psi", "round", "sinc", "softmax", "xlog1py", "xlogy",
]  # fmt: skip
expit, gammaln, psi, multigammaln = sigmoid, lgamma, digamma, mvlgamma


def ndtr(input: Tensor) -> Tensor:
    """How likely a number from the standard normal distribution is to lie below `input`."""
    return (1 + erf(input * math.sqrt(0.5))) * 0.5
