"""A lesson in its notebook: answers are judged, remembered and asked again; what tells them waits."""

import json

import pytest
from IPython.core.interactiveshell import InteractiveShell

from widgets import Lesson
from widgets.lessons import after, exercises, progress

DATA = '''
"""What the lesson asks."""
from widgets.lessons import Mistake, choice, code, number

def half(x):
    return x / 2

QUESTIONS = {
    "slope": number("How steep is a·a at a = {a}?", lambda a: 2 * a, given={"a": [3.0, 5.0, 7.0]},
                    mistakes=[Mistake("That is a·a itself.", lambda a: a * a)],
                    hints=["Two uses.", "Each sends {a}."], because="{a} + {a}."),
    "which": choice("Which comes first?", ["Mul", "Add"], "Add"),
    "half": code("Half of x.", "half", [4.0], reference=half, because="It is x / 2."),
}
'''


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    """A lesson beside its data, and a learner without answers."""
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "own.py").write_text(DATA, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINIGRAD_COURSE", str(tmp_path / "mine"))
    monkeypatch.delenv("MINIGRAD_ANSWERS", raising=False)
    return Lesson("own")


def test_checks_in_code_say_why_not(lesson, capsys):
    for guess in (None, "a", 9, -6, 6):
        lesson.check("slope", guess)
    said = capsys.readouterr().out.splitlines()
    assert said == [
        "Not answered yet: put your answer in place of None, and run this cell again.",
        "That is not a number. Write it as 0.5, −2 or 1/3.",
        "Not quite. That is a·a itself.",
        "lesson.hint('slope') gives a hint.",
        "Not quite. The sign is the other one.",
        "lesson.hint('slope') gives a hint.",
        "Right. 3 + 3.",
    ]
    entry = progress.entry("own", "slope", 0)
    assert [(one["given"], one["right"]) for one in entry["tries"]] == [("9.0", False), ("-6.0", False), ("6.0", True)]
    assert entry["outcome"] == "right"


def test_hints_come_by_degrees_and_then_the_answer(lesson, capsys):
    for _ in range(3):
        lesson.hint("slope")
    lesson.check("slope", 1)
    lesson.hint("which")
    lesson.waive("slope")
    assert capsys.readouterr().out.splitlines() == [
        "Hint 1 of 2: Two uses.",
        "Hint 2 of 2: Each sends 3.",
        "Hint 2 of 2: Each sends 3.",
        "Not quite.",
        "lesson.waive('slope') shows the answer.",
        "There is no hint. lesson.waive('which') shows the answer.",
        "The answer: 6. 3 + 3.",
    ]


def test_a_function_is_checked_and_the_right_one_shown(lesson, capsys):
    def stub(x):
        """Half of x."""

    for function in (stub, lambda x: x / 3, lambda x: x * 0.5):
        lesson.check("half", function)
    lesson.waive("half")
    said = capsys.readouterr().out
    assert "Not written yet: put your code" in said and "half(4) gives 1.33333" in said
    assert "Right. It is x / 2." in said and "One way to write it:\n\ndef half(x):\n    return x / 2\n" in said
    assert [one["given"] for one in progress.entry("own", "half", 0)["tries"]] == ["code", "code"]


def test_what_was_right_stays_right(lesson, capsys):
    lesson.check("slope", 6)
    lesson.check("slope", 7)
    lesson.waive("slope")
    assert progress.entry("own", "slope", 0)["outcome"] == "right" and lesson.is_over("slope")


def test_a_field_shows_what_was_said_in_code(lesson):
    field, other = lesson.ask("slope"), lesson.ask("slope")
    lesson.check("slope", 9)
    lesson.hint("slope")
    assert field.hints == 1 and field.words() == "How steep is a·a at a = 3? Your answer 9.0: not right yet."
    other.follow(field.entry() | {"outcome": "shown"})
    assert field.entry() == other.entry() == progress.entry("own", "slope", 0)
    assert lesson.is_over("slope")


def test_what_was_wrong_is_asked_again_with_other_numbers(lesson, capsys):
    lesson.review()
    assert capsys.readouterr().out == "Nothing to review: what was asked was right at the first try.\n"
    lesson.check("slope", 5)
    assert lesson._due("slope") == 0  # it is not over
    lesson.check("slope", 6)
    assert lesson._due("slope") == 1 and lesson._due("which") is None
    assert lesson._asked("slope", 1).prompt != lesson._asked("slope").prompt
    right = {"tries": [{"given": "1", "right": True, "says": ""}], "hints": 0, "outcome": "right"}
    progress.keep("own", "slope", 1, right | {"hints": 1})
    assert lesson._due("slope") == 2
    progress.keep("own", "slope", 2, right)
    assert lesson._due("slope") is None


def test_another_kernel_knows_the_answers(lesson):
    lesson.check("slope", 6)
    assert Lesson("own").is_over("slope")


def test_the_summary_holds_the_answers(lesson, capsys, monkeypatch):
    shown = []
    monkeypatch.setattr("widgets.lessons.lesson.display", lambda data, raw: shown.append(data))
    lesson.summary()
    lesson.check("slope", 5)
    lesson.check("slope", 6)
    lesson.check("slope", 7)  # what was right stays the answer
    lesson.check("which", "Add")
    lesson.waive("half")
    lesson.summary()
    blank, told = shown
    assert blank == {"text/plain": "0 of 3 questions answered, 0 of them right at the first try."}
    assert told["text/plain"].splitlines()[1:] == [
        "  slope: 6.0, right at try 2",
        "  which: Add, right at the first try",  # not the number of the option
        "  half: the answer was shown",
    ]
    kept = json.loads(json.dumps(told[progress.ANSWERS]))["own"]
    assert [one["given"] for one in kept["slope"]["tries"]] == ["5.0", "6.0", "7.0"]
    assert kept["half"]["outcome"] == "shown"


def test_a_name_that_is_not_there(lesson):
    for call in (lesson.ask, lesson.hint, lesson.waive, lambda name: lesson.check(name, 1)):
        with pytest.raises(ValueError, match="own asks no 'slop'. Did you mean 'slope'"):
            call("slop")
    with pytest.raises(FileNotFoundError, match="there is no exercises/nowhere.py"):
        Lesson("nowhere")
    with pytest.raises(FileNotFoundError, match="there is no exercises/onw.ipynb.py, .*. Did you mean 'own'"):
        Lesson("onw.ipynb")
    with pytest.raises(TypeError, match="expected the name of the notebook without .ipynb, got int"):
        exercises.questions(3)


@pytest.mark.parametrize("text", ["", "QUESTIONS = [1]", "QUESTIONS = {'a': 1}"])
def test_data_that_is_none(lesson, tmp_path, text):
    (tmp_path / "exercises" / "bad.py").write_text(text, encoding="utf-8")
    with pytest.raises(TypeError, match=r"bad\.py must have a dict QUESTIONS"):
        Lesson("bad")


@pytest.fixture
def run(lesson):
    """A shell that runs cells; what they printed comes back."""
    shell = InteractiveShell()
    after.register(shell)
    after.register(shell)
    yield shell.run_cell
    InteractiveShell.clear_instance()


def test_a_cell_waits_until_the_question_is_over(lesson, run, capsys):
    cell = "%%after slope\nprint('told')\nfound = 1\nfound\n"
    assert run(cell).success and "told" not in capsys.readouterr().out
    assert "This cell waits for your answer to “slope”." in (run(cell), capsys.readouterr().out)[1]
    lesson.check("slope", 6)
    result = run(cell)
    assert result.result == 1 and "told" in capsys.readouterr().out
    assert run("1 +\\\n 1").result == 2


def test_a_cell_that_waits_for_what_is_not_asked(lesson, run, capsys):
    assert isinstance(run("%%after nothing\n1").error_in_exec, ValueError)
    assert "asks no ''; it asks 'slope'" in str(run("%%after\n1").error_in_exec)
    Lesson.current = None
    assert isinstance(run("%%after slope\n1").error_in_exec, NameError)


def test_a_notebook_that_is_stored_waits_for_nobody_and_remembers_nothing(lesson, run, capsys, monkeypatch, tmp_path):
    progress.reset()
    before = (tmp_path / "mine" / "progress.json").read_bytes()
    monkeypatch.setenv("MINIGRAD_ANSWERS", "waived")
    stored = Lesson("own")
    assert run("%%after slope\n3").result == 3
    for act in (lambda: stored.check("slope", 6), lambda: stored.waive("which"), stored.review, stored.summary):
        act()
    assert (tmp_path / "mine" / "progress.json").read_bytes() == before
