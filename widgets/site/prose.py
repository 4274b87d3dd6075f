"""Markdown and programs as HTML that needs no script: formulas are MathML, pictures are inside."""

import html
import itertools
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

TAG = re.compile(r"<[^>]*>")
# A browser may break a line behind a formula, and no comma shall begin one.
WITH_ITS_END = re.compile(r"<math(?:(?!<math).)*</math>[,.;:!?)]+", re.DOTALL)
# What the formulas' translator leaves as it found it.
NOT_TRANSLATED = re.compile(r"<mi>(\\\w+|&)</mi>")
NAME = re.compile(r"<mo>([a-z]{2,})</mo>")  # of a function: an operator would stand apart
# A name before what it is applied to; but a name with an exponent may have nothing else beside it.
FUNCTION = re.compile(r"(?<!<msup>)(?<!<msub>)(<mi>[a-z]{2,}</mi>)(?=<m[in][ >])")
# And before it what it is multiplied by: a cos(a) is no acos(a).
FACTOR = re.compile(r"(?<!<msup>)(?<!<msub>)(<m[in]>[^<]*</m[in]>)(?=(?:<msup>)?<mi>[a-z]{2,}</mi>)")
PRIME = re.compile(r"<msup>(<mi>[^<]*</mi>)<m[io]>(&#x0203[2-4];)</m[io]></msup>")  # it is high and small by itself


class Broken(Exception):
    """What is wrong with a lesson, for its author."""


class Prose(IPythonRenderer):
    """Renders the text of one notebook, and notes what the page must know of it.

    Attributes:
        headings: level, anchor and HTML of each, in order.
        links: where the text leads.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(escape=False, embed_images=True, path=str(folder))
        self.headings: list[tuple[int, str, str]] = []
        self.links: list[str] = []

    def cell(self, source: str, attachments: dict[str, dict[str, str]]) -> str:
        """A cell's Markdown as HTML."""
        self.attachments = attachments
        return WITH_ITS_END.sub(r'<span class="whole">\g<0></span>', MarkdownWithMath(self).render(source))

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        """With the anchor that Jupyter gives it, so that links hold in both."""
        name = text_of(text).replace(" ", "-")
        taken = [anchor for _, anchor, _ in self.headings]
        anchor = next(one for i in itertools.count(1) if (one := name if i == 1 else f"{name}-{i}") not in taken)
        self.headings.append((level, anchor, text))
        return f'<h{level} id="{html.escape(anchor)}">{text}</h{level}>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        parts = urlsplit(url)
        if not parts.scheme and not parts.netloc:  # not to elsewhere in the world
            url = parts._replace(path=re.sub(r"\.ipynb$", ".html", parts.path)).geturl()
            self.links.append(url)
        return super().link(text, url, title)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        shown = super().image(text, url, title)
        if 'src="data:' not in shown:
            raise Broken(f"there is no picture {url} beside the notebook")
        return shown

    def block_code(self, code: str, info: str | None = None) -> str:
        return source(code) if info in ("python", "py") else f"<pre><code>{html.escape(code)}</code></pre>\n"

    def inline_math(self, body: str) -> str:
        return formula(body, "inline")

    def block_math(self, body: str) -> str:
        return f'<span class="formula">{formula(body, "block")}</span>'

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")

    def table(self, text: str) -> str:
        return f'<div class="wide"><table>\n{text}</table></div>\n'

    def table_cell(self, text: str, align: str | None = None, head: bool = False) -> str:
        tag, look = "th" if head else "td", f' class="{align}"' if align else ""  # a style attribute would be refused
        return f"<{tag}{look}>{text}</{tag}>\n"


def formula(latex: str, display: str) -> str:
    r"""A formula as MathML.

    >>> "<mfrac>" in formula(r"\frac{\partial y}{\partial x}", "inline")
    True
    >>> formula(r"\unheard{x}", "inline")
    Traceback (most recent call last):
        ...
    widgets.site.prose.Broken: the formula \unheard{x} has a part that cannot be shown: \unheard
    """
    try:
        from latex2mathml.converter import convert  # pages need it, and a lesson that is only stored does not
    except ImportError:
        raise Broken("formulas on pages need a package: pip install latex2mathml") from None
    try:
        # The same inside of a formula as outside, but the translator knows the second only.
        mathml = convert(re.sub(r"\{aligned\}", "{align*}", latex), display=display)
    except Exception as error:  # of whichever kind the translator makes
        raise Broken(f"the formula {latex} cannot be read ({type(error).__name__})") from None
    if left := NOT_TRANSLATED.search(mathml):
        raise Broken(f"the formula {latex} has a part that cannot be shown: {left[1]}")
    named = NAME.sub(r"<mi>\1</mi>", mathml)
    for before in (FUNCTION, FACTOR):
        named = before.sub(r'\1<mspace width="0.17em"/>', named)
    return PRIME.sub(r"<mrow>\1<mo>\2</mo></mrow>", named)


def source(code: str) -> str:
    """Python, its words marked by classes."""
    marked = highlight(code.strip("\n"), PythonLexer(stripnl=False), HtmlFormatter(nowrap=True))
    return f'<pre class="source"><code>{marked}</code></pre>\n'


def text_of(markup: str) -> str:
    """HTML's text, on one line.

    >>> text_of("Steps of <code>a&lt;b</code>")
    'Steps of a<b'
    """
    return " ".join(html.unescape(TAG.sub("", markup)).split())
