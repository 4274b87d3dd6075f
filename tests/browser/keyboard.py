"""What a learner does by keyboard alone, in JupyterLab or on a page: come to a question, answer it, take a hint.

    go_through(page, question, asked, right="6")

gives a wrong answer that the question knows, takes a hint and gives the right answer. What is said each time must be
what the question's data say. The focus is in the question's field when it begins.
"""

import pytest

HOLDS = "element => element.contains(document.activeElement)"
# Tab is pressed some times before anybody looks where that has led to: those presses that are too many go nowhere.
STAY = """element => {
    element.stays = (event) => {
        if (event.key !== "Tab" || !element.contains(document.activeElement)) return;
        event.preventDefault();
        event.stopPropagation();
    };
    addEventListener("keydown", element.stays, true);
}"""
LEAVE = "element => removeEventListener('keydown', element.stays, true)"


def press(page, key, times=1):
    for _ in range(times):
        page.keyboard.press(key)


def tab_into(page, element, most=300, at_once=10):
    """From where the focus is, on to the first thing in an element that can have it."""
    page.keyboard.press("Tab")
    element.evaluate(STAY)
    for _ in range(0, most, at_once):
        if element.evaluate(HOLDS):
            element.evaluate(LEAVE)
            return
        press(page, "Tab", at_once)
    pytest.fail(f"{most} presses of Tab have not led into {element}")


def plain(text):
    """A text of a question as it is read."""
    return text.replace("`", "")


def typed(kind, value):
    """A computed answer as one would type it."""
    return f"({value})" if kind == "shape" else str(value)


def go_through(page, question, asked, right):
    assert question.get_attribute("aria-label") == f"Question: {plain(asked.prompt)}"
    wrong, says = asked.wrong[0]
    answer(page, question, asked, typed(asked.kind, wrong))
    assert verdict(question) == f"Not quite. {plain(says)}"
    if asked.hints:
        press(page, "Tab", 2)  # over Check
        press(page, "Enter")
        assert question.locator(".mg-ask-hints li").all_text_contents() == [plain(asked.hints[0])]
    answer(page, question, asked, right)
    assert verdict(question) == f"Right. {plain(asked.because)}".strip()


def verdict(question):
    return question.locator(".mg-ask-verdict").text_content()


def answer(page, question, asked, text):
    """Put an answer in and hand it in; `text` is what is kept of it."""
    ways = {"sign": choose, "choice": choose, "order": arrange, "picture": slide}
    ways.get(asked.kind, write)(page, question, asked, text)
    press(page, "Enter")


def write(page, question, asked, text):
    page.keyboard.type(text)  # what stood there is selected


def choose(page, question, asked, value):
    values, at = question.get_by_role("radiogroup").evaluate("""group => {
        const all = [...group.querySelectorAll("input")];
        return [all.map(one => one.value), all.indexOf(document.activeElement)];
    }""")
    press(page, "Space")
    move(page, values.index(value) - at)


def arrange(page, question, asked, order):
    """Pick each item in its turn; if they are all picked already, move each up to its place."""
    items = question.locator(".mg-ask-order button")
    for place, i in enumerate(map(int, order.split(","))):
        at = items.locator("span").all_text_contents().index(plain(asked.options[i]))
        move(page, at - items.evaluate_all("all => all.indexOf(document.activeElement)"))
        if items.nth(at).get_attribute("aria-pressed") == "true":
            press(page, "Alt+ArrowUp", at - place)
        else:
            press(page, "Enter")
    press(page, "Tab")  # to Check


def slide(page, question, asked, place):
    press(page, "Home")
    press(page, "ArrowRight", int(place))


def move(page, steps):
    press(page, "ArrowDown" if steps > 0 else "ArrowUp", abs(steps))
