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
from .autograd.op import named
from .facts import unavailable
from .ops import bessel, normal, polynomial
from .ops import zeta as zeta_table
from .ops.bessel import (
    bessel_j0,
    bessel_j1,
    bessel_y0,
    bessel_y1,
    i0e,
    i1e,
    modified_bessel_i0,
    modified_bessel_i1,
    modified_bessel_k0,
    modified_bessel_k1,
    scaled_modified_bessel_k0,
    scaled_modified_bessel_k1,
    spherical_bessel_j0,
)
from .ops.destination import into_out
from .ops.gamma import i1
from .ops.normal import erfcx, log_ndtr, ndtri
from .ops.polynomial import families
from .ops.special import entr, xlog1py
from .ops.zeta import zeta
from .tensor import Tensor

__all__ = [
    "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "digamma", "entr", "erf", "erfc", "erfcx", "erfinv", "exp2",
    "expit", "expm1", "gammaln", "i0", "i0e", "i1", "i1e", "log1p", "log_ndtr", "log_softmax", "logit", "logsumexp",
    "modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1", "multigammaln", "ndtr",
    "ndtri", "polygamma", "psi", "round", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "sinc", "softmax",
    "spherical_bessel_j0", "xlog1py", "xlogy", "zeta", *families,
]  # fmt: skip
globals().update(families)
for _table in (bessel, normal, polynomial, zeta_table):
    for _name, _row in named(vars(_table)).items():
        _row.op.overloads["out"] = into_out(_row, _name)
gammainc = unavailable("gammainc", "use scipy.special.gammainc on tensor.numpy()")
gammaincc = unavailable("gammaincc", "use scipy.special.gammaincc on tensor.numpy()")
airy_ai = unavailable("airy_ai", "use scipy.special.airy on tensor.numpy()")
expit, gammaln, psi, multigammaln = sigmoid, lgamma, digamma, mvlgamma


def ndtr(input: Tensor) -> Tensor:
    """How likely a number from the standard normal distribution is to lie below `input`."""
    return (1 + erf(input * math.sqrt(0.5))) * 0.5
