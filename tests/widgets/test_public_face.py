"""Widgets ask minigrad what a learner's own tool may ask: they use none of its private attributes."""

import ast
from pathlib import Path

import pytest

import widgets

ROOT = Path(widgets.__file__).parent
# What another engine has no public name for stands in one file.
FILES = sorted(path for path in ROOT.rglob("*.py") if path.name != "private.py")
PYTHONS_OWN = {"_exit", "_fields", "_getframe", "_make", "_replace", "_repr_mimebundle_"}  # os, sys, tuples, notebooks


def private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in PYTHONS_OWN


def reached_into(text: str, own: set[str] = frozenset()) -> list[str]:
    """The private attributes of other things that a file uses. `self._x` is its own, and so is what `own` names."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and private(node.attr) and node.attr not in own:
            if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
                found.append(ast.unparse(node))
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
            "getattr",
            "hasattr",
            "setattr",
            "delattr",
        ):
            name = node.args[1]
            if isinstance(name, ast.Constant) and private(str(name.value)):
                found.append(ast.unparse(node))
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found += [f"{node.module}.{alias.name}" for alias in node.names if private(alias.name)]
    return found


def defined(text: str) -> set[str]:
    """The private names that a file gives to its own classes and their objects."""
    tree = ast.parse(text)
    methods = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assigned = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"
    }
    return methods | assigned


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_widget_reaches_into_minigrad(path):
    text = path.read_text(encoding="utf-8")
    assert reached_into(text, defined(text)) == []


@pytest.mark.parametrize(
    "line",
    [
        "array = tensor._data",
        "tensor._node.edges.append(None)",
        "return getattr(tensor, '_base')",
        "if hasattr(run.result, '_node'): pass",
        "from minigrad.core.graph import _leaves",
        "self.tensor._grad = None",
    ],
)
def test_a_private_attribute_is_noticed(line):
    assert len(reached_into(f"def f(self, tensor, run):\n    {line}\n")) == 1
