"""Grade what a class handed in: `python -m widgets.grade FOLDER`.

FOLDER has a folder for each learner, with notebooks or a progress file in it; a file that lies in FOLDER itself is a
learner of its own. Run it where your lessons are, beside their folder `exercises`; for the course, anywhere else.

Every answer is judged anew: what a file says of itself, that it is right, is not believed. Code runs in a fresh process
for each exercise, limited in time and memory. Two files are written: grades.csv, a line for each learner and question,
and grades.html, with a table of who thinks what, too.
"""

import argparse
import csv
import html
import os
import re
import secrets
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from minigrad.faults import Fault

from . import colours
from .lessons import exercises, values as documents
from .lessons.ask import phrase
from .lessons.coding import Code
from .lessons.handed_in import UNKNOWN, Answer, Check, HandedIn, Unusable
from .lessons.judging import Asked, Unreadable, Verdict, as_text, read
from .lessons.kinds import Question
from .lessons.observer import Job, called
from .lessons.process import run
from .words import in_html, misconception, say

LONGEST = 1000  # characters of an answer that is judged
MOST = 400  # of a text in a table
CHECKS = 5  # of one question, by one learner, that take a process each
SECONDS, MEGABYTES = 10, 1024  # for an expression that is no more than a number
STYLE = """
:root{color-scheme:light dark}
body{font:1rem/1.4 system-ui,sans-serif;color:var(--mg-ink);background:var(--mg-paper)}
body{margin:2rem auto;max-width:90rem;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}
caption{font-weight:bold;text-align:left}
th,td{border:1px solid var(--mg-constant);padding:.2rem .5rem;text-align:left;vertical-align:top}
.scroll{overflow-x:auto}
"""


class Row(NamedTuple):
    """What came of one question for one learner; the columns of the table.

    Args:
        right: "yes", "no", "shown" when the learner asked for the answer, or "not answered".
        misconception: what was wrong with the tries, in a sentence each.
    """

    who: str
    lesson: str
    question: str
    given: str
    tries: int
    right: str
    misconception: str
    hints: int


class Graded(NamedTuple):
    """All that is written.

    Args:
        thought: which learners were told a misconception, by lesson, question and sentence.
        lines: about what is not in the tables.
    """

    rows: list[Row]
    thought: dict[tuple[str, str, str], set[str]]
    lines: list[str]


# == what is there =================================================================================================


def files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Who handed in which file."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.is_symlink():
            inner = sorted(Path(place) / name for place, _, names in os.walk(path) for name in names)
            yield from ((path.name, one) for one in inner if ".ipynb_checkpoints" not in one.parts)
        else:
            yield path.name, path


def collected(folder: Path) -> tuple[dict[str, HandedIn], list[str], bool]:
    """What each learner handed in; a line for each file that is left out; and whether all others could be read."""
    people: dict[str, HandedIn] = defaultdict(HandedIn)
    lines, complete = [], True
    for who, path in files(folder):
        place = path.relative_to(folder)
        if path.suffix != ".ipynb" and path.name != "progress.json":
            lines.append(say("grade.left_out", file=place))
            continue
        found = HandedIn()
        try:
            found.read(path)
            if not found.lessons:
                lines.append(say("grade.no_answers", file=place))
        except Unusable as problem:
            lines.append(say("grade.unusable", file=place, problem=problem))
            complete = False
        people[who].join(found)
    return people, lines, complete


# == judging =======================================================================================================


def graded(people: dict[str, HandedIn]) -> Graded:
    """Judge all answers."""
    made = Graded([], defaultdict(set), [])
    here = {path.stem for place in exercises.folders() for path in place.glob("*.py")}
    for who, handed_in in people.items():
        for lesson, answers in sorted(handed_in.lessons.items()):
            if lesson in here:
                grade(made, who, lesson, answers)
            else:
                made.lines.append(say("grade.no_lesson", who=who, lesson=repr(lesson)))
    return made


def grade(made: Graded, who: str, lesson: str, answers: dict[tuple[str, int], Answer]) -> None:
    """A row for each question of the lesson, answered or not, and for each cousin that was asked."""
    questions = loaded(lesson)
    unknown = sorted({name for name, _ in answers} - questions.keys())
    if unknown:
        made.lines.append(say("grade.asks_no", who=who, lesson=lesson, names=", ".join(map(repr, unknown))))
    for name, question in questions.items():
        for seed in sorted({0} | {seed for other, seed in answers if other == name}):
            answer = answers.get((name, seed), Answer())
            if isinstance(question, Code):
                tries = [tried(lesson, name, check.guess, check.cells) for check in answer.checks[-CHECKS:]]
                if answer.given and not tries:
                    made.lines.append(say("grade.no_code", who=who, lesson=lesson, name=repr(name)))
            else:
                tries = list(typed(drawn(lesson, name, seed), answer))
            wrong = [verdict.says for _, verdict in tries if not verdict.right]
            for says in wrong:
                made.thought[lesson, name, known(question, says)].add(who)
            made.rows.append(
                Row(
                    who=who,
                    lesson=lesson,
                    question=say("grade.cousin", question=name, seed=seed) if seed else name,
                    given=tries[-1][0] if tries else "",
                    tries=max(len(tries), len(answer.given)),
                    right=came_to(answer, [verdict.right for _, verdict in tries]),
                    misconception=" ".join(dict.fromkeys(says or say("grade.another") for says in wrong)),
                    hints=answer.hints,
                )
            )


@cache
def loaded(lesson: str) -> dict[str, Question]:
    return exercises.questions(lesson)


@cache
def drawn(lesson: str, name: str, seed: int) -> Asked:
    return loaded(lesson)[name].asked(lesson, name, seed)


