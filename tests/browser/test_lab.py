"""The lessons in JupyterLab, as a learner meets them: seen, run, walked through, saved, reopened, exported."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from notebooks.refresh import course

expect = pytest.importorskip("playwright.sync_api", reason="playwright is missing: python3 go.py setup").expect
LESSONS = [path for path in course() if path.stem != "index"]
SCREENSHOTS = Path(__file__).parent / "screenshots"
# name, theme, width of the window
LOOKS = [("light", "JupyterLab Light", 1280), ("dark", "JupyterLab Dark", 1280), ("narrow", "JupyterLab Light", 700)]
RESTART = "async () => window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()"
CLOSE = "() => window.jupyterapp.shell.currentWidget.close()"
SAVED = "() => !window.jupyterapp.shell.currentWidget.context.model.dirty"
BOXES = """stepper => Object.fromEntries([...stepper.querySelectorAll(".mg-graph .mg-node")].flatMap(node => {
    const box = node.querySelector("text.box");
    return box ? [[node.querySelector("text.title").textContent, box.textContent]] : [];
}))"""
DRAWN = "image => image.decode().then(() => image.naturalWidth)"


def show(page, theme, width):
    """Set theme and window, as tall as the notebook so that one screenshot holds all of it."""
    page.emulate_media(color_scheme="dark" if "Dark" in theme else "light")
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
    page.locator("#jupyterlab-splash").wait_for(state="detached")  # covers the page while a theme loads
    page.set_viewport_size({"width": width, "height": 900})
    tall = page.locator(".jp-WindowedPanel-inner").first.evaluate("panel => panel.scrollHeight")
    page.set_viewport_size({"width": width, "height": min(max(900, tall + 200), 8000)})


def photograph(page, name):
    page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")  # the file list
    SCREENSHOTS.mkdir(exist_ok=True)
    for look, theme, width in LOOKS:
        show(page, theme, width)
        page.locator(".jp-WindowedPanel-outer").first.evaluate("panel => { panel.scrollTop = 0 }")  # it ran to the end
        page.wait_for_timeout(300)
        page.screenshot(path=SCREENSHOTS / f"{name}-{look}.png")


def code_cells(cells):
    return [cell for cell in cells if cell["cell_type"] == "code" and "".join(cell["source"]).strip()]


def open_places(page):
    """A place opens when it comes near the window: go to each."""
    for place in page.locator("[data-place]").all():
        place.scroll_into_view_if_needed()


def told(cells):
    """What the steps of each stepper say, by the plain text in the notebook."""
    texts = [output.get("data", {}).get("text/plain", "") for cell in code_cells(cells) for output in cell["outputs"]]
    outlines = [text for text in map("".join, texts) if text.startswith("Stepper: ")]
    return [re.split(r"\n *\d+  ", outline)[1:] for outline in outlines]


def enter_by_tab(page, cell):
    """From a cell into the stepper below it, without the mouse."""
    page.evaluate("number => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = number }", cell)
    page.evaluate("window.jupyterapp.commands.execute('notebook:enter-command-mode')")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('.mg-stepper') !== null"):
            return
    pytest.fail("twenty presses of Tab have not led into the stepper")


def filled(story):
    """What is in the mailboxes, by the last sentence that tells of each."""
    held = {}
    for sentence in story:
        told = r"(.+)\.grad (?:was empty|held .*): now it holds (?:.* = )?(.+)\."
        if found := re.fullmatch(told, sentence):
            held[found[1]] = found[2]
        elif found := re.fullmatch(r"(.+) retains its gradient: \1\.grad = (.+)\.", sentence):
            held[found[1]] = found[2]
        elif found := re.fullmatch(r"(.+)\.grad is zero again\.", sentence):
            held[found[1]] = "0"
    return {name: numbers(text) for name, text in held.items()}


def numbers(text):
    """The numbers of a box or a sentence, however a matrix is set; "large" where a sentence tells its range only."""
    return "large" if " … " in text else re.findall(r"-?(?:\d+\.?\d*(?:e-?\d+)?|inf|nan)", text)


def walk(page, stepper, story):
    """Through all steps and back, by keyboard; the sentences are those of the notebook's text."""
    say = stepper.locator(".mg-say")
    if stepper.locator(".mg-predict").is_visible():
        answer_wrongly(page, stepper)
        page.keyboard.press("p")
    page.keyboard.press("Home")
    for sentence in story:
        page.keyboard.press("ArrowRight")
        expect(say).to_have_text(sentence)
    boxes = stepper.evaluate(BOXES)
    seen = {name.partition(" = ")[0]: numbers(held) for name, held in boxes.items() if held != "–"}
    told = filled(story)
    assert seen.keys() == told.keys() and boxes
    assert all(seen[name] == told[name] for name in told if "large" not in (seen[name], told[name]))
    for sentence in reversed(story[:-1]):
        page.keyboard.press("ArrowLeft")
        expect(say).to_have_text(sentence)
    page.keyboard.press("ArrowLeft")
    expect(say).to_contain_text("Press Next")
    assert set(stepper.evaluate(BOXES).values()) == {"–"}


