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

import functools
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

from ..autograd.hooks import HookDict, RemovableHandle
from ..tensor import Tensor
from .watched_call import WatchedCall

BOTH_KINDS = (
    "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them."
)
SILENCED = (
    "module forward hook with ``always_call=True`` raised an exception that was silenced as another error was raised "
    "in forward: {}"
)
NO_FORWARD = 'Module [{}] is missing the required "forward" function'


class ForwardHook(NamedTuple):
    """A hook, whether it sees the keyword arguments too, and whether it runs after a forward that raised."""

    function: Callable
    with_kwargs: bool
    always_call: bool = False

    def __call__(self, module: Any, args: tuple, kwargs: dict, *result: Any) -> Any:
        return (
            self.function(module, args, kwargs, *result) if self.with_kwargs else self.function(module, args, *result)
        )


class HookedCall:
    """What can be called, and has hooks around its `forward`."""

    _forward_pre_hooks: HookDict
    _forward_hooks: HookDict
    _backward_pre_hooks: HookDict
    _backward_hooks: HookDict
    _is_full_backward_hook: bool | None

    def __init__(self) -> None:
        self.__dict__.update(
            _forward_pre_hooks=HookDict(),
            _forward_hooks=HookDict(),
            _backward_pre_hooks=HookDict(),
            _backward_hooks=HookDict(),
            _is_full_backward_hook=None,
        )

    # -- running ---------------------------------------------------------------------------------------------------

    def forward(self, *inputs: Any) -> Any:
        """What the module computes; each module writes its own."""
        raise NotImplementedError(NO_FORWARD.format(type(self).__name__))  # a subclass must define it

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        own = self.__dict__
        if not (own["_forward_pre_hooks"] or own["_forward_hooks"] or self._is_watched()):
            return self.forward(*args, **kwargs)
        result, called = None, set()
        try:
            for hook in tuple(self._forward_pre_hooks.values()):
                args, kwargs = self._before(hook, args, kwargs)
            full = self._backward_hooks if self._is_full_backward_hook else {}
            watched = WatchedCall(self, self._backward_pre_hooks, full) if full or self._backward_pre_hooks else None
            if watched:
                args = watched.enter(args)
            result = self.forward(*args, **kwargs)
            for id, hook in tuple(self._forward_hooks.items()):
                called.add(id)
                answer = hook(self, args, kwargs, result)
                result = result if answer is None else answer
            if watched:
                result = watched.leave(result)
            if self._backward_hooks and not full:
                self._hang_on_last_node(result)
            return result
        except Exception:
            for id, hook in tuple(self._forward_hooks.items()):
                if hook.always_call and id not in called:
                    try:
                        answer = hook(self, args, kwargs, result)
                        result = result if answer is None else answer
                    except Exception as error:
                        warnings.warn(SILENCED.format(error), stacklevel=2)
            raise

    def _is_watched(self) -> bool:
        return bool(self._backward_hooks or self._backward_pre_hooks)

    def _before(self, hook: ForwardHook, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        """The arguments after a hook that may have replaced them."""
        answer = hook(self, args, kwargs)
        if answer is None:
            return args, kwargs
        if not hook.with_kwargs:
            return answer if isinstance(answer, tuple) else (answer,), kwargs
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise RuntimeError(
                f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {answer}."
            )
        return answer

    def _hang_on_last_node(self, result: Any) -> None:
        """The hooks of old, on the node that made the (first) result."""
        while not isinstance(result, Tensor):
            several = result.values() if isinstance(result, dict) else result
            result = next(one for one in several if isinstance(one, Tensor) or not isinstance(result, dict))
        if result.grad_fn is not None:
            for hook in self._backward_hooks.values():
                result.grad_fn.register_hook(functools.partial(hook, self))

    # -- hooks -----------------------------------------------------------------------------------------------------

    def register_forward_pre_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before `forward`; what it returns takes the place of the arguments."""
        return register(self._forward_pre_hooks, ForwardHook(hook, with_kwargs), prepend)

    def register_forward_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after `forward`; what it returns takes the place of the output."""
        return register(self._forward_hooks, ForwardHook(hook, with_kwargs, always_call), prepend)

    def register_full_backward_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` before the gradient enters the module; it may return another."""
        return register(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` when the gradient has passed; it may return a `grad_input`."""
        return self._register_backward(hook, True, prepend)

    def register_backward_hook(self, hook: Callable) -> RemovableHandle:
        """The same of old: it sees the gradients of the module's last operation only."""
        return self._register_backward(hook, False, False)

    def _register_backward(self, hook: Callable, full: bool, prepend: bool) -> RemovableHandle:
        if self._is_full_backward_hook is (not full):
            raise RuntimeError(BOTH_KINDS)
        self.__dict__["_is_full_backward_hook"] = full
        return register(self._backward_hooks, hook, prepend)


def register(hooks: HookDict, hook: Any, prepend: bool) -> RemovableHandle:
    """Add a hook after all others, or before them."""
    others = dict(hooks)
    handle = RemovableHandle(hooks, hook)
    if prepend:
        for id in others:
            hooks[id] = hooks.pop(id)
    return handle
