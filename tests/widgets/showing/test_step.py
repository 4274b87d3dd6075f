"""What a teacher calls: `step`, `%%step`, `run.step()`, `run.save()`, pictures and animations of a run."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

import minigrad as mg
import widgets
from widgets.drawing import layout


def labels(stepper):
    return [node["label"] for node in stepper.trace["nodes"] if node["kind"] != "constant"]


def said(stepper):
    return [frame["say"] for frame in stepper.trace["frames"]]


# == step() ================================================================================================


def test_from_a_finished_forward():
    a = mg.tensor([0.5, 2.0], requires_grad=True)
    b = mg.sin(a)
    loss = (b * b).sum()
    stepper = widgets.step(loss)
    assert labels(stepper) == ["a", "b = sin(a)", "v1 = b * b", "loss = sum(v1)"]
    assert [phase["title"] for phase in stepper.trace["phases"]] == ["Forward", "Backward"]
    assert a.grad is None
    loss.backward()  # the graph is still whole
    mailbox = stepper.trace["frames"][-1]["changes"][-1]
    shown = np.array(stepper.trace["values"][mailbox[3]]["data"], np.float32)
    assert mailbox[:2] == ["n0", "box"] and np.array_equal(shown, a.grad.numpy())


def test_what_was_in_mailboxes_stays():
    a = mg.tensor(3.0, requires_grad=True)
    b = a * 2
    b.retain_grad()
    (b * b).backward(retain_graph=True)
    grads, before = (a.grad, b.grad), (a.grad.clone(), b.grad.clone())
    stepper = widgets.step(b * b)
    assert (a.grad, b.grad) == before and a.grad is grads[0] and b.grad is grads[1]
    assert said(stepper)[-1] == "a.grad held 24, and a backward adds: now it holds 24 + 24 = 48."


def test_from_a_function_and_its_inputs():
    a = mg.tensor(0.5, requires_grad=True)
    stepper = widgets.step(lambda x: (2 * mg.sin(x) + 1).sum(), a)
    assert labels(stepper) == ["x", "v1 = sin(x)", "v2 = 2 * v1", "v3 = v2 + 1", "v4 = sum(v3)"]
    assert a.grad is None and stepper.trace["groups"] == []


def test_what_a_module_is_given_is_called_as_its_forward_calls_it():
    class Half(mg.nn.Module):
        def forward(self, whole):
            return whole / 2

    assert widgets.step(Half(), 3.0).trace["frames"][0]["say"] == "v1 = whole / 2 = 3 / 2 = 1.5."
    assert widgets.step(lambda *all: all[0] * 2, 3.0).trace["frames"][0]["say"] == "v1 = all[0] * 2 = 3 * 2 = 6."


def test_numbers_become_leaves_unless_one_input_asks_for_a_gradient():
    stepper = widgets.step(lambda w, x: w * x, 2.0, 3.0)
    assert [node["kind"] for node in stepper.trace["nodes"]] == ["leaf", "leaf", "operation"]
    stepper = widgets.step(lambda w, x: w * x, mg.tensor(2.0, requires_grad=True), mg.tensor(3.0))
    assert [node["kind"] for node in stepper.trace["nodes"]] == ["leaf", "input", "operation"]


def test_what_a_function_closes_over_is_left_as_it_was():
    w = mg.tensor(2.0, requires_grad=True)
    stepper = widgets.step(lambda x: w * x, 3.0)
    assert w.grad is None and labels(stepper)[:2] == ["w", "x"]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: widgets.step(mg.ones(3, requires_grad=True) * 2), RuntimeError, r"has shape \[3\]; take its .sum\(\)"),
        (lambda: widgets.step(mg.ones(1)), RuntimeError, "requires no gradient"),
        (lambda: widgets.step(3), TypeError, "takes a Tensor, or a function and its inputs, but got int"),
        (lambda: widgets.step(mg.ones(1, requires_grad=True), 2.0), TypeError, "takes inputs only with a function"),
        (lambda: widgets.step(lambda x: 3, 2.0), TypeError, "the function returned int"),
        (lambda: widgets.step(lambda x: x * 2, 2.0, direction="up"), ValueError, "direction"),
    ],
)
def test_misuse_of_step(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_an_error_in_a_step_speaks_of_the_callers_variable():
    w = mg.tensor(2.0, requires_grad=True)
    mine = w * w
    mine.backward()
    with pytest.raises(RuntimeError, match="which made `mine`"):
        widgets.step(mine)


# == %%step ================================================================================================


@pytest.fixture
def shell():
    shell = InteractiveShell.instance()
    widgets.load_ipython_extension(shell)
    shell.user_ns["mg"] = mg
    yield shell
    InteractiveShell.clear_instance()


def test_a_cell_is_recorded(shell, capsys):
    shell.run_cell("x = mg.tensor(3.0, requires_grad=True)")
    shell.run_cell("%%step run\ny = x * x\ny.backward()")
    printed = capsys.readouterr().out
    assert "y = x * x = 3 * 3 = 9." in printed and "x.grad was empty: now it holds 6." in printed
    trace = shell.user_ns["run"].trace
    assert trace["files"] == [{"name": "cell", "first": 1, "lines": ["y = x * x", "y.backward()"]}]
    assert [node["name"] for node in trace["nodes"]] == ["x", "y"] and shell.user_ns["x"].grad == 6


def test_an_error_in_a_cell_is_its_last_frame(shell, capsys):
    shell.run_cell("x = mg.tensor(3.0, requires_grad=True)\ny = x * x\ny.backward()")
    shell.run_cell("%%step run\ny.backward()")
    assert "Trying to backward through the graph a second time" in capsys.readouterr().out
    assert shell.user_ns["run"].trace["frames"][-1]["kind"] == "error"


def test_a_cell_without_tensors_shows_nothing_and_a_strange_name_is_refused(shell, capsys):
    shell.run_cell("%%step\nn = 1 + 1")
    assert capsys.readouterr().out == "" and shell.user_ns["n"] == 2
    shell.run_cell("%%step a b\n1")
    assert "takes at most the name of a variable" in capsys.readouterr().out


# == what a run gives ======================================================================================


@pytest.fixture
def run():
    w, x = mg.tensor(2.0, requires_grad=True), mg.tensor(3.0)
    with widgets.record() as run:
        loss = (w * x - 5) ** 2
        loss.backward()
    return run


def test_pictures_of_a_run(run):
    assert ElementTree.fromstring(run.svg()).tag.endswith("svg")
    assert ">6</text>" not in run.svg(0) and ">6</text>" in run.svg(1)
    assert run.dot(0).startswith("digraph") and "w * x" in run.dot()
    with pytest.raises(IndexError, match="positions 0 to"):
        run.svg(99)
    assert run.svg() == run.svg(len(run.trace["frames"])) == run.svg(-1)


def test_a_page(run, tmp_path):
    run.save(tmp_path / "lesson.html", predict=True)
    page = (tmp_path / "lesson.html").read_text(encoding="utf-8")
    assert "loss = (w * x - 5) ** 2" in page and len(page) < 400_000
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", page)
    with pytest.raises(ValueError, match="must end in .html"):
        run.save(tmp_path / "lesson.pdf")


def test_the_outline_is_the_same_each_time(run):
    assert repr(run.step()) == repr(run.step())
    assert "0x" not in repr(run.step()) + repr(run) + repr(widgets.record())


def test_where_no_graphviz_is_the_table_remains(monkeypatch, capsys):
    monkeypatch.setattr(layout, "commands", list)
    stepper = widgets.step(lambda never_drawn_before: never_drawn_before * 2, 1.0)
    assert stepper.views == {} and len(said(stepper)) == 5
    assert "install the Python package pygraphviz" in capsys.readouterr().err


def test_too_long_a_run_is_refused_in_one_sentence(run, monkeypatch):
    monkeypatch.setattr("widgets.showing.run.MANY", 3)
    with pytest.raises(ValueError, match="events were recorded, and nobody walks through more than 3"):
        run.trace  # noqa: B018


def test_recording_leaves_no_trace_in_the_engine(run):
    from minigrad.core import events

    assert not events.listeners and not events.forward_listeners
    assert np.isfinite(run.trace["nodes"][0]["start"]["value"])
