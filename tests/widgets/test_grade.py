"""What a class handed in is judged anew and tabled; a bad file gets a line, and stops nobody else's."""

import csv
import json
import os
import subprocess
import sys

import pytest

from widgets import grade
from widgets.lessons.handed_in import HandedIn
from widgets.lessons.progress import ANSWERS

DATA = '''
"""What the lesson asks."""
from widgets.lessons import Mistake, choice, code, number

QUESTIONS = {
    "slope": number("How steep is a·a at a = {a}?", lambda a: 2 * a, given={"a": [3.0, 5.0, 7.0]},
                    mistakes=[Mistake("That is a·a itself.", lambda a: a * a)]),
    "which": choice("Which comes first?", ["Mul", "Add"], "Add"),
    "double": code("Write double(x).", "double", [(1.0,), (3.0,)], reference=lambda x: 2 * x, seconds=2,
                   mistakes=[Mistake("That is x times itself.", lambda x: x * x)]),
}
'''
START = 'from widgets import Lesson\nlesson = Lesson("own")'


@pytest.fixture
def class_of(tmp_path, monkeypatch):
    """The folder with what was handed in; beside it the lesson."""
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "own.py").write_text(DATA, encoding="utf-8")
    (tmp_path / "handed in").mkdir()
    monkeypatch.chdir(tmp_path)
    grade.loaded.cache_clear(), grade.drawn.cache_clear(), grade.tried.cache_clear()
    return tmp_path / "handed in"


def entry(*given, hints=0, outcome=""):
    return {"tries": [{"given": one, "right": True, "says": ""} for one in given], "hints": hints, "outcome": outcome}


def notebook(*cells, keeps=()):
    """A notebook with these sources, and with answers in the output of a last cell."""
    code = [{"cell_type": "code", "source": source.splitlines(keepends=True), "outputs": []} for source in cells]
    outputs = [{"output_type": "display_data", "data": {"text/plain": ["said"], ANSWERS: data}} for data in keeps]
    return {"cells": [*code, {"cell_type": "code", "source": "", "outputs": outputs}], "nbformat": 4}


def hand_in(folder, name, document):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")


def graded(folder, capsys):
    """The exit code, the rows by learner and question, and the lines that were printed."""
    code = grade.main([str(folder)])
    with open("grades.csv", encoding="utf-8-sig", newline="") as file:
        rows = {(row["who"], row["question"]): row for row in csv.DictReader(file)}
    return code, rows, capsys.readouterr().out.splitlines()


def test_answers_are_judged_anew(class_of, capsys):
    hand_in(
        class_of, "mia/02.ipynb", notebook(START, keeps=[{"own": {"slope": entry("9", "6", hints=1, outcome="right")}}])
    )
    single = {"lesson": "own", "name": "which", "seed": 0} | entry("0", outcome="right")
    hand_in(class_of, "tom/02.ipynb", notebook(START, keeps=[{"own": {"slope": entry("9", outcome="right")}}, single]))
    code, rows, said = graded(class_of, capsys)
    assert code == 0 and said[-1].startswith("Learners: 2, lines: 6. ")
    assert list(rows["mia", "slope"].values()) == ["mia", "own", "slope", "6", "2", "yes", "That is a·a itself.", "1"]
    assert (rows["tom", "slope"]["right"], rows["tom", "slope"]["given"]) == ("no", "9")
    assert (rows["tom", "which"]["given"], rows["tom", "which"]["right"]) == ("Mul", "no")
    assert rows["mia", "which"]["right"] == rows["mia", "double"]["right"] == "not answered"
    page = open("grades.html", encoding="utf-8").read()
    assert "<tr><td>own</td><td>slope</td><td>That is a·a itself.</td><td>2</td></tr>" in page
    assert "<tr><td>own</td><td>which</td><td>another mistake</td><td>1</td></tr>" in page
    assert "://" not in page and "prefers-color-scheme" in page


def test_a_progress_file_and_its_cousins(class_of, capsys):
    seeds = {"0": entry("9", outcome="shown"), "1": entry("14", "10", outcome="right")}
    lessons = {"own": {"slope": seeds, "double": {"0": entry("code", outcome="right")}}}
    hand_in(class_of, "mia/progress.json", {"version": 1, "lessons": lessons})
    _, rows, said = graded(class_of, capsys)
    assert "mia: own, 'double' was tried in code, which stands in the notebook, and that was not handed in." in said
    assert rows["mia", "slope"]["right"] == "shown"
    assert rows["mia", "slope (other numbers, 1)"]["right"] == "yes"


