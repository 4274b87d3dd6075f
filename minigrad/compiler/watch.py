"""One call of a function, watched: what NumPy is asked, what Python looks at, what is left behind."""

import operator
import re
import sys
import weakref
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from ..core import events
from ..core.graph import sequence
from ..core.modes import modes
from ..core.tensor import Tensor
from ..numbers.dtypes import default_float
from ..tensors import trees
from .going_back import GoingBack
from .kinds import attributes_of, exactly
from .lines import Call, Line, Value
from .overhearing import Overhearing, place_of, unheard
from .surroundings import Surroundings
from .tape import Tape
from .traced import Number, Traced

ROOMS = ("minigrad.ops.", "minigrad.tensors.", "minigrad.autograd.", "minigrad.core.op_node")  # which make arrays

FLAG = re.compile(r"(_[dg]\d+\['\w+'\]) is (True|False)")  # asked of an attribute or a global: one that may be turned
GONE = AttributeError, LookupError, ReferenceError, TypeError, ValueError  # what asking raises where nothing is to ask


class Refused(Exception):
    """Why there can be no plan; `passing` if the next call may be luckier."""

    def __init__(self, reason: str, passing: bool = False) -> None:
        super().__init__(reason)
        self.passing = passing


class Before(NamedTuple):
    """What a tensor was before the call."""

    data: Any
    value: Value
    version: int
    gradient: Tensor | None
    kept: tuple


class Watch:
    """One call of a function on arrays that write down what NumPy is asked."""

    def __init__(self, function: Callable, args: tuple, options: dict, roots: list, is_named: bool = False) -> None:
        self.is_named = is_named
        self.function, self.args, self.options, self.roots = function, args, options, roots
        self.around = Surroundings(args, options, roots)
        self.tape = Tape(ROOMS, self._decides)
        self.leaves = [*map(id, trees.leaves((args, options)))]
        self.began = next(sequence)
        self.deposited: list[Tensor] = []
        self.made: list[weakref.ref[Tensor]] = []
        self.called: dict[Value, str] = {}  # what the user calls a result, if anybody asks
        self.reasons: list[str] = []
        self.turned: list[str] = []  # the flags that it leaves otherwise, such as `training`, set to what they are then
        self.values: dict[int, Value] = {}  # by id of a tensor seen
        self.before: dict[int, Before] = {}
        self.state, self.default, self.imported = modes.state, default_float(), len(sys.modules)
        self.looked = looks(*(seen.tensor for seen in self.around.seen.values()))

    def _refuse(self, reason: str, frame: Any = None) -> None:
        where = place_of(frame or sys._getframe(1))
        self.reasons.append(f"{reason} ({where})" if where else reason)

    def _decides(self, value: Value, name: str, args: tuple, answer: Any) -> None:
        """Python asked for a number: the plan holds as long as that is the same, if it is one that may well be."""
        if name in ("shape", "__bool__", "__index__", "__int__") or (value.dtype.kind in "bui" and name != "astype"):
            call = Call("check", name, operator.eq, (value,), {"args": args, "answer": answer})
            self.tape.lines.append(Line(call, several=True))
        else:
            self._refuse("goes on with a number out of a tensor", sys._getframe(2))

    @unheard
    def _heard(self, event: Any) -> None:
        if self.tape.is_over():
            return None
        if type(event) is events.HookCalled:
            return self._refuse("calls a hook")
        if type(event) is events.Visited:
            if event.node.sequence < self.began and not event.node.is_leaf:
                self._refuse("goes backward into what was computed before it")
            return None
        if type(event) is events.Deposited:
            return self.deposited.append(event.tensor)
        self.made += [weakref.ref(one) for one in trees.leaves(event.output) if isinstance(one, Tensor)]
        for one in trees.leaves(event.values):
            if isinstance(one, Tensor):
                if not isinstance(one._data, Traced) and one._data.shape:  # a number, such as a first 1, is what it is
                    self._refuse("computes with a tensor that comes from where nobody watches")
            elif isinstance(one, np.ndarray) and not isinstance(one, Traced):
                self._refuse("reads an array of NumPy's that is no tensor")
        if event.source is not None and event.source.name and isinstance(event.output, Tensor):
            if isinstance(event.output._data, Traced):
                self.called[event.output._data.value] = event.source.name

    def _lay_out(self) -> None:
        """Arrays of the tape in place of the user's own."""
        for seen in self.around.seen.values():
            tensor = seen.tensor
            array = tensor._data if isinstance(tensor._data, np.ndarray) else np.array(tensor._data)
            traced = self.tape.shared(array)
            traced.is_number = array is not tensor._data
            key = id(tensor)
            self.values[key] = traced.value
            version = tensor._counter[0] if tensor._counter is not None else 0
            self.before[key] = Before(tensor._data, traced.value, version, tensor._grad, kept_by(tensor))
            tensor._data = traced
        self.rates = []
        for group, name in self.around.rates:
            number: Any = self.tape.shared(np.array(group["lr"]), Number)
            self.rates.append((group, name, group["lr"], number.value))
            group["lr"] = number

    def call(self) -> Any:
        """What the function returns; the tape is written meanwhile."""
        self._lay_out()
        self.counts = [optimizer.steps_taken for optimizer, _ in self.around.optimizers]
        try:
            kinds = events.Made, events.HookCalled, events.Visited, events.Deposited
            hearing = events.listen(self._heard, *kinds, source=self.is_named)
            with self.tape.running(), hearing, Overhearing(self._refuse) as heard:
                self.result = self.function(*self.args, **self.options)
            self.codes, self.users = heard.codes, heard.users
            if (self.state, self.default) != (modes.state, default_float()):
                self.reasons.append("leaves another mode behind")
            seen, refuse = self.around.seen.values(), self.reasons.append
            self.back = GoingBack(self.tape, seen, self.values, self.result, refuse)
        finally:
            self._restore()
        if any(isinstance(one, Traced) for one in trees.leaves(self.result)):  # NumPy's own is returned
            return trees.each(lambda one: one.plain if isinstance(one, Traced) else one, self.result)
        return self.result

    def _restore(self) -> None:
        """All arrays are the user's own again."""
        self.tape.close()
        for group, _, rate, value in self.rates:
            if getattr(group.get("lr"), "value", None) is value:
                group["lr"] = rate
            elif group.get("lr") is not rate:
                self.reasons.append("changes a learning rate")
        self.after: dict[int, Any] = {}
        single: list[Tensor] = []
        for key, was in self.before.items():
            tensor = self.around.seen[key].tensor
            is_same = getattr(tensor._data, "value", None) is was.value
            self.after[key] = is_same, tensor._grad
            if is_same and isinstance(was.data, np.ndarray):
                tensor._data = was.data
            elif is_same:
                single.append(tensor)
        results = [one for one in trees.leaves(getattr(self, "result", None)) if isinstance(one, Tensor)]
        found = [grad for _, grad in self.after.values() if grad is not None] + results
        found += [leaf._grad for leaf in self.deposited if leaf._grad is not None]
        self.shown = {id(one): one._data.value for one in found if isinstance(one._data, Traced)}
        memories = {was.value.memory for was in self.before.values() if isinstance(was.data, np.ndarray)}
        make_plain([*single, *found, *(one for made in self.made if (one := made()) is not None)], memories)
        if self.tape.is_held():  # by tensors of which nobody told, if it is not a graph alone
            make_plain([seen.tensor for seen in Surroundings(self.args, self.options, self.roots).seen.values()])

    # -- what a plan needs -----------------------------------------------------------------------------------------

    def questions(self) -> list[str]:
        """What is asked before a plan takes the place of this call; `Refused` if it would not do the same."""
        self.asked, blind = self.around.reached(self.codes, self.users)
        if self.reasons:  # what is imported when it is first asked for is there in the next call
            raise Refused(self.reasons[0], passing=len(sys.modules) > self.imported)
        if self.tape.failed:
            raise Refused("goes on after an error that numbers led to", passing=True)
        if self.tape.strangers:
            raise Refused("reads an array of NumPy's that is no tensor")
        if blind:
            raise Refused(f"uses {blind} which cannot be watched")
        if self.leaves != [*map(id, trees.leaves((self.args, self.options)))]:
            raise Refused("changes its arguments", passing=True)
        self.fits = self.around.asking(self.asked)
        if not answered(self.fits, self.args, self.options):
            others = [one for one in self.asked if not answered(self.around.asking([one]), self.args, self.options)]
            flags = filter(None, map(FLAG.fullmatch, others))
            self.turned = [f"{found[1]} = {found[2] == 'False'}" for found in flags]
            if changed := [one for one in others if not FLAG.fullmatch(one)]:
                raise Refused(f"changes what it looks at itself ({self.around.plain(changed[0])})", passing=True)
        return self.asked

    def alike(self) -> Callable:
        """What asks whether another call is like this one, as far as can be seen: then it is refused, too."""
        if not answered(self.around.asking(self.asked), self.args, self.options):
            return lambda args, options: True  # it changes what it looks at: none is like another
        self.around.names |= {"looks": looks, "looked": self.looked}
        texts = ", ".join(seen.text for seen in self.around.seen.values())
        return self.around.asking([*self.asked, f"looks({texts}) == looked"])


