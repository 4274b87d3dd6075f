"""What lesson 1 asks."""

import minigrad as mg
from widgets.lessons import Mistake, choice, code, number, sign


def gradient(f, a):
    a = mg.tensor(a, requires_grad=True)
    f(a).backward()
    return a.grad


def off(h):
    """How far the secant of a² at 1 is from the slope there."""
    return abs(((1 + h) ** 2 - 1) / h - 2)


NEARER, FARTHER, SAME = "nearer to 2 than with 1e-6", "farther from 2 than with 1e-6", "2, to the last digit"
TANGENT, FLAT, STEEP = (
    "It turns towards the line that touches the curve",
    "It becomes flat",
    "It becomes steeper and steeper, without an end",
)

QUESTIONS = {
    "a shorter step": choice(
        "The step h shrinks towards 0. What becomes of the secant?",
        [FLAT, TANGENT, STEEP],
        TANGENT,
        mistakes={
            FLAT: "The step goes to 0, and so does the change of f. The slope is one divided by the other.",
            STEEP: "A division by a small number gives a large one only if what is divided does not shrink as well.",
        },
        hints=["Both ends of the secant lie on the curve, and they come closer to each other."],
        because="The two points come together, and the line through them becomes the line that touches.",
    ),
    "up or down": sign(
        "f(a) = a³ − 3a at a = {a}: what is the sign of its slope?",
        lambda a: gradient(lambda x: x**3 - 3 * x, a),
        given={"a": [0.5, -1.5, 1.0, 2.0, -0.5]},
        mistakes=[
            Mistake(
                "That is the sign for a³ alone. The other part, −3a, falls.", lambda a: gradient(lambda x: x**3, a)
            ),
            Mistake("The curve is level only where it turns, at −1 and at 1.", 0.0),
        ],
        hints=["Walk along the curve from left to right: does it climb, or fall?"],
        because="The sign says whether the curve rises (+), falls (−), or is level (0).",
    ),
    "slope of a square": number(
        "How steep is f(a) = a² at a = {a}?",
        lambda a: gradient(lambda x: x**2, a),
        given={"a": [3.0, -2.0, 5.0, 0.5]},
        mistakes=[
            Mistake("That is f(a), how high the curve is there; the question is how steep it is.", lambda a: a**2),
            Mistake("That would be half of it. In a·a both factors grow.", lambda a: a),
            Mistake("The slope is not the same everywhere: further out the parabola is steeper.", 2.0),
        ],
        hints=["Take a step of 0.01 in your head: how much larger is the square?", "(a + h)² is a² + 2ah + h²."],
        because="The derivative of a² is 2a, and 2 times {a} is {answer}.",
    ),
    "before the backward": choice(
        "What is a.grad before backward() has run?",
        ["tensor(0.)", "None", "the slope of f"],
        lambda: str(mg.tensor(3.0, requires_grad=True).grad),
        mistakes={
            "tensor(0.)": "0 would say that the result does not depend on a. Nobody has asked yet.",
            "the slope of f": "It is found by backward(), not while the result is computed.",
        },
        because="Not yet is not zero.",
    ),
    "far too small": choice(
        "What does the secant give with the step 1e-15?",
        [NEARER, FARTHER, SAME],
        lambda: FARTHER if off(1e-15) > off(1e-6) else NEARER,
        mistakes={
            NEARER: "It would be so with endlessly many digits. These have about 16.",
            SAME: "1 + 1e-15 is not kept exactly: it has more digits than the computer keeps.",
        },
        hints=["How many digits of 1e-15 are left in 1 + 1e-15, if 16 digits are kept in all?"],
        because="A computer keeps some 16 digits: 1 + h loses most of those of h, and what is left is divided by h.",
    ),
    "a step to both sides": code(
        "How steep f is at x, from one step of length h to each side.",
        name="slope",
        cases=[(lambda x: x**2, 3.0, 0.5), (lambda x: x**3, 1.0, 0.25), (lambda x: 5 * x, -1.0, 2.0)],
        reference=lambda f, x, h: (f(x + h) - f(x - h)) / (2 * h),
        mistakes=[
            Mistake("That is the secant from x to x + h: a step to one side.", lambda f, x, h: (f(x + h) - f(x)) / h),
            Mistake("From x − h to x + h it is twice h.", lambda f, x, h: (f(x + h) - f(x - h)) / h),
            Mistake("That is how much f changes. Divide by the way.", lambda f, x, h: f(x + h) - f(x - h)),
            Mistake(
                "Without brackets, / 2 * h divides by 2 and then multiplies by h.",
                lambda f, x, h: (f(x + h) - f(x - h)) / 2 * h,
            ),
        ],
        hints=["How much does f change from x − h to x + h? How long is the way?"],
    ),
}
