"""A trace whose numbers may be moved: what says so, and what says why not. (tests/browser/test_live.py moves them.)"""

import json
import re

import pytest

import minigrad as mg
from widgets.drawing.grouping import grouped
from widgets.program import following
from widgets.program.following import traced
from widgets.showing.run import record
from widgets.telling.check import check
from widgets.telling.story import Story


def a_run(optimizer=None):
    w, x = mg.tensor([0.5, -1.0], requires_grad=True), mg.tensor([2.0, 3.0])
    steps = optimizer([w]) if optimizer else None
    with record() as run:
        for _ in range(2 if steps else 1):
            loss = (w * x - 1).square().sum()
            if loss > 100:
                print("large")
            loss.backward()
            if steps:
                steps.step()
    return run


def test_it_tells_what_the_plain_trace_tells():
    run = a_run()
    plain = Story(run._recorder).trace.document
    live = traced(run._recorder)
    assert [f["say"] for f in live["frames"]] == [f["say"] for f in plain["frames"]]
    assert check(json.loads(json.dumps(grouped(live))))
    assert set(live["live"]["leaves"]) == {"0", "1"}


def test_it_is_told_once(monkeypatch):
    told = []
    monkeypatch.setattr(following, "Story", lambda *given, **options: told.append(1) or Story(*given, **options))
    assert "lines" in a_run().trace["live"] and len(told) == 1


def test_a_trace_is_made_inside_of_blocks_and_is_no_part_of_them():
    w = mg.tensor(2.0, requires_grad=True)
    with record() as outer:
        with record() as inner:
            (w * w).backward()
            kinds = [frame["kind"] for frame in inner.trace["frames"]]
    told = ["made", "seeded", "visited", "sent", "sent", "accumulated", "deposited"]
    assert kinds == told == [frame["kind"] for frame in outer.trace["frames"]]


def test_sentences_have_places_for_their_numbers():
    frames = a_run().trace["frames"]
    said = [frame["live"]["say"] for frame in frames if frame["kind"] == "made"]
    assert said[0].startswith("v1 = w * x = ⟦") and said[0].endswith("⟧.")


def test_what_python_decided_by_is_known():
    trace = a_run().trace
    (decided,) = trace["live"]["decided"]
    assert trace["live"]["slots"][decided] == ["bool"]


@pytest.mark.parametrize(
    ("program", "looked_at"),
    [
        (lambda w: w * (w[0] * 2).item(), True), (lambda w: w * mg.tensor((w[0] * 2).item()), True),
        (lambda w: w[w > 2.5], True), (lambda w: w[w.argmax()] ** 2, True), (lambda w: w[w.argsort()] * w, True),
        (lambda w: w * (w[0] * 2) * 4.0, False), (lambda w: w * (w[0] / 2) * 1.0, False),
        (lambda w: w.masked_fill(w > 2.5, 0.0), False), (lambda w: (w * 2).sum(), False),  # which follows
    ],
)  # fmt: skip
def test_what_python_put_in_again_is_known(program, looked_at):
    """Other than a number that stands in the line, be it the same by chance."""
    w = mg.tensor([2.0, 3.0], requires_grad=True)
    with record() as run:
        program(w).sum().backward()
    assert bool(run.trace["live"]["decided"]) == looked_at


def test_a_layer_that_is_made_in_the_run_begins_with_what_was_drawn():
    with record() as run:
        layer, other = mg.nn.Linear(1, 1), mg.zeros(1)
        other.copy_(mg.ones(1))
        (layer(mg.ones(1, 1)) * other.requires_grad_()).sum().backward()
    nodes, live = run.trace["nodes"], run.trace["live"]
    given = dict(live["given"])
    begins = {nodes[int(node)]["name"]: (node, given[slot]) for node, slot in live["leaves"].items()}
    for name, (node, numbers) in begins.items():
        assert run.trace["values"][nodes[int(node)]["start"]["value"]]["data"] == numbers, name
    assert {"layer.weight", "layer.bias"} <= begins.keys()
    assert begins["layer.bias"][1] == pytest.approx(layer.bias.tolist())


def test_what_may_be_either_of_two_gradients_cannot_follow():
    a, b = mg.tensor(2.0, requires_grad=True), mg.tensor(2.0, requires_grad=True)
    with record() as run:
        first, second = mg.autograd.grad(a * b, [a, b])
        (first * a + second).backward()
    assert run.trace["live"] == {"not": "not all that it does can be computed once more"}


@pytest.mark.parametrize("optimizer", [lambda w: mg.optim.SGD(w, 0.1), lambda w: mg.optim.SGD(w, 0.1, momentum=0.9)])
def test_what_an_optimizer_computes_follows(optimizer):
    assert "lines" in a_run(optimizer).trace["live"]


def with_hooks():
    a = mg.tensor(1.0, requires_grad=True)
    b = a * 2
    b.register_hook(lambda g: g * 2)
    return b


def with_a_table():
    return mg.nn.functional.gelu(mg.tensor([1.0, 2.0], requires_grad=True)).sum()


def with_an_unknown_function():
    return mg.linalg.inv(mg.eye(2) + mg.ones(2, requires_grad=True)).sum()


def too_long():
    a = mg.tensor(1.0, requires_grad=True)
    for _ in range(600):
        a = a * 1.01
    return a


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (with_hooks, "it has hooks"),
        (with_a_table, "it looks numbers up in a table, as erf and gelu do, and that is not on the page"),
        (with_an_unknown_function, "a page cannot compute np.linalg.inv"), (too_long, "it has more than 2,000 events"),
    ],
)  # fmt: skip
def test_what_cannot_follow_says_why(program, reason):
    with record() as run:
        program().backward()
    assert run.trace["live"] == {"not": reason}


def test_no_sign_of_a_number_that_moves_is_left_for_a_person():
    assert not re.search("[\ue000-\uf8ff\U000f0000-\U0010ffff]", json.dumps(a_run().trace, ensure_ascii=False))


def test_what_a_tensor_retains_follows():
    with record() as run:
        a = mg.tensor([1.0, 2.0], requires_grad=True)
        b = a * 2
        b.retain_grad()
        (b * b).sum().backward()
        (b.grad * a).sum()
    retained = next(frame for frame in run.trace["frames"] if frame["kind"] == "hook")
    box = next(change for change in retained["changes"] if change[1] == "box")
    assert "slot" in run.trace["values"][box[3]] and len(run.trace["live"]["leaves"]) == 1


@pytest.mark.parametrize("change", [lambda g: g.mul_(0.5), lambda g: g.data.mul_(0.5)])
def test_a_gradient_of_one_number_that_was_changed_adds_up_from_there(change):
    w = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        (w * w).backward()
        change(w.grad)
        (w * w).backward()
    assert run.program().run()["w_grad_3"] == w.grad.item() == 6
    assert "lines" in run.trace["live"]


def test_a_slot_that_is_not_there_is_found():
    trace = json.loads(a_run().to_json())
    trace["live"]["lines"][0][2][0] = 999
    with pytest.raises(ValueError, match="slot 999 is meant"):
        check(trace)
