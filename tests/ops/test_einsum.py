"""Einsum and its relatives: what the hunt does not write often, above all what is refused, and in which words."""

import pytest

import minigrad as mg

from ..oracle import answer, assert_same, judge

CALLS = """
m.einsum('i,i->', a[0], b[0])   m.einsum('i,i->i', a[0], b[0])   m.einsum(',->', a[0, 0], b[0, 1])
m.einsum('ij,j,i->', a, b[0], a[0])   m.einsum('ii,ii->', a, b)   m.einsum(' i j , j k -> k i ', a, b)
m.einsum('bA,Ac', a, b)   m.einsum('ij,jk', [a, b])
m.einsum('i,i', a[0, :0], b[0, :1])
m.einsum(a, [0, 1], b, [1, 2], [0, 2])   m.einsum(a, (30, 1), b, [1, 2])   m.einsum(a, [..., 7], [7, ...])
m.einsum(a, m.tensor([0, 0]))
m.einsum('ij,jk', a, b[:1, :1])   m.einsum('ij,jk', a[:, :1], b)   m.einsum('ij,jk', a, a.new_ones(3, 2))
m.einsum('ii', a[:1])   m.einsum('...i,ii', a[:1], b)   m.einsum('ijk,j', a, b[0])   m.einsum('ijk...', a)
m.einsum('ij->ijk', a)   m.einsum('ij->ii', a)   m.einsum('i1', a)   m.einsum('ij->i->j', a)   m.einsum('i - > i', a)
m.einsum('i.j', a)   m.einsum('...i...', a)   m.einsum('i,j,k', a)   m.einsum('ij', a, b)
m.einsum()   m.einsum('i')   m.einsum('ij,jk', a, 3.0)
m.tensordot(a, b[:1], ([1], [0]))   m.tensordot(a[:, :1], b, ([-1], [-2]))
m.tensordot(a, b, m.tensor([[0, 1], [1, 0]]))   m.tensordot(a, b, m.tensor(1))   m.tensordot(a, b, 3)
m.tensordot(a, b, -1)   m.tensordot(a, b, ([1], [0, 1]))   m.tensordot(a, b, ([2], [0]))
m.tensordot(a, b, ([0, 0], [0, 1]))   m.tensordot(a, b.float(), 1)   m.tensordot(a[0, 0], b, ([0], [0]))
"""


A, B = [[1.0, 2.0], [-1.0, 0.5]], [[3.0, 5.0], [0.5, -2.0]]


def question(call: str):
    def of(m):
        a, b = (m.tensor(x, dtype=m.float64, requires_grad=True) for x in (A, B))
        try:
            out = eval(call, {"m": m, "a": a, "b": b})
        except Exception as error:  # ours goes on with what the operands are
            raise type(error)(str(error).partition("\n")[0]) from None
        return [out, *m.autograd.grad(out.sum(), [a, b], allow_unused=True)]

    return of


@pytest.mark.parametrize("call", [call for line in CALLS.split("\n") for call in line.split("   ") if call])
def test_einsum_is_pytorchs(call):
    assert_same(*(answer(question(call), m) for m in (mg, judge())))


@pytest.mark.parametrize("wrong", [52, -1, 1.5, "a", None])
def test_a_list_of_what_is_no_dimension_is_refused(wrong):
    with pytest.raises(ValueError, match=rf"numbers from 0 to 51 and `...`, but got {wrong!r}"):
        mg.einsum(mg.ones(2, 2), [0, wrong])


def test_a_diagonal_can_be_written_through():
    for m in (judge(), mg):
        x = m.zeros(2, 2)
        m.einsum("ii->i", x).fill_(1)
        x.diagonal(1).fill_(2)
        assert x.tolist() == [[1, 2], [0, 1]]
