"""The kinds of question: how an answer is read, how it is judged, and what the browser is told.

The right answer is computed, never typed: a question has a function for it, and numbers to call it with. Other numbers
make a cousin of the question, to be asked another day. A mistake is a function, too, or a fault of the engine; whoever
answers what it gives is told its sentence.

>>> question = number("How steep is a·a at a = {a}?", lambda a: 2 * a, given={"a": [3.0, 5.0]},
...                   mistakes=[Mistake("That is a·a itself.", lambda a: a * a)])
>>> asked = question.asked("lesson", "slope")
>>> asked.prompt, asked.judge("6").right, asked.judge(" 18/2 ").says
('How steep is a·a at a = 3?', True, 'That is a·a itself.')
"""

import itertools
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from minigrad.faults import Fault

from ..words import misconception, say
from .judging import SIGNS, Asked, same

Given = Mapping[str, Sequence[Any]]
WRITTEN_OUT = 1e15  # a number from here on is written with a power of ten


@dataclass(frozen=True)
class Mistake:
    """What somebody may think, and the answer it leads to.

    Args:
        says: a sentence for who thinks so.
        leads_to: the wrong answer, or a function for it, called as the right one is.
    """

    says: str
    leads_to: Any


@dataclass(frozen=True, kw_only=True)
class Question:
    """What a lesson asks, before its numbers are drawn.

    Args:
        prompt: the question. `{a}` stands for the number that was drawn for a.
        answer: a function for the right answer, called with the numbers in their order; or the answer itself.
        given: the numbers to draw from, by name. The first of each are the lesson's own.
        mistakes: a fault of the engine, whose answer is computed while it is planted; or a Mistake.
        hints: by degrees, the last one nearly the answer.
        because: said when the question is over.
    """

    kind: str
    prompt: str
    answer: Any
    given: Given = field(default_factory=dict)
    mistakes: Sequence[Fault | Mistake] = ()
    hints: Sequence[str] = ()
    because: str = ""
    tolerance: float | None = None
    options: Sequence[str] = ()
    curve: Callable[..., Any] | None = None
    target: Callable[..., Any] | None = None
    places: Sequence[float] = ()
    x: Sequence[float] = ()
    label: str = ""

    def asked(self, lesson: str, name: str, seed: int = 0) -> Asked:
        """The question with the lesson's own numbers, or with those that a seed draws: another seed, other numbers."""
        numbers = self.draw(seed)
        answer = self.computed(self.answer, numbers)
        tolerance = self.allowed(answer)
        wrong: list[tuple[Any, str]] = []
        for mistake in self.mistakes:
            says, value = self.mistaken(mistake, numbers)
            if not any(same(value, known, tolerance) for known in (answer, *(one for one, _ in wrong))):
                wrong.append((value, self.filled(says, numbers)))
        shown = self.shown(answer)
        texts = numbers | {"answer": shown}
        return Asked(
            lesson=lesson,
            name=name,
            seed=seed,
            kind=self.kind,
            answer=answer,
            shown=shown,
            prompt=self.filled(self.prompt, numbers),
            wrong=tuple(wrong),
            tolerance=tolerance,
            hints=tuple(self.filled(hint, numbers) for hint in self.hints),
            because=self.filled(self.because, texts),
            options=tuple(self.options),
            picture=self.pictured(numbers),
        )

    def draw(self, seed: int) -> dict[str, Any]:
        """One of the choices of numbers. Seed 0 is the first; the others come in an order of their own, each once."""
        ways = list(itertools.product(*self.given.values()))
        first, others = ways[:1], ways[1:]
        random.Random(0).shuffle(others)
        return dict(zip(self.given, (first + others)[seed % len(ways)]))

    @property
    def cousins(self) -> int:
        """How many other choices of numbers there are."""
        return math.prod(map(len, self.given.values())) - 1

    def computed(self, answer: Any, numbers: dict[str, Any]) -> Any:
        return self.form(answer(*numbers.values()) if callable(answer) else answer)

    def mistaken(self, mistake: Fault | Mistake, numbers: dict[str, Any]) -> tuple[str, Any]:
        if isinstance(mistake, Fault):
            with mistake():
                return misconception(mistake), self.computed(self.answer, numbers)
        return mistake.says, self.computed(mistake.leads_to, numbers)

    def form(self, value: Any) -> Any:
        """A computed answer in the form in which it is compared."""
        if self.kind == "number":
            return float(value)
        if self.kind == "shape":
            sizes = tuple(getattr(value, "shape", value))
            if not all(isinstance(size, int) and size >= 0 for size in sizes):
                raise ValueError(f"{value!r} is no shape")
            return ",".join(map(str, sizes))
        if self.kind == "sign":
            return SIGNS[1 - (float(value) > 0) + (float(value) < 0)]
        if self.kind == "choice":
            return self.option(value)
        if self.kind == "order":
            return ",".join(str(self.option(one)) for one in value)
        return min(range(len(self.places)), key=lambda i: abs(self.places[i] - value))

    def option(self, value: Any) -> int:
        if value not in self.options:
            raise ValueError(f"{value!r} is none of its options: {', '.join(map(repr, self.options))}")
        return self.options.index(value)

    def shown(self, answer: Any) -> str:
        """The answer in words."""
        if self.kind == "number":
            return short(answer)
        if self.kind == "shape":
            sizes = answer.split(",")
            return f"({answer.replace(',', ', ')}{',' * (len(sizes) == 1 and answer != '')})"
        if self.kind == "choice":
            return self.options[answer]
        if self.kind == "order":
            return ", ".join(self.options[int(i)] for i in answer.split(","))
        return f"{self.label} = {short(self.places[answer])}" if self.kind == "picture" else answer

    def allowed(self, answer: Any) -> float | None:
        if self.kind != "number":
            return None
        if self.tolerance is not None:
            return self.tolerance
        return 1e-3 * max(abs(answer), 1.0) if math.isfinite(answer) else 0.0

    def pictured(self, numbers: dict[str, Any]) -> dict[str, Any]:
        """The curve for each place of the slider, and the one to match."""
        if self.curve is None or self.target is None:
            return {}
        curve, target = self.curve, self.target

        def points(f: Callable[..., Any], *place: float) -> list[list[float]]:
            return [[float(x), float(f(*place, x, *numbers.values()))] for x in self.x]

        curves = [points(curve, place) for place in self.places]
        return {"curves": curves, "target": points(target), "label": self.label, "places": list(self.places)}

    @staticmethod
    def filled(text: str, numbers: Mapping[str, Any]) -> str:
        for name, value in numbers.items():
            text = text.replace(f"{{{name}}}", value if isinstance(value, str) else short(value))
        return text


