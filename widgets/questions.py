"""What may be asked before it is shown, and what a wrong answer gives away.

The wrong answers are those of the engine's own catalogue of faults, `minigrad.autograd.faults`: where one of them would
lead to another number, that number stands beside the question, with the misconception in a sentence.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.autograd.faults import FAULTS

from .moments import UNKNOWN
from .trace import Large, brief
from .words import bracketed, shapes


@dataclass
class Rule:
    """A rule about to run: of one input of an operation, on the values it saved and on those of today."""

    op: Any
    name: str
    known: dict
    gradient: Any
    today: dict = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.right = self.op.rules[self.name]

    def part(self, gradient: Any = None, known: dict | None = None) -> Any:
        """What the rule makes of a gradient; None where not all that it asks for is known."""
        rule = self.op.rules[self.name]
        wanted = rule.__code__.co_varnames[1 : rule.__code__.co_argcount]
        values = self.known if known is None else known
        values = {**values, **shapes(values)}
        given = [values.get(name, UNKNOWN) for name in wanted]
        if any(one is UNKNOWN or isinstance(one, Tensor | Large) for one in given):
            return None
        with np.errstate(all="ignore"):
            return rule(self.gradient if gradient is None else gradient, *given)

    def local(self) -> Any:
        """The local derivative as numbers: what the rule makes of a gradient of ones."""
        return self.part(ones(self.gradient))


def ones(gradient: Any) -> Any:
    return np.ones_like(gradient) if isinstance(gradient, np.ndarray) else type(gradient)(1)


def rewritten(rule: Rule) -> Any:
    """What the rule makes of its gradient, if the fault is one of this very rule."""
    return None if rule.op.rules[rule.name] is rule.right else rule.part()


def on_todays_values(rule: Rule) -> Any:
    changed = any(value is not rule.known.get(name) for name, value in rule.today.items())
    return rule.part(known={**rule.known, **rule.today}) if changed else None


WRONG_RULES: dict[str, Callable[[Rule], Any]] = {  # how each fault shows in one rule, while it is planted
    "forgets_the_upstream": Rule.local,
    "swaps_the_operands": rewritten,
    "wrong_sign": rewritten,
    "uses_changed_values": on_todays_values,
}


@dataclass
class Question:
    """A number to predict.

    Args:
        frame: the number of the frame that shows it.
        text: the question.
        answer: the right number, or array.
        rule: the rule whose part is asked for, if it is one.
        wrong: pairs of what a fault leads to and the fault's name.
        terms: of what each element is made: a template such as `{0} × {1}`, and the arrays.
    """

    frame: int
    text: str
    answer: Any
    rule: Rule | None = None
    wrong: list[tuple[Any, str]] = field(default_factory=list)
    terms: tuple[str, list] | None = None

    def told(self, value: Callable[[Any], int | None]) -> dict:
        """The question as the document tells it: about that element which tells right from wrong best."""
        answer = np.asarray(self.answer)
        wrong = [(np.asarray(number), name) for number, name in self.wrong if differs(number, answer)]
        text, element = self.text, 0
        if answer.size > 1:
            alike = [number - answer for number, _ in wrong if number.shape == answer.shape]
            element = int(np.argmax(np.abs(np.nan_to_num(alike[0] if alike else answer))))
            text += f" Take its element {list(map(int, np.unravel_index(element, answer.shape)))}"
            if self.terms:
                template, arrays = self.terms
                numbers = [np.broadcast_to(array, answer.shape).ravel()[element] for array in arrays]
                text += f": {template.format(*(bracketed(brief(one)) for one in numbers))}"
            text += "."
        given_away = []
        for number, name in wrong:
            one = number.ravel()[element if number.shape == answer.shape else 0]
            if differs(one, answer.ravel()[element]):
                given_away.append([value(one), FAULTS[name].misconception])
        return {"question": text, "answer": value(self.answer), "element": element, "wrong": given_away}


def differs(one: Any, other: Any) -> bool:
    """Whether two numbers, or arrays, would be told apart by an answer."""
    one, other = np.asarray(one), np.asarray(other)
    if one.size == other.size == 1:
        difference, most = abs(one.item() - other.item()), 1e-6 + 1e-2 * abs(other.item())
        return difference > most
    return one.shape != other.shape or not np.allclose(one, other, rtol=1e-2, atol=1e-6, equal_nan=True)


def ask(questions: list[Question], frames: list[dict], value: Callable[[Any], int | None]) -> None:
    """Put the questions to the frames; each fault is planted once, for all of them."""
    for name, wrongly in WRONG_RULES.items():
        with FAULTS[name]():
            for question in questions:
                if question.rule is not None:
                    number = wrongly(question.rule)
                    if number is not None:
                        question.wrong.append((number, name))
    for question in questions:
        frames[question.frame]["ask"] = question.told(value)
