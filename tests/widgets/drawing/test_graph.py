"""The drawn graph. DOT text and outline are compared; SVG bytes differ between versions of Graphviz."""

import gc
import re
import weakref

import numpy as np
import pytest

import minigrad as mg
from widgets import draw
from widgets.drawing import layout
from widgets.showing.run import record


def arrows(drawing):
    """The arrows as pairs of titles."""
    boxes = dict(re.findall(r'^\t(n\d+) \[label="?(.*?)(?:\\n|"| color=)', drawing.dot, re.MULTILINE))
    return [(boxes[tail], boxes[head]) for tail, head in re.findall(r"^\t(n\d+) -> (n\d+) ", drawing.dot, re.MULTILINE)]


def test_the_first_lesson():
    a = mg.linspace(0.0, 2 * np.pi, 25, requires_grad=True)
    b = mg.sin(a)
    c = 2 * b
    d = c + 1
    out = d.sum()
    drawing = draw(out)
    assert drawing.outline.splitlines() == [
        "a             AccumulateGrad  25 values: 0 … 6.283  .grad –",
        "b = sin(a)    SinBackward0    25 values: -1 … 1",
        "c = b * 2     MulBackward0    25 values: -2 … 2",
        "d = c + ?     AddBackward0    25 values: -1 … 3",
        "out = sum(d)  SumBackward0    25",
        "? is a value that the graph does not hold: no derivative needs it, or a backward has let it go.",
    ]
    assert arrows(drawing) == [
        ("a", "b = sin(a)"),
        ("b = sin(a)", "c = b * 2"),
        ("2", "c = b * 2"),
        ("c = b * 2", "d = c + ?"),
        ("?", "d = c + ?"),
        ("d = c + ?", "out = sum(d)"),
    ]
    kinds = [node["kind"] for node in drawing.trace["nodes"]]
    assert kinds == "leaf operation constant operation constant operation operation".split()


def test_one_arrow_per_argument_slot():
    a = mg.tensor(3.0, requires_grad=True)
    assert arrows(draw(a + a, names={"a": a})) == [("a", "v1 = a + a")] * 2


def test_a_program_is_watched():
    a = mg.tensor([0.0, 1.0], requires_grad=True)
    k = mg.tensor([3.0, 4.0])

    def program():
        scaled = a * 2
        return scaled - k

    drawing = draw(program)
    assert drawing.outline.splitlines() == [
        "a                AccumulateGrad  [0, 1]    .grad –",
        "scaled = a * 2   MulBackward0    [0, 2]",
        "k                input           [3, 4]",
        "v1 = scaled - k  SubBackward0    [-3, -2]",
    ]


def test_a_watched_program_that_changes_values_in_place():
    a = mg.tensor([1.0, 2.0], requires_grad=True)
    k = mg.tensor([3.0, 4.0])

    def program():
        b = a * k
        k.add_(1)
        b.mul_(k)
        return b * k

    values = [re.split("  +", line)[::2][:2] for line in draw(program).outline.splitlines()]
    assert values == [
        ["a", "[1, 2]"],
        ["k", "[4, 5]"],  # a leaf's memory, as it is at the end
        ["b = a * k", "[3, 8]"],  # a result is not changed by what comes after: that makes a new one
        ["b₂ = b * k", "[12, 40]"],
        ["v1 = b₂ * k", "[48, 200]"],
    ]


def test_what_was_computed_before_is_drawn_too():
    a = mg.tensor(3.0, requires_grad=True)
    b = a * 2
    rows = [re.split("  +", line)[0] for line in draw(lambda: mg.sin(b)).outline.splitlines()]
    assert rows == ["a", "b = a * 2", "v1 = sin(b)"]


def test_a_function_is_a_frame_with_its_own_name():
    a = mg.tensor(1.5, requires_grad=True)

    def power(x, n):
        return x if n == 1 else power(x, n - 1) * x

    trace = draw(lambda: power(a, 3)).trace
    assert [(group["name"], group.get("parent")) for group in trace["groups"]] == [("power()", None), ("power()", 0)]


def test_a_step_in_place_is_told_with_the_value_before_it():
    a, k = mg.tensor(2.0, requires_grad=True), mg.tensor(4.0)
    with record() as run:
        b = a * 3
        b.mul_(k)
    assert run.equations() == "b = a * 3 = 2 * 3 = 6\nb₂ = b * k = 6 * 4 = 24"


