"""Every equation is true of the numbers beside it: after a change in place, for complex numbers, under create_graph."""

import re

import numpy as np
import pytest

import minigrad as mg
from minigrad.faults import FAULTS
from tests.core import programs, test_inplace_programs
from tests.ops import cases  # not their list itself: a recorder looks for names in all that a test's module holds
from tests.private import PRIVATE, texts
from tests.widgets.recording.test_run_programs import a_run_of, check
from tests.widgets.showing.test_run import PROGRAMS
from tests.widgets.telling.equation_reader import read
from widgets import draw
from widgets.showing.run import record


def told(program, *leaves) -> list[str]:
    with record() as run:
        program(*leaves)
    return run.equations().splitlines()


def complex_leaf(values):
    return mg.tensor(values, requires_grad=True)


def test_what_ran_in_place_has_the_numbers_of_afterwards():
    def program(b):
        c = b + 1
        c.add_(1)
        c[0] = 10.0
        c.sum().backward()

    lines = told(program, mg.tensor([1.0, 2.0, 3.0], requires_grad=True))
    assert lines[:2] == ["c = b + 1 = [2, 3, 4]", "c₂ = c + 1 = [3, 4, 5]"]
    assert lines[2].endswith(" = [10, 4, 5]") and lines[3].endswith("= 19")


@pytest.mark.parametrize("factor", [1 + 2j, 3.0, -1j])
def test_the_factors_of_complex_numbers_multiply_to_the_result(factor):
    lines = told(lambda z: (z * factor * (1 + 1j)).abs().backward(), complex_leaf(2 - 1j))
    products = [line for line in lines if line.startswith("∂") and " × " in line]
    assert len(products) == 3
    for line in products:
        first, second, result = (complex(part) for part in re.fullmatch(r".* = (.*) × (.*) = (.*)", line).groups())
        assert np.isclose(first * second, result, rtol=2e-3)
        local = line.partition(" · ")[2].partition(" = ")[0]
        assert local.startswith("conj(") or "sgn" in local


def test_a_complex_number_stands_in_brackets():
    assert told(lambda z: z * (2 - 1j), complex_leaf(1j))[0] == "v1 = z * (2-1j) = (0+1j) * (2-1j) = 1+2j"
    line = told(lambda z: (z * (2 - 1j)).abs().backward(), complex_leaf(1j))[-2]
    assert "conj(2-1j)" in line and "((" not in line


def test_a_complex_number_of_single_precision_has_no_more_digits_than_its_type():
    with record() as run:
        mg.tensor(0.3 + 0.4j).sin()
    assert run.trace["values"][0]["data"] == ["0.3+0.4j"]


def test_a_product_of_complex_matrices_is_told_between_two_conjugations():
    z, u = complex_leaf([[2 - 1j]]), mg.tensor([[1 + 1j]])
    lines = told(lambda z: (z @ u).abs().sum().backward(), z)
    assert any("conj(conj(∂v3/∂v1) @ uᵀ)" in line for line in lines), lines
    assert np.allclose(np.conj(np.conj(z.grad.numbers / np.conj(u.numbers)) * u.numbers), z.grad.numbers)


def test_where_a_backward_starts_is_called_so_when_it_is_recorded():
    def program(x):
        y = x**3
        (g,) = mg.autograd.grad(y, x, create_graph=True)
        g.backward()

    x = mg.tensor(3.0, requires_grad=True)
    assert "g = ∂y/∂y * v2 = 1 * 27 = 27" in told(program, x)


def test_a_long_gradient_is_told_in_a_sentence():
    x = mg.ones(50, requires_grad=True)
    with record() as run:
        (x * x).sum().backward()
    assert run.trace["frames"][-1]["say"] == "x.grad was empty: now it holds 50 values: all 2."


# == every equation, worked out from what the boxes show ===================================================


def true_of(run) -> list:
    """The lines of a run; none is false, and no frame says that the engine was wrong."""
    lines = read(run.trace)
    assert [line for line in lines if line.verdict == "false"] == []
    assert [frame["say"] for frame in run.trace["frames"] if "wrong" in frame] == []
    return lines


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_equation_of_a_lesson(program):
    true_of(program()[0])


