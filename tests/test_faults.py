"""The mutation check: known mistakes are planted in the engine, and the tests must notice each of them."""

from functools import cache

import numpy as np
import pytest

import minigrad as mg
from minigrad import faults
from minigrad.autograd import gradcheck, gradgradcheck
from minigrad.core import backward as reverse
from minigrad.core.graph import AccumulateGrad
from minigrad.core.op_node import OpNode

from .autograd import test_traps as traps
from .core import test_memory as memory
from .core.programs import alike, program, run
from .ops.cases import CASES
from .ops.test_rows import study
from .oracle import answer, assert_same, recorded

each_fault = pytest.mark.parametrize("fault", faults.FAULTS.values(), ids=faults.FAULTS)


def row(id: str):
    (case,) = (case for case in CASES if case.id == id)
    return lambda: assert_same(answer(study(case), mg), recorded("rows")[id])


def differences(function, *values):
    def check():
        inputs = [mg.tensor(value, dtype=float, requires_grad=True) for value in values]
        assert gradcheck(function, inputs) and gradgradcheck(function, inputs)

    return check


CHECKS = {  # representatives of the suite
    "18 diamonds": lambda: traps.test_diamonds_are_visited_once_each(18),
    "6 for 21": traps.test_a_shared_interior_node_is_not_freed_at_its_first_visit,
    "45 for 27": traps.test_a_second_backward_adds_the_first_gradient_once,
    "a + a": traps.test_a_plus_a_has_two_edges_and_gradient_two,
    "complete before it runs": traps.test_a_node_runs_only_when_its_gradient_is_complete,
    "broadcast": lambda: traps.test_the_gradient_of_a_broadcast_input_is_summed_to_its_shape((3,)),
    "overwritten value": traps.test_a_saved_value_that_was_overwritten_is_refused,
    "overwritten output": traps.test_a_saved_output_that_was_overwritten_is_refused,
    "many leaves": memory.test_a_reduction_over_8000_leaves,
    "row: a - b": row("sub: a - b"),
    "row: a * b": row("mul: a * b"),
    "differences: product": differences(lambda a, b: a * b, 2.0, 3.0),
    "differences: chain": differences(lambda a: a.sin().exp(), 0.5),
    "differences: difference": differences(lambda a, b: (a - b) ** 2, [1.0, 2.0], 0.5),
}


def caught_by() -> set[str]:
    """The checks that fail."""
    failed = set()
    for name, check in CHECKS.items():
        try:
            check()
        except (Exception, pytest.fail.Exception):
            failed.add(name)
    return failed


def test_all_checks_pass_without_a_fault():
    assert caught_by() == set()


@cache
def caught_under(fault) -> set[str]:
    with fault():
        return caught_by()


@each_fault
def test_each_fault_is_caught(fault):
    assert caught_under(fault)
    assert caught_by() == set()


def test_each_check_catches_something():
    assert set().union(*map(caught_under, faults.FAULTS.values())) == set(CHECKS)


@pytest.fixture(scope="module")
def healthy():
    """Random programs, and what they give in the right reverse, by seed and order."""
    written = [program(seed) for seed in range(150)]
    return written, {(seed, order): run(mg, *one, order) for order in (1, 2) for seed, one in enumerate(written)}


@each_fault
@pytest.mark.filterwarnings("ignore")
def test_random_programs_catch_each_fault(fault, healthy):
    written, results = healthy

    def differs(seed, order):
        right = results[seed, order]
        try:
            found = run(mg, *written[seed], order)
        except Exception:
            return True
        return found.keys() != right.keys() or not all(alike(found[name], right[name]) for name in right)

    with fault():
        wrong = next((key for key in results if differs(*key)), None)
    assert wrong
    assert not differs(*wrong)


def engine_state() -> list:
    rows = (reverse, OpNode, AccumulateGrad)
    parts = ("rules", "rules_say", "plans")
    rules = [(id(row.op), *[dict(getattr(row.op, part)) for part in parts]) for row in mg.ops.rows.values()]
    return [*[dict(vars(owner)) for owner in rows], rules]


@each_fault
@pytest.mark.parametrize("error", [None, ZeroDivisionError])
def test_the_engine_is_exactly_what_it_was_afterwards(fault, error):
    before = engine_state()
    try:
        with fault():
            assert engine_state() != before
            x = mg.ones(2, requires_grad=True)
            ((x - 1) * x).sum().backward()
            if error:
                raise error
    except ZeroDivisionError:
        assert error
    assert engine_state() == before


@each_fault
def test_each_fault_says_what_the_misconception_is(fault):
    assert fault.name and fault.misconception.endswith(".") and "; but " in fault.misconception


def test_a_rewritten_rule_is_said_as_it_is_now():
    """`rules_say` has the right rule in words: of a wrong one the words are read off the rule itself."""
    row = mg.ops.rows["mean"]
    right = row.op.derivative("a")
    with faults.rewritten(row, a=lambda g, a: g * a):
        assert row.op.derivative("a") == "∂L/∂a = g * a"
    assert row.op.derivative("a") == right == "∂out/∂a = 1 / count"


# == what a learner would see ==============================================================================


def found(fault, function, *values):
    inputs = [mg.tensor(value, dtype=float, requires_grad=True) for value in values]
    with fault():
        function(*inputs)
    return [None if x.grad is None else x.grad.numpy() for x in inputs]


def test_the_wrong_answers_are_the_well_known_ones():
    def twice(x):
        y = x * x
        (y * 2 + y * 1.5).backward()

    assert found(faults.overwrites_in_flight, twice, 3.0) == [6.0]  # for 21
    assert found(faults.wrong_sign, lambda a, b: (a - b).backward(), 5.0, 3.0) == [1.0, 1.0]
    assert found(faults.swaps_the_operands, lambda a, b: (a * b).backward(), 5.0, 3.0) == [5.0, 3.0]
    assert found(faults.forgets_the_upstream, lambda a: (a.exp() * 7).backward(), 0.0) == [1.0]
    (shape,) = (
        g.shape for g in found(faults.forgets_the_broadcast, lambda b: (b * mg.ones(2, 3)).sum().backward(), 1.0)
    )
    assert shape == (2, 3)

    def thrice(x):
        y = x * x
        z = y * 1.5
        for _ in range(3):
            z.backward(retain_graph=True)

    assert found(faults.overwrites_at_the_leaf, thrice, 3.0) == [9.0]
    assert found(faults.remembers_inside, thrice, 3.0)[0] > 27.0

    def changed(x):
        y = x * 1
        z = y * y
        y.fill_(100.0)
        z.backward()

    np.testing.assert_array_equal(found(faults.uses_changed_values, changed, [3.0]), [[200.0]])
