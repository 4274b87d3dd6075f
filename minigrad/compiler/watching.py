"""What a function can see besides its arrays: found before it runs, and asked before a plan takes its place.

A plan is right as long as everything that Python looked at is what it was: the function's closure, the globals that it
names, the modules, lists and options that these lead to. `Surroundings` finds them, and makes of each a question that
Python answers in some nanoseconds (`d3["lr"] == 0.1`). What cannot be asked so is a reason to go without a plan.
"""

import builtins
import dis
import functools
import re
import sys
import sysconfig
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..core.row import Op
from ..core.tensor import Tensor
from ..nn.hooked_call import HookedCall
from ..numbers.dtypes import dtype
from ..numbers.size_and_device import device
from ..optim.optimizer import Optimizer
from ..words.source import is_ours, spot

CONSTANTS = (
    bool, int, float, complex, str, bytes, type(None), type(Ellipsis), slice, range, dtype, device, np.dtype, np.generic
)  # fmt: skip
FIXED: tuple = (type, types.ModuleType, types.BuiltinFunctionType, types.MethodDescriptorType, np.ufunc, property)
FIXED += (Op, types.GetSetDescriptorType, types.MemberDescriptorType, types.WrapperDescriptorType)
LIBRARIES = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
PURE_MODULES = ("minigrad", "math", "operator", "functools", "itertools", "collections", "typing", "contextlib", "abc")
IMPURE = frozenset("print input open exec eval compile __import__ breakpoint globals".split())
PURE_TYPES = (list, dict, tuple, str, bytes, set, frozenset, int, float, complex, bool, slice, range)
BY_ANY_NAME = frozenset(("getattr", "vars", "__dict__", "attrgetter"))  # who uses these may read any attribute
DRAWS = ("words", "wide_words", "unit")  # by which a generator gives numbers
COUNTED = "steps_taken"  # which an optimizer counts, and a plan counts on
UNREAD = (COUNTED, "defaults")  # attributes of an optimizer that no step reads
PLACES = ("_parameters", "_buffers", "_modules")  # of a module, which finds them by names that it goes through


class Seen(NamedTuple):
    """A tensor that the function can see."""

    tensor: Tensor
    text: str  # how it is reached
    is_given: bool  # among the arguments, or as a `.grad`: another one in each call


def is_library(filename: str) -> bool:
    return filename.startswith(("<frozen", *LIBRARIES)) and not is_ours(filename)


def is_users(kind: type) -> bool:
    """Whether a class is the user's own."""
    module = sys.modules.get(kind.__module__)
    filename = getattr(module, "__file__", None) or ""
    return not (filename and (is_ours(filename) or is_library(filename))) and kind.__module__ != "builtins"


def codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """A function's code, and that of the functions written inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_in(constant)


@functools.cache
def globals_of(code: types.CodeType) -> list[str]:
    """The names that a function looks up outside of itself."""
    found = (one for each in codes_in(code) for one in dis.get_instructions(each))
    return sorted({one.argval for one in found if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")})


@functools.cache
def words_of(code: types.CodeType) -> set[str]:
    """The names and the strings in a function's code: no attribute or key of another name is read by it."""
    return {word for one in codes_in(code) for word in (*one.co_names, *one.co_consts) if isinstance(word, str)}


