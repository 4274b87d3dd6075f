"""A rule as it runs: what it makes of a gradient, in words and in numbers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.numbers.dtypes import widened

from ..recording.large import Large
from ..recording.moments import UNKNOWN
from ..words import say
from .arithmetic import bracketed_number, is_small
from .operation import Operation
from .trace import brief
from .words import bracketed, is_single, shape_text


@dataclass
class Rule:
    """A rule about to run: of one input of an operation, on the values it saved and on those of today.

    Complex numbers are multiplied by the conjugate of the derivative: such a rule runs between two conjugations.

    Args:
        written: the rule as a formula of what its gradient is called, in the user's names; whatever the rule is now.
    """

    op: Any
    name: str
    known: dict
    gradient: Any
    today: dict = field(default_factory=dict)
    conjugates: bool = False
    written: Callable[[str], str] = str

    def __post_init__(self) -> None:
        self.right = self.op.rules[self.name]

    def part(self, gradient: Any = None, known: dict | None = None) -> Any:
        """What the rule makes of a gradient; None where not all that it asks for is known."""
        values = self.known if known is None else known
        values = {**values, **{f"{name}_shape": one.shape for name, one in values.items() if hasattr(one, "shape")}}
        given = [values.get(name, UNKNOWN) for name in self.op.needs(self.name)]
        gradient = self.gradient if gradient is None else gradient
        if any(one is UNKNOWN or isinstance(one, Tensor | Large) for one in [*given, gradient]):
            return None
        gradient, given = widened(gradient), widened(given)  # what a rule makes of half precision is rounded later
        with np.errstate(all="ignore"):
            if self.conjugates:
                return np.conj(self.op.rules[self.name](np.conj(gradient), *given))
            return self.op.rules[self.name](gradient, *given)

    def local(self) -> Any:
        """The local derivative as numbers: what the rule makes of a gradient of ones."""
        return self.part(ones(self.gradient))

    def multiplies(self, local: Any) -> bool:
        """Whether the part is the gradient times the local derivative: 0 times nan or inf is not what a rule sends."""
        if local is None or np.all(np.isfinite(self.gradient)) and np.all(np.isfinite(local)):
            return True
        part, gradient = self.part(), widened(self.gradient)
        if part is None or np.size(gradient) != 1 and np.shape(gradient) != np.shape(part):
            return True
        with np.errstate(all="ignore"):
            return not differs(gradient * local, part)


def differs(one: Any, other: Any) -> bool:
    """Whether two numbers, or arrays, would be told apart by an answer."""
    one, other = np.asarray(one), np.asarray(other)
    if one.size == other.size == 1:
        one, other = one.reshape(()), other.reshape(())
    return one.shape != other.shape or not np.allclose(one, other, rtol=1e-2, atol=1e-6, equal_nan=True)


def ones(gradient: Any) -> Any:
    return np.ones_like(gradient) if isinstance(gradient, np.ndarray) else type(gradient)(1)


def factor_of(made: Operation, slot: int, gradient: str, factored: bool = True) -> tuple[bool, str]:
    """Whether a rule multiplies the gradient by a factor, and that factor; or else all of its formula."""
    conjugates = made.node.conjugates
    is_factor, factor = made.rule(slot, f"conj({gradient})" if conjugates else gradient, factored) or (False, "")
    if conjugates:
        factor = f"conj({factor[1:-1] if bracketed(factor[1:-1]) == factor else factor})"
    return is_factor, factor


def written(made: Operation, slot: int, gradient: str) -> str:
    """A rule as a formula; of no gradient, the factor alone."""
    is_factor, factor = factor_of(made, slot, gradient or "ones")
    return f"{gradient} · {bracketed(factor)}" if is_factor and gradient else factor


def part_of(
    made: Operation, slot: int, gradient: str, g: Any, whole: Any, now: dict[int, Any]
) -> tuple[str, Rule, Any]:
    """A part in words: `∂L/∂b · cos(a) = 2 × 0.5403`; its rule; and the local derivative, where it is small.

    Args:
        made: the operation, whose `slot` the part is for.
        gradient: what the gradient of its result is called, and `g` its numbers.
        whole: the part's numbers, before they are summed over stretched axes.
        now: the numbers in each box at this moment.
    """
    today = {made.op.parameters[i]: now[tail] for i, tail in made.tails.items() if not made.op.many}
    if made.in_place:  # the memory of the first argument holds the result now
        today[made.op.parameters[0]] = now[made.boxes[0]]
    conjugates = made.node.conjugates
    rule = Rule(made.op, made.op.input_of(slot), made.known, g, today, conjugates, partial(written, made, slot))
    local = rule.local() if is_small(g) else None
    is_factor, factor = factor_of(made, slot, gradient, rule.multiplies(local))
    text = f"{gradient} · {bracketed(factor)}" if is_factor else factor
    if "dim" in made.op.parameters and 0 < np.ndim(g) < np.ndim(whole):
        text = say("rules.spread", formula=text, shape=shape_text(whole))
    if not is_factor:
        return text, rule, None
    meet = np.size(g) == 1 or np.shape(g) == np.shape(whole)  # a sum along one dimension spreads its gradient
    if local is None or not meet or not all(map(is_small, (local, whole))):
        return text, rule, None
    if all(map(is_single, (g, local, whole))):
        first = bracketed(brief(g)) if np.iscomplexobj(g) else brief(g)
        text += f" = {first} × {bracketed_number(local)}"
    return text, rule, local
