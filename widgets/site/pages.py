"""The pages of the course: each holds all that it needs, and its policy lets it fetch nothing.

So it opens from a disk as from any server. `web/site.js` brings it to life.
"""

import functools
import html
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import nbformat

from .. import course, web
from ..lessons import ask
from ..showing import page as stepper
from ..showing.page import DATA, digest, packed
from ..words import in_html
from .notebook import Lesson, executed, written
from .prose import TAG, Broken

AT_ONCE = 2  # kernels
OURS = '<meta name="generator" content="minigrad">'
HOME = "index.html"

ROW = re.compile(r'<tr>\s*<td>\s*<a href="([^"#]*)">(?:(?!</tr>).)*<td>((?:(?!</?td>).)*)</td>\s*</tr>', re.DOTALL)
# Before anything is drawn: scripts run, and the reader's choice of colours.
FIRST = (
    'document.documentElement.classList.add("js");'
    'try{const theme=localStorage.getItem("minigrad colours");'
    'if(theme)document.documentElement.dataset.jpThemeLight=theme==="light"}catch{}'
)
# Each stepper once it can be seen: one that waits for an answer has no size before. Picture and words are for paper.
STEPPERS = """
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    open(target);
  }
}, { rootMargin: "100000px" });
for (const place of document.querySelectorAll(".mg-place")) seen.observe(place);

async function open(place) {
  const still = place.querySelectorAll(":scope > :is(svg, table)");
  await mountIn(place);
  if (place.querySelector(".mg-stepper")) place.after(h("div", { class: "paper" }, [...still]));
}
"""


@dataclass
class Site:
    """The pages of a course.

    Attributes:
        index: the notebook with the course's title, and a table of its lessons and their ideas.
        lessons: all others, in order.
    """

    index: Lesson
    lessons: list[Lesson]

    def pages(self) -> Iterator[tuple[str, str]]:
        """File names and documents."""
        yield HOME, self.document(self.index.title, self.map())
        for before, lesson, behind in zip([None, *self.lessons], self.lessons, [*self.lessons[1:], None]):
            links = turn("prev", in_html("transport.previous"), before)
            links += turn("next", in_html("transport.next"), behind)
            body = f'{lesson.body}<nav class="turn" aria-label="{in_html("pages.neighbours")}">{links}</nav>'
            yield lesson.file, self.document(f"{lesson.title} · {self.index.title}", body, lesson)

    def check(self) -> None:
        """Each link leads to a page of ours, and to a heading that is there."""
        anchors = {lesson.file: [anchor for _, anchor, _ in lesson.headings] for lesson in self.lessons} | {HOME: []}
        broken = []
        for lesson in (self.index, *self.lessons):
            for link in lesson.links:
                parts = urlsplit(link)
                page, anchor = unquote(parts.path) or lesson.file, unquote(parts.fragment)
                if page not in anchors:
                    broken.append(f"{lesson.name}.ipynb: the link to {parts.path} leads to no lesson")
                elif anchor and anchor not in anchors[page]:
                    broken.append(f"{lesson.name}.ipynb: the link to {link} leads to no heading")
        if broken:
            raise Broken("\n".join(broken))

    def map(self) -> str:
        """The lessons, each with its idea; the script adds what was answered."""
        ideas = dict(ROW.findall(self.index.body))
        rows = "".join(
            f"<li{lesson.marks()}>"
            f'<a href="{quote(lesson.file)}">{html.escape(lesson.title)}</a>'
            f'<p class="idea">{ideas.get(lesson.file, "")}</p></li>\n'
            for lesson in self.lessons
        )
        return (
            f'<h1>{html.escape(self.index.title)}</h1><p class="lead">{in_html("pages.lead")}</p>'
            '<div class="progress scripted"><p role="status"></p>'
            f'<button type="button">{in_html("overview.forget_button")}</button></div><ol class="map">{rows}</ol>'
        )

    def document(self, title: str, body: str, lesson: Lesson | None = None) -> str:
        """A page that may fetch nothing, and run nothing but the texts of ours."""
        look = stepper.style() + stepper.PLACE_STYLE + "".join(read(name) for name in ("ask.css", "site.css"))
        scripts = [web.joined([*ask.MODULES, "site"])]
        if 'class="mg-place"' in body:
            scripts.append(stepper.module() + STEPPERS)
        allowed = " ".join(map(digest, [FIRST, *scripts]))
        policy = f"default-src 'none'; script-src {allowed}; style-src {digest(look)}; img-src data:"
        return (
            f'<!doctype html><html lang="{in_html("language.code")}"><head><meta charset="utf-8">{OURS}'
            f"""<meta http-equiv="Content-Security-Policy" content="{policy}; base-uri 'none'; form-action 'none'">"""
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{html.escape(title)}</title><style>{look}</style><script>{FIRST}</script></head>"
            f'<body{lesson.marks() if lesson else ""}><a class="skip" href="#text">{in_html("pages.skip")}</a>'
            f'<header class="top"><a href="{HOME}">{html.escape(self.index.title)}</a>{tools()}</header>'
            f'<div class="sheet">{contents(lesson) if lesson else ""}<main id="text" tabindex="-1">{body}</main></div>'
            f'<div id="sections" hidden>{DATA.format(self.sections)}</script></div>'
            + "".join(f'<script type="module">{script}</script>' for script in scripts)
            + "</body></html>\n"
        )

    @functools.cached_property
    def sections(self) -> str:
        return packed([section for lesson in self.lessons for section in lesson.sections()])


