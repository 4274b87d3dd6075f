"""docs/plots.md shows every plot, and its pictures are those of its examples."""

import functools
import html
import re

import pytest

import widgets
from tests.widgets.test_readme_and_docs import ROOT, script

MAKER = script("make_plots")
TEXT, PLAN_TEXT = (page.read_text(encoding="utf-8") for page in MAKER.PAGES)
PLOTS, PLANS = (re.findall(r"!\[[^]]*\]\((plots/\w+\.svg)\)", text) for text in (TEXT, PLAN_TEXT))


@functools.cache
def drawn(page):
    """The pictures of a page by their paths; not while tests are collected, which each process does."""
    return dict(MAKER.drawn(page))


@pytest.mark.parametrize("path", PLOTS)
def test_a_picture_is_that_of_its_example(path):
    plot = drawn(MAKER.PAGES[0])[path]
    stored = (ROOT / "docs" / path).read_text(encoding="utf-8")
    found = html.unescape(re.search("<desc>(.*?)</desc>", stored, re.DOTALL)[1])
    assert found == str(plot), "run: python docs/make_plots.py"
    assert len(stored) < 80_000
    assert "prefers-color-scheme:dark" in stored


def test_the_picture_of_a_plan_is_that_of_its_example():
    """Texts are compared: bytes differ between versions of Graphviz."""
    ((path, drawing),) = drawn(MAKER.PAGES[1]).items()
    stored = (ROOT / "docs" / path).read_text(encoding="utf-8")
    texts = [re.findall(r'<text class="(?:title|value)"[^>]*>([^<]+)', svg) for svg in (stored, drawing.svg)]
    assert len(texts[0]) > 20
    assert sorted(texts[0]) == sorted(texts[1]), "run: python docs/make_plots.py"


def test_every_plot_is_on_the_page_and_no_picture_is_left_over():
    assert {f"plots/{path.name}" for path in (ROOT / "docs" / "plots").iterdir()} == {*PLOTS, *PLANS}
    assert [name for name in widgets.PLOTS if f"{name}(" not in TEXT] == []
