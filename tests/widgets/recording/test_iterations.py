"""A loop of training steps is a structure: iterations, the first of them in full, the others in one line each."""

import json

import pytest

import minigrad as mg
from minigrad import nn, optim
from tests.widgets.showing.test_run import array, box, states
from widgets.drawing import folding, picture
from widgets.recording.names import subscripted
from widgets.showing.run import record
from widgets.telling.check import fits


def training(steps, **options):
    """A small network that learns; with its parameters."""
    mg.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    optimizer, losses = optim.SGD(net.parameters(), lr=0.1), []
    x, y = mg.randn(8, 2), mg.randn(8, 1)
    with record(**options) as run:
        for _ in range(steps):
            optimizer.zero_grad()
            loss = ((net(x) - y) ** 2).mean()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return run, net, losses


def shape_of(run) -> list[tuple[int, int, bool]]:
    return [(one["first"], one["last"], "folded" in one) for one in run.trace["iterations"]]


def test_what_is_no_loop_has_no_iterations():
    run, _, _ = training(1)
    assert run.trace["iterations"] == [] and not any(group["kind"] == "iteration" for group in run.trace["groups"])
    a = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        (a * 2).backward()
        (a * 3).backward()
        for _ in range(3):
            a = mg.sin(a)
    assert run.trace["iterations"] == []


def test_iterations_follow_each_other_without_a_gap_and_are_groups():
    run, _, losses = training(3)
    trace = run.trace
    iterations = trace["iterations"]
    assert iterations[0]["first"] == 0 and iterations[-1]["last"] == len(trace["frames"]) - 1
    assert all(one["last"] + 1 == other["first"] for one, other in zip(iterations, iterations[1:]))
    groups = [group["name"] for group in trace["groups"] if group["kind"] == "iteration"]
    assert groups == ["iteration 1", "iteration 2", "iteration 3"]
    assert [float(array(trace["values"][one["loss"]])) for one in iterations] == pytest.approx(losses)
    kinds = [[frame["kind"] for frame in trace["frames"][one["first"] : one["last"] + 1]] for one in iterations]
    assert kinds[1] == kinds[2] and kinds[1][4:] == kinds[0]  # the first one finds nothing to zero
    assert all(trace["frames"][one["last"]]["level"] == 1 for one in iterations)
    assert fits(json.loads(run.to_json()))


