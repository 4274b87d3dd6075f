"""Which operation made the nan? A listener that checks each step of the backward, and remembers the forward's lines.

>>> import warnings
>>> import minigrad as mg
>>> with warnings.catch_warnings(action="ignore"), detect_anomaly():
...     x = mg.tensor([0.0, 4.0], requires_grad=True)
...     try:
...         (x.sqrt() * 0).sum().backward()
...     except RuntimeError as error:
...         first, second = str(error).splitlines()
>>> first
"Function 'SqrtBackward0' returned nan values in its 0th output."
>>> second[:39], second[-48:]
('It is the gradient of `x` in `x.sqrt()`', 'What arrived here was not nan, so it arose here.')
"""

import os
import threading
import traceback
import warnings
from contextlib import AbstractContextManager

import numpy as np

from ..core import events
from ..core.events import Failed, Made, Visited
from ..core.graph import Node, node_of
from ..core.tensor import Tensor
from ..words.advice import HINT
from ..words.source import user_frame

KNOWN = (  # PyTorch's hint where the mode is on already
    "the backtrace further above shows the operation that failed to compute its gradient. The variable in question was "
    "changed in there or anywhere later. Good luck!"
)


class _Mode:
    """Anomaly mode, for all threads: on or off, and whether nan counts as an anomaly."""

    enabled, check_nan = False, True
    listening = None
    turning = threading.Lock()

    def set(self, enabled: bool, check_nan: bool) -> None:
        with self.turning:
            if self.listening:
                self.listening.__exit__(None, None, None)
            self.enabled, self.check_nan, self.listening = enabled, check_nan, None
            if enabled:
                self.listening = events.listen(_hear, Made, Failed, *[Visited] * check_nan, source=True)
                self.listening.__enter__()


_mode = _Mode()


class set_detect_anomaly(AbstractContextManager):
    """Anomaly mode on or off: as a call from now on, as a context manager until the block ends.

    Operations recorded while it is on can be named in full; with `check_nan` a nan in a backward is an error.
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = _mode.enabled, _mode.check_nan
        _mode.set(mode, check_nan)

    def __exit__(self, *exception) -> None:
        _mode.set(*self.before)


class detect_anomaly:
    """Anomaly mode on while the block runs."""

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self.mode = set_detect_anomaly(True, self.check_nan)

    def __exit__(self, *exception) -> None:
        self.mode.__exit__()


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on."""
    return _mode.enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Whether, in anomaly mode, a nan is an error."""
    return _mode.check_nan


def _hear(event) -> None:
    if isinstance(event, Made):
        if event.node is not None and event.source is not None:
            event.node.metadata["names"] = _names(event)
    elif isinstance(event, Failed):
        if event.node is not None:
            _warn(event.node)
            event.error.args = tuple(one.replace(HINT, KNOWN) if type(one) is str else one for one in event.error.args)
            event.error.add_note(f"This happened in {_place(event.node)}.")
    else:
        for slot, part in enumerate(event.parts):
            if part is not None and _has_nan(part):
                _warn(event.node)
                raise RuntimeError(_nan_made(event.node, slot, event.gradient))


def _names(event) -> list:
    """What the user calls the input of each slot."""
    tensors = [value for value in event.values if isinstance(value, Tensor)]
    known = {(node_of(one), one._index): name for one, name in zip(tensors, event.source.names) if one.requires_grad}
    return [known.get(place) for place in event.node.next_functions]


def _has_nan(gradient) -> bool:
    parts = gradient if isinstance(gradient, list | tuple) else [gradient]
    arrays = [part._data if isinstance(part, Tensor) else part for part in parts if part is not None]
    return any(bool(np.isnan(array).any()) for array in arrays)


def _nan_made(node: Node, slot: int, gradient) -> str:
    name = node.metadata.get("names", [None] * (slot + 1))[slot]
    arrived = "nan already" if _has_nan(gradient) else "not nan, so it arose here"
    whose = f"the gradient of `{name}`" if name else f"the gradient of input {slot}"
    return (
        f"Function '{node.name()}' returned nan values in its {slot}th output.\n"
        f"It is {whose} in {_place(node)}. What arrived here was {arrived}."
    )


def _place(node: Node) -> str:
    source = node.source
    if source is None:
        return f"{node.name()}, whose forward ran before anomaly mode was on"
    return f"`{source.expression or node.name()}` ({source})" if source.text else f"`{node.name()}`"


def _warn(node: Node) -> None:
    """PyTorch's warning: where in the forward the failing operation was called."""
    if node.source is None:
        found = "No forward pass information available. Enable detect anomaly during forward pass for more information."
    else:
        summary = traceback.FrameSummary(node.source.filename, node.source.line, node.source.function)
        lines = "".join(traceback.format_list([summary])).rstrip()
        found = f"Traceback of forward call that caused the error:\n{lines}"
    frame = user_frame()
    filename, line = (frame.f_code.co_filename, frame.f_lineno) if frame else (os.devnull, 0)
    warnings.warn_explicit(f"Error detected in {node.name()}. {found}", UserWarning, filename, line)
