"""The overview of the course in a real JupyterLab: its table, and each of its buttons."""

import pytest

from tests.browser.steppers import open_places
from tests.browser.test_stepper_lab import run_cell
from widgets import course

expect = pytest.importorskip("playwright.sync_api", reason="playwright is missing: python3 go.py setup").expect
START = """import os
os.environ["MINIGRAD_COURSE"] = os.path.join(os.getcwd(), "mine")
from widgets import Lesson, course
from widgets.lessons import overview
print(course.make_copies().name)"""


def test_each_button_does_what_it_says(page, lab):
    lab.write("overview.ipynb", START, "overview.show()")
    lab.open(page, "overview.ipynb")
    assert run_cell(page, 0) == "mine\n"
    run_cell(page, 1)
    open_places(page)
    table, said = page.locator(".jp-OutputArea table"), page.locator(".jp-OutputArea .widget-output")
    expect(table.locator("tbody tr")).to_have_count(len(course.originals()) - 1)
    first, copy = course.originals()[0].stem, lab.folder / "mine" / course.originals()[0].name
    page.get_by_label("Lesson").select_option(first)

    def press(button, words):
        page.get_by_role("button", name=button).focus()
        page.keyboard.press("Enter")
        expect(said).to_contain_text(words)

    press("Compare with the original", f"{copy.name} is as the original.")
    before = copy.read_text(encoding="utf-8")
    copy.write_text(before.replace("requires_grad=True", "requires_grad=False"), encoding="utf-8")
    press("Compare with the original", "is changed:")
    press("Start afresh", f"{copy.name} is as at the start.")
    assert copy.read_text(encoding="utf-8") == before and len(list(copy.parent.glob(f"{first} until *"))) == 1
    press("Review", "Nothing to review")
    expect(table.locator("tbody tr").first).to_contain_text("yes")  # a review opens the lesson
    press("Forget my answers", "are forgotten")
    expect(table.locator("tbody tr").first).not_to_contain_text("yes")
    press("Where are my answers?", "progress.json")
