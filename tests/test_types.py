"""What type checkers and editors know: the stubs are up to date, a sound program passes, and nonsense does not."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")
ROOT = Path(__file__).parent.parent

SOUND = """
import numpy as np
import minigrad
import minigrad as mg

a = mg.tensor([1.0, 2.0], requires_grad=True)
b = mg.ones(2, dtype=mg.float64)
(a * b).sum().backward()
loss: mg.Tensor = (2 * minigrad.sin(a) + 1 - b / a ** 2).mean()
matrix = (a.reshape(2, 1) @ b.view(1, 2)).T.clamp(min=0).add_(b, alpha=2)
picked: mg.Tensor = matrix[0, :1].float()
values, indices = matrix.max(dim=0)
mask = (a > 1) & ~(b == np.ones(2))
a.sum(axis=0, keepdims=True).item()
with mg.no_grad():
    a.sub_(0.1 * a).zero_()
mg.nn.functional.mse_loss(mg.where(mask, a, 0.0), b).backward()
mg.save({"a": a}, "a.pt")
layer = mg.nn.Linear(2, 2)
mg.optim.SGD(layer.parameters(), lr=0.1).step()
half = a.to(mg.float16).exp()
"""
# The flags of --strict that may stand in a file. As they are its own, the package is known from mypy's last run here.
STRICT = """
# mypy: disallow-any-generics, disallow-subclassing-any, disallow-untyped-calls, disallow-untyped-defs
# mypy: disallow-incomplete-defs, check-untyped-defs, disallow-untyped-decorators, warn-unused-ignores
# mypy: warn-return-any, no-implicit-reexport, strict-equality, extra-checks
from typing import Any

import minigrad as mg
from minigrad import func, no_grad, tensor
from minigrad.nn import Linear, Module
from minigrad.optim import Adam
from widgets import plot_gradient, record


class Net(Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = Linear(2, 1)

    def forward(self, x: mg.Tensor) -> mg.Tensor:
        return mg.sin(self.layer(x))


class Square(mg.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: mg.Tensor) -> mg.Tensor:
        ctx.save_for_backward(a)
        return a * a

    @staticmethod
    def backward(ctx: Any, g: mg.Tensor) -> mg.Tensor:
        a: mg.Tensor = ctx.saved_tensors[0]
        return 2 * a * g


net = Net()
with record() as run, no_grad():
    net(tensor([1.0, 2.0])).sum()
Adam(net.parameters()).step()
func.grad(mg.sin)(Square.apply(tensor(1.0)))
for parameter in net.parameters():
    parameter -= 0.1
plot_gradient(mg.sin, tensor([0.0, 1.0]))
"""
UNTYPED = """
from widgets import os
from minigrad.nn import absent
def bare(a): return a
def loose(a: mg.Tensor) -> list: return [a]
bare(1)
""".split("\n")[1:-1]
NONSENSE = """
a.sinn()
mg.sinn(a)
mg.sin()
mg.sin("x")
a + "x"
mg.mul(a)
a.sum(dimension=0)
(a * b).sum().backwards()
mg.exp(a).reshape(2).squeeeze()
mg.nn.functional.reluu(a)
a.add_(b, beta=2)
a.clamp(0, 1, 2)
""".split("\n")[1:-1]


def complaints(program: str, where: Path) -> list[str]:
    """The lines that mypy objects to, each once. It knows the package from its last run here."""
    file = where / "program.py"
    file.write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--hide-error-context", str(file)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not said.stderr
    texts = program.splitlines()
    found = [line.split(":") for line in said.stdout.splitlines() if ": error:" in line]
    return list(dict.fromkeys(texts[int(parts[1]) - 1] for parts in found if parts[0].endswith("program.py")))


def script():
    spec = importlib.util.spec_from_file_location("make_stubs", ROOT / "docs/make_stubs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["methods.pyi", "functions.pyi", "functional.pyi"])
def test_the_stubs_are_what_the_tables_make(name):
    (text,) = [text for place, text in script().stubs().items() if place.name == name]
    (path,) = (ROOT / "minigrad").rglob(name)
    assert path.read_text(encoding="utf-8") == text, "run: python docs/make_stubs.py"


@pytest.mark.slow
def test_a_sound_program_passes_and_nonsense_does_not(tmp_path):
    assert complaints(SOUND + "\n".join(NONSENSE), tmp_path) == NONSENSE


def test_the_package_says_that_it_has_types():
    assert (ROOT / "minigrad/py.typed").exists()


@pytest.mark.slow
def test_a_strict_checker_finds_what_a_learner_imports(tmp_path):
    assert complaints(STRICT + "\n".join(UNTYPED), tmp_path) == UNTYPED
