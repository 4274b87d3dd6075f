"""Several tensors as one, and one as several: each is the other's derivative."""

import math
from collections.abc import Iterable
from functools import partial
from itertools import accumulate
from operator import index

import numpy as np

from ..core.row import op
from ..core.tensor import Tensor
from ..numbers.memory import row_by_row
from ..words.refusals import with_operands
from .public import public
from .shape import check_dim, narrow, reshape_to, select

joining = partial(op, linear=True, mixes=True)
parting = partial(op, outputs=("parts",), view=True, linear=True)
# fmt: off
cat_all = joining(lambda dim, sizes, *tensors: row_by_row(np.concatenate(tensors, dim)), grad_fn="CatBackward0",
    tensors=lambda g, i, dim, sizes: narrow(g, dim, sum(sizes[:i]), sizes[i]),
    rules_say={"tensors": "the part of {g} that this tensor became"})
stack_all = joining(
    lambda dim, *tensors: row_by_row(np.concatenate([a[(slice(None),) * dim + (None,)] for a in tensors], dim)),
    grad_fn="StackBackward0",
    tensors=lambda g, i, dim: select(g, dim, i), rules_say={"tensors": "the slice of {g} that this tensor became"})
split_to = parting(
    lambda a, parts, dim=0: cut(a, [slice(end - n, end) for n, end in zip(parts, accumulate(parts))], dim),
    grad_fn=lambda a, parts, *_: "SplitBackward0" if isinstance(parts, tuple) else "SplitWithSizesBackward0",
    a=lambda gs, dim: cat(gs, dim))
unbind = parting(lambda a, dim=0: cut(a, range(length_of(a, dim)), dim),
    a=lambda gs, dim: stack(gs, dim), public="function method")
# fmt: on


def cut(a, places, dim: int) -> tuple:
    """Views of `a` at several places along a dimension, each a slice or a position."""
    before = (slice(None),) * (dim % a.ndim)
    return tuple([a[(*before, place, ...)] for place in places])


def length_of(a, dim: int) -> int:
    if not a.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return a.shape[check_dim(dim, a.ndim)]


@public("function", also="concat concatenate")
def cat(tensors, dim=0):
    """Tensors joined along an existing dimension.

    >>> import minigrad as mg
    >>> mg.cat((mg.ones(1), mg.zeros(2)))
    tensor([1., 0., 0.])
    """
    tensors = several(tensors, "cat")
    whole = next((x for x in tensors if x.shape != (0,)), tensors[0])
    if whole.ndim > 1:  # as in old programs, an empty vector joins anything
        check_dim(dim, whole.ndim)
        nothing = tuple(0 if i == dim % whole.ndim else n for i, n in enumerate(whole.shape))
        tensors = tuple(reshape_to(x, nothing) if x.shape == (0,) else x for x in tensors)
    shapes = [x.shape for x in tensors]
    if () in shapes:
        raise RuntimeError(f"zero-dimensional tensor (at position {shapes.index(())}) cannot be concatenated")
    dim = 0 if whole.shape == (0,) else check_dim(dim, len(shapes[0]))
    for i, shape in enumerate(shapes):
        if len(shape) != len(shapes[0]):
            refusal = f"Tensors must have same number of dimensions: got {len(shapes[0])} and {len(shape)}"
            raise with_operands(RuntimeError(refusal), "cat", tensors)
        for axis, (n, expected) in enumerate(zip(shape, shapes[0])):
            if axis != dim and n != expected:
                refusal = (
                    f"Sizes of tensors must match except in dimension {dim}. Expected size {expected} but got size {n} "
                    f"for tensor number {i} in the list."
                )
                raise with_operands(RuntimeError(refusal), "cat", tensors)
    return cat_all(*tensors, dim=dim, sizes=tuple(shape[dim] for shape in shapes))


@public("function")
def stack(tensors, dim=0):
    """Tensors of one shape along a new dimension."""
    tensors = several(tensors, "stack")
    for i, x in enumerate(tensors):
        if x.shape != tensors[0].shape:
            sizes = f"{list(tensors[0].shape)} at entry 0 and {list(x.shape)} at entry {i}"
            refusal = f"stack expects each tensor to be equal size, but got {sizes}"
            raise with_operands(RuntimeError(refusal), "stack", tensors)
    return stack_all(*tensors, dim=check_dim(dim, tensors[0].ndim + 1))


def several(tensors, name: str) -> tuple:
    if isinstance(tensors, Tensor) or not isinstance(tensors, Iterable):
        given = type(tensors).__name__
        raise TypeError(f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not {given}")
    tensors = tuple(tensors)
    for i, one in enumerate(tensors):
        if not hasattr(one, "shape"):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(one).__name__}")
    if not tensors:
        if name == "cat":
            raise ValueError("torch.cat(): expected a non-empty list of Tensors")
        raise RuntimeError(f"{name} expects a non-empty TensorList")
    return tensors


@public("function method", also="unsafe_split")
def split(tensor, split_size_or_sections=None, dim=0, *, split_size=None):
    """Parts of a given size (the last may be smaller), or of the given sizes."""
    if not tensor.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    total, sizes = length_of(tensor, dim), split_size_or_sections if split_size is None else split_size
    sizes = sizes.item() if isinstance(sizes, Tensor) and not sizes.ndim else sizes
    if isinstance(sizes, int):
        if sizes < 0:
            raise RuntimeError(f"split expects split_size be non-negative, but got split_size={sizes}")
        if not sizes and total:
            raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {total}")
        parts = [min(sizes, total - start) for start in range(0, max(total, 1), max(sizes, 1))]
        return split_to(tensor, tuple(parts), dim % tensor.ndim)
    if not isinstance(sizes, tuple | list):
        raise TypeError(f"split(): takes a size or a tuple of sizes, not {type(sizes).__name__}")
    if min(sizes, default=0) < 0 or sum(sizes) != total:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {total} (input tensor's size at dimension {dim}), "
            f"but got split_sizes={list(sizes)}"
        )
    return split_to(tensor, list(sizes), dim % tensor.ndim)


@public("function method", also="unsafe_chunk")
def chunk(input, chunks, dim=0):
    """At most `chunks` parts of equal size."""
    if not input.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if index(chunks) <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    total = length_of(input, dim)
    return split(input, math.ceil(total / chunks) if total else [0] * chunks, dim)
