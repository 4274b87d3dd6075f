"""Losses that are compositions: hinges, margins and likelihoods. Those with a rule of their own are in `loss.py`."""

import math

from ..tensor import Tensor
from .elementwise import exp, log, log1p, minimum, sqrt, where
from .loss import _reduce
from .reduction import sum, vector_norm
from .special import clamp_min


def hinge_embedding_loss(input, target, margin=1.0, reduction="mean"):
    """The distance itself for pairs that belong together (1), what it lacks to the margin for those that do not (-1)."""
    apart = clamp_min(margin - input, 0)
    return _reduce(where(target != 1, apart, 0) + where(target != -1, input, 0), reduction)


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """What the first lacks to be ahead of the second by the margin (target 1), or the reverse (-1)."""
    return _reduce(clamp_min(-target * (input1 - input2) + margin, 0), reduction)


def soft_margin_loss(input, target, reduction="mean"):
    """log(1 + exp(-target · input)), for targets 1 and -1."""
    return _reduce(log1p(exp(-target * input)), reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """How improbable the target is, where the input is a normal distribution's mean and `var` its variance."""
    if not isinstance(var, Tensor):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = input * 0 + var
    elif (var.array < 0).any():
        raise ValueError("var has negative entry/entries")
    elif var.shape != input.shape and var.shape == input.shape[:-1]:
        var = var.unsqueeze(-1)
    var = var + (clamp_min(var, eps) - var).detach()  # held above eps, but as far as the gradient knows it is not
    each = 0.5 * (log(var) + (input - target) ** 2 / var)
    return _reduce(each + 0.5 * math.log(2 * math.pi) if full else each, reduction)


def poisson_nll_loss(input, target, log_input=True, size_average=None, full=False, eps=1e-8, reduce=None, reduction="mean"):
    """How improbable the target is as a count, where the input is (the logarithm of) the expected count."""
    each = exp(input) - target * input if log_input else input - target * log(input + eps)
    if full:  # Stirling's formula for log(target!)
        stirling = target * log(target) - target + 0.5 * log(2 * math.pi * target)
        each = each + where(target > 1, stirling, 0)
    return _reduce(each, reduction)


def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """1 - cosine for pairs that belong together (1), the cosine beyond the margin for those that do not (-1)."""
    eps = 1e-12
    lengths = sqrt((sum(input1 * input1, -1) + eps) * (sum(input2 * input2, -1) + eps))
    cosine = sum(input1 * input2, -1) / lengths
    return _reduce(where(target == 1, 1 - cosine, 0) + where(target == -1, clamp_min(cosine - margin, 0), 0), reduction)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction="mean"):
    """What the anchor lacks to be nearer to the positive than to the negative by the margin."""
    dims = [x.ndim for x in (anchor, positive, negative)]
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if len(set(dims)) > 1:
        raise RuntimeError("The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
                           f"anchor {dims[0]}D, positive {dims[1]}D, and negative {dims[2]}D inputs")
    near, far = vector_norm(anchor - positive + eps, p, -1), vector_norm(anchor - negative + eps, p, -1)
    far = minimum(far, vector_norm(positive - negative + eps, p, -1)) if swap else far
    return _reduce(clamp_min(margin + near - far, 0), reduction)
