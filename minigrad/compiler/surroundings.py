"""What a function can see besides its arrays: found before it runs, and asked before a plan takes its place.

A plan is right as long as everything that Python looked at is what it was: the function's closure, the globals that it
names, the modules, lists and options that these lead to. `Surroundings` finds them, and makes of each a question that
Python answers in some nanoseconds (`d3["lr"] == 0.1`). What cannot be asked so is a reason to go without a plan.
"""

import abc
import builtins
import contextlib
import functools
import sys
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from ..core.tensor import Tensor
from ..nn.hooked_call import HookedCall
from ..optim.lr_scheduler import LRScheduler
from ..optim.optimizer import Optimizer
from ..words.source import is_ours
from .asking import length
from .kinds import FIXED, PARTS, attributes_of, gained, has_more, is_constant, is_minigrads, is_simple, is_users
from .named_in_code import USERS, WHETHER, globals_of, words_of
from .overhearing import PURE_MODULES, is_library, is_own, is_pure
from .reaching import READERS, Reaching

ASIDE = "__defaults__ __kwdefaults__ __annotations__ __name__ __qualname__ __doc__ __module__".split()  # of functions
COUNTED = "steps_taken"  # which an optimizer counts, and a plan counts on
PLACES = ("_parameters", "_buffers", "_modules")  # of a module, which finds them by names that it goes through


class Seen(NamedTuple):
    """A tensor that the function can see."""

    tensor: Tensor
    text: str  # how it is reached
    is_given: bool  # among the arguments, or as a `.grad`: another one in each call


