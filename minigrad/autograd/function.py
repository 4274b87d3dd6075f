"""Operations of your own: a forward and a backward, written as two static methods.

>>> import minigrad as mg
>>> class Exp(Function):
...     @staticmethod
...     def forward(ctx, i):
...         result = i.exp()
...         ctx.save_for_backward(result)
...         return result
...
...     @staticmethod
...     def backward(ctx, grad_output):
...         (result,) = ctx.saved_tensors
...         return grad_output * result
>>> Exp.apply(mg.tensor(0.0, requires_grad=True))
tensor(1., grad_fn=<ExpBackward>)
"""

import functools
import inspect
import weakref
from typing import Any

import numpy as np

from ..dtypes import is_differentiable
from ..tensor import Tensor, counter_of, wrap
from ..words.advice import freed, overwritten
from .engine import say_made
from .events import forward_listeners
from .graph import AccumulateGrad, Node, node_of
from .modes import dual_levels, enable_grad, modes, no_grad, packers
from .views import SEVERAL, changed

OVERRIDDEN = (
    "Output {index} of {name} is a view and is being modified inplace. This view was created inside a custom Function "
    "(or because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom "
    "backward associated with the custom Function, leading to incorrect gradients. This behavior is forbidden. You can "
    "fix this by cloning the output of the custom Function."
)


class FunctionCtx:
    """What `forward` leaves for `backward`: saved tensors, and any attribute that you set."""

    needs_input_grad: tuple = ()
    to_save: tuple = ()
    saved_for_forward: tuple = ()
    dirty: tuple = ()
    non_differentiable: tuple = ()
    materialize_grads = True
    selective = False  # whether the backward that runs is for some inputs only
    node: Any = None  # weakly: the node keeps ctx

    def save_for_backward(self, *tensors) -> None:
        """Keep tensors for the backward, checked there against in-place changes. Call it once, in the forward."""
        for i, tensor in enumerate(tensors):
            if tensor is not None and not isinstance(tensor, Tensor):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {i} is of type {type(tensor).__name__}"
                )
        self.to_save = tensors

    def save_for_forward(self, *tensors) -> None:
        """Keep tensors for `jvp`."""
        self.saved_for_forward = tensors

    def mark_dirty(self, *tensors) -> None:
        """Say which inputs the forward changed in place."""
        self.dirty = tensors

    def mark_non_differentiable(self, *tensors) -> None:
        """Say which outputs have no gradient."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether a gradient that never arrived reaches `backward` as zeros (the default) or as None."""
        self.materialize_grads = value

    @property
    def saved_tensors(self) -> tuple:
        """What was saved, each with its history."""
        node = self.node and self.node()
        return self.saved_for_forward if node is None else node.saved_tensors


