"""vmap: a function of one becomes a function of many; and one backward becomes one for each of many gradients.

>>> import minigrad as mg
>>> vmap(mg.dot)(mg.ones(2, 3), mg.ones(2, 3))
tensor([3., 3.])
"""

import functools
from collections.abc import Callable
from typing import Any

from .autograd import grad
from .autograd.grad_mode import under
from .ops.joining import stack
from .sampling import get_rng_state, set_rng_state
from .tensor import Tensor
from .trees import leaves, refilled


def vmap(
    func: Callable, in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *, chunk_size: int | None = None
) -> Callable:
    """The function that does to each slice of its arguments what `func` does to one, and stacks the results.

    Note: this is a loop. PyTorch runs `func` once, on all slices together, and so is faster; what is computed is the
    same. So `func` may do here what PyTorch forbids, such as `.item()` or an `if` on a value.

    Args:
        in_dims: the dimension to slice, of all arguments or of each; None: every slice gets the whole argument, as it
            does of keyword arguments.
        out_dims: where the new dimension goes, in all results or in each.
        randomness: "different" random numbers for each slice, the "same" for all, or an "error" if any are drawn.
        chunk_size: how many slices PyTorch takes at once; here each is by itself.

    >>> import minigrad as mg
    >>> vmap(mg.dot, in_dims=(0, None))(mg.tensor([[1.0, 2.0], [3.0, 4.0]]), mg.tensor([1.0, 10.0]))
    tensor([21., 43.])
    """

    @functools.wraps(func)
    def mapped(*args, **kwargs):
        name = getattr(func, "__name__", repr(func))
        if randomness not in ("error", "different", "same"):
            raise RuntimeError(
                f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}"
            )
        if not args:
            raise ValueError(
                f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap "
                "over a function with no inputs. The latter is unsupported."
            )
        where = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): "
        if not isinstance(in_dims, int | tuple):
            raise ValueError(
                f"{where}expected `in_dims` to be int or a (potentially nested) tuple matching the structure of "
                f"inputs, got: {type(in_dims)}."
            )
        slices = _slices(leaves(args), _dims(in_dims, args, where), where)
        state, results, output = get_rng_state(), [], None
        for one in slices:
            if randomness == "same":
                set_rng_state(state)
            with under("vmap"):
                output = func(*refilled(args, one), **kwargs)
            results.append(leaves(output))
        if randomness == "error" and (get_rng_state() != state).any():
            raise RuntimeError(
                "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
                "'different' randomness flags on vmap or perform the randomness operation out of vmap"
            )
        places = _dims(out_dims, output, f"vmap({name}, ..., out_dims={out_dims})(<inputs>): ")
        stacked = []
        for dim, column in zip(places, zip(*results)):
            if dim is not None and not isinstance(column[0], Tensor):
                raise ValueError(
                    f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(column[0])}. Did you mean "
                    "to set out_dims= to None for output?"
                )
            stacked.append(column[0] if dim is None else stack(list(column), dim))
        return refilled(output, stacked)

    return mapped


def _slices(given: list, dims: list, where: str) -> list:
    """The arguments of each call, from those of all of them."""
    for one, dim in zip(given, dims):
        if dim is not None and not isinstance(one, Tensor):
            raise ValueError(
                f"{where}Got in_dim={dim} for an input but the input is of type {type(one)}. We cannot vmap over "
                "non-Tensor arguments, please use None as the respective in_dim"
            )
        if dim is not None and not -one.ndim <= dim < one.ndim:
            raise ValueError(
                f"{where}Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {one.ndim} so "
                f"expected in_dim to satisfy -{one.ndim} <= in_dim < {one.ndim}."
            )
    sizes = [one.shape[dim] for one, dim in zip(given, dims) if dim is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if len(set(sizes)) > 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    columns = [[one] * sizes[0] if dim is None else one.unbind(dim) for one, dim in zip(given, dims)]
    return list(zip(*columns))


def _dims(dims, tree, where: str) -> list:
    """One dimension for each tensor: a single number, or None, holds for all that stand in its place."""
    if dims is None or isinstance(dims, int):
        return [dims] * len(leaves(tree))
    if isinstance(tree, Tensor) and isinstance(dims, tuple) and len(dims) == 1:
        return list(dims)
    if isinstance(dims, dict) and isinstance(tree, dict) and dims.keys() == tree.keys():
        pairs = [(dims[key], tree[key]) for key in tree]
    elif isinstance(dims, tuple | list) and isinstance(tree, tuple | list) and len(dims) == len(tree):
        pairs = list(zip(dims, tree))
    else:
        raise ValueError(f"{where}the dimensions are not compatible with the structure of what they are for: {dims}")
    return [dim for one, part in pairs for dim in _dims(one, part, where)]


def grad_of_rows(outputs, inputs, grad_outputs, retain_graph, create_graph, **options) -> tuple:
    """`autograd.grad` with `is_grads_batched`: one walk per row of `grad_outputs`, the results stacked."""
    if not grad_outputs or any(g is None for g in grad_outputs):
        raise RuntimeError("is_grads_batched=True needs a Tensor in grad_outputs for each output")
    sizes = {len(g) for g in grad_outputs}
    if len(sizes) != 1:
        raise RuntimeError(f"grad_outputs must agree in the size of the batch, but have {sorted(sizes)}")
    (size,) = sizes
    rows = [
        grad(outputs, inputs, [g[i] for g in grad_outputs], retain_graph or i < size - 1, create_graph, **options)
        for i in range(size)
    ]
    return tuple(None if column[0] is None else stack(column) for column in zip(*rows))
