"""One saved value of one node, to which hooks of its own can be given: `node._raw_saved_self.register_hooks(…)`.

>>> import minigrad as mg
>>> x = mg.tensor([2.0, 3.0], requires_grad=True)
>>> y = x * x
>>> y.grad_fn._raw_saved_self.register_hooks(lambda tensor: tensor.half(), lambda packed: packed.float())
>>> y.grad_fn._saved_self
tensor([2., 3.], requires_grad=True)
"""

from collections.abc import Callable
from typing import Any

from ..tensor import Tensor
from ..words.advice import freed
from .function import FunctionNode
from .graph import OpNode
from .saved_hooks import pack_one, saved_tensors_hooks

FREED = (
    "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are "
    "freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved variables after calling backward."
)


class SavedTensor:
    """A place in which a node keeps a value. There is one for each `_saved_…` attribute; nobody else makes them."""

    node: Any
    place: int | None  # None: there is no value, or the inputs that require grad do not need it

    def __init__(self) -> None:
        raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")

    def register_hooks(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        """Keep what `pack_hook` makes of the value, and give that to `unpack_hook` whenever the value is needed."""
        for name, hook in (("pack_hook", pack_hook), ("unpack_hook", unpack_hook)):
            if not callable(hook):
                raise TypeError(f"register_hooks(): {name} must be callable, but is {hook!r}")
        if self.place is None:
            raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")
        if self.node.saved is None:
            raise RuntimeError(FREED)
        pack_one(self.node, self.place, saved_tensors_hooks(pack_hook, unpack_hook))


def saved_place(node, place: int | None) -> SavedTensor:
    """The SavedTensor of one place of a node."""
    found = SavedTensor.__new__(SavedTensor)
    found.node, found.place = node, place
    return found


def of_operation(node: OpNode, attribute: str) -> SavedTensor:
    """What `node._raw_saved_…` answers."""
    places = [i for i, save in enumerate(node.plan.saves) if save.attribute == attribute]
    return saved_place(node, places[0] if places else None)


def of_function(node: FunctionNode) -> tuple[SavedTensor, ...]:
    """What `node._raw_saved_tensors` of a custom Function answers."""
    if node.saved is None:
        raise RuntimeError(freed(node))
    return tuple(saved_place(node, None if one is None else i) for i, one in enumerate(node.saved))
