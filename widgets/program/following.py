"""A run whose numbers may be moved: its trace, with instructions that a page follows.

The story is told once more, on arrays that write down what NumPy is asked (`minigrad/compiler/tape.py`): each number
that it shows, also a local derivative, then stands on the tape, and each sentence says which of them it names.
"""

import json
import re
from typing import Any

import numpy as np

from minigrad.autograd import events
from minigrad.compiler.tape import Call, Traced, Value

from ..recording.moments import Moment
from ..recording.recorder import Recorder
from ..telling.story import Story
from ..telling.trace import MARK, MINUS, WHOLE, brief
from ..words import say
from .instructions import Instructions, NotLive
from .translating import NoProgram, Translator

MOST = 2000  # moments: some 300 operations with their backward
MARKED = re.compile(rf"-?{MARK}(\d{{6}})")
WORDS = "say", "equation", "hint"
NUMBERS = "value", "grad", "box", "part"


class Follower(Translator):
    """A translator that keeps, for each moment, the arrays of the tape in place of the copies."""

    def __init__(self, recorder: Recorder) -> None:
        self.moments: list[Moment] = []
        self.decisions: list[Value] = []
        super().__init__(recorder)
        self.tape.decides = lambda *asked: None  # whoever tells the story looks at numbers, too

    def _seen(self, moment: Moment, copies: tuple | None) -> None:
        self.moments.append(moment if copies is None else moment._replace(copies=copies))
        if self.tape.why == say("program.changed"):
            raise NotLive(say("immovable.optimizer"))

    def _decides(self, value: Value, how: str, place: tuple, answer: Any) -> None:
        self.decisions.append(value)

    def _now(self, array: Traced) -> Traced:
        return self.tape.note(Call("method", "copy", np.ndarray.copy, (array,), {}))


def followed(recorder: Recorder, trace: dict[str, Any], title: str = "") -> dict[str, Any]:
    """The trace of a run, in which its numbers may be moved; or the same trace, which says why none can."""
    try:
        if len(recorder.moments) > MOST:
            raise NotLive(say("immovable.too_long", steps=f"{MOST:,}"))
        return Following(recorder, trace, title).document
    except Exception as problem:  # whoever steps through a run shall not miss it because no number can be moved
        known = isinstance(problem, NotLive | NoProgram)
        return {**trace, "live": {"not": str(problem) if known else say("immovable.otherwise")}}


