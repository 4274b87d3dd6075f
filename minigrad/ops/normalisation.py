"""Numbers brought to mean 0 and deviation 1; lookups; attention; dropout."""

import math
import warnings

import numpy as np

from ..core.modes import modes, no_grad, picking
from ..core.row import op
from ..core.tensor import wrap
from ..numbers.dtypes import short_name, unsupported
from ..numbers.memory import row_by_row
from .activation import safe_softmax
from .elementwise import kept_where, rsqrt, where
from .index import put
from .matrix import IN_C, matmul
from .public import public
from .reduction import mean, over_channels, sum
from .shape import reshape_to, transpose

# == one row for layers and batches, one for what training saw ===========================================

# (a - mean) / √(variance + eps), both taken over `dims`; then stretched by `weight` and moved by `bias`
standardise = op(
    lambda a, weight=None, bias=None, dims=(-1,), eps=1e-5: affine(
        standard(row_by_row(a), dims, eps), suited(weight, a.ndim, dims), suited(bias, a.ndim, dims)),
    grad_fn=lambda a, weight, bias, dims, eps: f"Native{'Batch' if 0 in dims else 'Layer'}NormBackward0",
    a=lambda g, a, weight, dims, eps: standard_rule(
        g if weight is None else g * suited(weight, g.ndim, dims), a, dims, eps),
    weight=lambda g, a, dims, eps: of_parameter(g * standard(a, dims, eps), dims),
    bias=lambda g, dims: of_parameter(g, dims),
    rules_say={
        "a": "{g} * {weight}, without what would move the mean or the spread, over the deviation",
        "weight": "{g} * the normalised {a}, summed over all that it multiplies",
        "bias": "{g}, summed over all that it moves"}, says="standardised(a)")  # fmt: skip


def suited(x, ndim: int, dims):
    """A parameter as it meets the input: in batches, whose dimension 0 is among `dims`, it is one for each channel."""
    return by_channel(x, ndim) if 0 in dims else x


def of_parameter(g, dims):
    """The reverse: the sum over all that a parameter meets."""
    met = dims if 0 in dims else tuple(range(g.ndim - len(dims)))
    return sum(g, met) if met else g


def standard_and_scale(a, dims, eps):
    """(a - mean) · scale, and the scale, 1 / √(variance + eps)."""
    deviation = a - mean(a, dims, True)
    scale = rsqrt(mean(deviation * deviation, dims, True) + eps)
    return deviation * scale, scale


def standard(a, dims, eps):
    return standard_and_scale(a, dims, eps)[0]


def standard_rule(g, a, dims, eps):
    """What of `g` would move the mean or the variance has no effect: it is taken out."""
    x, scale = standard_and_scale(a, dims, eps)
    return (g - mean(g, dims, True) - x * mean(g * x, dims, True)) * scale


CHANNELS_SAY = {"weight": "{g} * the normalised {a}, summed in each channel", "bias": "{g}, summed in each channel"}
# the same with a mean and a variance that training saw
normalise_as_gathered = op(
    lambda a, weight=None, bias=None, middle=0, spread=1: affine(
        gathered(row_by_row(a), middle, spread), by_channel(weight, a.ndim), by_channel(bias, a.ndim)),
    grad_fn="NativeBatchNormBackward0",
    a=lambda g, weight, spread: (g if weight is None else g * by_channel(weight, g.ndim)) * by_channel(spread, g.ndim),
    weight=lambda g, a, middle, spread: over_channels(g * gathered(a, middle, spread)), bias=lambda g: over_channels(g),
    rules_say={"a": "{g} * {weight} / the gathered deviation", **CHANNELS_SAY}, says="standardised(a)")  # fmt: skip


def gathered(a, middle, spread):
    return (a - by_channel(middle, a.ndim)) * by_channel(spread, a.ndim)


def affine(x, weight, bias):
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


@public("functional")
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """Each sample by its own mean and deviation, over the last dimensions.

    >>> import minigrad as mg
    >>> mg.nn.functional.layer_norm(mg.tensor([[1.0, 3.0], [10.0, 30.0]]), (2,))
    tensor([[-1.0000,  1.0000],
            [-1.0000,  1.0000]])
    """
    shape = tuple(normalized_shape)
    _check_tail(input, shape, weight=weight, bias=bias)
    _check_types("LayerNormKernelImpl", input, weight, bias)
    return standardise(input, weight, bias, tuple(range(-len(shape), 0)), eps).to(input.dtype)


