"""The overview shows how far a learner is, lesson by lesson."""

import pytest

from widgets.lessons import exercises, overview, progress

RIGHT = {"tries": [{"given": "2", "right": True, "says": ""}], "hints": 0, "outcome": "right"}


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    monkeypatch.setenv("MINIGRAD_COURSE", str(tmp_path))


def test_each_lesson_has_a_line():
    assert [row.lesson for row in overview.rows()] == overview.lessons()
    assert not any(row.opened or row.answered for row in overview.rows())
    assert overview.show().table().count("<tr>") == len(overview.lessons()) + 1


def test_it_counts_what_was_asked_and_right_at_the_first_try():
    lesson = exercises.names()[0]
    first, second, *_ = exercises.questions(lesson)
    progress.keep(lesson, first, 0, RIGHT)
    progress.keep(lesson, second, 0, RIGHT | {"hints": 1})
    progress.keep(lesson, second, 1, RIGHT)  # a cousin is no question of its own
    row = next(row for row in overview.rows() if row.lesson == lesson)
    assert row == (lesson, True, len(exercises.questions(lesson)), 2, 1)
    assert f"<td>2 of {row.asked}</td><td>1</td>" in overview.show().table()


def test_answers_are_forgotten_on_request(capsys):
    lesson = exercises.names()[0]
    progress.keep(lesson, "a question", 0, RIGHT)
    overview.export()
    assert str(progress.path()) in capsys.readouterr().out
    overview.forget(lesson)
    assert lesson not in progress.read() and "forgotten" in capsys.readouterr().out
