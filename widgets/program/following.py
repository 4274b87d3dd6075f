"""The trace of a run: its story and its program, with instructions that a page follows when a number is moved.

The story is told of arrays that write down what NumPy is asked (`minigrad/compiler/tape.py`): each number that it
shows, also a local derivative, then stands on the tape, and each sentence says which of them it names.
"""

from typing import Any

import numpy as np

from minigrad.autograd import events
from minigrad.compiler.lines import Value
from minigrad.compiler.traced import Traced

from ..recording.recorder import Recorder
from ..telling.marks import END, numbers_in, plain, with_slots
from ..telling.story import Story
from ..telling.trace import WHOLE
from ..words import say
from .draft import NoProgram
from .instructions import Instructions
from .listing import listing
from .primitives import NotLive
from .translating import Translator

MOST = 2000  # moments: some 300 operations with their backward
WORDS = "say", "equation", "hint"
NUMBERS = "value", "grad", "box", "part"


def traced(recorder: Recorder, title: str = "") -> dict[str, Any]:
    """The trace of what a recorder kept."""
    is_long = len(recorder.moments) > MOST
    found: Translator | NoProgram
    try:
        found = Translator(recorder, keeps=not is_long)
    except NoProgram as problem:
        found = problem
    try:
        if is_long:
            raise NotLive(say("immovable.too_long", steps=f"{MOST:,}"))
        if isinstance(found, NoProgram):
            raise found
        story = told(recorder, found, title)
        live = Following(story.trace.document, found).live
    except Exception as problem:  # whoever steps through a run shall not miss it because no number can be moved
        story = Story(recorder, title)
        live = {"not": str(problem) if isinstance(problem, NoProgram) else say("immovable.otherwise")}
    return {**story.trace.document, "live": live, "program": listing(found, story.told)}


def told(recorder: Recorder, found: Translator, title: str) -> Story:
    """The story, told of arrays of the tape; its questions are asked of the recorded numbers."""
    for reason in ("optimizer", "hooks", "otherwise"):
        if reason in found.breaks:
            raise NotLive(say(f"immovable.{reason}"))
    found.tape.decides = lambda *asked: None  # whoever tells the story looks at numbers, too
    with np.errstate(all="ignore"), found.tape.running():
        story = Story(recorder, title, list(found.moments), asks=False)
    found.tape.close()
    story.ask()
    return story


class Following:
    """The instructions of a story: `live` of its document, whose values and sentences get their slots.

    Args:
        document: of a story that was told of arrays of a tape.
    """

    def __init__(self, document: dict[str, Any], found: Translator) -> None:
        self.values: list[dict[str, Any]] = document["values"]
        frames, nodes = document["frames"], document["nodes"]
        self.all_follow(frames)
        tape = found.tape
        self.written: dict[int, int] = {}
        for line in tape.lines:  # by memory: the first line that writes into it
            if line.changes is not None:
                self.written.setdefault(line.changes.memory, line.number)
        made = {value.number: value for value in (*tape.inputs, *(one for line in tape.lines for one in line.makes))}
        wanted = {value["slot"] for value in self.values if "slot" in value}
        wanted.update(number for frame in frames for key in WORDS for number in numbers_in(frame.get(key, "")))
        shown = [made[number] for number in sorted(wanted)]
        instructions = Instructions(tape, shown, [*found.decisions, *decided(found)])
        self.moving = {value.number: value for value in shown if not instructions.is_fixed(value)}
        self.slots = {number: instructions.slot[value] for number, value in self.moving.items()}
        begins = {str(i): value for i, node in enumerate(nodes) if (value := self.leaf(node)) is not None}
        leaves = {node: instructions.slot[value] for node, value in begins.items()}
        if not leaves:
            raise NotLive(say("immovable.no_leaf"))
        for value in self.values:
            number = value.pop("slot", -1)
            if number in self.slots:
                value["slot"] = self.slots[number]
        for frame in frames:
            self.write(frame)
        self.live = {
            "slots": [[*shape] if dtype == "float32" else [dtype, *shape] for shape, dtype in instructions.slots],
            "given": [[slot, data] for slot, data in instructions.given.items()],
            "lines": instructions.lines, "leaves": leaves, "decided": instructions.decided,
        }  # fmt: skip

    def all_follow(self, frames: list[dict]) -> None:
        """What is shown without having been followed would stay when numbers move."""
        for frame in frames:
            for _, field, _, after in frame.get("changes", []):
                value = self.values[after] if field in NUMBERS and after is not None else {}
                if "slot" not in value and ("data" in value or "low" in value):
                    raise NotLive(say("immovable.not_followed"))

    def write(self, frame: dict) -> None:
        """The sentences of a frame as a person reads them, and beside them those with slots."""
        live = {}
        for key in WORDS:
            if END in frame.get(key, ""):
                live[key], frame[key] = with_slots(frame[key], self.slots.get), plain(frame[key])
        if live := {key: text for key, text in live.items() if text != frame[key]}:
            frame["live"] = live
        for ask in frame.get("ask", []):
            ask |= {"question": plain(ask["question"]), "hints": list(map(plain, ask.get("hints", [])))}

    def leaf(self, node: dict) -> Value | None:
        """The value with which a box begins, if that is given and may be moved."""
        number = self.values[node["start"]["value"]].get("slot", -1) if "value" in node.get("start", {}) else -1
        value = self.moving.get(number)
        while value is not None and (line := value.line) is not None:
            (value,) = line.call.args if line.call.name == "copy" else (None,)
            if value is not None and self.written.get(value.memory, line.number) < line.number:
                return None  # it was given, but began as it was written over
        return None if value is None or np.prod(value.shape) > WHOLE else value


def decided(found: Translator) -> list[Value]:
    """What holds or does not, and is used by no operation: Python decided by it."""
    read = {value for line in found.lines for value in line.reads}
    values: list[Value] = []
    for moment in found.moments:
        if isinstance(moment.event, events.Made):
            for one in moment.copies[2]:
                line = one.value.line if isinstance(one, Traced) and one.dtype.kind == "b" and one.size == 1 else None
                values += [value for value in line.reads if value not in read] if line is not None else []
    return values
