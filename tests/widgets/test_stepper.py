"""The widget and the exported file as text: what they hold, and that nothing in them can be taken for anything else."""

import base64
import hashlib
import html
import json
import re
from pathlib import Path

import pytest

import minigrad as mg
from widgets import page, picture
from widgets.run import record
from widgets.stepper import Stepper

WEB = Path(page.__file__).parent / "web"
SECRET = "</script><!--<script>\u2028&'\""


@pytest.fixture(scope="module")
def trace():
    a = mg.tensor(2.0, requires_grad=True)
    with record("b = a * a") as run:
        b = a * a
        b.backward()
    return run.trace


def test_the_widget_says_what_happened(trace):
    stepper = Stepper(trace, picture.views(trace))
    lines = repr(stepper).splitlines()
    assert lines[0] == f"Stepper: b = a * a, 2 nodes, {len(trace['frames'])} steps"
    assert lines[1] == "1  b = a * a = 2 * 2 = 4." and len(lines) == 1 + len(trace["frames"])


def test_a_long_run_is_told_by_its_beginning(trace):
    many = {**trace, "frames": trace["frames"] * 20}
    lines = repr(Stepper(many)).splitlines()
    assert len(lines) == 41 and lines[-1].strip() == f"…  {len(many['frames']) - 39} more steps"


def test_the_index_stays_inside(trace):
    stepper = Stepper(trace)
    stepper.index = 99
    assert stepper.index == len(trace["frames"])
    stepper.index = -1
    assert stepper.index == 0


def test_a_picture_gives_no_answer_away(trace):
    for predict, index in ((False, None), (True, 0)):
        stepper = Stepper(trace, picture.views(trace), predict=predict)
        image = re.search(r"base64,([^\"]*)", stepper.still())[1]
        assert base64.b64decode(image).decode() == picture.svg(trace, index)


def test_a_notebook_holds_a_widget_a_page_and_words(trace):
    stepper = Stepper(trace, picture.views(trace), index=2)
    data, _ = stepper._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert data["text/plain"] == repr(stepper)
    frame = re.fullmatch(
        r'<iframe sandbox="allow-scripts" [^>]*? srcdoc=\'([^\']*)\'>(.*)</iframe>', data["text/html"], re.S
    )
    document = html.unescape(frame[1])
    assert document == page.page(trace, stepper.views, "", index=2, level=3, predict=False, height=560)
    image = re.match('<img alt="[^"]*" src="data:image/svg\\+xml;base64,([^"]*)">', frame[2])
    assert base64.b64decode(image[1]).decode() == picture.svg(trace)
    assert Stepper(trace)._repr_mimebundle_()[0]["text/html"] == Stepper(trace)._repr_mimebundle_()[0]["text/html"]


def test_no_text_ends_the_script_that_holds_it():
    trace = {"title": SECRET, "values": [], "nodes": [], "frames": [{"kind": "made", "say": SECRET}]}
    document = page.page(trace, {}, SECRET)
    found = re.search(r'<script type="application/json">(.*?)</script>', document, re.S)
    assert "<" not in found[1] and "\u2028" not in found[1]
    assert json.loads(found[1])["trace"] == trace
    assert document.count("<script") == 2 and "<!--" not in document


def test_the_policy_allows_our_two_texts_and_no_network():
    document = page.page({"values": [], "nodes": [], "frames": []}, {})
    policy = re.search('Content-Security-Policy" content="([^"]*)"', document)[1]
    style = re.search("<style>(.*?)</style>", document, re.S)[1]
    script = re.search('<script type="module">(.*?)</script>', document, re.S)[1]
    sums = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    assert policy == (f"default-src 'none'; script-src 'sha256-{sums[0]}'; style-src 'sha256-{sums[1]}'; img-src data:")


def test_the_modules_become_one():
    assert sorted(path.stem for path in WEB.glob("*.js")) == sorted(page.MODULES)
    seen = set()
    for name in page.MODULES:
        text = (WEB / f"{name}.js").read_text(encoding="utf-8")
        wanted = re.findall(r'^import \{ [^}]* \} from "./(\w+).js";$', text, re.M)
        assert len(wanted) == len(re.findall(r"^import\b", text, re.M)), f"{name}: an import is one line, by name"
        assert set(wanted) <= seen, f"{name} comes after what it imports"
        seen.add(name)
    assert not re.search(r"^import\b", page.module(), re.M)


def test_the_module_makes_no_markup_and_fetches_nothing():
    module = page.module()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", module)
    assert not re.search(r"fetch\(|XMLHttpRequest|WebSocket|import\(|</script|<!--", module)
    assert set(re.findall(r"https?://[^\"]*", module)) == {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1998/Math/MathML",
    }


def test_sizes():
    """A trace of 100 nodes and 200 frames takes at most 200 kB, and its page 400 kB."""
    x = mg.tensor(0.5, requires_grad=True)
    with record() as run:
        y = x
        for i in range(49):
            y = mg.sin(y) if i % 2 else y * 0.9
        y.backward()
    trace = run.trace
    assert len(trace["nodes"]) > 70 and len(trace["frames"]) > 140
    scale = min(100 / len(trace["nodes"]), 200 / len(trace["frames"]))
    assert len(run.to_json().encode()) * scale < 200_000
    assert len(page.page(trace, picture.views(trace)).encode()) * scale < 400_000
    assert len(page.module().encode()) < 100_000
