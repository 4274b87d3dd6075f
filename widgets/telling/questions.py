"""What may be asked before it is shown, and what a wrong answer gives away.

The wrong answers are those of the engine's own catalogue of faults, `minigrad.faults`: where one of them would
lead to another number, that number stands beside the question, with the misconception in a sentence.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minigrad.faults import FAULTS

from .rules import Rule
from .trace import brief
from .words import bracketed


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
