"""What lesson 9 asks."""

import minigrad as mg
from widgets.lessons import Mistake, choice, code, number


def recorded():
    """Which of three products are recorded: outside, inside no_grad, and inside enable_grad within it."""
    w = mg.tensor(3.0, requires_grad=True)
    a = w * w
    with mg.no_grad():
        b = w * w
        with mg.enable_grad():
            c = w * w
    return a, b, c


def which():
    return ", ".join(name for name, one in zip("abc", recorded()) if one.requires_grad)


def through_the_block(w):
    w = mg.tensor(w, requires_grad=True)
    a = w * w
    with mg.no_grad():
        b = w * w
        with mg.enable_grad():
            c = w * w
    (a + b + c).backward()
    return w.grad


def half_detached(x):
    x = mg.tensor(x, requires_grad=True)
    (x * x.detach()).backward()
    return x.grad


def behind_its_back():
    w = mg.tensor(3.0, requires_grad=True)
    y = w * w
    w.data.mul_(10)
    try:
        y.backward()
    except RuntimeError:
        return REFUSED
    return {6.0: SIX, 60.0: SIXTY, 33.0: BOTH}[w.grad.item()]


SIX, SIXTY, BOTH, REFUSED = "6", "60", "33", "none: backward() is refused, with an error"

QUESTIONS = {
    "the innermost block": choice(
        "a = w * w stands outside, b = w * w inside of no_grad, c = w * w in there inside of enable_grad. Which are recorded?",
        ["a", "a, b, c", "a, c", "c"],
        which,
        mistakes={
            "a": "enable_grad stands closer to c than no_grad does.",
            "a, b, c": "w asks for a gradient, but inside of no_grad nobody listens.",
            "c": "a is computed before the block, where recording is on as always.",
        },
        hints=["Which block is the innermost around each of them?"],
        because="The innermost block decides.",
    ),
    "what arrives through the block": number(
        "a = w², b = w² inside of no_grad, c = w² in there inside of enable_grad, loss = a + b + c. At w = {w}, what is w.grad after loss.backward()?",
        through_the_block,
        given={"w": [3.0, 1.0, -2.0]},
        mistakes=[
            Mistake("That would be the slope if all three were recorded.", lambda w: 6 * w),
            Mistake("c is recorded, too: enable_grad stands around it.", lambda w: 2 * w),
            Mistake("That is the loss, not its slope.", lambda w: 3 * w * w),
        ],
        hints=["One square has the slope 2w. How many of the three send something?"],
        because="Two of the three squares send 2w; b has no way back.",
    ),
    "half detached": number(
        "y = x * x.detach() at x = {x}. What is x.grad after y.backward()?",
        half_detached,
        given={"x": [3.0, 5.0, -1.0]},
        mistakes=[
            Mistake("That is the slope of x · x. Here one of the factors counts as given.", lambda x: 2 * x),
            Mistake("That is y.", lambda x: x * x),
            Mistake("One factor is detached. Through the other one something comes back.", 0.0),
            Mistake("In a product each factor gets the other one, times what arrives.", 1.0),
        ],
        hints=["Read it as x · k, with a constant k that happens to be as large as x.", "How steep is x · k?"],
        because="It is the slope of x · k, with k = {x}.",
    ),
    "behind its back": choice(
        "w = 3 and y = w * w. Then w.data.mul_(10), and y.backward(). Which gradient arrives at w?",
        [SIX, REFUSED, SIXTY, BOTH],
        behind_its_back,
        mistakes={
            SIX: "That was the slope when y was computed. But the node did not copy w: it kept w itself.",
            REFUSED: "So it should be, and so it is with detach(). But here the writing is not counted.",
            BOTH: "The node has kept one tensor for both factors, and that has been changed.",
        },
        hints=["The node has kept w itself. Which number does it find there?", "Does anybody notice?"],
        because="The node finds 30 where 3 had been, twice, and nothing tells it so: the slope of a curve nobody computed.",
    ),
    "round, but learn": code(
        "The values of x.round(), with the slope 1.",
        name="rounded",
        cases=[(mg.tensor([0.4, 1.6, -2.3], requires_grad=True),), (mg.tensor(2.7, requires_grad=True),)],
        reference=lambda x: x + (x.round() - x).detach(),
        mistakes=[
            Mistake("Nothing comes back through round itself: its slope is 0.", lambda x: x.round()),
            Mistake("These are the values, but without any way back.", lambda x: x.round().detach()),
            Mistake("The slopes are right, the values are still those of x.", lambda x: x + 0),
        ],
        hints=[
            "The result is x, and something added to it that counts as given.",
            "x + d has the slope 1 if d is detached. Which d makes it x.round()?",
        ],
        because="x + (x.round() - x).detach(): the values are rounded, and what comes back passes through x alone.",
    ),
}

MISCONCEPTIONS = {
    "It may seem that detach() makes a copy; but it shows the same numbers, without their history.": "One tensor: detach",
    "It may seem that `.data` is a safe way to change a tensor; but a node that kept it does not notice.": ".data, and why it bites",
    "It may seem that `w = w - step` updates a weight; but it makes a new tensor that is no leaf.": "On, off, on",
}
