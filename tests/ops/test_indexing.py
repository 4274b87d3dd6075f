"""Indices of all kinds, read and written, against PyTorch; and in-place twins against what they are twins of."""

import random

import numpy as np
import pytest

import minigrad as mg
from minigrad import ops

from ..hunt.judge import difference, run
from ..oracle import judge, kind_of

SHAPES = [(3,), (2, 3), (2, 3, 4), (3, 2, 2, 3)]


def part(draw: random.Random, n: int) -> tuple:
    """One part of an index, as data: PyTorch and minigrad build the same from it."""
    positions = [draw.randrange(-n, n) for _ in range(2)]
    return draw.choice([
        ("number", positions[0]),
        ("slice", draw.choice([None, 0, 1, -1]), draw.choice([None, 2, -1]), draw.choice([None, 1, 2])),
        ("none",),
        ("ellipsis",),
        ("tensor", positions),
        ("tensor", [positions, positions[::-1]]),
        ("tensor", positions[0]),
        ("list", positions),
        ("mask", [draw.random() < 0.6 for _ in range(n)]),
        ("number", n),  # outside
    ])  # fmt: skip


def index_of(draw: random.Random, shape) -> list:
    parts: list = []
    for dim in range(draw.randint(1, len(shape))):
        parts += [("none",)] * (draw.random() < 0.1)
        parts.append(part(draw, shape[dim]))
    first = next((i for i, one in enumerate(parts) if one == ("ellipsis",)), None)
    return [one for i, one in enumerate(parts) if one != ("ellipsis",) or i == first]


def built(m, parts):
    make = {
        "number": int, "slice": slice, "none": lambda: None, "ellipsis": lambda: ..., "tensor": m.tensor, "list": list,
        "mask": lambda bits: m.tensor(bits, dtype=m.bool),
    }  # fmt: skip
    found = tuple(make[kind](*values) for kind, *values in parts)
    return found[0] if len(found) == 1 else found


def outcome(m, shape, parts, write, stretched, sizes):
    """The values and gradients of reading x[index], or of writing a value there; or the kind of refusal."""
    x = m.tensor(np.arange(np.prod(shape)).reshape(shape) / 7, requires_grad=True)
    try:
        if not write:
            y, value = x[built(m, parts)] * 1, None
        else:
            size = [1 if narrow else n for n, narrow in zip(sizes, stretched)]
            value = m.tensor(np.arange(float(np.prod(size))).reshape(size), requires_grad=True)
            y = x * 1
            y[built(m, parts)] = value
        weights = np.cos(np.arange(y.numel())).reshape(tuple(y.shape))
        (y * m.tensor(weights)).sum().backward()
    except Exception as error:
        return kind_of(error)
    return [y.detach().numpy(), x.grad.numpy(), *([] if value is None else [value.grad.numpy()])]


@pytest.mark.parametrize("seed", range(20))
def test_indices_mean_what_they_mean_in_pytorch(seed):
    torch, draw = judge(), random.Random(seed)
    for _ in range(100):
        shape = draw.choice(SHAPES)
        parts, write = index_of(draw, shape), draw.random() < 0.5
        try:
            sizes = tuple(torch.zeros(shape)[built(torch, parts)].shape)
        except (IndexError, ValueError):
            sizes = ()
        if 0 in sizes:  # where nothing is picked, PyTorch does not look whether a position is outside
            continue
        stretched = [draw.random() < 0.3 for _ in sizes]
        if write and repeats(parts):
            continue  # of several values for one place, either may stay
        ours, theirs = (outcome(m, shape, parts, write, stretched, sizes) for m in (mg, torch))
        assert type(ours) is type(theirs), (shape, parts, write, ours, theirs)
        if isinstance(ours, str):
            assert ours == theirs, (shape, parts, write)
        else:
            for a, b in zip(ours, theirs):
                np.testing.assert_allclose(a, b, rtol=1e-12, err_msg=str((shape, parts, write)))


def repeats(parts) -> bool:
    """Whether an index may name one place twice."""
    flat = [np.ravel(one[1]).tolist() for one in parts if one[0] in ("tensor", "list")]
    return any(len(one) > 1 for one in flat)


@pytest.mark.parametrize("index", [..., None, 0, (0, 1), (0, None, 1), (slice(1), ...), (Ellipsis, 0)])
def test_a_basic_index_is_a_view_that_can_be_written_through(index):
    x = mg.zeros(2, 3)
    view = x[index]
    assert np.shares_memory(view.numpy(), x.numpy())
    x[index] = 1.0
    np.testing.assert_array_equal(view.numpy(), np.ones(view.shape))


@pytest.mark.parametrize("index", [0, slice(1, 3), [0, 2]])
def test_a_place_can_be_added_to(index):
    x = mg.ones(3, requires_grad=True) * 1
    x[index] += 2
    assert x.sum().item() == 3 + 2 * np.size(x[index].detach())


# == in-place twins ========================================================================================

