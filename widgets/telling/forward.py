"""How the forward is told: an operation ran, and made boxes."""

import numpy as np

from ..recording.moments import UNKNOWN, Moment
from ..words import say
from .arithmetic import inside, with_numbers
from .calls import spoken
from .changes import Changes
from .frames import Frames, Teller
from .marks import plain
from .operation import is_in_place
from .questions import elementwise
from .trace import brief
from .words import MANY, few


class Forward(Teller):
    """Tells what was computed."""

    def __init__(self, frames: Frames, changes: Changes) -> None:
        super().__init__(frames)
        self.changes = changes

    def made(self, moment: Moment) -> None:
        event, where, (values, _, outputs, places) = moment.event, moment.where, moment.copies
        in_place = is_in_place(event)
        if event.node is None and where.updating:
            return  # on an optimizer's way: the changes are told
        if event.node is None and (in_place or not where.recording):
            self.scene.computed.update(places)
            return  # a change in place is told by `Mutated`; what ran under no_grad is no part of the graph
        if not outputs:
            return  # unbind() of nothing has no results
        self.changes.refresh(moment, values, in_place)
        values = list(values)
        known = len(self.trace.nodes)
        made = self.scene.operation(moment._replace(copies=(values, *moment.copies[1:])))
        made.in_place = in_place
        for box, output in zip(made.boxes, outputs):
            self.trace.change(f"n{box}", "value", self.scene.value(output))
        box, output = made.boxes[0], outputs[0]
        names = ", ".join(few(list(map(self.scene.name, made.boxes))))
        label = self.trace.nodes[box]["label"] if len(outputs) == 1 else f"{names} = {made.formula}"
        numbers, elements = with_numbers(made, values, output), inside(made, values, outputs, self.scene.value)
        if numbers and plain(made.written(numbers)) == plain(brief(output)):
            numbers = None  # the negative of 2 is written as it is computed: -2
        result = f" = {', '.join(map(brief, outputs))}"
        if len(outputs) > MANY or any(one is UNKNOWN for one in outputs):
            result = ""
        words = [brief(values[i]) if numbers and i in made.tails else word for i, word in enumerate(made.words)]
        operation = spoken(made.op, words[::-1] if made.turned else words)
        sides = [made.formula, *([made.written(numbers)] if numbers else [])]
        if made.compares:
            equation = f"{' = '.join([names, *map('({})'.format, sides)])}{result}"
            told = {"names": names, "formula": made.formula, "value": brief(output)}
            said = say("story.compares_numbers", **told, numbers=sides[1]) if numbers else say("story.compares", **told)
        else:
            equation = f"{' = '.join([names, *sides])}{result}"
            said = f"{equation}."
        cut = [node for node in self.trace.nodes[known:] if node.get("op") == "detach"]  # no event tells of it
        said = " ".join([said, *(say("story.detached", name=node["name"], formula=node["formula"]) for node in cut)])
        self.frames.add(
            "made", moment, box, hint=f"{label}: {operation}." if operation else f"{label}.", say=said,
            equation=equation, arithmetic=elements,
        )  # fmt: skip
        question = say("questions.result", equation=f"{names} = {made.formula}")
        if len(outputs) > 1:
            return
        if numbers:
            self.frames.ask(question, output, terms=lambda _: made.written(numbers))
        elif elements and elements["how"] == "map":
            terms = elementwise(elements["template"], [values[i] for i in made.tails], np.shape(output))
            self.frames.ask(question, output, terms=terms)
