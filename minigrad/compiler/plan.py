"""A plan: one way through a function as questions, lines of NumPy, and what they leave behind, all in one text."""

import builtins
import functools
import itertools
import threading
from collections.abc import Callable, Container, Iterable
from typing import Any

import numpy as np

from ..core.modes import modes
from ..numbers.dtypes import chosen
from ..numbers.quiet import is_taken, quietly, silent
from .asking import at_hand, parameters
from .incoming import ASKED, Incoming
from .leaving import LEFT, Leaving
from .lines import Line, Value, is_view
from .memory import fresh
from .node import MISS, CompiledBackward
from .planning import Planner
from .simplifying import Simplified
from .watch import GONE, Refused, Watch, answered

BACKWARD = "backward"
# NumPy may refuse other numbers: then the function itself says so, unless something was changed by then.
RUN = """
try:
    if not (around(args, options) and {asked}):
        return MISS
except GONE:
    return MISS
{dropped}
try:
    made = computed({fetched})
except {passing}:
    return MISS
if made is MISS:
    return MISS
{names} = made
{effects}
result = {returned}
return result
"""


class Plan:
    """One way through a function: questions, lines, and what they leave behind.

    Attributes:
        run: takes arguments and options; gives the result, or MISS.
        around: the questions about what the function can see; `questions`, about its tensors.
        before: the lines as they were written, forward and backward.
        removed: those that went, and why.
        planners: what is left of them, forward and backward.
        inputs: what is known of the arguments.
        changes: whether it changes anything that was there before.
    """

    def __init__(self, watch: Watch) -> None:
        self.watch, self.around = watch, watch.questions()
        self.scope: dict[str, Any] = dict(watch.around.names) | SCOPE | {"around": watch.fits, "plan": self}
        self._held: dict[int, str] = {}  # by id: what is held under which name
        self.function, self.refusal, self.busy = watch.function, watch.back.refusal, threading.Lock()
        self.backward_given, self._strides = watch.back.arriving, [one.strides for one in watch.back.arriving]
        lines = watch.tape.lines
        self._read = {value for line in lines for value in line.reads}
        written = {line.changes.memory for line in lines if line.changes is not None}
        mode, state, types, default = map(self._hold, (modes, (watch.state, modes.transforms), chosen, watch.default))
        asked = f"({mode}.state, {mode}.transforms) == {state}", f"{types}[0] is {default}"
        coming = Incoming(watch, self._read, written, self._hold)
        self.questions, self.inputs = [*asked, *coming.questions], coming.inputs
        self.given, self.fixed = coming.given, coming.fixed
        self.leaving = Leaving(watch, self._read, self._hold)
        for seen, was, is_written in coming.seen:
            self.leaving.changes_of(seen, was, is_written)
        self.leaving.counts()
        self.leaving.effects += watch.turned
        returned = self.leaving.result(watch.result)
        self.changes = bool(self.leaving.effects) or any(one.memory in written for one in watch.tape.inputs)
        if self.changes and len(watch.back.ends) > 1 and watch.back.refusal is None:
            raise Refused("changes something, and returns several tensors with a history")
        self._simplify(lines[: watch.back.begins], lines[watch.back.begins :])
        self._write(returned)
        watch.before.clear()  # what was needed to write the plan is let go
        watch.tape = watch.result = watch.back.ends = None  # type: ignore[assignment]

    def _hold(self, thing: Any) -> str:
        name = self._held.setdefault(id(thing), f"h{len(self.scope)}")
        self.scope[name] = thing
        return name

    # -- lines -----------------------------------------------------------------------------------------------------

    def _simplify(self, forward: list, later: list) -> None:
        for line in later:
            line.why = BACKWARD
        slopes = [slope for slope in self.watch.back.slopes if slope is not None]
        shorter = Simplified([*forward, *later], [*self.leaving.values, *slopes], exact=True, later=later)
        self.before, self.removed, self.instead = (forward, later), shorter.removed, shorter.instead
        self.slopes = [one and self.instead.get(one, one) for one in self.watch.back.slopes]
        self.left: tuple[list, list] = [], []
        given = {value.memory for value in (*self.given, *self.fixed)}
        is_written = False
        for line in asked_first(shorter.lines, given):
            self.left[line.why == BACKWARD].append(line)
            is_written = is_written or (line.changes is not None and line.changes.memory in given)
            if is_written and may_miss(line):
                raise Refused("looks at a number after it has changed others")

    def _write(self, returned: str) -> None:
        watch, (forward, later) = self.watch, self.left
        slopes = [slope for slope in self.slopes if slope is not None]
        made = {value for line in forward for value in line.makes} | self.given.keys()
        needed = dict.fromkeys([*(value for line in later for value in line.reads), *slopes])
        kept = [value for value in needed if value in made]
        out = {value: self.instead.get(value, value) for value in [*self.leaving.values, *kept]}
        ahead = Planner(forward, self.fixed, out.values(), self.scope)
        back = Planner(later, self.fixed, slopes, self.scope)
        self.planners = [ahead, back]
        self._define("lines", names(self.given), [*ahead.text, f"return ({names(out.values())})"])
        dropped = self.leaving.dropped
        if any(map(may_miss, forward)):  # who runs instead may need it
            dropped = [one for one in dropped if not one.endswith("None")]
        effects = list(self.leaving.effects)
        if watch.back.ends:
            self._kept = kept
            self._define_back("lines_back", back, self.slopes)
            read = self._remember()
            starts = ", ".join(seen.text for seen in watch.back.starts)
            effects.append(f"node = CompiledBackward(plan, [{starts}], [{read}], [{names(kept)}], args, options)")
            memories = {value.memory for value in kept}
            shown = [(name, out[one]) for name, one in self.leaving.returned.values() if one]
            if outside := ", ".join(name for name, one in shown if one.memory in memories):
                returned = f"{returned}\nnode.stamp([{outside}])"
        asked = " and ".join(self.questions)
        text = RUN.format(
            asked=asked, dropped="\n".join(dropped), names=f"({names(out)})",
            fetched=", ".join(["lines", *self.given.values()]), passing="LinAlgError" if self.changes else "Exception",
            effects="\n".join(effects), returned=returned,
        )  # fmt: skip
        self._define("run", f"args, options{parameters(asked, self.scope)}", filter(str.strip, text.split("\n")))
        self.run = at_hand(self.scope["run"])

    def _remember(self) -> str:
        """What the node of a result is to know; and the tensors that must not be overwritten."""
        watch, later = self.watch, {value.memory for line in self.before[1] for value in line.reads}
        self.frees, self.lead_on = watch.back.frees, watch.back.lead_on
        self.metas = [(end._data.shape, end._data.dtype) for end in watch.back.ends]
        # What the function itself would read, should it go backward once more.
        read = [seen.text for seen in watch.around.seen.values() if watch.values[id(seen.tensor)] in self._read]
        read = [] if self.changes or watch.back.refusal is not None else read
        versions = "".join(f"{one}._data, ({one}._counter or ZERO)[0], {one}._requires_grad, " for one in read)
        fetched = "".join(f"{text}, " for text in self.given.values())
        self.versions, self.fetched = (eval(f"lambda args, options: ({x})", self.scope) for x in (versions, fetched))
        by_memory = {watch.values[id(seen.tensor)].memory: seen.text for seen in watch.around.seen.values()}
        return ", ".join(text for memory, text in by_memory.items() if memory in later)

    def _define(self, name: str, arguments: str, body: Iterable[str]) -> None:
        text = "\n".join([f"def {name}({arguments}):", *(f"    {line}" for line in body)])
        self.text = getattr(self, "text", "") + text + "\n\n"
        exec(builtins.compile(text, f"<the plan of {self.watch.function!r}>", "exec"), self.scope)

    # -- going backward --------------------------------------------------------------------------------------------

    def _define_back(self, name: str, back: Planner, slopes: list, ends: Iterable[str] = itertools.repeat("")) -> None:
        gradients = ", ".join(f"v{one.number}{end}" if one else "None" for one, end in zip(slopes, ends))
        self._define(name, names([*self.backward_given, *self._kept]), [*back.text, f"return [{gradients}]"])

    def is_as_it_was(self, args: tuple, options: dict, versions: tuple, saved: list) -> bool:
        """Whether the function would do the same again as when it saved this, of inputs of these versions."""
        pairs = zip(versions, self.versions(args, options))
        is_same = all(one is now or (type(one) is int and one == now) for one, now in pairs)
        if not (is_same and answered(self.scope["around"], args, options)):
            return False
        now = computed(self._saved_again, *self.fetched(args, options))
        return all(np.asarray(one).tobytes() == np.asarray(other).tobytes() for one, other in zip(saved, now))

    @functools.cached_property
    def _saved_again(self) -> Callable:
        """What is kept for the backward, computed once more: what was changed behind `.data` shows there."""
        again = Planner(self.left[0], self.fixed, self._kept, self.scope, as_it_comes=True)
        self._define("lines_again", names(self.given), [*again.text, f"return ({names(self._kept)})"])
        return self.scope["lines_again"]

    def back(self, gradients: list, saved: list) -> Any:
        """The gradients of what the function was given; MISS if the function itself had better be asked."""
        lines = "lines_back"
        if [one.strides for one in gradients] != self._strides:
            if self._may_lie_otherwise:
                lines = "lines_back_as_it_comes"
            elif not self.changes:
                return MISS
            else:
                gradients = [laid_out(one, as_then) for one, as_then in zip(gradients, self.backward_given)]
        return computed(self.scope[lines], *gradients, *saved)

    @functools.cached_property
    def _may_lie_otherwise(self) -> bool:
        """Whether the same lines go back from gradients that lie otherwise; then these are written, as it comes."""
        parts = self.watch.back.parts
        fine = {*self.watch.back.slopes, *filter(is_copy, parts)}
        for line, reason in self.removed:
            if line.why != BACKWARD or reason in ("unread", "again") or not line.reads:
                continue
            if is_view(line):
                lengths = [[n for n in one.shape if n != 1] for one in (line.makes[0], line.reads[0])]
                if line.call.name in ("reshape", "ravel") and lengths[0] != lengths[1]:
                    return False  # a view is gone, which would be a copy
            elif fine.isdisjoint(line.makes) and (reason == "same" or line.makes[0] in parts):
                return False  # a copy is gone, which would lie otherwise, too
        seen = {one.memory for line in self.left[1] if is_view(line) for one in line.makes}
        seen -= {one.memory for line in self.left[1] if line.call.name in ("empty", "zeros") for one in line.makes}
        for line in self.left[1]:
            if "strided" in line.call.name or (line.changes is not None and line.changes.memory in seen):
                return False  # what was a view need not be one
        now = [one and self.instead.get(one, one) for one in parts]
        ends = [".copy()" if is_copy(one) else ".copy('K')" if now[i] in now[:i] else "" for i, one in enumerate(parts)]
        back = Planner(self.left[1], self.fixed, filter(None, now), self.scope, as_it_comes=True)
        self._define_back("lines_back_as_it_comes", back, now, ends)
        return True


