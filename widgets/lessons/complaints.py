"""What is wrong with a learner's function, in a sentence: the case, the learner's number, and the right one beside it.

>>> failure({"kind": "ValueError", "message": "no number", "where": "line 2 of its cell", "code": "return f(x)"})
'ValueError: no number, in line 2 of its cell: return f(x)'
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

from minigrad import Tensor
from minigrad.faults import FAULTS

from ..words import listed, misconception, say
from . import observer
from .observer import Case
from .values import Difference, difference, read, shown, written

NO_HISTORY = -1  # in the place of the number of a leaf


class Stage(IntEnum):
    """In which order it is told what is wrong."""

    FORM = 0  # it fails, or returns another kind of thing
    VALUE = 1
    ARGUMENT = 2  # it changes what it was given
    GRADIENT = 3
    CHECK = 4  # by differences, or of the learner's own test


class Complaint(NamedTuple):
    """What is wrong with one case."""

    stage: Stage
    says: str
    yours: str = ""
    right: str = ""


@dataclass
class Try:
    """One thing to do with the learner's function.

    Args:
        call: it, as a learner would write it.
        step: the function of observer.py that does it.
        given: what else that is given.
        right: what it makes of the right function, if that is compared.
    """

    call: str
    step: Callable
    case: Case
    given: tuple = ()
    right: dict[str, Any] | None = None

    def complaint(self, outcome: dict[str, Any], names: list[str]) -> Complaint | None:
        """What is wrong with what came of it, if anything is; `names` are those of the function's parameters."""
        if self.step is observer.passes and self.given != ("",):
            return self.unnoticed() if outcome.get("done") else None
        if "error" in outcome:
            is_call = self.step in (observer.called, observer.accepts, observer.passes)
            return Complaint(Stage.FORM if is_call else Stage.CHECK, self.failed(outcome["error"]))
        if self.step is observer.passes:
            return None if outcome["done"] else Complaint(Stage.FORM, say("complaints.refuses", call=self.call))
        if self.step is observer.accepts:
            return Complaint(Stage.VALUE, outcome["done"]) if outcome["done"] else None
        return self.compared(outcome["done"], names) if self.right is not None else None

    def unnoticed(self) -> Complaint:
        blind = say("complaints.blind", call=self.call)
        return Complaint(Stage.CHECK, f"{blind} {misconception(FAULTS[self.given[0]])}")

    def failed(self, error: dict[str, str]) -> str:
        """A sentence about an error."""
        match error["kind"]:
            case "Refused":
                return say("complaints.impossible", call=self.call, takes=error["message"])
            case "GradcheckError":
                return say("complaints.gradcheck", call=self.call, error=failure(error))
            case "LeftToTheLibrary":
                return say("complaints.left", call=self.call) + place(error)
            case "MemoryError":
                return say("complaints.memory", call=self.call) + place(error)
            case "RecursionError":
                return say("complaints.endless", call=self.call) + place(error)
            case "SystemExit":
                return say("complaints.exits", call=self.call) + place(error)
        return say("complaints.raised", call=self.call, error=failure(error))

    def compared(self, seen: dict[str, Any], names: list[str]) -> Complaint | None:
        """The first thing that differs from what the right function does."""
        assert self.right is not None
        found = next(differences(seen, self.right), None)
        if found is None:
            return None
        part, number, apart = found
        stage, says = {"result": self.misgiven, "after": self.changed, "sent": self.misled}[part](number, apart, names)
        return Complaint(stage, says, apart.yours, apart.right)

    def misgiven(self, _number: int, found: Difference, _names: list[str]) -> tuple[Stage, str]:
        says = say("complaints.gives", call=f"{self.call}{found.place}", yours=found.yours, right=found.right)
        if found.yours == "None" and not found.place:
            says += f" {say('complaints.no_return')}"
        elif found.wanted:
            says += f" {say('complaints.wanted', thing=found.wanted)}"
        return Stage.FORM if found.in_form else Stage.VALUE, says

    def changed(self, number: int, found: Difference, names: list[str]) -> tuple[Stage, str]:
        assert self.right is not None
        name = labels(names, self.case)[number]
        told = {"call": self.call, "place": f"{name}{found.place}", "yours": found.yours, "right": found.right}
        if self.right["after"][number] == written(self.case[number]):
            return Stage.ARGUMENT, say("complaints.changes", **told, name=name)
        return Stage.ARGUMENT, say("complaints.leaves", **told)

    def misled(self, number: int, found: Difference, names: list[str]) -> tuple[Stage, str]:
        """About a gradient that is wrong."""
        assert self.right is not None
        if number == NO_HISTORY:
            return Stage.VALUE, say("complaints.no_history", call=self.call)
        outputs = [one for one in observer.tensors(read(self.right["result"])) if one.requires_grad]
        above = listed(shown(observer.seed(one)) for one in outputs)
        leaf = f"{leaves(names, self.case)[number]}{found.place}"
        told = {"call": self.call, "gradient": above, "leaf": leaf}
        if found.yours == "None":
            return Stage.GRADIENT, say("complaints.sends_nothing", **told)
        return Stage.GRADIENT, say("complaints.sends", **told, yours=found.yours, right=found.right)


def differences(seen: dict[str, Any], right: dict[str, Any]) -> Iterator[tuple[str, int, Difference]]:
    """What differs: the part of what was seen, the number of the argument or leaf in it, and how."""
    if (found := difference(read(seen["result"]), read(right["result"]))) is not None:
        yield "result", 0, found
    pairs = [("after", *both) for both in zip(range(len(seen["after"])), seen["after"], right["after"])]
    if right["sent"] is not None and seen["sent"] is None:
        yield (
            "sent",
            NO_HISTORY,
            Difference("", say("complaints.without_history"), say("complaints.with_history"), True),
        )
    elif right["sent"] is not None:
        pairs += [("sent", *both) for both in zip(range(len(seen["sent"])), seen["sent"], right["sent"])]
    for part, number, one, other in pairs:
        if (found := difference(read(one), read(other))) is not None:
            yield part, number, found


def labels(names: list[str], case: Case) -> list[str]:
    """What the arguments are called."""
    return [names[i] if i < len(names) else f"argument_{i + 1}" for i in range(len(case))]


def leaves(names: list[str], case: Case) -> list[str]:
    """What the tensors that require a gradient are called."""
    found = []
    for name, one in zip(labels(names, case), case):
        count = sum(tensor.requires_grad for tensor in observer.tensors(one))
        found += [name] * count if isinstance(one, Tensor) else [f"{name}[{i}]" for i in range(count)]
    return found


def failure(error: dict[str, str]) -> str:
    """An error in words, with the learner's line."""
    lines = [" ".join(line.split()).rstrip(".") for line in error["message"].splitlines() if line.strip()]
    message = ". ".join(lines).replace(",. ", ", ")
    return f"{error['kind']}{f': {message}' if message else ''}{place(error)}"


def place(error: dict[str, str]) -> str:
    """The learner's line, and the end of the sentence."""
    return say("complaints.place", where=error["where"], code=error["code"]) if error["where"] else "."
