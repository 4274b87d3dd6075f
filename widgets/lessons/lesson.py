"""A lesson, as its notebook calls it: ask, check, hint, waive, review, sum up.

In the first cell stands its name; the questions are data (exercises.py).

    lesson = Lesson("05_gradients_add_up")
    lesson.ask("slope of y")            # a field, right here
    lesson.check("slope of y", guess)   # the same in code
    lesson.review()                     # asks again what was wrong, with other numbers
"""

import dis
import json
import os
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakSet

from IPython.display import display

from minigrad.words.absent import nearest

from ..showing.loading import load
from ..words import say
from . import exercises, progress
from .coding import Code, Judged
from .judging import Asked, Unreadable, Verdict, as_text
from .progress import ANSWERS, Entry

if TYPE_CHECKING:
    from .ask import Ask

NOTHING_DONE = {"RESUME", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "NOP"}


def all_waived() -> bool:
    """Whether the notebook runs to be stored or compared: nothing waits for an answer, and nothing is remembered."""
    return os.environ.get("MINIGRAD_ANSWERS") == "waived"


def is_stub(answer: Any) -> bool:
    """Whether a function, or a method of a rule, has no body yet but its docstring.

    >>> def half(x):
    ...     "Half of x."
    ...
    >>> is_stub(half), is_stub(lambda x: x / 2), is_stub(lambda: 2)
    (True, False, False)
    """
    if isinstance(answer, type):
        return any(is_stub(getattr(method, "__func__", method)) for method in vars(answer).values())
    if not isinstance(answer, FunctionType):
        return False
    steps = {step.opname for step in dis.get_instructions(answer)}
    return steps <= NOTHING_DONE and set(answer.__code__.co_consts) <= {answer.__doc__, None, ...}


