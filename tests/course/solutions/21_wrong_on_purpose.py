"""Right answers to lesson 21, as one types or writes them."""

import minigrad as mg


def engine_is_right():
    a = mg.tensor([3.0], requires_grad=True)
    b = mg.tensor([2.0, 1.0], requires_grad=True)
    s = a * b
    y = (s * s - b).sum()
    for passes in (1, 2):
        y.backward(retain_graph=True)
        assert a.grad.tolist() == [30.0 * passes]
        assert b.grad.tolist() == [35.0 * passes, 17.0 * passes]

    c = mg.tensor(3.0, requires_grad=True)
    s = c + c
    (s * (s * 2)).backward()
    assert c.grad == 48

    w = mg.tensor([3.0], requires_grad=True)
    y = (w * w).sum()
    with mg.no_grad():
        w += 1
    try:
        y.backward()
    except RuntimeError:
        return True
    return False


SOLUTIONS = {
    "who is who": ["wrong sign", "swaps the operands", "overwrites in flight", "forgets the upstream"],
    "too early": "24",
    "w has changed": "it refuses, with an error",
    "what a sine notices": "forgets the upstream",
    "the test that finds them all": engine_is_right,
}
