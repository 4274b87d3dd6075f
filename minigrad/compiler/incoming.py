"""What comes into a plan, as text: what is asked about tensors first, and which of their arrays are fetched."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.tensor import Tensor
from .lines import Value, root
from .surroundings import Seen
from .watch import Before, Refused, Watch, hooks_of, kept_by


class Incoming:
    """The tensors that a plan begins with; `Refused` where what became of them is nothing that a plan does.

    Attributes:
        questions: what is asked about them before each run.
        given: what is fetched in each run, and how.
        fixed: the arrays that are the same in each run.
        seen: those that matter: each with what it was before, and whether it is written to.
        inputs: what is known of the arguments, in words.
    """

    def __init__(self, watch: Watch, read: set[Value], written: set[int], hold: Callable[[Any], str]) -> None:
        self.watch, self._read, self._written, self._hold = watch, read, written, hold
        self.given: dict[Value, str] = {rate: f"{name}['lr']" for _, name, _, rate in watch.rates}
        self.fixed: dict[Value, np.ndarray] = {}
        self.seen: list[tuple[Seen, Before, bool]] = []
        self.inputs: list[str] = []
        self.questions = self._asked()

    def _asked(self) -> list[str]:
        """What is asked about tensors; on the way it is known what comes in."""
        watch, around, questions = self.watch, self.watch.around, []
        used: list[Seen] = []
        bare: list[str] = []  # the places of gradients that are not expected there
        for key, seen in around.seen.items():
            was, value = watch.before[key], watch.before[key].value
            is_read, is_written = value in self._read, value.memory in self._written
            has_new = watch.after[key][1] is not was.gradient
            self._refuse_changes(seen.tensor, is_read or has_new, is_written)
            is_seen = seen.is_given or seen.text in around.found
            if has_new or (is_seen and "._grad" not in seen.text and (around.by_any_name or "grad" in around.words)):
                if was.gradient is not None:
                    questions.append(f"{self._place(seen, '_grad')} is not None")
                elif seen.tensor._requires_grad or not seen.is_given:
                    questions.append(self._is(seen, "_grad", None))
                else:
                    bare.append(f"{seen.text}._grad")
            if not (is_read or has_new or is_seen):
                continue
            questions += self._about(seen, was, is_read or has_new)
            if is_read or is_written:
                used.append(seen)
            if value.shape and not seen.is_given:
                self.fixed[value] = was.data
            elif is_read:
                whole = f"{seen.text}._data"
                self.given[value] = f"array({whole})" if is_written and not value.shape else whole
            self.seen.append((seen, was, is_written))
        questions += self._are_apart(used)
        given = [seen for seen in around.seen.values() if seen.is_given and "._grad" not in seen.text]
        self.inputs = [f"{seen.text}: {looks(seen.tensor, watch.before[id(seen.tensor)].data)}" for seen in given]
        others = self._hold({key for key, seen in around.seen.items() if not seen.is_given})
        grads = [seen for seen in around.seen.values() if "._grad" in seen.text and "grad" in around.own]
        for i, seen in enumerate(given):  # which tensors are one and the same
            questions.append(f"id({seen.text}) not in {others}")
            questions += [f"{seen.text} is not {other.text}" for other in (*given[:i], *grads)]
        questions += [" is ".join([*bare, "None"])] * bool(bare)
        return list(dict.fromkeys(questions))

    def _refuse_changes(self, tensor: Tensor, is_used: bool, is_written: bool) -> None:
        """Changes of tensors that no plan makes."""
        was = self.watch.before[id(tensor)]
        if not self.watch.after[id(tensor)][0] or was.kept != kept_by(tensor):
            raise Refused("changes the history, the memory or an attribute of a tensor that was there before")
        if is_used and hooks_of(tensor):
            raise Refused("uses a tensor with a hook")
        if is_used and is_written and (tensor._base is not None or tensor._dual is not None):
            raise Refused("changes a view that was taken before it")

    def _about(self, seen: Seen, was: Before, is_used: bool) -> list[str]:
        """That a tensor is as it was. One that is always the same object has always the same type, and the like."""
        tensor, text, array = seen.tensor, seen.text, was.data
        facts: dict[str, Any] = {}
        if seen.is_given and text.endswith("._grad"):  # it looks like the tensor that it is the gradient of
            facts |= {"_data.strides": array.strides, "_requires_grad": tensor._requires_grad} if is_used else {}
        elif seen.is_given:
            facts |= {"__class__": type(tensor)}
            facts |= {f"_data.{name}": getattr(array, name) for name in ("shape", "dtype", "strides")}
            facts |= {name: getattr(tensor, name) for name in ("_requires_grad", "_inference")}
            facts |= {name: None for name in ("_base", "_node", "_dual") if getattr(tensor, name) is None}
            if tensor._node is not None and "grad_fn" in self.watch.around.own:
                facts["_node.name()"] = tensor._node.name()
        else:
            facts |= {"_data": array} if array.shape else {"_data.dtype": array.dtype}
            facts |= {"_requires_grad": tensor._requires_grad}
        if not array.shape and (is_used or not text.endswith("._grad")):  # numbers are rounded otherwise than arrays
            facts["_data.__class__"] = type(array)
        if tensor._requires_grad and tensor._hooks is None:
            facts["_hooks"] = None
        had = [f"not hooks_of({text})"] * (tensor._hooks is not None)  # they were taken off again
        return [*had, *(self._is(seen, name, one) for name, one in facts.items())]

    def _is(self, seen: Seen, name: str, fact: Any) -> str:
        text = self._place(seen, name)
        if fact is None and not seen.is_given and name not in vars(seen.tensor):  # which it has from the first one on
            return f"{name!r} not in {self._hold(vars(seen.tensor))}"
        if type(fact) is bool:  # and never anything else
            return text if fact else f"not {text}"
        sign = "==" if type(fact) in (tuple, str) else "is"
        return f"{text} {sign} {None if fact is None else self._hold(fact)}"

    def _place(self, seen: Seen, name: str) -> str:
        """An attribute; of a tensor that is the same object in each call, its dict has it sooner."""
        own, (first, *rest) = vars(seen.tensor), name.split(".")
        known = f"{self._hold(own)}[{first!r}]" if first in own and not seen.is_given else f"{seen.text}.{first}"
        return ".".join([known, *rest])

    def _are_apart(self, used: list[Seen]) -> list[str]:
        """Where memory is changed, it matters which tensors are on it."""
        by_memory: dict[int, list[Seen]] = {}
        for seen in used:
            by_memory.setdefault(self.watch.values[id(seen.tensor)].memory, []).append(seen)
        if self._written.isdisjoint(by_memory):
            return []
        for memory in self._written & by_memory.keys():
            some = by_memory[memory]
            if len(some) > 1 and any(one.is_given or not one.tensor._data.shape for one in some):
                raise Refused("changes what two tensors share", passing=True)
        whole = [one for some in by_memory.values() for one in some if one.tensor._data.shape]
        given = [f"{one.text}._data" for one in whole if one.is_given]
        others = self._hold(frozenset(id(root(one.tensor._data)) for one in whole if not one.is_given))
        return [f"apart({others}, {', '.join(given)})"] if given else []


def looks(tensor: Tensor, array: Any) -> str:
    return f"{array.dtype.name} of shape {array.shape}{', requires grad' * tensor._requires_grad}"


# -- what this text calls ----------------------------------------------------------------------------------------------


def apart(others: frozenset, *arrays: np.ndarray) -> bool:
    """Whether these arrays are on memories of their own, and on none of the others."""
    roots = {id(root(array)) for array in arrays}
    return len(roots) == len(arrays) and others.isdisjoint(roots)


ASKED = {"apart": apart, "array": np.array, "hooks_of": hooks_of}
