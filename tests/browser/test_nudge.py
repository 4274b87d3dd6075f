"""Moving a number in an exported page, without a network: all that shows others follows, and says what was promised."""

import pytest

import minigrad as mg
from widgets.showing.run import record


def squared():
    w, x = mg.tensor(0.5, requires_grad=True), mg.tensor(3.0)
    with record() as run:
        loss = (w * x - 1) ** 2
        if loss > 0.3:
            print("far")
        loss.backward()
    return run


@pytest.fixture
def nudged(open_page, tmp_path):
    """A page at its last step, in which w is moved."""

    def opened(**traits):
        path = tmp_path / "nudge.html"
        squared().save(path, **traits)
        page = open_page(path)
        page.keyboard.press("End")
        return page

    return opened


def texts(page):
    shown = ".mg-node :is(text.value, text.grad, text.box), .mg-edge text.part"
    return page.locator(shown).evaluate_all("all => all.map(text => text.textContent)")


def test_by_keyboard_alone(nudged):
    page = nudged()
    before, say = texts(page), page.locator(".mg-say").inner_text()
    page.keyboard.press("m")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "The number"
    page.keyboard.type("0.6")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.mg-moved') !== null")
    told = page.locator(".mg-nudge-told").inner_text()
    assert told.startswith("w went from 0.5 to 0.6. The gradient promised loss a change of 3 × 0.1 = 0.3.")
    assert "It changed by 0.39, from 0.25 to 0.64." in told
    assert "Python looked at a number" in told  # 0.64 > 0.3, and 0.25 was not
    assert page.locator(".mg-say").inner_text() == "w.grad was empty: now it holds 4.8."
    assert {"0.6", "1.8", "0.8", "0.64", "1.6", "4.8"} <= set(texts(page))
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => document.querySelector('.mg-nudge input').value === '0.59'")
    page.keyboard.press("Escape")  # closes it, and puts the number back
    assert texts(page) == before and page.locator(".mg-say").inner_text() == say


def test_every_sentence_follows(nudged):
    page = nudged(move="w")
    page.get_by_label("The number", exact=True).fill("-1")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.mg-moved') !== null")
    said = []
    page.locator(".mg-canvas").focus()
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        said.append(page.locator(".mg-say").inner_text())
    expected = ["v1 = w * x = (-1) * 3 = -3.", "v2 = v1 - 1 = (-3) - 1 = -4.", "loss = v2 ** 2 = (-4) ** 2 = 16."]
    assert said == expected


def test_it_is_dragged_in_the_picture(nudged):
    page = nudged(move="w")
    box = page.locator(".mg-node.leaf text.value").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y, steps=4)
    page.mouse.up()
    page.wait_for_function("() => document.querySelector('.mg-nudge input').value === '0.6'")
    assert "0.6" in texts(page)


def test_in_predict_mode_the_change_is_asked_for_first(nudged):
    page = nudged(move="w", predict=True, asks=[])
    field = page.get_by_label("The number", exact=True)
    field.fill("0.6")
    field.press("Enter")
    assert "By how much will loss change, about?" in page.locator(".mg-nudge").inner_text()
    assert page.locator(".mg-nudge-told").inner_text() == ""  # nothing was answered yet
    assert "0.64" not in texts(page)
    answer = page.locator(".mg-nudge form input")
    answer.fill("3")
    answer.press("Enter")
    assert "That is the gradient" in page.locator(".mg-nudge-told").inner_text()
    assert "0.64" in texts(page)


def test_what_cannot_be_moved_says_why(open_page, tmp_path):
    a = mg.tensor(1.0, requires_grad=True, dtype=mg.complex64)
    with record() as run:
        (a * 2).abs().backward()
    run.save(tmp_path / "still.html", move="a")
    page = open_page(tmp_path / "still.html")
    assert "cannot be moved: it computes with complex64." in page.locator(".mg-nudge").inner_text()


def test_on_a_narrow_page_nothing_is_clipped(nudged):
    page = nudged(move="w")
    page.set_viewport_size({"width": 600, "height": 900})
    page.get_by_label("The number", exact=True).fill("123.4567")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.mg-moved') !== null")
    fits = "panel => panel.scrollHeight <= panel.clientHeight && panel.scrollWidth <= panel.clientWidth"
    assert page.locator(".mg-nudge").evaluate(fits)
    page.set_viewport_size({"width": 360, "height": 900})
    assert page.locator(".mg-nudge").evaluate(fits)


