"""A question as it was asked, and what is said of an answer. `web/judging.js` does the same in a browser.

>>> asked = Asked(
...     lesson="1", name="slope", seed=0, kind="number", prompt="How steep?", answer=6.0, shown="6", tolerance=0.01
... )
>>> asked.judge("6").right, asked.judge("-6").says
(True, 'The sign is the other one.')
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..words import say

SIGNS = ("+", "0", "−")
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|[+-]?inf|nan"


@dataclass(frozen=True)
class Verdict:
    """What is said of an answer."""

    right: bool
    says: str = ""


class Unreadable(ValueError):
    """An answer that is none of the kind. It is no try, and the message says how to write one."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question with its numbers in it.

    Args:
        answer: in the form that answers are read to: a number, or what stands for the choice.
        wrong: pairs of an answer in the same form and the sentence for it.
        tolerance: how far a number may be off; None where an answer is right or not.
    """

    lesson: str
    name: str
    seed: int
    kind: str
    prompt: str
    answer: Any
    shown: str
    wrong: tuple[tuple[Any, str], ...] = ()
    tolerance: float | None = None
    hints: tuple[str, ...] = ()
    because: str = ""
    options: tuple[str, ...] = ()
    picture: Mapping[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """All of it as JSON has it; what is not finite is a word."""
        texts = {name: value for name, value in vars(self).items() if value or name in ("answer", "seed")}
        return texts | {"answer": told(self.answer), "wrong": [[told(one), says] for one, says in self.wrong]}

    def judge(self, text: str) -> Verdict:
        """Whether an answer is right; if it is not, which mistake leads to it."""
        given = read(self.kind, text)
        if self.same(given, self.answer):
            return Verdict(True)
        said = [says for wrong, says in self.wrong if self.same(given, wrong)]
        if not said and self.tolerance is not None and self.same(-given, self.answer):
            said = [say("judging.other_sign")]
        return Verdict(False, said[0] if said else "")

    def same(self, one: Any, other: Any) -> bool:
        return same(one, other, self.tolerance)


def same(one: Any, other: Any, tolerance: float | None) -> bool:
    """Whether two answers are one: numbers within the tolerance, others if they are equal."""
    if tolerance is None or one == other:
        return one == other
    return abs(one - other) <= tolerance or (math.isnan(one) and math.isnan(other))


def told(answer: Any) -> Any:
    return answer if isinstance(answer, str | int) or math.isfinite(answer) else str(answer)


def read(kind: str, text: str) -> Any:
    """An answer in the form in which it is compared.

    >>> read("number", "−1/4"), read("shape", "3×1"), read("shape", "()")
    (-0.25, '3,1', '')
    """
    text = text.strip().replace("−", "-")
    if kind == "number":
        return read_number(text)
    if kind == "shape":
        inner = re.fullmatch(r"\(([^()]*)\)|\[([^][]*)\]|([^][()]+)", text)
        sizes = re.split(r"\s*[,×x]\s*|\s+", next(filter(None, inner.groups()), "").strip(" ,")) if inner else ["?"]
        if sizes != [""] and not all(re.fullmatch(r"[0-9]+", size) for size in sizes):
            raise Unreadable(say("judging.no_shape"))
        return ",".join(str(int(size)) for size in sizes if size)
    if kind == "sign":
        return text.replace("-", "−")
    return int(text) if kind in ("choice", "picture") else text.replace(" ", "")


def read_number(text: str) -> float:
    if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", text):
        raise Unreadable(say("judging.a_comma", number=text.replace(",", ".")))
    parts = text.split("/")
    if len(parts) > 2 or not all(re.fullmatch(NUMBER, part.strip(), re.IGNORECASE) for part in parts):
        raise Unreadable(say("judging.no_number"))
    top, *bottom = map(float, parts)
    if bottom == [0.0]:
        raise Unreadable(say("judging.no_number"))
    return top / bottom[0] if bottom else top


def as_text(asked: Asked, guess: Any) -> str:
    """An answer that was given in code, as one would have typed it: a number, a shape, an option or a list of all, a
    place of the slider."""
    if isinstance(guess, str) and asked.kind not in ("choice", "order", "sign"):
        return guess
    try:
        if asked.kind == "choice":
            return str(asked.options.index(guess) if isinstance(guess, str) else int(guess))
        if asked.kind == "order":
            places = [asked.options.index(one) for one in guess]
            if len(set(places)) < len(asked.options):  # one that is not finished is no try
                raise ValueError
            return ",".join(map(str, places))
        if asked.kind == "picture":
            return str(asked.picture["places"].index(guess))
        if asked.kind == "shape":
            return str(tuple(getattr(guess, "shape", guess)))
        if asked.kind == "sign" and isinstance(guess, str):
            words = [say(f"signs.{one}") for one in ("positive", "zero", "negative")]  # as the buttons say it
            sign = SIGNS[words.index(guess.strip())] if guess.strip() in words else read("sign", guess)
            if sign in SIGNS:
                return sign
        if asked.kind == "sign":
            return SIGNS[1 - (float(guess) > 0) + (float(guess) < 0)]
        return repr(float(guess))
    except (TypeError, ValueError, RuntimeError):
        kind = {"picture": "choice", "sign": "choice"}.get(asked.kind, asked.kind)
        options = {"picture": asked.picture.get("places", ()), "sign": SIGNS}.get(asked.kind, asked.options)
        said = say(f"judging.expected_{kind}", options=", ".join(map(repr, options)), given=repr(guess))
        raise Unreadable(said) from None
