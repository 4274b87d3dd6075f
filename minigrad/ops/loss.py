"""How wrong a prediction is, as one number.

In PyTorch a loss is one node of the graph, its `reduction` (mean, sum or none) included, and so it is here: each row is
the loss of one element, reduced at the end of the forward and shared out at the beginning of the backward.
"""

import contextlib
import math
import warnings
from operator import index

import numpy as np

from ..core.modes import picking
from ..core.row import op
from ..core.tensor import Tensor, wrap
from ..numbers.dtypes import short_name
from .activation import at as taken_at, log_softmax, sigmoid, softplus
from .elementwise import abs, clipped, log, masked, plain, sgn, where
from .index import put
from .public import public
from .reduction import mean, sum
from .shape import expand_to, reshape_to


def check_reduction(reduction) -> None:
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")


def reduced(values, reduction):
    """The forward's last step."""
    if reduction == "none":
        return values
    total = np.add.reduce(values, None)
    if reduction == "mean":
        return total / values.size
    check_reduction(reduction)
    return total


def averaged(values, reduction, samples=None):
    """The same of Tensors; "batchmean" divides the sum by the number of samples."""
    if samples is not None and reduction == "batchmean":
        return sum(values) / samples
    check_reduction(reduction)
    return {"mean": mean, "sum": sum, "none": lambda x: x}[reduction](values)


def shared(g, a, reduction):
    """The backward's first step: what the loss of each element receives."""
    return g / max(math.prod(a.shape), 1) if reduction == "mean" else g


def weighted(x, weight):
    """Each element times its weight, where there are weights."""
    return x if isinstance(weight, float) else weight * x


# fmt: off
squared_error = op(lambda a, target, reduction: reduced(np.square(a - target), reduction), grad_fn="MseLossBackward0",
    mixes=True,
    a=lambda g, a, target, reduction: 2 * shared(g, a, reduction) * (a - target),
    target=lambda g, a, target, reduction: 2 * shared(g, a, reduction) * (target - a), refuses="bic", kernel="mse_cpu",
    rules_say={"a": "2 * ({a} - {target}) / {count}", "target": "2 * ({target} - {a}) / {count}"})
# squared near 0, a straight line beyond `delta`, all divided by `unit`; `node` is PyTorch's name for one use of it
huber = op(lambda a, target, reduction, delta, unit, node: reduced(_huber(np.abs(a - target), delta) / unit, reduction),
    grad_fn=lambda a, target, reduction, delta, unit, node: node, mixes=True,
    a=lambda g, a, target, reduction, delta, unit: shared(g, a, reduction) * (huber_slope(a - target, delta) / unit),
    target=lambda g, a, target, reduction, delta, unit: (
        shared(g, a, reduction) * (huber_slope(target - a, delta) / unit)),
    refuses="bic", kernel="huber_cpu", says="huber_loss(a, target, reduction=reduction, delta=delta) / unit",
    rules_say={
        "a": "clamp({a} - {target}, -{delta}, {delta}) / {unit} / {count}",
        "target": "clamp({target} - {a}, -{delta}, {delta}) / {unit} / {count}"})
soft_margin = op(lambda a, target, reduction: reduced(np.log1p(np.exp(-target * a)), reduction),
    a=lambda g, a, target, reduction: shared(g, a, reduction) * (-target * sigmoid(-target * a)), target=None,
    grad_fn="SoftMarginLossBackward0", mixes=True, refuses="bic", kernel="soft_margin_loss_cpu",
    rules_say={"a": "-{target} * sigmoid(-{target} * {a}) / {count}"})
# logarithms are held above -100, so that no loss is infinite
cross_entropy_of_probability = op(
    lambda a, target, reduction, weight: reduced(weighted(_binary_cross_entropy(a, target), weight), reduction),
    grad_fn="BinaryCrossEntropyBackward0", mixes=True, refuses="bi",
    a=lambda g, a, target, reduction, weight: (
        shared(g, a, reduction) * weighted((a - target) / at_least((1 - a) * a, 1e-12), weight)),
    target=lambda g, a, target, reduction, weight: shared(g, a, reduction) * weighted(log(1 - a) - log(a), weight),
    rules_say={
        "a": "{weight} * ({a} - {target}) / ({a} * (1 - {a})) / {count}",
        "target": "{weight} * log((1 - {a}) / {a}) / {count}"})
