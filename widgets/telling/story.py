"""From what a recorder kept to a trace: a frame for each moment, with what changes and a sentence about it.

Each kind of moment has one method here; who takes part in it is the scene's affair.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.autograd import events
from minigrad.core.unbroadcast import stretched_axes
from minigrad.faults import right_rules
from minigrad.words.source import located

from ..recording.iterations import Began, Passed
from ..recording.large import Large
from ..recording.moments import UNKNOWN, Moment, place
from ..recording.recorder import Recorder
from .arithmetic import arithmetic, inside, with_numbers
from .operation import is_in_place
from .paths import COUNTS_THE_ARROWS, COUNTS_THE_NODES, FEW, Paths
from .questions import Number, Question, WhichRule, ask, differs, elementwise, misconception, terms_of_a_sum
from .rules import Rule, part_of
from .scene import Scene
from .trace import SUBSCRIPTS, WHOLE, Trace, brief, writable
from .words import is_choice, is_prose, shape_text, spoken, sum_text

PLUS, TIMES = "{0} + {1}", "{0} × {1}"
WAITS = "The right engine waits until all parts have arrived."
HAS = {False: " receives ", True: ": "}  # between a name and its part, which is summed first or not
WAVE = ("grad", "done", "part", "lost")  # fields that belong to one backward, and are empty at the start of the next


class Story:
    """Tells a recorder's moments as a trace: `Story(recorder).trace.document`."""

    def __init__(self, recorder: Recorder, title: str = "") -> None:
        self.trace = Trace(title)
        self.scene = Scene(recorder, self.trace)
        self.arrived: dict[int, Any] = {}  # by box: the gradient so far
        self.loss = "L"  # what the gradients are of
        self.questions: list[Question] = []
        self._paths = Paths()
        self._front: dict[int, None] = {}  # the boxes that a gradient has reached, and that have not passed it on
        self._visited_in = 0  # the frame of the last visit
        self._visit: Any = None  # the gradient with which the last node was visited
        self._given = ""  # and all that it was visited with, by name: one for each output that something came for
        self._hooked = False  # whether a hook may have changed what its rules made
        self._shared: list = []  # what the last operation, which ran in place, saw of its inputs in the same memory
        self._arrow: int | None = None  # along which the last part was sent
        self._ran_early: set = set()  # nodes of this backward that did not wait for all their parts
        self._moments = list(map(Moment._make, recorder.moments))
        self._early, self._seeds = early(self._moments), seeds(self._moments)
        with right_rules():  # a run may have been recorded in an engine that is broken on purpose
            for number, (moment, after) in enumerate(zip(self._moments, [*self._moments[1:], None])):
                self._number, self._is_followed = number, after is not None and type(after.event) is Passed
                TELLERS[type(moment.event)](self, moment)
            self.scene.code.write(self.trace)
            self.trace.document["title"] = writable(title) or self.trace.title()
            self.trace.finish()
            ask(self.questions, self.trace)

    # -- forward ---------------------------------------------------------------------------------------------------

    def _made(self, moment: Moment) -> None:
        event, where, (values, _, outputs, places) = moment.event, moment.where, moment.copies
        in_place = is_in_place(event)
        if event.node is None and (in_place or not where.recording):
            self.scene.computed.update(places)
            return  # a change in place is told by `Mutated`; what ran under no_grad is no part of the graph
        if in_place and event.node in self.scene.made_by:
            before = self.scene.made_by[event.node].tails.values()
            self.scene.stands_in(event.output, self.scene.boxes[places[0]], before)
            return  # a change through a view: the new history of its memory has been told
        self._refresh(moment, values, in_place)
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
        equation = f"{names} = {made.formula}{f' = {made.written(numbers)}' if numbers else ''}{result}"
        say = f"{equation}."
        if made.compares:
            equation = f"{names} = ({made.formula}){f' = ({made.written(numbers)})' if numbers else ''}{result}"
            is_so = f"{made.written(numbers)} is {brief(output)}" if numbers else brief(output)
            say = f"{names} says whether {made.formula}: {is_so}."
        self._frame(
            "made", moment, box, hint=f"{label}: {said}." if said else f"{label}.", say=say, equation=equation,
            arithmetic=elements,
        )  # fmt: skip
        if numbers:
            self._ask(f"What is {names} = {made.formula}?", output, terms=lambda _: made.written(numbers))
        elif elements and elements["how"] == "map":
            terms = elementwise(elements["template"], [values[i] for i in made.tails], np.shape(output))
            self._ask(f"What is {names} = {made.formula}?", output, terms=terms)

    # -- backward --------------------------------------------------------------------------------------------------

    def _seeded(self, moment: Moment) -> None:
        event, (gradient,) = moment.event, moment.copies
        box = self.scene.box_of(event.node, event.index)
        frames, self.scene.has_gone_back = self.trace.document["frames"], True
        is_plain = np.size(gradient) == 1 and np.all(gradient == 1)
        several = self._seeds[self._number]
        if not frames or frames[-1]["kind"] != "seeded":
            self.loss = self.scene.name(box) if is_plain and several == 1 else "L"
            self._calm()
        if self.trace.document["iterations"]:
            self.trace.document["iterations"][-1]["loss"] = self.trace.now.get((f"n{box}", "value"))
        if isinstance(event.gradient, Tensor):  # under create_graph it takes part in operations
            self.scene.recorder.names.give([(self._d(box), event.gradient)])
        self._arrive(box, gradient)
        self._paths.start(event.node)
        equation, name = f"{self._d(box)} = {brief(gradient)}", self.scene.name(box)
        say = f"The backward starts at {name}: {equation}. From here each node hands its gradient on."
        if self.loss != name:
            told = f"the sum of {name}" + ("" if np.all(gradient == 1) else ", weighted with what backward() was given")
            what = "the sum of all results that this backward starts from, each with its weight"
            say = f"The backward starts at {name}: {equation}. L is {told if several == 1 else what}."
        self._frame(
            "seeded", moment, box, hint=f"the backward starts at {name}.", equation=equation, say=say,
        )  # fmt: skip

    def _visited(self, moment: Moment) -> None:
        node, (gradients,) = moment.event.node, moment.copies
        index = next((index for index, one in enumerate(gradients) if one is not None), 0)
        box = self.scene.box_of(node, index)
        self._visit, self._hooked = gradients[index], False
        arrived = [index for index, one in enumerate(gradients) if one is not None] or [index]
        self._given = ", ".join(self._d(self.scene.box_of(node, one)) for one in arrived)
        self.trace.change(f"n{box}", "done", True)
        rules = [rule for rule in self.trace.document["nodes"][box].get("rules", []) if rule and rule[0] == "∂"]
        rules = list(dict.fromkeys(rules))
        equation, name = f"{self._d(box)} = {brief(self._visit)}", self.scene.name(box)
        say, hint = f"All that flows to {name} has arrived: {equation}.", f"{name} has received all its parts"
        if is_early := self._number in self._early:
            self._ran_early.add(node)
            say = f"{name} runs its rule with {brief(self._visit)}, though another part is still to come. {WAITS}"
            hint = f"{name} has received a part"
        if rules:
            say += f" {'Its rule' if len(rules) == 1 else 'Its rules'}: {', '.join(rules)}."
        self._frame("visited", moment, box, hint=f"{hint}; its rule runs.", say=say, equation=equation, wrong=is_early)
        self._visited_in = len(self.trace.document["frames"]) - 1
        if not self._ran_early:
            self._ask_for_the_node(box)
            self._ask_for_the_paths(node, box)
        self._front.pop(box, None)

    def _ask_for_the_node(self, box: int) -> None:
        """Which node comes next, where it could be several."""
        if len(self._front) < 2:
            return
        names = ", ".join(map(self.scene.name, self._front))
        hints = [
            "A node goes when all its parts have arrived; of those that are ready, the youngest goes first.",
            f"A gradient has reached {names}. Which of them does nobody send to any more?",
        ]
        text = "Which node comes next? Choose or click it."
        self.questions.append(Question(kind="node", frame=self._visited_in, text=text, hints=hints))

    def _ask_for_the_paths(self, node: Any, box: int) -> None:
        """Along how many paths the gradient came, where there are several."""
        ways, name = self._paths.of(node), self.scene.name(box)
        if not 1 < ways.count <= FEW:
            return
        told = ", ".join(f"{self.scene.name(self.scene.box_of(user))}: {count}" for user, count in ways.users.items())
        self.questions.append(
            Number(
                kind="paths", frame=len(self.trace.document["frames"]) - 1,
                text=f"Along how many paths does the gradient come from {self.loss} to {name}?",
                answer=np.int64(ways.count),
                wrong=[(np.int64(ways.uses), COUNTS_THE_ARROWS), (np.int64(len(ways.nodes)), COUNTS_THE_NODES)],
                hints=[
                    f"A path goes all the way from {self.loss} to {name}, along one arrow after the other.",
                    f"As many paths lead to {name} as to those that use it, taken together ({told}).",
                ],
            )
        )  # fmt: skip

    def _freed(self, moment: Moment) -> None:
        """Part of the visit that came just before."""
        box = self.scene.box_of(moment.event.node)
        of = [one["of"] for one in self.trace.document["nodes"][box].get("saved", [])]
        saved = [
            name for name in of if any(map(str.isalpha, name))
        ]  # of a number, or of what has no name, nothing is said
        self.trace.change(f"n{box}", "freed", True)
        self.trace.amend(f" It lets go of what it saved ({', '.join(dict.fromkeys(saved))})." if saved else "")

    def _sent(self, moment: Moment) -> None:
        event, (whole, part) = moment.event, moment.copies
        target = self.scene.box_of(event.target, event.index)
        box, edge = self.scene.box_of(event.node), self.scene.edge_of(event.node, event.slot, target)
        name, g = self.scene.name(target), self._visit
        made = self.scene.made_by.get(event.node)
        text, rule, local = f"{event.node.name()}({self._given})", None, None
        if made and made.rule(event.slot) and not made.op.outputs:
            text, rule, local = part_of(made, event.slot, self._d(box), g, whole, self.scene.values)
        elements = terms = None
        if local is not None:
            elements = arithmetic("map", [g, local], whole, self.scene.value, template=TIMES)
            terms = elementwise(TIMES, [g, local], np.shape(whole))
        self._paths.send(event.node, event.target)
        self.trace.change(f"e{edge}", "part", self.scene.value(whole))
        self._arrow = edge
        summed, is_late = np.shape(whole) != np.shape(part), event.target in self._ran_early
        if not summed and self.arrived.get(target) is None:
            self._arrive(target, part)
        formula, sign = text.partition(" = ")[0], "+=" if self.scene.branches(target) else "="
        is_said = ":" if is_prose(formula) else ", which is" if is_choice(formula) else " ="
        result = f"{text}{is_said} {brief(whole)}"
        right = None if rule is None or self._hooked or isinstance(whole, Large) else rule.part()
        if right is not None and np.shape(right) == np.shape(whole) and differs(right, whole):
            say = f"{name} receives {brief(whole)}, which is wrong. The right engine sends {text} = {brief(right)}."
            equation, elements = f"{self._d(target)} {sign} {brief(whole)}", None
        else:
            right, equation = None, f"{self._d(target)} {sign} {text} = {brief(whole)}"
            say = f"{name} receives {result}."
        if summed:
            say = f"On the way to {name}: {result}. It has the shape of {self.scene.name(box)} still."
            equation = f"part = {text} = {brief(whole)}"
        if is_late:
            say += f" But {name} has passed its gradient on already, so this part is lost. {WAITS}"
            self.trace.change(f"e{edge}", "lost", True)
        if unsummed := not summed and self._does_not_fit(target, whole):
            say += f" It has another shape than {name}: the right engine sums it over the axes that were stretched."
        self._frame(
            "sent", moment, target, sender=box, edge=edge,
            hint=f"{'on the way to ' if summed else ''}{name}{HAS[summed]}{formula}.",
            say=say, equation=equation, arithmetic=elements, wrong=right is not None or is_late or unsummed,
        )  # fmt: skip
        sender = self.scene.name(box)
        if rule is not None and right is None and not is_late and event.node not in self._ran_early:
            self._ask_for_the_rule(rule, box, name, local)
        hints = [f"The rule names {self._d(box)}, which is {brief(g)}. Which other numbers does it name?"]
        self._ask(f"What flows from {sender} to {name}: {formula}?", whole, rule=rule, hints=hints, terms=terms)
        if summed:
            self._summed(moment, target, edge, whole, part, sign)

    def _ask_for_the_rule(self, rule: Rule, box: int, name: str, local: Any) -> None:
        """Which rule makes the part; it is asked before the visit, which tells it."""
        node = self.trace.document["nodes"][box]
        value = self.scene.values.get(box, UNKNOWN)
        is_known = local is not None and value is not UNKNOWN and not isinstance(value, Large)
        self.questions.append(
            WhichRule(
                frame=len(self.trace.document["frames"]) - 1, before=self._visited_in,
                text=f"What does {node['label']} send to {name}?",
                rule=rule, gradient=self._d(box), result=node["name"],
                derivative=local if is_known else None, value=value,
                hints=[
                    f"Two things count: {self._d(box)}, which comes from above, and how {node['name']} follows {name}.",
                    f"When {name} grows a little, how much does {node['formula']} grow? What comes from above is "
                    "multiplied by that.",
                ],
            )
        )  # fmt: skip

    def _does_not_fit(self, box: int, part: Any) -> bool:
        """Whether a gradient has another shape than its value: of an engine that forgot to sum."""
        value = self.scene.values.get(box, UNKNOWN)
        return value is not UNKNOWN and np.shape(value) != np.shape(part)

    def _summed(self, moment: Moment, target: int, edge: int, whole: Any, part: Any, sign: str) -> None:
        name, axes = self.scene.name(target), list(stretched_axes(np.shape(whole), np.shape(part)) or ())
        self.trace.change(f"e{edge}", "part", self.scene.value(part))
        if self.arrived.get(target) is None:
            self._arrive(target, part)
        shapes = f"{shape_text(whole)} → {shape_text(part)}"
        total = f"sum(part, dim={axes[0] if len(axes) == 1 else tuple(axes)})"
        if np.ndim(part) == np.ndim(whole):
            total = f"{total[:-1]}, keepdim=True)"
        elif np.ndim(whole) - np.ndim(part) < len(axes):  # some axes go, and some are kept
            total = f"sum_to_size(part, {', '.join(map(str, np.shape(part)))})"
        self._frame(
            "summed", moment, target, sender=self.scene.box_of(moment.event.node), edge=edge,
            hint=f"{name} was stretched in the forward, so the parts for each of its numbers are summed: {shapes}.",
            say=f"Each number of {name} was used several times, so its parts are summed, {shapes}: {name} receives "
            f"{brief(part)}.",
            equation=f"{self._d(target)} {sign} {total} = {brief(part)}",
            arithmetic=arithmetic("sum", [whole], part, self.scene.value, axes=axes),
        )  # fmt: skip
        self._ask(
            f"The parts have the shape {shape_text(whole)}, {name} has {shape_text(part)}. What is left after the sum?",
            part,
            wrong=[(whole, misconception("forgets_the_broadcast"))], terms=terms_of_a_sum(whole, np.shape(part)),
            hints=[f"All parts of one number of {name} are added: of the axes that were stretched."],
        )  # fmt: skip

    def _accumulated(self, moment: Moment) -> None:
        event, (before, part, after) = moment.event, moment.copies
        box = self.scene.box_of(event.node, event.index)
        name, total = self.scene.name(box), sum_text(before, part, after)
        say, elements = f"Another part reaches {name}, and parts are added: {total}.", None
        self._arrive(box, after)
        if is_wrong := self._is_no_sum(before, part, after):
            right = sum_text(before, part, before + part)
            say = f"Another part reaches {name}: {brief(part)}. It replaces what was there, {brief(before)}, which is "
            say += f"lost. The right engine adds: {right}."
            total = brief(after)
            for number, arrow in enumerate(self.trace.document["edges"]):
                if arrow["from"] == box and number != self._arrow and self.trace.now.get((f"e{number}", "part")):
                    self.trace.change(f"e{number}", "lost", True)
        else:
            elements = arithmetic("map", [before, part], after, self.scene.value, template=PLUS)
        self._frame(
            "accumulated", moment, box, hint=f"a second path leads to {name}, and its part is added.",
            say=say, equation=f"{self._d(box)} = {total}", arithmetic=elements, wrong=is_wrong,
        )  # fmt: skip
        self._ask(
            f"{brief(before)} has arrived at {name}, and now {brief(part)} comes. What is {self._d(box)} then?", after,
            wrong=[(part, misconception("overwrites_in_flight"))], terms=self._terms_of(before, part, after),
            hints=[f"{name} acts on {self.loss} along each of its ways. What do they come to together?"],
        )  # fmt: skip

    def _deposited(self, moment: Moment) -> None:
        event, (before, part, after) = moment.event, moment.copies
        box = self.scene.box_of(event.node)
        name = self.scene.name(box)
        self.arrived.pop(box, None)
        self._front.pop(box, None)
        self.trace.change(f"n{box}", "grad", None)
        self.trace.change(f"n{box}", "done", True)
        self.trace.change(f"n{box}", "box", self.scene.value(after))
        empty, is_lost = before is None, before is not None and self._is_no_sum(before, part, after)
        total = brief(after) if empty or is_lost else sum_text(before, part, after)
        held = "was empty" if empty else f"held {brief(before)}, and a backward adds"
        say = f"{name}.grad {held}: now it holds {total}."
        if is_lost:
            say = f"{name}.grad held {brief(before)}, which is lost: now it holds {total}. The right engine adds: "
            say += f"{sum_text(before, part, before + part)}."
        if is_early := self._number in self._early:
            self._ran_early.add(event.node)
            say += f" But another part is still to come. {WAITS}"
        self._frame(
            "deposited", moment, box, equation=f"{name}.grad = {total}", say=say,
            hint=f"what arrived at {name} goes into its mailbox, {name}.grad"
            + ("." if empty else f", which already holds {brief(before)}."),
            arithmetic=None
            if empty or is_lost
            else arithmetic("map", [before, part], after, self.scene.value, template=PLUS),
            wrong=is_lost or is_early,
        )  # fmt: skip
        if not self._ran_early:
            self._ask_for_the_paths(event.node, box)
        if empty:
            hints = [f"{name}.grad is empty: it takes what has arrived."]
            self._ask(f"{brief(part)} goes into {name}.grad. What does it hold then?", after, hints=hints)
        else:
            self._ask(
                f"{name}.grad holds {brief(before)}, and {brief(part)} comes. What does it hold then?", after,
                wrong=[(part, misconception("overwrites_at_the_leaf"))], terms=self._terms_of(before, part, after),
                hints=[f"Has anybody emptied {name}.grad since the last backward?"],
            )  # fmt: skip

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
            self._hooked |= event.kind == "post"
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
        hint = f"{name}.grad is {'emptied' if after is None else 'set to zero'}."
        self._frame(
            "zeroed", moment, box, hint=hint, say=f"{name}.grad is {text}.",
            equation=f"{name}.grad = {'None' if after is None else brief(after)}",
        )  # fmt: skip

    def _mutated(self, moment: Moment) -> None:
        (of, value), version, where = moment.copies, moment.event.version, moment.where
        box = self.scene.boxes.get(of)
        if box is None:
            self._echo(moment, None, value)
            return  # nothing that is in the picture, but perhaps under another name
        last = self.trace.document["frames"][-1:]
        before, self.scene.values[box] = self.scene.values[box], value
        self.trace.change(f"n{box}", "value", self.scene.value(value))
        self.trace.change(f"n{box}", "version", version)
        made = self._moments[self._number - 1].event if self._number else None
        if isinstance(made, events.Made) and made.node is not None and made.output is moment.event.tensor:
            if last and last[0]["node"] == box:
                self.trace.amend("")  # the operation that made the box ran in place
                self._refresh(self._moments[self._number - 1], self._shared)
                self._echo(moment, box, value)
                return
        name, change = self.scene.name(box), f"{brief(before)} → {brief(value)}"
        who = (
            "the optimizer" if where.updating else f"`{located(where.mark).expression}`" if where.mark else "something"
        )
        self._frame(
            "mutated", moment, box, hint=f"{who} changes {name} in place.", equation=f"{name}: {change}",
            say=f"{who[0].upper()}{who[1:]} changed {name} in place: {change}. Its memory is at version {version}.",
        )  # fmt: skip
        self._echo(moment, box, value)

    def _echo(self, moment: Moment, changed: int | None, value: Any) -> None:
        """What was changed in place is known under other names, too."""
        for box in self.scene.sharing(moment.event.tensor):
            if box != changed:
                self._changed_elsewhere(moment, box, value)

    def _failed(self, moment: Moment) -> None:
        event = moment.event
        say, last = f"{type(event.error).__name__}: {event.error}", self.trace.document["frames"][-1:]
        if last and last[0].get("say") == say:
            return
        box = None if event.node is None else self.scene.box_of(event.node)
        if box is not None:
            self.trace.change(f"n{box}", "broken", True)
        self._frame("error", moment, box, hint="something goes wrong here.", say=say)

    def _refresh(self, moment: Moment, values: list, in_place: bool = False) -> None:
        """An operation may see that the memory of one of its inputs was changed under another name.

        What the operation itself changed, as it ran in place, is told after it.
        """
        output = moment.event.output
        self._shared = [
            value
            if in_place and isinstance(one, Tensor) and np.may_share_memory(one.numbers, output.numbers)
            else UNKNOWN
            for one, value in zip(moment.event.values, values)
        ]
        for value, is_tensor, shared in zip(values, moment.copies[1], self._shared):
            box = None if is_tensor is None or shared is not UNKNOWN else self.scene.boxes.get(is_tensor[0])
            if box is None:
                continue
            self._changed_elsewhere(moment, box, value)

    def _changed_elsewhere(self, moment: Moment, box: int, value: Any) -> None:
        before = self.scene.values[box]
        if before is value or is_same(before, value):
            return
        self.scene.values[box] = value
        self.trace.change(f"n{box}", "value", self.scene.value(value))
        name, change = self.scene.name(box), f"{brief(before)} → {brief(value)}"
        self._frame(
            "mutated", moment, box, hint=f"{name} shares its memory with what was changed.",
            equation=f"{name}: {change}", say=f"{name} shares its memory with what was changed in place: {change}.",
        )  # fmt: skip

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
        self.trace.iteration(folded=True, loss=None if loss is None else self.trace.value(loss))
        self._frame(
            "iteration", moment, None, equation=equation, hint=f"iteration {number}, in one line.",
            say=f"Iteration {number}: {equation or 'a backward from several numbers'}.",
        )  # fmt: skip

    def _calm(self) -> None:
        """What an earlier backward left in flight is gone."""
        self.arrived.clear()
        self._front.clear()
        self._paths = Paths()
        self._ran_early.clear()
        for (target, field), value in list(self.trace.now.items()):
            if field in WAVE and value is not None:
                self.trace.change(target, field, None)

    # -- what all use ----------------------------------------------------------------------------------------------

    def _frame(self, kind: str, moment: Moment, box: int | None, sender: int | None = None, **facts: Any) -> None:
        """The next frame, about one box; what a sender's rule does, happens at the line that made the sender."""
        nodes, at = self.trace.document["nodes"], self.scene.code.at(moment.where)
        place = box if sender is None else sender
        if at is None and place is not None:
            at = nodes[place].get("at")
        self.trace.frame(kind, node=box, at=at, **facts)

    def _ask(self, text: str, answer: Any, **facts: Any) -> None:
        """Ask for a number, if it is known and told in full."""
        if answer is not UNKNOWN and np.size(answer) and np.size(answer) <= WHOLE:
            frame = len(self.trace.document["frames"]) - 1
            self.questions.append(Number(frame=frame, text=text, answer=answer, **facts))

    def _terms_of(self, before: Any, part: Any, after: Any) -> Callable[[int], str] | None:
        """How two parts are added, where both are told in full."""
        known = not any(one is UNKNOWN or isinstance(one, Large) for one in (before, part, after))
        return elementwise(PLUS, [before, part], np.shape(after)) if known else None

    def _is_no_sum(self, before: Any, part: Any, after: Any) -> bool:
        """Whether two parts were not added, but something else became of them."""
        known = not any(one is UNKNOWN or isinstance(one, Large) for one in (before, part, after))
        return known and differs(after, before + part)

    def _arrive(self, box: int, gradient: Any) -> None:
        self.arrived[box] = gradient
        self._front[box] = None
        self.trace.change(f"n{box}", "grad", self.scene.value(gradient))

    def _d(self, box: int) -> str:
        return f"∂{self.loss}/∂{self.scene.name(box)}"


