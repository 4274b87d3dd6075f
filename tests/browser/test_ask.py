"""Questions of each kind on one exported page, without a network: by keyboard, in each look, as they are heard."""

import json
import math
import re
from dataclasses import replace

import pytest

from tests.browser.conftest import photograph
from tests.browser.keyboard import go_through, tab_into, typed
from widgets.lessons import Mistake, choice, number, order, picture, shape, sign
from widgets.lessons.ask import MODULES, Ask, place
from widgets.showing.page import PAGE_STYLE, document
from widgets.web import joined

expect = pytest.importorskip("playwright.sync_api", reason="playwright is missing: python3 go.py setup").expect
HOSTILE = "<img src=x onerror=hacked=1></script><script>hacked=1</script>"
LONG = "`AddBackward0`, the sum, whose gradient is complete before that of all the others that come after it"


def secant(h, x):
    return math.sin(0.5) + (math.sin(0.5 + h) - math.sin(0.5)) / h * (x - 0.5)


QUESTIONS = {
    "number": number(
        "How steep is `y = a·a + 3·a` at a = {a}?",
        lambda a: 2 * a + 3,
        given={"a": [4.0]},
        mistakes=[Mistake("That is y itself: how high, not how steep.", lambda a: a * a + 3 * a)],
        hints=["`a` is used three times. Each use sends a part.", "The parts are a, a and 3."],
        because="They add up: a + a + 3.",
    ),
    "shape": shape(
        "Which shape has `b.grad`, where the row b was added to a matrix of shape (2, 3)?",
        (3,),
        mistakes=[Mistake("That is the matrix's.", (2, 3))],
        because="A gradient has the shape of its tensor.",
    ),
    "sign": sign(
        "Does `cos` rise or fall at 1?",
        -1.0,
        mistakes=[Mistake("It is flat at 0.", 0.0)],
        hints=["It begins at its top."],
    ),
    "choice": choice(
        "Which node is visited first?",
        ["`MulBackward0`", LONG, "`AccumulateGrad`"],
        LONG,
        mistakes={"`MulBackward0`": "It was made before the sum."},
    ),
    "order": order("In which order?", ["b", "c", "a"], ["a", "b", "c"], mistakes={("c", "b", "a"): "The way forward."}),
    "picture": picture(
        "Move h until your line is the tangent.",
        secant,
        lambda x: math.sin(0.5) + math.cos(0.5) * (x - 0.5),
        places=[2.0, 1.5, 1.0, 0.5, 0.01],
        answer=0.01,
        label="h",
        mistakes=[Mistake("Look at the slope again.", 1.0)],
        because="The smaller h is, the nearer.",
    ),
}
KINDS = list(QUESTIONS)
KNOWN = {name: question.asked("test", name) for name, question in QUESTIONS.items()}


