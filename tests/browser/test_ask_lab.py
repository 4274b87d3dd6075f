"""A question in a real JupyterLab: answered, saved, reloaded, opened without a kernel, run again, exported."""

import subprocess
import sys

import nbformat
import pytest

from tests.browser.steppers import open_places
from tests.browser.test_stepper_lab import expect_active, run_cell
from tests.small_course import QUESTIONS
from widgets.lessons.progress import ANSWERS

expect = pytest.importorskip("playwright.sync_api", reason="playwright is missing: python3 go.py setup").expect
START = 'from widgets import Lesson; lesson = Lesson("small")'
ASKS = ['lesson.ask("slope")', 'lesson.ask("first")', "'below'"]


def save(lab, page, path):
    """Save the open notebook; the outputs of its cells, as they are in the file."""
    lab.save(page)
    return [cell.outputs for cell in nbformat.read(path, as_version=4).cells]


def saved_when(lab, page, path, outcome):
    """Save until the notebook has it: the kernel hears of an answer in its own time."""
    for _ in range(50):
        data = save(lab, page, path)[1][0].data
        if data.get(ANSWERS, {}).get("outcome") == outcome:
            return data
        page.wait_for_timeout(200)
    raise AssertionError(data)


def test_answers_stay_in_the_notebook(desk, lab, page, tmp_path):
    (lab.folder / "exercises").mkdir(exist_ok=True)
    (lab.folder / "exercises" / "small.py").write_text(QUESTIONS, encoding="utf-8")
    path = lab.write("asked.ipynb", START, *ASKS)
    lab.open(desk, path.name)
    run_cell(desk, 0)
    desk.locator(".jp-Cell .cm-content").nth(1).click()
    desk.keyboard.press("Shift+Enter")
    question = desk.locator(".mg-asked")
    field, verdict = question.get_by_label("Your answer"), question.locator(".mg-ask-verdict")
    expect(field).to_be_focused()
    expect(desk.locator(".jp-OutputArea-output p", has_text="Asked:")).not_to_be_visible()
    assert [set(output.data) for output in save(lab, desk, path)[1]] == [{"text/plain", "text/html"}, {"text/html"}]

    cells = desk.locator(".jp-Cell").count()
    desk.keyboard.type("xxdd")  # to a notebook these are commands, which cut cells
    desk.keyboard.press("Enter")
    expect(verdict).to_have_text("That is not a number. Write it as 0.5, −2 or 1/3.")
    expect(desk.locator(".jp-Cell")).to_have_count(cells)
    desk.keyboard.type("9")  # the field was selected
    desk.keyboard.press("Enter")
    expect(verdict).to_have_text("Not quite. That is a·a itself.")
    data = saved_when(lab, desk, path, "")
    assert data["text/plain"] == "How steep is `a·a` at a = 3? Your answer 9: not right yet."
    tries = [{"given": "9", "right": False, "says": "That is a·a itself."}]
    about = {"lesson": "small", "name": "slope", "seed": 0}
    assert data[ANSWERS] == about | {"tries": tries, "hints": 0, "outcome": ""}
    expect(desk.locator("[data-answers-of]")).not_to_be_visible()

    desk.keyboard.press("Escape")
    expect(desk.locator(".mg-asked :focus")).to_have_count(0)
    expect_active(desk, 1)
    desk.keyboard.press("Enter")
    desk.keyboard.press("Shift+Enter")  # asked again: the answer is remembered
    expect(verdict).to_have_text("Not quite. That is a·a itself.")
    expect(field).to_be_focused()
    desk.keyboard.press("Shift+Enter")
    expect_active(desk, 2)

    saved_when(lab, desk, path, "")
    desk.reload()  # the kernel lives, and so does the question
    expect(verdict).to_have_text("Not quite. That is a·a itself.")
    expect(desk.locator("iframe")).to_have_count(0)
    expect(desk.locator(".mg-asked :focus")).to_have_count(0)
    field.fill("6")
    field.press("Enter")
    expect(verdict).to_have_text("Right. 3 + 3.")
    data = saved_when(lab, desk, path, "right")
    assert data["text/plain"] == "How steep is `a·a` at a = 3? Your answer 6: right, after 9."

    lab.close(desk)
    lab.open(desk, path.name)  # without that kernel: the page in the place, with the answer that the notebook brings
    open_places(desk)
    framed = desk.frame_locator("iframe").locator(".mg-asked")
    expect(framed.locator(".mg-ask-verdict")).to_have_text("Right. 3 + 3.")
    expect(framed.get_by_label("Your answer")).to_have_value("6")
    inside = framed.evaluate("question => question.offsetHeight")
    expect(desk.locator("iframe")).to_have_css("height", f"{inside + 2}px")  # not that of a guess: no bar, no gap

    lab.run_all(desk)  # a new kernel: the progress file knows
    open_places(desk)
    expect(verdict.first).to_have_text("Right. 3 + 3.")
    assert saved_when(lab, desk, path, "right")[ANSWERS]["tries"][-1]["given"] == "6"

    lab.close(desk)

    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--output-dir", str(tmp_path), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    page.context.set_offline(True)
    page.goto((tmp_path / "asked.html").as_uri())
    open_places(page)
    answered, open_one = (page.frame_locator("iframe >> nth=0"), page.frame_locator("iframe >> nth=1"))
    expect(answered.locator(".mg-ask-verdict")).to_have_text("Right. 3 + 3.")
    open_one.get_by_label("y", exact=True).check()
    open_one.get_by_role("button", name="Check").click()
    expect(open_one.locator(".mg-ask-verdict")).to_have_text("Right.")


def test_a_wide_picture_of_a_lesson_is_seen_whole(desk, lab):
    (lab.folder / "exercises").mkdir(exist_ok=True)
    (lab.folder / "exercises" / "small.py").write_text(QUESTIONS, encoding="utf-8")
    wide = '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="400"></svg>'
    path = lab.write("wide.ipynb", START, ASKS[0], f"from IPython.display import SVG; SVG('{wide}')")
    lab.open(desk, path.name)
    lab.run_all(desk)
    expect(desk.locator(".mg-asked")).to_be_visible()
    image = desk.locator(".jp-RenderedSVG img")
    for width in (1280, 700):
        desk.set_viewport_size({"width": width, "height": 900})
        shown = image.evaluate("one => [one.clientWidth, one.clientHeight, one.parentElement.clientWidth]")
        room = max(shown[2], 900)
        assert shown[:2] == [room, round(room / 4)]
    desk.set_viewport_size({"width": 1280, "height": 900})
    lab.close(desk)
