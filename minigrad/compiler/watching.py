"""What a function can see besides its arrays: found before it runs, and asked before a plan takes its place.

A plan is right as long as everything that Python looked at is what it was: the function's closure, the globals that it
names, the modules, lists and options that these lead to. `Surroundings` finds them, and makes of each a question that
Python answers in some nanoseconds (`d3["lr"] == 0.1`). What cannot be asked so is a reason to go without a plan.
"""

import abc
import collections
import dis
import functools
import re
import sys
import sysconfig
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from typing import Any, NamedTuple

import numpy as np

from ..core.row import Op
from ..core.tensor import Tensor
from ..nn.hooked_call import HookedCall
from ..numbers.dtypes import dtype
from ..numbers.size_and_device import device
from ..optim.lr_scheduler import LRScheduler
from ..optim.optimizer import Optimizer
from ..words.source import is_ours, spot

CONSTANTS = (
    bool, int, float, complex, str, bytes, type(None), type(Ellipsis), slice, range, dtype, device, np.dtype, np.generic
)  # fmt: skip
FIXED: tuple = (types.MethodDescriptorType, np.ufunc, Op, types.GetSetDescriptorType, types.MemberDescriptorType)
FIXED += (types.WrapperDescriptorType, types.ClassMethodDescriptorType, types.GenericAlias, types.UnionType)
FIXED += (type(collections.namedtuple("_", "field").field),)  # type: ignore[attr-defined]
# What consists of other things, and how these are called.
PARTS: dict[type, tuple] = {property: ("fget", "fset"), staticmethod: ("__func__",), classmethod: ("__func__",)}
PARTS[functools.partial] = ("func", "args", "keywords")
PARTS[functools.cached_property] = ("func", "attrname")
LIBRARIES = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
PURE_MODULES = ("minigrad", "math", "operator", "functools", "itertools", "collections", "typing", "contextlib", "abc")
IMPURE = frozenset("print input open exec eval compile __import__ breakpoint globals id hash".split())
UNHEARD = frozenset(("_version", "memoryview", "bytearray", "bytes"))  # who uses these learns what nobody overhears
PURE_TYPES = (list, dict, tuple, str, bytes, set, frozenset, int, float, complex, bool, slice, range)
BY_ANY_NAME = frozenset(  # who uses these may read any attribute
    "getattr hasattr setattr delattr vars dir __dict__ __getattribute__ __getattr__ attrgetter methodcaller".split()
)
NAMING = frozenset("getattr hasattr setattr delattr".split())  # of these, those that may be told the name
WHETHER = "*"  # stands for the word of who asks whether an attribute is there
READERS = (types.BuiltinFunctionType, type)
COUNTED = "steps_taken"  # which an optimizer counts, and a plan counts on
GENERATED = ("minigrad.", "namedtuple_")  # whose classes have methods that are written by Python
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
def hidden(code: types.CodeType) -> list[str]:
    """What must not be called, and is handed on by its name, so that a call would not be heard."""
    loaded = [one for one in dis.get_instructions(code) if one.opname == "LOAD_GLOBAL" and one.argval in IMPURE]
    return [one.argval for one in loaded if not one.arg & 1]  # type: ignore[operator] # 1: to be called


@functools.cache
def imported(code: types.CodeType) -> list[str]:
    """The user's modules, or others whose answers may change, that a function imports itself."""
    found = [one.argval for one in dis.get_instructions(code) if one.opname == "IMPORT_NAME"]
    return [module for module in found if module.partition(".")[0] not in (*PURE_MODULES, "numpy")]


@functools.cache
def words_of(code: types.CodeType) -> set[str]:
    """The names and the strings in a function's code: no attribute or key of another name is read by it."""
    found = {word for one in codes_in(code) for word in (*one.co_names, *one.co_consts) if isinstance(word, str)}
    steps = [[one for one in dis.get_instructions(each) if one.opname != "PRECALL"] for each in codes_in(code)]
    if told := {word for word in found & NAMING if all(is_told(word, some) for some in steps)}:
        found = found - told | {WHETHER}
    return found | {"getattr"} if "MATCH_CLASS" in (one.opname for one in steps[0]) else found


