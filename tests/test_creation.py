"""Tensors from nothing, from numbers, from arrays: as PyTorch makes them."""

import numpy as np
import pytest

import minigrad as mg

from .oracle import answer, assert_same, recorded

CALLS = """
m.tensor(3)   m.tensor(2.5)   m.tensor([1, 2])   m.tensor([[1.0], [2.0]])   m.tensor([])   m.tensor([[], []])
m.tensor([True, False])   m.tensor([1, 2.5])   m.tensor((1, (2))[:1])   m.tensor([m.tensor(1.0), m.tensor(2.0)])
m.tensor(np.arange(3))   m.tensor(np.float32(2))   m.tensor([1, 2], dtype=m.float64)   m.tensor(2.9, dtype=m.int64)
m.tensor(range(3))   m.tensor([np.int32(1), 2])   m.tensor(1.0, requires_grad=True)   m.tensor([1, 2], dtype=m.bool)
m.tensor(1 + 2j)   m.as_tensor([1, 2])   m.as_tensor(2.0, dtype=m.float64)   m.from_numpy(np.ones((2, 1)))
m.zeros(2, 3)   m.zeros((2, 3))   m.zeros([2])   m.zeros(())   m.zeros(0)   m.zeros(2, dtype=m.int64)
m.ones(m.Size([2]))   m.ones(2, 1, requires_grad=True)   m.ones(2, device='cpu')   m.full((2, 2), 7)
m.full((2,), 0.5)   m.full((), True)   m.full((2,), 3, dtype=m.float64)   m.eye(2)   m.eye(2, 3)
m.eye(3, dtype=m.int64)   m.empty(2, 3).shape   m.arange(3)   m.arange(1, 4)   m.arange(0, 1, 0.25)   m.arange(3.0)
m.arange(5, 0, -2)   m.arange(0)   m.arange(2.5)   m.arange(3, dtype=m.float32)   m.arange(1, 2, 0.1)
m.arange(0, -1, -0.3)   m.arange(m.tensor(3))   m.linspace(0, 1, 5)   m.linspace(0, 1, 1)   m.linspace(1, 0, 3)
m.linspace(0, 10, 4, dtype=m.int64)   m.linspace(-1, 0, 5, dtype=m.uint8)
m.linspace(m.tensor(0), 1.5, 5, dtype=m.int32)   m.linspace(0, 1, 0)   m.linspace(-1, 1, 7, dtype=m.float64)
m.linspace(0, 0.3, 4)   m.linspace(3, 3, 3)   m.zeros_like(m.ones(2, dtype=m.float64))   m.ones_like(m.arange(3))
m.ones_like(m.zeros(2), dtype=m.int64)   m.full_like(m.zeros(2), 7)   m.empty_like(m.ones(2, 3)).shape
m.zeros_like(m.ones(2), requires_grad=True)   m.zeros_like(m.ones(2, requires_grad=True)).requires_grad
m.Tensor([1, 2])   m.Tensor(2, 3).shape   m.Tensor().shape   m.Tensor([1]).dtype   m.tensor([[1, 2], [3, 4]]).T
m.tensor([1.0]).new_zeros(2)   m.ones(2).new_ones(1, 2)   m.ones(2, dtype=m.float64).new_tensor([1, 2])
m.ones(2, dtype=m.int64).new_full((2,), 3)
"""
CALLS = [call.strip() for line in CALLS.strip().split("\n") for call in line.split("   ")]


def made(call: str):
    def question(m):
        found = eval(call, {"m": m, "np": np})
        if not hasattr(found, "detach"):
            return str(found)
        return [found.tolist(), list(found.shape), str(found.dtype), found.requires_grad, found.is_leaf]

    return question


QUESTIONS = {call: made(call) for call in CALLS}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", QUESTIONS)
def test_the_tensor_is_pytorchs(call):
    assert_same(answer(QUESTIONS[call], mg), recorded("creation")[call])


def test_tensor_copies_and_from_numpy_shares():
    array = np.ones(2)
    copied, shared, taken = mg.tensor(array), mg.from_numpy(array), mg.as_tensor(array)
    array[0] = 7.0
    assert copied.tolist() == [1.0, 1.0] and shared.tolist() == taken.tolist() == [7.0, 1.0]
    shared.mul_(2)
    assert array.tolist() == [14.0, 2.0]


def test_as_tensor_gives_back_a_tensor_of_that_type():
    x = mg.ones(2)
    assert mg.as_tensor(x) is x and mg.as_tensor(x, dtype=mg.float32) is x
    assert mg.as_tensor(x, dtype=mg.float64) is not x


def test_a_tensor_of_a_tensor_warns_and_is_a_leaf():
    x = mg.ones(2, requires_grad=True)
    with pytest.warns(UserWarning, match="To copy construct from a tensor"):
        y = mg.tensor(x * 2)
    assert y.is_leaf and not y.requires_grad


@pytest.mark.parametrize("steps", [1, 2, 5, 100, 1001])
def test_linspace_ends_where_it_should(steps):
    x = mg.linspace(-0.3, 0.7, steps)
    assert len(x) == steps and x[0].item() == np.float32(-0.3)
    assert steps == 1 or x[-1].item() == np.float32(0.7)
