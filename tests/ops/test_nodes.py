"""What an operation leaves in the graph: its node's name, those one step further, and which change comes too late."""

import re

import pytest

import minigrad as mg

from ..oracle import judge, listed
from .cases import CASES

pytestmark = pytest.mark.filterwarnings("ignore")
CALLS = [case for case in CASES if not case.torch and "rows." not in case.expression]
# where PyTorch's way leads over other nodes than ours, to the same gradients; the last one's name is the same
OTHER_WAY = {
    r"\.real$|\.imag$": "a complex number is seen as two real ones, and one of these is picked",
    r"a @ b|tensordot|einsum|scaled_dot": "products are made of rows that fit, which are one node here",
    r"\[.*,.*\]$|assign\(|changed\(": "an index of several parts is taken apart, or its value brought into shape",
    r"gather\(a, 0|repeat_interleave|index_add\(0|sum_to_size|cross_entropy\(a, ints\(\[\[": "a view on the way",
}
OTHER_NAME = r"left=False|\(\(2, 3\), \(2, 3, 1\)\)|sum_to_size"
# where one of the two keeps an input, for another way to the same gradient
OTHERS_KEPT = r"a @ b|scaled_dot|index_add|layer_norm|batch_norm\(a, floats"


def leaves(m, case) -> list:
    return [m.tensor(array, requires_grad=True) for array in case.fixed()]


def names(m, case) -> list:
    """The name of each result's node, and the names of those that it leads to."""
    nodes = [out.grad_fn for out in listed(case.call(m)(*leaves(m, case)))]
    return [node and [node.name(), [one.name() for one, _ in node.next_functions if one]] for node in nodes]


def refuses_change(m, case, place: int) -> bool:
    """Whether a backward notices that an input was changed since the forward."""
    inputs = [x * 1 for x in leaves(m, case)]
    outs = [out for out in listed(case.call(m)(*inputs)) if out.requires_grad]
    inputs[place].detach().add_(0)
    try:
        m.autograd.backward(outs, [m.ones_like(out) for out in outs])
    except RuntimeError as error:
        return "modified by an inplace operation" in str(error)
    return False


@pytest.mark.parametrize("case", CALLS, ids=[case.id for case in CALLS])
def test_nodes_are_called_as_pytorchs(case):
    ours, theirs = names(mg, case), names(judge(), case)
    if any(re.search(pattern, case.expression) for pattern in OTHER_WAY):
        ours, theirs = ([node and node[0] for node in found] for found in (ours, theirs))
    assert ours == theirs or re.search(OTHER_NAME, case.id)


@pytest.mark.parametrize("case", CALLS, ids=[case.id for case in CALLS])
def test_a_change_comes_too_late_where_it_does_in_pytorch(case):
    if any(names(mg, case)) and not re.search(OTHERS_KEPT, case.expression):
        for place in range(len(case.inputs)):
            assert refuses_change(mg, case, place) == refuses_change(judge(), case, place), case.inputs[place]
