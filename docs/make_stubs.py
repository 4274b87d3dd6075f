"""Write the stubs that tell type checkers and editors what the tables make: methods, operators and functions.

    .venv/bin/python docs/make_stubs.py

The rows of minigrad/ops/ become functions, methods and operators when the package is imported, where no type checker
looks. What is written here is read from the imported package, so it is true by construction; a test holds the stubs to
it.
"""

import ast
import importlib
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import minigrad
from minigrad import nn
from minigrad.numbers import dtypes
from minigrad.ops import operators
from minigrad.tensors.protocols import Protocols

WHERE = ("out", "inplace")  # to which a function may write, and no method
ROOT = Path(minigrad.__file__).parent
HEAD = '''"""Made by docs/make_stubs.py, which asks the imported package: {what}."""

from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from typing import Any, Self

import numpy as np

from {dots}numbers.dtypes import dtype
from {dots}core.tensor import Tensor

_Operand = Tensor | np.ndarray | _bool | _int | _float | _complex
'''
BUILTINS = {kind: f"_{kind.__name__}" for kind in (bool, int, float, complex, str)}
KNOWN = {**BUILTINS, minigrad.Tensor: "Tensor", dtypes.dtype: "dtype", None: "None", type(None): "None"}
KNOWN |= {name: spelt for kind, spelt in KNOWN.items() if kind for name in [kind.__name__]}
SEVERAL = (  # functions of the tables that return more than one tensor, or no tensor
    "allclose broadcast_shapes broadcast_tensors chunk equal "
    "max median meshgrid min nanmedian nonzero numpy sort split split_with_sizes std_mean stride "
    "tensor_split hsplit vsplit dsplit kthvalue cummax cummin slogdet svd "
    "tolist topk type unbind unique unsafe_chunk unsafe_split unsafe_split_with_sizes var_mean "
    "where"
).split()
COMPARISONS = ("__eq__", "__ne__")  # for which Python itself promises a bool
OPERATORS = {*operators.OPERATORS, *operators.IN_PLACE}
PYTHONS = {"__firstlineno__", "__static_attributes__"}  # what a class has since Python 3.13
PROTOCOLS = {name for name in vars(Protocols) if name.startswith("__") and not hasattr(object, name)} - PYTHONS
PRIVATE = ("_grad_fn", "_backward_hooks", "_is_view", "_tangent", "_version")  # for the engine's own type check


def annotation(given: Any) -> str:
    """A type as a stub spells it; what is not simple is Any."""
    return KNOWN.get(given, "Any") if isinstance(given, type | str | None) else "Any"


def parameter(one: inspect.Parameter, row) -> str:
    """One parameter, with a default if it has one; the inputs of a row take tensors and numbers."""
    stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
    inputs = [row.torch_name(name) for name in row.inputs] if row else ()
    kind = "_Operand" if one.name in inputs else annotation(one.annotation)
    return f"{stars}{one.name}: {kind}" + (" = ..." if one.default is not one.empty else "")


def parameters(function, skip_first: bool, in_place: bool = False) -> str:
    """What a call takes: the row's own arguments, the options of its other forms, and NumPy's words for `dim`."""
    row = getattr(function, "op", None)
    found = list(inspect.signature(function).parameters.values())
    found = [one for one in found if not (one.kind is one.VAR_KEYWORD and row)]
    names = {one.name for one in found}
    known = {None, "", *row.inputs, *(WHERE if skip_first or in_place else ())} if row else set()
    more = [name for name in (row.overloads if row else ()) if name not in known]
    more += [word for word, name in (("axis", "dim"), ("keepdims", "keepdim")) if row and name in names]
    texts = [parameter(one, row) for one in found]
    for place, one in enumerate(found):
        if one.kind is one.KEYWORD_ONLY and not any(p.kind is p.VAR_POSITIONAL for p in found[:place]):
            texts.insert(place, "*")
            break
    if more and not any(text.startswith("*") for text in texts):
        texts.append("*")
    texts += [f"{name}: Any = ..." for name in more]
    if skip_first:
        texts = ["self", *texts[not texts[0].startswith("*") :]]
    return ", ".join(texts)


def result(name: str, function) -> str:
    row, annotations = getattr(function, "op", None), getattr(function, "__annotations__", {})
    if row is None and "return" in annotations:
        return annotation(annotations["return"])
    if row is None:
        return "Tensor" if function.__module__.startswith("minigrad.ops") and name not in SEVERAL else "Any"
    return "tuple[Tensor, ...]" if row.outputs else "Tensor"


