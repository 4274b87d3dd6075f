"""docs/plots.md shows every plot, and its pictures are those of its examples."""

import html
import re

import pytest

import widgets
from tests.widgets.test_readme_and_docs import ROOT, script

PLOTS, PLANS = map(list, map(script("make_plots").drawn, script("make_plots").PAGES))
TEXT = (ROOT / "docs" / "plots.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("path", "plot"), PLOTS, ids=[path for path, _ in PLOTS])
def test_a_picture_is_that_of_its_example(path, plot):
    stored = (ROOT / "docs" / path).read_text(encoding="utf-8")
    found = html.unescape(re.search("<desc>(.*?)</desc>", stored, re.DOTALL)[1])
    assert found == str(plot), "run: python docs/make_plots.py"
    assert len(stored) < 80_000
    assert "prefers-color-scheme:dark" in stored


def test_the_picture_of_a_plan_is_that_of_its_example():
    """Texts are compared: bytes differ between versions of Graphviz."""
    ((path, drawing),) = PLANS
    stored = (ROOT / "docs" / path).read_text(encoding="utf-8")
    texts = [re.findall(r'<text class="(?:title|value)"[^>]*>([^<]+)', svg) for svg in (stored, drawing.svg)]
    assert len(texts[0]) > 20
    assert sorted(texts[0]) == sorted(texts[1]), "run: python docs/make_plots.py"


def test_every_plot_is_on_the_page_and_no_picture_is_left_over():
    assert {f"plots/{path.name}" for path in (ROOT / "docs" / "plots").iterdir()} == {path for path, _ in PLOTS + PLANS}
    assert [name for name in widgets.PLOTS if f"{name}(" not in TEXT] == []
