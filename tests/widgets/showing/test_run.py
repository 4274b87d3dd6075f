"""Recorded runs: what the frames say is what the engine did, bit for bit, and going back restores the start."""

import contextlib
import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import minigrad as mg
import widgets
from minigrad import nn
from minigrad.faults import FAULTS
from widgets.showing.run import record

SCHEMA = json.loads((Path(widgets.__file__).parent / "trace.schema.json").read_text(encoding="utf-8"))


# == programs ==============================================================================================


def scalar():
    w, b = mg.tensor(2.0, requires_grad=True), mg.tensor(1.0, requires_grad=True)
    x, y = mg.tensor(3.0), mg.tensor(5.0)
    with record() as run:
        loss = ((w * x + b - y) ** 2).mean()
        loss.backward()
    return run, {"w": w, "b": b}


def sine():
    a = mg.linspace(0.0, 6.28, 25, requires_grad=True)
    with record() as run:
        b = mg.sin(a)
        c = 2 * b
        d = c + 1
        out = d.sum()
        out.backward()
    return run, {"a": a}


def shared():
    a = mg.tensor([3.0, -1.0], requires_grad=True)
    with record() as run:
        b = a + a
        c = b * a
        c.sum().backward()
        a.grad.zero_()
        (a * 2).sum().backward()
        (a * 2).sum().backward()
        a.grad = None
    return run, {"a": a}


def stretched():
    w = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    m = mg.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    with record() as run:
        out = (m * w).sum()
        out.backward()
    return run, {"w": w}


def network():
    mg.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 1))
    optimizer = mg.optim.Adam(net.parameters(), lr=0.1)
    x, y = mg.randn(5, 4), mg.randn(5, 1)
    with record() as run:
        for _ in range(2):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            loss.backward()
            optimizer.step()
    return run, dict(net.named_parameters())


def hooked():
    a = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        b = a * 3
        b.retain_grad()
        b.register_hook(lambda g: g * 10)
        c = b * b
        c.backward()
    return run, {"a": a, "b": b}


def in_place():
    a = mg.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    with record() as run:
        b = a * 2
        v = b.view(2, 2)
        v.mul_(3)
        b.sum().backward()
        with mg.no_grad():
            a -= 0.1 * a.grad
    return run, {"a": a}


def several_outputs():
    a = mg.tensor([3.0, 1.0, 2.0], requires_grad=True)
    with record() as run:
        values, _ = a.sort()
        low, rest = values.split([1, 2])
        (low.sum() * 2 + rest.prod()).backward()
    return run, {"a": a}


