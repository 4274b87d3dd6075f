"""An operation of a story: how it was called, on what, and what its rules are in these words."""

import ast
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.words.source import located

from ..recording.moments import UNKNOWN
from ..words import say
from .calls import written
from .formulas import TRANSPOSED, rule
from .marks import unwrapped
from .trace import brief
from .words import bracketed, derived

FEW = 6  # numbers of a shape that are all written
COMPARING = "eq", "ne", "lt", "le", "gt", "ge"
TRANSPOSING = "permute_to", "transpose", "t"  # rows that `w.T`, `w.mT` and `w.t()` lead to


class Operation:
    """One operation that ran, with a box for each result.

    Attributes:
        boxes: the box of each result.
        tails: the boxes of those arguments that have an arrow.
        words: how each argument is called.
        formula: the operation on these words.
        in_place: whether the result was written over the first argument.
        turned: whether the user wrote it the other way round, `2 * a` for what the engine calls `a * 2`.
        suffix: what the user wrote behind a matrix to transpose it, such as `.T`.
    """

    def __init__(self, event: Any, tails: dict[int, int], words: list[str], mark: Any) -> None:
        self.op, self.node, self.tails, self.words = event.op, event.node, tails, words
        self.turned = self.op.name in ("add", "mul") and is_turned(mark)
        self.suffix = ""
        if self.op.name in TRANSPOSING:  # of what was read off a graph, only `.T` is known
            self.suffix = transposed_by(mark) if mark else ".T" * (words[1:] == ["(1, 0)"])
            if words[1:] == ["-2", "-1"] and not is_call_of(mark, "transpose", "swapaxes", "swapdims"):
                self.suffix = self.suffix or "ᵀ"  # in a rule, or within a function
        self.formula = self.written(words)
        self.boxes: list[int] = []
        self.in_place = False
        self.known: dict = {}  # what its rules may ask for, by name
        self.names: dict = {}  # and how that is called

    def written(self, words: list[str]) -> str:
        """The operation on other words, in the user's order."""
        if self.suffix:
            return words[0] + self.suffix
        return unwrapped(written(self.op, words[::-1] if self.turned else words))

    @property
    def compares(self) -> bool:
        """Whether it says of numbers whether something holds."""
        return self.op.name in COMPARING

    def rule(self, slot: int, gradient: str = "g", factored: bool = True, gs: str = "") -> tuple[bool, str] | None:
        """How the part of a slot is made of the gradient, or of `gs`, those of several results; and if by a factor."""
        if not self.names or self.node.edges[slot] is None:
            return None
        if self.suffix:
            return False, TRANSPOSED.sub(r"(\1)ᵀ", f"{gradient}ᵀ")
        gradients = {"g": gradient, "gs": f"[{gs or f'{gradient}, …'}]"}
        return rule(self.op, self.op.input_of(slot), {**self.names, **gradients}, self.known, factored)

    def equation(self, slot: int) -> str | None:
        """A rule as an equation: `∂b/∂a = cos(a)`."""
        said = self.rule(slot)
        if said is None:
            return None
        name = self.op.input_of(slot)
        wrt = self.words[self.node.arguments[slot]] if self.op.many else self.names.get(name, name)
        if said[0]:
            return f"{derived(self.names[(self.op.outputs or ('out',))[0]])}/{derived(wrt)} = {said[1]}"
        return say("rules.gradient_of", name=wrt, formula=said[1])


def word(value: Any, name_of: Callable[[np.ndarray], str | None] = lambda array: None) -> str:
    """How an argument that is no tensor is written; `name_of` knows the arrays that have a name."""
    if value is UNKNOWN:
        return "?"
    if isinstance(value, np.ndarray) and (name := name_of(value)):
        return name
    if isinstance(value, np.ndarray | np.generic | float | complex) and np.ndim(value) == 0:
        return bracketed(brief(value)) if np.iscomplexobj(value) else brief(value)
    if isinstance(value, np.dtype):
        return value.name
    if isinstance(value, slice):
        ends = [("" if one is None else str(one)) for one in (value.start, value.stop, value.step)]
        return ":".join(ends[:2] if value.step is None else ends)
    if value is Ellipsis:
        return "..."
    if isinstance(value, np.ndarray) and value.size <= FEW:
        return str(value.tolist()) if value.dtype.kind in "biu" else brief(value)
    if isinstance(value, tuple | list) and any(isinstance(one, slice | type(Ellipsis) | np.ndarray) for one in value):
        return ", ".join(word(one, name_of) for one in value)  # an index, which stands in brackets
    if isinstance(value, tuple):  # a Size, too
        value = tuple(value)
        if len(value) > FEW and all(isinstance(one, int) for one in value):
            return f"({value[0]}, {value[1]}, …, {value[-1]})"
    if isinstance(value, str):
        return repr(value)
    return str(value) if is_plain(value) else "…"


def is_plain(value: Any) -> bool:
    """Whether Python writes it in few words."""
    if isinstance(value, tuple | list):
        return len(value) <= FEW and all(map(is_plain, value))
    return value is None or isinstance(value, str | int)


def is_turned(mark: Any) -> bool:
    """Whether the user's expression is a number and something, which the engine takes as its second operand."""
    tree = expression(mark)
    return isinstance(tree, ast.BinOp) and isinstance(tree.left, ast.Constant)


def transposed_by(mark: Any) -> str:
    """What the user's expression has behind a matrix to transpose it; nothing if it does so in another way."""
    match expression(mark):
        case ast.Attribute(attr="T" | "mT" as name):
            return f".{name}"
        case ast.Call(func=ast.Attribute(attr="t"), args=[]):
            return ".t()"
    return ""


def is_call_of(mark: Any, *names: str) -> bool:
    """Whether the user's expression calls one of these functions or methods."""
    match expression(mark):
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in names
    return False


def expression(mark: Any) -> ast.expr | None:
    """The user's expression at a mark; None where that goes on over several lines."""
    try:
        return ast.parse(located(mark).expression, mode="eval").body if mark else None
    except SyntaxError:
        return None


def is_operand(op: Any, i: int, value: Any) -> bool:
    """Whether an argument that is no Tensor stands in the place of one: the 2 in `2 * a`."""
    if isinstance(value, bool) or not (value is UNKNOWN or isinstance(value, int | float | complex | np.ndarray)):
        return False
    return not getattr(op, "many", True) and i < len(op.inputs) and op.rules[op.inputs[i]] is not None


def is_told(op: Any, i: int) -> bool:
    """Whether an argument stands in what a person writes for the operation: of a copy, only its source."""
    says = getattr(op, "says", None)
    return not says or op.parameters[i] in re.findall(r"\w+", says, re.ASCII)  # else a² is a word of its own


def is_in_place(event: Any) -> bool:
    """Whether the result was written over the first argument."""
    return bool(event.values) and event.output is event.values[0]


def slot_of(event: Any, i: int) -> int | None:
    """The slot of the graph's node to which an argument belongs."""
    return None if event.node is None or i not in event.node.arguments else event.node.arguments.index(i)
