"""The widget and the exported file as text: what they hold, and that nothing in them can be taken for anything else."""

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

import minigrad as mg
from widgets import web
from widgets.drawing import picture, raster
from widgets.lessons import ask
from widgets.showing import page
from widgets.showing.run import record
from widgets.showing.stepper import Stepper

WEB = Path(page.__file__).parents[1] / "web"
ROOT = WEB.parents[1]
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
    assert lines[0] == f"Stepper: b = a * a, 2 boxes, {len(trace['frames'])} steps"
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


def test_who_predicts_reads_no_answer(trace):
    for predict, index in ((False, None), (True, 0)):
        (data, _), kept = Stepper(trace, picture.views(trace), predict=predict).kept()
        assert base64.b64decode(data["image/png"]) == raster.png(picture.svg(trace, index))
        assert "<ol><li>b = a * a" in kept
        assert ("<li>a.grad was empty" in kept) is ("a.grad was empty" in data["text/plain"]) is not predict


def test_the_words_end_where_the_first_question_is_asked(trace):
    def told(asks):
        return repr(Stepper(trace, predict=True, asks=asks)).splitlines()

    everything = repr(Stepper(trace)).splitlines()
    assert told([]) == everything
    at = next(i for i, frame in enumerate(trace["frames"]) if frame["kind"] == "sent")
    rule, number = trace["frames"][at]["ask"]
    assert rule["before"] == at - 1  # the step before tells the rule
    left = len(trace["frames"]) - (at - 1)
    assert told([(at, "rule")])[:-1] == everything[:at]
    assert told([(at, "rule")])[-1] == f"…  {left} more steps, after a question: {rule['question']}"
    assert told([[at, "number"]])[:-1] == everything[: at + 1]


def test_a_notebook_holds_a_picture_words_and_a_page(trace):
    stepper = Stepper(trace, picture.views(trace), index=2)
    (data, said), kept = stepper.kept()
    assert set(data) == {"image/png", "text/plain"} and data["text/plain"] == repr(stepper)
    assert said["image/png"]["alt"].startswith("Stepper: b = a * a")
    packed = re.search('data-page="([^"]*)"', kept)[1]
    document = gzip.decompress(base64.b64decode(packed)).decode()
    assert document == page.page(trace, stepper.views, "", index=2, level=3, predict=False, height=560)
    assert len(packed) < 78_000


def test_no_text_ends_the_script_that_holds_it():
    trace = {"title": SECRET, "values": [], "nodes": [], "frames": [{"kind": "made", "say": SECRET}]}
    document = page.page(trace, {}, SECRET)
    found = re.search(r'<script type="application/gzip">(.*?)</script>', document, re.S)
    assert json.loads(gzip.decompress(base64.b64decode(found[1])))["trace"] == trace
    assert document.count("<script") == 2 and "<!--" not in document


def test_the_policy_allows_our_two_texts_and_no_network():
    document = page.page({"values": [], "nodes": [], "frames": []}, {})
    policy = re.search('Content-Security-Policy" content="([^"]*)"', document)[1]
    style = re.search("<style>(.*?)</style>", document, re.S)[1]
    script = re.search('<script type="module">(.*?)</script>', document, re.S)[1]
    sums = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    sources = f"script-src 'sha256-{sums[0]}'; style-src 'sha256-{sums[1]}'; img-src data:"
    assert policy == f"default-src 'none'; form-action 'none'; {sources}"


@pytest.mark.parametrize("modules", [page.MODULES, ask.MODULES], ids=["stepper", "ask"])
def test_the_modules_become_one(modules):
    seen = set()
    for name in modules:
        text = (WEB / f"{name}.js").read_text(encoding="utf-8")
        wanted = re.findall(r'^import \{ [^}]* \} from "./(\w+).js";$', text, re.M)
        assert len(wanted) == len(re.findall(r"^import\b", text, re.M)), f"{name}: an import is one line, by name"
        assert set(wanted) <= seen, f"{name} comes after what it imports"
        seen.add(name)
    assert not re.search(r"^import\b", web.joined(modules), re.M)


def test_each_module_is_in_use():
    apart = {"open", "inside", "site"}  # places.py has use for them, and the pages of the course
    assert {path.stem for path in WEB.glob("*.js")} == {*page.MODULES, *ask.MODULES, *apart}


@pytest.mark.parametrize("name", ["run", "player"])
def test_what_walks_a_trace_knows_no_page(name):
    text = re.sub("//.*|/\\*.*?\\*/", "", (WEB / f"{name}.js").read_text(encoding="utf-8"))
    assert not re.search(r"\b(document|window|classList|addEventListener|requestAnimationFrame)\b", text)


def test_the_page_of_the_stepper_names_the_keys_that_there_are():
    table = (WEB / "keys.js").read_text(encoding="utf-8").partition("const ACTIONS")[0]
    there = {name for names in re.findall(r'^  \[\s*"([^"]+)",', table, re.M) for name in names.split()}
    text = (ROOT / "docs" / "stepper.md").read_text(encoding="utf-8")
    keys = text.partition("## With the keys")[2].partition("\n## ")[0]
    told = {name for names in re.findall(r"^\| (.+?) \|", keys, re.M) for name in names.split()} - {"key", "·"}
    assert told == there - {"Ctrl+wheel"} and "Ctrl+wheel" in there and "Ctrl+wheel" in text


def test_no_file_holds_two_concepts():
    long = [path.name for path in WEB.glob("*.js") if len(path.read_text(encoding="utf-8").splitlines()) > 300]
    assert long == []


def test_the_module_makes_no_markup_and_fetches_nothing():
    module = page.module()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", module)
    assert not re.search(r"fetch\(|XMLHttpRequest|WebSocket|import\(|</script|<!--", module)
    assert set(re.findall(r"https?://[^\"]*", module)) == {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1998/Math/MathML",
    }


def test_sizes():
    """A trace of 100 nodes and 200 frames takes at most 260 kB, and its page 400 kB."""
    x = mg.tensor(0.5, requires_grad=True)
    with record() as run:
        y = x
        for i in range(49):
            y = mg.sin(y) if i % 2 else y * 0.9
        y.backward()
    trace = run.trace
    assert len(trace["nodes"]) > 70 and len(trace["frames"]) > 140
    scale = min(100 / len(trace["nodes"]), 200 / len(trace["frames"]))
    assert len(run.to_json().encode()) * scale < 260_000
    assert len(page.page(trace, picture.views(trace)).encode()) * scale < 400_000
    said, program = page.module().encode().split(b"\n", 1)
    assert len(program) < 143_500 and len(said) < 16_000


@pytest.mark.parametrize("show", [lambda run: run.step(predct=True), lambda run: run.save("lesson.html", predct=True)])
def test_a_trait_that_there_is_not_is_refused(show):
    with record() as run:
        mg.ones(1) * 2
    with pytest.raises(TypeError, match="a stepper has no 'predct'. Did you mean 'predict'\\?; it has index, node"):
        show(run)
    with pytest.raises(ValueError, match="a kind of question, not 'rule'; ask='rule' chooses them"):
        run.step(asks="rule")


def test_a_parameter_is_offered_to_be_moved():
    layer = mg.nn.Linear(1, 1)
    with record() as run:
        layer(mg.ones(1)).sum().backward()
    assert run.step(move="layer.weight").move == "layer.weight"
