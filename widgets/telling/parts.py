"""How a part is told, on its way along an arrow: what a rule makes of the gradient; and its sum over stretched axes."""

import contextlib
import re
from typing import Any

import numpy as np

from minigrad.core.unbroadcast import stretched_axes, sum_to
from minigrad.faults import FAULTS

from ..recording.moments import UNKNOWN, Moment, are_whole
from ..words import misconception, say
from .arithmetic import arithmetic
from .frames import Teller
from .marks import plain
from .operation import Operation
from .questions import WhichRule, elementwise, terms_of_a_sum
from .rules import Rule, differs, part_of
from .trace import brief
from .words import bare, few, is_choice, is_prose, shape_text

TIMES = "{0} × {1}"


class Parts(Teller):
    """Tells what is sent."""

    def sent(self, moment: Moment) -> None:
        event, (whole, part), flow = moment.event, moment.copies, self.flow
        if np.shape(whole) == np.shape(part) and getattr(part, "dtype", None) == np.float16:
            whole = part  # it is rounded by now
        target, box = self.scene.box_of(event.target, event.index), self.scene.box_of(event.node, flow.output)
        edge = self.scene.edge_of(event.node, event.slot, target, box)
        name, sender = self.scene.name(target), self.scene.name(box)
        whole, text, rule, local = self._as_its_rule_says(event, box, whole, part)
        elements = terms = None
        if local is not None:
            elements = arithmetic("map", [flow.visit, local], whole, self.scene.value, template=TIMES)
            terms = elementwise(TIMES, [flow.visit, local], np.shape(whole))
        flow.paths.send(event.node, event.target)
        summed, is_late = np.shape(whole) != np.shape(part), event.target in flow.ran_early
        if not summed and flow.arrived.get(target) is None:
            flow.arrive(target, part)
        formula, sign = text.partition(" = ")[0], "+=" if flow.comes_in_parts(self.frames.number) else "="
        if np.iscomplexobj(whole) and not np.iscomplexobj(part) and not summed:
            whole, text = part, text if is_prose(formula) else real_part(text)
            formula = text.partition(" = ")[0]
        self.trace.change(f"e{edge}", "part", self.scene.value(whole))
        for other in flow.reached:  # the results of one node send one part
            if other != box:
                self.trace.change(f"e{self.scene.edge_of(event.node, event.slot, target, other)}", "joins", True)
        flow.arrow = edge
        made = None if rule is None or not are_whole(whole) else rule.part()
        if is_wrong := made is not None and np.shape(made) == np.shape(whole) and differs(rounded(made, whole), whole):
            right = f"{text} = {brief(rounded(made, whole))}"
            said = [say("story.receives_wrong", name=name, part=brief(whole), right=right)]
            equation, elements = f"{flow.d(target)} {sign} {brief(whole)}", None
        else:
            equation = f"{flow.d(target)} {sign} {equal(text, brief(whole))}"
            said = [say("story.receives", name=name, part=result_of(text, brief(whole)))]
        if summed:
            said = [say("story.on_the_way", name=name, part=result_of(text, brief(whole)), sender=sender)]
            equation = f"part = {equal(text, brief(whole))}"
        if is_late:
            said += [say("story.sent_late", name=name), say("story.right_waits")]
            self.trace.change(f"e{edge}", "lost", True)
        if unsummed := not summed and self._does_not_fit(target, whole):
            said.append(say("story.sent_unsummed", name=name))
        self.frames.add(
            "sent", moment, target, sender=box, edge=edge,
            hint=say("story.on_the_way_next" if summed else "story.receives", name=name, part=formula),
            say=" ".join(said), equation=equation, arithmetic=elements, wrong=is_wrong or is_late or unsummed,
        )  # fmt: skip
        if rule is not None and not is_wrong and not is_late and event.node not in flow.ran_early:
            self._ask_for_the_rule(rule, box, name, local)
        is_alone = re.search("[0-9A-Za-z]", formula.replace(flow.d(box), "")) is None
        what = "part_hint_alone" if is_alone else "part_hint"
        hints = [say(f"questions.{what}", gradient=flow.d(box), value=brief(flow.visit))]
        text = say("questions.part", sender=flow.called[event.node], name=name, formula=formula)
        self.frames.ask(text, whole, rule=rule, hints=hints, terms=terms)
        if summed:
            self._summed(moment, target, edge, whole, part, sign)

    def _as_its_rule_says(self, event: Any, box: int, whole: Any, part: Any) -> tuple[Any, str, Rule | None, Any]:
        """A part before its sum; its formula, in words and numbers; and its rule with the local derivative, where the
        rule made it."""
        made = self.scene.made_by.get(event.node)
        if made and made.rule(event.slot) and not made.op.takes_all_gradients:
            elsewhere, hooked = self.frames.elsewhere, self.flow.hooked
            with contextlib.suppress(*[Exception] * elsewhere):  # another engine may accept more than a row
                unsummed = self._before_the_sum(made, event.slot, whole, part)
                given = made, event.slot, self.flow.d(box), self.flow.visit, unsummed, self.scene.values
                text, rule, local = part_of(*given)
                if agrees(rule.part(), unsummed) or not (elsewhere or hooked):
                    return unsummed, text, rule, local
                if hooked:
                    return whole, say("story.left_by_hook", formula=text.partition(" = ")[0]), None, None
        if made and getattr(made.op, "takes_all_gradients", False) and made.op.linear and not self.flow.hooked:
            gs = [self.flow.d(one) if one in self.flow.reached else "zeros" for one in made.boxes]
            if said := made.rule(event.slot, gs=", ".join(few(gs))):
                return whole, said[1], None, None
        return whole, f"{bare(event.node)}({', '.join(map(self.flow.d, self.flow.reached))})", None, None

    def _before_the_sum(self, made: Operation, slot: int, whole: Any, part: Any) -> Any:
        """A part before it is summed over stretched axes, where an engine shows only the sum: what the rule makes."""
        shape = np.shape(part)
        if np.shape(whole) != shape:
            return whole
        rule = Rule(made.op, made.op.input_of(slot), made.known, self.flow.visit, conjugates=made.node.conjugates)
        stretched = rule.part()
        if not stretched_axes(np.shape(stretched), shape) or differs(sum_to(stretched, shape), part):
            return whole
        return stretched

    def _does_not_fit(self, box: int, part: Any) -> bool:
        """Whether a gradient has another shape than its value: of an engine that forgot to sum."""
        value: Any = UNKNOWN if self.frames.elsewhere else self.scene.values.get(box, UNKNOWN)
        return value is not UNKNOWN and np.shape(value) != np.shape(part)

    def _summed(self, moment: Moment, target: int, edge: int, whole: Any, part: Any, sign: str) -> None:
        name, axes = self.scene.name(target), list(stretched_axes(np.shape(whole), np.shape(part)) or ())
        self.trace.change(f"e{edge}", "part", self.scene.value(part))
        if self.flow.arrived.get(target) is None:
            self.flow.arrive(target, part)
        shapes = f"{shape_text(whole)} → {shape_text(part)}"
        total = f"sum(part, dim={axes[0] if len(axes) == 1 else tuple(axes)})"
        if np.ndim(part) == np.ndim(whole):
            total = f"{total[:-1]}, keepdim=True)"
        elif np.ndim(whole) - np.ndim(part) < len(axes):  # some axes go, and some are kept
            total = f"sum_to_size(part, {', '.join(map(str, np.shape(part)))})"
        total += ".real" * (np.iscomplexobj(whole) and not np.iscomplexobj(part))
        happens = "summed_once" if np.size(whole) == np.size(part) else "summed"
        self.frames.add(
            "summed", moment, target, sender=self.scene.box_of(moment.event.node, self.flow.output), edge=edge,
            hint=say(f"story.{happens}_next", name=name, shapes=shapes),
            say=say(f"story.{happens}", name=name, shapes=shapes, part=brief(part)),
            equation=f"{self.flow.d(target)} {sign} {total} = {brief(part)}",
            arithmetic=arithmetic("sum", [whole], part, self.scene.value, axes=axes),
        )  # fmt: skip
        self.frames.ask(
            say("questions.sum", parts=shape_text(whole), name=name, shape=shape_text(part)), part,
            wrong=[(whole, misconception(FAULTS["forgets_the_broadcast"]))],
            terms=terms_of_a_sum(whole, np.shape(part)),
            hints=[say("questions.sum_hint", name=name)],
        )  # fmt: skip

    def _ask_for_the_rule(self, rule: Rule, box: int, name: str, local: Any) -> None:
        """Which rule makes the part; it is asked before the visit, which tells it."""
        node, gradient = self.trace.nodes[box], self.flow.d(box)
        value = self.scene.values.get(box, UNKNOWN)
        self.frames.questions.append(
            WhichRule(
                frame=len(self.trace.frames) - 1, before=self.flow.visited_in,
                text=say("questions.rule", label=node["label"], name=name),
                rule=rule, gradient=gradient, result=node["name"],
                derivative=local if are_whole(value) else None, value=value,
                hints=[
                    say("questions.rule_hint_two", gradient=gradient, result=node["name"], name=name),
                    say("questions.rule_hint_grows", name=name, formula=node["formula"]),
                ],
            )
        )  # fmt: skip


