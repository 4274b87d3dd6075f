"""What a run asks: about rules, paths, the next node and numbers; and which of its questions are put."""

import json

import pytest

import minigrad as mg
from minigrad.faults import FAULTS
from widgets import load, record, step
from widgets.showing import page
from widgets.telling.check import check
from widgets.telling.chosen import asked_in, chosen


def chain():
    """Three rules, one after the other."""
    a = mg.tensor(0.5, requires_grad=True)
    with record() as run:
        y = 2 * mg.sin(a) + 1
        y.backward()
    return run


def branches(backwards=1):
    """One leaf, used three times, with five paths to it."""
    w, x = mg.tensor(2.0, requires_grad=True), mg.tensor(3.0)
    with record() as run:
        v = w * x - w
        loss = v * v + w
        for _ in range(backwards):
            loss.backward(retain_graph=True)
    return run


def asked(run, kind, frame=None):
    return [one for at, one in asked_in(run.trace) if one["kind"] == kind and frame in (None, at)]


def right(question):
    (formula,) = [formula for formula, number in question["options"] if number is None]
    return formula


def options(run, question):
    """The formulas to choose from, each with what it gives away; the right one with nothing."""
    said = run.trace["misconceptions"]
    return {formula: "" if number is None else said[number] for formula, number in question["options"]}


# == questions about ideas =================================================================================


def test_the_rule_is_chosen_among_what_the_faults_lead_to():
    run = branches()
    of = {one["question"]: options(run, one) for one in asked(run, "rule")}
    product = of["What does v1 = w * x send to w?"]
    assert product["∂loss/∂v1 · x"] == ""
    assert product["∂loss/∂v1 · w"] == FAULTS["swaps_the_operands"].misconception
    assert product["x"] == FAULTS["forgets_the_upstream"].misconception
    assert "its derivative" in product["∂loss/∂v1 · v1"]
    difference = of["What does v = v1 - w send to w?"]
    assert difference["∂loss/∂v · (-1)"] == ""
    assert difference["∂loss/∂v · 1"] == FAULTS["wrong_sign"].misconception


def test_the_values_of_today_are_an_option_where_they_are_others():
    a, k = mg.tensor(3.0, requires_grad=True), mg.tensor(5.0, requires_grad=True)
    with record() as run:
        b = a * 2
        b.mul_(k)
        b.backward()
    (of_k,) = [one for one in asked(run, "rule") if one["question"].endswith("to k?")]
    assert right(of_k).endswith("· b, with the values that were saved")
    assert FAULTS["uses_changed_values"].misconception in options(run, of_k).values()


def test_a_product_of_matrices_may_be_taken_for_one_without_transposing():
    a, b = mg.ones(2, 3, requires_grad=True), mg.ones(3, 2, requires_grad=True)
    with record() as run:
        (a @ b).sum().backward()
    found = [options(run, one) for one in asked(run, "rule")]
    assert any({"∂L/∂v1 @ bᵀ".replace("L", "v2"), "∂v2/∂v1 @ b"} <= set(one) for one in found)


def test_what_a_wrong_answer_gives_away_is_said_once():
    run = branches(3)
    said = run.trace["misconceptions"]
    numbers = [
        number for _, one in asked_in(run.trace) for _, number in [*one.get("wrong", []), *one.get("options", [])]
    ]
    assert set(numbers) == {None, *range(len(said))} and len(numbers) > 3 * len(said) == 3 * len(set(said))


def test_no_option_is_right_by_accident():
    """The derivative of exp is its value, and both factors of a square are the same."""
    a = mg.tensor(1.0, requires_grad=True)
    with record() as run:
        b = mg.exp(a)
        (b * b).backward()
    for one in asked(run, "rule"):
        formulas = [formula for formula, _ in one["options"]]
        assert len(set(formulas)) == len(formulas) and right(one) in formulas
    assert not any("exp(a) send" in one["question"] for one in asked(run, "rule"))  # too few wrong ones are left


def test_a_rule_is_asked_before_the_visit_that_tells_it():
    frames = branches().trace["frames"]
    for frame in frames:
        for one in frame.get("ask", []):
            before = frames[one["before"]] if one["kind"] == "rule" else None
            assert before is None or (before["kind"] == "visited" and "Its rule" in before["say"])


