"""Asked before it is shown: which questions come, what is said of answers, and what stays hidden meanwhile."""

import pytest

import minigrad as mg
from tests.browser.conftest import painted
from widgets.showing.run import record
from widgets.telling.chosen import chosen

from .test_page import first_frame, index, press, scrub


@pytest.fixture(scope="module")
def run():
    """Products and a difference, five paths to one leaf."""
    w, x = mg.tensor(2.0, requires_grad=True), mg.tensor(3.0)
    with record() as run:
        v = w * x - w
        loss = v * v + w
        loss.backward()
    return run


@pytest.fixture
def asking(run, open_page, tmp_path):
    """Open the page of the run that asks for some things: `asking("rule")`."""

    def opened(ask, **options):
        run.save(tmp_path / "lesson.html", ask=ask)
        return open_page(tmp_path / "lesson.html", **options)

    return opened


def to_the_next_question(page):
    """Press Next until something is asked; where that is."""
    press(page, "ArrowRight")
    while not page.locator(".mg-predict form").is_visible():
        press(page, "ArrowRight")
    return index(page)


def number_at(trace, frame):
    return next((one for one in trace["frames"][frame].get("ask", []) if one["kind"] == "number"), None)


def answers(page):
    return page.evaluate("document.querySelector('.mg-place').model.get('answers')")


def verdict(page):
    return page.locator(".mg-verdict").text_content()


def score(page):
    return page.locator(".mg-score").text_content()


def is_next_focused(page):
    return page.locator(".mg-next").evaluate("e => e === document.activeElement")


# == the course of a question ==============================================================================


def test_two_tries_and_hints_come_before_the_answer(asking, run):
    page = asking("accumulated")
    frame = to_the_next_question(page)
    question = number_at(run.trace, frame)
    assert page.locator(".mg-question").text_content() == question["question"]
    right = run.trace["values"][question["answer"]]["text"]
    said = []
    for given in ("100", "-8", "4", "5"):
        page.keyboard.type(given)  # over what was wrong
        press(page, "Enter")
        said.append(verdict(page))
    assert said[0] == "Not quite. Its size is smaller than that. Try again."
    assert said[1].startswith("Not quite. The size is right, the sign is not. Try again.Hint: v acts on")
    assert "the gradient of its last use" in said[2] and said[2].endswith("Hint: In numbers: 4 + 4.")
    assert said[3] == f"Not quite. Its size is larger than that. The answer: {right}." and index(page) == frame + 1
    assert not any(f"is {right}" in one for one in said[:3])
    kept = [(one["frame"], one["kind"], one["given"], one["right"], one["try"]) for one in answers(page)]
    assert kept == [(frame, "number", given, False, i) for i, given in enumerate(("100", "-8", "4", "5"), 1)]
    assert score(page) == "0 of 1 right" and is_next_focused(page)


def test_right_at_the_second_try_is_not_right_at_the_first(asking):
    page = asking("accumulated")
    to_the_next_question(page)
    press(page, "7", "Enter", "8", "Enter")
    assert verdict(page) == "Right. The answer: 8." and score(page) == "0 of 1 right"


def test_hints_on_request_and_the_answer_last(asking):
    page = asking("paths")
    asked, told = to_the_next_question(page), []
    for _ in range(2):
        page.get_by_role("button", name="Hint").click()
        told.append(verdict(page))
    assert told[0].startswith("Hint: A path") and told[1].startswith("Hint: As many paths")
    page.get_by_role("button", name="Show me").click()
    assert verdict(page) == "The answer: 2." and answers(page) == [] and index(page) == asked + 1


def test_escape_shows_it_at_once(asking):
    page = asking("paths")
    asked = to_the_next_question(page)
    press(page, "Escape")
    assert index(page) == asked + 1 and score(page) == "no answers yet"


# == questions about ideas =================================================================================


