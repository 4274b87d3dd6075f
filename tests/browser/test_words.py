"""In another language no English is left: on the pages of runs and of questions, wherever a learner comes."""

import re
from pathlib import Path

import pytest

import minigrad as mg
from minigrad import nn, optim
from tests.browser.test_ask import page_of
from tests.marked_words import marks, unmarked  # noqa: F401 - a fixture
from widgets import language, record
from widgets.lessons import Mistake, choice, number, order, picture, shape, sign

expect = pytest.importorskip("playwright.sync_api", reason="playwright is missing: python3 go.py setup").expect

GERMAN = Path(__file__).parents[1] / "data" / "words.de.toml"

# All texts of an element and of those in it, seen or not, but for programs and formulas: `code`, `kbd`, MathML.
TEXTS = """(root) => {
    const found = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = root; node; node = walk.nextNode()) {
        const element = node.parentElement;
        if (element?.closest("code, kbd, math, style, script")) continue;
        if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent);
        else if (!node.matches?.("math, .mg-equation"))
            for (const name of ["title", "aria-label", "aria-valuetext", "placeholder", "alt"])
                if (node.hasAttribute?.(name)) found.push(node.getAttribute(name));
    }
    return found;
}"""
# Each step in each size; each node; the search, the stops, the help. What is found where, each text once.
WALK = f"""() => {{
    const root = document.querySelector(".mg-stepper"), model = document.querySelector(".mg-place").model;
    const texts = {TEXTS}, found = new Set(texts(root));
    const look = (part = root) => texts(part).forEach((text) => found.add(text));
    const {{ frames, nodes }} = model.get("trace");
    const press = (selector) => root.querySelectorAll(selector).forEach((button) => (button.click(), look()));
    for (const level of [1, 3, 4]) {{
        model.set("level", level);
        model.set("index", 0);
        for (let i = 0; i < 2 * frames.length && model.get("index") < frames.length; i++) {{
            root.querySelector(".mg-next").click();
            for (const part of root.querySelectorAll(".mg-narration, .mg-transport, .mg-inspector")) look(part);
        }}
    }}
    look();
    for (let i = 0; i < nodes.length; i++) {{
        model.set("node", `n${{i}}`);
        look();
        press(".mg-inspector .mg-actions button");
    }}
    for (const box of root.querySelectorAll(".mg-graph .mg-node"))
        (box.dispatchEvent(new PointerEvent("pointerover", {{ bubbles: true }})), look());
    for (const line of root.querySelectorAll("button.mg-line"))
        (line.click(), press(".mg-code .mg-actions button"));
    const kind = root.querySelector(".mg-tabbed select");
    for (const option of kind.options) {{
        kind.value = option.value;
        kind.form.requestSubmit();
        look();
    }}
    press(".mg-stops button");
    const find = root.querySelector("input[type=search]");
    find.value = "u";
    find.dispatchEvent(new Event("input"));
    look();
    find.dispatchEvent(new KeyboardEvent("keydown", {{ key: "Enter" }}));
    press(".mg-toggles button");
    press(".mg-play");
    look();
    press(".mg-play");
    return [...found];
}}"""
# Each question of each kind: a wrong answer, each hint, the answer.
PREDICT = f"""() => {{
    const root = document.querySelector(".mg-stepper"), model = document.querySelector(".mg-place").model;
    const texts = {TEXTS}, found = new Set(), changing = root.querySelectorAll(".mg-predict, .mg-narration");
    const look = () => changing.forEach((part) => texts(part).forEach((text) => found.add(text)));
    const form = root.querySelector(".mg-predict form"), how = root.querySelector(".mg-predict .mg-side select");
    const kinds = [];
    model.set("predict", true);
    for (const option of how.options) {{
        how.value = option.value;
        how.dispatchEvent(new Event("change"));
        root.querySelector(".mg-again").click();
        for (let turn = 0; turn < 200 && model.get("index") < model.get("trace").frames.length; turn++) {{
            root.querySelector(".mg-next").click();
            look();
            for (let press = 0; press < 6 && !form.hidden; press++) {{
                kinds.push(root.dataset.asking);
                const typed = ["", "x", "-123.25", "123.25"][press % 4];
                form.querySelector("input[type=text]").value = typed;
                const radio = form.querySelector("input[type=radio]:not(:disabled)");
                if (radio && press) radio.checked = true;
                if (root.dataset.asking === "sign") form.querySelectorAll(".mg-signs button")[press % 3].click();
                else if (root.dataset.asking === "node" && press % 2)
                    form.querySelector("select").selectedIndex = (turn + press) % form.querySelector("select").length;
                if (!form.hidden && root.dataset.asking !== "sign") form.requestSubmit();
                look();
                if (!form.hidden && press > 1) form.querySelector(".mg-hint-button").click();
                look();
            }}
        }}
    }}
    return [[...found], [...new Set(kinds)]];
}}"""
ASK = f"""() => {{
    const texts = {TEXTS}, found = new Set();
    const look = () => texts(document.body).forEach((text) => found.add(text));
    for (const root of document.querySelectorAll(".mg-asked")) {{
        const [form, written] = [root.querySelector("form"), root.querySelector("input[type=text]")];
        const [hint, give] = [...root.querySelectorAll(".mg-ask-actions button")].slice(1);
        const submit = () => (form.requestSubmit(), look());
        submit();
        for (const text of written ? ["1,5", "x", "(x)", "7", "-7", "-8"] : []) {{
            written.value = text;
            submit();
        }}
        for (const radio of root.querySelectorAll("input[type=radio]")) {{
            if (radio.disabled) continue;
            radio.checked = true;
            submit();
        }}
        for (const item of root.querySelectorAll(".mg-ask-order button")) (item.click(), look());
        for (let i = 0; i < 3; i++) (hint.hidden || hint.click(), look());
        submit();
        if (!give.hidden) give.click();
        look();
    }}
    return [...found];
}}"""


