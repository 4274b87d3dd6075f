"""A plan: one way through a function as questions, lines of NumPy, and what they leave behind, all in one text."""

import builtins
import re
import threading
from typing import Any

import numpy as np

from ..core.modes import modes
from ..core.tensor import Tensor, counter_of, wrap
from ..numbers.dtypes import default_float
from ..numbers.quiet import is_taken, quietly, silent
from .node import MISS, CompiledBackward
from .planning import Planner
from .simplifying import Simplified
from .surroundings import COUNTED, Seen, attributes_of
from .tape import Traced, Value, root
from .watch import Refused, Watch, answered, kept_by

BACKWARD = "backward"


class Plan:
    """One way through a function: questions, lines, and what they leave behind.

    Attributes:
        run: takes arguments and options; gives the result, or MISS.
        before: the lines as they were written, forward and backward.
        removed: those that went, and why.
        inputs: what is known of the arguments.
    """

    def __init__(self, watch: Watch) -> None:
        self.watch, self.around = watch, watch.questions()
        self.questions = ["modes.state == state", "default_float() is default"]
        self.scope: dict[str, Any] = dict(watch.around.names) | SCOPE | {"around": watch.fits}
        self.busy = threading.Lock()
        self.effects: list[str] = []
        self.dropped: list[str] = []  # what is let go first, so that its memory serves again
        self.returned: dict[int, tuple[str, Value | None]] = {}  # by id: its name, and what it shows
        self.wrapped: dict[int, str] = {}  # the gradients that are left behind, by the id of the tensor
        self.leaving: list[Value] = []
        self.given: dict[Value, str] = {}  # what is fetched in each run, and how
        self.fixed: dict[Value, np.ndarray] = {}
        self.lines = list(watch.tape.lines)
        self.read = {value for line in self.lines for value in line.reads}
        self._tensors(watch.words)
        self._arriving()
        returned = self._returned(watch.result)
        if self.effects and len(watch.ends) > 1 and watch.refusal is None:
            raise Refused("changes something, and returns several tensors with a history")
        self._simplify()
        self._write(returned)

    # -- what comes in ---------------------------------------------------------------------------------------------

    def _tensors(self, words: set[str]) -> None:
        watch, around = self.watch, self.watch.around
        changed = {line.changes.memory for line in self.lines if line.changes is not None}
        counters: set[int] = set()
        used_by: dict[int, list[Seen]] = {}  # by memory
        for _, name, _, number in watch.rates:
            self.given[number.value] = f"{name}['lr']"
        for key, seen in around.seen.items():
            array, traced, version, gradient, kept = watch.before[key]
            tensor, text, value = seen.tensor, seen.text, traced.value
            data, now = watch.after[key]
            used = value in self.read or now is not gradient
            if data is not traced or kept != kept_by(tensor):
                raise Refused("changes the history, the memory or an attribute of a tensor that was there before")
            if used and tensor._hooks is not None:
                raise Refused("uses a tensor with a hook")
            if used and (tensor._base is not None or tensor._dual is not None) and value.memory in changed:
                raise Refused("changes a view that was taken before it")
            if not (used or seen.is_given):
                continue
            self._ask(text, tensor, array, seen.is_given, used)
            if value in self.read or value.memory in changed:
                used_by.setdefault(value.memory, []).append(seen)
            if value.shape and not seen.is_given:
                self.fixed[value] = array
            elif value in self.read:
                whole = f"{text}._data"
                self.given[value] = f"array({whole})" if not value.shape and value.memory in changed else whole
            if tensor._node is None and tensor._requires_grad and (gradient is not now or "grad" in words):
                self.questions.append(f"{text}._grad is {'not ' * (gradient is not None)}None")
            counter = tensor._counter
            if counter is not None and counter[0] != version and id(counter) not in counters:
                counters.add(id(counter))
                mark = self._hold(counter[1] if len(counter) > 1 else None)
                self.effects.insert(0, f"moved({text}, {counter[0] - version}, {mark})")  # as long as it is there
            if not value.shape and value.memory in changed:
                self.effects.insert(0, f"store({text}, v{value.number})")
                self.leaving.append(value)
            if now is not gradient:
                self._leaves_gradient(text, now)
                if gradient is not None and self._is_idle(gradient):
                    self.dropped.append(f"{text}._grad = None")
        self._are_apart(used_by, changed)
        self.questions = list(dict.fromkeys(self.questions))
        given = [seen for seen in around.seen.values() if seen.is_given and "._grad" not in seen.text]
        self.inputs = [f"{seen.text}: {looks(seen.tensor, watch.before[id(seen.tensor)][0])}" for seen in given]
        others = self._hold({key for key, seen in around.seen.items() if not seen.is_given})
        for i, seen in enumerate(given):  # which tensors are one and the same
            self.questions.append(f"id({seen.text}) not in {others}")
            self.questions += [f"{seen.text} is not {other.text}" for other in given[:i]]
        for (optimizer, name), count in zip(around.optimizers, watch.counts):
            if optimizer.steps_taken != count:
                self.effects.append(f"{name}.{COUNTED} += {optimizer.steps_taken - count}")

    def _are_apart(self, used_by: dict[int, list[Seen]], changed: set[int]) -> None:
        """Where memory is changed, it matters which tensors are on it."""
        if changed.isdisjoint(used_by):
            return
        for memory in changed & used_by.keys():
            if len(used_by[memory]) > 1 and any(x.is_given or not x.tensor._data.shape for x in used_by[memory]):
                raise Refused("changes what two tensors share", passing=True)
        seen = [one for some in used_by.values() for one in some if one.tensor._data.shape]
        given = [f"{one.text}._data" for one in seen if one.is_given]
        if given:
            others = self._hold(frozenset(id(root(one.tensor._data)) for one in seen if not one.is_given))
            self.questions.append(f"apart({others}, {', '.join(given)})")

    def _ask(self, text: str, tensor: Tensor, array: Any, is_given: bool, is_used: bool) -> None:
        """That a tensor is as it was. One that is always the same object has always the same type, and the like."""
        if is_given and text.endswith("._grad"):  # it looks like the tensor that it is the gradient of
            facts = {"_data.strides": array.strides, "_requires_grad": tensor._requires_grad} if is_used else {}
        elif is_given:
            self.questions.append(f"type({text}) is {self._hold(type(tensor))}")
            facts = {"_data.shape": array.shape, "_data.dtype": array.dtype, "_data.strides": array.strides}
            facts |= {name: getattr(tensor, name) for name in ("_requires_grad", "_inference")}
            facts |= {name: None for name in ("_base", "_node", "_dual") if getattr(tensor, name) is None}
        else:
            facts = {"_data": array} if array.shape else {"_data.dtype": array.dtype}
            facts["_requires_grad"] = tensor._requires_grad
        if tensor._requires_grad:
            facts["_hooks"] = None
        for name, fact in facts.items():
            is_itself = isinstance(fact, bool | None | np.ndarray | np.dtype)
            self.questions.append(f"{text}.{name} {'is' if is_itself else '=='} {self._word(fact)}")

    def _word(self, fact: Any) -> str:
        return repr(fact) if isinstance(fact, bool | None) else self._hold(fact)

    def _hold(self, thing: Any) -> str:
        name = f"h{len(self.scope)}"
        self.scope[name] = thing
        return name

    def _leaves_gradient(self, text: str, gradient: Tensor | None) -> None:
        if gradient is None:
            self.effects.append(f"{text}._grad = None")
            return
        traced = self.watch.data.get(id(gradient))
        if not isinstance(traced, Traced) or gradient._node is not None or gradient._base is not None:
            raise Refused("leaves a gradient with a history")
        self._leaves(traced.value)
        name = self.wrapped[id(gradient)] = f"g{traced.value.number}"
        version = gradient._counter[0] if gradient._counter is not None else 0
        wrapped = f"wrap(v{traced.value.number})"
        self.effects.append(f"{text}._grad = {name} = {f'marked({wrapped}, {version}, False)' if version else wrapped}")

    def _is_idle(self, gradient: Tensor) -> bool:
        """Whether a gradient that was there before is neither read nor changed."""
        if id(gradient) not in self.watch.before:
            return False
        _, traced, version, *_ = self.watch.before[id(gradient)]
        counter = gradient._counter
        return traced.value not in self.read and (counter is None or counter[0] == version)

    def _leaves(self, value: Value) -> None:
        """A value goes out into the world: nobody else may have its memory."""
        if any(value.memory == other.memory for other in self.watch.tape.inputs):
            raise Refused("returns a view of a tensor that was there before")
        if any(value.memory == other.memory for other in self.leaving):
            raise Refused("leaves two tensors on the same memory")
        self.leaving.append(value)

    def _arriving(self) -> None:
        """The gradients that come when somebody goes backward later."""
        watch = self.watch
        self.slopes: list[Value | None] = []
        self.backward_given = [traced.value for traced in watch.arriving]
        if watch.ends and watch.refusal is None:
            for slope in watch.slopes:
                self.slopes.append(slope._data.value if slope is not None else None)

    def _returned(self, result: Any) -> str:
        """The text of what is returned."""
        watch = self.watch
        if isinstance(result, Tensor):
            if id(result) in watch.before:
                text = watch.around.seen[id(result)].text
                if "._grad" not in text:
                    return text
                self.dropped.insert(0, f"before{len(self.dropped)} = {text}")  # it may be another one by then
                return self.dropped[0].partition(" ")[0]
            if id(result) in self.wrapped:
                return self.wrapped[id(result)]
            if id(result) in self.returned:
                return self.returned[id(result)][0]
            traced = watch.data[id(result)]
            if not isinstance(traced, Traced) or attributes_of(result):
                raise Refused("returns a tensor that no line made, or with attributes")
            value = traced.value
            if value not in self.leaving:
                self._leaves(value)
            name = f"r{value.number}"
            if type(result) is not Tensor:
                raise Refused(f"returns a {type(result).__name__}")
            self.returned[id(result)] = name, value
            text = f"leaf(v{value.number}, {result._requires_grad})"
            if result._node is not None:
                index = next(i for i, end in enumerate(watch.ends) if end is result)
                text = f"wrap(v{value.number}, node, {index})"
            version = result._counter[0] if result._counter is not None else 0
            if version or result._inference:
                text = f"marked({text}, {version}, {result._inference})"
            return f"({name} := {text})"
        if isinstance(result, list | dict):
            if watch.around.knows(result) or id(result) in self.returned:
                raise Refused("returns a list or dict that somebody else has, too")
            self.returned[id(result)] = "", None
        if isinstance(result, tuple | list):
            inside = ", ".join(map(self._returned, result))
            if hasattr(result, "_fields"):
                return f"{self._hold(type(result))}({inside})"
            if type(result) not in (tuple, list):
                raise Refused(f"returns a {type(result).__name__}")
            return f"({inside}{',' * (len(result) == 1)})" if isinstance(result, tuple) else f"[{inside}]"
        if type(result) is dict:
            return "{" + ", ".join(f"{self._hold(k)}: {self._returned(one)}" for k, one in result.items()) + "}"
        if isinstance(result, np.ndarray | np.generic) or not isinstance(result, SIMPLE):
            kind = "array of NumPy's" if isinstance(result, np.ndarray) else type(result).__name__
            raise Refused(f"returns a{'n' * (kind[0] in 'aeio')} {kind}")
        return self._hold(result)

    # -- lines -----------------------------------------------------------------------------------------------------

    def _simplify(self) -> None:
        lines = self.lines
        start = self.watch.backward_from
        marked = {id(line) for line in lines[start:]}
        for line in lines:
            line.why = BACKWARD if id(line) in marked else ""
        slopes = [slope for slope in self.slopes if slope is not None]
        shorter = Simplified(lines, [*self.leaving, *slopes], exact=True, later=lines[start:])
        self.before, self.removed = (lines[:start], lines[start:]), shorter.removed
        self.instead = instead = shorter.instead
        self.leaving = [instead.get(one, one) for one in self.leaving]
        self.slopes = [one and instead.get(one, one) for one in self.slopes]
        self.renamed = {f"v{old.number}": f"v{new.number}" for old, new in instead.items()}
        given = {value.memory for value in (*self.given, *self.fixed)}
        written = False
        for line in shorter.lines:
            written = written or (line.changes is not None and line.changes.memory in given)
            if written and line.call.kind == "check":
                raise Refused("looks at a number after it has changed others")
        self.forward = [line for line in shorter.lines if line.why != BACKWARD]
        self.later = [line for line in shorter.lines if line.why == BACKWARD]

    def _write(self, returned: str) -> None:
        watch = self.watch
        slopes = [slope for slope in self.slopes if slope is not None]
        made = {value for line in self.forward for value in line.makes} | self.given.keys()
        needed = [*dict.fromkeys(value for line in self.later for value in line.reads), *slopes]
        kept = [value for value in dict.fromkeys(needed) if value in made]
        leaving = list(dict.fromkeys([*self.leaving, *kept]))
        planner = Planner(self.forward, self.fixed, leaving, self.scope)
        self.planners = [planner]
        names = ", ".join(f"v{value.number}" for value in self.given)
        self._define("lines", names, planner.text, f"({', '.join(map(planner.name, leaving))}{',' * bool(leaving)})")
        asked = " and ".join(["around(args, options)", *self.questions])
        body = ["try:", f"    if not ({asked}):", "        return MISS"]
        gone = "except (AttributeError, LookupError, TypeError, ValueError):"  # what was asked for
        body += [gone, "    return MISS"]
        fetched = ", ".join(["lines", *self.given.values()])
        if any(line.call.kind == "check" for line in self.forward):
            self.dropped = [one for one in self.dropped if not one.endswith("None")]  # who runs instead may need it
        body += self.dropped
        # NumPy may refuse other numbers: then the function itself says so, unless something was changed by then.
        body += ["try:", f"    made = quietly({fetched})", "except Exception as error:", "    if not is_taken(error):"]
        body += [f"        {'raise' if self.effects else 'return MISS'}", f"    made = silent.run({fetched})"]
        if any(line.call.kind == "check" for line in self.forward):
            body += ["if made is MISS:", "    return MISS"]
        body += [f"({', '.join(f'v{value.number}' for value in leaving)},) = made"] * bool(leaving) + self.effects
        if watch.ends:
            self._write_backward(kept, slopes)
            self.frees = watch.frees
            # What the function itself would read, should it go backward once more.
            read = [s.text for s in watch.around.seen.values() if watch.values[id(s.tensor)] in self.read]
            read = [] if self.effects or watch.refusal is not None else read
            versions = "".join(f"{one}._data, ({one}._counter or ZERO)[0], " for one in read)
            self.versions = eval(f"lambda args, options: ({versions})", self.scope)
            self.kept_starts = [i for i, seen in enumerate(watch.starts) if watch.values[id(seen.tensor)] in needed]
            starts = ", ".join(seen.text for seen in watch.starts)
            saved = ", ".join(f"v{value.number}" for value in kept)
            body.append(f"node = CompiledBackward(plan, [{starts}], [{saved}], args, options)")
        self.scope |= {"state": watch.state, "default": watch.default, "plan": self}
        body.append(f"result = {returned}")
        memories = {value.memory for value in kept}
        outside = [name for name, value in self.returned.values() if value is not None and value.memory in memories]
        body += [f"node.stamp([{', '.join(outside)}])"] * bool(outside)
        body.append("return result")
        if self.renamed:
            body = [re.sub(r"\bv\d+\b", lambda found: self.renamed.get(found[0], found[0]), line) for line in body]
        self.function = watch.function
        self._define("run", "args, options", body, "")
        self.run = self.scope["run"]
        self.metas: list = [(end._data.shape, end._data.dtype) for end in watch.ends]
        self.refusal = watch.refusal
        watch.before.clear()  # what was needed to write the plan is let go
        watch.tape = watch.result = watch.ends = None  # type: ignore[assignment]

    def _write_backward(self, kept: list[Value], slopes: list[Value]) -> None:
        planner = Planner(self.later, self.fixed, slopes, self.scope)
        self.planners.append(planner)
        names = ", ".join(f"v{value.number}" for value in (*self.backward_given, *kept))
        back = ", ".join("None" if slope is None else planner.name(slope) for slope in self.slopes)
        self._define("lines_back", names, planner.text, f"[{back}]")

    def _define(self, name: str, arguments: str, body: list[str], returned: str) -> None:
        lines = [f"def {name}({arguments}):", *(f"    {line}" for line in body)]
        lines += [f"    return {returned}"] * bool(returned)
        self.text = getattr(self, "text", "") + "\n".join(lines) + "\n\n"
        exec(builtins.compile("\n".join(lines), f"<the plan of {self.watch.function!r}>", "exec"), self.scope)

    def is_as_it_was(self, args: tuple, options: dict, versions: tuple) -> bool:
        """Whether the function would do the same again as when these were the versions of what it reads."""
        pairs = zip(versions, self.versions(args, options))
        is_same = all(one is now or (type(one) is int and one == now) for one, now in pairs)
        return is_same and answered(self.scope["around"], args, options)

    def back(self, gradients: list, saved: list) -> list:
        """The gradients of what the function was given."""
        lines = self.scope["lines_back"]
        try:
            return quietly(lines, *gradients, *saved)
        except RuntimeError as error:
            if not is_taken(error):
                raise
            return silent.run(lines, *gradients, *saved)


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


def apart(others: frozenset, *arrays: np.ndarray) -> bool:
    """Whether these arrays are on memories of their own, and on none of the others."""
    roots = {id(root(array)) for array in arrays}
    return len(roots) == len(arrays) and others.isdisjoint(roots)


def looks(tensor: Tensor, array: Any) -> str:
    return f"{array.dtype.name} of shape {array.shape}{', requires grad' * tensor._requires_grad}"


def leaf(array: Any, requires_grad: bool) -> Tensor:
    tensor = wrap(array)
    tensor._requires_grad = requires_grad
    return tensor


SIMPLE = (bool, int, float, complex, str, bytes, type(None))
SCOPE = {
    "MISS": MISS, "quietly": quietly, "silent": silent, "is_taken": is_taken, "wrap": wrap, "moved": moved,
    "leaf": leaf, "ZERO": (0,), "store": store, "marked": marked, "apart": apart, "array": np.array, "modes": modes,
    "default_float": default_float, "CompiledBackward": CompiledBackward,
}  # fmt: skip
