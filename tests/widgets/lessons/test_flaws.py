"""Whoever writes a question is told what is wrong with it, when the lesson is opened."""

import pytest

import minigrad as mg
from widgets import Lesson
from widgets.lessons import Mistake, choice, code, number, order, picture, shape, sign
from widgets.lessons.flaws import flaws

WRONG = {
    "its hints must be a list, not 'Think.'": lambda: number("?", 1.0, hints="Think."),
    "its options must be a list, not 'ab'": lambda: choice("?", "ab", "a"),
    'given must have a list of values for each name, such as {"a": [3.0, 4.0]}': lambda: number(
        "?", 1, given={"a": []}
    ),
    "each of its mistakes must be a fault of the engine, or a Mistake(says, leads_to)": lambda: number(
        "?", 6.0, mistakes={5.0: "One less."}
    ),
    "its options must be two or more, each another one": lambda: choice("?", ["a", "a", "b"], "a"),
    "name must be that of the function, not 'my f'": lambda: code("?", "my f", [1.0], reference=abs),
    "its list of cases is empty": lambda: code("?", "f", [], reference=abs),
    "its answers cannot be computed: ZeroDivisionError: division by zero": lambda: number("?", lambda: 1 / 0),
    "its answers cannot be computed: ValueError: 'c' is none of its options: 'a', 'b'": lambda: order(
        "?", ["a", "b"], ["a", "c"]
    ),
    "its answers cannot be computed: ValueError: 'ab' is no shape": lambda: shape("?", "ab"),
    "nothing is given for {b}: How much is {b}?": lambda: number("How much is {b}?", lambda a: a, given={"a": [1.0]}),
    "its prompt must be a text, not None": lambda: number(None, 1.0),
    "each of its options must be a text, not 2": lambda: choice("?", ["a", 2], "a"),
    "what a mistake says must be a text, not 3.0": lambda: number("?", 1.0, mistakes=[Mistake(3.0, "No.")]),
    "its tolerance must be a number that is not negative, not '0.1'": lambda: number("?", 1.0, tolerance="0.1"),
    "its answer must have each of its options once": lambda: order("?", ["a", "b", "c"], ["c", "a", "a"]),
    "its curve lies nearest to the dashed one at 2.0, which is not its answer": lambda: picture(
        "?", lambda w, x: w * x, lambda x: 2 * x, places=[1.0, 2.0], answer=1.0
    ),
    "its cases must be a list, or a function that makes one, not 1.0": lambda: code("?", "f", 1.0, reference=abs),
    "its reference cannot be called on its cases: it takes (a, b)": lambda: code(
        "?", "f", [1.0], reference=lambda a, b: a
    ),
    "its reference cannot be called on its cases: ZeroDivisionError: division by zero": lambda: code(
        "?", "f", [0], reference=lambda a: 1 / a
    ),
    "one of its mistakes does what its reference does": lambda: code(
        "?", "f", [1.0], reference=abs, mistakes=[Mistake("No.", lambda a: max(a, -a))]
    ),
    "one of its mistakes cannot be called on its cases: it takes (a, b)": lambda: code(
        "?", "f", [1.0], reference=abs, mistakes=[Mistake("No.", lambda a, b: a)]
    ),
    "one of its mistakes leads to the right answer, or where another one leads": lambda: sign(
        "?", 2.0, mistakes=[Mistake("No.", 3.0)]
    ),
}


@pytest.mark.parametrize("says", WRONG)
def test_what_is_wrong_is_told_in_a_sentence(says):
    assert flaws(WRONG[says]()) == [says]


def test_what_is_right_is_not_complained_of():
    assert not flaws(number("{a}²?", lambda a: a * a, given={"a": [2.0, 3.0]}, mistakes=[Mistake("{a}.", lambda a: a)]))
    assert not flaws(choice("?", ["a", "b"], "a", mistakes={"b": "No."}))
    assert not flaws(code("?", "f", [1.0], reference=abs))
    cut = Mistake("Nothing goes back.", lambda x: x.detach())
    assert not flaws(code("?", "f", [mg.tensor(1.0, requires_grad=True)], reference=lambda x: x * 1, mistakes=[cut]))


def test_a_lesson_is_looked_through_when_it_is_opened(tmp_path, monkeypatch):
    (tmp_path / "exercises").mkdir()
    program = 'from widgets.lessons import choice\nQUESTIONS = {"first": choice("?", ["a", "b"], "c")}\n'
    (tmp_path / "exercises" / "own.py").write_text(program, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ValueError, match=r"^own\.py, 'first': its answers cannot be computed: ValueError: 'c' is none of"
    ):
        Lesson("own")
