"""The program in a trace: which frames each line belongs to, what becomes of it when it is simplified, and its size."""

import copy
import json

import pytest

import minigrad as mg
from minigrad.faults import FAULTS
from minigrad.nn import functional as F
from widgets import load, record, step
from widgets.program import listing


def kinds(run, text):
    """What happens in the frames of a line."""
    frames = run.trace["frames"]
    return next([frames[i]["kind"] for i in at] for line, _, at in run.trace["program"]["lines"] if line == text)


def lines_of(frame, run):
    return [text for text, _, frames in run.trace["program"]["lines"] if frame in frames]


def test_each_line_belongs_to_the_frames_that_tell_of_it():
    a = mg.tensor([0.0, 1.0], requires_grad=True)
    with record() as run:
        b = a.sin()
        c = (2 * b + a).sum()
        c.backward()
    assert kinds(run, "b = np.sin(a)") == ["made"]
    assert kinds(run, "c = np.sum(b * 2 + a)") == ["made"] * 3  # three operations in one line
    assert kinds(run, "d_c = np.float32(1.0)") == ["seeded"]
    assert kinds(run, "d_b = d_a * 2") == ["visited", "sent"]
    assert kinds(run, "d_a_2 = d_a + d_b * np.cos(a)") == ["visited", "sent", "accumulated"]
    assert kinds(run, "a_grad = d_a_2") == ["deposited"]
    forward = [i for i, frame in enumerate(run.trace["frames"]) if frame["kind"] in ("made", "seeded", "accumulated")]
    assert all(lines_of(frame, run) for frame in forward)


def test_a_part_lights_the_lines_that_lead_to_it_and_no_others():
    x, y = mg.tensor([3.0, 1.0], requires_grad=True), mg.tensor([2.0, 5.0], requires_grad=True)
    with record() as run:
        q = x / y
        q.sum().backward()
    sent = [frame for frame in run.trace["frames"] if frame["kind"] == "sent" and "q" in frame["equation"]][-2:]
    to_x, to_y = (lines_of(run.trace["frames"].index(frame), run) for frame in sent)
    assert to_x == ["d_x = d_q / y"] and any("d_y = " in line for line in to_y) and not {*to_x} & {*to_y}


def test_what_prepares_a_change_in_place_belongs_to_the_change():
    w = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        (w * w).backward()
        with mg.no_grad():
            unseen = w * 3  # noqa: F841
            w -= 0.1 * w.grad
    assert kinds(run, "w_2 = w - w_grad * 0.1") == ["mutated"]
    assert kinds(run, "unseen = w * 3") == []


def test_beside_each_other_the_lines_that_stay_and_those_that_go():
    a = mg.tensor([0.0, 1.0], requires_grad=True)
    with record() as run:
        b = a.sin() * 1
        (b * (a.sin() + 0)).sum().backward()
    program, shorter = run.trace["program"], run.program(simplify=True)
    gone, left = [], []
    for row in program["simplified"]:
        if isinstance(row, list) and len(row) == 2:
            gone.append((program["lines"][row[0]][0], row[1]))
        else:
            left.append(program["lines"][row] if isinstance(row, int) else row)
    assert [(text, why) for text, why, _ in left] == [(line.text, line.why) for line in shorter.lines]
    assert ("b = np.sin(a) * 1", "times 1") in gone
    stay = [row for row in program["simplified"] if isinstance(row, int)]
    struck = [row[0] for row in program["simplified"] if isinstance(row, list) and len(row) == 2]
    others = [program["lines"][i][0] for i in range(len(program["lines"])) if i not in stay + struck]
    assert others == ["t2 = np.sum(b * t1)"]  # each line stays, goes with a reason, or is written in other names
    assert all(why for _, why in gone) and all(frames for *_, frames in left)


def test_what_a_long_run_comes_down_to_is_not_shown(monkeypatch):
    monkeypatch.setattr(listing, "MOST", 4)
    x = mg.tensor(0.5, requires_grad=True)
    with record() as run:
        y = x.sin()
        y.backward()
    assert len(run.trace["program"]["lines"]) == 4
    with record() as longer:
        y = x.sin()
        z = y.cos()
        z.backward()
    assert longer.trace["program"] == {
        "why_not": "There is no program of this run: it comes down to 6 lines, and more than 4 are not shown here; "
        "`print(run.program())` writes them all."
    }


@pytest.mark.parametrize("name", FAULTS)
def test_a_run_of_a_broken_engine_is_told_with_a_program_or_without(name):
    w = mg.tensor([1.0, 2.0], requires_grad=True)
    with FAULTS[name](), record(keep_errors=True) as run:
        y = w * w
        (y * y + w.sin()).sum().backward()
    assert run.trace["program"].keys() in ({"why_not"}, {"head", "lines", "simplified"})


def test_a_result_that_is_stepped_through_says_what_is_missing():
    w, x = mg.tensor(2.0, requires_grad=True), mg.tensor(3.0)
    assert (
        "a part of its forward was not seen" in step(w * x + 1).trace["program"]["why_not"]
    )  # no rule of a sum keeps the 1
    lines = step((w * x).sin()).trace["program"]["lines"]
    assert [text for text, *_ in lines[:2]] == ["t1 = w * x", "t2 = np.sin(t1)"]
    assert lines[-1][0] == "w_grad = d_w"


def test_a_program_takes_little_of_a_trace():
    mg.manual_seed(0)
    net = mg.nn.Sequential(mg.nn.Linear(2, 3), mg.nn.Tanh(), mg.nn.Linear(3, 1))
    x, y = mg.randn(4, 2), mg.randn(4, 1)
    with record() as run:
        F.mse_loss(net(x), y).backward()
    program = run.trace["program"]
    size = [len(json.dumps(one, separators=(",", ":"))) for one in (program, run.trace)]
    assert size[0] < 0.1 * size[1]


def test_a_document_whose_program_points_nowhere_is_refused():
    w = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        (w * w).backward()
    text = run.to_json()
    assert load(text).trace["program"] == run.trace["program"]
    planted = {
        "program.lines[0] is of frames[99]": lambda program: program["lines"][0][2].append(99),
        "program.simplified[0] is of program.lines[77]": lambda program: program["simplified"].insert(0, 77),
        "program.simplified[0] is of program.lines[78]": lambda program: program["simplified"].insert(0, [78, "no"]),
    }
    for said, plant in planted.items():
        document = copy.deepcopy(run.trace)
        plant(document["program"])
        with pytest.raises(ValueError) as refused:
            load(json.dumps(document))
        assert said in str(refused.value)