class FunctionNode(Node):
    """The node of a custom operation. Attributes that it does not have itself are those of `ctx`."""

    makes_new = False  # a person's backward may return anything, also what it keeps

    def __init__(self, function, ctx: FunctionCtx, inputs: tuple) -> None:
        super().__init__()
        self.function, self.ctx = function, ctx
        self.tensor_at = [i for i, value in enumerate(inputs) if isinstance(value, Tensor)]
        tensors = [inputs[i] for i in self.tensor_at]
        self.edges = [node_of(tensor) if tensor.requires_grad else None for tensor in tensors]
        self.indices = [tensor._index for tensor in tensors]
        self.count, self.made = len(inputs), list[Any]()
        self.saved: tuple | None = ()

    def __getattr__(self, name: str):
        if name in ("ctx", "_metadata"):
            raise AttributeError(name)
        return getattr(self.ctx, name)

    def expects(self, index):
        return self.made[index]

    def keep(self, outputs: list) -> None:
        """Take over what `ctx` saves: an output as array and version only, anything else with its history."""
        saved: list = []
        for tensor in self.ctx.to_save:
            if tensor is None:
                saved.append(None)
            else:
                counter = counter_of(tensor)
                index = next((i for i, output in enumerate(outputs) if output is tensor), None)
                node = None if index is not None else node_of(tensor) if tensor.requires_grad else None
                saved.append(
                    (tensor._data, counter, counter[0], node, tensor._index if index is None else index, index)
                )
        self.saved, self.ctx.to_save = tuple(saved), ()

    @property
    def saved_tensors(self) -> tuple:
        if self.saved is None:
            raise RuntimeError(freed(self))
        return tuple(saved and self.unpack(*saved) for saved in self.saved)

    @property
    def _raw_saved_tensors(self) -> tuple:
        from .saved_tensor import of_function  # rarely needed

        return of_function(self)

    def unpack(self, array, counter, version, node, index, output):
        if counter[0] != version:
            made_by = node if output is None else self
            raise RuntimeError(overwritten(array, counter, version, made_by, index, f"{self.name()} had saved it"))
        if isinstance(node, AccumulateGrad):
            return node.variable
        return wrap(array, self if output is not None else node, index, counter)

    def gradients(self, g, scope=None, tensors=False):
        if self.saved is None:
            raise RuntimeError(freed(self))
        given = list(g) if self.outputs > 1 else [g]
        for i, value in enumerate(given):
            if value is None and self.made[i] is not None and self.ctx.materialize_grads:
                value = np.zeros(*self.made[i])
            given[i] = value if value is None or isinstance(value, Tensor) else wrap(np.asarray(value))
        self.ctx.selective = scope is not None
        with enable_grad() if tensors else no_grad():
            answer = self.function.backward_or_vjp()(self.ctx, *given)
        answer = answer if isinstance(answer, tuple) else (answer,)
        while len(answer) > self.count and answer[-1] is None:
            answer = answer[:-1]
        if len(answer) != self.count:
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected {self.count}, got "
                f"{len(answer)})"
            )
        for i, part in enumerate(answer):
            if part is not None and not isinstance(part, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type(part).__name__})")
            if part is not None and i not in self.tensor_at:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position {i + 1}, but the "
                    "corresponding forward input was not a Variable"
                )
        parts = [answer[i] if edge is not None else None for i, edge in zip(self.tensor_at, self.edges)]
        return parts if tensors else [part if part is None else part._data for part in parts]

    def saved_values(self):
        return [(f"saved_tensors[{i}]", saved[0]) for i, saved in enumerate(self.saved or ()) if saved is not None]

    def free(self):
        freed, self.saved = bool(self.saved), None if self.saved else self.saved
        return freed


class _Row:
    """What an event calls the operation."""

    def __init__(self, function) -> None:
        self.name, self.says = function.__name__, None


