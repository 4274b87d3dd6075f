"""Reverse mode as a person calls it: `backward`, `grad`, and `walk`, which is the backward held in the hand.

What was given is checked in starts.py; the backward itself is `walk_from` in core/backward.py.
"""

import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..core import events
from ..core.backward import walk_from
from ..core.graph import Node
from ..core.modes import dual_levels, modes
from ..core.tensor import Tensor, adds_to_tensor, wrap
from ..core.unbroadcast import conform
from ..numbers.quiet import handling, ignore, quiet
from ..ops.joining import stack
from .starts import GradientEdge, Gradients, Places, checked_node, starting_points, tensors_of

UNDIFFERENTIATED = "One of the differentiated Tensors does not require grad"


def backward(
    tensors: Places, grad_tensors: Gradients = None, retain_graph: bool | None = None, create_graph: bool = False,
    grad_variables: Gradients = None, inputs: Places | dict | None = None,
) -> None:  # fmt: skip
    """Add to each leaf's `.grad` the gradient of the sum of `tensors`.

    Args:
        tensors: one Tensor (or GradientEdge) or several, of which the derivative is taken.
        grad_tensors: for each, the gradient that starts there; None stands for 1 where a tensor has one element.
        retain_graph: keep what the graph saved, for another backward. Default: the value of `create_graph`.
        create_graph: record the backward itself, for derivatives of higher order.
        inputs: only these tensors receive a gradient (a dict of tensors will do); all leaves if omitted.

    >>> import minigrad as mg
    >>> w, x = mg.tensor([1.0], requires_grad=True), mg.tensor([2.0])
    >>> mg.autograd.backward((w + x) * (w + 1))
    >>> w.grad
    tensor([5.])
    """
    if grad_variables is not None:
        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only "
                "use `grad_tensors`."
            )
        grad_tensors = grad_variables
    heard, before = events.heard, handling.set(ignore)
    try:
        for said in walk(tensors, grad_tensors, retain_graph, create_graph, inputs, kinds=events.kinds_heard()):
            if (callback := heard[type(said)]) is not None:  # it may have left meanwhile
                callback(said)
    finally:
        handling.reset(before)


def walk(
    tensors: Places, grad_tensors: Gradients = None, retain_graph: bool | None = None, create_graph: bool = False,
    inputs: Places | dict | None = None, *, kinds: Iterable[type] = events.KINDS,
) -> Iterator[Any]:  # fmt: skip
    """The backward, one event at a time: `backward` is this iterator, run to its end. `kinds` says which events.

    >>> import minigrad as mg
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> for event in mg.autograd.walk(x * x):
    ...     print(type(event).__name__, event.node.name())
    Seeded MulBackward0
    Visited MulBackward0
    Freed MulBackward0
    Sent MulBackward0
    Sent MulBackward0
    Accumulated torch::autograd::AccumulateGrad
    Deposited torch::autograd::AccumulateGrad
    """
    if modes.transforms:
        raise RuntimeError(
            "backward() called inside a functorch transform. This is not supported, please use func.grad or func.vjp "
            "instead or call backward() outside of functorch transforms."
        )
    given: Any = ()
    if inputs is not None:
        given = inputs.values() if type(inputs) is dict else inputs
        given = (given,) if isinstance(given, (Tensor, GradientEdge)) else tuple(given)
        if not given:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    seeds = starting_points(tensors, grad_tensors, create_graph or dual_levels)
    for tensor in given:
        if isinstance(tensor, Tensor) and (not tensor.is_leaf or not tensor.requires_grad):
            tensor.retain_grad()  # which says what is wrong with a tensor that requires no gradient
    targets = [checked_node(tensor, UNDIFFERENTIATED) for tensor in tensors_of(given)] if given else None
    retain_graph = create_graph if retain_graph is None else retain_graph
    return walk_from(seeds, retain_graph, create_graph, targets=targets, kinds=frozenset(kinds))


