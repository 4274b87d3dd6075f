"""The first lesson, opened and run in JupyterLab as a learner does."""

from pathlib import Path

import pytest

from notebooks.refresh import course

SCREENSHOTS = Path(__file__).parent / "screenshots"
# name, theme, width of the window
LOOKS = [("light", "JupyterLab Light", 1280), ("dark", "JupyterLab Dark", 1280), ("narrow", "JupyterLab Light", 700)]
PICTURE = ".jp-OutputArea-output :is(img, svg, canvas)"
TEXT = ".jp-OutputArea-output pre"


def show(page, theme, width):
    """Set theme and window, as tall as the notebook so that one screenshot holds all of it."""
    page.emulate_media(color_scheme="dark" if "Dark" in theme else "light")
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
    page.locator("#jupyterlab-splash").wait_for(state="detached")  # covers the page while a theme loads
    page.set_viewport_size({"width": width, "height": 900})
    tall = page.locator(".jp-WindowedPanel-inner").first.evaluate("panel => panel.scrollHeight")
    page.set_viewport_size({"width": width, "height": min(max(900, tall + 200), 8000)})


def test_the_first_lesson_runs_and_shows_its_outputs(page, lab):
    if not course():
        pytest.skip("the course has no notebook yet")
    name = course()[0].name
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    lab.open(page, name)

    cells = [cell for cell in lab.run_all(page) if cell["cell_type"] == "code" and "".join(cell["source"]).strip()]

    assert [cell["source"] for cell in cells if cell["execution_count"] is None] == []
    for cell in cells:
        errors = [output["evalue"] for output in cell["outputs"] if output["output_type"] == "error"]
        assert not errors or "raises-exception" in cell["metadata"].get("tags", []), (cell["source"], errors)
    page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")  # the file list
    for look, theme, width in LOOKS:
        show(page, theme, width)
        page.locator(PICTURE).first.wait_for()
        page.locator(TEXT).first.wait_for()
        SCREENSHOTS.mkdir(exist_ok=True)
        page.locator(".jp-WindowedPanel-outer").first.evaluate("panel => { panel.scrollTop = 0 }")  # it ran to the end
        page.wait_for_timeout(300)
        page.screenshot(path=SCREENSHOTS / f"{Path(name).stem}-{look}.png")
    assert [url for url in requests if not url.startswith((lab.url, "data:", "blob:"))] == []
