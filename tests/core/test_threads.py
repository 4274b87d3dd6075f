"""Threads: each has its own grad mode, and none loses another's gradients."""

import contextlib
import sys
import threading

import numpy as np

import minigrad as mg


def in_threads(count, work):
    errors = []

    def guarded(i):
        try:
            work(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors[0]


@contextlib.contextmanager
def taking_turns():
    """Threads are interrupted as often as can be."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)


def test_grad_mode_is_each_threads_own():
    barrier, seen = threading.Barrier(2, timeout=60), {}

    def work(i):
        seen[i, "fresh"] = mg.is_grad_enabled()
        with mg.set_grad_enabled(i == 0):
            barrier.wait()
            seen[i, "inside"] = (mg.ones(1, requires_grad=True) * 2).requires_grad
            barrier.wait()

    with mg.no_grad():
        in_threads(2, work)
        assert not mg.is_grad_enabled()
    assert seen == {(0, "fresh"): True, (1, "fresh"): True, (0, "inside"): True, (1, "inside"): False}


def test_concurrent_backwards_through_disjoint_graphs():
    leaves = [mg.tensor([float(i)], requires_grad=True) for i in range(4)]

    def work(i):
        for _ in range(50):
            (leaves[i] ** 2).sum().backward()

    in_threads(4, work)
    assert [leaf.grad.item() for leaf in leaves] == [0.0, 100.0, 200.0, 300.0]


def test_concurrent_backwards_into_one_leaf_lose_nothing():
    x = mg.ones(1000, requires_grad=True)
    with taking_turns():
        in_threads(4, lambda i: [(x * (i + 1)).sum().backward() for _ in range(100)])
    assert set(x.grad.tolist()) == {1000.0}


def test_concurrent_backwards_through_one_graph():
    x = mg.ones(100, requires_grad=True)
    loss = (x.exp() * x).sum()
    in_threads(4, lambda i: [loss.backward(retain_graph=True) for _ in range(25)])
    np.testing.assert_allclose(x.grad.numpy(), 100 * 2 * np.e, rtol=1e-5)


def test_threads_turn_anomaly_mode_on_and_off_at_once():
    def turn(i):
        for _ in range(300):
            mg.autograd.set_detect_anomaly(i % 2 == 0)

    try:
        with taking_turns():
            in_threads(4, turn)
    finally:
        mg.autograd.set_detect_anomaly(False)


def test_threads_that_first_use_one_leaf_at_once_share_its_end():
    leaves, barrier = [mg.ones(1, requires_grad=True) for _ in range(3000)], threading.Barrier(2, timeout=60)
    ends: list[list] = [[], []]

    def work(i):
        for leaf in leaves:
            barrier.wait()
            ends[i].append((leaf * 2).grad_fn.next_functions[0][0])

    with taking_turns():
        in_threads(2, work)
    assert all(one is other for one, other in zip(*ends))
