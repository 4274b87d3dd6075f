"""What help() says of a function: its formulas and its node, or a sentence; and an example, which is run to be read.

>>> import minigrad as mg
>>> list(of_row(mg.sin.op))[:3]
['sin(a), with a = input.', '', '∂out/∂a = cos(a)']
"""

import contextlib
import functools
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


class Page(str):
    """A docstring that is written when it is read: help() and doctest begin with `expandtabs`, print with `__str__`."""

    lines: Callable[[], Iterator[str]]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def expandtabs(self, tabsize=8) -> str:
        return str(self)

    def __contains__(self, words) -> bool:
        return words in str(self)


def written(name: str, lines: Callable, *args) -> Page:
    found = Page(name)
    found.lines = functools.partial(lines, *args)
    return found


def page(op) -> Page:
    """The docstring of an operation."""
    return written(op.name, of_row, op)


def page_of_twin(op, name: str) -> Page:
    """The docstring of the form in place; None for `op` stands for a function that is no row of a table."""
    return written(name, of_function, f"`{name.rstrip('_')}`, written over the tensor itself.", name, op)


def with_example(said: str | None, name: str) -> Page:
    """A docstring, followed by the example that `examples.txt` has for this name; where there is none, its words."""
    return written(name, of_function, said, name)


def of_function(said: str | None, name: str, op=None) -> Iterator[str]:
    yield inspect.cleandoc(said) if said else examples().get(name, ("", f"`{name}`, composed of other operations."))[1]
    shown = listed(name) or (example(op, name)[0] if op is not None else [])
    yield from ["", *shown] if shown else []


def listed(name: str) -> list[str]:
    """The session that `examples.txt` has for a name."""
    session, _ = examples().get(name, ("", ""))
    return run(["import minigrad as mg", *session.split("; ")])[0] if session else []


@functools.cache
def examples() -> dict[str, tuple[str, str]]:
    """For each name what a person types, and the words where there is no docstring.

    >>> examples()["nn.functional.softmin"]
    ('mg.nn.functional.softmin(mg.tensor([0.0, 1.0]), dim=0)', '`softmax` of -x.')
    """
    from pathlib import Path  # with all that it brings, it takes a tenth of the import

    text = Path(__file__).with_name("examples.txt").read_text(encoding="utf-8")
    lines = re.findall(r"^(\w\S*):(.*?)(?: # (.+))?$", text, re.MULTILINE)
    return {name: (session.strip(), words) for name, session, words in lines}


def of_row(op) -> Iterator[str]:
    """The page of an operation, line by line."""
    names = ", ".join(f"{'*' * (op.many and name in op.inputs)}{name}" for name in op.parameters)
    given = ", ".join(f"{name} = {op.torch_name(name)}" for name in op.inputs if name != op.torch_name(name))
    yield (op.says or f"{op.name}({names})") + (given and f", with {given}") + "."
    _, words = examples().get(op.name) or examples().get(f"nn.functional.{op.name}", ("", ""))
    yield from [words] if words else []
    yield ""
    differentiable = [name for name in op.inputs if op.rules[name]]
    yield from [op.derivative(name) for name in differentiable] or ["No gradient flows through it."]
    shown, out = example(op)
    shown = shown or listed(op.name)
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


def example(op, twin: str = "") -> tuple[list[str], object]:
    """A session with the operation, in the first numbers that it takes and answers with numbers; and its result.

    With its `twin`, the form in place, the first of its tensors is shown as it is afterwards.
    """
    called = twin or spelled(op)
    required = [name for name in op.parameters[len(op.inputs) :] if name not in op.presets]
    for numbers in INPUTS if called and not op.many else ():
        live = ", requires_grad=True" if "." in numbers[0] and any(op.rules.values()) and not twin else ""
        session = ["import minigrad as mg"]
        session += [f"{name} = mg.tensor({value}{live})" for name, value in zip(op.inputs, numbers)]
        arguments = [
            *op.inputs,
            *(f"{name}={(value,) if name == 'dims' else value}" for name, value in zip(required, OPTIONS)),
        ]
        if twin:
            first, *arguments = arguments
            session += [f"out = {first}.{twin}({', '.join(arguments)})", first, f"out is {first}"]
        else:
            session += [f"out = {called}({', '.join(arguments)})", "out"]
        if live:
            out = "out[0]" if op.outputs else "out"
            session += [f"{out}.sum().backward()", *(f"{name}.grad" for name in op.inputs if op.rules[name])]
        with contextlib.suppress(Exception), np.errstate(all="ignore"):
            shown, space = run(session)
            if not re.search(r"\b(nan|inf)\b", "\n".join(shown)):  # which teaches nothing
                return shown, space["out"]
    return [], None


def spelled(op) -> str | None:
    """How a person writes the operation's name."""
    for space in ("minigrad", "minigrad.nn.functional", "minigrad.special", "minigrad.linalg"):
        names = vars(importlib.import_module(space)).items()
        found = sorted((name for name, value in names if getattr(value, "op", None) is op), key=op.name.__ne__)
        if found:
            return f"{space}.{found[0]}".replace("minigrad", "mg")
    return None


def run(session: list[str]) -> tuple[list[str], dict]:
    """What a person sees who types this, and the variables afterwards; what they draw later is what it was."""
    mg: Any = importlib.import_module("minigrad")
    space: dict = {}
    shown: list[str] = []
    state = mg.get_rng_state()
    with mg.inference_mode(False), mg.enable_grad():
        for line in session:
            shown.append(f">>> {line}")
            try:
                code = compile(line, "<example>", "eval")
            except SyntaxError:  # a statement
                exec(line, space)
            else:
                value = eval(code, space)
                shown += [] if value is None else repr(value).splitlines()
    mg.set_rng_state(state)
    return shown, space
