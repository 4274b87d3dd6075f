"""The node of an operation of your own; and `ctx`, in which its forward leaves what its backward needs.

>>> import minigrad as mg
>>> class Double(mg.autograd.Function):
...     @staticmethod
...     def forward(ctx, x):
...         ctx.save_for_backward(x)
...         ctx.factor = 2
...         return x * ctx.factor
>>> y = Double.apply(mg.tensor(3.0, requires_grad=True))
>>> y.grad_fn.saved_tensors, y.grad_fn.factor
((tensor(3., requires_grad=True),), 2)
"""

import contextlib
from typing import Any, NamedTuple

import numpy as np

from ..core.graph import Node, leaf_node, node_of, sequence
from ..core.modes import no_grad
from ..core.tensor import Tensor, counter_of, wrap
from ..numbers.dtypes import is_differentiable
from ..words.advice import FREED, freed, overwritten


def among(value, others) -> bool:
    """Whether it is itself one of the others: tensors compare element by element."""
    return any(value is one for one in others)


def checked(method: str, given: tuple, *others) -> tuple:
    for i, one in enumerate(given):
        if not isinstance(one, Tensor) and not among(one, others):
            raise TypeError(f"{method} can only save variables, but argument {i} is of type {type(one).__name__}")
    return given


ONCE = (
    "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True is set on the autograd.Function. "
    "Either access saved_tensors only once, or set clear_saved_tensors_on_access=False."
)


class Kept(NamedTuple):
    """What is saved of a tensor."""

    value: Any  # the tensor; of an output of the Function itself, whose node never holds what it made, the array
    counter: list
    version: int
    node: Node | None  # what its history ends in
    output_nr: int  # which output of that node it is
    is_output: bool
    dual: tuple | None = None