ELSEWHERE = ["floor_divide"]  # see test_twins.py
TWINS = [
    name
    for name, row in ops.rows.items()
    if ops.methods.get(name) is row and f"{name}_" in ops.methods and row.op.twin is None and name not in ELSEWHERE
]
MORE = {  # with their other arguments
    "clamp": (0.4, 0.6),
    "clamp_min": (0.4,),
    "clamp_max": (0.6,),
    "cumsum": (0,),
    "cumprod": (0,),
    "masked_fill": (mg.tensor([True, False]), 3.0),
    "squeeze": (),
    "unsqueeze": (1,),
    "t": (),
    "transpose": (0, 1),
    **dict.fromkeys(
        "add sub mul div remainder atan2 eq ne lt le gt ge hypot xlogy fmod copysign".split(), (mg.tensor([0.5, 0.3]),)
    ),
    "lerp": (mg.tensor([0.5, 0.3]), 0.4),
    **dict.fromkeys(["addcmul", "addcdiv"], (mg.tensor([0.5, 0.3]), mg.tensor([2.0, 4.0]), 3)),
}
CALLS = {name: MORE.get(name, ()) for name in [*TWINS, *MORE]}


@pytest.mark.parametrize("name", CALLS)
def test_an_in_place_twin_computes_the_same_over_the_tensor_itself(name):
    def changed(place):
        x = mg.tensor([[0.3, 0.7], [0.2, 0.9]], requires_grad=True)
        y = x * 1
        out = getattr(y, name + "_" * place)(*CALLS[name])
        assert (out is y) == place
        out = out * 1.0
        if out.requires_grad:
            (out * mg.arange(1.0, out.numel() + 1).reshape(out.shape)).sum().backward()
        return out.detach().numpy(), np.zeros((2, 2)) if x.grad is None else x.grad.numpy(), y._version

    (value, gradient, _), (in_place, also, version) = changed(False), changed(True)
    np.testing.assert_array_equal(in_place, value)
    np.testing.assert_allclose(also, gradient, rtol=1e-6)
    assert version == 1


@pytest.mark.parametrize(
    "change",
    [
        "a[:] = 1", "a[...] = 2.0", "a[()] = 3", "a[:, :] = m.ones(3)", "a[:] = w", "a[:] = m.ones(2, 3) * w",
        "a[:, [0, 2]] = 5.0", "a[..., m.tensor([True, False, True])] = w", "a[1:, [0]] = 0.0", "a[0] = w",
        "a[0, [0, 1]] = w", "a[[0, 1], 0] = 5.0", "a[0, m.tensor([True, False, True])] = w", "a[..., 0, [1]] = w",
    ],
)  # fmt: skip
def test_what_an_assignment_is_recorded_as(change):
    found = []
    for m in (judge(), mg):
        x, w = m.arange(6.0).reshape(2, 3).requires_grad_(), m.tensor(2.0, requires_grad=True)
        a = x * 1
        exec(change, {"a": a, "m": m, "w": w})
        (a * m.arange(6.0).reshape(2, 3)).sum().backward()
        found.append([a.grad_fn.name(), a._version, a.tolist(), x.grad.tolist(), str(w.grad)])
    assert found[0] == found[1]


def test_the_diagonal_of_a_matrix_is_a_copy():
    for m in (judge(), mg):
        x = m.arange(4.0).reshape(2, 2)
        m.diag(x).mul_(5)
        assert x.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    "change",
    [
        "y[m.tensor([0])] = v.float()", "y[y > 0] = v.float()", "y[y > 0] = v[0].float()", "y[0] = v.float()",
        "y[0] = None", "y[0] = 1j", "y[m.tensor([0]).short()] = 1.0", "y[m.tensor([0, 1])] = m.tensor(1)",
        "y[:] = v.reshape(2, 1)", "y[0:2] = v", "y[::1] = v",
        "y[y > 0] = y[0, :1].expand(3)", "y[-1:] = v[:1]", "y[()] = 1.0",
        "y[0][:] = v.repeat(2)",
        "i[0] = v", "i[:] = v", "i[0] += 1.7", "i[...] = 2.7", "i[m.tensor([0])] = 2.7", "i.copy_(y)", "i[0] = 1j",
    ],
)  # fmt: skip
def test_an_assignment_leaves_what_it_leaves_in_pytorch(change):
    lines = ["x = T([[1.0, -2.0], [3.0, 0.5]])", "v = T([4.0, 5.0])", "i = m.tensor([[1, 2], [3, 4]])", "y = x * 1"]
    lines += [change, "name = y.grad_fn.name()", "g = second(y, x, v)"]
    assert not difference(run(mg, lines), run(judge(), lines), kinds=True)


@pytest.mark.parametrize(
    "pick, slopes",
    [
        (lambda x, n: x[n:], [0, 0, 1, 1]),
        (lambda x, n: x[:n], [1, 1, 0, 0]),
        (lambda x, n: x[None][0, ::n], [1, 0, 1, 0]),
    ],
)
def test_a_slice_up_to_a_tensor_is_that_of_its_number_then(pick, slopes):
    x, n = mg.ones(4, requires_grad=True), mg.tensor(2)
    part = pick(x, n)
    n.sub_(1)
    part.sum().backward()
    assert x.grad.tolist() == slopes
