"""One call of a function that is being differentiated: on inputs of its own, and checked as PyTorch checks it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakValueDictionary

from ..autograd import forward_ad
from ..autograd.function_node import FunctionNode
from ..autograd.grad_mode import is_grad_enabled
from ..autograd.reverse import grad
from ..core.graph import Node
from ..core.modes import NO_GRAD, Mode, State, dual_levels, enable_grad, modes
from ..core.tensor import Tensor, wrap
from ..numbers.dtypes import is_differentiable, no_gradient
from ..tensors.creation import zeros_like
from ..tensors.trees import each, leaves, refilled

VJP, JVP = "vjp(f, *primals)", "jvp(f, primals, tangents)"


@contextmanager
def under(transform: str):
    """While it lasts, this function of `func` is under way."""
    before, modes.transforms = modes.transforms, (*modes.transforms, transform)
    try:
        yield
    finally:
        modes.transforms = before


class outside_inference(Mode):
    """What a derivative is computed from takes part in it, so it is not made in inference mode."""

    def state(self, now: State) -> State:
        return NO_GRAD if now.inference else now


class Run:
    """`func` called on inputs of its own, so that this derivative is told from any around it.

    What comes out has a history only where something outside has part in it: a derivative around this one, or a
    parameter that requires grad.
    """

    @outside_inference()
    def __init__(self, api: str, func: Callable, primals: Sequence, has_aux: bool = False, beside: Any = ()) -> None:
        constants = [one for one in leaves(beside) if isinstance(one, Tensor) and not one.requires_grad]
        self.inputs = [self.own(one) for one in leaves(primals)]
        with enable_grad(), under("grad"), _awaited(self.inputs):
            output, aux = returned(api, func(*refilled(primals, self.inputs)), has_aux)
        self.outputs = leaves(output)
        self.outer = _leads_elsewhere(self.outputs, self.inputs)
        # whose backward may bring in anything: what its gradient leads to is known when it is there
        self.opaque = any(isinstance(node, FunctionNode) for node in _reached(self.outputs))
        self.output, self.aux = each(self.shown, output), each(self.shown, aux)
        self.forget([part for one in constants for part in (one, one._base) if part is not None and part.requires_grad])

    def own(self, tensor) -> Tensor:
        if not isinstance(tensor, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(tensor)}")
        if not is_differentiable(tensor.array.dtype):
            raise RuntimeError(no_gradient("only Tensors of floating point dtype", tensor.array.dtype))
        if tensor.requires_grad:
            with enable_grad():  # whether a gradient has a history, the mode in which it is pulled decides
                return tensor.view_as(tensor)
        own = forward_ad.asking(wrap(tensor.array) if tensor._inference else tensor.detach())
        stand_ins[id(own)] = own
        forward_ad.give(own, tensor._tangent)
        return own

    @outside_inference()
    def pull(self, seeds: Sequence[Tensor]) -> list[Tensor]:
        """The gradients of the inputs, from those of the outputs."""
        moving = any(isinstance(one, Tensor) and one.requires_grad for one in seeds)
        keeps = is_grad_enabled() and (self.outer or self.opaque or moving)
        live = [(one, seed) for one, seed in zip(self.outputs, seeds) if one.requires_grad]
        if not live:
            return [zeros_like(one) for one in self.inputs]
        sources, seeds = zip(*live)
        with enable_grad():  # with tangents around, the rules must run on Tensors, which carry them
            create_graph = keeps or bool(dual_levels)
            found = grad(sources, self.inputs, seeds, True, create_graph, allow_unused=True)
            found = [zeros_like(one) if part is None else part for one, part in zip(self.inputs, found)]
        return [self.settled(one) if keeps else self.bare(one) for one in found]

    def forget(self, changed: Sequence[Tensor]) -> None:
        """Leave what was changed in place beside the inputs with its new numbers alone, if its history is ours."""
        for one in changed:
            if all(one is not out for out in self.outputs) and not _leads_elsewhere([one], self.inputs):
                one._node, one._index, one._requires_grad = None, 0, False

    def shown(self, value):
        keeps = self.outer and is_grad_enabled()
        return value if keeps or not isinstance(value, Tensor) else self.bare(value)

    def settled(self, tensor: Tensor) -> Tensor:
        """Without a history, if none is kept or it leads to our own inputs alone."""
        return tensor if is_grad_enabled() and _leads_elsewhere([tensor], self.inputs) else self.bare(tensor)

    def bare(self, tensor: Tensor) -> Tensor:
        bare, tangent = tensor.detach(), tensor._tangent
        forward_ad.give(bare, None if tangent is None else self.settled(tangent))
        return bare


stand_ins: WeakValueDictionary = WeakValueDictionary()  # the inputs of all runs that are leaves, by their ids
awaited: list = []  # those of the runs whose function has not returned yet: their derivatives are still to come


@contextmanager
def _awaited(inputs: Sequence[Tensor]):
    awaited.append(inputs)
    try:
        yield
    finally:
        awaited.pop()


def _leads_elsewhere(outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> bool:
    """Whether a history leads to other leaves than our own inputs, or those of a run within this one."""
    around = {id(one) for run in awaited for one in run} - {id(one) for one in inputs}
    own = set(stand_ins.keys()) - around
    if any(one.requires_grad and one._node is None and id(one) not in own for one in outputs):
        return True
    ends = (node.variable for node in _reached(outputs) if node.is_leaf)
    return any(one.requires_grad and id(one) not in own for one in ends)


def _reached(outputs: Sequence[Tensor]) -> Iterator[Node]:
    """All nodes that a history leads to."""
    found = [one.grad_fn for one in outputs if one.grad_fn is not None]
    seen = {None, *found}
    for node in found:  # which grows meanwhile
        yield node
        found += (new := dict.fromkeys(node.edges).keys() - seen)
        seen |= new


def chosen_alone(func: Callable, argnums: int | tuple, args: tuple, kwargs: dict) -> tuple[Callable, tuple]:
    """`func` as a function of the chosen arguments alone, and these."""
    if not isinstance(argnums, int | tuple):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    positions = argnums if isinstance(argnums, tuple) else (argnums,)
    numbers = range(len(args))
    if not positions:
        raise RuntimeError("argnums must be non-empty")
    for one in positions:
        if not isinstance(one, int):
            raise RuntimeError(f"argnum must be int, got: {type(one)}")
        if not -len(args) <= one < len(args):
            raise RuntimeError(f"Got argnum={one}, but only {len(args)} positional inputs")
    positions = tuple(numbers[one] for one in positions)
    if len(set(positions)) < len(positions):
        raise RuntimeError(f"argnums elements must be unique, got {positions}")

    def rest(*chosen):
        given = dict(zip(positions, chosen))
        return func(*(given.get(i, one) for i, one in enumerate(args)), **kwargs)

    return rest, tuple(args[i] for i in positions)


def single(found: tuple, argnums):
    return found[0] if isinstance(argnums, int) else found


def returned(api: str, output, has_aux: bool) -> tuple:
    """What a function returned and what it passes on, checked as PyTorch checks them."""
    aux = None
    if has_aux:
        if not isinstance(output, tuple) or len(output) != 2:
            raise RuntimeError(f"{api}: output of function f should be a tuple: (output, aux) if has_aux is True")
        output, aux = output
    if api not in (VJP, JVP) and not isinstance(output, Tensor):
        raise RuntimeError(f"{api}: Expected f(*args) to return a Tensor, got {type(output)}")
    found = leaves(output)
    if found in ([], [None]):
        raise RuntimeError(f"{api}: Expected f to be a function that has non-empty output (got output = {found})")
    for one in found:
        if not isinstance(one, Tensor):
            raise RuntimeError(f"{api}: expected f(*primals) to return only tensors, got unsupported type {type(one)}")
        if api == VJP and not is_differentiable(one.array.dtype):
            raise RuntimeError(f"{api}: All outputs of f must be floating-point or complex Tensors, got {one.dtype}")
    for one in leaves(aux) if has_aux else ():
        if not isinstance(one, Tensor):
            raise RuntimeError(f"Expected tensors, got unsupported type {type(one)}")
    if api not in (VJP, JVP) and output.ndim:
        raise RuntimeError(
            f"{api}: Expected f(*args) to return a scalar Tensor, got tensor with {output.ndim} dims. Maybe you wanted "
            "to use the vjp or jacrev APIs instead?"
        )
    return output, aux
