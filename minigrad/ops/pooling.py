"""Windows over space: the largest or the mean of each; and borders."""

import math

import numpy as np

from ..core.row import op
from ..numbers.dtypes import element
from .convolution import bordered, patches, per_dimension, transposed_convolution
from .elementwise import kept_where
from .gathering import scatter_add
from .public import public
from .shape import reshape_to

# == the largest and the mean of each window ===============================================================

max_pool = op(  # of elements that tie, the first
    lambda a, kernel, stride, padding, dilation, extra: _max_pool(a, kernel, stride, padding, dilation, extra),
    outputs=("values", "indices"),
    grad_fn="MaxPool2DWithIndicesBackward0",
    a=lambda g, a, indices: reshape_to(
        scatter_add(
            flat_plane(kept_where(g, plain(indices) >= 0)),  # a window that lies in the border alone has no place
            (*a.shape[:-2], math.prod(a.shape[-2:])),
            a.ndim - 2,
            flat_plane(plain(indices)),
        ),
        a.shape,
    ),
    rules_say={"a": "{g} at the largest of each window, 0 elsewhere"},
)
avg_pool = op(
    lambda a, kernel, stride, padding, extra, divisor: (
        alike(patches(with_room(planes(a), padding, extra, 0), kernel, stride, (1, 1)).sum((2, 3)), a) / divisor
    ).astype(a.dtype),
    linear=True,
    holomorphic=False,
    grad_fn="AvgPool2DBackward0",
    a=lambda g, a_shape, kernel, stride, padding, extra, divisor: reshape_to(
        spread(reshape_to(g / divisor, (-1, 1, *g.shape[-2:])), a_shape, kernel, stride, padding, extra), a_shape
    ),
    rules_say={"a": "{g}, shared equally by each window"},
)
# means over parts that need not be of equal size are a product with a matrix of weights, on either side
adaptive_avg_pool = op(
    lambda a, rows, columns: rows @ a @ columns.T,
    linear=True,
    grad_fn="AdaptiveAvgPool2DBackward0",
    a=lambda g, rows, columns: rows.T @ g @ columns,
    rules_say={"a": "{g}, shared equally by each window"},
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
    values = np.maximum.reduce(flat, 2)
    best = first_of(flat, values, any((*padding, *extra)) and inner_places(a, kernel, stride, padding, dilation, extra))
    places = np.zeros_like(best)
    inside = np.unravel_index(best, kernel)
    for axis, (offset, step, p, d) in enumerate(zip(inside, stride, padding, dilation)):
        start = np.arange(best.shape[2 + axis]).reshape((-1,) + (1,) * (len(kernel) - axis - 1)) * step - p
        places = places * a.shape[2 + axis] + start + offset * d
    return alike(values, given), alike(places, given)


def first_of(flat, values, inner):
    """Where each window has its largest element: the first of those that tie, none of the border; the last nan."""
    hit = flat == values[:, :, None]
    best = np.argmax(hit if inner is False else hit & inner, 2)
    missing = np.isnan(values)
    return (
        np.where(missing, flat.shape[2] - 1 - np.argmax(np.isnan(flat[:, :, ::-1]), 2), best) if missing.any() else best
    )


def inner_places(a, kernel, stride, padding, dilation, extra):
    """Which elements of the windows lie in the image."""
    found = patches(with_room(np.ones((1, 1, *a.shape[2:]), bool), padding, extra, False), kernel, stride, dilation)
    return found.reshape(1, 1, math.prod(kernel), *found.shape[2 + len(kernel) :])


def spread(g, shape, kernel, stride, padding, extra):
    """Each window's gradient, added to all of its places."""
    wide = (g.shape[0], 1, *(n + e for n, e in zip(shape[-2:], extra)))
    ones = np.ones((1, 1, *kernel), g.dtype if isinstance(g, np.ndarray) else g.array.dtype)
    whole = transposed_convolution(g, ones, None, wide, stride, padding, (1, 1))
    return whole[(..., *map(slice, shape[-2:]))]


def lengths(size, kernel, stride, padding, dilation, ceil_mode) -> tuple[list, list]:
    """How many windows fit along each dimension, and what must be added at the end for an incomplete last one."""
    count, extra = [], []
    for n, k, s, p, d in zip(size, kernel, stride, padding, dilation):
        for refused, complaint in (
            (s < 1, "stride should not be zero"), (k < 1, "kernel size should be greater than zero"),
            (d < 1, "dilation should be greater than zero"), (p < 0, f"pad must be non-negative, but got pad: {p}"),
            (p > k // 2, f"pad should be at most half of kernel size, but got pad={p} and kernel_size={k}"),
        ):  # fmt: skip
            if refused:
                raise RuntimeError(complaint)
        room = n + 2 * p - d * (k - 1) - 1
        windows = (-(-room // s) if ceil_mode else room // s) + 1
        if ceil_mode and (windows - 1) * s >= n + p:  # a window that starts in the border alone is none
            windows -= 1
        if windows < 1:
            raise RuntimeError(
                f"Given input size: {tuple(size)}. Calculated output size: {windows}. Output size is too small"
            )
        count.append(windows)
        extra.append(max((windows - 1) * s - room, 0))
    return count, extra


def window_settings(name: str, kernel, stride, padding, dilation=1) -> list[tuple]:
    """What is asked of the windows, for two dimensions; without a stride they stand side by side."""
    kernel, padding, dilation = (
        per_dimension(value, 2, f"{name}: {what} must either be a single int, or a tuple of two ints")
        for what, value in (("kernel_size", kernel), ("padding", padding), ("dilation", dilation))
    )
    if stride is None or stride in ((), []):
        return [kernel, kernel, padding, dilation]
    return [
        kernel,
        per_dimension(stride, 2, f"{name}: stride must either be omitted, a single int, or a tuple of two ints"),
        padding,
        dilation,
    ]


def check_dimensions(input, spatial: int, name: str) -> None:
    if input.ndim not in (spatial + 1, spatial + 2) or 0 in input.shape[-spatial - 1 :]:
        raise RuntimeError(
            f"{name}: Expected {spatial + 1}D or {spatial + 2}D (batch mode) tensor with optional 0 dim batch "
            "size for input, "
            f"but got input of size {list(input.shape)}"
        )


@public("functional")
def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest element of each window."""
    kernel, stride, padding, dilation = window_settings("max_pool2d", kernel_size, stride, padding, dilation)
    check_dimensions(input, 2, "max_pool2d")
    _, extra = lengths(input.shape[-2:], kernel, stride, padding, dilation, ceil_mode)
    values, indices = max_pool(input, kernel, stride, padding, dilation, tuple(extra))
    return (values, indices) if return_indices else values


@public("functional")
def avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """The mean of each window."""
    kernel, stride, padding, dilation = window_settings("avg_pool2d", kernel_size, stride, padding)
    check_dimensions(input, 2, "avg_pool2d")
    count, extra = lengths(input.shape[-2:], kernel, stride, padding, dilation, ceil_mode)
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    divisor = np.array(divisor_override or 1)
    for n, k, s, p, fits in zip(input.shape[-2:], kernel, stride, padding, count) if divisor_override is None else ():
        start = np.arange(fits) * s - p
        low, high = (0, n) if not count_include_pad else (-p, n + p)
        inside = np.minimum(start + k, high) - np.maximum(start, low)
        divisor = divisor[..., None] * inside
    return avg_pool(input, kernel, stride, padding, tuple(extra), divisor)


def parts(n: int, count: int, kind) -> np.ndarray:
    """A matrix that takes the means of `count` parts, nearly equal, of n elements."""
    weights = np.zeros((count, n), kind)
    for i in range(count):
        start, end = i * n // count, -(-(i + 1) * n // count)
        weights[i, start:end] = 1 / (end - start)
    return weights


@public("functional")
def adaptive_avg_pool2d(input, output_size):
    """The means of so many parts that the result has the given size (None: the size that it had)."""
    sizes = (output_size,) * 2 if isinstance(output_size, int) else tuple(output_size)
    if len(sizes) != 2:
        raise RuntimeError("adaptive_avg_pool2d: output_size must be 2")
    height, width = (n if one is None else one for n, one in zip(input.shape[-2:], sizes))
    if min(height, width) < 0:
        raise RuntimeError(
            "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received "
            f"{{{height}, {width}}}"
        )
    if height == width == 1 and input.ndim in (3, 4):
        return input.mean((-1, -2), keepdim=True)
    check_dimensions(input, 2, "adaptive_avg_pool2d")
    weights = [parts(n, wanted, input.array.dtype) for n, wanted in zip(input.shape[-2:], (height, width))]
    return adaptive_avg_pool(input, *weights)


# == borders ===============================================================================================

constant_pad = op(  # (start, end) for each dimension; a negative number cuts off
    lambda a, borders, value: _constant_pad(a, borders, value),
    grad_fn="ConstantPadNdBackward0",
    a=lambda g, borders: constant_pad(g, tuple((-start, -end) for start, end in borders), 0),
    rules_say={"a": "{g} without the border"},
)


def _constant_pad(a, borders, value):
    kept = tuple(slice(max(-start, 0), n - max(-end, 0)) for n, (start, end) in zip(a.shape, borders))
    return np.pad(a[kept], [(max(start, 0), max(end, 0)) for start, end in borders], constant_values=value)


@public("functional")
def pad(input, pad, mode="constant", value=None):
    """Borders around a tensor: `pad` names (start, end) for the last dimension, then for the one before it, and so on.

    >>> import minigrad as mg
    >>> pad(mg.tensor([1, 2]), (1, 2))
    tensor([0, 1, 2, 0, 0])
    """
    if mode != "constant":
        raise NotImplementedError(f"pad: mode {mode!r} is not available here; index with the places, or cat the parts")
    pad, spatial = tuple(pad), len(pad) // 2
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if spatial > input.ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got padding "
            f"length {len(pad)} "
            f"and input of dimension {input.ndim}"
        )
    borders = [(0, 0)] * (input.ndim - spatial) + [pad[i : i + 2] for i in range(len(pad) - 2, -1, -2)]
    for dim, (n, (start, end)) in enumerate(zip(input.shape, borders)):
        if n + min(start, 0) + min(end, 0) < 0:
            raise RuntimeError(
                f"The input size {n}, plus negative padding {start} and {end} resulted in a negative output "
                "size, which is "
                f"invalid. Check dimension {dim} of your input."
            )
    return constant_pad(input, tuple(borders), 0 if value is None else element(float(value), input.array.dtype).item())