def test_each_equation_of_random_programs():
    lines = []
    for seed in range(16):
        with record(keep_errors=True) as run:
            programs.run(mg, *programs.program(seed), order=1 + seed % 2)
        lines += true_of(run) if run.happened else []
    for seed in range(30):
        with record(keep_errors=True) as run:
            test_inplace_programs.outcome(mg, seed)
        lines += true_of(run)
    kinds = {line.kind for line in lines if line.verdict == "true"}
    assert kinds >= {"made", "seeded", "visited", "sent", "summed", "accumulated", "deposited", "mutated"}
    assert sum(line.verdict == "true" for line in lines) > 0.75 * len(lines)  # the rest are sentences, or large


@pytest.mark.parametrize("case", cases.CASES, ids=lambda case: case.id)
def test_each_row_is_recorded_and_told_truly(case):
    run = a_run_of(case)
    if run.happened:
        check(run)
        true_of(run)
        assert not [text for text in texts(run.trace) if PRIVATE.search(text)]


def test_the_reader_notices_what_is_false():
    with record() as run:
        (mg.tensor([1.0, 2.0], requires_grad=True) * 3).sum().backward()
    for frame in run.trace["frames"]:
        right = frame["equation"]
        for old, new in (("* 3", "* 4"), ("6", "7"), ("1]", "5]"), ("= 1", "= 2")):
            if old in right:
                frame["equation"] = right.replace(old, new)
                assert [line.verdict for line in read(run.trace)].count("true") < len(run.trace["frames"]), new
        frame["equation"] = right


# == changes in place ======================================================================================


def test_what_is_changed_in_place_keeps_its_name():
    def program(a):
        b = a * 2
        b.add_(1)
        b.add_(1)
        b.sum().backward()

    lines = told(program, mg.tensor([1.0, 2.0], requires_grad=True))
    assert lines[:3] == ["b = a * 2 = [2, 4]", "b₂ = b + 1 = [3, 5]", "b₃ = b₂ + 1 = [4, 6]"]


def test_a_change_through_a_view_is_told_once():
    def program(a):
        b = a * 2
        w = b[0:2]
        w.mul_(10)
        b.sum().backward()

    lines = told(program, mg.tensor([1.0, 2.0, 3.0], requires_grad=True))
    assert lines[:6] == [
        "b = a * 2 = [2, 4, 6]",
        "w = b[0:2] = [2, 4]",
        "w₂ = w * 10 = [20, 40]",
        "b₂ = b with w₂ put into it = [20, 40, 6]",
        "w₃ = b₂[0:2] = [20, 40]",
        "v1 = sum(b₂) = 66",
    ]


def test_what_is_known_under_another_name_changes_with_it():
    a = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        b = a + 1
        free = b.detach()
        free * 2
        free.zero_()
        c = b * 3
        c.sum()
    says = [frame["say"] for frame in run.trace["frames"] if frame["kind"] == "mutated"]
    assert says == [
        "`free.zero_()` changed free in place: [2, 3] → [0, 0]. Its memory is at version 1.",
        "b shares its memory with what was changed in place: [2, 3] → [0, 0].",
    ]
    assert "c = b * 3 = [0, 0]" in run.equations()
    cut = [edge for edge in run.trace["edges"] if edge.get("cut")]
    names = [node["name"] for node in run.trace["nodes"]]
    assert [(names[edge["from"]], names[edge["to"]]) for edge in cut] == [("b", "free")]
    true_of(run)


def test_a_backward_that_is_given_a_gradient_is_of_its_weighted_sum():
    def program(a):
        b = a * 2
        b.backward(mg.tensor([3.0, 4.0]))

    lines = told(program, mg.tensor([1.0, 2.0], requires_grad=True))
    assert lines[1] == "∂L/∂b = [3, 4]"


# == an engine that is broken on purpose ===================================================================


def diamond():
    p, q = mg.tensor(2.0, requires_grad=True), mg.tensor(3.0, requires_grad=True)
    with record(keep_errors=True) as run:
        s = p * q
        t = s * p - s
        t.backward(retain_graph=True)
        t.backward()
    return run


def waiting():
    a = mg.tensor(3.0, requires_grad=True)
    with record(keep_errors=True) as run:
        s = a + a
        t = s * 2
        y = s * t
        y.backward()
    return run


