"""The exported page, in a browser without a network: what a person sees at each step, with each key, in each look."""

import re

import pytest
from playwright.sync_api import expect

import minigrad as mg
from tests.browser.conftest import painted
from widgets.drawing import picture
from widgets.showing.page import page as export
from widgets.showing.run import record

SEEN = """() => {
    const root = document.querySelector(".mg-stepper");
    const text = selector => root.querySelector(selector).textContent;
    const targets = {};
    for (const element of root.querySelectorAll(".mg-graph [data-id]")) {
        const id = element.dataset.id;
        targets[id] = { classes: [...element.classList] };
        for (const field of ["value", "grad", "box", "part"])
            targets[id][field] = element.querySelector(`text.${field}`)?.textContent;
    }
    const cells = row => [...row.children].map(cell => cell.textContent);
    const rows = [...root.querySelectorAll(".mg-ledger tbody tr")].map(cells);
    return {
        index: Number(root.dataset.index), say: text(".mg-say"), hint: text(".mg-hint"), counter: text(".mg-counter"),
        equation: root.querySelector(".mg-narration math")?.getAttribute("alttext"), targets, rows,
        code: [...root.querySelectorAll(".mg-lines mark")].map(mark => mark.textContent).join("\\n"),
    };
}"""


def expected(trace, index):
    """What is to be seen at a position, computed anew from the trace."""
    state = picture.state(trace, index)
    text = lambda number, nothing: nothing if number is None else trace["values"][number]["text"]  # noqa: E731
    done = trace["frames"][index - 1] if index else {}
    ahead = trace["frames"][index] if index < len(trace["frames"]) else {}
    rows = []
    for i, node in enumerate(trace["nodes"]):
        fields = state[f"n{i}"]
        made_by = node.get("formula") or node["kind"]
        rows.append([node["name"], made_by, *(text(fields.get(name), "–") for name in ("value", "grad", "box"))])
    return state, text, done, ahead, rows


def check(trace, seen, index):
    state, text, done, ahead, rows = expected(trace, index)
    assert seen["index"] == index
    assert seen["counter"] == f"{index} / {len(trace['frames'])}"
    assert seen["equation"] == done.get("equation")
    assert seen["say"] == done["say"] if done else "Press Next" in seen["say"]
    assert seen["hint"] == f"Next: {ahead['hint']}" if ahead else "the end" in seen["hint"]
    assert seen["rows"] == rows
    for target, shown in seen["targets"].items():
        fields = state.get(target, {})
        for field, nothing in (("value", ""), ("grad", "–"), ("box", "–"), ("part", "")):
            if shown.get(field) is not None and "preview" not in shown["classes"]:
                assert shown[field] == text(fields.get(field), nothing), (index, target, field)
            assert (f"has-{field}" in shown["classes"]) == (fields.get(field) is not None), (index, target, field)
        for flag in ("done", "freed", "broken"):
            assert (flag in shown["classes"]) == bool(fields.get(flag)), (index, target, flag)
        assert ("now" in shown["classes"]) == (target in (f"n{done.get('node')}", f"e{done.get('edge')}"))
        assert ("next" in shown["classes"]) == (target in (f"n{ahead.get('node')}", f"e{ahead.get('edge')}"))
    place = done.get("at") or (ahead.get("at") if not done else None)
    if place and place[1] == place[3]:
        file, line, column, _, end = place
        code = trace["files"][file]
        assert seen["code"] == code["lines"][line - code["first"]][column:end]


def test_every_frame_shows_what_the_trace_says_there_and_back(open_page, lesson_page, lesson):
    page, trace = open_page(lesson_page), lesson[0]
    last = len(trace["frames"])
    assert {frame["kind"] for frame in trace["frames"]} >= {"made", "sent", "summed", "accumulated", "zeroed", "error"}
    start = page.evaluate(SEEN)
    check(trace, start, 0)
    for index in range(1, last + 1):
        page.keyboard.press("ArrowRight")
        check(trace, page.evaluate(SEEN), index)
    for index in reversed(range(last)):
        page.keyboard.press("ArrowLeft")
        check(trace, page.evaluate(SEEN), index)
    assert page.evaluate(SEEN) == start