class Surroundings:
    """What a function and its arguments lead to.

    Attributes:
        seen: the tensors, by id.
        rates: the learning rates: dicts in which a plan looks them up anew each time, because schedules change them.
        optimizers: whose steps are counted.
        names: what the questions speak of.
    """

    def __init__(self, args: tuple, options: dict, roots: list) -> None:
        self.seen: dict[int, Seen] = {}
        self.rates: list[tuple[dict, str]] = []
        self.optimizers: list[tuple[Optimizer, str]] = []
        self.names: dict[str, Any] = {}
        self._unwatchable: dict[str, str] = {}  # what is there, and cannot be asked
        # By what it is about: the questions, each with the name under which it is found there, and where it leads.
        self._questions: dict[str, list[tuple[str, str, str]]] = {"": []}
        self._known: dict[int, str] = {}
        self._found: dict[str, str] = {}  # by name: how it was found
        self._codes: dict[str, types.CodeType] = {}
        self._waiting: list[tuple[Any, str, str]] = []  # what was found and not yet looked into
        self._given(args, "args")
        self._given(options, "options")
        for one in roots:
            self._look("", one, self._name("f", one))
        while self._waiting:
            self._inside(*self._waiting.pop())

    def _name(self, letter: str, value: Any) -> str:
        name = f"_{letter}{len(self.names)}"
        self.names[name] = value
        return name

    def _ask(self, about: str, text: str, under: str = "", leads: str = "") -> None:
        self._questions.setdefault(about, []).append((text, under, leads))

    def _given(self, value: Any, text: str) -> None:
        """Arguments: lists and dicts are new ones in each call, what is in them counts."""
        if isinstance(value, Tensor):
            self._tensor(value, text, True)
        elif type(value) in (tuple, list, dict):
            if text not in ("args", "options"):
                self._ask("", f"type({text}) is {type(value).__name__}")
            self._ask("", f"len({text}) == {len(value)}")
            for key, one in value.items() if type(value) is dict else enumerate(value):
                if type(value) is dict:
                    self._ask("", f"{key!r} in {text}")
                self._given(one, f"{text}[{key!r}]")
        elif isinstance(value, CONSTANTS):
            kind, name = self._name("t", type(value)), self._name("c", value)
            same = f"type({text}) is {kind} and {text} == {name}"
            self._ask("", same + f" and str({text}) == {str(value)!r}" * (value == 0))  # 0.0 == -0.0
        else:
            self._look("", value, text)

    def _tensor(self, tensor: Tensor, text: str, given: bool) -> None:
        if id(tensor) not in self.seen:
            self.seen[id(tensor)] = Seen(tensor, text, given)
            if tensor._grad is not None:
                self._tensor(tensor._grad, f"{text}._grad", True)
            if tensor._base is not None:
                self._tensor(tensor._base, f"{text}._base", given)

    def _look(self, about: str, value: Any, text: str, under: str = "") -> None:
        """Something that is the same object in each call, and what it leads to; found in `about`."""
        if isinstance(value, CONSTANTS):
            name = self._name("c", value)
            same = f"{text} is {name}"
            if value == value and type(value) not in (bool, type(None)):
                same = f"({same} or (type({text}) is type({name}) and {text} == {name} != 0))"  # 0.0 == -0.0
            self._ask(about, same, under)
        elif isinstance(value, types.MethodType):
            self._look(about, value.__func__, f"{text}.__func__", under)
            self._look(about, value.__self__, f"{text}.__self__", under)
        else:
            is_new = id(value) not in self._known
            name = self._known[id(value)] = self._name("o", value) if is_new else self._known[id(value)]
            self._found.setdefault(name, text)
            self._ask(about, f"{text} is {name}", under, name)
            if is_new:
                self._waiting.append((value, name, under))

    def _inside(self, value: Any, name: str, under: str) -> None:
        """What an object leads to."""
        if isinstance(value, FIXED) and not isinstance(value, types.ModuleType | type):
            return
        if isinstance(value, Tensor):
            self._tensor(value, name, False)
        elif isinstance(value, types.FunctionType):
            self._function(value, name)
        elif "__wrapped__" in getattr(value, "__dict__", {}) and type(value).__module__.startswith(__package__):
            self._look(name, value.__wrapped__, f"{name}.__wrapped__")  # another compiled function
        elif isinstance(value, functools.partial):
            for part in ("func", "args", "keywords"):
                self._look(name, getattr(value, part), f"{name}.{part}")
        elif isinstance(value, dict):
            self._dict(value, name)
        elif isinstance(value, list | tuple):
            if isinstance(value, list):
                self._ask(name, f"len({name}) == {len(value)}")
            for index, one in enumerate(value):
                self._look(name, one, f"{name}[{index}]")
        elif isinstance(value, types.ModuleType):
            filename = getattr(value, "__file__", None) or ""
            if filename and not is_ours(filename) and not is_library(filename):
                self._attributes(vars(value), name)
        elif isinstance(value, type):
            for one in value.__mro__ if is_users(value) else ():
                self._class(one, name)
        elif isinstance(value, staticmethod | classmethod):
            self._look(name, value.__func__, f"{name}.__func__")
        elif isinstance(value, set | frozenset) and all(isinstance(one, CONSTANTS) for one in value):
            self._ask(name, f"{name} == {self._name('c', type(value)(value))}" if value else f"not {name}")
        elif type(value).__module__.startswith("minigrad.") or (hasattr(value, "__dict__") and is_simple(type(value))):
            if isinstance(value, Optimizer):
                self.optimizers.append((value, name))
            self._attributes(vars(value), name, isinstance(value, HookedCall | Optimizer))
            if is_users(type(value)):
                self._look(name, type(value), f"type({name})")
        elif not isinstance(value, FIXED):
            self._unwatchable[name] = f"'{under}', of type {type(value).__name__}," if under else type(value).__name__

    def _function(self, function: types.FunctionType, name: str) -> None:
        code, scope = function.__code__, function.__globals__
        self._codes[name] = code
        is_users = not (is_ours(code.co_filename) or is_library(code.co_filename))
        if is_users:
            self._ask(name, f"{name}.__code__ is {self._name('o', code)}")  # which a reloading of modules replaces
        for word, cell in zip(code.co_freevars, function.__closure__ or ()):
            try:
                inside = cell.cell_contents
            except ValueError:  # nothing is in it yet
                continue
            passed_on = isinstance(inside, types.FunctionType | types.MethodType | functools.partial | Tensor)
            if is_users or (passed_on and not hasattr(inside, "op")):  # a row of the tables has no surroundings
                held = self._name("cell", cell)
                self._found[held] = word
                self._look(name, inside, f"{held}.cell_contents")
        if not is_users:
            return
        if function.__defaults__:
            self._look(name, function.__defaults__, f"{name}.__defaults__")
        place = self._name("g", scope)
        for word in globals_of(code):
            if word in scope:
                self._look(name, scope[word], f"{place}.get({word!r})", word)
            elif hasattr(builtins, word):
                self._ask(name, f"{word!r} not in {place}", word)

    def _dict(self, value: dict, name: str) -> None:
        self._ask(name, f"len({name}) == {len(value)}" if value else f"not {name}")
        is_group = "params" in value and "lr" in value  # an optimizer's, which reads its options by name
        for key, one in list(value.items()):
            text = repr(key) if isinstance(key, str | int) else self._name("k", key)
            if isinstance(key, Tensor):
                self._look(name, key, text)
            if is_group and key == "lr" and type(one) is float:
                self.rates.append((value, name))
                self._ask(name, f"type({name}['lr']) is float")
            else:
                self._look(name, one, f"{name}[{text}]", key if is_group else "")

    def _attributes(self, contents: dict, name: str, ours: bool = False) -> None:
        """The attributes of an object: only those count whose names are in the code that runs."""
        place = self._name("d", contents)
        self._found[place] = name
        self._ask(name, f"len({place}) == {len(contents)}")
        for key, one in list(contents.items()):
            if ours and key in UNREAD:
                continue
            if ours and key[0] == "_" and isinstance(one, dict | set):  # made once, and then only filled
                is_new = id(one) not in self._known
                own = self._known[id(one)] = self._name("o", one) if is_new else self._known[id(one)]
                self._ask(name, "", "" if key in PLACES else key, own)
                if is_new:
                    self._waiting.append((one, own, key))
            else:
                self._look(name, one, f"{place}[{key!r}]", key)

    def _class(self, kind: type, name: str) -> None:
        if is_users(kind):
            place = self._name("m", vars(kind))
            for key, member in list(vars(kind).items()):
                if not key.startswith("__") or key == "__call__":
                    self._look(name, member, f"{place}.get({key!r})", key)

    def reached(self, words: set[str], codes: set) -> tuple[list[str], str]:
        """All questions about what code that ran, with these words in it, could see; and what there cannot be asked."""
        users = [code for code in codes if not is_ours(code.co_filename) and not is_library(code.co_filename)]
        by_any_name = any(not BY_ANY_NAME.isdisjoint(words_of(code)) for code in users)
        stack, done, found, blind = [""], {""}, [], ""
        while stack:
            name = stack.pop()
            if name in self._codes and self._codes[name] not in codes:
                continue
            blind = blind or self._unwatchable.get(name, "")
            asked = [one for one in self._questions.get(name, ()) if by_any_name or not one[1] or one[1] in words]
            found += [text for text, _, _ in asked if text]
            stack += (more := {leads for _, _, leads in asked} - done)
            done |= more
        return list(dict.fromkeys(found)), blind

    def plain(self, question: str) -> str:
        """A question as a person may read it: `state['n'] == 0` for `_o7['n'] is _c9`."""
        question = question.removeprefix("(").partition(" or (")[0].replace(" is ", " == ")
        while names := re.findall(r"\b_[a-z]+\d+\b", question):
            for name in names:
                question = question.replace(name, self._found.get(name, repr(self.names[name])))
            question = re.sub(r"(_d\d+)\['(\w+)'\]", r"\1.\2", question).replace(".cell_contents", "")
            question = re.sub(r"_g\d+\.get\('(\w+)'\)", r"\1", question)
        return question

    def asking(self, questions: list[str]) -> Callable:
        """A function of the arguments that asks these questions."""
        return eval(f"lambda args, options: {' and '.join(questions)}", self.names)


