"""Arrays that write a line for each thing that is asked of them. To the engine they are arrays like any others."""

import operator
import sys
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core.tensor import Tensor
from .lines import Call, Value, mapped
from .overhearing import unheard

# What is known of an array without its numbers: no line is written for it, because shapes and types never change.
FACTS = {
    np.shape, np.ndim, np.size, np.result_type, np.can_cast, np.min_scalar_type, np.iscomplexobj, np.isrealobj,
    np.may_share_memory, np.shares_memory,
}  # fmt: skip
WRITING = {np.copyto, np.put}  # into their first argument
METHODS = """
    argmax argmin argpartition argsort choose compress conj conjugate copy cumprod cumsum diagonal dot
    flatten max mean min nonzero prod ravel repeat reshape round searchsorted squeeze std sum swapaxes take
    trace transpose var view all any
""".split()
COPYING = ("astype", "copy", "conj", "conjugate", "round")  # of which a number makes a number
METHODS_IN_PLACE = ("fill", "partition", "sort")


class NoTape:
    """The tape of arrays that belong to none, such as what NumPy makes of them when all is over: nothing is written."""

    has_numbers = False

    def is_over(self) -> bool:
        return True

    def decides(self, *question: Any) -> None:
        """Nobody wants to know."""

    def note(self, call: Call, changes: Any = None) -> Any:
        answer = call.run(*bare(call.args), **bare(call.options))
        return answer if changes is None else changes


OVER = NoTape()


def bare(given: Any) -> Any:
    """Arguments as NumPy is to see them."""
    return mapped(given, lambda array: array.plain, Traced)


def tape_of(given: Iterable) -> Any:
    """The tape of whichever array is among these things, or inside them; None where there is none."""
    for one in given:
        if isinstance(one, Traced):
            if one.tape is not OVER:
                return one.tape
        elif type(one) in INSIDE and (found := tape_of(INSIDE[type(one)](one))) is not None:
            return found
    return None


INSIDE: dict[type, Callable[[Any], Iterable]] = {
    tuple: iter, list: iter, dict: dict.values, slice: lambda one: (one.start, one.stop, one.step)
}  # fmt: skip


@unheard
def note(kind: str, name: str, run: Callable, args: tuple, options: dict | None = None, changes: Any = None) -> Any:
    """On the tape of whichever array is among the arguments."""
    options = options or {}
    return (tape_of((*args, *options.values())) or OVER).note(Call(kind, name, run, args, options), changes=changes)


def is_number(thing: Any) -> bool:
    return getattr(thing, "is_number", isinstance(thing, (int, float, complex, np.generic)))


def of_numbers(run: Callable) -> Callable:
    return lambda *args: run(*(one[()] if isinstance(one, np.ndarray) else one for one in args))


# Signs between single numbers, where NumPy's loop over many rounds otherwise: in powers, and of complex ones.
SIGNS = {np.power: of_numbers(operator.pow), np.multiply: of_numbers(operator.mul)}
SIGNS[np.divide] = of_numbers(operator.truediv)


def _decides(name: str) -> Callable:
    def decide(self, *args):
        answer = getattr(self.plain, name)(*args)
        if not self.tape.is_over():
            self.tape.decides(self.value, name, args, answer)
        return answer

    return decide


def _attribute(name: str) -> property:
    return property(lambda self: note("attribute", name, operator.attrgetter(name), (self,)))


def _inside(name: str) -> property:
    return property(lambda self: (self.tobytes(), getattr(self.plain, name))[1])


