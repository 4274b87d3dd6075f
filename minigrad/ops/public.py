"""Where an operation is offered. A row says it in its settings `public`, `also` and `twin`; a function, with `public`:

sin = op(np.sin, public="function method twin", a=lambda g, a: g * cos(a))

@public("function method", also="clip")
def clamp(input, min=None, max=None): ...
"""

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

from ..core.row import named
from ..core.tensor import Tensor
from ..words import formula, help
from ..words.calling import checked
from . import in_place


class Public(NamedTuple):
    """What is said about one operation.

    `places` are words: "function" is `minigrad.sin`, "method" `x.sin()`, "functional" `nn.functional.relu`, "linalg"
    `linalg.inv`; "twin" is what changes its tensor in place, `x.sin_()`, and "inplace" the option `inplace=True`. In
    one of the places an operation may have a name of its own: "functional.relu_".
    """

    places: str
    name: str
    also: str = ""  # its other names
    twin: Callable | None = None  # makes its twin, where that is not the row written over the tensor


offered: list[tuple[Callable, Public]] = []  # the functions of several rows


def public(places: str, name: str | None = None, **settings) -> Callable:
    """Offer a function; `name` is what people call it, where that is not its name here."""

    def mark(function):
        offered.append((function, Public(places, name or function.__name__, **settings)))
        return function

    return mark


def composed(places: str, **functions: Callable) -> None:
    """Offer functions that are composed of others; what their twins write is computed beside the tensor."""
    for name, function in functions.items():
        function.__name__ = function.__qualname__ = name
        offered.append((function, Public(places, name, twin=in_place.copied)))


def of_tensor(twin: Callable, name: str) -> Callable:
    """The in-place form as a function: unlike a method's, its first argument may be anything."""

    @functools.wraps(twin)
    def form(input, *args, **options):
        if not isinstance(input, Tensor):
            raise TypeError(f"{name}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
        return twin(input, *args, **options)

    return form


def rows_of(table: ModuleType) -> dict[str, Callable]:
    """The rows that are declared in a table, by name: offered where they say, or else where its `PUBLIC` says."""
    rows = {name: row for name, row in named(vars(table)).items() if row.__module__ == table.__name__}
    for name, row in rows.items():
        if row.op.public is None:
            row.op.public = getattr(table, "PUBLIC", "")
        offered.append((row, Public(row.op.public, name, row.op.also, row.op.twin)))
    return rows


def put(function: Any, said: Public, spaces: dict[str, dict]) -> None:
    """One operation under all its names into the places where it is offered."""
    words, names = said.places.split(), [said.name, *said.also.split()]
    offered = function if hasattr(function, "op") or said.name.endswith("_") else checked(function, said.name)
    twin: Any = None
    if "twin" in words or "inplace" in words:
        twin = in_place.titled(said.twin(offered) if said.twin else in_place.twin_of(function.op), function, said.name)
    if "inplace" in words:
        function.op.overloads["inplace"] = in_place.on_request(function, twin)
    if not isinstance(offered.__doc__, help.Page):
        space = {"functional": "nn.functional.", "linalg": "linalg."}.get(words[0], "")
        offered.__doc__ = help.with_example(offered.__doc__, f"{space}{said.name}")
    for word in words:
        place, _, own = word.partition(".")
        if place not in spaces:
            continue
        called = [own] if own else names
        formula.known.update(called)
        found = {name: twin if twin and name.endswith("_") else offered for name in called}
        if "twin" in words and place in ("function", "method"):
            found |= {f"{name}_": twin for name in names}
        for name, one in found.items():
            spaces[place][name] = of_tensor(one, name) if name.endswith("_") and place != "method" else one