class Function:
    """A differentiable operation of your own; see the head of this file. Use it by `apply`, never make an instance."""

    _node_type: type = FunctionNode
    _ctx_type: type = FunctionCtx

    def __init_subclass__(cls, **options) -> None:
        super().__init_subclass__(**options)
        name, contents = cls.__name__ + "Backward", {"__module__": cls.__module__}
        cls._node_type = type(name, (FunctionNode,), contents)
        cls._ctx_type = type(name, (FunctionCtx,), contents)  # PyTorch's ctx is the node, and so has its name

    def __call__(self, *args, **named):
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
            "function with static forward method. (Example: "
            "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    # What follows is for the user's class to write. Where it is asked for and was not written, the refusal is Python's
    # own for a method that a subclass must define, in PyTorch's words.

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the result from `(ctx, *inputs)`; from `*inputs` alone where there is a `setup_context`."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs: tuple, output) -> None:
        """Save for the backward what a forward without `ctx` cannot."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs) -> Any:
        """The gradients of the inputs, from those of the outputs; None for an input that has none."""
        raise NotImplementedError(MISSING)

    vjp = backward

    @staticmethod
    def jvp(ctx, *grad_inputs) -> Any:
        """The tangents of the outputs, from those of the inputs (forward mode)."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @classmethod
    def backward_or_vjp(cls):
        if cls.vjp is Function.vjp:
            return cls.backward
        if cls.backward is not Function.backward:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only "
                "implement one of them."
            )
        return cls.vjp

    @classmethod
    def apply(cls, *args, **named) -> Any:
        """Run the operation and record it. Arguments given by name count in the order in which `forward` has them."""
        args = cls._in_order(args, named) if named else args
        ctx, tensors = cls._ctx_type(), [value for value in args if isinstance(value, Tensor)]
        ctx.needs_input_grad = tuple(isinstance(value, Tensor) and value.requires_grad for value in args)
        recorded = modes.state.grad and any(ctx.needs_input_grad)
        node: Any = cls._node_type(cls, ctx, args) if recorded else None
        with no_grad():
            if cls.setup_context is Function.setup_context:
                outputs = cls.forward(ctx, *args)
            else:
                outputs = cls.forward(*args)
                cls.setup_context(ctx, args, outputs)
        several = isinstance(outputs, tuple)
        for tensor in ctx.dirty:
            if not any(output is tensor for output in (outputs if several else (outputs,))):
                raise RuntimeError(
                    "Some elements marked as dirty during the forward method were not returned as output. The inputs "
                    "that are modified inplace must all be outputs of the Function."
                )
        results = [cls._result(output, tensors, ctx) for output in (outputs if several else (outputs,))]
        if node is not None:
            cls._record(node, ctx, results)
        if dual_levels and any(tensor._tangent is not None for tensor in tensors):
            cls._push_tangents(ctx, args, results)
        if packers:
            packers[-1](node)
        if forward_listeners:
            say_made(_Row(cls), args, tuple(results) if several else results[0], node, 0, 0, None)
        return tuple(results) if several else results[0]

    @classmethod
    def _in_order(cls, args: tuple, named: dict) -> tuple:
        passes_ctx = cls.setup_context is Function.setup_context
        try:
            bound = inspect.signature(cls.forward).bind(*[None] * passes_ctx, *args, **named)
        except TypeError as error:
            raise TypeError(f"forward() {error}") from None
        bound.apply_defaults()
        if bound.kwargs:
            raise TypeError(f"forward() got an unexpected keyword argument '{next(iter(bound.kwargs))}'")
        return bound.args[passes_ctx:]

    @staticmethod
    def _result(output, inputs: list, ctx: FunctionCtx):
        """An output as it is handed out: an input that comes back unchanged becomes a view of itself."""
        if any(output is tensor for tensor in ctx.dirty):
            changed(output)
        elif any(output is tensor for tensor in inputs):
            view = wrap(output._data, counter=counter_of(output))
            view._base = output if output._base is None else output._base
            return view
        return output

    @staticmethod
    def _record(node: FunctionNode, ctx: FunctionCtx, results: list) -> None:
        for tensor in ctx.dirty:
            if tensor.requires_grad and tensor._node is None:
                raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
        ctx.node, node.outputs = weakref.ref(node), len(results)
        node.keep(results)
        for index, result in enumerate(results):
            if not isinstance(result, Tensor):
                node.made.append(None)
                continue
            node.made.append((result._data.shape, result._data.dtype))
            constant = any(result is tensor for tensor in ctx.non_differentiable)
            if not constant and is_differentiable(result._data.dtype):
                result._node, result._index, result._requires_grad = node, index, True
                if result._base is not None:  # what it shows may change, but its history stays this one
                    refusal, name = OVERRIDDEN if len(results) == 1 else SEVERAL, type(node).__name__
                    result._replay = None
                    result._forbids = refusal.format(index=index, name=name.removesuffix("Backward"))
        if len(results) == 1 and node.made[0] is not None:
            node.shape, node.dtype = node.made[0]

    @classmethod
    def _push_tangents(cls, ctx: FunctionCtx, args: tuple, results: list) -> None:
        paused, dual_levels[:] = dual_levels[:], []
        try:
            tangents = cls.jvp(ctx, *(value._tangent if isinstance(value, Tensor) else None for value in args))
        finally:
            dual_levels[:] = paused
        for result, tangent in zip(results, tangents if isinstance(tangents, tuple) else (tangents,)):
            if isinstance(result, Tensor):
                result._tangent = tangent


MISSING = (
    "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward "
    "mode AD."
)


def once_differentiable(backward):
    """Decorate a backward whose own derivative would be wrong: the gradients that it returns are constants.

    Under `create_graph=True` they carry a node that refuses to be differentiated again.
    """

    @functools.wraps(backward)
    def wrapper(ctx, *grad_outputs):
        with no_grad():
            answer = backward(ctx, *grad_outputs)
        if not modes.state.grad or not any(isinstance(g, Tensor) and g.requires_grad for g in grad_outputs):
            return answer
        several = isinstance(answer, tuple)
        refused = [
            _Refusing.apply(g.requires_grad_()) if isinstance(g, Tensor) else g
            for g in (answer if several else (answer,))
        ]
        return tuple(refused) if several else refused[0]

    return wrapper


class _Refusing(Function):
    @staticmethod
    def forward(ctx, g):
        return g.clone()

    @staticmethod
    def backward(ctx, g):
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")