def is_told(word: str, steps: list[dis.Instruction]) -> bool:
    """Whether `getattr`, or one like it, is only called with a name that stands there: `hasattr(net, "bias")`."""
    for at in (number for number, step in enumerate(steps) if step.argval == word):
        depth, end = 0, at
        while depth < 2 and end + 2 < len(steps):  # until what has the attribute, and the name, are on the stack
            end += 1
            depth += dis.stack_effect(steps[end].opcode, steps[end].arg, jump=False)
        name, then = steps[end], steps[end + 1 + steps[end + 1].opname.startswith("LOAD_")]
        is_call = steps[at].opname == "LOAD_GLOBAL" and then.opname == "CALL"
        if not (is_call and name.opname == "LOAD_CONST" and isinstance(name.argval, str)):
            return False
    return True


def exactly(keys: Iterable) -> list:
    """Keys in their order; told apart are 1, True and 1.0, and 0.0 and -0.0."""
    return [(type(key), repr(key)) if isinstance(key, CONSTANTS) else id(key) for key in keys]


def attributes_of(tensor: Tensor) -> dict[str, Any]:
    """What the user has written on a tensor."""
    return {name: value for name, value in vars(tensor).items() if name[0] != "_"}


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
        self.names: dict[str, Any] = {"exactly": exactly, "empty": types.CellType(), "attributes_of": attributes_of}
        self.names["registered"] = abc.get_cache_token
        self._unwatchable: dict[str, str] = {}  # what is there, and cannot be asked
        # By what it is about: the questions, each with the name under which it is found there, and where it leads.
        self._questions: dict[str, list[tuple[str, str, str]]] = {"": []}
        self._known: dict[int, str] = {}
        self._found: dict[str, str] = {}  # by name: how it was found
        self._codes: dict[str, types.CodeType] = {}
        self._reads_rate = False  # whether somebody else than an optimizer may
        self._ours: dict[str, Mapping] = {"": vars(Tensor)}  # what we made, of which users may name anything
        self._waiting: list[tuple[Any, str, str]] = []  # what was found and not yet looked into
        self._given(args, "args")
        self._given(options, "options")
        for one in roots:
            self._look("", one, name := self._name("f", one))
            self._found[name] = getattr(one, "__name__", type(one).__name__)
        while self._waiting:
            self._inside(*self._waiting.pop())
        while self._reads_rate and self.rates:  # a rate is an option like any other to who looks at it
            group, name = self.rates.pop()
            self._look(name, group["lr"], f"{name}['lr']", "lr")

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
                self._known[id(value)] = text
            self._ask("", self._keys(text, value) if type(value) is dict else length(text, value))
            for key, one in value.items() if type(value) is dict else enumerate(value):
                self._given(one, f"{text}[{self._key(key)}]")
        elif is_constant(value):
            kind, name = self._name("t", type(value)), self._name("c", value)
            same = f"type({text}) is {kind} and {text} == {name}"
            has_sign = isinstance(value, complex | np.complexfloating) or value == 0  # 0.0 == -0.0
            self._ask("", same + f" and repr({text}) == {repr(value)!r}" * bool(has_sign))
        else:
            self._look("", value, text)

    def _key(self, key: Any) -> str:
        return repr(key) if type(key) in (str, int, bool) else self._name("k", key)

    def _keys(self, text: str, keys: Iterable) -> str:
        """That a collection has these keys, in this order."""
        keys = list(keys)
        if not keys:
            return f"not {text}"
        if all(isinstance(key, Tensor) for key in keys):
            return length(text, keys)
        if all(type(key) is str for key in keys):
            return f"[*{text}] == {self._name('k', keys)}"
        self._name("k", keys)  # while they are kept, nothing else has their ids
        return f"exactly({text}) == {self._name('k', exactly(keys))}"

    def _tensor(self, tensor: Tensor, text: str, given: bool) -> None:
        about = "" if given and text[0] != "_" else text.partition(".")[0]
        if id(tensor) in self.seen:  # one and the same is met in two ways
            if self.seen[id(tensor)].text != text:
                self._ask(about, f"{text} is {self.seen[id(tensor)].text}")
        else:
            self.seen[id(tensor)] = Seen(tensor, text, given)
            self._ask(about, f"[*attributes_of({text})] == {[*attributes_of(tensor)]}", WHETHER)
            for key, one in attributes_of(tensor).items():
                self._look(about, one, f"{text}.{key}", key)
            if tensor._grad is not None:
                self._tensor(tensor._grad, f"{text}._grad", True)
            if tensor._base is not None:
                self._tensor(tensor._base, f"{text}._base", given)

    def _look(self, about: str, value: Any, text: str, under: str = "") -> None:
        """Something that is the same object in each call, and what it leads to; found in `about`."""
        if is_constant(value):
            name = self._name("c", value)
            same = f"{text} is {name}"
            if value == value and not isinstance(value, bool | None | complex | np.complexfloating):
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
        if isinstance(value, Tensor):
            self._tensor(value, name, False)
        elif isinstance(value, types.FunctionType):
            self._function(value, name)
        elif isinstance(value, types.BuiltinFunctionType):
            if value.__name__ in IMPURE:
                self._unwatchable[name] = f"{value.__name__}(),"
            elif not isinstance(value.__self__, types.ModuleType | type | None):
                self._look(name, value.__self__, f"{name}.__self__")
        elif isinstance(value, types.ModuleType):
            filename = getattr(value, "__file__", None) or ""
            if filename and is_ours(filename):
                self._ours[name] = vars(value)
            elif filename and not is_library(filename):
                self._attributes(vars(value), name)
        elif isinstance(value, type):
            for one in value.__mro__ if is_users(value) else ():
                self._class(one, name)
            if is_users(type(value)):
                self._look(name, type(value), f"type({name})")
            if isinstance(value, abc.ABCMeta):  # others may be registered with it
                self._ask(name, f"registered() == {abc.get_cache_token()}")
            if issubclass(value, HookedCall) and not is_users(value):
                self._look(name, value.forward, f"{name}.forward")
        elif "__wrapped__" in getattr(value, "__dict__", {}) and type(value).__module__.startswith(__package__):
            self._look(name, value.__wrapped__, f"{name}.__wrapped__")  # another compiled function
        elif type(value) in PARTS:
            for part in PARTS[type(value)]:
                self._look(name, getattr(value, part), f"{name}.{part}")
        elif not isinstance(value, FIXED):
            self._object(value, name, under)

    def _object(self, value: Any, name: str, under: str) -> None:
        """Something that holds other things: inside, as attributes, or both."""
        kind = type(value)
        more = has_slots(kind)  # type: ignore[arg-type] # classes are hashable
        if isinstance(value, dict) and not more:
            self._dict(value, name, under)
        elif isinstance(value, list | tuple) and not more:
            self._ask(name, length(name, value) if isinstance(value, list) else "")
            for index, one in enumerate(value):
                self._look(name, one, f"{name}[{index}]")
        elif isinstance(value, set | frozenset) and not more and all(map(is_constant, value)):
            self._ask(name, self._keys(name, value))
        elif more or not (isinstance(value, CONSTANTS) or (is_simple(kind) and hasattr(value, "__dict__"))):
            self._unwatchable[name] = f"{repr(under) if under else ''}, of type {kind.__name__},"
            return
        if isinstance(value, Optimizer):
            self.optimizers.append((value, name))
        self._reads_rate |= isinstance(value, LRScheduler)
        if (contents := getattr(value, "__dict__", None)) or (is_users(kind) and contents is not None):
            self._attributes(contents, name, isinstance(value, HookedCall | Optimizer))
        if is_users(kind) or isinstance(value, HookedCall):
            self._look(name, kind, f"type({name})")

    def _function(self, function: types.FunctionType, name: str) -> None:
        code, scope = function.__code__, function.__globals__
        whole, name = name, f"{name}()"  # what matters only if it is called
        self._ask(whole, "", "", name)
        self._codes[name] = code
        is_users = not (is_ours(code.co_filename) or is_library(code.co_filename))
        if is_users:
            self._reads_rate |= code.co_name != "update" and not words_of(code).isdisjoint(("lr", "param_groups"))
            self._ask(name, f"{whole}.__code__ is {self._name('o', code)}")  # which a reloading of modules replaces
        for word, cell in zip(code.co_freevars, function.__closure__ or ()):
            try:
                inside = cell.cell_contents
            except ValueError:  # nothing is in it yet
                self._ask(name, f"{self._name('cell', cell)} == empty")
                continue
            passed_on = isinstance(inside, types.FunctionType | types.MethodType | functools.partial | Tensor)
            if is_users or (passed_on and not hasattr(inside, "op")):  # a row of the tables has no surroundings
                held = self._name("cell", cell)
                self._found[held] = word
                self._look(name, inside, f"{held}.cell_contents")
        if not is_users:
            return
        for part in ("__defaults__", "__kwdefaults__"):
            self._look(whole, getattr(function, part), f"{whole}.{part}")
        self._attributes(vars(function), whole)
        place = self._name("g", scope)
        for word in globals_of(code):
            if word in scope:
                self._look(name, scope[word], f"{place}.get({word!r})", word)
            else:
                self._ask(name, f"{word!r} not in {place}", word)

    def _dict(self, value: dict, name: str, under: str = "") -> None:
        is_group = "params" in value and "lr" in value  # an optimizer's, which reads its options by name
        if under in ("_parameters", "_buffers"):  # of a module: their order is seen by who goes through them
            for word in (under, "_members"):
                self._ask(name, self._keys(name, value), word)
        in_any_order = is_group or under in ("_parameters", "_buffers") or [*map(type, value)] == [str]
        self._ask(name, length(name, value) if in_any_order else self._keys(name, value))
        for key, one in list(value.items()):
            text = self._key(key)
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
        is_users_own = not isinstance(self.names[name], types.ModuleType) and is_users(type(self.names[name]))
        keys = self._keys(place, contents)
        self._ask(name, keys, "" if is_users_own else WHETHER)
        self._ask(name, "" if is_users_own else length(place, contents))
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

    def knows(self, value: Any) -> bool:
        """Whether somebody had this before."""
        return id(value) in self._known

    def _class(self, kind: type, name: str) -> None:
        if is_users(kind):
            place = self._name("m", vars(kind))
            self._ask(name, self._keys(place, vars(kind)))
            for key, member in list(vars(kind).items()):
                if not key.startswith("__"):
                    self._look(name, member, f"{place}.get({key!r})", key)
                elif isinstance(member, types.FunctionType | staticmethod | classmethod | property):
                    self._look(name, member, f"{place}.get({key!r})")  # which Python calls by itself

    def reached(self, codes: set, users: set) -> tuple[list[str], str]:
        """All questions about what code that ran could see, some of it the user's; and what there cannot be asked."""
        words, own = (set().union(*map(words_of, some)) for some in (codes, users))
        words = words - {WHETHER} | own  # what we ask ourselves, every call asks so
        for by_any_name in (not BY_ANY_NAME.isdisjoint(own), True):
            found, done, blind = self._walked(words, codes, by_any_name)
            known = {inner for name in done & self._codes.keys() for inner in codes_in(self._codes[name])}
            things = [self.names[name] for name in done & self.names.keys()]
            reads = any(getattr(one, "__name__", "") in BY_ANY_NAME for one in things if isinstance(one, READERS))
            if users <= known and not reads:
                break
        for word in sorted(own & UNHEARD):
            blind = blind or f"{word},"
        for unknown in sorted(code.co_name for code in users - known):
            blind = blind or f"{unknown}(), found in a way"
        for name in (one for one in self._ours if one in done):
            place = self._name("m", self._ours[name])
            named = sorted(own & self._ours[name].keys())
            found += [f"{place}[{word!r}] is {self._name('o', self._ours[name][word])}" for word in named]
        return found, blind

    def _walked(self, words: set[str], codes: set, by_any_name: bool) -> tuple[list[str], set[str], str]:
        """The questions about all that these words lead to, the names of that, and what there cannot be asked."""
        stack, done, found, blind = [""], {""}, [], ""
        while stack:
            name = stack.pop()
            if name in self._codes and self._codes[name] not in codes:
                continue
            if not blind and name in self._unwatchable:
                blind = self._unwatchable[name]
                blind = self.plain(name) + blind if blind[0] == "," else blind
            asked = [one for one in self._questions.get(name, ()) if by_any_name or not one[1] or one[1] in words]
            found += [text for text, _, _ in asked if text]
            stack += (more := [leads for leads in dict.fromkeys(leads for _, _, leads in asked) if leads not in done])
            done.update(more)
        return list(dict.fromkeys(found)), done, blind

    def plain(self, question: str) -> str:
        """A question as a person may read it: `state['n'] == 0` for `_o7['n'] is _c9`."""
        question = question.removeprefix("(").partition(" or (")[0].replace(" is ", " == ")
        while names := re.findall(r"\b_[a-z]+\d+\b", question):
            question = re.sub(r"_[gm]\d+\.get\('(\w+)'\)", r"\1", question)
            for name in names:
                question = question.replace(name, self._found[name] if name in self._found else repr(self.names[name]))
            question = re.sub(r"(_d\d+)\['(\w+)'\]", r"\1.\2", question).replace(".cell_contents", "")
        return question

    def asking(self, questions: list[str]) -> Callable:
        """A function of the arguments that asks these questions."""
        return eval(f"lambda args, options: {' and '.join(questions)}", self.names)


