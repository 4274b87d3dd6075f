"""The exported page in each look and each surrounding: without scripts, twice on a page, hostile, audited."""

from xml.etree.ElementTree import fromstring

import pytest

import minigrad as mg
from tests.browser.conftest import painted, photograph
from widgets.drawing import picture
from widgets.showing.page import page as export, place
from widgets.showing.run import record

from .test_page import index, press

HOSTILE = "<img src=x onerror=hacked=1></script><script>hacked=1</script>"


def test_without_a_layout_the_words_remain(open_page, lesson, tmp_path):
    path = tmp_path / "bare.html"
    path.write_text(export(lesson[0], {}), encoding="utf-8")
    page = open_page(path)
    press(page, "End")
    assert index(page) == len(lesson[0]["frames"])
    page.get_by_role("button", name="Picture").click()
    assert "Graphviz" in page.locator(".mg-canvas").text_content()


def test_without_scripts_there_is_a_picture_and_a_table(open_page, lesson_page, lesson):
    page = open_page(lesson_page, java_script_enabled=False)
    assert page.locator(".mg-place > svg").is_visible()
    assert page.locator(".mg-place > table tbody tr").count() == len(lesson[0]["frames"])


@pytest.mark.parametrize("asks", [False, True])
def test_without_scripts_the_picture_is_of_the_end_unless_it_asks(open_page, tmp_path, asks):
    a = mg.tensor(3.0, requires_grad=True)
    with record() as run:
        (a * a).backward()
    run.save(tmp_path / "run.html", ask=asks)
    page = open_page(tmp_path / "run.html", java_script_enabled=False)
    still = page.locator(".mg-place > svg")
    assert still.locator("text.box").text_content() == ("–" if asks else "6")
    assert still.locator(".done, .has-part").count() == (0 if asks else 4)

    page = open_page(tmp_path / "run.html")  # with them it begins at the start
    graph = page.locator(".mg-graph")
    assert graph.locator("text.box").text_content() == "–" and graph.locator(".done, .has-part").count() == 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert graph.locator("text.box").text_content() == ("–" if asks else "6")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert index(page) == 0 and graph.locator("text.box").text_content() == "–"


