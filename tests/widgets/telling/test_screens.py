"""What is shown of small programs of all kinds is true, and in a learner's words; a planted fault is noticed."""

import copy
import re

import numpy as np
import pytest

import minigrad as mg
from tests.widgets.telling.screens import Program, found, recorded
from widgets import record
from widgets.program.draft import NoProgram
from widgets.recording.tensors import Tensors

SHARE = 8
PLACES = re.compile(r"> 0\]|unique|\.max\(|sort|opt\.step|nan|inf|clip|register_hook")  # decided once


def follows(program: Program) -> bool:
    """Whether what a run comes down to computes of other numbers what the engine does; as far as it can be written."""
    others = [re.sub(r"(?<![\w.])1\.0\b", "1.25", program.leaves[0], count=1), *program.leaves[1:]]
    if PLACES.search(program.text) or others[0] == program.leaves[0]:
        return True
    try:
        written, expected = recorded(program).program(), recorded(program, others).program().run()
    except (NoProgram, RuntimeError):
        return True
    leaves = Program.begun(others)
    given = {name: leaves[name].detach().numpy() for name in "xk" if f"given: {name}," in str(written)}
    computed = written.run(**given)
    named = {name for name in computed.keys() & expected if not re.match(r"t\d", name)}
    return all(np.array_equal(computed[name], expected[name], equal_nan=True) for name in named)


@pytest.mark.parametrize("first", range(0, 160, SHARE))
def test_what_a_screen_says(first):
    for seed in range(first, first + SHARE):
        program = Program(seed)
        run = recorded(program)
        if run.happened:
            assert found(run.trace, program.text) == [], f"seed {seed}\n{program.text}"


@pytest.mark.parametrize("first", range(0, 160, SHARE))
def test_a_program_follows_other_numbers(first):
    assert [seed for seed in range(first, first + SHARE) if not follows(Program(seed))] == []


def test_a_number_that_is_taken_for_another_is_noticed(monkeypatch):
    right, program = Tensors.memory, Program(0)
    program.leaves[:2] = [f"{name} = mg.tensor([1.0, 2.0], requires_grad=True)" for name in "xk"]
    program.lines = ["a = x.sum()", "b = k.sum()", "out = a * b", "out.backward()"]
    program.text = "\n".join(program.lines)
    assert follows(program)
    monkeypatch.setattr(Tensors, "memory", lambda *asked: right(*asked) or ("no memory",))
    assert not follows(program)


FAULTS = [
    ("say", r"= -?([\d.]+)\.$", "= 77.25.", "nowhere else stands 77.25"),
    ("say", r"x", "None", "ours: "),
    ("equation", r"= -?[\d.]+$", "= 77.25", "false: "),
    ("hint", r"x", "x(", "form: "),
    ("say", r"x", "minigrad.core.x", "ours: "),
]


@pytest.mark.parametrize(("key", "old", "new", "noticed"), FAULTS)
def test_a_planted_word_is_noticed(key, old, new, noticed):
    x = mg.tensor(3.0, requires_grad=True)
    program = Program(0)
    program.lines = ["y = x * x", "out = y * 3", "out.backward()"]
    program.leaves[0] = "x = mg.tensor(3.0, requires_grad=True)"
    trace = recorded(program).trace
    assert found(trace, "") == [] and x is not None
    for frame in trace["frames"]:
        frame[key] = re.sub(old, new, frame.get(key, ""), count=1)
    assert any(one.startswith(noticed) for one in found(trace, "")), found(trace, "")


def test_a_part_that_is_missing_is_noticed():
    program = Program(0)
    program.leaves[0] = "x = mg.tensor(3.0, requires_grad=True)"
    program.lines = ["y = x * 2", "out = y * y", "out.backward()"]
    trace = recorded(program).trace
    wrong = copy.deepcopy(trace)
    at = next(i for i, frame in enumerate(wrong["frames"]) if frame["kind"] == "sent" and "y" in frame["say"][:2])
    edge = next(change for change in wrong["frames"][at]["changes"] if change[1] == "part")
    edge[3] = next(i for i, value in enumerate(wrong["values"]) if value.get("data") == [2.0])
    assert found(trace, "") == [] and any("the parts are" in one for one in found(wrong, "2"))


def test_where_no_gradient_arrives_it_is_told_to_count_as_zero():
    """The rule runs all the same: it is a Function's own."""

    class Lost(mg.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a + 1

        @staticmethod
        def backward(ctx, g):
            return None

    class Kept(Lost):
        @staticmethod
        def backward(ctx, g):
            return g + 5

    x = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        y = Kept.apply(x)
        out = Lost.apply(y).sum()
        out.backward()
    said = [frame["say"] for frame in run.trace["frames"]]
    assert "No gradient has flowed to y, which counts as 0: ∂out/∂y = [0, 0]." in said
    assert run.equations().splitlines()[-2:] == ["∂out/∂x = KeptBackward(∂out/∂y) = [5, 5]", "x.grad = [5, 5]"]
