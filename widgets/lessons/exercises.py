"""What each lesson asks: a Python file of data, `exercises/NAME.py`, for the notebook `NAME.ipynb`.

The lessons of the course have theirs beside the originals, so that nobody reads an answer by chance. A lesson elsewhere
has it beside the notebook, in a folder of the same name.
"""

import runpy
from pathlib import Path

from minigrad.words.absent import nearest

from ..course import ASKED, ORIGINALS
from .flaws import flaws
from .kinds import Question


def questions(lesson: str) -> dict[str, Question]:
    """The questions of a lesson, by their names."""
    path = file(lesson)
    found = runpy.run_path(str(path)).get("QUESTIONS")
    if not isinstance(found, dict) or not all(isinstance(one, Question) for one in found.values()):
        raise TypeError(f"{path.name} must have a dict QUESTIONS, from names to questions such as number(…)")
    if path.parent.parent != ORIGINALS:  # of one's own; those of the course have a test
        for name, question in found.items():
            if wrong := flaws(question):
                raise ValueError(f"{path.name}, {name!r}: {'; '.join(wrong)}")
    return found


def misconceptions(lesson: str) -> dict[str, str]:
    """What is often believed, and the heading of the section that shows it to be wrong."""
    return runpy.run_path(str(file(lesson))).get("MISCONCEPTIONS", {})


def file(lesson: str) -> Path:
    """Where a lesson's data is: beside the notebook, or with the originals of the course."""
    if not isinstance(lesson, str):
        raise TypeError(f"Lesson(name): expected the name of the notebook without .ipynb, got {type(lesson).__name__}")
    for folder in folders():
        if (path := folder / f"{lesson}.py").is_file():
            return path
    there = sorted({path.stem for folder in folders() for path in folder.glob("*.py")})
    guess = nearest(lesson.removesuffix(".ipynb"), there) or f"; there are {', '.join(there) or 'none'}"
    raise FileNotFoundError(f"there is no {ASKED}/{lesson}.py, neither beside this notebook nor in the course{guess}")


def folders() -> list[Path]:
    """Where data of lessons is looked for."""
    return [Path.cwd() / ASKED, ORIGINALS / ASKED]


def names() -> list[str]:
    """The lessons of the course that ask something, in their order."""
    return sorted(path.stem for path in (ORIGINALS / ASKED).glob("*.py"))