class FunctionCtx:
    """What `forward` leaves for `backward`: saved tensors, and any attribute that you set."""

    needs_input_grad: tuple = ()
    to_save: tuple = ()
    saved_for_forward: tuple = ()
    dirty: tuple = ()
    non_differentiable: tuple = ()
    materialize_grads = True
    node: Any = None  # weakly: the node keeps ctx

    def save_for_backward(self, *tensors) -> None:
        """Keep tensors for the backward, checked there against in-place changes. Call it once, in the forward."""
        self.to_save = tensors

    def save_for_forward(self, *tensors) -> None:
        """Keep tensors for `jvp`."""
        if not all(tensor is None or isinstance(tensor, Tensor) for tensor in tensors):
            raise AssertionError(
                "save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes on "
                "ctx."
            )
        self.saved_for_forward = tensors

    def mark_dirty(self, *tensors) -> None:
        """Say which inputs the forward changed in place."""
        self.dirty = checked("mark_dirty", tensors)

    def mark_non_differentiable(self, *tensors) -> None:
        """Say which outputs have no gradient."""
        self.non_differentiable = checked("mark_non_differentiable", tensors)

    def set_materialize_grads(self, value: bool) -> None:
        """Whether a gradient that never arrived reaches `backward` as zeros (the default) or as None."""
        self.materialize_grads = value

    def materialized(self, value, tangent):
        """A tangent as `jvp` gets it."""
        constant = tangent is not None or not isinstance(value, Tensor) or not is_differentiable(value._data.dtype)
        return tangent if constant or not self.materialize_grads else wrap(np.zeros_like(value.array))

    def __getattr__(self, name: str) -> Any:
        node = self.node and self.node()
        if node is None or name not in ("metadata", "name", "next_functions", "register_hook", "register_prehook"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return getattr(node, name)  # in PyTorch, this is the node itself

    @property
    def saved_tensors(self) -> tuple:
        """What was saved, each with its history."""
        if self.saved_for_forward or self.node is None:
            return self.saved_for_forward
        if (node := self.node()) is None:  # somebody kept ctx longer than the graph
            raise RuntimeError(FREED)
        return node.saved_tensors


class FunctionNode(Node):
    """The node of a custom operation. Attributes that it does not have itself are those of `ctx`."""

    special = True
    makes_new = False  # a person's backward may return anything, also what it keeps
    arguments: Any = ()

    def __init__(self, function, ctx: FunctionCtx, inputs: tuple) -> None:
        self.arguments = [i for i, value in enumerate(inputs) if isinstance(value, Tensor)]
        tensors = [inputs[i] for i in self.arguments]
        self.edges = [node_of(tensor) if tensor.requires_grad else None for tensor in tensors]
        self.sequence = next(sequence)  # younger than all of these, some of which are views that were just taken anew
        self.function, self.ctx = function, ctx
        self.indices = [tensor._index for tensor in tensors]
        self.count, self.made = len(inputs), list[Any]()
        self.saved: tuple | None = ()

    def __getattr__(self, name: str):
        if name in ("ctx", "_metadata"):
            raise AttributeError(name)
        return getattr(self.ctx, name)

    def expects(self, index):
        return self.made[index]

    def __repr__(self) -> str:
        return f"<minigrad.autograd.function.{type(self).__name__} object at {id(self):#x}>"  # where PyTorch has it

    def keep(self, outputs: list) -> None:
        """Take over what `ctx` saves."""
        self.saved = tuple(None if tensor is None else self.kept(tensor, outputs) for tensor in self.ctx.to_save)
        self.ctx.to_save = ()

    def kept(self, tensor: Tensor, outputs: list) -> Kept:
        counter = counter_of(tensor)
        for index, output in enumerate(outputs):
            if output is tensor:
                dual = None if tensor._tangent is None else tensor._dual
                return Kept(tensor._data, counter, counter[0], None, index, True, dual)
        node = tensor._node or (leaf_node(tensor) if tensor._requires_grad else None)
        return Kept(tensor, counter, counter[0], node, tensor._index, False)

    @property
    def saved_tensors(self) -> tuple:
        once = self.function.clear_saved_tensors_on_access
        if self.saved is None:
            raise RuntimeError(ONCE if once else freed(self))
        found = tuple(kept and self.unpacked(kept) for kept in self.saved)
        self.saved = None if once else self.saved
        return found

    def unpacked(self, kept: Kept) -> Tensor:
        value, counter, version, node, index, is_output, dual = kept
        if counter[0] != version:
            made_by = self if is_output else node
            raise RuntimeError(overwritten(value, counter, version, made_by, index, f"{self.name()} had saved it"))
        if not is_output:
            return value
        tensor = wrap(value, self, index, counter)
        tensor._dual = dual
        return tensor

    def gradients(self, g, scope=None, tensors=False):
        given = [None] * self.outputs if g is None else list(g) if self.outputs > 1 else [g]
        for i, value in enumerate(given):
            if value is None and self.made[i] is not None and self.ctx.materialize_grads:
                value = np.zeros(*self.made[i])
            given[i] = value if value is None or isinstance(value, Tensor) else wrap(np.asarray(value))
        with contextlib.nullcontext() if tensors else no_grad():  # with Tensors, the mode is that of who asks
            backward = self.function.backward_or_vjp()
            answer = backward(self.ctx, given) if self.function.boxed_grads_call else backward(self.ctx, *given)
        answer = answer if isinstance(answer, tuple) else (answer,)
        while len(answer) > self.count and answer[-1] is None:
            answer = answer[:-1]
        if len(answer) != self.count:
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected {self.count}, got "
                f"{len(answer)})"
            )
        for i, part in enumerate(answer):
            if part is None:
                continue
            if i not in self.arguments:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position {i + 1}, but the "
                    "corresponding forward input was not a Variable"
                )
            if not isinstance(part, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type(part).__name__})")
            edge = self.edges[self.arguments.index(i)]
            if part.is_complex() and edge is not None and edge.dtype is not None and edge.dtype.kind != "c":
                raise RuntimeError(f"function {self.name()} returned a complex gradient for a real input")
        shown = self.hooks is not None and self.hooks.post  # to whom also what leads nowhere is shown
        parts = [answer[i] if edge is not None or shown else None for i, edge in zip(self.arguments, self.edges)]
        return parts if tensors else [part if part is None else part._data for part in parts]

    def on_nothing(self, scope=None, tensors=False):
        return self.gradients(None, scope, tensors)

    def saved_values(self):
        places = enumerate(self.saved or ())
        return [(f"saved_tensors[{i}]", getattr(kept.value, "_data", kept.value)) for i, kept in places if kept]

    def free(self):
        had = bool(self.saved)
        if had:
            self.saved = None
        return had
