"""The tensors that come up while a program runs: what the user calls each, and what was in its mailbox before."""

from collections.abc import Iterator
from types import FrameType
from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.autograd import events
from minigrad.autograd.meta import AutogradMeta

from .large import Large
from .moments import Where, is_elsewhere, memory_of, place
from .names import Names
from .program import Program
from .reading import place_of


class Tensors:
    """Those without history that have come up; they are kept alive, so that an id means one of them.

    Attributes:
        mailboxes: what was in `.grad` of leaves before, by place.
        memories: by id: from which moment on a tensor had which memory, as `w.data = …` puts another in its place.
        mailed: by id of a tensor on a single number of a leaf's `.grad`: the id of that leaf.
    """

    def __init__(self, names: Names, program: Program) -> None:
        self.names, self.program = names, program
        self.mailboxes: dict = {}
        self.memories: dict[int, list[tuple[int, tuple | None]]] = {}
        self.mailed: dict[int, int] = {}
        self._arrays: dict[int, Any] = {}
        self._seen: dict[int, Tensor] = {}
        self._numbers: dict[int, tuple] = {}  # by id: those of a tensor that wants no gradient, and its place
        self._asked: set[tuple] = set()  # which of them have been asked for their names, and at which lines
        self._overwritten: tuple[Any, Any] = None, None  # the last view that was, and its place, which is another soon

    def come_up(self, values: Any, where: Where, frames: list[FrameType], number: int) -> None:
        """A name for each tensor that comes up for the first time at the user's line, and its memory at this moment."""
        if where.mark is not None and self.program.line is not None:
            self.names.as_written(where.mark, self.program.line, frames)
        for value in values:
            if isinstance(value, Tensor) and value.made_by is None and (id(value), where.mark) not in self._asked:
                self._asked.add((id(value), where.mark))
                # Of what an optimizer computes on its way, the user has no name.
                self.see(value, frames if value.requires_grad or not where.updating else [])
            if isinstance(value, Tensor) and value.made_by is None:
                if not is_elsewhere(value):
                    self.lies(value, number)
                elif not value.requires_grad and (leaf := self.leaf_with(value)) is not None:
                    self.mailed[id(value)] = id(leaf)  # soon there may be None in its place, of which nobody tells

    def see(self, tensor: Tensor, frames: list[FrameType]) -> None:
        """When it first comes up: its name, and what is in its mailbox."""
        if place(tensor) not in self.names.by_place:
            self.names.find(tensor, frames)
        if id(tensor) not in self._seen:
            self._seen[id(tensor)] = tensor
            if tensor.made_by is None and tensor.grad is not None:
                self.mailboxes[id(tensor)] = Large.kept(tensor.grad.numbers)

    def lies(self, tensor: Tensor, number: int) -> None:
        """Its memory, if it is another one than before; a single number has none before somebody shares it."""
        numbers = tensor.numbers
        if self._arrays.get(id(tensor)) is numbers:
            return
        self._arrays[id(tensor)] = numbers  # as long as it is kept, no other has its place
        history = self.memories.setdefault(id(tensor), [])
        if history and history[-1][1] is None:
            number, _ = history.pop()
        history.append((number, memory_of(tensor)))
        for other in self._seen.values() if isinstance(numbers, np.ndarray) and not numbers.shape else ():
            if other is not tensor and other.numbers is numbers:
                self.lies(other, number)
            elif other.made_by is None and other.grad is not None and other.grad.numbers is numbers:
                self.mailed[id(tensor)] = id(other)

    def memory(self, tensor: Tensor, number: int) -> tuple | None:
        """What told the memory of a tensor apart at a moment."""
        known = [memory for since, memory in self.memories.get(id(tensor), ()) if since <= number]
        return known[-1] if known and known[-1] else memory_of(tensor)

    def fill(self, leaf: Tensor) -> None:
        """Its mailbox is filled."""
        self._seen[id(leaf)] = leaf

    def place(self, tensor: Tensor) -> Any:
        """What tells a tensor apart: of numbers that a node kept and gives out, the tensor that had them first."""
        where = place(tensor)
        if tensor.made_by is not None or tensor.requires_grad or is_elsewhere(tensor):
            return where
        _, first = self._numbers.setdefault(id(tensor.numbers), (tensor.numbers, where))
        return where if where in self.names.by_place else first

    def leaves(self) -> Iterator[Tensor]:
        return (one for one in self._seen.values() if one.made_by is None and one.requires_grad)

    def leaf_with(self, gradient: Tensor) -> Tensor | None:
        """The leaf in whose mailbox a gradient lies."""
        memory = memory_of(gradient)
        for leaf in self._seen.values():
            grad = leaf.grad if leaf.made_by is None else None
            if grad is not None and (grad is gradient or memory is not None and memory_of(grad) == memory):
                return leaf
        return None

    def before(self, event: events.Made, i: int) -> tuple[Any, bool]:
        """The place of an argument before it was written over, and whether a gradient goes there."""
        node, tensor = event.node, event.values[i]
        slot = None if node is None or i not in node.arguments else node.arguments.index(i)
        last, before = self._overwritten
        if node is not None and AutogradMeta(tensor).is_view_:
            self._overwritten = tensor, place(tensor)
        if slot is None or node.edges[slot] is None:
            if id(tensor) not in self.names.by_place:
                self.names.find(tensor, self.program.here()[1], id(tensor))
            return id(tensor), False
        where = place_of(node, slot)
        if tensor is last and before in self.names.by_place:
            self.names.by_place.setdefault(where, self.names.by_place[before])  # it was taken anew, and changed again
        return where, True

    def name_the_view(self) -> None:
        """A view that was written to has been taken anew, and is called what it was called."""
        tensor, before = self._overwritten
        if tensor is not None and place(tensor) != before and before in self.names.by_place:
            self.names.by_place.setdefault(place(tensor), self.names.by_place[before])

    def forget_the_view(self) -> None:
        self.name_the_view()
        self._overwritten = None, None
