"""The file of words: whole, in use, and replaced by another language without a word being lost."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from matplotlib.text import Text

import minigrad as mg
import widgets
from minigrad.faults import FAULTS, overwrites_in_flight
from tests.marked_words import marked, marked_language, unmarked
from tests.widgets.plots.test_figure import make_examples
from widgets.lessons import overview
from widgets.lessons.after import waiting
from widgets.showing import page
from widgets.words import VARIABLE, english, entries, language, listed, say

ROOT = Path(widgets.__file__).parent
GERMAN = Path(__file__).parents[1] / "data" / "words.de.toml"
# Rooms whose words the stepper says; of `ask` and `judging`, which questions of lessons have, only some.
STEPPER = (
    *(
        "language",
        "list",
        "values",
        "code",
        "phases",
        "rules",
        "story",
        "questions",
        "looks",
        "keys",
        "help",
        "stepper",
    ),
    *("transport", "loop", "narration", "panels", "picture", "inspector", "table", "stops", "options"),
    *("search", "predict", "answers", "verdicts", "signs", "drawing", "page"),
)


@pytest.fixture(autouse=True)
def english_again():
    yield
    language()


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


# == the table =====================================================================================================


def asked_for():
    """The keys in the programs; where the end of one is computed, it ends with a dot or an underline."""
    found = set()
    for path in ROOT.rglob("*.py"):
        if "notebooks" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("say", "in_html", "counted"):
                texts = [one for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
                found |= {str(one.value) for one in texts if "." in str(one.value)}
    for path in (ROOT / "web").glob("*.js"):
        found |= set(re.findall(r"[\"`]([a-z_]+\.[a-z_0-9]*)(?=[\"`$])", path.read_text(encoding="utf-8")))
    return {key for key in found if key.partition(".")[0] in {one.partition(".")[0] for one in english()}}


def test_each_key_that_is_asked_for_is_there():
    whole = {key for key in asked_for() if not key.endswith((".", "_"))}
    assert whole - english().keys() <= {"code.py", "picture.css"}


def test_marks():
    assert marked("{name} receives {part}.") == "{name}⟦ receives ⟧{part}."
    assert unmarked("⟦Step ⟧3⟦ of⟧ 4, planted", set()) == ["planted"]


def test_each_entry_is_asked_for():
    asked = asked_for()
    computed = tuple(key for key in asked if key.endswith((".", "_")))
    # In telling/ and gradcheck.py, a variable holds the whole end of the key.
    assert {key for key in english() if key not in asked and not key.startswith(computed)} == set()


def test_no_sentence_stands_in_a_program():
    paths = [path for path in ROOT.rglob("*.py") if "notebooks" not in path.parts and path.name not in COMMANDS]
    found = {
        path.relative_to(ROOT).as_posix(): sentences(in_python(path.read_text(encoding="utf-8"))) for path in paths
    }
    for path in (ROOT / "web").glob("*.js"):
        found[path.name] = sentences(in_javascript(path.read_text(encoding="utf-8")))
    assert {place: texts for place, texts in found.items() if texts} == {}
    assert sentences(in_python("""'Not this one.'; print(f'{name} waits for you.')""")) == [" waits for you."]
    assert sentences(in_javascript("""h("p", {}, "Choose one"); // not "This one." """)) == ["Choose one"]


COMMANDS = "__main__.py", "new_lesson.py", "flaws.py"  # for who builds pages, or writes a lesson of their own


def sentences(texts):
    """Those that read as a sentence or a title."""
    plain = [re.sub(r"<[^>]*>?|.*data:", "", text) for text in texts]
    return [text for text in plain if re.search("[a-z]{2,},? [a-z]{2,}.*[.?:!] ?$|^[A-Z][a-z]+,? [a-z]{2,}", text)]


def in_python(program):
    """Texts outside of docstrings and of what is raised."""
    tree = ast.parse(program)
    apart = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    apart |= {id(one) for node in ast.walk(tree) if isinstance(node, ast.Raise) for one in ast.walk(node)}
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [one.value for one in texts if id(one) not in apart]


def in_javascript(program):
    """Texts outside of comments, in quotes or between backticks."""
    program = re.sub(r"(^|\s)//.*|/\*\*.*?\*/", "", program, flags=re.MULTILINE)
    return [quoted or template for quoted, template in re.findall(r'"([^"\n]*)"|`([^`\n]*)`', program)]


# == another language ==============================================================================================