def _check_tail(input, shape: tuple, **parameters) -> None:
    for name, given in parameters.items():
        if given is not None and given.shape != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{list(given.shape)} and normalized_shape = {list(shape)}"
            )
    if not shape or tuple(input.shape[-len(shape) :]) != shape:
        wanted = ", ".join(["*", *map(str, shape)])
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape [{wanted}], but got input of "
            f"size{list(input.shape)}"
        )


def _check_types(kernel: str, input, *parameters) -> None:
    """All of one type; with half precision, the parameters may be of float32. The words are PyTorch's."""
    if input.array.dtype.kind != "f":
        raise unsupported(kernel, input.array.dtype)
    kinds = [one.dtype for one in parameters if one is not None]
    name = short_name(input)
    if other := next((short_name(kind) for kind in kinds if kind is not input.dtype), None):
        if kinds[0] is input.dtype:
            raise RuntimeError(f"expected scalar type {name} but found {other}")
        if any(kind.name != "float32" for kind in kinds):
            raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
        if name != "Half":
            raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")


def by_channel(x, ndim: int):
    """One number for each channel, the second dimension."""
    return x if x is None else reshape_to(x, (1, -1)[ndim < 2 :] + (1,) * (ndim - 2))


IN_VMAP = (
    "Batch norm got a batched tensor as input while the running_mean or running_var, which will be updated in place, "
    "were not batched.\nIf you are using a module and do not need eval mode, please set `track_running_stats` to be "
    "False."
)


