"""A notebook, executed, as the inside of a page."""

import base64
import gzip
import html
import itertools
import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert.filters.ansi import strip_ansi
from nbformat.v4 import new_code_cell, new_notebook

from ..course import can_run
from ..lessons import after
from ..showing.page import DATA
from ..words import in_html
from .prose import Broken, Prose, source, text_of

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # the last digits of a sum that several share differ
WAIVED = {"MINIGRAD_ANSWERS": "waived"}  # no cell waits for an answer, and none is remembered
HEADING = re.compile(r"<h[1-6] id=.*?</h[1-6]>", re.DOTALL)
QUESTION = re.compile(rf'<div class="mg-ask">.*?{re.escape(DATA.format(""))}([^<]*)', re.DOTALL)
LEGIBLE = 900  # pixels; a picture that is wider is not made smaller than that, see site.css
PAGE_OF_A_PLACE = re.compile(r' data-page="([^"]*)"')
CELL_FILE = re.compile(r"\S*ipykernel_\d+[/\\]\d+\.py")  # where a kernel keeps a cell, which a warning names
# Cells that only call the kit: what they show is enough. `review` asks again, which needs a kernel.
ONLY_ASKS, ONLY_SUMS_UP, ONLY_REVIEWS = (re.compile(rf"\w+\.{name}\(.*\)") for name in ("ask", "summary", "review"))


