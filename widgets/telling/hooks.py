"""How hooks are told: what a function of the user's saw of a gradient, and what it put in its place."""

from typing import Any

import numpy as np

from minigrad.words.source import is_ours

from ..recording.moments import Moment
from ..words import say
from .frames import Teller
from .trace import brief
from .words import bare


class Hooks(Teller):
    """Tells of hooks."""

    def called(self, moment: Moment) -> None:
        event, (before, after) = moment.event, moment.copies
        box = self.scene.box_of(event.node)
        who, names = who_hears(event.hook)
        names |= {"name": self.scene.name(box), "node": bare(event.node)}
        after_rule = "_sent" if event.kind == "post" else ""
        if event.kind == "retain_grad":
            self.trace.change(f"n{box}", "box", self.scene.value(after))
            said = say("story.retained", name=names["name"], value=brief(after))
        elif event.kind == "accumulated" or event.kind == "post" and event.node.is_leaf:
            said = say(f"story.{who}_hears", **names)
        else:
            self.flow.hooked |= event.kind == "post"
            arrived = {"tensor": (after,), "pre": after}.get(event.kind, ())
            for index, one in enumerate(arrived):
                if one is not None:
                    self.flow.arrive(self.scene.box_of(event.node, index) if event.kind == "pre" else box, one)
            seen, kept = [one if isinstance(one, tuple) else (one,) for one in (before, after)]
            if any(one is not None and not np.array_equal(old, one) for old, one in zip(seen, kept)):
                said = say(f"story.{who}_replaced{after_rule}", **names, seen=in_a_row(seen), kept=in_a_row(kept))
            else:
                said = say(f"story.{who}_saw{after_rule}", **names, seen=in_a_row(seen))
        self.frames.add("hook", moment, box, hint=say(f"story.{who}_next", **names), say=said)


def who_hears(hook: Any) -> tuple[str, dict[str, str]]:
    """Who is said to be called: the beginning of a sentence's name, and the function's own, if it is the user's."""
    function, code = getattr(hook, "__name__", ""), getattr(hook, "__code__", None)
    is_theirs = function.isidentifier() and not (code and is_ours(code.co_filename))
    return ("hook", {"hook": f"{function}()"}) if is_theirs else ("a_hook", {})


def in_a_row(gradients: tuple) -> str:
    return ", ".join("–" if one is None else brief(one) for one in gradients)