@quiet
def grad(
    outputs: Places, inputs: Places | dict, grad_outputs: Gradients = None, retain_graph: bool | None = None,
    create_graph: bool = False, only_inputs: bool = True, allow_unused: bool | None = None,
    is_grads_batched: bool = False, materialize_grads: bool = False,
) -> Any:  # fmt: skip
    """The gradients of the sum of `outputs` with respect to `inputs`, returned and deposited nowhere.

    Args:
        outputs, inputs: Tensors or GradientEdges, one or several; or a dict of inputs, for a dict of gradients.
        grad_outputs: the gradients that start at the outputs, as `grad_tensors` in `backward`.
        retain_graph, create_graph: as in `backward`.
        only_inputs: ignored, as in PyTorch.
        allow_unused: None for an input that the outputs do not depend on, instead of an error.
        is_grads_batched: each of `grad_outputs` has one more dimension in front, and so have the results.
        materialize_grads: zeros instead of None for an unused input.

    >>> import minigrad as mg
    >>> x = mg.tensor([2.0], requires_grad=True)
    >>> (first,) = mg.autograd.grad(x**2, x, create_graph=True)
    >>> first, mg.autograd.grad(first, x)
    (tensor([4.], grad_fn=<MulBackward0>), (tensor([2.]),))
    """
    if type(inputs) is dict:  # such as dict(model.named_parameters())
        options = (retain_graph, create_graph, only_inputs, allow_unused, is_grads_batched, materialize_grads)
        return dict(zip(inputs, grad(outputs, tuple(inputs.values()), grad_outputs, *options)))
    given = (inputs,) if isinstance(inputs, (Tensor, GradientEdge)) else tuple(inputs)
    outputs, inputs = tensors_of(outputs), tensors_of(given)
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    if grad_outputs is not None:
        grad_outputs = (grad_outputs,) if isinstance(grad_outputs, Tensor) else tuple(grad_outputs)
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    retain_graph = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        unused = {"allow_unused": allow_unused, "materialize_grads": materialize_grads}
        return grad_of_rows(outputs, inputs, grad_outputs, retain_graph, create_graph, **unused)

    seeds = starting_points(outputs, grad_outputs, create_graph or dual_levels)
    captured: dict = {}
    places = [(checked_node(tensor, UNDIFFERENTIATED), tensor._index) for tensor in inputs]
    for node, index in places:
        node.check_asked(index)
        captured.setdefault(node, {})[index] = None
    kinds = events.kinds_heard()
    for said in walk_from(seeds, retain_graph, create_graph, targets=list(captured), captured=captured, kinds=kinds):
        events.tell(said)

    results: list[Tensor | None] = []
    for i, (tensor, (node, index)) in enumerate(zip(inputs, places)):
        g = captured[node][index]
        if g is None and materialize_grads:
            if isinstance(given[i], GradientEdge):
                raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
            g = wrap(np.zeros_like(tensor.array))
            g._requires_grad = create_graph
            results.append(g)
        elif g is None and not allow_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {i} appears to not have been used in the graph. "
                "Set allow_unused=True if this is the desired behavior."
            )
        elif g is None or isinstance(g, Tensor):
            results.append(g)
        else:
            results.append(wrap(np.array(g, copy=None if getattr(g, "base", None) is None else True)))
    return tuple(results)


def grad_of_rows(outputs, inputs, grad_outputs, retain_graph, create_graph, **options) -> tuple:
    """`grad` with `is_grads_batched`: one walk per row of `grad_outputs`, the results stacked."""
    for i, (output, g) in enumerate(zip(outputs, grad_outputs or ())):
        if isinstance(g, Tensor) and (not g.ndim or g.shape[1:] != output.shape):
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch "
                "dimension. The sizes of the remaining dimensions are expected to match the shape of corresponding "
                f"output, but a mismatch was detected: grad_output[{i}] has a shape of {g.shape} and output[{i}] has a "
                f"shape of {output.shape}."
            )
    sizes = {None if g is None else len(g) for g in grad_outputs or (None,)}
    size = sizes.pop()
    if not size or sizes:
        raise RuntimeError("is_grads_batched=True needs grad_outputs of the same length, at least 1, for each output")
    rows = [
        grad(outputs, inputs, [g[i] for g in grad_outputs], retain_graph or i < size - 1, create_graph, **options)
        for i in range(size)
    ]
    return tuple(None if column[0] is None else stack(column) for column in zip(*rows))


@adds_to_tensor
class Differentiable(Tensor):
    """What each tensor can do in reverse mode."""

    def backward(
        self, gradient: Tensor | None = None, retain_graph: bool | None = None, create_graph: bool = False, inputs=None
    ) -> None:
        """Add to each leaf's `.grad` the derivative of this tensor; see `autograd.backward`."""
        backward(self, gradient, retain_graph, create_graph, None, inputs)


def __call__(self, *gradients):
    """Run this one step by hand, on Tensors: `dx, dy = product.grad_fn(dz)`."""
    if len(gradients) != self.outputs:
        raise TypeError(f"expected {self.outputs} arguments, got {len(gradients)} instead")
    for i, gradient in enumerate(gradients):
        if gradient is not None and not isinstance(gradient, Tensor):
            raise TypeError(f"argument {i} is not a Variable")
    if all(gradient is None for gradient in gradients):
        parts = self.on_nothing(tensors=True)
    else:
        parts = self.gradients(gradients if self.outputs > 1 else gradients[0], tensors=True)
    parts = [part if part is None else conform(part, self, slot) for slot, part in enumerate(parts)]
    return parts[0] if len(parts) == 1 else tuple(parts)


Node.__call__ = __call__  # type: ignore[method-assign, attr-defined, unused-ignore]
