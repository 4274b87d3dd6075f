"""What is printed of a plan is true of it, and in the user's words."""

import re

import pytest

import minigrad as mg
import minigrad.static as tf
from minigrad import nn


@pytest.fixture
def explained(capsys):
    def explain(function, *inputs):
        capsys.readouterr()
        mg.explain(function, *inputs)
        return capsys.readouterr().out

    return explain


def lines(said, title):
    return re.search(rf"^{title}:\n((?:  .+\n)*)", said, re.MULTILINE)[1].splitlines()


def test_the_figures_add_up_and_the_lines_are_counted(explained):
    def wave(x, w):
        h = mg.sin(w * x) * 1
        return (h * h).sum()

    said = explained(wave, mg.linspace(0, 1, 4), mg.tensor(2.0, requires_grad=True))
    before, after = [[int(n) for n in pair] for pair in re.findall(r"(\d+)(?: forward)? and (\d+)", said)]
    assert after == [len(lines(said, "forward")), len(lines(said, "backward"))]
    reasons = re.findall(r"^  (\d+) [a-z]", said.partition("memory")[0], re.MULTILINE)
    assert sum(before) - sum(after) == sum(map(int, reasons))


def test_names_are_the_users_and_no_two_alike(explained):
    model = nn.Linear(2, 1)
    adam = mg.optim.Adam(model.parameters(), lr=0.1)

    def step(x):
        adam.zero_grad()
        x = x + 1
        loss = model(x).sum()
        loss.backward()
        adam.step()
        return loss

    said = explained(step, mg.ones(3, 2))
    assert "is x float32 of shape (3, 2)?" in said
    for name in ("x_2 = x + 1", "x_2.dot(model.weight.T)", "loss = ", "adam.exp_avg_2 +=", "lr / ", "model.bias -= "):
        assert name in said, name
    made = re.findall(r"^  (\S+) = ", said, re.MULTILINE)
    assert len(made) == len(set(made))
    assert not re.search(r"\b[vch]\d+\b|_[a-z]+\d", said)


def test_a_gradient_set_to_zero_is_not_written_twice(explained):
    """In the end `grad = 0 + part`: nothing is filled, copied or read before it."""
    w = mg.ones(4, requires_grad=True)

    def step(x):
        nonlocal w
        w.grad.zero_()
        (w * x).sum().backward()
        with mg.no_grad():
            w -= 0.1 * w.grad

    (w * 2).sum().backward()
    said = explained(step, mg.ones(4))
    assert "fill" not in said and "copy" not in said and "np.add(0, x" in said


def test_a_question_and_a_block_are_seen(explained):
    def bent(x):
        return (x * 2).sin() if x.sum() > 0 else x

    said = explained(bent, mg.ones(200_000))
    assert "  if bool(t2) != True: another plan" in lines(said, "forward")
    assert "  | t3 = x * 2" in lines(said, "forward")


def test_a_refusal_is_one_sentence(explained, recwarn):
    assert re.match(
        r"not compiled: it goes on with a number out of a tensor \(.+\)\n$",
        explained(lambda x: x * x.item(), mg.ones(1)),
    )
    assert explained(lambda x: x.numpy(), mg.ones(1)) == "not compiled: it returns an array of NumPy's\n"
    assert not recwarn.list


def test_explaining_leaves_a_compiled_function_as_it_is(explained):
    compiled = mg.compile(lambda x: x + 1)
    assert "operations: 1 forward" in explained(compiled, mg.ones(2)) and not compiled.plans


def test_a_session_names_what_it_is_fed(capsys):
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, shape=(2,), name="x")
    tf.Session().explain(tf.sin(x) + tf.sin(x), {x: [1.0, 2.0]})
    said = capsys.readouterr().out
    assert "1 computed once more" in said and lines(said, "forward") == ["  t1 = np.sin(x)", "  t2 = t1 + t1"]
