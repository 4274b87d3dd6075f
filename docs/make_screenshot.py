"""Photograph the stepper for the README and for docs/pytorch.md.

    .venv/bin/python docs/make_screenshot.py

It takes an installed Chromium; MINIGRAD_CHROMIUM names another browser of its family.
"""

import json
import linecache
import os
import shutil
import tempfile
from pathlib import Path

from widgets import Run

HERE = Path(__file__).parent
PICTURE = HERE / "stepper.png"
PYTORCH = """torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
x, y = torch.tensor([[1.0, 2.0]]), torch.tensor([[1.0]])
with record() as run:
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
"""
LESSON = Path(__file__).parent.parent / "notebooks" / "02_the_sine_and_its_gradient.ipynb"
MOMENT = 10  # so many steps have happened


def program() -> Run:
    """The first program of the lesson that goes backward, run as in its cell."""
    cells = ["".join(cell["source"]) for cell in json.loads(LESSON.read_text(encoding="utf-8"))["cells"]]
    source = next(cell for cell in cells if "d.backward()" in cell)
    return recorded("import minigrad as mg\nfrom widgets import record", source)


def recorded(before: str, source: str) -> Run:
    """What a cell recorded, with what stands before it in its notebook."""
    name = f"<cell {len(source)}>"
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    names: dict = {}
    exec(before, names)
    exec(compile(source, name, "exec"), names)
    return names["run"]


def photograph(run: Run, moment: int = MOMENT, height: int = 500) -> bytes:
    """The stepper at that moment, with the whole picture, light, as PNG."""
    from playwright.sync_api import sync_playwright

    browser = os.environ.get("MINIGRAD_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "stepper.html"
        run.save(path, title="", index=moment, height=height)
        page = playwright.chromium.launch(executable_path=browser).new_page(
            viewport={"width": 1000, "height": 1200}, device_scale_factor=1.5, color_scheme="light"
        )
        page.goto(path.as_uri())
        page.get_by_role("button", name="Fit the whole graph").click()
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")
        return page.locator(".mg-stepper").screenshot()


if __name__ == "__main__":
    PICTURE.write_bytes(photograph(program()))
    net = recorded("import torch\nfrom torch import nn\nfrom widgets import record", PYTORCH)
    (HERE / "pytorch.png").write_bytes(photograph(net, moment=13, height=760))
