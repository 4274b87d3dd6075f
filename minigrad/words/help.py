"""What help() says of an operation: its formulas, its node, and an example, all asked of the operation itself.

>>> import minigrad as mg
>>> list(lines(mg.sin.op))[:3]
['sin(a), with a = input.', '', '∂out/∂a = cos(a)']
"""

import contextlib
import importlib
import math
from collections.abc import Iterator

import numpy as np


class Page(str):
    """A docstring that is written when it is read: help() and doctest begin with `expandtabs`, print with `__str__`."""

    row = None

    def __str__(self) -> str:
        return "\n".join(lines(self.row))

    def expandtabs(self, tabsize=8) -> str:
        return str(self)

    def __contains__(self, words) -> bool:
        return words in str(self)


def page(op) -> Page:
    """The docstring of an operation."""
    found = Page(op.name)
    found.row = op
    return found


def lines(op) -> Iterator[str]:
    """The page, line by line."""
    names = ", ".join(f"{'*' * (op.many and name in op.inputs)}{name}" for name in op.parameters)
    given = ", ".join(f"{name} = {op.torch_name(name)}" for name in op.inputs if name != op.torch_name(name))
    yield (op.says or f"{op.name}({names})") + (given and f", with {given}") + "."
    yield ""
    differentiable = [name for name in op.inputs if op.rules[name]]
    yield from [op.derivative(name) for name in differentiable] or ["No gradient flows through it."]
    shown, out = example(op)
    node = getattr(out[0] if isinstance(out, tuple) else out, "grad_fn", None)
    if node is not None:
        kept = dict.fromkeys(save.name for save in node.plan.saves)
        yield f"\nThe node {node.name()} keeps {', '.join(kept) or 'nothing'}."
    yield from ["", *shown] if shown else []


INPUTS = (  # for the inputs, one after the other
    ("[0.5, 0.25]", "[2.0, 4.0]", "[0.75, 0.5]"),
    ("[1.5, 3.0]",),
    ("[[0.5, 0.25], [1.5, 3.0]]", "[[2.0, 1.0], [0.0, 1.0]]"),
    ("[6, 4]", "[4, 2]"),
)
OPTIONS = (0, 1, 1)


def example(op) -> tuple[list[str], object]:
    """A session with the operation, in the first numbers that it takes and answers with numbers; and its result."""
    called = spelled(op)
    required = [name for name in op.parameters[len(op.inputs) :] if name not in op.presets]
    for numbers in INPUTS if called and not op.many else ():
        live = ", requires_grad=True" if "." in numbers[0] and any(op.rules.values()) else ""
        session = ["import minigrad as mg"]
        session += [f"{name} = mg.tensor({value}{live})" for name, value in zip(op.inputs, numbers)]
        arguments = [
            *op.inputs,
            *(f"{name}={(value,) if name == 'dims' else value}" for name, value in zip(required, OPTIONS)),
        ]
        session += [f"out = {called}({', '.join(arguments)})", "out"]
        if live:
            out = "out[0]" if op.outputs else "out"
            session += [f"{out}.sum().backward()", *(f"{name}.grad" for name in op.inputs if op.rules[name])]
        with contextlib.suppress(Exception), np.errstate(all="ignore"):
            return run(session)
    return [], None


def spelled(op) -> str | None:
    """How a person writes the operation's name."""
    for space in ("minigrad", "minigrad.nn.functional", "minigrad.special", "minigrad.linalg"):
        names = vars(importlib.import_module(space)).items()
        found = sorted((name for name, value in names if getattr(value, "op", None) is op), key=op.name.__ne__)
        if found:
            return f"{space}.{found[0]}".replace("minigrad", "mg")
    return None


def run(session: list[str]) -> tuple[list[str], object]:
    """What a person sees who types this."""
    space: dict = {}
    shown: list[str] = []
    for line in session:
        shown.append(f">>> {line}")
        if any(word in line for word in (" = ", "backward", "import")):
            exec(line, space)
        else:
            value = eval(line, space)
            for number in [value] if hasattr(value, "tolist") else value:
                if not all(map(math.isfinite, number.flatten().tolist())):
                    raise ValueError("an example with nan teaches nothing")
            shown += repr(value).splitlines()
    return shown, space["out"]