def test_paths_are_counted_to_each_node_that_has_several():
    run = branches()
    values, found = run.trace["values"], {}
    for one in asked(run, "paths"):
        name = one["question"].removesuffix("?").rpartition(" ")[2]
        found[name] = values[one["answer"]]["data"][0], [values[number]["data"][0] for number, _ in one["wrong"]]
    assert found == {"v": (2, []), "v1": (2, [1, 3]), "w": (5, [3, 4])}
    assert not asked(chain(), "paths")


def test_the_next_node_is_asked_where_a_gradient_has_reached_several():
    run = branches()
    fronts = [one["hints"][1] for one in asked(run, "node")]
    assert len(fronts) == 3 and "has reached v2, w." in fronts[0]
    assert not asked(chain(), "node")


def test_no_question_tells_its_answer_by_a_sum():
    for one in asked(chain(), "number"):
        assert not any(sign in one["question"].partition("=")[2] for sign in ("0.", "× "))


def test_an_engine_that_does_not_wait_is_not_asked_for_paths_or_the_next_node():
    a = mg.tensor(2.0, requires_grad=True)
    with FAULTS["depth_first"](), record() as run:
        v = a * 3
        (v + mg.sin(v) * v).backward()
    late = next(i for i, frame in enumerate(run.trace["frames"]) if frame.get("wrong"))
    assert not [at for at, one in asked_in(run.trace) if at >= late and one["kind"] in ("paths", "node")]


# == which of them are put =================================================================================


@pytest.mark.parametrize("run", [chain(), branches(), branches(2)])
def test_a_few_are_asked_and_no_rule_twice(run):
    trace, pairs = run.trace, chosen(run.trace)
    backward = [phase for phase in trace["phases"] if phase["kind"] == "backward"]
    assert 0 < len(pairs) <= sum(phase["last"] - phase["first"] + 1 for phase in backward) // 3
    questions = [next(one for one in trace["frames"][at]["ask"] if one["kind"] == kind) for at, kind in pairs]
    texts = [one["question"] for one in questions]
    assert len(set(texts)) == len(texts)
    assert not any(text.startswith(("What is ", "What flows")) for text in texts)
    kinds = {one["kind"] for _, one in asked_in(trace)} - {"number"}
    assert kinds <= {kind for _, kind in pairs}


def test_deposits_that_add_are_asked_by_default():
    pairs, frames = chosen(branches(2).trace), branches(2).trace["frames"]
    told = {frames[at]["kind"] for at, kind in pairs if kind == "number"}
    assert told == {"accumulated", "deposited"}


@pytest.mark.parametrize(
    ("ask", "pairs"),
    [
        (1, [[0, "number"]]),
        ([1, 6], [[0, "number"], [5, "number"], [5, "rule"]]),
        ("a", [[9, "number"], [9, "rule"], [10, "number"]]),
        (["deposited", "v1"], [[0, "number"], [7, "number"], [7, "rule"], [10, "number"]]),
        ("rule", [[5, "rule"], [7, "rule"], [9, "rule"]]),
        ([], []),
    ],
)
def test_a_teacher_names_what_is_asked(ask, pairs):
    assert chosen(chain().trace, ask) == pairs


def test_all_is_all():
    run = branches()
    assert len(chosen(run.trace, "all")) == len(list(asked_in(run.trace)))


@pytest.mark.parametrize("ask", ["b", ["made", 4], 99, 0, "sin", 1.5])
def test_what_nothing_is_known_of_is_refused_with_what_there_is(ask):
    with pytest.raises(ValueError, match=r"nothing can be asked about .*the steps 1, 2, 3, 6.*nodes v1.*'all'.*'sent'"):
        chain().step(ask=ask)


def test_a_number_that_is_not_there_cannot_be_moved(tmp_path):
    for show in (chain().step, lambda **how: chain().save(tmp_path / "a.html", **how)):
        with pytest.raises(ValueError, match="there is no 'zz' in this run to be moved; there are "):
            show(move="zz")


