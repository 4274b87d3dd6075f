"""Forward mode: a tangent travels along with each value, and arrives with the result.

>>> import minigrad as mg
>>> with dual_level():
...     x = make_dual(mg.tensor(0.0), mg.tensor(1.0))
...     unpack_dual(mg.sin(x) * 2)
UnpackedDualTensor(primal=tensor(0.), tangent=tensor(2.))

No operation needs a rule of its own for this: it follows from the rule for the backward (see `jvp`).
"""

import contextlib
from typing import NamedTuple

import numpy as np

from ..dtypes import is_differentiable
from ..promotion import is_operand
from ..tensor import Tensor, wrap
from . import engine
from .grad_mode import dual_levels as levels
from .grad_mode import enable_grad, modes


class UnpackedDualTensor(NamedTuple):
    """A value, and the direction in which it changes (None: not at all)."""

    primal: Tensor
    tangent: Tensor | None


@contextlib.contextmanager
def dual_level():
    """Tangents live inside this block. PyTorch allows one level at a time, and so does this."""
    enter_dual_level()
    try:
        yield
    finally:
        exit_dual_level()


def enter_dual_level() -> int:
    if levels:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    levels.append(0)
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    if not levels:
        raise RuntimeError("Trying to exit a forward AD level that was not entered")
    levels.pop()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """The same value, which changes in the direction `tangent`."""
    if not levels:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    if not is_differentiable(tensor.array.dtype):
        raise ValueError(f"Expected primal to be floating point or complex, but got: {tensor.dtype}")
    if not is_differentiable(tangent.array.dtype):
        raise ValueError(f"Expected tangent to be floating point or complex, but got: {tangent.dtype}")
    if tangent.shape != tensor.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
            f"supported. Tensor is of size {list(tensor.shape)} while the given forward gradient is of size "
            f"{list(tangent.shape)}."
        )
    if tensor._tangent is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level 0 is not "
            "supported."
        )
    dual = tensor.view_as(tensor)
    dual._tangent = tangent
    return dual


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """A dual tensor's value and tangent."""
    tangent = tensor._tangent if levels else None
    primal = wrap(tensor._data, tensor._node, tensor._index, tensor._counter) if tangent is not None else tensor
    return UnpackedDualTensor(primal, tangent)


def propagate(op, values, result) -> None:
    """Give the result of an operation the tangent that follows from those of its inputs."""
    if not any(isinstance(value, Tensor) and value._tangent is not None for value in values):
        return
    tangents = [value._tangent if isinstance(value, Tensor) else None for value in values]
    paused, levels[:] = levels[:], []  # what is computed here is about tangents, and carries none itself
    try:
        found = jvp(op, values, tangents, result)
    finally:
        levels[:] = paused
    if isinstance(result, tuple):
        for one, tangent in zip(result, found):
            one._tangent = tangent
    else:
        result._tangent = found


def as_it_was(values) -> tuple:
    """The arguments of an in-place operation, the first as it is before: its tangent's rule needs that."""
    target = values[0]
    before = wrap(target.array.copy(), target._node, target._index)
    before._requires_grad, before._tangent = target._requires_grad, target._tangent
    return (before, *values[1:])


def reach_base(view: Tensor) -> None:
    """After a change through a view that was not recorded: the base moves with it."""
    from ..ops.index import overlay
    from .views import path

    base = view._base
    if view._tangent is not None or base._tangent is not None:
        paused, levels[:] = levels[:], []
        whole, part = (x._tangent if x._tangent is not None else zeros_like(x, x) for x in (base, view))
        base._tangent = overlay(whole, part, path(view))
        levels[:] = paused


def keep_tangents(node, values, result) -> None:
    """Let a node remember the tangents of what it saved: forward mode over a backward asks for them."""
    if node is None:
        return
    results = result if isinstance(result, tuple) else (result,)
    saves = [results[s.output] if s.output is not None else values[s.position] for s in node.plan.saves]
    node.tangents = {
        i: tensor._tangent
        for i, (save, tensor) in enumerate(zip(node.plan.saves, saves))
        if isinstance(tensor, Tensor) and tensor._tangent is not None and not save.shape_only
    }


def jvp(op, values, tangents, result):
    """How a result changes when its inputs change in the direction of their tangents (None: not at all).

    An elementwise operation multiplies each tangent by the very factor by which it multiplies a gradient. A linear one
    does to the tangents what it does to values. For all others the backward is differentiated once more: it is linear
    in the gradient that it is given, and the coefficients of that are what is sought.
    """
    if not any(op.rules.values()):
        return None
    whole = op.holomorphic or not any(isinstance(value, Tensor) and value.is_complex() for value in values)
    if op.elementwise and whole:
        return _elementwise(op, values, tangents, result)
    if op.linear == "each":
        return sum_of(
            engine.apply(op, _replaced(values, {i: tangent}))
            for i, tangent in enumerate(tangents)
            if tangent is not None
        )
    if op.linear:
        inputs = [i for i in range(len(values)) if is_operand(op, i)]
        moved = {i: zeros_like(values[i], result) if tangents[i] is None else tangents[i] for i in inputs}
        return engine.apply(op, _replaced(values, moved))
    return _by_double_backward(op, values, tangents)


def sum_of(parts):
    total = None
    for part in parts:
        total = part if total is None else total + part
    return total


def zeros_like(value, result) -> Tensor:
    like = value if isinstance(value, Tensor) else None
    return wrap(np.zeros(like.shape, like.array.dtype) if like is not None else np.zeros((), result.array.dtype))


def _replaced(values, changes: dict) -> list:
    return [changes.get(i, value) for i, value in enumerate(values)]


def _elementwise(op, values, tangents, result):
    known = dict(zip(op.parameters, values)) | {"out": result}
    known |= {f"{name}_shape": value.shape for name, value in known.items() if isinstance(value, Tensor)}
    total = sum_of(
        op.rules[name](tangent, *[known[needed] for needed in op.needs(name)])
        for name, tangent in zip(op.parameters, tangents)
        if tangent is not None and op.rules.get(name)
    )
    if total is not None and total.dtype is not result.dtype:  # a conversion, or a float16 computed in float32
        total = (total.real if total.is_complex() and not result.is_complex() else total).to(result.dtype)
    return total if total is None or total.shape == result.shape else total.expand(result.shape)


@enable_grad()
def _by_double_backward(op, values, tangents):
    from .reverse import grad

    moving = [i for i, tangent in enumerate(tangents) if tangent is not None]
    inputs = {i: values[i] if values[i].requires_grad else values[i].detach().requires_grad_() for i in moving}
    outputs = engine.apply(op, _replaced(values, inputs))
    several = isinstance(outputs, tuple)
    outputs = [out for out in (outputs if several else [outputs]) if out.requires_grad]
    seeds = [wrap(np.zeros_like(out.array)).requires_grad_() for out in outputs]
    pulled = grad(outputs, list(inputs.values()), seeds, create_graph=True)
    keep = modes.state.grad and any(value.requires_grad for value in values if isinstance(value, Tensor))
    found = grad(pulled, seeds, [tangents[i] for i in moving], create_graph=keep, allow_unused=True)
    return found if several else found[0]
