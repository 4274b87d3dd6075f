"""From what a recorder kept to a trace: a frame for each moment, with what changes and a sentence about it.

Each kind of moment has one method here; who takes part in it is the scene's affair.
"""

import contextlib
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.autograd import events
from minigrad.core.unbroadcast import stretched_axes, sum_to
from minigrad.faults import FAULTS, right_rules
from minigrad.words.source import is_ours, located

from ..recording.iterations import Began, Passed
from ..recording.large import Large
from ..recording.moments import UNKNOWN, Moment, data, is_elsewhere, place
from ..recording.recorder import Recorder
from ..words import misconception, say
from .arithmetic import arithmetic, inside, with_numbers
from .marks import plain
from .operation import Operation, is_in_place
from .paths import FEW, Paths
from .questions import Number, Question, WhichRule, ask, elementwise, terms_of_a_sum
from .rules import Rule, differs, part_of
from .scene import Scene, share_memory
from .trace import SUBSCRIPTS, WHOLE, Trace, brief, writable
from .words import bare, is_choice, is_prose, shape_text, spoken, sum_text

PLUS, TIMES = "{0} + {1}", "{0} × {1}"
MANY = 4  # results of one operation that are not all named in a sentence
WAVE = ("grad", "done", "part", "lost")  # fields that belong to one backward, and are empty at the start of the next