@public("functional")
def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Each channel by the mean and deviation of the whole batch, or, when not training, by those that were gathered."""
    ndim = input.ndim
    samples = math.prod(n for dim, n in enumerate(input.shape) if dim != 1)
    if training and samples == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.shape}")
    if eps < 0 or (training and eps == 0):
        wanted = "positive during training" if training else "non-negative"
        raise ValueError(f"batch_norm eps must be {wanted}, but got {eps}")
    dims, channels = (0, *range(2, ndim)), input.shape[1] if ndim > 1 else 0
    _check_statistics(channels, training, running_mean=running_mean, running_var=running_var)
    if (running_mean is None) is not (running_var is None):
        raise ValueError("running_mean and running_var must either both be None or neither be None")
    _check_statistics(channels, True, weight=weight, bias=bias)
    _check_types("batch_norm", input, weight, bias, running_mean, running_var)
    if not training:
        found = running_mean.array.copy(), 1 / np.sqrt(running_var.array + eps)
        return normalise_as_gathered(input, weight, bias, *found).to(input.dtype)  # a half keeps to its type
    if running_mean is not None and "vmap" in modes.transforms:
        if running_mean._base is None or running_var._base is None:  # neither is a slice of what is mapped over
            raise RuntimeError(IN_VMAP)
    if running_mean is not None and samples:
        with no_grad():  # before anything is saved: a checkpoint's second run, which ends there, counts too
            running_mean.mul_(1 - momentum).add_(mean(input, dims) * momentum)
            running_var.mul_(1 - momentum).add_(input.var(dims) * momentum)
    return standardise(input, weight, bias, dims, eps).to(input.dtype)


def _check_statistics(channels: int, training: bool, **statistics) -> None:
    for name, given in statistics.items():
        if given is None and not training:
            raise RuntimeError(f"{name} must be defined in evaluation mode")
        if given is not None and given.numel() != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {given.numel()}")


# == lookups ===============================================================================================

# a row that is looked up twice gets the sum; the padding row gets nothing
embedding_of = op(lambda a, index, padding_idx: a[index], places="index", linear=True, grad_fn="EmbeddingBackward0",
    a=lambda g, a_shape, index, padding_idx: put(
        g if padding_idx is None else kept_where(g, (index != padding_idx)[..., None]), a_shape, index),
    rules_say={"a": "{g}, added at the rows of {a} that were looked up"})  # fmt: skip


@public("functional")
def embedding(input, weight, padding_idx=None):
    """The rows of `weight` with the numbers in `input`.

    >>> import minigrad as mg
    >>> mg.nn.functional.embedding(mg.tensor([1, 1]), mg.tensor([[0.0, 0.0], [3.0, 4.0]]))
    tensor([[3., 4.],
            [3., 4.]])
    """
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    if input.array.dtype.name not in ("int64", "int32"):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"torch.{short_name(input)}Tensor instead (while checking arguments for embedding)"
        )
    index = input.array
    if index.size and not 0 <= index.min() <= index.max() < weight.shape[0]:
        raise IndexError("index out of range in self")
    if padding_idx is not None and not -weight.shape[0] <= padding_idx < weight.shape[0]:
        raise AssertionError("Padding_idx must be within num_embeddings")
    padding_idx = padding_idx if padding_idx is None else padding_idx % weight.shape[0]
    with picking((input,)):
        return embedding_of(weight, index, padding_idx)


@public("functional")
def one_hot(tensor, num_classes=-1):
    """A 1 at the place of each class, 0 elsewhere.

    >>> import minigrad as mg
    >>> mg.nn.functional.one_hot(mg.tensor([2, 0]))
    tensor([[0, 0, 1],
            [1, 0, 0]])
    """
    index = row_by_row(tensor.array)
    if index.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not index.size and num_classes == -1:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    if index.size and index.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    count = int(index.max()) + 1 if num_classes == -1 else num_classes
    if index.size and index.max() >= count:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return wrap((index[..., None] == np.arange(count)).astype(np.int64))


@public("functional")
def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """softmax(Q Kᵀ / √d) V: each query's mean of the values, weighted by how well the keys fit."""
    if min(query.ndim, key.ndim, value.ndim) < 2:
        raise RuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
            f"{query.ndim} key.dim: {key.ndim} and value.dim: {value.ndim} instead."
        )
    scores = matmul(query, transpose(key, -2, -1)) * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    if is_causal:
        scores = where(np.tri(*scores.shape[-2:], dtype=bool), scores, -math.inf)
    if attn_mask is not None:
        masks = attn_mask.array.dtype.kind == "b"
        if not masks and attn_mask.dtype.name not in ("float32", query.dtype.name):  # whole numbers would hide nothing
            kinds = [IN_C[one.dtype.name] for one in (attn_mask, query)]
            raise RuntimeError(
                "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
                f"{kinds[0]} and  query.dtype: {kinds[1]} instead."
            )
        scores = where(attn_mask, scores, -math.inf) if masks else scores + attn_mask.to(query.dtype)
    return matmul(dropout(safe_softmax(scores, -1), dropout_p), value)


# == dropout ===============================================================================================


@public("functional")
def dropout(input, p=0.5, training=True, inplace=False):
    """Each element is 0 with probability `p`; the others grow, so that the mean stays."""
    return _dropout(input, input.shape, p, training, inplace)


@public("functional")
def dropout2d(input, p=0.5, training=True, inplace=False):
    """`dropout` of whole channels."""
    if input.ndim == 3:
        said = "and assuming that channel-wise 1D dropout behavior is desired - input is interpreted as shape (N, C, L)"
        warnings.warn(f"dropout2d: Received a 3D input to dropout2d {said}, where C is the channel dim.", stacklevel=2)
    elif input.ndim != 4:
        said = "which is deprecated and will result in an error in a future release. Please use dropout instead"
        warnings.warn(f"dropout2d: Received a {input.ndim}-D input to dropout2d, {said}.", stacklevel=2)
    if input.ndim < 2 and training and 0 < p < 1:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return _dropout(input, (*input.shape[:2], *(1,) * (input.ndim - 2)), p, training, inplace)


def _dropout(input, shape, p, training, inplace):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if p == 0 or not training or input.numel() == 0:
        return input
    noise = wrap(np.zeros(shape, input.array.dtype))
    if input.shape == shape and not input.is_contiguous() and 0 not in input.stride():
        noise = wrap(np.zeros_like(input.array))  # drawn in the same order
    if p < 1:
        noise.bernoulli_(kept := 1 - float(p)).div_(kept)
    return input.mul_(noise) if inplace else input * noise
