"""The steppers of a lesson, walked through by keyboard: they say what the notebook says, and show what they say."""

import re

from playwright.sync_api import expect

from tests.browser.keyboard import press

BOXES = """stepper => Object.fromEntries([...stepper.querySelectorAll(".mg-graph .mg-node")].flatMap(node => {
    const box = node.querySelector("text.box");
    return box ? [[node.querySelector("text.title").textContent, box.textContent]] : [];
}))"""
# What a stepper says after each press of a key. It is asked once for all presses: else the page, which draws all of
# JupyterLab, is painted for each.
NOTE = """stepper => {
    stepper.noted = [];
    stepper.addEventListener("keyup", () => stepper.noted.push(stepper.querySelector(".mg-say").textContent));
}"""
NOTED = "stepper => stepper.noted.splice(0)"
UNTOLD = re.compile(r"\S")  # in the place of what the plain text keeps for itself, because it is asked first
NUMBER = r"-?(?:\d+\.?\d*(?:e-?\d+)?|inf|nan)"


def open_places(page):
    """A place opens when it comes near the window: go to each."""
    for place in page.locator("[data-place]").all():
        place.scroll_into_view_if_needed()


def told(cells):
    """What the steps of each stepper say, by the plain text in the notebook."""
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    texts = ["".join(output.get("data", {}).get("text/plain", "")) for output in outputs]
    stories = [re.split(r"\n *(?:\d+|…)  ", text)[1:] for text in texts if text.startswith("Stepper: ")]
    return [[UNTOLD if re.match(r"\d+ more step", one) else one for one in story] for story in stories]


def filled(story):
    """What is in the mailboxes, by the last sentence that tells of each."""
    held = {}
    for sentence in story:
        told = r"(.+)\.grad (?:was empty|held .*): now it holds (?:.* = )?(.+)\."
        if found := re.fullmatch(told, sentence):
            held[found[1]] = found[2]
        elif found := re.fullmatch(r"(.+) retains its gradient: \1\.grad = (.+)\.", sentence):
            held[found[1]] = found[2]
        elif found := re.fullmatch(r"(.+)\.grad is zero again\.", sentence):
            held[found[1]] = "0"
    return held


def tell_the_same(one, other):
    """Whether two texts tell the same numbers, however a matrix is set; the same bounds, where either tells no more.

    >>> tell_the_same("[[1, 2]]", "1 2"), tell_the_same("2×2: -1 … 3", "-1 0 3 2"), tell_the_same("-1 … 3", "-1 0 2")
    (True, True, False)
    """
    both = [[float(found) for found in re.findall(NUMBER, text.rpartition(": ")[2])] for text in (one, other)]
    if any(re.search(" … |all ", text) for text in (one, other)):
        both = [(min(found), max(found)) for found in both]
    return both[0] == both[1]


def walk(page, stepper, story):
    """Through all steps and back."""
    if stepper.locator(".mg-predict").is_visible():
        answer_wrongly(page, stepper)
        page.keyboard.press("p")
    page.keyboard.press("Home")
    story = [sentence for sentence in story if sentence is not UNTOLD]
    stepper.evaluate(NOTE)
    press(page, "ArrowRight", len(story))
    assert stepper.evaluate(NOTED) == story
    boxes = stepper.evaluate(BOXES)
    seen = {name.partition(" = ")[0]: held for name, held in boxes.items() if held != "–"}
    told = filled(story)
    assert seen.keys() == told.keys() and boxes
    assert [name for name in told if not tell_the_same(seen[name], told[name])] == []
    press(page, "ArrowLeft", len(story))
    *back, start = stepper.evaluate(NOTED)
    assert back == story[-2::-1] and "Press Next" in start
    assert set(stepper.evaluate(BOXES).values()) == {"–"}


def answer_wrongly(page, stepper):
    """Next asks, and grades what is typed."""
    stepper.get_by_label("Ask me for").select_option("number")
    stepper.locator(".mg-next").focus()
    while not stepper.locator(".mg-predict form").is_visible():
        page.keyboard.press("ArrowRight")
    page.keyboard.type("12345")
    page.keyboard.press("Enter")
    expect(stepper.locator(".mg-verdict")).to_have_text(re.compile("^Not quite. .* Try again"))
    expect(stepper.locator(".mg-score")).to_have_text("0 of 1 right")


def step_to_the_end(page, stepper, story):
    """The first step and the last."""
    stepper.locator(".mg-next").focus()
    if stepper.locator(".mg-predict").is_visible():
        page.keyboard.press("p")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(stepper.locator(".mg-say")).to_have_text(story[0])
    page.keyboard.press("End")
    expect(stepper.locator(".mg-say")).to_have_text(story[-1])


def step_in_frames(page, stories):
    """The pages that stand for the steppers where there is no kernel."""
    frames = page.locator("iframe:not([title^='Question: '])")
    open_places(page)
    expect(frames).to_have_count(len(stories))
    for number, story in enumerate(stories):
        step_to_the_end(page, frames.nth(number).content_frame.locator(".mg-stepper"), story)
