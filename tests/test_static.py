"""Define once, run many: nothing is computed before a run, and then exactly what the eager program computes."""

import linecache

import numpy as np
import pytest

import minigrad as mg
import minigrad.static as tf
from minigrad.core import events


@pytest.fixture(autouse=True)
def new_graph():
    tf.reset_default_graph()


def started(feed=None):
    session = tf.Session()
    session.run(tf.global_variables_initializer(), feed)
    return session


def two_layers(session_steps=5):
    """A program in TensorFlow's manner: its losses, and the data that it saw."""
    x, y = tf.placeholder(tf.float32, (None, 6)), tf.placeholder(tf.float32, (None, 2))
    w1, w2 = tf.Variable(tf.random_normal((6, 4))), tf.Variable(tf.random_normal((4, 2)))
    h = tf.maximum(tf.matmul(x, w1), tf.zeros(1))
    loss = tf.reduce_sum((y - tf.matmul(h, w2)) ** 2.0)
    slopes = tf.gradients(loss, [w1, w2])
    updates = [w.assign(w - 1e-2 * slope) for w, slope in zip((w1, w2), slopes)]
    data = {x: np.linspace(-1, 1, 18).reshape(3, 6), y: np.ones((3, 2))}
    mg.manual_seed(3)
    with started() as session:
        return [session.run([loss, *updates], feed_dict=data)[0] for _ in range(session_steps)]


def test_the_losses_are_those_of_the_eager_program_to_the_bit():
    mg.manual_seed(3)
    w1, w2 = mg.randn(6, 4, requires_grad=True), mg.randn(4, 2, requires_grad=True)
    x, y = mg.tensor(np.linspace(-1, 1, 18).reshape(3, 6), dtype=mg.float32), mg.ones(3, 2)
    losses = []
    for _ in range(5):
        loss = ((y - mg.maximum(x @ w1, mg.zeros(1)) @ w2) ** 2.0).sum()
        losses.append(loss.item())
        loss.backward()
        with mg.no_grad():
            for w in (w1, w2):
                w -= 1e-2 * w.grad
                w.grad = None
    assert two_layers() == losses and losses[-1] < losses[0]


def test_nothing_is_computed_before_the_run():
    x = tf.placeholder(tf.float32, (None, 1000))
    y = tf.reduce_sum(tf.exp(x) * 2.0)
    assert y.shape == () and y.dtype is mg.float32
    made = []
    with tf.Session() as session, events.listen(made.append, events.Made):
        assert not made
        assert session.run(y, {x: np.zeros((3, 1000))}) == 6000.0
    assert [event.op.name for event in made] == ["exp", "mul", "sum"]


def test_only_what_is_asked_for_runs():
    x = tf.placeholder(tf.float32, ())
    y = x * 2.0
    with tf.Session() as session:
        assert session.run(tf.constant(1.5) + 1.0) == 2.5  # x has no value, and is not needed
        assert session.run(y + 1.0, {y: 10.0}) == 11.0  # what is fed is not computed


def test_fetches_keep_their_structure():
    a, b = tf.constant([1.0, 2.0]), tf.constant(3)
    with tf.Session() as session:
        found = session.run({"a": (a, [b])})
    assert found["a"][0].tolist() == [1.0, 2.0] and found["a"][1] == [3]
    assert isinstance(found["a"][0], np.ndarray) and isinstance(found["a"][1][0], np.integer)


def test_a_variable_lives_in_its_session():
    w = tf.Variable([1.0, 2.0])
    double = w.assign(w * 2.0)
    with started() as one, started() as other:
        assert one.run([w, double])[0].tolist() == [1.0, 2.0]  # reading comes before writing
        assert one.run(w).tolist() == [2.0, 4.0] and other.run(w).tolist() == [1.0, 2.0]
        one.run(w)[:] = 7  # what was handed out is a copy
        assert one.run(w).tolist() == [2.0, 4.0]
        assert one.run(w.assign([5.0, 5.0])).tolist() == [5.0, 5.0]


def test_random_numbers_are_drawn_in_each_run():
    drawn = tf.random_normal((3,), mean=5.0, stddev=0.1)
    with tf.Session() as session:
        first, second = session.run(drawn), session.run(drawn)
        same = session.run([drawn, drawn])
    assert (first != second).all() and (same[0] == same[1]).all() and abs(first - 5).max() < 1


def test_gradients_of_anything_with_respect_to_anything():
    x, c = tf.placeholder(tf.float32, (2,)), tf.constant([3.0, 4.0])
    h = x * c
    y = tf.square(h)
    (by_x, by_h, unused) = tf.gradients(y, [x, h, tf.constant(1.0)])
    (again,) = tf.gradients(by_x, x)
    assert unused is None
    with tf.Session() as session:
        found = session.run([by_x, by_h, again], {x: [1.0, 2.0]})
        assert [one.tolist() for one in found] == [[18.0, 64.0], [6.0, 16.0], [18.0, 32.0]]
        assert session.run(tf.gradients([y, h], x)[0], {x: [1.0, 2.0]}).tolist() == [21.0, 68.0]


