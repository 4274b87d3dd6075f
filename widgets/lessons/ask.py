"""A question in a notebook: a widget while there is a kernel, a page in a frame where there is none (../places.py).

>>> from widgets.lessons import choice
>>> question = choice("Which is larger?", ["1", "2"], answer="2")
>>> ask = Ask(question.asked("numbers", "larger"))
>>> ask
Asked: Which is larger? To choose from: 1; 2. Not answered yet.
>>> ask.tries, ask.outcome = [{"given": "1", "right": True, "says": ""}], "right"
>>> ask
Which is larger? Your answer 2: right.
"""

import html
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import traitlets

from .. import colours, places, web
from ..showing.page import DATA, PAGE_STYLE, document, packed
from ..words import listed, say
from .judging import Asked
from .kinds import short
from .progress import ANSWERS, Entry

MODULES = "words", "elements", "model", "places", "judging", "fields", "ask"  # each after those that it imports
FRAME_STYLE = "body{padding:1px}.mg-still{margin:0}"  # in a notebook's frame


class Ask(places.Placed):
    """Asks one question. It is judged in the browser; the traits tell what was answered.

    Attributes:
        question: all about it, packed, so that nobody reads an answer by chance.
        tries: what was answered, in order: `{"given", "right", "says"}`.
        hints: how many were seen.
        outcome: "right"; "shown", when the learner asked for the answer; "" before.
    """

    _css = colours.css() + (Path(web.__file__).parent / "ask.css").read_text(encoding="utf-8")
    question = traitlets.Unicode().tag(sync=True)
    tries: traitlets.List = traitlets.List().tag(sync=True)
    hints = traitlets.Int(0).tag(sync=True)
    outcome = traitlets.Enum(["", "right", "shown"], "").tag(sync=True)

    @property
    def _esm(self) -> str:
        """The modules, with the words of the language that is spoken now."""
        return web.joined(MODULES)

    def __init__(self, asked: Asked, remember: Callable[[Entry], None] = lambda entry: None, **entry: Any) -> None:
        super().__init__(question=packed(asked.document()), **entry)
        self.asked, self._remember = asked, remember
        self.observe(self._answered, list(self.entry()))

    def _answered(self, change: Any) -> None:
        """Remember it, and only then show that: cells may run meanwhile, in another thread."""
        self._remember(self.entry())
        self.keep(self.output())

    def entry(self) -> Entry:
        """What was answered, as the progress file keeps it."""
        return {"tries": self.tries, "hints": self.hints, "outcome": self.outcome}

    def follow(self, entry: Entry) -> None:
        """Show what was answered elsewhere."""
        with self.hold_trait_notifications():
            for name, value in entry.items():
                self.set_trait(name, value)

    def words(self) -> str:
        """What is asked, and what was answered."""
        given, prompt = [phrase(self.asked, one["given"]) for one in self.tries], self.asked.prompt
        if self.outcome == "shown":
            return say("answered.shown", prompt=prompt, answer=self.asked.shown)
        if self.outcome == "right":
            first = [one["right"] for one in self.tries].index(True)
            if first:
                return say("answered.right_after", prompt=prompt, given=given[first], before=listed(given[:first]))
            return say("answered.right", prompt=prompt, given=given[first])
        if given:
            return say("answered.wrong", prompt=prompt, given=listed(given))
        if self.asked.options:
            prompt = say("answered.offers", prompt=prompt, options="; ".join(self.asked.options))
        return say("answered.not_yet", prompt=prompt)

    def __repr__(self) -> str:
        return self.words()

    def output(self) -> dict[str, Any]:
        """What the notebook keeps beside the place: the words, and the answers for those who collect them."""
        entry, said = self.entry(), html.escape(self.words())
        if not any(entry.values()):
            return {"text/plain": self.words(), "text/html": f"<p>{said}</p>"}
        marks = f'data-answers-of="{self.place}" data-answers="{html.escape(json.dumps(entry))}"'
        about = {"lesson": self.asked.lesson, "name": self.asked.name, "seed": self.asked.seed}
        return {"text/plain": self.words(), "text/html": f"<p {marks}>{said}</p>", ANSWERS: about | entry}

    def kept(self) -> tuple[tuple[dict[str, Any], dict[str, Any]], str]:
        """The words, and the place, with a page that asks the same."""
        body = place(self.asked, **self.entry())
        look, script = f"{self._css}{PAGE_STYLE}{FRAME_STYLE}", f"{self._esm}\nmountAsks(document);\n"
        page = document(self.asked.prompt, body, look, script)
        return (self.output(), {}), places.place(self.place, say("ask.question", prompt=self.asked.prompt), page, 200)


def phrase(asked: Asked, given: str) -> str:
    """An answer as a person would say it."""
    if asked.kind in ("choice", "order"):
        return ", ".join(asked.options[int(i)] for i in given.split(","))
    if asked.kind == "picture":
        return f"{asked.picture['label']} = {short(asked.picture['places'][int(given)])}"
    return given


def place(asked: Asked, **entry: Any) -> str:
    """Where a page has a question: its data, beside what is read where no script runs."""
    prompt, data = html.escape(asked.prompt), packed({"question": asked.document(), **entry})
    return f'<div class="mg-ask"><p class="mg-still">{prompt}</p>{DATA.format(data)}</script></div>'
