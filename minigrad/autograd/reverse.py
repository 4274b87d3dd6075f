"""What a person calls: `backward`, `grad`, and `walk`, which is the backward held in the hand."""

from functools import lru_cache

import numpy as np

from ..tensor import Tensor, wrap
from . import events
from .advice import unrecorded
from .engine import walk_from
from .graph import GradientEdge, Node, node_of

UNDIFFERENTIATED = "One of the differentiated Tensors does not require grad"


def backward(
    tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None
) -> None:
    """Add to each leaf's `.grad` the gradient of the sum of `tensors`.

    Args:
        tensors: one Tensor (or GradientEdge) or several, of which the derivative is taken.
        grad_tensors: for each, the gradient that starts there; None stands for 1 where a tensor has one element.
        retain_graph: keep what the graph saved, for another backward. Default: the value of `create_graph`.
        create_graph: record the backward itself, for derivatives of higher order.
        inputs: only these tensors receive a gradient; all leaves if omitted.

    >>> import minigrad as mg
    >>> w, x = mg.tensor([1.0], requires_grad=True), mg.tensor([2.0])
    >>> backward((w + x) * (w + 1))
    >>> w.grad
    tensor([5.])
    """
    grad_tensors = grad_variables if grad_tensors is None else grad_tensors
    for event in walk(tensors, grad_tensors, retain_graph, create_graph, inputs, kinds=events.kinds_heard()):
        for callback in events.heard[type(event)]:
            callback(event)


def walk(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None, *, kinds=events.KINDS):
    """The backward, one event at a time: `backward` is this iterator, run to its end. `kinds` says which events.

    >>> import minigrad as mg
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> for event in walk(x * x):
    ...     print(type(event).__name__, event.node.name())
    Seeded MulBackward0
    Visited MulBackward0
    Freed MulBackward0
    Sent MulBackward0
    Sent MulBackward0
    Accumulated AccumulateGrad
    Deposited AccumulateGrad
    """
    targets = None
    if inputs is not None:
        inputs = (inputs,) if isinstance(inputs, (Tensor, GradientEdge)) else tuple(inputs)
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
        for tensor in inputs:
            if isinstance(tensor, Tensor) and (not tensor.is_leaf or not tensor.requires_grad):
                tensor.retain_grad()  # which says what is wrong with a tensor that requires no gradient
        targets = [checked_node(tensor, UNDIFFERENTIATED) for tensor in tensors_of(inputs)]
    seeds = starting_points(tensors, grad_tensors, create_graph)
    retain_graph = create_graph if retain_graph is None else retain_graph
    return walk_from(seeds, retain_graph, create_graph, targets=targets, kinds=frozenset(kinds))


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
) -> tuple:
    """The gradients of the sum of `outputs` with respect to `inputs`, returned and deposited nowhere.

    Args:
        outputs, inputs: Tensors or GradientEdges, one or several.
        grad_outputs: the gradients that start at the outputs, as `grad_tensors` in `backward`.
        retain_graph, create_graph: as in `backward`.
        only_inputs: ignored, as in PyTorch.
        allow_unused: None for an input that the outputs do not depend on, instead of an error.
        is_grads_batched: each of `grad_outputs` has one more dimension in front, and so have the results.
        materialize_grads: zeros instead of None for an unused input.

    >>> import minigrad as mg
    >>> x = mg.tensor([2.0], requires_grad=True)
    >>> (first,) = grad(x**2, x, create_graph=True)
    >>> first, grad(first, x)
    (tensor([4.], grad_fn=<MulBackward0>), (tensor([2.]),))
    """
    outputs, inputs = tensors_of(outputs), tensors_of(inputs)
    if grad_outputs is not None:
        grad_outputs = (grad_outputs,) if isinstance(grad_outputs, Tensor) else tuple(grad_outputs)
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    retain_graph = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        return _batched(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused, materialize_grads)

    captured: dict = {}
    for tensor in inputs:
        captured.setdefault(checked_node(tensor, UNDIFFERENTIATED), {})[tensor._index] = None
    seeds = starting_points(outputs, grad_outputs, create_graph)
    kinds = events.kinds_heard()
    for event in walk_from(seeds, retain_graph, create_graph, targets=list(captured), captured=captured, kinds=kinds):
        events.tell(event)

    results = []
    for i, tensor in enumerate(inputs):
        g = captured[node_of(tensor)][tensor._index]
        if g is None and materialize_grads:
            results.append(wrap(np.zeros_like(tensor.array)))
        elif g is None and not allow_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {i} appears to not have been used in the graph. "
                "Set allow_unused=True if this is the desired behavior."
            )
        elif g is None or create_graph:
            results.append(g)
        else:
            results.append(wrap(np.array(g, copy=None if getattr(g, "base", None) is None else True)))
    return tuple(results)