def stretched():
    b = mg.tensor([1.0, 2.0], requires_grad=True)
    with record(keep_errors=True) as run:
        (b * mg.ones(3, 2)).sum().backward()
    return run


def changed():
    x = mg.tensor([3.0], requires_grad=True)
    with record(keep_errors=True) as run:
        y = x * 2
        z = y * y
        y.add_(1)
        z.backward()
    return run


FIRST_WRONG = [
    ("overwrites_in_flight", diamond, "Another part reaches s: 2. It replaces what was there, -1, which is lost. "
     "The right engine adds: -1 + 2 = 1."),
    ("overwrites_at_the_leaf", diamond, "p.grad held 9, which is lost: now it holds 9. The right engine adds: "
     "9 + 9 = 18."),
    ("forgets_the_broadcast", stretched, "b receives ∂v3/∂v2 · v1 = [[1, 1], [1, 1], [1, 1]]. It has another shape "
     "than b: the right engine sums it over the axes that were stretched."),
    ("wrong_sign", diamond, "s receives 1, which is wrong. The right engine sends ∂t/∂t · (-1) = 1 × (-1) = -1."),
    ("swaps_the_operands", diamond, "s receives 6, which is wrong. The right engine sends ∂t/∂v1 · p = 1 × 2 = 2."),
    ("forgets_the_upstream", waiting, "s receives 2, which is wrong. The right engine sends ∂y/∂t · 2 = 6 × 2 = 12."),
    ("depth_first", waiting, "s runs its rule with 12, though another part is still to come. The right engine waits "
     "until all parts have arrived. Its rule: ∂s/∂a = 1. (a goes in along 2 arrows: a rule is for one of them.)"),
    ("remembers_inside", diamond, "v1 receives 2, which is wrong. The right engine sends ∂t/∂t · 1 = 1 × 1 = 1."),
    ("uses_changed_values", changed, "y receives [7], which is wrong. The right engine sends "
     "∂z/∂z · y = [1] × [6] = [6]."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "program", "said"), FIRST_WRONG, ids=[row[0] for row in FIRST_WRONG])
@pytest.mark.parametrize("told_inside", [True, False])
def test_a_broken_engine_is_told_as_one(name, program, said, told_inside):
    with FAULTS[name]():
        run = program()
        trace = run.trace if told_inside else None
    trace = trace or run.trace
    first = next(frame for frame in trace["frames"] if frame.get("wrong") or frame["kind"] == "error")
    assert first["say"] == said
    assert [line for line in read(trace) if line.verdict == "false"] == []
    assert [frame for frame in program().trace["frames"] if "wrong" in frame] == []


def test_what_is_lost_is_marked():
    for name, program in (("overwrites_in_flight", diamond), ("depth_first", waiting)):
        with FAULTS[name]():
            trace = program().trace
        lost = [change for frame in trace["frames"] for change in frame["changes"] if change[1] == "lost" and change[3]]
        assert lost, name


def test_every_fault_that_shows_in_a_number_is_told():
    assert {row[0] for row in FIRST_WRONG} == set(FAULTS) - {"frees_too_early"}  # which raises an error


# == sentences =============================================================================================


def said(program, *leaves) -> list[str]:
    with record() as run:
        program(*leaves)
    return [frame["say"] for frame in run.trace["frames"]]


def test_what_holds_otherwise_is_followed_by_no_equals_sign():
    lines = said(lambda x: mg.nn.functional.relu(x * 2).sum().backward(), mg.tensor([1.0, -2.0], requires_grad=True))
    assert any(line.endswith("else 0, which is [1, 0].") for line in lines)


def test_a_gradient_that_is_turned_stands_in_brackets():
    lines = said(lambda w: (w.t() @ mg.ones(2, 1)).sum().backward(), mg.ones(2, 3).requires_grad_())
    assert any(re.match(r"w receives \(∂v\d/∂v\d\)ᵀ = ", line) for line in lines), lines


