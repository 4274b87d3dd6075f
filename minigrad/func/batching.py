"""vmap: a function of one becomes a function of many; and one backward becomes one for each of many gradients."""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core.tensor import Tensor
from ..ops.joining import stack
from ..random.sampling import get_rng_state, set_rng_state
from ..tensors.trees import leaves, refilled
from .run import under


def vmap(
    func: Callable, in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *, chunk_size: int | None = None
) -> Callable:
    """The function that does to each slice of its arguments what `func` does to one, and stacks the results.

    Note: this is a loop. PyTorch runs `func` once, on all slices together, and so is faster; what is computed is the
    same. So `func` may do here what PyTorch forbids, such as `.item()` or an `if` on a value.

    Args:
        in_dims: the dimension to slice, of all arguments or of each; None: every slice gets the whole argument, as it
            does of keyword arguments, and leaves it as it is.
        out_dims: where the new dimension goes, in all results or in each.
        randomness: "different" random numbers for each slice, the "same" for all, or an "error" if any are drawn.
        chunk_size: makes no difference: the slices come one by one.

    >>> import minigrad as mg
    >>> mg.func.vmap(mg.dot, in_dims=(0, None))(mg.tensor([[1.0, 2.0], [3.0, 4.0]]), mg.tensor([1.0, 10.0]))
    tensor([21., 43.])
    """

    if chunk_size is not None and chunk_size < 1:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def mapped(*args, **kwargs):
        dims = _spread(in_dims, args, "in_dims")
        size, slices = _slices(leaves(args), dims)
        whole = [one for one, dim in zip(leaves(args), dims) if dim is None] + leaves(kwargs)
        before = _versions(whole)

        def of_slice(one):
            output = func(*refilled(args, one), **kwargs)
            if size > 1 and _versions(whole) != before:
                raise RuntimeError(
                    "vmap: an inplace operation on a Tensor that is not vmapped over is not possible: each slice would "
                    "change it once more. Please use an out-of-place operator, or map over that Tensor as well."
                )
            return output

        outputs = repeated(of_slice, slices, randomness)
        places = _spread(out_dims, outputs[0], "out_dims")
        columns = zip(*map(leaves, outputs))
        return refilled(outputs[0], [_joined(dim, size, column) for dim, column in zip(places, columns)])

    return mapped


def repeated(call: Callable, slices: Iterable, randomness: str = "error") -> list:
    """The answers to one call after the other, which draw random numbers as `vmap` allows it."""
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    state, found = get_rng_state().array, []
    for one in slices:
        if randomness == "same":
            set_rng_state(state)
        with under("vmap"):
            found.append(call(one))
    if randomness == "error" and (get_rng_state().array != state).any():
        set_rng_state(state)
        raise RuntimeError(
            "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
            "'different' randomness flags on vmap or perform the randomness operation out of vmap"
        )
    return found


def _versions(given: list) -> list[int]:
    return [one._version for one in given if isinstance(one, Tensor) and not one._inference]


def _joined(dim: int | None, size: int, column: tuple):
    """One result of all slices."""
    first = column[0]
    if dim is not None:
        if not isinstance(first, Tensor):
            raise ValueError(f"vmap: the function must return Tensors, or out_dims be None: got type {type(first)}")
        return stack(column, dim) if size else stack(column, dim).narrow(dim, 0, 0)
    if isinstance(first, Tensor) and not all(np.array_equal(first.array, one.array) for one in column):
        raise ValueError("vmap: out_dims may be None only where all slices have the same result")
    return first


def _slices(given: list, dims: list) -> tuple[int, list]:
    """How many calls there are, and the arguments of each."""
    sliced = [(one, dim) for one, dim in zip(given, dims) if dim is not None]
    for one, dim in sliced:
        if not isinstance(one, Tensor) or not -one.ndim <= dim < one.ndim:
            what = f"a Tensor of {one.ndim} dimensions" if isinstance(one, Tensor) else type(one).__name__
            raise ValueError(f"vmap: cannot slice {what} along in_dim={dim}; None hands an argument over whole")
    sizes = [one.shape[dim] for one, dim in sliced]
    if not sizes:
        raise ValueError("vmap: got no inputs to slice: it needs a Tensor among them, with an in_dim other than None")
    if len(set(sizes)) != 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    columns = [[one] * sizes[0] if dim is None else one.unbind(dim) for one, dim in zip(given, dims)]
    for one, dim, column in zip(given, dims, columns):
        for part in column if dim is not None and not one.requires_grad else ():
            part._forbids = None  # a slice is all that the function has, which may change it
    if not sizes[0]:  # one slice that is not there shows what the others would have looked like
        columns = [[one if dim is None else one.sum(dim)] for one, dim in zip(given, dims)]
    return sizes[0], list(zip(*columns))


def _spread(dims, tree, name: str) -> list:
    """One dimension for each tensor: an int or None is for all; a tuple, list or dict has one for each part of one."""
    if dims is None or isinstance(dims, int):
        return [dims] * len(leaves(tree))
    if isinstance(dims, dict) and isinstance(tree, dict) and dims.keys() == tree.keys():
        pairs = [(dims[key], part) for key, part in tree.items()]
    else:
        parts = tree if isinstance(tree, tuple | list) else (tree,)
        if type(dims) is not type(parts) or len(dims) != len(parts):
            raise ValueError(f"vmap: {name} must be an int, None, or a tuple of {len(parts)} of them, but is {dims!r}")
        pairs = list(zip(dims, parts))
    return [dim for one, part in pairs for dim in _spread(one, part, name)]