def _batched(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused, materialize_grads):
    """One walk per row of `grad_outputs`, the results stacked. The engine has no vmap; the answer is the same."""
    from ..ops import stack

    if not grad_outputs or any(g is None for g in grad_outputs):
        raise RuntimeError("is_grads_batched=True needs a Tensor in grad_outputs for each output")
    sizes = {len(g) for g in grad_outputs}
    if len(sizes) != 1:
        raise RuntimeError(f"grad_outputs must agree in the size of the batch, but have {sorted(sizes)}")
    (size,) = sizes
    rows = [
        grad(
            outputs,
            inputs,
            [g[i] for g in grad_outputs],
            retain_graph or i < size - 1,
            create_graph,
            allow_unused=allow_unused,
            materialize_grads=materialize_grads,
        )
        for i in range(size)
    ]
    return tuple(None if column[0] is None else stack(column) for column in zip(*rows))


def tensors_of(given) -> tuple:
    """One thing or several as a tuple; for a GradientEdge a tensor at that place of the graph."""
    if isinstance(given, Tensor):
        return (given,)
    several = (given,) if isinstance(given, GradientEdge) else given
    return tuple([one.stand_in() if isinstance(one, GradientEdge) else one for one in several])


def checked_node(tensor, refusal: str) -> Node:
    """Where a tensor's gradient arrives, or PyTorch's refusal."""
    if not isinstance(tensor, Tensor):
        raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(tensor).__name__}")
    if not tensor._requires_grad:
        raise RuntimeError(refusal + unrecorded(tensor))
    return node_of(tensor)


def starting_points(tensors, gradients, create_graph: bool) -> list:
    """The nodes and outputs at which a backward starts, each with its gradient, checked as PyTorch checks them."""
    tensors = tensors_of(tensors)
    if gradients is None:
        gradients = (None,) * len(tensors)
    elif isinstance(gradients, Tensor):
        gradients = (gradients,)
    gradients = tuple(gradients)
    if len(gradients) != len(tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(gradients)} gradients")
    seeds: list[tuple] = []
    for tensor, gradient in zip(tensors, gradients):
        i = len(seeds)
        if not isinstance(tensor, Tensor):
            raise TypeError(f"element {i} of tensors must be a Tensor, but got {type(tensor).__name__}")
        if gradient is not None:
            check_gradient(gradient, tensor, i)
        if not tensor._requires_grad:
            why = unrecorded(tensor, i)
            raise RuntimeError(f"element {i} of tensors does not require grad and does not have a grad_fn{why}")
        if gradient is None:
            data = implicit_gradient(tensor)
            seeds.append((node_of(tensor), tensor._index, wrap(data) if create_graph else data))
        else:
            if gradient._data.dtype is not tensor._data.dtype:
                gradient = gradient.to(tensor.dtype)
            seeds.append((node_of(tensor), tensor._index, gradient if create_graph else gradient._data))
    return seeds


def implicit_gradient(tensor):
    """The gradient of a loss with respect to itself: 1."""
    data = tensor._data
    if data.size != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    if data.dtype.kind == "c":
        raise RuntimeError(f"grad can be implicitly created only for real scalar outputs but got {tensor.dtype}")
    return np.ones(data.shape, data.dtype) if data.shape else one(data.dtype)


@lru_cache
def one(dtype: np.dtype) -> np.generic:
    return dtype.type(1)


def check_gradient(gradient, tensor, i: int) -> None:
    if not isinstance(gradient, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(gradient).__name__}")
    if gradient.shape != tensor.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{i}] has a shape of {gradient.shape} and output[{i}] has a shape of "
            f"{tensor.shape}."
        )
    if (gradient.array.dtype.kind == "c") != (tensor.array.dtype.kind == "c"):
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
            f"grad_output[{i}] has a dtype of {gradient.dtype} and output[{i}] has a dtype of {tensor.dtype}."
        )
