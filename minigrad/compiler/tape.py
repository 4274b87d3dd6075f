"""What NumPy is asked, noted down while it answers: arrays that write a line for each call.

>>> tape = Tape()
>>> a = tape.given(np.array([1.0, 2.0]), "a")
>>> total = (np.sin(a) * 2).sum()
>>> [line.call.name for line in tape.lines], total.plain.item() == (np.sin([1.0, 2.0]) * 2).sum().item()
(['sin', 'multiply', 'sum'], True)
"""

import contextlib
import operator
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.lib import stride_tricks
from numpy.lib.stride_tricks import as_strided

from ..core.tensor import Tensor
from .lines import Call, Line, Value, mapped, root, values_in
from .overhearing import unheard

# What is known of an array without its numbers: no line is written for it, because shapes and types never change.
FACTS = {
    np.shape, np.ndim, np.size, np.result_type, np.can_cast, np.min_scalar_type, np.iscomplexobj, np.isrealobj,
    np.may_share_memory, np.shares_memory,
}  # fmt: skip
WRITING = {np.copyto, np.put}  # into their first argument
METHODS = """
    argmax argmin argpartition argsort astype choose compress conj conjugate copy cumprod cumsum diagonal dot
    flatten max mean min nonzero prod ravel repeat reshape round searchsorted squeeze std sum swapaxes take
    trace transpose var view all any
""".split()
COPYING = ("astype", "copy", "conj", "conjugate", "round")  # of which a number makes a number
METHODS_IN_PLACE = ("fill", "partition", "sort")
# Whose results have as many numbers as their arguments say, if so many of these are arrays.
COUNTING = dict.fromkeys("nonzero flatnonzero argwhere unique compress extract bincount arange".split(), 1)
COUNTING["repeat"] = 2
MAKERS = "array asarray ascontiguousarray zeros ones full empty arange eye tri vectorize".split()


