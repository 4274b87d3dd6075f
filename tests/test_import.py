"""What `import minigrad` loads: NumPy and the standard library. And the examples in its docstrings are true."""

import ast
import doctest
import importlib
import json
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad

ROOT = Path(minigrad.__file__).parent
LOADED = """
import json, sys
import numpy
before = set(sys.modules)
import minigrad, minigrad.nn.functional, minigrad.optim, minigrad.func, minigrad.autograd.functional
print(json.dumps(sorted(set(sys.modules) - before)))
"""
PICTURES = {
    "widgets",
    "notebooks",
    "tests",
    "torch",
    "matplotlib",
    "graphviz",
    "pygraphviz",
    "ipywidgets",
    "anywidget",
    "IPython",
}


def top(name: str) -> str:
    return name.partition(".")[0]


def test_a_fresh_interpreter_loads_numpy_and_the_standard_library_alone():
    output = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT.parent, capture_output=True, text=True, check=True
    ).stdout
    loaded = {top(name) for name in json.loads(output)}
    assert "minigrad" in loaded
    assert loaded - sys.stdlib_module_names <= {"minigrad", "numpy"}


def imports(text: str) -> set[str]:
    """Every module that a file imports, anywhere in it; relative imports stay inside the package."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in (
            "import_module", "__import__",
        ):  # fmt: skip
            found |= {arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}
    return found


FILES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_engine_knows_nothing_of_pictures(path):
    found = {top(name) for name in imports(path.read_text(encoding="utf-8"))}
    assert not found & PICTURES
    assert found - sys.stdlib_module_names <= {"minigrad", "numpy"}


def test_a_hidden_import_would_be_found():
    text = (
        "def f():\n    from widgets.drawing import draw\n    import torch.nn\n    importlib.import_module('graphviz')"
    )
    assert {top(name) for name in imports(text)} == {"widgets", "torch", "graphviz"}


def linted(folder: Path) -> subprocess.CompletedProcess:
    """What import-linter says of the tree in a folder, by the contracts of its pyproject.toml."""
    lint = "from importlinter.cli import lint_imports_command as lint; lint(['--no-cache'])"
    return subprocess.run([sys.executable, "-c", lint], cwd=folder, capture_output=True, text=True)


def test_imports_between_the_rooms_go_one_way():
    said = linted(ROOT.parent)
    assert said.returncode == 0, said.stdout


@pytest.mark.parametrize(
    ("room", "planted"),
    [
        ("minigrad/core/modes.py", "import minigrad.ops.shape"),
        ("minigrad/ops/shape.py", "def late():\n    from ..nn import Module"),
        ("minigrad/words/printing.py", "from ..core.tensor import Tensor"),
        ("minigrad/core/tensor.py", "def late():\n    from .forward import apply"),
        ("minigrad/optim/sgd.py", "from widgets.drawing import graph"),
        ("widgets/recording/moments.py", "from ..telling.trace import brief"),
        ("widgets/plots/live.py", "from ..showing import page"),
        ("widgets/telling/trace.py", "def late():\n    from .scene import Scene"),
        ("widgets/drawing/graph.py", "from minigrad.core.graph import Node"),
    ],
)
def test_an_import_the_wrong_way_is_found(tmp_path, room, planted):
    for name in ("minigrad", "widgets", "pyproject.toml"):
        copy = shutil.copytree if (ROOT.parent / name).is_dir() else shutil.copy
        copy(ROOT.parent / name, tmp_path / name)
    with (tmp_path / room).open("a", encoding="utf-8") as file:
        file.write(f"\n\n{planted}\n")
    said = linted(tmp_path)
    assert said.returncode == 1 and "BROKEN" in said.stdout


def modules() -> list[str]:
    return ["minigrad", *(info.name for info in pkgutil.walk_packages(minigrad.__path__, "minigrad."))]


def each_module():
    return modules()


@pytest.mark.parametrize("name", each_module())
def test_the_examples_in_the_docstrings(name):
    module = importlib.import_module(name)
    assert not doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed


def test_there_are_many_examples():
    finder = doctest.DocTestFinder()
    found = [one for name in modules() for one in finder.find(importlib.import_module(name)) if one.examples]
    assert len(found) > 30


def test_each_module_says_what_it_is_for():
    assert [path.name for path in FILES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))] == []


def test_the_public_names_are_there():
    names = (
        "tensor zeros ones full eye arange linspace from_numpy as_tensor no_grad enable_grad autograd nn Tensor float32"
    )
    assert [name for name in names.split() if not hasattr(minigrad, name)] == []


def test_no_table_of_ours_is_taken_for_what_was_meant():
    with pytest.raises(AttributeError, match="Did you mean 'gather'"):
        minigrad.laters  # noqa: B018 - LATER is nearer


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [("mg.sinn", "sin"), ("mg.nn.Liner", "Linear"), ("mg.optim.Sgd", "SGD")],
)
def test_a_misspelt_name_is_told_what_was_meant_once(misspelt, meant):
    fresh = subprocess.run([sys.executable, "-c", f"import minigrad as mg; {misspelt}"], capture_output=True, text=True)
    assert fresh.stderr.strip().endswith(f". Did you mean '{meant}'?") and fresh.stderr.count("Did you mean") == 1


def test_python_finds_the_attributes_of_tensors_by_itself():
    """With a `__getattr__` of its own, each `tensor._data` in the engine would take Python a longer way."""
    assert not hasattr(minigrad.Tensor, "__getattr__")
    assert minigrad.Tensor.__getattribute__ is object.__getattribute__


def test_what_is_imported_later_is_offered_for_completion():
    fresh = "import minigrad as mg; print({'nn', 'optim', 'func'} <= set(dir(mg)), 'functional' in dir(mg.autograd))"
    said = subprocess.run([sys.executable, "-c", fresh], capture_output=True, text=True).stdout
    assert said.split() == ["True", "True"]


def test_what_only_tools_ask_for_is_not_taken_for_misspelt():
    with pytest.raises(AttributeError) as asked:
        minigrad.__sin__  # noqa: B018
    assert "has no attribute '__sin__'" in str(asked.value) and "Did you mean" not in str(asked.value)
