"""How the backward is told, node by node: it starts, parts add up, a node is visited, a leaf's mailbox is filled."""

from collections import Counter
from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.autograd import events
from minigrad.faults import FAULTS

from ..recording.moments import Moment, are_whole
from ..words import listed, misconception, say
from .arithmetic import arithmetic
from .frames import Frames, Teller
from .mail import Mail
from .paths import FEW
from .questions import Number, Question, elementwise
from .rules import differs
from .trace import brief
from .words import bare, few, sum_text

PLUS = "{0} + {1}"


class Backward(Teller):
    """Tells what happens at the nodes."""

    def __init__(self, frames: Frames, mail: Mail) -> None:
        super().__init__(frames)
        self.mail, self._seeds = mail, seeds(frames.moments)

    def seeded(self, moment: Moment) -> None:
        event, (gradient,), flow = moment.event, moment.copies, self.flow
        box = self.scene.box_of(event.node, event.index)
        self.scene.has_gone_back = True
        name, several = self.scene.name(box), self._seeds[self.frames.number]
        if self.frames.last.get("kind") != "seeded":
            is_plain = np.size(gradient) == 1 and np.all(gradient == 1)
            flow.loss = name if is_plain and several == 1 else "L"
            flow.calm()
        if iterations := self.trace.document["iterations"]:
            iterations[-1]["loss"] = self.trace.now.get((f"n{box}", "value"))
        if isinstance(event.gradient, Tensor):  # under create_graph it takes part in operations
            self.scene.recorder.names.give([(flow.d(box), event.gradient)])
        before = flow.arrived.get(box)
        total = gradient if before is None else before + gradient  # one result may be named twice
        flow.arrive(box, total)
        flow.paths.start(event.node)
        equation = f"{flow.d(box)} = {brief(gradient) if before is None else sum_text(before, gradient, total)}"
        what = "seeded"
        if flow.loss != name:
            what = "seeded_sum" if np.all(gradient == 1) else "seeded_weighted"
            what = what if several == 1 else "seeded_several"
        self.frames.add(
            "seeded", moment, box, hint=say("story.seeded_next", name=name), equation=equation,
            say=say(f"story.{what}", name=name, equation=equation),
        )  # fmt: skip

    def visited(self, moment: Moment) -> None:
        node, (gradients,), flow = moment.event.node, moment.copies, self.flow
        arrived = [index for index, one in enumerate(gradients) if one is not None]
        if is_bare := not arrived:  # all that send to it sent None, as a Function may
            arrived, gradients = [0], [np.zeros(*node.expects(0))]
        reached = [self.scene.box_of(node, one) for one in arrived]
        box = reached[0]
        flow.visit, flow.output, flow.hooked = gradients[arrived[0]], arrived[0], False
        flow.reached = reached
        self.trace.change(f"n{box}", "done", True)
        rules = dict.fromkeys(rule for rule in self.trace.nodes[box].get("rules", []) if rule and rule[0] == "∂")
        equations = [f"{flow.d(one)} = {brief(gradients[index])}" for one, index in zip(reached, arrived)]
        equation, name = equations[0], listed(few(list(map(self.scene.name, reached))))
        flow.called[node] = name
        what = "visited_bare" if is_bare else "visited"
        said = [say(f"story.{what}", name=name, equation=", ".join(few(equations)))]
        hint = say("story.visited_next", name=name, count=len(reached))
        if is_early := flow.runs_early(node, self.frames.number):
            said = [say("story.visited_early", name=name, value=brief(flow.visit)), say("story.right_waits")]
            hint = say("story.visited_early_next", name=name)
        if rules:
            said.append(say("story.its_rules", count=len(rules), rules=", ".join(rules)))
            said += [say("story.several_arrows", name=one, count=n) for one, n in self._taken_several_times(node)]
        elif self.frames.elsewhere and bare(node) == "CopySlices":
            said.append(say("story.copy_slices", name=name))
        elif self.frames.elsewhere and bare(node)[-1].isdigit() and not hasattr(node.op, "rules"):  # and is no Function
            said.append(say("story.no_formula", node=bare(node)))
        self.frames.add("visited", moment, box, hint=hint, say=" ".join(said), equation=equation, wrong=is_early)
        flow.visited_in = len(self.trace.frames) - 1
        if not flow.ran_early:
            self._ask_for_the_node(reached)
            self._ask_for_the_paths(node, name, len(reached))
        for one in reached:
            flow.front.pop(one, None)

    def _taken_several_times(self, node: Any) -> list[tuple[str, int]]:
        """What an operation takes in several places, as `s * s` does: each rule is for one of them."""
        made = self.scene.made_by.get(node)
        slots = [] if made is None else [slot for slot, edge in enumerate(node.edges) if edge is not None]
        boxes = Counter(made.tails.get(node.arguments[slot]) for slot in slots if made is not None)
        return [(self.scene.name(box), count) for box, count in boxes.items() if box is not None and count > 1]

    def freed(self, moment: Moment) -> None:
        """Part of the visit that came just before."""
        node = moment.event.node
        box = self.scene.box_of(node, self.flow.output)
        of = [one["of"] for one in self.trace.nodes[box].get("saved", [])]
        saved = [name for name in of if any(map(str.isalpha, name))]  # not a number, or what has no name
        self.trace.change(f"n{box}", "freed", True)
        what = "freed" if self.frames.last["kind"] == "visited" else "freed_by_name"
        told = say(f"story.{what}", names=", ".join(dict.fromkeys(saved)), node=bare(node))
        self.trace.amend(f" {told}" if saved else "")

    def accumulated(self, moment: Moment) -> None:
        event, (before, part, after) = moment.event, moment.copies
        box = self.scene.box_of(event.node, event.index)
        name, total = self.scene.name(box), sum_text(before, part, after)
        said, elements = say("story.accumulated", name=name, sum=total), None
        self.flow.arrive(box, after)
        if is_wrong := self._is_no_sum(before, part, after):
            right = sum_text(before, part, before + part)
            said = say("story.accumulated_wrong", name=name, part=brief(part), before=brief(before), right=right)
            total = brief(after)
            for number, arrow in enumerate(self.trace.edges):
                is_older = arrow["from"] == box and number != self.flow.arrow
                if is_older and self.trace.now.get((f"e{number}", "part")):
                    self.trace.change(f"e{number}", "lost", True)
        else:
            elements = arithmetic("map", [before, part], after, self.scene.value, template=PLUS)
            said += f" {say('story.rounding')}" if leaves_rounding(before, part, after) else ""
        self.frames.add(
            "accumulated", moment, box, hint=say("story.accumulated_next", name=name),
            say=said, equation=f"{self.flow.d(box)} = {total}", arithmetic=elements, wrong=is_wrong,
        )  # fmt: skip
        text = say("questions.adds", name=name, before=brief(before), part=brief(part), gradient=self.flow.d(box))
        hint = say("questions.adds_hint", name=name, loss=self.flow.loss)
        self._ask_for_the_sum(text, moment, "overwrites_in_flight", hint)

    def deposited(self, moment: Moment) -> None:
        event, (before, part, after) = moment.event, moment.copies
        box = self.scene.box_of(event.node)
        name = self.scene.name(box)
        self.flow.arrived.pop(box, None)
        self.flow.front.pop(box, None)
        self.trace.change(f"n{box}", "grad", None)
        self.trace.change(f"n{box}", "done", True)
        self.mail.filled(moment, box)
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
        if is_early := self.flow.runs_early(event.node, self.frames.number):
            said += [say("story.deposited_early"), say("story.right_waits")]
        elements = None
        if not (empty or is_lost):
            elements = arithmetic("map", [before, part], after, self.scene.value, template=PLUS)
        self.frames.add(
            "deposited", moment, box, equation=f"{name}.grad = {total}", say=" ".join(said), hint=hint,
            arithmetic=elements, wrong=is_lost or is_early,
        )  # fmt: skip
        if not self.flow.ran_early:
            self._ask_for_the_paths(event.node, name)
        if empty:
            hints = [say("questions.deposit_hint", name=name)]
            self.frames.ask(say("questions.deposit", name=name, part=brief(part)), after, hints=hints)
        else:
            text = say("questions.deposit_again", name=name, before=brief(before), part=brief(part))
            hint = say("questions.deposit_again_hint", name=name)
            self._ask_for_the_sum(text, moment, "overwrites_at_the_leaf", hint)

    # -- what is asked ---------------------------------------------------------------------------------------------

    def _ask_for_the_node(self, reached: list[int]) -> None:
        """Which node comes next, where it could be another than the one of which these are the outputs."""
        if self.flow.front.keys() - reached:
            names = ", ".join(map(self.scene.name, self.flow.front))
            hints = [say("questions.node_hint_order"), say("questions.node_hint_reached", names=names)]
            question = Question(kind="node", frame=self.flow.visited_in, text=say("answers.node"), hints=hints)
            self.frames.questions.append(question)

    def _ask_for_the_paths(self, node: Any, name: str, results: int = 1) -> None:
        """Along how many paths the gradient came, where there are several: to all results of the node together."""
        ways, told = self.flow.paths.of(node), {"loss": self.flow.loss, "name": name}
        if not 1 < ways.count <= FEW:
            return
        users = ", ".join(f"{self.flow.called[user]}: {count}" for user, count in ways.users.items())
        self.frames.questions.append(
            Number(
                kind="paths", frame=len(self.trace.frames) - 1, text=say("questions.paths", **told),
                answer=np.int64(ways.count),
                wrong=[
                    (np.int64(ways.uses), say("questions.counts_the_arrows")),
                    (np.int64(len(ways.nodes)), say("questions.counts_the_nodes")),
                ],
                hints=[
                    say("questions.paths_hint_way", **told),
                    say("questions.paths_hint_users", name=name, users=users, count=results),
                ],
            )
        )  # fmt: skip

    def _ask_for_the_sum(self, text: str, moment: Moment, fault: str, hint: str) -> None:
        """What becomes of a gradient and a part that is added to it."""
        before, part, after = moment.copies
        terms = elementwise(PLUS, [before, part], np.shape(after)) if are_whole(before, part, after) else None
        self.frames.ask(text, after, wrong=[(part, misconception(FAULTS[fault]))], terms=terms, hints=[hint])

    def _is_no_sum(self, before: Any, part: Any, after: Any) -> bool:
        """Whether two parts were not added, but something else became of them."""
        return are_whole(before, part, after) and not self.frames.elsewhere and differs(after, before + part)


def leaves_rounding(before: Any, part: Any, after: Any) -> bool:
    """Whether two parts cancel but for the last digit of their type, which nobody sees."""
    if not are_whole(before, part, after) or np.asarray(after).dtype.kind != "f":
        return False
    size = np.abs(np.asarray(after))
    return bool(np.any((size > 0) & (size <= 2 * np.finfo(size.dtype).eps * np.abs(np.asarray(before)))))


def seeds(moments: list[Moment]) -> dict[int, int]:
    """For each start of a backward, by number: from how many results this backward starts."""
    found: dict[int, int] = {}
    row: list[int] = []
    for number, moment in enumerate(moments):
        row = [*row, number] if isinstance(moment.event, events.Seeded) else []
        found |= dict.fromkeys(row, len(row))
    return found
