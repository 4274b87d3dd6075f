"""A tape as a function: memory planned once, every array operation written where its result is to lie.

Each line of the tape becomes a line of Python. What a line needs is one of these:

- *fixed*: memory that is the same in every run, the parameters' own and that of the plan; views of it are taken once;
- *fetched*: it came with this run, or left with it;
- *numbers*: they need no memory.

Memory of the plan is lent to one result after the other: when nobody reads the first any more, the next one is written
there.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..numbers.quiet import quiet
from .chains import BLOCK, chained, chains
from .lines import Line, Value, is_view, mapped, values_in
from .memory import Lent, Memory, fresh, is_dense, is_rowwise, size_of
from .products import is_alike, is_elementwise, is_product, is_small, look, turn

# NumPy's functions, besides its ufuncs, that can write where they are told to.
WRITES = {np.concatenate, np.take, np.cumsum, np.cumprod, np.clip, np.sum, np.prod, np.mean, np.amax, np.amin, np.dot}
WRITES |= {getattr(np.ndarray, name) for name in "dot clip take cumsum cumprod sum prod mean max min round".split()}
COPIES = ("astype", "copy")


class Planner:
    """The text of a function that does what these lines do.

    Args:
        lines: of a tape, in their order.
        fixed: the arrays of values whose memory is the same in each run.
        leaving: the values that leave the function, or are needed after these lines.
        as_it_comes: whether NumPy is to lay out what it makes, because what it makes it of lies otherwise than it did.

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

    @quiet
    def __init__(
        self,
        lines: list[Line],
        fixed: dict[Value, np.ndarray],
        leaving: Iterable[Value],
        scope: dict[str, Any],
        as_it_comes: bool = False,
    ) -> None:
        self.lines, self.scope, self.memory, self._as_it_comes = lines, scope, Memory(), as_it_comes
        self.text: list[str] = []
        self.placed: list[Value] = []
        self.lent: list[Value] = []
        self.once: list[Line] = []
        self.scratch: set[Value] = set()
        self._renamed: dict[Value, str] = {}  # what stands for a value in the line that is being written
        self.fixed: dict[Value, np.ndarray] = {}
        for value, array in fixed.items():
            self._fix(value, array)
        self.leaving = set(leaving)
        self._leaving_memory = {value.memory for value in self.leaving}
        self._changed = {line.changes.memory for line in lines if line.changes is not None}
        self._last = {value.memory: i for i, line in enumerate(lines) for value in line.values}
        self._pieces: dict[int, np.ndarray] = {}  # by memory
        self._constant: set[Value] = set()
        self.turned = set() if as_it_comes else turn(lines, self._leaving_memory)
        self.blocks = {} if as_it_comes else chains(lines)
        number = 0
        while number < len(lines):
            end = self.blocks.get(number, number + 1)
            if end - number > 1:
                self._chain(number, end)
            else:
                self._line(number, lines[number])
            for one in range(number, end):
                self._release(one, lines[one])
            number = end

    @property
    def left(self) -> list[Line]:
        """The lines that are done in each run."""
        return [line for line in self.lines if line not in self.once]

    # -- words -----------------------------------------------------------------------------------------------------

    def name(self, value: Value) -> str:
        return self._renamed.get(value, f"v{value.number}")

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
        if isinstance(given, slice) and values_in(given):
            return f"slice{self.word((given.start, given.stop, given.step))}"
        if isinstance(given, (tuple, list)) and values_in(given):
            inside = ", ".join(map(self.word, given))
            return f"({inside},)" if isinstance(given, tuple) else f"[{inside}]"
        return repr(given) if type(given) in (int, bool, type(None)) else self.held(given)

    def call(self, line: Line, *more: str) -> str:
        """The text of what a line asks NumPy."""
        call = line.call
        words = [self._operand(line, one) if call.kind == "ufunc" else self.word(one) for one in call.args]
        options = [f"{name}={self.word(one)}" for name, one in call.options.items()]
        if call.kind == "method":
            return f"{words[0]}.{call.name}({', '.join([*words[1:], *options, *more])})"
        if call.kind == "attribute":
            return f"{words[0]}.{call.name}"
        if call.kind == "index":
            return f"{words[0]}[{words[1]}]"
        if call.kind == "set":
            return f"{words[0]}[{words[1]}] = {words[2]}"
        return f"{self.held(call.run, call.name)}({', '.join([*words, *options, *more])})"

    def _operand(self, line: Line, one: Any) -> str:
        """An argument of a ufunc: a number as NumPy meets it sooner, and one number where it stands all over."""
        if type(one) in (int, float) and len(types := {value.dtype for value in line.reads}) == 1:
            (dtype,) = types
            return self.held(np.array(one, dtype) if dtype.kind == "f" and dtype.itemsize >= 4 else one)
        array = self.fixed.get(one) if isinstance(one, Value) and one.shape else None
        if line.makes and is_elementwise(line) and array is not None and array.size and not any(array.strides):
            others = [other for other in values_in(line.call.args) if other is not one]
            if any(other.shape == line.makes[0].shape for other in others):
                return self.held(array[(slice(1),) * array.ndim].reshape(()))  # seen, not copied
        return self.word(one)

    # -- memory ----------------------------------------------------------------------------------------------------

    def _fix(self, value: Value, array: np.ndarray) -> None:
        self.fixed[value] = self.scope[self.name(value)] = array

    def _place(self, number: int, line: Line) -> bool:
        """Give the one value that a line makes memory, if it can be written there; taken over from what ends here."""
        (value,) = line.makes
        if not value.shape or not is_dense(value) or value.memory in self._leaving_memory:
            return False
        size = size_of(value)
        for other in line.reads if is_elementwise(line) else ():
            ends = self._last[other.memory] == number and other.memory in self._pieces
            alike = (other.shape, other.strides, other.dtype) == (value.shape, value.strides, value.dtype)
            if ends and alike and self._pieces[other.memory].nbytes == size:
                self._pieces[value.memory] = self._pieces.pop(other.memory)
                break
        if value.memory not in self._pieces:
            self._pieces[value.memory] = self.memory.take(size)
        piece = self._pieces[value.memory]
        self._fix(value, np.ndarray(value.shape, value.dtype, piece.data, 0, value.strides))
        self.placed.append(value)
        return True

    def _release(self, number: int, line: Line) -> None:
        """What is read here for the last time is free for others."""
        for value in line.values:
            if self._last[value.memory] == number and value.memory in self._pieces:
                self.memory.give_back(self._pieces.pop(value.memory))

    def _target(self, number: int, line: Line) -> str:
        """Where the result of a line is to be written: fixed memory, or an array that leaves."""
        (value,) = line.makes
        if self._place(number, line):
            return self.name(value)
        if value.shape and is_dense(value) and value.memory in self._leaving_memory:
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
            self._made(number, line)

    def _once(self, line: Line) -> bool:
        """Whether it is a view of fixed memory, or the same in each run: then it is taken now."""
        (value,) = line.makes
        is_seen = is_view(line) and self.fixed.keys() >= set(line.reads)
        is_same = self._constant.issuperset(line.reads) and line.call.kind not in ("python", "cast")
        if not (is_seen or (is_same and value.memory not in self._changed | self._leaving_memory)):
            return False
        args, options = (mapped(given, self.fixed.__getitem__) for given in (line.call.args, line.call.options))
        self._fix(value, np.asarray(line.call.run(*args, **options)))
        if not is_seen:
            self._constant.add(value)
        self.once.append(line)
        return True

    def _made(self, number: int, line: Line) -> None:
        """A line that makes one array: written where it is to lie, if NumPy can write there."""
        (value,) = line.makes
        write = None if is_view(line) or self._as_it_comes else self._product(line) or self._writing(line)
        target = self._target(number, line) if write is not None else ""
        if write is not None and target:
            self.text += write(target)
            return
        text = self.call(line)
        is_changed = value.memory in self._changed and not (value.shape or is_view(line))  # somebody writes there later
        if is_changed or (self._as_it_comes and line.call.kind == "filled"):
            text = f"{self.held(np.array, 'array')}({text}, order='C')"
        self.text.append(f"{self.name(value)} = {text}")

    def _writing(self, line: Line) -> Callable[[str], list[str]] | None:
        """How a result is written somewhere; None for what always takes memory of its own."""
        call, copyto = line.call, self.held(np.copyto, "copyto")
        if (call.kind == "ufunc" or call.run in WRITES) and "out" not in call.options:
            return lambda target: self._in_one_type(line, target)
        if call.kind == "method" and call.name in COPIES:
            return lambda target: [f"{copyto}({target}, {self.word(call.args[0])}, 'unsafe')"]
        if call.run is np.where and len(call.args) == 3:
            condition, one, other = map(self.word, call.args)
            return lambda target: [f"{copyto}({target}, {other})", f"{copyto}({target}, {one}, where={condition})"]
        return (lambda target: []) if call.name == "empty" and not line.reads else None

    def _product(self, line: Line) -> Callable[[str], list[str]] | None:
        """How a product of matrices is written in the quickest way; None if that is the way in which it was."""
        if not is_product(line):
            return None
        a, b = line.call.args
        if line.makes[0] in self.turned:
            return lambda target: [self._dot(*(self._turned(one) for one in (b, a, line.makes[0])))]
        if is_small(line) and is_rowwise(line.makes[0]) and is_alike(False, look(a), look(b)):
            return lambda target: [self._dot(self.name(a), self.name(b), target)]
        return None

    def _dot(self, *words: str) -> str:
        return f"{self.held(np.dot, 'dot')}({', '.join(words)})"

    def _turned(self, value: Value) -> str:
        return self.held(self.fixed[value].T) if value in self.fixed else f"{self.name(value)}.T"

    def _in_one_type(self, line: Line, target: str) -> list[str]:
        """Truth values that meet numbers become numbers first: else NumPy would take memory to convert them."""
        (value,), lent, text = line.makes, [], []
        for one in dict.fromkeys(line.reads):
            if one.dtype.kind == "b" != value.dtype.kind and one.shape and line.call.kind == "ufunc":
                lent.append(self.memory.take(math.prod(one.shape) * value.dtype.itemsize))
                numbers = self.held(np.ndarray(one.shape, value.dtype, lent[-1].data), "as_numbers")
                text.append(f"{self.held(np.copyto, 'copyto')}({numbers}, {self.name(one)})")
                self._renamed[one] = numbers
        text.append(self.call(line, f"out={target}"))
        self._renamed = {}
        for piece in lent:
            self.memory.give_back(piece)
        return text

    def _chain(self, start: int, end: int) -> None:
        """Elementwise lines, block by block: what is needed in between never leaves the processor's cache."""
        chain = self.lines[start:end]
        pieces: dict[Value, np.ndarray] = {}
        free: list[np.ndarray] = []
        for number, line in enumerate(chain, start):
            over = {value for value in line.reads if value in pieces and self._last[value.memory] == number}
            free += [pieces[value] for value in over]  # an elementwise line may be written over what it reads
            for value in line.makes:
                if self._last[value.memory] < end and value.memory not in self._leaving_memory:
                    pieces[value] = free.pop() if free else self.memory.take(BLOCK * 16)
                else:
                    self._target(number, line)
        self.scratch |= pieces.keys()
        size = math.prod(chained(chain[0]) or ())
        whole = dict.fromkeys(v for line in chain for v in line.values if v.shape and v not in pieces)
        parts = {v: f"w{v.number}[i : i + {BLOCK}]" for v in whole}
        parts |= {v: f"{self.held(one.view(v.dtype)[:BLOCK])}[: {size} - i]" for v, one in pieces.items()}
        self.text += [f"w{v.number} = {self.name(v)}.reshape(-1)" for v in whole]
        self.text.append(f"for i in range(0, {size}, {BLOCK}):")
        self.text += [f"    b{v.number} = {part}" for v, part in parts.items()]
        self._renamed = {v: f"b{v.number}" for v in parts}
        into = [[f"out={self.name(one)}" for one in line.makes] for line in chain]
        self.text += [f"    {self.call(line, *out)}" for line, out in zip(chain, into)]
        self._renamed = {}
