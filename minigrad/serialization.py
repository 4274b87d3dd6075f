"""Tensors and the lists, tuples and dicts that they are in, kept in a file that can run no code.

The file is one of NumPy's .npz: each array is a member, and the member `structure` says in JSON how they belong
together. So `numpy.load(path, allow_pickle=False)` reads it too, and nothing in it is ever executed.
"""

import json
import os
from collections import OrderedDict
from typing import IO, Any

import numpy as np

from .core.tensor import Tensor, wrap
from .nn.parameter import Parameter
from .numbers import dtypes
from .numbers.dtypes import dtype
from .numbers.size_and_device import Size, device

FORMAT = "minigrad 1"
CONTAINERS = {"list": list, "tuple": tuple, "size": Size, "dict": dict, "ordered": OrderedDict}
TENSORS = {"tensor": Tensor, "parameter": Parameter}


def save(obj: Any, f: str | os.PathLike | IO[bytes]) -> None:
    """Write Tensors, numbers, strings, None, dtypes, and lists, tuples and dicts of them, to a path or a file.

    Kept are dtype, shape, `requires_grad`, which tensors are Parameters, and which are one and the same. A view is
    saved by itself, without the rest of its memory. Histories, `.grad` and attributes of your own are not saved.

    >>> import io
    >>> import minigrad as mg
    >>> file = io.BytesIO()  # or a path
    >>> mg.save({"weight": mg.ones(2, requires_grad=True), "epoch": 3}, file)
    >>> _ = file.seek(0)
    >>> mg.load(file)
    {'weight': tensor([1., 1.], requires_grad=True), 'epoch': 3}
    """
    writer = _Writer()
    content = writer.described(obj, "")
    text = json.dumps({"format": FORMAT, "tensors": writer.entries, "content": content})
    members: dict[str, Any] = {f"array_{i}": array for i, array in enumerate(writer.arrays)}
    members["structure"] = np.frombuffer(text.encode(), np.uint8)
    if hasattr(f, "write"):
        np.savez(f, **members)
        return
    unfinished = f"{os.fspath(f)}.unfinished"
    with open(unfinished, "wb") as stream:
        np.savez(stream, **members)
    os.replace(unfinished, f)  # what stood there before stays until the new file is whole


class _Writer:
    """Takes a structure apart: into arrays, and a description in which each tensor is a number."""

    def __init__(self) -> None:
        self.arrays: list[np.ndarray] = []
        self.entries: list[dict] = []  # what is said of each tensor; its array has the same number
        self.number_of: dict[int, int] = {}

    def described(self, value: Any, where: str) -> Any:
        value = value.item() if isinstance(value, np.generic) else value
        if value is None or type(value) in (bool, str, int, float):
            return value
        if isinstance(value, dtype):
            return {"dtype": value.name}
        if isinstance(value, Tensor):
            return {"tensor": self.numbered(value)}
        kind = next((name for name, kind in CONTAINERS.items() if type(value) is kind), None)
        if kind is None:
            raise TypeError(
                f"save(): cannot save a {type(value).__name__}{where and ' at ' + where}; what can be saved are "
                "Tensors, numbers, strings, None, dtypes, and lists, tuples and dicts of them"
            )
        if isinstance(value, dict):
            pairs = value.items()
            return {kind: [[self.described(k, where), self.described(one, f"{where}[{k!r}]")] for k, one in pairs]}
        return {kind: [self.described(one, f"{where}[{i}]") for i, one in enumerate(value)]}

    def numbered(self, tensor: Tensor) -> int:
        if id(tensor) not in self.number_of:
            self.number_of[id(tensor)] = len(self.arrays)
            kind = next(name for name in reversed(TENSORS) if isinstance(tensor, TENSORS[name]))
            self.entries.append({"kind": kind, "requires_grad": tensor.requires_grad})
            self.arrays.append(tensor.array)
        return self.number_of[id(tensor)]


def load(f: str | os.PathLike | IO[bytes], map_location: Any = None, *, weights_only: bool = True) -> Any:
    """Read what `save` wrote. `map_location` can lead to the CPU only; `weights_only` is always the case here.

    >>> import io
    >>> import minigrad as mg
    >>> file, layer = io.BytesIO(), mg.nn.Linear(2, 1)
    >>> mg.save(layer.state_dict(), file)
    >>> _ = file.seek(0)
    >>> mg.nn.Linear(2, 1).load_state_dict(mg.load(file))
    <All keys matched successfully>
    """
    if map_location is not None and not callable(map_location) and not isinstance(map_location, dict):
        device(map_location)
    name = getattr(f, "name", type(f).__name__) if hasattr(f, "read") else os.fspath(f)  # type: ignore[arg-type]
    try:
        with np.load(f, allow_pickle=False) as members:  # type: ignore[arg-type]
            return _content(members)
    except OSError:
        raise
    except Exception as error:  # whatever a file from anywhere leads to: the reader's complaint, or a wrong structure
        raise RuntimeError(
            f"cannot load '{name}': expected a file that minigrad.save wrote ({FORMAT!r}: an .npz with the member "
            f"'structure'), but it is damaged or of another kind, such as one of PyTorch's: {error}"
        ) from error


def _content(members) -> Any:
    """The structure put together again."""
    text = json.loads(members["structure"].tobytes())
    if text["format"] != FORMAT:
        raise ValueError(f"its format is {text['format']!r}, and this version reads {FORMAT!r}")
    tensors = []
    for i, entry in enumerate(text["tensors"]):
        array = dtypes.with_own_dtype(members[f"array_{i}"])
        tensors.append(wrap(array, cls=TENSORS[entry["kind"]]).requires_grad_(entry["requires_grad"]))

    def built(value):
        if not isinstance(value, dict):
            return value
        ((kind, part),) = value.items()
        if kind == "tensor":
            return tensors[part]
        if kind == "dtype":
            return dtypes.of(part)
        if issubclass(CONTAINERS[kind], dict):
            return CONTAINERS[kind]((built(key), built(one)) for key, one in part)
        return CONTAINERS[kind](built(one) for one in part)

    return built(text["content"])
