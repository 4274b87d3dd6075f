"""How a tensor looks when printed: PyTorch's CPU layout, to the last character.

>>> import numpy as np
>>> print(text(np.array([1.5, -20.25], dtype=np.float32), grad_fn="MulBackward0"))
tensor([  1.5000, -20.2500], grad_fn=<MulBackward0>)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike


PROFILES: dict[str, dict[str, Any]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}
# what `set_printoptions` sets; `namespace` is the package named in `dtype=minigrad.float64`
options = SimpleNamespace(**PROFILES["default"], sci_mode=None, namespace="minigrad")


def set_printoptions(
    precision: int | None = None, threshold: float | None = None, edgeitems: int | None = None,
    linewidth: int | None = None, profile: str | None = None, sci_mode: bool | None = None,
    namespace: str | None = None,
) -> None:  # fmt: skip
    """Change how tensors print: first the profile ("default", "short" or "full"), then the single options over it.

    An option left out keeps its value, except `sci_mode`, which goes back to automatic (None) as in PyTorch.

    >>> import minigrad as mg
    >>> mg.set_printoptions(precision=2)
    >>> mg.tensor([1.23456])
    tensor([1.23])
    >>> mg.set_printoptions(profile="default")
    """
    sizes = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    given = {name: value for name, value in (sizes | {"namespace": namespace}).items() if value is not None}
    for name, value in (PROFILES.get(profile or "", {}) | given | {"sci_mode": sci_mode}).items():
        setattr(options, name, value)


@contextmanager
def printoptions(**changes: Any) -> Iterator[None]:
    """`set_printoptions` for the length of a `with` block.

    >>> import minigrad as mg
    >>> with mg.printoptions(sci_mode=True):
    ...     print(mg.tensor([1.5]))
    tensor([1.5000e+00])
    """
    before = dict(vars(options))
    set_printoptions(**changes)
    try:
        yield
    finally:
        set_printoptions(**before)


def text(
    array: np.ndarray, *, requires_grad: bool = False, grad_fn: str | None = None,
    default_dtype: DTypeLike = np.float32, prefix: str = "tensor(", tangent: str | None = None,
) -> str:  # fmt: skip
    """The `repr` of a tensor: its values, then whatever a reader could not guess from them.

    `grad_fn` is the node's name and hides `requires_grad`; the dtype is left out when a literal would get it anyway.

    >>> text(np.zeros((0, 3)), requires_grad=True)
    'tensor([], size=(0, 3), dtype=minigrad.float64, requires_grad=True)'
    >>> text(np.arange(3), prefix="Labels(")
    'Labels([0, 1, 2])'
    """
    array = np.asarray(array)
    facts = []
    if (array.size == 0 and array.ndim != 1) or (array.size > 0 and options.edgeitems == 0):
        facts.append(f"size={array.shape}")
    if array.dtype not in _unsaid_dtypes(array, np.dtype(default_dtype)):
        facts.append(f"dtype={options.namespace}.{array.dtype.name}")
    if grad_fn is not None:
        facts.append(f"grad_fn=<{grad_fn}>")
    elif requires_grad:
        facts.append("requires_grad=True")
    if tangent is not None:
        facts.append(f"tangent={tangent}")
    return _append_facts(prefix + _values(array, len(prefix)), facts, len(prefix)) + ")"


def _unsaid_dtypes(array: np.ndarray, default: np.dtype) -> tuple[np.dtype, ...]:
    """The dtypes that go without saying: with no values to show, only the default float does."""
    if array.size == 0:
        return (default,)
    default_complex = np.dtype(np.complex128 if default == np.float64 else np.complex64)
    return default, default_complex, np.dtype(np.int64), np.dtype(np.bool_)


def _append_facts(line: str, facts: list[str], indent: int) -> str:
    """Add each fact after a comma, on a new line when the last one is full."""
    used = len(line) - line.rfind("\n") + 1
    for fact in facts:
        if used + len(fact) + 2 > options.linewidth:
            line += ",\n" + " " * indent + fact
            used = indent + len(fact)
        else:
            line += ", " + fact
            used += len(fact) + 2
    return line


def _values(array: np.ndarray, indent: int) -> str:
    """The bracketed values, the lines after the first indented to the opening bracket."""
    if array.size == 0:
        return "[]"
    edge = options.edgeitems if array.size > options.threshold else array.size
    if edge == 0 and array.ndim > 0:
        return "[...]"
    show, width = _number_format(_shown(array, edge))
    return _nested(array, indent, edge, show, width)


def _shown(array: np.ndarray, edge: int) -> np.ndarray:
    """The part of the array that a summary shows; only these values decide the widths."""
    for axis in range(array.ndim):
        if array.shape[axis] > 2 * edge:
            array = np.delete(array, np.s_[edge : array.shape[axis] - edge], axis)
    return array


def _nested(array: np.ndarray, indent: int, edge: int, show: Callable[[Any], str], width: int) -> str:
    """Brackets around the rows: numbers fill lines, matrices stand apart by a blank line per extra dimension."""
    if array.ndim == 0:
        return show(array.item())
    cut = len(array) > 2 * edge
    rows = [*array[:edge], *array[-edge:]] if cut else list(array)
    if array.ndim > 1:
        parts = [_nested(row, indent + 1, edge, show, width) for row in rows]
    else:
        parts = [show(row.item()) for row in rows]
    if cut:
        parts.insert(edge, "..." if array.ndim > 1 else " ...")
    if array.ndim > 1:
        return "[" + (",\n" + "\n" * (array.ndim - 2) + " " * (indent + 1)).join(parts) + "]"
    per_line = max(1, (options.linewidth - indent) // (width + 2))
    lines = [", ".join(parts[start : start + per_line]) for start in range(0, len(parts), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _number_format(values: np.ndarray) -> tuple[Callable[[Any], str], int]:
    """How to show one number so that all of `values` line up, and the width that takes."""
    if values.dtype.kind == "c":
        show_real, real_width = _float_format(values.real)
        show_imag, imag_width = _float_format(values.imag)

        def show_complex(value: complex) -> str:
            imag = show_imag(value.imag).lstrip()
            return show_real(value.real) + ("" if imag.startswith("-") else "+") + imag + "j"

        return show_complex, real_width + imag_width + 1
    if values.dtype.kind == "f":
        return _float_format(values)
    width = max(len(str(value)) for value in values.ravel().tolist())
    return lambda value: str(value).rjust(width), width


def _float_format(values: np.ndarray) -> tuple[Callable[[float], str], int]:
    """One notation for all: `4.` if all are whole, `4.5000` if not, `4.5000e+00` if they spread too wide for that."""
    # Zeros, infinities and nans fit any notation, so they have no say in it.
    numbers = [value for value in values.ravel().tolist() if value != 0 and math.isfinite(value)]
    whole = all(value == math.floor(value) for value in numbers)
    small, large = min(map(abs, numbers), default=1), max(map(abs, numbers), default=1)
    scientific = large / small > 1000 or large > 1e8 or (small < 1e-4 and not whole)
    if options.sci_mode is not None and numbers:
        scientific = options.sci_mode
    spec = f".{options.precision}e" if scientific else ".0f" if whole else f".{options.precision}f"
    point = "." if whole and not scientific else ""
    width = max((len(format(value, spec) + point) for value in numbers), default=1)

    def show(value: float) -> str:
        return (format(value, spec) + (point if math.isfinite(value) else "")).rjust(width)

    return show, width
