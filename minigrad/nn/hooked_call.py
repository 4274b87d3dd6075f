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

import warnings
from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Any

from ..core.hooks import HookDict, RemovableHandle
from ..core.tensor import Tensor
from .watched_call import WatchedCall


def not_written(self: Any, *inputs: Any, **named: Any) -> Any:
    """What a module computes; each module writes its own."""
    # The user's own class must write it; where it did not, that is PyTorch's type of error, and its words.
    raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')


class ModuleHooks:
    """The hooks of one module, each kind in the order of registration."""

    def __init__(self) -> None:
        self.before, self.after = HookDict(), HookDict()  # around `forward`
        # when the gradient comes to the module, and when it has passed
        self.entered, self.left = HookDict(), HookDict()
        self.with_kwargs: set[int] = set()  # the numbers of those that see arguments given by name, too
        self.is_full: bool | None = None  # False: those in `left` are of the old kind


class HookedCall:
    """What can be called, and has hooks around its `forward`."""

    _hooks: ModuleHooks | None = None  # made when the first one is registered

    forward: Callable[..., Any] = not_written  # so that a type checker lets each module choose its arguments

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        hooks = self._hooks
        if hooks is None:
            try:
                return self.forward(*args, **kwargs)
            except (RuntimeError, IndexError) as error:
                note_layer(self, args, error)
                raise
        for id, hook in tuple(hooks.before.items()):
            args, kwargs = self._before(hook, args, kwargs, id in hooks.with_kwargs)
        full = hooks.left if hooks.is_full else {}
        watched = WatchedCall(self, hooks.entered, full) if full or hooks.entered else None
        if watched:
            args = watched.enter(args)
        result = self.forward(*args, **kwargs)
        for id, hook in tuple(hooks.after.items()):
            answer = hook(self, args, kwargs, result) if id in hooks.with_kwargs else hook(self, args, result)
            result = result if answer is None else answer
        result = watched.leave(result) if watched else result
        if hooks.left and not full and (last := first_tensor(result).grad_fn) is not None:
            for hook in hooks.left.values():
                last.register_hook(update_wrapper(partial(hook, self), hook))
            if missed := missed_by_old(args, result, last):
                using, missing = missed
                warnings.warn(f"{using} {OUTDATED} {missing}. {INSTEAD}", FutureWarning, stacklevel=2)
        return result

    def _before(self, hook: Callable, args: tuple, kwargs: dict, with_kwargs: bool) -> tuple[tuple, dict]:
        """The arguments after a hook that may have replaced them."""
        answer = hook(self, args, kwargs) if with_kwargs else hook(self, args)
        if answer is None:
            return args, kwargs
        if not with_kwargs:
            return answer if isinstance(answer, tuple) else (answer,), kwargs
        if not isinstance(answer, tuple) or len(answer) != 2:
            wanted = "None or a tuple of (new_args, new_kwargs)"
            raise RuntimeError(f"forward pre-hook must return {wanted}, but got {answer}.")
        return answer

    def register_forward_pre_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before `forward`; what it returns takes the place of the arguments.

        With `prepend` before all other hooks; with `with_kwargs`: `hook(module, args, kwargs)`, which returns both.
        """
        return self._hung("before", hook, prepend, with_kwargs)

    def register_forward_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after `forward`; what it returns takes the place of the output."""
        return self._hung("after", hook, prepend, with_kwargs)

    def register_full_backward_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` when the gradient comes to the module; it may return a `grad_output`."""
        return self._hung("entered", hook, prepend)

    def register_full_backward_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` when the gradient has passed; it may return a `grad_input`."""
        return self._hung("left", hook, prepend, full=True)

    def register_backward_hook(self, hook: Callable) -> RemovableHandle:
        """The older form: the gradients that it sees are those of the module's last operation alone."""
        return self._hung("left", hook, full=False)

    def _hung(self, kind: str, hook: Callable, prepend=False, with_kwargs=False, full=None) -> RemovableHandle:
        own = self._hooks = self._hooks or ModuleHooks()
        if full is not None and own.is_full is (not full):
            kinds = "regular backward hooks and full backward hooks"
            raise RuntimeError(f"Cannot use both {kinds} on a single Module. Please use only one of them.")
        if full is not None:
            own.is_full = full
        hooks = getattr(own, kind)
        handle = RemovableHandle(hooks, hook)
        if with_kwargs:
            own.with_kwargs.add(handle.id)
        for id in list(hooks)[:-1] if prepend else ():
            hooks[id] = hooks.pop(id)
        return handle


OUTDATED = "is deprecated and will be removed in future versions. This hook will be missing some"
INSTEAD = "Please use register_full_backward_hook to get the documented behavior."


def missed_by_old(inputs: tuple, result: Any, last: Any) -> tuple[str, str] | None:
    """Why a hook of the old kind, which hangs on the node of one operation, does not see all of a call; and of what."""
    outputs = result if isinstance(result, tuple) else (result,)
    for values, verb, gradients in ((outputs, "return", "grad_output"), (inputs, "take as input", "grad_input")):
        if not all(isinstance(one, Tensor) for one in values):
            kind = f"on a Module that does not {verb} a single Tensor or a tuple of Tensors"
            return f"Using non-full backward hooks {kind}", f"of the {gradients}"
    if len({one.grad_fn for one in outputs} - {None}) > 1:
        return "Using a non-full backward hook when outputs are generated by different autograd Nodes", "grad_output"
    if {one.grad_fn for one in inputs} - {None} != {node for node, _ in last.next_functions}:
        return "Using a non-full backward hook when the forward contains multiple autograd Nodes", "grad_input"
    return None


def note_layer(layer: Any, args: tuple, error: Exception) -> None:
    """Say, after an error's own words, in which of our layers it arose, and what that was given."""
    if type(layer).__module__.startswith(__package__) and not layer._modules and not hasattr(error, "__notes__"):
        kinds = [f"{str(one.dtype).partition('.')[2]} {list(one.shape)}" for one in args if isinstance(one, Tensor)]
        error.add_note(f"This happened in {layer!r}, which was given {' and '.join(kinds) or 'no tensor'}.")


def first_tensor(result: Any) -> Tensor:
    """The first tensor in what a module returned."""
    while not isinstance(result, Tensor):
        is_dict = isinstance(result, dict)
        result = next(one for one in result.values() if isinstance(one, Tensor)) if is_dict else result[0]
    return result
