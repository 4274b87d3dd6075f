"""The layout: positions for all that is drawn, with any Graphviz; it never hangs, and fails with one clear sentence."""

import subprocess

import pytest

from widgets.drawing import layout
from widgets.drawing.layout import KNOWN, LayoutError, Sheet, commands, escape, lay_out, shorten, space


def two_boxes(direction="TB"):
    sheet, inside = Sheet(direction), Sheet(direction, "cluster_g0", label=space(40, 18))
    sheet.box("n0", 100, 40)
    inside.box("n1", 60.5, 30)
    sheet.frame(inside)
    sheet.arrow("n0", "n1", "e0", label=space(50, 16))
    sheet.arrow("n0", "n1", "e1")
    return sheet.dot


@pytest.fixture
def no_cache():
    KNOWN.clear()
    yield
    KNOWN.clear()


def test_each_way_to_run_graphviz_gives_the_same_kinds_of_places(monkeypatch, no_cache):
    assert commands(), "neither pygraphviz nor dot"
    for command in commands():
        monkeypatch.setattr(layout, "commands", lambda only=command: [only])
        KNOWN.clear()
        down, right = lay_out(two_boxes("TB"), two_boxes("LR"))
        for placed in (down, right):
            assert placed.boxes.keys() == {"n0", "n1"} and placed.arrows.keys() == {"e0", "e1"}
            (left, top), (far, low) = placed.frames["cluster_g0"]
            x, y = placed.boxes["n1"]
            assert 0 <= left < x - 30 and x + 30 < far <= placed.width
            assert 0 <= top < y - 15 and y + 15 < low <= placed.height
            assert placed.arrows["e0"].label is not None and placed.arrows["e1"].label is None
            assert all(len(arrow.line) % 3 == 1 for arrow in placed.arrows.values())
        assert down.boxes["n0"][1] < down.boxes["n1"][1], "y grows downwards"
        assert right.boxes["n0"][0] < right.boxes["n1"][0]


def test_an_arrow_ends_at_its_box():
    (placed,) = lay_out(two_boxes())
    x, y = placed.arrows["e1"].tip
    middle = placed.boxes["n1"]
    assert abs(y - (middle[1] - 15)) < 1.5 and abs(x - middle[0]) < 30


def test_dot_text_is_stable():
    assert two_boxes() == (
        "digraph {\n"
        "\tgraph [newrank=true nodesep=0.25 rankdir=TB]\n"
        "\tnode [fixedsize=true shape=box]\n"
        "\tedge [arrowsize=0.9]\n"
        '\tn0 [label="" height=0.5556 width=1.3889]\n'
        "\tsubgraph cluster_g0 {\n"
        '\t\tgraph [label=<<table border="0" cellspacing="0" cellpadding="0" fixedsize="true" width="40" height="18">'
        "<tr><td></td></tr></table>>]\n"
        '\t\tn1 [label="" height=0.4167 width=0.8403]\n'
        "\t}\n"
        '\tn0 -> n1 [label=<<table border="0" cellspacing="0" cellpadding="0" fixedsize="true" width="50"'
        ' height="16"><tr><td></td></tr></table>> id=e0]\n'
        "\tn0 -> n1 [id=e1]\n"
        "}\n"
    )


def test_text_is_made_fit_to_be_shown():
    assert shorten("a\x00b\x1b\u202ec\ud800\ufffe") == "a\ufffdb\ufffd\ufffdc\ufffd\ufffd"
    assert shorten("one\n two\t three") == "one two three"
    assert len(shorten("x" * 1000)) == 34
    assert escape(r"\N & <b>") == r"\\N &amp; <b>"


def test_nothing_to_lay_out():
    (placed,) = lay_out("digraph {}")
    assert (placed.boxes, placed.arrows, placed.frames) == ({}, {}, {})


def test_without_graphviz_one_clear_sentence(monkeypatch, no_cache):
    monkeypatch.setattr(layout.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(layout.shutil, "which", lambda name: None)
    with pytest.raises(LayoutError, match=r"cannot be drawn: no Graphviz was found; install .*pygraphviz") as caught:
        lay_out("digraph {}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("says", ["import sys; sys.exit('it is broken')", "print('{}')"])
def test_a_broken_graphviz_gives_way_to_the_next(monkeypatch, no_cache, says):
    broken = [layout.sys.executable, "-c", says]
    working = commands()
    monkeypatch.setattr(layout, "commands", lambda: [broken])
    with pytest.raises(LayoutError, match=r"Graphviz failed \((it is broken|exit code 0)\)"):
        lay_out("digraph {}", "digraph { }")
    monkeypatch.setattr(layout, "commands", lambda: [broken, *working])
    assert len(lay_out("digraph {}", "digraph { }")) == 2


def test_what_was_laid_out_is_known(monkeypatch, no_cache):
    two = lay_out(*(f"digraph {{ {name} }}" for name in ("a", "b")))
    assert len(lay_out(*(f"digraph {{ {name} }}" for name in "cdcd"))) == 4
    monkeypatch.setattr(layout, "commands", list)
    assert lay_out("digraph { b }") == two[1:] and len(KNOWN) == 4
    monkeypatch.setattr(layout, "LAST", 1)
    assert lay_out("digraph { a }", "digraph { b }") == two and len(KNOWN) == 1


def test_a_layout_that_takes_too_long_is_stopped(monkeypatch, no_cache):
    slow = [layout.sys.executable, "-c", "import time; time.sleep(60)"]
    monkeypatch.setattr(layout, "commands", lambda: [slow])
    with pytest.raises(LayoutError, match="stopped after 0.2 s; draw something smaller"):
        lay_out("digraph {}", timeout=0.2)


def test_graphviz_writes_nothing_into_our_output(capfd, no_cache):
    lay_out(two_boxes())
    assert capfd.readouterr() == ("", "")


def test_an_unknown_direction():
    with pytest.raises(ValueError, match="'TB' .* or 'LR'"):
        Sheet("up")


def test_importing_the_engine_imports_nothing_of_ours():
    code = (
        "import sys, minigrad\n"
        "print([m for m in ('widgets', 'graphviz', 'matplotlib', 'ipywidgets', 'anywidget') if m in sys.modules])"
    )
    run = subprocess.run([layout.sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