def test_a_rule_is_chosen_by_keyboard_and_told_nowhere_before(asking, run):
    page = asking(18)  # v1 = w * x sends to w
    to_the_next_question(page)
    assert page.locator(".mg-question").text_content() == "What does v1 = w * x send to w?"
    assert page.locator(".mg-hint").text_content() == "Next: a question."
    assert page.locator(".mg-say").text_content() == run.trace["frames"][15]["say"]
    said = run.trace["misconceptions"]
    options = dict(run.trace["frames"][17]["ask"][0]["options"])
    radios = page.get_by_role("radio")
    assert [one.get_attribute("value") for one in radios.all()] == list(options)
    press(page, "Enter")
    assert page.locator(".mg-refused").text_content() == "Choose one."
    press(page, " ", "Enter")
    assert verdict(page).startswith(f"Not quite. {said[options['x']]} Try again.") and radios.first.is_disabled()
    press(page, " ", "ArrowDown")
    assert page.locator("input:checked").get_attribute("value") == "∂loss/∂v1 · x"
    press(page, "Enter")
    assert verdict(page) == "Right. It sends ∂loss/∂v1 · x." and is_next_focused(page)
    assert index(page) == 17 and "Its rule" in page.locator(".mg-say").text_content()
    to_the_next_question(page)  # its number
    assert "What flows from v1 to w" in page.locator(".mg-question").text_content()
    assert [one["kind"] for one in answers(page)] == ["rule", "rule"]


def test_the_next_node_is_not_marked_while_it_is_asked_for(asking, run):
    page = asking("node")
    asked = to_the_next_question(page)
    assert "Which node comes next" in page.locator(".mg-question").text_content()
    assert page.locator(".mg-graph .next").count() == 0
    page.get_by_label("The next node").select_option("w")
    press(page, "Enter")
    assert "w still waits for a part from" in verdict(page) and index(page) == asked
    page.locator(f".mg-graph [data-id=n{run.trace['frames'][asked]['node']}]").click()
    assert verdict(page).startswith("Right. The answer: v2 = v * v") and score(page) == "0 of 1 right"


def test_a_few_questions_come_by_default(asking, run):
    page, seen = asking(True), []
    while index(page) < len(run.trace["frames"]):
        press(page, "ArrowRight")
        if page.locator(".mg-predict form").is_visible():
            seen.append(page.locator(".mg-question").text_content())
            press(page, "Escape")
    assert len(seen) == len(chosen(run.trace)) and len(set(seen)) == len(seen)
    assert not any(question.startswith("What is ") for question in seen)


# == who wants to be asked for each number =================================================================


def test_each_number_its_sign_or_the_next_node(open_page, lesson_page, lesson):
    page, trace = open_page(lesson_page), lesson[0]
    press(page, "p")
    page.get_by_label("Ask me for").select_option("number")
    page.locator(".mg-next").click()
    first = first_frame(trace, lambda frame: "ask" in frame)
    assert index(page) == first
    ask = number_at(trace, first)
    assert page.locator(".mg-question").text_content() == ask["question"]
    assert trace["values"][ask["answer"]]["text"] not in page.locator(".mg-words").text_content()
    page.keyboard.type(f"{trace['values'][ask['answer']]['data'][0]:.3g}")
    press(page, "Enter")
    assert index(page) == first + 1 and verdict(page).startswith("Right.")
    second = next(i for i in range(first + 1, len(trace["frames"])) if (number_at(trace, i) or {}).get("wrong"))
    scrub(page, second)
    press(page, "ArrowRight")
    wrong, said = number_at(trace, second)["wrong"][0]
    page.keyboard.type(str(trace["values"][wrong]["data"][0]))
    press(page, "Enter")
    assert trace["misconceptions"][said] in verdict(page) and score(page) == "1 of 2 right"
    assert [(a["frame"], a["right"]) for a in answers(page)] == [(first, True), (second, False)]
    page.get_by_label("Ask me for").select_option("node")
    asked = next(i for i in range(second + 1, len(trace["frames"])) if number_at(trace, i))
    scrub(page, asked)
    page.locator(".mg-next").click()
    page.locator(f".mg-graph [data-id=n{trace['frames'][asked]['node']}]").click()
    assert score(page) == "2 of 3 right"
    page.get_by_label("Ask me for").select_option("sign")
    page.locator(".mg-next").click()
    assert page.locator(".mg-question").text_content().endswith("Only the sign.")
    press(page, "Escape")
    assert score(page) == "2 of 3 right"
    page.get_by_role("button", name="Start over").click()
    assert index(page) == 0 and score(page) == "no answers yet"
    page.get_by_label("Ask me for").select_option("number")
    page.locator(".mg-next").click()
    assert page.locator(".mg-question").text_content() == ask["question"]


