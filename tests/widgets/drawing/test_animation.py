"""The moving picture: at each moment exactly what the still one shows at that position."""

import re
import xml.etree.ElementTree as ElementTree

import minigrad as mg
from widgets.drawing import picture
from widgets.drawing.animation import HOLD, animated
from widgets.showing.run import record

SVG = "{http://www.w3.org/2000/svg}"


def recorded():
    w, b = mg.tensor(2.0, requires_grad=True), mg.tensor([1.0, -1.0], requires_grad=True)
    with record("<b>&") as run:
        ((w * b + b) ** 2).sum().backward()
    return run


def seen_at(text, position, last):
    """What is opaque at a position, by the style sheet: classes and texts by id, and the sentence."""
    share = 100 * (position + 0.5) / (last + HOLD)
    opaque = {}
    for name, frames in re.findall(r"@keyframes (\w+)\{((?:[\d.]+%\{opacity:[01]\})+)\}", text):
        turns = [(float(at), int(value)) for at, value in re.findall(r"([\d.]+)%\{opacity:([01])\}", frames)]
        opaque[name] = [value for at, value in turns if at <= share][-1]
    things, words = {}, []
    tree = ElementTree.fromstring(text)

    def visit(element):
        names = element.get("class", "").split()
        if names[:1] == ["at"] and not opaque[names[1]]:
            return
        if element.get("data-id"):
            assert element.get("data-id") not in things, "two looks of a thing at once"
            things[element.get("data-id")] = names, [text.text for text in element.iter(f"{SVG}text")]
        elif element.tag == f"{SVG}text":
            words.append(element.text)
        else:
            for child in element:
                visit(child)

    visit(tree)
    return things, " ".join(words)


def test_each_moment_is_the_picture_of_its_position():
    trace = recorded().trace
    last, moving = len(trace["frames"]), animated(trace)
    assert last > 10
    for position in range(last + 1):
        things, words = seen_at(moving, position, last)
        assert things == seen_at(picture.svg(trace, position), position, last)[0]
        assert words == (" ".join(trace["frames"][position - 1]["say"].split()) if position else "")


def test_who_wants_no_motion_sees_the_end():
    trace = recorded().trace
    moving = animated(trace)
    assert "prefers-reduced-motion: reduce" in moving
    ends = re.findall(r'<g class="at \w+ end">', moving)
    things = {element.get("data-id") for element in ElementTree.fromstring(moving).iter() if element.get("data-id")}
    still = moving.count('data-id="') - len(re.findall(r'<g class="at \w+(?: end)?"><g class="mg', moving))
    assert len(ends) + still == len(things) + 1, "one look of each thing, and the last sentence"


def test_a_longer_step_takes_longer():
    trace = recorded().trace
    steps = len(trace["frames"]) + HOLD
    assert f" {steps * 2}s step-end infinite" in animated(trace, seconds=2)


def test_words_stay_words():
    assert 'aria-label="&lt;b&gt;&amp;"' in recorded().animated()
