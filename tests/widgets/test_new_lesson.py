"""A new lesson passes nbval at once, in a folder of its own; nbgrader, where it is installed, grades its exercise."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from widgets import new_lesson
from widgets.lessons import exercises

ROOT = Path(__file__).parents[2]
PYTEST = [sys.executable, "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider"]


def run(command, folder, **more):
    """What a command says, in a folder outside of the clone, with the packages on the path."""
    path = os.pathsep.join([os.environ.get("PYTHONPATH", str(ROOT)), str(ROOT), sysconfig.get_path("purelib")])
    environment = os.environ | {"PYTHONPATH": path, "MINIGRAD_COURSE": str(folder / "mine")} | more
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where a lesson was begun."""
    place = tmp_path_factory.mktemp("a school")
    said = run([sys.executable, "-m", "widgets.new_lesson", "08_squares"], place)
    assert "08_squares.ipynb is written, and run" in said
    return place


def test_it_passes_nbval_at_once_and_notices_a_change(folder, tmp_path):
    assert "6 passed" in run([*PYTEST, "--nbval", "08_squares.ipynb"], folder)
    shutil.copytree(folder, tmp_path / "changed")
    data = tmp_path / "changed" / "exercises" / "08_squares.py"
    data.write_text(data.read_text(encoding="utf-8").replace("How steep", "How high"), encoding="utf-8")
    with pytest.raises(AssertionError, match=r"(?s)08_squares.ipynb::Cell 2 - .*1 failed, 5 passed"):
        run([*PYTEST, "--nbval", "08_squares.ipynb"], tmp_path / "changed")


def test_it_has_a_picture_a_question_a_stepper_and_code(folder, monkeypatch):
    cells = json.loads((folder / "08_squares.ipynb").read_text(encoding="utf-8"))["cells"]
    shown = [
        "".join(output["data"].get("text/plain", ""))
        for cell in cells
        for output in cell.get("outputs", [])
        if "data" in output
    ]
    assert any(text.startswith("Asked: How steep is y = a·a at a = 3? Not answered yet.") for text in shown)
    assert any(text.startswith("Stepper: y = a * a") for text in shown)
    assert any("tangent: " in text for text in shown)
    said = "".join("".join(output.get("text", [])) for cell in cells for output in cell.get("outputs", []))
    assert said.startswith("Not written yet")
    assert sorted(path.name for path in folder.iterdir() if path.suffix) == ["08_squares.ipynb", "conftest.py"]

    monkeypatch.chdir(folder)
    slope, cube = exercises.questions("08_squares").values()
    asked = slope.asked("08_squares", "slope")
    assert asked.judge("6").right and len({says for _, says in asked.wrong}) == 2
    assert cube.judge(lambda a: a**3).right
    assert "three times a, not a times" in cube.judge(lambda a: 3 * a).says


def test_nothing_is_written_over(folder, capsys):
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.*")}
    for name, words in {
        "08_squares": "is there already",
        "../up": "is no name for a lesson",
        "a b": "is no name",
    }.items():
        with pytest.raises(SystemExit):
            new_lesson.main([name, str(folder)])
        assert words in capsys.readouterr().err
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.*")} == before


NBGRADER = os.environ.get("MINIGRAD_NBGRADER") or shutil.which("nbgrader")


@pytest.mark.skipif(
    not NBGRADER, reason="nbgrader is not installed; MINIGRAD_NBGRADER may name the one of another environment"
)
def test_nbgrader_releases_it_and_grades_it(tmp_path):
    """Released without the solution; the one who writes it gets the point, the other does not."""
    path = os.pathsep.join([str(Path(NBGRADER).parent), os.environ["PATH"]])
    (tmp_path / "nbgrader_config.py").write_text('get_config().CourseDirectory.course_id = "squares"\n')
    new_lesson.write("squares", tmp_path / "source" / "first", for_nbgrader=True)
    run([NBGRADER, "generate_assignment", "first"], tmp_path, PATH=path)
    released = (tmp_path / "release" / "first" / "squares.ipynb").read_text(encoding="utf-8")
    assert "# YOUR CODE HERE" in released and "a * a * a" not in released
    for who, body in {"mia": "a ** 3", "tom": "3 * a"}.items():
        folder = shutil.copytree(tmp_path / "release" / "first", tmp_path / "submitted" / who / "first")
        notebook = json.loads(released)
        cell = next(cell for cell in notebook["cells"] if "YOUR CODE HERE" in "".join(cell["source"]))
        cell["source"] = f"def cube(a):\n    return {body}"
        (folder / "squares.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    run([NBGRADER, "autograde", "first"], tmp_path, PATH=path, MINIGRAD_ANSWERS="waived")
    run([NBGRADER, "export"], tmp_path, PATH=path)
    scores = [line.split(",") for line in (tmp_path / "grades.csv").read_text().splitlines()]
    who, score = scores[0].index("student_id"), scores[0].index("score")
    assert {line[who]: float(line[score]) for line in scores[1:]} == {"mia": 1.0, "tom": 0.0}