@pytest.mark.parametrize("written", ["w.T", "w.mT", "w.t()"])
def test_a_matrix_is_transposed_as_it_was_written(written):
    w = mg.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
    with record() as run:
        v = {"w.T": lambda: w.T, "w.mT": lambda: w.mT, "w.t()": lambda: w.t()}[written]()
        (v * mg.tensor([[1.0, 0.0], [2.0, 3.0]])).sum().backward()
    assert run.equations().splitlines()[0].partition(" = ")[2] == f"{written} = [[1, 3], [2, 5]]"
    assert re.search(r"∂v\d/∂w = \(∂v\d/∂v\)ᵀ = \[\[1, 2\], \[0, 3\]\]", run.equations())
    assert [line for line in read(run.trace) if line.verdict != "true"] == []
    assert "= w.T " in repr(draw(w.T * 2)) and "permute(w, dims=(1, 0))" in told(lambda w: w.permute(1, 0), w)[0]


def test_a_matrix_that_a_rule_transposes_is_told_as_one():
    def twice(w, x):
        (g,) = mg.autograd.grad((w @ x).sum(), x, create_graph=True)
        (g.sum() + w.transpose(-2, -1).sum()).backward()

    lines = told(twice, *(mg.ones(2, 2, requires_grad=True) for _ in range(2)))
    assert any(line.endswith(" = wᵀ = [[1, 1], [1, 1]]") for line in lines)
    assert any(" = transpose(w, dim0=-2, dim1=-1) = " in line for line in lines)


def test_one_number_in_many_brackets_is_not_put_into_a_formula():
    assert told(lambda a: a.reshape(1, 1, 1) * 2, mg.ones(1)) == [
        "v1 = view(a, shape=(1, 1, 1)) = 1×1×1: all 1", "v2 = v1 * 2 = 1×1×1: all 2",
    ]  # fmt: skip
    a = mg.ones(1, 1, 1, requires_grad=True)
    lines = told(lambda a: (a.sum() * a.sum()).backward(), a)
    assert lines[-3:] == ["∂v3/∂a += ∂v3/∂v1 · 1 = 1×1×1: all 1", "∂v3/∂a = 1×1×1: all 2", "a.grad = 1×1×1: all 2"]


def test_a_comparison_is_said_once():
    a, b = mg.tensor(-2.0, requires_grad=True), mg.tensor([1.0, -2.0])
    with record() as run:
        above = a > -3
        same = a == b
    assert [frame["say"] for frame in run.trace["frames"]] == [
        "above says whether a > -3: -2 > -3 is True.",
        "same says whether a == b: [False, True].",
    ]
    assert run.equations() == "above = (a > -3) = (-2 > -3) = True\nsame = (a == b) = [False, True]"
    assert {line.verdict for line in read(run.trace)} == {"true"} and above and same[1]


def test_no_number_stands_in_two_pairs_of_brackets():
    with record() as run:
        (mg.maximum(mg.erf(mg.tensor(-0.5, requires_grad=True)), mg.tensor(-2.0)) * -3).backward()
    assert "erf(-0.5)" in run.equations() and ", -2)" in run.equations()
    assert not re.search(r"\(\(-|, \(-", run.to_json())


def test_an_operation_without_a_public_name_has_one_in_a_sentence():
    norm = mg.nn.BatchNorm1d(3)
    assert any(" = standardised(x)" in line for line in said(lambda x: norm(x), mg.randn(8, 3)))


def test_what_has_no_name_is_not_listed_among_what_was_saved():
    lines = said(
        lambda x: mg.nn.functional.cross_entropy(x, mg.tensor([2, 0])).backward(), mg.randn(2, 3).requires_grad_()
    )
    assert not any("…, " in line for line in lines if "lets go" in line)


def test_the_next_step_says_how_a_mailbox_is_emptied():
    w = mg.tensor([1.0], requires_grad=True)
    w.sum().backward()
    with record() as run:
        w.sum().backward()
        w.grad.zero_()
        w.grad = None
    zeroed = [(frame["hint"], frame["say"]) for frame in run.trace["frames"] if frame["kind"] == "zeroed"]
    assert zeroed == [
        ("w.grad is set to zero.", "w.grad is zero again."),
        ("w.grad is emptied.", "w.grad is None: it is empty again."),
    ]


