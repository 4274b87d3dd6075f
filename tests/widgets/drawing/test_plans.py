"""A plan as a picture: at the left what there was, at the right what is left of it."""

import re

import pytest

import minigrad as mg
import minigrad.static as tf
from widgets import draw_plan


def boxes(drawing):
    """For each side, its boxes as (label, what stands below it, whether it goes)."""
    nodes, values = drawing.trace["nodes"], drawing.trace["values"]
    below = [values[one["start"]["value"]]["text"] if "start" in one else "" for one in nodes]
    return [
        [(one["label"], text, one["kind"]) for one, text in zip(nodes, below) if one["group"] == side]
        for side in range(2)
    ]


def arrows(drawing):
    nodes = drawing.trace["nodes"]
    return [(nodes[one["from"]]["label"], nodes[one["to"]]["label"]) for one in drawing.trace["edges"]]


def test_what_goes_and_what_is_left():
    def wave(x):
        h = x.sin() * 1
        return x.sin().exp() + h

    drawing = draw_plan(wave, mg.ones(1000))
    before, after = boxes(drawing)
    assert before == [
        ("x", "", "input"),
        ("h = np.sin(x)", "", "operation"),
        ("t3 = h * 1", "times 1", "constant"),
        ("t4 = np.sin(x)", "computed already", "constant"),
        ("t1 = np.exp(t4)", "", "operation"),
        ("t2 = t1 + t3", "", "operation"),
    ]
    assert after == [
        ("x", "", "input"),
        ("h = np.sin(x)", "memory 1, 4,000 bytes", "operation"),
        ("t1 = np.exp(h)", "memory 2, 4,000 bytes", "operation"),
        ("t2 = t1 + h", "memory of its own, 4,000 bytes", "operation"),
    ]
    assert sorted(arrows(drawing)[-4:]) == [
        ("h = np.sin(x)", "t1 = np.exp(h)"),
        ("h = np.sin(x)", "t2 = t1 + h"),
        ("t1 = np.exp(h)", "t2 = t1 + h"),
        ("x", "h = np.sin(x)"),
    ]
    assert {label for label, *_ in after if "=" in label} <= {line.strip() for line in str(drawing).splitlines()}
    assert str(drawing).startswith("operations: 5 forward and 0 backward; 3 and 0 are left")


def test_what_was_is_at_the_left():
    svg = draw_plan(lambda x: (x.sin() * x.sin()).sum(), mg.ones(100, requires_grad=True)).svg
    places = {text: float(x) for x, text in re.findall(r'<text[^>]* x="([\d.]+)"[^>]*>([^<]*operations)</text>', svg)}
    assert len(places) == 2
    assert min(places, key=places.get).startswith("as it was")


def test_a_whole_training_step_and_a_session():
    model = mg.nn.Linear(2, 1)
    optimizer = mg.optim.SGD(model.parameters(), lr=0.1)

    def step(x):
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()

    before, after = boxes(draw_plan(mg.compile(step), mg.ones(3, 2)))
    assert len(after) <= len(before)
    assert any("lr" in label for label, *_ in after)

    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, shape=(3,), name="x")
    y = tf.sin(x) + tf.sin(x)
    before, after = boxes(draw_plan(tf.Session(), y, feed_dict={x: [1.0, 2.0, 3.0]}))
    assert [len(after), len(before)] == [3, 4]


def test_what_has_no_plan_is_refused():
    with pytest.raises(ValueError, match="there is no plan of this function: it goes on with a number out of a tensor"):
        draw_plan(lambda x: x * x.max().item(), mg.ones(2))
