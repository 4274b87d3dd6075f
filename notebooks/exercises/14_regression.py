"""What lesson 14 asks."""

import warnings

import minigrad as mg
from widgets.lessons import Mistake, choice, code, number, sign


def along_w():
    x, y = mg.tensor([0.0, 1.0, 2.0]), mg.tensor([1.0, 3.0, 5.0])
    w = mg.tensor(0.5, requires_grad=True)
    ((w * x + 0.5 - y) ** 2).mean().backward()
    return w.grad


def slope(x, y):
    w = mg.tensor(2.0, requires_grad=True)
    ((w * x + 1 - y) ** 2).backward()
    return w.grad


def swinging(c):
    """The learning rate with which a step leads as far to the other side."""
    w = mg.tensor(0.0, requires_grad=True)
    (c * (w - 3) ** 2).backward()
    return -2 * (w.item() - 3) / -w.grad.item()


def renamed():
    x = mg.tensor([1.0, 2.0])
    w = mg.tensor(0.0, requires_grad=True)
    ((w * x - 1) ** 2).mean().backward()
    w = w - 0.1 * w.grad
    ((w * x - 1) ** 2).mean().backward()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return NONE if w.grad is None else NEW


def descent(x, y, lr, steps, direction=-1, zeroed=True, loss=mg.mean):
    w = mg.tensor(0.0, requires_grad=True)
    b = mg.tensor(0.0, requires_grad=True)
    for _ in range(steps):
        loss((w * x + b - y) ** 2).backward()
        with mg.no_grad():
            w += direction * lr * w.grad
            b += direction * lr * b.grad
        if zeroed:
            w.grad, b.grad = None, None
    return w.item(), b.item()


def fit(x, y, lr, steps):
    return descent(x, y, lr, steps)


NONE, NEW, OLD = "None: nothing is in it", "the new gradient", "the first gradient and the new one, added"
TWO, FIVE = mg.tensor([0.0, 1.0]), mg.tensor([-1.0, 0.0, 1.0, 2.0, 3.0])

QUESTIONS = {
    "which way": sign(
        "All points lie above the line, and no x is negative. What is the sign of ∂L/∂w?",
        along_w,
        mistakes=[
            Mistake("The line must become steeper, that is true. But does L grow when w grows?", 1.0),
            Mistake("The gradient is 0 where no small change helps. A steeper line comes closer to the points.", 0.0),
        ],
        hints=["Make the line a little steeper. Does the loss grow or fall?"],
        because="A steeper line is less wrong: L falls as w grows. The step goes against the gradient, so w grows.",
    ),
    "the slope along w": number(
        "One point: x = {x}, y = {y}. The line has w = 2 and b = 1. What is ∂L/∂w?",
        slope,
        given={"x": [3.0, 2.0, -1.0], "y": [8.0, 1.0]},
        mistakes=[
            Mistake("That is ∂L/∂b. Along w there is one more factor: x.", lambda x, y: 2 * (2 * x + 1 - y)),
            Mistake("The square sends twice the error.", lambda x, y: (2 * x + 1 - y) * x),
            Mistake(
                "The error is the prediction minus y: the sign tells on which side the line lies.",
                lambda x, y: -2 * (2 * x + 1 - y) * x,
            ),
        ],
        hints=["What is the error, 2x + 1 − y?", "The slope of the square, times the slope of the error along w."],
        because="Twice the error, times x: {answer}.",
    ),
    "forever from side to side": number(
        "The valley is L = {c}·(w − 3)². With which learning rate does each step lead exactly as far to the other side?",
        swinging,
        given={"c": [2.0, 3.0, 0.5]},
        mistakes=[
            Mistake("That one lands at the bottom: it goes the distance once.", lambda c: 0.5 / c),
            Mistake("So it is with (w − 3)². The slope here is {c} times as large.", 1.0),
        ],
        hints=[
            "The slope is {c} · 2 (w − 3). The way to the other side is 2 (w − 3).",
            "lr times the slope shall be that way.",
        ],
        because="lr · {c} · 2 (w − 3) is 2 (w − 3), with lr = {answer}. Beyond it, each step makes the loss larger: the steeper the walls, the smaller this limit.",
    ),
    "a new w": choice(
        "What is in w.grad after the second backward?",
        [NEW, OLD, NONE],
        renamed,
        mistakes={
            NEW: "w is the name of another tensor now. How was that one made?",
            OLD: "That would be so if it were the same tensor. The assignment gave its name to another one.",
        },
        hints=["w is the result of a subtraction now. Who has a mailbox?"],
        because="The new w was made by an operation: it is no leaf. The gradient went on to the first w, which has lost its name.",
    ),
    "a training loop": code(
        "Fit a line by gradient descent.",
        name="fit",
        cases=[
            (TWO, mg.tensor([1.0, 3.0]), 0.1, 1),
            (TWO, mg.tensor([1.0, 3.0]), 0.1, 3),
            (FIVE, mg.tensor([0.0, 1.0, 1.0, 3.0, 4.0]), 0.05, 30),
        ],
        reference=fit,
        mistakes=[
            Mistake(
                "It goes uphill: the step is against the gradient, with a minus.",
                lambda x, y, lr, steps: descent(x, y, lr, steps, direction=1),
            ),
            Mistake(
                "The gradients of all rounds add up in the mailboxes. Empty them in each round.",
                lambda x, y, lr, steps: descent(x, y, lr, steps, zeroed=False),
            ),
            Mistake(
                "That is what the sum of the squares leads to. The loss is their mean.",
                lambda x, y, lr, steps: descent(x, y, lr, steps, loss=mg.sum),
            ),
        ],
        hints=[
            "In each round: the loss, its backward, the step, and empty mailboxes.",
            "The cell under “With autograd” does it with x and y from outside: make it a function.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that a larger learning rate is faster; but beyond a limit each step makes the loss larger.": "How large a step?",
    "It may seem that `w = w - lr * w.grad` moves a weight; but it makes another tensor, which is no leaf.": "Wrong on purpose",
}