def execute(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Run all cells in a fresh kernel that works in `folder`."""
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,  # how prints are cut into chunks is a matter of timing
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=[
            "--log-level=ERROR"
        ],  # a kernel warns of its own connection, which a person can do nothing about
    ).execute(env=os.environ | ONE_THREAD | WAIVED)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                output.text = CELL_FILE.sub("<cell>", output.text)


def executed(path: Path) -> nbformat.NotebookNode:
    """With what its cells show now; one that needs what is not installed, with what they showed when it was stored, but
    for its questions, which need the kit alone."""
    whole = notebook = nbformat.read(path, as_version=4)
    if not can_run(path):
        asking = [cell for cell in whole.cells if cell.cell_type == "code" and ONLY_ASKS.fullmatch(cell.source.strip())]
        begin = new_code_cell(f"from widgets import Lesson\nlesson = Lesson({path.stem!r})")
        notebook = new_notebook(cells=[begin, *asking], metadata=whole.metadata)
    try:
        execute(notebook, path.parent)
    except CellExecutionError as error:
        raise Broken(f"{path.name}: a cell failed\n{strip_ansi(str(error))}") from None
    return whole


@dataclass
class Lesson:
    """A notebook as the inside of a page.

    Attributes:
        name: of the notebook, without its ending.
        body: HTML.
        prose: the part of it that is text.
        headings: level, anchor and HTML of each, in order.
        links: where the text leads.
    """

    name: str
    body: str
    prose: str
    headings: list[tuple[int, str, str]]
    links: list[str]

    @property
    def file(self) -> str:
        return f"{self.name}.html"

    @property
    def title(self) -> str:
        """The first heading, as text."""
        return text_of(self.headings[0][2])

    def sections(self) -> list[list[str]]:
        """What the search finds: page, anchor, title, heading, text."""
        texts = HEADING.split(self.prose)[1:]
        return [
            [self.file, anchor, self.title, text_of(heading), text_of(text)]
            for (_, anchor, heading), text in zip(self.headings, texts)
        ]

    def questions(self) -> list[str]:
        """The names of what is asked here."""
        return [unpacked(data)["question"]["name"] for data in QUESTION.findall(self.body)]

    def marks(self) -> str:
        """What the script must know, as attributes."""
        asked = html.escape(json.dumps(self.questions()))
        return f' data-lesson="{html.escape(self.name)}" data-questions="{asked}"'

    def check(self) -> None:
        """Whoever reads by headings needs one of the first level, and no level left out."""
        levels = [level for level, _, _ in self.headings]
        if levels[:1] != [1] or levels.count(1) != 1:
            raise Broken("the first heading must be the title, “# …”, and the only one of its level")
        for (_, _, text), (one, other) in zip(self.headings[1:], itertools.pairwise(levels)):
            if other > one + 1:
                raise Broken(f"the heading “{text_of(text)}” is of level {other}, but the one before of level {one}")


def written(path: Path, notebook: nbformat.NotebookNode) -> Lesson:
    """An executed notebook as the inside of a page."""
    renderer = Prose(path.parent)
    parts: list[tuple[str, str]] = []  # each with the question that it waits for, if any
    text = ""
    try:
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                said = f'<div class="prose">{renderer.cell(cell.source, cell.get("attachments", {}))}</div>\n'
                text += said
                parts.append(("", said))
            elif cell.cell_type == "code":
                parts.append(code(cell))
        groups = itertools.groupby(parts, key=lambda part: part[0])
        body = "".join(behind(name, "".join(shown for _, shown in group)) for name, group in groups)
        lesson = Lesson(path.stem, body, text, renderer.headings, renderer.links)
        lesson.check()
    except Broken as problem:
        raise Broken(f"{path.name}: {problem}") from None
    return lesson


def code(cell: nbformat.NotebookNode) -> tuple[str, str]:
    """The question that a cell waits for, and the cell with what it shows."""
    first, _, rest = cell.source.lstrip("\n").partition("\n")
    waits = after.FIRST_LINE.fullmatch(first)
    program = rest.strip("\n") if waits else cell.source.strip()
    if ONLY_SUMS_UP.fullmatch(program):
        return "", '<p class="summary" role="status"></p>\n'
    if not program or ONLY_REVIEWS.fullmatch(program):
        return "", ""
    shown = "".join(outputs(cell.outputs))
    if not ONLY_ASKS.fullmatch(program):
        shown = source(program) + shown
    return waits[1] if waits else "", f'<div class="cell">{shown}</div>\n'


def behind(name: str, shown: str) -> str:
    """What gives the answer to a question away, behind that question."""
    if not name:
        return shown
    show = f'<button type="button">{in_html("predict.show_me")}</button>'
    return (
        f'<div class="after" data-after="{html.escape(name)}">'
        f'<p class="waits">{in_html("pages.waits", name=name)} {show}</p>'
        f'<div class="waited" tabindex="-1">{shown}</div></div>\n'
    )


def outputs(found: Iterable[nbformat.NotebookNode]) -> list[str]:
    shown: list[str] = []
    for output in found:
        if output.output_type == "stream":
            shown.append(f'<pre class="{output.name}">{html.escape(output.text.rstrip())}</pre>\n')
        elif output.output_type == "error":
            shown.append(f'<pre class="stderr">{html.escape(f"{output.ename}: {output.evalue}")}</pre>\n')
        elif "data-place=" in output.data.get("text/html", ""):
            # To a page that lives, the output before it gives way: its picture, or its words (places.py).
            if living := PAGE_OF_A_PLACE.search(output.data["text/html"]):
                shown[-1:] = [inside(living[1])]
            else:
                shown.append(f'<p class="note">{in_html("pages.movable")}</p>\n')
        else:
            shown.append(still(output.data, output.metadata))
    return shown


def inside(page: str) -> str:
    """What stands in the main part of a packed page: one place, with its data."""
    document = gzip.decompress(base64.b64decode(page)).decode()
    return document[document.index("<main>") + len("<main>") : document.rindex("</main>")]


def still(data: dict[str, Any], said: dict[str, Any]) -> str:
    words = data.get("text/plain", "")
    if "text/html" in data:
        return f'<div class="wide">{data["text/html"]}</div>\n'
    if svg := data.get(
        "image/svg+xml"
    ):  # as an image, it has its ids and styles to itself, and is light or dark as the page
        return picture("image/svg+xml," + quote(svg, safe=" !$&'()*+,-./:;=?@[]^_`{|}~<>"), words, said)
    if png := data.get("image/png"):
        return picture("image/png;base64," + png.replace("\n", ""), words, said)
    return f'<pre class="result">{html.escape(words)}</pre>\n' if words else ""


def picture(data: str, words: str, said: dict[str, Any]) -> str:
    size = said.get("image/png", {})
    marks = "".join(f' {name}="{size[name]}"' for name in ("width", "height") if name in size)
    image = f'<img src="data:{html.escape(data)}" alt="{html.escape(" ".join(words.split()))}"{marks}>'
    # On a telephone it would be seen whole, but too small to be read.
    return f'<div class="wide">{image}</div>\n' if size.get("width", 0) > LEGIBLE else f"{image}\n"


def unpacked(text: str) -> Any:
    return json.loads(gzip.decompress(base64.b64decode(text)))