def test_an_operation_of_ones_own_is_drawn():
    class Double(mg.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    a = mg.tensor(3.0, requires_grad=True)
    row = ["b = Double(a)", "DoubleBackward", "6"]
    b = Double.apply(a)
    assert re.split("  +", draw(b).outline.splitlines()[1]) == row
    assert [re.split("  +", line) for line in draw(lambda: Double.apply(b)).outline.splitlines()][1:] == [
        row,
        ["v1 = Double(b)", "DoubleBackward", "12"],
    ]


def test_the_mailbox_fills():
    a = mg.tensor(3.0, requires_grad=True)
    b = a * a
    b.retain_grad()
    (b * 1).backward()
    assert draw(b, names={"a": a, "b": b}).outline.splitlines() == [
        "a          AccumulateGrad  3  .grad 6",
        "b = a * a  MulBackward0    9  .grad 1",
    ]
    a.grad.zero_()
    assert ".grad 0" in draw(b).outline
    a.grad = None
    assert ".grad –" in draw(b).outline


def test_values_that_the_graph_did_not_keep():
    a = mg.tensor([1.0, 2.0], requires_grad=True)
    out = ((a + 1) * 2).sum()
    assert draw(out, names={}).outline.splitlines() == [
        "v1            AccumulateGrad  [1, 2]    .grad –",
        "v2 = v1 + ?   AddBackward0    not kept",
        "v3 = v2 * 2   MulBackward0    not kept",
        "v4 = sum(v3)  SumBackward0    10",
        "? is a value that the graph does not hold: no derivative needs it, or a backward has let it go.",
    ]


def test_after_backward_saved_values_are_gone_and_drawing_still_works():
    a = mg.tensor([1.0, 2.0], requires_grad=True)
    out = (a * a * 3).sum()
    out.backward()
    outline = draw(out, names={"a": a}).outline
    assert "v2 = v1 * ?" in outline and ".grad [6, 12]" in outline


def test_a_value_overwritten_in_place_is_not_shown_as_the_old_one():
    a = mg.ones(3, requires_grad=True)
    b = a * 2
    c = b * b
    b.add_(1)
    first = draw(c, names={"a": a}).outline.splitlines()[1]
    assert first.startswith("v1 = a * 2 ") and first.endswith(" not kept")


def test_several_outputs_have_boxes_of_their_own():
    a = mg.tensor([[1.0, 5.0], [7.0, 2.0]], requires_grad=True)
    top, _ = a.max(dim=1)
    low, high = top.unbind()
    result = low * high
    pairs = arrows(draw(result))
    assert [head for tail, head in pairs if tail.startswith("top")] == ["low = unbind(top)[0]", "high = unbind(top)[1]"]
    assert ("low = unbind(top)[0]", "result = low * high") in pairs


def test_options_and_formulas():
    a = mg.ones(2, 3, requires_grad=True)
    x = mg.ones(3, 2)
    titles = [line.split("  ")[0] for line in draw(lambda: mg.relu(1 - a @ x).sum(dim=0) ** 2).outline.splitlines()]
    assert titles == ["a", "x", "v1 = a @ x", "v2 = 1 - v1", "v3 = relu(v2)", "v4 = sum(v3, dim=0)", "v5 = v4 ** 2"]


def test_what_the_graph_does_not_hold_is_asked_for():
    w = mg.ones(2, 2, requires_grad=True)
    loss = mg.stack([w**3, w]).reshape(8).sum()
    titles = [line.split("  ")[0] for line in draw(loss).outline.splitlines()]
    assert titles[:4] == ["w", "v1 = w ** 3", "v2 = stack(v1, w)", "v3 = view(v2, shape=?)"]
    loss.backward()
    titles = [line.split("  ")[0] for line in draw(loss).outline.splitlines()]
    assert titles[:3] == ["w", "v1 = w ** ?", "v2 = stack(v1, w)"] and titles[-1].startswith("? is a value")


def test_a_shape_is_told_without_the_name_of_its_class():
    w = mg.ones(2, 2, requires_grad=True)
    assert "v1 = view(w, shape=(4, 1))" in draw(lambda: w.reshape(mg.Size([4, 1]))).outline


def test_results_without_a_history():
    a = mg.tensor(3.0, requires_grad=True)
    k = mg.tensor(2.0)
    assert draw(a).outline == "a  AccumulateGrad  3  .grad –"
    assert draw(k).outline == "k  input  2"
    assert draw(k + 1, names={}).outline == "v1  input  3"
    assert draw(a * k, a).outline.splitlines()[-1].startswith("v1 = a * k")


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", '"]; x -> y [label="', "a\nb\x00", "{|}", "\\N", "<b>a</b>"]
)
def test_names_are_data(name):
    a = mg.tensor(3.0, requires_grad=True)
    drawing = draw(a + a, names={name: a})
    assert re.findall(r"\bn\d+ -> n\d+\b", drawing.dot) == ["n0 -> n1", "n0 -> n1"]
    assert not re.search(r"<(img|b)\b", drawing.svg)
    assert len(drawing.outline.splitlines()) == 2


