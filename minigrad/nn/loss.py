"""Losses as modules: how wrong a prediction is, as one number.

`reduction` says what becomes of the losses of the elements: their "mean", their "sum", or, with "none", each is kept.

>>> import minigrad as mg
>>> MSELoss()(mg.tensor([1.0, 2.0]), mg.tensor([1.0, 4.0]))
tensor(2.)
>>> CrossEntropyLoss()(mg.zeros(1, 2), mg.tensor([1]))
tensor(0.6931)
"""

from ..core.tensor import Tensor
from . import functional as F
from .layer import Layer


class MSELoss(Layer, of=F.mse_loss, shown=""):
    """(input - target)²."""

    reduction: str = "mean"


class L1Loss(Layer, of=F.l1_loss, shown=""):
    """|input - target|."""

    reduction: str = "mean"


class HuberLoss(Layer, of=F.huber_loss, shown=""):
    """Half the square where the difference is below δ; beyond that a straight line of slope δ."""

    reduction: str = "mean"
    delta: float = 1.0


class BCELoss(Layer, of=F.binary_cross_entropy, shown=""):
    """The surprise at a yes or no that was given the probability `input`."""

    weight: Tensor | None = None
    reduction: str = "mean"


class BCEWithLogitsLoss(Layer, of=F.binary_cross_entropy_with_logits, shown=""):
    """BCELoss of sigmoid(input), in the form that never overflows."""

    weight: Tensor | None = None
    reduction: str = "mean"
    pos_weight: Tensor | None = None


class NLLLoss(Layer, of=F.nll_loss, shown=""):
    """Minus the log-probability of each target class."""

    weight: Tensor | None = None
    reduction: str = "mean"
    ignore_index: int = -100


class CrossEntropyLoss(Layer, of=F.cross_entropy, shown=""):
    """NLLLoss of LogSoftmax: raw scores in, for targets that are classes or probabilities."""

    weight: Tensor | None = None
    reduction: str = "mean"
    ignore_index: int = -100
