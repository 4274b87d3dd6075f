"""What NumPy has no function for, by its definition and with loops. The cases call it `n`."""

import itertools
import math

import numpy as np

erf = np.vectorize(math.erf, otypes=[float])
erfc = np.vectorize(math.erfc, otypes=[float])

# == one element at a time =================================================================================


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


def softmax(a, dim):
    weights = np.exp(a)
    return weights / weights.sum(dim, keepdims=True)


def standard(a, dims, eps=1e-5):
    return (a - a.mean(dims, keepdims=True)) / np.sqrt(a.var(dims, keepdims=True) + eps)


# == order =================================================================================================


def max_along(a, dim):
    return [a.max(dim), a.argmax(dim)]


def min_along(a, dim):
    return [a.min(dim), a.argmin(dim)]


def median(a, dim):
    """The lower of the two in the middle, and where it is."""
    order = np.argsort(a, dim, kind="stable")
    place = np.take(order, [(a.shape[dim] - 1) // 2], dim)
    return [np.take_along_axis(a, place, dim).squeeze(dim), place.squeeze(dim)]


def sort(a, dim, descending=False):
    order = np.argsort(-a if descending else a, dim, kind="stable")
    return [np.take_along_axis(a, order, dim), order]


def kth(a, k, dim):
    return [np.take(x, k - 1, dim) for x in sort(a, dim)]


def top(a, k, dim, largest=True):
    return [np.take(x, range(k), dim) for x in sort(a, dim, largest)]


# == arrangement and parts =================================================================================


def product(*arrays):
    return np.array(list(itertools.product(*arrays)))


def sum_to(a, shape):
    extra = a.ndim - len(shape)
    a = a.sum(tuple(range(extra)))
    return a.sum(tuple(i for i, n in enumerate(shape) if n == 1), keepdims=True)


def with_at(a, index, b, add=False):
    out = a.copy()
    if add:
        np.add.at(out, index, b)
    else:
        out[index] = b
    return out


def scattered(a, dim, index, b, add=False):
    out = a.copy()
    for place in np.ndindex(*index.shape):
        target = list(place)
        target[dim] = index[place]
        value = b[place] if isinstance(b, np.ndarray) else b
        out[tuple(target)] = out[tuple(target)] + value if add else value
    return out


# == products, windows =====================================================================================


def expm(a):
    """The exponential of a matrix, by its series."""
    out = term = np.eye(len(a))
    for i in range(1, 60):
        term = term @ a / i
        out = out + term
    return out


def conv(a, weight, bias=None, stride=1, padding=0, dilation=1):
    """A convolution by its definition: one loop for each sum."""
    spatial = weight.ndim - 2
    s, p, d = ((x,) * spatial if isinstance(x, int) else x for x in (stride, padding, dilation))
    a = np.pad(a, [(0, 0), (0, 0), *((q, q) for q in p)])
    size = [(n - step * (k - 1) - 1) // t + 1 for n, k, t, step in zip(a.shape[2:], weight.shape[2:], s, d)]
    out = np.zeros((a.shape[0], weight.shape[0], *size))
    for place in np.ndindex(*size):
        for offset in np.ndindex(*weight.shape[2:]):
            at = tuple(x * t + o * step for x, t, o, step in zip(place, s, offset, d))
            out[(..., *place)] += a[(..., *at)] @ weight[(..., *offset)].T
    return out if bias is None else out + bias.reshape(-1, *(1,) * spatial)


def conv_transpose(a, weight, bias=None, stride=1, padding=0):
    k = weight.shape[2:]
    size = [(n - 1) * stride + w for n, w in zip(a.shape[2:], k)]
    out = np.zeros((a.shape[0], weight.shape[1], *size))
    for place in np.ndindex(*a.shape[2:]):
        at = tuple(slice(i * stride, i * stride + w) for i, w in zip(place, k))
        out[(slice(None), slice(None), *at)] += np.tensordot(a[(..., *place)], weight, 1)
    out = out[(slice(None), slice(None), *(slice(padding, n - padding) for n in size))]
    return out if bias is None else out + bias.reshape(-1, *(1,) * len(k))


def patches(a, k):
    """Every patch of length k of (batch, channels, length), as a column."""
    count = a.shape[2] - k + 1
    return np.stack([a[:, :, i : i + k].reshape(a.shape[0], -1) for i in range(count)], 2)


def unpatches(a, shape, k):
    out = np.zeros(shape)
    for i in range(a.shape[2]):
        out[:, :, i : i + k] += a[:, :, i].reshape(*shape[:2], k)
    return out


def pooled(a, k, stride, pad, function, border):
    """Each window of the last dimensions, by a loop."""
    dims = len(k)
    a = np.pad(a, [(0, 0)] * (a.ndim - dims) + [(p, p) for p in pad], constant_values=border)
    size = [(n - w) // s + 1 for n, w, s in zip(a.shape[-dims:], k, stride)]
    out = np.zeros((*a.shape[:-dims], *size))
    for place in np.ndindex(*size):
        window = a[(..., *(slice(i * s, i * s + w) for i, s, w in zip(place, stride, k)))]
        out[(..., *place)] = function(window, tuple(range(-dims, 0)))
    return out


def adaptive(a, size):
    out = np.zeros((*a.shape[:-2], *size))
    (h, w), (height, width) = a.shape[-2:], size
    for i, j in np.ndindex(*size):
        places = (i, h, height), (j, w, width)
        rows, columns = (slice(q * n // count, -(-(q + 1) * n // count)) for q, n, count in places)
        out[..., i, j] = a[..., rows, columns].mean((-2, -1))
    return out


def columns(a, k, stride, pad):
    """Each window of an image as a column, by a loop."""
    a = np.pad(a, [(0, 0)] * (a.ndim - 2) + [(p, p) for p in pad])
    size = [(n - w) // s + 1 for n, w, s in zip(a.shape[-2:], k, stride)]
    windows = [a[..., i * stride[0] :, j * stride[1] :][..., : k[0], : k[1]] for i, j in np.ndindex(*size)]
    return np.stack([window.reshape(*a.shape[:-3], -1) for window in windows], -1)


def image(a, size, k, stride):
    """Each column of a batch added to its window of an image, by a loop."""
    out = np.zeros((*a.shape[:-2], a.shape[-2] // math.prod(k), *size))
    places = np.ndindex(*((n - w) // s + 1 for n, w, s in zip(size, k, stride)))
    for number, (i, j) in enumerate(places):
        window = a[..., number].reshape(*out.shape[:-2], *k)
        out[..., i * stride[0] :, j * stride[1] :][..., : k[0], : k[1]] += window
    return out


# == losses ================================================================================================


def huber(d, delta):
    return np.where(np.abs(d) < delta, d * d / 2, delta * (np.abs(d) - delta / 2))


def picked(a, target):
    return -np.take_along_axis(a, np.expand_dims(target, 1), 1)


def cosine(a, b):
    return (a * b).sum(1) / np.sqrt((a * a).sum(1) * (b * b).sum(1))


def margins(a, target, margin, p):
    rows = [[margin + x - row[t] for i, x in enumerate(row) if i != t] for row, t in zip(a, target)]
    return (np.maximum(rows, 0) ** p).sum() / a.size
