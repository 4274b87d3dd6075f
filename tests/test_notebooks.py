"""Every notebook of the course is stored executed and normalised, and nbval does notice a wrong stored output."""

import base64
import io
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, output_from_msg
from PIL import Image

from notebooks.refresh import course, normalise, refreshed

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"


def unexecuted(notebook):
    """Sources of the code cells that were never run: nbval would run them and compare nothing."""
    code = [c for c in notebook.cells if c.cell_type == "code" and c.source.strip()]
    return [c.source for c in code if c.execution_count is None]


@pytest.mark.parametrize("path", course(), ids=lambda p: p.stem)
def test_stored_executed_and_normalised(path):
    notebook = nbformat.read(path, as_version=4)
    assert not unexecuted(notebook), "run: python3 go.py refresh"
    assert path.read_text(encoding="utf-8") == normalise(notebook), "run: python3 go.py refresh"


def pictured(notebook):
    """The outputs that show a picture; of each cell that ends with a stepper or a drawing, there is one."""
    for cell in notebook.cells:
        outputs = [output for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
        last = cell.source.rstrip().splitlines()[-1:] if cell.cell_type == "code" else []
        shows = re.match(r"(step|draw|plot_\w+|run\.step)\(", last[0].lstrip()) if last else None
        assert outputs or not shows, cell.source
        yield from outputs


@pytest.mark.parametrize("path", course(), ids=lambda p: p.stem)
def test_each_stepper_and_plot_is_stored_as_a_picture_and_as_words(path):
    """Whatever opens the file shows these: a page of a code host, an editor, a reader of mails."""
    for output in pictured(nbformat.read(path, as_version=4)):
        data, said = output.data, output.metadata.get("image/png", {})
        with Image.open(io.BytesIO(base64.b64decode(data["image/png"]))) as image:
            assert min(image.size) > 60 and len(image.convert("RGBA").getcolors(1 << 20)) > 3
        words = "".join(data["text/plain"])
        if words.startswith("Stepper: "):
            title, steps = words.partition("\n")[0], re.findall(r"^ *\d+  ", words, re.MULTILINE)
            assert said["alt"].startswith(title.partition(",")[0]) and len(steps) > 1
            assert int(re.search(r"([\d,]+) steps?$", title)[1].replace(",", "")) >= len(steps)
        else:  # a plot: what pyplot shows by itself would say nothing, and be white in the dark
            assert said["alt"] and "<svg" in "".join(data["image/svg+xml"])


def test_the_course_has_steppers_and_plots_stored():
    kinds = ["".join(o.data["text/plain"])[:8] for p in course() for o in pictured(nbformat.read(p, as_version=4))]
    assert kinds.count("Stepper:") >= 30 and len(kinds) > 80


def test_unexecuted_cells_are_found():
    cells = [new_markdown_cell("text"), new_code_cell(" "), new_code_cell("1", execution_count=1), new_code_cell("2")]
    assert unexecuted(new_notebook(cells=cells)) == ["2"]


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    """A tiny notebook that shows everything that differs between two runs, and its refreshed text."""
    path = tmp_path_factory.mktemp("lesson") / "lesson.ipynb"
    cells = [
        new_markdown_cell("# A lesson"),
        new_code_cell("import warnings\nfrom ipywidgets import IntSlider\nIntSlider(value=3)"),
        new_code_cell("print('one')\nprint('two')\nwarnings.warn('three')"),
        new_code_cell("1 / 0", metadata={"tags": ["raises-exception"]}),
        new_code_cell("6 * 7"),
        new_code_cell("import minigrad as mg\nfrom widgets import step\nstep(mg.sin, 0.5)"),
    ]
    nbformat.write(new_notebook(cells=cells), path)
    path.write_text(refreshed(path), encoding="utf-8")
    return path


def test_two_refreshes_give_the_same_bytes(lesson):
    text = lesson.read_text(encoding="utf-8")
    assert refreshed(lesson) == text
    assert str(lesson.parent) not in text and sys.prefix not in text


def test_a_refresh_needs_only_what_a_learner_has_installed():
    code = "import sys; sys.modules['latex2mathml'] = None; import notebooks.refresh"
    subprocess.run([sys.executable, "-c", code], cwd=NOTEBOOKS.parent, check=True)


def test_a_refresh_says_which_notebook_is_not_there(tmp_path):
    command = [sys.executable, NOTEBOOKS / "refresh.py", "nowhere.ipynb"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode and "error: there is no notebook nowhere.ipynb" in done.stderr
    assert "Traceback" not in done.stderr


def test_notebooks_to_refresh_are_named_from_where_one_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    go = runpy.run_path(str(NOTEBOOKS.parent / "go.py"))
    told = {}
    names = go["main"].__globals__
    monkeypatch.setitem(names, "set_up", lambda extra: None)
    monkeypatch.setitem(names, "run", lambda command, folder: told.update({command[-1]: folder}))
    for command, last in (("refresh", "mine.ipynb"), ("test", "-x")):
        monkeypatch.setattr(sys, "argv", ["go.py", command, last])
        go["main"]()
    assert told == {"mine.ipynb": tmp_path, "-x": NOTEBOOKS.parent}


def test_a_refresh_does_not_depend_on_the_number_of_threads(tmp_path, monkeypatch):
    path = tmp_path / "lesson.ipynb"
    draw = "import numpy as np\nx, w = (np.random.default_rng(0).normal(size=s) for s in ((64, 1000), (1000, 100)))"
    nbformat.write(new_notebook(cells=[new_code_cell(f"{draw}\n(x @ w).tobytes().hex()[:2000]", id="product")]), path)
    stored = set()
    for threads in ("1", "2"):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        stored.add(refreshed(path))
    assert len(stored) == 1


def test_normalise_drops_what_a_machine_or_a_run_adds():
    message = {
        "header": {"msg_type": "error"},
        "content": {"ename": "E", "evalue": "why", "traceback": ["File /anywhere/minigrad/tensor.py:7", "E: why"]},
    }
    cell = new_code_cell("f()", outputs=[output_from_msg(message)], metadata={"execution": {"iopub.status.idle": "t"}})
    text = normalise(new_notebook(cells=[cell], metadata={"widgets": {"state": {}}, "title": "kept"}))
    assert "/anywhere" not in text and "iopub" not in text and "state" not in text
    assert '"E: why"' in text and "kept" in text


def test_nbval_notices_a_falsified_output(lesson, tmp_path):
    """Under the course's own conftest.py: two stored numbers are wrong, two cells fail.

    What the HTML of a stepper is made of may change, what its steps say may not.
    """
    text = lesson.read_text(encoding="utf-8")
    step = "The backward starts at v1: ∂v1/∂v1 = {}. From here each node hands its gradient on.\\n"
    assert text.count('"42"') == text.count(step.format(1)) == text.count("<ol>") == 1 and "data-place" not in text
    (tmp_path / "honest.ipynb").write_text(text.replace("<ol>", "<ol lang='en'>"), encoding="utf-8")
    falsified = text.replace('"42"', '"41"').replace(step.format(1), step.format(2))
    (tmp_path / "falsified.ipynb").write_text(falsified, encoding="utf-8")
    shutil.copy(NOTEBOOKS / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")  # not ours: the outer run's options must not count here
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-q", "-rf", "--color=no", "."]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert "2 failed, 8 passed" in result.stdout, result.stdout
    assert "FAILED falsified.ipynb::Cell 3" in result.stdout and "FAILED falsified.ipynb::Cell 4" in result.stdout