def own_operation():
    class Cube(mg.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 3 * x**2

    a = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        out = Cube.apply(a) * 2
        out.backward()
    return run, {"a": a}


def only_the_backward():
    a = mg.tensor([1.0, 2.0], requires_grad=True)
    k = mg.tensor([3.0, 4.0])
    out = (mg.exp(a) * k + a).sum()
    with record() as run:
        out.backward()
    return run, {"a": a}


def twice():
    x = mg.tensor(3.0, requires_grad=True)
    with record() as run:
        y = x**3
        (first,) = mg.autograd.grad(y, x, create_graph=True)
        first.backward()
    return run, {"x": x}


def sums_along():
    a = mg.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    with record() as run:
        means = a.mean(dim=1)
        out = (means * means).sum() + a.sum(0).prod()
        out.backward()
    return run, {"a": a}


PROGRAMS = [
    scalar, sine, shared, stretched, network, hooked, in_place, several_outputs, own_operation, only_the_backward,
    twice, sums_along,
]  # fmt: skip


def states(trace):
    """The state at each position, going forward."""
    state = {(f"n{i}", field): v for i, node in enumerate(trace["nodes"]) for field, v in node.get("start", {}).items()}
    yield dict(state)
    for frame in trace["frames"]:
        for target, field, before, after in frame.get("changes", []):
            assert state.get((target, field)) == before, (frame["say"], target, field)
            state[target, field] = after
        yield dict(state)


def box(trace, name):
    return next(i for i, node in enumerate(trace["nodes"]) if node["name"] == name)


def array(value):
    dtype = value.get("dtype", "float32")
    return np.array([float(one) for one in value["data"]], dtype).reshape(value.get("shape", ()))


# == what holds for all ====================================================================================


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_document_is_as_its_schema_says(program):
    run, _ = program()
    jsonschema.validate(json.loads(run.to_json()), SCHEMA)
    trace, count = run.trace, len(run.trace["frames"])
    assert trace["phases"][0]["first"] == 0 and trace["phases"][-1]["last"] == count - 1
    assert all(one["last"] + 1 == other["first"] for one, other in zip(trace["phases"], trace["phases"][1:]))
    assert all(frame["hint"] and frame["say"] for frame in trace["frames"])
    names = [node["name"] for node in trace["nodes"] if node["kind"] != "constant"]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("program", PROGRAMS)
def test_going_back_restores_the_start(program):
    trace = program()[0].trace
    *_, last = states(trace)
    for frame in reversed(trace["frames"]):
        for target, field, before, after in reversed(frame.get("changes", [])):
            assert last.get((target, field)) == after
            last[target, field] = before
    first = next(states(trace))
    assert {key: value for key, value in last.items() if value is not None} == first


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_last_numbers_are_the_engines_bit_for_bit(program):
    run, tensors = program()
    trace = run.trace
    *_, last = states(trace)
    for name, tensor in tensors.items():
        target = f"n{box(trace, name)}" if any(n["name"] == name for n in trace["nodes"]) else None
        if target is None:
            continue
        mailbox = last.get((target, "box"))
        assert (mailbox is None) == (tensor.grad is None), name
        if mailbox is not None:
            assert np.array_equal(array(trace["values"][mailbox]), tensor.grad.numpy(), equal_nan=True), name
        shown = trace["values"][last[target, "value"]]
        if "data" in shown:
            assert np.array_equal(array(shown), tensor.detach().numpy()), name


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_recorded_run_computes_what_an_unrecorded_one_does(program):
    _, recorded = program()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("widgets.recording.recorder.events.listen", lambda *_: contextlib.nullcontext())
        _, plain = program()
    for name, tensor in recorded.items():
        other = plain[name]
        assert np.array_equal(tensor.detach().numpy(), other.detach().numpy())
        assert (tensor.grad is None) == (other.grad is None)
        assert tensor.grad is None or np.array_equal(tensor.grad.numpy(), other.grad.numpy())


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_arithmetic_adds_up(program):
    trace = program()[0].trace
    for frame in trace["frames"]:
        inside = frame.get("arithmetic")
        if inside is None:
            continue
        inputs = [array(trace["values"][i]).astype(float) for i in inside["inputs"]]
        axes = tuple(inside.get("axes", ()))
        if inside["how"] == "map" and inside["template"] == "{0} × {1}":
            out = inputs[0] * inputs[1]
        elif inside["how"] == "map" and inside["template"] == "{0} + {1}":
            out = inputs[0] + inputs[1]
        elif inside["how"] == "sum":
            out = inputs[0].sum(axis=axes)
        elif inside["how"] == "mean":
            out = inputs[0].mean(axis=axes)
        elif inside["how"] == "matmul":
            out = inputs[0] @ inputs[1]
        else:
            continue
        result = array(trace["values"][inside["output"]])
        assert np.allclose(out.reshape(result.shape), result, rtol=1e-5, equal_nan=True), frame["say"]


# == what is said ==========================================================================================


def test_equations():
    run, _ = scalar()
    assert run.equations().splitlines() == [
        "v1 = w * x = 2 * 3 = 6",
        "v2 = v1 + b = 6 + 1 = 7",
        "v3 = v2 - y = 7 - 5 = 2",
        "v4 = v3 ** 2 = 2 ** 2 = 4",
        "loss = mean(v4) = mean(4) = 4",
        "∂loss/∂loss = 1",
        "∂loss/∂v4 = ∂loss/∂loss · 1 = 1 × 1 = 1",
        "∂loss/∂v3 = ∂loss/∂v4 · (2 * v3) = 1 × 4 = 4",
        "∂loss/∂v2 = ∂loss/∂v3 · 1 = 4 × 1 = 4",
        "∂loss/∂v1 = ∂loss/∂v2 · 1 = 4 × 1 = 4",
        "∂loss/∂b = ∂loss/∂v2 · 1 = 4 × 1 = 4",
        "b.grad = 4",
        "∂loss/∂w = ∂loss/∂v1 · x = 4 × 3 = 12",
        "w.grad = 12",
    ]


def test_names_and_lines_are_the_learners_own():
    trace = sine()[0].trace
    assert [node["label"] for node in trace["nodes"]] == [
        "a", "b = sin(a)", "2", "c = 2 * b", "1", "d = c + 1", "out = sum(d)",
    ]  # fmt: skip
    file, line, column, _, end = trace["nodes"][1]["at"]
    shown = trace["files"][file]
    assert shown["name"] == "test_run.py"
    assert shown["lines"][line - shown["first"]][column:end] == "mg.sin(a)"
    assert trace["title"] == "out = d.sum()"
    assert trace["nodes"][1]["rules"] == ["∂b/∂a = cos(a)"] and trace["nodes"][1]["saved"] == [
        {"name": "a", "of": "a", "node": 0, "version": 0}
    ]


def test_a_result_keeps_its_name_where_that_came_by_unpacking():
    a = mg.tensor(4.0, requires_grad=True)
    with record() as run:
        f = a**3
        (slope,) = mg.autograd.grad(f, a, create_graph=True)
        slope.backward()
    assert box(run.trace, "slope")
    assert [phase["title"] for phase in run.trace["phases"]] == ["Forward", "Backward 1", "Backward 2"]
    assert run.trace["frames"][-1]["say"] == "a.grad was empty: now it holds 24."


def test_what_a_rule_of_ones_own_makes_is_not_called_the_gradient_that_it_was_given():
    says = [frame["say"] for frame in own_operation()[0].trace["frames"] if frame["kind"] == "sent"]
    assert says == ["v1 receives ∂out/∂out · 2 = 1 × 2 = 2.", "a receives CubeBackward(∂out/∂v1) = 24."]


def test_one_arrow_for_each_slot_and_parts_are_added():
    trace = shared()[0].trace
    head = box(trace, "b")
    assert [(edge["from"], edge["slot"]) for edge in trace["edges"] if edge["to"] == head] == [(0, 0), (0, 1)]
    kinds = [frame["kind"] for frame in trace["frames"]]
    assert kinds.count("accumulated") == 2 and kinds.count("zeroed") == 2
    assert [frame["say"] for frame in trace["frames"] if frame["kind"] == "deposited"][-1].startswith(
        "a.grad held [2, 2]"
    )
    assert [phase["title"] for phase in trace["phases"]] == [
        "Forward 1", "Backward 1", "Zeroing 1", "Forward 2", "Backward 2", "Forward 3", "Backward 3", "Zeroing 2",
    ]  # fmt: skip


def test_a_part_is_added_only_where_several_come_in_the_same_backward():
    w = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        for _ in range(2):  # one part each, though w has been used before
            (w * 3).backward()
        (w * w.detach() + w).backward()
    lines = [line.split(" ") for line in run.equations().splitlines()]
    assert [sign for name, sign, *_ in lines if name.endswith("/∂w")] == ["=", "=", "+=", "+=", "="]


def test_the_sum_over_a_stretched_axis_is_a_step():
    trace = stretched()[0].trace
    (frame,) = [frame for frame in trace["frames"] if frame["kind"] == "summed"]
    assert "2×3 → 3" in frame["say"] and frame["arithmetic"]["axes"] == [0]
    assert trace["values"][frame["arithmetic"]["output"]]["data"] == [5.0, 7.0, 9.0]


def test_an_axis_of_length_one_that_is_taken_away_again_sums_nothing():
    b = mg.tensor([3.0, 4.0], requires_grad=True)
    with record() as run:
        ((b * mg.ones(1, 2)).sum()).backward()
    (frame,) = [frame for frame in run.trace["frames"] if frame["kind"] == "summed"]
    assert "b was used once, so summing over the added axis changes nothing, 1×2 → 2" in frame["say"]
    assert "given an axis of length 1" in frame["hint"]
    assert "several" not in frame["say"] and "used several times" in str(stretched()[0].trace["frames"])


def test_modules_are_groups_and_parameters_have_their_path():
    trace = network()[0].trace
    modules = [group["name"] for group in trace["groups"] if group["kind"] == "module"]
    assert modules[:4] == ["net: Sequential", "0: Linear", "1: ReLU", "2: Linear"]
    kinds = {node["name"]: node["kind"] for node in trace["nodes"]}
    assert kinds["net[0].weight"] == "parameter" and kinds["x"] == "input"
    assert [phase["kind"] for phase in trace["phases"]] == [
        "forward", "backward", "update", "zeroing", "forward", "backward", "update",
    ]  # fmt: skip


def test_a_function_of_the_learners_is_a_group_for_each_call():
    def double(x):
        return x + x

    a = mg.tensor(1.0, requires_grad=True)
    with record() as run:
        double(double(a))
    assert [group["name"] for group in run.trace["groups"]] == ["double()"] * 2
    assert [node.get("group") for node in run.trace["nodes"]] == [None, 0, 1]


def test_hooks_and_retained_gradients():
    trace = hooked()[0].trace
    said = [frame["say"] for frame in trace["frames"] if frame["kind"] == "hook"]
    assert said == ["A hook on b saw 12 and replaced it by 120.", "b retains its gradient: b.grad = 120."]


def test_what_a_node_saved_is_let_go():
    trace = scalar()[0].trace
    *_, last = states(trace)
    freed = {trace["nodes"][int(target[1:])]["name"] for (target, field), on in last.items() if field == "freed" and on}
    assert freed == {"v1", "v4"}  # an addition and a mean save no numbers


def test_values_that_nobody_kept_are_told_as_such():
    trace = only_the_backward()[0].trace
    labels = [node["label"] for node in trace["nodes"]]
    assert labels == ["a", "v1 = exp(a)", "k", "v2 = v1 * k", "v3 = v2 + a", "out = sum(v3)"]
    assert trace["values"][[*states(trace)][-1]["n3", "value"]] == {"text": "not kept"}


# == errors are frames =====================================================================================


def test_a_second_backward_through_a_freed_graph():
    x = mg.tensor(3.0, requires_grad=True)
    with record(keep_errors=True) as run:
        y = x * x
        y.backward()
        y.backward()
    frame = run.trace["frames"][-1]
    assert frame["kind"] == "error" and frame["node"] == box(run.trace, "y")
    assert "Trying to backward through the graph a second time" in frame["say"]
    assert ["n1", "broken", None, True] in frame["changes"]
    assert line_of(run.trace, frame) == "y.backward()"


def line_of(trace, frame):
    file, line, *_ = frame["at"]
    return trace["files"][file]["lines"][line - trace["files"][file]["first"]].strip()


def test_a_saved_value_that_was_changed():
    x = mg.tensor([3.0], requires_grad=True)
    with record(keep_errors=True) as run:
        y = x * 2
        z = y * y
        y.add_(1)
        z.backward()
    frame = run.trace["frames"][-1]
    assert frame["kind"] == "error" and "is at version 1; expected version 0" in frame["say"]
    assert frame["node"] == box(run.trace, "z")


def test_a_missing_grad_fn():
    x = mg.tensor(3.0)
    with record(keep_errors=True) as run:
        y = x * 2
        y.backward()
    frame = run.trace["frames"][-1]
    assert frame["say"].startswith("RuntimeError: element 0 of tensors does not require grad")
    assert line_of(run.trace, frame) == "y.backward()"


def with_a_hook(b):
    def half(grad):
        return grad.halved

    b.register_hook(half)


@pytest.mark.parametrize(
    ("hang", "inside"),
    [
        (with_a_hook, "half(), at `grad.halved`"),
        (lambda b: b.register_hook(lambda g: g.reshape(7)), "a lambda, at `g.reshape(7)`"),
        (lambda b: b.grad_fn.register_prehook(lambda g: 1 / 0), "a lambda, at `1 / 0`"),
    ],
)
def test_an_error_in_a_hook_is_told_with_its_line(hang, inside):
    with record(keep_errors=True) as run:
        b = mg.tensor(2.0, requires_grad=True) * 3
        hang(b)
        b.backward()
    last = run.trace["frames"][-1]
    assert last["kind"] == "error"
    assert f"It went wrong inside of {inside} (test_run.py:" in last["say"].splitlines()[-1]
    assert run.trace["nodes"][last["node"]]["name"] == "b"
    backward = next(frame for frame in run.trace["frames"] if frame["kind"] == "seeded")
    assert last["at"] != backward["at"]  # it shows the line of the hook


def test_an_error_still_stops_the_cell_unless_it_is_kept():
    x = mg.tensor(3.0)
    with pytest.raises(RuntimeError, match="does not require grad"), record() as run:
        (x * 2).backward()
    assert run.trace["frames"][-1]["kind"] == "error"


# == questions =============================================================================================


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_question_has_the_answer_that_is_then_shown(program):
    trace = program()[0].trace
    for frame in trace["frames"]:
        if ask := number_asked(frame):
            afters = [after for _, field, _, after in frame["changes"] if field in ("value", "grad", "box", "part")]
            shown = [trace["values"][after]["text"] for after in afters if after is not None]
            assert trace["values"][ask["answer"]]["text"] in shown
            right = np.ravel(array(trace["values"][ask["answer"]]))[ask["element"]]
            for number, said in ask["wrong"]:
                assert not np.isclose(array(trace["values"][number]), right) and trace["misconceptions"][said]


def number_asked(frame):
    """The question for the number that a frame shows, if it is asked for one."""
    return next((ask for ask in frame.get("ask", []) if ask["kind"] == "number"), None)


def faulty(program, name):
    with FAULTS[name]():
        return program()[0].trace


def difference():
    a, b = mg.tensor(5.0, requires_grad=True), mg.tensor(2.0, requires_grad=True)
    with record() as run:
        c = a - b
        (c * 3).backward()
    return run, {"a": a, "b": b}


def product():
    a, b = mg.tensor(5.0, requires_grad=True), mg.tensor(2.0, requires_grad=True)
    with record() as run:
        c = a * b * b
        c.backward()
    return run, {"a": a, "b": b}


def test_a_value_as_it_is_after_a_change_is_a_wrong_answer_that_we_know():
    a, k = mg.tensor(3.0, requires_grad=True), mg.tensor(5.0, requires_grad=True)
    with record() as run:
        b = a * 2
        b.mul_(k)
        b.backward()
    values, frames = run.trace["values"], run.trace["frames"]
    asked = [number_asked(frame) for frame in frames if frame["kind"] == "sent"]
    (of_k,) = [one for one in asked if "to k" in one["question"]]
    assert values[of_k["answer"]]["data"] == [6.0] == [k.grad.item()]
    assert [30.0, FAULTS["uses_changed_values"].misconception] in [
        [values[number]["data"][0], run.trace["misconceptions"][said]] for number, said in of_k["wrong"]
    ]


@pytest.mark.parametrize(
    ("name", "program"),
    [
        ("overwrites_in_flight", product),
        ("overwrites_at_the_leaf", shared),
        ("forgets_the_upstream", difference),
        ("swaps_the_operands", product),
        ("wrong_sign", difference),
        ("forgets_the_broadcast", stretched),
    ],
)
def test_each_planted_fault_is_diagnosed(name, program):
    """What the engine computes with the fault planted is, at the first frame that differs, a wrong answer we know."""
    right = program()[0].trace
    if name == "forgets_the_broadcast":  # the wrong shape does not fit into the mailbox; the part that is not summed is
        (frame,) = [frame for frame in right["frames"] if frame["kind"] == "summed"]
        ((_, said),) = number_asked(frame)["wrong"]
        assert right["misconceptions"][said] == FAULTS[name].misconception
        return
    wrong = faulty(program, name)
    for one, other in zip(right["frames"], wrong["frames"]):
        assert one["kind"] == other["kind"]
        ask = number_asked(one)
        if ask is None:
            continue
        given = np.ravel(array(wrong["values"][number_asked(other)["answer"]]))[ask["element"]]
        known = {float(array(right["values"][number])): right["misconceptions"][said] for number, said in ask["wrong"]}
        if not np.isclose(given, np.ravel(array(right["values"][ask["answer"]]))[ask["element"]]):
            assert known.get(float(given)) == FAULTS[name].misconception, (ask, given)
            return
    raise AssertionError("the fault did not show")


# == bad input =============================================================================================


def test_an_empty_block_says_so():
    with record() as run:
        pass
    with pytest.raises(RuntimeError, match="no operation ran on a Tensor inside the block"):
        run.trace  # noqa: B018
    with pytest.raises(RuntimeError, match="use `with record"):
        record().trace  # noqa: B018
    with pytest.raises(RuntimeError, match="recorded already"), run:
        pass


def test_what_is_to_be_recorded_goes_into_the_block():
    with pytest.raises(TypeError, match="title must be a line of text, but is function; the program goes"):
        record(lambda: mg.ones(1))


def test_hostile_names_are_data():
    scope = {"mg": mg}
    exec("a = mg.tensor(2.0, requires_grad=True)", scope)
    net = nn.Sequential()
    net.add_module("<img onerror=alert(1)>", nn.Linear(1, 1))
    with record("</script><b>") as run:
        net(mg.ones(1, 1)).sum().backward()
    jsonschema.validate(run.trace, SCHEMA)
    assert any("<img onerror" in group["name"] for group in run.trace["groups"])


def test_lines_that_nobody_knows_are_left_out():
    """What is typed into a plain `python`, or given to `python -c`, has no text that could be shown."""
    code = compile(
        "import minigrad as mg, widgets\nrun = widgets.record()\nwith run:\n    mg.sin(a).backward()", "<stdin>", "exec"
    )
    names = {"a": mg.tensor(0.5, requires_grad=True)}
    exec(code, names)
    trace = names["run"].trace
    assert trace["title"] == "v1 = sin(a)" and "files" not in trace or not trace["files"]
    assert not any("at" in each for each in [*trace["nodes"], *trace["frames"]])


def test_a_number_is_written_once_and_a_question_does_not_tell_its_answer():
    a = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        b = -a
        c = -b
    first, second = run.trace["frames"]
    assert first["say"] == "b = -a = -2." and number_asked(first)["question"] == "What is b = -a?"
    assert second["say"] == f"c = -b = -(-2) = {c.item():g}." and number_asked(second)["question"] == "What is c = -b?"


def test_a_recorded_backward_says_which_rule_runs_before_it_shows_what_that_computes():
    a, b = mg.tensor([1.0, 2.0], requires_grad=True), mg.tensor(3.0, requires_grad=True)
    with record() as run:
        y = (a * b).sum()
        y.backward(create_graph=True, retain_graph=False)
    frames = run.trace["frames"]
    told = [(frame["kind"], frame["equation"].partition(" = ")[0]) for frame in frames if "equation" in frame]
    assert told[6:13] == [
        ("visited", "∂y/∂v1"), ("made", "v3"), ("made", "v4"), ("sent", "∂y/∂a"), ("sent", "part"),
        ("summed", "∂y/∂b"), ("made", "v5"),
    ]  # fmt: skip
    assert frames[8]["say"].endswith(" MulBackward0 lets go of what it saved (a, b).")


def test_empty_memory_that_a_result_is_copied_into_is_not_in_the_picture():
    a = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        y = a**3
        y.backward(create_graph=True)
    inputs = [node["name"] for node in run.trace["nodes"] if node["kind"] == "input"]
    assert inputs == ["∂y/∂y"]  # the 1 that it starts with
    copied = next(frame for frame in run.trace["frames"] if run.trace["nodes"][frame["node"]].get("op") == "copy")
    assert copied["say"] == "v4 = v3 = 12."
    assert all(value["text"] != "not kept" for value in run.trace["values"])


def made(run):
    return [frame["equation"].rpartition(" = ")[0] for frame in run.trace["frames"] if frame["kind"] == "made"]


def test_a_line_names_what_comes_at_the_end_of_a_call_of_several_steps():
    scores, x = mg.tensor([[2.0, 1.0, 0.1]], requires_grad=True), mg.ones(1, 2)
    model = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Tanh())
    with record() as run:
        loss = mg.nn.functional.cross_entropy(scores, mg.tensor([2]))
        out = model(x)
    assert made(run)[:2] == ["v1 = log_softmax(scores, dim=1)", "loss = nll_loss(v1, [2])"]
    assert made(run)[2:] == ["v2 = model[0].weightᵀ", "v3 = x @ v2", "out = tanh(v3)"]
    assert (loss.ndim, out.ndim) == (0, 2)


