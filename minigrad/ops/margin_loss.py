"""Losses that are compositions: hinges, margins and likelihoods, in the steps in which PyTorch takes them."""

import math

import numpy as np

from ..autograd.grad_mode import no_grad
from ..autograd.op import op
from ..creation import ones_like
from ..tensor import Tensor
from .activation import logsigmoid
from .copying import clone
from .elementwise import exp, log, minimum, sgn, sqrt, sub, where
from .index import as_arrays
from .loss import REDUCTIONS, _factor, _reduce, minus, old_style, plus, reduced, shared
from .normalisation import pairwise_distance
from .reduction import sum
from .special import clamp_min

soft_margin = op(
    lambda a, target, reduction: reduced(np.log1p(np.exp(-target * a)), reduction),
    grad_fn="SoftMarginLossBackward0",
    mixes=True,
    a=lambda g, a, target, reduction: shared(g, a, reduction) * (-target * (exp(-target * a) / (exp(-target * a) + 1))),
)
multi_margin = op(  # `chosen` is True at each target's place, `weight` has one number for each row
    lambda a, chosen, p, margin, weight, reduction: reduced(
        np.add.reduce(weight * lacking(a, chosen, margin) ** p, -1) / a.shape[-1], reduction
    ),
    grad_fn="MultiMarginLossBackward0",
    a=lambda g, a, chosen, p, margin, weight, reduction: (
        shared(g, chosen[..., 0], reduction)[..., None]
        * against_chosen(weight * slope(lacking(a, chosen, margin), p) / a.shape[-1], chosen)
    ),
)


def lacking(a, chosen, margin):
    """What the chosen class lacks to be ahead of each other class by the margin."""
    ahead = margin + a - sum(where(chosen, a, 0), -1, True)
    return where((ahead > 0) & ~chosen, ahead, 0)


def slope(lack, p):
    """Of `lack ** p`."""
    return sgn(lack) if p == 1 else 2 * lack


def against_chosen(slopes, chosen):
    """What the others push up pushes the chosen one down."""
    return where(chosen, -sum(slopes, -1, True), slopes)


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, reduction="mean"):
    """What the target's class lacks to be ahead of each other class by the margin, or the square of that (p=2).

    >>> import minigrad as mg
    >>> multi_margin_loss(mg.tensor([[0.5, 1.0, 2.0]]), mg.tensor([2]))
    tensor(0.)
    >>> multi_margin_loss(mg.tensor([[0.5, 1.0, 2.0]]), mg.tensor([1]))
    tensor(0.8333)
    """
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    target, classes = np.asarray(as_arrays(target)), input.shape[-1]
    if input.ndim == 1:
        input = input if target.ndim == 0 else input.unsqueeze(0)
    if target.shape != input.shape[:-1]:
        raise RuntimeError("multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch size). "
                           f"Expected target size {list(input.shape[:-1])}, but got {list(target.shape)}. Input has shape {list(input.shape)}.")
    if target.size and not 0 <= target.min() <= target.max() < classes:
        raise RuntimeError("target out of range")
    weights = _factor(weight, input, "multi_margin_loss")
    if weight is not None:
        if weights.shape != (classes,):
            raise RuntimeError(f"inconsistent weight size, expected {classes} but got {list(weights.shape)}")
        weights = weights[target][..., None]
    return multi_margin(input, np.arange(classes) == target[..., None], p, margin, weights, reduction)


def multilabel_soft_margin_loss(input, target, weight=None, reduction="mean"):
    """The surprise at a yes (1) or no (0) to each label, averaged over the labels.

    >>> import minigrad as mg
    >>> multilabel_soft_margin_loss(mg.tensor([[0.0, 9.0]]), mg.tensor([[1.0, 1.0]]))
    tensor(0.3466)
    """
    each = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    each = each if weight is None else each * weight
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not valid")
    return _reduce(sum(each, input.ndim - 1) / input.shape[-1], reduction)


def hinge_embedding_loss(input, target, margin=1.0, reduction="mean"):
    """The distance itself for pairs that belong together (1), what it lacks to the margin for those that do not (-1)."""
    apart = clamp_min(sub(margin, input), 0)
    return _reduce(where(target != 1, apart, 0) + where(target != -1, input, 0), reduction)


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """What the first lacks to be ahead of the second by the margin (target 1), or the reverse (-1)."""
    if not input1.ndim == input2.ndim == target.ndim:
        raise RuntimeError("margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
                           f"{input1.shape}, input2: {input2.shape}, target: {target.shape} ")
    return _reduce(clamp_min(plus(-target * (input1 - input2), margin), 0), reduction)


def soft_margin_loss(input, target, reduction="mean"):
    """log(1 + exp(-target · input)), for targets 1 and -1."""
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if np.broadcast_shapes(input.shape, target.shape) != tuple(input.shape):
        raise RuntimeError(f"output with shape {list(input.shape)} doesn't match the broadcast shape of the target, {list(target.shape)}")
    return soft_margin(input, _factor(target, input, "soft_margin_loss", "target"), reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """How improbable the target is, where the input is a normal distribution's mean and `var` its variance."""
    if not isinstance(var, Tensor):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * ones_like(input)
    elif (var.array < 0).any():
        raise ValueError("var has negative entry/entries")
    elif var.shape != input.shape and var.shape == input.shape[:-1]:
        var = var.unsqueeze(-1)
    var = clone(var)
    with no_grad():
        var.clamp_(min=eps)  # the gradient does not know of it
    each = 0.5 * (log(var) + (input - target) ** 2 / var)
    return _reduce(each + 0.5 * math.log(2 * math.pi) if full else each, reduction)


def poisson_nll_loss(input, target, log_input=True, size_average=None, full=False, eps=1e-8, reduce=None, reduction="mean"):
    """How improbable the target is as a count, where the input is (the logarithm of) the expected count."""
    if size_average is not None or reduce is not None:
        reduction = old_style(size_average, reduce, depth=3)
    each = exp(input) - target * input if log_input else input - target * log(plus(input, eps))
    if full:  # Stirling's formula for log(target!)
        stirling = target * log(target) - target + 0.5 * log(2 * math.pi * target)
        each = each + where(target > 1, stirling, 0)
    return _reduce(each, reduction)


def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """1 - cosine for pairs that belong together (1), the cosine beyond the margin for those that do not (-1)."""
    if target.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if not input1.ndim == input2.ndim == target.ndim + 1:
        raise RuntimeError(f"{target.ndim}D target tensor expects {target.ndim + 1}D input tensors, but found inputs with sizes "
                           f"{list(input1.shape)} and {list(input2.shape)}.")
    eps = 1e-12
    lengths = sqrt(plus(sum(input1 * input1, -1), eps) * plus(sum(input2 * input2, -1), eps))
    cosine = sum(input1 * input2, -1) / lengths
    apart = clamp_min(minus(cosine, margin), 0)
    return _reduce(where(target == 1, sub(1, cosine), 0) + where(target == -1, apart, 0), reduction)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction="mean"):
    """What the anchor lacks to be nearer to the positive than to the negative by the margin."""
    dims = [x.ndim for x in (anchor, positive, negative)]
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if len(set(dims)) > 1:
        raise RuntimeError("The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
                           f"anchor {dims[0]}D, positive {dims[1]}D, and negative {dims[2]}D inputs")
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    far = minimum(far, pairwise_distance(positive, negative, p, eps)) if swap else far
    return _reduce(clamp_min(plus(near, margin) - far, 0), reduction)
