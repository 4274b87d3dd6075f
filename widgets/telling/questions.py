"""What may be asked before it is shown, and what a wrong answer gives away.

A question asks for a number, for a rule (a choice between formulas), for the node that comes next, or for the number of
paths that lead to a node. The wrong answers are those of the engine's own catalogue of faults, `minigrad.faults`: where
one of them would lead to something else, that stands beside the question, with the misconception in a sentence.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minigrad.faults import FAULTS

from ..words import misconception, say
from .marks import unwrapped
from .rules import Rule, differs
from .trace import Trace, brief, filled
from .words import bracketed, is_prose

LONGEST = 60  # characters of a formula that may be chosen


def is_rewritten(rule: Rule) -> bool:
    """Whether the fault that is planted is one of this very rule."""
    return rule.op.rules[rule.name] is not rule.right


def saw_changes(rule: Rule) -> bool:
    """Whether something that the rule saved is another value today."""
    return any(value is not rule.known.get(name) for name, value in rule.today.items())


def rewritten(rule: Rule) -> Any:
    return rule.part() if is_rewritten(rule) else None


def on_todays_values(rule: Rule) -> Any:
    return rule.part(known={**rule.known, **rule.today}) if saw_changes(rule) else None


WRONG_RULES: dict[str, Callable[[Rule], Any]] = {  # how each fault shows in one rule, while it is planted
    "forgets_the_upstream": Rule.local,
    "swaps_the_operands": rewritten,
    "wrong_sign": rewritten,
    "uses_changed_values": on_todays_values,
}


@dataclass(kw_only=True)
class Question:
    """Something to predict.

    Args:
        kind: "number", "paths", "rule" or "node".
        frame: the number of the frame that shows it.
        text: the question.
        hints: what helps, from little to much; no hint is the answer.
        before: the number of the frame before which it is asked, if that is an earlier one.
    """

    kind: str
    frame: int
    text: str
    hints: list[str] = field(default_factory=list)
    before: int | None = None

    def told(self, trace: Trace) -> dict | None:
        """The question as the document tells it; None if it is not worth asking."""
        return filled({"kind": self.kind, "question": self.text, "hints": self.hints, "before": self.before})

    def learn(self, name: str) -> None:
        """What would be answered in an engine with a fault, which is planted at this moment."""


@dataclass(kw_only=True)
class Number(Question):
    """A number to predict.

    Args:
        answer: the right number, or array.
        rule: the rule whose part is asked for, if it is one.
        wrong: pairs of a wrong number and the sentence about it.
        terms: of which numbers an element is made, by its flat number: `2 × 3`.
    """

    kind: str = "number"
    answer: Any
    rule: Rule | None = None
    wrong: list[tuple[Any, str]] = field(default_factory=list)
    terms: Callable[[int], str] | None = None

    def learn(self, name: str) -> None:
        number = None if self.rule is None else WRONG_RULES[name](self.rule)
        if number is not None:
            self.wrong.append((number, misconception(FAULTS[name])))

    def told(self, trace: Trace) -> dict:
        """The question about that element which tells right from wrong best."""
        answer = np.asarray(self.answer)
        wrong = [(np.asarray(number), sentence) for number, sentence in self.wrong]
        wrong = [(number, sentence) for number, sentence in wrong if number.size and differs(number, answer)]
        told, element = Question.told(self, trace) or {}, 0
        if answer.size > 1:
            alike = [number - answer for number, _ in wrong if number.shape == answer.shape]
            element = int(np.argmax(np.abs(np.nan_to_num(alike[0] if alike else answer))))
            at = list(map(int, np.unravel_index(element, answer.shape)))
            told["question"] += " " + say("questions.element", at=at)
        if self.terms:
            told["hints"] = [*self.hints, say("questions.in_numbers", terms=self.terms(element))]
        given_away = []
        for number, sentence in wrong:
            one = number.ravel()[element if number.shape == answer.shape else 0]
            if differs(one, answer.ravel()[element]):
                given_away.append([trace.value(one), trace.misconception(sentence)])
        return {**told, "answer": trace.value(self.answer), "element": element, "wrong": given_away}


@dataclass(kw_only=True)
class WhichRule(Question):
    """A choice between formulas.

    Args:
        rule: the rule to find.
        gradient: what the gradient that comes from above is called.
        result: what the result of the operation is called.
        derivative: the factor of the rule in numbers, where it is known, and `value` the result in numbers.
    """

    kind: str = "rule"
    rule: Rule
    gradient: str
    result: str
    derivative: Any = None
    value: Any = None
    wrong: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.formula = self.right = self.rule.written(self.gradient)
        if self.derivative is not None and differs(self.derivative, self.value):
            self.wrong[f"{self.gradient} · {self.result}"] = say("questions.hands_on_its_value")
        if "@" in self.right:
            self.wrong[self.right.replace("ᵀ", "")] = say("questions.transposes_nothing")

    def learn(self, name: str) -> None:
        if name == "forgets_the_upstream":
            formula = self.rule.written("")
        elif is_rewritten(self.rule):
            formula = self.rule.written(self.gradient)
        elif name == "uses_changed_values" and self.needs_what_changed():
            formula = say("questions.todays_values", formula=self.formula)
            self.right = say("questions.saved_values", formula=self.formula)
        else:
            return
        self.wrong.setdefault(formula, misconception(FAULTS[name]))

    def needs_what_changed(self) -> bool:
        """Whether the values of today would lead to another part: only then are they another rule."""
        today = on_todays_values(self.rule)
        return today is not None and differs(today, self.rule.part())

    def told(self, trace: Trace) -> dict | None:
        wrong = {formula: sentence for formula, sentence in self.wrong.items() if formula != self.formula}
        if len(wrong) < 2 or is_prose(self.formula) or any(len(one) > LONGEST for one in [self.right, *self.wrong]):
            return None
        options: list[list] = [[formula, trace.misconception(sentence)] for formula, sentence in wrong.items()]
        options.append([self.right, None])
        first = self.frame % len(options)  # so that the right one does not always stand in the same place
        return {**(Question.told(self, trace) or {}), "options": options[first:] + options[:first]}


def elementwise(template: str, arrays: list, shape: tuple) -> Callable[[int], str]:
    """The terms of an element where a template such as `{0} × {1}` makes it of those of other arrays."""

    def terms(element: int) -> str:
        numbers = [np.broadcast_to(array, shape).ravel()[element] for array in arrays]
        return unwrapped(template.format(*(bracketed(brief(one)) for one in numbers)))

    return terms


def terms_of_a_sum(parts: Any, shape: tuple) -> Callable[[int], str]:
    """The terms of an element that is the sum over axes along which its array was stretched."""

    def terms(element: int) -> str:
        places = np.broadcast_to(np.arange(int(np.prod(shape))).reshape(shape), np.shape(parts))
        return " + ".join(bracketed(brief(one)) for one in parts[places == element])

    return terms


def ask(questions: list[Question], trace: Trace) -> None:
    """Put the questions to the frames of a trace; each fault is planted once, for all of them."""
    for name in WRONG_RULES:
        with FAULTS[name]():
            for question in questions:
                question.learn(name)
    for question in questions:
        told = question.told(trace)
        if told is not None:
            trace.frames[question.frame].setdefault("ask", []).append(told)
