"""A loop of training steps in the stepper: a slider of iterations, each with its picture; the same step in the next."""

import re

import pytest
from playwright.sync_api import expect

from tests.widgets.recording.test_iterations import training


@pytest.fixture(scope="module")
def loop_page(tmp_path_factory):
    """Twenty iterations, of which the first eight are recorded step by step; with their trace."""
    path, (run, _, _) = tmp_path_factory.mktemp("loop") / "loop.html", training(20, iterations=8)
    run.save(path)
    return path, run.trace


@pytest.fixture
def shown(open_page, loop_page):
    return open_page(loop_page[0])


def go_to(page, iteration: int) -> None:
    page.get_by_role("slider", name="Iteration").fill(str(iteration))


def test_the_slider_goes_to_an_iteration(shown, loop_page):
    slider, words = shown.get_by_role("slider", name="Iteration"), shown.locator(".mg-iteration")
    expect(words).to_have_text("Iteration 1 of 20")
    go_to(shown, 3)
    expect(words).to_have_text("Iteration 3 of 20")
    expect(shown.locator(".mg-stepper")).to_have_attribute(
        "data-index", str(loop_page[1]["iterations"][2]["first"] + 1)
    )
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^iteration 3 of 20, loss \d"))


def test_the_beginning_tells_of_one_iteration_and_how_many_there_are(shown):
    expect(shown.locator(".mg-say")).to_contain_text("Forward: 8 operations")
    expect(shown.locator(".mg-say")).to_contain_text("So it goes 20 times. Press Next")


def test_the_slider_of_steps_covers_the_iteration_that_is_walked(shown, loop_page):
    go_to(shown, 2)
    steps, second = shown.get_by_role("slider", name="Position"), loop_page[1]["iterations"][1]
    expect(steps).to_have_attribute("min", str(second["first"]))
    expect(steps).to_have_attribute("max", str(second["last"] + 1))
    expect(shown.locator(".mg-phases span")).to_have_text(["Zeroing 1", "Forward 2", "Backward 2", "Update 2"])


def test_each_iteration_shows_its_own_graph_with_the_parameters(shown):
    names = shown.locator(".mg-canvas .mg-node:not(.constant) > .title")
    expect(names.filter(has_text=re.compile("^loss = "))).to_have_count(1)
    go_to(shown, 4)
    expect(names.filter(has_text=re.compile("^loss₄ = "))).to_have_count(1)
    expect(names.filter(has_text=re.compile(r"^net\[0\]\.weight$"))).to_have_count(1)
    shown.keyboard.press("Home")
    expect(names.filter(has_text=re.compile("^loss = "))).to_have_count(1)


def test_n_goes_to_the_same_step_in_the_next_iteration_and_back(shown, loop_page):
    frames = loop_page[1]["frames"]
    go_to(shown, 2)
    for _ in range(6):
        shown.keyboard.press("ArrowRight")
    stepper = shown.locator(".mg-stepper")
    here = int(stepper.get_attribute("data-index"))
    shown.keyboard.press("n")
    expect(shown.locator(".mg-iteration")).to_have_text("Iteration 3 of 20")
    there = int(stepper.get_attribute("data-index"))
    assert frames[there - 1]["kind"] == frames[here - 1]["kind"] and frames[there - 1]["at"] == frames[here - 1]["at"]
    shown.keyboard.press("Shift+N")
    expect(stepper).to_have_attribute("data-index", str(here))


def test_an_iteration_that_was_folded_is_one_line(shown, loop_page):
    go_to(shown, 15)
    expect(shown.locator(".mg-iteration")).to_have_text("Iteration 15 of 20, in one line")
    expect(shown.locator(".mg-say")).to_have_text(re.compile(r"^Iteration 15: loss = 0\.\d+\.$"))
    shown.keyboard.press("n")
    expect(shown.locator(".mg-say")).to_have_text(re.compile("^Iteration 16: loss = "))
    go_to(shown, 6)
    shown.keyboard.press("End")
    expect(shown.locator(".mg-iteration")).to_have_text("Iteration 20 of 20, in one line")


def test_what_is_no_loop_shows_no_slider_of_iterations(open_page, lesson_page):
    expect(open_page(lesson_page).locator(".mg-loop")).to_have_count(0)


def test_the_way_to_an_iteration_is_short(shown):
    go_to(shown, 4)
    expect(shown.locator(".mg-crumbs button")).to_have_text(["Whole graph", "iteration 4"])


def test_an_automatic_audit_finds_nothing_serious(shown):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="the audit needs axe-playwright-python")
    for iteration in (3, 15):
        go_to(shown, iteration)
        found = axe.Axe().run(shown).response["violations"]
        assert [
            (v["id"], [n["target"] for n in v["nodes"]]) for v in found if v["impact"] in ("serious", "critical")
        ] == []
