"""The layout: what comes out of it is well-formed, says what went in, and never hangs or fails without a sentence."""

import re
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

from widgets import layout
from widgets.layout import LOOKS, LayoutError, Sheet, commands, svg

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</text><script>alert(1)</script>",
    "<b>bold</b>",
    "a&lt;b &amp; &#60;",
    'quote " and \\" and \\\\"',
    r"\N \G \l \n",
    "{a|b|<port> c}",
    "]]> <!-- x -->",
    "$x$ `y` %s {0}",
    "梯度 ∂L/∂a",
]


def drawn(lines, kind="operation", mailbox=None, direction="TB"):
    sheet = Sheet(direction)
    sheet.box("n0", kind, lines, mailbox)
    return ElementTree.fromstring(svg(sheet.dot, "a test"))


def texts(tree):
    return [element.text for element in tree.iter(f"{SVG}text")]


@pytest.fixture
def no_cache():
    svg.cache_clear()
    yield
    svg.cache_clear()


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(("kind", "mailbox", "direction"), [("operation", None, "TB"), ("leaf", ".grad –", "LR")])
def test_a_label_is_shown_as_it_stands(text, kind, mailbox, direction):
    tree = drawn([text], kind, mailbox, direction)
    assert texts(tree)[0] == layout.shorten(text)
    known = {"svg", "title", "g", "polygon", "polyline", "path", "text"}
    assert {element.tag.removeprefix(SVG) for element in tree.iter()} <= known


def test_what_cannot_be_shown_is_replaced():
    assert texts(drawn(["a\x00b\x1b\u202ec\ud800\ufffe"])) == ["a\ufffdb\ufffd\ufffdc\ufffd\ufffd"]
    assert texts(drawn(["one\n two\t three"])) == ["one two three"]
    assert len(texts(drawn(["x" * 1000]))[0]) < 40


def test_every_box_keeps_its_label_and_the_size_we_gave_it():
    sheet = Sheet()
    for i, kind in enumerate(LOOKS):
        sheet.box(f"n{i}", kind, [kind, "WWWWWWWWWWWWWWWWWWWW"])
    tree = ElementTree.fromstring(svg(sheet.dot, "all kinds"))
    assert [text for text in texts(tree) if text in LOOKS] == list(LOOKS)
    box = tree.find(f".//{SVG}g[@class='node constant']/{SVG}polygon")
    across = [float(point.split(",")[0]) for point in box.get("points").split()]
    assert max(across) - min(across) >= 20 * 0.6 * layout.FONT_SIZE


def test_kinds_differ_without_colour():
    looks = [{k: v for k, v in look.items() if k not in ("color", "fillcolor")} for look in LOOKS.values()]
    assert all(looks.count(look) == 1 for look in looks)


def test_the_svg_says_nothing_of_machine_or_version():
    sheet = Sheet()
    sheet.box("n0", "leaf", ["a"])
    text = svg(sheet.dot, "Title with <markup> & more")
    assert not re.search(r"<!--|enerated|graphviz version|/home|/tmp", text)
    assert "<title>Title with &lt;markup&gt; &amp; more</title>" in text and 'role="img"' in text


def test_ids_of_two_pictures_differ_and_of_one_do_not():
    def ids(name):
        sheet = Sheet()
        sheet.box("n0", "leaf", [name])
        svg.cache_clear()
        return set(re.findall(r'id="([^"]+)"', svg(sheet.dot, name)))

    assert ids("a") == ids("a")
    assert not ids("a") & ids("b")
    assert any(name.endswith("-n0") for name in ids("a"))


def test_each_way_to_run_graphviz_works(monkeypatch, no_cache):
    sheet = Sheet()
    sheet.box("n0", "leaf", ["a"])
    for command in commands():
        monkeypatch.setattr(layout, "commands", lambda only=command: [only])
        svg.cache_clear()
        assert "<svg" in svg(sheet.dot, "")


def test_without_graphviz_one_clear_sentence(monkeypatch, no_cache):
    monkeypatch.setattr(layout.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(layout.shutil, "which", lambda name: None)
    with pytest.raises(LayoutError, match=r"cannot be drawn: no Graphviz was found; install .*pygraphviz") as caught:
        svg("digraph {}", "")
    assert "\n" not in str(caught.value)


def test_a_broken_graphviz_gives_way_to_the_next(monkeypatch, no_cache):
    broken = [layout.sys.executable, "-c", "import sys; sys.exit('it is broken')"]
    working = commands()
    monkeypatch.setattr(layout, "commands", lambda: [broken])
    with pytest.raises(LayoutError, match=r"Graphviz failed \(it is broken\)"):
        svg("digraph {}", "")
    monkeypatch.setattr(layout, "commands", lambda: [broken, *working])
    assert "<svg" in svg("digraph {}", "")


def test_a_layout_that_takes_too_long_is_stopped(monkeypatch, no_cache):
    slow = [layout.sys.executable, "-c", "import time; time.sleep(60)"]
    monkeypatch.setattr(layout, "commands", lambda: [slow])
    with pytest.raises(LayoutError, match="stopped after 0.2 s"):
        svg("digraph {}", "", 0.2)


def test_graphviz_writes_nothing_into_our_output(capfd, no_cache):
    sheet = Sheet()
    sheet.box("n0", "leaf", ["a"])
    svg(sheet.dot, "")
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