def short(value: Any) -> str:
    """A number as a person writes it.

    >>> short(3.0), short(-0.25), short(2 / 3), short(20000.0), short(1000.693), short([1.0, 2.5])
    ('3', '−0.25', '0.6667', '20000', '1000.69', '[1, 2.5]')
    """
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(short, value))}]"
    if not isinstance(value, int | float):
        return str(value)
    digits = ".4g"
    if abs(value) < WRITTEN_OUT:
        digits = ".0f" if value == int(value) else ".2f" if abs(value) >= 1000 else ".4g"
    return f"{value:{digits}}".replace("-", "−")


def number(prompt: str, answer: Any, *, tolerance: float | None = None, **more: Any) -> Question:
    """A number; right within a thousandth if no `tolerance` is given."""
    return Question(kind="number", prompt=prompt, answer=answer, tolerance=tolerance, **more)


def shape(prompt: str, answer: Any, **more: Any) -> Question:
    """A shape; `answer` is one, or gives a tensor that has it."""
    return Question(kind="shape", prompt=prompt, answer=answer, **more)


def sign(prompt: str, answer: Any, **more: Any) -> Question:
    """Whether a number is positive, zero or negative; `answer` gives the number."""
    return Question(kind="sign", prompt=prompt, answer=answer, **more)


def choice(prompt: str, options: Sequence[str], answer: Any, **more: Any) -> Question:
    """One of several, `answer`; `mistakes` may be a dict, with the sentence for each wrong option."""
    return Question(kind="choice", prompt=prompt, options=options, answer=answer, **named(more))


def order(prompt: str, options: Sequence[str], answer: Any, **more: Any) -> Question:
    """All of several, in an order; `answer` is the list of them in that order."""
    return Question(kind="order", prompt=prompt, options=options, answer=answer, **named(more))


def picture(prompt: str, curve: Any, target: Any, *, places: Sequence[float], answer: float, **more: Any) -> Question:
    """A slider, moved until its curve lies on the dashed one.

    Args:
        curve: a function of two numbers, the slider's place and x.
        target: a function of x.
        places: where the slider may stand.
        answer: its right place, or a function for it.
        more: `x`, the numbers along the axis; `label`, what the slider is called; and what all questions take.
    """
    more = {"x": [i / 10 for i in range(-30, 31)], "label": say("fields.slider")} | more
    return Question(kind="picture", prompt=prompt, curve=curve, target=target, places=places, answer=answer, **more)


def named(more: dict[str, Any]) -> dict[str, Any]:
    """Mistakes that are written as a dict, from the wrong answer to its sentence."""
    mistakes = more.get("mistakes")
    if isinstance(mistakes, Mapping):
        more["mistakes"] = [Mistake(says, wrong) for wrong, says in mistakes.items()]
    return more
