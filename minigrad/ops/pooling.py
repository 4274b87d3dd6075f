"""Windows over space: the largest or the mean of each, patches as columns; and borders."""

import math

import numpy as np

from ..autograd.op import op
from .convolution import bordered, columns, image, patches, per_dimension
from .index import put, scatter_add
from .shape import expand_to, reshape_to

# == the largest and the mean of each window ===============================================================

max_pool = op(  # of elements that tie, the first
    lambda a, kernel, stride, padding, dilation, extra: _max_pool(a, kernel, stride, padding, dilation, extra),
    outputs=("values", "indices"),
    grad_fn="MaxPool2DWithIndicesBackward0",
    a=lambda g, a, indices: reshape_to(
        scatter_add(flat_plane(g), (*a.shape[:-2], math.prod(a.shape[-2:])), a.ndim - 2, flat_plane(plain(indices))), a.shape
    ),
)
avg_pool = op(
    lambda a, kernel, stride, padding, extra, divisor: (
        alike(patches(with_room(planes(a), padding, extra, 0), kernel, stride, (1, 1)).sum((2, 3)), a) / divisor
    ).astype(a.dtype),
    linear=True,
    holomorphic=False,
    grad_fn="AvgPool2DBackward0",
    a=lambda g, a, kernel, stride, padding, extra, divisor: reshape_to(
        spread_windows(planes(g / divisor), a.shape, kernel, stride, padding, extra), a.shape
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
    return np.where(missing, flat.shape[2] - 1 - np.argmax(np.isnan(flat[:, :, ::-1]), 2), best) if missing.any() else best


def inner_places(a, kernel, stride, padding, dilation, extra):
    """Which elements of the windows lie in the image."""
    found = patches(with_room(np.ones((1, 1, *a.shape[2:]), bool), padding, extra, False), kernel, stride, dilation)
    return found.reshape(1, 1, math.prod(kernel), *found.shape[2 + len(kernel) :])


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
        for refused, complaint in (
            (s < 1, "stride should not be zero"), (k < 1, "kernel size should be greater than zero"),
            (d < 1, "dilation should be greater than zero"), (p < 0, f"pad must be non-negative, but got pad: {p}"),
            (p > (d * (k - 1) + 1) // 2, f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and dilation={d}"),
        ):  # fmt: skip
            if refused:
                raise RuntimeError(complaint)
        room = n + 2 * p - d * (k - 1) - 1
        windows = (-(-room // s) if ceil_mode else room // s) + 1
        if ceil_mode and (windows - 1) * s >= n + p:  # a window that starts in the border alone is none
            windows -= 1
        if windows < 1:
            raise RuntimeError(f"Given input size: {tuple(size)}. Calculated output size: {windows}. Output size is too small")
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
    return [kernel, per_dimension(stride, 2, f"{name}: stride must either be omitted, a single int, or a tuple of two ints"), padding, dilation]


def check_dimensions(input, spatial: int, name: str) -> None:
    if input.ndim not in (spatial + 1, spatial + 2) or 0 in input.shape[-spatial - 1 :]:
        raise RuntimeError(f"{name}: Expected {spatial + 1}D or {spatial + 2}D (batch mode) tensor with optional 0 dim batch size for input, "
                           f"but got input of size {list(input.shape)}")


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest element of each window."""
    kernel, stride, padding, dilation = window_settings("max_pool2d", kernel_size, stride, padding, dilation)
    check_dimensions(input, 2, "max_pool2d")
    _, extra = lengths(input.shape[-2:], kernel, stride, padding, dilation, ceil_mode)
    values, indices = max_pool(input, kernel, stride, padding, dilation, tuple(extra))
    return (values, indices) if return_indices else values


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
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


def in_a_row(name: str, kernel, stride, padding, dilation=1):
    """What windows of one dimension are in an image of one row: in PyTorch, too, they are taken there."""
    given = [("kernel_size", 1, kernel), ("stride", 1, kernel if stride is None or stride in ((), []) else stride), ("padding", 0, padding), ("dilation", 1, dilation)]
    return [(across, *per_dimension(value, 1, f"{name}() {what} must be an int, or a list of one int")) for what, across, value in given]


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest element of each window."""
    row = in_a_row("max_pool1d", kernel_size, stride, padding, dilation)
    if row[2][1] > row[0][1] // 2:
        raise RuntimeError(f"max_pool1d() padding should be at most half of kernel size, but got padding={row[2][1]} and kernel_size={row[0][1]}")
    check_dimensions(input, 1, "max_pool1d")
    values, indices = (one.squeeze(-2) for one in max_pool2d(input.unsqueeze(-2), *row, ceil_mode, True))
    return (values, indices) if return_indices else values


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of each window."""
    row = in_a_row("avg_pool1d", kernel_size, stride, padding)[:3]
    check_dimensions(input, 1, "avg_pool1d")
    return avg_pool2d(input.unsqueeze(-2), *row, ceil_mode, count_include_pad).squeeze(-2)


def parts(n: int, count: int, kind) -> np.ndarray:
    """A matrix that takes the means of `count` parts, nearly equal, of n elements."""
    weights = np.zeros((count, n), kind)
    for i in range(count):
        start, end = i * n // count, -(-(i + 1) * n // count)
        weights[i, start:end] = 1 / (end - start)
    return weights


def adaptive_avg_pool2d(input, output_size):
    """The means of so many parts that the result has the given size (None: the size that it had)."""
    sizes = (output_size,) * 2 if isinstance(output_size, int) else tuple(output_size)
    if len(sizes) != 2:
        raise RuntimeError("adaptive_avg_pool2d: output_size must be 2")
    height, width = (n if one is None else one for n, one in zip(input.shape[-2:], sizes))
    if min(height, width) < 0:
        raise RuntimeError(f"adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received {{{height}, {width}}}")
    if height == width == 1 and input.ndim in (3, 4):
        return input.mean((-1, -2), keepdim=True)
    check_dimensions(input, 2, "adaptive_avg_pool2d")
    weights = [parts(n, wanted, input.array.dtype) for n, wanted in zip(input.shape[-2:], (height, width))]
    return adaptive_avg_pool(input, *weights)


def adaptive_avg_pool1d(input, output_size):
    """`adaptive_avg_pool2d` of one dimension."""
    (length,) = per_dimension(output_size, 1, "adaptive_avg_pool1d() argument 'output_size' should contain one int")
    return adaptive_avg_pool2d(input.unsqueeze(-2), (1, length)).squeeze(-2)


# == patches ===============================================================================================


def blocks(size, **given) -> tuple:
    """Where patches are taken, as two numbers each, and how many fit along each dimension."""
    for name, value in given.items():
        given[name] = pair = (value,) * 2 if isinstance(value, int) else tuple(value)
        if len(pair) != 2:
            raise RuntimeError(f"It is expected {name} equals to 2, but got size {len(pair)}")
        if min(pair) < (name != "padding"):
            raise RuntimeError(f"{name.replace('_', ' ')} should be " + ("non-negative" if name == "padding" else "greater than zero"))
    kernel, dilation, padding, stride = given.values()
    counts = tuple((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, d, p, s in zip(size, kernel, dilation, padding, stride))
    return counts, kernel, dilation, padding, stride


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Every patch of an image as a column."""
    counts, kernel, dilation, padding, stride = blocks(
        input.shape[-2:], kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride
    )
    check_dimensions(input, 2, "unfold")
    a = input if input.ndim == 4 else input.unsqueeze(0)
    if min(counts) < 1:
        raise RuntimeError(f"Given input with spatial size {tuple(a.shape[2:])}, kernel_size={kernel}, dilation={dilation}, padding={padding}, "
                           f"calculated shape of the array of sliding blocks as {counts}, but its components must be at least one.")
    out = columns(a, kernel, stride, padding, dilation)
    return out if input.ndim == 4 else out.squeeze(0)


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """The reverse of `unfold`: each column added back as a patch; where patches overlap, they add up."""
    size = (output_size,) * 2 if isinstance(output_size, int) else tuple(output_size)
    if len(size) != 2:
        raise RuntimeError(f"It is expected output_size equals to 2, but got size {len(size)}")
    counts, kernel, dilation, padding, stride = blocks(size, kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)
    check_dimensions(input, 1, "fold")
    a = input if input.ndim == 3 else input.unsqueeze(0)
    if a.shape[1] % math.prod(kernel):
        raise RuntimeError("Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
                           f"input.size(1)={a.shape[1]} and kernel_size={kernel}.")
    if min(counts) < 1 or a.shape[2] != math.prod(counts):
        raise RuntimeError(f"Given output_size={size}, kernel_size={kernel}, dilation={dilation}, padding={padding}, stride={stride}, expected size of "
                           f"input's dimension 2 to match the calculated number of sliding blocks {counts[0]} * {counts[1]} = {math.prod(counts)}, "
                           f"but got input.size(2)={a.shape[2]}.")
    out = image(a, (a.shape[0], a.shape[1] // math.prod(kernel), *size), kernel, stride, padding, dilation)
    return out if input.ndim == 3 else out.squeeze(0)


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
    pad, spatial = tuple(pad), len(pad) // 2
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if spatial > input.ndim:
        raise RuntimeError(f"Padding length should be less than or equal to two times the input dimension but got padding length {len(pad)} "
                           f"and input of dimension {input.ndim}")
    borders = [(0, 0)] * (input.ndim - spatial) + [pad[i : i + 2] for i in range(len(pad) - 2, -1, -2)]
    if mode != "constant":
        return pad_from_inside(input, *mirrored(input, borders, spatial, mode, value))
    for dim, (n, (start, end)) in enumerate(zip(input.shape, borders)):
        if n + min(start, 0) + min(end, 0) < 0:
            raise RuntimeError(f"The input size {n}, plus negative padding {start} and {end} resulted in a negative output size, which is "
                               f"invalid. Check dimension {dim} of your input.")
    return constant_pad(input, tuple(borders), 0 if value is None else value)


def mirrored(input, borders, spatial: int, mode: str, value) -> tuple:
    """Which element of the input stands at each place, and the name of the node."""
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if value:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    if input.ndim - spatial not in (1, 2) or spatial not in (1, 2, 3):
        raise NotImplementedError("Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now")
    if mode != "circular" and 0 in input.shape[-spatial - 1 :]:
        raise RuntimeError(f"Expected {spatial + 1}D or {spatial + 2}D (batch mode) tensor with possibly 0 batch size and other non-zero "
                           f"dimensions for input, but got: {list(input.shape)}")
    places, sizes = [], [n + start + end for n, (start, end) in zip(input.shape, borders)][-spatial:]
    if min(sizes) < 0 or (mode != "circular" and max(sizes) < 1):
        raise RuntimeError(f"input of size {list(input.shape)} is too small. Calculated output: {sizes}")
    for dim in range(input.ndim - spatial, input.ndim):
        n, (start, end) = input.shape[dim], borders[dim]
        if mode == "reflect" and max(start, end) >= n:
            raise RuntimeError("Argument #4: Padding size should be less than the corresponding input dimension, but got: padding "
                               f"({start}, {end}) at dimension {dim} of input {list(input.shape)}")
        if mode == "circular" and max(start, end) > n + min(start, 0) + min(end, 0):
            raise RuntimeError("Padding value causes wrapping around more than once.")
        places.append(reached(start, end, n, mode))
    name = {"reflect": f"ReflectionPad{spatial}DBackward0", "replicate": f"ReplicationPad{spatial}DBackward0"}.get(mode, "CopySlices")
    return (..., *np.ix_(*places)), name


def reached(start: int, end: int, n: int, mode: str):
    """Which of n elements stands at each place, borders included."""
    if mode == "circular":  # what is left after cutting goes round
        kept = np.arange(max(-start, 0), n - max(-end, 0))
        return kept.take(np.arange(-max(start, 0), len(kept) + max(end, 0)), mode="wrap") if len(kept) else kept
    place = np.arange(-start, n + end)
    if mode == "replicate":
        return np.clip(place, 0, n - 1)
    place = np.abs(place)
    return np.where(place >= n, 2 * (n - 1) - place, place)
