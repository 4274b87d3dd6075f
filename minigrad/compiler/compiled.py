"""`compile(function)`: the first call is watched and becomes a plan, later calls run the plan.

>>> import minigrad as mg
>>> @mg.compile
... def curve(x):
...     return (2 * mg.sin(x) + 1).sum()
>>> x = mg.tensor([0.0, 1.0], requires_grad=True)
>>> curve(x), curve(x)
(tensor(3.6829, grad_fn=<SumBackward0>), tensor(3.6829, grad_fn=<CompiledBackward>))
>>> curve(x).backward()
>>> x.grad
tensor([2.0000, 1.0806])

The first call runs the function as it is, on arrays that write down what NumPy is asked. What Python looked at on its
way becomes questions that are asked before each later call; with another answer the function is watched once more.
"""

import functools
import operator
import threading
import types
import warnings
from collections.abc import Callable
from typing import Any

from ..core import events
from ..core.modes import dual_levels, packers
from ..nn.module import Module
from .kinds import PARTS
from .node import MISS
from .plan import Plan
from .watch import Refused, Watch, answered

AGAIN = 3  # how often the first calls may change what later ones see: an optimizer's memory is made in the first step
MANY = 16  # plans of one function
WATCHING = threading.Lock()
planted: list = []  # not empty while the engine is wrong on purpose (see faults.py), which no plan would be
OWN = frozenset("function fullgraph alone plans refused refusal is_named _tries _busy __wrapped__".split())
OWN |= {*functools.WRAPPER_ASSIGNMENTS}


def compile(function: Callable | None = None, *, fullgraph: bool = False) -> Any:
    """A function that does the same as `function` in less time; modules and whole training steps will do, too.

    Args:
        function: what is to be compiled. Without it, a decorator.
        fullgraph: raise where a function cannot be compiled, instead of running it as it is with a warning.
    """
    if function is None:
        return functools.partial(compile, fullgraph=fullgraph)
    if not callable(function):
        raise TypeError(f"compile(): argument 'function' must be callable, but got {type(function).__name__}")
    compiled = Compiled(inner(function), fullgraph)
    return as_module(compiled) if isinstance(function, Module) else compiled


def inner(function: Callable) -> Callable:
    """What was compiled; or the function itself, if it is none that was."""
    compiled = getattr(function, "_compiled", function)  # a module's
    return compiled.function if isinstance(compiled, Compiled) else function


class Compiled:
    """A function with its plans; one that is `alone` sees nothing but its arguments."""

    def __init__(self, function: Callable, fullgraph: bool = False, alone: bool = False) -> None:
        self.function, self.fullgraph, self.alone = function, fullgraph, alone
        self.plans: list[Plan] = []
        self.refused: list[Callable] = []  # each asks whether a call is like one that was refused
        self.refusal = ""  # why the last one was
        self.is_named = False  # whether a plan knows what the user calls its results
        self._tries = 0
        self._busy = threading.Lock()
        functools.update_wrapper(self, function, updated=())

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["function"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        owner = super() if name in OWN else self.function
        owner.__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self.function, name)

    def __call__(self, *args: Any, **options: Any) -> Any:
        is_heard = events.listeners or dual_levels or packers or planted  # whoever listens is to hear the whole
        if is_heard or not self._busy.acquire(blocking=False):  # a plan serves one at a time
            return self.function(*args, **options)
        try:
            for plan in self.plans:
                result = plan.run(args, options)
                if result is not MISS:
                    return result
            if not any(answered(is_alike, args, options) for is_alike in self.refused):
                return self._watched(args, options)
        finally:
            self._busy.release()
        return self.function(*args, **options)

    def _watched(self, args: tuple, options: dict) -> Any:
        if not WATCHING.acquire(blocking=False):  # another thread is at it
            return self.function(*args, **options)
        try:
            watch = Watch(self.function, args, options, [] if self.alone else [self.function], self.is_named)
            result = watch.call()
        finally:
            WATCHING.release()
        try:
            self.plans.append(Plan(watch))
            self._tries = 0
        except Refused as refused:
            self._tries += 1
            if not refused.passing or self._tries > AGAIN:
                self._give_up(str(refused), watch.alike())
        if len(self.plans) + len(self.refused) > MANY:
            self.plans.clear()
            reason = f"was called in more than {MANY} ways that differ in what Python looks at or in shapes"
            self._give_up(reason, lambda args, options: True)
        return result

    def _give_up(self, reason: str, is_alike: Callable) -> None:
        name = getattr(self.function, "__name__", type(self.function).__name__)
        words = f"{name}() {reason}, so it cannot be compiled"
        if self.fullgraph:
            raise RuntimeError(words)
        self.refused.append(is_alike)
        if not self.alone and not self.refusal:
            warnings.warn(f"{words} and runs as it is", RuntimeWarning, stacklevel=4)
        self.refusal = reason

    def __reduce__(self) -> Any:  # a function is known by its name, which this one has taken over
        is_named = isinstance(self.function, types.FunctionType)
        return self.function.__qualname__ if is_named else (Compiled, (self.function, self.fullgraph, self.alone))

    def __repr__(self) -> str:
        return f"compile({self.function!r})"


class CompiledModule:
    """Called, a module's plans; to all else the module itself, of the same class, with the very same attributes."""

    __slots__ = ()
    _compiled: Compiled
    __call__ = property(operator.attrgetter("_compiled"))
    _orig_mod = property(operator.attrgetter("_compiled.function"))

    def __reduce__(self) -> Any:
        return functools.partial(compile, fullgraph=self._compiled.fullgraph), (self._orig_mod,)

    def __repr__(self) -> str:
        return repr(self._compiled)


def as_module(compiled: Compiled) -> Any:
    """A compiled module, which as a part of another one is found there, with its parameters."""
    own: Any = type(compiled.function)
    module = object.__new__(kind := class_of(own))
    module.__dict__ = compiled.function.__dict__
    kind._compiled.__set__(module, compiled)
    return module


@functools.cache
def class_of(kind: type) -> Any:
    made = type(kind.__name__, (CompiledModule, kind), {"__slots__": ("_compiled",), "__module__": kind.__module__})
    PARTS[made] = ("_compiled",)
    return made


PARTS[Compiled] = ("__wrapped__",)  # what a function sees of another one that is compiled