def a_program():
    """A loop with a frame of each kind and questions of each kind, and an error at its end; all names are short."""
    u = mg.tensor([[0.5, -1.0]], requires_grad=True)
    k, f = mg.tensor([[1.0], [3.0]]), nn.Linear(2, 1)
    q = mg.tensor(2.0, requires_grad=True)
    s = optim.SGD([q], lr=0.1)
    with record("⟦one run⟧", keep_errors=True) as run:
        for _ in range(2):
            s.zero_grad()
            y = mg.sin(u * k) * q + q * q
            y.register_hook(lambda g: g * 2)
            z = f(y).sum() + (q > 1) * q
            z.backward()
            s.step()
        z.backward()
    return run


def names_in(trace):
    """What stands in formulas of this run, and on keys."""
    told = [["Home", "End", "Space"]]
    told += [[node["name"], node["label"], node.get("op"), *(node.get("rules") or [])] for node in trace["nodes"]]
    told += [[one["name"] for one in node.get("saved", [])] for node in trace["nodes"]]
    told += [[group["name"] for group in trace["groups"]]]
    told += [["import numpy as np", *(text for text, *_ in trace["program"]["lines"])]]
    return set(re.findall(r"[A-Za-z]{2,}", " ".join(text for row in told for text in row if text and "⟦" not in text)))


@pytest.mark.usefixtures("marks")
def test_no_english_on_the_page_of_a_run(open_page, tmp_path):
    run = a_program()
    run.save(tmp_path / "run.html", ask="all", predict=False)
    page = open_page(tmp_path / "run.html")
    seen = page.evaluate(WALK)
    asked, kinds = page.evaluate(PREDICT)
    left = {text: found for text in {*seen, *asked} if (found := unmarked(text, names_in(run.trace)))}
    assert left == {}, sorted(left.items())
    assert set(kinds) == {"rule", "number", "sign", "node", "paths"} and len(seen) > 500
    page.evaluate("""() => {
        document.querySelector(".mg-hint").append(" planted");
        document.querySelector(".mg-next").title = "hidden plant";
    }""")
    texts = page.evaluate(f"() => ({TEXTS})(document.body)")
    assert sorted(word for text in texts for word in unmarked(text, names_in(run.trace))) == [
        "hidden",
        "plant",
        "planted",
    ]


@pytest.mark.usefixtures("marks")
def test_no_english_on_the_page_of_questions(open_page, tmp_path):
    curves = {"places": [0.0, 1.0], "answer": 1.0, "x": [0.0, 1.0], "label": "h"}
    questions = {
        "number": number("⟦p⟧", 7.0, mistakes=[Mistake("⟦m⟧", 8.0)], hints=["⟦h⟧", "⟦i⟧"], because="⟦b⟧"),
        "shape": shape("⟦p⟧", (3,)),
        "sign": sign("⟦p⟧", -1.0),
        "choice": choice("⟦p⟧", ["⟦a⟧", "⟦b⟧"], "⟦b⟧"),
        "order": order("⟦p⟧", ["⟦a⟧", "⟦b⟧"], ["⟦b⟧", "⟦a⟧"]),
        "picture": picture("⟦p⟧", lambda h, x: h * x, lambda x: x, **curves),
    }
    page = open_page(page_of(tmp_path / "questions.html", questions), waits=False)
    expect(page.locator(".mg-asked")).to_have_count(len(questions))
    seen = page.evaluate(ASK)
    left = {text: found for text in seen if (found := unmarked(text, {"Questions"}))}
    assert left == {}, sorted(left.items())
    assert len(seen) > 40


@pytest.fixture
def german():
    language(GERMAN)
    yield
    language()


@pytest.mark.usefixtures("german")
def test_a_run_in_german(open_page, tmp_path):
    with record() as run:
        a = mg.tensor(2.0, requires_grad=True)
        b = mg.sin(a) * a
        b.backward()
    run.save(tmp_path / "run.html")
    page = open_page(tmp_path / "run.html")
    assert page.locator("html").get_attribute("lang") == "de"
    says = page.locator(".mg-say")
    assert says.text_content().endswith("fließt ein Gradient zurück in a.grad. Drücke „Weiter“ oder die Taste →.")
    for _ in run.trace["frames"]:
        page.get_by_role("button", name="Weiter").click()
    assert says.text_content() == "a.grad war leer: jetzt enthält es 0.077."
    assert page.locator(".mg-hint").text_content().startswith("Das ist das Ende.")
    page.get_by_role("tab", name="Tabelle").click()
    assert page.get_by_role("columnheader").all_text_contents() == [
        "Knoten",
        "Gemacht durch",
        "Wert",
        "Gradient",
        ".grad",
    ]
