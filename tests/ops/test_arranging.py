"""Shapes, joining, splitting, order: the spellings of each function's arguments, and what it refuses, as in PyTorch."""

import pytest

import minigrad as mg

from ..hunt.judge import difference, run
from ..oracle import judge

START = ["x = T([[1.0, -2.0, 3.0], [0.5, 2.0, -1.0]])", "v, n = T([4.0, 5.0, 6.0]), T(7.0)", "i = m.tensor"]
CALLS = """
x.flip(dims=[0, 1])   x.flip(0, 1)   x.flip(0, -2)   m.flip(x, (2,))   n.flip(0, 0)   x.flip()   m.flip(n, (0,))
m.repeat_interleave(x, 2, 2)   m.repeat_interleave(x, 2.5)
m.repeat_interleave(v, [1, 0, 2])   m.repeat_interleave(v, v)   x.repeat(2, -1)   v.repeat(repeats=(2,))   v.repeat()
v.tile(dims=(2, 1))   v.tile(2, 2)   v.reshape(shape=(3, 1))   v.view(size=(3, 1))   v.reshape(-2, 3)   v.reshape()
v.expand(size=(2, 3))   x.permute(dims=(1, 0))   x.permute()   n.permute(())   m.permute(x, dims=(-1, 0))
m.split(tensor=v, split_size_or_sections=2)   v.split(split_size=2)   v.split([-1, 4])   v.split(i([2, 1]))
v.split(i(2))   x.split(2, 2)   m.chunk(v[:0], 3)   m.chunk(x, 2, 2)
m.unbind(x, 2)   m.select(x, 2, 0)   m.select(n, 0, 0)
m.cat([m.zeros(0).double(), i([[1, 2]])])   m.cat((v, v), axis=0)   m.cat((v, v), 1)   m.cat((v, v), -2)
m.cat([v[:0], x], 1)   m.hstack([])   m.stack([v, v], 3)   m.stack([n, n], -1)
m.diagonal(x, 0, 0, 0)   m.diagonal(n)   m.diag_embed(v, 0, 0, 2)   m.diag_embed(n)   m.diag_embed(x, 0, 1, 1)
m.flatten(x, 0, 2)   m.flatten(x, 5)   m.flatten(n, 1)
m.movedim(x, (0, 0), (0, 1))
m.movedim(x, (0, 1), (1, 1))   m.movedim(n, 0, 0)   m.squeeze(x[:1], (0, 0))   m.squeeze(x[:1], (0, 1))   v.mT   n.mT
m.adjoint(v)   m.transpose(n, 0, 1)   m.amin(n, (0,))   m.sum(n, (0,))   m.sum(x, (0, -2))
m.median(m.zeros(0, 0), 0)   n.expand_as(n)   m.as_strided(x, (2,), (-1,))
m.as_strided(x, (2,), (1,), -1)   m.as_strided(x, (2, 2), (1,))   m.as_strided((x * 1)[1], (2,), (1,))
m.unique(i([1.0, float('nan'), float('nan')]))   m.unique(i([3, 1]), dim=1)   m.unique(i(3), dim=0)
m.diff(v, -1)
m.diff(v, dim=1)   m.diff(v[:0])   m.diff(v, 7)
(v * 1).cumsum_(0, dtype=m.float64)   (v * 1).cumsum_(0, dtype=m.float32)
(v * 1).cumprod_(dim=0, dtype=m.float64)
"""


@pytest.mark.parametrize("call", [call for line in CALLS.split("\n") for call in line.split("   ") if call])
def test_a_call_gives_what_it_gives_in_pytorch(call):
    lines = [*START, f"y = {call}", "g = second(y, x, v, n)"]
    assert not difference(run(mg, lines), run(judge(), lines), kinds=True)
