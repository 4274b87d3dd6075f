"""Answers as they are handed in: what notebooks and progress files hold. Nothing in them is run, and nothing believed.

>>> handed_in = HandedIn()
>>> handed_in.read_cells(['lesson = Lesson("own")', "import math\\ntwo = 2", 'lesson.check("slope", two)'])
>>> handed_in.lessons["own"]["slope", 0].checks
[Check(guess='two', value=2, cells=('two = 2',))]
"""

import ast
import json
import re
import stat
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema

from ..words import say
from .observer import MAGIC
from .progress import ANSWERS

MOST = 50_000_000  # bytes of a file
MOST_CODE = 1_000_000  # characters in the cells of a notebook
SCHEMA = json.loads(Path(__file__).with_name("answers.schema.json").read_text(encoding="utf-8"))


class Unusable(ValueError):
    """A file that cannot be read; the message goes on after its name."""


class Check(NamedTuple):
    """A `check("question", guess)` in a cell.

    Args:
        guess: what was given, as an expression.
        value: what it is, where that stands in a cell as a number, a text or a list.
        cells: those lines of the cells before that define the names in the expression.
    """

    guess: str
    value: Any
    cells: tuple[str, ...]


UNKNOWN = object()  # a value that only the cells' code would tell


@dataclass
class Answer:
    """What a learner gave to a question.

    Args:
        given: what was typed, try for try.
        hints: how many were seen.
        shown: whether the answer was asked for.
    """

    given: list[str] = field(default_factory=list)
    hints: int = 0
    shown: bool = False
    checks: list[Check] = field(default_factory=list)

    def join(self, other: "Answer") -> None:
        """The same question in another place: the longer list of tries has the shorter one in it."""
        self.given = max(self.given, other.given, key=len)
        self.hints = max(self.hints, other.hints)
        self.shown |= other.shown
        self.checks += [one for one in other.checks if one not in self.checks]