def test_answers_in_cells(class_of, capsys):
    hand_in(class_of, "a/x.ipynb", notebook(START, "guess = None\nlesson.check('slope', guess)"))
    hand_in(
        class_of,
        "b/x.ipynb",
        notebook(START, "guess = 9\nlesson.check('slope', guess)", "lesson.check('which', 'Add')"),
    )
    hand_in(class_of, "c/x.ipynb", notebook(START, "n = 3", "lesson.check('slope', n * 2)"))
    kept = {"own": {"slope": entry("9")}}
    hand_in(
        class_of, "d/x.ipynb", notebook(START, "lesson.check('slope', 9.0)\nlesson.check('slope', 6)", keeps=[kept])
    )
    hand_in(class_of, "e/own.ipynb", notebook("lesson.check('slope', 6)"))
    _, rows, said = graded(class_of, capsys)
    found = {who: (rows[who, "slope"]["right"], rows[who, "slope"]["tries"]) for who in "abcde"}
    assert found == {
        "a": ("not answered", "0"),
        "b": ("no", "1"),
        "c": ("yes", "1"),
        "d": ("yes", "2"),
        "e": ("yes", "1"),
    }
    assert rows["b", "which"]["right"] == "yes" and len(said) == 1


def test_exercises_in_code(class_of, capsys):
    check = "lesson.check('double', double)"
    hand_in(
        class_of,
        "right/x.ipynb",
        notebook(START, "import math\ntwo = math.sqrt(4)", f"def double(x):\n    return two * x\n{check}"),
    )
    hand_in(class_of, "wrong/x.ipynb", notebook(START, f"%%time\ndef double(x):\n    return x * x\n{check}"))
    hand_in(class_of, "other/x.ipynb", notebook(START, "def twice(x): return x + x", "lesson.check('double', twice)"))
    hand_in(class_of, "no python/x.ipynb", notebook(START, "def double(x)\n    return 2 * x", check))
    hand_in(class_of, "empty/x.ipynb", notebook(START, f"def double(x):\n    ...\n{check}"))
    code, rows, _ = graded(class_of, capsys)
    assert code == 0
    found = {who: rows[who, "double"] for who in ("right", "wrong", "other", "no python", "empty")}
    assert [one["right"] for one in found.values()] == ["yes", "no", "yes", "no", "not answered"]
    assert "That is x times itself." in found["wrong"]["misconception"]
    assert "SyntaxError" in found["no python"]["misconception"]
    assert "<td>double</td><td>That is x times itself.</td><td>1</td>" in open("grades.html", encoding="utf-8").read()


MALICIOUS = {
    "exits": "import os, sys\ndef double(x):\n    sys.exit()",
    "ends": "import os\ndef double(x):\n    os._exit(0)",
    "forks": "import os\ndef double(x):\n    while True: os.fork() if x == 0 else os.fork() and os._exit(0)",
    "loops": "def double(x):\n    while True: pass",
    "prints": "def double(x):\n    print('{\"right\": true}' * 100_000)\n    return 0",
    "deletes": "import pathlib, shutil\ndef double(x):\n    shutil.rmtree(pathlib.Path.home())",
    "deletes at once": "import shutil\nhome = shutil.rmtree('.')\ndouble = home or shutil.rmtree",
    "writes": "import pathlib\ndef double(x):\n    pathlib.Path('here').write_text('x')",
    "truncates": "import os\ndef double(x):\n    open(os.path.join(os.pardir, 'lines'), 'w')",
    "breaks": "import minigrad\ndef double(x):\n    minigrad.tensor = None",
}


def test_malicious_code_stops_nobody(class_of, tmp_path, monkeypatch, capsys):
    home = tmp_path / "home"
    (home / "precious").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    for who, source in MALICIOUS.items():
        hand_in(class_of, f"{who}/x.ipynb", notebook(START, source, "lesson.check('double', double)"))
    hand_in(class_of, "zoe/x.ipynb", notebook(START, "def double(x): return 2 * x\nlesson.check('double', double)"))
    before = sorted(tmp_path.rglob("*"))
    code, rows, said = graded(class_of, capsys)
    assert code == 0 and {who: rows[who, "double"]["right"] for who in MALICIOUS} == dict.fromkeys(MALICIOUS, "no")
    assert rows["zoe", "double"]["right"] == "yes" and len(said) == 1
    assert sorted(tmp_path.rglob("*")) == sorted([*before, tmp_path / "grades.csv", tmp_path / "grades.html"])