class Lesson:
    """The questions of one lesson, and what this learner answered.

    Args:
        name: of the notebook, without .ipynb; its data is `exercises/NAME.py`.
    """

    current: ClassVar["Lesson | None"] = None  # the one that the cells of this kernel belong to

    def __init__(self, name: str) -> None:
        self.questions = exercises.questions(name)
        self.name = name
        self._fields: dict[tuple[str, int], WeakSet] = {}  # by question and seed: those that this kernel has shown
        Lesson.current = self
        if not all_waived():
            progress.opened(name)

    def __repr__(self) -> str:
        return say("lesson.name", lesson=f"Lesson({self.name!r})", count=len(self.questions))

    def ask(self, name: str) -> "Ask":
        """A field for the answer."""
        return self._ask(name, 0)

    def check(self, name: str, guess: Any) -> None:
        """The form in code: say whether an answer, or a function, is right, and if not, why."""
        question, asked = self.questions.get(name), self._asked(name)
        if guess is None or guess is ... or is_stub(guess):
            print(say("lesson.unwritten" if isinstance(question, Code) else "lesson.unanswered"))
            return
        try:
            given, verdict = self._judged(question, asked, guess)
        except Unreadable as problem:
            print(problem)
            return
        entry = self._entry(name)
        entry["tries"].append({"given": given, "right": verdict.right, "says": verdict.says})
        if verdict.right:
            entry["outcome"] = entry["outcome"] or "right"
        self._keep(name, 0, entry)
        if verdict.right:
            print(" ".join(filter(None, (say("ask.right"), asked.because))))
            return
        print(" ".join(filter(None, (say("ask.wrong"), verdict.says))))
        if entry["hints"] < len(asked.hints):
            print(say("lesson.gives_a_hint", call=f"lesson.hint({name!r})"))
        else:
            print(say("lesson.shows_the_answer", call=f"lesson.waive({name!r})"))
        if isinstance(verdict, Judged) and verdict.trace is not None:
            display(load(json.dumps(verdict.trace)).step(index=verdict.index))

    def hint(self, name: str) -> None:
        """Print the next hint."""
        asked, entry = self._asked(name), self._entry(name)
        if not asked.hints:
            print(say("lesson.no_hint"), say("lesson.shows_the_answer", call=f"lesson.waive({name!r})"))
            return
        number = min(entry["hints"], len(asked.hints) - 1)
        print(say("lesson.hint", number=number + 1, all=len(asked.hints), hint=asked.hints[number]))
        self._keep(name, 0, entry | {"hints": number + 1})

    def waive(self, name: str) -> None:
        """Print the answer, and let appear what waits for it."""
        question, asked, entry = self.questions.get(name), self._asked(name), self._entry(name)
        if isinstance(question, Code) and question.source():
            print(f"{say('lesson.one_way')}\n\n{question.source()}\n")
        print(" ".join(filter(None, (say("ask.it_is", answer=asked.shown) if asked.shown else "", asked.because))))
        self._keep(name, 0, entry | {"outcome": entry["outcome"] or "shown"})

    def is_over(self, name: str) -> bool:
        """Whether a question was answered rightly or waived, so that what depends on it may be seen."""
        return all_waived() or bool(self._entry(name)["outcome"])

    def review(self) -> None:
        """Ask again what was not right at first try: its cousins, with other numbers."""
        missed = [name for name in self.questions if (due := self._due(name)) is not None and due > 0]
        if not missed:
            print(say("lesson.nothing_to_review"))
        for name in missed:
            display(self._ask(name, self._due(name) or 0))

    def summary(self) -> None:
        """Say what was answered. Whoever is handed this notebook finds the answers in what this shows."""
        entries = {name: self._entry(name) for name in self.questions}
        answered = {name: entry for name, entry in entries.items() if entry["outcome"]}
        first = sum(map(progress.right_at_first, answered.values()))
        lines = [say("lesson.summary", answered=len(answered), all=len(entries), first=first)]
        lines += [f"  {name}: {self._told(name, entry)}" for name, entry in answered.items()]
        kept = {name: entry for name, entry in entries.items() if entry["tries"] or entry["outcome"]}
        data: dict[str, Any] = {"text/plain": "\n".join(lines)}
        display(data | ({ANSWERS: {self.name: kept}} if kept else {}), raw=True)

    def unknown(self, name: Any) -> str:
        """What is said of a question that the lesson has not."""
        guess = nearest(name, self.questions) if isinstance(name, str) else ""
        asks = say("lesson.asks", names=", ".join(map(repr, self.questions)))
        return say("lesson.asks_no", lesson=self.name, name=repr(name), but=guess or f"; {asks}")

    def _asked(self, name: str, seed: int = 0) -> Asked:
        if name not in self.questions:
            raise ValueError(self.unknown(name))
        return self.questions[name].asked(self.name, name, seed)

    def _judged(self, question: Any, asked: Asked, guess: Any) -> tuple[str, Verdict]:
        """What is kept of an answer, and what is said of it."""
        if not isinstance(question, Code):
            given = as_text(asked, guess)
            return given, asked.judge(given)
        judged = question.judge(guess)
        for line in judged.printed:
            print(line)
        return "code", judged

    def _ask(self, name: str, seed: int) -> "Ask":
        asked = self._asked(name, seed)
        from .ask import Ask

        ask = Ask(asked, lambda entry: self._keep(name, seed, entry), **self._entry(name, seed))
        self._fields.setdefault((name, seed), WeakSet()).add(ask)
        return ask

    def _entry(self, name: str, seed: int = 0) -> Entry:
        if all_waived():
            return progress.empty()
        return progress.entry(self.name, name, seed)

    def _keep(self, name: str, seed: int, entry: Entry) -> None:
        if not all_waived():
            progress.keep(self.name, name, seed, entry)
            for ask in self._fields.get((name, seed), ()):  # answered in code, or in another field
                ask.follow(entry)

    def _due(self, name: str) -> int | None:
        """The seed of the cousin that is to be asked: the one after the last that was wrong; None if none was."""
        seeds = progress.read().get(self.name, {}).get(name, {}) if not all_waived() else {}
        if not seeds:
            return None
        last = max(map(int, seeds))
        entry = seeds[str(last)]
        if progress.right_at_first(entry):
            return None
        return last + 1 if entry["outcome"] else last

    def _told(self, name: str, entry: Entry) -> str:
        if entry["outcome"] == "shown":
            return say("lesson.was_shown")
        from .ask import phrase

        number, right = next((i, one) for i, one in enumerate(entry["tries"], 1) if one["right"])
        key = "right_at_first" if progress.right_at_first(entry) else "right_at"
        return say(f"lesson.{key}", given=phrase(self._asked(name), right["given"]), number=number)