class Tape:
    """The lines of a program, in their order.

    Args:
        rooms: the code for which arrays that are made out of nothing are on the tape, too, while it is `running`.

    Attributes:
        inputs: the arrays that the program begins with, by value.
        why: what the lines to come belong to.
        decides: called when Python asks for the numbers of a value: with the value, how it asks, and the answer.
    """

    def __init__(
        self,
        rooms: tuple[str, ...] = ("minigrad.ops.",),
        decides: Callable[["Value", str, tuple, Any], None] | None = None,
    ) -> None:
        self.lines: list[Line] = []
        self.inputs: dict[Value, np.ndarray] = {}
        self.why, self.rooms, self.has_numbers = "", rooms, len(rooms) > 1
        self.decides = decides or (lambda *question: None)
        self.strangers: list[Any] = []  # the user's, which nobody watches: arrays, and what NumPy made of the tape's
        self._thread, self._is_closed = threading.get_ident(), False
        self._count = self.failed = 0
        self._memories: dict[int, Any] = {}  # by id, kept alive so that no other gets the same
        self._arrays: list[weakref.ref[Traced]] = []

    def given(self, array: Any, name: str = "") -> "Traced":
        """An array that the program begins with."""
        traced = self._traced(np.array(array), name)
        self.inputs[traced.value] = traced.plain.copy()
        return traced

    def shared(self, array: Any, kind: "type[Traced] | None" = None) -> "Traced":
        """An array that the program begins with, in its own memory, where changes arrive."""
        traced = self._traced(array, kind=kind)
        self.inputs[traced.value] = array
        return traced

    def is_over(self) -> bool:
        """Whether its arrays are arrays like any others: for good, or for another thread that happens to see them."""
        return self._is_closed or threading.get_ident() != self._thread

    def close(self) -> None:
        """No line is written any more."""
        self._is_closed = True
        self._memories.clear()

    def is_held(self) -> bool:
        """Whether somebody still has an array of it."""
        return any(one() is not None for one in self._arrays)

    def literal(self, array: Any, name: str = "") -> "Traced":
        """An array that stands in the program as it is."""
        array = np.asarray(array)
        return self.note(Call("literal", "", array.copy, (array,), {}), name)

    @unheard
    def note(self, call: Call, name: str = "", changes: Any = None) -> Any:
        """Make a call, and write its line."""
        self.failed += 1  # until it did not
        answer = call.run() if call.kind == "literal" else call.run(*bare(call.args), **bare(call.options))
        self.failed -= 1
        if self.is_over():
            return answer if changes is None else changes
        reads: list[Value] = []

        def named(array: Any) -> Any:
            if array.tape is not self:
                return array
            reads.insert(0, array.value)
            return array.value

        args, options = mapped(call.args, named, Traced), mapped(call.options, named, Traced)
        line = Line(call.of(args, options), why=self.why, number=len(self.lines), reads=reads)
        self.lines.append(line)
        if changes is not None:
            line.changes = self.value_of(changes)
            if line.changes is changes:
                self._strange(changes)
            return changes
        line.several = isinstance(answer, (tuple, list))
        if not (line.several or isinstance(answer, (np.ndarray, np.generic, int, float, complex))):
            return self._strange(answer)
        kind = Number if call.kind == "python" else None
        results = [self._traced(one, name, line, kind) for one in (answer if line.several else [answer])]
        if call.kind == "method" and call.name in COPYING:
            results[0].is_number = is_number(call.args[0])
        line.makes = tuple(one.value for one in results)
        by_arrays = len(line.reads) >= COUNTING.get(call.name, len(line.reads) + 1)
        if by_arrays or (call.kind == "index" and is_counting(args[1])):
            for one in results:
                self.decides(one.value, "shape", (), one.shape)
        return tuple(results) if line.several else results[0]

    def _strange(self, thing: Any) -> Any:
        """Something that no line tells: a recorded run says so at once, a function that is watched when it is over."""
        if not self.has_numbers:
            raise TypeError("an array is used in a way that no line tells")
        self.strangers.append(thing)
        return thing

    def _traced(
        self, array: Any, name: str = "", line: Line | None = None, kind: "type[Traced] | None" = None
    ) -> "Traced":
        plain = np.asarray(array)
        memory = root(plain)
        self._memories[id(memory)] = memory
        traced = plain.view(kind or Traced)
        self._count += 1
        traced.tape, traced.owns, traced.is_number = self, plain.base is None, not isinstance(array, np.ndarray)
        self._arrays.append(weakref.ref(traced))
        traced.value = Value(self._count, plain.shape, plain.dtype, name, line, id(memory), plain.strides)
        if plain is not memory:
            traced.value.address = place(plain) - place(memory)
        return traced

    def value_of(self, array: Any) -> Any:
        """What an array is called on the tape; one of NumPy's own stands in the program as it is."""
        return array.value if isinstance(array, Traced) and array.tape is self else array

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """While it lasts, arrays that a row makes out of nothing, or of an array, are on the tape, too."""
        before = {(np, name): getattr(np, name) for name in MAKERS} | {(stride_tricks, "as_strided"): as_strided}

        def made(name: str, make: Callable) -> Callable:
            def asked(*args, **options):
                code, scope = sys._getframe(1).f_code, sys._getframe(1).f_globals
                caller = scope.get("__name__", "")  # text that is evaluated may have none
                is_asked = caller.startswith(self.rooms) or tape_of((args, options)) is not None
                if self.is_over() or not is_asked or caller.startswith(__package__):
                    return make(*args, **options)
                if caller.startswith("minigrad.tensors."):
                    leaves = code.co_name == "__array__"  # NumPy makes an array of its own of the answer
                    given = [one for one in args if isinstance(one, np.ndarray)]
                    self.strangers += [one for one in given if leaves or self.value_of(one) is one]
                if name == "vectorize":  # which makes a function
                    each = make(*args, **options)
                    return lambda array: self.note(Call("vectorized", args[0].__name__, each, (array,), {}))
                return self.note(Call("function", name, make, args, options))

            return asked

        for (module, name), make in before.items():
            setattr(module, name, made("lib.stride_tricks.as_strided" if module is stride_tricks else name, make))
        try:
            yield
        finally:
            for (module, name), make in before.items():
                setattr(module, name, make)


def place(memory: Any) -> int:
    return memory.__array_interface__["data"][0] if isinstance(memory, np.ndarray) else 0


OVER = Tape()
OVER.close()


def is_counting(index: Any) -> bool:
    """Whether an index tells by numbers how many are taken: a mask, or a slice up to what was computed."""
    if isinstance(index, (tuple, list)):
        return any(map(is_counting, index))
    return bool(values_in(index)) if isinstance(index, slice) else isinstance(index, Value) and index.dtype.kind == "b"


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
    return (tape_of((args, options or {})) or OVER).note(Call(kind, name, run, args, options or {}), changes=changes)


def is_number(thing: Any) -> bool:
    return getattr(thing, "is_number", isinstance(thing, (int, float, complex, np.generic)))


def power_of_number(base: Any, exponent: Any) -> Any:
    """As Python computes the power of one number: NumPy's loop over many rounds it otherwise."""
    base, exponent = (one[()] if isinstance(one, np.ndarray) else one for one in (base, exponent))
    return base**exponent


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

    tape: Tape = OVER  # as of what NumPy makes of these arrays when all is over
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
        if self.is_number and not isinstance(other, Tensor) and is_number(other):
            return note("ufunc", "power", power_of_number, (self, other))
        return super().__pow__(other)

    def __rpow__(self, other):
        if self.is_number and is_number(other):
            return note("ufunc", "power", power_of_number, (other, self))
        return super().__rpow__(other)

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