def test_what_a_language_does_not_say_is_english(tmp_path):
    language(write(tmp_path / "some.toml", 'story.receives = "{part} an {name}."\n[signs]\nzero = "null"'))
    assert say("story.receives", name="a", part="2") == "2 an a."
    assert say("signs.zero") == "null" and say("signs.positive") == "positive"
    language()
    assert say("signs.zero") == "zero"


@pytest.mark.parametrize(
    "text, why",
    [
        ('[signs]\nzeros = "null"', "there is no 'signs.zeros' in english.toml. Did you mean 'signs.zero'?"),
        ('story.receives = "{name} bekommt."', "story.receives must have these places, and no others: {name}, {part}"),
        ('signs.zero = "{count} null"', "signs.zero must have these places, and no others: none"),
        ('signs.zero = "null {"', "signs.zero is no template: "),
        ('story.receives = "{name} {part:>9}"', "story.receives is no template: in the braces there is only a name"),
        ("signs.zero = 0", "signs.zero is no template: a text is expected"),
        ('operations.sin = "der Sinus"', "operations.sin must have these places, and no others: {0}"),
        ('misconceptions.none = ""', "there is no 'misconceptions.none' in english.toml"),
        ("[signs", "cannot be read: "),
    ],
)
def test_a_file_with_a_mistake_changes_nothing(tmp_path, text, why):
    with pytest.raises(ValueError, match=re.escape(why)):
        language(write(tmp_path / "some.toml", text))
    assert say("signs.zero") == "zero"


def test_a_file_that_is_not_there():
    with pytest.raises(ValueError, match="the language nowhere.toml cannot be read"):
        language("nowhere.toml")


def test_forms_for_one_and_for_many(tmp_path):
    assert [say("narration.operations", count=count) for count in (0, 1, 2)] == [
        "0 operations", "1 operation", "2 operations",
    ]  # fmt: skip
    language(write(tmp_path / "some.toml", 'narration.operations = "{count} operasi"'))
    assert say("narration.operations", count=1) == "1 operasi"
    assert [listed("a"), listed("ab"), listed("abc")] == ["a", "a and b", "a, b and c"]


def test_the_environment_names_a_language(tmp_path):
    """So does a process that this one starts speak it, as that of a learner's function does."""
    language(write(tmp_path / "some.toml", 'signs.zero = "null"'))
    assert os.environ[VARIABLE] == str(tmp_path / "some.toml")
    program = "from widgets.words import say; print(say('signs.zero'))"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=dict(os.environ))
    assert told.stdout == "null\n", told.stderr


def test_words_cannot_leave_the_script_of_a_page(tmp_path):
    language(write(tmp_path / "some.toml", 'help.close = "</script><b>&"'))
    assert "</script>" not in page.module() and "\\u003c/script>\\u003cb>&" in page.module()


def test_the_engine_keeps_its_sentences_and_a_language_may_bring_its_own(tmp_path):
    a = mg.tensor(1.0, requires_grad=True)
    text = 'operations.sin = "der Sinus von {}"\nmisconceptions.overwrites_in_flight = "Es scheint …"'
    language(write(tmp_path / "some.toml", text))
    with widgets.record() as run:
        b = mg.sin(a)
        (b * b).backward()
    assert run.trace["frames"][0]["hint"] == "b = sin(a): der Sinus von 1."
    assert "Es scheint …" in run.trace["misconceptions"]
    assert overwrites_in_flight.misconception.startswith("It may seem")


@pytest.mark.parametrize("fault", FAULTS)
def test_no_english_is_left_in_the_trace_of_a_broken_engine(tmp_path, fault):
    language(marked_language(tmp_path / "marked.toml"))
    u = mg.tensor([[0.5, -1.0]], requires_grad=True)
    q = mg.tensor(2.0, requires_grad=True)
    with widgets.record(keep_errors=True) as run, FAULTS[fault]():
        for _ in range(2):
            ((u - q) * u.sin()).sum().backward()
    texts = {text for text in texts_of(run.trace) if unmarked(text, {"sum", "sin"})}
    assert texts == set() and len(run.trace["frames"]) > 20


def test_no_english_is_left_in_plots(tmp_path):
    language(marked_language(tmp_path / "marked.toml"))
    a = mg.tensor([1.0, 2.0, 0.0], requires_grad=True)
    a.grad = mg.tensor([float("nan"), 1.0, 0.0])
    plots = [
        *make_examples(),
        widgets.plot_losses({"x": [3.0, 1.0, 2.0], "y": [1.0, float("inf")]}),
        widgets.plot_gradcheck(mg.sin, mg.tensor(1.0)),
        widgets.plot_descent(lambda b: -(b**4), 2.0, epochs=9, lr=9.0),
        widgets.plot_parameters({"a": a}),
        widgets.plot_jacobian(mg.sin, mg.ones(40)),
    ]
    for plot in plots:
        shown = [plot.title, plot.text, *(text.get_text() for text in plot.figure.findobj(Text))]
        assert [text for text in shown if unmarked(text, NAMES)] == []


