"""What a tensor knows for autograd's sake, under the names of PyTorch's own struct `AutogradMeta` (variable.h).

In C++ each tensor points to such an object, or to nothing as long as autograd has nothing to do with it. Here the same
facts are attributes of the tensor itself; this class lays them side by side, and always shows what holds now.

>>> import minigrad as mg
>>> a = mg.tensor([1.0, 2.0], requires_grad=True)
>>> b = a * 3
>>> AutogradMeta(b).grad_fn_.name(), AutogradMeta(b).output_nr_
('MulBackward0', 0)
>>> AutogradMeta(a).grad_accumulator_ is b.grad_fn.next_functions[0][0]
True
"""

from collections.abc import Callable
from typing import Any

from ..core.graph import Node
from ..core.tensor import Tensor
from ..words.source import name_of, user_frame

FIELDS: dict[str, tuple[Callable[[Tensor], Any], str]] = {
    "name_": (lambda tensor: (frame := user_frame()) and name_of(tensor, frame), "the variable of yours that holds it"),
    "requires_grad_": (lambda tensor: tensor.requires_grad, "whether operations on it are recorded"),
    "grad_fn_": (lambda tensor: tensor.grad_fn, "the node that made it; a leaf has none"),
    "output_nr_": (lambda tensor: tensor.output_nr, "which output of that node it is"),
    "grad_accumulator_": (lambda tensor: tensor._accumulator() if tensor.is_leaf else None,
                          "the node that adds to a leaf's gradient; only while a graph needs it"),
    "grad_": (lambda tensor: tensor._grad, "the gradient so far; None, not zeros, before anything arrives"),
    "retains_grad_": (lambda tensor: tensor.retains_grad, "whether it keeps its gradient although it is no leaf"),
    "hooks_": (lambda tensor: len(tensor._backward_hooks or ()), "how many hooks wait for its gradient"),
    "version_counter_": (lambda tensor: None if tensor.is_inference() else tensor._version,
                         "how often its memory was changed in place"),
    "is_view_": (lambda tensor: tensor._is_view(), "whether it shows the memory of another tensor"),
    "base_": (lambda tensor: tensor._base, "that other tensor"),
    "fw_grad_": (lambda tensor: tensor._tangent, "its tangent, in forward mode"),
}  # fmt: skip


class AutogradMeta:
    """A tensor's part in autograd; see the head of this file. Each field can be read as an attribute."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def __getattr__(self, field: str) -> Any:
        if field not in FIELDS:
            raise AttributeError(f"AutogradMeta has no field '{field}'; it has {', '.join(FIELDS)}")
        return FIELDS[field][0](self._tensor)

    def __dir__(self) -> list[str]:
        return list(FIELDS)

    def __repr__(self) -> str:
        rows = [f"  {field:17} {written(getattr(self, field)):21} {says}" for field, (_, says) in FIELDS.items()]
        return "\n".join(["AutogradMeta", *rows])


def written(value: Any) -> str:
    """A field on one line: of a node its name, of a tensor its values where they are few."""
    if isinstance(value, Node):
        return type(value.shown()).__name__
    if isinstance(value, Tensor):
        return str(value.tolist()) if value.numel() < 4 else f"a tensor {list(value.shape)}"
    return str(value)