class Story:
    """Tells a recorder's moments as a trace: `Story(recorder).trace.document`.

    Args:
        moments: the recorder's own, or the same with other arrays in them.
        asks: whether to put questions at once.
    """

    def __init__(
        self, recorder: Recorder, title: str = "", moments: list[tuple] | None = None, asks: bool = True
    ) -> None:
        self.trace = Trace(title)
        self.scene = Scene(recorder, self.trace)
        self.elsewhere = recorder.elsewhere  # another engine's numbers are what they are, none of them is wrong
        self.told: list[int] = []  # for each frame, the number of the moment that it tells
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
        self.mail: dict[int, Any] = {}  # by box: what its `.grad` holds
        self._mailboxes: dict[int, Any] = {}  # and the engine's own array of it
        self._ran_early: set = set()  # nodes of this backward that did not wait for all their parts
        self._moments = list(map(Moment._make, recorder.moments if moments is None else moments))
        self._early, self._seeds = early(self._moments), seeds(self._moments)
        with right_rules():  # a run may have been recorded in an engine that is broken on purpose
            for number, (moment, after) in enumerate(zip(self._moments, [*self._moments[1:], None])):
                self._number, self._is_followed = number, after is not None and type(after.event) is Passed
                TELLERS[type(moment.event)](self, moment)
            self.scene.code.write(self.trace)
            self.trace.document["title"] = writable(title) or self.trace.title()
            self.trace.finish()
        if asks:
            self.ask()

    def ask(self) -> None:
        """Put questions to the frames."""
        with right_rules():
            ask(self.questions, self.trace)

    # -- forward ---------------------------------------------------------------------------------------------------

    def _made(self, moment: Moment) -> None:
        event, where, (values, _, outputs, places) = moment.event, moment.where, moment.copies
        in_place = is_in_place(event)
        if event.node is None and where.updating:
            return  # on an optimizer's way: the changes are told
        if event.node is None and (in_place or not where.recording):
            self.scene.computed.update(places)
            return  # a change in place is told by `Mutated`; what ran under no_grad is no part of the graph
        if not outputs:
            return  # unbind() of nothing has no results
        self._refresh(moment, values, in_place)
        values = list(values)
        made = self.scene.operation(moment._replace(copies=(values, *moment.copies[1:])))
        made.in_place = in_place
        for box, output in zip(made.boxes, outputs):
            self.trace.change(f"n{box}", "value", self.scene.value(output))
        box, output = made.boxes[0], outputs[0]
        label = self.trace.document["nodes"][box]["label"]
        names = ", ".join(few(list(map(self.scene.name, made.boxes))))
        numbers, elements = with_numbers(made, values, output), inside(made, values, outputs, self.scene.value)
        if numbers and plain(made.written(numbers)) == plain(brief(output)):
            numbers = None  # the negative of 2 is written as it is computed: -2
        result = "" if output is UNKNOWN or len(outputs) > 1 else f" = {brief(output)}"
        words = [brief(values[i]) if numbers and i in made.tails else word for i, word in enumerate(made.words)]
        operation = spoken(made.op, words[::-1] if made.turned else words)
        equation = f"{names} = {made.formula}{f' = {made.written(numbers)}' if numbers else ''}{result}"
        said = f"{equation}."
        if made.compares:
            equation = f"{names} = ({made.formula}){f' = ({made.written(numbers)})' if numbers else ''}{result}"
            told = {"names": names, "formula": made.formula, "value": brief(output)}
            said = say("story.compares", **told)
            if numbers:
                said = say("story.compares_numbers", **told, numbers=made.written(numbers))
        self._frame(
            "made", moment, box, hint=f"{label}: {operation}." if operation else f"{label}.", say=said,
            equation=equation, arithmetic=elements,
        )  # fmt: skip
        question = say("questions.result", equation=f"{names} = {made.formula}")
        if numbers:
            self._ask(question, output, terms=lambda _: made.written(numbers))
        elif elements and elements["how"] == "map":
            terms = elementwise(elements["template"], [values[i] for i in made.tails], np.shape(output))
            self._ask(question, output, terms=terms)

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
        before = self.arrived.get(box)
        total = gradient if before is None else before + gradient  # one result may be named twice
        self._arrive(box, total)
        self._paths.start(event.node)
        shown, name = brief(gradient) if before is None else sum_text(before, gradient, total), self.scene.name(box)
        equation = f"{self._d(box)} = {shown}"
        what = "seeded"
        if self.loss != name:
            what = "seeded_sum" if np.all(gradient == 1) else "seeded_weighted"
            what = what if several == 1 else "seeded_several"
        self._frame(
            "seeded", moment, box, hint=say("story.seeded_next", name=name), equation=equation,
            say=say(f"story.{what}", name=name, equation=equation),
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
        said, hint = [say("story.visited", name=name, equation=equation)], say("story.visited_next", name=name)
        if is_early := self._number in self._early:
            self._ran_early.add(node)
            said = [say("story.visited_early", name=name, value=brief(self._visit)), say("story.right_waits")]
            hint = say("story.visited_early_next", name=name)
        if rules:
            said.append(say("story.its_rules", count=len(rules), rules=", ".join(rules)))
            said += [say("story.several_arrows", name=one, count=n) for one, n in self._taken_several_times(node)]
        elif self.elsewhere and bare(node) == "CopySlices":
            said.append(say("story.copy_slices", name=name))
        elif self.elsewhere and bare(node)[-1].isdigit() and not hasattr(node.op, "rules"):  # and is no Function
            said.append(say("story.no_formula", node=bare(node)))
        self._frame("visited", moment, box, hint=hint, say=" ".join(said), equation=equation, wrong=is_early)
        self._visited_in = len(self.trace.document["frames"]) - 1
        if not self._ran_early:
            self._ask_for_the_node(box)
            self._ask_for_the_paths(node, box)
        self._front.pop(box, None)

    def _taken_several_times(self, node: Any) -> list[tuple[str, int]]:
        """What an operation takes in several places, as `s * s` does: each rule is for one of them."""
        made = self.scene.made_by.get(node)
        slots = [] if made is None else [slot for slot, edge in enumerate(node.edges) if edge is not None]
        boxes = Counter(made.tails.get(node.arguments[slot]) for slot in slots if made is not None)
        return [(self.scene.name(box), count) for box, count in boxes.items() if box is not None and count > 1]

    def _ask_for_the_node(self, box: int) -> None:
        """Which node comes next, where it could be several."""
        if len(self._front) < 2:
            return
        names = ", ".join(map(self.scene.name, self._front))
        hints = [say("questions.node_hint_order"), say("questions.node_hint_reached", names=names)]
        text = say("answers.node")
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
                text=say("questions.paths", loss=self.loss, name=name),
                answer=np.int64(ways.count),
                wrong=[
                    (np.int64(ways.uses), say("questions.counts_the_arrows")),
                    (np.int64(len(ways.nodes)), say("questions.counts_the_nodes")),
                ],
                hints=[
                    say("questions.paths_hint_way", loss=self.loss, name=name),
                    say("questions.paths_hint_users", name=name, users=told),
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
        names = {"names": ", ".join(dict.fromkeys(saved)), "node": bare(moment.event.node)}
        what = "freed_after_hook" if self.trace.document["frames"][-1]["kind"] == "hook" else "freed"
        self.trace.amend(f" {say(f'story.{what}', **names)}" if saved else "")

    def _sent(self, moment: Moment) -> None:
        event, (whole, part) = moment.event, moment.copies
        if np.shape(whole) == np.shape(part) and getattr(part, "dtype", None) == np.float16:
            whole = part  # it is rounded by now
        target = self.scene.box_of(event.target, event.index)
        box, edge = self.scene.box_of(event.node), self.scene.edge_of(event.node, event.slot, target)
        name, g = self.scene.name(target), self._visit
        made = self.scene.made_by.get(event.node)
        text, rule, local = f"{bare(event.node)}({self._given})", None, None
        if made and made.rule(event.slot) and not made.op.takes_all_gradients:
            with contextlib.suppress(*[Exception] * self.elsewhere):  # another engine may accept more than a row
                unsummed = self._before_the_sum(made, event.slot, whole, part)
                told = part_of(made, event.slot, self._d(box), g, unsummed, self.scene.values)
                if agrees(told[1].part(), unsummed) or not (self.elsewhere or self._hooked):
                    whole, (text, rule, local) = unsummed, told
                elif self._hooked:
                    text = say("story.left_by_hook", formula=told[0].partition(" = ")[0])
        elements = terms = None
        if local is not None:
            elements = arithmetic("map", [g, local], whole, self.scene.value, template=TIMES)
            terms = elementwise(TIMES, [g, local], np.shape(whole))
        self._paths.send(event.node, event.target)
        summed, is_late = np.shape(whole) != np.shape(part), event.target in self._ran_early
        if not summed and self.arrived.get(target) is None:
            self._arrive(target, part)
        formula, sign = text.partition(" = ")[0], "+=" if self.scene.branches(target) else "="
        if np.iscomplexobj(whole) and not np.iscomplexobj(part) and np.shape(whole) == np.shape(part):
            whole, text = part, text if is_prose(formula) else real_part(text)
            formula = text.partition(" = ")[0]
        result = f"{text}: {brief(whole)}" if is_prose(formula) else equal(text, brief(whole))
        if is_choice(formula) and not is_prose(formula):
            result = say("story.which_is", formula=text, value=brief(whole))
        self.trace.change(f"e{edge}", "part", self.scene.value(whole))
        self._arrow = edge
        right = None if rule is None or isinstance(whole, Large) else rule.part()
        if right is not None and np.shape(right) == np.shape(whole) and differs(rounded(right, whole), whole):
            right_part = f"{text} = {brief(rounded(right, whole))}"
            said = [say("story.receives_wrong", name=name, part=brief(whole), right=right_part)]
            equation, elements = f"{self._d(target)} {sign} {brief(whole)}", None
        else:
            right, equation = None, f"{self._d(target)} {sign} {equal(text, brief(whole))}"
            said = [say("story.receives", name=name, part=result)]
        if summed:
            said = [say("story.on_the_way", name=name, part=result, sender=self.scene.name(box))]
            equation = f"part = {equal(text, brief(whole))}"
        if is_late:
            said += [say("story.sent_late", name=name), say("story.right_waits")]
            self.trace.change(f"e{edge}", "lost", True)
        if unsummed := not summed and self._does_not_fit(target, whole):
            said.append(say("story.sent_unsummed", name=name))
        self._frame(
            "sent", moment, target, sender=box, edge=edge,
            hint=say("story.on_the_way_next" if summed else "story.receives", name=name, part=formula),
            say=" ".join(said), equation=equation, arithmetic=elements, wrong=right is not None or is_late or unsummed,
        )  # fmt: skip
        sender = self.scene.name(box)
        if rule is not None and right is None and not is_late and event.node not in self._ran_early:
            self._ask_for_the_rule(rule, box, name, local)
        hints = [say("questions.part_hint", gradient=self._d(box), value=brief(g))]
        text = say("questions.part", sender=sender, name=name, formula=formula)
        self._ask(text, whole, rule=rule, hints=hints, terms=terms)
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
                text=say("questions.rule", label=node["label"], name=name),
                rule=rule, gradient=self._d(box), result=node["name"],
                derivative=local if is_known else None, value=value,
                hints=[
                    say("questions.rule_hint_two", gradient=self._d(box), result=node["name"], name=name),
                    say("questions.rule_hint_grows", name=name, formula=node["formula"]),
                ],
            )
        )  # fmt: skip

    def _before_the_sum(self, made: Operation, slot: int, whole: Any, part: Any) -> Any:
        """A part before it is summed over stretched axes, where an engine shows only the sum: what the rule makes."""
        shape = np.shape(part)
        if np.shape(whole) != shape:
            return whole
        stretched = Rule(
            made.op, made.op.input_of(slot), made.known, self._visit, conjugates=made.node.conjugates
        ).part()
        if not stretched_axes(np.shape(stretched), shape) or differs(sum_to(stretched, shape), part):
            return whole
        return stretched

    def _does_not_fit(self, box: int, part: Any) -> bool:
        """Whether a gradient has another shape than its value: of an engine that forgot to sum."""
        value: Any = UNKNOWN if self.elsewhere else self.scene.values.get(box, UNKNOWN)
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
        total += ".real" * (np.iscomplexobj(whole) and not np.iscomplexobj(part))
        happens = "summed_once" if np.size(whole) == np.size(part) else "summed"
        self._frame(
            "summed", moment, target, sender=self.scene.box_of(moment.event.node), edge=edge,
            hint=say(f"story.{happens}_next", name=name, shapes=shapes),
            say=say(f"story.{happens}", name=name, shapes=shapes, part=brief(part)),
            equation=f"{self._d(target)} {sign} {total} = {brief(part)}",
            arithmetic=arithmetic("sum", [whole], part, self.scene.value, axes=axes),
        )  # fmt: skip
        self._ask(
            say("questions.sum", parts=shape_text(whole), name=name, shape=shape_text(part)), part,
            wrong=[(whole, misconception(FAULTS["forgets_the_broadcast"]))],
            terms=terms_of_a_sum(whole, np.shape(part)),
            hints=[say("questions.sum_hint", name=name)],
        )  # fmt: skip

    def _accumulated(self, moment: Moment) -> None:
        event, (before, part, after) = moment.event, moment.copies
        box = self.scene.box_of(event.node, event.index)
        name, total = self.scene.name(box), sum_text(before, part, after)
        said, elements = say("story.accumulated", name=name, sum=total), None
        self._arrive(box, after)
        if is_wrong := self._is_no_sum(before, part, after):
            right = sum_text(before, part, before + part)
            said = say("story.accumulated_wrong", name=name, part=brief(part), before=brief(before), right=right)
            total = brief(after)
            for number, arrow in enumerate(self.trace.document["edges"]):
                if arrow["from"] == box and number != self._arrow and self.trace.now.get((f"e{number}", "part")):
                    self.trace.change(f"e{number}", "lost", True)
        else:
            elements = arithmetic("map", [before, part], after, self.scene.value, template=PLUS)
        self._frame(
            "accumulated", moment, box, hint=say("story.accumulated_next", name=name),
            say=said, equation=f"{self._d(box)} = {total}", arithmetic=elements, wrong=is_wrong,
        )  # fmt: skip
        self._ask(
            say("questions.adds", name=name, before=brief(before), part=brief(part), gradient=self._d(box)), after,
            wrong=[(part, misconception(FAULTS["overwrites_in_flight"]))],
            terms=self._terms_of(before, part, after),
            hints=[say("questions.adds_hint", name=name, loss=self.loss)],
        )  # fmt: skip

    def _deposited(self, moment: Moment) -> None:
        event, (before, part, after) = moment.event, moment.copies
        box = self.scene.box_of(event.node)
        name = self.scene.name(box)
        self.arrived.pop(box, None)
        self._front.pop(box, None)
        self.trace.change(f"n{box}", "grad", None)
        self.trace.change(f"n{box}", "done", True)
        if before is not None and not is_same(self.mail.get(box, before), before):
            self._mail_changed(moment, box, before, "refilled")
        self.mail[box], self._mailboxes[box] = after, data(event.after)
        self.trace.change(f"n{box}", "box", self.scene.value(after))
        empty, is_lost = before is None, before is not None and self._is_no_sum(before, part, after)
        total = brief(after) if empty or is_lost else sum_text(before, part, after)
        if empty:
            hint, said = say("story.deposited_next", name=name), [say("story.deposited", name=name, value=total)]
        else:
            hint, held = say("story.deposited_again_next", name=name, before=brief(before)), brief(before)
            said = [say("story.deposited_again", name=name, before=held, value=total)]
            if is_lost:
                right = sum_text(before, part, before + part)
                said = [say("story.deposited_wrong", name=name, before=held, value=total, right=right)]
        if is_early := self._number in self._early:
            self._ran_early.add(event.node)
            said += [say("story.deposited_early"), say("story.right_waits")]
        self._frame(
            "deposited", moment, box, equation=f"{name}.grad = {total}", say=" ".join(said), hint=hint,
            arithmetic=None
            if empty or is_lost
            else arithmetic("map", [before, part], after, self.scene.value, template=PLUS),
            wrong=is_lost or is_early,
        )  # fmt: skip
        if not self._ran_early:
            self._ask_for_the_paths(event.node, box)
        if empty:
            hints = [say("questions.deposit_hint", name=name)]
            self._ask(say("questions.deposit", name=name, part=brief(part)), after, hints=hints)
        else:
            self._ask(
                say("questions.deposit_again", name=name, before=brief(before), part=brief(part)), after,
                wrong=[(part, misconception(FAULTS["overwrites_at_the_leaf"]))],
                terms=self._terms_of(before, part, after),
                hints=[say("questions.deposit_again_hint", name=name)],
            )  # fmt: skip

    def _hook(self, moment: Moment) -> None:
        event, (before, after) = moment.event, moment.copies
        box = self.scene.box_of(event.node)
        name, function = self.scene.name(box), getattr(event.hook, "__name__", "")
        names = {"name": name, "node": bare(event.node)}
        code = getattr(event.hook, "__code__", None)
        is_theirs = function.isidentifier() and not (code and is_ours(code.co_filename))
        who = "hook" if is_theirs else "a_hook"
        names |= {"hook": f"{function}()"} if is_theirs else {}
        after_rule = "_sent" if event.kind == "post" else ""
        if event.kind == "retain_grad":
            self.trace.change(f"n{box}", "box", self.scene.value(after))
            said = say("story.retained", name=name, value=brief(after))
        elif event.kind == "accumulated" or event.kind == "post" and event.node.is_leaf:
            said = say(f"story.{who}_hears", **names)
        else:
            self._hooked |= event.kind == "post"
            arrived = {"tensor": (after,), "pre": after}.get(event.kind, ())
            for index, one in enumerate(arrived):
                if one is not None:
                    self._arrive(self.scene.box_of(event.node, index) if event.kind == "pre" else box, one)
            seen, kept = [one if isinstance(one, tuple) else (one,) for one in (before, after)]
            replaced = any(one is not None and not np.array_equal(old, one) for old, one in zip(seen, kept))
            seen_text, kept_text = (
                ", ".join("–" if one is None else brief(one) for one in ones) for ones in (seen, kept)
            )
            said = say(f"story.{who}_saw{after_rule}", **names, seen=seen_text)
            if replaced:
                said = say(f"story.{who}_replaced{after_rule}", **names, seen=seen_text, kept=kept_text)
        self._frame("hook", moment, box, hint=say(f"story.{who}_next", **names), say=said)

    # -- between the passes ----------------------------------------------------------------------------------------

    def _zeroed(self, moment: Moment) -> None:
        leaf, value, after = moment.copies
        known = self.scene.boxes.get(place(leaf))
        box = self.scene.source(place(leaf), value, True, leaf) if known is None else known
        name = self.scene.name(box)
        self.mail[box] = after
        self.trace.change(f"n{box}", "box", self.scene.value(after))
        what = "emptied" if after is None else "zeroed"
        self._frame(
            "zeroed", moment, box, hint=say(f"story.{what}_next", name=name), say=say(f"story.{what}", name=name),
            equation=f"{name}.grad = {'None' if after is None else brief(after)}",
        )  # fmt: skip

    def _mutated(self, moment: Moment) -> None:
        (of, value), version, where = moment.copies, moment.event.version, moment.where
        box = self.scene.boxes.get(of)
        if box is None:
            self._echo(moment, None, value)
            self._mutated_mail(moment, value)
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
        who, names = who_changes(where)
        names["name"] = name
        self._frame(
            "mutated", moment, box, hint=say(f"story.{who}_next", **names), equation=f"{name}: {change}",
            say=say(f"story.{who}", **names, change=change, version=version),
        )  # fmt: skip
        self._echo(moment, box, value)

    def _mutated_mail(self, moment: Moment, value: Any) -> None:
        """A gradient was changed in place where it lies, as those are that are clipped."""
        changed = None if is_elsewhere(moment.event.tensor) else moment.event.tensor.numbers
        if type(self._moments[(self._number + 1) % len(self._moments)].event) is events.Zeroed:
            return  # which tells it
        box = next((box for box, array in self._mailboxes.items() if array is changed is not None), None)
        if box is not None and not is_same(self.mail[box], value):
            self._mail_changed(moment, box, value, who_changes(moment.where)[0])

    def _mail_changed(self, moment: Moment, box: int, value: Any, how: str) -> None:
        name, change = f"{self.scene.name(box)}.grad", f"{brief(self.mail[box])} → {brief(value)}"
        names = {"name": name, **who_changes(moment.where)[1]}
        self.mail[box] = value
        self.trace.change(f"n{box}", "box", self.scene.value(value))
        version = getattr(moment.event, "version", 0)
        said = say(f"story.{how}", **names, change=change, version=version)
        self._frame("mutated", moment, box, hint=say(f"story.{how}_next", **names), say=said)

    def _echo(self, moment: Moment, changed: int | None, value: Any) -> None:
        """What was changed in place is known under other names, too."""
        for box in self.scene.sharing(moment.event.tensor):
            if box != changed:
                self._changed_elsewhere(moment, box, value)

    def _failed(self, moment: Moment) -> None:
        event = moment.event
        said, last = f"{type(event.error).__name__}: {event.error}", self.trace.document["frames"][-1:]
        if last and last[0].get("say", "").partition("\n")[0] == said.partition("\n")[0]:
            return
        box = None if event.node is None else self.scene.box_of(event.node)
        if box is not None:
            self.trace.change(f"n{box}", "broken", True)
        if self.elsewhere and box is not None:
            said = "\n".join(filter(None, (said, self._advice(str(event.error), event.node, box))))
        self._frame("error", moment, box, hint=say("story.failed_next"), say=said)

    def _advice(self, error: str, node: Any, box: int) -> str:
        """What the run knows beyond an error of another engine's: which step it was, and which line is to blame."""
        told = {"node": bare(node), "name": self.scene.name(box)}
        if "a second time" in error:
            return say("story.freed_before", **told)
        version = re.search(r"is at version (\d+); expected", error)
        changes = [one for one in self._moments[: self._number] if isinstance(one.event, events.Mutated)]
        changed = (one for one in reversed(changes) if version and one.event.version == int(version[1]))
        mark = next((one.where.mark for one in changed if one.where.mark), None)
        return say("story.changed_since", **told, code=located(mark).expression) if mark else ""

    def _refresh(self, moment: Moment, values: list, in_place: bool = False) -> None:
        """An operation may see that the memory of one of its inputs was changed under another name.

        What the operation itself changed, as it ran in place, is told after it.
        """
        output = moment.event.output
        self._shared = [
            value if in_place and isinstance(one, Tensor) and share_memory(one, output) else UNKNOWN
            for one, value in zip(moment.event.values, values)
        ]
        for one, value, is_tensor, shared in zip(moment.event.values, values, moment.copies[1], self._shared):
            box = None if is_tensor is None or shared is not UNKNOWN else self.scene.boxes.get(is_tensor[0])
            if box is not None and one is not output:
                self._changed_elsewhere(moment, box, value)

    def _changed_elsewhere(self, moment: Moment, box: int, value: Any) -> None:
        before = self.scene.values[box]
        if before is value or is_same(before, value):
            return
        self.scene.values[box] = value
        self.trace.change(f"n{box}", "value", self.scene.value(value))
        name, change = self.scene.name(box), f"{brief(before)} → {brief(value)}"
        self._frame(
            "mutated", moment, box, hint=say("story.shares_next", name=name),
            equation=f"{name}: {change}", say=say("story.shares", name=name, change=change),
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
                shown = self.trace.short if self._is_followed else self.scene.value
                self.scene.values[box] = value
                self.trace.change(f"n{box}", "value", shown(value))
                self.trace.change(f"n{box}", "box", None if grad is None else shown(grad))
        equation = f"{self.loss.rstrip(SUBSCRIPTS)} = {brief(loss)}" if loss is not None else ""
        told = equation or say("story.several_losses")
        self.trace.iteration(folded=True, loss=None if loss is None else self.trace.value(loss))
        self._frame(
            "iteration", moment, None, equation=equation, hint=say("story.iteration_next", number=number),
            say=say("story.iteration", number=number, told=told),
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
        self.told.append(self._number)

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
        return known and not self.elsewhere and differs(after, before + part)

    def _arrive(self, box: int, gradient: Any) -> None:
        self.arrived[box] = gradient
        self._front[box] = None
        self.trace.change(f"n{box}", "grad", self.scene.value(gradient))

    def _d(self, box: int) -> str:
        name = self.scene.name(box)
        return f"∂{self.loss}/∂({name})" if name.startswith("∂") else f"∂{self.loss}/∂{name}"


def who_changes(where: Any) -> tuple[str, dict[str, str]]:
    """Who is said to change something in place: the name of a sentence, and what stands in it."""
    if where.updating:
        return "changed_by_optimizer", {}
    return ("changed_by_code", {"code": located(where.mark).expression}) if where.mark else ("changed", {})


def is_same(one: Any, other: Any) -> bool:
    """Whether two values look alike; what nobody kept looks like anything."""
    if one is UNKNOWN or other is UNKNOWN:
        return True
    if isinstance(one, Large) or isinstance(other, Large):
        return brief(one) == brief(other)
    return np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind in "fc")


def rounded(right: Any, part: Any) -> Any:
    """What a rule makes, as half precision or a real number holds it where the part does."""
    if np.iscomplexobj(right) and not np.iscomplexobj(part):
        return right.real
    return right.astype(part.dtype) if part.dtype == np.float16 else right


def real_part(text: str) -> str:
    """A formula, each side of it, of which only the real part goes on to a real number."""
    return " = ".join(f"({side}).real" for side in text.split(" = "))


def few(names: list[str]) -> list[str]:
    """Names in a row, of many the first two and the last."""
    return names if len(names) <= MANY else [*names[:2], "…", names[-1]]


def equal(formula: str, value: str) -> str:
    """A formula and its value, once if they are the same."""
    return formula if formula == plain(value) else f"{formula} = {value}"


def agrees(right: Any, part: Any) -> bool:
    """Whether a rule makes what was sent, as far as it is known."""
    return right is None or part is UNKNOWN or isinstance(part, Large) or not differs(right, part)


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
