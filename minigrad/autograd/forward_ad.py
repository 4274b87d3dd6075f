"""Forward mode: a tangent travels along with each value, and arrives with the result.

>>> import minigrad as mg
>>> with dual_level():
...     x = make_dual(mg.tensor(0.0), mg.tensor(1.0))
...     unpack_dual(mg.sin(x) * 2)
UnpackedDualTensor(primal=tensor(0.), tangent=tensor(2.))

No operation needs a rule of its own for this: it follows from the rule for the backward (see `jvp`).
"""

import contextlib
import functools
import operator
import weakref
from typing import Any, NamedTuple

import numpy as np

from ..core.forward import apply
from ..core.graph import node_of
from ..core.modes import Mode, dual_levels as levels, enable_grad, modes, packers, without_tangents
from ..core.tensor import Tensor, adds_to_tensor, wrap
from ..core.views import path, replayed
from ..numbers.memory import stretched
from ..numbers.promotion import is_operand
from .reverse import grad


class UnpackedDualTensor(NamedTuple):
    """A value, and the direction in which it changes (None: not at all)."""

    primal: Tensor
    tangent: Tensor | None


class dual_level(Mode):
    """Tangents live inside this block. PyTorch allows one level at a time, and so does this."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *exception) -> None:
        exit_dual_level()


def enter_dual_level() -> int:
    if levels and not modes.without_tangents:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    levels.append(Level(modes.without_tangents))
    modes.without_tangents = False
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    if not levels or level:
        raise RuntimeError("Trying to exit a forward AD level that is not under way.")
    ended = levels.pop()
    modes.without_tangents = ended.within
    for node in ended.nodes:  # whose tangents lead back to it
        node.duals = {}


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """The same value, which changes in the direction `tangent`."""
    if not levels or level:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    for role, one in (("primal", tensor), ("tangent", tangent)):
        if not (one.is_floating_point() or one.is_complex()):
            raise ValueError(f"Expected {role} to be floating point or complex, but got: {one.dtype}")
    if tensor._tangent is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level 0 is not "
            "supported."
        )
    dual = tensor.view_as(tensor)
    give(dual, tangent)
    return dual


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """A dual tensor's value and tangent."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"unpack_dual(): argument 'tensor' (position 1) must be Tensor, not {type(tensor).__name__}")
    if not levels or level:
        return UnpackedDualTensor(tensor, None)
    with without_tangents() as (own,):
        primal = tensor.view_as(tensor)
    primal._dual = own, None
    return UnpackedDualTensor(primal, tensor._tangent)


# == who has which tangent =================================================================================


def tangent_of(tensor: Tensor) -> Tensor | None:
    """A tensor's tangent: its own, or the part that it shows of what its base has come to since it was taken."""
    if _hears(tensor):
        whole = tangent_of(tensor._base)
        if whole is None:
            return None
        tensor._dual = levels[-1], _part(whole, tensor)
    level, tangent = tensor._dual or (None, None)
    return tangent if level is levels[-1] else None


def _hears(tensor: Tensor) -> bool:
    """Whether a view has no tangent of its own, and would have what its base has. (None is a tangent of its own, too:
    that of what `unpack_dual` gave, and of views of that.)
    """
    return tensor._base is not None and (tensor._dual is None or tensor._dual[0] is not levels[-1])


