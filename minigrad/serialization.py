"""Tensors and the lists, tuples and dicts that they are in, kept in a file that can run no code.

>>> import io
>>> import minigrad as mg
>>> file = io.BytesIO()
>>> save({"weight": mg.ones(2, requires_grad=True), "epoch": 3}, file)
>>> load(io.BytesIO(file.getvalue()))
{'weight': tensor([1., 1.], requires_grad=True), 'epoch': 3}

The file is one of NumPy's .npz: each array is a member, and the member `structure` says in JSON how they belong
together. So `numpy.load(path, allow_pickle=False)` reads it too, and nothing in it is ever executed.
"""

import json
import math
import os
import secrets
import shutil
from collections import OrderedDict
from typing import IO, Any

import numpy as np

from . import dtypes
from .dtypes import dtype
from .nn.parameter import Parameter
from .tensor import Size, Tensor, device, wrap

FORMAT = "minigrad 1"
KINDS = {"list": list, "tuple": tuple, "set": set, "size": Size, "dict": dict, "ordered": OrderedDict}
TENSORS = {"tensor": Tensor, "parameter": Parameter}

# == writing ===============================================================================================


def save(
    obj: Any, f: str | os.PathLike | IO[bytes], pickle_module: Any = None, pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
) -> None:  # fmt: skip
    """Write Tensors, numbers, strings, None, dtypes, and lists, tuples, sets and dicts of them, to a path or a file.

    Kept are dtype, shape, `requires_grad`, your own attributes (`x.label = "dog"`), which of them are Parameters, and
    which are one and the same or share all their memory. A view is saved by itself, without the rest of its
    memory. Histories and `.grad` are not saved.
    A file that exists is replaced as a whole, when the new one is safely on disk, or not at all.
    """
    members = _Writer().members(obj)
    if hasattr(f, "write"):
        np.savez(f, **members)
        return
    path = os.path.realpath(f)
    if not os.path.isdir(os.path.dirname(path)):
        raise RuntimeError(f"Parent directory {os.path.dirname(path)} does not exist.")
    unfinished = f"{path}.{secrets.token_hex(4)}.unfinished"
    try:
        with open(unfinished, "xb") as stream:
            np.savez(stream, **members)
            stream.flush()
            os.fsync(stream.fileno())
        if os.path.exists(path):
            shutil.copymode(path, unfinished)
        os.replace(unfinished, path)
    except BaseException:
        if os.path.exists(unfinished):
            os.unlink(unfinished)
        raise


class _Writer:
    """Takes a structure apart: into arrays, and a description in which they have numbers."""

    def __init__(self) -> None:
        self.arrays: list[np.ndarray] = []
        self.tensors: list[dict] = []
        self.number_of: dict = {}  # of each tensor, and of each piece of memory
        self.inside: list[int] = []  # the containers that are being described

    def members(self, obj) -> dict[str, Any]:
        content = self.described(obj, "")
        text = json.dumps({"format": FORMAT, "tensors": self.tensors, "content": content}, allow_nan=False)
        structure = np.frombuffer(text.encode(), np.uint8)
        return {"structure": structure} | {f"array_{i}": array for i, array in enumerate(self.arrays)}

    def described(self, value, where: str):
        value = value.item() if isinstance(value, np.generic) else value
        if value is None or isinstance(value, bool | str):
            return value
        if type(value) is int or (type(value) is float and math.isfinite(value)):
            return value
        if isinstance(value, float | complex):
            return {"number": [type(value).__name__, str(value)]}
        if isinstance(value, dtype):
            return {"dtype": value.name}
        if isinstance(value, device):
            return {"device": str(value)}
        if isinstance(value, bytes):
            return {"bytes": value.decode("latin-1")}
        if isinstance(value, Tensor):
            return {"tensor": self.tensor(value, where)}
        kind = next((name for name, kind in KINDS.items() if type(value) is kind), None)
        if kind is None or id(value) in self.inside:
            what = "a structure that contains itself" if kind else f"a {type(value).__name__}"
            raise TypeError(
                f"save(): cannot save {what}{where and ' at ' + where}; what can be saved are Tensors, numbers, "
                "strings, None, dtypes, and lists, tuples, sets and dicts of them"
            )
        self.inside.append(id(value))
        if isinstance(value, dict):
            parts = [[self.described(k, where), self.described(v, f"{where}[{k!r}]")] for k, v in value.items()]
        else:
            parts = [self.described(one, f"{where}[{i}]") for i, one in enumerate(value)]
        self.inside.pop()
        return {kind: parts}

    def tensor(self, tensor: Tensor, where: str) -> int:
        if id(tensor) not in self.number_of:
            kind = "parameter" if isinstance(tensor, Parameter) else "tensor"
            entry: dict[str, Any] = {
                "array": self.array(tensor.array),
                "requires_grad": tensor.requires_grad,
                "kind": kind,
            }
            if tensor.array.dtype.kind == "V":  # which a file of NumPy's cannot name
                entry["dtype"] = tensor.dtype.name
            self.number_of[id(tensor)] = len(self.tensors)
            self.tensors.append(entry)  # before its attributes, among which it may be itself
            own = {name: value for name, value in vars(tensor).items() if not name.startswith("_")}
            if own:
                entry["attributes"] = {name: self.described(value, f"{where}.{name}") for name, value in own.items()}
        return self.number_of[id(tensor)]

    def array(self, array: np.ndarray) -> int:
        memory = array.__array_interface__["data"][0] if array.size else id(array)
        key = (memory, array.shape, array.strides, array.dtype)
        if key not in self.number_of:
            self.number_of[key] = len(self.arrays)
            self.arrays.append(array.view(np.uint16) if array.dtype.kind == "V" else array)
        return self.number_of[key]


