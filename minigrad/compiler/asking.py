"""Questions as text, which Python answers in some nanoseconds, and the names by which they speak of things."""

import abc
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sized
from typing import Any

import numpy as np

from ..nn.parameter import Parameter
from .kinds import attributes_of, exactly

NUMBERED = re.compile(r"[_h][a-z]*\d+")
SINGLE = range(-5, 257)  # the numbers of which Python has one object each


class Asking:
    """Questions, and what they speak of.

    Attributes:
        names: what the questions speak of.
    """

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"exactly": exactly, "empty": types.CellType(), "attributes_of": attributes_of}
        self.names |= {"registered": abc.get_cache_token, "Parameter": Parameter}
        # By what it is about: the questions, each with the word under which it is found there, and where it leads.
        self._questions: dict[str, list[tuple[str, str, str]]] = {}
        self._known: dict[int, str] = {}  # by id: the name of what was met
        self._found: dict[str, str] = {}  # by name: how it was found

    def _name(self, letter: str, value: Any) -> str:
        name = f"_{letter}{len(self.names)}"
        self.names[name] = value
        return name

    def _ask(self, about: str, text: str, word: str = "", leads: str = "") -> None:
        self._questions.setdefault(about, []).append((text, word, leads))

    def _key(self, key: Any) -> str:
        return repr(key) if type(key) in (str, int, bool) else self._name("k", key)

    def _keys(self, text: str, keys: Iterable) -> str:
        """That a collection has these keys, in this order."""
        keys = list(keys)
        if not keys:
            return f"not {text}"
        if {*map(type, keys)} == {str}:
            return f"[*{text}] == {self._name('k', keys)}"
        self._name("k", keys)  # while they are kept, nothing else has their ids
        return f"exactly({text}) == {self._name('k', exactly(keys))}"

    def _same(self, text: str, value: Any) -> str:
        """That this is the same constant; told apart are 1, True and 1.0, and 0.0 and -0.0."""
        if value is None or type(value) is bool:
            return f"{text} is {value}"
        name = self._name("c", value)
        if type(value) is int and value in SINGLE:
            return f"{text} is {name}"
        is_zero = isinstance(value, float | np.floating) and value == 0
        has_sign = is_zero or isinstance(value, complex | np.complexfloating)
        alike = f"type({text}) is type({name}) and {text} == {name}"
        return f"({text} is {name} or ({alike}{f' and repr({text}) == {repr(value)!r}' if has_sign else ''}))"

    def plain(self, question: str) -> str:
        """A question as a person may read it: `state['n'] == 0` for `_o7['n'] is _c9`."""
        question = question.removeprefix("(").partition(" or (")[0].replace(" is ", " == ")
        while names := re.findall(r"\b_[a-z]+\d+\b", question):
            question = re.sub(r"_[gm]\d+\['(\w+)'\]", r"\1", question)
            question = re.sub(r"(_d\d+)\['(\w+)'\]", r"\1.\2", question)
            question = re.sub(r"\.(cell_contents|_compiled|__wrapped__)\b", "", question)
            for name in names:
                known = self._known.get(id(self.names[name]), name)
                question = question.replace(name, self._found.get(known) or repr(self.names[name]))
        place, _, answer = question.partition(" == ")
        return place if place == answer else question

    def asking(self, questions: list[str]) -> Callable:
        """A function of the arguments that asks these questions."""
        text = " and ".join(questions)
        return at_hand(eval(f"lambda args, options{parameters(text, self.names)}: {text}", self.names))


def parameters(text: str, names: Mapping) -> str:
    """The numbered names in a text, as further parameters: Python finds them more quickly than what is global."""
    return "".join([f", {name}" for name in dict.fromkeys(NUMBERED.findall(text)) if name in names])


def at_hand(function: types.FunctionType) -> types.FunctionType:
    """A function whose further parameters are what is global under their names."""
    code, names = function.__code__, function.__globals__
    function.__defaults__ = tuple([names[name] for name in code.co_varnames[2 : code.co_argcount]])
    return function


def length(text: str, things: Sized) -> str:
    """That there are as many things."""
    return f"len({text}) == {len(things)}" if things else f"not {text}"
