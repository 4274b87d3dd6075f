"""Reads the equations of a trace, and works them out from the numbers that the boxes show at that moment.

>>> import minigrad as mg
>>> from widgets.showing.run import record
>>> a = mg.tensor(2.0, requires_grad=True)
>>> with record() as run:
...     (a * 3).backward()
>>> [line.verdict for line in read(run.trace)]
['true', 'true', 'true', 'true', 'true']
"""

import re
from typing import NamedTuple

import numpy as np

import minigrad as mg
from tests.widgets.showing.test_run import array, states
from widgets.telling.trace import brief

FUNCTIONS = {name: getattr(mg, name) for name in dir(mg) if not name.startswith("_")}
FUNCTIONS |= {name: getattr(mg.nn.functional, name) for name in dir(mg.nn.functional) if not name.startswith("_")}
FUNCTIONS |= {"conj": mg.conj, "sgn": mg.sgn, "abs": mg.abs, "sum": mg.sum, "max": mg.maximum, "min": mg.minimum}


def lenient(function):
    """A function that takes numbers for tensors."""

    def called(*args, **options):
        try:
            return function(*args, **options)
        except TypeError:
            numbers = [
                mg.tensor(float(one)) if isinstance(one, float | int) and not isinstance(one, bool) else one
                for one in args
            ]
            try:
                return function(numbers[0], *args[1:], **options)
            except TypeError:
                return function(*numbers, **options)

    return called


FUNCTIONS = {
    name: lenient(one) if callable(one) and not isinstance(one, type) else one for name, one in FUNCTIONS.items()
}
FUNCTIONS |= {
    "cat": lambda *all, dim=0: mg.cat(all, dim),
    "stack": lambda *all, dim=0: mg.stack(all, dim),
    "expand": lambda a, shape: a.expand(shape),
    "repeat": lambda a, repeats: a.repeat(repeats),
    "max": lambda *all: mg.maximum(*all) if len(all) > 1 else mg.max(*all),
    "min": lambda *all: mg.minimum(*all) if len(all) > 1 else mg.min(*all),
    "none": "none", "mean": lenient(mg.mean), "π": np.pi,
}  # fmt: skip
UNREADABLE = (
    SyntaxError,
    NameError,
    TypeError,
    ArithmeticError,
    AttributeError,
    RuntimeError,
    IndexError,
    ValueError,
    NotImplementedError,
)
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[-+]\d+)?")


class Line(NamedTuple):
    """An equation, and whether it is true: `true`, `false`, or `unread` where it is more than a formula."""

    kind: str
    equation: str
    verdict: str
    because: str = ""


def read(trace) -> list[Line]:
    """All equations of a trace; every side of each is compared with what the boxes show."""
    lines, before = [], None
    for state, frame in zip(states(trace), [None, *trace["frames"]]):
        if frame is not None and "equation" in frame:
            lines.append(Reader(trace, before, dict(state)).line(frame))
        before = dict(state)
    return lines