class Traced(np.ndarray):
    """An array of a tape. To the engine it is an array like any other."""

    tape: Any = OVER
    value: Value = None  # type: ignore[assignment]
    is_number = False  # whether NumPy gives, or the engine has, a number in its place, and no array
    owns = False  # whether an array of NumPy's in its place would have memory of its own, as is asked of a gradient
    base = property(lambda self: None if self.owns else np.ndarray.base.__get__(self))  # type: ignore[attr-defined]

    @property
    def plain(self) -> np.ndarray:
        return np.ndarray.view(self, np.ndarray)

    @unheard
    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        if method == "at":
            note("ufunc", name, ufunc.at, inputs, options, changes=inputs[0])
            return None
        run = ufunc if method == "__call__" else getattr(ufunc, method)
        if out is None:
            if run in SIGNS and all(map(is_number, inputs)):
                run = SIGNS[run] if run is np.power or any(map(np.iscomplexobj, inputs)) else run
            return note("ufunc", name, run, inputs, options)
        return note("ufunc", name, run, inputs, options | {"out": out[0]}, changes=out[0])

    @unheard
    def __array_function__(self, function, types, args, options):
        if function in FACTS:
            return function(*bare(args), **bare(options))
        name = f"{function.__module__.removeprefix('numpy').removeprefix('.')}.{function.__name__}".removeprefix(".")
        if function in WRITING:
            note("function", name, function, args, options, changes=args[0])
            return None
        return note("function", name, function, args, options, changes=options.get("out"))

    @property
    def flags(self):
        return Flags(self)

    @unheard
    def __getitem__(self, index):
        if not isinstance(operator.getitem(self.plain, bare(index)), np.ndarray):
            index = (*(index if isinstance(index, tuple) else (index,)), ...)  # one number, in its memory
        return note("index", "", operator.getitem, (self, index))

    def __setitem__(self, index, value):
        note("set", "", operator.setitem, (self, index, value), changes=self)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __pow__(self, other, modulo=None):
        are_numbers = self.is_number and not isinstance(other, Tensor) and is_number(other)
        return np.power(self, other) if are_numbers else super().__pow__(other)  # which may take a square

    def __rpow__(self, other):
        return np.power(other, self) if self.is_number and is_number(other) else super().__rpow__(other)

    def astype(self, *how, **options):
        if options.get("copy") is False and how in ((self.dtype,), (self.dtype, "K")):
            return self  # as NumPy does
        return note("method", "astype", np.ndarray.astype, (self, *how), options)

    # A number that leaves the arrays decides how Python goes on: the program is that of these numbers.
    __bool__, __float__, __int__ = _decides("__bool__"), _decides("__float__"), _decides("__int__")
    __index__, __complex__, _item, tolist = map(_decides, ("__index__", "__complex__", "item", "tolist"))

    def item(self, *place):
        caller = sys._getframe(2).f_globals.get("__name__", "")
        if not self.tape.has_numbers or not caller.startswith("minigrad.optim."):
            return self._item(*place)
        return note("python", "item", float, (self,))  # an optimizer's count of steps, of which it makes no decision

    # Ways for numbers to leave that no line tells.
    __format__, tobytes, __contains__ = map(_decides, ("__format__", "tobytes", "__contains__"))
    __repr__, __str__ = map(_decides, ("__repr__", "__str__"))
    flat, data, ctypes = map(_inside, ("flat", "data", "ctypes"))

    # Copies, on paper and elsewhere, are arrays like any others.
    def __reduce_ex__(self, protocol):
        return self.plain.__reduce_ex__(protocol)

    def __deepcopy__(self, memo):
        return self.plain.__deepcopy__(memo)

    def __copy__(self):
        return self.copy()

    T, mT, real, imag = map(_attribute, ("T", "mT", "real", "imag"))


PYTHON: dict[Any, Callable] = {
    np.add: operator.add, np.subtract: operator.sub, np.multiply: operator.mul, np.divide: operator.truediv,
    np.power: operator.pow, np.negative: operator.neg,
}  # fmt: skip


class Number(Traced):
    """A number of Python's with which only is calculated, so that it may be another one in the next run."""

    is_pythons = True  # it changes no tensor's type, as an array without dimensions may

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        if ufunc in PYTHON and all(isinstance(one, (Number, int, float)) for one in inputs):
            run = PYTHON[ufunc]
            return note("python", run.__name__, lambda *args: run(*map(float, args)), inputs)
        if all(isinstance(one, (Number, int, float)) for one in inputs):  # it would not stay one of Python's
            self.tape.decides(self.value, "astype", (), None)
        return super().__array_ufunc__(ufunc, method, *inputs, **options)

    def astype(self, dtype, *order, **options):
        if np.dtype(dtype).itemsize < 4:  # which rounds otherwise than a number of Python's would be
            self.tape.decides(self.value, "astype", (), None)
        return note("cast", np.dtype(dtype).name, np.dtype(dtype).type, (self,))

    def __copy__(self, memo=None):
        return float(self)  # a number of Python's, in an optimizer's state

    __deepcopy__ = __copy__

    def __rpow__(self, other, modulo=None):
        return np.power(other, self)  # again a number of Python's


def _left_to_tensors(name: str) -> Callable:
    run = np.power if name == "__pow__" else getattr(np.ndarray, name)  # whose own way asks for a root sometimes
    return lambda self, other: NotImplemented if isinstance(other, Tensor) else run(self, other)


for _name in ("__add__", "__sub__", "__mul__", "__truediv__", "__pow__"):
    setattr(Number, _name, _left_to_tensors(_name))


class Flags:
    """What is allowed with an array: that one may write to it is a line, too."""

    def __init__(self, array: Traced) -> None:
        self.__dict__["array"] = array

    def __getattr__(self, name):
        return self.array.owns if name == "owndata" else getattr(np.ndarray.flags.__get__(self.array), name)

    def __setattr__(self, name, value):
        setattr(np.ndarray.flags.__get__(self.array), name, value)
        note("method", "setflags", np.ndarray.setflags, (self.array,), {"write": value}, changes=self.array)


def _method(name: str) -> Callable:
    run, changes = getattr(np.ndarray, name), name in METHODS_IN_PLACE
    return lambda self, *args, **options: note(
        "method", name, run, (self, *args), options, changes=self if changes else None
    )


for _name in (*METHODS, *METHODS_IN_PLACE):
    setattr(Traced, _name, _method(_name))
