"""Windows over space: the largest or the mean of each, patches as columns, borders, and the reverse of a convolution."""

import math

import numpy as np

from ..autograd.op import op
from .convolution import (
    _per_dimension,
    bordered,
    check_channels,
    columns,
    convolved,
    image,
    in_groups,
    kernels,
    out_of_groups,
    patches,
)
from .index import put, scatter_add
from .reduction import sum
from .shape import expand_to, reshape_to

# == the largest and the mean of each window ===============================================================

max_pool = op(  # of elements that tie, the first
    lambda a, kernel, stride, padding, dilation, extra: _max_pool(a, kernel, stride, padding, dilation, extra),
    outputs=("values", "indices"),
    grad_fn="MaxPool2DWithIndicesBackward0",
    a=lambda g, a_shape, indices: reshape_to(
        scatter_add(flat_plane(g), (*a_shape[:-2], math.prod(a_shape[-2:])), len(a_shape) - 2, flat_plane(plain(indices))), a_shape
    ),
)
avg_pool = op(
    lambda a, kernel, stride, padding, extra, divisor: (
        alike(patches(with_room(planes(a), padding, extra, 0), kernel, stride, (1, 1)).sum((2, 3)), a) / divisor
    ).astype(a.dtype),
    linear=True,
    holomorphic=False,
    grad_fn="AvgPool2DBackward0",
    a=lambda g, a_shape, kernel, stride, padding, extra, divisor: reshape_to(
        spread_windows(planes(g / divisor), a_shape, kernel, stride, padding, extra), a_shape
    ),
)
# means over parts that need not be of equal size are a product with a matrix of weights, on either side
adaptive_avg_pool = op(
    lambda a, rows, columns: rows @ a @ columns.T,
    linear=True,
    grad_fn="AdaptiveAvgPool2DBackward0",
    a=lambda g, rows, columns: rows.T @ g @ columns,
)


def planes(a):
    """Images with a batch dimension: where there is none, a batch of one."""
    return reshape_to(a, (-1, *a.shape[-3:]))


def alike(found, a):
    """What was found in a batch, with a batch dimension only where `a` has one."""
    return found.reshape(*a.shape[:-2], *found.shape[-2:])


def flat_plane(x):
    return reshape_to(x, (*x.shape[:-2], -1))


def plain(indices):
    return indices.array if hasattr(indices, "array") else indices


def with_room(a, padding, extra, value):
    """Padded on both sides, and by `extra` at the end, where a last, incomplete window is wanted."""
    return bordered(a, padding, [p + e for p, e in zip(padding, extra)], value)


def _max_pool(a, kernel, stride, padding, dilation, extra):
    given, a = a, planes(a)
    lowest = -math.inf if a.dtype.kind == "f" else np.iinfo(a.dtype).min
    found = patches(with_room(a, padding, extra, lowest), kernel, stride, dilation)
    flat = found.reshape(*a.shape[:2], math.prod(kernel), *found.shape[2 + len(kernel) :])
    best = np.argmax(flat, 2)
    values = np.maximum.reduce(flat, 2)
    places = np.zeros_like(best)
    inside = np.unravel_index(best, kernel)
    for axis, (offset, step, p, d) in enumerate(zip(inside, stride, padding, dilation)):
        start = np.arange(best.shape[2 + axis]).reshape((-1,) + (1,) * (len(kernel) - axis - 1)) * step - p
        places = places * a.shape[2 + axis] + start + offset * d
    return alike(values, given), alike(places, given)


def spread_windows(g, shape, kernel, stride, padding, extra):
    """Each window's gradient, added to all of its places."""
    n, c, *out = g.shape
    copies = expand_to(reshape_to(g, (n, c, 1, math.prod(out))), (n, c, math.prod(kernel), math.prod(out)))
    wide = (n, c, *(m + 2 * p + e for m, p, e in zip(shape[-2:], padding, extra)))
    whole = image(reshape_to(copies, (n, c * math.prod(kernel), math.prod(out))), wide, kernel, stride, (0,) * len(kernel), (1,) * len(kernel))
    return whole[(slice(None), slice(None), *(slice(p, p + m) for p, m in zip(padding, shape[-2:])))]


