"""Progress is one file: kept over kernels, told of when it is broken, forgotten on request."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from widgets.lessons import progress


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    monkeypatch.setenv("MINIGRAD_COURSE", str(tmp_path / "mine"))
    return tmp_path / "mine"


RIGHT = {"tries": [{"given": "2", "right": True, "says": ""}], "hints": 0, "outcome": "right"}
LATE = {"tries": [{"given": "1", "right": False, "says": "no"}, *RIGHT["tries"]], "hints": 0, "outcome": "right"}


def test_nothing_is_written_by_reading(own):
    assert progress.read() == {} and progress.entry("1", "slope", 0)["tries"] == []
    assert not own.exists()


def test_what_is_kept_is_read_again_and_other_lessons_stay(own):
    progress.opened("1")
    progress.keep("2", "slope", 3, LATE)
    progress.keep("2", "height", 0, RIGHT)
    assert progress.entry("2", "slope", 3) == LATE and progress.entry("2", "slope", 0) == progress.empty()
    assert list(progress.read()) == ["1", "2"] and [path.name for path in own.iterdir()] == ["progress.json"]
    progress.reset("2")
    assert progress.read() == {"1": {}}
    progress.reset()
    assert progress.read() == {}


def test_threads_keep_all_that_each_of_them_wrote():
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda seed: progress.keep("1", "slope", seed, RIGHT), range(64)))
    assert len(progress.read()["1"]["slope"]) == 64


def test_what_is_given_out_is_nobody_elses():
    progress.entry("1", "slope", 0)["tries"].append("mine")
    assert progress.entry("1", "slope", 0) == progress.empty()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"version": 1}',
        '{"lessons": {"1": {"slope": {"0": {"tries": 3}}}}}',
        '{"lessons": [1]}',
        "\ud800",
    ],
)
def test_a_broken_file_is_kept_aside_and_told_of(own, text, capsys):
    own.mkdir()
    (own / "progress.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    assert progress.read() == {}
    assert "could not be read" in capsys.readouterr().out
    assert (own / "progress that could not be read.json").read_bytes() == text.encode("utf-8", "surrogatepass")
    progress.keep("1", "slope", 0, RIGHT)
    assert json.loads((own / "progress.json").read_text(encoding="utf-8"))["lessons"]["1"]["slope"]["0"] == RIGHT


def test_right_at_first_try():
    assert progress.right_at_first(RIGHT) and not progress.right_at_first(LATE)
    assert not progress.right_at_first(RIGHT | {"hints": 1}) and not progress.right_at_first(progress.empty())