def length(text: str, things: Sized) -> str:
    """That there are as many things."""
    return f"len({text}) == {len(things)}" if things else f"not {text}"


class Simple:
    """An object of which all stands in its `__dict__`."""


def is_minigrads(kind: type) -> bool:
    return kind.__module__.startswith("minigrad.")


@functools.lru_cache(1000)
def has_slots(kind: type) -> bool:
    """Whether an object of this class holds things beside its items and its `__dict__`."""
    return any(getattr(one, "__slots__", ()) for one in kind.__mro__ if not is_minigrads(one))


def is_simple(kind: type) -> bool:
    """Whether all that an object of this class holds stands in its `__dict__`, or is known here."""
    return is_minigrads(kind) or kind.__basicsize__ <= Simple.__basicsize__ or kind is types.SimpleNamespace


def is_constant(value: Any) -> bool:
    """Whether a value is told by its type and itself: a user's own kind of number may have attributes, too."""
    return isinstance(value, CONSTANTS) and not is_users(type(value))


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
            elif happens == "c_call" and (users.get(frame.f_code) or given is warnings.warn):
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

    def _is_users(self, frame: types.FrameType) -> bool:
        code = frame.f_code
        if code not in self._users:
            is_made = code.co_filename == "<string>" and frame.f_globals.get("__name__", "").startswith(GENERATED)
            self._users[code] = not (is_made or is_ours(code.co_filename) or is_library(code.co_filename))
        return self._users[code]

    @property
    def users(self) -> set[types.CodeType]:
        """The code that ran and is the user's."""
        return {code for code in self.codes if self._users[code]}

    def _met(self, frame: types.FrameType, code: types.CodeType) -> None:
        """Code runs for the first time."""
        self.codes.add(code)
        if self._is_users(frame):
            scope = frame.f_globals
            for one in hidden(code):
                self.refuse(f"uses {one}() in a way that cannot be watched", frame)
            for origin in imported(code):
                self.refuse(f"imports {origin} while it runs", frame)
            for word in globals_of(code):
                if isinstance(module := scope.get(word), types.ModuleType) and self._is_foreign(module, code):
                    self.refuse(f"uses the module {module.__name__}, whose answers may change", frame)
        elif code.co_filename.endswith("stream.py") and is_ours(code.co_filename):
            self.refuse("draws random numbers", frame)
        elif frame.f_back is not None and self._is_users(frame.f_back) and is_library(code.co_filename):
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
