"""From what a recorder kept to a trace: a frame for each moment, with what changes and a sentence about it.

Each kind of moment has one method here; who takes part in it is the scene's affair.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.autograd import events
from minigrad.core.unbroadcast import stretched_axes
from minigrad.words.source import located

from ..recording.iterations import Began, Passed
from ..recording.moments import UNKNOWN, Moment, place
from ..recording.recorder import Recorder
from .arithmetic import arithmetic, inside, with_numbers
from .questions import Question, ask
from .rules import Rule, part_of
from .scene import Scene
from .trace import SUBSCRIPTS, WHOLE, Trace, brief
from .words import shape_text, spoken, sum_text

PLUS = "{0} + {1}"
WAVE = ("grad", "done", "part")  # fields that belong to one backward, and are empty at the start of the next


class Story:
    """Tells a recorder's moments as a trace: `Story(recorder).trace.document`."""

    def __init__(self, recorder: Recorder, title: str = "") -> None:
        self.trace = Trace(title)
        self.scene = Scene(recorder, self.trace)
        self.arrived: dict[int, Any] = {}  # by box: the gradient so far
        self.loss = "L"  # what the gradients are of
        self.questions: list[Question] = []
        self._visit: Any = None  # the gradient with which the last node was visited
        moments = list(map(Moment._make, recorder.moments))
        for moment, after in zip(moments, [*moments[1:], None]):
            self._is_followed = after is not None and type(after.event) is Passed
            TELLERS[type(moment.event)](self, moment)
        self.scene.code.write(self.trace)
        self.trace.document["title"] = title or self.trace.title()
        self.trace.finish()
        ask(self.questions, self.trace.document["frames"], self.scene.value)

    # -- forward ---------------------------------------------------------------------------------------------------

    def _made(self, moment: Moment) -> None:
        event, where, (values, _, outputs, places) = moment.event, moment.where, moment.copies
        in_place = bool(event.values) and event.output is event.values[0]
        if event.node is None and (in_place or not where.recording):
            self.scene.computed.update(places)
            return  # a change in place is told by `Mutated`; what ran under no_grad is no part of the graph
        made = self.scene.operation(moment)
        made.in_place = in_place
        for box, output in zip(made.boxes, outputs):
            self.trace.change(f"n{box}", "value", self.scene.value(output))
        box, output = made.boxes[0], outputs[0]
        label = self.trace.document["nodes"][box]["label"]
        names = ", ".join(map(self.scene.name, made.boxes))
        numbers, elements = with_numbers(made, values, output), inside(made, values, outputs, self.scene.value)
        if numbers and made.written(numbers) == brief(output):  # the negative of 2 is written as it is computed: -2
            numbers = None
        result = "" if output is UNKNOWN or len(outputs) > 1 else f" = {brief(output)}"
        words = [brief(values[i]) if numbers and i in made.tails else word for i, word in enumerate(made.words)]
        said = spoken(made.op, words[::-1] if made.turned else words)
        self._frame(
            "made", moment, box,
            hint=f"{label}: {said}." if said else f"{label}.",
            say=f"{names} = {made.formula}{f' = {made.written(numbers)}' if numbers else ''}{result}.",
            equation=f"{names} = {made.formula}{f' = {made.written(numbers)}' if numbers else ''}{result}",
            arithmetic=elements,
        )  # fmt: skip
        if numbers:
            self._ask(f"What is {names} = {made.written(numbers)}?", output)
        elif elements and elements["how"] == "map":
            terms = elements["template"], [values[i] for i in made.tails]
            self._ask(f"What is {names} = {made.formula}?", output, terms=terms)

    # -- backward --------------------------------------------------------------------------------------------------

    def _seeded(self, moment: Moment) -> None:
        event, (gradient,) = moment.event, moment.copies
        box = self.scene.box_of(event.node, event.index)
        frames, self.scene.has_gone_back = self.trace.document["frames"], True
        if not frames or frames[-1]["kind"] != "seeded":
            self.loss = self.scene.name(box)
            self._calm()
        if self.trace.document["iterations"]:
            self.trace.document["iterations"][-1]["loss"] = self.trace.now.get((f"n{box}", "value"))
        if isinstance(event.gradient, Tensor):  # under create_graph it takes part in operations
            self.scene.recorder.names.give([(self._d(box), event.gradient)])
        self._arrive(box, gradient)
        equation = f"{self._d(box)} = {brief(gradient)}"
        self._frame(
            "seeded", moment, box, hint=f"the backward starts at {self.loss}.", equation=equation,
            say=f"The backward starts at {self.loss}: {equation}. From here each node hands its gradient on.",
        )  # fmt: skip

    def _visited(self, moment: Moment) -> None:
        node, (gradients,) = moment.event.node, moment.copies
        box = self.scene.box_of(node)
        self._visit = next((one for one in gradients if one is not None), None)
        self.trace.change(f"n{box}", "done", True)
        rules = [rule for rule in self.trace.document["nodes"][box].get("rules", []) if rule and rule[0] == "∂"]
        equation = f"{self._d(box)} = {brief(self._visit)}"
        say = f"All that flows to {self.scene.name(box)} has arrived: {equation}."
        if rules:
            say += f" Its rule: {', '.join(dict.fromkeys(rules))}."
        hint = f"{self.scene.name(box)} has received all its parts; its rule runs."
        self._frame("visited", moment, box, hint=hint, say=say, equation=equation)

    def _freed(self, moment: Moment) -> None:
        """Part of the visit that came just before."""
        box = self.scene.box_of(moment.event.node)
        saved = [one["of"] for one in self.trace.document["nodes"][box].get("saved", [])]
        self.trace.change(f"n{box}", "freed", True)
        self.trace.amend(f" It lets go of what it saved ({', '.join(dict.fromkeys(saved))})." if saved else "")

    def _sent(self, moment: Moment) -> None:
        event, (whole, part) = moment.event, moment.copies
        target = self.scene.box_of(event.target, event.index)
        box, edge = self.scene.box_of(event.node), self.scene.edge_of(event.node, event.slot, target)
        name, g = self.scene.name(target), self._visit
        made = self.scene.made_by.get(event.node)
        text, rule, local = f"{event.node.name()}({self._d(box)})", None, None
        if made and made.rule(event.slot) and not made.op.outputs:
            text, rule, local = part_of(made, event.slot, self._d(box), g, whole, self.scene.values)
        elements = terms = None
        if local is not None:
            terms = "{0} × {1}", [g, local]
            elements = arithmetic("map", terms[1], whole, self.scene.value, template=terms[0])
        self.trace.change(f"e{edge}", "part", self.scene.value(whole))
        summed = np.shape(whole) != np.shape(part)
        if not summed and self.arrived.get(target) is None:
            self._arrive(target, part)
        sign, result = "+=" if self.scene.branches(target) else "=", f"{text} = {brief(whole)}"
        self._frame(
            "sent", moment, box, edge=edge, hint=f"{name} receives {text.partition(' = ')[0]}.",
            say=f"{name} receives {result}.", equation=f"{self._d(target)} {sign} {result}", arithmetic=elements,
        )  # fmt: skip
        question = f"What flows from {self.scene.name(box)} to {name}: {text.partition(' = ')[0]}?"
        self._ask(question, whole, rule, terms=terms)
        if summed:
            self._summed(moment, target, edge, whole, part)

    def _summed(self, moment: Moment, target: int, edge: int, whole: Any, part: Any) -> None:
        name, axes = self.scene.name(target), list(stretched_axes(np.shape(whole), np.shape(part)) or ())
        self.trace.change(f"e{edge}", "part", self.scene.value(part))
        if self.arrived.get(target) is None:
            self._arrive(target, part)
        shapes = f"{shape_text(whole)} → {shape_text(part)}"
        self._frame(
            "summed", moment, self.scene.box_of(moment.event.node), edge=edge,
            hint=f"{name} was stretched in the forward, so the parts for each of its numbers are summed: {shapes}.",
            say=f"Each number of {name} was used several times, so its parts are summed, {shapes}: {brief(part)}.",
            equation=f"sum over {', '.join(map(str, axes))}: {shapes} = {brief(part)}",
            arithmetic=arithmetic("sum", [whole], part, self.scene.value, axes=axes),
        )  # fmt: skip
        self._ask(f"What is left for {name} after the sum?", part, wrong=[(whole, "forgets_the_broadcast")])

    def _accumulated(self, moment: Moment) -> None:
        event, (before, part, after) = moment.event, moment.copies
        box = self.scene.box_of(event.node, event.index)
        name, total = self.scene.name(box), sum_text(before, part, after)
        self._arrive(box, after)
        self._frame(
            "accumulated", moment, box, hint=f"a second path leads to {name}, and its part is added.",
            say=f"Another part reaches {name}, and parts are added: {total}.", equation=f"{self._d(box)} = {total}",
            arithmetic=arithmetic("map", [before, part], after, self.scene.value, template=PLUS),
        )  # fmt: skip
        self._ask(f"What is {self._d(box)} now?", after, wrong=[(part, "overwrites_in_flight")])

    def _deposited(self, moment: Moment) -> None:
        event, (before, part, after) = moment.event, moment.copies
        box = self.scene.box_of(event.node)
        name = self.scene.name(box)
        self.arrived.pop(box, None)
        self.trace.change(f"n{box}", "grad", None)
        self.trace.change(f"n{box}", "done", True)
        self.trace.change(f"n{box}", "box", self.scene.value(after))
        empty = before is None
        total = brief(after) if empty else sum_text(before, part, after)
        held = "was empty" if empty else f"held {brief(before)}, and a backward adds"
        self._frame(
            "deposited", moment, box, equation=f"{name}.grad = {total}",
            hint=f"what arrived at {name} goes into its mailbox, {name}.grad"
            + ("." if empty else f", which already holds {brief(before)}."),
            say=f"{name}.grad {held}: " + (f"now it holds {total}." if ": " in total else f"it is {total} now."),
            arithmetic=None if empty else arithmetic("map", [before, part], after, self.scene.value, template=PLUS),
        )  # fmt: skip
        wrong = [] if empty else [(part, "overwrites_at_the_leaf")]
        self._ask(f"What is {name}.grad afterwards?", after, wrong=wrong)

    def _hook(self, moment: Moment) -> None:
        event, (before, after) = moment.event, moment.copies
        box = self.scene.box_of(event.node)
        name, function = self.scene.name(box), getattr(event.hook, "__name__", "")
        who = f"The hook {function}()" if function.isidentifier() else "A hook"
        if event.kind == "retain_grad":
            self.trace.change(f"n{box}", "box", self.scene.value(after))
            say = f"{name} retains its gradient: {name}.grad = {brief(after)}."
        elif event.kind == "accumulated":
            say = f"{who} hears that {name}.grad was filled."
        else:
            if event.kind == "tensor":
                self._arrive(box, after)
            seen, kept = [one if isinstance(one, tuple) else (one,) for one in (before, after)]
            replaced = any(one is not None and not np.array_equal(old, one) for old, one in zip(seen, kept))
            seen_text, kept_text = (
                ", ".join("–" if one is None else brief(one) for one in ones) for ones in (seen, kept)
            )
            say = f"{who} on {name} saw {seen_text}" + (f" and replaced it by {kept_text}." if replaced else ".")
        self._frame("hook", moment, box, hint=f"{who[0].lower()}{who[1:]} on {name} is called.", say=say)

    # -- between the passes ----------------------------------------------------------------------------------------

    def _zeroed(self, moment: Moment) -> None:
        leaf, value, after = moment.copies
        known = self.scene.boxes.get(place(leaf))
        box = self.scene.source(place(leaf), value, True, leaf) if known is None else known
        name = self.scene.name(box)
        self.trace.change(f"n{box}", "box", self.scene.value(after))
        text = "None: it is empty again" if after is None else "zero again"
        self._frame(
            "zeroed", moment, box, hint=f"{name}.grad is emptied.", say=f"{name}.grad is {text}.",
            equation=f"{name}.grad = {'None' if after is None else brief(after)}",
        )  # fmt: skip

    def _mutated(self, moment: Moment) -> None:
        (of, value), version, where = moment.copies, moment.event.version, moment.where
        box = self.scene.boxes.get(of)
        if box is None:
            return  # nothing that is in the picture
        last = self.trace.document["frames"][-1:]
        before, self.scene.values[box] = self.scene.values[box], value
        self.trace.change(f"n{box}", "value", self.scene.value(value))
        self.trace.change(f"n{box}", "version", version)
        if last and last[0]["kind"] == "made" and last[0]["node"] == box:
            self.trace.amend("")  # the operation that made the box ran in place
            return
        name, change = self.scene.name(box), f"{brief(before)} → {brief(value)}"
        who = (
            "the optimizer" if where.updating else f"`{located(where.mark).expression}`" if where.mark else "something"
        )
        self._frame(
            "mutated", moment, box, hint=f"{who} changes {name} in place.", equation=f"{name}: {change}",
            say=f"{who[0].upper()}{who[1:]} changed {name} in place: {change}. Its memory is at version {version}.",
        )  # fmt: skip

    def _failed(self, moment: Moment) -> None:
        event = moment.event
        say, last = f"{type(event.error).__name__}: {event.error}", self.trace.document["frames"][-1:]
        if last and last[0].get("say") == say:
            return
        box = None if event.node is None else self.scene.box_of(event.node)
        if box is not None:
            self.trace.change(f"n{box}", "broken", True)
        self._frame("error", moment, box, hint="something goes wrong here.", say=say)

    # -- a loop of training steps ----------------------------------------------------------------------------------

    def _began(self, moment: Moment) -> None:
        self.trace.iteration()
        self.scene.begin_iteration(moment.event)

    def _passed(self, moment: Moment) -> None:
        """An iteration in one line; numbers that the next line replaces are told in short."""
        number, (loss, leaves) = moment.event.number, moment.copies
        self._calm()
        for where, value, grad in leaves:
            box = self.scene.boxes.get(where)
            if box is not None:
                told = self.trace.short if self._is_followed else self.scene.value
                self.scene.values[box] = value
                self.trace.change(f"n{box}", "value", told(value))
                self.trace.change(f"n{box}", "box", None if grad is None else told(grad))
        equation = f"{self.loss.rstrip(SUBSCRIPTS)} = {brief(loss)}" if loss is not None else ""
        is_first = "folded" not in self.trace.document["iterations"][-1]
        how = f" (With record(iterations=[1, {number}]) it is recorded step by step.)" if is_first else ""
        self.trace.iteration(folded=True, loss=None if loss is None else self.trace.value(loss))
        self._frame(
            "iteration", moment, None, equation=equation, hint=f"iteration {number}, in one line.{how}",
            say=f"Iteration {number}: {equation or 'a backward from several numbers'}.",
        )  # fmt: skip

    def _calm(self) -> None:
        """What an earlier backward left in flight is gone."""
        self.arrived.clear()
        for (target, field), value in list(self.trace.now.items()):
            if field in WAVE and value is not None:
                self.trace.change(target, field, None)

    # -- what all use ----------------------------------------------------------------------------------------------

    def _frame(self, kind: str, moment: Moment, box: int | None, **facts: Any) -> None:
        nodes, at = self.trace.document["nodes"], self.scene.code.at(moment.where)
        if at is None and box is not None:
            at = nodes[box].get("at")
        self.trace.frame(kind, node=box, at=at, **facts)

    def _ask(self, text: str, answer: Any, rule: Rule | None = None, wrong: Any = (), terms: Any = None) -> None:
        if answer is not UNKNOWN and np.size(answer) and np.size(answer) <= WHOLE:
            frame = len(self.trace.document["frames"]) - 1
            self.questions.append(Question(frame, text, answer, rule, list(wrong), terms))

    def _arrive(self, box: int, gradient: Any) -> None:
        self.arrived[box] = gradient
        self.trace.change(f"n{box}", "grad", self.scene.value(gradient))

    def _d(self, box: int) -> str:
        return f"∂{self.loss}/∂{self.scene.name(box)}"


TELLERS: dict[type, Callable[[Story, Moment], None]] = {
    events.Made: Story._made,
    events.Seeded: Story._seeded,
    events.Visited: Story._visited,
    events.Freed: Story._freed,
    events.Sent: Story._sent,
    events.Accumulated: Story._accumulated,
    events.Deposited: Story._deposited,
    events.HookCalled: Story._hook,
    events.Zeroed: Story._zeroed,
    events.Mutated: Story._mutated,
    events.Failed: Story._failed,
    Began: Story._began,
    Passed: Story._passed,
}