def tools() -> str:
    """The search, and the choice of colours."""
    looks = {"": "system", "light": "light", "dark": "dark"}
    options = "".join(f'<option value="{value}">{in_html(f"pages.{name}")}</option>' for value, name in looks.items())
    field = f'aria-label="{in_html("pages.search_course")}" placeholder="{in_html("pages.search")}"'
    return (
        f'<div class="tools scripted"><div role="search"><input type="search" role="combobox" {field} '
        'autocomplete="off" aria-expanded="false" aria-controls="found" aria-autocomplete="list">'
        f'<ul id="found" role="listbox" aria-label="{in_html("pages.found")}" hidden></ul>'
        '<p class="unseen" role="status"></p></div>'
        f"<label>{in_html('pages.colours')} <select>{options}</select></label></div>"
    )


def contents(lesson: Lesson) -> str:
    """The headings of a lesson below its title, as links."""
    rows = "".join(
        f'<li class="level{level}"><a href="#{html.escape(quote(anchor))}">{TAG.sub("", heading)}</a></li>'
        for level, anchor, heading in lesson.headings[1:]
    )
    return f'<nav class="contents" aria-label="{in_html("pages.on_this_page")}"><ol>{rows}</ol></nav>' if rows else ""


def turn(relation: str, word: str, lesson: Lesson | None) -> str:
    """A link to the lesson before or behind."""
    if lesson is None:
        return f'<a href="{HOME}">{in_html("pages.all_lessons")}</a>'
    return f'<a rel="{relation}" href="{quote(lesson.file)}"><span>{word}</span> {html.escape(lesson.title)}</a>'


def read(name: str) -> str:
    return (Path(web.__file__).parent / name).read_text(encoding="utf-8")


def build(folder: Path, notebooks: Path = course.ORIGINALS) -> list[Path]:
    """Write the pages of all notebooks in a folder; the files.

    Pages of an earlier build that are none any more are removed; nothing else in the folder is touched.
    """
    index = notebooks / course.INDEX
    if not index.is_file():
        raise Broken(f"there is no {course.INDEX} in {notebooks}: its title is the course's, its table names the ideas")
    paths = sorted(path for path in notebooks.glob("*.ipynb") if path != index)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        lessons, problems = [], []
        for done in [pool.submit(lesson_of, path) for path in paths]:
            try:
                lessons.append(done.result())
            except Broken as problem:
                problems.append(str(problem))
    if problems:
        raise Broken("\n".join(problems))
    site = Site(written(index, nbformat.read(index, as_version=4)), lessons)
    site.check()
    pages = dict(site.pages())
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.html"):
        if old.name not in pages and OURS in old.read_text(encoding="utf-8", errors="replace"):
            old.unlink()
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return [folder / name for name in pages]


def lesson_of(path: Path) -> Lesson:
    return written(path, executed(path))
