"""From a tape to Python: a line for each value with a name; what has none and is used once stands where it is used."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from .lines import Call, Line, Value

# By NumPy's name: the sign, and how tightly it binds.
SIGNS = {
    "power": ("**", 7), "negative": ("-", 6), "multiply": ("*", 5), "divide": ("/", 5), "true_divide": ("/", 5),
    "matmul": ("@", 5), "floor_divide": ("//", 5), "remainder": ("%", 5), "add": ("+", 4), "subtract": ("-", 4),
    "bitwise_and": ("&", 3), "bitwise_or": ("|", 2), "greater": (">", 1), "less": ("<", 1), "equal": ("==", 1),
    "not_equal": ("!=", 1), "greater_equal": (">=", 1), "less_equal": ("<=", 1),
}  # fmt: skip
REDUCED = {
    "add.reduce": "sum", "multiply.reduce": "prod", "maximum.reduce": "max", "minimum.reduce": "min",
    "logical_and.reduce": "all", "logical_or.reduce": "any",
}  # fmt: skip
PYTHON = {"sub": "subtract", "mul": "multiply", "truediv": "divide", "pow": "power", "neg": "negative"}  # of a number
ATOM, CHAINED = 9, 1  # `a > b == c` would ask for both


class Written(NamedTuple):
    """A line as it is written, and the lines of the tape that stand in it, the one that it ends with last."""

    text: str
    parts: list[Line]

    @property
    def why(self) -> str:
        return self.parts[-1].why


class Writer:
    """The text of lines."""

    def __init__(self, inputs: Iterable[Value], lines: list[Line], apart: bool = False) -> None:
        self.lines, self.apart = lines, apart  # apart: each call in a line of its own
        self.uses = Counter(value for line in lines for value in line.reads)
        self.names = {value: value.name for value in inputs}
        self._waiting: dict[Value, tuple[str, int, list[Line]]] = {}  # text, how tightly it binds, what stands in it
        self._parts: list[Line] = []  # what stands in the line that is being written
        taken = {*self.names.values()} | {one.name for line in lines for one in line.makes}
        self._fresh = (name for name in map("t{}".format, count(1)) if name not in taken)

    def written(self) -> Iterator[Written]:
        for number, line in enumerate(self.lines):
            self._parts = []
            if line.changes is not None:
                text = self.change(line)
                yield Written(text, [*self._parts, line])
                continue
            text, level = self.expression(line.call)
            parts = [*self._parts, line]
            if line.several:
                yield Written(f"{', '.join(map(self.name, line.makes))}{',' * (len(line.makes) == 1)} = {text}", parts)
            elif self.is_used_where_it_stands(number, line):
                self._waiting[line.makes[0]] = text, level, parts
            else:
                yield Written(f"{self.name(line.makes[0])} = {text}", parts)

    def is_used_where_it_stands(self, number: int, line: Line) -> bool:
        """Whether a value needs no line of its own: nameless, used once, and nothing is written over in between."""
        (value,) = line.makes
        if self.apart or value.name or self.uses[value] != 1:
            return False
        for later in self.lines[number + 1 :]:
            if value in later.reads:
                return later.changes is not value
            if later.changes is not None:
                return False
        return False

    def name(self, value: Value) -> str:
        if value not in self.names:
            self.names[value] = value.name or next(self._fresh)
        return self.names[value]

    def change(self, line: Line) -> str:
        call = line.call
        if call.kind == "set":
            target, index, value = call.args
            if index is Ellipsis and (operand := self.operand(target, value)):
                return f"{self.of(target)} {operand}"
            return f"{self.of(target, ATOM)}[{self.index(index)}] = {self.of(value)}"
        sign = SIGNS.get(call.name)
        if "out" in call.options and sign and len(call.args) == 2 and call.args[0] is line.changes:
            return f"{self.of(call.args[0])} {sign[0]}= {self.of(call.args[1])}"
        return self.expression(call)[0]

    def operand(self, target: Value, value: Any) -> str:
        """`-= 0.1 * g` for what `w - 0.1 * g` is written over w."""
        call = value.line.call if isinstance(value, Value) and value in self._waiting and value.line else None
        if call is None or call.kind != "ufunc" or call.name not in SIGNS or call.args[0] is not target:
            return ""
        if len(call.args) == 1:  # the minus of `-x`
            return ""
        sign, (text, _) = SIGNS[call.name][0], self._waited(value)
        return f"{sign}= {text.removeprefix(f'{self.name(target)} {sign} ')}"

    # -- expressions -----------------------------------------------------------------------------------------------

    def expression(self, call: Call) -> tuple[str, int]:
        """The text of a call, and how tightly it binds."""
        args, name = call.args, call.name
        options = {k: v for k, v in call.options.items() if v is not None and not (k == "keepdims" and v is False)}
        if call.kind == "same":
            return self.of(args[0]), 0
        if call.kind == "literal":
            return literal(args[0]), ATOM
        if call.kind == "attribute":
            return f"{self.of(args[0], ATOM)}.{name}", ATOM
        if call.kind == "index":
            return f"{self.of(args[0], ATOM)}[{self.index(args[1])}]", ATOM
        if call.kind == "method" or (call.kind == "python" and name == "item"):
            return f"{self.of(args[0], ATOM)}.{name}({self.arguments(args[1:], options)})", ATOM
        if call.kind == "python":
            name = PYTHON.get(name, name)
        if name in SIGNS and call.kind in ("ufunc", "python") and not options:
            sign, level = SIGNS[name]
            if len(args) == 1:
                return f"-{self.of(args[0], level)}", level
            left, right = (level + 1, level) if sign == "**" else (level + (level == CHAINED), level + 1)
            return f"{self.of(args[0], left)} {sign} {self.of(args[1], right)}", level
        if call.kind == "vectorized":
            return f"np.vectorize(math.{name}, otypes=[{literal(args[0].dtype)}])({self.of(args[0])})", ATOM
        return f"np.{REDUCED.get(name, name)}({self.arguments(args, options)})", ATOM

    def arguments(self, args: tuple, options: dict) -> str:
        return ", ".join([*map(self.of, args), *(f"{name}={self.of(one)}" for name, one in options.items())])

    def _waited(self, value: Value) -> tuple[str, int]:
        """What waited to be used: it becomes part of this line."""
        text, level, parts = self._waiting.pop(value)
        self._parts += parts
        return text, level

    def index(self, index: Any) -> str:
        if isinstance(index, tuple) and index:
            return ", ".join(map(self.part, index)) + "," * (len(index) == 1 and isinstance(index[0], tuple))
        return self.part(index)

    def part(self, part: Any) -> str:
        if not isinstance(part, slice):
            return self.of(part)
        start, stop, step = ("" if one is None else self.of(one) for one in (part.start, part.stop, part.step))
        return f"{start}:{stop}" + f":{step}" * bool(step)

    def of(self, given: Any, level: int = 0) -> str:
        """An argument; in brackets where it binds less tightly than what stands around it."""
        if isinstance(given, Value):
            if given not in self._waiting:
                return self.name(given)
            text, own = self._waited(given)
            return f"({text})" if own < level else text
        if isinstance(given, tuple | list):
            inside = ", ".join(map(self.of, given)) + "," * (isinstance(given, tuple) and len(given) == 1)
            return f"({inside})" if isinstance(given, tuple) else f"[{inside}]"
        text = literal(given)
        return f"({text})" if text.startswith("-") and level > 4 else text


def literal(given: Any) -> str:
    """Numbers, types and words as Python writes them."""
    if isinstance(given, np.dtype):
        return f"np.{given.name}" if given.name != "bool" else "np.bool_"
    if isinstance(given, type):
        return f"np.{given.__name__}" if issubclass(given, np.generic) else given.__name__
    if isinstance(given, np.generic) or (isinstance(given, np.ndarray) and not given.ndim):
        number = repr(np.asarray(given).item()).strip("()")
        return f"np.{given.dtype.name.replace('bool', 'bool_')}({special(number)})"
    if isinstance(given, np.ndarray):
        if not given.size:
            return f"np.zeros({given.shape}, {literal(given.dtype)})"
        if np.all(given == given.flat[0]):
            return f"np.full({given.shape}, {special(repr(given.flat[0].item()))}, {literal(given.dtype)})"
        return f"np.array({special(repr(given.tolist()))}, {literal(given.dtype)})"
    return "..." if given is Ellipsis else special(repr(given))


def special(text: str) -> str:
    """Numbers for which Python has no sign; a word of the same letters is none."""
    return re.sub(r"(?<![\w'])(inf|nan)(?![\w'])", r"np.\1", text)
