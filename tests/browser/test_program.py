"""The panel with the run as NumPy: which lines are lit at each step, where a line leads to, what is struck out."""

import pytest

import minigrad as mg
from tests.browser.conftest import painted
from widgets.showing.page import page as export
from widgets.showing.run import record

SHOWN = """() => [...document.querySelectorAll(".mg-written button")].map(row => [
    row.firstChild.firstChild.textContent,
    row.querySelector(".mg-why")?.textContent ?? "",
    row.hasAttribute("aria-current"),
    row.querySelector("del") !== null,
])"""


def a_run():
    a = mg.tensor([0.0, 1.0, 2.0], requires_grad=True)
    with record() as run:
        b = a.sin() * 1
        c = b * a
        c.sum().backward()
    return run


@pytest.fixture(scope="module")
def run():
    return a_run()


@pytest.fixture
def opened(run, open_page, tmp_path):
    """Open the page of the run, with its program: `opened(width=400)`."""

    def opened(width=1280, **traits):
        run.save(tmp_path / "run.html", **traits)
        page = open_page(tmp_path / "run.html")
        page.set_viewport_size({"width": width, "height": 900})
        page.get_by_role("tab", name="Program").click()
        return page

    return opened


def step(page):
    return int(page.locator(".mg-stepper").get_attribute("data-index"))


def lit(page):
    return [text for text, _, is_lit, _ in page.evaluate(SHOWN) if is_lit]


@pytest.mark.parametrize("width", [1280, 400])
def test_the_lines_of_each_step_are_lit_there_and_back(opened, run, width):
    page, trace = opened(width), run.trace
    lines, last = trace["program"]["lines"], len(trace["frames"])
    seen = page.evaluate(SHOWN)
    assert [text for text, *_ in seen] == [text for text, *_ in lines]
    assert seen[0][1] == "# a.sin() * 1" and not any(gone for *_, gone in seen)
    page.locator(".mg-canvas").focus()
    for index in [*range(1, last + 1), *reversed(range(1, last))]:
        page.keyboard.press("ArrowRight" if step(page) < index else "ArrowLeft")
        assert step(page) == index
        assert lit(page) == [text for text, _, frames in lines if index - 1 in frames]
        for row in page.locator(".mg-written [aria-current]").all()[:1]:
            painted(page)  # it is scrolled to with the next painting
            inner, outer = row.bounding_box(), page.locator(".mg-written").bounding_box()
            assert outer["y"] - 1 <= inner["y"] and inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1
    page.keyboard.press("-")  # a node at a time: all lines of the node
    page.keyboard.press("Home")
    page.keyboard.press("]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    frames = trace["frames"]
    begin = next(i for i, frame in enumerate(frames) if frame["kind"] == "visited")
    assert lit(page) == [text for text, _, at in lines if {*range(begin, step(page))} & {*at}]


def test_a_line_leads_to_its_step_by_mouse_and_by_keyboard(opened, run):
    page, lines = opened(), run.trace["program"]["lines"]
    for row, (text, _, frames) in zip(page.locator(".mg-written button").all(), lines):
        row.click()
        assert step(page) == frames[-1] + 1 and text in lit(page)
    page.locator(".mg-written button").first.focus()
    for index in range(4):
        page.keyboard.press("Enter")
        assert step(page) == lines[index][2][-1] + 1
        page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.firstChild.firstChild.textContent") == lines[4][0]
    page.keyboard.press("Home")
    assert step(page) == 0  # the keys of the stepper count here, too


def test_simplified_strikes_out_what_a_compiler_leaves_out_and_says_why(opened, run):
    page = opened()
    switch = page.get_by_role("button", name="Simplified")
    switch.click()
    assert switch.get_attribute("aria-pressed") == "true"
    seen = page.evaluate(SHOWN)
    assert [text for text, *_, gone in seen if not gone] == [line.text for line in run.program(simplify=True).lines]
    reasons = {text: why for text, why, _, gone in seen if gone}
    assert reasons["b = np.sin(a) * 1"] == "# times 1" and reasons["a_grad = d_a_2"] == "# the same array"
    page.locator(".mg-written button", has_text="times 1").first.click()
    assert step(page) == 2 and lit(page)[0] == "b = np.sin(a) * 1"
    switch.click()
    assert [text for text, *_ in page.evaluate(SHOWN)] == [text for text, *_ in run.trace["program"]["lines"]]


def test_who_predicts_reads_no_line_that_is_still_to_come(opened, run):
    page, lines = opened(predict=True), run.trace["program"]["lines"]
    assert {text for text, *_ in page.evaluate(SHOWN)} == {"…"}
    page.locator(".mg-written button").last.click(force=True)
    assert step(page) == 0  # nor does it lead past the questions
    page.get_by_label("Position").fill("3")
    known = [text if frames[-1] < 3 else "…" for text, _, frames in lines]
    assert [text for text, *_ in page.evaluate(SHOWN)] == known and known.count("…") < len(known)
    page.get_by_role("button", name="Predict").click()
    assert [text for text, *_ in page.evaluate(SHOWN)] == [text for text, *_ in lines]


def test_where_there_is_no_program_the_panel_says_why(open_page, tmp_path):
    w = mg.ones(200, 100, requires_grad=True)
    with record() as run:
        w.sum().backward()
    run.save(tmp_path / "large.html")
    page = open_page(tmp_path / "large.html")
    page.get_by_role("tab", name="Program").click()
    assert page.locator(".mg-program").text_content() == (
        "There is no program of this run: a program is written of arrays of at most 16,384 numbers, but w has the "
        "shape (200, 100); record a smaller case."
    )
    page.get_by_role("tab", name="Program").press("ArrowRight")
    assert page.get_by_role("tab", name="Stops").get_attribute("aria-selected") == "true"


def test_a_run_that_was_saved_without_its_program_has_no_such_panel(run, open_page, tmp_path):
    earlier = {name: one for name, one in run.trace.items() if name != "program"}
    (tmp_path / "earlier.html").write_text(export(earlier, run.views()), encoding="utf-8")
    page = open_page(tmp_path / "earlier.html")
    assert page.get_by_role("tab").all_text_contents() == ["Inspect", "Table", "Stops"]
    page.keyboard.press("ArrowRight")
    assert step(page) == 1