def is_same(one: Any, other: Any) -> bool:
    """Whether two values look alike; what nobody kept looks like anything."""
    if one is UNKNOWN or other is UNKNOWN:
        return True
    if isinstance(one, Large) or isinstance(other, Large):
        return brief(one) == brief(other)
    return np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind in "fc")


def early(moments: list[Moment]) -> set[int]:
    """The visits and deposits after which another part still came, by number: of an engine that did not wait."""
    found: set[int] = set()
    coming: set = set()
    done: set = set()
    for number in reversed(range(len(moments))):
        event = moments[number].event
        if isinstance(event, events.Seeded):  # what is before it belongs to another backward
            coming.clear()
            done.clear()
        elif isinstance(event, events.Sent):
            coming.add(event.target)
        elif isinstance(event, events.Visited | events.Deposited):
            if event.node in coming and event.node not in done:
                found.add(number)
            done.add(event.node)
    return found


def seeds(moments: list[Moment]) -> dict[int, int]:
    """For each start of a backward, by number: from how many results this backward starts."""
    found: dict[int, int] = {}
    row: list[int] = []
    for number, moment in enumerate(moments):
        row = [*row, number] if isinstance(moment.event, events.Seeded) else []
        found |= dict.fromkeys(row, len(row))
    return found


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
