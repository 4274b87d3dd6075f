"""Plots in JupyterLab: sliders moved by keyboard, both themes, a narrow window; the page exported without a kernel."""

import re

import nbformat
import numpy as np
import pytest
from nbconvert import HTMLExporter

from tests.browser.conftest import photograph
from tests.browser.test_lab import LOOKS, show

expect = pytest.importorskip("playwright.sync_api", reason="playwright is missing: python3 go.py setup").expect
CELLS = [
    "import minigrad as mg\nfrom widgets import plot_descent, plot_gradient, plot_tangent",
    "plot_tangent(mg.sin, at=0.0, step=1.0, between=(-2, 8), live=True)",
    "plot_descent(lambda b, w: b**2 + 3 * w**2, (2.0, 1.0), lr=0.1, epochs=30, labels=('b', 'w'), live=True)",
    "plot_gradient(lambda a: 2 * mg.sin(a) + 1, mg.linspace(0, 6.28, 25))",
]
# Press a key, and wait until the picture beside the slider is another one: milliseconds, as the learner sees them.
TIME_A_MOVE = """async (handle) => {
    const box = handle.closest(".widget-vbox");
    const picture = () => box.querySelector("svg.mg-plot").outerHTML;
    const before = picture(), start = performance.now();
    handle.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    while (picture() === before && performance.now() - start < 5000) await new Promise(requestAnimationFrame);
    return performance.now() - start;
}"""
# Three pictures are seen, none wider than its cell; those for places without scripts are hidden.
ALL_INSIDE = """() => {
    const right = element => element.getBoundingClientRect().right;
    const pictures = [...document.querySelectorAll(".jp-OutputArea-output :is(svg.mg-plot, img)")];
    const seen = pictures.filter(each => each.getBoundingClientRect().width);
    return seen.filter(each => right(each) <= right(each.closest(".jp-OutputArea"))).length === 3 && seen.length === 3;
}"""


@pytest.fixture
def notebook(lab):
    return lab.write("plots.ipynb", *CELLS)


def test_sliders_move_a_plot_by_keyboard(page, lab, notebook):
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    lab.open(page, notebook.name)
    lab.run_all(page)
    boxes = page.locator(".widget-vbox")
    tangent, descent = boxes.nth(0), boxes.nth(1)
    words = tangent.get_by_role("status")
    expect(words).to_contain_text("f(a) at a = 0: 0")

    tangent.get_by_role("slider").first.focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    words.get_by_text(f"∂f/∂a = {np.cos(1):.4g}").wait_for()
    tangent.get_by_role("slider").nth(1).focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    words.get_by_text(f"= {(np.sin(1.5) - np.sin(1)) / 0.5:.4g}, with h = 0.5").wait_for()

    said = descent.get_by_role("status")
    expect(said).to_contain_text(re.compile("30 epochs of SGD, lr = 0.1$", re.MULTILINE))
    descent.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    said.get_by_text("lr = 0.104").wait_for()

    slider = tangent.get_by_role("slider").first
    moves = sorted(slider.evaluate(TIME_A_MOVE) for _ in range(15))
    print(f"a move takes {moves[7]:.0f} ms (median of 15), at most {moves[-1]:.0f} ms")
    assert moves[-1] < 5000

    page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")  # the file list
    for look, theme, width in LOOKS:
        show(page, theme, width)
        page.emulate_media(color_scheme="light")  # JupyterLab's theme decides, not the system's
        paper = "rgb(17, 17, 17)" if look == "dark" else "rgb(255, 255, 255)"
        expect(tangent.locator("svg.mg-plot path").first).to_have_css("fill", paper)
        page.locator(".jp-WindowedPanel-outer").first.evaluate("panel => { panel.scrollTop = 0 }")
        page.wait_for_function(ALL_INSIDE)
        photograph(page, f"plots-{look}")
    assert [url for url in requests if not url.startswith((lab.url, "data:", "blob:"))] == []


def test_an_exported_page_shows_the_plots_without_a_kernel(page, lab, notebook):
    lab.open(page, notebook.name)
    cells = lab.run_all(page)
    stored = nbformat.from_dict({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    text, _ = HTMLExporter(template_name="lab").from_notebook_node(stored)
    exported = lab.folder / "plots.html"
    exported.write_text(text, encoding="utf-8")
    requests = []
    fresh = page.context.new_page()
    fresh.route(re.compile("^https?:"), lambda route: route.abort())
    fresh.goto(exported.as_uri())
    pictures = fresh.locator(".jp-RenderedSVG img")
    expect(pictures).to_have_count(3)
    assert all(pictures.evaluate_all("all => all.map(each => each.complete && each.naturalWidth > 500)"))
    photograph(fresh, "plots-exported", full_page=True)
    assert requests == []