@pytest.mark.parametrize("value", [np.nan, np.inf, -0.0, 1e-30, 123456789.0])
def test_odd_numbers(value):
    a = mg.tensor([value], requires_grad=True)
    assert draw(a).outline == f"a  AccumulateGrad  [{value + 0:.4g}]  .grad –"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (mg.zeros(0), "0 values"),
        (mg.tensor([True, False]), "[True, False]"),
        (mg.tensor([1, 2, 3, 4, 5]), "5 values: 1 … 5"),
        (mg.tensor([1 + 2j] * 5), "5 values"),
        (mg.tensor(2 - 1j), "2-1j"),
    ],
)
def test_values_of_all_kinds(value, text):
    assert draw(value, names={"x": value}).outline == f"x  input  {text}"


def test_the_same_program_gives_the_same_picture():
    def once():
        a = mg.tensor([1.0, 2.0], requires_grad=True)
        return draw((a * 2).sum(), names={"a": a})

    first, second = once(), once()
    assert (first.dot, repr(first), first.svg) == (second.dot, repr(second), second.svg)


def test_a_long_chain_is_folded_and_its_outline_cut():
    a = mg.tensor(1.0, requires_grad=True)
    x = a
    for _ in range(10_000):
        x = x + 1
    drawing = draw(x)
    lines = drawing.outline.splitlines()
    assert len(lines) == 402 and lines[400] == "… and 9,601 more."
    assert 100 < drawing.svg.count('class="mg-node folded') <= 300


def test_a_notebook_gets_picture_and_outline(tmp_path):
    a = mg.tensor(1.0, requires_grad=True)
    drawing = draw(a * 2)
    bundle, _ = drawing._repr_mimebundle_()
    assert bundle.pop("image/png")
    assert bundle == {"text/plain": drawing.outline, "image/svg+xml": drawing.svg}
    drawing.save(tmp_path / "x.svg")
    drawing.save(str(tmp_path / "x.dot"))
    assert (tmp_path / "x.svg").read_text(encoding="utf-8") == drawing.svg
    assert (tmp_path / "x.dot").read_text(encoding="utf-8") == drawing.dot
    with pytest.raises(ValueError, match="as .svg or .dot, not as 'x.png'"):
        drawing.save("x.png")


def test_without_graphviz_a_notebook_gets_the_outline_and_a_sentence(monkeypatch, capsys):
    monkeypatch.setattr(layout, "commands", list)
    layout.KNOWN.clear()
    a = mg.tensor(1.0, requires_grad=True)
    drawing = draw(a * 2)
    assert drawing._repr_mimebundle_() == ({"text/plain": drawing.outline}, {})
    assert capsys.readouterr().err.startswith("the picture cannot be drawn: no Graphviz was found; install")


@pytest.mark.parametrize("wrong", [(), (1.0,), ([],), (lambda: 3,)])
def test_what_cannot_be_drawn(wrong):
    with pytest.raises(TypeError, match=r"draw\(\) takes Tensors, or a function that returns them"):
        draw(*wrong)


@pytest.mark.parametrize("names", [{"a": 3}, 3, ["a"]])
def test_names_must_be_names_of_tensors(names):
    with pytest.raises(TypeError, match="names must be a dictionary"):
        draw(mg.ones(1), names=names)


def test_a_drawing_keeps_no_graph_alive():
    a = mg.ones(3, requires_grad=True)
    b = mg.sin(a)
    node = weakref.ref(b.grad_fn)
    gc.disable()
    try:
        drawing = draw(b * 2, names={})
        del b
        assert node() is None and drawing.outline
    finally:
        gc.enable()
