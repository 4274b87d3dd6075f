"""What a notebook keeps of a question: words, the answers for those who collect them, and no answer to be read."""

import base64
import gzip
import html
import json
import re

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from widgets import places
from widgets.lessons import choice, number, order, picture
from widgets.lessons.ask import Ask
from widgets.lessons.progress import ANSWERS

SLOPE = number("How steep is `a·a` at 3?", 6.0, hints=["A riddle."], because="A <secret>.")
RIGHT, WRONG = {"given": "6", "right": True, "says": ""}, {"given": "9", "right": False, "says": "Too high."}
PROGRAM = """
from widgets.lessons import number
from widgets.lessons.ask import Ask
ask = Ask(number("How steep?", 6.0).asked("small", "slope"))
ask"""
ANSWERED = """ask.tries = [{"given": "6", "right": True, "says": ""}]; ask.outcome = 'right'"""


def ask(question=SLOPE, **entry):
    return Ask(question.asked("small", "slope"), **entry)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({}, "Asked: {} Not answered yet."),
        ({"hints": 1}, "Asked: {} Not answered yet."),
        ({"tries": [WRONG]}, "{} Your answer 9: not right yet."),
        ({"tries": [WRONG, WRONG | {"given": "8"}]}, "{} Your answer 9 and 8: not right yet."),
        ({"tries": [RIGHT], "outcome": "right"}, "{} Your answer 6: right."),
        ({"tries": [WRONG, RIGHT], "outcome": "right"}, "{} Your answer 6: right, after 9."),
        ({"tries": [RIGHT, WRONG], "outcome": "right"}, "{} Your answer 6: right."),
        ({"tries": [WRONG], "outcome": "shown"}, "{} The answer: 6 (shown)."),
    ],
)
def test_words(entry, words):
    assert repr(ask(**entry)) == words.format("How steep is `a·a` at 3?")


def test_answers_that_are_chosen_are_told_by_name():
    tries = [{"given": "1", "right": False, "says": ""}]
    which = choice("Which?", ["a", "b"], "a")
    assert repr(ask(which)) == "Asked: Which? To choose from: a; b. Not answered yet."
    assert repr(ask(which, tries=tries)) == "Which? Your answer b: not right yet."
    tries = [{"given": "1,0", "right": True, "says": ""}]
    assert (
        repr(ask(order("How?", ["a", "b"], ["b", "a"]), tries=tries, outcome="right"))
        == "How? Your answer b, a: right."
    )
    tries = [{"given": "0", "right": False, "says": ""}]
    match = picture("Match.", lambda h, x: h * x, lambda x: x, places=[-0.5, 1.0], answer=1.0, label="h")
    assert repr(ask(match, tries=tries)) == "Match. Your answer h = −0.5: not right yet."


def test_an_output_has_the_answers_once_there_are_some():
    assert set(ask().output()) == {"text/plain", "text/html"}
    one = ask(tries=[WRONG], hints=1)
    data = one.output()
    entry = {"tries": [WRONG], "hints": 1, "outcome": ""}
    assert (
        data[ANSWERS]
        == {"lesson": "small", "name": "slope", "seed": 0} | entry
        == json.loads(json.dumps(data[ANSWERS]))
    )
    marks = re.fullmatch('<p data-answers-of="(.*?)" data-answers="(.*?)">(.*?)</p>', data["text/html"])
    assert (marks[1], json.loads(html.unescape(marks[2]))) == (one.place, entry)
    assert html.unescape(marks[3]) == data["text/plain"]


def test_nobody_reads_an_answer_in_what_is_kept():
    (data, _), kept = ask().kept()
    page = gzip.decompress(base64.b64decode(re.search('data-page="(.*?)"', kept)[1])).decode()
    for text in (str(data), kept, page):
        assert "secret" not in text and "riddle" not in text
    assert "connect-src" not in page and "default-src 'none'" in page and len(kept) < 30_000


def test_an_answer_changes_the_first_output_and_nothing_else():
    cells = [nbformat.v4.new_code_cell(source) for source in (PROGRAM, ANSWERED)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client = NotebookClient(notebook, kernel_name="python3", store_widget_state=False)
    with client.setup_kernel():
        client.execute_cell(cells[0], 0)
        place = cells[0].outputs[1]
        assert cells[0].outputs[0].data["text/plain"] == "Asked: How steep? Not answered yet."
        client.execute_cell(cells[1], 1)
    words, same = cells[0].outputs
    assert words.data["text/plain"] == "How steep? Your answer 6: right." and words.data[ANSWERS]["outcome"] == "right"
    assert same == place and cells[1].outputs == []
    page, _ = HTMLExporter().from_notebook_node(notebook)
    assert page.count("data-answers-of=") >= 1 and "How steep? Your answer 6: right." in page


def test_where_the_output_is_the_widget_it_is_not_replaced(monkeypatch):
    shown = []
    monkeypatch.setattr(places, "display", lambda data, **_: shown.append(set(data)))
    monkeypatch.setattr(places, "update_display", lambda data, **_: shown.append("again"))
    monkeypatch.setattr(places, "shows_widgets_by_name_only", lambda: True)
    one = ask()
    one._ipython_display_()
    one.tries = [WRONG]
    assert shown == [{"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"}]
    monkeypatch.setattr(places, "shows_widgets_by_name_only", lambda: False)
    one._ipython_display_()
    one.outcome = "shown"
    assert shown[1:] == [{"text/plain", "text/html", ANSWERS}, {"text/html"}, "again"]


def test_an_answer_is_remembered_before_that_can_be_seen(monkeypatch):
    """JupyterLab tells an answer in a thread of its own, beside which a cell that waits for it may run."""
    happened = []
    monkeypatch.setattr(Ask, "keep", lambda self, output: happened.append("shown"))
    asked = Ask(SLOPE.asked("small", "slope"), lambda entry: happened.append(entry["outcome"]))
    asked.tries = [RIGHT]
    asked.outcome = "right"
    assert happened == ["", "shown", "right", "shown"]
