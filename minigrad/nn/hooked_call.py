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
from typing import Any, NamedTuple

from ..autograd.hooks import HookDict, RemovableHandle
from .watched_call import WatchedCall

NO_FORWARD = 'Module [{}] is missing the required "forward" function'


class ForwardHook(NamedTuple):
    """A hook, and whether it sees the keyword arguments too."""

    function: Callable
    with_kwargs: bool


class HookedCall:
    """What can be called, and has hooks around its `forward`."""

    _forward_pre_hooks: HookDict
    _forward_hooks: HookDict
    _backward_pre_hooks: HookDict
    _backward_hooks: HookDict

    def __init__(self) -> None:
        self.__dict__.update(
            _forward_pre_hooks=HookDict(),
            _forward_hooks=HookDict(),
            _backward_pre_hooks=HookDict(),
            _backward_hooks=HookDict(),
        )

    # -- running ---------------------------------------------------------------------------------------------------

    def forward(self, *inputs: Any) -> Any:
        """What the module computes; each module writes its own."""
        raise NotImplementedError(NO_FORWARD.format(type(self).__name__))  # a subclass must define it

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        own = self.__dict__
        if not (own["_forward_pre_hooks"] or own["_forward_hooks"] or self._is_watched()):
            return self.forward(*args, **kwargs)
        for hook in tuple(self._forward_pre_hooks.values()):
            args, kwargs = self._before(hook, args, kwargs)
        watched = WatchedCall(self, self._backward_pre_hooks, self._backward_hooks) if self._is_watched() else None
        if watched:
            args = watched.enter(args)
        result = self.forward(*args, **kwargs)
        for hook in tuple(self._forward_hooks.values()):
            seen = (args, kwargs, result) if hook.with_kwargs else (args, result)
            answer = hook.function(self, *seen)
            result = result if answer is None else answer
        return watched.leave(result) if watched else result

    def _is_watched(self) -> bool:
        return bool(self._backward_hooks or self._backward_pre_hooks)

    def _before(self, hook: ForwardHook, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        """The arguments after a hook that may have replaced them."""
        if not hook.with_kwargs:
            answer = hook.function(self, args)
            if answer is not None:
                args = answer if isinstance(answer, tuple) else (answer,)
            return args, kwargs
        answer = hook.function(self, args, kwargs)
        if answer is None:
            return args, kwargs
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise RuntimeError(
                f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {answer}."
            )
        return answer

    # -- hooks -----------------------------------------------------------------------------------------------------

    def register_forward_pre_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before `forward`; what it returns takes the place of the arguments."""
        return register(self._forward_pre_hooks, ForwardHook(hook, with_kwargs), prepend)

    def register_forward_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after `forward`; what it returns takes the place of the output."""
        return register(self._forward_hooks, ForwardHook(hook, with_kwargs), prepend)

    def register_full_backward_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` before the gradient enters the module; it may return another."""
        return register(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` when the gradient has passed; it may return a `grad_input`."""
        return register(self._backward_hooks, hook, prepend)


def register(hooks: HookDict, hook: Any, prepend: bool) -> RemovableHandle:
    """Add a hook after all others, or before them."""
    others = dict(hooks)
    handle = RemovableHandle(hooks, hook)
    if prepend:
        for id in others:
            hooks[id] = hooks.pop(id)
    return handle
