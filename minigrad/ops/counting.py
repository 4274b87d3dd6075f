"""How often, and between which: histograms, and the place of a number among sorted ones. No gradient flows."""

import math

import numpy as np

from ..autograd.op import op
from ..dtypes import SHORT_NAMES, unsupported
from ..tensor import Tensor, wrap
from .elementwise import underivable

bincount_of = op(
    lambda a, weights, minlength: np.bincount(a, weights, minlength).astype(weights.dtype),
    grad_fn="NotImplemented",
    a=None,
    weights=lambda g: underivable("bincount"),
)


def bincount(input, weights=None, minlength=0):
    """How often each of the numbers 0, 1, 2, … occurs; or the sum of the `weights` where it does.

    >>> import minigrad as mg
    >>> mg.bincount(mg.tensor([2, 0, 2]))
    tensor([1, 0, 2])
    """
    if input.array.dtype.kind not in "iu":
        raise unsupported("bincount_cpu", input.array.dtype)
    if input.ndim != 1 or (input.array < 0).any():
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if weights is None:
        return wrap(np.bincount(input.array, None, minlength))
    if weights.shape != input.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    return bincount_of(input, weights if weights.array.dtype == np.float32 else weights.double(), minlength)


def histc(input, bins=100, min=0, max=0):
    """How many elements lie in each of equal parts of the range from `min` to `max`, or from the smallest to the largest."""
    if not input.is_floating_point():
        raise unsupported("histogram_cpu", input.array.dtype)
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    numbers, low, high = input.array, float(min), float(max)
    if low == high and numbers.size:
        low, high = float(numbers.min()), float(numbers.max())
    if not math.isfinite(low) or not math.isfinite(high):
        raise RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    if low == high:
        low, high = low - 1, high + 1
    counts, _ = np.histogram(numbers[np.isfinite(numbers)], bins, (low, high))
    return wrap(counts.astype(input.array.dtype))


def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None):
    """Where each number would have to be inserted so that the last dimension stays in order.

    >>> import minigrad as mg
    >>> mg.searchsorted(mg.tensor([1, 3, 5]), mg.tensor([3, 6]))
    tensor([1, 3])
    """
    edges, numbers = sorted_sequence.array, input.array if isinstance(input, Tensor) else np.asarray(input)
    if side not in (None, "left", "right"):
        raise RuntimeError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    if right and side == "left":
        raise RuntimeError(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True"
        )
    if not edges.ndim:
        raise RuntimeError("torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension")
    if edges.ndim > 1 and not numbers.ndim:
        raise RuntimeError(
            "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries "
            f"tensor dim({edges.ndim}) and input value's dim(0) numel(1)"
        )
    if edges.ndim > 1 and edges.shape[:-1] != numbers.shape[:-1]:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input "
            f"value tensor must match, but we got boundaries tensor {list(edges.shape)} and input value tensor {list(numbers.shape)}"
        )
    if sorter is not None:
        edges = np.take_along_axis(edges, checked_order(sorter, edges).array, -1)
    way = "right" if right or side == "right" else "left"
    if edges.ndim == 1:
        found = np.searchsorted(edges, numbers, way)
    else:
        found = np.empty(numbers.shape, np.int64)
        for row in np.ndindex(edges.shape[:-1]):
            found[row] = np.searchsorted(edges[row], numbers[row], way)
    return wrap(np.asarray(found, np.int32 if out_int32 else np.int64))


def checked_order(sorter, edges) -> Tensor:
    if sorter.array.dtype != np.int64:
        kind = SHORT_NAMES[sorter.dtype.name]
        raise RuntimeError(f"torch.searchsorted(): sorter must be a tensor of long dtype but got dtype {kind}")
    if sorter.shape != edges.shape:
        raise RuntimeError(
            f"torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor {list(edges.shape)}"
            f"and got sorter tensor {list(sorter.shape)}"
        )
    return sorter


def bucketize(input, boundaries, *, out_int32=False, right=False):
    """Between which of the boundaries each number lies."""
    if boundaries.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)
