"""What PyTorch has no public name for; where it changes, this file does. (Written for PyTorch 2.4 and later.)"""

import contextlib
import types
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import torch
from torch.utils import _python_dispatch as modes

from minigrad.words.source import is_ours

GRAD: Any = torch._C.TensorBase.grad  # the attributes of a tensor, as they are while ours stand before them
DATA: Any = torch._C.TensorBase.data
BACKWARD = "_engine_run_backward"  # in torch.autograd: the way of each backward, of `grad` and `backward` alike
MODULE_CALL: types.CodeType = torch.nn.Module._wrapped_call_impl.__code__
UPDATES = [  # what stands before the `step` of each optimizer
    code
    for code in torch.optim.Optimizer.profile_hook_step.__code__.co_consts
    if isinstance(code, types.CodeType) and code.co_name == "wrapper"
]
count = torch.autograd._get_sequence_nr  # type: ignore[attr-defined] # the number that the next node gets


class Signature(NamedTuple):
    """What an operator is called, and what it takes."""

    name: str
    overload: str
    arguments: tuple  # names with defaults
    written: tuple  # the places of those that it writes into


@lru_cache(4096)
def signature(operator: Any) -> Signature:
    schema = operator._schema
    written = (i for i, one in enumerate(schema.arguments) if one.alias_info is not None and one.alias_info.is_write)
    arguments = tuple((one.name, one.default_value) for one in schema.arguments)
    return Signature(schema.name.rpartition("::")[2], operator._overloadname, arguments, tuple(written))


def number(node: Any) -> int:
    """No two nodes of a thread have the same; a younger node has a higher one."""
    return node._sequence_nr()


def outputs(node: Any) -> int:
    return len(node._input_metadata)


def version(tensor: torch.Tensor) -> int:
    return 0 if tensor.is_inference() else tensor._version


def count_a_change(tensors: Iterable[torch.Tensor]) -> None:
    """They were changed in place."""
    torch.autograd.graph.increment_version([one for one in tensors if not one.is_inference()])


def saved(node: Any, attribute: str) -> Any:
    """What a node keeps; what the user packs is not unpacked, for that would call a function of the user's."""
    if getattr(getattr(node, f"_raw{attribute}", None), "unpack_hook", None) is not None:
        raise AttributeError(attribute)
    return getattr(node, attribute)


def hooks(tensor: torch.Tensor) -> dict | None:
    return tensor._backward_hooks


def hooks_when_filled(tensor: torch.Tensor) -> dict | None:
    return tensor._post_accumulate_grad_hooks if made_by(tensor) is None else None


def others(handle: Any) -> dict:
    """The hooks of the user's that stand beside the one of a handle; those that modules hang up are PyTorch's own."""
    hooks = (handle.hooks_dict_ref() or {}).items()
    return {key: hook for key, hook in hooks if key != handle.id and not is_ours(file_of(hook))}


def file_of(hook: Any) -> str:
    code = getattr(getattr(hook, "func", hook), "__code__", None)
    return code.co_filename if code else ""


def made_by(tensor: torch.Tensor) -> Any:
    """The node that made it; of some views that were taken under no_grad, PyTorch refuses to tell."""
    try:
        return tensor.grad_fn
    except RuntimeError:
        return UNTOLD


UNTOLD = object()


def unwrapped(tensor: torch.Tensor) -> torch.Tensor:
    """What a transform of `torch.func` wraps, where it is of the same shape."""
    while torch._C._functorch.is_gradtrackingtensor(tensor):
        tensor = torch._C._functorch.get_unwrapped(tensor)
    return tensor


@contextlib.contextmanager
def unheard():
    """No mode of anybody's hears what runs here."""
    with torch._C._DisableTorchDispatch(), torch._C.DisableTorchFunction():
        yield


@contextlib.contextmanager
def deaf(mode: Any):
    """While this runs, the mode hears nothing; if it is not the innermost one, it stays."""
    was_innermost = modes._get_current_dispatch_mode() is mode
    if was_innermost:
        modes._pop_mode()
    try:
        yield
    finally:
        if was_innermost:
            modes._push_mode(mode)


@contextlib.contextmanager
def hearing(mode: Any):
    """While this runs, the mode hears what it had not."""
    was_deaf = modes._get_current_dispatch_mode() is None
    if was_deaf:
        modes._push_mode(mode)
    try:
        yield
    finally:
        if was_deaf:
            modes._pop_mode()