class Surroundings(Reaching):
    """What a function and its arguments lead to.

    Attributes:
        seen: the tensors, by id.
        rates: the learning rates: dicts in which a plan looks them up anew each time, because schedules change them.
        optimizers: whose steps are counted.
    """

    def __init__(self, args: tuple, options: dict, roots: list) -> None:
        super().__init__()
        self.seen: dict[int, Seen] = {}
        self.rates: list[tuple[dict, str]] = []
        self.optimizers: list[tuple[Optimizer, str]] = []
        self._groups, self._states = set[int](), set[int]()  # the ids of their dicts
        # By id: the dicts that a module or an optimizer does not go through; how each is named, reached, and called.
        self._looked_up: dict[int, tuple[str, str, str]] = {}
        self._found_by: dict[int, int] = {}  # by id of one of these: how many hold it
        self._reads_rate = False  # whether somebody else than an optimizer may
        self._waiting: list[tuple[Any, str, str]] = []  # what was found and not yet looked into
        self._given(args, "args")
        self._given(options, "options")
        for one in roots:
            for part in (one.__func__, one.__self__) if isinstance(one, types.MethodType) else (one,):
                self._ask("", "", "", name := self._named(part, "", ""))
                self._found[name] = getattr(part, "__name__", type(part).__name__)
        while self._waiting:
            self._inside(*self._waiting.pop())
        self._open()
        while self._reads_rate and self.rates:  # a rate is an option like any other to who looks at it
            group, name = self.rates.pop()
            self._look(name, group["lr"], f"{name}['lr']")

    def _given(self, value: Any, text: str) -> None:
        """Arguments: lists and dicts are new ones in each call, what is in them counts."""
        if isinstance(value, Tensor):
            self._tensor(value, text, True)
        elif type(value) in (tuple, list, dict):
            if text not in ("args", "options"):
                if id(value) in self._known:
                    return self._ask("", f"{text} is {self._known[id(value)]}")
                self._ask("", f"type({text}) is {type(value).__name__}")
                self._known[id(value)] = text
                self._held.append(text)
            self._ask("", self._keys(text, value) if type(value) is dict else length(text, value))
            for key, one in value.items() if type(value) is dict else enumerate(value):
                self._given(one, f"{text}[{self._key(key)}]")
        elif is_constant(value):
            self._ask("", self._same(text, value))
        else:
            self._look("", value, text)

    def _tensor(self, tensor: Tensor, text: str, given: bool) -> None:
        about = "" if given and text[0] != "_" else text.partition(".")[0]
        if id(tensor) in self.seen:  # one and the same is met in two ways
            if self.seen[id(tensor)].text != text:
                self._ask(about, f"{text} is {self.seen[id(tensor)].text}")
        else:
            self.seen[id(tensor)] = Seen(tensor, text, given)
            word = "" if is_users(type(tensor)) else WHETHER
            self._look(about, type(tensor), f"type({text})", word)
            self._ask(about, f"[*attributes_of({text})] == {[*attributes_of(tensor)]}", word)
            for key, one in attributes_of(tensor).items():
                self._look(about, one, f"{text}.{key}", key)
            if tensor._grad is not None:
                self._tensor(tensor._grad, f"{text}._grad", True)
            if tensor._base is not None:
                self._tensor(tensor._base, f"{text}._base", given)

    def _look(self, about: str, value: Any, text: str, word: str = "") -> None:
        """Something that is the same object in each call, and what it leads to; found in `about`."""
        if is_constant(value):
            self._ask(about, self._same(text, value), word)
        elif isinstance(value, types.MethodType):
            self._look(about, value.__func__, f"{text}.__func__", word)
            self._look(about, value.__self__, f"{text}.__self__", word)
        else:
            name = self._named(value, text, word)
            self._ask(about, f"{text} is {name}", word, name)
            if isinstance(value, dict):
                self._found_by[id(value)] = self._found_by.get(id(value), 0) + 1

    def _open(self) -> None:
        """What else may be known of the dicts of modules and optimizers, to who goes through them."""
        for by_id, (name, text, called) in self._looked_up.items():
            is_open = self._found_by.get(by_id, 0) > 1  # it is held by somebody else, too
            self._reads_rate |= is_open
            word = "" if is_open else USERS + called
            self._ask(name, self._keys(text, self.names[name]), word)
            for key, one in self.names[name].items():
                if key != "lr" or type(one) is not float:  # which is asked of who reads it
                    self._look(name, one, f"{text}[{self._key(key)}]", word)

    def _named(self, value: Any, text: str, word: str) -> str:
        """The name of an object, into which somebody will look."""
        if id(value) not in self._known:
            self._known[id(value)] = self._name("o", value)
            self._waiting.append((value, self._known[id(value)], word))
        self._found.setdefault(self._known[id(value)], text)
        return self._known[id(value)]

    def _inside(self, value: Any, name: str, word: str) -> None:
        """What an object leads to."""
        kind = type(value)
        if kind in PARTS:
            for part in PARTS[kind]:
                self._look(name, getattr(value, part), f"{name}.{part}")
            if kind in (functools.partial, staticmethod, classmethod):
                self._attributes(vars(value), name)
        elif isinstance(value, Tensor):
            self._tensor(value, name, False)
        elif not isinstance(value, FIXED):
            way_into(kind)(self, value, name, word)  # type: ignore[arg-type] # classes are hashable

    def _builtin(self, value: types.BuiltinFunctionType, name: str, word: str) -> None:
        if not is_pure(value):
            self._unwatchable[name] = f"{value.__name__}(),"
        elif not isinstance(value.__self__, types.ModuleType | type | None):
            self._look(name, value.__self__, f"{name}.__self__")

    def _module(self, value: types.ModuleType, name: str, word: str) -> None:
        filename = vars(value).get("__file__") or ""  # without its own `__getattr__`
        if filename and is_ours(filename):
            self._shared[name] = vars(value)
            self._ask(name, self._keys(self._name("m", vars(value)), vars(value)), WHETHER)
        elif value.__name__ == "numpy":
            self._shared[name] = vars(value)
            self._look(name, value.random, f"{name}.random", "random")
        elif value.__name__.partition(".")[0] in PURE_MODULES:
            self._shared[name] = vars(value)
        else:
            if is_library(filename) or value.__name__ in sys.builtin_module_names:
                self._unwatchable[name] = f"the module {value.__name__},"
            else:
                self._attributes(vars(value), name)

    def _class(self, value: type, name: str, word: str) -> None:
        self._ask(name, f"{name}.__mro__ is {self._name('o', value.__mro__)}" if is_users(value) else "")
        for part in ("__name__", "__qualname__"):
            self._look(name, getattr(value, part), f"{name}.{part}", USERS + part)
        for kind in value.__mro__:
            place = self._name("m", vars(kind))
            if is_minigrads(kind):
                self._ask(name, self._keys(place, vars(kind)), WHETHER)
            elif is_users(kind):
                self._ask(name, self._keys(place, vars(kind)))
                for key, member in list(vars(kind).items()):
                    is_called = key[:2] == "__" and (callable(member) or isinstance(member, classmethod | property))
                    self._look(name, member, f"{place}[{key!r}]", "" if is_called else key)
        if is_users(type(value)):
            self._look(name, type(value), f"type({name})")
        if isinstance(value, abc.ABCMeta):  # others may be registered with it
            self._ask(name, f"registered() == {abc.get_cache_token()}")
        called = "forward" if issubclass(value, HookedCall) else "update" if issubclass(value, Optimizer) else ""
        if called and not is_users(value):
            self._look(name, getattr(value, called), f"{name}.{called}")

    def _object(self, value: Any, name: str, word: str) -> None:
        """Something that holds other things: inside, as attributes, or both."""
        kind = type(value)
        more = has_more(kind)  # type: ignore[arg-type] # classes are hashable
        if isinstance(value, dict) and not more:
            self._dict(value, name, word)
        elif isinstance(value, list | tuple) and not more:
            self._ask(name, length(name, value) if isinstance(value, list) else "")
            for index, one in enumerate(value):
                self._look(name, one, f"{name}[{index}]")
        elif isinstance(value, set | frozenset) and not more and all(map(is_constant, value)):
            self._ask(name, self._keys(name, value))
        elif more or not is_simple(value):
            self._unwatchable[name] = f"{repr(word) if word else ''}, of type {kind.__name__},"
            return
        if isinstance(value, Optimizer):
            self.optimizers.append((value, name))
            self._unheard.add(COUNTED)
            self._groups.update(map(id, value.param_groups))
            self._states.add(id(value.state))
        self._reads_rate |= isinstance(value, LRScheduler)
        if (contents := getattr(value, "__dict__", None)) is not None:
            self._attributes(contents, name)
        if is_users(kind) or is_minigrads(kind):
            is_asked = is_users(kind) or isinstance(value, HookedCall | Optimizer)
            self._look(name, kind, f"type({name})", "" if is_asked else WHETHER)

    def _function(self, function: types.FunctionType, whole: str, word: str) -> None:
        code, scope = function.__code__, function.__globals__
        name = f"{whole}()"  # what matters only if it is called
        self._ask(whole, "", "", name)
        self._codes[name] = code
        is_users = is_own(code.co_filename)
        for free, cell in zip(code.co_freevars, function.__closure__ or ()):
            try:
                inside = cell.cell_contents
            except ValueError:  # nothing is in it yet
                self._ask(name, f"{self._name('cell', cell)} == empty")
                continue
            passed_on = isinstance(inside, types.FunctionType | types.MethodType | functools.partial | Tensor)
            if is_users or (passed_on and not hasattr(inside, "op")):  # a row of the tables has no surroundings
                held = self._name("cell", cell)
                self._found[held] = free
                self._look(name, inside, f"{held}.cell_contents")
        if not is_users:
            return
        self._reads_rate |= code.co_name != "update" and not words_of(code).isdisjoint(("lr", "param_groups"))
        self._ask(name, f"{whole}.__code__ is {self._name('o', code)}")  # which a reloading of modules replaces
        is_used = {"__defaults__": code.co_argcount, "__kwdefaults__": code.co_kwonlyargcount}
        for part in ASIDE:
            with contextlib.suppress(NameError):  # annotations: from Python 3.14 on they are evaluated when asked for
                self._look(whole, getattr(function, part), f"{whole}.{part}", "" if is_used.get(part) else USERS + part)
        self._attributes(vars(function), whole)
        place, beyond = self._name("g", scope), self._name("g", vars(builtins))
        for free in globals_of(code):
            if free in scope:
                self._look(name, scope[free], f"{place}[{free!r}]", free)
                continue
            self._ask(name, f"{free!r} not in {place}", free)
            if free not in vars(builtins):
                self._ask(name, f"{free!r} not in {beyond}", free)
            elif isinstance(found := vars(builtins)[free], READERS):
                self._ask(name, f"{beyond}[{free!r}] is {self._name('o', found)}", free)
            else:  # somebody put it there
                self._look(name, found, f"{beyond}[{free!r}]", free)

    def _dict(self, value: dict, name: str, word: str) -> None:
        # An optimizer reads its options by name.
        is_group, is_state = (id(value) in some for some in (self._groups, self._states))
        _, place, _ = self._looked_up.get(id(value), ("", "", ""))
        if is_group or is_state:
            self._looked_up[id(value)] = name, name, "param_groups" if is_group else "state"
        if not place:
            in_any_order = is_group or is_state or (type(value) is dict and [*map(type, value)] == [str])
            self._ask(name, length(name, value) if in_any_order else self._keys(name, value))
        for key, one in list(value.items()):
            text = self._key(key)
            if isinstance(key, Tensor):
                self._look(name, key, text)
            if is_group and key == "lr" and type(one) is float:
                self.rates.append((value, name))
                self._ask(name, f"type({name}['lr']) is float")
            else:
                whole = f"{name}.get({text})" if is_state else f"{place or name}[{text}]"  # asking must not make one
                self._look(name, one, whole, key if is_group else "")

    def _attributes(self, contents: dict, name: str) -> None:
        """The attributes of an object: only those count whose names are in the code that runs."""
        place = self._name("d", contents)
        self._found[place] = name
        owner = self.names[name]
        is_users_own = not isinstance(owner, types.ModuleType) and is_users(type(owner))
        is_strict = is_users_own or gained(owner)
        if is_users_own or (contents and isinstance(owner, types.FunctionType)):  # another dict may take its place
            self._ask(name, f"{name}.__dict__ is {place}")
        self._ask(name, self._keys(place, contents), "" if is_strict else WHETHER)
        if not is_strict:  # one that is new hides what a class has; of functions only who asks for it sees it
            word = WHETHER * isinstance(owner, types.FunctionType | functools.partial)
            self._ask(name, length(place, contents), word)
        is_whole = isinstance(owner, types.SimpleNamespace | LRScheduler)  # `==` or `state_dict` reads all
        for key, one in list(contents.items()):
            text = f"{place}[{key!r}]"
            if key in PLACES and isinstance(owner, HookedCall):  # asked only for what is looked up there
                held, is_shared = self._named(one, text, key), id(one) in self._looked_up
                self._ask(name, f"{text} is {held}" if is_shared else "", "", held)
                self._looked_up.setdefault(id(one), (held, text, key))
                self._found_by[id(one)] = self._found_by.get(id(one), 0) + 1
                self._ask(name, length(text, one), "" if is_users_own else WHETHER)
                for word in (key, "_members"):  # their order is seen by who goes through them
                    self._ask(name, self._keys(text, one), word)
            elif key != COUNTED or not isinstance(owner, Optimizer):
                is_option = key in getattr(type(owner), "_names", ())  # which a layer reads by whatever name it has
                self._look(name, one, text, "" if is_whole or is_option else key)

    def knows(self, value: Any) -> bool:
        """Whether somebody had this before."""
        return id(value) in self._known


LOOKS: dict[type, Callable] = {
    types.FunctionType: Surroundings._function, types.BuiltinFunctionType: Surroundings._builtin,
    types.ModuleType: Surroundings._module, type: Surroundings._class,
}  # fmt: skip


@functools.lru_cache(1000)
def way_into(kind: type) -> Callable:
    return next((LOOKS[one] for one in kind.__mro__ if one in LOOKS), Surroundings._object)