def test_a_leaf_that_is_too_large_says_so_in_the_list(open_page, tmp_path):
    w, large = mg.tensor(2.0, requires_grad=True), mg.ones(41, requires_grad=True)
    with record() as run:
        (w * large).sum().backward()
    run.save(tmp_path / "large.html", move="w")
    options = open_page(tmp_path / "large.html").locator(".mg-nudge option")
    assert options.all_inner_texts() == ["w", "large: more than 40 numbers, none can be moved"]
    assert options.last.is_disabled()


PROGRAM = """\
import minigrad as mg, widgets
w = mg.tensor(0.5, requires_grad=True)
with widgets.record() as run:
    loss = (w * 3 - 1) ** 2
    loss.backward()
run.step()"""


def in_lab(page, lab, name):
    """A notebook whose one cell has shown a stepper."""
    path = lab.write(name, PROGRAM)
    lab.open(page, path.name)
    page.locator(".jp-Cell .cm-content").first.click()
    page.keyboard.press("Shift+Enter")
    page.locator(".mg-stepper").wait_for()
    return path


def test_in_jupyterlab(desk, lab):
    in_lab(desk, lab, "moved.ipynb")
    cells = desk.locator(".jp-Cell").count()
    promise = "The gradient promised loss a change of 3 × 0.1 = 0.3. It changed by 0.39"
    desk.locator(".mg-stepper .mg-next").focus()
    desk.keyboard.press("m")
    desk.keyboard.type("0.6")
    desk.keyboard.press("Enter")
    desk.locator(".mg-moved").wait_for()
    assert promise in desk.locator(".mg-nudge-told").inner_text()
    assert desk.locator(".jp-Cell").count() == cells  # no key was JupyterLab's
    lab.close(desk)


def test_in_a_saved_notebook_without_its_kernel(desk, lab):
    path = in_lab(desk, lab, "moved_later.ipynb")
    lab.save(desk)
    lab.close(desk)
    lab.open(desk, path.name, kernel=False)
    frame = desk.frame_locator(".jp-OutputArea-output iframe")
    frame.locator(".mg-next").press("m")
    desk.keyboard.type("0.6")
    desk.keyboard.press("Enter")
    frame.locator(".mg-moved").wait_for()
    assert "It changed by 0.39" in frame.locator(".mg-nudge-told").inner_text()
    lab.close(desk)


def test_a_number_that_grows_stays_in_its_box(nudged):
    page = nudged(move="w")
    page.get_by_label("The number", exact=True).fill("-1234.567")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.mg-moved') !== null")
    out = page.locator(".mg-node").evaluate_all("""nodes => nodes.flatMap(node => {
        const box = node.querySelector(".shape").getBoundingClientRect();
        const seen = [...node.querySelectorAll(".name, .envelope")].filter(one => one.style.visibility !== "hidden");
        const [name] = seen.map(one => one.getBoundingClientRect()).sort((a, b) => b.right - a.right);
        return [...node.querySelectorAll("text.value, text.grad, text.box")].filter(text => {
            const { left, right, width } = text.getBoundingClientRect();
            const from = name && text.matches(".box") ? name.right : box.left;
            return width && (left < from - 0.5 || right > box.right + 0.5);
        }).map(text => text.textContent);
    })""")
    assert out == [] and "-2.223e+04" in texts(page)
    each = "all => all.map(one => one.getAttribute('textLength') / one.textContent.length)"
    assert all(width > 5 for width in page.locator("[textLength]").evaluate_all(each))  # pixels: it can still be read
    page.get_by_role("button", name="Put back").click()
    assert page.locator("[textLength]").count() == 0
    assert page.locator(".mg-node .name").evaluate_all("all => all.every(({style}) => style.visibility !== 'hidden')")


def test_two_numbers_that_grow_stay_apart(open_page, tmp_path):
    a = mg.tensor(3.0, requires_grad=True)
    with record() as run:
        s = a + a
        (s * s).backward()
    run.save(tmp_path / "twice.html", move="a")
    page = open_page(tmp_path / "twice.html")
    page.keyboard.press("End")
    page.get_by_label("The number", exact=True).fill("-12345.678")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.mg-moved') !== null")
    shown = page.locator(".mg-edge.has-part .part").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(one => [one.left, one.right, one.top, one.bottom])"
    )
    assert len(shown) == 4
    for i, (left, right, top, bottom) in enumerate(shown):
        for other in shown[:i]:
            assert left >= other[1] or other[0] >= right or top >= other[3] - 2 or other[2] >= bottom - 2
    page.get_by_role("button", name="Put back").click()
    assert page.locator(".part[transform]").count() == 0