def declaration(name: str, value, method: bool) -> str:
    """One line of a stub."""
    if isinstance(value, property):
        given = getattr(value.fget, "__annotations__", {})
        returned = annotation(given["return"]) if "return" in given else "Tensor"
        returned = "Any" if name in ("name", "names", "nbytes", *PRIVATE) else returned
        return f"{name}: {returned}" if value.fset else f"@property\ndef {name}(self) -> {returned}: ..."
    if isinstance(value, dtypes.dtype):
        return f"{name}: dtype"
    if inspect.isfunction(value):
        operator = method and name.startswith("__") and name.endswith("__") and name not in PROTOCOLS
        if operator and name not in ("__getitem__", "__setitem__"):
            taken = inspect.signature(value).parameters.values()
            binary = len(taken) > 1 or hasattr(value, "op") or any(one.kind is one.VAR_POSITIONAL for one in taken)
            binary = binary and name not in ("__neg__", "__pos__", "__abs__", "__invert__")
            other = ", other: _Operand" * binary if name not in COMPARISONS else ", other: object"
            ignore = "  # type: ignore[override]" if name in COMPARISONS else ""
            returned = "Self" if f"__{name[3:]}" in vars(minigrad.Tensor) and name[2] == "i" else "Tensor"
            return f"def {name}(self{other}) -> {returned}: ...{ignore}"
        returned = "None" if name == "__setitem__" else "Tensor" if name == "__getitem__" else result(name, value)
        if name.endswith("_") and not name.endswith("__"):
            returned = "Self" if method else "Tensor"
            free = any(one.kind is one.VAR_KEYWORD for one in inspect.signature(value).parameters.values())
            base = getattr(minigrad.Tensor, name[:-1], getattr(minigrad, name[:-1], value))
            value = base if free and callable(base) else value  # a twin takes what its function takes
        taken = parameters(value, method, name.endswith("_"))
        return f"def {name}({taken}) -> {returned}: ..."
    return f"{name}: Any"


def written(tree: ast.AST) -> set[str]:
    """The names that a type checker finds in a class or a module by itself."""
    found = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            if node.names[0].name == "*" and isinstance(node, ast.ImportFrom):  # of a module that lists its names
                found |= {*importlib.import_module("." * node.level + str(node.module), "minigrad").__all__}
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def methods() -> Iterator[str]:
    """What the tables put on Tensor."""
    tree = ast.parse((ROOT / "core" / "tensor.py").read_text(encoding="utf-8"))
    own = written(next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Tensor"))
    for name, value in sorted(vars(minigrad.Tensor).items()):
        if name not in own and (name in {*OPERATORS, *PROTOCOLS} or not name.startswith("_") or name in PRIVATE):
            yield declaration(name, value, method=True)


def functions() -> Iterator[str]:
    """What the tables put into the package, and what it imports when it is first asked for."""
    own = written(ast.parse((ROOT / "__init__.py").read_text(encoding="utf-8")))
    for name, value in sorted(vars(minigrad).items()):
        if name not in own and not name.startswith("_") and not isinstance(value, ModuleType):
            yield declaration(name, value, method=False)
    for name in sorted(minigrad.LATER):
        kind = getattr(minigrad, name)
        room = "." + minigrad.LATER[name].rpartition(".")[0]
        is_module = isinstance(kind, ModuleType)
        yield f"from {room} import {name} as {name}" if is_module else declaration(name, kind, False)


def stubs() -> dict[Path, str]:
    """Each stub's place and text."""
    inside = "\n".join(methods())
    functional = (declaration(name, getattr(nn.functional, name), False) for name in nn.functional.__all__)
    contents = {
        "methods.pyi": ("what the tables put on Tensor", ["class Methods:", textwrap.indent(inside, "    ")]),
        "functions.pyi": ("what the tables put into the package", functions()),
        "nn/functional.pyi": ("what the tables put into nn.functional", functional),
    }
    return {
        ROOT / place: HEAD.format(what=what, dots="." * (place.count("/") + 1)) + "\n" + "\n".join(lines) + "\n"
        for place, (what, lines) in contents.items()
    }


if __name__ == "__main__":
    for place, text in stubs().items():
        place.write_text(text, encoding="utf-8")
        print(f"{place.relative_to(ROOT)}: {text.count(chr(10))} lines")