@without_tangents()
def _part(whole: Tensor, view: Tensor) -> Tensor:
    if view._replay is not None:
        return replayed(path(view), whole)
    base, steps = view._base, tuple(step // view.itemsize for step in view.array.strides)
    return whole.as_strided(view.shape, steps, (view.data_ptr() - base.data_ptr()) // view.itemsize)


def give(tensor: Tensor, tangent: Any, in_place: bool = False) -> None:
    """Let a tensor change in the direction `tangent`.

    A tangent lies in memory as its value does, and one of a view is a view of the base's. So a change in place is
    made in the tangent, too, and all that show this memory see it.
    """
    if tangent is not None and tangent.shape != tensor.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
            f"supported. Tensor is of size {list(tensor.shape)} while the given forward gradient is of size "
            f"{list(tangent.shape)}."
        )
    if tangent is not None and tangent._tangent is not None:
        raise RuntimeError(
            "Setting a forward grad that itself has a forward gradient at the same level0 is not supported."
        )
    if in_place and tangent is not None and tensor._tangent is None and _hears(tensor):
        give(tensor._base, zeros_like(tensor._base))
    own: Any = tensor._tangent if in_place else None
    if own is tangent is None:
        return
    with without_tangents() as (level,):
        if own is None:
            tensor._dual = level, _laid_as(tensor, tangent)
            return
        own._forbids = None  # whether it may be written to was asked of the value
        own.zero_() if tangent is None else own.copy_(tangent)


def _laid_as(tensor: Tensor, tangent: Tensor) -> Tensor:
    """A tangent in memory of the same arrangement, in which the same operations give views."""
    like, array = tensor.array, tangent.array
    steps = [step // like.itemsize * array.itemsize for step in like.strides]
    alike = all(n < 2 or step == own for n, step, own in zip(like.shape, steps, array.strides))
    if alike or (tensor._base is None and stretched(like)):
        return tangent
    reach = [(n - 1) * step for n, step in zip(like.shape, steps)]
    before = -sum(step for step in reach if step < 0)
    memory = np.empty(before + sum(step for step in reach if step > 0) + array.itemsize, np.uint8)
    return wrap(np.ndarray(like.shape, array.dtype, memory, before, steps)).copy_(tangent)


def propagate(op, values, result, in_place: bool) -> None:
    """Give the result of an operation the tangent that follows from those of its inputs."""
    tangents = [value._tangent if isinstance(value, Tensor) else None for value in values]
    moving = [tangent.array for tangent in tangents if tangent is not None]
    several = isinstance(result, tuple)
    if not moving:
        if op.view and not in_place and isinstance(values[0], Tensor) and values[0]._dual is not None:
            for one in result if several else (result,):
                one._dual = values[0]._dual if one._base is not None else None
        return
    with without_tangents():  # what is computed here is about tangents, and carries none itself
        found = jvp(op, values, tangents, result)
    for one, tangent in zip(result if several else (result,), found if several and found else (found,)):
        view = one._base is not None and not in_place
        if tangent is not None and not view and any(np.may_share_memory(tangent.array, other) for other in moving):
            tangent = tangent.clone()  # a value of its own has a tangent of its own
        give(one, tangent, in_place)


class Level:
    """A level that is under way: the engine tells it of each operation. It tells its tangents from an ended level's."""

    def __init__(self, within: bool) -> None:
        self.within = within  # whether it was entered where tangents are not heeded, as in a Function's forward
        self.nodes: Any = weakref.WeakSet()  # those that keep tangents of what they saved

    def before(self, values, into: Tensor | None):
        """The arguments of an operation that is about to run; of one in place, as they are before that changes them."""
        if into is None or not any(isinstance(value, Tensor) and value._tangent is not None for value in values):
            return values
        return tuple(copied_if_shared(value, into) for value in values)

    def after(self, op, values, result, node, into: Tensor | None) -> None:
        """Let an operation's result, and what its node saved, have their tangents."""
        if modes.without_tangents:
            return
        propagate(op, values, result, into is not None)
        if node is not None:  # forward mode over a backward asks for the tangents of what was saved
            results = result if isinstance(result, tuple) else (result,)
            saves = [results[s.output] if s.output is not None else values[s.position] for s in node.plan.saves]
            node.duals = {
                i: tensor._dual
                for i, (save, tensor) in enumerate(zip(node.plan.saves, saves))
                if isinstance(tensor, Tensor) and tensor._tangent is not None and not save.shape_only
            }
            self.nodes.add(node)


def copied_if_shared(value, into: Tensor):
    """An argument; if it lies in the memory that will be overwritten, a copy with its history and tangent."""
    if not isinstance(value, Tensor) or not np.may_share_memory(value.array, into.array):
        return value
    recorded = modes.state.grad and value.requires_grad  # else a view need not say how it was made
    copy = wrap(value.array.copy(), node_of(value) if recorded else None, value._index)
    give(copy, None if value._tangent is None else value._tangent.clone())
    return copy


# == how it follows ========================================================================================


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
        parts = [apply(op, _replaced(values, {i: one})) for i, one in enumerate(tangents) if one is not None]
        return functools.reduce(operator.add, parts)
    if op.linear:
        inputs = [i for i in range(len(values)) if is_operand(op, i)]
        moved = {i: zeros_like(values[i], result) if tangents[i] is None else tangents[i] for i in inputs}
        return apply(op, _replaced(values, moved))
    return _by_double_backward(op, values, tangents)


def zeros_like(value, result=None) -> Tensor:
    like = value if isinstance(value, Tensor) else None
    return wrap(np.zeros(like.shape, like.array.dtype) if like is not None else np.zeros((), result.array.dtype))


def asking(tensor: Tensor) -> Tensor:
    """A tensor of ours, which asks for a gradient from now on: also where a person's must not (see `func`)."""
    tensor._requires_grad = True
    return tensor


def _replaced(values, changes: dict) -> list:
    return [changes.get(i, value) for i, value in enumerate(values)]


def _elementwise(op, values, tangents, result):
    known = dict(zip(op.parameters, values)) | {"out": result}
    known |= {f"{name}_shape": value.shape for name, value in known.items() if isinstance(value, Tensor)}
    parts = [
        op.rules[name](tangent, *[known[needed] for needed in op.needs(name)])
        for name, tangent in zip(op.parameters, tangents)
        if tangent is not None and op.rules.get(name)
    ]
    if not parts:
        return None
    total = functools.reduce(operator.add, parts)
    if total.dtype is not result.dtype:  # a conversion, or a float16 computed in float32
        total = (total.real if total.is_complex() and not result.is_complex() else total).to(result.dtype)
    return total if total.shape == result.shape else total.expand(result.shape)


def _as_it_is():
    """While it lasts, nobody packs what is saved: it is asked for at once, perhaps before a promise can be kept."""
    if not packers:
        return contextlib.nullcontext()
    from .graph import saved_tensors_hooks  # which most programs do without

    return saved_tensors_hooks(lambda tensor: tensor, lambda kept: kept)


def _by_double_backward(op, values, tangents):
    """uᵀJ is linear in u, and its derivative with respect to u, in the direction of the tangents, is Jv."""
    moving = [i for i in (range(op.first, len(values)) if op.many else op.slots) if tangents[i] is not None]
    keep = modes.state.grad and any(one.requires_grad for one in (*values, *tangents) if isinstance(one, Tensor))
    with enable_grad(), _as_it_is():
        # Stand-ins, for one input may be made of another. Each still leads to what it stands for.
        inputs = {i: values[i].view_as(values[i]) if values[i].requires_grad else values[i].detach() for i in moving}
        outputs = apply(op, _replaced(values, {i: asking(one) for i, one in inputs.items()}))
        several = isinstance(outputs, tuple)
        live = [out for out in (outputs if several else [outputs]) if out.requires_grad]
        seeds = [asking(wrap(np.zeros_like(out.array))) for out in live]
        pulled = grad(live, list(inputs.values()), seeds, create_graph=True, materialize_grads=True)
        pairs = [(one, tangents[i]) for i, one in zip(moving, pulled) if one.requires_grad]
        if not pairs:
            return None
        pulled, given = zip(*pairs)
        found = grad(pulled, seeds, given, create_graph=keep, materialize_grads=True)
        for one in (*inputs.values(), *seeds):  # what stood in for a constant is one again
            one._requires_grad = not one.is_leaf
    if not several:
        return found[0]
    moved = iter(found)
    return tuple(next(moved) if out.requires_grad else None for out in outputs)


@adds_to_tensor
class Dual(Tensor):
    """What each tensor knows in forward mode."""

    @property
    def _tangent(self) -> Tensor | None:
        """The direction in which it changes."""
        return tangent_of(self) if levels and not modes.without_tangents else None