def test_what_detach_cuts_off_is_told_where_it_is_used_first():
    def half_cut(x):
        h = x * 2
        c = h.detach()
        (h * c + c + x.detach()).backward()

    lines = said(half_cut, mg.tensor(3.0, requires_grad=True))
    cut = "the same numbers, and no gradient goes back through it."
    assert f"v1 = h * c = 6 * 6 = 36. c is h.detach(): {cut}" in lines
    assert "v2 = v1 + c = 36 + 6 = 42." in lines
    assert f"v4 = v2 + v3 = 42 + 3 = 45. v3 is x.detach(): {cut}" in lines


def test_a_node_of_several_results_is_told_with_all_that_came_for_them():
    def two_of_three(x):
        _, second, third = x.unbind()
        (second * third).backward()

    x = mg.tensor([3.0, 1.0, 2.0], requires_grad=True)
    lines = said(two_of_three, x)
    assert "v1, second, third = unbind(x) = 3, 1, 2." in lines
    assert "x receives stack([zeros, ∂v2/∂second, ∂v2/∂third], dim=0) = [0, 2, 1]." in lines
    with record() as run:
        two_of_three(x)
    hints = [frame["hint"] for frame in run.trace["frames"]]
    assert hints[0] == "v1, second, third = unbind(x)."
    assert "second and third have received all their parts; the rule of their node runs." in hints


def test_a_result_of_float64_keeps_its_name_in_a_rule():
    a = mg.tensor(0.5, requires_grad=True, dtype=mg.float64)
    with record() as run:
        b = a.tanh()
        b.backward()
    assert "∂b/∂a = ∂b/∂b · (1 - b * b) = 1 × 0.7864 = 0.7864" in run.equations()


def test_the_equation_of_a_negated_number_has_a_place_for_it():
    w = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        loss = -w * 3
        loss.backward()
    assert run.trace["frames"][0]["live"]["equation"].startswith("v1 = -w = ⟦")


def test_what_goes_in_twice_has_a_rule_for_each_arrow():
    with record() as run:
        s = mg.tensor(3.0, requires_grad=True)
        (s * s + s * 2).backward()
    said = [frame["say"] for frame in run.trace["frames"]]
    twice = "Its rule: ∂v1/∂s = s. (s goes in along 2 arrows: a rule is for one of them.)"
    assert [twice in one for one in said].count(True) == 1 == str(said).count("goes in")


def test_of_two_vectors_the_rule_is_a_factor():
    a, b = mg.tensor([1.0, 2.0], requires_grad=True), mg.tensor([3.0, 4.0], requires_grad=True)
    with record() as run:
        out = a @ b
        out.backward()
    assert "∂out/∂a = ∂out/∂out · b = [3, 4]" in run.equations()
    with record() as run:
        (mg.ones(3, 2, 2) @ a).sum().backward()
    assert "sent back through matmul" in run.equations()  # there no short formula is known


def test_the_rules_of_many_inputs_name_each():
    a, b = mg.tensor([1.0, 2.0], requires_grad=True), mg.tensor([3.0, 4.0], requires_grad=True)
    with record() as run:
        c = mg.stack([a, b])
        x, y = c.unbind()
    rules = [node.get("rules") for node in run.trace["nodes"] if node["kind"] == "operation"]
    assert [one.partition(":")[0] for one in rules[0]] == ["gradient of a", "gradient of b"]
    assert rules[1] == ["gradient of c: stack([g, …], dim=0)"]


def test_the_formula_of_a_part_is_not_said_of_what_a_hook_left():
    a = mg.tensor([2.0, 1.0], requires_grad=True)
    s = mg.tensor(3.0, requires_grad=True)
    with record() as run:
        c = (a * s).sin()
        c.grad_fn.register_hook(lambda sent, arrived: (sent[0] * 2,))
        c.grad_fn.register_prehook(lambda arrived: (arrived[0] + 1,))
        c.grad_fn.next_functions[0][0].register_hook(lambda sent, arrived: None)
        c.sum().backward()
    frames = run.trace["frames"]
    said = [frame["say"] for frame in frames]
    assert "v1 receives what the hook left of ∂v2/∂c · cos(v1): [3.841, -3.96]." in said
    assert any(one.startswith("On the way to s: ∂v2/∂v1 · a = [7.68") for one in said)
    hooks = [frame for frame in frames if frame["kind"] == "hook"]
    arrived = next(change for change in hooks[0]["changes"] if change[1] == "grad")  # the picture has it, too
    assert run.trace["values"][arrived[3]]["text"] == "[2, 2]"
    assert hooks[1]["say"].endswith("and replaced it by [3.841, -3.96]. SinBackward0 lets go of what it saved (v1).")


