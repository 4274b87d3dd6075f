"""What the browser says of an answer is what Python says of it: both are held to tests/data/judging.json."""

import base64
import json
from pathlib import Path

import pytest

from widgets import web
from widgets.lessons.judging import Asked, Unreadable

CASES = json.loads((Path(__file__).parent.parent / "data" / "judging.json").read_text(encoding="utf-8"))
QUESTIONS = CASES["questions"]
JUDGE = """([questions, cases]) => cases.map(([name, given]) => {
    try {
        const { right, says } = window.judging.judge(questions[name], given);
        return [name, given, right, says];
    } catch (problem) {
        if (!(problem instanceof window.judging.Unreadable)) throw problem;
        return [name, given, null, problem.message];
    }
})"""


def judged_by_python(name, given):
    """Null is said of what cannot be read, and so is no try."""
    texts = {key: value for key, value in QUESTIONS[name].items() if key not in ("answer", "wrong")}
    values = float if texts["kind"] == "number" else (lambda x: x)
    wrong = tuple((values(one), says) for one, says in QUESTIONS[name]["wrong"])
    answer = values(QUESTIONS[name]["answer"])
    if texts["kind"] == "number":
        texts = {"tolerance": 0.0} | texts
    asked = Asked(lesson="1", name=name, seed=0, prompt="?", shown="", answer=answer, wrong=wrong, **texts)
    try:
        verdict = asked.judge(given)
    except Unreadable as problem:
        return [name, given, None, str(problem)]
    return [name, given, verdict.right, verdict.says]


def test_python_says_so():
    assert [judged_by_python(name, given) for name, given, *_ in CASES["cases"]] == CASES["cases"]


@pytest.fixture(scope="module")
def judging(browser):
    page = browser.new_page()
    source = base64.b64encode(web.joined(["words", "judging"]).encode()).decode()
    page.evaluate("async source => { window.judging = await import(`data:text/javascript;base64,${source}`) }", source)
    yield page
    page.close()


def test_the_browser_says_so(judging):
    assert judging.evaluate(JUDGE, [QUESTIONS, CASES["cases"]]) == CASES["cases"]
