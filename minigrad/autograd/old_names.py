"""Names from PyTorch's past that its pages still touch, and switches for what this engine does not have.

>>> import minigrad as mg
>>> Variable(mg.ones(2), requires_grad=True)
tensor([1., 1.], requires_grad=True)
"""

from ..tensor import Tensor, counter_of, wrap


class _IsTensor(type):
    def __instancecheck__(cls, thing) -> bool:
        return isinstance(thing, Tensor)


class Variable(metaclass=_IsTensor):
    """What once wrapped a tensor to record its history; every Tensor can do that by itself now."""

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = False, volatile: bool | None = None) -> Tensor:  # type: ignore[misc]
        if data is None:
            return Tensor()
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        return wrap(data.array, counter=counter_of(data)).requires_grad_(requires_grad)


class _Threads:
    enabled = True


class set_multithreading_enabled:
    """Whether PyTorch's backward may use several threads; this engine's uses the one that calls it, either way."""

    def __init__(self, mode: bool) -> None:
        self.before, _Threads.enabled = _Threads.enabled, bool(mode)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception) -> None:
        _Threads.enabled = self.before


def is_multithreading_enabled() -> bool:
    """What `set_multithreading_enabled` was told last."""
    return _Threads.enabled


def is_view_replay_enabled() -> bool:
    """In PyTorch, whether an in-place change takes a view anew by its own operations; here it always does."""
    return False
