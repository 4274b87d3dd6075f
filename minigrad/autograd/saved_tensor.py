"""One value that a node keeps, held in the hand: `y.grad_fn._raw_saved_self`, which takes hooks of its own.

>>> import minigrad as mg
>>> x = mg.tensor([2.0, 3.0], requires_grad=True)
>>> y = x * x
>>> y.grad_fn._raw_saved_self.register_hooks(lambda tensor: tensor.half(), lambda packed: packed.float())
>>> y.sum().backward()
>>> x.grad
tensor([4., 6.])
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from ..core.graph import Node
from ..core.op_node import OpNode
from ..core.tensor import Tensor
from ..words.advice import FREED
from .function_node import FunctionNode


class SavedTensor:
    """A value that a node keeps for its backward; `graph.saved_tensors_hooks` packs all those of a block."""

    def __init__(self, node: Node, place: int | None) -> None:
        self._node, self._place = node, place

    def unpack(self) -> Any:
        """The value itself, unpacked if it was packed."""
        if self._place is None:
            return None
        node, place = self._node, self._place
        return node.saved_tensors[place] if isinstance(node, FunctionNode) else node.unpack(place)

    data = property(unpack)

    def register_hooks(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        """Keep what `pack_hook` makes of the value, at once; `unpack_hook` gives it back when the backward needs it."""
        from .graph import Packed, pack_one, saved_tensors_hooks

        for name, hook in {"pack_hook": pack_hook, "unpack_hook": unpack_hook}.items():
            if not callable(hook):
                raise TypeError(f"register_hooks(): argument '{name}' must be callable, not {type(hook).__name__}")
        node, place = self._node, self._place
        if node.saved is None:
            why = FREED.partition("). ")[2]
            raise RuntimeError(f"Calling register_hooks on a saved tensor after it has been freed. {why}")
        kept = None if place is None else node.saved[place]
        if place is None or kept is None:
            raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")
        if isinstance(kept, Packed) or isinstance(getattr(kept, "value", None), Packed):
            raise RuntimeError(
                "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of "
                "hooks is allowed at a time."
            )
        pack_one(node, place, saved_tensors_hooks(lambda tensor: pack_hook(tensor.detach()), unpack_hook))


def of_operation(attribute: str, node: OpNode) -> SavedTensor:
    """What `_saved_self` is made from, if that is a tensor."""
    op = node.op
    could_be = [op.save(one) for slot in op.inputs for one in op.needs(slot) if one != "i"]
    if any(save.is_tensor and save.attribute == attribute for save in could_be):
        return SavedTensor(node, {save.attribute: i for i, save in enumerate(node.saves)}.get(attribute))
    name = f"_raw{attribute}"
    raise AttributeError(f"'{type(node.shown()).__name__}' object has no attribute '{name}'", name=name, obj=node)


def beside(kind: type) -> None:
    """Give a class of nodes `_raw_saved_self` beside `_saved_self`; a `__getattr__` would slow all nodes down."""
    for attribute in [name for name in vars(kind) if name.startswith("_saved_")]:
        setattr(kind, f"_raw{attribute}", property(partial(of_operation, attribute)))


def of_function(node: FunctionNode) -> tuple:
    """What `ctx.save_for_backward` was given."""
    return tuple(SavedTensor(node, i) for i in range(len(node.saved_tensors)))


OpNode.__init_subclass__ = classmethod(beside)  # type: ignore[assignment]
FunctionNode._raw_saved_tensors = property(of_function)  # type: ignore[attr-defined]
