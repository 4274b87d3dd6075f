"""Elements written, added and picked at places: index by index against PyTorch, with what it refuses."""

import pytest

import minigrad as mg

from ..hunt.judge import difference, run
from ..oracle import judge

START = ["x = T([[1.0, -2.0, 3.0], [0.5, 2.0, -1.0]])", "v, n = T([4.0, 5.0, 6.0]), T(7.0)", "i = m.tensor"]
CALLS = """
v.index_add(0, i([0, 0, 1]), v * 2, alpha=3)   x.index_add(1, i([0, 0]), x[:, :2])
x.index_add(1, i([0, 0]), x[:1, :2])   v.index_add(0, i([0]), n)   n.index_add(0, i([0]), n * 2)
i([1, 2]).index_add(0, i([0, 0]), i([1, 3]), alpha=2.5)   v.index_add(0, i([-1]), v[:1])
x.index_put((i([0, 1, 0]), i([2, 0, 2])), v, accumulate=True)   x.index_put((i([0, 1]),), v)
x.index_put((x > 0,), n)   v.index_put((i([0]),), 1.)   v.index_put((0,), n)   v.index_put((None,), n)
x.index_put((x > 0,), v[:2], True)   v.index_put((i([3]),), n)   x.scatter(1, i([[0, 2], [1, 0]]), x[:, :2] * 2)
x.scatter(1, i([[0, 2], [1, 0]]), x[:1, :2])   x.scatter(1, i([[0, 0]]), 2.0)   x.scatter(1, i([0, 0]), v[:2])
x.scatter(0, i([[0, 1, 0, 1]]), x.sum(0, True))   v.scatter(0, i(1), n)   n.scatter(0, i([0]), v[:1])
v.scatter(0, i([], dtype=m.int64), v[:0])   v.scatter(0, i([1]), value=n)   v.scatter(0, i([1]).int(), v[:1])
v.scatter(0, i([1]).short(), v[:1])
v.scatter_add(0, i([0, 0, 2]), v * 2)   n.scatter_add(0, i([0, 0]), v[:2])   v.scatter_add(0, i([0, 0, 2]), v[:2])
v.scatter_add(0, i(0), n)
v.masked_fill(x > 0, n)
n.masked_fill(v > 4, 2.0)   v.masked_fill(v > 4, v[:1])   v.masked_fill((v > 4).byte(), 1.)
v.masked_fill([True] * 3, 1.)
v.masked_select((v > 4).byte())   v.masked_select(v[:2] > 4)   v.masked_select(x > 0)
m.gather(x, 1, i([[0, 2, 2, 1]]))   m.gather(x, 1, i([[0, 2]]).int())
m.gather(x, 1, i([0]))   m.gather(n, 0, i([0, 0]))   m.gather(v, 0, i(1))   m.gather(x, 0, i([], dtype=m.int64))
m.gather(x, 1, i([[0]] * 3))   m.gather(n, 0, i([1]))   m.gather(n, 1, i([0]))   m.gather(x, 1, i([[0.]]))
m.index_select(x, 1, i(1))   m.index_select(x, 1, i([-1]))   m.index_select(x, 2, i([0]))
m.index_select(x, 1, i([[0]]))   m.index_select(n, 0, i([0, 0]))   m.index_select(v, 0, v > 4)
m.index_select(v, 0, i([1]).short())   m.index_select(n, 0, i([0]))   m.index_select(n, 0, i([1]))
"""


@pytest.mark.parametrize("call", [call for line in CALLS.split("\n") for call in line.split("   ") if call])
def test_a_call_gives_what_it_gives_in_pytorch(call):
    lines = [*START, f"y = {call}", "g = second(y, x, v, n)"]
    assert not difference(run(mg, lines), run(judge(), lines), kinds=True)


@pytest.mark.parametrize(
    "change",
    [
        "scatter_(0, i(0), n)", "view(1).mul_(n)", "index_add_(0, i([0]), n)", "[None].fill_(3.0)",
    ],
)  # fmt: skip
def test_a_number_can_be_written_over(change):
    """A tensor without dimensions may be a NumPy scalar, which has no memory of its own until it is needed."""
    lines = [*START, "y = n * 2", f"y{'' if change.startswith('[') else '.'}{change}", "g = second(y, n)"]
    assert not difference(run(mg, lines), run(judge(), lines), kinds=True)