def test_asking_turns_the_questions_on(tmp_path):
    run = chain()
    assert not run.step().predict and run.step().asks == chosen(run.trace)
    assert run.step(ask=True).predict and run.step(predict=True).asks == chosen(run.trace)
    stepper = step(lambda a: a * 3, 2.0, ask="sent")
    assert stepper.predict and {at for at, _ in stepper.asks} == {3}
    run.save(tmp_path / "lesson.html", ask="a")
    assert load(tmp_path / "lesson.html").trace == run.trace
    assert page.packed(chosen(run.trace, "a"))  # what a page keeps is JSON


def test_a_document_with_questions_is_a_trace_and_keeps_to_its_frames():
    trace = json.loads(branches().to_json())
    check(trace)
    rule = next(one for _, one in asked_in(trace) if one["kind"] == "rule")
    formula, number = rule["options"][0]
    rule["options"][0] = [formula, 99]
    with pytest.raises(ValueError, match=r"ask of frames\[\d+\] is misconceptions\[99\]"):
        check(trace)
    rule["options"][0], rule["before"] = [formula, number], 999
    with pytest.raises(ValueError, match=r"ask of frames\[\d+\] is frames\[999\]"):
        check(trace)
    del rule["before"], rule["options"]
    with pytest.raises(ValueError, match="damaged"):
        check(trace)


def test_todays_values_are_another_rule_only_where_they_lead_to_another_part():
    w = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        for _ in range(2):
            (3 * (w * w - 1)).sum().backward()
            with mg.no_grad():
                w -= 0.1 * w.grad
    asked = [one for frame in run.trace["frames"] for one in frame.get("ask", []) if one["kind"] == "rule"]
    formulas = [formula for one in asked for formula, _ in one["options"]]
    assert asked and not [formula for formula in formulas if " · 1, with" in formula or " · 3, with" in formula]


def two_of_three():
    """An operation with three results, of which two are used."""
    x = mg.tensor([3.0, 1.0, 2.0], requires_grad=True)
    with record() as run:
        _, second, third = x.unbind()
        loss = second * third
        loss.backward()
    return run


def test_a_part_comes_from_the_results_that_a_gradient_has_reached():
    run = two_of_three()
    (number,) = [i for i, frame in enumerate(run.trace["frames"]) if frame["kind"] == "sent" and frame["node"] == 0]
    sender = run.trace["edges"][run.trace["frames"][number]["edge"]]["to"]
    assert run.trace["nodes"][sender]["name"] == "second"
    assert "∂loss/∂x = stack([zeros, ∂loss/∂second, ∂loss/∂third], dim=0)" in run.equations()  # nothing is added to it
    (question,) = asked(run, "number", number)
    assert question["question"].startswith("What flows from second and third to x: stack([zeros, ")
    assert not any("second" in one["question"] for one in asked(run, "number", 0))  # three results, and one answer
    assert question["hints"][0].startswith("The rule names ∂loss/∂second, which is 2.")
    assert asked(run, "node") == []  # second and third are results of one node: nothing is to choose


def test_paths_to_a_node_of_several_results_lead_to_one_or_the_other():
    results, leaf = asked(two_of_three(), "paths")
    assert results["question"] == "Along how many paths does the gradient come from loss to second and third?"
    assert results["hints"][1].endswith("as to those that use them, taken together (loss: 2).")
    assert leaf["hints"][1].endswith("as to those that use it, taken together (second and third: 2).")


def test_a_rule_that_names_the_gradient_alone_is_asked_for_nothing_else():
    w = mg.ones(2, 3, requires_grad=True)
    with record() as run:
        loss = w.T.sum()
        loss.backward()
    turned, *_ = [one for one in asked(run, "number") if "ᵀ" in one["question"]]
    assert turned["hints"][0].startswith("The rule names nothing but ∂loss/∂v1, which is [[1, 1], [1, 1], [1, 1]].")


def test_no_element_is_computed_with_a_whole_mask():
    x, mask = mg.tensor([1.0, 2.0], requires_grad=True), mg.tensor([True, False])
    with record() as run:
        y = x.masked_fill(mask, 0.5)
        mg.where(mask, y, x)
    filled, chosen = run.trace["frames"]
    assert "arithmetic" not in filled and "ask" not in filled
    assert chosen["ask"][0]["hints"] == ["In numbers: where(False, 2, 2)."]
