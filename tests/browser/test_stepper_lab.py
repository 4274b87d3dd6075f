"""The stepper in a real JupyterLab: live, saved and reopened without its kernel's memory, exported, not trusted."""

import subprocess
import sys

import nbformat

from notebooks.refresh import normalise

PROGRAM = """\
import minigrad as mg
import widgets
a = mg.tensor(0.5, requires_grad=True)
with widgets.record("b = sin(a)") as run:
    b = mg.sin(a)
    b.backward()
stepper = run.step()
stepper"""
NEXT = ".mg-stepper .mg-next"


def notebook(*sources):
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(
        metadata={"kernelspec": kernel}, cells=[nbformat.v4.new_code_cell(source) for source in sources]
    )


def index(page):
    return page.locator(".mg-stepper").first.get_attribute("data-index")


def run_cell(page, number):
    """Run one cell; what it printed."""
    printed = """async number => {
        const { content, sessionContext } = window.jupyterapp.shell.currentWidget;
        content.activeCellIndex = number;
        await window.jupyterapp.commands.execute("notebook:run-cell");
        return content.model.cells.get(number).outputs.toJSON().map(output => output.text ?? "").join("");
    }"""
    return page.evaluate(printed, number)


def test_a_lesson_is_stepped_saved_reopened_and_exported(page, lab, tmp_path):
    """All of it in one go, as a start of JupyterLab takes its time."""
    path = lab.folder / "stepped.ipynb"
    sources = [PROGRAM, "print(stepper.index, repr(stepper.node), stepper.level)", "stepper.index = 4"]
    nbformat.write(notebook(*sources), path)
    lab.open(page, path.name)
    run_cell(page, 0)
    page.evaluate("""() => {
        window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1;
        return window.jupyterapp.commands.execute("notebook:enter-command-mode");
    }""")
    page.keyboard.press("Shift+Tab")  # the way in by keyboard, as Shift+Enter has gone on to the next cell
    assert page.locator(".mg-stepper :focus").count() == 1
    page.locator(NEXT).click()
    assert page.locator(".mg-facts").evaluate("list => getComputedStyle(list).display") == "grid"  # not JupyterLab's
    cells = page.locator(".jp-Cell").count()
    page.keyboard.press("ArrowRight")
    page.locator(".mg-stepper .mg-canvas").focus()
    for key in ("b", "a", "x", "d", "d", "Enter", "+"):  # JupyterLab has commands on most of these
        page.keyboard.press(key)
    assert index(page) == "2" and page.locator(".jp-Cell").count() == cells
    assert page.locator(".mg-ledger tr.selected").count() == 1
    page.wait_for_timeout(1000)  # ipywidgets tells the kernel in its own time
    assert run_cell(page, 1) == "2 'n1' 4\n"
    run_cell(page, 2)
    page.locator(".mg-stepper[data-index='4']").wait_for()

    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.goto("about:blank")
    lab.open(page, path.name)
    frame = page.frame_locator(".jp-OutputArea-output iframe")  # without a kernel, the page in its place
    frame.locator(NEXT).click()
    assert frame.locator(".mg-stepper").get_attribute("data-index") == "1"

    foreign = lab.folder / "foreign.ipynb"  # nobody here ran it, so it is not trusted
    foreign.write_text(normalise(nbformat.read(path, as_version=4)).replace("stepper.index = 4", ""), encoding="utf-8")
    lab.open(page, foreign.name)
    output = page.locator(".jp-OutputArea-output").first
    assert "Run this cell" in output.text_content() and output.locator("iframe").count() == 0
    assert output.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)") > 50

    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--output-dir", str(tmp_path), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    page.context.set_offline(True)
    page.goto((tmp_path / "stepped.html").as_uri())
    frame = page.frame_locator("iframe")
    frame.locator(NEXT).click()
    frame.locator(NEXT).press("End")
    assert "it is 0.8776 now" in frame.locator(".mg-say").text_content()
