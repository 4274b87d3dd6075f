"""README.md, docs/ and docstrings say what is true: examples run, links lead somewhere, tables are up to date."""

import base64
import doctest
import gzip
import importlib.util
import json
import pkgutil
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import minigrad
import widgets

ROOT = Path(__file__).parent.parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def script(name):
    """One of the scripts of docs/, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_examples_show_what_they_print(path):
    text = re.sub(r"^```.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if ">>> import torch" in text:
        pytest.importorskip("torch")
    example = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    said = []
    results = doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert not results.failed, "".join(said)
    assert results.attempted or path.name != "add_an_op.md"


def test_the_ten_lines_may_be_pasted_into_a_notebook():
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    (program,), (said,) = (
        re.findall(rf"^```{kind}\n(.*?)^```", page, re.DOTALL | re.MULTILINE) for kind in ("python", "text")
    )
    assert len([line for line in program.splitlines() if line]) == 10
    shell = InteractiveShell.instance()
    try:
        with capture_output() as shown:
            shell.run_cell(program).raise_error()
    finally:
        InteractiveShell.clear_instance()
    assert shown.stdout.startswith(said)
    assert "Stepper: loss = (w * x - 1) ** 2" in shown.outputs[0].data["text/plain"]  # the value of the cell


MODULES = ["widgets", *(info.name for info in pkgutil.walk_packages(widgets.__path__, "widgets."))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_docstrings_of_widgets(name, capsys):
    if ".pytorch." in name:
        pytest.importorskip("torch")
    results = doctest.testmod(importlib.import_module(name))
    assert not results.failed, capsys.readouterr().out


def prose(path) -> str:
    """What a page says; of a notebook, what stands between its code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")


@pytest.mark.parametrize(
    "path", [*DOCUMENTS, *sorted((ROOT / "notebooks").glob("*.ipynb"))], ids=lambda path: path.name
)
def test_links_lead_to_files(path):
    links = re.findall(r"\]\(([^)#:]+)\)", prose(path))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_what_the_architecture_names_is_in_the_code():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    places = [path for folder in ("minigrad", "widgets", "docs") for path in (ROOT / folder).rglob("*.py")]
    code = set(re.findall(r"\w+", " ".join(path.read_text(encoding="utf-8") for path in places)))
    named = re.findall(r"`(?:\w+\.)*(\w+)(?:\(.*?\))?`", re.sub(r"\w+\.(py|md)|web/", "", page))
    assert len(named) > 30 and [name for name in named if name not in code] == []


def test_the_reference_is_up_to_date():
    page = script("make_ops").page()
    assert (ROOT / "docs" / "ops.md").read_text(encoding="utf-8") == page, "run: python docs/make_ops.py"
    assert "| `sin(a)` | `mg.sin`<br>`x.sin_` | `SinBackward0` | `∂out/∂a = cos(a)` | `_saved_self` |" in page


def test_the_rooms_can_be_drawn():
    pictures = script("make_picture")
    stored = ElementTree.parse(ROOT / "docs" / "rooms.svg").getroot()
    drawn = ElementTree.fromstring(pictures.rooms())
    assert facts(stored) == facts(drawn), "run: python docs/make_picture.py"


def test_the_readme_tells_what_its_picture_shows():
    screenshot = script("make_screenshot")
    (alternative,) = re.findall(r"!\[(.*)\]\(docs/stepper.png\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert screenshot.program().trace["frames"][screenshot.MOMENT - 1]["say"] in alternative
    assert screenshot.PICTURE.stat().st_size < 150_000


def test_the_readme_shows_a_line_of_the_engine():
    (line,) = re.findall(r"^sin = .*$", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert f"\n{line}\n" in (ROOT / "minigrad" / "ops" / "elementwise.py").read_text(encoding="utf-8")


def test_a_lesson_in_three_lines(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "write_a_lesson.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    exec(lines, {"mg": minigrad, "a": minigrad.tensor(0.5, requires_grad=True)})
    packed = re.search(r'<script type="application/gzip">(.*?)</script>', (tmp_path / "lesson.html").read_text("utf-8"))
    assert '"predict":true' in gzip.decompress(base64.b64decode(packed[1])).decode()


def facts(tree):
    """The words of a picture and the names of its arrows; places differ between versions of Graphviz."""
    words = [element.text for element in tree.iter("{http://www.w3.org/2000/svg}text")]
    arrows = [element.get("data-id") for element in tree.iter() if element.get("class") == "mg-edge"]
    return sorted(words), sorted(arrows)


def test_the_engine_imports_no_room_for_people():
    arrows = script("make_picture").imports()
    assert ("widgets", "minigrad") in arrows
    assert [arrow for arrow in arrows if arrow[0].startswith("minigrad") and not arrow[1].startswith("minigrad")] == []
