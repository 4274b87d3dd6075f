"""The course as a learner has gone it: what was opened, answered, right at the first try; and what to do with it.

from widgets.lessons import overview
overview.show()
"""

import html
from collections.abc import Callable
from typing import Any, NamedTuple

from .. import course
from ..words import in_html, say
from . import exercises, progress
from .lesson import Lesson


class Row(NamedTuple):
    """How far a learner is in one lesson."""

    lesson: str
    opened: bool
    asked: int
    answered: int
    first: int


def rows() -> list[Row]:
    """The lessons in their order."""
    known, found = progress.read(), []
    for lesson in lessons():
        entries = [seeds["0"] for seeds in known.get(lesson, {}).values() if "0" in seeds]
        asked = len(exercises.questions(lesson)) if lesson in exercises.names() else 0
        answered = [entry for entry in entries if entry["outcome"]]
        first = sum(map(progress.right_at_first, answered))
        found.append(Row(lesson, lesson in known, asked, len(answered), first))
    return found


def lessons() -> list[str]:
    return [original.stem for original in course.originals() if original.name != course.INDEX]


def review(lesson: str) -> None:
    """Ask again what was wrong in a lesson, with other numbers."""
    Lesson(lesson).review()


def forget(lesson: str) -> None:
    """Forget the answers to a lesson's questions."""
    progress.reset(lesson)
    print(say("overview.forgotten", lesson=lesson))


def export() -> None:
    """Say where the file is that holds all answers."""
    print(say("overview.where", file=progress.path()))


class Overview:
    """The table, and buttons: choose a lesson, then what to do with it."""

    actions: dict[str, Callable[[str], Any]] = {
        "review": review,
        "compare": course.compare,
        "afresh": course.afresh,
        "forget": forget,
    }

    def __repr__(self) -> str:
        return say("overview.title", count=len(lessons()))

    def table(self) -> str:
        """What was done so far, as HTML."""
        body = "".join(self.line(row) for row in rows())
        head = "".join(f"<th>{in_html(f'overview.{name}')}</th>" for name in ("lesson", "opened", "answered", "first"))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def line(self, row: Row) -> str:
        name = html.escape(row.lesson.replace("_", " "))
        link = f'<a href="{html.escape(row.lesson)}.ipynb">{name}</a>'
        answered = say("overview.of", answered=row.answered, asked=row.asked) if row.asked else "–"
        cells = (link, say("overview.yes") if row.opened else "–", answered, str(row.first) if row.answered else "–")
        return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"

    def _ipython_display_(self) -> None:
        import ipywidgets

        from ..places import Inside

        options = {"layout": {"width": "auto"}}
        table, said = ipywidgets.HTML(self.table()), ipywidgets.Output()
        choice = ipywidgets.Dropdown(options=lessons(), description=say("overview.choice"), **options)

        def pressing(action: Callable[[str], Any]) -> Callable[[Any], None]:
            def pressed(_button: Any) -> None:
                said.clear_output()
                with said:
                    action(choice.value)
                table.value = self.table()

            return pressed

        buttons = []
        for name, action in (self.actions | {"export": lambda lesson: export()}).items():
            button = ipywidgets.Button(description=say(f"overview.{name}_button"), **options)
            button.on_click(pressing(action))
            buttons.append(button)
        box = ipywidgets.VBox([table, ipywidgets.HBox([choice, *buttons], layout={"flex_flow": "row wrap"}), said])
        Inside(box, ({"text/plain": repr(self)}, {}))._ipython_display_()


def show() -> Overview:
    """What a notebook shows as a table and buttons."""
    return Overview()