cross_entropy_of_logit = op(
    lambda a, target, reduction, weight, pos_weight: reduced(
        weighted(_with_logits(a, target, pos_weight), weight), reduction),
    grad_fn="BinaryCrossEntropyWithLogitsBackward0", mixes=True,
    a=lambda g, a, target, reduction, weight, pos_weight: (
        shared(g, a, reduction) * weighted(slope_with_logits(a, target, pos_weight), weight)),
    target=lambda g, a, target, reduction, weight, pos_weight: (
        shared(g, a, reduction) * weighted(weighted(softplus(-a), pos_weight) - softplus(a), weight)),
    rules_say={"a": "{weight} * (sigmoid({a}) - {target}) / {count}", "target": "-{weight} * {a} / {count}"})
# `at` is the index of the targets' places
negative_log_likelihood = op(lambda a, at, weights, total, reduction: _picked(a, at, weights, total, reduction),
    places="at", refuses="bi", grad_fn=lambda a, *_: "NllLossBackward0" if a.ndim < 3 else "NllLoss2DBackward0",
    linear=True,
    a=lambda g, a, at, weights, total: taken_at(put(-g * (weights / (total or 1)), a.shape, at), a),
    says="nll_loss(a, reduction=reduction)",
    rules_say={"a": "-{g} · its weight / {total} at each right class, 0 elsewhere"})
# what PyTorch's own C++ code calls with a plain number, of which Python's operator would first make a tensor
over = op(lambda a, number: a / number, grad_fn="DivBackward1", linear=True,
    a=lambda g, number: over(g, number), says="a / number")
# fmt: on


def _huber(distance, delta):
    return np.where(distance < delta, 0.5 * distance * distance, delta * (distance - 0.5 * delta))


def huber_slope(difference, delta):
    return where(abs(difference) >= delta, delta * sgn(difference), difference)


def _binary_cross_entropy(a, b):
    for name, x in (("input", a), ("target", b)):
        if x.size and not (x.min() >= 0 and x.max() <= 1):
            raise RuntimeError(f"all elements of {name} should be between 0 and 1")
    return -(b * np.maximum(np.log(a), -100) + (1 - b) * np.maximum(np.log1p(-a), -100))


def _with_logits(a, b, pos_weight):
    rest = np.log1p(np.exp(-np.abs(a)))
    if isinstance(pos_weight, float):
        return (1 - b) * a - (np.minimum(a, 0) - rest)  # so that where all is infinite PyTorch's sum is, too
    return (1 - b) * a + (1 + (pos_weight - 1) * b) * (rest + clipped(-a, 0))


def slope_with_logits(a, b, pos_weight):
    positive = weighted(b, pos_weight)
    return sigmoid(a) * (1 - b + positive) - positive if positive is not b else sigmoid(a) - b


def at_least(x, least):
    return where(x < least, least, x)


def _picked(a, at, weights, total, reduction):
    each = masked(-a[at], weights != 0) * weights  # of an ignored target not even an infinity counts
    return each if reduction == "none" else np.add.reduce(each, None) / total


# == as people call them ===================================================================================


def _pair(input, target, reduction, name):
    """Prediction and target in one shape, with PyTorch's warning where they had to be stretched."""
    check_reduction(reduction)
    if input.shape != target.shape:
        if name.startswith("binary"):
            raise ValueError(
                f"Target size ({target.shape}) must be the same as input size ({input.shape})"
                if "logits" in name
                else f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) is "
                "deprecated. Please ensure they have the same size."
            )
        warnings.warn(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). This will "
            "likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            stacklevel=4,
        )
        try:
            shape = np.broadcast_shapes(input.shape, target.shape)
        except ValueError:
            input - target  # which refuses them, and says which sizes do not meet
        input, target = expand_to(input, shape), expand_to(target, shape)
    return input, target


