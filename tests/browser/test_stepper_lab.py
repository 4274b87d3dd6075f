"""The stepper in a real JupyterLab: live, saved and reopened without its kernel's memory, exported, not trusted."""

import subprocess
import sys

import nbformat
import pytest

from tests.browser.conftest import READY_SECONDS
from tests.browser.steppers import open_places

expect = pytest.importorskip("playwright.sync_api", reason="playwright is missing: python3 go.py setup").expect
PROGRAM = """\
import minigrad as mg
import widgets
a = mg.tensor(0.5, requires_grad=True)
with widgets.record("b = sin(a)") as run:
    b = mg.sin(a)
    b.backward()
stepper = run.step()
stepper"""
SLIDERS = "plot = widgets.plot_descent(lambda w: (w - 1) ** 2, 3.0, lr=0.1, live=True)\nplot"
NEXT = ".mg-stepper .mg-next"


def expect_index(place, number):
    """The stepper of this page or frame comes to a step."""
    expect(place.locator(".mg-stepper").first).to_have_attribute("data-index", str(number))


def run_cell(page, number):
    """Run one cell; what it printed."""
    printed = """async number => {
        const { content, sessionContext } = window.jupyterapp.shell.currentWidget;
        content.activeCellIndex = number;
        await window.jupyterapp.commands.execute("notebook:run-cell");
        return content.model.cells.get(number).outputs.toJSON().map(output => output.text ?? "").join("");
    }"""
    return page.evaluate(printed, number)


def run_until(page, number, printed):
    """Run one cell until it prints this: what it asks for is under way."""
    for _ in range(5 * READY_SECONDS):
        if (said := run_cell(page, number)) == printed:
            return
        page.wait_for_timeout(200)
    assert said == printed


def expect_active(page, number):
    """JupyterLab makes this cell the active one, in its own time."""
    page.wait_for_function(f"window.jupyterapp.shell.currentWidget.content.activeCellIndex === {number}")


def test_a_lesson_is_stepped_saved_reopened_and_exported(desk, lab, page, tmp_path):
    """All of it in one go, as a start of JupyterLab takes its time."""
    sources = [PROGRAM, "print(stepper.index, repr(stepper.node), stepper.level)", "stepper.index = 4", SLIDERS]
    path = lab.write("stepped.ipynb", *sources)
    lab.open(desk, path.name)
    desk.locator(".jp-Cell .cm-content").first.click()
    desk.keyboard.press("Shift+Enter")  # JupyterLab goes on to the next cell; the keys go to the stepper
    focused = desk.locator(".mg-stepper :focus")
    focused.wait_for()
    expect(desk.locator(".mg-stepper")).to_be_in_viewport()
    desk.keyboard.press("ArrowRight")
    expect_index(desk, 1)
    expect_active(desk, 0)
    desk.keyboard.press("Escape")
    desk.keyboard.press("Escape")
    expect(focused).to_have_count(0)
    expect_active(desk, 0)
    desk.locator(NEXT).focus()
    desk.keyboard.press("Shift+Enter")
    expect(focused).to_have_count(0)
    expect_active(desk, 1)
    desk.keyboard.press("Shift+Tab")  # the way in by keyboard from below
    expect(focused).to_have_count(1)

    expect(desk.locator(".mg-facts")).to_have_css("display", "grid")  # not JupyterLab's
    desk.get_by_role("tab", name="Program").click()
    line = desk.locator(".mg-written code").first
    expect(line).to_have_text("b = np.sin(a)# mg.sin(a)")
    expect(line).to_have_css("background-color", "rgba(0, 0, 0, 0)")  # not JupyterLab's, either
    expect(line).to_have_css("padding-right", "0px")
    desk.get_by_role("tab", name="Inspect", exact=True).click()
    desk.locator(NEXT).focus()
    cells = desk.locator(".jp-Cell").count()
    desk.keyboard.press("ArrowRight")
    desk.locator(".mg-stepper .mg-canvas").focus()
    for key in ("b", "a", "x", "d", "d", "Enter", "+"):  # JupyterLab has commands on most of these
        desk.keyboard.press(key)
    expect_index(desk, 2)
    expect(desk.locator(".mg-ledger tr.selected")).to_have_count(1)
    expect(desk.locator(".jp-Cell")).to_have_count(cells)
    run_until(desk, 1, "2 'n1' 4\n")  # ipywidgets tells the kernel in its own time
    run_cell(desk, 2)
    desk.locator(".mg-stepper[data-index='4']").wait_for()
    run_cell(desk, 3)
    open_places(desk)
    desk.locator(".noUi-handle").first.wait_for()
    label = desk.locator(".widget-slider .widget-label")
    expect(label).to_have_text("learning rate")
    assert label.evaluate("e => e.scrollWidth <= e.clientWidth")  # it is not cut
    pictures = desk.locator(".jp-RenderedImage, .jp-RenderedSVG")  # they give way to what lives
    expect(pictures).to_have_count(2)
    expect(pictures.filter(visible=True)).to_have_count(0)
    for theme in ("Dark", "Light"):  # a picture beside them follows the theme, whatever the system prefers
        desk.evaluate(f"window.jupyterapp.commands.execute('apputils:change-theme', {{ theme: 'JupyterLab {theme}' }})")
        expect(desk.locator(".jp-RenderedSVG")).to_have_css("color-scheme", theme.lower())

    lab.save(desk)
    assert "jupyter.widget" not in path.read_text(encoding="utf-8")
    desk.reload()  # the kernel lives, and so does the stepper, where it was; nothing takes the focus
    desk.locator(".mg-stepper[data-index='4']").wait_for()
    desk.locator(".noUi-handle").first.wait_for()
    expect(desk.locator("iframe")).to_have_count(0)
    expect(focused).to_have_count(0)

    lab.close(desk)
    lab.open(desk, path.name)
    frame = desk.frame_locator(".jp-OutputArea-output iframe")  # without a kernel, the page in its place
    frame.locator(NEXT).click()
    expect_index(frame, 1)

    foreign = lab.folder / "foreign.ipynb"  # nobody here ran it, so it is not trusted
    foreign.write_text(path.read_text(encoding="utf-8").replace("stepper.index = 4", ""), encoding="utf-8")
    lab.close(desk)
    lab.open(desk, foreign.name)
    outputs = desk.locator(".jp-OutputArea-output")
    expect(outputs.nth(1)).to_contain_text("a.grad was empty: now it holds 0.8776.")
    expect(desk.locator("iframe, .mg-stepper")).to_have_count(0)
    pictures = desk.locator(".jp-OutputArea-output img")  # of the stepper and of the plot
    expect(pictures).to_have_count(2)
    assert all(one.evaluate("image => image.decode().then(() => image.naturalWidth)") > 200 for one in pictures.all())

    lab.close(desk)

    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--theme", "dark"]
    subprocess.run([*command, "--output-dir", str(tmp_path), str(path)], check=True, capture_output=True, timeout=120)
    page.context.set_offline(True)
    page.goto((tmp_path / "stepped.html").as_uri())
    frame = page.frame_locator("iframe")
    frame.locator(NEXT).click()
    frame.locator(NEXT).press("End")
    expect(frame.locator(".mg-say")).to_contain_text("now it holds 0.8776")
    expect(frame.locator("body")).to_have_css("background-color", "rgb(17, 17, 17)")  # as the page, not as the system
    expect(page.locator(".jp-RenderedSVG").first).to_have_css("color-scheme", "dark")
    height = "frame => [frame.clientHeight, innerHeight]"
    within, window = page.locator("iframe").evaluate(height)
    inside = frame.locator(".mg-stepper").evaluate("stepper => stepper.offsetHeight")
    assert inside <= within <= min(inside + 2, window)


