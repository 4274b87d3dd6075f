"""What stands in each piece of memory by now, and how a view is taken, so that it follows when the whole is another."""

from collections.abc import Callable
from typing import Any, cast

import minigrad as mg
from minigrad import Tensor
from minigrad.autograd.meta import AutogradMeta
from minigrad.compiler.traced import Traced
from minigrad.core.forward import apply

from ..recording.moments import Moment


class Seen:
    """An array that stands in memory, and what it is a view of."""

    def __init__(self, array: Traced) -> None:
        self.stands(array)

    def stands(self, array: Traced, whole: "Seen | None" = None, take: Callable = lambda whole: whole) -> None:
        self.array, self.whole, self.take = array, whole, take
        self.taken_of = None if whole is None else whole.array

    def views(self) -> list["Seen"]:
        """It, what it is taken of, and so on."""
        views = [self]
        while views[-1].whole is not None:
            views.append(views[-1].whole)
        return views

    def now(self) -> Traced:
        for view in self.views()[-2::-1]:
            whole = cast(Seen, view.whole).array
            if view.taken_of is not whole:
                view.taken_of, view.array = whole, view.take(whole)
        return self.array

    def put(self, part: Traced) -> None:
        """A view was changed: so is what it is taken of, and whatever else is taken of that."""
        whole = self.views()[-1]
        whole.array = whole.array.copy()
        self.now()[...] = part


class Memories:
    """What stands in the memory of tensors.

    Args:
        on_tape: makes of an array one of the tape.
        memory_of: what told the memory of a tensor apart at the moment that is being told.
    """

    def __init__(self, on_tape: Callable[[Any], Traced], memory_of: Callable[[Tensor], tuple | None]) -> None:
        self._on_tape, self._memory_of = on_tape, memory_of
        self._seen: dict[Any, Seen] = {}  # by what tells the memory of a tensor apart

    def has(self, tensor: Tensor) -> bool:
        return self._memory_of(tensor) in self._seen

    def now(self, tensor: Tensor) -> Traced | None:
        """What stands in the memory of a tensor by now, which may have been changed under another name."""
        seen = self._seen.get(self._memory_of(tensor))
        return None if seen is None else seen.now()

    def begins(self, tensor: Tensor, array: Traced) -> None:
        """A tensor comes up for the first time."""
        if memory := self._memory_of(tensor):
            self._seen[memory] = Seen(array)

    def stands(self, moment: Moment, number: int, array: Traced) -> None:
        """What stands in the memory of a result from now on; of a view, how it is taken."""
        op, values, output = moment.event.op, moment.event.values, moment.event.output
        memory = self._memory_of(output[number] if isinstance(output, tuple) else output)
        if memory is None:
            return
        is_view, in_place = getattr(op, "view", False), output is values[0]
        whole = self._seen.get(self._memory_of(values[0])) if is_view and not in_place else None
        seen = self._seen.setdefault(memory, Seen(array))
        if in_place and seen.whole is not None and not AutogradMeta(output).is_view_:  # else the engine tells of that
            seen.put(array)
        elif whole is None or array.value.memory != whole.array.value.memory:
            seen.stands(array)
        elif seen not in whole.views():  # else it is the same numbers in the same shape, as of `x.t().t()`
            seen.stands(array, whole, lambda now: self._view(op, (now, *moment.copies[0][1:]), number))

    def _view(self, op: Any, arguments: tuple, number: int) -> Traced:
        """A view, taken anew."""
        with mg.no_grad():
            found = apply(op, (mg.from_numpy(arguments[0]), *arguments[1:]))
        return self._on_tape((found[number] if isinstance(found, tuple) else found).numbers)
