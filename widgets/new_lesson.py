"""Begin a lesson: `python -m widgets.new_lesson NAME [FOLDER]`.

Three files are written, and nothing is written over: NAME.ipynb, a notebook that was run; exercises/NAME.py, what it
asks; and conftest.py, so that `pytest --nbval NAME.ipynb` compares what the notebook shows with what is stored. They
are about y = a·a, and are there to be changed.

With --nbgrader, the exercise in code is a pair of cells that nbgrader grades.
"""

import argparse
import re
import runpy
import shutil
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from .course import ASKED, ORIGINALS

EXERCISES = '''"""What {name} asks. An answer is computed, so it is right; a mistake is what leads to a wrong one."""

import minigrad as mg
from minigrad import faults
from widgets.lessons import Mistake, code, number


def slope(a):
    a = mg.tensor(a, requires_grad=True)
    (a * a).backward()
    return a.grad


QUESTIONS = {{
    "slope": number(
        "How steep is y = a·a at a = {{a}}?",
        answer=slope,
        given={{"a": [3.0, 4.0, -5.0, 0.5]}},  # the first is the lesson's; the others are for when it is asked again
        mistakes=[
            faults.overwrites_in_flight,  # the answer of an engine that makes this mistake
            Mistake("That is y itself: how high, not how steep.", lambda a: a * a),
        ],
        hints=["a is used twice. Each use sends a part.", "The parts are {{a}} and {{a}}."],
        because="Each use of a sends a part, and they add up: {{a}} + {{a}}.",
    ),
    "cube": code(
        "Write cube(a), which gives a·a·a.",
        name="cube",
        cases=[mg.tensor([2.0, -3.0], requires_grad=True), mg.tensor(0.5)],
        reference=lambda a: a * a * a,
        mistakes=[Mistake("That is three times a, not a times a times a.", lambda a: 3 * a)],
        hints=["One * for each time that a is multiplied."],
        because="Its slope is 3·a·a: the engine has added three parts.",
    ),
}}
'''
TITLE = """# How steep is a square?

What you find out here: a value that is used twice receives two parts, and they add up."""
FIRST = """import minigrad as mg
from widgets import Lesson, plot_tangent, record

lesson = Lesson("{name}")"""
PICTURE = 'plot_tangent(lambda a: a * a, at=1.0, labels=("a", "y"))'
ASK = "The line touches the curve at a = 1, and its slope there is 2."
RUN = """%%after slope
a = mg.tensor(3.0, requires_grad=True)
with record() as run:
    y = a * a
    y.backward()
run.step()"""
WRITE = "Now in code: write `cube(a)`, which gives a·a·a. The engine finds the slope."
STUB = "def cube(a):\n    ..."
CHECK = 'lesson.check("cube", cube)'
SOLVED = """def cube(a):
    ### BEGIN SOLUTION
    return a * a * a
    ### END SOLUTION"""
GRADED = """verdict = lesson.questions["cube"].judge(cube)
assert verdict.right, verdict.says"""


def notebook(name: str, for_nbgrader: bool = False) -> nbformat.NotebookNode:
    """The lesson's notebook, which has not been run."""
    if for_nbgrader:
        written = [
            new_code_cell(SOLVED, metadata={"nbgrader": marks("cube", solution=True)}),
            new_code_cell(CHECK),
            new_code_cell(GRADED, metadata={"nbgrader": marks("cube is right", grade=True, locked=True, points=1)}),
        ]
    else:
        written = [new_code_cell(f"{STUB}\n\n\n{CHECK}")]
    cells = [
        new_markdown_cell(TITLE),
        new_code_cell(FIRST.format(name=name)),
        new_code_cell(PICTURE),
        new_markdown_cell(ASK),
        new_code_cell('lesson.ask("slope")'),
        new_code_cell(RUN),
        new_markdown_cell(WRITE),
        *written,
        new_code_cell("lesson.summary()"),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"  # the same in each run
    return new_notebook(cells=cells)


def marks(name: str, **more: Any) -> dict[str, Any]:
    """What nbgrader knows a cell by."""
    usual = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
    return usual | {"grade_id": name.replace(" ", "-")} | more


def write(name: str, folder: Path, for_nbgrader: bool = False) -> Path:
    """Write the files of a lesson, and run it; the notebook's path."""
    if not re.fullmatch(r"\w[\w-]*", name):
        raise ValueError(f"{name!r} is no name for a lesson: letters, digits, _ and - make one, as in 08_my_lesson")
    path, data = folder / f"{name}.ipynb", folder / ASKED / f"{name}.py"
    for place in (path, data):
        if place.exists():
            raise FileExistsError(f"{place} is there already, and nothing is written over it; choose another name")
    data.parent.mkdir(parents=True, exist_ok=True)
    data.write_text(EXERCISES.format(name=name), encoding="utf-8")
    nbformat.write(notebook(name, for_nbgrader), path)
    if not (folder / "conftest.py").exists():
        shutil.copyfile(ORIGINALS / "conftest.py", folder / "conftest.py")
    refreshed = runpy.run_path(str(ORIGINALS / "refresh.py"))["refreshed"]
    path.write_text(refreshed(path), encoding="utf-8", newline="\n")
    return path


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m widgets.new_lesson", description="Begin a lesson.")
    parser.add_argument("name", help="of the notebook, without .ipynb")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), help="default: where you are")
    parser.add_argument("--nbgrader", action="store_true", help="mark the exercise in code for nbgrader")
    given = parser.parse_args(arguments)
    try:
        path = write(given.name, given.folder, given.nbgrader)
    except (ValueError, OSError) as problem:
        parser.error(str(problem))
    print(f"{path} is written, and run; what it asks is in {path.parent / ASKED / path.stem}.py.")
    print(f"Change both. pytest --nbval {path} checks what the notebook shows.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
