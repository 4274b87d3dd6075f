"""Windows over space: the largest or the mean of each; and borders."""

import math
from operator import index

import numpy as np

from ..core.row import op
from ..numbers.dtypes import element, unsupported
from ..numbers.memory import row_by_row
from .activation import at
from .convolution import bordered, patches, per_dimension, transposed_convolution
from .elementwise import kept_where, plain
from .gathering import scatter_add
from .index import getitem, put
from .public import public
from .shape import reshape_to


def _max_pool(a, kernel, stride, padding, dilation, ceil_mode=False):
    """The largest of each window and its place in the image: the first of those that tie, none of the border."""
    images, (height, width) = planes(a), a.shape[-2:]
    lowest = -math.inf if a.dtype.kind == "f" else np.iinfo(a.dtype).min
    ends = borders_at_end(a.shape[-2:], kernel, stride, padding, dilation, ceil_mode)
    found = in_rows(patches(bordered(images, padding, ends, lowest), kernel, stride, dilation))
    values = np.maximum.reduce(found, 2)
    numbers = np.arange(height * width).reshape(1, 1, height, width)
    numbers = in_rows(patches(bordered(numbers, padding, ends, -1), kernel, stride, dilation))
    hit = found == values[:, :, None]
    best = np.argmax(hit & (numbers >= 0) if any(ends) else hit, 2)
    missing = np.isnan(values)
    if missing.any():  # of several nan the last
        best = np.where(missing, found.shape[2] - 1 - np.argmax(np.isnan(found[:, :, ::-1]), 2), best)
    return alike(values, a), alike(np.take_along_axis(numbers, best[:, :, None], 2)[:, :, 0], a)


def _avg_pool(a, kernel, stride, padding, ceil_mode=False, count_include_pad=True, divisor_override=None):
    ends = borders_at_end(a.shape[-2:], kernel, stride, padding, (1, 1), ceil_mode)
    total = alike(row_by_row(patches(bordered(planes(a), padding, ends), kernel, stride, (1, 1)).sum((2, 3))), a)
    shared_by = divisor_override or counted(a, kernel, stride, padding, ceil_mode, count_include_pad)
    return (total / shared_by).astype(a.dtype)


def borders_at_end(lengths, kernel, stride, padding, dilation, ceil_mode) -> list:
    """How much border there is behind the last elements; with `ceil_mode` so much that the last windows fit."""
    ends = []
    for n, k, s, p, d in zip(lengths, kernel, stride, padding, dilation):
        last = windows_along(n, k, s, p, d, ceil_mode) - 1
        ends.append(max(p, last * s + d * (k - 1) + 1 - n - p))
    return ends


