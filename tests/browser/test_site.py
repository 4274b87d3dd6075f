"""The course's pages, opened from a disk, in a browser without a network: as a learner walks through them."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import photograph
from tests.small_course import write_small_course
from widgets.site.pages import build

SIDEWAYS = "() => document.documentElement.scrollWidth - innerWidth"
PAPER = "() => getComputedStyle(document.body).backgroundColor"
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(17, 17, 17)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    home = tmp_path_factory.mktemp("site")
    build(home / "pages", write_small_course(home / "course"))
    return home / "pages"


@pytest.fixture
def visit(open_page, folder):
    """Open a page of the site; a request that leaves, or an error, fails the test (conftest.py)."""
    return lambda name, **options: open_page(folder / name, waits=False, **options)


def alive(page, count):
    expect(page.locator(".mg-stepper")).to_have_count(count)


def question(page, text):
    return page.get_by_role("group", name=f"Question: {text}")


def test_a_walk_through_the_course(visit):
    page = visit("index.html")
    expect(page.locator(".map > li").first).to_contain_text("Not opened yet.")
    page.get_by_role("link", name="1 · A square").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("1 · A square")

    alive(page, 1)
    page.get_by_role("button", name="Next", exact=True).click()  # the stepper asks before it shows
    assert page.url.endswith("01_a_square.html")  # a step is no place in the lesson
    expect(page.locator(".mg-predict")).to_be_visible()

    waits = page.get_by_text("waits for your answer to “slope”")
    expect(waits).to_be_visible()
    expect(page.get_by_text("So it is 6.0")).to_be_hidden()
    asked = question(page, "How steep is")
    asked.get_by_role("textbox").fill("9")
    page.keyboard.press("Enter")
    expect(asked.get_by_role("status")).to_have_text("Not quite. That is a·a itself.")
    expect(waits).to_be_visible()
    asked.get_by_role("textbox").fill("6")
    page.keyboard.press("Enter")
    expect(asked.get_by_role("status")).to_have_text("Right. 3 + 3.")
    expect(page.get_by_text("So it is 6.0")).to_be_visible()
    expect(waits).to_be_hidden()
    alive(page, 2)
    stepper = page.locator(".mg-stepper").first
    stepper.get_by_role("button", name="Next", exact=True).click()
    expect(stepper.locator(".mg-say")).to_have_text("y = a * a = 3 * 3 = 9.")
    expect(page.locator(".summary")).to_have_text("1 of 2 questions answered, 0 of them right at the first try.")

    expect(page.get_by_text("nobody asks", exact=True)).to_be_hidden()
    page.locator("[data-after=unasked]").get_by_role("button", name="Show me").click()
    expect(page.get_by_text("nobody asks", exact=True)).to_be_visible()
    question(page, "Which is visited").get_by_role("radio", name="y").check()
    question(page, "Which is visited").get_by_role("button", name="Check").click()
    expect(page.locator(".summary")).to_have_text("2 of 2 questions answered, 1 of them right at the first try.")

    page.reload()  # what was answered is still there
    alive(page, 2)
    expect(page.get_by_text("So it is 6.0")).to_be_visible()
    expect(page.get_by_text("nobody asks", exact=True)).to_be_visible()
    page.get_by_role("link", name="Next 2 · A sine").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("2 · A sine")
    page.get_by_role("link", name="the square").click()
    page.get_by_role("link", name="the next one").click()
    expect(page.get_by_role("heading", name="What it is, again")).to_be_in_viewport()
    page.wait_for_load_state()  # the heading is there before the script that notes that the lesson was opened
    page.get_by_role("link", name="A small course").click()
    expect(page.locator(".map > li").first).to_contain_text("2 of 2 questions answered, 1 of them right")
    expect(page.locator(".map > li").last).to_contain_text("Opened.")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Forget my answers").click()
    expect(page.locator(".map > li").first).to_contain_text("Not opened yet.")


def test_whoever_gives_up_is_shown_the_answer(visit):
    page = visit("01_a_square.html")
    alive(page, 1)
    page.locator("[data-after=slope]").first.get_by_role("button").click()
    expect(question(page, "How steep is").get_by_role("status")).to_have_text("The answer: 6. 3 + 3.")
    expect(page.get_by_text("So it is 6.0")).to_be_visible()
    assert page.locator("[data-after=slope]").first.evaluate("e => e.contains(document.activeElement)")
    expect(page.locator(".summary")).to_have_text("1 of 2 questions answered, 0 of them right at the first try.")


def test_search_by_keyboard(visit):
    page = visit("01_a_square.html")
    alive(page, 1)
    page.keyboard.press("/")
    page.keyboard.type("ZEBR")
    found = page.locator("#found [role=option]")
    expect(found).to_have_count(1)
    expect(found).to_contain_text("What it is, again")
    expect(found.locator("mark")).to_have_text("zebr")
    page.keyboard.type(" unheard")
    expect(found).to_have_text("Nothing found")
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    field = page.get_by_role("combobox", name="Search")
    field.fill("a")
    expect(found).to_have_count(5)
    assert field.get_attribute("aria-activedescendant") is None
    page.keyboard.press("ArrowUp")  # to the last
    page.keyboard.press("ArrowDown")  # and on to the first
    page.keyboard.press("ArrowDown")
    expect(found.nth(1)).to_have_attribute("aria-selected", "true")
    assert field.get_attribute("aria-activedescendant") == found.nth(1).get_attribute("id")
    field.fill("zebra sleeps")
    expect(found).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What it is, again")).to_be_in_viewport()
    assert page.url.endswith("02_a_sine.html#What-it-is%2C-again")


def test_colours_follow_the_reader(visit):
    page = visit("02_a_sine.html", color_scheme="dark")
    assert page.evaluate(PAPER) == DARK
    choice = page.get_by_label("Colours")
    choice.select_option("light")
    assert page.evaluate(PAPER) == LIGHT
    page.get_by_role("link", name="the square").click()
    alive(page, 1)
    assert page.evaluate(PAPER) == LIGHT
    expect(choice).to_have_value("light")
    choice.select_option("as the system")
    assert page.evaluate(PAPER) == DARK
    page.emulate_media(color_scheme="light")
    assert page.evaluate(PAPER) == LIGHT


def test_a_plot_is_dark_on_a_dark_page(visit):
    """Its picture has a style sheet of its own; that one must follow the page, not the system."""
    page = visit("02_a_sine.html", color_scheme="light")
    corner = lambda: page.locator("main img").screenshot()[-4000:]  # noqa: E731
    light = corner()
    page.get_by_label("Colours").select_option("dark")
    assert corner() != light
    page.get_by_label("Colours").select_option("light")
    assert corner() == light


@pytest.mark.parametrize("name", ["index.html", "01_a_square.html", "02_a_sine.html"])
def test_looks(visit, name):
    """Wide, narrow, light, dark: nothing sticks out, an audit finds nothing; for people to look at."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="the audit needs axe-playwright-python")
    for colours in ("light", "dark"):
        page = visit(name, color_scheme=colours)
        if name.startswith("01"):
            alive(page, 1)
            page.locator("[data-after=slope]").first.get_by_role("button").click()
            alive(page, 2)
        for width in (1400, 900, 360):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(SIDEWAYS) <= 0, (colours, width)
            found = axe.Axe().run(page).response["violations"]
            assert found == [], [(one["id"], one["nodes"][0]["html"]) for one in found]
            photograph(page, f"site {Path(name).stem} {colours} {width}", full_page=True)


