"""A tape as a function: memory planned once, every array operation written where its result is to lie.

Each line of the tape becomes a line of Python. What a line needs is one of these:

- *fixed*: memory that is the same in every run, the parameters' own and that of the plan; views of it are taken once;
- *fetched*: it came with this run, or left with it;
- *numbers*: they need no memory.

Memory of the plan is lent to one result after the other: when nobody reads the first any more, the next one is written
there.
"""

import contextlib
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from .products import SUMMING, is_alike, is_product, is_small, look, turn
from .tape import Line, Value, mapped, values_in

# NumPy's functions, besides its ufuncs, that can write where they are told to.
WRITES = {np.concatenate, np.take, np.cumsum, np.cumprod, np.clip, np.sum, np.prod, np.mean, np.amax, np.amin, np.dot}
WRITES |= {getattr(np.ndarray, name) for name in "dot clip take cumsum cumprod sum prod mean max min round".split()}
COPIES = ("astype", "copy")
MOST = 4  # how many arrays are kept of a result of which several are held at once
BLOCK = 32_768  # numbers of which all arrays of a chain fit into a processor's cache


class Lent:
    """An array that leaves the plan: the same one again, once nobody holds it any more.

    >>> lent = Lent(lambda: np.empty(3))
    >>> first = lent()
    >>> second = lent()
    >>> first is second
    False
    >>> del first
    >>> third = lent()
    >>> len(lent.arrays)
    2
    """

    def __init__(self, make: Callable[[], np.ndarray]) -> None:
        self.make, self.arrays = make, [make()]

    def __call__(self) -> np.ndarray:
        for array in self.arrays:
            if sys.getrefcount(array) == 3:  # the list's, ours, and that of the question
                return array
        self.arrays.append(self.make())
        del self.arrays[:-MOST]
        return self.arrays[-1]


class Memory:
    """Pieces of memory, lent by their size in bytes.

    Attributes:
        size: how many bytes there are in all.
    """

    def __init__(self) -> None:
        self.size = 0
        self._free: dict[int, list[np.ndarray]] = {}

    def take(self, size: int) -> np.ndarray:
        free = self._free.setdefault(size, [])
        if free:
            return free.pop()
        self.size += size
        whole = np.empty(size + 63, np.uint8)
        start = -whole.__array_interface__["data"][0] % 64
        return whole[start : start + size]

    def give_back(self, piece: np.ndarray) -> None:
        self._free.setdefault(piece.nbytes, []).append(piece)


def size_of(value: Value) -> int:
    size = value.dtype.itemsize
    for n in value.shape:
        size *= n
    return size


def is_dense(value: Value) -> bool:
    """Whether it lies in its memory without gaps, in whatever order."""
    expected = value.dtype.itemsize
    for stride, n in sorted(zip(value.strides, value.shape)):
        if n != 1 and stride != expected:
            return False
        expected *= n
    return 0 not in value.shape


def array_over(piece: np.ndarray, value: Value) -> np.ndarray:
    """An array of a value's shape, type and order over a piece of memory."""
    return np.ndarray(value.shape, value.dtype, piece.data, 0, value.strides)


def fresh(value: Value) -> np.ndarray:
    order = sorted(range(len(value.shape)), key=lambda i: -value.strides[i])
    array = np.empty([value.shape[i] for i in order], value.dtype)
    return array.transpose(np.argsort(order)) if order else array