def test_jumps_end_where_steps_do(open_page, lesson_page, lesson):
    page, trace = open_page(lesson_page), lesson[0]
    for index in (7, 3, len(trace["frames"]), 1, 12):
        scrub(page, index)
        check(trace, page.evaluate(SEEN), index)


def index(page):
    return int(page.locator(".mg-stepper").get_attribute("data-index"))


def scrub(page, index):
    slide = "(slider, index) => { slider.value = index; slider.dispatchEvent(new Event('input')) }"
    page.get_by_label("Position").evaluate(slide, index)


def first_frame(trace, fits):
    return next(i for i, frame in enumerate(trace["frames"]) if fits(frame))


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_every_key(open_page, lesson_page, lesson):
    trace = lesson[0]
    page, last = open_page(lesson_page), len(trace["frames"])
    graph = page.locator(".mg-canvas")
    graph.focus()
    press(page, "End")
    assert index(page) == last
    press(page, "Home", "]")
    assert index(page) == trace["phases"][0]["last"] + 1
    press(page, "]", "[", "[")
    assert index(page) == 0
    press(page, "-")  # a node at a time
    assert page.locator(".mg-options select").first.input_value() == "2"
    stops = [i + 1 for i, frame in enumerate(trace["frames"]) if frame["level"] <= 2]
    for stop in stops:
        press(page, "ArrowRight")
        assert index(page) == stop
    press(page, "-", "Home", "ArrowRight")  # a phase at a time
    assert index(page) == trace["phases"][0]["last"] + 1
    press(page, "+", "+", "ArrowLeft", "Enter")
    assert page.locator(".mg-ledger tr.selected").count() == 1
    press(page, "b")
    assert page.locator(".mg-ledger tr.stop").count() == 1
    press(page, "b", "Escape")
    assert page.locator(".mg-ledger tr:is(.stop, .selected)").count() == 0
    press(page, "?")
    assert page.locator(".mg-help").is_visible()
    press(page, "Escape")
    assert not page.locator(".mg-help").is_visible()
    press(page, "/")
    assert page.locator(".mg-find input").evaluate("e => e === document.activeElement")
    page.keyboard.type("s.n")
    assert page.locator(".mg-graph .found").count() == 1
    press(page, "Escape", "p")
    assert page.locator(".mg-predict").is_visible()
    press(page, "p")
    assert not page.locator(".mg-predict").is_visible()
    graph.focus()
    press(page, "Home", " ")
    assert page.locator(".mg-play").get_attribute("aria-label") == "Pause"
    page.locator(".mg-stepper:not([data-index='0'])").wait_for()
    press(page, " ")
    assert page.locator(".mg-play").get_attribute("aria-label") == "Play"


def test_a_held_key_drops_no_step(open_page, lesson_page, lesson):
    page, trace = open_page(lesson_page), lesson[0]
    page.locator(".mg-canvas").focus()
    seen = page.evaluate(
        """() => {
            const seen = [], root = document.querySelector(".mg-stepper");
            for (let i = 0; i < 100; i++) {
                const event = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, repeat: true });
                root.querySelector(".mg-canvas").dispatchEvent(event);
                seen.push(Number(root.dataset.index));
            }
            return seen;
        }"""
    )
    last = len(trace["frames"])
    assert seen == [min(i + 1, last) for i in range(100)]
    check(trace, page.evaluate(SEEN), last)


