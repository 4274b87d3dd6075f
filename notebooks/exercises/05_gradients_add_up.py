"""What lesson 5 asks."""

import minigrad as mg
from minigrad import faults
from widgets.lessons import Mistake, choice, code, number


def at_s(a):
    a = mg.tensor(a, requires_grad=True)
    s = a + a
    return mg.autograd.grad(s * s, s)[0]


def after(times):
    w = mg.tensor(2.0, requires_grad=True)
    for _ in range(int(times)):
        ((w + 1) * (w + 1)).backward()
    return w.grad


def again(**retain):
    w = mg.tensor(2.0, requires_grad=True)
    y = w * w
    y.backward(**retain)
    try:
        y.backward()
    except RuntimeError:
        return REFUSED
    return {4.0: SAME, 8.0: DOUBLED}[w.grad.item()]


def retained(w):
    w = mg.tensor(w, requires_grad=True)
    y = w * w
    y.backward(retain_graph=True)
    y.backward()
    return w.grad


def in_pieces(f, w, xs):
    w.grad = None
    for x in xs:
        f(w, x).backward()
    return w.grad


def never_emptied(f, w, xs):
    for x in xs:
        f(w, x).backward()
    return w.grad


def emptied_each_time(f, w, xs):
    for x in xs:
        w.grad = None
        f(w, x).backward()
    return w.grad


def weight(value, old=None):
    w = mg.tensor(value, requires_grad=True)
    w.grad = None if old is None else mg.tensor(old)
    return w


def square(w, x):
    return (w * x - 1) ** 2


def one_at_a_time():
    """A loss that is not computed while nobody has gone back from the one before."""
    waiting = []

    def loss(w, x):
        if waiting:
            raise RuntimeError(
                "the graph of the example before is still held: go back through each before the next one"
            )
        waiting.append(x)
        y = square(w, x)
        y.register_hook(lambda g: waiting.clear())
        return y

    return loss


SAME, DOUBLED, REFUSED = "nothing is added", "the gradient doubles", "it is refused, with an error"

QUESTIONS = {
    "what arrives at s": number(
        "s = a + a and y = s · s, at a = {a}. Which gradient has arrived at s when s passes it on?",
        at_s,
        given={"a": [3.0, 1.0, -2.0]},
        mistakes=[
            faults.overwrites_in_flight,
            Mistake("That is what arrives at a. At s it is half of it.", lambda a: 8 * a),
            Mistake("That is y.", lambda a: 4 * a * a),
        ],
        hints=["s · s uses s twice. Each use sends a part.", "What does the left factor get? What the right one?"],
        because="Each of the two uses sends s, and the two parts are added: {answer}.",
    ),
    "after four times": number(
        "y = (w + x) · (w + 1) and y.backward(), {times} times, and nothing is emptied in between. The first w.grad is 6. What is the last?",
        after,
        given={"times": [4.0, 3.0, 10.0]},
        mistakes=[
            faults.overwrites_at_the_leaf,
            Mistake("It is added each time, not doubled.", lambda n: 6 * 2 ** (n - 1)),
        ],
        hints=["The slope is 6, each time. What happens to the 6 that lies there?"],
        because="Each backward adds 6 to what lies there.",
    ),
    "the same graph twice": choice(
        "y.backward(), and once more y.backward(), on the same y. What does the second one do?",
        [DOUBLED, SAME, REFUSED],
        again,
        mistakes={
            DOUBLED: "It would, if it could come back through w · w once more. It needs w for that.",
            SAME: "Whatever arrives at a mailbox is added. But does it arrive?",
        },
        hints=["The rule of w · w needs w. How long does a node keep what it saved?"],
        because="To come back through w · w the rule must know w. The node had kept it, and has let it go, to save memory.",
    ),
    "retained": number(
        "y = w · w at w = {w}, y.backward(retain_graph=True), then y.backward(). What is w.grad?",
        retained,
        given={"w": [2.0, 3.0, -1.0]},
        mistakes=[
            faults.overwrites_at_the_leaf,
            Mistake("The slope at w is the same both times: 2w.", lambda w: 6 * w),
        ],
        hints=["The graph is the same, so the slope is the same. Where does it go?"],
        because="2w arrives, twice, and the second is added to the first.",
    ),
    "a batch in pieces": code(
        "The gradient of a sum of losses, one backward for each.",
        name="in_pieces",
        cases=[
            (square, weight(2.0), [1.0, 2.0]),
            (square, weight(0.5, old=7.0), [1.0, -1.0, 3.0]),
            (lambda w, x: (w * x).sin().sum(), weight([1.0, 2.0], old=[1.0, 1.0]), [0.5, 2.0]),
            (one_at_a_time(), weight(3.0), [2.0, 1.0]),
        ],
        any_grad=True,
        reference=in_pieces,
        mistakes=[
            Mistake("What lay in the mailbox before is still in it. Empty it first.", never_emptied),
            Mistake(
                "You empty it before each piece, so that only the last one is left. Empty it once.", emptied_each_time
            ),
        ],
        hints=["Empty the mailbox once. Then a loop: each example calls backward() for itself."],
    ),
}