def answer_wrongly(page, stepper):
    """Next asks, and grades what is typed."""
    stepper.get_by_label("Ask me for").select_option("number")
    stepper.locator(".mg-next").focus()
    while not stepper.locator(".mg-predict form").is_visible():
        page.keyboard.press("ArrowRight")
    page.keyboard.type("12345")
    page.keyboard.press("Enter")
    expect(stepper.locator(".mg-verdict")).to_have_text(re.compile("^Not quite. .* Try again"))
    expect(stepper.locator(".mg-score")).to_have_text("0 of 1 right")


def step_in_frames(page, stories):
    """The pages that stand for the steppers where there is no kernel: each shows its first and its last step."""
    frames = page.locator("iframe:not([title^='Question: '])")
    open_places(page)
    expect(frames).to_have_count(len(stories))
    for number, story in enumerate(stories):
        stepper = frames.nth(number).content_frame.locator(".mg-stepper")
        stepper.locator(".mg-next").focus()
        if stepper.locator(".mg-predict").is_visible():
            page.keyboard.press("p")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        expect(stepper.locator(".mg-say")).to_have_text(story[0])
        page.keyboard.press("End")
        expect(stepper.locator(".mg-say")).to_have_text(story[-1])


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_from_first_sight_to_export(page, lab, path, tmp_path):
    stories = told(nbformat.read(path, as_version=4).cells)
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    lab.open(page, path.name)

    # Opened for the first time, JupyterLab does not trust it: each stepper is a picture.
    pictures = page.locator(".jp-RenderedImage img")
    pictures.nth(max(len(stories) - 1, 0)).wait_for()
    assert all(picture.evaluate(DRAWN) > 100 for picture in pictures.all())
    expect(page.locator("iframe, .mg-stepper")).to_have_count(0)

    cells = lab.run_all(page)
    for cell in code_cells(cells):
        errors = [output["evalue"] for output in cell["outputs"] if output["output_type"] == "error"]
        assert not errors or "raises-exception" in cell["metadata"].get("tags", []), (cell["source"], errors)
    assert [cell["source"] for cell in code_cells(cells) if cell["execution_count"] is None] == []
    assert told(cells) == stories
    steppers = page.locator(".mg-stepper")
    open_places(page)
    expect(steppers).to_have_count(len(stories))
    if stories:
        enter_by_tab(page, next(number for number, cell in enumerate(cells) if told([cell])))
    for number, story in enumerate(stories):
        if number:
            steppers.nth(number).locator(".mg-canvas").focus()
        walk(page, steppers.nth(number), story)
    photograph(page, path.stem)

    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_function(SAVED)
    page.evaluate(RESTART)
    page.evaluate(CLOSE)
    lab.open(page, path.name)
    step_in_frames(page, stories)
    assert [url for url in requests if not url.startswith((lab.url, "data:", "blob:", "about:"))] == []


def test_the_exported_lessons_step_with_the_network_off(page, tmp_path):
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", "--output-dir", str(tmp_path)]
    environment = os.environ | {"MINIGRAD_ANSWERS": "waived"}
    subprocess.run([*command, *map(str, LESSONS)], check=True, capture_output=True, timeout=600, env=environment)
    page.context.set_offline(True)
    for path in LESSONS:
        page.goto((tmp_path / f"{path.stem}.html").as_uri(), wait_until="commit")
        step_in_frames(page, told(nbformat.read(path, as_version=4).cells))
