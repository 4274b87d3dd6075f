"""Operations of your own: a forward and a backward, written as two static methods."""

import functools
import inspect
import warnings
import weakref
from types import SimpleNamespace
from typing import Any

from ..core.events import forward_listeners
from ..core.forward import say_made
from ..core.hooks import keep_retaining
from ..core.modes import dual_levels, modes, no_grad, packers, without_tangents
from ..core.tensor import Tensor, counter_of, wrap
from ..core.views import changed, check_overwritable, rebase, root_of
from ..numbers.dtypes import is_differentiable
from ..words.overwriting import IN_NO_GRAD, OVERRIDDEN, SEVERAL
from .forward_ad import asking, give
from .function_node import FunctionCtx, FunctionNode, among, checked


class Function:
    """A differentiable operation of your own. Use it by `apply`, never make an instance.

    >>> import minigrad as mg
    >>> class Exp(mg.autograd.Function):
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

    _node_type: type = FunctionNode
    _ctx_type: type = FunctionCtx
    _row: Any  # what an event calls the operation

    def __init_subclass__(cls, **options) -> None:
        super().__init_subclass__(**options)
        name, contents = cls.__name__ + "Backward", {"__module__": cls.__module__}
        cls._row = SimpleNamespace(name=cls.__name__, says=None)
        cls._node_type = type(name, (FunctionNode,), contents)
        cls._ctx_type = type(name, (FunctionCtx,), contents)  # PyTorch's ctx is the node, and so has its name

    def __init__(self, *args, **named) -> None:
        if args or named:
            self()

    def __call__(self, *args, **named):
        raise RuntimeError(f"a Function is not called: use {type(self).__name__}.apply(...), with static methods")

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
    def backward(*args: Any, **kwargs: Any) -> Any:
        """The gradients of the inputs, from `(ctx, *grad_outputs)`; None for an input that has none."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(*args: Any, **kwargs: Any) -> Any:
        """The tangents of the outputs, from `(ctx, *grad_inputs)` (forward mode)."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    generate_vmap_rule = False  # whether `func.vmap` may go through it, without a `vmap` of its own
    boxed_grads_call = False  # whether `backward` gets its gradients as one list, which it may empty
    clear_saved_tensors_on_access = False  # whether what was saved is let go of as soon as `backward` has looked at it

    @staticmethod
    def vmap(info: Any, in_dims: tuple, *args: Any) -> Any:
        """The result for many and where its new dimension is. Here each is computed alone, by `forward`."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or set "
            "generate_vmap_rule=True."
        )

    @classmethod
    def backward_or_vjp(cls):
        if cls.vjp is Function.vjp:
            return cls.backward
        if cls.backward is not Function.backward:
            raise RuntimeError("Implementing both 'backward' and 'vjp' for a custom Function is not allowed.")
        return cls.vjp

    @classmethod
    def _sets_up(cls) -> bool:
        return cls.setup_context is not Function.setup_context

    @classmethod
    def apply(cls, *args, **named) -> Any:
        """Run the operation and record it. Arguments given by name count in the order in which `forward` has them."""
        if named or cls._sets_up():
            args = cls._in_order(args, named)
        if modes.transforms and not cls._sets_up():
            raise RuntimeError(
                "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it "
                "must override the setup_context staticmethod."
            )
        if "vmap" in modes.transforms and cls.generate_vmap_rule is (cls.vmap is not Function.vmap):
            raise RuntimeError(f"You tried to vmap over {cls.__name__}, but it {VMAPS[cls.generate_vmap_rule]}")
        ctx, tensors = cls._ctx_type(), [value for value in args if isinstance(value, Tensor)]
        ctx.needs_input_grad = tuple(isinstance(value, Tensor) and value.requires_grad for value in args)
        recorded = modes.state.grad and any(ctx.needs_input_grad)
        node: Any = cls._node_type(cls, ctx, args) if recorded else None
        with no_grad(), without_tangents():
            if cls._sets_up():
                outputs = cls.forward(*args)
                cls.setup_context(ctx, args, outputs)
            else:
                outputs = cls.forward(ctx, *args)
        several = isinstance(outputs, tuple)
        results = cls._handed_out(outputs if several else (outputs,), tensors, ctx, node)
        if dual_levels and any(tensor._tangent is not None for tensor in tensors):
            cls._push_tangents(ctx, args, results)
        ctx.saved_for_forward = () if ctx.to_save else ctx.saved_for_forward
        ctx.dirty = ctx.non_differentiable = ()  # the node, which keeps ctx, keeps nothing that it made
        if node is not None:
            checked("save_for_backward", ctx.to_save, None)
            node.keep(results)
        if packers:
            packers[-1](node)
        if forward_listeners:
            made = tuple(one for one in results if isinstance(one, Tensor))  # it may return None, too
            say_made(cls._row, args, made if several or not made else made[0], node, 0, 0)
        return tuple(results) if several else results[0]

    @classmethod
    def _in_order(cls, args: tuple, named: dict) -> tuple:
        """All arguments by place; a `setup_context` is given those left out, too, with their defaults."""
        passes_ctx = not cls._sets_up()
        try:
            bound = inspect.signature(cls.forward).bind(*[None] * passes_ctx, *args, **named)
        except TypeError as error:
            raise TypeError(f"forward() {error}" if passes_ctx else str(error)) from None
        if not passes_ctx or bound.kwargs:  # else what is left out at the end stays out, and has no gradient
            bound.apply_defaults()
        if bound.kwargs:
            raise TypeError(f"forward() got an unexpected keyword argument '{next(iter(bound.kwargs))}'")
        return bound.args[passes_ctx:]

    @classmethod
    def _handed_out(cls, outputs: tuple, inputs: list, ctx: FunctionCtx, node: FunctionNode | None) -> list:
        """The outputs, each at its place in the graph, as they leave the Function."""
        for tensor in ctx.dirty:
            changed(tensor)
            if not among(tensor, outputs):
                raise RuntimeError(
                    "Some elements marked as dirty during the forward method were not returned as output."
                )
        if node is not None:
            ctx.node, node.outputs = weakref.ref(node), len(outputs)
            node.made = [(x._data.shape, x._data.dtype) if isinstance(x, Tensor) else None for x in outputs]
            if len(outputs) == 1 and node.made[0] is not None:
                node.shape, node.dtype = node.made[0]
        results = [cls._placed(x, i, inputs, ctx, node) if isinstance(x, Tensor) else x for i, x in enumerate(outputs)]
        recorded = [node is not None and isinstance(x, Tensor) and x._node is node for x in results]
        for result, is_recorded in zip(results, recorded):
            if isinstance(result, Tensor) and result._base is not None and not among(result, ctx.dirty):
                result._forbids = OVERRIDDEN if sum(recorded) < 2 else SEVERAL
                if is_recorded:  # what it shows may change, but its history stays this one
                    result._replay, result._taken = None, counter_of(result)[0]
        return results

    @classmethod
    def _placed(cls, output: Tensor, index: int, inputs: list, ctx: FunctionCtx, node: Any) -> Tensor:
        """One output: with the node as its history, if a gradient flows there; an input that comes back unchanged
        becomes a view of itself.
        """
        dirty, given = among(output, ctx.dirty), among(output, inputs)
        flows = node is not None and is_differentiable(output._data.dtype)
        flows = flows and not among(output, ctx.non_differentiable)
        if not flows and output.requires_grad:
            return output.detach() if given else output if output._base is not None else output.detach_()
        if given and not dirty:
            if cls._sets_up() and among(output, ctx.to_save):
                raise RuntimeError(
                    "An input that has been returned as-is as output is being saved for backward. Return and save "
                    "x.view_as(x) instead."
                )
            itself, output = output, wrap(output.array, counter=counter_of(output))
            output._base, output._forbids = root_of(itself), IN_NO_GRAD
        if not flows:
            return output
        if dirty:
            if not given:
                stray = (
                    "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been "
                    "mutated should be passed to ctx.mark_dirty()."
                )
                if output._base is not None:
                    raise RuntimeError(stray)
                warnings.warn(stray, stacklevel=4)
            if output._base is not None and node.outputs > 1:
                raise RuntimeError(
                    "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot "
                    "return more than one Tensor. Make sure the input is not a view, using .clone() for example."
                )
            check_overwritable(output, inputs)
            keep_retaining(output, node, index)
        output._node, output._index, output._requires_grad = node, index, True
        if dirty and output._base is not None:
            rebase(output)
        return output

    @classmethod
    def _push_tangents(cls, ctx: FunctionCtx, args: tuple, results: list) -> None:
        given = [value._tangent if isinstance(value, Tensor) else None for value in args]
        versions = [None if one is None or one._inference else one._version for one in given]
        with without_tangents():
            found = cls.jvp(ctx, *map(ctx.materialized, args, given))
        found = found if isinstance(found, tuple) else (found,)
        if len(found) != len(results):
            raise RuntimeError(
                "Function's jvp returned an invalid number of forward gradients "
                f"(expected {len(results)} but got {len(found)})"
            )
        for i, (result, tangent) in enumerate(zip(results, found)):
            constant = not isinstance(result, Tensor) or among(result, ctx.non_differentiable)
            constant = constant or not is_differentiable(result._data.dtype)
            if tangent is not None and (constant or not isinstance(tangent, Tensor)):
                kind = "None, for that is constant" if constant else "a Tensor or None"
                raise RuntimeError(f"Function's jvp returned {type(tangent).__name__} for output {i}; expected {kind}")
            if constant:
                continue
            dirty = among(result, ctx.dirty)
            sources = [value if dirty else root_of(value) for value in args]
            memory = result if dirty else root_of(result)
            source: Any = next((i for i, one in enumerate(sources) if one is memory), None)
            own = None if source is None else given[source]
            if own is None:
                give(result, tangent, in_place=source is not None)
            elif dirty:
                if tangent is not own or (not tangent._inference and tangent._version == versions[source]):
                    raise RuntimeError(OUT_OF_STEP)
            elif tangent is None or tangent._base is not root_of(own):
                raise RuntimeError(OUT_OF_STEP)
            else:
                give(result, tangent)


OUT_OF_STEP = (
    "A custom Function's jvp must do to the tangents what its forward does to the values: return a view where that "
    "returns a view (or an input as-is), and change a tangent in place, and return it, where that changes an input"
)


VMAPS = {  # by whether one is to be generated
    False: "does not have vmap support. Please override and implement the vmap staticmethod or set "
    "generate_vmap_rule=True.",
    True: "has both generate_vmap_rule=True and an overridden vmap staticmethod. Please set generate_vmap_rule=False "
    "or delete the overridden vmap staticmethod to avoid ambiguity.",
}


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
        given = answer if several else (answer,)
        refused = Error.apply(*[asking(g.detach()) if isinstance(g, Tensor) else g for g in given])
        return refused if several else refused[0]

    return wrapper


class Error(Function):  # whose node has PyTorch's name
    @staticmethod
    def forward(ctx, *gradients):
        return tuple([g.clone() if isinstance(g, Tensor) else g for g in gradients])

    @staticmethod
    def backward(ctx, *gradients):
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


Error._node_type.__name__ = "Error"