class Following:
    """A trace told of a tape's arrays: `document` is `plain` with the slots of its numbers, and instructions."""

    def __init__(self, recorder: Recorder, plain: dict[str, Any], title: str) -> None:
        follower = Follower(recorder)
        if follower.hooked:
            raise NotLive(say("immovable.hooks"))
        tape = follower.tape
        decisions = [*follower.decisions, *decided(follower)]
        with np.errstate(all="ignore"), tape.running():
            told, negative = (self.tell(recorder, title, follower.moments, minus) for minus in ("", "-"))
        self.values: list[dict[str, Any]] = told["values"]
        self._kept: dict[str, int] = {}  # where values stand that stay, by what they are
        check(told, plain)
        made = [*tape.inputs, *(value for line in tape.lines for value in line.makes)]
        self.by_number = {value.number: value for value in made}
        wanted = {value["slot"] for value in self.values if "slot" in value}
        for frame in told["frames"]:
            wanted |= {int(number) for key in WORDS for number in MARKED.findall(frame.get(key, ""))}
        self.found = Instructions(tape, [self.by_number[number] for number in sorted(wanted)], decisions)
        moving = (number for number in wanted if not self.found.is_fixed(self.by_number[number]))
        self.moving = {number: self.by_number[number] for number in moving}
        threes = zip(told["frames"], negative["frames"], plain["frames"])
        frames = [self.frame(*three, plain["values"]) for three in threes]
        nodes = [
            {**one, "start": other["start"]} if "start" in other else one
            for one, other in zip(plain["nodes"], told["nodes"])
        ]
        leaves = {str(i): slot for i, node in enumerate(nodes) if (slot := self.leaf(node)) is not None}
        if not leaves:
            raise NotLive(say("immovable.no_leaf"))
        slots = [[*shape] if dtype == "float32" else [dtype, *shape] for shape, dtype in self.found.slots]
        live = {
            "slots": slots, "given": [[slot, data] for slot, data in self.found.given.items()],
            "lines": self.found.lines, "leaves": leaves, "decided": self.found.decided,
        }  # fmt: skip
        self.document = {
            **plain, "values": [self.value(one) for one in self.values], "nodes": nodes, "frames": frames,
            "iterations": told["iterations"], "live": live,
        }  # fmt: skip

    @staticmethod
    def tell(recorder: Recorder, title: str, moments: list[Moment], minus: str) -> dict[str, Any]:
        """The story with marks for numbers, all of them written as positive or as negative ones."""
        before = MINUS.set(minus)
        try:
            return Story(recorder, title, list(moments), asks=False).trace.document
        finally:
            MINUS.reset(before)

    def frame(self, told: dict, negative: dict, plain: dict, values: list[dict]) -> dict:
        """A frame of the plain trace, with the numbers of this one; and its sentences with the slots of theirs."""
        found = {**plain, **{name: told[name] for name in ("changes", "arithmetic") if name in told}}
        live: dict[str, str | None] = {}
        for key in WORDS:
            template, recorded = self.template(told.get(key, ""), negative.get(key, ""))
            if template != recorded or recorded != plain.get(key, ""):
                live[key] = template if recorded == plain.get(key) else None
        if live:
            found["live"] = live
        if "ask" in plain:
            found["ask"] = [self.question(one, values) for one in plain["ask"]]
        return found

    def template(self, positive: str, negative: str) -> tuple[str, str]:
        """A sentence with slots for its numbers, and what it is with those that were recorded.

        `⟦5⟧` is a number, `⟦(5)⟧` one that stands in brackets when it is negative.
        """
        between, other = MARKED.split(positive), MARKED.split(negative)
        template, recorded = between[0], between[0]
        for i in range(1, len(between), 2):
            value = self.by_number[int(between[i])]
            text = brief(self.found.array(value))
            brackets = len(other) == len(between) and other[i - 1].endswith("(") and not between[i - 1].endswith("(")
            text = f"({text})" if brackets and text.startswith("-") else text
            slot = self.found.slot[value] if int(between[i]) in self.moving else None
            template += (text if slot is None else f"⟦({slot})⟧" if brackets else f"⟦{slot}⟧") + between[i + 1]
            recorded += text + between[i + 1]
        return template, recorded

    def value(self, value: dict) -> dict:
        if "slot" not in value:
            return value
        others = {name: one for name, one in value.items() if name != "slot"}
        number = value["slot"]
        return {**others, "slot": self.found.slot[self.moving[number]]} if number in self.moving else others

    def question(self, ask: dict, values: list[dict]) -> dict:
        """A question, with its answers among these values. They stay: it is asked of the recorded numbers."""
        found = dict(ask)
        if "answer" in ask:
            found["answer"] = self.kept(values[ask["answer"]])
            found["wrong"] = [[self.kept(values[number]), sentence] for number, sentence in ask.get("wrong", [])]
        return found

    def kept(self, value: dict) -> int:
        key = json.dumps(value)
        if key not in self._kept:
            self._kept[key] = len(self.values)
            self.values.append(value)
        return self._kept[key]

    def leaf(self, node: dict) -> int | None:
        """The slot with which a box begins, if that is given and may be moved."""
        number = self.values[node["start"]["value"]].get("slot") if "value" in node.get("start", {}) else None
        value = self.moving.get(number)
        while value is not None and value.line is not None:
            (value,) = value.line.call.args if value.line.call.name == "copy" else (None,)
        return None if value is None or np.prod(value.shape) > WHOLE else self.found.slot[value]


def decided(follower: Follower) -> list[Value]:
    """What holds or does not, and is used by no operation: Python decided by it."""
    read = {value for line in follower.tape.lines if line.call.name != "copy" for value in line.reads}
    found = []
    for moment in follower.moments:
        if isinstance(moment.event, events.Made):
            for one in moment.copies[2]:
                line = one.value.line if isinstance(one, Traced) and one.dtype.kind == "b" and one.size == 1 else None
                found += [value for value in line.reads if value not in read] if line is not None else []
    return found


def check(told: dict, plain: dict) -> None:
    """The two must tell the same: what is shown without having been followed would stay when numbers move."""
    same = ("kind", "node", "edge")
    if len(told["nodes"]) != len(plain["nodes"]) or [[one.get(name) for name in same] for one in told["frames"]] != [
        [one.get(name) for name in same] for one in plain["frames"]
    ]:
        raise NotLive(say("immovable.otherwise"))
    for frame, other in zip(told["frames"], plain["frames"]):
        shown = {(target, field): after for target, field, _, after in frame.get("changes", [])}
        for target, field, _, after in other.get("changes", []):
            if field not in NUMBERS or after is None:
                continue
            value = told["values"][shown.get((target, field), 0)]
            if value.get("text") != plain["values"][after].get("text"):
                raise NotLive(say("immovable.otherwise"))
        for (_, field), after in shown.items():
            value = told["values"][after] if field in NUMBERS and after is not None else {"slot": 0}
            if "slot" not in value and ("data" in value or "low" in value):
                raise NotLive(say("immovable.not_followed"))
