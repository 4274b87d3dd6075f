"""Convolution as a matrix product: every patch of the input becomes a column, and the kernel multiplies them all.

`columns` and `image` (its reverse: each patch added back where it came from) are each other's derivative; so the whole
convolution, of any order, is made of two linear rows and `matmul`.
"""

import math
from itertools import product

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..autograd.op import op
from .joining import cat
from .matrix import matmul
from .reduction import sum

columns = op(
    lambda a, kernel, stride, padding, dilation: _columns(a, kernel, stride, padding, dilation),
    grad_fn="Im2ColBackward0",
    linear=True,
    a=lambda g, a_shape, kernel, stride, padding, dilation: image(g, a_shape, kernel, stride, padding, dilation),
)
image = op(
    lambda a, shape, kernel, stride, padding, dilation: _image(a, shape, kernel, stride, padding, dilation),
    grad_fn="Col2ImBackward0",
    linear=True,
    a=lambda g, kernel, stride, padding, dilation: columns(g, kernel, stride, padding, dilation),
)


def patches(padded, kernel, stride, dilation):
    """A view of every patch: (batch, channels, *kernel, *positions)."""
    steps = padded.strides[2:]
    fits = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(padded.shape[2:], kernel, stride, dilation)]
    inside, between = [step * d for step, d in zip(steps, dilation)], [step * s for step, s in zip(steps, stride)]
    return as_strided(padded, (*padded.shape[:2], *kernel, *fits), (*padded.strides[:2], *inside, *between))


def bordered(a, before, after, value=0):
    """With a border around each channel."""
    if not any((*before, *after)):
        return a
    out = np.full((*a.shape[:2], *(b + n + e for b, n, e in zip(before, a.shape[2:], after))), value, a.dtype)
    out[(slice(None), slice(None), *(slice(b, b + n) for b, n in zip(before, a.shape[2:])))] = a
    return out


def _columns(a, kernel, stride, padding, dilation):
    found = patches(bordered(a, padding, padding), kernel, stride, dilation)
    return found.reshape(a.shape[0], a.shape[1] * math.prod(kernel), -1)


def _image(a, shape, kernel, stride, padding, dilation):
    padded = np.zeros((*shape[:2], *(n + 2 * p for n, p in zip(shape[2:], padding))), a.dtype)
    places = patches(padded, kernel, stride, dilation)
    values = a.reshape(places.shape)
    for offset in product(*map(range, kernel)):  # patches overlap, but not those at one place of the kernel
        at = (slice(None), slice(None), *offset)
        places[at] += values[at]
    return padded[(slice(None), slice(None), *(slice(p, p + n) for p, n in zip(padding, shape[2:])))]


def convolved(a, weight, bias=None, stride=(1,), padding=(0,), dilation=(1,), groups=1):
    """(batch, channels, *space) with (out channels, channels / groups, *kernel) → (batch, out channels, *space)."""
    kernel = weight.shape[2:]
    size = tuple(
        (n + 2 * p - d * (k - 1) - 1) // s + 1 for n, p, d, k, s in zip(a.shape[2:], padding, dilation, kernel, stride)
    )
    if min(size) < 1:
        raise RuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(str(n + 2 * p) for n, p in zip(a.shape[2:], padding))})"
            f". Kernel size: ({' x '.join(map(str, kernel))}). Kernel size can't be greater than actual input size"
        )
    patched = in_groups(columns(a, tuple(kernel), stride, padding, dilation), groups)
    out = matmul(kernels(weight, groups), patched).reshape((a.shape[0], weight.shape[0], *size))
    return out if bias is None else out + bias.reshape((-1,) + (1,) * len(kernel))


