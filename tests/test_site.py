"""The course as static pages: what is in them, what fails the build, and that nothing else of a folder is touched."""

import re
import runpy
from pathlib import Path

import nbformat
import pytest

from tests.small_course import INDEX, ONE, TWO, notebook, write_small_course
from widgets import course
from widgets.site.notebook import still, unpacked, written
from widgets.site.pages import Site, build
from widgets.site.prose import Broken, Prose, formula, text_of

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The pages of the small course, built over an older build and beside a stranger's page."""
    home = tmp_path_factory.mktemp("site")
    (home / "pages").mkdir()
    (home / "pages" / "09_gone.html").write_text('<meta name="generator" content="minigrad">', encoding="utf-8")
    (home / "pages" / "mine.html").write_text("mine", encoding="utf-8")
    build(home / "pages", write_small_course(home / "course"))
    return home / "pages"


@pytest.fixture(scope="module")
def pages(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.html")}


def test_each_lesson_is_a_page_and_what_is_not_ours_stays(pages):
    assert sorted(pages) == ["01_a_square.html", "02_a_sine.html", "index.html", "mine.html"]
    assert pages.pop("mine.html") == "mine"
    for name, page in pages.items():
        assert len(page) < 500_000, name
        assert page.startswith('<!doctype html><html lang="en">') and page.count("<h1") == page.count("<main") == 1
    assert "<title>1 · A square · A small course</title>" in pages["01_a_square.html"]


def test_nothing_is_fetched_and_nothing_else_may_run(pages):
    for page in (pages["01_a_square.html"], pages["index.html"]):
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
        assert len(re.findall("sha256-", policy)) == page.count("<style>") + len(
            re.findall(r"<script(?: type=.module.)?>", page)
        )
        outside = re.sub(r"(?s)<script.*?</script>|<style>.*?</style>|<svg.*?</svg>|<img[^>]*>", "", page)
        assert not re.search(r"<iframe|<link|<script|\bon\w+=|style=|\bsrc=", outside)
        assert not re.search(r"(?:src|href)=\"?https?:", page)


def test_the_map_tells_ideas_and_questions(pages):
    page = pages["index.html"]
    assert '<a href="01_a_square.html">1 · A square</a><p class="idea">a times <code>a</code></p>' in page
    assert 'data-questions="[&quot;slope&quot;, &quot;first&quot;]"' in page


def test_a_stepper_is_its_data_beside_one_program(pages):
    page = pages["01_a_square.html"]
    assert page.count('<div class="mg-place">') == 2 and page.count("class Stepper ") == 1
    traces = [unpacked(data) for data in re.findall(r'mg-place">.*?<script type="application/gzip">([^<]*)', page)]
    assert [trace["trace"]["frames"][0]["say"] for trace in traces] == ["y = a * a = 3 * 3 = 9."] * 2
    assert "class Stepper " not in pages["02_a_sine.html"]


def test_what_gives_the_answer_away_waits(pages):
    page = pages["01_a_square.html"]
    waits = re.findall(r'<div class="after" data-after="(\w+)">(.*?)\n</div></div>', page, re.DOTALL)
    assert [name for name, _ in waits] == ["slope", "unasked"]  # two cells wait for the first
    assert "mg-place" in waits[0][1] and "So it is 6.0" in waits[0][1] and "nobody asks" in waits[1][1]
    assert "%%after" not in page and page.count("So it is 6.0") == 1


def test_cells_that_only_call_the_kit_show_what_they_show(pages):
    page = text_of(re.sub(r"(?s)<(script|style).*?</\1>", "", pages["01_a_square.html"]))
    assert 'Lesson("01_a_square")' in page and "plot_tangent(lambda" in page
    assert not re.search(r"lesson\.(ask|review|summary)|Not answered|Nothing to review", page)
    assert pages["01_a_square.html"].count('<p class="summary"') == 1


def test_what_cannot_run_here_asks_all_the_same(tmp_path, monkeypatch):
    """As lesson 26 where PyTorch is not installed: its pictures are those that were stored, its questions live."""
    small = write_small_course(tmp_path / "course")
    monkeypatch.setattr("widgets.site.notebook.can_run", lambda path: path.stem != "01_a_square")
    build(tmp_path / "pages", small)
    page = (tmp_path / "pages" / "01_a_square.html").read_text(encoding="utf-8")
    assert 'data-questions="[&quot;slope&quot;, &quot;first&quot;]"' in page
    assert "So it is" in page and "So it is 6.0" not in page


def test_links_lead_to_pages(pages):
    assert 'href="02_a_sine.html#What-it-is,-again"' in pages["01_a_square.html"]
    assert 'id="What-it-is,-again"' in pages["02_a_sine.html"]
    assert '<a rel="next" href="02_a_sine.html">' in pages["01_a_square.html"]
    assert '<a rel="prev" href="01_a_square.html">' in pages["02_a_sine.html"]
    assert ".ipynb" not in "".join(re.findall(r'href="[^"]*"', "".join(pages.values())))


def test_formulas_pictures_and_errors(pages):
    assert "<mtable>" in pages["01_a_square.html"] and "<mfrac>" in pages["01_a_square.html"]
    assert (
        "ipywidgets" not in pages["01_a_square.html"]
        and pages["01_a_square.html"].count('<img src="data:image/svg') == 1
    )
    picture = re.search(r'<img src="data:image/svg\+xml,[^"]*" alt="([^"]*)"', pages["02_a_sine.html"])
    assert picture[1].startswith("tanh: from")
    assert pages["01_a_square.html"].count("In JupyterLab this can be moved.") == 1
    assert '<pre class="stderr">ZeroDivisionError: division by zero</pre>' in pages["02_a_sine.html"]


@pytest.mark.parametrize(("width", "scrolls"), [(1593, True), (600, False)])
def test_a_picture_that_would_be_too_small_to_read_scrolls(width, scrolls):
    shown = still({"image/svg+xml": "<svg/>", "text/plain": "a plan"}, {"image/png": {"width": width, "height": 90}})
    assert shown.startswith('<div class="wide"><img ' if scrolls else "<img ") and f'width="{width}"' in shown


def test_the_search_knows_every_section_of_the_prose(pages):
    data = re.search(r'id="sections" hidden><script type="application/gzip">([^<]*)', pages["index.html"])[1]
    sections = unpacked(data)
    assert [section[3] for section in sections] == [
        "1 · A square",
        "Predict",
        "The rule",
        "2 · A sine",
        "What it is, again",
    ]
    assert sections[1] == ["01_a_square.html", "Predict", "1 · A square", "Predict", "Think before you look."]
    assert "zebra sleeps: sin bends." in sections[-1][4]


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("01_a_square", "02_a_sine.ipynb#", "03_b.ipynb#", "square.ipynb: the link to 03_b.html leads to no lesson"),
        ("01_a_square", "#What-it", "#Who-it", "the link to 02_a_sine.html#Who-it-is,-again leads to no"),
        ("01_a_square", "(#The-rule)", "(#The-rules)", "the link to #The-rules leads to no heading"),
        ("index", "02_a_sine.ipynb", "02_sine.ipynb", "index.ipynb: the link to 02_sine.html leads to no lesson"),
        ("01_a_square", "Think", "![it](no.png) Think", "01_a_square.ipynb: there is no picture no.png"),
        ("01_a_square", "Think", "![it](https://a.example/b.png)", "there is no picture https://a.example/b.png"),
        ("01_a_square", r"\frac", r"\frobnicate", "cannot be shown: \\frobnicate"),
        ("01_a_square", r"\end{bmatrix}", "", "cannot be read"),
        ("02_a_sine", "# 2 · A sine", "## 2 · A sine", "02_a_sine.ipynb: the first heading must be the title"),
        ("02_a_sine", "## What", "### What", "“What it is, again” is of level 3, but the one before of level 1"),
        ("02_a_sine", "## What", "# What", "the only one of its level"),
    ],
)  # fmt: skip
def test_what_is_broken_fails_the_build(name, old, new, said):
    texts = {"01_a_square": ONE, "02_a_sine": TWO, "index": INDEX}
    assert old in texts[name]
    texts[name] = texts[name].replace(old, new)
    with pytest.raises(Broken) as problem:
        lessons = {each: written(Path(f"{each}.ipynb"), notebook(text)) for each, text in texts.items()}
        Site(lessons.pop("index"), list(lessons.values())).check()
    assert said in str(problem.value)