def is_copy(value: Value | None) -> bool:
    return value is not None and value.line is not None and value.line.call.name == "copy"


def laid_out(array: np.ndarray, value: Value) -> np.ndarray:
    """The same numbers, as a value of the watched call lay."""
    np.copyto(copy := fresh(value), array)
    return copy


def may_miss(line: Line) -> bool:
    """Whether a line may find that the plan does not fit."""
    return line.call.kind == "check" or line.call.name.startswith("linalg.")


def asked_first(lines: list[Line], given: Container[int]) -> list[Line]:
    """What may find that the plan does not fit, and what leads to it, first of all, where what is `given` allows it."""
    makers = {value: number for number, line in enumerate(lines) for value in line.makes}
    touching: dict[int, list[int]] = {}  # by memory
    changed: dict[int, int] = {}  # by memory: when it is changed first
    for number, line in enumerate(lines):
        for memory in {value.memory for value in line.values}:
            touching.setdefault(memory, []).append(number)
        if line.changes is not None:
            changed.setdefault(line.changes.memory, number)
    first: set[int] = set()
    stack = [number for number, line in enumerate(lines) if changed and may_miss(line)]
    while stack:
        if (number := stack.pop()) in first:
            continue
        first.add(number)
        for value in lines[number].reads:
            if changed.get(value.memory, number) >= number:
                stack += [makers[value]] if value in makers else []
            elif value.memory in given:
                return lines
            else:  # all that happened to it by then
                stack += [one for one in touching[value.memory] if one < number]
    return [lines[number] for number in sorted(range(len(lines)), key=lambda number: number not in first)]


def names(values: Iterable[Value]) -> str:
    return "".join(f"v{value.number}, " for value in values)


def computed(lines: Callable, *given: Any) -> Any:
    """What lines make of this, without a warning of NumPy's."""
    try:
        return quietly(lines, *given)
    except RuntimeError as error:
        if not is_taken(error):
            raise
        return silent.run(lines, *given)


SCOPE = LEFT | ASKED | {
    "MISS": MISS, "LinAlgError": np.linalg.LinAlgError, "computed": computed, "ZERO": (0,),
    "CompiledBackward": CompiledBackward, "GONE": GONE,
}  # fmt: skip