# == what a number cannot do, and what is not seen ==========================================================


def test_zero_times_infinity_is_not_said_to_be_zero():
    x = mg.tensor(-1.0, requires_grad=True)
    lines = told(lambda x: (x.clamp(min=0) * float("inf")).backward(), x)
    assert "∂v2/∂x = where(x >= 0, ∂v2/∂v1, 0) = 0" in lines
    assert "∂v2/∂x = 0" in told(lambda x: (x.sign() * float("inf")).backward(), x)
    assert "∂v2/∂x = ∂v2/∂v1 · 0 = 2 × 0 = 0" in told(lambda x: (x.sign() * 2).backward(), x)


def test_half_precision_is_not_said_to_be_wrong():
    x = mg.tensor([-0.0006, 3.0], dtype=mg.float16, requires_grad=True)
    with record() as run:
        (1 / x).sum().backward()
    true_of(run)
    assert run.trace["frames"][-1]["say"] == "x.grad was empty: now it holds [-inf, -0.1111]."
    assert "[-inf, -0.1111]" in run.trace["frames"][-2]["say"]


def test_a_real_number_receives_the_real_part():
    w, z = mg.tensor(2.0, requires_grad=True), complex_leaf([3 + 4j, 1j])
    lines = told(lambda w, z: (w * z).sum().abs().backward(), w, z)
    assert any(line.startswith("∂v3/∂w = sum(part, dim=0).real = ") for line in lines), lines
    one = mg.tensor(3 + 4j, requires_grad=True)
    assert "∂v2/∂w = (∂v2/∂v1 · conj(one)).real = ((0.6+0.8j) × (3-4j)).real = 5" in told(
        lambda w, one: (w * one).abs().backward(), w, one
    )


@pytest.mark.parametrize(
    ("written", "formula"),
    [
        ("x.half()", "x.to(float16)"),
        ("x.clone()", "x.clone()"),
        ("x % 2", "x % 2"),
        ("x // 2", "x // 2"),
        ("x.detach().unique()", "unique(v1)"),
        ("x.logit()", "logit(x)"),
        ("x.sort().values", "sort(x, dim=-1)[0]"),
        ("mg.nn.functional.smooth_l1_loss(x, x)", "huber_loss(x, x, delta=1)"),
        ("mg.nn.functional.mse_loss(x, x, reduction='sum')", "mse_loss(x, x, reduction='sum')"),
        ("mg.nn.functional.cross_entropy(x, mg.tensor(1))", "nll_loss(v1, target)"),
        ("mg.nn.functional.embedding(mg.tensor([0]), x[None])", "embedding(v1, index=[0])"),
        ("mg.nn.functional.layer_norm(x, (2,), x, x)", "standardised(x) * x + x"),
        ("mg.nn.functional.conv_transpose1d(x[:, None, None], x[:1, None, None], x[:1])", "conv_transpose(v1, v2, v3)"),
        ("x.to(mg.complex64).imag", "v1.imag"),
        ("x[mg.tensor([1, 1, 0])]", "x[[1, 1, 0]]"),
        ("mg.add(x, x, alpha=-2)", "x + (-2) * x"),
        ("x.clamp(None, x)", "clamp(x, max=x)"),
        ("x.norm()", "vector_norm(x)"),
        ("mg.linalg.det(x[None] * x[:, None])", "det(v3)"),
        ("x * x.detach().numpy()", "x * [2.5, 3.5]"),
        ("x.expand(1, 1, 1, 1, 1, 1, 1, 2)", "expand(x, shape=(1, 1, …, 2))"),
    ],
)
def test_an_operation_reads_as_a_learner_would_write_it(written, formula):
    x = mg.tensor([2.5, 3.5], requires_grad=True)
    with record() as run:
        y = eval(written, {"mg": mg, "x": x})
    labels = [node["label"] for node in run.trace["nodes"] if node["kind"] == "operation"]
    assert labels[-1 - ("sort" in written)].partition(" = ")[2] == formula and y is not None


