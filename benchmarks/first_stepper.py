"""How long a learner waits for the first stepper: `python -m benchmarks.first_stepper`.

From the start of JupyterLab's server, with nothing kept from earlier, until a cell has shown its widget; beside it the
same with a widget that does nothing. Server, page and kernel start anew in each round, and the two take turns, so that
what else the machine does meets both. Needs the package playwright.
"""

import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import CHROMIUM_OPTIONS, find_chromium, started_lab

ROUNDS = 3
EMPTY = """\
import anywidget
class Empty(anywidget.AnyWidget):
    _esm = "export default { render({ el }) { el.innerHTML = '<p class=shown>empty</p>' } }"
Empty()"""
STEPPER = """\
import minigrad as mg
from widgets import record
a = mg.tensor(0.52, requires_grad=True)
with record() as run:
    d = 2 * mg.sin(a) + 1
    d.backward()
run.step()"""
CELLS = {"an empty widget": (EMPTY, ".shown"), "the first stepper": (STEPPER, ".mg-stepper")}


def seconds_until_shown(browser: Browser, source: str, shown: str) -> float:
    """A clean start of everything but the browser itself."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, browser.new_context() as context:
        start = time.perf_counter()
        with started_lab(Path(home)) as lab:
            lab.write("first.ipynb", source)
            page = context.new_page()
            lab.open(page, "first.ipynb")
            lab.run_all(page)
            page.locator(shown).wait_for()
            return time.perf_counter() - start


def main() -> None:
    times: dict[str, list[float]] = {name: [] for name in CELLS}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_OPTIONS)
        for _ in range(ROUNDS):
            for name, cell in CELLS.items():
                times[name].append(seconds_until_shown(browser, *cell))
    for name, measured in times.items():
        print(f"{name}: {median(measured):.1f} s ({min(measured):.1f} to {max(measured):.1f})")
    empty, stepper = (median(measured) for measured in times.values())
    print(f"the stepper takes {stepper - empty:.1f} s more; at most 2 s are wanted")


if __name__ == "__main__":
    main()