def kernels(weight, groups):
    """The kernels as the rows of a matrix, one for each group of channels."""
    return weight.reshape((groups, weight.shape[0] // groups, -1))


def in_groups(x, groups):
    """(batch, channels, *space) → (batch, groups, channels of one group, space)."""
    return x.reshape((x.shape[0], groups, x.shape[1] // groups, -1))


def out_of_groups(x):
    """(batch, groups, channels of one group, space) → (batch, channels, space)."""
    return x.reshape((x.shape[0], x.shape[1] * x.shape[2], -1))


convolution = op(
    convolved,
    a=lambda g, a_shape, weight, stride, padding, dilation, groups: image(
        out_of_groups(kernels(weight, groups).mT @ in_groups(g, groups)), a_shape, tuple(weight.shape[2:]), stride, padding, dilation
    ),
    weight=lambda g, a, weight_shape, stride, padding, dilation, groups: sum(
        in_groups(g, groups) @ in_groups(columns(a, tuple(weight_shape[2:]), stride, padding, dilation), groups).mT, 0
    ).reshape(weight_shape),
    bias=lambda g: sum(g, (0, *range(2, len(g.shape)))),
)


def check_channels(a, weight, bias, groups, transposed=False):
    """PyTorch's refusals of an input, a weight and a bias that do not belong together."""
    given = "Given transposed=1" if transposed else f"Given groups={groups}"
    of_size = f"weight of size {list(weight.shape)}"
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if weight.ndim != a.ndim:
        raise RuntimeError(f"expected a weight of {a.ndim} dimensions, (channels, channels, *kernel), but got a {of_size}")
    if weight.shape[0] % groups:
        raise RuntimeError(f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of "
                           f"size [{list(weight.shape)}] instead")
    taken, given_off = weight.shape[1] * groups, weight.shape[0]
    if transposed:
        taken, given_off = given_off, taken
    if a.shape[1] != taken:
        raise RuntimeError(f"{given}, {of_size}, expected input{list(a.shape)} to have {taken} channels, but got {a.shape[1]} "
                           "channels instead")
    if bias is not None and tuple(bias.shape) != (given_off,):
        raise RuntimeError(f"{given + ', ' if transposed else 'Given '}{of_size}, expected bias to be 1-dimensional with {given_off} "
                           f"elements, but got bias of size {list(bias.shape)} instead")


def _convolve(spatial: int):
    def conv(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        name = f"conv{spatial}d"
        batched = input.ndim == spatial + 2
        if not batched and input.ndim != spatial + 1:
            raise RuntimeError(
                f"Expected {spatial + 1}D (unbatched) or {spatial + 2}D (batched) input to {name}, but got input of "
                f"size: {list(input.shape)}"
            )
        a = input if batched else input.unsqueeze(0)
        check_channels(a, weight, bias, groups)
        each = [_per_dimension(value, spatial) for value in (stride, dilation)]
        if isinstance(padding, str):
            reach = [d * (k - 1) * (padding == "same") for k, d in zip(weight.shape[2:], each[1])]
            if padding not in ("valid", "same"):
                raise RuntimeError(f"Invalid padding string: '{padding}'")
            if padding == "same" and max(each[0]) > 1:
                raise RuntimeError("padding='same' is not supported for strided convolutions")
            padding = tuple(r // 2 for r in reach)
            for dim, r in enumerate(reach, 2):
                if r % 2:  # of an odd number of zeros there is one more at the end
                    a = cat([a, a.new_zeros((*a.shape[:dim], 1, *a.shape[dim + 1 :]))], dim)
        padding = _per_dimension(padding, spatial)
        for refused, what in ((min(padding) < 0, "negative padding"), (min(each[0]) <= 0, "non-positive stride")):
            if refused:
                raise RuntimeError(f"{what} is not supported")
        if min(each[1]) <= 0:
            raise RuntimeError("dilation should be greater than zero")
        out = convolution(a, weight, bias, each[0], padding, each[1], groups)
        return out if batched else out.squeeze(0)

    conv.__name__ = conv.__qualname__ = f"conv{spatial}d"
    conv.__doc__ = f"A kernel slid over {spatial} dimensions: out channel o is Σ weight[o] * patch, plus bias[o]."
    return conv


def _per_dimension(value, spatial: int) -> tuple:
    return (value,) * spatial if isinstance(value, int) else tuple(value)


conv1d, conv2d = _convolve(1), _convolve(2)

