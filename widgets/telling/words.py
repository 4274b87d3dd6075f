"""How names, formulas and sums are put into a text."""

import re
from typing import Any

import numpy as np

from ..recording.moments import UNKNOWN
from ..words import say
from .marks import in_brackets
from .trace import brief

NAME = re.compile(r"(?<![\w.'\"])[A-Za-z_]\w*(?!\w*(?:[(]|=[^=]))", re.ASCII)  # not called, no attribute, no keyword

MANY = 4  # results of one operation that are not all named in a sentence


def renamed(text: str, names: dict[str, str]) -> str:
    """A formula with other names; what is not known keeps its own.

    >>> renamed("cos(a) @ bᵀ", {"a": "x1", "b": "w"})
    'cos(x1) @ wᵀ'
    """
    return NAME.sub(lambda word: names.get(word[0], word[0]), text)


def bracketed(text: str) -> str:
    """In brackets where it would be torn apart as a factor.

    >>> bracketed("-2"), bracketed("cos(a)"), bracketed("1 - a * a"), bracketed("1e-05")
    ('(-2)', 'cos(a)', '(1 - a * a)', '1e-05')
    """
    text, depth = in_brackets(text), 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and (c in "+-" and text[i - 1] != "e" or c == "*" or c == "/"):
            return f"({text})"
    return text


def derived(name: str) -> str:
    """A name below or above the line of a derivative.

    >>> derived("a"), derived("∂L/∂a")
    ('∂a', '∂(∂L/∂a)')
    """
    return f"∂({name})" if name.startswith("∂") else f"∂{name}"


PROSE = re.compile(r"(?<!\w)(?!if|else|and|or|not|in|for)[a-z]+ (?!if |else |and |or |not |in |for )[a-z]+(?!\w)")


def is_prose(text: str) -> bool:
    """Whether a rule is told in words, and is no formula.

    >>> is_prose("g where x was picked"), is_prose("g * x if x > 0 else 0")
    (True, False)
    """
    return bool(PROSE.search(text))


def is_choice(text: str) -> bool:
    """Whether a formula ends with what holds otherwise, so that an equals sign behind it would be read wrongly.

    >>> is_choice("g where a > 0, else 0"), is_choice("g · (1 if a > 0 else 0)"), is_choice("g · where(a, 1, 0)")
    (True, False, False)
    """
    return re.search(r"\b(where|else) ", re.sub(r"\([^()]*\)", "", text)) is not None


def sum_text(before: Any, part: Any, after: Any) -> str:
    """`4 + (-1) = 3`; of arrays only the sum."""
    if not is_single(after):
        return brief(after)
    return f"{brief(before)} + {bracketed(brief(part))} = {brief(after)}"


def is_single(value: Any) -> bool:
    """Whether a value is one number, and is told as such: in many brackets it is a shape with its bounds."""
    return value is not UNKNOWN and np.size(value) == 1 and np.ndim(value) <= 2


def shape_text(value: Any) -> str:
    return "×".join(map(str, np.shape(value))) or say("values.one_number")


def bare(node: Any) -> str:
    """What a node is called, without the C++ namespace that PyTorch has before some names."""
    return node.name().rpartition(":")[2]


def few(names: list[str]) -> list[str]:
    """Names in a row, of many the first two and the last."""
    return names if len(names) <= MANY else [*names[:2], "…", names[-1]]
