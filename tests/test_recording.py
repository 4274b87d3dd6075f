"""What is kept of PyTorch's answers is complete, small, and what PyTorch answers today."""

import copy
import itertools
import re

import pytest

from .oracle import DATA, differences, judge, recorded
from .record import SOURCES, questions, record, text

each_file = pytest.mark.parametrize("file", SOURCES)


@each_file
def test_every_question_has_its_answer_and_every_answer_its_question(file):
    differing = [pair for pair in itertools.zip_longest(questions(file), recorded(file)) if pair[0] != pair[1]]
    assert not differing[:1], "run: python -m tests.record"


@each_file
def test_the_recording_is_not_stale(file):
    answers = record(file, judge())
    assert not differences(answers, recorded(file))[:3], "run: python -m tests.record"


@each_file
def test_the_recording_is_written_as_the_script_writes_it(file):
    assert (DATA / f"{file}.json").read_text(encoding="utf-8") == text(recorded(file))


def test_every_recording_can_be_made_again():
    tests = [path.read_text(encoding="utf-8") for path in DATA.parent.rglob("test_*.py")]
    assert {name for text in tests for name in re.findall(r'recorded\("(\w+)"\)', text)} == set(SOURCES)


def test_the_recordings_are_small():
    assert max(path.stat().st_size for path in DATA.glob("*.json")) < 300_000


def test_a_changed_answer_is_noticed():
    kept = recorded("kinks")
    for change in ("values", "first", "second"):
        changed = copy.deepcopy(kept)
        array = changed["m.relu(a) at [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]"][change][0]
        array[1][4] = array[1][4] + 1e-6
        (line,) = differences(changed, kept)
        assert f"{change}[0][1][4]" in line
    changed = copy.deepcopy(kept)
    changed.popitem()
    assert differences(changed, kept)


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, True), (True, 1.0), ("1", 1), (None, 0.0), ([1.0], [1.0, 1.0]), ({"a": 1}, {"b": 1}), (1.0, 1.0 + 1e-6)],
)
def test_what_differs_is_told_apart(one, other):
    assert differences(one, other) and differences([one], [other])


def test_what_rounding_changes_is_the_same():
    assert not differences([1.0, float("nan"), 1e-12], [1.0 + 1e-10, float("nan"), 0.0])