def _by_weight(losses, weight, input, reduction):
    """What becomes of losses that count by a weight each; their mean is over all that the weights are together."""
    if weight.shape != input.shape:
        raise ValueError("Weights and input must have the same size.")
    losses = losses * weight
    return losses if reduction == "none" else sum(losses) / (sum(weight) if reduction == "mean" else 1)


@public("functional")
def mse_loss(input, target, reduction="mean", weight=None):
    """The mean of the squared differences.

    >>> import minigrad as mg
    >>> mg.nn.functional.mse_loss(mg.tensor([1.0, 2.0]), mg.tensor([1.0, 4.0]))
    tensor(2.)
    """
    a, b = _pair(input, target, reduction, "mse_loss")
    return squared_error(a, b, reduction) if weight is None else _by_weight((a - b) ** 2, weight, input, reduction)


@public("functional")
def l1_loss(input, target, reduction="mean", weight=None):
    """The mean of the distances."""
    a, b = _pair(input, target, reduction, "l1_loss")
    return averaged(abs(a - b), reduction) if weight is None else _by_weight(abs(a - b), weight, input, reduction)


@public("functional")
def huber_loss(input, target, reduction="mean", delta=1.0):
    """Squared near 0, a straight line beyond `delta`."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    input, target = _pair(input, target, reduction, "huber_loss")  # alone among the losses it keeps the first's type
    return huber(input, target.to(input.dtype), reduction, delta, 1, "HuberLossBackward0")


@public("functional")
def smooth_l1_loss(input, target, reduction="mean", beta=1.0):
    """`huber_loss` divided by `beta`, so that the straight part has slope 1."""
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0:
        return l1_loss(input, target, reduction)
    return huber(*_pair(input, target, reduction, "smooth_l1_loss"), reduction, beta, beta, "SmoothL1LossBackward0")


@public("functional")
def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    """The surprise at a yes or no that was given the probability `input`."""
    input, target = _pair(input, target, reduction, "binary_cross_entropy")
    if target.dtype != input.dtype:
        raise RuntimeError(f"Found dtype {short_name(target)} but expected {short_name(input)}")
    return cross_entropy_of_probability(input, target, reduction, _factor(weight, input, "binary_cross_entropy"))


@public("functional")
def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    """`binary_cross_entropy` of `sigmoid(input)`, in the form that never overflows."""
    name = "binary_cross_entropy_with_logits"
    input, target = _pair(input, target, reduction, name)
    if not target.is_floating_point():
        kinds = [short_name(one) for one in (input, target)]
        raise RuntimeError(f"result type {kinds[0]} can't be cast to the desired output type {kinds[1]}")
    weights = _factor(weight, input, name), _factor(pos_weight, input, name, "pos_weight")
    return cross_entropy_of_logit(input, target, reduction, *weights)


def _factor(weight, input, function, argument="weight"):
    """A weight as a constant, an array or 1, which makes of the losses no more than there are."""
    if weight is None:
        return 1.0
    if not isinstance(weight, Tensor):
        raise TypeError(f"{function}(): argument '{argument}' must be Tensor, not {type(weight).__name__}")
    with contextlib.suppress(ValueError):  # what does not meet at all is refused by the product
        if (shape := np.broadcast_shapes(weight.shape, input.shape)) != input.shape:
            stretched = f"{list(input.shape)} doesn't match the broadcast shape {list(shape)}"
            raise RuntimeError(f"output with shape {stretched} of a {argument} of shape {list(weight.shape)}")
    if weight.requires_grad:
        raise RuntimeError(
            f"The function '{function}' is not differentiable with respect to argument '{argument}'. This input "
            "cannot have requires_grad True."
        )
    return np.asarray(plain(weight), input.array.dtype)


@public("functional")
def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Minus the log-probability of each target class."""
    check_reduction(reduction)
    ignore_index = index(ignore_index)
    if not input.ndim:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    classes_at = 0 if input.ndim == 1 else 1
    if input.ndim > 1 and target.ndim and input.shape[0] != target.shape[0]:
        raise ValueError(
            f"Expected input batch_size ({input.shape[0]}) to match target batch_size ({target.shape[0]})."
        )
    classes, given, target = input.shape[classes_at], target, target.array
    if target.dtype != np.int64 and (target.dtype != np.uint8 or input.ndim > 2):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {short_name(target)}")
    target = target.astype(np.int64, copy=False)
    _check_weight(weight, classes)
    if isinstance(weight, Tensor) and weight.dtype is not input.dtype:
        names = [short_name(one) for one in (input, weight)]
        raise RuntimeError(f"expected scalar type {names[0]} but found {names[1]} as weight")
    if isinstance(weight, Tensor) and weight.requires_grad:
        raise RuntimeError("the derivative for 'weight' is not implemented")
    expected = input.shape[:classes_at] + input.shape[classes_at + 1 :]
    if target.ndim > 1 and input.ndim < 3:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if target.ndim == input.ndim == 1:
        if target.size != 1:
            raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {target.size}")
        target = target[0]
    if target.shape != tuple(expected):
        refusal = RuntimeError if input.ndim > 2 else ValueError
        raise refusal(f"Expected target size {list(expected)}, got {list(target.shape)}")
    used = target != ignore_index
    safe = target * used
    if safe.size and not 0 <= np.minimum.reduce(safe, None) <= np.maximum.reduce(safe, None) < classes:
        raise IndexError(f"Target {safe[(safe < 0) | (safe >= classes)][0]} is out of bounds.")
    weights = (used if weight is None else plain(weight)[safe] * used).astype(input.array.dtype)
    total = np.add.reduce(weights, None) if reduction == "mean" else 1
    at = list(np.ix_(*map(np.arange, safe.shape)))
    at.insert(classes_at, safe)
    with picking((given,)):
        return negative_log_likelihood(input, tuple(at), weights, total, reduction)