class Planner:
    """The text of a function that does what these lines do.

    Args:
        lines: of a tape, in their order.
        fixed: the arrays of values whose memory is the same in each run.
        leaving: the values that leave the function, or are needed after these lines.

    Attributes:
        text: its lines.
        scope: what they speak of.
        memory: what is lent within it.
        placed: the values that are written into that memory.
        lent: the values for which memory is found in each run, because they leave.
        once: the lines that are done now, and not again.
        blocks: where chains that are done a cacheful at a time begin, and where they end.
        scratch: the values that never leave such a chain.
        turned: the products whose results lie column by column.
    """

    def __init__(
        self, lines: list[Line], fixed: dict[Value, np.ndarray], leaving: Iterable[Value], scope: dict[str, Any]
    ) -> None:
        self.scope, self.fixed, self.memory = scope, dict(fixed), Memory()
        self.text: list[str] = []
        self.placed: list[Value] = []
        self.lent: list[Value] = []
        self.once: list[Line] = []
        self.scratch: set[Value] = set()
        self.leaving = set(leaving)
        self._leaving_memory = {value.memory for value in self.leaving}
        self._changed = {line.changes.memory for line in lines if line.changes is not None}
        self._last = {value.memory: i for i, line in enumerate(lines) for value in (*line.makes, *line.reads)}
        self._pieces: dict[int, np.ndarray] = {}  # by memory
        self._constant: set[Value] = set()
        self.renamed: dict[Value, str] = {}  # inside a chain: the blocks of arrays
        self.turned = turn(lines, self._leaving_memory)
        self.blocks = self._blocks(lines)
        number = 0
        while number < len(lines):
            end = self.blocks.get(number, number + 1)
            if end - number > 1:
                self._chain(lines, number, end)
            else:
                self._line(number, lines[number])
            for one in range(number, end):
                self._release(one, lines[one])
            number = end

    # -- words -----------------------------------------------------------------------------------------------------

    def name(self, value: Value) -> str:
        if value in self.renamed:
            return self.renamed[value]
        if value in self.fixed:
            name = f"v{value.number}"
            self.scope[name] = self.fixed[value]
            return name
        return f"v{value.number}"

    def held(self, thing: Any, name: str = "c") -> str:
        """A name for something that stands in the text."""
        name = name.replace(".", "_")
        if self.scope.get(name, thing) is not thing or name == "c":
            name = f"{name}{len(self.scope)}"
        self.scope[name] = thing
        return name

    def word(self, given: Any) -> str:
        """An argument."""
        if isinstance(given, Value):
            return self.name(given)
        if isinstance(given, tuple | list | slice | dict) and any(True for _ in values_in(given)):
            if isinstance(given, slice):
                return f"slice({self.word(given.start)}, {self.word(given.stop)}, {self.word(given.step)})"
            inside = ", ".join(map(self.word, given))
            return f"({inside},)" if isinstance(given, tuple) else f"[{inside}]"
        if type(given) in (int, bool, type(None)):
            return repr(given)
        return self.held(given)

    def call(self, line: Line, *more: str) -> str:
        """The text of what a line asks NumPy."""
        call = line.call
        given = {value.dtype for value in line.reads}
        only = given.pop() if call.kind == "ufunc" and len(given) == 1 else None  # a number meets an array in its type
        words = [
            self.held(self._number(one, only)) if only is not None and type(one) in (int, float) else self.word(one)
            for one in call.args
        ]
        for i, one in enumerate(call.args if call.kind == "ufunc" and line.makes else ()):
            spread = isinstance(one, Value) and one in self.fixed and one.shape and not any(self.fixed[one].strides)
            if spread and any(
                isinstance(x, Value) and x.shape == line.makes[0].shape and x is not one for x in call.args
            ):
                words[i] = self.held(self.fixed[one][(0,) * len(one.shape)].reshape(()))  # one number will do
        options = [f"{name}={self.word(one)}" for name, one in call.options.items()]
        inside = ", ".join([*words[1 if call.kind in ("method", "attribute") else 0 :], *options, *more])
        if call.kind == "method":
            return f"{words[0]}.{call.name}({inside})"
        if call.kind == "attribute":
            return f"{words[0]}.{call.name}"
        if call.kind == "index":
            return f"{words[0]}[{words[1]}]"
        if call.kind == "set":
            return f"{words[0]}[{words[1]}] = {words[2]}"
        return f"{self.held(call.run, call.name or 'run')}({inside})"

    def _number(self, number: float, dtype: np.dtype) -> Any:
        """A number of Python's as NumPy meets it sooner: an array without dimensions; only among floats."""
        return np.array(number, dtype) if dtype.kind == "f" and dtype.itemsize >= 4 else number

    # -- memory ----------------------------------------------------------------------------------------------------

    def _place(self, number: int, line: Line) -> bool:
        """Give the one value that a line makes memory, if it can be written there; taken over from what ends here."""
        (value,) = line.makes
        if not value.shape or not is_dense(value) or value.memory in self._leaving_memory:
            return False
        size = size_of(value)
        if line.call.kind == "ufunc" and "." not in line.call.name:
            for other in line.reads:
                ends = self._last[other.memory] == number and other.memory in self._pieces
                alike = (other.shape, other.strides, other.dtype) == (value.shape, value.strides, value.dtype)
                if ends and alike and self._pieces[other.memory].nbytes == size and line.call.name != "matmul":
                    self._pieces[value.memory] = self._pieces.pop(other.memory)
                    break
        if value.memory not in self._pieces:
            self._pieces[value.memory] = self.memory.take(size)
        self.fixed[value] = array_over(self._pieces[value.memory], value)
        self.placed.append(value)
        return True

    def _release(self, number: int, line: Line) -> None:
        """What is read here for the last time is free for others."""
        for value in (*line.makes, *line.reads):
            if self._last[value.memory] == number and value.memory in self._pieces:
                self.memory.give_back(self._pieces.pop(value.memory))

    def _target(self, number: int, line: Line) -> str:
        """Where the result of a line is to be written: fixed memory, or an array that leaves."""
        (value,) = line.makes
        if self._place(number, line):
            return self.name(value)
        if value.shape and is_dense(value) and value in self.leaving:
            self.lent.append(value)
            self.text.append(f"{self.name(value)} = {self.held(Lent(lambda: fresh(value)), f'new{value.number}')}()")
            return self.name(value)
        return ""

    # -- lines -----------------------------------------------------------------------------------------------------

    def _line(self, number: int, line: Line) -> None:
        call = line.call
        if call.kind == "check":
            ask = np.shape if call.name == "shape" else getattr(np.ndarray, call.name)
            asked = f"{self.held(ask)}({self.held(np.asarray)}({self.name(call.args[0])})"
            asked += "".join(f", {self.held(one)}" for one in call.options["args"]) + ")"
            self.text.append(f"if {asked} != {self.held(call.options['answer'])}: return MISS")
        elif line.changes is not None:
            self.text.append(self.call(line))
        elif line.several:
            self.text.append(f"{', '.join(map(self.name, line.makes))}, = {self.call(line)}")
        elif not self._once(line):
            self._made(number, line, line.makes[0], call)

    def _once(self, line: Line) -> bool:
        """A view of fixed memory, or what is the same in each run: it is taken now."""
        (value,) = line.makes
        given = list(line.reads)
        is_view = any(one.memory == value.memory for one in given) or line.call.kind == "same"
        if is_view and given[0] in self.fixed and all(one in self.fixed for one in given):
            self.fixed[value] = run(line, self.fixed)
            self.once.append(line)
            return True
        is_same = all(one in self._constant for one in given) and value.memory not in self._changed
        if is_same and value.memory not in self._leaving_memory and line.call.kind not in ("python", "cast"):
            self.fixed[value] = run(line, self.fixed)
            self._constant.add(value)
            self.once.append(line)
            return True
        return False

    def _made(self, number: int, line: Line, value: Value, call: Any) -> None:
        if call.kind == "same":
            self.text.append(f"{self.name(value)} = {self.word(call.args[0])}")
        elif call.name == "empty" and call.kind == "function" and not line.reads:
            if not self._target(number, line):
                self.text.append(
                    f"{self.name(value)} = {self.held(np.empty, 'empty')}({self.word(value.shape)}, "
                    f"{self.held(value.dtype)})"
                )
        elif any(one.memory == value.memory for one in line.reads):
            self.text.append(f"{self.name(value)} = {self.call(line)}")
        elif is_product(line) and (target := self._product(number, line, value)):
            self.text.append(target)
        elif (call.kind == "ufunc" or call.run in WRITES) and "out" not in call.options:
            target = self._target(number, line) if call.name != "at" else ""
            if target:
                with self._in_one_type(line):
                    self.text.append(self.call(line, f"out={target}"))
            else:
                self.text.append(f"{self.name(value)} = {self._own(line)}")
        elif call.kind in ("literal",) or (call.kind == "method" and call.name in COPIES):
            source = self.held(call.args[0]) if call.kind == "literal" else self.word(call.args[0])
            target = self._target(number, line)
            if target:
                self.text.append(f"{self.held(np.copyto, 'copyto')}({target}, {source}, 'unsafe')")
            elif call.kind == "literal":
                self.text.append(f"{self.name(value)} = {source}.copy()")
            else:
                self.text.append(f"{self.name(value)} = {self._own(line)}")
        elif call.run is np.where and len(call.args) == 3 and (target := self._target(number, line)):
            condition, one, other = map(self.word, call.args)
            copyto = self.held(np.copyto, "copyto")
            self.text += [f"{copyto}({target}, {other})", f"{copyto}({target}, {one}, where={condition})"]
        else:
            self.text.append(f"{self.name(value)} = {self._own(line)}")

    def _own(self, line: Line) -> str:
        """The text of what a line asks; a single number gets memory of its own where somebody writes there later."""
        (value,) = line.makes
        is_written = value.memory in self._changed and not value.shape
        return f"{self.held(np.array, 'array')}({self.call(line)})" if is_written else self.call(line)

    def _product(self, number: int, line: Line, value: Value) -> str:
        """A product of matrices, asked for in the quickest way; nothing if that is the way in which it was."""
        args = list(line.call.args)
        if value in self.turned:
            self._place(number, line)
            turned = (
                self.held(self.fixed[x].T) if x in self.fixed else f"{self.name(x)}.T" for x in (*args[::-1], value)
            )
            return f"{self.held(np.dot, 'dot')}({', '.join(turned)})"
        if not (is_small(line) and is_rowwise(value) and is_alike(False, *map(look, args))):
            return ""
        if not (target := self._target(number, line)):
            return ""
        return f"{self.held(np.dot, 'dot')}({self.word(args[0])}, {self.word(args[1])}, {target})"

    @contextlib.contextmanager
    def _in_one_type(self, line: Line) -> Iterator[None]:
        """While it lasts, truth values that meet numbers are numbers: else NumPy would take memory to convert them."""
        (value,), lent = line.makes, []
        for one in dict.fromkeys(line.reads):
            if one.dtype.kind == "b" != value.dtype.kind and one.shape and line.call.kind == "ufunc":
                lent.append(self.memory.take(math.prod(one.shape) * value.dtype.itemsize))
                self.renamed[one] = self.held(np.ndarray(one.shape, value.dtype, lent[-1].data), "as_numbers")
                self.text.append(f"{self.held(np.copyto, 'copyto')}({self.renamed[one]}, v{one.number})")
        yield
        self.renamed.clear()
        for piece in lent:
            self.memory.give_back(piece)

    # -- chains of elementwise operations --------------------------------------------------------------------------

    def _blocks(self, lines: list[Line]) -> dict[int, int]:
        """Where chains of elementwise lines begin and end, that are worth doing a cacheful at a time."""
        found: dict[int, int] = {}
        start, shape = 0, None
        for number, line in enumerate([*lines, None]):
            own = chained(line) if line is not None else None
            if own is None or own != shape or not self._is_apart(lines[start : number + 1]):
                if shape is not None and number - start > 1:
                    found[start] = number
                start, shape = number, own
        return found

    def _is_apart(self, lines: list[Line]) -> bool:
        """Whether arrays on the same memory are the same array: block by block, one is not ahead of the other."""
        places: dict[int, set[int]] = {}
        for line in lines:
            for value in (*line.makes, *line.reads):
                places.setdefault(value.memory, set()).add(value.address if value.shape else 0)
        return all(len(place) == 1 for place in places.values())

    def _chain(self, lines: list[Line], start: int, end: int) -> None:
        """These lines, block by block: what is needed in between never leaves the processor's cache."""
        chain = lines[start:end]
        made = [value for line in chain for value in line.makes]
        scratch = [
            value for value in made if self._last[value.memory] < end and value.memory not in self._leaving_memory
        ]
        self.scratch.update(scratch)
        for number, line in enumerate(chain, start):
            if line.makes and line.makes[0] not in scratch:
                self._target(number, line)
        size = math.prod(chained(chain[0]) or ())
        pieces: dict[Value, np.ndarray] = {}
        free: list[np.ndarray] = []
        for number, line in enumerate(chain, start):
            over = {value for value in line.reads if value in pieces and self._last[value.memory] == number}
            free += [pieces[value] for value in over]  # an elementwise line may be written over what it reads
            for value in line.makes:
                if value in scratch:
                    pieces[value] = free.pop() if free else self.memory.take(BLOCK * 16)
        arrays = list(dict.fromkeys(v for line in chain for v in (*line.makes, *line.reads) if v.shape))
        still = [value for value in arrays if value in pieces or value in self.fixed]
        moving = [value for value in arrays if value not in still]
        parts = [slice(i, min(i + BLOCK, size)) for i in range(0, size, BLOCK)]
        views = []
        for part in parts:
            count, row = part.stop - part.start, []
            for value in still:
                whole = self.fixed[value].reshape(-1)[part] if value in self.fixed else None
                row.append(pieces[value][: count * value.dtype.itemsize].view(value.dtype) if whole is None else whole)
            views.append((part, *row))
        names = {value: f"b{value.number}" for value in arrays}
        for value in moving:
            self.text.append(f"w{value.number} = {self.name(value)}.reshape(-1)")
        self.text.append(f"for part, {''.join(f'{names[v]}, ' for v in still)}in {self.held(views)}:")
        self.text += [f"    {names[value]} = w{value.number}[part]" for value in moving]
        self.renamed = names
        for line in chain:
            self.text.append(f"    {self.call(line, *(names[value] for value in line.makes))}")
        self.renamed = {}


