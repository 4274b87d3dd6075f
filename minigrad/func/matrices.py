"""All derivatives of all outputs with respect to all inputs: Jacobians by rows or by columns, and Hessians."""

import functools
from collections.abc import Callable, Sequence

import numpy as np

from ..core.tensor import Tensor, wrap
from ..ops.joining import stack
from ..tensors.creation import zeros, zeros_like
from ..tensors.trees import leaves, refilled
from .batching import repeated
from .run import VJP, Run, chosen_alone, single, under
from .transforms import jvp


def jacrev(
    func: Callable, argnums: int | tuple = 0, *, has_aux: bool = False, chunk_size: int | None = None
) -> Callable:
    """The function that computes the Jacobian of `func` row by row: one backward for each number of the output.

    They run one by one, whatever `chunk_size` says.

    >>> import minigrad as mg
    >>> mg.func.jacrev(lambda x: x**2)(mg.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if chunk_size is not None and chunk_size < 1:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func)
    def jacobian(*args, **kwargs):
        rest, chosen = chosen_alone(func, argnums, args, kwargs)
        run, blocks = Run(VJP, rest, chosen, has_aux, (args, kwargs)), []
        check_real("jacrev", run.inputs + run.outputs)
        for o, out in enumerate(run.outputs):
            rows = [run.pull(basis(run.outputs, o, k)) for k in range(out.numel())]
            columns = zip(*rows) if rows else [()] * len(run.inputs)
            block = [block_of(column, 0, out, one) for column, one in zip(columns, run.inputs)]
            blocks.append(single(refilled(chosen, block), argnums))
        matrix = refilled(run.output, blocks)
        return (matrix, run.aux) if has_aux else matrix

    return jacobian


def jacfwd(func: Callable, argnums: int | tuple = 0, has_aux: bool = False, *, randomness: str = "error") -> Callable:
    """The function that computes the Jacobian of `func` column by column: one `jvp` for each number of the input.

    >>> import minigrad as mg
    >>> mg.func.jacfwd(lambda x: mg.stack([x.sum(), x.prod()]))(mg.tensor([2.0, 3.0]))
    tensor([[1., 1.],
            [3., 2.]])
    """

    @functools.wraps(func)
    def jacobian(*args, **kwargs):
        rest, chosen = chosen_alone(under("vmap")(func), argnums, args, kwargs)
        inputs, blocks = leaves(chosen), []
        check_real("jacfwd", inputs)
        places = [(i, k) for i, one in enumerate(inputs) for k in range(one.numel())]
        directions = [basis(inputs, *place) for place in places] or [[zeros_like(one) for one in inputs]]
        kept = [
            (one, one._version, one.array.copy())
            for one in leaves((args, kwargs))
            if isinstance(one, Tensor) and not one._inference and len(directions) > 1
        ]

        def along(direction):
            for one, version, numbers in kept:
                if one._version != version:  # a function that changes its argument finds what the first call found
                    one.data.copy_(wrap(numbers))
            return jvp(rest, chosen, refilled(chosen, direction), has_aux=has_aux)

        found = repeated(along, directions, randomness)
        output, _, *aux = found[-1]
        columns = [leaves(moved) for _, moved, *_ in found]
        check_real("jacfwd", leaves(output))
        for o, out in enumerate(leaves(output)):
            row = [
                block_of([column[o] for column, place in zip(columns, places) if place[0] == i], -1, out, one)
                for i, one in enumerate(inputs)
            ]
            blocks.append(single(refilled(chosen, row), argnums))
        matrix = refilled(output, blocks)
        return (matrix, *aux) if has_aux else matrix

    return jacobian


def hessian(func: Callable, argnums: int | tuple = 0) -> Callable:
    """The function that computes all second derivatives of `func`: forward mode over reverse mode.

    >>> import minigrad as mg
    >>> mg.func.hessian(lambda x: x.prod())(mg.tensor([2.0, 3.0]))
    tensor([[0., 1.],
            [1., 0.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)


def basis(tensors: list, which: int, k: int) -> list:
    """Zeros in the shape of all the tensors, but for one 1."""
    vectors = [zeros_like(one) for one in tensors]
    vectors[which].array[np.unravel_index(k, vectors[which].shape)] = 1
    return vectors


def check_real(api: str, tensors: list) -> None:
    if any(isinstance(one, Tensor) and one.is_complex() for one in tensors):
        raise RuntimeError(f"{api}: Expected all inputs and outputs to be real but received a complex tensor")


def block_of(parts: Sequence, dim: int, output: Tensor, input: Tensor) -> Tensor:
    shape = (*output.shape, *input.shape)
    return stack(list(parts)).movedim(0, dim).reshape(shape) if parts else zeros(shape, dtype=input.dtype)
