"""Which array of the tape stands for a tensor: by the object, by what made it, and by the memory that it lies in."""

from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.autograd import events
from minigrad.compiler.lines import Value
from minigrad.compiler.traced import Traced

from ..recording.large import COPIED, Large
from ..recording.moments import UNKNOWN, are_whole, data, is_elsewhere
from ..words import say
from .draft import Draft, NoProgram, same
from .memories import Memories


class Arrays:
    """The arrays by what tells tensors apart.

    Attributes:
        by_tensor: by id of the user's tensor.
        by_place: of a result, the node that made it.
        by_object: by id of an array of the engine's, which some event keeps alive.
        mail: by id of a leaf: its `.grad`.
        owners: and the leaf itself, with the array that lay in `.grad`.
        arrived: by node and output: the gradient so far; what autograd.grad was asked for stays there.
        foreign: by id of a tensor: the operation, none of minigrad's, that made it of the program's numbers.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.memories = Memories(draft.on_tape, lambda one: draft.recorder.tensors.memory(one, draft.number))
        self.by_tensor: dict[int, Traced] = {}
        self.by_place: dict[Any, Traced] = {}
        self.by_object: dict[int, Traced] = {}
        self.mail: dict[int, Traced] = {}
        self.owners: dict[int, tuple] = {}
        self.arrived: dict[tuple, Traced] = {}
        self.foreign: dict[int, str] = {}

    def of(self, tensor: Tensor | None, place: Any, copy: Any, is_read: bool = True) -> Traced:
        """The array of a tensor; one that comes up for the first time is given to the program, if it is read."""
        found = self._in_mailbox(tensor)
        if found is None or (are_whole(copy) and not self.draft.alike(found.plain, copy)):  # another lies there now
            found = self.as_it_is_now(tensor, self._known(tensor, place), copy)
        return self._given(tensor, place, copy, is_read) if found is None else found

    def recorded(self, tensor: Tensor) -> Traced:
        """The array of a gradient that is a Tensor, so that what made it was recorded."""
        found = self._known(tensor, tensor.made_by)
        if found is None:
            raise NoProgram(say("program.unseen"))
        return found

    def is_new(self, tensor: Tensor, place: Any) -> bool:
        known = place in self.by_place or id(tensor) in self.by_tensor or self.memories.has(tensor)
        return not known and self._in_mailbox(tensor) is None

    def as_it_is_now(self, tensor: Tensor | None, known: Traced | None, copy: Any) -> Traced | None:
        """What stands in the memory of a tensor by now, which may have been changed under another name."""
        now = None if tensor is None else self.memories.now(tensor)
        if now is None or (known is not None and where(known.value) == where(now.value)):
            return known
        return now if not are_whole(copy) or self.draft.alike(now.plain, copy) else known

    def _known(self, tensor: Tensor | None, place: Any) -> Traced | None:
        found = self.by_place.get(place)
        if found is None and tensor is not None:  # what was read off a graph has no tensor
            found = self.by_tensor.get(id(tensor))
            found = self.by_object.get(object_of(tensor)) if found is None else found
        return found

    def _given(self, tensor: Tensor | None, place: Any, copy: Any, is_read: bool) -> Traced:
        draft = self.draft
        users = draft.recorder.names.by_place
        name = users.get(place) or ("state" if draft.updating else "unnamed" if "x" in users.values() else "x")
        if id(tensor) in self.foreign:
            raise NoProgram(say("program.foreign", name=self.foreign[id(tensor)]))
        if copy is UNKNOWN or isinstance(place, tuple):  # the place of a result
            raise NoProgram(say("program.unseen"))
        if isinstance(copy, Large):
            raise NoProgram(say("program.too_large", most=f"{COPIED:,}", name=name, shape=tuple(copy.shape)))
        array = None if tensor is None or tensor.requires_grad else self._handed_out(copy)
        if array is None:
            draft.comes_back(copy)
            array = draft.tape.given(copy, "")
        if tensor is None:
            self.by_place[place] = array
        else:
            self.by_tensor[id(tensor)] = self.by_object[object_of(tensor)] = array
            self.memories.begins(tensor, array)
        draft.naming.give(array.value, name * is_read, is_another=True)
        return array

    def _handed_out(self, copy: Any) -> Traced | None:
        """The gradient of which a tensor holds a copy, as a Function's backward and autograd.grad get it."""
        alike = {key: array for key, array in self.arrived.items() if same(array.plain, copy)}
        if not alike:
            return None
        coming = (moment[0] for moment in self.draft.recorder.moments[self.draft.number :])
        ahead = next((one for one in coming if isinstance(one, events.Visited | events.Seeded)), None)
        visited = ahead.node if isinstance(ahead, events.Visited) else None
        inside = [array for (node, _), array in alike.items() if node is visited]
        found = inside or list(alike.values())
        if not inside and np.all(np.isin(copy, (-1, 0, 1))):  # which many constants are, too
            return None
        if len({first(array.value) for array in found}) > 1:
            self.draft.breaks.add("otherwise")  # it may be either of them
        return self.draft.passed_on(found[-1])

    def _in_mailbox(self, tensor: Tensor | None) -> Traced | None:
        """The array of what is called `w.grad`: another one after each backward."""
        if (leaf := self.draft.recorder.tensors.mailed.get(id(tensor))) in self.mail:
            return self.mail[leaf]
        for leaf, (owner, after) in self.owners.items():
            if leaf in self.mail and tensor is not None and (owner.grad is tensor or after is tensor.numbers):
                return self.mail[leaf]
        return None


def where(value: Value) -> tuple:
    return value.memory, value.address, value.shape, value.strides


def object_of(tensor: Tensor) -> int:
    """The engine's object that holds its numbers; of another engine's, what stands for the tensor."""
    return id(tensor if is_elsewhere(tensor) else data(tensor))


def first(value: Value) -> Value:
    """What a value was called first, before it was passed on."""
    while value.line is not None and value.line.call.kind == "same":
        (value,) = value.line.call.args
    return value
