"""Which code runs while a function is watched, and whether it does anything that a plan would not do again."""

import dis
import functools
import gc
import re
import sys
import sysconfig
import threading
import types
import warnings
from collections.abc import Callable
from typing import Any

from ..words.source import is_ours, spot

PACKAGES = tuple(map(sysconfig.get_path, ("purelib", "platlib")))
LIBRARIES = (*PACKAGES, *map(sysconfig.get_path, ("stdlib", "platstdlib")))
PURE_MODULES = tuple("minigrad math operator functools itertools collections typing contextlib abc weakref".split())
IMPURE = frozenset("print input open exec eval compile __import__ breakpoint globals id hash".split())
FILES = re.compile("npyio|memmap|config|print")  # NumPy's own modules that write elsewhere, or read what may change
PURE_TYPES = (list, dict, tuple, str, bytes, set, frozenset, int, float, complex, bool, slice, range)
GENERATED = ("minigrad.", "namedtuple_")  # whose classes have methods that are written by Python
LOOKING = ("get_state", "_engine")  # as `vmap` does, to see that nobody draws; see also what is unheard in `reaching`
HARMLESS: dict[int, types.CodeType] = {}  # of ours, as was seen before; by id, because a code's hash takes long


class _Here(threading.local):
    hear: Callable | None = None  # who hears what happens in this thread


_here = _Here()


def unheard(function: Callable) -> Callable:
    """The same, without Python's telling what happens in it: that would only slow it down."""

    @functools.wraps(function)
    def run(*args, **options):
        hear = _here.hear
        if hear is None:
            return function(*args, **options)
        _here.hear = None
        sys.setprofile(None)
        try:
            return function(*args, **options)
        finally:
            _here.hear = hear
            sys.setprofile(hear)

    return run


class Overhearing:
    """While it lasts: which code runs in this thread, and whether anything happens that a plan would not do again."""

    def __init__(self, refuse: Callable[[str, types.FrameType], None]) -> None:
        self.refuse = refuse
        self.codes: dict[int, types.CodeType] = {}  # by id, as below: whether they are the user's
        self._users: dict[int, types.CodeType | None] = {}

    def __enter__(self) -> "Overhearing":
        self._before = sys.getprofile()
        codes, users, met, called = self.codes, self._users, self._met, self._called

        def hear(frame: types.FrameType, happens: str, given: Any) -> None:  # as short as can be: it is called often
            if happens == "call":
                if (key := id(code := frame.f_code)) not in codes:
                    codes[key] = code
                    if key not in HARMLESS:
                        met(frame, code)
            elif happens == "c_call" and (users.get(id(frame.f_code)) or given is warnings.warn):
                called(given, frame)

        self._collects = gc.isenabled()
        gc.disable()  # what is thrown away elsewhere may run code as it goes
        self._outer, _here.hear = _here.hear, hear
        sys.setprofile(hear)
        return self

    def __exit__(self, *error: Any) -> None:
        _here.hear = self._outer
        if self._before is None or callable(self._before):
            sys.setprofile(self._before)
        else:
            self._before.enable()  # a profiler such as cProfile's
        if self._collects:
            gc.enable()

    def _called(self, function: Any, frame: types.FrameType) -> None:
        """A function that is not written in Python was called by the user's code."""
        if not is_pure(function):
            self.refuse(f"calls {function.__name__}(), which a plan would not", frame)

    def _is_users(self, frame: types.FrameType) -> bool:
        key, filename = id(frame.f_code), frame.f_code.co_filename
        if key not in self._users:
            is_made = filename == "<string>" and frame.f_globals.get("__name__", "").startswith(GENERATED)
            self._users[key] = frame.f_code if is_own(filename) and not is_made else None
        return self._users[key] is not None

    @property
    def users(self) -> set[types.CodeType]:
        """The code that ran and is the user's."""
        return {code for code in self._users.values() if code is not None}

    def _met(self, frame: types.FrameType, code: types.CodeType) -> None:
        """Code runs for the first time."""
        if self._is_users(frame):
            for reason in suspicions(code):
                self.refuse(reason, frame)
        elif is_ours(code.co_filename):
            if code.co_filename.endswith("stream.py") and code.co_name not in LOOKING:
                self.refuse("draws random numbers, or looks at what they depend on", frame)
            else:
                HARMLESS[id(code)] = code
        elif frame.f_back is not None and is_library(code.co_filename):
            name = frame.f_globals.get("__name__", "")
            module = name.partition(".")[0]
            is_strange = module != "numpy" and code.co_filename.startswith(PACKAGES)  # what it looks at is not asked
            is_asked = is_strange or self._is_users(frame.f_back)
            if is_asked and module not in PURE_MODULES and (module != "numpy" or FILES.search(name)):
                self.refuse(f"calls {code.co_name}() of the module {module}", frame.f_back)


def is_pure(function: Any) -> bool:
    """Whether a function that is not written in Python gives the same for the same, and does nothing else."""
    owner = getattr(function, "__self__", None)
    pure = isinstance(owner, PURE_TYPES) or (isinstance(owner, type) and issubclass(owner, PURE_TYPES))
    module = getattr(owner, "__name__", None) or getattr(function, "__module__", None) or ""
    return function.__name__ not in IMPURE and (pure or module.lstrip("_") in ("builtins", *PURE_MODULES))


def place_of(frame: types.FrameType | None) -> str:
    """The user's line, in words."""
    while frame is not None and not is_own(frame.f_code.co_filename):
        frame = frame.f_back
    return "" if frame is None else spot(frame.f_code.co_filename, frame.f_lineno)


@functools.cache
def is_library(filename: str) -> bool:
    return filename.startswith(("<frozen", *LIBRARIES)) and not is_ours(filename)


@functools.cache
def is_callable_library(filename: str) -> bool:
    """Whether a file is of a library that the user's code may call; who looks up the user's own lines has others."""
    return is_library(filename) and not {*PURE_MODULES[1:]}.isdisjoint(re.split(r"\W", filename))


@functools.cache
def is_own(filename: str) -> bool:
    """Whether a file is the user's own."""
    return not (is_ours(filename) or is_library(filename))


@functools.cache
def suspicions(code: types.CodeType) -> list[str]:
    """What a function hands on by its name, so that a call would not be heard, or imports itself."""
    found = []
    for one in dis.get_instructions(code):
        if one.opname == "LOAD_GLOBAL" and one.argval in IMPURE and not one.arg & 1:  # type: ignore[operator] # 1: to be called
            found.append(f"uses {one.argval}() in a way that cannot be watched")
        elif one.opname == "IMPORT_NAME":
            found.append(f"imports {one.argval} while it runs")
    return found