def test_what_has_no_name_is_called_as_in_the_first_iteration():
    run, _, _ = training(3)
    names = [node["name"] for node in run.trace["nodes"] if node["kind"] == "operation"]
    assert names[:3] == ["v1", "v2", "v3"] and names[len(names) // 3] == "v1₂" and names[-1] == "loss₃"


def loop_in_a_function():
    def fit(w, steps):
        scale = mg.sin(w)
        for _ in range(steps):
            loss = (w * scale.detach() - 1) ** 2
            loss.backward()
            w.grad = None
        return scale

    w = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        fit(w, 3)
    return run


def loop_over_a_function():
    w = mg.tensor(2.0, requires_grad=True)

    def one_step():
        loss = (w * 3 - 1) ** 2
        loss.backward()
        w.grad = None

    with record() as run:
        mg.sin(w)
        for _ in range(3):
            one_step()
    return run


def loop_at_the_beginning_of_a_function():
    w = mg.tensor(2.0, requires_grad=True)

    def step():
        (w * 3 - 1).backward()

    def fit():
        for _ in range(3):
            step()

    with record() as run:
        fit()
    return run


def two_backwards_in_an_iteration():
    a, b = mg.tensor(2.0, requires_grad=True), mg.tensor(3.0, requires_grad=True)
    with record() as run:
        for _ in range(3):
            (a * 2).backward()
            (b * 3).backward()
    return run


@pytest.mark.parametrize(
    "program",
    [loop_in_a_function, loop_over_a_function, loop_at_the_beginning_of_a_function, two_backwards_in_an_iteration],
)
def test_a_loop_is_found_wherever_it_stands(program):
    trace = program().trace
    assert len(trace["iterations"]) == 3
    bodies = [[f["kind"] for f in trace["frames"][one["first"] : one["last"] + 1]] for one in trace["iterations"]]
    assert bodies[0] == bodies[1] == bodies[2]


def test_the_box_of_an_iteration_stands_in_the_call_in_which_its_loop_is():
    groups = loop_in_a_function().trace["groups"]
    assert [(group["kind"], group.get("parent")) for group in groups] == [("function", None), *[("iteration", 0)] * 3]
    groups = loop_over_a_function().trace["groups"]
    assert [group["kind"] for group in groups] == ["iteration", "function"] * 3
    assert [group.get("parent") for group in groups] == [None, 0, None, 2, None, 4]
    groups = loop_at_the_beginning_of_a_function().trace["groups"]
    assert [group["kind"] for group in groups] == ["function", *["iteration", "function"] * 3]
    assert [group.get("parent") for group in groups] == [None, 0, 1, 0, 3, 0, 5]


def test_what_an_optimizer_computes_on_its_way_takes_no_room():
    w, x = mg.tensor(2.0, requires_grad=True), mg.tensor(3.0)
    optimizer = optim.Adam([w])
    with record() as run:
        for _ in range(40):
            (w * x).backward()
            optimizer.step()
    assert not any("folded" in one for one in run.trace["iterations"])


def test_a_batch_is_in_the_box_of_its_iteration():
    w = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        for i in range(3):
            x = mg.tensor(float(i))
            (w * x).backward()
    homes = {node["name"]: node.get("group") for node in run.trace["nodes"]}
    assert [homes[name] for name in ("w", "x", "x₂", "x₃")] == [None, 0, 1, 2]


def test_of_many_iterations_the_first_are_recorded_and_each_other_is_one_line_with_its_loss():
    run, net, losses = training(200)
    trace = run.trace
    folded = [one for one in trace["iterations"] if "folded" in one]
    assert len(trace["iterations"]) == 200 and 150 < len(folded) < 195 and trace["iterations"][-len(folded) :] == folded
    assert all(one["first"] == one["last"] for one in folded)
    lines = [trace["frames"][one["first"]]["say"] for one in folded]
    assert lines[0] == f"Iteration {201 - len(folded)}: loss = {losses[-len(folded)]:.4g}."
    assert lines[-1] == f"Iteration 200: loss = {losses[-1]:.4g}."
    assert len(run.to_json()) < 700_000
    assert fits(json.loads(run.to_json()))


def test_the_numbers_after_the_last_iteration_are_the_engines_bit_for_bit():
    run, net, _ = training(60)
    trace = run.trace
    assert "folded" in trace["iterations"][-1]
    *_, last = states(trace)
    for path, parameter in net.named_parameters():
        name = subscripted(f"net.{path}")
        for field, numbers in ("value", parameter.detach().numpy()), ("box", parameter.grad.numpy()):
            assert (array(trace["values"][last[f"n{box(trace, name)}", field]]) == numbers).all()


def test_a_recorded_loop_computes_what_an_unrecorded_one_does():
    _, net, _ = training(60)
    _, whole, _ = training(60, iterations=60)
    for one, other in zip(net.parameters(), whole.parameters()):
        assert (one == other).all()


@pytest.mark.parametrize(
    ("asked", "whole"), [(2, [1, 2]), ([5], [1, 5]), (range(2, 4), [1, 2, 3]), (0, [1]), (100, list(range(1, 8)))]
)
def test_iterations_are_recorded_in_full_on_request(asked, whole):
    run, _, _ = training(7, iterations=asked)
    assert [i for i, one in enumerate(run.trace["iterations"], 1) if "folded" not in one] == whole
    check_going_back(run.trace)


def check_going_back(trace):
    first, *_, last = states(trace)
    for frame in reversed(trace["frames"]):
        for target, field, before, _ in reversed(frame.get("changes", [])):
            last[target, field] = before
    assert {key: value for key, value in last.items() if value is not None} == first


def test_after_lines_of_little_an_iteration_in_full_goes_on_with_the_numbers_as_they_are():
    run, _, _ = training(6, iterations=[6])
    whole, _, _ = training(6, iterations=6)
    tails = [
        [frame["say"] for frame in one.trace["frames"][one.trace["iterations"][-1]["first"] :]] for one in (run, whole)
    ]
    assert [line.translate(DIGITS) for line in tails[0]] == [line.translate(DIGITS) for line in tails[1]]


DIGITS = dict.fromkeys(map(ord, "₀₁₂₃₄₅₆₇₈₉"))  # how often a name was given


def test_an_error_in_an_iteration_of_one_line_is_told():
    w = mg.tensor(2.0, requires_grad=True)
    with record(keep_errors=True, iterations=1) as run:
        for i in range(4):
            (w * 2).backward()
            if i == 2:
                raise ValueError("so far")
    kinds = [frame["kind"] for frame in run.trace["frames"]]
    assert kinds[-3:] == ["iteration", "iteration", "error"] and run.trace["frames"][-1]["say"] == "ValueError: so far"


def test_what_iterations_may_be():
    for wrong in ("x", 1.5):
        with pytest.raises(TypeError, match="iterations is how many, or their numbers from 1"):
            record(iterations=wrong)


def test_a_long_loop_is_drawn_by_its_first_iteration_and_each_other_has_a_view_of_its_own():
    run, _, _ = training(100)
    trace = run.trace
    views = folding.views(trace)
    whole = len([one for one in trace["iterations"] if "folded" not in one])
    (rest,) = views[""].folded
    assert trace["groups"][rest]["name"] == f"iteration 2 … iteration {whole}" and len(views[""].nodes) < 30
    assert len(views[f"g{rest}"].folded) == whole - 1
    own = [views[f"g{one['group']}"] for one in trace["iterations"][:whole]]
    kinds = [sorted(trace["nodes"][node]["kind"] for node in view.nodes) for view in own]
    assert all(kind == kinds[0] for kind in kinds) and "parameter" in kinds[0] and not own[3].outside
    assert set(picture.views(trace)) == set(views)


def test_asked_again_too_long_a_run_says_the_same():
    run, _, _ = training(800, iterations=800)
    for _ in range(2):
        with pytest.raises(ValueError, match="events were recorded, and nobody walks through more than 20,000"):
            run.trace  # noqa: B018