def test_two_on_a_page_do_not_meet(open_page, lesson, tmp_path):
    html, one = export(*lesson), place(*lesson)
    assert html.count(one) == 1
    path = tmp_path / "two.html"
    path.write_text(html.replace(one, one + one), encoding="utf-8")
    page = open_page(path)
    assert page.locator(".mg-stepper").count() == 2
    page.locator(".mg-next").nth(1).click()
    page.locator(".mg-graph [data-id=n1]").nth(1).click()
    assert page.locator(".mg-stepper").evaluate_all("all => all.map(e => e.dataset.index)") == ["0", "1"]
    first, second = page.locator(".mg-graph").all()
    assert first.locator(":is(.now, .selected)").count() == 0 and second.locator(".selected").count() == 1
    ids = page.locator("[id]").evaluate_all("all => all.map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_names_are_never_markup(open_page, tmp_path):
    value = {"text": HOSTILE, "data": [1.0]}
    trace = {
        "title": HOSTILE,
        "values": [value],
        "groups": [{"name": HOSTILE, "kind": "module"}],
        "nodes": [
            {"kind": "leaf", "name": HOSTILE, "label": HOSTILE, "start": {"value": 0}},
            {"kind": "operation", "name": HOSTILE, "label": HOSTILE, "formula": HOSTILE, "op": HOSTILE, "type": HOSTILE,
             "group": 0, "at": [0, 1, 0, 1, 9], "rules": [HOSTILE], "saved": [{"name": HOSTILE, "of": HOSTILE}]},
        ],
        "edges": [{"from": 0, "to": 1, "slot": 0}],
        "files": [{"name": HOSTILE, "first": 1, "lines": [HOSTILE]}],
        "misconceptions": [HOSTILE],
        "phases": [{"kind": "forward", "title": HOSTILE, "first": 0, "last": 0}],
        "frames": [
            {"kind": "made", "level": 1, "node": 1, "edge": 0, "at": [0, 1, 0, 1, 9], "hint": HOSTILE, "say": HOSTILE,
             "equation": HOSTILE, "ask": [
                 {"kind": "rule", "question": HOSTILE, "options": [[HOSTILE, 0], ["g", None]], "hints": [HOSTILE],
                  "before": 0},
                 {"kind": "number", "question": HOSTILE, "answer": 0, "wrong": [[0, 0]], "hints": [HOSTILE]},
             ],
             "changes": [["n1", "value", None, 0]]},
        ],
    }  # fmt: skip
    path = tmp_path / "hostile.html"
    path.write_text(export(trace, picture.views(trace), HOSTILE), encoding="utf-8")
    page = open_page(path)
    page.locator(".mg-line").click()
    press(page, "p", "ArrowRight", "Enter", " ", "Enter", " ", "Enter")
    page.get_by_label("Ask me for").select_option("number")
    page.locator(".mg-next").focus()
    press(page, "Home", "ArrowRight", "7", "Enter", "8", "Enter", "Escape")
    for tab in ("Table", "Stops", "Inspect"):
        page.get_by_role("tab", name=tab).click()
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.locator("img, main script:not([type])").count() == 0
    assert page.title() == page.locator("h1").text_content() == page.locator(".mg-say").text_content() == HOSTILE
    assert page.locator(".mg-lines code").text_content() == HOSTILE
    assert page.locator(".mg-ledger button").first.text_content() == HOSTILE


def test_touch(open_page, lesson_page):
    page = open_page(lesson_page, has_touch=True, is_mobile=True)
    page.locator(".mg-next").tap()
    page.locator(".mg-graph [data-id=n1]").tap()
    assert index(page) == 1 and page.locator(".mg-graph .selected").count() == 1
    small = page.locator(".mg-stepper :is(button, select, input):visible").evaluate_all(
        """all => all.map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
            .filter(([html, { width, height }]) => !/mg-line|type="range"/.test(html) && (width < 44 || height < 44))"""
    )
    assert small == []


def test_two_fingers_zoom_and_one_scrolls_the_page(open_page, lesson_page):
    page = open_page(lesson_page, has_touch=True, is_mobile=True)
    page.set_viewport_size({"width": 420, "height": 700})
    touch = page.context.new_cdp_session(page)
    view = "document.querySelector('.mg-graph').getAttribute('viewBox').split(' ').map(Number)"

    def fingers(kind, *points):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    before, pane = page.evaluate(view), page.locator(".mg-canvas").bounding_box()
    middle = pane["y"] + pane["height"] / 2
    for apart in (40, 60, 80):
        fingers("touchStart" if apart == 40 else "touchMove", (200 - apart, middle), (200 + apart, middle))
    fingers("touchEnd")
    zoomed = page.evaluate(view)
    assert zoomed[2] < 0.8 * before[2]
    page.evaluate("document.body.style.paddingBottom = '400px'")  # something to scroll to
    fingers("touchStart", (200, middle))
    for y in (40, 100, 160, 300):
        fingers("touchMove", (200, middle - y))
    fingers("touchEnd")
    page.wait_for_function("scrollY > 100")
    assert page.evaluate(view) == zoomed


def test_looks(open_page, lesson_page):
    """Light, dark, narrow, high contrast: nothing sticks out; for people to look at."""
    page = open_page(lesson_page)
    press(page, *["ArrowRight"] * 7)
    papers = {}
    for look, width, media in [
        ("light", 1280, {"color_scheme": "light"}),
        ("dark", 1280, {"color_scheme": "dark"}),
        ("narrow", 390, {"color_scheme": "light"}),
        ("contrast", 1000, {"forced_colors": "active"}),
    ]:
        page.emulate_media(**media)
        page.set_viewport_size({"width": width, "height": 900})
        painted(page)
        photograph(page, f"stepper-{look}", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), look
        tops = {button.bounding_box()["y"] for button in page.locator(".mg-buttons button").all()}
        assert len(tops) == 1, look  # all in one row
        papers[look] = page.locator(".mg-stepper").evaluate("e => getComputedStyle(e).backgroundColor")
    assert papers["light"] == "rgb(255, 255, 255)" and papers["dark"] == "rgb(17, 17, 17)"


def test_in_a_window_of_700_pixels_the_picture_has_all_of_them(open_page, lesson_page):
    page = open_page(lesson_page)
    page.set_viewport_size({"width": 700, "height": 900})
    assert page.locator(".mg-canvas").bounding_box()["width"] > 640


def test_nothing_moves_for_those_who_ask(open_page, lesson_page):
    page = open_page(lesson_page, reduced_motion="reduce")
    moving = "e => getComputedStyle(e).transitionDuration !== '0s' || getComputedStyle(e).animationName !== 'none'"
    assert page.locator(".mg-stepper *").evaluate_all(f"all => all.filter({moving}).length") == 0


@pytest.mark.parametrize("width", [560, 900, 1280])
def test_all_of_it_is_at_most_as_high_as_the_window(open_page, lesson_page, width):
    page = open_page(lesson_page)
    for height in (800, 900, 2000):
        page.set_viewport_size({"width": width, "height": height})
        root = page.locator(".mg-stepper")
        for _ in range(2):  # without questions, and with them
            painted(page)
            assert root.bounding_box()["height"] <= height
            assert page.locator(".mg-body").bounding_box()["height"] >= 300
            press(page, "p")
    assert page.locator(".mg-body").bounding_box()["height"] == 560


@pytest.fixture(scope="module")
def matrices():
    """A small net with matrices in each step, which take much room in words and equations."""
    mg.manual_seed(0)
    net, x = mg.nn.Sequential(mg.nn.Linear(2, 3), mg.nn.Tanh(), mg.nn.Linear(3, 1)), mg.randn(4, 2)
    with record() as run:
        (net(x) ** 2).mean().backward()
    return run.trace


def test_in_a_narrow_notebook_it_is_not_higher_and_the_words_can_be_read(open_page, matrices, tmp_path):
    path = tmp_path / "matrices.html"
    path.write_text(export(matrices, picture.views(matrices)), encoding="utf-8")
    page = open_page(path)
    root, words = page.locator(".mg-stepper"), page.locator(".mg-narration")
    # 480 pixels are left beside the file browser in a window of 900, and 300 in one of 420 without it.
    for width, keys in ((480, ["ArrowRight"] * 9), (480, ["p"]), (300, ["ArrowRight"]), (480, ["Enter", "Escape"])):
        page.set_viewport_size({"width": width, "height": 779})
        press(page, *keys)
        painted(page)
        assert root.bounding_box()["height"] <= 779 and page.locator(".mg-body").bounding_box()["height"] >= 300
        assert words.bounding_box()["height"] >= 100
        say, box = page.locator(".mg-say").bounding_box(), words.bounding_box()
        assert box["y"] <= say["y"] and say["y"] + say["height"] <= box["y"] + box["height"]
        hint, equation = (
            page.locator(".mg-hint").bounding_box(),
            page.locator(".mg-narration > .mg-equation").bounding_box(),
        )
        assert hint["y"] + hint["height"] <= equation["y"]  # they do not lie on each other


def test_in_high_contrast_a_matrix_is_no_determinant(open_page, tmp_path):
    a = mg.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    with record() as run:
        a + a
    run.save(tmp_path / "run.html")
    page = open_page(tmp_path / "run.html", forced_colors="active")
    press(page, "End")
    ends = "e => getComputedStyle(e).backgroundImage"  # of its brackets
    assert "gradient" in page.locator(".mg-say .mg-matrix").evaluate(ends)


def test_a_matrix_beside_an_arrow_is_written_as_python_draws_it(open_page, matrices, tmp_path):
    path = tmp_path / "matrices.html"
    path.write_text(export(matrices, picture.views(matrices)), encoding="utf-8")
    page = open_page(path)
    shown = "all => all.map(e => [...e.children].map(row => [row.textContent, Number(row.getAttribute('dy'))]))"
    last = next(i for i, frame in enumerate(matrices["frames"], 1) if "⎤" in str(drawn_parts(matrices, i)) and i > 20)
    for position in (last, last - 1):
        page.evaluate("step => { location.hash = `step=${step}` }", position)
        page.reload()
        assert page.locator("text.part").evaluate_all(shown) == drawn_parts(matrices, position)


def drawn_parts(trace, position):
    texts = fromstring(picture.svg(trace, position)).iter("{http://www.w3.org/2000/svg}text")
    parts = [text for text in texts if "part" in text.get("class").split()]
    return [[[row.text, float(row.get("dy"))] for row in part] for part in parts]


def test_a_derivative_is_not_torn_apart(open_page, matrices, tmp_path):
    path = tmp_path / "matrices.html"
    path.write_text(export(matrices, picture.views(matrices)), encoding="utf-8")
    page = open_page(path)
    page.set_viewport_size({"width": 420, "height": 800})
    seen = 0
    for _ in matrices["frames"]:
        press(page, "ArrowRight")
        heights = page.locator(".mg-say .mg-quotient").evaluate_all(
            "all => all.map(e => [e.textContent, e.offsetHeight])"
        )
        assert [text for text, height in heights if height > 24] == []
        seen += len(heights)
    assert seen > 20


def test_nothing_is_cut(open_page, lesson_page):
    """Names of phases, buttons, the code that is lit, and numbers in the table."""
    page = open_page(lesson_page)
    for width in (420, 900, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        press(page, "Home", *["ArrowRight"] * 7)
        painted(page)
        cut = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.outerHTML.slice(0, 200))"
        for selector in (".mg-phases span:not(.mg-tight)", ".mg-buttons", ".mg-lines .mg-line", ".mg-narration > *"):
            assert page.locator(selector).evaluate_all(cut) == [], (width, selector)


@pytest.mark.parametrize("width", [360, 590, 830, 1000])
def test_no_equation_is_cut(open_page, tmp_path, width):
    """One that is too wide for its column is smaller, or stands below the words, on more lines where it must."""
    x, k = mg.tensor([1.0, 2.0, 0.0, -1.0], requires_grad=True), mg.tensor([0.5, 1.0, -1.0], requires_grad=True)
    with record() as run:
        windows = x[mg.arange(2).reshape(2, 1) + mg.arange(3)]
        convolved = (windows @ k).softmax(dim=0)
        convolved[1].backward()
    (tmp_path / "wide.html").write_text(export(run.trace, picture.views(run.trace)), encoding="utf-8")
    page = open_page(tmp_path / "wide.html")
    page.set_viewport_size({"width": width, "height": 900})
    cut = "e => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight"
    for frame in run.trace["frames"]:
        press(page, "ArrowRight")
        painted(page)
        assert not page.locator(".mg-narration > .mg-equation").evaluate(cut), frame["equation"]


def test_a_long_line_begins_beside_its_number(open_page, tmp_path):
    a = mg.tensor(3.0, requires_grad=True)
    with record() as run:
        y = a * a
        y.backward()
    run.trace["files"][0]["lines"] = ["    " + "y.backward(gradient=mg.tensor([1.0,2.0,3.0]),retain_graph=True)"] * 400
    (tmp_path / "long.html").write_text(export(run.trace, picture.views(run.trace)), encoding="utf-8")
    page = open_page(tmp_path / "long.html")
    assert "1 operation, whose result stands here in grey." in page.locator(".mg-say").text_content()
    top = """line => {
        const [text, range] = [line.querySelector("code").firstChild, document.createRange()];
        range.setStart(text, 4);
        range.setEnd(text, 5);
        return range.getBoundingClientRect().top - line.getBoundingClientRect().top;
    }"""
    assert page.locator(".mg-line:not(.mg-active)").first.evaluate(top) < 20


def test_the_words_of_a_large_graph_are_of_eleven_pixels(open_page, tmp_path):
    path = tmp_path / "large.html"
    model = mg.nn.Sequential(*[mg.nn.Linear(3, 3) for _ in range(5)])
    with record() as run:
        model(mg.ones(2, 3)).sum().backward()
    path.write_text(export(run.trace, picture.views(run.trace)), encoding="utf-8")
    page = open_page(path)
    sizes = page.locator(".mg-graph .mg-node text").evaluate_all(
        "all => all.map(e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a)"
    )
    assert len(sizes) > 20 and min(sizes) == pytest.approx(11.05, abs=0.05)


@pytest.mark.parametrize("coarser", [0, 1, 2])
def test_the_layout_never_jumps(open_page, lesson_page, lesson, coarser):
    page = open_page(lesson_page)
    press(page, *["-"] * coarser)
    where = "document.querySelector('.mg-body').getBoundingClientRect().top"
    cut = "document.querySelector('.mg-words').scrollHeight > document.querySelector('.mg-words').clientHeight"
    tops = {page.evaluate(where)}
    for _ in lesson[0]["frames"]:
        press(page, "ArrowRight")
        if lesson[0]["frames"][index(page) - 1]["kind"] == "error":
            break  # an error may be as long as it likes
        tops.add(page.evaluate(where))
        assert not page.evaluate(cut), page.locator(".mg-say").text_content()
    assert len(tops) == 1


def test_paper_shows_all_of_the_picture_and_of_the_code(open_page, lesson_page, lesson):
    page = open_page(lesson_page)
    press(page, "End")
    for _ in range(4):
        page.get_by_role("button", name="Zoom in").click()  # only a part is seen
    page.emulate_media(media="print")
    pane = page.locator(".mg-canvas svg").bounding_box()
    for box in page.locator(".mg-canvas .mg-node").all():
        place = box.bounding_box()
        assert pane["y"] - 1 <= place["y"] and place["y"] + place["height"] <= pane["y"] + pane["height"] + 1
        assert pane["x"] - 1 <= place["x"] and place["x"] + place["width"] <= pane["x"] + pane["width"] + 1
    cut = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1).length"
    assert page.locator(".mg-lines, .mg-lines .mg-line").evaluate_all(cut) == 0
    inside = "all => all.filter(e => e.scrollHeight > e.clientHeight + 20).map(e => e.className)"
    assert page.locator(".mg-stepper, .mg-body, .mg-panels, .mg-tabbed, .mg-inspector").evaluate_all(inside) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_audit_finds_nothing_serious(open_page, lesson_page, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="the audit needs axe-playwright-python")
    page = open_page(lesson_page, color_scheme=scheme)

    def audit(state):
        found = axe.Axe().run(page).response["violations"]
        assert [
            (state, v["id"], [n["target"] for n in v["nodes"]])
            for v in found
            if v["impact"] in ("serious", "critical") or v["id"] == "heading-order"
        ] == []

    audit("start")
    press(page, *["ArrowRight"] * 9)
    page.locator(".mg-graph [data-id=n0]").click()
    audit("backward")
    press(page, "p", "ArrowRight")
    audit("question")
    press(page, "Escape", "p", "End")
    audit("error")
    page.get_by_role("tab", name="Table").click()
    audit("table")
    page.get_by_role("tab", name="Stops").click()
    press(page, "?")
    audit("help")