def test_a_cell_that_fails_is_told_and_nothing_is_written(tmp_path):
    small = write_small_course(tmp_path / "course")
    nbformat.write(notebook("# 3 · A fault\n---\nnot_there"), small / "03_a_fault.ipynb")
    (small / "01_a_square.ipynb").unlink()
    (small / "02_a_sine.ipynb").unlink()
    with pytest.raises(Broken, match=r"(?s)03_a_fault.ipynb: a cell failed.*name 'not_there' is not defined"):
        build(tmp_path / "pages", small)
    assert not (tmp_path / "pages").exists()
    with pytest.raises(Broken, match="there is no index.ipynb"):
        build(tmp_path / "pages", tmp_path)


def test_the_course_as_it_is_stored_can_be_built():
    """But for links to lessons that are still to be written, which the build refuses until they are there."""
    index, *lessons = (
        written(path, nbformat.read(path, as_version=4)) for path in sorted(course.originals(), reverse=True)
    )
    site = Site(index, lessons)
    try:
        site.check()
    except Broken as problems:
        to_come = re.compile(r"\w+\.ipynb: the link to \d\d_\w+\.html leads to no lesson")
        assert all(to_come.fullmatch(line) for line in str(problems).splitlines()), problems
    assert site.map().count('<p class="idea"></p>') == 0, "a lesson stands not in the index's table"