def rounded(right: Any, part: Any) -> Any:
    """What a rule makes, as half precision or a real number holds it where the part does."""
    if np.iscomplexobj(right) and not np.iscomplexobj(part):
        return right.real
    return right.astype(part.dtype) if part.dtype == np.float16 else right


def real_part(text: str) -> str:
    """A formula, each side of it, of which only the real part goes on to a real number."""
    return " = ".join(f"({side}).real" for side in text.split(" = "))


def equal(formula: str, value: str) -> str:
    """A formula and its value, once if they are the same."""
    return formula if formula == plain(value) else f"{formula} = {value}"


def result_of(text: str, value: str) -> str:
    """A formula and its value in a sentence: no equals sign stands behind words, or behind what holds otherwise."""
    formula = text.partition(" = ")[0]
    if is_prose(formula):
        shape, colon, _ = plain(value).partition(": ")
        if colon and text.endswith(f" {shape}"):  # what it is spread over is told with the numbers
            return f"{text.removesuffix(shape)}{value}"
        return f"{text}: {value}"
    return say("story.which_is", formula=text, value=value) if is_choice(formula) else equal(text, value)


def agrees(right: Any, part: Any) -> bool:
    """Whether a rule makes what was sent, as far as it is known."""
    return right is None or not are_whole(part) or not differs(right, part)