class HandedIn:
    """All that a learner handed in.

    Attributes:
        lessons: the answers of each lesson, by question and seed.
    """

    def __init__(self) -> None:
        self.lessons: dict[str, dict[tuple[str, int], Answer]] = defaultdict(dict)

    def read(self, path: Path) -> None:
        """Add what is in a file."""
        try:
            about = path.lstat()
            if not stat.S_ISREG(about.st_mode):
                raise Unusable(say("handed_in.link"))
            if about.st_size > MOST:
                raise Unusable(say("handed_in.large", size=MOST // 10**6))
            document = json.loads(path.read_bytes())
        except OSError as error:
            raise Unusable(say("handed_in.closed", why=error.strerror)) from None
        except Unusable:
            raise
        except (ValueError, RecursionError, MemoryError):
            raise Unusable(say("handed_in.no_json")) from None
        if fits("progress", document):
            self.read_progress(document["lessons"])
        elif fits("notebook", document):
            self.read_notebook(document["cells"], path.stem)
        else:
            raise Unusable(say("handed_in.something_else"))

    def read_progress(self, lessons: dict[str, Any]) -> None:
        for lesson, questions in lessons.items():
            for question, seeds in questions.items():
                for seed, entry in seeds.items():
                    self.add(lesson, question, int(seed), told(entry))

    def read_notebook(self, cells: list[dict[str, Any]], name: str) -> None:
        """What the outputs keep, and what the cells check; `name` is the lesson's if nothing in it says another."""
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        kept = [output.get("data", {}).get(ANSWERS) for cell in code for output in cell.get("outputs", [])]
        damaged = False
        for data in filter(None, kept):
            if fits("asked", data):
                self.add(data["lesson"], data["name"], int(data["seed"]), told(data))
            elif fits("summary", data):
                for lesson, questions in data.items():
                    for question, entry in questions.items():
                        self.add(lesson, question, 0, told(entry))
            else:
                damaged = True
        sources = ["".join(cell["source"]) for cell in code]
        if sum(map(len, sources)) > MOST_CODE:
            raise Unusable(say("handed_in.much_code", size=MOST_CODE // 10**6))
        self.read_cells(sources, *([name] if len(self.lessons) != 1 else self.lessons))
        if damaged:
            raise Unusable(say("handed_in.damaged_answer"))

    def read_cells(self, sources: list[str], lesson: str = "") -> None:
        """The lessons that the cells begin, and what they check."""
        cells = Cells()
        for source in sources:
            for called, name, guess in cells.calls(source):
                if called == "Lesson":
                    lesson = name
                    self.lessons[lesson]
                elif guess is not None and not cells.is_open(guess):
                    self.add(lesson, name, 0, Answer(checks=[cells.check(guess)]))

    def join(self, other: "HandedIn") -> None:
        for lesson, answers in other.lessons.items():
            self.lessons[lesson]
            for (question, seed), answer in answers.items():
                self.add(lesson, question, seed, answer)

    def add(self, lesson: str, question: str, seed: int, answer: Answer) -> None:
        self.lessons[lesson].setdefault((question, seed), Answer()).join(answer)


def fits(kind: str, document: Any) -> bool:
    """Whether a document is of a kind that answers.schema.json describes."""
    return jsonschema.Draft202012Validator(SCHEMA | {"$ref": f"#/$defs/{kind}"}).is_valid(document)


def told(entry: dict[str, Any]) -> Answer:
    return Answer([one["given"] for one in entry["tries"]], int(entry["hints"]), entry["outcome"] == "shown")


# == what stands in the cells ======================================================================================


class Statement(NamedTuple):
    """A statement of a cell.

    Args:
        lines: where it stands: the number of the cell, the first line and the last.
    """

    tree: ast.stmt
    lines: tuple[int, int, int]


class Cells:
    """The cells of a notebook, in their order: read, and never run."""

    def __init__(self) -> None:
        self.texts: list[list[str]] = []
        self.broken: list[int] = []  # the numbers of those that are no Python
        self.defining: dict[str, list[Statement]] = defaultdict(list)

    def calls(self, source: str) -> Iterator[tuple[str, str, ast.expr | None]]:
        """Add a cell; what it calls with a text first: the function's name, the text, and the second argument."""
        text = MAGIC.sub(r"\1pass", re.sub(r"\r\n?", "\n", source))
        number = len(self.texts)
        self.texts.append(text.split("\n"))
        try:
            trees = ast.parse(text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.broken.append(number)
            return
        for tree in trees:
            first = min([tree.lineno, *(one.lineno for one in getattr(tree, "decorator_list", []))])
            for name in defined(tree):
                self.defining[name].append(Statement(tree, (number, first, tree.end_lineno or first)))
        for call in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)):
            match [*call.args, *(keyword.value for keyword in call.keywords)]:
                case [ast.Constant(value=str(name)), *more]:
                    called = getattr(call.func, "attr", getattr(call.func, "id", ""))
                    yield called, name, more[0] if called == "check" and more else None

    def check(self, guess: ast.expr) -> Check:
        """What is checked in the last cell."""
        text = ast.get_source_segment("\n".join(self.texts[-1]), guess) or ""
        return Check(text, self.value(guess), self.needed_by(guess))

    def value(self, guess: ast.expr) -> Any:
        """A number, text or list as it stands here; or the one that last got this name."""
        if isinstance(guess, ast.Name) and self.defining[guess.id]:
            last = self.defining[guess.id][-1].tree
            if not isinstance(last, ast.Assign) or not isinstance(last.targets[0], ast.Name):
                return UNKNOWN
            guess = last.value
        try:
            return ast.literal_eval(guess)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            return UNKNOWN

    def is_open(self, guess: ast.expr) -> bool:
        """Whether nothing has been put in place of None or of three dots yet, in a function that is needed, too."""
        if isinstance(guess, ast.Name) and self.defining[guess.id]:
            last = [self.defining[name][-1].tree for name in self.names_needed_by(guess) if self.defining.get(name)]
            functions = [tree for tree in last if isinstance(tree, ast.FunctionDef)]
            return any(map(is_stub, [self.defining[guess.id][-1].tree, *functions]))
        return is_stub(guess)

    def names_needed_by(self, guess: ast.expr) -> set[str]:
        """The names of an expression, and those that what defines them needs."""
        wanted, known = names_in(guess) | {"*"}, set[str]()
        while wanted:
            name = wanted.pop()
            known.add(name)
            for tree, _ in self.defining.get(name, []):
                wanted |= names_in(tree) - known
        return known

    def needed_by(self, guess: ast.expr) -> tuple[str, ...]:
        """The lines that define the names that an expression needs; a text for each cell."""
        known = self.names_needed_by(guess)
        lines: set[tuple[int, int]] = set()
        for name in known:
            for _, (cell, first, last) in self.defining.get(name, []):
                lines |= {(cell, line) for line in range(first - 1, last)}
        for cell in self.broken:  # the learner is told why
            if known & set(re.findall(r"\w+", "\n".join(self.texts[cell]))):
                lines |= {(cell, line) for line in range(len(self.texts[cell]))}
        cells = sorted({cell for cell, _ in lines})
        return tuple("\n".join(self.texts[one][line] for cell, line in sorted(lines) if cell == one) for one in cells)


def is_stub(tree: ast.AST) -> bool:
    """Whether it is None or three dots, or a function of which no more is written; of a rule, one of its methods."""
    match tree:
        case ast.Constant(value=value):
            return value in (None, ...)
        case ast.Assign(value=value):
            return is_stub(value)
        case ast.FunctionDef(body=body):
            return all(isinstance(one, ast.Pass) or is_constant(one) for one in body)
        case ast.ClassDef(body=body):
            return any(is_stub(one) for one in body if isinstance(one, ast.FunctionDef))
    return False


def is_constant(statement: ast.stmt) -> bool:
    """A docstring, or three dots."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def names_in(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def defined(tree: ast.stmt) -> set[str]:
    """The names that a statement defines or adds to; a star stands for those that nobody knows."""
    if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {tree.name}
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    found |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for target in ast.walk(tree):  # Value.tanh = tanh
        if isinstance(target, ast.Attribute) and isinstance(target.ctx, ast.Store):
            found |= names_in(target)
    aliases = [node for node in ast.walk(tree) if isinstance(node, ast.alias)]
    return found | {alias.asname or alias.name.partition(".")[0] for alias in aliases}
