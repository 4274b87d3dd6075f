"""A share of each family's programs gives what it gives in PyTorch; and the hunt finds what is wrong on purpose."""

import pytest

import minigrad
from minigrad.faults import FAULTS

from ..oracle import judge
from .hunt import FAMILIES, disagreement, program
from .judge import difference, run
from .known import KNOWN, reason_for
from .shrink import shrunk

SHARE = 50


@pytest.mark.parametrize("name", FAMILIES)
def test_a_share_of_each_family(name):
    torch = judge()
    found = [disagreement(name, seed, torch) for seed in range(SHARE)]
    wrong = [str(one) for one in found if one and not one.reason]
    assert not wrong, f"{len(wrong)} of {SHARE} programs\n\n" + "\n\n".join(wrong[:3])


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.reason[:40])
def test_what_is_known_still_disagrees(known):
    lines = list(known.example)
    found = difference(run(minigrad, lines), run(judge(), lines), kinds=True)
    assert found and reason_for(lines, found, known.family) == known.reason


@pytest.mark.parametrize("name", FAMILIES)
def test_a_program_is_a_function_of_its_seed(name):
    assert program(name, 11) == program(name, 11)
    assert len({str(program(name, seed)) for seed in range(20)}) > 15


@pytest.mark.parametrize(
    "family, name",
    [
        ("expressions", "overwrites_in_flight"),
        ("expressions", "wrong_sign"),
        ("expressions", "forgets_the_broadcast"),
        ("expressions", "forgets_the_upstream"),
        ("by_hand", "forgets_the_broadcast"),
        ("meta_learning", "overwrites_in_flight"),
        ("per_sample", "forgets_the_upstream"),
        ("several_passes", "remembers_inside"),
        ("checkpoint_hooks", "overwrites_in_flight"),
        ("functions_in_nets", "forgets_the_broadcast"),
        ("freezing", "overwrites_at_the_leaf"),
    ],
)
def test_a_planted_fault_is_found_and_cut_down(family, name):
    """In a broken engine a program disagrees that agrees in the right one."""
    torch = judge()
    for seed in range(SHARE):
        if disagreement(family, seed, torch) is None:
            with FAULTS[name]():
                found = disagreement(family, seed, torch)
            if found:
                assert len(found.lines) < 10 and found.found
                return
    raise AssertionError("not noticed")


def test_a_program_that_was_written_leaves_no_level_of_forward_mode_open():
    assert any("D(" in line for line in program("saved_tangents", 11))
    with pytest.raises(RuntimeError, match="not under way"):
        minigrad.autograd.forward_ad.exit_dual_level()


def test_shrinking_leaves_what_is_needed():
    assert shrunk(list("abcdef"), lambda lines: {"b", "e"} <= set(lines)) == ["b", "e"]


def test_a_warning_of_numpy_is_a_difference():
    lines = ["x = T([0.0])", "y = x.detach().numpy() / 0"]
    ours, theirs = run(minigrad, lines), run(judge(), lines)
    assert any("warning" in line for line in difference(ours, theirs))