def lengths(size, kernel, stride, padding, dilation, ceil_mode) -> tuple[list, list]:
    """How many windows fit along each dimension, and what must be added at the end for an incomplete last one."""
    count, extra = [], []
    for n, k, s, p, d in zip(size, kernel, stride, padding, dilation):
        if s == 0:
            raise RuntimeError("stride should not be zero")
        if p > d * (k - 1) // 2 + (k > 1 and d > 1 and 0) and p > k // 2:
            raise RuntimeError(f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and dilation={d}")
        room = n + 2 * p - d * (k - 1) - 1
        windows = (-(-room // s) if ceil_mode else room // s) + 1
        if ceil_mode and (windows - 1) * s >= n + p:  # a window that starts in the border alone is none
            windows -= 1
        if windows < 1:
            raise RuntimeError(f"Given input size: {tuple(size)}. Calculated output size: {windows}. Output size is too small")
        count.append(windows)
        extra.append(max((windows - 1) * s - room, 0))
    return count, extra


def check_dimensions(input, spatial: int, name: str) -> None:
    if input.ndim not in (spatial + 1, spatial + 2):
        raise RuntimeError(f"{name}: Expected {spatial + 1}D or {spatial + 2}D (batch mode) tensor, but got input of size {list(input.shape)}")


def _pooled(input, spatial: int, name: str):
    """The input with a batch dimension, and whether it had one."""
    check_dimensions(input, spatial, name)
    return (input, True) if input.ndim == spatial + 2 else (input.unsqueeze(0), False)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest element of each window."""
    check_dimensions(input, 2, "max_pool2d")
    kernel, padding, dilation = (_per_dimension(x, 2) for x in (kernel_size, padding, dilation))
    stride = kernel if stride is None else _per_dimension(stride, 2)
    _, extra = lengths(input.shape[-2:], kernel, stride, padding, dilation, ceil_mode)
    values, indices = max_pool(input, kernel, stride, padding, dilation, tuple(extra))
    return (values, indices) if return_indices else values


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    """The mean of each window."""
    check_dimensions(input, 2, "avg_pool2d")
    kernel, padding = (_per_dimension(x, 2) for x in (kernel_size, padding))
    stride = kernel if stride is None else _per_dimension(stride, 2)
    count, extra = lengths(input.shape[-2:], kernel, stride, padding, (1, 1), ceil_mode)
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    divisor = np.array(divisor_override or 1)
    for n, k, s, p, windows in zip(input.shape[-2:], kernel, stride, padding, count) if divisor_override is None else ():
        start = np.arange(windows) * s - p
        low, high = (0, n) if not count_include_pad else (-p, n + p)
        inside = np.minimum(start + k, high) - np.maximum(start, low)
        divisor = divisor[..., None] * inside
    return avg_pool(input, kernel, stride, padding, tuple(extra), divisor)


def in_a_row(kernel, stride, padding, dilation=1):
    """What windows of one dimension are in an image of one row: in PyTorch, too, they are taken there."""
    settings = (kernel, 1), (stride, 1), (padding, 0), (dilation, 1)
    return [given if given is None else (across, *_per_dimension(given, 1)) for given, across in settings]


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest element of each window."""
    check_dimensions(input, 1, "max_pool1d")
    windows = in_a_row(kernel_size, stride, padding, dilation)
    values, indices = (one.squeeze(-2) for one in max_pool2d(input.unsqueeze(-2), *windows, ceil_mode, True))
    return (values, indices) if return_indices else values


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of each window."""
    check_dimensions(input, 1, "avg_pool1d")
    windows = in_a_row(kernel_size, stride, padding)[:3]
    return avg_pool2d(input.unsqueeze(-2), *windows, ceil_mode, count_include_pad).squeeze(-2)


def parts(n: int, count: int, kind) -> np.ndarray:
    """A matrix that takes the means of `count` parts, nearly equal, of n elements."""
    weights = np.zeros((count, n), kind)
    for i in range(count):
        start, end = i * n // count, -(-(i + 1) * n // count)
        weights[i, start:end] = 1 / (end - start)
    return weights


def adaptive_avg_pool2d(input, output_size):
    """The means of so many parts that the result has the given size (None: the size that it had)."""
    height, width = (output_size,) * 2 if isinstance(output_size, int) or output_size is None else output_size
    check_dimensions(input, 2, "adaptive_avg_pool2d")
    if height == width == 1:
        return input.mean((-1, -2), keepdim=True)
    weights = [parts(n, wanted or n, input.array.dtype) for n, wanted in zip(input.shape[-2:], (height, width))]
    return adaptive_avg_pool(input, *weights)


def adaptive_avg_pool1d(input, output_size):
    """`adaptive_avg_pool2d` of one dimension."""
    return adaptive_avg_pool2d(input.unsqueeze(-2), (1, output_size)).squeeze(-2)


# == patches ===============================================================================================


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Every patch of an image as a column."""
    a, batched = _pooled(input, 2, "unfold")
    kernel, dilation, padding, stride = (_per_dimension(x, 2) for x in (kernel_size, dilation, padding, stride))
    blocks = tuple((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, d, p, s in zip(a.shape[2:], kernel, dilation, padding, stride))
    if min(blocks) < 1:
        raise RuntimeError(f"Given input with spatial size {tuple(a.shape[2:])}, kernel_size={kernel}, dilation={dilation}, padding={padding}, "
                           f"calculated shape of the array of sliding blocks as {blocks}, but its components must be at least one.")
    out = columns(a, kernel, stride, padding, dilation)
    return out if batched else out.squeeze(0)


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """The reverse of `unfold`: each column added back as a patch; where patches overlap, they add up."""
    a = input if input.ndim == 3 else input.unsqueeze(0)
    kernel, dilation, padding, stride = (_per_dimension(x, 2) for x in (kernel_size, dilation, padding, stride))
    size = _per_dimension(output_size, 2)
    if a.shape[1] % math.prod(kernel):
        raise RuntimeError("Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
                           f"input.size(1)={a.shape[1]} and kernel_size={kernel}.")
    out = image(a, (a.shape[0], a.shape[1] // math.prod(kernel), *size), kernel, stride, padding, dilation)
    return out if input.ndim == 3 else out.squeeze(0)


# == the reverse of a convolution ==========================================================================

transposed_convolution = op(  # each input element adds a multiple of the kernel to the image
    lambda a, weight, bias=None, shape=(), stride=(1,), padding=(0,), dilation=(1,), groups=1: _spread_kernel(a, weight, bias, shape, stride, padding, dilation, groups),
    grad_fn="ConvolutionBackward0",
    a=lambda g, weight, stride, padding, dilation, groups: convolved(g, weight, None, stride, padding, dilation, groups),
    weight=lambda g, a, weight_shape, stride, padding, dilation, groups: sum(
        in_groups(a, groups) @ in_groups(columns(g, tuple(weight_shape[2:]), stride, padding, dilation), groups).mT, 0
    ).reshape(weight_shape),
    bias=lambda g: sum(g, (0, *range(2, len(g.shape)))),
)


def _spread_kernel(a, weight, bias, shape, stride, padding, dilation, groups):
    patched = out_of_groups(kernels(weight, groups).mT @ in_groups(a, groups))
    out = image(patched, shape, tuple(weight.shape[2:]), stride, padding, dilation)
    return out if bias is None else out + bias.reshape((-1,) + (1,) * (a.ndim - 2))


def _transposed(spatial: int):
    def conv(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
        a, batched = _pooled(input, spatial, conv.__name__)
        stride, padding, more, dilation = (_per_dimension(x, spatial) for x in (stride, padding, output_padding, dilation))
        check_channels(a, weight, bias, groups, transposed=True)
        size = tuple((n - 1) * s - 2 * p + d * (k - 1) + m + 1
                     for n, s, p, d, k, m in zip(a.shape[2:], stride, padding, dilation, weight.shape[2:], more))  # fmt: skip
        shape = (a.shape[0], weight.shape[1] * groups, *size)
        out = transposed_convolution(a, weight, bias, shape, stride, padding, dilation, groups)
        return out if batched else out.squeeze(0)

    conv.__name__ = conv.__qualname__ = f"conv_transpose{spatial}d"
    conv.__doc__ = "The reverse arrangement of a convolution: each element of the input adds a multiple of the kernel."
    return conv


conv_transpose1d, conv_transpose2d = _transposed(1), _transposed(2)

# == borders ===============================================================================================

constant_pad = op(  # (start, end) for each dimension; a negative number cuts off
    lambda a, borders, value: _constant_pad(a, borders, value),
    grad_fn="ConstantPadNdBackward0",
    a=lambda g, borders: constant_pad(g, tuple((-start, -end) for start, end in borders), 0),
)

pad_from_inside = op(  # circular borders are slices that PyTorch copies
    lambda a, index, name: a[index],
    linear=True,
    grad_fn=lambda a, index, name: name,
    a=lambda g, a_shape, index: put(g, a_shape, index),
)


def _constant_pad(a, borders, value):
    kept = tuple(slice(max(-start, 0), n - max(-end, 0)) for n, (start, end) in zip(a.shape, borders))
    return np.pad(a[kept], [(max(start, 0), max(end, 0)) for start, end in borders], constant_values=value)


def pad(input, pad, mode="constant", value=None):
    """Borders around a tensor: `pad` names (start, end) for the last dimension, then for the one before it, and so on.

    >>> import minigrad as mg
    >>> pad(mg.tensor([1, 2]), (1, 2))
    tensor([0, 1, 2, 0, 0])
    """
    pad = tuple(pad)
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * input.ndim:
        raise RuntimeError(f"Padding length should be less than or equal to two times the input dimension but got padding length {len(pad)} "
                           f"and input of dimension {input.ndim}")
    borders = [(0, 0)] * (input.ndim - len(pad) // 2) + [pad[i : i + 2] for i in range(len(pad) - 2, -1, -2)]
    if mode == "constant":
        return constant_pad(input, tuple(borders), 0 if value is None else value)
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    places, spatial = [], len(pad) // 2
    for dim in range(input.ndim - spatial, input.ndim):
        n, (start, end) = input.shape[dim], borders[dim]
        if mode == "reflect" and max(start, end) >= n:
            raise RuntimeError("Argument #4: Padding size should be less than the corresponding input dimension, but got: padding "
                               f"({start}, {end}) at dimension {dim} of input {list(input.shape)}")
        places.append(reached(np.arange(-start, n + end), n, mode))
    name = {"reflect": f"ReflectionPad{spatial}DBackward0", "replicate": f"ReplicationPad{spatial}DBackward0"}.get(mode, "CopySlices")
    return pad_from_inside(input, (..., *np.ix_(*places)), name)


def reached(place, n: int, mode: str):
    """Which element stands at a place beyond the border."""
    if mode == "replicate":
        return np.clip(place, 0, n - 1)
    if mode == "circular":
        return place % n
    place = np.abs(place)
    return np.where(place >= n, 2 * (n - 1) - place, place)
