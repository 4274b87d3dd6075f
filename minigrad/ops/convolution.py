"""Convolution as a matrix product: every patch of the input becomes a column, and the kernel multiplies them all.

Three rows are each other's derivatives: `convolution` of an image with a kernel, `transposed_convolution` of its result
with that kernel, and `correlation` of the image with its result. So the whole is differentiable to any order.
"""

import math
from itertools import product
from operator import index

import numpy as np
from numpy.lib import stride_tricks

from ..core.row import op
from ..numbers.dtypes import short_name
from ..numbers.memory import row_by_row
from .joining import cat
from .matrix import IN_C
from .public import public
from .reduction import over_channels


def patches(padded, kernel, stride, dilation):
    """A view of every patch: (batch, channels, *kernel, *positions)."""
    steps, fits = padded.strides[2:], counts(padded.shape[2:], kernel, stride, dilation)
    inside, between = [step * d for step, d in zip(steps, dilation)], [step * s for step, s in zip(steps, stride)]
    shape = (*padded.shape[:2], *kernel, *fits)
    return stride_tricks.as_strided(padded, shape, (*padded.strides[:2], *inside, *between))


def counts(lengths, kernel, stride, dilation):
    """How many patches there are along each dimension."""
    return [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(lengths, kernel, stride, dilation)]


def bordered(a, before, after, value=0):
    """With a border around each channel."""
    if not any((*before, *after)):
        return a
    out = np.full((*a.shape[:2], *(b + n + e for b, n, e in zip(before, a.shape[2:], after))), value, a.dtype)
    out[(slice(None), slice(None), *(slice(b, b + n) for b, n in zip(before, a.shape[2:])))] = a
    return out


def flat_columns(found, groups=()):
    """Each patch as one column of a matrix, one for each group of channels."""
    spatial = (found.ndim - 2) // 2
    rows = math.prod(found.shape[1 : 2 + spatial]) // math.prod(groups)
    return found.reshape(found.shape[0], *groups, rows, math.prod(found.shape[2 + spatial :]))


def add_patches(places, values, kernel):
    """To a view of patches; they overlap, but not those at one place of the kernel."""
    for offset in product(*map(range, kernel)):
        at = (slice(None), slice(None), *offset)
        places[at] += values[at]


def blank(shape, padding, kind):
    """Zeros with room for a border, and a view of what is inside it."""
    padded = np.zeros((*shape[:2], *(n + 2 * p for n, p in zip(shape[2:], padding))), kind)
    return padded, padded[(..., *(slice(p, p + n) for p, n in zip(padding, shape[2:])))]


