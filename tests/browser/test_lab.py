"""The lessons as a learner meets them in JupyterLab: seen, answered, walked through, saved, reopened, exported."""

import os
import re
from functools import cache

import nbformat
import pytest
from nbconvert import HTMLExporter

from notebooks.refresh import course
from tests.browser.conftest import READY_SECONDS, photograph, within
from tests.browser.keyboard import go_through, plain, press, tab_into
from tests.browser.steppers import open_places, step_in_frames, step_to_the_end, tell_the_same, told, walk
from tests.course.test_exercises import SOLUTIONS, right_answers
from widgets.course import INDEX, ORIGINALS, can_run
from widgets.lessons import Mistake, after, exercises
from widgets.lessons.coding import Code
from widgets.lessons.judging import as_text
from widgets.site.notebook import written
from widgets.site.pages import Site

expect = pytest.importorskip("playwright.sync_api", reason="playwright is missing: python3 go.py setup").expect
LESSONS = [path for path in course() if path.name != INDEX and can_run(path)]
# name, theme, width of the window
LOOKS = [("light", "JupyterLab Light", 1280), ("dark", "JupyterLab Dark", 1280), ("narrow", "JupyterLab Light", 700)]
ASKED = re.compile(r'^lesson\.(?:ask|check)\("(.+?)"', re.MULTILINE)
# The text that a cell shows when it has run, and its number then.
RAN = """async ([number, before]) => {
    const cell = window.jupyterapp.shell.currentWidget.content.model.cells.get(number);
    while (!(cell.executionCount > before)) await new Promise(done => setTimeout(done, 20));
    const texts = cell.toJSON().outputs.map(({ text, data }) => text ?? data?.["text/plain"] ?? "");
    return [texts.flat().join(""), cell.executionCount];
}"""
CELLS = "() => window.jupyterapp.shell.currentWidget.content.model.toJSON().cells"
TO_THE_TOP = """() => {
    window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0;
    return window.jupyterapp.commands.execute("notebook:enter-command-mode");
}"""
IS_ACTIVE = "number => window.jupyterapp.shell.currentWidget.content.activeCellIndex === number"
# The kernel hears of an answer in its own time: until then the cell that waits for it would go on waiting.
IS_KEPT = """number => {
    const { outputs } = window.jupyterapp.shell.currentWidget.content.model.cells.get(number).toJSON();
    return JSON.stringify(outputs).includes('"outcome":"right"');
}"""
WRITE = "text => window.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.setSource(text)"
STEPPER = "Stepper: "  # so its words begin, in the outputs
DRAWN = "image => image.decode().then(() => image.naturalWidth)"


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_from_first_sight_to_export(desk, lab, path, page, open_page, tmp_path):
    stories = told(nbformat.read(path, as_version=4).cells)
    lab.open(desk, path.name)

    # Opened for the first time, JupyterLab does not trust it: each stepper is a picture.
    pictures = desk.locator(".jp-RenderedImage img")
    pictures.nth(max(len(stories) - 1, 0)).wait_for()
    assert all(picture.evaluate(DRAWN) > 100 for picture in pictures.all())
    expect(desk.locator("iframe, .mg-stepper")).to_have_count(0)

    cells = lab.run_all(desk)
    assert failed(cells) == [] and waiting(cells) == [cell["source"] for cell in cells if waited_for(cell)]
    Learner(desk, path.stem, cells).learn()
    cells = desk.evaluate(CELLS)
    assert failed(cells) == waiting(cells) == [] and told(cells) == stories

    steppers = desk.locator(".mg-stepper")
    open_places(desk)
    expect(steppers).to_have_count(len(stories))
    for number, story in enumerate(stories):
        if number:
            steppers.nth(number).locator(".mg-canvas").focus()
        else:
            desk.evaluate(TO_THE_TOP)
            tab_into(desk, steppers.first)
        walk(desk, steppers.nth(number), story)
    photograph_looks(desk, path.stem)

    lab.save(desk)
    lab.close(desk)
    lab.open(desk, path.name, kernel=False)
    step_in_frames(desk, stories)
    lab.close(desk)

    saved = nbformat.read(lab.folder / path.name, as_version=4)
    page.context.set_offline(True)
    page.goto(exported(saved, tmp_path).as_uri(), wait_until="commit")
    step_in_frames(page, stories)
    answer_on_the_site(open_page(on_the_site(saved, path, tmp_path), waits=False), path.stem, stories)


