"""A real JupyterLab and a real Chromium for the tests of this folder.

Fixtures: `page`, a fresh browser page, and `lab`, a server on a copy of notebooks/:

    def test_something(page, lab):
        lab.open(page, "01_a_slope_you_can_touch.ipynb")
        cells = lab.run_all(page)

`lesson`, a trace and its pictures, and `lesson_page`, the file that they are exported to; `open_page` shows a file:

    def test_something(open_page, lesson_page):
        page = open_page(lesson_page, color_scheme="dark")
"""

import base64
import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

import minigrad as mg
from widgets import web
from widgets.drawing import picture
from widgets.showing.page import MODULES, module, page as export
from widgets.showing.run import record

ROOT = Path(__file__).parent.parent.parent
NOTEBOOKS = ROOT / "notebooks"
# The first draws no windows, and takes an eighth less time.
CHROMIUM_NAMES = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"),
)
CHROMIUM_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    *(
        os.path.join(os.environ.get(variable, ""), program)
        for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        for program in (r"Google\Chrome\Application\chrome.exe", r"Microsoft\Edge\Application\msedge.exe")
    ),
)
# A test browser has nothing to fetch for itself.
CHROMIUM_OPTIONS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--disable-gpu",
    "--no-first-run",
]
READY_SECONDS = 60
SHARED = Path("/dev/shm")  # the quickest way for pictures from process to process, but tiny in some containers
IS_ROOMY = SHARED.is_dir() and shutil.disk_usage(SHARED).free > 2**30

# Before the kernel has answered, "run all" opens a dialog that asks for a kernel, and never returns.
OPEN = """async ([path, shouldStart]) => {
    const app = window.jupyterapp;
    await app.restored;
    await app.commands.execute("docmanager:open", { path, kernelPreference: { shouldStart } });
    const { context, sessionContext } = app.shell.currentWidget;
    await context.ready;
    await sessionContext.ready;
    if (shouldStart) await sessionContext.session.kernel.info;
}"""
# A page unpacks its data before its steppers stand in their places.
ALL_OPEN = """() => {
    const places = [...document.querySelectorAll(".mg-place")];
    return places.length > 0 && places.every((place) => place.querySelector(".mg-stepper"));
}"""
# Stored outputs are cleared first: they must not pass for fresh ones.
RUN_ALL = """async () => {
    const app = window.jupyterapp;
    await app.commands.execute("notebook:clear-all-cell-outputs");
    await app.commands.execute("notebook:run-all-cells");
    return app.shell.currentWidget.content.model.toJSON().cells;
}"""

CLOSE = """async () => {
    const { sessionContext } = window.jupyterapp.shell.currentWidget;
    await sessionContext.shutdown();
    window.jupyterapp.shell.currentWidget.dispose();  // closing would ask whether to save
    globalThis.minigradPlaces?.clear();  // as in a page that knows no widget
}"""
OPEN_NOTEBOOKS = "[...window.jupyterapp.shell.widgets('main')].filter(({ context }) => context).length"
# The cursors of all cells blink, seen or not: that alone draws the page 60 times a second.
NO_BLINKING = """
    const still = new CSSStyleSheet();
    still.replaceSync(".cm-cursorLayer { animation: none !important }");
    document.adoptedStyleSheets.push(still);
"""


def find_chromium() -> str | None:
    """An installed browser of Chromium's family; None leaves the choice to playwright, which may have its own."""
    chosen = os.environ.get("MINIGRAD_CHROMIUM")
    if chosen:
        return chosen
    candidates = [*map(shutil.which, CHROMIUM_NAMES), *CHROMIUM_PLACES]
    return next((path for path in candidates if path and os.path.isfile(path)), None)


def no_browser(reason: str):
    """Skip, or fail where a browser is a must (CI)."""
    report = pytest.fail if os.environ.get("MINIGRAD_REQUIRE_BROWSER") == "1" else pytest.skip
    report(f"{reason}; to install one: {Path(sys.executable).name} -m playwright install --only-shell chromium")


# Of one module, not of the session: while playwright is up, an event loop runs in this thread, and nbval needs its own.
@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is missing: python3 go.py setup")
    sync_api.expect.set_options(timeout=1000 * READY_SECONDS)
    with sync_api.sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(
                executable_path=find_chromium(),
                args=CHROMIUM_OPTIONS,
                ignore_default_args=["--disable-dev-shm-usage"] * IS_ROOMY,
            )
        except sync_api.Error as error:
            no_browser(f"no Chromium starts ({error.message.splitlines()[0]})")
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser):
    """A fresh page of 1280 x 900 in the light theme; nothing is remembered from other tests."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    context.set_default_timeout(1000 * READY_SECONDS)
    yield context.new_page()
    context.close()


@dataclass
class Lab:
    """A JupyterLab server. Notebooks written into `folder` can be opened at once."""

    url: str
    folder: Path

    def open(self, page, notebook: str, kernel: bool = True) -> None:
        """Show a notebook, in the JupyterLab that the page has, and wait for its kernel unless there shall be none."""
        if not page.url.startswith(self.url):
            page.goto(f"{self.url}/lab?reset")  # reset: no workspace of an earlier test
            page.wait_for_function("window.jupyterapp")
        within(READY_SECONDS, page, OPEN, "no kernel has started; does the notebook name one?", [notebook, kernel])
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()

    def run_all(self, page) -> list[dict]:
        """Run all cells of the open notebook; the cells as the browser now has them."""
        return within(2 * READY_SECONDS, page, RUN_ALL, "the cells are still running")

    def write(self, name: str, *sources: str) -> Path:
        """A notebook with these cells of code, in the folder."""
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), self.folder / name)
        return self.folder / name

    def close(self, page) -> None:
        """Close the open notebook and end its kernel; JupyterLab stays."""
        page.evaluate(CLOSE)

    def save(self, page) -> None:
        """Save the open notebook."""
        page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
        page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")


def photograph(page, name: str, **how) -> None:
    """A picture for people to look at, in the folder that MINIGRAD_SCREENSHOTS names; none if it names none."""
    if folder := os.environ.get("MINIGRAD_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", **how)


def painted(page) -> None:
    """Wait until the page is painted anew twice: then its layout has followed what was changed."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def within(seconds: int, page, function: str, otherwise: str, argument=None):
    """The result of an async JavaScript function, awaited for so long; playwright itself would wait for ever."""
    late = f"new Promise((_, no) => setTimeout(() => no(new Error(`{otherwise} ({seconds} s)`)), {1000 * seconds}))"
    return page.evaluate(f"argument => Promise.race([({function})(argument), {late}])", argument)


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    with started_lab(tmp_path_factory.mktemp("jupyter")) as lab:
        yield lab


