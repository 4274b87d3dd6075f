"""Write notebooks/index.ipynb: the map of the course, and where each name, idea and misconception is met.

    .venv/bin/python docs/make_index.py

Everything is read from the lessons: the map from their titles and last sentences, the names from their code, the ideas
from what they print in bold, the misconceptions from what their questions tell who is wrong.
"""

import ast
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import minigrad as mg
from minigrad.autograd.function import FunctionCtx
from minigrad.autograd.graph import Node
from minigrad.faults import FAULTS, Fault
from widgets.course import INDEX, ORIGINALS
from widgets.lessons import exercises

HEAD = """# minigrad: the course

Each lesson is one idea, in 20 to 35 minutes with its exercises; lesson 22, where you build an engine, takes an hour.
Open one, and run its cells from above with Shift+Enter. They build on one another from top to bottom; whoever knows
PyTorch may begin anywhere."""
YOURS = """## These notebooks are yours

They are copies in a folder of your own: what you write stays, and nothing overwrites it. Run the next cell to see how
far you are, to compare a lesson with the original, or to start it afresh; what you had is kept under another name."""
NAMES = "## Where is …?\n\nPyTorch's names, and the lesson that uses each first.\n\n"
IDEAS = "## What is …?\n\nThe ideas in a sentence each, and the lesson that explains them.\n\n"
WRONG = "## What is often believed\n\nAnd the lesson that shows it to be wrong.\n\n"
CODE = "from widgets.lessons import overview\n\noverview.show()"
MODULES = {"mg": "", "torch": "", "nn": "nn.", "F": "nn.functional.", "optim": "optim."}
OURS = ("autograd.walk", "explain")  # PyTorch has no such names
# What is made in these ways is an array of NumPy's, a node or a run: its methods are not those of a tensor.
NO_TENSOR = re.compile(r"\bnp\.|\.numpy\(\)|grad_fn|next_functions|\brecord\(")
NO_IDEA = re.compile(r"[.:,?!]|^\W|^(Try|Next|In one|A |The |Write|Your)|\d")


class Place(NamedTuple):
    """Where something stands: a lesson, and the heading above it."""

    lesson: Path
    heading: str

    def link(self) -> str:
        anchor = f"#{self.heading.replace(' ', '-')}" if self.heading else ""
        return f"[{number(self.lesson)}]({self.lesson.name}{anchor})"


def lessons() -> list[Path]:
    """The lessons in their order."""
    return sorted(path for path in ORIGINALS.glob("*.ipynb") if path.name != INDEX)


def number(lesson: Path) -> int:
    return int(lesson.name.partition("_")[0])


def cells(lesson: Path) -> list[tuple[str, str, Place]]:
    """The kind, source and place of each cell."""
    heading, found = "", []
    for cell in json.loads(lesson.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        headings = re.findall(r"^#+ (.+)$", source, re.MULTILINE) if cell["cell_type"] == "markdown" else []
        heading = headings[0] if headings else heading
        found.append((cell["cell_type"], source, Place(lesson, heading)))
    return found


def the_map() -> str:
    rows = ["| lesson | the idea |", "|---|---|"]
    for lesson in lessons():
        prose = "\n".join(source for kind, source, _ in cells(lesson) if kind == "markdown")
        title = re.search(r"^# (.+)$", prose, re.MULTILINE)
        idea = re.search(r"\*\*In one sentence:\*\*\s*(.+?)(?=\n\n|\Z)", prose, re.DOTALL)
        if title is None or idea is None:
            raise ValueError(f"{lesson.name} needs a title, and a paragraph that begins **In one sentence:**")
        sentence = " ".join(idea[1].split())
        rows.append(f"| [{title[1]}]({lesson.name}) | {sentence[0].upper()}{sentence[1:]} |")
    return "\n".join(rows)


def names() -> dict[str, Place]:
    """PyTorch's names in the code of the lessons, and where each is met first."""
    found: dict[str, Place] = {}
    for lesson in lessons():
        others: set[str] = set()
        for kind, source, place in cells(lesson):
            if kind == "code":
                program = ast.parse(re.sub(r"^\s*%%?.*$", "", source, flags=re.MULTILINE))
                others |= no_tensors(program)
                for name in filter(None, (called(node, others) for node in ast.walk(program))):
                    found.setdefault(name, place)
    return dict(sorted(found.items(), key=lambda item: item[0].lower()))


def no_tensors(program: ast.AST) -> set[str]:
    """The names in a program that hold something else: modules, arrays of NumPy's, nodes, runs."""
    found = set()
    for node in ast.walk(program):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names} - {*MODULES}
        elif isinstance(node, ast.Assign) and NO_TENSOR.search(ast.unparse(node.value)):
            found |= names_in(*node.targets)
        elif isinstance(node, ast.comprehension | ast.For) and NO_TENSOR.search(ast.unparse(node.iter)):
            found |= names_in(node.target)
        elif isinstance(node, ast.With):
            found |= names_in(*(item.optional_vars for item in node.items if item.optional_vars))
    return found


