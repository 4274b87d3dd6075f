"""Which questions are asked: those about what the code that ran could see, and so what there cannot be asked."""

import types
from collections.abc import Mapping
from typing import Any

from ..nn.parameter import Parameter
from .asking import Asking
from .kinds import is_minigrads
from .named_in_code import BY_ANY_NAME, NAMING, USERS, WHETHER, codes_in, words_of
from .overhearing import is_callable_library

# Who uses these learns what nobody overhears.
UNHEARD = frozenset(
    "_version memoryview bytearray bytes shares_memory may_share_memory next_functions output_nr"
    " __closure__ __globals__ __code__ metadata owndata set_printoptions retains_grad get_rng_state get_state".split()
)
READERS = (types.BuiltinFunctionType, type)


class Reaching(Asking):
    """Questions, and which of them a code leads to.

    Attributes:
        words: those of the code that ran; `own`, of the user's; `by_any_name`: whether it may read others, too.
        found: the names of what this code could see.
    """

    def __init__(self) -> None:
        super().__init__()
        self._unwatchable: dict[str, str] = {}  # what is there, and cannot be asked
        self._unheard = {*UNHEARD}
        self._held: list[str] = []  # the lists and dicts among the arguments
        self._codes: dict[str, types.CodeType] = {}
        self._shared: dict[str, Mapping] = {}  # modules that are not the user's, but of which something may be named

    def reached(self, codes: dict, users: set) -> tuple[list[str], str]:
        """All questions about what code that ran could see, some of it the user's; and what there cannot be asked."""
        # Python's own may pass over errors, or ask for names, for the user: `suppress`, or what a `Protocol` is.
        pythons = [code for code in codes.values() if is_callable_library(code.co_filename)]
        self.words, self.own, handed = [set().union(*map(words_of, some)) for some in (codes.values(), users, pythons)]
        handed = self.own | handed & {WHETHER, *NAMING}
        words = self.words - {WHETHER} | handed | {USERS + word for word in self.own}  # what we ask, every call asks so
        for self.by_any_name in (not BY_ANY_NAME.isdisjoint(handed), True):
            found, done, blind = self._walked(words, codes, self.by_any_name)
            known = {inner for name in done & self._codes.keys() for inner in codes_in(self._codes[name])}
            things = [self.names[name] for name in done & self.names.keys()]
            reads = any(getattr(one, "__name__", "") in BY_ANY_NAME for one in things if isinstance(one, READERS))
            if users <= known and not reads:
                break
        self.found = done
        for word in sorted(self.own & self._unheard):
            blind = blind or f"{word},"
        for unknown in sorted(code.co_name for code in users - known):
            blind = blind or f"{unknown}(), found in a way"
        methods: dict[str, Any] = {}  # what the user's code called of classes of ours, or a sign of it may call
        met = [(name, thing) for name, thing in self.names.items() if name in done and isinstance(thing, type)]
        for name, kind in [("Parameter", Parameter), *met]:
            own = [self.own & vars(one).keys() for one in kind.__mro__ if is_minigrads(one)]
            found_there = [(word, getattr(kind, word)) for word in sorted(set().union(*own))]
            methods |= {f"{name}.{word}": one for word, one in found_there if word[:2] == "__" or has_run(one, codes)}
        found += [f"({', '.join(methods)},) == {self._name('k', (*methods.values(),))}"] * bool(methods)
        ours = {id(place): place for name, place in self._shared.items() if name in done}
        for place in (places := [*ours.values()]):  # which grow meanwhile
            text, named = self._name("m", place), sorted(self.own & place.keys())
            found += [f"{text}[{word!r}] is {self._name('o', place[word])}" for word in named]
            inner = [vars(place[word]) for word in named if isinstance(place[word], types.ModuleType)]
            places += [one for one in inner if ours.setdefault(id(one), place) is place]
        if self._held:  # which of them are one and the same
            others = {id(self.names[name]) for name in done & self.names.keys() if name[:2] == "_o"}
            ids = ", ".join(f"id({text})" for text in self._held)
            found.append(f"len({self._name('i', others)}.union(({ids},))) == {len(others) + len(self._held)}")
        return found, blind

    def _walked(self, words: set[str], codes: dict, by_any_name: bool) -> tuple[list[str], set[str], str]:
        """The questions about all that these words lead to, the names of that, and what there cannot be asked."""
        stack, done, found, blind = [""], {""}, [], ""
        while stack:
            name = stack.pop()
            if name in self._codes and id(self._codes[name]) not in codes:
                continue
            if not blind and name in self._unwatchable:
                blind = self._unwatchable[name]
                blind = self.plain(name) + blind if blind[0] == "," else blind
            for text, word, leads in self._questions.get(name, ()):
                if by_any_name or not word or word in words:
                    found.append(text)
                    if leads not in done:
                        done.add(leads)
                        stack.append(leads)
        return [*filter(None, dict.fromkeys(found))], done, blind


def has_run(method: Any, codes: dict) -> bool:
    """Whether a method is among the codes that ran, or may be: of what is not a function that is not heard."""
    return not isinstance(method, types.FunctionType) or id(method.__code__) in codes
