"""Whether operations are recorded: PyTorch's blocks and questions."""

from ..core.modes import Mode, State, enable_grad, modes, no_grad, set_grad_enabled

__all__ = [
    "enable_grad", "inference_mode", "is_grad_enabled", "is_inference_mode_enabled", "no_grad", "set_grad_enabled",
]  # fmt: skip


class inference_mode(Mode):
    """`no_grad` and more: tensors made inside can never enter a graph, so they do without version counters."""

    def __new__(cls, mode=True):
        return super().__new__(cls) if isinstance(mode, bool) else cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def fresh(self):
        return inference_mode(self.mode)

    def state(self, now: State) -> State:
        return State(not self.mode, not self.mode, self.mode)


def is_grad_enabled() -> bool:
    """Whether operations are recorded in this thread now."""
    return modes.state.enabled


def is_inference_mode_enabled() -> bool:
    """Whether this thread is inside `inference_mode` now."""
    return modes.state.inference
