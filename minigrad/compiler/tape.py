"""What NumPy is asked, noted down while it answers: a line for each call.

>>> tape = Tape()
>>> a = tape.given(np.array([1.0, 2.0]), "a")
>>> total = (np.sin(a) * 2).sum()
>>> [line.call.name for line in tape.lines], total.plain.item() == (np.sin([1.0, 2.0]) * 2).sum().item()
(['sin', 'multiply', 'sum'], True)
"""

import contextlib
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.lib import stride_tricks
from numpy.lib.stride_tricks import as_strided

from .lines import Call, Line, Value, mapped, root, values_in
from .overhearing import unheard
from .traced import COPYING, Number, Traced, bare, is_number, tape_of

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
        traced.is_number = not isinstance(array, np.ndarray)
        self.inputs[traced.value] = traced.plain[()] if traced.is_number else traced.plain.copy()
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
        args, options = call.args, call.options
        answer = call.run() if call.kind == "literal" else call.run(*bare(args), **bare(options))
        self.failed -= 1
        if self.is_over():
            return answer if changes is None else changes
        reads: list[Value] = []

        def named(array: Any) -> Any:
            if array.tape is not self:
                return array
            reads.insert(0, array.value)
            return array.value

        call.args, call.options = mapped(args, named, Traced), mapped(options, named, Traced)
        line = Line(call, why=self.why, number=len(self.lines), reads=reads)
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
            results[0].is_number = is_number(args[0])
        line.makes = tuple(one.value for one in results)
        by_arrays = len(line.reads) >= COUNTING.get(call.name, len(line.reads) + 1)
        if by_arrays or (call.kind == "index" and is_counting(call.args[1])):
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
                is_asked = caller.startswith(self.rooms) or tape_of((*args, *options.values())) is not None
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


def is_counting(index: Any) -> bool:
    """Whether an index tells by numbers how many are taken: a mask, or a slice up to what was computed."""
    if isinstance(index, (tuple, list)):
        return any(map(is_counting, index))
    return bool(values_in(index)) if isinstance(index, slice) else isinstance(index, Value) and index.dtype.kind == "b"