def shares(found):
    """Slices of the batch whose patches stay in the processor's cache together."""
    count = max(1, 2**18 * len(found) // max(found.size, 1))
    return [slice(start, start + count) for start in range(0, len(found), count)]


def _convolved(a, weight, bias=None, stride=(1,), padding=(0,), dilation=(1,), groups=1):
    """(batch, channels, *space) with (out channels, channels / groups, *kernel) → (batch, out channels, *space)."""
    kernel = weight.shape[2:]
    found = patches(bordered(a, padding, padding), kernel, stride, dilation)
    size = found.shape[2 + len(kernel) :]
    out, rows = np.empty((a.shape[0], weight.shape[0], *size), np.result_type(a, weight)), kernels(weight, groups)
    into = in_groups(out, groups)
    for part in shares(found):
        np.matmul(rows, flat_columns(found[part], (groups,)), into[part])
    return out if bias is None else np.add(out, bias.reshape((-1,) + (1,) * len(kernel)), out)


def _spread(a, weight, bias=None, shape=(), stride=(1,), padding=(0,), dilation=(1,), groups=1):
    padded, out = blank(shape, padding, np.result_type(a, weight))
    places, size = patches(padded, weight.shape[2:], stride, dilation), a.shape[2:]
    places, rows = places[(..., *map(slice, size))], kernels(weight, groups).mT
    for part in shares(places):
        values = rows @ in_groups(a[part], groups)
        add_patches(places[part], values.reshape(places[part].shape), weight.shape[2:])
    return row_by_row(out) if bias is None else out + bias.reshape((-1,) + (1,) * len(size))


def _correlated(a, made, shape, stride, padding, dilation, groups):
    found = patches(bordered(a, padding, padding), shape[2:], stride, dilation)[(..., *map(slice, made.shape[2:]))]
    total = np.zeros((groups, math.prod(shape[1:]), shape[0] // groups), np.result_type(a, made))
    for part in shares(found):
        total += np.add.reduce(flat_columns(found[part], (groups,)) @ in_groups(made[part], groups).mT, 0)
    return row_by_row(total.mT.reshape(shape))


def kernels(weight, groups):
    """The kernels as the rows of a matrix, one for each group of channels."""
    return weight.reshape((groups, weight.shape[0] // groups, math.prod(weight.shape[1:])))


def in_groups(x, groups):
    """(batch, channels, *space) → (batch, groups, channels of one group, space)."""
    return x.reshape((x.shape[0], groups, x.shape[1] // groups, math.prod(x.shape[2:])))


# == the rows: each other's derivatives ====================================================================

# fmt: off
convolution = op(_convolved,
    a=lambda g, a, weight, stride, padding, dilation, groups: transposed_convolution(
        g, weight, None, a.shape, stride, padding, dilation, groups),
    weight=lambda g, a, weight, stride, padding, dilation, groups: correlation(
        a, g, weight.shape, stride, padding, dilation, groups),
    bias=lambda g: over_channels(g), rules_say={
        "a": "{g} times {weight}, each added where its window was",
        "weight": "{g} times the window of {a} under it, all summed",
        "bias": "{g}, summed in each channel"})
# each element adds a multiple of the kernel to an image of a given shape
transposed_convolution = op(_spread, grad_fn="ConvolutionBackward0",
    a=lambda g, a, weight, stride, padding, dilation, groups: convolution(
        g, weight, None, stride, padding, dilation, groups)[(..., *map(slice, a.shape[2:]))],
    weight=lambda g, a, weight, stride, padding, dilation, groups: correlation(
        g, a, weight.shape, stride, padding, dilation, groups),
    bias=lambda g: over_channels(g), says="conv_transpose(a, weight)", rules_say={
        "a": "{g} times {weight}, summed over each window",
        "weight": "{a} times the window of {g} under it, all summed",
        "bias": "{g}, summed in each channel"})
# how each patch of an image goes with the element that was made of it
correlation = op(_correlated, grad_fn="ConvolutionBackwardBackward0",
    a=lambda g, a_shape, made, stride, padding, dilation, groups: transposed_convolution(
        made, g, None, a_shape, stride, padding, dilation, groups),
    made=lambda g, a, made_shape, stride, padding, dilation, groups: convolution(
        a, g, None, stride, padding, dilation, groups)[(..., *map(slice, made_shape[2:]))],
    says="the gradient of the weight of a convolution", rules_say={
        "a": "{made} times {g}, each added where its window was", "made": "{a} times {g}, summed over each window"})
# fmt: on

# == as people call them ===================================================================================


def per_dimension(value, spatial: int, wanted: str) -> tuple:
    """A number for each dimension, where one may be given for all, alone or in a list."""
    several = tuple(map(index, value if isinstance(value, tuple | list) else (value,)))
    if len(several) not in (1, spatial):
        raise RuntimeError(f"{wanted}, but got {list(several)}")
    return several * (spatial // len(several))


LEAST = {  # what each option must not be less than, and what is said then
    "stride": (1, "non-positive stride is not supported"),
    "padding": (0, "negative padding is not supported"),
    "output_padding": (0, "negative output_padding is not supported"),
    "dilation": (1, "dilation should be greater than zero"),
}


def settings(spatial: int, **given) -> list[tuple]:
    """The options of a convolution, each with a number for every dimension."""
    wanted = "expected {} to be a single integer value or a list of {} values to match the convolution dimensions"
    each = [per_dimension(value, spatial, wanted.format(name, spatial)) for name, value in given.items()]
    for name, value in zip(given, each):
        least, refusal = LEAST[name]
        if min(value) < least:
            raise RuntimeError(refusal)
    return each


def in_batch(input, spatial: int, name: str):
    """The input with a batch dimension, and whether it had one."""
    if input.ndim not in (spatial + 1, spatial + 2):
        raise RuntimeError(
            f"Expected {spatial + 1}D (unbatched) or {spatial + 2}D (batched) input to {name}, but got input of "
            f"size: {list(input.shape)}"
        )
    return (input, True) if input.ndim == spatial + 2 else (input.unsqueeze(0), False)


def check_types(a, weight, bias) -> None:
    """All three of one type: a net of floats often meets a batch of NumPy's doubles first. The words are PyTorch's."""
    if bias is not None and bias.dtype is not a.dtype:
        names = [IN_C[x.dtype.name] for x in (a, bias)]
        raise RuntimeError(f"Input type ({names[0]}) and bias type ({names[1]}) should be the same")
    if weight.dtype is not a.dtype:
        raise RuntimeError(f"expected scalar type {short_name(a)} but found {short_name(weight)}")


def check_channels(a, weight, bias, groups, transposed=False):
    """PyTorch's refusals of an input, a weight and a bias that do not belong together."""
    of_size = f"weight of size {list(weight.shape)}"
    check_types(a, weight, None if transposed else bias)
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if weight.ndim != a.ndim:
        raise RuntimeError(f"expected a weight of {a.ndim} dimensions, (channels, channels, *kernel), not a {of_size}")
    if 0 in weight.shape[2:]:
        raise RuntimeError(f"kernel size should be greater than zero, but got a {of_size}")
    if weight.shape[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of "
            f"size [{list(weight.shape)}] instead"
        )
    taken, made = weight.shape[1] * groups, weight.shape[0]
    taken, made = (made, taken) if transposed else (taken, made)
    if a.shape[1] != taken:
        raise RuntimeError(
            f"Given {'transposed=1' if transposed else f'groups={groups}'}, {of_size}, expected input{list(a.shape)} "
            f"to have {taken} channels, but got {a.shape[1]} channels instead"
        )
    if bias is not None and tuple(bias.shape) != (made,):
        raise RuntimeError(
            f"Given {'transposed=1, ' * transposed}{of_size}, expected bias to be 1-dimensional with {made} elements, "
            f"but got bias of size {list(bias.shape)} instead"
        )


def _convolve(spatial: int):
    def conv(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        a, batched = in_batch(input, spatial, conv.__name__)
        check_channels(a, weight, bias, groups)
        stride, dilation = settings(spatial, stride=stride, dilation=dilation)
        if isinstance(padding, str):
            reach = [d * (k - 1) * (padding == "same") for k, d in zip(weight.shape[2:], dilation)]
            if padding not in ("valid", "same"):
                raise RuntimeError(f"Invalid padding string: '{padding}'")
            if padding == "same" and max(stride) > 1:
                raise RuntimeError("padding='same' is not supported for strided convolutions")
            padding = tuple(r // 2 for r in reach)
            for dim, r in enumerate(reach, 2):
                if r % 2:  # of an odd number of zeros there is one more at the end
                    a = cat([a, a.new_zeros((*a.shape[:dim], 1, *a.shape[dim + 1 :]))], dim)
        (padding,) = settings(spatial, padding=padding)
        room = [n + 2 * p for n, p in zip(a.shape[2:], padding)]
        reach = [d * (k - 1) + 1 for d, k in zip(dilation, weight.shape[2:])]
        if any(r > n for r, n in zip(reach, room)):
            raise RuntimeError(
                f"Calculated padded input size per channel: ({' x '.join(map(str, room))}). Kernel size: "
                f"({' x '.join(map(str, reach))}). Kernel size can't be greater than actual input size"
            )
        out = convolution(a, weight, bias, stride, padding, dilation, groups)
        return out if batched else out.squeeze(0)

    conv.__name__ = conv.__qualname__ = f"conv{spatial}d"
    conv.__doc__ = f"A kernel slid over {spatial} dimensions: out channel o is Σ weight[o] * patch, plus bias[o]."
    return public("functional")(conv)


conv1d, conv2d = _convolve(1), _convolve(2)


def _transposed(spatial: int):
    def conv(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
        a, batched = in_batch(input, spatial, conv.__name__)
        check_channels(a, weight, bias, groups, transposed=True)
        given = {"stride": stride, "padding": padding, "output_padding": output_padding, "dilation": dilation}
        stride, padding, more, dilation = settings(spatial, **given)
        if any(m >= max(s, d) for m, s, d in zip(more, stride, dilation)):
            raise RuntimeError(
                f"output padding must be smaller than either stride or dilation, but got output_padding {more}, "
                f"stride {stride} and dilation {dilation}"
            )
        reach = [d * (k - 1) + 1 for d, k in zip(dilation, weight.shape[2:])]
        size = [(n - 1) * s - 2 * p + r + m for n, s, p, r, m in zip(a.shape[2:], stride, padding, reach, more)]
        if min(size) < 1:
            raise RuntimeError(f"{conv.__name__}: Output size is too small: {' x '.join(map(str, size))}")
        shape = (a.shape[0], weight.shape[1] * groups, *size)
        out = transposed_convolution(a, weight, bias, shape, stride, padding, dilation, groups)
        return out if batched else out.squeeze(0)

    conv.__name__ = conv.__qualname__ = f"conv_transpose{spatial}d"
    conv.__doc__ = "A convolution's way back: each element of the input adds a multiple of the kernel to the result."
    return public("functional")(conv)


conv_transpose1d, conv_transpose2d = _transposed(1), _transposed(2)
