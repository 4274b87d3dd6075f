"""Learners work on copies of their own: blank, made when missing, never overwritten; the clone stays as it is."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from widgets import course

ROOT = Path(__file__).parents[1]


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A learner's own folder, with the copies."""
    monkeypatch.setenv("MINIGRAD_COURSE", str(tmp_path / "mine"))
    return course.make_copies()


def write(path, text):
    """What a learner does: an answer into the first code cell, and a cell of their own at the end."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")["source"] += [f"\n{text}"]
    notebook["cells"].append({"cell_type": "code", "id": "mine", "source": ["1 + 1"], "outputs": [], "metadata": {}})
    path.write_text(json.dumps(notebook), encoding="utf-8")


def test_all_lessons_are_there_and_no_tool(own):
    assert [path.name for path in sorted(own.iterdir())] == [path.name for path in course.originals()]
    assert (own / "index.ipynb").exists() and len(list(own.iterdir())) == len(course.originals())


def test_no_answer_stands_under_a_question(own):
    for original in course.originals():
        copy = json.loads((own / original.name).read_text(encoding="utf-8"))
        code = [cell for cell in copy["cells"] if cell["cell_type"] == "code"]
        assert code and all((cell["outputs"], cell["execution_count"]) == ([], None) for cell in code)
        assert course.cells(own / original.name) == course.cells(original)


def test_what_a_learner_wrote_stays_and_what_is_missing_comes_back(own):
    first, second = sorted(own.glob("0*.ipynb"))[:2]
    write(first, "mine = 7")
    before = first.read_bytes()
    second.unlink()
    assert course.make_copies() == own
    assert first.read_bytes() == before and second.exists()


def test_afresh_keeps_the_old_one(own, capsys):
    _, copy = course.named(2)
    blank = copy.read_bytes()
    write(copy, "mine = 7")
    written = copy.read_bytes()
    course.afresh(2)
    (old,) = own.glob("02_* until *.ipynb")
    assert copy.read_bytes() == blank and old.read_bytes() == written
    assert f"What you had is in '{old.name}'" in capsys.readouterr().out
    copy.unlink()
    course.afresh(course.named(2)[0].stem[:8])
    assert "What you had" not in capsys.readouterr().out and copy.read_bytes() == blank


def test_compare_says_what_differs(own, capsys):
    course.compare(1)
    assert capsys.readouterr().out == f"{course.named(1)[1].name} is as the original.\n"
    write(course.named(1)[1], "mine = 7")
    course.compare(1)
    said = capsys.readouterr().out
    assert "is changed:" in said and "\n    + mine = 7\n" in said and "is yours:\n    + 1 + 1\n" in said
    course.named(1)[1].unlink()
    course.compare(1)
    assert "afresh(1) makes one" in capsys.readouterr().out
    with pytest.raises(ValueError, match=f"there is no lesson 99; there are {course.originals()[0].stem}"):
        course.compare(99)


def test_without_pytorch_the_lesson_that_needs_it_is_left_out_and_no_other(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert [path.stem for path in course.originals() if not course.can_run(path)] == ["26_your_own_model"]


def test_the_index_links_all_lessons_by_their_whole_names():
    text = "\n".join(course.cells(course.ORIGINALS / course.INDEX).values())
    for original in course.originals()[:-1]:
        title = next(iter(course.cells(original).values())).partition("\n")[0].removeprefix("# ")
        assert f"[{title}]({original.name})" in text


def test_the_lab_is_opened_on_the_copies_with_settings_of_its_own(own):
    go = runpy.run_path(str(ROOT / "go.py"))
    assert go["lessons"]() == [f"--ServerApp.root_dir={own}"]
    options = " ".join(go["COMMANDS"]["lab"])
    assert "default_url=/lab/tree/index.ipynb" in options
    (settings,) = [one for one in go["COMMANDS"]["lab"] if "app_settings_dir" in one]
    assert {file.name for file in Path(settings.partition("=")[2]).iterdir()} == {"overrides.json", "page_config.json"}


def test_the_copies_need_the_standard_library_only(tmp_path):
    program = f"import runpy; runpy.run_path({str(Path(course.__file__))!r})['make_copies']()"
    environment = {"MINIGRAD_COURSE": str(tmp_path / "mine"), "PATH": ""}
    subprocess.run([sys.executable, "-I", "-S", "-c", program], env=environment, check=True)
    assert len(list((tmp_path / "mine").iterdir())) == len(course.originals())