def make_plain(tensors: list[Tensor], held: Iterable[int] = ()) -> None:
    """Arrays like any others, in place of those of a tape; a number has an array only if it shares it.

    The memories that are `held` are those of arrays that others have already.
    """
    traced = {id(one): one._data for one in tensors if isinstance(one._data, Traced)}
    users = Counter(array.value.memory for array in traced.values()) + Counter(held)
    for tensor in tensors:
        if id(tensor) in traced:
            array = traced[id(tensor)]
            is_shared = users[array.value.memory] > 1
            tensor._data = array.plain if array.shape or is_shared else array.plain[()]


def answered(ask: Callable, args: tuple, options: dict) -> bool:
    """Whether the answer is yes; what is gone answers no."""
    try:
        return ask(args, options)
    except GONE:
        return False


def kept_by(tensor: Tensor) -> tuple:
    """What no plan changes: a tensor's history, what is written on it, and its hooks."""
    written = exactly(attributes_of(tensor).values())
    return tensor._node, tensor._requires_grad, tensor._base, written, hooks_of(tensor)


def hooks_of(tensor: Tensor) -> list:
    """The numbers of a tensor's hooks."""
    hooks = tensor._hooks if tensor._node is None else tensor._node.hooks
    kinds = () if hooks is None else (*hooks.tensor.values(), hooks.retain, hooks.pre, hooks.post, hooks.accumulated)
    return [*filter(None, map(list, kinds))]


def looks(*tensors: Tensor) -> tuple:
    """What may decide whether a call can become a plan, besides the numbers."""
    about = [(one._data.shape, one._data.dtype, one._requires_grad, one._node is None) for one in tensors]
    return modes.state, about, [*map(hooks_of, tensors)]
