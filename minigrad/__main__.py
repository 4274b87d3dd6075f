"""What is installed, where to read on, and whether it computes rightly here: `python -m minigrad`.

`python -m minigrad lessons [FOLDER]` puts blank copies of the course into a folder, and never writes over one.
"""

import argparse
import runpy
import sys
from pathlib import Path
from typing import Any

import minigrad as mg

from .autograd.gradcheck import gradcheck
from .words.absent import documents


def numbers_agree() -> bool:
    """Derivatives, first and second, against numbers worked out by hand."""
    x: Any
    w: Any
    x, w = mg.tensor([1.0, 2.0, 3.0], requires_grad=True), mg.tensor(0.5, requires_grad=True)
    loss = (x * w * x - x + (x - w) * 2).sum()
    for times in (1, 2):  # what a second backward finds is added
        loss.backward(retain_graph=True)
        if (x.grad.tolist(), w.grad.item()) != ([times * 2.0, times * 3.0, times * 4.0], times * 8.0):
            return False
    (slope,) = mg.autograd.grad(x.pow(3).sum(), x, create_graph=True)
    return mg.autograd.grad(slope.sum(), x)[0].tolist() == [6.0, 12.0, 18.0]


def differences_agree() -> bool:
    """Gradients of a formula, against finite differences."""
    a = mg.linspace(-1, 2, 6, dtype=mg.float64).reshape(2, 3).requires_grad_()
    return gradcheck(lambda a: (mg.sin(a) @ a.exp().T).softmax(1).log().cumsum(0) / a[:, :2], a)


def steps_agree() -> bool:
    """A backward that is stepped through, against one that runs, to the last bit."""
    found = []
    for backward in (mg.autograd.backward, lambda loss: list(mg.autograd.walk(loss))):
        mg.manual_seed(0)
        w: Any
        x, w = mg.randn(8, 4), mg.randn(4, 4, requires_grad=True)
        backward(((x @ w).tanh() @ w).exp().mean())
        found.append(w.grad.numpy().tobytes())
    return found[0] == found[1]


def changes_are_noticed() -> bool:
    """A value that a backward needs and that was overwritten, against the refusal to use it."""
    y = mg.ones(2, requires_grad=True).exp()
    loss = (y * y).sum()
    with mg.no_grad():
        y.mul_(2)
    try:
        loss.backward()
    except RuntimeError:
        return True
    return False


CHECKS = (numbers_agree, differences_agree, steps_agree, changes_are_noticed)


def self_check() -> int:
    """Say what is here; how many checks failed."""
    print(f"minigrad {mg.__version__}, Python {sys.version.split()[0]}")
    print(f"Read on in {documents()}: architecture.md, names.md, ops.md\n")
    wrong = 0
    for check in CHECKS:
        try:
            right = check()
        except Exception as error:  # whatever is wrong, the other checks run
            right = False
            print(f"{type(error).__name__}: {error}")
        wrong += not right
        print(f"{'right' if right else 'WRONG'}  {check.__doc__}")
    return wrong


def lessons(wanted: str | None) -> int:
    """Copy the lessons that are missing; say where they are."""
    # By its path, not by an import: the engine knows nothing of widgets, and this file of theirs needs nothing.
    course = runpy.run_path(str(Path(mg.__file__).resolve().parents[1] / "widgets" / "course.py"))
    try:
        place = course["make_copies"](Path(wanted).expanduser().resolve() if wanted else None)
    except OSError as error:
        print(f"The lessons could not be copied: {error}", file=sys.stderr)
        return 1
    print(f"Your lessons are in {place}. What was there already stays as it is.")
    if place != course["folder"]():
        print(f"Set the environment variable MINIGRAD_COURSE to {place}: your progress is kept there, too.")
    print(f'Open them with: jupyter lab "{place / course["INDEX"]}"')
    return 0


def main(arguments: list[str] | None = None) -> int:
    """The exit code."""
    about = "Without a command: what is installed, and whether it computes rightly here."
    parser = argparse.ArgumentParser(prog="python -m minigrad", description=about)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    copy = commands.add_parser("lessons", help="put blank copies of the lessons into a folder")
    copy.add_argument("folder", nargs="?", help="default: minigrad-course in your home folder, or MINIGRAD_COURSE")
    given = parser.parse_args(arguments)
    return lessons(given.folder) if given.command == "lessons" else self_check()


if __name__ == "__main__":
    sys.exit(main())