def test_a_cell_that_still_waits_or_has_failed_is_noticed():
    cell = {"cell_type": "code", "source": "%%after slope\n1", "execution_count": 1, "metadata": {}, "outputs": []}
    says = {"output_type": "stream", "text": after.waiting("slope")}
    error = {"output_type": "error", "evalue": "division by zero"}
    assert waiting([cell]) == [] and waiting([cell | {"outputs": [says]}]) == [cell["source"]]
    assert failed([cell]) == [] and failed([cell | {"outputs": [error]}, cell | {"execution_count": None}]) != []
    assert failed([cell | {"outputs": [error], "metadata": {"tags": ["raises-exception"]}}]) == []


@pytest.mark.parametrize(
    ("box", "sentence", "same"),
    [
        ("1 2", "[[1, 2]]", True),
        ("1 2", "[[1, 3]]", False),
        ("-2 … 2", "25 values: -2 … 2", True),
        ("-2 … 2", "25 values: -2 … 3", False),
        ("-1 0 3 2", "2×2: -1 … 3", True),
        ("-1 0 2 2", "2×2: -1 … 3", False),
        ("all 1", "[1, 1, 1]", True),
        ("all 1", "8×6: all 2", False),
    ],
)
def test_a_box_is_compared_with_its_sentence(box, sentence, same):
    assert tell_the_same(box, sentence) is same


class Learner:
    """Runs each cell by Shift+Enter and answers what takes the focus, by keyboard alone.

    Args:
        cells: of the notebook that is open, each of which has run before.
    """

    def __init__(self, page, lesson, cells):
        self.page, self.cells = page, cells
        self.questions, self.answers = exercises.questions(lesson), Answers(lesson)
        self.count = max(cell.get("execution_count") or 0 for cell in cells)

    def learn(self):
        self.page.evaluate(TO_THE_TOP)
        for number, cell in enumerate(self.cells):
            name = next(iter(ASKED.findall(cell["source"])), "")
            is_code = isinstance(self.questions.get(name), Code)
            if is_code:
                self.hand_in_wrong(number, name)
                self.page.evaluate(WRITE, self.answers.program(name))
            is_last = number + 1 == len(self.cells)
            output = self.run(number, "Control+Enter" if is_last else "Shift+Enter")
            if is_code:
                assert "Right." in output, output
            elif name:
                group = self.page.locator(".mg-asked:focus-within")
                group.wait_for()
                go_through(self.page, group, *self.answers.to(name))
                self.page.wait_for_function(IS_KEPT, arg=number, polling=20)
                press(self.page, "Shift+Enter")
            elif STEPPER in output:
                self.page.locator(".mg-stepper:focus-within").wait_for()
                press(self.page, "Shift+Enter")
            if not is_last:
                self.page.wait_for_function(IS_ACTIVE, arg=number + 1, polling=20)

    def hand_in_wrong(self, number, name):
        """A function that a known mistake leads to; its sentence is told."""
        wrong = [(i, one.says) for i, one in enumerate(self.questions[name].mistakes) if isinstance(one, Mistake)]
        program, says = f"lesson.check({name!r}, lambda *given: given)", "Not quite."
        if wrong:
            program = f"lesson.check({name!r}, lesson.questions[{name!r}].mistakes[{wrong[0][0]}].leads_to)"
            says = wrong[0][1]
        self.page.evaluate(WRITE, program)
        output = self.run(number, "Control+Enter")
        assert "Not quite." in output and says in output, output
        if STEPPER in output:  # of the run that goes wrong
            self.page.locator(".mg-stepper:focus-within").wait_for()
            press(self.page, "Escape")

    def run(self, number, keys):
        """Press the keys that run the active cell; what it shows, as text."""
        press(self.page, keys)
        if not has_code(self.cells[number]):
            return ""
        late = f"cell {number} has not run"
        text, self.count = within(READY_SECONDS, self.page, RAN, late, [number, self.count])
        return text


class Answers:
    """Right answers to the questions of a lesson."""

    def __init__(self, lesson):
        self.lesson, self.questions, self.right = lesson, exercises.questions(lesson), right_answers(lesson)
        self.solutions = (SOLUTIONS / f"{lesson}.py").read_text(encoding="utf-8")

    def to(self, name):
        """A question that is answered in a field, and what to put there."""
        asked = self.questions[name].asked(self.lesson, name)
        return asked, as_text(asked, self.right[name])

    def program(self, name):
        """A cell that hands in what was written by hand; where nobody did, the reference."""
        if f'"{name}": ' in self.solutions:
            return f"{self.solutions}\nlesson.check({name!r}, SOLUTIONS[{name!r}])"
        return f"lesson.check({name!r}, lesson.questions[{name!r}].answer)"


