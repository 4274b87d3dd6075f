"""A compiled function does what the function does, bit by bit, for each row of the tables."""

import pytest

import minigrad as mg
from tests.ops.cases import CASES
from tests.oracle import listed

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def same(one, other):
    if one is None or other is None:
        return one is other
    one, other = one.detach().numpy(), other.detach().numpy()
    return one.shape == other.shape and one.dtype == other.dtype and one.tobytes() == other.tobytes()


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_each_row_of_the_tables(case):
    def leaves(seed):
        found = [x * x.dtype.type(1 - seed / 8) if x.dtype.kind in "fc" else x for x in case.fixed()]  # no two alike
        return [mg.tensor(x, requires_grad=x.dtype.kind in "fc") for x in found]

    body = case.call(mg)

    def function(*inputs):
        return body(*inputs)

    compiled = mg.compile(function)
    for turn in range(3):
        mine, other = leaves(turn), leaves(turn)
        outs, expected = listed(compiled(*mine)), listed(function(*other))
        assert all(same(a, b) and a.requires_grad == b.requires_grad for a, b in zip(outs, expected))
        for results in (outs, expected):
            ends = [one for one in results if one.requires_grad]
            if ends:
                mg.autograd.backward(ends, [mg.ones_like(one) for one in ends])
        assert all(same(a.grad, b.grad) for a, b in zip(mine, other))
