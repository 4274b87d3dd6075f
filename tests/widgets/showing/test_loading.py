"""Runs in files: what was written is read again as it was, and what is wrong with a file is said in one sentence."""

import copy
import json
import re

import pytest

import minigrad as mg
import widgets
from tests.widgets.recording.test_iterations import training
from tests.widgets.showing.test_run import PROGRAMS
from widgets.showing.page import packed


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_was_written_is_read_again_as_it_was(program, tmp_path):
    run, _ = program()
    (tmp_path / "run.json").write_text(run.to_json(), encoding="utf-8")
    assert widgets.load(run.to_json()).trace == run.trace == widgets.load(tmp_path / "run.json").trace
    assert widgets.load(str(tmp_path / "run.json")).equations() == run.equations()


def test_a_page_is_read_again_and_saved_again_as_the_same_page(tmp_path):
    run, _, _ = training(20)
    run.save(tmp_path / "one.html")
    again = widgets.load(tmp_path / "one.html")
    again.save(tmp_path / "two.html")
    assert again.trace == run.trace
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    assert repr(again.step()) == repr(run.step())


@pytest.fixture(scope="module")
def trace():
    return json.loads(training(2)[0].to_json())


def refused(document) -> str:
    with pytest.raises(ValueError) as caught:
        widgets.load(document if isinstance(document, str) else json.dumps(document))
    sentence = str(caught.value)
    assert "\n" not in sentence and len(sentence) < 300 and caught.value.__cause__ is None
    return sentence


def test_what_is_truncated(trace):
    text = json.dumps(trace)
    for end in (len(text) // 2, len(text) - 1, 20):
        assert refused(text[:end]).startswith("this run is damaged: ")
    assert "it ends in the middle" in refused(text[:-1])
    assert refused("{'a': 1}") == "this run is damaged: line 1, column 2 is no JSON"


@pytest.mark.parametrize("text", ['{"a": 1}', '{"cells": [], "nbformat": 4}', '{"schema": "x"}', '{"a":' * 100_000])
def test_what_is_foreign(text):
    assert refused(text) == "this is no recorded run of minigrad"


def test_what_is_foreign_in_a_file(tmp_path):
    (tmp_path / "list.json").write_text("[1, 2]")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n")
    for name, said in ("list.json", "this is no recorded run"), ("picture.png", "picture.png is no text"):
        with pytest.raises(ValueError, match=said):
            widgets.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        widgets.load("nowhere.json")
    assert refused("<html><p>Hello</p></html>") == "this page holds no recorded run, or only the beginning of one"


def test_what_a_later_version_wrote(trace):
    assert refused(trace | {"schema": 2, "new": []}) == (
        "this run was written by a later version of minigrad (schema 2, and this one reads 1)"
    )


def changed(trace, *way_and_value):
    """A copy in which one thing is another."""
    document = copy.deepcopy(trace)
    *way, last, value = way_and_value
    thing = document
    for step in way:
        thing = thing[step]
    thing[last] = value
    return document


@pytest.mark.parametrize(
    ("way", "said"),
    [
        (("frames", 3, "level", 7), r"damaged: frames\[3\].level: 7 is not one of"),
        (("nodes", 0, {"kind": "leaf"}), r"damaged: nodes\[0\]: '(name|label)' is a required property"),
        (("frames", 0, "say", 3), r"damaged: frames\[0\].say: 3 is not of type 'string'"),
        (
            ("frames", 0, "changes", [["x0", "value", None, 0]]),
            r"damaged: frames\[0\].changes\[0\]\[0\]: 'x0' does not match",
        ),
        (("more", []), r"damaged: the document: Additional properties"),
        (("edges", 1, "to", 999), r"inconsistent: to of edges\[1\] is nodes\[999\], and there are \d+$"),
        (("frames", 2, "node", 999), r"inconsistent: node of frames\[2\] is nodes\[999\]"),
        (("frames", 0, "changes", [["n999", "value", None, 0]]), r"changes of frames\[0\] is nodes\[999\]"),
        (("frames", 0, "changes", [["n3", "value", None, 9999]]), r"changes of frames\[0\] is values\[9999\]"),
        (("frames", 0, "changes", [["e999", "part", None, 0]]), r"changes of frames\[0\] is edges\[999\]"),
        (("groups", 0, "parent", 0), r"inconsistent: groups\[0\] is inside itself"),
        (("nodes", 0, "group", 999), r"group of nodes\[0\] is groups\[999\]"),
        (("frames", 0, "at", [99, 1, 0, 1, 2]), r"at of frames\[0\] is files\[99\]"),
        (("frames", []), r"inconsistent: (first|last) of phases\[0\] is frames\[\d+\], and there are 0"),
        (("phases", 0, "first", 2), r"inconsistent: phases\[0\] goes from 2 to \d+, and should begin at 0"),
        (("iterations", 1, "first", 5), r"inconsistent: iterations\[1\] goes from 5 to \d+, and should begin at \d+"),
        (("iterations", 0, "loss", 9999), r"inconsistent: loss of iterations\[0\] is values\[9999\]"),
        (("nodes", 0, "start", {"value": 9999}), r"start of nodes\[0\] is values\[9999\]"),
        (("frames", 1, "changes", [["n0", "done", True, None]]), r"frames\[1\] changes done of n0 from True"),
    ],
)
def test_what_does_not_fit_together(trace, way, said):
    assert re.search(said, refused(changed(trace, *way)))


def test_two_groups_inside_each_other(trace):
    document = changed(changed(trace, "groups", 0, "parent", 1), "groups", 1, "parent", 0)
    assert refused(document).endswith("is inside itself")


def test_a_damaged_page(tmp_path):
    training(2)[0].save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    start = page.index("application/gzip") + 500
    assert refused(page[:start]) == "this page holds no recorded run, or only the beginning of one"
    damaged = page[:start] + ("B" if page[start] == "A" else "A") + page[start + 1 :]
    assert (
        refused(damaged)
        == refused(page[:start] + "!" + page[start:])
        == ("the data of this page is damaged; save the run once more")
    )
    empty = re.sub('(gzip">)[^<]*', lambda found: found[1] + packed([1]), page)
    assert refused(empty) == "this is no recorded run of minigrad"


def test_half_a_character_and_nan_are_written_without_a_word(tmp_path, recwarn):
    a = mg.tensor([0.0, float("nan"), float("inf"), -1.0, 3e38], requires_grad=True)
    with widgets.record("half \ud83d a title", keep_errors=True) as run:
        (a.log() * a).sum().backward()
        raise ValueError("a name: \udc00")
    run.save(tmp_path / "nan.html")
    assert widgets.load(run.to_json().encode().decode()).trace["title"] == "half ? a title"
    assert run.trace["frames"][-1]["say"] == "ValueError: a name: ?"
    assert run.step()._repr_mimebundle_() and not recwarn.list