class Reader:
    def __init__(self, trace, before, after) -> None:
        self.trace, self.before, self.after = trace, before, after
        self.names = {node["name"]: f"n{i}" for i, node in enumerate(trace["nodes"]) if node["kind"] != "constant"}
        self.pattern = "|".join(map(re.escape, sorted(self.names, key=len, reverse=True))) or "(?!)"

    def value(self, target, field, state=None):
        """The number of what is shown there; None for nothing."""
        return (self.after if state is None else state).get((target, field))

    def text(self, number) -> str:
        return "None" if number is None else self.trace["values"][number]["text"]

    def line(self, frame) -> Line:
        self.kind = frame["kind"]
        left, *sides = re.split(r" \+?= ", frame["equation"])
        try:
            wrong = getattr(self, frame["kind"])(frame, left, sides)
        except UNREADABLE as error:
            return Line(frame["kind"], frame["equation"], "unread", repr(error))
        return Line(frame["kind"], frame["equation"], "false" if wrong else "true", wrong or "")

    # -- kinds of frames: each gives what is wrong, or nothing

    def made(self, frame, left, sides):
        target = f"n{frame['node']}"
        shown = self.value(target, "value")
        if left.split(", ")[0] != self.trace["nodes"][frame["node"]]["name"]:
            return "another name than the box has"
        if self.text(shown) not in (sides[-1], "not kept") and ", " not in left:
            return f"the box says {self.text(shown)}"
        return self.compare(sides[:-1], shown) if ", " not in left else ""

    def seeded(self, frame, left, sides):
        return self.same(left, sides, self.value(f"n{frame['node']}", "grad"))

    visited = seeded

    def sent(self, frame, left, sides):
        edge = self.trace["edges"][frame["edge"]]
        part = self.value(f"e{frame['edge']}", "part")
        if left != "part" and left.rpartition("∂")[2] != self.trace["nodes"][edge["from"]]["name"]:
            return "another name than the box has"
        if sides[-1] != self.text(part):
            return f"beside the arrow stands {self.text(part)}"
        value = self.trace["values"][self.value(f"n{edge['from']}", "value")] if left != "part" else {}
        shape = self.trace["values"][part].get("shape", [])
        if value.get("text", "not kept") != "not kept" and value.get("shape", []) != shape and not frame.get("wrong"):
            return f"a gradient of shape {shape}, of a value of shape {value.get('shape', [])}"
        return self.compare(sides[:-1], part)

    def summed(self, frame, left, sides):
        target = f"e{frame['edge']}"
        self.part = self.value(target, "part", self.before)
        return self.compare(sides[:-1], self.value(target, "part")) or self.ends(sides, self.value(target, "part"))

    def accumulated(self, frame, left, sides):
        return self.same(left, sides, self.value(f"n{frame['node']}", "grad"))

    def deposited(self, frame, left, sides):
        if left.removesuffix(".grad") != self.trace["nodes"][frame["node"]]["name"]:
            return "another name than the box has"
        shown = self.value(f"n{frame['node']}", "box")
        return self.ends(sides, shown) or self.compare(sides[:-1], shown)

    zeroed = deposited

    def mutated(self, frame, left, sides):
        target = f"n{frame['node']}"
        name, _, change = left.partition(": ")
        first, _, second = change.rpartition(" → ")
        shown = self.text(self.value(target, "value", self.before)), self.text(self.value(target, "value"))
        if name != self.trace["nodes"][frame["node"]]["name"] or (first, second) != shown:
            return f"the box said {shown[0]}, and says {shown[1]}"
        return ""

    # -- what all use

    def same(self, left, sides, shown):
        if left.rpartition("∂")[2] not in self.names:
            return "a name that no box has"
        return self.ends(sides, shown) or self.compare(sides[:-1], shown)

    def ends(self, sides, shown):
        return "" if sides[-1] == self.text(shown) else f"the box says {self.text(shown)}"

    def compare(self, sides, number):
        """Each side, worked out, against the value of this number."""
        value = self.trace["values"][number] if sides else {}
        if "data" not in value:
            return ""
        right = numbers(value) * 1  # of what is true or false, a number
        for side in sides:
            found = np.asarray(self.evaluated(side)) * 1
            dtype = value.get("dtype", "float32")
            if dtype.startswith("float") and not np.iscomplexobj(found):
                found = found.astype(dtype).astype("float64")  # beyond its type a number is infinite
            scale = max([1.0, *(float(one) for one in NUMBER.findall(side))]) if NUMBER.search(side) else 1.0
            close = np.abs(np.nan_to_num(found - right)) <= 2e-2 * np.abs(np.nan_to_num(right)) + 4e-3 * scale
            if not (np.all(close) and np.array_equal(np.isnan(found + 0 * right), np.isnan(right + 0 * found))):
                return f"{side} is {brief(found)}, but {value['text']} is shown"
        return ""

    def evaluated(self, side):
        space = dict(FUNCTIONS)

        def gradient(match):
            name = f"G{self.names[match[1]]}"
            space[name] = self.tensor(self.value(self.names[match[1]], "grad"))
            return name

        def value(match):
            name = f"V{self.names[match[0]]}"
            space[name] = self.tensor(self.value(self.names[match[0]], "value"))
            return name

        side = side.replace("ᵀ", ".mT")
        text = re.sub(r"∂[^/]*/∂(" + self.pattern + r")(?![\w₀-₉.])", gradient, side)
        text = re.sub(r"(?<![\w.\"'∂])(?:" + self.pattern + r")(?![\w₀-₉(]|=)", value, text)
        text = re.sub(r"\|(.*)\|", r"abs(\1)", text)
        text = re.sub(r"(?<![\w)\]\[])(\[(?:[-+\d., einfaj]|\[[-+\d., einfaj]*\])*\])", r"array(\1)", text)
        if "part" in text and hasattr(self, "part"):
            space["part"] = self.tensor(self.part)
        if self.kind == "made" and "×" in text:
            raise ValueError("a cross product, which Python has no sign for")
        text = text.replace("·", "*").replace("×", "*").replace("−", "-")
        text = re.sub(r"~(?=True|False)", "not ", text)
        space["array"] = lambda numbers: mg.tensor(np.array(numbers) * 1.0)
        with mg.no_grad():
            found = eval(
                text,
                {"__builtins__": {}},
                space | {"nan": np.nan, "inf": np.inf, "None": None, "True": True, "False": False},
            )
        return found.numpy() if isinstance(found, mg.Tensor) else found

    def tensor(self, number):
        if number is None:
            raise ValueError("nothing is shown there")
        return mg.tensor(numbers(self.trace["values"][number]))


def numbers(value):
    """The array that a value of the trace tells, in double precision."""
    if "data" not in value:
        raise ValueError("it is too large to be told in full")
    dtype = value.get("dtype", "float32")
    if dtype.startswith("complex"):
        return np.array([complex(one) for one in value["data"]]).reshape(value.get("shape", ()))
    found = array({**value, "dtype": "float64"})
    return found.astype(dtype) if dtype in ("int64", "bool") else found