def _check_weight(weight, classes: int) -> None:
    if weight is not None and weight.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight "
            f"tensor of shape: {list(weight.shape)}"
        )


@public("functional")
def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """`nll_loss` of `log_softmax(input)`; the target is a class number, or a probability for each class.

    With `label_smoothing` that share of each target is spread evenly over all classes.

    >>> import minigrad as mg
    >>> mg.nn.functional.cross_entropy(mg.tensor([[0.0, 0.0]]), mg.tensor([1]))
    tensor(0.6931)
    """
    check_reduction(reduction)
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    classes_at = 0 if input.ndim == 1 else 1
    even = label_smoothing / max(input.shape[classes_at], 1)
    if target.shape == input.shape:
        target = target * (1 - label_smoothing) + even if even else target
        return _of_probabilities(input, target, weight, ignore_index, reduction, classes_at)
    scores = log_softmax(input, classes_at)
    picked = nll_loss(scores, target, weight, ignore_index, reduction)
    if not even:
        return picked
    of_all = where(target == ignore_index, 0, -sum(by_class(scores, weight, classes_at), classes_at))
    if reduction != "none":
        of_all = sum(of_all)
    if reduction == "mean":
        of_all = of_all / wrap(weighed(target.array, weight, ignore_index))
    return picked * (1 - label_smoothing) + of_all * even


def weighed(classes, weight, ignore_index):
    """What the classes that count weigh in all: how many they are, where there are no weights."""
    used = classes != ignore_index
    return used.sum() if weight is None else np.sum(weight.array[classes * used] * used)


def by_class(x, weight, classes_at):
    """Each class times its weight, where there are weights."""
    return x if weight is None else x * reshape_to(weight, (-1,) + (1,) * (x.ndim - classes_at - 1))


def _of_probabilities(input, target, weight, ignore_index, reduction, classes_at):
    """The cross entropy where the target is a probability for each class."""
    if not target.is_floating_point():
        kind = short_name(target)
        raise RuntimeError(f"Expected floating point type for target with class probabilities, got {kind}")
    if ignore_index >= 0:
        raise RuntimeError("ignore_index is not supported for floating point target")
    classes = input.shape[classes_at]
    _check_weight(weight, classes)
    each = by_class(log_softmax(input, classes_at) * target, weight, classes_at)
    if reduction == "none":
        return -sum(each, classes_at)
    total = -sum(each)
    return over(total, input.numel() // max(classes, 1)) if reduction == "mean" else total
