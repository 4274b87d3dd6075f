"""The picture: one style, both themes, nothing private in it; and the words beside it."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import to_hex, to_rgb

import minigrad as mg
import widgets
import widgets.plots
from widgets.colours import COLOURS, PAPER

ROOT = Path(widgets.__file__).parent
A = mg.linspace(0.0, 6.0, steps=7)


@pytest.fixture
def theme():
    yield widgets.set_theme
    widgets.set_theme("auto")


@pytest.fixture
def plot():
    return widgets.plot_gradient(mg.sin, A)


@pytest.fixture(scope="module")
def examples():
    return make_examples()


def make_examples():
    """All plots, each called in one line."""
    w = mg.tensor([2.0], requires_grad=True)
    model = mg.nn.Linear(3, 2)
    return [
        widgets.plot_gradient(mg.sin, A),
        widgets.plot_tangent(mg.sin),
        widgets.plot_accumulation(lambda: (w * w).sum(), w),
        widgets.plot_descent(lambda b, w: b**2 + w**2, (1.0, 2.0), epochs=5),
        widgets.plot_jacobian(mg.sin, A),
        widgets.plot_gradcheck(mg.sin, 1.0),
        widgets.plot_profile(lambda: mg.sin(w).sum().backward()),
        widgets.plot_parameters(model),
        widgets.plot_activations(["relu", "tanh"]),
        widgets.plot_losses([4.0, 1.0, 0.25]),
    ]


# == the picture ===========================================================================================


def test_every_plot_is_well_formed_and_says_what_it_shows(examples):
    for plot in examples:
        tree = ElementTree.fromstring(plot.svg)
        space = "{http://www.w3.org/2000/svg}"
        assert tree.find(f"{space}title").text == plot.title
        assert tree.find(f"{space}desc").text == plot.text
        assert tree.get("role") == "img"
        assert list(tree.iter(f"{space}text")), "words stay words"
        assert plot.figure.axes[0].get_xlabel() or plot.figure.axes[0].get_title()


def test_every_colour_of_a_picture_changes_with_the_theme(examples):
    names = {colour.light: name for name, colour in COLOURS.items()}
    for plot in examples:
        picture = plot.svg
        drawn = re.sub("<style>.*?</style>", "", picture, flags=re.DOTALL)
        fixed = re.findall(r"(fill|stroke): #[0-9a-f]{6}(?!; \1: var)", drawn)
        assert not fixed and "fill: #ffffff; fill: var(--mg-paper)" in drawn, plot.title
        used = set(re.findall(r"var\(--mg-(\w+)\)", drawn))
        assert used <= {*names.values(), "paper"} and {"ink", "paper", "constant"} <= used
        for name in used - {"paper"}:
            assert f"--mg-{name}:{COLOURS[name].dark};" in picture


def test_nothing_private_and_nothing_that_changes_is_in_a_picture():
    for first, second in zip(make_examples()[:6], make_examples()):
        picture = first.svg
        assert picture == second.svg
        assert str(first) == str(second)
        assert not re.search(r"0x[0-9a-f]{6}|metadata|Created|Matplotlib", picture + str(first))
        assert matplotlib.__version__ not in picture


def test_a_fixed_theme(theme, tmp_path):
    theme("dark")
    dark = widgets.plot_gradient(mg.sin, A)
    theme("light")
    light = widgets.plot_gradient(mg.sin, A)
    assert "var(--mg" not in dark.svg + light.svg
    assert PAPER["dark"] in dark.svg and COLOURS["gradient"].dark in dark.svg and COLOURS["ink"].light not in dark.svg
    assert PAPER["light"] in light.svg and COLOURS["gradient"].light in light.svg
    theme("auto")
    dark.save(tmp_path / "dark.png")  # a plot keeps the theme in which it was drawn
    assert tuple(plt.imread(tmp_path / "dark.png")[0, 0, :3]) == pytest.approx(to_rgb(PAPER["dark"]))


def test_the_style_sheets_have_the_colours_of_the_table():
    for name, look in (("minigrad", "light"), ("dark", "dark")):
        allowed = {getattr(colour, look) for colour in COLOURS.values()} | {PAPER[look]}
        sheet = (ROOT / "plots" / f"{name}.mplstyle").read_text(encoding="utf-8")
        settings = re.sub("#.*", "", sheet)
        found = {f"#{code}" for code in re.findall(r"\b[0-9a-f]{6}\b", settings)}
        assert found <= allowed and len(found) >= 5
    with plt.style.context(["widgets.plots.minigrad", "widgets.plots.dark"]):  # a teacher's own figures, too
        assert to_hex(plt.rcParams["text.color"]) == COLOURS["ink"].dark
        assert plt.rcParams["axes.spines.top"] is False


def test_saving(plot, tmp_path):
    plot.save(tmp_path / "p.svg")
    assert (tmp_path / "p.svg").read_text(encoding="utf-8") == plot.svg
    plot.save(str(tmp_path / "p.png"))
    height, width = plt.imread(tmp_path / "p.png").shape[:2]
    assert (width, height) == (int(6 * 144), int(2.9 * 144))
    plot.save(tmp_path / "p.pdf")
    assert (tmp_path / "p.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(ValueError, match=r"a plot is saved as .svg, .png or .pdf, not as 'p.gif'"):
        plot.save("p.gif")


def test_drawing_changes_nothing_of_the_callers():
    w = mg.tensor([2.0, 3.0], requires_grad=True)
    w.grad = held = mg.tensor([7.0, 7.0])
    with mg.no_grad():
        widgets.plot_gradient(mg.sin, w)
        widgets.plot_tangent(lambda a: a * w[0])
        widgets.plot_accumulation(lambda: (w * w).sum(), w)
        widgets.plot_descent(lambda w: (w * w).sum(), w, epochs=3)
        widgets.plot_jacobian(mg.sin, w)
        widgets.plot_gradcheck(lambda a: (a * w).sum(), w)
        widgets.plot_parameters({"w": w})
        assert not mg.is_grad_enabled()
    assert w.grad is held and held.tolist() == [7, 7] and w.tolist() == [2, 3] and w._version == 0


# == in a notebook, and on the caller's Axes ===============================================================


def test_a_notebook_shows_picture_and_words(plot):
    shown, said = plot._repr_mimebundle_()
    png = shown.pop("image/png")
    assert shown == {"text/plain": plot.text, "image/svg+xml": plot.svg}
    assert len(png) < 40_000 and said["image/png"]["width"] == 576
    figure, (left, right) = plot
    assert left.figure is right.figure is figure
    assert plt.get_fignums() == []  # nothing stays behind in pyplot


def test_axes_of_ones_own():
    figure, axes = plt.subplots(2, 1)
    plot = widgets.plot_gradient(mg.sin, A, ax=axes)
    assert plot.figure is figure and plot.axes == list(axes)
    assert len(axes[0].lines) == 1 and len(axes[1].lines) == 2
    assert "image/svg+xml" not in plot._repr_mimebundle_()[0]  # pyplot shows that figure, once
    before = dict(matplotlib.rcParams)
    widgets.plot_tangent(mg.sin, ax=figure.add_subplot())
    assert dict(matplotlib.rcParams) == before
    plt.close(figure)
    with pytest.raises(ValueError, match="the figure of ax is closed; make a new one, or leave ax out"):
        widgets.plot_gradient(mg.sin, A, ax=axes)


@pytest.mark.parametrize("sheets", ["default", "widgets.plots.minigrad"])
def test_a_figure_of_ones_own_is_readable_in_both_themes(sheets):
    with plt.style.context(sheets):
        plt.figure()
        plt.plot([1.0, 2.0])
        plt.xlabel("step")
        plot = widgets.plot_figure("one line\nfrom 1 to 2")
    assert repr(plot) == "one line\nfrom 1 to 2" and plot.title == "one line"
    assert not plt.get_fignums(), "it is shown once"
    data, said = plot.shown()
    assert data["image/svg+xml"] == plot.svg and said["image/png"]["alt"] == "one line"
    painted = re.findall(r"(?:fill|stroke): (#\w+)(; (?:fill|stroke): var\(--mg-\w+\))?", plot.svg)
    assert [paint for paint, themed in painted if not themed and paint not in ("#1f77b4", "#b0b0b0")] == []
    assert ".mg-plot text{fill:var(--mg-ink)}" in plot.svg
    with pytest.raises(ValueError, match="the figure is empty: draw on it first, in the same cell"):
        widgets.plot_figure("nothing", plt.figure())
    plt.close("all")


def test_plots_are_imported_when_asked_for():
    code = (
        "import sys, widgets; assert not {'matplotlib', 'ipywidgets', 'tqdm'} & set(sys.modules); widgets.plot_descent"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT.parent, check=True)
    assert set(widgets.PLOTS) <= set(dir(widgets))
    assert set(widgets.PLOTS) == {name for name in dir(widgets.plots) if name.startswith(("plot_", "set_"))}
    with pytest.raises(AttributeError, match="no attribute 'plot_los'. Did you mean 'plot_losses'?"):
        widgets.plot_los  # noqa: B018
    everything: dict = {}
    exec("from widgets import *", everything)
    assert {*widgets.PLOTS, "record", "step", "draw"} <= set(everything)


def test_every_plot_has_an_example_in_its_docstring():
    for name in widgets.PLOTS[:-1]:
        assert f">>> {name}(" in getattr(widgets, name).__doc__
