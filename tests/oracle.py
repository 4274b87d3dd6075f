"""PyTorch as the judge.

A *question* is a function of a namespace, `minigrad` or `torch`, whose answer is plain JSON: numbers, texts, lists.
Both libraries answer the same question. PyTorch's answers are kept in `data/` (written by `python -m tests.record`), so
that the comparison works where PyTorch is not installed; where it is, `test_recording.py` asks it again.
"""

import functools
import json
import re
from pathlib import Path

import numpy as np
import pytest

DATA = Path(__file__).parent / "data"


def judge():
    """PyTorch; the calling test is skipped where it is not installed."""
    torch = pytest.importorskip("torch", reason="PyTorch, the judge, is not installed here")
    torch.set_num_threads(1)
    return torch


@functools.cache
def recorded(file: str) -> dict:
    """PyTorch's answers to the questions of one test file."""
    return json.loads((DATA / f"{file}.json").read_text(encoding="utf-8"))


@functools.lru_cache(1000)
def code(statement: str):
    """A statement, compiled once: it is tried while its program is written, then run in both libraries."""
    return compile(statement, "<string>", "exec")


def answer(question, m):
    """What a namespace answers; an error is an answer too."""
    try:
        return plain(question(m))
    except Exception as error:
        return {"raises": [kind_of(error), plain(str(error))]}


def kind_of(error: Exception) -> str:
    """The exception's class as both libraries have it: PyTorch raises some subclasses of its own."""
    known = (NotImplementedError, IndexError, TypeError, ValueError, AttributeError, RuntimeError)
    return next((kind.__name__ for kind in known if isinstance(error, kind)), type(error).__name__)


def plain(value):
    """An answer as JSON has it, in words that do not tell which library it is from."""
    if isinstance(value, np.ndarray):
        return [list(value.shape), [rounded(number) for number in value.ravel().tolist()]]
    if isinstance(value, np.generic):
        return rounded(value.item())
    if hasattr(value, "detach"):
        return plain(value.detach().numpy(force=True))
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, str):
        return re.sub(r"0x[0-9a-f]+", "0x…", value.replace("minigrad.", "torch."))
    if value is None or isinstance(value, bool | int | float):
        return rounded(value)
    return plain(str(value))


def rounded(number):
    return float(f"{number:.9g}") if isinstance(number, float) else number


def differences(ours, theirs, where: str = "") -> list[str]:
    """Where two answers differ, one line each; numbers may be apart by rounding."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if ours.keys() != theirs.keys():
            return [f"{where or 'answer'}: only one of the two has {sorted(ours.keys() ^ theirs.keys())}"]
        return [line for name in ours for line in differences(ours[name], theirs[name], f"{where}.{name}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [line for i, pair in enumerate(zip(ours, theirs)) for line in differences(*pair, f"{where}[{i}]")]
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (ours, theirs))
    same = type(ours) is type(theirs) and ours == theirs
    if numbers:
        same = np.isclose(ours, theirs, rtol=1e-8, atol=1e-10, equal_nan=True)
    return [] if same else [f"{where or 'answer'}: {ours!r}, PyTorch {theirs!r}"]


def assert_same(ours, theirs) -> None:
    found = differences(ours, theirs)
    assert not found, "\n".join(found)


# == numbers ===============================================================================================


def numbers(shape, low: float = -2.0, high: float = 2.0, salt: int = 0) -> np.ndarray:
    """Numbers that look random but are the same everywhere: the golden ratio's multiples, all different."""
    count = int(np.prod(shape))
    fractions = (np.arange(1, count + 1) * 0.6180339887498949 + salt * 0.3141592653589793) % 1
    return np.round(low + (high - low) * fractions, 9).reshape(shape)


def leaf(m, *values, dtype=None):
    """A leaf with one dimension."""
    return m.tensor([float(value) for value in values], dtype=dtype, requires_grad=True)


def scalar(m, value: float):
    """A leaf that is one number, without dimensions, in double precision."""
    return m.tensor(value, dtype=float, requires_grad=True)


def listed(value) -> list:
    return list(value) if isinstance(value, list | tuple) else [value]


def derivatives(m, call, arrays, order: int = 2) -> dict:
    """The values of `call(*tensors)`, and its derivatives along fixed weights: first, and second of everything."""
    tensors = [m.tensor(array, requires_grad=array.dtype.kind == "f") for array in arrays]
    outputs = listed(call(*tensors))
    found = {"values": [array_of(out) for out in outputs], "first": None, "second": None}
    live = [out for out in outputs if out.requires_grad]
    found["requires grad"] = [out.requires_grad for out in outputs]
    inputs = [x for x in tensors if x.requires_grad]
    if not live or not order:
        return found
    seeds = [m.tensor(numbers(tuple(out.shape), salt=7 + i), requires_grad=True) for i, out in enumerate(live)]
    first = m.autograd.grad(live, inputs, seeds, create_graph=order > 1, allow_unused=True)
    found["first"] = filled(first, inputs)
    if order > 1:
        used = [i for i, g in enumerate(first) if g is not None and g.requires_grad]
        weights = [m.tensor(numbers(tuple(first[i].shape), salt=70 + i)) for i in used]
        everything = [*inputs, *seeds]
        second = [None] * len(everything)
        if used:
            second = m.autograd.grad([first[i] for i in used], everything, weights, allow_unused=True)
        found["second"] = filled(second, everything)
    return found


def filled(gradients, inputs) -> list:
    """Zero and "does not depend on it" are the same number, and the libraries choose freely between them."""
    return [np.zeros(tuple(x.shape)) if g is None else array_of(g) for g, x in zip(gradients, inputs)]


def array_of(tensor) -> np.ndarray:
    return np.array(tensor.detach().numpy(force=True))  # forced: PyTorch has zeros without memory