@pytest.mark.parametrize("how", ["number", "sign"])
def test_the_questions_are_turned_off_from_within_one(open_page, lesson_page, how):
    page = open_page(lesson_page)
    press(page, "p")
    page.get_by_label("Ask me for").select_option(how)
    page.locator(".mg-next").click()
    press(page, "p")
    assert not page.locator(".mg-predict").is_visible() and is_next_focused(page)  # not lost with the question


# == all of them ===========================================================================================


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 900}, {"width": 420, "height": 900}])
def test_an_answer_moves_nothing(asking, viewport):
    page = asking([7, 18, "paths"])
    page.set_viewport_size(viewport)
    painted(page)
    tops = {page.locator(".mg-body").bounding_box()["y"]}
    for keys in ([" ", "Enter"] * 4, ["9", "Enter"] * 4, ["9", "Enter", "Escape"]):
        to_the_next_question(page)
        for key in keys:
            press(page, key)
            tops.add(page.locator(".mg-body").bounding_box()["y"])
    assert page.locator(".mg-again").is_visible() and len(tops) == 1


def test_what_is_no_number_is_no_answer(asking):
    page = asking("accumulated")
    asked = to_the_next_question(page)
    page.keyboard.type("half")
    press(page, "Enter")
    assert index(page) == asked and "not a number" in page.locator(".mg-refused").text_content()
    page.keyboard.type("1/2")  # over what was wrong
    assert page.get_by_label("Your answer").input_value() == "1/2"
    press(page, "Enter")
    assert score(page) == "0 of 1 right"


def test_at_the_end_nobody_is_told_to_press_next(asking):
    page = asking("paths")
    assert "Press Next" in page.locator(".mg-question").text_content()
    press(page, "End")
    assert "Press Next" not in page.locator(".mg-predict").text_content()
    press(page, "Home")
    assert "Press Next" in page.locator(".mg-question").text_content()


def test_tries_survive_a_reload(asking):
    page = asking("accumulated")
    to_the_next_question(page)
    press(page, "7", "Enter")
    page.reload()
    page.locator(".mg-stepper").wait_for()
    assert score(page) == "0 of 1 right"
    to_the_next_question(page)
    press(page, "6", "Enter")
    assert [one["try"] for one in answers(page)] == [1, 2] and "Hint" in verdict(page)
    page.get_by_role("button", name="Start over").click()
    page.reload()
    page.locator(".mg-stepper").wait_for()
    assert score(page) == "no answers yet"


@pytest.mark.parametrize("width", [480, 700, 820, 1000, 1280])
def test_a_question_is_seen_whole_with_its_button(open_page, tmp_path, width):
    x, w = mg.tensor([[1.0, 2.0]]), mg.tensor([[3.0], [4.0]], requires_grad=True)
    with record() as run:
        y = (x @ w).sum() * 2
        y.backward()
    run.save(tmp_path / "narrow.html", ask="rule")
    page = open_page(tmp_path / "narrow.html")
    page.set_viewport_size({"width": width, "height": 900})
    while not page.locator(".mg-predict form").is_visible():
        page.keyboard.press("ArrowRight")
    box, check = (page.locator(one).bounding_box() for one in (".mg-predict", ".mg-predict form .mg-primary"))
    assert check["y"] + check["height"] <= box["y"] + box["height"]
    radio = page.locator(".mg-choices input").first
    assert radio.bounding_box()["width"] == 16
    assert all(
        "/" in one
        for one in page.locator(".mg-choices input").evaluate_all("all => all.map((one) => one.ariaLabel)")
        if "∂" in one
    )