def test_a_mask_and_an_index_that_were_computed_are_named_and_have_their_arrow():
    x, best = mg.tensor([1.0, 3.0, 2.0], requires_grad=True), mg.tensor([0, 1, 2, 0, 1, 2, 0])
    with record() as run:
        x[x > 2], x.masked_fill(x > 1, 0.0), x[x.argsort()], x[best], x[mg.tensor([2, 0])]
    told = [line for line in made(run) if "x[" in line or "fill" in line]
    assert told == ["v2 = x[v1]", "v4 = masked_fill(x, v3, 0)", "v7 = x[v6]", "v8 = x[best]", "v9 = x[[2, 0]]"]
    names = [node["name"] for node in run.trace["nodes"]]
    arrows = [(names[edge["from"]], names[edge["to"]]) for edge in run.trace["edges"]]
    assert [tail for tail, head in arrows if head in ("v2", "v4", "v7", "v8")] == ["x", "v1", "x", "v3", "x", "v6", "x"]


def test_each_round_of_a_loop_is_named_by_its_line():
    s = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        for _ in range(3):
            s = mg.sin(s)
    assert [equation.partition(" = ")[0] for equation in made(run)] == ["s₂", "s₃", "s₄"]


def test_indexing_a_loss_of_classes_and_a_convolution_are_written_as_a_person_would():
    image, kernel = mg.arange(16.0).reshape(1, 1, 4, 4), mg.ones(1, 1, 2, 2, requires_grad=True)
    with record() as run:
        out = mg.nn.functional.conv2d(image, kernel)
        far = mg.nn.functional.conv2d(image, kernel, stride=2)
        corner = out[0, 0, 0, 0] + far[0, 0, 1, 1]
        corner.backward()
    assert made(run)[:3] == [
        "out = convolution(image, kernel)",
        "far = convolution(image, kernel, stride=(2, 2))",
        "v1 = out[0, 0, 0, 0]",
    ]
    said = " ".join(frame["say"] for frame in run.trace["frames"])
    assert "out receives ∂corner/∂v1 where out was picked, 0 elsewhere" in said
    assert "kernel receives ∂corner/∂out times the window of image under it, all summed" in said
