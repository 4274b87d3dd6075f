"""The course in a folder of the learner's own: copies of the lessons, made where one is missing, and never overwritten.

A copy is blank: no answer stands under a question. What is done in it leaves the originals, beside this package, alone.

    from widgets import course
    course.compare(2)    # what differs from the original
    course.afresh(2)     # a new copy; the old one keeps its work under another name

`python3 go.py lab` and `python -m minigrad lessons` run this file by its path, before anything is imported, so it needs
the standard library only.
"""

import difflib
import json
import os
import re
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
INSTALLED = HERE / "notebooks"  # a wheel has the course inside this package, a clone beside it
ORIGINALS = INSTALLED if INSTALLED.is_dir() else HERE.parent / "notebooks"
INDEX = "index.ipynb"
ASKED = "exercises"  # the folder, beside notebooks, of what they ask


def folder() -> Path:
    """Where the copies are: the folder that MINIGRAD_COURSE names, or `minigrad-course` in the home folder."""
    return Path(os.environ.get("MINIGRAD_COURSE") or Path.home() / "minigrad-course").expanduser().resolve()


def originals() -> list[Path]:
    """The index, and the lessons in their order."""
    found = sorted(ORIGINALS.glob("*.ipynb"))
    if not found:
        raise FileNotFoundError(f"the lessons are not in {ORIGINALS}; install minigrad again to have them")
    return found


def can_run(lesson: Path) -> bool:
    """Whether what a lesson needs is installed: PyTorch, which we do not bring along, for one that imports it."""
    needs_torch = any(re.search(r"^import torch$", source, re.MULTILINE) for source in cells(lesson).values())
    return not needs_torch or find_spec("torch") is not None


def make_copies(place: Path | None = None) -> Path:
    """Copy what is missing, into `folder()` or another one; where that is."""
    place = place or folder()
    place.mkdir(parents=True, exist_ok=True)
    for original in originals():
        if not (place / original.name).exists():
            write_blank(original, place / original.name)
    return place


def write_blank(original: Path, copy: Path) -> None:
    """A copy without outputs. It is written aside first: an interrupted one must not pass for the learner's."""
    notebook = json.loads(original.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    aside = copy.with_suffix(".part")
    aside.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")
    aside.replace(copy)


def named(lesson: int | str) -> tuple[Path, Path]:
    """The original and the copy of a lesson, by its number or the beginning of its file's name."""
    start = f"{lesson:02d}_" if isinstance(lesson, int) else lesson
    for original in originals():
        if original.name.startswith(start):
            return original, folder() / original.name
    names = ", ".join(original.stem for original in originals())
    raise ValueError(f"there is no lesson {lesson!r}; there are {names}")


def afresh(lesson: int | str) -> None:
    """Start a lesson afresh: a blank copy takes the place of yours, which is kept under a name with the time."""
    from .words import say  # here, since others run this file alone

    original, copy = named(lesson)
    kept = ""
    if copy.exists():
        old = copy.with_name(f"{say('course.until', name=copy.stem, time=time.strftime('%Y-%m-%d %H.%M.%S'))}.ipynb")
        copy.rename(old)
        kept = say("course.kept", file=repr(old.name))
    write_blank(original, copy)
    print(*filter(None, (say("course.blank", file=copy.name), kept, say("course.reload"))))


def compare(lesson: int | str) -> None:
    """Print how the cells of your copy differ from those of the original."""
    from .words import say

    original, copy = named(lesson)
    if not copy.exists():
        print(say("course.none", file=copy.name, folder=folder(), call=f"afresh({lesson!r})"))
        return
    lines = list(differences(cells(original), cells(copy)))
    print("\n".join(lines) if lines else say("course.same", file=copy.name))


def cells(notebook: Path) -> dict[str, str]:
    """The sources of a notebook's cells, by the cells' ids."""
    found = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return {cell.get("id", str(i)): "".join(cell["source"]) for i, cell in enumerate(found)}


def differences(original: dict[str, str], copy: dict[str, str]) -> Iterator[str]:
    """In words and lines: a line of the original alone begins with -, one of the copy alone with +."""
    from .words import say

    for number, (name, source) in enumerate(copy.items(), 1):
        before = original.get(name, "")
        if source != before:
            yield say("course.changed" if name in original else "course.yours", number=number)
            for line in difflib.ndiff(before.splitlines(), source.splitlines()):
                if not line.startswith("?"):  # its marks under single letters
                    yield f"    {line}"
    for name, source in original.items():
        if name not in copy:
            first = source.partition("\n")[0]
            yield say("course.missing", first=first)