def test_a_bad_file_gets_one_line(class_of, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("widgets.lessons.handed_in.MOST", 100_000)
    good = notebook(START, keeps=[{"own": {"slope": entry("6", outcome="right")}}])
    hand_in(class_of, "mia/02.ipynb", good)
    hand_in(class_of, "tom/02.ipynb", good)
    hand_in(class_of, "mia/notes.txt", "mine")
    bad = {
        "cut.ipynb": json.dumps(good)[:-20],
        "deep.ipynb": "[" * 50_000,
        "huge.ipynb": json.dumps(good) + " " * 100_000,
        "list.ipynb": [],
        "cells.ipynb": {"cells": [{"cell_type": "code", "source": 7}]},
        "progress.json": {"lessons": {"own": {"slope": {"first": entry("6")}}}},
        "answers.ipynb": notebook(START, keeps=[{"own": {"slope": {"tries": "many"}}}]),
    }
    for name, document in bad.items():
        hand_in(class_of, f"bad/{name}", document)
    (tmp_path / "elsewhere.ipynb").write_text(json.dumps(good))
    (class_of / "bad" / "link.ipynb").symlink_to(tmp_path / "elsewhere.ipynb")
    (class_of / "linked").symlink_to(tmp_path)
    os.mkfifo(class_of / "bad" / "pipe.ipynb")
    code, rows, said = graded(class_of, capsys)
    assert code == 1 and rows["mia", "slope"]["right"] == rows["tom", "slope"]["right"] == "yes"
    names = [*(f"bad/{name}" for name in (*bad, "link.ipynb", "pipe.ipynb")), "mia/notes.txt", "linked"]
    assert sorted(line.partition(" ")[0] for line in said[:-1]) == sorted(names)
    assert {who for who, _ in rows} == {"mia", "tom", "bad"}  # of answers.ipynb what is not damaged counts


def test_what_the_lesson_does_not_ask_is_told(class_of, capsys):
    kept = [{"own": {"slop": entry("6")}, "../own": {"slope": entry("6")}, "\x1b[2J": {"slope": entry("6")}}]
    hand_in(class_of, "mia.ipynb", notebook(START, keeps=kept))
    hand_in(class_of, "tom.ipynb", notebook("1 + 1"))
    code, _, said = graded(class_of, capsys)
    assert code == 0 and said[:-1] == [
        "tom.ipynb has no answers to a lesson.",
        r"mia.ipynb: there is no lesson '\x1b[2J' here.",
        "mia.ipynb: there is no lesson '../own' here.",
        "mia.ipynb: own asks no 'slop'.",
    ]


def test_no_text_is_a_formula_or_an_element(class_of, capsys):
    kept = {"own": {"slope": entry("=cmd()", "-6", "-6" * 1000), "which": entry("7", "1")}}
    hand_in(class_of, "=cmd|' '!A0/x.ipynb", notebook(START, keeps=[kept]))
    hand_in(
        class_of, "<b>bold\u202e/x.ipynb", notebook(START, "lesson.check('slope', '+cmd')\nlesson.check('which', '@x')")
    )
    _, rows, _ = graded(class_of, capsys)
    assert rows["'=cmd|' '!A0", "slope"]["given"] == "-6" and rows["'=cmd|' '!A0", "which"]["right"] == "yes"
    assert "<b>" not in open("grades.html", encoding="utf-8").read()
    assert all(cell[:1] not in ("=", "@", "+") for row in rows.values() for cell in row.values())


def test_a_folder_that_is_not_there_and_one_to_stand_in(class_of, monkeypatch, capsys):
    with pytest.raises(SystemExit) as ended:
        grade.main(["nowhere"])
    assert ended.value.code == 2 and "there is no folder nowhere" in capsys.readouterr().err
    monkeypatch.chdir(class_of)
    with pytest.raises(SystemExit):
        grade.main(["."])
    assert "run it from outside of the folder" in capsys.readouterr().err


def test_the_command(class_of, tmp_path):
    hand_in(class_of, "mia/x.ipynb", notebook(START, keeps=[{"own": {"slope": entry("6", outcome="right")}}]))
    command = [sys.executable, "-m", "widgets.grade", str(class_of), "--out", "tables"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout.startswith("Learners: 1, lines: 3. They are in tables")
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {"grades.csv", "grades.html"}


def test_the_names_that_a_cell_needs_are_found():
    handed_in = HandedIn()
    handed_in.read_cells(
        [
            'lesson = Lesson("own")',
            "import numpy as np, os\nlong = run()\n",
            "@np.vectorize\ndef half(x): return x / two; \ntwo = 2; three = 3",
            "half = lambda x: x\nlesson.ask('a')",
            'lesson.check("b", half)',
        ]
    )
    (check,) = handed_in.lessons["own"]["b", 0].checks
    assert check.cells == (
        "import numpy as np, os",
        "@np.vectorize\ndef half(x): return x / two; \ntwo = 2; three = 3",
        "half = lambda x: x",
    )


def test_a_class_is_needed_with_what_was_added_to_it(class_of, capsys):
    (class_of.parent / "exercises" / "own.py").write_text(
        DATA
        + """
QUESTIONS = {
    "grown": code("Give Value a method.", "Value", [(1.0,)],
                  accepts=lambda value: None if value.half() == 0.5 else "half is wrong."),
}
""",
        encoding="utf-8",
    )
    first = "class Value:\n    def __init__(self, n):\n        self.n = n"
    added = "def half(self):\n    {}\n\nValue.half = half\nlesson.check('grown', Value)"
    hand_in(class_of, "a/x.ipynb", notebook(START, first, added.format("return self.n / 2")))
    hand_in(class_of, "b/x.ipynb", notebook(START, first, added.format("return self.n")))
    hand_in(class_of, "c/x.ipynb", notebook(START, first, added.format("...")))
    _, rows, _ = graded(class_of, capsys)
    assert [rows[who, "grown"]["right"] for who in "abc"] == ["yes", "no", "not answered"]