def test_operations_are_the_engines():
    x = tf.placeholder(tf.float32, (2, 2))
    value = np.array([[0.5, -1.0], [2.0, 3.0]], np.float32)
    e = mg.tensor(value)
    rows = [
        (1.0 - x, 1 - e), (x - 1.0, e - 1), (2.0 / x, 2 / e), (x / 2.0, e / 2), (-x, -e), (x @ x, e @ e),
        (value + x, e + e), (2.0**x, 2**e), (tf.reduce_mean(x, axis=0), e.mean(0)), (tf.tanh(x), e.tanh()),
        (tf.reduce_sum(x, axis=1, keepdims=True), e.sum(1, keepdim=True)), (tf.relu(x), e.relu()),
        (tf.subtract(x, tf.multiply(x, x)), e - e * e), (tf.reshape(x, (4,)), e.reshape(4)),
    ]  # fmt: skip
    with tf.Session() as session:
        for lazy, expected in rows:
            assert lazy.shape == tuple(expected.shape)
            assert np.array_equal(session.run(lazy, {x: value}), expected.numpy())


def test_what_is_known_of_a_step_before_it_runs():
    x, free = tf.placeholder(tf.float32, (None, 5)), tf.placeholder(tf.float32)
    w = tf.Variable(np.ones((5, 2), np.float32))
    assert repr(x) == "<tf.Tensor 'Placeholder:0' shape=(?, 5) dtype=float32>"
    assert repr(w) == "<tf.Variable 'Variable:0' shape=(5, 2) dtype=float32>"
    assert repr(tf.matmul(x, w)) == "<tf.Tensor 'MatMul:0' shape=(?, 2) dtype=float32>"
    assert repr(tf.matmul(x, w)).startswith("<tf.Tensor 'MatMul_1:0'")
    assert tf.reduce_sum(x, axis=1).shape == (None,) and (free + w).shape is None
    assert (tf.placeholder(tf.float32, (None,)) + tf.zeros(7)).shape is None  # 7 or 1 will fit, nobody knows yet


def test_a_long_chain_needs_no_recursion():
    x = tf.placeholder(tf.float32, ())
    y = x
    for _ in range(3000):
        y = y + 1.0
    with tf.Session() as session:
        assert session.run([y, *tf.gradients(y, x)], {x: 1.0}) == [3001.0, 1.0]


def test_what_is_missing_or_does_not_fit():
    x, w = tf.placeholder(tf.float32, (None, 3)), tf.Variable(tf.zeros((3, 2)))
    y = tf.matmul(x, w)
    session = tf.Session()
    with pytest.raises(tf.InvalidArgumentError, match="uninitialized value Variable; run global_variables_init"):
        session.run(y, {x: np.ones((1, 3))})
    session.run(tf.global_variables_initializer())
    with pytest.raises(
        tf.InvalidArgumentError,
        match=r"must feed a value for placeholder tensor 'Placeholder' with dtype float32 and shape \(\?, 3\)",
    ):
        session.run(y)
    with pytest.raises(
        ValueError, match=r"Cannot feed value of shape \(1, 4\) for Tensor 'Placeholder:0', which has shape '\(\?, 3\)'"
    ):
        session.run(y, {x: np.ones((1, 4))})
    with pytest.raises(AttributeError):
        session.run(y, {"x": 1})
    with pytest.raises(AttributeError):
        session.run([y, 3])
    with pytest.raises(
        ValueError, match=r"Dimensions must fit for 'MatMul', but the input shapes are \(3, 2\), \(3, 2\)"
    ):
        tf.matmul(w, w)
    with pytest.raises(ValueError, match=r"Cannot assign a value of shape \(2,\) for Tensor 'Variable:0'"):
        w.assign([1.0, 2.0])
    with pytest.raises(TypeError, match="'MatMul' has no value before Session.run, so `if` cannot ask for it"):
        bool(y)
    with pytest.raises(TypeError, match="not iterable"):
        list(y)


def test_what_fails_in_the_run_names_the_line_that_defined_it():
    program = "a = tf.placeholder(tf.float32)\nb = tf.matmul(a, tf.zeros((3, 2)))"
    linecache.cache["program.py"] = len(program), None, program.splitlines(True), "program.py"
    space = {"tf": tf}
    exec(compile(program, "program.py", "exec"), space)
    with tf.Session() as session, pytest.raises(tf.InvalidArgumentError) as caught:
        session.run(space["b"], {space["a"]: np.ones((4, 5))})
    assert str(caught.value) == (
        "mat1 and mat2 shapes cannot be multiplied (4x5 and 3x2)\n"
        "[[node MatMul, defined at program.py:2: b = tf.matmul(a, tf.zeros((3, 2)))]]"
    )
