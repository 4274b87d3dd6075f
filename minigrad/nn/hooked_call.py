"""What happens when a module is called: the hooks before `forward`, `forward` itself, the hooks after it.

>>> import minigrad as mg
>>> layer = mg.nn.Identity()
>>> handle = layer.register_forward_hook(lambda module, args, output: output + 1)
>>> layer(mg.ones(2))
tensor([2., 2.])
>>> handle.remove()
>>> layer(mg.ones(2))
tensor([1., 1.])
"""

from collections.abc import Callable
from typing import Any

from ..core.hooks import HookDict, RemovableHandle
from .watched_call import WatchedCall


class HookedCall:
    """What can be called, and has hooks around its `forward`."""

    _forward_pre_hooks: HookDict
    _forward_hooks: HookDict
    _backward_hooks: HookDict

    def __init__(self) -> None:
        for name in ("_forward_pre_hooks", "_forward_hooks", "_backward_hooks"):
            self.__dict__[name] = HookDict()

    def forward(self, *inputs: Any) -> Any:
        """What the module computes; each module writes its own."""
        # The user's own class must write it; where it did not, that is PyTorch's type of error, and its words.
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        own = self.__dict__
        if not (own["_forward_pre_hooks"] or own["_forward_hooks"] or own["_backward_hooks"]):
            return self.forward(*args, **kwargs)
        for hook in tuple(self._forward_pre_hooks.values()):
            answer = hook(self, args)
            if answer is not None:
                args = answer if isinstance(answer, tuple) else (answer,)
        watched = WatchedCall(self, self._backward_hooks) if self._backward_hooks else None
        if watched:
            args = watched.enter(args)
        result = self.forward(*args, **kwargs)
        for hook in tuple(self._forward_hooks.values()):
            answer = hook(self, args, result)
            result = result if answer is None else answer
        return watched.leave(result) if watched else result

    def register_forward_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, args)` before `forward`; what it returns takes the place of the arguments."""
        return RemovableHandle(self._forward_pre_hooks, hook)

    def register_forward_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, args, output)` after `forward`; what it returns takes the place of the output."""
        return RemovableHandle(self._forward_hooks, hook)

    def register_full_backward_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` when the gradient has passed; it may return a `grad_input`."""
        return RemovableHandle(self._backward_hooks, hook)