NAMES = {"sin", "relu", "tanh", "lr", "SGD", "weight", "bias", "mul", "pow", "ones", "float64", "float", "ms"}


def test_no_english_is_left_in_a_lesson(tmp_path, monkeypatch, capsys):
    """What a learner reads who answers in code: wrongly, with hints, to the end."""
    (tmp_path / "exercises").mkdir()
    write(tmp_path / "exercises" / "q.py", LESSON)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINIGRAD_COURSE", str(tmp_path))
    monkeypatch.setattr("widgets.lessons.lesson.display", as_text)
    language(marked_language(tmp_path / "marked.toml"))
    lesson = widgets.Lesson("q")
    print(lesson)
    for guess in (None, "x", 7.0, "1,5", 6.0):
        lesson.check("n", guess)
    for _ in range(3):
        lesson.hint("n")
    functions = [lambda x: x, lambda x: None, lambda x, y: x, lambda x: x.tolist(), lambda x: (x * 1.0).detach(), int]
    for function in functions:
        lesson.check("f", function)
    lesson.hint("f")
    lesson.waive("f")
    lesson.review()
    lesson.summary()
    print(repr(lesson.ask("n")), waiting("n"))
    overview.forget("q")
    overview.export()
    told = capsys.readouterr().out.replace(str(tmp_path), "").splitlines()
    names = {"Lesson", "tensor", "requires", "progress", "json"}
    assert [line for line in told if unmarked(line, names) and line not in LESSON] == [] and len(told) > 25


def as_text(data, **_):
    """What a notebook without pictures shows."""
    print(data["text/plain"] if isinstance(data, dict) else data)


LESSON = """
from widgets.lessons import Mistake, code, number

QUESTIONS = {
    "n": number("⟦p⟧", 6.0, mistakes=[Mistake("⟦m⟧", 7.0)], hints=["⟦h⟧"], because="⟦b⟧"),
    "f": code("⟦p⟧", "f", [__import__("minigrad").tensor([2.0], requires_grad=True)], reference=lambda x: x * x),
}
"""


def texts_of(document):
    """All that is said in a trace."""
    if isinstance(document, list):
        for one in document:
            yield from texts_of(one)
    for name, one in document.items() if isinstance(document, dict) else ():
        if name in ("say", "hint", "question", "text"):
            yield one
        elif name in ("hints", "misconceptions"):
            yield from one
        else:
            yield from texts_of(one)


# == German ========================================================================================================


def test_german_says_all_that_the_stepper_says():
    said = dict(entries(tomllib.loads(GERMAN.read_text(encoding="utf-8"))))
    assert {key for key in english() if key.partition(".")[0] in STEPPER} <= said.keys()


def test_a_program_walked_in_german():
    language(GERMAN)
    a = mg.tensor(2.0, requires_grad=True)
    with widgets.record() as run:
        b = mg.sin(a) * a
        b.backward()
    assert repr(run.step()) == WALKED


WALKED = """\
Stepper: b = mg.sin(a) * a, 3 Kästen, 10 Schritte
 1  v1 = sin(a) = sin(2) = 0.9093.
 2  b = v1 * a = 0.9093 * 2 = 1.819.
 3  Der Rückweg beginnt bei b: ∂b/∂b = 1. Von hier gibt jeder Knoten seinen Gradienten weiter.
 4  Alles, was zu b fließt, ist da: ∂b/∂b = 1. Seine Regeln: ∂b/∂v1 = a, ∂b/∂a = v1. \
Was er aufbewahrt hat, gibt er frei (v1, a).
 5  v1 bekommt ∂b/∂b · a = 1 × 2 = 2.
 6  a bekommt ∂b/∂b · v1 = 1 × 0.9093 = 0.9093.
 7  Alles, was zu v1 fließt, ist da: ∂b/∂v1 = 2. Seine Regel: ∂v1/∂a = cos(a). Was er aufbewahrt hat, gibt er frei (a).
 8  a bekommt ∂b/∂v1 · cos(a) = 2 × (-0.4161) = -0.8323.
 9  Noch ein Teil erreicht a, und Teile werden addiert: 0.9093 + (-0.8323) = 0.077.
10  a.grad war leer: jetzt enthält es 0.077."""
