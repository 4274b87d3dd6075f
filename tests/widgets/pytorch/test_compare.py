"""`compare(f, …)`: one program on both engines, and the first number that differs."""

import subprocess
import sys

import pytest

from tests.hunt.hunt import program
from tests.hunt.judge import difference, run
from widgets import compare, record

torch = pytest.importorskip("torch")


def test_a_program_that_is_the_same():
    found = compare(lambda m, w: (m.sin(w) * w).sum(), [0.5, 2.0])
    assert found.same and found.first is None and found.compared == 7
    assert str(found).startswith("minigrad and PyTorch agree: 7 results and gradients, ")


def test_the_first_number_that_differs():
    def bent(m, w):
        y = w * 2 + (1 if m is torch else 1.5)
        return (y**2).sum()

    found = compare(bent, [0.5, 2.0])
    assert not found.same
    assert str(found) == (
        "The first number that differs is y = v1 + 1: minigrad has [2.5, 5.5], PyTorch has [2, 5] (its step 2)."
    )
    assert found.step().index == 2 and found.step("minigrad").index == 2


def test_a_gradient_that_differs():
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 3

    found = compare(lambda m, w: Wrong.apply(w).sum() if m is torch else (w * 2).sum(), [1.0])
    assert not found.same and found.first[0].what == "w.grad"


def test_what_only_one_refuses():
    found = compare(lambda m, w: m.nosuch(w) if m is torch else w * 1, 1.0)
    assert not found.same and "Only PyTorch refuses this program: AttributeError" in str(found)


def test_modules_and_training():
    def trained(m, x):
        m.manual_seed(0)
        net = m.nn.Sequential(m.nn.Linear(2, 3), m.nn.Tanh(), m.nn.Linear(3, 1))
        optimizer = m.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(2):
            optimizer.zero_grad()
            loss = net(x).square().mean()
            loss.backward()
            optimizer.step()

    found = compare(trained, [[1.0, 2.0], [3.0, 4.0]])
    assert found.same and found.compared > 20


QUICK = "elementwise reductions views indexing hooks training losses expressions matrix_products order in_hooks".split()


@pytest.mark.parametrize("name", QUICK)
def test_programs_of_the_hunt_are_recorded_undisturbed(name):
    """They do what they do unrecorded, and what is told of them can be told."""
    for seed in range(4):
        lines = program(name, seed)
        plain = run(torch, lines)
        with record() as recorded:
            heard = run(torch, lines)
        assert difference(heard, plain, kinds=True) == []
        if recorded.happened:
            assert not any(frame.get("wrong") for frame in recorded.trace["frames"])


def test_without_pytorch_it_says_what_to_do():
    text = (
        "import sys\nsys.modules['torch'] = None\nfrom widgets import compare\n"
        "try: compare(lambda m, x: x, 1.0)\nexcept ModuleNotFoundError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout
    assert said == "compare() runs a program on PyTorch, too, which is not installed here: pip install torch\n"


def test_recording_minigrad_never_imports_pytorch():
    text = (
        "import sys, minigrad as mg\nfrom widgets import record, step\nw = mg.tensor(1.0, requires_grad=True)\n"
        "with record() as run: (w * 2).backward()\nrun.trace\nstep(w * 2)\nprint('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", text], capture_output=True, text=True).stdout == "False\n"
