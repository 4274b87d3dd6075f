"""What a plan leaves behind, as text: what it returns, gradients, versions, counts of steps."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.tensor import Tensor, counter_of, wrap
from .kinds import CONSTANTS, attributes_of
from .lines import Value
from .surroundings import COUNTED, Seen
from .watch import Before, Refused, Watch


class Leaving:
    """What a watched call left behind; `Refused` where a plan cannot do so.

    Attributes:
        effects: the lines that change what was there before.
        dropped: what is let go first, so that its memory serves again.
        values: those that go out into the world.
        returned: what is returned, by id: its name, and the value that it shows.
    """

    def __init__(self, watch: Watch, read: set[Value], hold: Callable[[Any], str]) -> None:
        self.watch, self._read, self._hold = watch, read, hold
        self.effects: list[str] = []
        self.dropped: list[str] = []
        self.values: list[Value] = []
        self.returned: dict[int, tuple[str, Value | None]] = {}
        self._first: dict[Value, tuple[str, Tensor]] = {}  # who shows a value before others do
        self._gradients: dict[int, str] = {}  # those that are left behind, by the id of the tensor
        self._counters: set[int] = set()

    def changes_of(self, seen: Seen, was: Before, is_written: bool) -> None:
        """What became of a tensor that was there before."""
        text, counter, gradient = seen.text, seen.tensor._counter, self.watch.after[id(seen.tensor)][1]
        if counter is not None and counter[0] != was.version and id(counter) not in self._counters:
            self._counters.add(id(counter))
            mark = self._hold(counter[1] if len(counter) > 1 else None)
            self.effects.insert(0, f"moved({text}, {counter[0] - was.version}, {mark})")  # as long as it is there
        if is_written and not was.value.shape:
            self.effects.insert(0, f"store({text}, v{was.value.number})")
            self.values.append(was.value)
        if gradient is was.gradient:
            return
        if gradient is None:
            self.effects.append(f"{text}._grad = None")
        else:
            value = self.watch.shown.get(id(gradient))
            if value is None or gradient._node is not None or gradient._base is not None:
                raise Refused("leaves a gradient with a history")
            self._goes(value)
            name = self._gradients[id(gradient)] = f"g{value.number}"
            self._first[value] = name, gradient
            self.effects.append(f"{text}._grad = {name} = {marked_text(f'wrap(v{value.number})', gradient)}")
        if was.gradient is not None and self._is_idle(was.gradient):
            self.dropped.append(f"{text}._grad = None")

    def counts(self) -> None:
        """The steps that optimizers took."""
        for (optimizer, name), count in zip(self.watch.around.optimizers, self.watch.counts):
            if optimizer.steps_taken != count:
                self.effects.append(f"{name}.{COUNTED} += {optimizer.steps_taken - count}")

    def _is_idle(self, gradient: Tensor) -> bool:
        """Whether a gradient that was there before is neither read nor changed."""
        was, counter = self.watch.before.get(id(gradient)), gradient._counter
        return was is not None and was.value not in self._read and (counter is None or counter[0] == was.version)

    def _goes(self, value: Value) -> None:
        """A value goes out into the world: nobody else may have its memory."""
        if any(value.memory == other.memory for other in self.watch.tape.inputs):
            raise Refused("returns a view of a tensor that was there before")
        if any(value.memory == other.memory for other in self.values):
            raise Refused("leaves two tensors on the same memory")
        self.values.append(value)

    def result(self, one: Any) -> str:
        """The text of what is returned."""
        if isinstance(one, Tensor):
            return self._tensor(one)
        if isinstance(one, list | dict):
            if self.watch.around.knows(one) or id(one) in self.returned:
                raise Refused("returns a list or dict that somebody else has, too")
            self.returned[id(one)] = "", None
        if isinstance(one, tuple) and hasattr(one, "_fields"):
            return f"{self._hold(type(one))}{self.result(tuple(one))}"
        if type(one) in (tuple, list):
            inside = "".join(f"{self.result(each)}, " for each in one)
            return f"({inside})" if type(one) is tuple else f"[{inside}]"
        if type(one) is dict:
            return f"{{{', '.join(f'{self._hold(key)}: {self.result(each)}' for key, each in one.items())}}}"
        if isinstance(one, np.generic) or not isinstance(one, CONSTANTS):
            kind = "array of NumPy's" if isinstance(one, np.ndarray) else type(one).__name__
            raise Refused(f"returns a{'n' * (kind[0] in 'aeioAEIO')} {kind}")
        return self._hold(one)

    def _tensor(self, tensor: Tensor) -> str:
        if id(tensor) in self.watch.before:
            text = self.watch.around.seen[id(tensor)].text
            if "._grad" not in text:
                return text
            name = f"before{len(self.dropped)}"
            self.dropped.insert(0, f"{name} = {text}")  # it may be another one by then
            return name
        if id(tensor) in self._gradients:
            return self._gradients[id(tensor)]
        if id(tensor) in self.returned:
            return self.returned[id(tensor)][0]
        value = self.watch.shown.get(id(tensor))
        if value is None or attributes_of(tensor):
            raise Refused("returns a tensor that no line made, or with attributes")
        if value not in self._first:
            self._goes(value)
        if type(tensor) is not Tensor:
            raise Refused(f"returns a {type(tensor).__name__}")
        name = f"r{len(self.returned)}"
        other, first = self._first.setdefault(value, (name, tensor))
        self.returned[id(tensor)] = name, value
        gradient = "" if tensor._grad is None else f", {self._tensor(tensor._grad)}"
        text = f"leaf(v{value.number}, {tensor._requires_grad}{gradient})"
        if tensor._node is not None:
            index = next(i for i, end in enumerate(self.watch.back.ends) if end is tensor)
            text = f"wrap(v{value.number}, node, {index})"
        text = marked_text(text, tensor)
        if first is not tensor:
            text = f"beside({other}, {text}, {first._counter is not None and first._counter is tensor._counter})"
        return f"({name} := {text})"


def marked_text(text: str, tensor: Tensor) -> str:
    """The text of a tensor; with more, if it was changed in place meanwhile, or made in inference mode."""
    version = tensor._counter[0] if tensor._counter is not None else 0
    return f"marked({text}, {version}, {tensor._inference})" if version or tensor._inference else text


# -- what this text calls ----------------------------------------------------------------------------------------------


def moved(tensor: Tensor, count: int, where: Any) -> None:
    """The memory of a tensor was changed so many times."""
    counter = tensor._counter or counter_of(tensor)
    counter[:] = (counter[0] + count, where) if where is not None else [counter[0] + count]


def store(tensor: Tensor, number: np.ndarray) -> None:
    """A single number is another one: in its memory, if it has any."""
    if isinstance(tensor._data, np.ndarray):
        tensor._data[...] = number
    else:
        tensor._data = number[()]


def marked(tensor: Tensor, version: int, inference: bool) -> Tensor:
    """A tensor that was changed in place before it was returned, or that was made in inference mode."""
    tensor._inference = inference
    if version:
        tensor._counter = [version]
    return tensor


def beside(other: Tensor, tensor: Tensor, counts_with: bool) -> Tensor:
    """A tensor on the memory of another one, as `detach` makes it."""
    tensor._data = other.array
    if counts_with:
        tensor._counter = counter_of(other)
    return tensor


def leaf(array: Any, requires_grad: bool, gradient: Tensor | None = None) -> Tensor:
    tensor = wrap(array)
    tensor._requires_grad, tensor._grad = requires_grad, gradient
    return tensor


LEFT = {one.__name__: one for one in (wrap, moved, store, marked, beside, leaf)}