def test_a_rule_names_no_option_that_was_not_given():
    lines = told(lambda x: x.logit().sum().backward(), mg.tensor([0.5, 0.25], requires_grad=True))
    assert "∂v2/∂x = where((x < 0) | (x > 1), nan, ∂v2/∂v1 / (x * (1 - x))) = [4, 5.333]" in lines
    lines = said(lambda x: mg.nn.functional.gelu(x).sum().backward(), mg.ones(2, requires_grad=True))
    assert any("(1 / sqrt(2 * π))" in line for line in lines), lines
    leaf, mean, spread = mg.ones(1, 1, requires_grad=True), mg.zeros(1), mg.ones(1) * 4
    lines = said(lambda x: mg.nn.functional.batch_norm(x, mean, spread).sum().backward(), leaf)
    assert "x receives ∂v2/∂v1 / the gathered deviation: [[0.5]]." in lines, lines


def test_a_norm_of_nothing_but_zeros_has_no_quotient_as_its_rule():
    lines = said(lambda x: x.norm().backward(), mg.ones(2, requires_grad=True))
    assert "x receives ∂v1/∂v1 · (x / v1) = [0.7071, 0.7071]." in lines
    lines = said(lambda x: x.norm().backward(), mg.zeros(2, requires_grad=True))
    assert "x.grad was empty: now it holds [0, 0]." in lines and not any("x / v1)" in one for one in lines)


def test_a_gradient_below_the_line_stands_in_brackets():
    def twice(x):
        (slope,) = mg.autograd.grad((x * x).sum(), x, create_graph=True)
        mg.autograd.functional.jvp(lambda x: x * x, x, x)
        slope.sum().backward()

    assert not any("∂∂" in line for line in said(twice, mg.tensor([2.0], requires_grad=True)))


def test_of_a_long_name_both_ends_are_told():
    the_error_of_the_second_layer_of_it_all = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        the_error_of_the_second_layer_of_it_all * 2
    assert run.trace["nodes"][0]["name"] == "the_error_o…er_of_it_all"


def test_of_many_results_a_few_are_named():
    lines = said(lambda x: x.unbind(), mg.ones(9, requires_grad=True))
    assert lines == ["v1, v2, …, v9 = unbind(x)."]
    assert said(lambda x: x.unbind(), mg.ones(0, requires_grad=True)) == []


def test_what_lies_in_a_mailbox_is_told_when_it_changes():
    x, w = mg.tensor([3.0, 4.0], requires_grad=True), mg.tensor([2.0, 1.0], requires_grad=True)
    with record() as run:
        (x * w).sum().backward()
        mg.nn.utils.clip_grad_norm_([w], 1.0)
        x.grad = mg.ones(2)
        (x * w).sum().backward()
        x.grad.zero_()
    told = [frame["say"] for frame in run.trace["frames"] if frame["kind"] in ("mutated", "zeroed")]
    assert told == [
        "`mg.nn.utils.clip_grad_norm_([w], 1.0)` changed w.grad in place: [3, 4] → [0.6, 0.8]. "
        "Its memory is at version 1.",
        "x.grad was given other numbers since: [2, 1] → [1, 1].",
        "x.grad is zero again.",
    ]
    true_of(run)


def test_a_change_at_the_end_is_told_whatever_came_first():
    w = mg.tensor([2.0, 1.0], requires_grad=True)
    w.grad = mg.ones(2)
    with record() as run:
        w.grad = None
        (w * w).sum().backward()
        w.grad.mul_(0.5)
    assert run.trace["frames"][-1]["say"].startswith("`w.grad.mul_(0.5)` changed w.grad in place: [4, 2] → [2, 1].")


CHANGES = {
    "28 → 14": lambda m, w, x: w.grad.mul_(0.5),
    "28 → 7": lambda m, w, x: w.grad.data.mul_(0.25),
    "28 → 1": lambda m, w, x: m.nn.utils.clip_grad_norm_([w], 1.0),
    "[4, 4] → [0.14, 0.14]": lambda m, w, x: m.nn.utils.clip_grad_norm_([w, x], 1.0),
}