def test_tab_leaves_and_no_key_is_taken_from_the_page(open_page, lesson_page):
    page = open_page(lesson_page)
    for _ in range(60):
        press(page, "Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
    else:
        pytest.fail("the focus never left the stepper")
    press(page, "ArrowRight")
    assert index(page) == 0


def test_a_click_anywhere_in_it_brings_the_keys(open_page, lesson_page):
    page = open_page(lesson_page)
    page.evaluate("document.activeElement.blur()")
    box = page.locator(".mg-transport").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + 3)  # beside the buttons
    press(page, "ArrowRight")
    assert index(page) == 1


def test_who_steps_from_below_sees_the_sentence_and_who_reads_a_panel_stays(open_page, lesson_page):
    page = open_page(lesson_page)
    page.set_viewport_size({"width": 600, "height": 360})
    seen = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(scrollY))))"
    page.get_by_role("button", name="Help").focus()
    below = page.evaluate(seen)
    press(page, "ArrowRight")
    assert page.evaluate(seen) < below
    assert page.locator(".mg-narration").bounding_box()["y"] >= 0
    page.get_by_role("tab", name="Table").focus()
    below = page.evaluate(seen)
    press(page, "ArrowRight", "]")  # the first goes on to the next tab
    assert page.evaluate(seen) == below and index(page) > 1
    press(page, "Home")
    page.get_by_role("button", name="Help").focus()
    press(page, "p")
    page.get_by_label("Ask me for").select_option("number")
    page.get_by_role("button", name="Help").focus()
    below = page.evaluate(seen)
    press(page, "ArrowRight")  # a question; the position stays
    assert page.evaluate(seen) < below
    assert page.get_by_label("Your answer").evaluate("e => e === document.activeElement")
    field, height = page.get_by_label("Your answer").bounding_box(), page.viewport_size["height"]
    assert 0 <= field["y"] and field["y"] + field["height"] <= height


def test_the_elements_inside_a_step(open_page, lesson_page, lesson):
    page, trace = open_page(lesson_page), lesson[0]
    values = trace["values"]
    inside = first_frame(trace, lambda f: "arithmetic" in f and len(values[f["arithmetic"]["output"]]["data"]) == 2)
    press(page, "+", *["ArrowRight"] * inside)
    assert index(page) == inside
    output = trace["frames"][inside]["arithmetic"]["output"]
    for k in range(2):
        press(page, "ArrowRight")
        assert index(page) == inside
        text = page.locator(".mg-narration math").get_attribute("alttext")
        assert float(text.split(" = ")[1]) == pytest.approx(values[output]["data"][k], rel=1e-3)
        assert f"element {k + 1} of 2" in page.locator(".mg-say").text_content()
        assert page.locator(".mg-elements li").all_text_contents()[0] == f"[{k}]  {text}"
    press(page, "ArrowRight")
    assert index(page) == inside + 1
    press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft")
    assert index(page) == inside
    check(trace, page.evaluate(SEEN), inside)


def test_one_press_may_take_several_steps_and_tells_them(open_page, lesson_page, lesson):
    page, trace = open_page(lesson_page), lesson[0]
    said = [frame["say"] for frame in trace["frames"]]
    ends = [i + 1 for i, frame in enumerate(trace["frames"]) if frame["level"] <= 2]
    several = next(i for i, (a, b) in enumerate(zip(ends, ends[1:])) if b - a == 3)
    press(page, "-", *["ArrowRight"] * (several + 2))
    assert page.locator(".mg-say").text_content() == " ".join(said[ends[several] : ends[several + 1]])
    press(page, "-", "Home")
    assert page.locator(".mg-hint").text_content() == "Next: all of “Forward”."
    press(page, "ArrowRight", "ArrowRight")
    steps = trace["phases"][1]["last"] - trace["phases"][1]["first"] + 1
    assert page.locator(".mg-say").text_content() == f"{steps} steps, the last of them: {said[index(page) - 1]}"