def page_of(path, questions):
    body = "".join(place(question.asked("test", name)) for name, question in questions.items())
    style = f"{Ask._css}{PAGE_STYLE}.mg-ask{{margin:0 0 16px}}"
    html = document("Questions", f"<h1>Questions</h1>{body}", style, joined(MODULES) + "\nmountAsks(document);\n")
    path.write_text(html, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def questions_page(tmp_path_factory):
    return page_of(tmp_path_factory.mktemp("asks") / "questions.html", QUESTIONS)


@pytest.fixture
def asked(open_page, questions_page):
    """Open the page; the question of a kind in it."""

    def opened(**options):
        page = open_page(questions_page, waits=False, **options)
        expect(page.locator(".mg-asked")).to_have_count(len(QUESTIONS))
        return page, lambda kind: page.locator(".mg-asked").nth(KINDS.index(kind))

    return opened


def verdict(question):
    return question.locator(".mg-ask-verdict")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def buttons(question):
    return question.locator(".mg-ask-actions button:visible").all_text_contents()


def test_a_number_wrong_then_with_hints_then_right(asked):
    page, question = asked()
    one = question("number")
    assert buttons(one) == ["Check", "Hint (1 of 2)"]
    one.get_by_label("Your answer").focus()
    press(page, "Enter")
    expect(verdict(one)).to_have_text("Write your answer first.")
    page.keyboard.type("2,5")
    press(page, "Enter")
    expect(verdict(one)).to_have_text("Write a point in the number, not a comma: 2.5.")
    page.keyboard.type("28")
    press(page, "Enter", "Enter")
    expect(verdict(one)).to_have_text("Not quite. That is y itself: how high, not how steep.")
    page.keyboard.type("7")
    press(page, "Tab", "Tab", "Enter")
    expect(one.get_by_label("Your answer")).to_have_value("7")  # not handed in yet
    expect(one.locator(".mg-ask-hints li")).to_have_text(["a is used three times. Each use sends a part."])
    expect(one.get_by_label("Your answer")).to_be_focused()
    assert buttons(one) == ["Check", "Hint (2 of 2)"]
    page.keyboard.type("22/2")
    press(page, "Enter")
    expect(verdict(one)).to_have_text("Right. They add up: a + a + 3.")
    expect(verdict(one)).to_be_focused()
    assert buttons(one) == []
    kept = json.loads(page.evaluate("localStorage.minigrad"))["lessons"]["test"]["number"]["0"]
    assert [one["given"] for one in kept["tries"]] == ["28", "22/2"]  # what could not be read was no try
    assert kept["hints"] == 1 and kept["outcome"] == "right"
    page.reload()
    expect(verdict(one)).to_have_text("Right. They add up: a + a + 3.")
    expect(one.get_by_label("Your answer")).to_have_value("22/2")


def test_the_answer_is_shown_after_a_try_or_after_all_hints(asked):
    page, question = asked()
    one = question("shape")
    assert buttons(one) == ["Check"]
    one.get_by_label("Your answer").fill("2×3")
    press(page, "Enter")
    expect(verdict(one)).to_have_text("Not quite. That is the matrix's.")
    one.get_by_role("button", name="Show me the answer").click()
    expect(verdict(one)).to_have_text("The answer: (3,). A gradient has the shape of its tensor.")
    expect(one.get_by_label("Your answer")).to_have_value("(3,)")
    two = question("sign")
    assert buttons(two) == ["Check", "Hint (1 of 1)"]
    two.get_by_role("button", name="Hint").click()
    assert buttons(two) == ["Check", "Show me the answer"]


def test_a_sign_and_a_choice_by_arrows(asked):
    page, question = asked()
    sign, choice = question("sign"), question("choice")
    assert sign.locator("label").all_text_contents() == ["+ positive", "0 zero", "− negative"]
    sign.get_by_role("button", name="Check").click()
    expect(verdict(sign)).to_have_text("Choose one first.")
    press(page, "Space", "ArrowDown", "ArrowDown", "Enter")
    expect(verdict(sign)).to_have_text("Right.")
    choice.get_by_role("radio").first.focus()
    press(page, "Space", "Enter")
    expect(verdict(choice)).to_have_text("Not quite. It was made before the sum.")
    press(page, "ArrowDown", "Enter")
    expect(verdict(choice)).to_have_text("Right.")


def test_an_order_is_picked_and_moved(asked):
    page, question = asked()
    one = question("order")
    items = one.locator("ol").first.locator("button")
    items.first.focus()
    press(page, "ArrowDown", "Enter")  # c
    expect(items).to_have_text(["1.c", "b", "a"])
    one.get_by_role("button", name="Check").click()
    expect(verdict(one)).to_have_text("Put all of them in order first.")
    press(page, "ArrowDown", "Enter", "ArrowDown", "Enter")
    expect(items).to_have_text(["1.c", "2.b", "3.a"])
    expect(one.locator(".mg-ask-told")).to_have_text("a is number 3 of 3.")
    one.get_by_role("button", name="Check").click()
    expect(verdict(one)).to_have_text("Not quite. The way forward.")
    items.last.focus()
    press(page, "Alt+ArrowUp", "Alt+ArrowUp", "Alt+ArrowUp")
    expect(items).to_have_text(["1.a", "2.c", "3.b"])
    expect(items.first).to_be_focused()
    press(page, "ArrowDown", "Enter")
    expect(items).to_have_text(["1.a", "2.b", "c"])
    press(page, "ArrowDown", "Enter")
    one.get_by_role("button", name="Check").click()
    expect(verdict(one)).to_have_text("Right.")


def test_a_picture_is_matched_by_arrows_and_heard(asked):
    page, question = asked()
    one = question("picture")
    slider = one.get_by_role("slider", name="h")
    slider.focus()
    drawn = "question => question.querySelector('.mg-ask-curve').getAttribute('d')"
    far, words = one.evaluate(drawn), slider.get_attribute("aria-valuetext")
    assert re.fullmatch(r"h = 2; at most [\d.]+ from the dashed curve", words)
    press(page, "ArrowRight", "Enter")
    expect(one.locator("output")).to_have_text("h = 1.5")
    expect(verdict(one)).to_have_text("Not quite.")
    assert one.evaluate(drawn) != far
    press(page, "End", "Enter")
    expect(verdict(one)).to_have_text("Right. The smaller h is, the nearer.")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_gone_through_by_keyboard(asked, kind):
    page, question = asked()
    tab_into(page, question(kind))
    known = KNOWN[kind]
    go_through(page, question(kind), known, typed(kind, known.answer))


OTHERWISE = [{"because": "No."}, {"wrong": ((16.0, "No."),)}, {"hints": ("No.",)}, {"prompt": "No?"}, {"answer": 9.0}]


@pytest.mark.parametrize("planted", OTHERWISE, ids=lambda planted: next(iter(planted)))
def test_whoever_goes_through_notices_what_is_said_wrongly(asked, planted):
    page, question = asked()
    tab_into(page, question("number"))
    known = replace(KNOWN["number"], **planted)
    with pytest.raises(AssertionError):
        go_through(page, question("number"), known, typed("number", known.answer))


def test_nobody_reads_an_answer_in_the_page(questions_page):
    text = questions_page.read_text(encoding="utf-8")
    assert "They add up" not in text and "made before the sum" not in text and "How steep is" in text


def test_without_scripts_the_questions_are_read(open_page, questions_page):
    page = open_page(questions_page, waits=False, java_script_enabled=False)
    assert page.locator(".mg-still").count() == len(QUESTIONS)
    assert page.locator(".mg-still").first.is_visible()


def test_texts_are_never_markup(open_page, tmp_path):
    says = {"mistakes": [Mistake(HOSTILE, 2.0)], "hints": [HOSTILE], "because": HOSTILE}
    page = open_page(page_of(tmp_path / "hostile.html", {HOSTILE: number(HOSTILE, 1.0, **says)}), waits=False)
    field = page.get_by_label("Your answer")
    for answer in ("2", "1"):
        page.get_by_role("button", name="Hint").click() if answer == "2" else None
        field.fill(answer)
        field.press("Enter")
        expect(page.locator(".mg-ask-verdict")).to_contain_text(HOSTILE)
    assert page.evaluate("typeof hacked") == "undefined" and page.locator("img").count() == 0


def test_a_damaged_question_leaves_the_others_alone(open_page, questions_page, tmp_path):
    text = questions_page.read_text(encoding="utf-8")
    path = tmp_path / "damaged.html"
    path.write_text(
        text.replace('<script type="application/gzip">H4', '<script type="application/gzip">xx', 1), "utf-8"
    )
    page = open_page(path, waits=False)
    expect(page.locator(".mg-asked")).to_have_count(len(QUESTIONS) - 1)
    expect(page.locator(".mg-still")).to_contain_text("The data of this question is damaged")


def answer_some(page, question):
    """Wrong, with a hint, not readable, right and shown, for people to look at."""
    question("number").get_by_label("Your answer").fill("28")
    question("number").get_by_role("button", name="Check").click()
    question("number").get_by_role("button", name="Hint").click()
    question("shape").get_by_label("Your answer").fill("three")
    press(page, "Enter")
    question("sign").get_by_label("− negative").check()
    press(page, "Enter")
    question("choice").get_by_role("radio").first.check()
    press(page, "Enter")
    question("choice").get_by_role("button", name="Show me").click()
    question("order").get_by_role("button", name="c", exact=True).click()
    question("picture").get_by_role("slider").press("ArrowRight")
    question("picture").get_by_role("button", name="Check").click()


LOOKS = {
    "light": (1400, {"color_scheme": "light"}),
    "dark": (900, {"color_scheme": "dark"}),
    "narrow": (360, {"color_scheme": "light"}),
    "contrast": (900, {"forced_colors": "active"}),
}


@pytest.mark.parametrize("look", LOOKS)
def test_looks_and_the_audit(asked, look):
    """Nothing sticks out, nothing is cut, and the audit finds nothing serious: before and after some answers."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="the audit needs axe-playwright-python")
    width, media = LOOKS[look]
    page, question = asked()
    page.emulate_media(**media)
    page.set_viewport_size({"width": width, "height": 900})
    for state in ("start", "answered"):
        if state == "answered":
            answer_some(page, question)
        photograph(page, f"ask-{look}-{state}", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        cut = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.outerHTML.slice(0, 200))"
        assert page.locator(".mg-asked :is(p:not(.mg-ask-told), label, li, form, button)").evaluate_all(cut) == []
        found = axe.Axe().run(page).response["violations"]
        serious = [
            (v["id"], [n["target"] for n in v["nodes"]]) for v in found if v["impact"] in ("serious", "critical")
        ]
        assert serious == []


def test_touch_and_motion(asked):
    page, _ = asked(has_touch=True, is_mobile=True, reduced_motion="reduce")
    small = page.locator(".mg-asked :is(button, label, input[type=text]):visible").evaluate_all(
        "all => all.filter(e => e.getBoundingClientRect().height < 44).map(e => e.outerHTML.slice(0, 80))"
    )
    assert small == []
    moving = "e => getComputedStyle(e).transitionDuration !== '0s' || getComputedStyle(e).animationName !== 'none'"
    assert page.locator(".mg-asked *").evaluate_all(f"all => all.filter({moving}).length") == 0