# == reading ===============================================================================================


def load(
    f: str | os.PathLike | IO[bytes], map_location: Any = None, pickle_module: Any = None, *,
    weights_only: bool | None = None, mmap: bool | None = None,
) -> Any:  # fmt: skip
    """Read what `save` wrote. `map_location` may only say "cpu"; PyTorch's other options change nothing here."""
    if map_location is not None and not callable(map_location) and not isinstance(map_location, dict):
        device(map_location)
    name = getattr(f, "name", type(f).__name__) if hasattr(f, "read") else os.fspath(f)  # type: ignore[arg-type]
    try:
        with np.load(f, allow_pickle=False) as members:  # type: ignore[arg-type]
            return _content(members)
    except OSError:
        raise
    except (
        Exception
    ) as error:  # whatever a file from anywhere may lead to: its reader's complaint, or a wrong structure
        raise RuntimeError(f"cannot load '{name}': {_guess(f, error)}") from error


def _content(members):
    """Put the structure together again."""
    if "structure" not in getattr(members, "files", ()):
        raise ValueError("it has no member 'structure'")
    text = json.loads(members["structure"].tobytes())
    if text["format"] != FORMAT:
        raise ValueError(f"its format is {text['format']!r}, and this version reads {FORMAT!r}")
    memories = [(members[f"array_{i}"], [0]) for i in range(1 + max((t["array"] for t in text["tensors"]), default=-1))]
    tensors = []
    for entry in text["tensors"]:
        array, counter = memories[entry["array"]]
        array = array.view(dtypes.of(entry["dtype"]).numpy) if "dtype" in entry else array
        dtypes.of(array.dtype)
        tensor = wrap(array, counter=counter, cls=TENSORS[entry["kind"]])
        tensors.append(tensor.requires_grad_(entry["requires_grad"]))

    def built(value):
        if not isinstance(value, dict):
            return value
        ((kind, part),) = value.items()
        if kind == "tensor":
            return tensors[part]
        if kind == "number":
            return {"float": float, "complex": complex}[part[0]](part[1])
        if kind == "dtype":
            return dtypes.of(part)
        if kind == "device":
            return device(part)
        if kind == "bytes":
            return part.encode("latin-1")
        if issubclass(KINDS[kind], dict):
            return KINDS[kind]((built(key), built(one)) for key, one in part)
        return KINDS[kind](built(one) for one in part)

    for tensor, entry in zip(tensors, text["tensors"]):
        for name, value in entry.get("attributes", {}).items():
            if name.startswith("_"):
                raise ValueError(f"it sets {name!r}, which is the engine's own")
            vars(tensor)[name] = built(value)
    return built(text["content"])


def _guess(f, error: Exception) -> str:
    """What is wrong with a file, as far as it can be told."""
    expected = f"expected a file that minigrad.save wrote ({FORMAT!r}: an .npz with the member 'structure')"
    if not hasattr(f, "read"):
        if not os.path.getsize(f):
            return f"{expected}, but it is empty"
        with open(f, "rb") as stream:
            start = stream.read(4096)
        if not start.startswith(b"PK"):
            return f"{expected}, but it is no zip archive: it begins with {start[:8]!r}"
        if b"data.pkl" in start:
            return (
                f"{expected}, but this is a pickle of PyTorch's, which could run code; save it there with numpy.savez"
            )
    return f"{expected}, but it is damaged or of another kind: {error}"
