"""Where a backward starts, and where it shall arrive: what was given, checked as PyTorch checks it.

>>> import minigrad as mg
>>> x = mg.tensor(3.0, requires_grad=True)
>>> starting_points(x * x, None, as_tensors=False)
[(<MulBackward0 object at 0x...>, 0, np.float32(1.0))]
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..core.graph import AccumulateGrad, Node, node_of
from ..core.tensor import Tensor, wrap
from ..numbers import dtypes
from ..words.advice import unrecorded


class GradientEdge(NamedTuple):
    """Where a gradient arrives: at which output of which node. `backward` and `grad` take it in place of a tensor."""

    node: Node
    output_nr: int
    ownership_token: Any = None

    def stand_in(self) -> Tensor:
        """A tensor at that place in the graph; of its numbers there are none to be had."""
        if isinstance(self.node, AccumulateGrad):
            return self.node.variable
        if not isinstance(self.node, Node):
            raise TypeError(f"the node of a GradientEdge must be one like y.grad_fn, but is {self.node!r}")
        if self.output_nr >= self.node.outputs:
            raise IndexError("tuple index out of range")
        shape, dtype = self.node.expects(self.output_nr)
        return wrap(np.broadcast_to(np.zeros((), dtype), shape), self.node, self.output_nr)


Places: TypeAlias = Tensor | GradientEdge | Sequence[Tensor | GradientEdge]
Gradients: TypeAlias = Tensor | Sequence[Tensor | None] | None


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
    if not tensor.requires_grad:
        raise RuntimeError(refusal + unrecorded(tensor))
    return node_of(tensor)


def starting_points(tensors, gradients, as_tensors) -> list:
    """The nodes and outputs at which a backward starts, each with its gradient, checked as PyTorch checks them."""
    if isinstance(tensors, Tensor):
        if gradients is None and tensors._requires_grad and tensors._base is None:  # `loss.backward()`, in short
            return [(node_of(tensors), tensors._index, implicit_gradient(tensors._data, as_tensors))]
        tensors = (tensors,)
    else:
        tensors = tensors_of(tensors)
    if gradients is None:
        gradients = (None,) * len(tensors)
    else:
        gradients = (gradients,) if isinstance(gradients, Tensor) else tuple(gradients)
    for gradient in gradients:
        if not isinstance(gradient, Tensor | None):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(gradient).__name__}")
    if len(gradients) != len(tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(gradients)} gradients")
    seeds: list[tuple] = []
    for tensor, gradient in zip(tensors, gradients):
        i = len(seeds)
        if not isinstance(tensor, Tensor):
            raise TypeError(f"element {i} of tensors must be a Tensor, but got {type(tensor).__name__}")
        if gradient is not None:
            check_gradient(gradient, tensor, i)
            gradient = gradient.to(tensor.dtype)
        node = node_of(tensor) if tensor.requires_grad else None
        if node is None or (node.is_leaf and node.variable is not tensor):  # a view from before its base asked for it
            why = unrecorded(tensor, i)
            raise RuntimeError(f"element {i} of tensors does not require grad and does not have a grad_fn{why}")
        if gradient is None:
            gradient = implicit_gradient(tensor._data, as_tensors)
        elif not as_tensors:
            gradient = gradient._data
        seeds.append((node, tensor._index, gradient))
    return seeds


def implicit_gradient(data, as_tensor: bool) -> Any:
    """The gradient of a loss with respect to itself: 1."""
    if data.size != 1:
        raise RuntimeError(
            f"grad can be implicitly created only for scalar outputs\nThis one has the shape {list(data.shape)}: "
            "start from one number, such as its .sum() or .mean(), or pass a gradient of that shape."
        )
    one = real_one(data.dtype)
    gradient = np.full(data.shape, one) if data.shape else one
    return wrap(gradient.copy()) if as_tensor else gradient  # a number of its own: who listens tells two of them apart


@lru_cache
def real_one(dtype):
    if dtype.kind == "c":
        raise RuntimeError(f"grad can be implicitly created only for real scalar outputs but got {dtypes.ALL[dtype]}")
    return dtype.type(1)


def check_gradient(gradient, tensor, i: int) -> None:
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