@pytest.mark.parametrize("engine", ["minigrad", "torch"])
@pytest.mark.parametrize("numbers", CHANGES)
def test_a_change_of_a_gradient_is_told_of_one_number_too_and_of_both_engines(engine, numbers):
    m = pytest.importorskip(engine)
    w, x = m.tensor(2.0, requires_grad=True), m.tensor([3.0, 4.0], requires_grad=True)
    with record() as run:
        (w * w * x).sum().backward()
        CHANGES[numbers](m, w, x)
    *_, told = [frame["say"] for frame in run.trace["frames"] if frame["kind"] == "mutated"]
    assert f".grad in place: {numbers}. Its memory is at version" in told


def test_where_nobody_knows_the_line_none_is_quoted():
    w = mg.ones(2, requires_grad=True)
    with record() as run:
        exec("y = w * 2\nwith mg.no_grad(): w.add_(1)", {"w": w, "mg": mg})  # as at the prompt of a plain `python`
    told = run.trace["frames"][-1]["say"]
    assert told == "Something changed w in place: [1, 1] → [2, 2]. Its memory is at version 1."


def test_a_result_from_which_a_backward_starts_twice():
    w = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        y = w * 3
        mg.autograd.grad((y, y), w)
    assert "∂L/∂y = 1 + 1 = 2" in run.equations() and "∂L/∂w = ∂L/∂y · 3 = 2 × 3 = 6" in run.equations()


def test_what_rounding_leaves_is_not_told_as_a_sum():
    x = mg.tensor([1.0, 3.0, 2.0], requires_grad=True)
    with record() as run:
        m = x.max()
        (m + (x - m).exp().sum().log()).backward()
    added = [frame["say"] for frame in run.trace["frames"] if frame["kind"] == "accumulated"]
    assert added[0].endswith("1 + (-1) = 5.96e-08. Where parts cancel, rounding is left.")
    assert "rounding" not in added[1] and len(added) == 2


def test_a_hook_of_ours_has_no_name():
    layer, x = mg.nn.Linear(2, 1), mg.ones(1, 2, requires_grad=True)
    layer.register_full_backward_hook(lambda module, gave, got: None)
    lines = said(lambda x: layer(x).sum().backward(), x)
    assert any(line.startswith("A hook on") for line in lines) and not any("hook _" in line for line in lines)


@pytest.mark.parametrize("engine", ["minigrad", "torch"])
def test_what_a_rule_has_summed_is_summed_once(engine):
    m = pytest.importorskip(engine)
    x, w = m.tensor([[1.0, 3.0], [10.0, 30.0]]), m.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        m.nn.functional.layer_norm(x, (2,), w).square().sum().backward()
    (told,) = [frame["say"] for frame in run.trace["frames"] if frame.get("hint", "").startswith("w receives")]
    assert re.search(r"the normalised x, summed over all that it multiplies: \[4, 8\]\.$", told), told


def test_an_index_of_several_parts_stands_in_one_pair_of_brackets():
    a, i = mg.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True), mg.tensor([1, 0])
    with record() as run:
        rows = mg.zeros(2, 2).index_add(0, i, a)
        columns = a.index_copy(1, i, a)
        (rows + columns).sum().backward()
    lines = run.equations().splitlines()
    assert lines[0].startswith("rows = v1, with v1[[1, 0]] += a = ")
    assert lines[1].startswith("columns = a, with a[:, [1, 0]] = a = ")
    assert any("∂v3/∂rows[[1, 0]] = " in line for line in lines)


def test_a_solution_is_told_without_options_of_ours():
    a, b = mg.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True), mg.tensor([1.0, -2.0])
    with record() as run:
        x = mg.linalg.solve(a, b)
    assert run.equations() == "x = solve(a, b) = [-4, 2.5]" and x.requires_grad


def test_nothing_is_computed_that_the_formula_does_not_say():
    x, F = mg.tensor([[1.0, 2.0]], requires_grad=True), mg.nn.functional
    with record() as run:
        F.triplet_margin_loss(x, x + 1, x - 2) + F.poisson_nll_loss(x, x.detach())
    assert not re.search(r"stack|amin|False", run.equations()), run.equations()
    with record() as run:
        y = x.unflatten(1, (1, 2))
    assert run.equations() == "y = view(x, shape=(1, 1, 2)) = 1×1×2: 1 … 2" and y.ndim == 3