def windows_along(n: int, k: int, s: int, p: int, d: int, ceil_mode) -> int:
    """How many windows there are along a dimension; with `ceil_mode` the last may reach beyond the border."""
    room = n + 2 * p - d * (k - 1) - 1
    if not ceil_mode:
        return room // s + 1
    count = -(-room // s) + 1
    return count - ((count - 1) * s >= n + p)  # none begins behind the last element


def counted(a, kernel, stride, padding, ceil_mode, count_include_pad):
    """By how many elements each mean is shared: a number, or one for each window where they differ."""
    if not ceil_mode and (count_include_pad or not any(padding)):
        return math.prod(kernel)
    sides = []
    for n, k, s, p in zip(a.shape[-2:], kernel, stride, padding):
        border = p if count_include_pad else 0
        start = np.arange(windows_along(n, k, s, p, 1, ceil_mode)) * s - p
        sides.append(np.minimum(start + k, n + border) - np.maximum(start, -border))
    return np.outer(*sides).astype(plain(a).dtype)


# fmt: off
# `at`: what the gradient is taken at, by which it is flat. A window that lies in the border alone has no place
max_pool = op(_max_pool, outputs=("values", "indices"), grad_fn="MaxPool2DWithIndicesBackward0",
    a=lambda g, a, indices: at(placed(kept_where(g, plain(indices) >= 0), plain(indices), a.shape), a),
    rules_say={"a": "{g} at the largest of each window, 0 elsewhere"})
avg_pool = op(_avg_pool, linear=True, holomorphic=False, refuses="c", kernel="avg_pool2d_out_frame",
    grad_fn="AvgPool2DBackward0",
    a=lambda g, a, kernel, stride, padding, ceil_mode, count_include_pad, divisor_override: at(spread(
        g / (divisor_override or counted(a, kernel, stride, padding, ceil_mode, count_include_pad)),
        a.shape, kernel, stride, padding, ceil_mode), a),
    rules_say={"a": "{g}, shared equally by each window"})
# `rows` and `columns` take the means of parts, along one dimension each
means_of_parts = op(lambda a, rows, columns: rows @ a @ columns.T, grad_fn="AdaptiveAvgPool2DBackward0", linear=True,
    a=lambda g, a, rows, columns: at(rows.T @ g @ columns, a), says="adaptive_avg_pool2d(a)",
    rules_say={"a": "{g}, shared equally by each part"})
# fmt: on


def planes(a):
    """Images with a batch dimension: where there is none, a batch of one."""
    return reshape_to(a, (-1, *a.shape[-3:]))


def alike(found, a):
    """What was found in a batch, with a batch dimension only where `a` has one."""
    return found.reshape(*a.shape[:-2], *found.shape[-2:])


def in_rows(found):
    """Patches whose elements stand in one dimension."""
    return found.reshape(*found.shape[:2], math.prod(found.shape[2:-2]), *found.shape[-2:])


def flat_plane(x):
    return reshape_to(x, (*x.shape[:-2], math.prod(x.shape[-2:])))


def placed(g, places, shape):
    """Each number at its place in an image; several at one place are added up."""
    flat = (*shape[:-2], math.prod(shape[-2:]))
    return reshape_to(scatter_add(flat_plane(g), flat, len(shape) - 2, flat_plane(places)), shape)


def spread(g, shape, kernel, stride, padding, ceil_mode):
    """Each window's gradient, added to all of its places."""
    g = reshape_to(g, (-1, 1, *g.shape[-2:]))
    ones = np.ones((1, 1, *kernel), plain(g).dtype)
    ends = borders_at_end(shape[-2:], kernel, stride, padding, (1, 1), ceil_mode)
    room = [n + end - p for n, end, p in zip(shape[-2:], ends, padding)]
    whole = transposed_convolution(g, ones, None, (g.shape[0], 1, *room), stride, padding, (1, 1))
    return reshape_to(whole if tuple(room) == shape[-2:] else whole[(..., *map(slice, shape[-2:]))], shape)


def window_settings(name: str, input, kernel, stride, padding, dilation=1, ceil_mode=False) -> list[tuple]:
    """What is asked of the windows, for two dimensions; without a stride they stand side by side."""
    if input.ndim not in (3, 4) or 0 in input.shape[-3:]:
        raise RuntimeError(
            f"{name}: Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, "
            f"but got input of size {list(input.shape)}"
        )
    omitted = stride is None or (isinstance(stride, list | tuple) and not stride)
    given = {
        "kernel_size must either be": kernel,
        "stride must either be omitted,": kernel if omitted else stride,
        "padding must either be": padding,
        "dilation must either be": dilation,
    }
    asked = [
        per_dimension(value, 2, f"{name}: {say} a single int, or a tuple of two ints") for say, value in given.items()
    ]
    for n, k, s, p, d in zip(input.shape[-2:], *asked):
        for refused, complaint in (
            (s < 1, "stride should not be zero"), (k < 1, "kernel size should be greater than zero"),
            (d < 1, "dilation should be greater than zero"), (p < 0, f"pad must be non-negative, but got pad: {p}"),
            (p > k // 2, f"pad should be at most half of kernel size, but got pad={p} and kernel_size={k}"),
            (windows_along(n, k, max(s, 1), p, d, ceil_mode) < 1,
             f"Given input size: {tuple(input.shape)}. Output size is too small"),
        ):  # fmt: skip
            if refused:
                raise RuntimeError(complaint)
    return asked


@public("functional")
def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest element of each window."""
    asked = window_settings("max_pool2d", input, kernel_size, stride, padding, dilation, ceil_mode)
    values, indices = max_pool(input, *asked, ceil_mode)
    return (values, indices) if return_indices else values


@public("functional")
def avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """The mean of each window, with its part of the border, or without; or its sum, divided by a number."""
    if divisor_override is not None and index(divisor_override) == 0:
        raise RuntimeError("divisor must be not zero")
    *asked, _ = window_settings("avg_pool2d", input, kernel_size, stride, padding, 1, ceil_mode)
    return avg_pool(input, *asked, ceil_mode, count_include_pad, divisor_override)


def parts(n: int, count: int, kind) -> np.ndarray:
    """A matrix that takes the means of `count` parts, nearly equal, of n elements, when it is multiplied with them."""
    weights = np.zeros((count, n), kind)
    for i in range(count):
        start, end = i * n // count, -(-(i + 1) * n // count)
        weights[i, start:end] = 1 / (end - start)
    return weights


@public("functional")
def adaptive_avg_pool2d(input, output_size):
    """The means of so many parts that the result has the given size (None: the size that it had)."""
    sizes = (output_size,) * 2 if isinstance(output_size, int) else tuple(output_size)
    if input.ndim <= len(sizes) and not isinstance(output_size, int):
        raise ValueError(f"Input dimension should be at least {len(sizes) + 1}")
    if len(sizes) != 2:
        raise RuntimeError("adaptive_avg_pool2d: output_size must be 2")
    height, width = (input.shape[at] if one is None else one for at, one in zip((-2, -1), sizes))
    if height == width == 1:
        return input.mean((-1, -2), keepdim=True)
    if min(height, width) < 0:
        raise RuntimeError(
            "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received "
            f"{{{height}, {width}}}"
        )
    if input.array.dtype.kind != "f":
        raise unsupported("adaptive_avg_pool2d", input.array.dtype)
    if input.ndim not in (3, 4):
        raise RuntimeError(f"adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got {list(input.shape)}")
    if 0 in input.shape[-2:]:
        empty = input.ndim - 2 + input.shape[-2:].index(0)
        raise RuntimeError(
            "adaptive_avg_pool2d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes "
            f"{list(input.shape)} with dimension {empty} being empty"
        )
    found = [parts(n, wanted, input.array.dtype) for n, wanted in zip(input.shape[-2:], (height, width))]
    return means_of_parts(input, *found)


def _constant_pad(a, borders, value):
    kept = tuple(slice(max(-start, 0), n - max(-end, 0)) for n, (start, end) in zip(a.shape, borders))
    return np.pad(row_by_row(a[kept]), [(max(start, 0), max(end, 0)) for start, end in borders], constant_values=value)


# (start, end) for each dimension; a negative number cuts off
constant_pad = op(_constant_pad, grad_fn="ConstantPadNdBackward0",
    a=lambda g, borders: constant_pad(g, tuple((-start, -end) for start, end in borders), 0),
    rules_say={"a": "{g} without the border"})  # fmt: skip


PADDING = {"reflect": "Reflection", "replicate": "Replication"}
padded_by = op(lambda a, places, node: row_by_row(a[places]), grad_fn=lambda a, places, node: node, linear=True,
    a=lambda g, a, places: at(put(g, a.shape, places), a), says="pad(a)",
    rules_say={"a": "{g}, each number added where it came from"})  # fmt: skip


def padded_from_inside(input, borders, spatial: int, mode: str, value):
    """With borders of its own elements."""
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")  # in PyTorch, too: its type and words
    if value:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    if input.ndim - spatial not in (1, 2) or spatial not in (1, 2, 3):  # PyTorch's own limit
        raise NotImplementedError("Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now")
    for n, (start, end) in zip(input.shape[-spatial:], borders[-spatial:]):
        if not n or max(start, end) > {"reflect": n - 1, "circular": n + min(start, end, 0)}.get(mode, math.inf):
            raise RuntimeError(f"Padding size should be less than the corresponding input dimension, but got {n} of it")
    each = np.ix_(*[places(n, start, end, mode) for n, (start, end) in zip(input.shape, borders)])
    if mode == "circular":
        return getitem(input, each)
    return padded_by(input, each, f"{PADDING[mode]}Pad{spatial}DBackward0")


def places(n: int, start: int, end: int, mode: str) -> np.ndarray:
    """Which of n elements stands at each place, borders included."""
    at = np.arange(-start, n + end)
    if mode == "replicate":
        return at.clip(0, n - 1)
    if mode == "reflect":
        return n - 1 - abs(n - 1 - abs(at))
    kept = np.arange(max(-start, 0), n - max(-end, 0))  # what is left after cutting goes round
    return kept[np.arange(-max(start, 0), len(kept) + max(end, 0)) % max(len(kept), 1)]


@public("functional")
def pad(input, pad, mode="constant", value=None):
    """Borders around a tensor: `pad` names (start, end) for the last dimension, then for the one before it, and so on.

    >>> import minigrad as mg
    >>> mg.nn.functional.pad(mg.tensor([1, 2]), (1, 2))
    tensor([0, 1, 2, 0, 0])
    """
    if not isinstance(pad, tuple | list):
        raise TypeError(f"pad(): argument 'pad' (position 2) must be tuple of ints, not {type(pad).__name__}")
    if isinstance(value, str | complex) or getattr(value, "requires_grad", False):  # of which `float` reads the most
        raise TypeError(f"pad(): argument 'value' (position 4) must be float, not {type(value).__name__}")
    pad, spatial = tuple(map(index, pad)), len(pad) // 2
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if spatial > input.ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(pad)} and input of dimension {input.ndim}"
        )
    borders = [(0, 0)] * (input.ndim - spatial) + [pad[i : i + 2] for i in range(len(pad) - 2, -1, -2)]
    for dim, (n, (start, end)) in enumerate(zip(input.shape, borders)):
        if n + min(start, 0) + min(end, 0) < 0:
            raise RuntimeError(
                f"The input size {n}, plus negative padding {start} and {end} resulted in a negative output size, "
                f"which is invalid. Check dimension {dim} of your input."
            )
    if mode != "constant":
        return padded_from_inside(input, borders, spatial, mode, value)
    return constant_pad(input, tuple(borders), 0 if value is None else element(float(value), input.array.dtype).item())