# == cells ===================================================================================================


def has_code(cell):
    return cell["cell_type"] == "code" and bool(cell["source"].strip())


def shown(cell):
    """What is below a cell, as text."""
    outputs = cell.get("outputs", [])
    return "".join("".join(output.get("text", output.get("data", {}).get("text/plain", ""))) for output in outputs)


def failed(cells):
    """Those that have not run, and those that have failed, unless they are meant to."""
    errors = [
        (cell["source"], output["evalue"])
        for cell in cells
        for output in cell.get("outputs", [])
        if output["output_type"] == "error" and "raises-exception" not in cell["metadata"].get("tags", [])
    ]
    return errors + [(cell["source"], "") for cell in cells if has_code(cell) and cell["execution_count"] is None]


def waiting(cells):
    """Those that say that they wait for an answer."""
    return [cell["source"] for cell in cells if (name := waited_for(cell)) and after.waiting(name) in shown(cell)]


def waited_for(cell):
    """The question that a cell waits for."""
    found = after.FIRST_LINE.match(cell["source"]) if has_code(cell) else None
    return found[1] if found else ""


# == pictures ================================================================================================


def photograph_looks(page, name):
    if not os.environ.get("MINIGRAD_SCREENSHOTS"):
        return
    page.evaluate("window.jupyterapp.shell.collapseLeft()")  # the file list
    for look, theme, width in LOOKS:
        show(page, theme, width)
        page.locator(".jp-WindowedPanel-outer").first.evaluate("panel => { panel.scrollTop = 0 }")  # it ran to the end
        page.wait_for_timeout(300)
        photograph(page, f"{name}-{look}")


def show(page, theme, width):
    """Set theme and window, as tall as the notebook so that one screenshot holds all of it."""
    page.emulate_media(color_scheme="dark" if "Dark" in theme else "light")
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
    page.locator("#jupyterlab-splash").wait_for(state="detached")  # covers the page while a theme loads
    page.set_viewport_size({"width": width, "height": 900})
    tall = page.locator(".jp-WindowedPanel-inner").first.evaluate("panel => panel.scrollHeight")
    page.set_viewport_size({"width": width, "height": min(max(900, tall + 200), 16000)})


# == without JupyterLab ======================================================================================


def exported(notebook, folder):
    """The page that nbconvert makes of it."""
    page, _ = exporter().from_notebook_node(notebook)
    (folder / "exported.html").write_text(page, encoding="utf-8")
    return folder / "exported.html"


@cache
def exporter():
    """It reads its templates when it is made, which takes as long as a page."""
    return HTMLExporter(template_name="lab")


def on_the_site(notebook, path, folder):
    """The page of the course's site that it becomes."""
    index = written(ORIGINALS / INDEX, nbformat.read(ORIGINALS / INDEX, as_version=4))
    lesson = written(path, notebook)
    (folder / lesson.file).write_text(Site(index, [lesson]).document(lesson.title, lesson.body, lesson), "utf-8")
    return folder / lesson.file


def answer_on_the_site(page, lesson, stories):
    """The questions that need no kernel, one after the other, by Tab; what waited for them appears."""
    answers = Answers(lesson)
    names = [name for name, question in answers.questions.items() if not isinstance(question, Code)]
    expect(page.locator(".mg-asked")).to_have_count(len(names))
    for name in names:
        asked, right = answers.to(name)
        group = page.locator(".mg-asked").filter(has_text=plain(asked.prompt))
        waited = page.locator(f"[data-after='{name}'] > .waited")
        expect(waited.filter(visible=True)).to_have_count(0)
        tab_into(page, group)
        go_through(page, group, asked, right)
        expect(waited.filter(visible=True)).to_have_count(waited.count())
    counts = f"{len(names)} of {len(names)} questions answered, 0 of them right at the first try."
    assert set(page.locator(".summary").all_text_contents()) <= {counts}
    steppers = page.locator(".mg-stepper")
    expect(steppers).to_have_count(len(stories))
    for number, story in enumerate(stories):
        step_to_the_end(page, steppers.nth(number), story)
    page.set_viewport_size({"width": 420, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    photograph(page, f"{lesson}-site", full_page=True)