def test_answers_are_kept_in_the_notebook(desk, lab, browser):
    """Through a new run, a new kernel, another browser; and where no kernel lives, they are read as words, too."""
    path = lab.write("answered.ipynb", PROGRAM.replace("run.step()", "run.step(ask=[1, 'deposited'])"))
    lab.open(desk, path.name)
    run_cell(desk, 0)
    score = desk.locator(".mg-score")
    for answer, told in (("7", "0 of 1 right"), ("0.8776", "1 of 2 right")):
        field = desk.get_by_label("Your answer")
        while not field.is_visible():
            desk.locator(NEXT).click()
        field.fill(answer)
        desk.keyboard.press("Enter")
        expect(score).to_have_text(told)
        desk.keyboard.press("Escape")
    words = desk.locator("[data-answers-of]")
    expect(words).to_have_count(1)
    expect(words).not_to_be_visible()
    desk.evaluate("localStorage.clear()")  # this browser remembers nothing
    desk.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    run_cell(desk, 0)
    expect(score).to_have_text(told)
    lab.save(desk)
    lab.close(desk)

    elsewhere = browser.new_context().new_page()
    lab.open(elsewhere, path.name)
    expect(elsewhere.frame_locator("iframe").locator(".mg-score")).to_have_text(told)
    expect(elsewhere.locator("[data-answers-of]")).to_contain_text("1 of 2 right")
    expect(elsewhere.locator("[data-answers-of] li")).to_contain_text(
        ["Answered 7: not right.", "Answered 0.8776: right."]
    )
    run_cell(elsewhere, 0)
    expect(elsewhere.locator(".mg-stepper .mg-score")).to_have_text(told)
    elsewhere.get_by_role("button", name="Start over").click()
    expect(elsewhere.locator("[data-answers-of]")).to_have_count(0)
    lab.save(elsewhere)
    elsewhere.context.close()
    assert nbformat.read(path, 4).cells[0].metadata.get("minigrad") is None


def test_running_all_cells_takes_no_focus(desk, lab):
    path = lab.write("all.ipynb", PROGRAM, "1 + 1", PROGRAM, "2 + 2", "3 + 3")
    lab.open(desk, path.name)
    lab.run_all(desk)
    open_places(desk)
    desk.locator(".mg-stepper").nth(1).wait_for(state="attached")
    desk.wait_for_timeout(500)
    assert desk.locator(".mg-stepper :focus").count() == 0
    lab.close(desk)


def test_the_lab_has_our_settings(page, lab):
    answer = page.request.get(f"{lab.url}/lab/api/settings/@jupyterlab/apputils-extension:notification").json()
    assert answer["schema"]["properties"]["fetchNews"]["default"] == "false"
