"""Gradients of functions, and their derivatives times a vector: `grad`, `grad_and_value`, `vjp` and `jvp`."""

import functools
from collections.abc import Callable
from typing import Any

from ..autograd import forward_ad
from ..autograd.starts import implicit_gradient
from ..core.modes import modes
from ..core.tensor import Tensor, wrap
from ..tensors.creation import zeros_like
from ..tensors.trees import each, leaves, refilled, structure
from .run import JVP, VJP, Run, chosen_alone, outside_inference, returned, single, under


def grad(func: Callable, argnums: int | tuple = 0, has_aux: bool = False) -> Callable:
    """The function that computes the gradient of `func`, which returns one number.

    Args:
        argnums: the argument, or the tuple of arguments, with respect to which to differentiate.
        has_aux: `func` returns `(number, anything)`, and the new function `(gradient, anything)`.

    >>> import minigrad as mg
    >>> mg.func.grad(lambda x, y: x**2 * y, argnums=(0, 1))(mg.tensor(3.0), mg.tensor(2.0))
    (tensor(12.), tensor(9.))
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient_of(*args, **kwargs):
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient_of


def grad_and_value(func: Callable, argnums: int | tuple = 0, has_aux: bool = False) -> Callable:
    """As `grad`, but the new function returns the gradient and the value: `(gradient, (value, aux))` with `has_aux`.

    >>> import minigrad as mg
    >>> mg.func.grad_and_value(mg.exp)(mg.tensor(0.0))
    (tensor(1.), tensor(1.))
    """

    @functools.wraps(func)
    def gradient_and_value(*args, **kwargs):
        rest, chosen = chosen_alone(func, argnums, args, kwargs)
        run = Run("grad_and_value(f)(*args)", rest, chosen, has_aux, (args, kwargs))
        found = refilled(chosen, run.pull([implicit_gradient(run.output.array, True)]))
        return single(found, argnums), (run.output, run.aux) if has_aux else run.output

    return gradient_and_value


def vjp(func: Callable, *primals: Any, has_aux: bool = False) -> tuple:
    """`func(*primals)`, and a function that turns a vector v, shaped as the output, into vᵀJ: one part per argument.

    >>> import minigrad as mg
    >>> value, pull = mg.func.vjp(lambda x: x**2, mg.tensor([1.0, 2.0]))
    >>> pull(mg.tensor([1.0, 10.0]))
    (tensor([ 2., 40.]),)
    """
    run = Run(VJP, func, primals, has_aux)

    def vjp_fn(cotangents):
        if structure(cotangents) != structure(run.output):
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the "
                f"function. cotangents: {structure(cotangents)}, primal output: {structure(run.output)}"
            )
        return refilled(primals, run.pull(leaves(cotangents)))

    return (run.output, vjp_fn, run.aux) if has_aux else (run.output, vjp_fn)


@outside_inference()
def jvp(func: Callable, primals: tuple, tangents: tuple, *, strict: bool = False, has_aux: bool = False) -> tuple:
    """`func(*primals)`, and Jv: how it changes when the arguments change in the direction `tangents`.

    Computed in forward mode. Where one is under way already (`jvp` of a `jvp`) the inner one takes two backwards:
    uᵀJ is linear in u, and its derivative with respect to u in the direction v is Jv. An output that no argument has
    part in does not change, or is refused where all shall be `strict`.

    >>> import minigrad as mg
    >>> mg.func.jvp(lambda x: x**2, (mg.tensor([1.0, 2.0]),), (mg.tensor([1.0, 10.0]),))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    if not isinstance(primals, tuple) or structure(primals) != structure(tangents):
        raise RuntimeError(
            f"{JVP}: Expected primals and tangents to be tuples of the same structure. Got primals with structure "
            f"{structure(primals)} and tangents with structure {structure(tangents)}"
        )
    places, directions = leaves(primals), leaves(tangents)
    if not places or not all(isinstance(one, Tensor) for one in places + directions):
        raise RuntimeError(f"{JVP}: Expected primals and tangents to contain Tensors, at least one, and nothing else.")
    directions = [wrap(one.array) if one._inference else one for one in directions]
    if "jvp" in modes.transforms:
        run = Run(JVP, func, primals, has_aux)
        taking_part = [one.requires_grad for one in run.outputs]
        back = Run(JVP, lambda *u: run.pull(u), [zeros_like(one) for one in run.outputs])
        moved = [run.settled(one) for one in back.pull(directions)]
        output, aux = run.output, run.aux
    else:
        with forward_ad.dual_level(), under("jvp"):
            duals = refilled(primals, map(forward_ad.make_dual, places, directions))
            output, aux = returned(JVP, func(*duals), has_aux)
            pairs = [forward_ad.unpack_dual(one) for one in leaves(output)]
            taking_part = [one.tangent is not None for one in pairs]
            aux = each(lambda one: forward_ad.unpack_dual(one).primal, aux) if has_aux else None
        output = refilled(output, [one.primal for one in pairs])
        moved = [zeros_like(one.primal) if one.tangent is None else one.tangent for one in pairs]
    if strict and not all(taking_part):
        raise RuntimeError(
            "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. "
            "This is not allowed with strict=True."
        )
    moved = refilled(output, moved)
    return (output, moved, aux) if has_aux else (output, moved)