def test_what_is_too_wide_scrolls_by_keyboard(visit):
    page = visit("02_a_sine.html")
    page.set_viewport_size({"width": 360, "height": 900})
    expect(page.locator("pre.source", has_text="telephone")).to_have_attribute("tabindex", "0")
    expect(page.locator(".prose pre")).to_have_attribute("tabindex", "-1")


def test_formulas_are_set_in_a_font_that_is_made_for_them(visit):
    page = visit("01_a_square.html")
    fonts = page.locator("math").evaluate_all("all => all.map(one => getComputedStyle(one).fontFamily)")
    assert fonts and all("Math" in font.split(",")[0] for font in fonts)


def test_what_was_printed_is_read_without_scrolling(visit):
    page = visit("02_a_sine.html")
    page.set_viewport_size({"width": 360, "height": 900})
    assert page.locator("pre.stdout").evaluate("printed => printed.scrollWidth - printed.clientWidth") <= 0


def test_the_first_tab_skips_to_the_text(visit):
    page = visit("02_a_sine.html")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the text")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_on_paper_nothing_waits(visit):
    page = visit("01_a_square.html", color_scheme="dark")
    alive(page, 1)
    page.emulate_media(media="print")
    assert page.evaluate(PAPER) == LIGHT
    text = page.locator("body").inner_text()
    for said in ("Think before you look.", "So it is 6.0", "nobody asks", "How steep is", "y.backward()", "first\t1"):
        assert said in text, said
    assert text.count("a.grad was empty: now it holds 6.") == 2  # each stepper in words
    assert "Show me" not in text and "Search" not in text
    photograph(page, "site print", full_page=True)
    assert page.pdf().startswith(b"%PDF")


def test_without_scripts_all_is_there_to_read(visit):
    page = visit("01_a_square.html", java_script_enabled=False)
    expect(page.get_by_text("So it is 6.0")).to_be_visible()
    expect(page.get_by_text("a.grad was empty: now it holds 6.").first).to_be_visible()
    expect(page.locator(".tools")).to_be_hidden()
    expect(page.get_by_text("Show me")).to_have_count(2)
    expect(page.get_by_text("Show me").first).to_be_hidden()