def names_in(*nodes: ast.AST) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def called(node: ast.AST, others: set[str]) -> str | None:
    """What PyTorch calls a name in a program; None if it is none of PyTorch's. `others` hold no tensors."""
    if not isinstance(node, ast.Attribute) or node.attr.startswith("__"):
        return None
    path = ast.unparse(node)
    root = re.match(r"\w*", path)[0]
    if root in MODULES and re.fullmatch(r"[\w.]+", path):
        name = MODULES[root] + path.partition(".")[2]
        return name if name not in OURS and has(mg, name) else None
    if root == "ctx":
        return path if has(FunctionCtx, node.attr) else None
    of_a_node = hasattr(Node, node.attr) and (not hasattr(mg.Tensor, node.attr) or ".grad_fn." in path)
    if node.attr.startswith("_saved_") or of_a_node:
        return f"grad_fn.{node.attr}" if root != "tf" else None
    if root in others or isinstance(node.value, ast.Attribute) and not hasattr(mg.Tensor, node.value.attr):
        return None
    return f"Tensor.{node.attr}" if hasattr(mg.Tensor, node.attr) else None


def has(owner: Any, path: str) -> bool:
    for part in path.split("."):
        owner = getattr(owner, part, None)
    return owner is not None


def ideas() -> dict[str, Place]:
    """What is printed in bold, and where it is first."""
    found: dict[str, Place] = {}
    for lesson in lessons():
        for kind, source, place in cells(lesson):
            if kind == "markdown":
                for idea in re.findall(r"\*\*([^*\n]+)\*\*", source):
                    if not NO_IDEA.search(idea) and len(idea.split()) <= 4:
                        found.setdefault(idea, place)
    return dict(sorted(found.items(), key=lambda item: item[0].lower()))


def misconceptions() -> dict[str, Place]:
    """What the questions tell those who are wrong about the engine, and where they are asked."""
    found: dict[str, Place] = {}
    for lesson in lessons():
        if lesson.stem not in exercises.names():
            continue
        for name, question in exercises.questions(lesson.stem).items():
            place = next(place for _, source, place in cells(lesson) if f'"{name}"' in source)
            for mistake in [*question.mistakes, *getattr(question, "detects", ())]:
                if isinstance(mistake, Fault):
                    found.setdefault(mistake.misconception, place)
        text = lesson.read_text(encoding="utf-8")
        for name, fault in FAULTS.items():
            if f"faults.{name}" in text:
                place = next(place for _, source, place in cells(lesson) if f"faults.{name}" in source)
                found.setdefault(fault.misconception, place)
        for sentence, cell in exercises.misconceptions(lesson.stem).items():
            found.setdefault(sentence, Place(lesson, cell))
    return found


def glossary() -> dict[str, str]:
    """The sentence for each idea."""
    text = (Path(__file__).parent / "glossary.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^- \*\*(.+?)\*\*: (.+)$", text, re.MULTILINE))


def notebook() -> dict[str, Any]:
    sentences, explained = glossary(), ideas()
    meant = "\n".join(
        f"- **{idea}**: {sentences[idea]} ({explained[idea].link()})" for idea in sentences if idea in explained
    )
    used = " · ".join(f"`{name}` {place.link()}" for name, place in names().items())
    believed = "\n".join(f"- {sentence} ({place.link()})" for sentence, place in misconceptions().items())
    parts = [
        ("title", f"{HEAD}\n\n{the_map()}"),
        ("yours", YOURS),
        ("tools", None),
        ("names", NAMES + used),
        ("ideas", IDEAS + meant),
        ("wrong", WRONG + believed),
    ]
    return {"cells": [cell(name, text) for name, text in parts], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}


def cell(name: str, text: str | None) -> dict[str, Any]:
    kept = {"id": name, "metadata": {}}
    if text is None:
        source = CODE.splitlines(keepends=True)
        return kept | {"cell_type": "code", "execution_count": None, "outputs": [], "source": source}
    return kept | {"cell_type": "markdown", "source": text.splitlines(keepends=True)}


if __name__ == "__main__":
    (ORIGINALS / INDEX).write_text(json.dumps(notebook(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