def typed(asked: Asked, answer: Answer) -> Iterator[tuple[str, Verdict]]:
    """Each try that can be read, and what is said of it. What a cell checks is one, if it has not been tried before."""
    texts = list(answer.given)
    values = [check.value for check in answer.checks if check.value is not UNKNOWN]
    if not texts:
        values += [evaluated(check) for check in answer.checks[-CHECKS:] if check.value is UNKNOWN]
    for value in values:
        with suppress(Unreadable):
            texts.append(as_text(asked, value))
    seen = []
    for number, text in enumerate(texts):
        try:
            if len(text) > LONGEST:
                continue
            given = read(asked.kind, text)
            if number < len(answer.given) or given not in seen:
                yield phrase(asked, text), asked.judge(text)
            seen.append(given)
        except (ValueError, IndexError):  # it cannot be read, or is no option
            continue


def evaluated(check: Check) -> Any:
    """What an expression of a learner's cell gives, in a process of its own."""
    cells = [*check.cells, f"def answer():\n    return ({check.guess}\n)"]
    steps = [(called, ())]
    try:
        ran = run(Job(secrets.token_hex(8), "answer", cells, {}, steps, [[]], SECONDS, MEGABYTES))
        return documents.read(ran.outcomes[0]["done"]["result"])
    except Exception:  # it raised; or it wrote what it liked, and stops nobody else's
        return None


@cache
def tried(lesson: str, name: str, guess: str, cells: tuple[str, ...]) -> tuple[str, Verdict]:
    """An exercise in code, tried: the same one of several learners, such as the empty one, only once."""
    question = loaded(lesson)[name]
    assert isinstance(question, Code)
    try:
        verdict: Verdict = question.judge_source([*cells, f"{question.name} = ({guess}\n)"])
    except Exception as error:  # the learner's process may have written what it liked; it stops nobody else's
        verdict = Verdict(False, say("grade.not_judged", error=repr(error)))
    return "\n".join(cells), verdict


def known(question: Question, says: str) -> str:
    """The misconception in what is said of a wrong answer; of code more is said than that."""
    if not isinstance(question, Code):
        return says or say("grade.another")
    sentences = [misconception(one) if isinstance(one, Fault) else one.says for one in question.mistakes]
    return next((one for one in sentences if one in says), say("grade.another"))


def came_to(answer: Answer, right: list[bool]) -> str:
    if answer.shown:
        return "shown"
    return "yes" if any(right) else "no" if right else "not answered"


# == writing =======================================================================================================


def plain(text: str) -> str:
    """Text from a stranger in one line: without what moves a cursor, turns letters around, or cannot be written."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line if len(line) <= MOST else line[: MOST - 1] + "…"


def for_csv(value: Any) -> str:
    """What a spreadsheet would take for a formula begins with an apostrophe, which it hides; a number may stay."""
    text = plain(str(value))
    return f"'{text}" if re.match(r"[=@]|[+-](?![0-9.e+-]+$)", text) else text


def write_csv(path: Path, rows: list[Row]) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as file:  # the mark tells a spreadsheet that it is UTF-8
        writer = csv.writer(file)
        writer.writerow(Row._fields)
        writer.writerows([for_csv(value) for value in row] for row in rows)


def write_page(path: Path, made: Graded) -> None:
    thought = sorted(((*key, len(who)) for key, who in made.thought.items()), key=lambda one: (*one[:2], -one[3]))
    lines = "".join(f"<li>{html.escape(plain(line))}</li>" for line in made.lines)
    parts = [
        f'<!doctype html><html lang="{say("language.code")}"><head><meta charset="utf-8">',
        f"<title>{in_html('grade.title')}</title>",
        """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">""",
        '<meta name="viewport" content="width=device-width">',
        f"<style>{colours.css()}{STYLE}</style></head><body><h1>{in_html('grade.title')}</h1>",
        table(in_html("grade.thoughts"), ("lesson", "question", "misconception", "learners"), thought),
        table(in_html("grade.answers"), Row._fields, map(in_words, made.rows)),
        f"<h2>{in_html('grade.not_in_tables')}</h2><ul>{lines}</ul>" if lines else "",
        "</body></html>\n",
    ]
    path.write_text("".join(parts), encoding="utf-8")


def in_words(row: Row) -> Row:
    """A row as the page shows it."""
    return row._replace(right=say(f"came_to.{row.right.replace(' ', '_')}"))


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    head = "".join(f'<th scope="col">{in_html(f"columns.{head}")}</th>' for head in heads)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(plain(str(one)))}</td>' for one in row)}</tr>" for row in rows)
    return f'<div class="scroll"><table><caption>{caption}</caption><tr>{head}</tr>{body}</table></div>'


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 1 if a file could not be read."""
    parser = argparse.ArgumentParser(prog="python -m widgets.grade", description=f"{__doc__}".partition("\n")[0])
    parser.add_argument("folder", type=Path, help="with a folder of notebooks or a progress.json for each learner")
    parser.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="where grades.csv and grades.html go")
    given = parser.parse_args(arguments)
    folder = given.folder.resolve()
    if not folder.is_dir():
        parser.error(f"there is no folder {given.folder}")
    if Path.cwd().is_relative_to(folder):
        parser.error("run it from outside of the folder: what was handed in could take the place of a module")
    people, lines, complete = collected(folder)
    made = graded(people)
    made.lines[:0] = lines
    given.out.mkdir(parents=True, exist_ok=True)
    tables = given.out / "grades.csv", given.out / "grades.html"
    write_csv(tables[0], made.rows)
    write_page(tables[1], made)
    for line in made.lines:
        print(plain(line))
    csv_file, page = tables
    print(say("grade.done", learners=len(people), answers=len(made.rows), csv=csv_file, page=page))
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