@pytest.fixture(scope="module")
def desks(browser):
    """Pages with a JupyterLab in which nothing is open: to load another one for each lesson takes too long."""
    ready = []
    yield ready
    for page in ready:
        page.context.close()


@pytest.fixture
def desk(browser, lab, desks):
    """A page for JupyterLab; what it asks of others than its server fails the test."""
    page = desks.pop() if desks else new_desk(browser)
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    yield page
    assert [url for url in requests if not url.startswith((lab.url, "data:", "blob:", "about:"))] == []
    if page.evaluate(OPEN_NOTEBOOKS):  # a test that failed leaves its own
        page.context.close()
    else:
        desks.append(page)


def new_desk(browser):
    # Without motion, as each frame of it paints all of JupyterLab anew; what moves is tested in test_page.py.
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(1000 * READY_SECONDS)
    context.add_init_script(NO_BLINKING)
    return context.new_page()


@contextlib.contextmanager
def started_lab(home: Path) -> Iterator[Lab]:
    """A JupyterLab of its own, which keeps all that it writes in a folder."""
    folder = home / "notebooks"
    shutil.copytree(NOTEBOOKS, folder, ignore=shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    log = home / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(_lab_command(url, folder), env=_private_settings(home), stdout=output, stderr=output)
    try:
        _wait_until_up(url, server, log)
        yield Lab(url, folder)
    finally:
        server.terminate()  # the server ends its kernels
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()


def _lab_command(url: str, folder: Path) -> list[str]:
    return [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
        f"--port={url.rpartition(':')[2]}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
        f"--ServerApp.root_dir={folder}",
        "--LabApp.expose_app_in_browser=True",  # gives the page `window.jupyterapp`
        f"--LabApp.app_settings_dir={NOTEBOOKS / 'lab'}",  # as go.py does: no news toast covers the page
        "--LabApp.extension_manager=readonly",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]


def _private_settings(home: Path) -> dict[str, str]:
    """An environment in which no setting of the user's counts."""
    folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    return os.environ | {name: str(home / folder) for name, folder in folders.items()}


def _wait_until_up(url: str, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while True:
        try:
            return urllib.request.urlopen(f"{url}/api/status", timeout=1).close()
        except OSError:
            if server.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"JupyterLab did not start:\n{log.read_text(errors='replace')}")
            time.sleep(0.05)


# == the exported page ==================================================================================


def a_lesson():
    """Values of one number and of several, two backwards, zeroing, and an error."""
    a = mg.tensor(0.5, requires_grad=True)
    x = mg.tensor([1.0, 2.0])
    with record("a lesson", keep_errors=True) as run:
        b = mg.sin(a)
        loss = (b * x + a).sum()
        loss.backward(retain_graph=True)
        loss.backward()
        a.grad = None
        loss.backward()
    return run.trace


@pytest.fixture(scope="module")
def lesson():
    """A trace and its pictures."""
    trace = a_lesson()
    return trace, picture.views(trace)


@pytest.fixture(scope="module")
def lesson_page(lesson, tmp_path_factory):
    """The file that they are exported to."""
    path = tmp_path_factory.mktemp("page") / "lesson.html"
    path.write_text(export(*lesson), encoding="utf-8")
    return path


@pytest.fixture
def open_page(browser):
    """Open a file in a window without a network; an error on the page fails the test."""
    contexts, errors = [], []

    def opened(path, waits=True, **options):
        context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True, **options)
        context.set_default_timeout(1000 * READY_SECONDS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: errors.append(request.url) if request.url.startswith("http") else None)
        page.goto(path.as_uri())
        if waits and options.get("java_script_enabled", True):
            page.wait_for_function(ALL_OPEN)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


# == the parts of the stepper that compute =====================================================================


@pytest.fixture(scope="module")
def call(browser):
    """Run a function of the module: `call("(m, x) => m.format(x)", 0.5)`."""
    page = browser.new_page()
    *inner, _ = [(web.HERE / f"{name}.js").read_text(encoding="utf-8") for name in MODULES]
    names = re.findall(r"^export (?:async )?(?:function|const|class) (\w+)", "\n".join(inner), re.MULTILINE)
    text = f"{module()}\nexport {{ {', '.join(names)} }};"  # together they export only what the last one does
    source = base64.b64encode(text.encode()).decode()
    page.evaluate("async source => { window.m = await import(`data:text/javascript;base64,${source}`) }", source)
    yield lambda function, argument=None: page.evaluate(f"argument => ({function})(window.m, argument)", argument)
    page.close()