def test_folded_groups_open_and_lead_back(open_page, tmp_path):
    path = tmp_path / "folded.html"

    def block(x):
        for _ in range(4):
            x = mg.sin(x)
        return x

    a = mg.tensor(0.5, requires_grad=True)
    with record("two blocks") as run:
        block(block(a)).backward()
    views = picture.views(run.trace, limit=4)
    path.write_text(export(run.trace, views), encoding="utf-8")
    page = open_page(path)
    folded = page.locator(".mg-graph .folded").evaluate_all("all => all.map(e => e.dataset.id)")
    assert sorted(["", *folded]) == sorted(views) and len(folded) == 2
    inside = {
        group: [f"n{i}" for i, node in enumerate(run.trace["nodes"]) if f"g{node.get('group')}" == group]
        for group in folded
    }
    open_group = page.locator(".mg-graph .operation:not(.outside)")
    ids = "all => all.map(e => e.dataset.id)"
    for step in range(1, 9):  # the group in which it is opens, and the one before closes
        press(page, "ArrowRight")
        group = folded[(step - 1) // 4]
        assert open_group.evaluate_all(ids) == inside[group]
        assert page.locator(".mg-graph .operation.now").get_attribute("data-id") == inside[group][(step - 1) % 4]
    press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft")
    assert open_group.evaluate_all(ids) == inside[folded[0]]
    page.get_by_role("button", name="Whole graph", exact=True).click()
    assert page.locator(".mg-graph .folded.now").get_attribute("data-id") == folded[0]
    page.locator(f".mg-graph [data-id={folded[1]}]").focus()
    press(page, "Enter")  # a folded box opens by keyboard, and the keys go on
    assert open_group.evaluate_all(ids) == inside[folded[1]]
    page.get_by_role("button", name="Go where it is now").click()
    assert page.locator(".mg-graph .operation.now").count() == 1


def test_the_first_frame_says_what_is_to_come_and_shows_it_in_grey(open_page, lesson_page, lesson):
    page, trace = open_page(lesson_page), lesson[0]
    say = page.locator(".mg-say").text_content()
    made = sum(frame["kind"] == "made" for frame in trace["frames"])
    assert f"Forward: {made} operations" in say and "a gradient flows back into a.grad" in say
    grey = page.locator(".mg-graph .preview")
    assert grey.count() == made
    shown = grey.first.locator("text.value").text_content()
    press(page, "ArrowRight")
    assert grey.count() == 0 and page.locator(".mg-graph .has-value text.value").nth(1).text_content() == shown
    press(page, "ArrowLeft", "p")
    assert grey.count() == 0  # who predicts sees no answer


def test_terms_of_the_equation_and_boxes_are_linked(open_page, lesson_page):
    page = open_page(lesson_page)
    press(page, "ArrowRight")
    term = page.locator(".mg-narration .mg-term", has_text=re.compile("^b$"))
    assert term.evaluate("e => getComputedStyle(e).color") == "rgb(0, 104, 201)"  # of a value
    term.hover()
    assert page.locator(".mg-graph .linked").get_attribute("data-id") == term.get_attribute("data-node")
    page.locator(".mg-graph [data-id=n0]").hover()
    assert page.locator(".mg-pointed").text_content() == "a"
    assert "a leaf" in page.locator(".mg-graph [data-id=n0] title").text_content()


def test_the_sentence_the_thick_box_and_the_inspector_agree(open_page, lesson_page, lesson):
    page, trace = open_page(lesson_page), lesson[0]
    for frame in trace["frames"]:
        press(page, "ArrowRight")
        if "node" not in frame:
            continue
        name = trace["nodes"][frame["node"]]["name"]
        assert page.locator(".mg-graph .mg-node.now").get_attribute("data-id") == f"n{frame['node']}"
        assert page.locator(".mg-inspector h2").text_content() == trace["nodes"][frame["node"]]["label"]
        if frame["kind"] != "error":
            assert re.search(rf"(?<!\w){re.escape(name)}(?!\w)", frame["say"].partition(":")[0]), frame["say"]


def test_a_link_opens_a_step_and_a_reload_keeps_it(open_page, lesson_page):
    page = open_page(lesson_page)
    press(page, *["ArrowRight"] * 3)
    assert page.evaluate("location.hash") == "#step=3"
    page.reload()
    page.locator(".mg-stepper[data-index='3']").wait_for()
    page.goto(f"{lesson_page.as_uri()}#step=5")
    page.reload()
    page.locator(".mg-stepper[data-index='5']").wait_for()


def test_nothing_is_before_the_beginning(open_page, lesson_page):
    page = open_page(lesson_page)
    press(page, "+", "ArrowLeft", "ArrowLeft")
    assert index(page) == 0 and page.locator(".mg-elements").count() == 0


def test_a_gradient_travels_along_its_arrow_unless_nothing_may_move(open_page, lesson_page, lesson):
    sent = first_frame(lesson[0], lambda frame: frame["kind"] == "sent")
    for motion, count in (("no-preference", 1), ("reduce", 0)):
        page = open_page(lesson_page, reduced_motion=motion)
        press(page, *["ArrowRight"] * sent)
        travellers = "document.querySelector('.mg-next').click(); document.querySelectorAll('.traveller').length"
        assert page.evaluate(travellers) == count


def test_small_arrays_show_themselves(open_page, tmp_path):
    a, m = mg.linspace(0.0, 6.28, 25, requires_grad=True), mg.tensor([[1.0, 0.0], [0.0, -0.5]], requires_grad=True)
    with record() as run:
        (mg.sin(a).sum() * (m @ m).sum()).backward()
        mg.log(m) * 0
    path = tmp_path / "small.html"
    path.write_text(export(run.trace, picture.views(run.trace)), encoding="utf-8")
    page = open_page(path)
    press(page, "End")
    drawn = page.locator(".mg-graph [data-id=n0] path.of-box").get_attribute("d")
    heights = [float(point.split()[1]) for point in drawn[1:].split("L")]
    assert len(heights) == 25 and heights[0] < heights[12] > heights[24]  # a cosine: high, low, high
    assert (
        page.locator(".mg-graph [data-id=n2] tspan, .mg-graph [data-id=n3] tspan").first.text_content().startswith("⎡")
    )
    assert page.locator(".mg-graph .value.bad").count() >= 1  # log(0) and log(-0.5)


def test_matrices_are_set_in_rows_and_read_as_written(open_page, tmp_path):
    w, x = mg.tensor([[1.0, -20.5], [0.005, 3.0]], requires_grad=True), mg.tensor([[1.0], [2.0]])
    with record() as run:
        y = w @ x
        y.sum().backward()
    path = tmp_path / "matrix.html"
    path.write_text(export(run.trace, picture.views(run.trace)), encoding="utf-8")
    page = open_page(path)
    press(page, "ArrowRight")
    assert page.locator(".mg-say").text_content() == run.trace["frames"][0]["say"] == "y = w @ x = [[-40], [6.005]]."
    above, below = [cell.bounding_box() for cell in page.locator(".mg-say .mg-matrix b").all()]
    assert above["y"] + above["height"] <= below["y"] + 1
    edges = """cells => cells.map(cell => {
        const [whole] = cell.querySelector("mn:not(mphantom mn)").textContent.split(".");
        const range = document.createRange();
        range.setStart(cell.querySelector("mn:not(mphantom mn)").firstChild, 0);
        range.setEnd(cell.querySelector("mn:not(mphantom mn)").firstChild, whole.length);
        return range.getBoundingClientRect().right;
    })"""
    points = page.locator(".mg-narration mtable mtable mtd").evaluate_all(edges)
    assert len(points) == 2 and abs(points[0] - points[1]) < 1  # their points stand below each other


def test_the_inspector_explains_a_leaf(open_page, lesson_page, lesson):
    page, trace = open_page(lesson_page), lesson[0]
    press(page, "End")
    page.locator(".mg-graph [data-id=n0]").click()
    shown = page.locator(".mg-inspector")
    assert shown.locator("h2").text_content() == "a"
    deposits = [row.locator("td").all_text_contents() for row in shown.locator(".mg-deposits tbody tr").all()]
    boxes = [
        [str(i), frame["kind"], *("–" if v is None else trace["values"][v]["text"] for v in change[2:])]
        for i, frame in enumerate(trace["frames"], 1)
        for change in frame.get("changes", [])
        if change[:2] == ["n0", "box"]
    ]
    names = {"deposited": "deposit"}
    assert deposits == [[i, names.get(kind, kind), before, after] for i, kind, before, after in boxes]
    assert len(deposits) == 3
    shown.locator(".mg-deposits button").first.click()
    assert index(page) == int(boxes[0][0])
    page.locator(".mg-graph [data-id=n1]").click()
    assert "cos" in shown.locator("math").first.get_attribute("alttext")
    assert "What it saved for backward" in shown.text_content()
    assert "g: the gradient that arrives" not in shown.text_content()  # for a rule that names it only


def test_a_rule_in_the_words_of_its_row_says_what_g_is(open_page, tmp_path):
    w = mg.tensor([[1.0], [2.0]], requires_grad=True)
    with record() as run:
        (mg.ones(1, 2) @ w).sum().backward()
    path = tmp_path / "product.html"
    run.save(path, node="n2")
    assert "g: the gradient that arrives" in open_page(path).locator(".mg-inspector").text_content()


def test_a_rule_in_words_is_read_whole(open_page, tmp_path):
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        x.softmax(0)[0].backward()
    run.save(tmp_path / "softmax.html", node="n1")
    page = open_page(tmp_path / "softmax.html")
    page.set_viewport_size({"width": 1000, "height": 900})
    rule = page.locator(".mg-inspector .mg-equation").first
    expect(rule).to_contain_text("gradient of x: ")
    assert rule.evaluate("one => one.scrollWidth - one.clientWidth") <= 0


def test_stops(open_page, lesson_page, lesson):
    page, trace = open_page(lesson_page), lesson[0]
    page.get_by_role("tab", name="Stops").click()
    page.get_by_label("Stop when").select_option("second")
    page.get_by_role("button", name="Add").click()
    page.get_by_role("button", name="Run to the next stop").click()
    second = first_frame(trace, lambda f: any(c[1] == "box" and None not in c[2:] for c in f["changes"]))
    assert index(page) == second + 1
    page.get_by_role("button", name=re.compile("Remove")).click()
    assert page.get_by_label("Stop when").evaluate("e => e === document.activeElement")  # its button is gone
    page.locator(".mg-canvas").focus()
    press(page, "Home")
    line = page.locator(".mg-lines .mg-line", has_text="loss = (b * x")
    line.click()
    number = int(line.get_attribute("data-line"))
    made = [f"n{i}" for i, node in enumerate(trace["nodes"]) if node.get("at", [0, 0])[1] == number]
    assert page.locator(".mg-graph .found").evaluate_all("all => all.map(e => e.dataset.id).sort()") == sorted(made)
    page.locator(".mg-code").get_by_role("button", name="Stop here").click()
    press(page, "Shift+ArrowRight")
    assert trace["frames"][index(page) - 1]["at"][1] == number
    assert index(page) == 2


def test_find_trace_focus_and_zoom(open_page, lesson_page):
    page = open_page(lesson_page)
    view = "document.querySelector('.mg-graph').getAttribute('viewBox').split(' ').map(Number)"
    page.locator(".mg-find input").fill("backward0$")
    found = page.locator(".mg-find output").text_content()
    assert page.locator(".mg-graph .found").count() == int(found.split()[0]) > 2
    press(page, "Enter", "Enter")
    assert page.locator(".mg-find output").text_content().startswith("2 of")
    press(page, "Escape")
    page.get_by_role("button", name="Made from").click()
    assert page.locator(".mg-graph.dimmed .upstream").count() > 1
    assert page.locator(".mg-graph .mg-node:not(.near)").first.evaluate("e => getComputedStyle(e).opacity") < "0.5"
    press(page, "Escape")
    assert page.locator(".mg-graph.dimmed").count() == 0
    page.get_by_role("button", name="Focus", exact=True).click()
    assert page.locator(".mg-graph.dimmed .near").count() > 1
    page.get_by_role("button", name="Focus", exact=True).click()
    before = page.evaluate(view)
    page.mouse.move(300, 500)
    page.mouse.wheel(0, 100)  # scrolls the page only
    assert page.evaluate(view) == before
    page.keyboard.down("Control")
    page.mouse.wheel(0, -600)
    page.keyboard.up("Control")
    zoomed = page.evaluate(view)
    assert zoomed[2] < before[2] / 1.5
    page.mouse.down()
    page.mouse.move(250, 450, steps=4)
    page.mouse.up()
    moved = page.evaluate(view)
    assert moved[0] > zoomed[0] and moved[1] > zoomed[1] and moved[2] == zoomed[2]
    assert page.locator(".mg-ledger tr.selected").count() <= 1  # a drag is no click
    page.get_by_role("button", name="Fit").click()
    assert page.evaluate(view)[2] >= before[2] - 1


def test_each_backward_is_foretold_by_itself(open_page, tmp_path):
    a = mg.tensor(4.0, requires_grad=True)
    with record() as run:
        f = a**3
        (slope,) = mg.autograd.grad(f, a, create_graph=True)
        slope.backward()
    run.save(tmp_path / "bend.html")
    assert open_page(tmp_path / "bend.html").locator(".mg-say").text_content() == (
        "Forward: 1 operation, whose result stands here in grey. Backward: from f a gradient flows back. "
        "Backward: from slope a gradient flows back into a.grad. Press Next, or the key →."
    )


def test_the_whole_stays_in_sight_until_somebody_zooms(open_page, tmp_path):
    path = tmp_path / "sine.html"
    a = mg.tensor(0.5, requires_grad=True)
    with record() as run:
        (2 * mg.sin(a) + 1).backward()
    run.save(path)
    page = open_page(path)
    drawn = """() => {
        const svg = document.querySelector(".mg-graph");
        const [, , wide, high] = svg.getAttribute("viewBox").split(" ").map(Number);
        const all = svg.firstElementChild.getBBox();
        return { scale: svg.clientWidth / wide, whole: high >= all.height - 1 };
    }"""
    before = page.evaluate(drawn)
    page.set_viewport_size({"width": 1280, "height": 700})
    painted(page)
    after = page.evaluate(drawn)
    assert before["whole"] and after["whole"] and after["scale"] < before["scale"]
    page.get_by_role("button", name="Zoom in").click()
    zoomed = page.evaluate(drawn)["scale"]
    page.set_viewport_size({"width": 1280, "height": 900})
    painted(page)
    assert page.evaluate(drawn)["scale"] == pytest.approx(zoomed, rel=0.01) != after["scale"]


def test_a_picture_a_little_too_wide_is_not_cut_at_its_side(open_page, tmp_path):
    path = tmp_path / "wide.html"
    x = mg.tensor([3.0, 1.0, 2.0], requires_grad=True)
    with record() as run:
        (mg.cat([x.sort().values, x.topk(2).values]).cumsum(0) * x.max()).sum().backward()
    run.save(path)
    page = open_page(path)
    wide = float(run.svg().partition(' width="')[2].partition('"')[0])
    seen = """() => {
        const svg = document.querySelector(".mg-graph");
        return [svg.clientWidth, Number(svg.getAttribute("viewBox").split(" ")[2])];
    }"""
    scales = []
    for width in range(1300, 1000, -20):
        page.set_viewport_size({"width": width, "height": 900})
        painted(page)
        pane, shown = page.evaluate(seen)
        scales.append(pane / shown)
        if pane / wide > 0.8:
            assert shown >= wide - 1
    assert 0.8 < min(one for one in scales if one < 0.85 - 0.001) and scales[-1] == pytest.approx(0.85, abs=0.001)


def test_the_whole_lesson_without_the_picture(open_page, lesson_page, lesson):
    page, trace = open_page(lesson_page), lesson[0]
    page.get_by_role("button", name="Picture").click()
    assert not page.locator(".mg-picture").is_visible()
    code, panel = page.locator(".mg-code").bounding_box(), page.locator(".mg-tabbed").bounding_box()
    assert abs(code["width"] - panel["width"]) < 3 and code["y"] == panel["y"]  # side by side
    page.locator(".mg-next").focus()
    for i in range(1, len(trace["frames"]) + 1):
        press(page, "ArrowRight")
        assert index(page) == i and page.locator(".mg-say").text_content() == trace["frames"][i - 1]["say"]
    page.get_by_role("tab", name="Table").click()
    assert page.locator(".mg-ledger").is_visible()
    page.locator(".mg-ledger button").nth(2).click()
    assert page.locator(".mg-ledger tr.selected").get_attribute("data-id") == "n2"


def test_a_folded_graph_shows_what_flows_between_its_boxes_and_inside(open_page, tmp_path):
    a = mg.tensor(1.0, requires_grad=True)
    with record() as run:
        x = a
        for _ in range(100):
            x = x * a + 0.01
        x.backward()
    trace, path = run.trace, tmp_path / "long.html"
    path.write_text(export(trace, picture.views(trace)), encoding="utf-8")
    page, last = open_page(path), len(trace["frames"])
    seen = """() => [...document.querySelectorAll(".mg-graph .mg-edge")].map(
        edge => [edge.dataset.id, edge.classList.contains("has-part"), edge.classList.contains("now")])"""
    assert page.locator(".mg-node.folded").count() > 3
    assert page.locator(".mg-edge.merged").count() > 2
    for view in ("", page.locator(".mg-node.folded").last.get_attribute("data-id")):
        if view:
            page.locator(f".mg-node[data-id={view}]").dispatch_event("click")
            assert page.locator(".mg-node.folded").count() == 0
        for index in (0, last // 2, last, 160, last - 40, 3):
            scrub(page, index)
            state, now = picture.state(trace, index), trace["frames"][index - 1].get("edge") if index else None
            for name, flows, active in page.evaluate(seen):
                ids = name.split()
                assert flows == any(state.get(edge, {}).get("part") is not None for edge in ids), (view, index, name)
                assert active == (f"e{now}" in ids)


def test_a_page_whose_data_is_damaged_says_so_and_keeps_its_picture_and_words(open_page, lesson_page, tmp_path):
    whole = lesson_page.read_text(encoding="utf-8")
    start = whole.index("application/gzip") + 500
    path = tmp_path / "damaged.html"
    path.write_text(whole[:start] + ("B" if whole[start] == "A" else "A") + whole[start + 1 :], encoding="utf-8")
    page = open_page(path, waits=False)
    expect(page.get_by_role("alert")).to_contain_text("The data of this page is damaged")
    expect(page.locator(".mg-place > svg")).to_be_visible()
    expect(page.locator(".mg-place > table")).to_contain_text("b = sin(a)")
    expect(page.locator(".mg-still, .mg-stepper")).to_have_count(0)


def test_a_page_that_ends_in_the_middle_says_that_it_may_be_damaged(open_page, lesson_page, tmp_path):
    whole = lesson_page.read_text(encoding="utf-8")
    path = tmp_path / "half.html"
    path.write_text(whole[: whole.index("<table>") + 300], encoding="utf-8")
    page = open_page(path, waits=False)
    expect(page.locator(".mg-still")).to_contain_text("scripts are switched off, or this file is damaged")