def chained(line: Line) -> tuple | None:
    """The shape of an elementwise line that may be done block by block."""
    call = line.call
    values = [value for value in (*line.makes, *line.reads) if value.shape]
    if not values or not (call.kind == "ufunc" and "." not in call.name and call.name not in SUMMING):
        return None
    alone = isinstance(call.run, np.ufunc) and call.run.nout == 1 and call.run.signature is None
    shape = values[0].shape
    alike = all(value.shape == shape and is_rowwise(value) for value in values)
    fits = alone and alike and call.options.keys() <= {"out"} and (line.makes or "out" in call.options)
    large = math.prod(shape) >= 2 * BLOCK
    scalars = all(isinstance(one, Value | int | float | np.generic) or np.ndim(one) == 0 for one in call.args)
    return shape if fits and large and scalars else None


def is_rowwise(value: Value) -> bool:
    """Whether it lies in its memory row after row, without gaps."""
    expected = value.dtype.itemsize
    for stride, n in zip(reversed(value.strides), reversed(value.shape)):
        if n != 1 and stride != expected:
            return False
        expected *= n
    return True


def run(line: Line, arrays: dict[Value, np.ndarray]) -> np.ndarray:
    """What a line makes of these arrays."""
    call = line.call
    if call.kind == "literal":
        return call.args[0].copy()
    args, options = (mapped(one, arrays.__getitem__) for one in (call.args, call.options))
    return np.asarray(call.run(*args, **options))
