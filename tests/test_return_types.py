"""Operations with several results: named parts, printed as PyTorch prints them."""

import pytest

import minigrad as mg

from .oracle import judge

RESULTS = {
    "max": lambda m, a: a.max(1),
    "min": lambda m, a: a.min(1, keepdim=True),
    "sort": lambda m, a: a.sort(1),
    "topk": lambda m, a: a.topk(1),
    "median": lambda m, a: a.median(1),
    "nanmedian": lambda m, a: a.nanmedian(1),
    "eigh": lambda m, a: m.linalg.eigh(a.detach() @ a.detach().T),
    "qr": lambda m, a: m.linalg.qr(a),
    "qr, the old form": lambda m, a: m.qr(a),
    "svd": lambda m, a: m.linalg.svd(a),
    "svd, the old form": lambda m, a: m.svd(a),
}


@pytest.mark.parametrize("name", RESULTS)
def test_several_results_print_as_pytorchs(name):
    torch = judge()
    with mg.printoptions(namespace="torch"):
        found, expected = (
            RESULTS[name](m, m.tensor([[3.0, 1.0], [2.0, 5.0]], requires_grad=True)) for m in (mg, torch)
        )
        assert repr(found) == repr(expected)
        assert all(repr(getattr(expected, part)) == repr(getattr(found, part)) for part in found._fields)


def test_several_results_print_their_names():
    found = mg.tensor([[1, 3], [4, 2]]).max(1)
    assert repr(found) == "minigrad.return_types.max(\nvalues=tensor([3, 4]),\nindices=tensor([1, 0]))"
    values, indices = found
    assert values is found.values and indices is found[1]


def test_positions_out_of_range_are_told_as_in_pytorch():
    a = mg.arange(24.0).reshape(2, 3, 4)
    with pytest.raises(IndexError, match=r"Dimension out of range \(expected to be in range of \[-3, 2\], but got 3\)"):
        a.gather(3, mg.zeros(1, dtype=mg.long))