def is_simple(kind: type) -> bool:
    """Whether all that its objects consist of stands in their `__dict__`."""
    return all(not getattr(one, "__slots__", ()) for one in kind.__mro__) and kind.__module__ != "builtins"


class Overhearing:
    """While it lasts: which code runs in this thread, and whether anything happens that a plan would not do again."""

    def __init__(self, refuse: Callable[[str, types.FrameType], None]) -> None:
        self.refuse = refuse
        self.codes: set[types.CodeType] = set()
        self._users: dict[types.CodeType, bool] = {}

    def __enter__(self) -> "Overhearing":
        self._before = sys.getprofile()
        codes, users, met, called = self.codes, self._users, self._met, self._called

        def hear(frame: types.FrameType, happens: str, given: Any) -> None:  # as short as can be: it is called often
            if happens == "call":
                if frame.f_code not in codes:
                    met(frame, frame.f_code)
            elif happens == "c_call" and users.get(frame.f_code):
                called(given, frame)

        sys.setprofile(hear)
        return self

    def __exit__(self, *error: Any) -> None:
        if self._before is None or callable(self._before):
            sys.setprofile(self._before)
        else:
            self._before.enable()  # a profiler such as cProfile's

    def _called(self, function: Any, frame: types.FrameType) -> None:
        """A function that is not written in Python was called by the user's code."""
        owner = getattr(function, "__self__", None)
        pure = isinstance(owner, PURE_TYPES) or (isinstance(owner, type) and issubclass(owner, PURE_TYPES))
        module = getattr(owner, "__name__", None) or getattr(function, "__module__", None) or ""
        if function.__name__ in IMPURE or not (pure or module == "builtins" or module in PURE_MODULES):
            self.refuse(f"calls {function.__name__}(), which a plan would not", frame)

    def _is_users(self, code: types.CodeType) -> bool:
        if code not in self._users:
            self._users[code] = not is_ours(code.co_filename) and not is_library(code.co_filename)
        return self._users[code]

    def _met(self, frame: types.FrameType, code: types.CodeType) -> None:
        """Code runs for the first time."""
        self.codes.add(code)
        if self._is_users(code):
            scope = frame.f_globals
            for word in globals_of(code):
                if isinstance(module := scope.get(word), types.ModuleType) and self._is_foreign(module, code):
                    self.refuse(f"uses the module {module.__name__}, whose answers may change", frame)
        elif code.co_name in DRAWS and code.co_filename.endswith("stream.py") and is_ours(code.co_filename):
            self.refuse("draws random numbers", frame)
        elif frame.f_back is not None and self._is_users(frame.f_back.f_code) and is_library(code.co_filename):
            module = frame.f_globals.get("__name__", "").partition(".")[0]
            if module not in PURE_MODULES and module != "numpy":
                self.refuse(f"calls {code.co_name}() of the module {module}", frame.f_back)

    @staticmethod
    def _is_foreign(module: types.ModuleType, code: types.CodeType) -> bool:
        first = module.__name__.partition(".")[0]
        if first == "numpy":
            return "random" in code.co_names or "random" in module.__name__
        filename = getattr(module, "__file__", None) or ""
        return first not in PURE_MODULES and (not filename or is_library(filename))


def place_of(frame: types.FrameType | None) -> str:
    """The user's line, in words."""
    while frame is not None and (is_ours(frame.f_code.co_filename) or is_library(frame.f_code.co_filename)):
        frame = frame.f_back
    return "" if frame is None else spot(frame.f_code.co_filename, frame.f_lineno)
