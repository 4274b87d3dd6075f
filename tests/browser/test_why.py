"""Why a gradient is this number: routes, their slopes, their sum; and who made it zero or nan."""

import pytest

import minigrad as mg
from widgets.showing.run import record


def explained(open_page, path, run):
    run.save(path)
    page = open_page(path)
    page.keyboard.press("End")
    page.locator(".mg-node.leaf text.box").first.click()
    return page.locator(".mg-inspector").inner_text()


def test_routes_slopes_and_sum(open_page, tmp_path):
    w = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        s = w + 1
        y = s * s
        y.backward()
    told = explained(open_page, tmp_path / "why.html", run)
    assert "2 routes lead from y to w. The backward took 2 steps, however many routes there are." in told
    assert told.count("y → s → w") == 2 and told.count("3 × 1 = 3") == 2
    assert "What arrived here: 6" in told


def test_many_routes_few_steps(open_page, tmp_path):
    w = mg.tensor(0.5, requires_grad=True)
    with record() as run:
        y = w
        for _ in range(10):
            y = y + y
        y.backward()
    told = explained(open_page, tmp_path / "many.html", run)
    assert "1024 routes" in told and "The backward took 10 steps" in told and "and 1016 more" in told


def dead():
    w = mg.tensor(-1.0, requires_grad=True)
    h = (w * 2).relu()
    return h * 3


def nan():
    w = mg.tensor(0.0, requires_grad=True)
    h = (w * 2).sqrt()
    return h * 0.0


def cancelling():
    w = mg.tensor(1.0, requires_grad=True)
    return w * 2 - w * 2


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        (dead, "It comes from what h sends to v1: a gradient of 3 came in, and 0 goes out."),
        (nan, "It comes from what h sends to v1: a gradient of 0 came in, and nan goes out."),
        (cancelling, "It is zero because what arrives cancels out"),
    ],
)
def test_the_culprit(open_page, tmp_path, program, sentence):
    with record() as run:
        program().backward()
    assert sentence in explained(open_page, tmp_path / "culprit.html", run)


def test_of_arrays_the_parts_are_told(open_page, tmp_path):
    w = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        y = (w * w).sum()
        y.backward()
    told = explained(open_page, tmp_path / "arrays.html", run)
    assert "2 routes lead from y to w." in told and "What arrived here: [1, 2] + [1, 2]" in told
    assert "they are arrays, and each element has a product of its own" in told


def test_two_results_of_one_node_are_two_routes(open_page, tmp_path):
    x = mg.tensor([3.0, 1.0, 2.0], requires_grad=True)
    with record() as run:
        a, b, c = x.unbind()
        y = b * c
        y.backward()
    told = explained(open_page, tmp_path / "unbind.html", run)
    assert "2 routes lead from y to x. The backward took 2 steps, however many routes there are." in told
    assert "what b, c send is no factor times what came in. Their steps show how it is made." in told


def test_where_a_rule_is_no_factor_no_product_is_written(open_page, tmp_path):
    w, x = mg.tensor([[1.0, 2.0]], requires_grad=True), mg.tensor([[3.0], [4.0]])
    with record() as run:
        y = w @ x
        y.sum().backward()
    told = explained(open_page, tmp_path / "matmul.html", run)
    assert "what y sends is no factor times what came in" in told


def test_by_keyboard_to_the_culprit(open_page, tmp_path):
    with record() as run:
        dead().backward()
    run.save(tmp_path / "keys.html")
    page = open_page(tmp_path / "keys.html")
    page.keyboard.press("End")
    page.keyboard.press("w")
    button = page.get_by_role("button", name="Go there")
    button.focus()
    page.keyboard.press("Enter")
    assert (
        "0" in page.locator(".mg-say").inner_text() and page.locator(".mg-stepper").get_attribute("data-index") != "0"
    )


def test_on_a_narrow_page_the_answer_is_in_sight(open_page, tmp_path):
    with record() as run:
        (mg.tensor(2.0, requires_grad=True) * 3).backward()
    run.save(tmp_path / "narrow.html")
    page = open_page(tmp_path / "narrow.html")
    page.set_viewport_size({"width": 600, "height": 700})
    page.keyboard.press("End")
    page.keyboard.press("w")
    panel, title = page.locator(".mg-inspector").bounding_box(), page.locator(".mg-why-title").bounding_box()
    assert panel["y"] <= title["y"] < panel["y"] + panel["height"] / 2


def test_box_and_inspector_show_the_same_digits(open_page, tmp_path):
    w = mg.tensor(
        [1.2345, 1.0], requires_grad=True
    )  # in float32 a little more than 1.2345, which would be cut to 1.234
    with record() as run:
        w.sum().backward()
    told = explained(open_page, tmp_path / "digits.html", run)
    assert run.trace["values"][0]["text"] == "[1.235, 1]" and "Value\n1.235\t1\n" in told


def test_what_arrived_is_what_the_gradient_is(open_page, tmp_path):
    """A part is told as it arrives, after its sum; and what a backward begins with is one, too."""
    w, x = mg.tensor(2.0, requires_grad=True), mg.tensor([3.0, 4.0])
    with record() as run:
        h = w * 1
        y = (h * x).sum()
        mg.autograd.backward([y, h])
    run.save(tmp_path / "arrived.html")
    page = open_page(tmp_path / "arrived.html")
    page.keyboard.press("End")
    page.locator(".mg-node.leaf text.box").first.click()
    assert "What arrived here: 8" in page.locator(".mg-inspector").inner_text()
    page.keyboard.press("Home")
    while not page.locator(".mg-say").inner_text().startswith("All that flows to h"):
        page.keyboard.press("ArrowRight")
    page.locator(".mg-node.operation text.title", has_text="h = w * 1").click()
    page.keyboard.press("w")
    assert "What arrived here: 1 + 7 = 8" in page.locator(".mg-inspector").inner_text()


def test_before_a_backward_there_is_none_that_a_gradient_could_have_come_in(open_page, tmp_path):
    w, x = mg.tensor(2.0, requires_grad=True), mg.tensor(3.0)
    with record() as run:
        (w * x).backward()
    run.save(tmp_path / "why.html")
    page = open_page(tmp_path / "why.html")
    page.locator(".mg-canvas .mg-node.input").click()
    told = page.locator(".mg-inspector")
    page.keyboard.press("w")
    assert "No backward has begun yet." in told.inner_text()
    page.keyboard.press("End")
    assert "No gradient has come here in this backward." in told.inner_text()


def test_routes_are_counted_and_the_culprit_stands_apart(open_page, tmp_path):
    with record() as run:
        nan().backward()
    explained(open_page, tmp_path / "looks.html", run)
    page = open_page(tmp_path / "looks.html")
    page.keyboard.press("End")
    page.locator(".mg-node.leaf text.box").first.click()
    style = "(element) => parseFloat(getComputedStyle(element).paddingLeft)"
    assert page.locator(".mg-culprit").evaluate(style) == 8
    assert page.locator(".mg-routes").evaluate(style) > 16  # room for the numbers
