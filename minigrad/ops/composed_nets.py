"""Activations and losses composed of other functions; only `nn.functional` offers them."""

import math
import warnings

from ..numbers.dtypes import short_name
from .composed import apart, m, only
from .public import composed

SAME = "Expect tensors with matching counts of dimensions"


def guessed(input, dim, name: str, stacklevel: int):
    """A dimension; where none is given PyTorch's old guess, and its warning."""
    if dim is None:
        said = f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X"
        warnings.warn(f"{said} as an argument.", stacklevel=stacklevel + 1)
    return int(input.ndim not in (0, 1, 3)) if dim is None else dim


def prelu(input, weight):
    """x where it is positive, else the weight times x: one weight for all, or one for each channel."""
    only(weight, range(2), "Expect a weight of 1D")
    if input.dtype != weight.dtype:
        kinds = " and ".join(map(short_name, (input, weight)))
        raise RuntimeError(f"prelu: Type promoting not supported. Got {kinds}")
    channels = (1,) * input.ndim if weight.numel() == 1 else (1, *input.shape[1:2], *(1,) * (input.ndim - 2))
    if weight.numel() != math.prod(channels):
        raise RuntimeError(
            f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {weight.numel()} and "
            f"channel size = {math.prod(channels)}."
        )
    return m.activation.prelu_kernel(input, weight if weight.shape == channels else weight.reshape(channels))


def kl_div(input, target, reduction="mean", log_target=False):
    """target · (log target - input), for log-probabilities `input`; the divergence is its "sum", or "batchmean"."""
    if not (input.is_floating_point() and target.is_floating_point()):
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size. 'batchmean' divides "
            "only by the batch size, and aligns with the KL div math definition.",
            stacklevel=2,
        )
    kept = target.exp() * (target - input) if log_target else m.xlogy(target, target) - target * input
    return m.loss.averaged(kept, reduction, (input.shape or (1,))[0])


def soft_margin_loss(input, target, reduction="mean"):
    """log(1 + exp(-target · input)), for targets of 1 and -1."""
    if target.requires_grad:
        raise RuntimeError(
            "The function 'soft_margin_loss' is not differentiable with respect to argument 'target'. This input "
            "cannot have requires_grad True."
        )
    return m.loss.soft_margin(input, target.expand(input.shape).to(input.dtype), reduction)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction="mean"):
    """What the anchor (or, with `swap`, also the positive) lacks to be nearer to the positive than to the negative."""
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    near = margin + apart(anchor, only(positive, (anchor.ndim,), SAME), p, eps)
    far = apart(anchor, only(negative, (anchor.ndim,), SAME), p, eps)
    far = m.minimum(far, apart(positive, negative, p, eps)) if swap else far
    return m.loss.averaged((near - far).clamp_min(0), reduction)


def poisson_nll_loss(input, target, log_input=True, full=False, eps=1e-8, reduction="mean"):
    """How unlikely a count is where so many are expected; with `full` also what depends on the count alone, nearly."""
    loss = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        loss = loss + m.where(target > 1, target * target.log() - target + (2 * math.pi * target).log() / 2, 0)
    return m.loss.averaged(loss, reduction)


def cosine(a, b):
    """The cosine of the angle between vectors; of a vector without length, nearly 0."""
    return (a * b).sum(-1) / (((a * a).sum(-1) + 1e-12) * ((b * b).sum(-1) + 1e-12)).sqrt()


# fmt: off
composed("functional",
    relu6=lambda input, inplace=False: m.activation.hardtanh(input, 0.0, 6.0, inplace=inplace),
    softmax=lambda input, dim=None, _stacklevel=3, dtype=None: m.softmax(
        input, guessed(input, dim, "softmax", _stacklevel), dtype=dtype),
    log_softmax=lambda input, dim=None, _stacklevel=3, dtype=None: m.log_softmax(
        input, guessed(input, dim, "log_softmax", _stacklevel), dtype=dtype),
    softmin=lambda input, dim=None, _stacklevel=3, dtype=None: m.softmax(
        -input, guessed(input, dim, "softmin", _stacklevel), dtype=dtype),
    softsign=lambda input: input / (1 + input.abs()),
    tanhshrink=lambda input: input - input.tanh(),
    prelu=prelu,
    normalize=lambda input, p=2.0, dim=1, eps=1e-12: input / (
        input.norm(p, dim, True).clamp_min(eps).expand(input.shape)),
    # losses
    kl_div=kl_div,
    poisson_nll_loss=poisson_nll_loss,
    margin_ranking_loss=lambda input1, input2, target, margin=0.0, reduction="mean": m.loss.averaged(
        (-only(target, (input1.ndim,), SAME) * (input1 - only(input2, (input1.ndim,), SAME)) + margin).clamp_min(0),
        reduction),
    hinge_embedding_loss=lambda input, target, margin=1.0, reduction="mean": m.loss.averaged(
        m.where(target != 1, (margin - input).clamp(min=0), 0) + m.where(target != -1, input, 0), reduction),
    cosine_embedding_loss=lambda input1, input2, target, margin=0.0, reduction="mean": m.loss.averaged(
        m.where(only(target, range(2), SAME) == 1, 1 - cosine(
            only(input1, (target.ndim + 1,), SAME), only(input2, (target.ndim + 1,), SAME)), 0)
        + m.where(target == -1, (cosine(input1, input2) - margin).clamp(min=0), 0), reduction),
    triplet_margin_loss=triplet_margin_loss,
    soft_margin_loss=soft_margin_loss,
    multilabel_soft_margin_loss=lambda input, target, weight=None, reduction="mean": m.loss.averaged(
        (target * m.special.logsigmoid(input) + (1 - target) * m.special.logsigmoid(-input)).mul(
            -1 if weight is None else -weight).sum(input.ndim - 1) / input.shape[-1], reduction),
)