@pytest.mark.parametrize(
    ("latex", "part"),
    [
        (r"\begin{aligned} a &= b \\ &= c \end{aligned}", '<mtd columnalign="right"><mi>a</mi></mtd>'),
        (r"\sin a", '<mi>sin</mi><mspace width="0.17em"/><mi>a</mi>'),
        (r"\sin(a)", "<mi>sin</mi><mo"),
        (r"\tanh^2(a)", "<msup><mi>tanh</mi><mn>2</mn></msup>"),
        (r"\tanh'(a)", "<mrow><mi>tanh</mi><mo>&#x02032;</mo></mrow>"),
        (r"\max(0, a)", "<mi>max</mi><mo"),
        (r"a \cos(a)", '<mi>a</mi><mspace width="0.17em"/><mi>cos</mi><mo'),
        (r"2 \tanh^2 a", '<mn>2</mn><mspace width="0.17em"/><msup><mi>tanh</mi><mn>2</mn></msup>'),
        (r"x_{max}", "<msub><mi>x</mi>"),
        ("f'(a)", "<mi>f</mi><mo>&#x02032;</mo>"),
        (r"\lim_{h \to 0} \frac{f(a + h) - f(a)}{h}", "<mfrac>"),
    ],
)
def test_formulas(latex, part):
    assert part in formula(latex, "block")


def test_no_line_begins_with_what_ends_a_formula(tmp_path):
    shown = Prose(tmp_path).cell("Both send back $p - y$, in all; and $x$ then $y$.\n\n$$z$$\n", {})
    assert re.findall(r'<span class="whole"><math.*?</math>([^<]*)</span>', shown) == [",", "."]


def test_go_builds_it():
    assert runpy.run_path(str(ROOT / "go.py"))["COMMANDS"]["site"] == ["-m", "widgets.site"]
