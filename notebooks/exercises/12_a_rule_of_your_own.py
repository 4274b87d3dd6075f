"""What lesson 12 asks."""

import minigrad as mg
from minigrad.autograd import Function, grad
from widgets.lessons import Mistake, choice, code, number


class Second(Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a**3

    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        return 3 * a**2


def five_times(a):
    a = mg.tensor(a, requires_grad=True)
    (5 * Second.apply(a)).backward()
    return a.grad


def returning(count):
    class Rule(Function):
        @staticmethod
        def forward(ctx, a, b, n):
            return a * b, a + n * b

        @staticmethod
        def backward(ctx, product, total):
            return (product, product, None)[:count]

    return Rule


def how_many_come_back():
    """That number of gradients that is not refused."""
    a, b = (mg.tensor(value, requires_grad=True) for value in (2.0, 3.0))
    for count, many in enumerate((ONE, TWO, THREE), 1):
        try:
            grad(returning(count).apply(a, b, 5.0)[0], [a, b])
        except RuntimeError:
            continue
        return many


class Forgetful(Function):
    @staticmethod
    def forward(ctx, a):
        result = a.exp()
        ctx.number = result.item()
        return result

    @staticmethod
    def backward(ctx, g):
        return g * ctx.number


def second_slope():
    slopes = []
    for f in (mg.exp, Forgetful.apply):
        a = mg.tensor(0.5, requires_grad=True)
        (slope,) = grad(f(a) ** 2, a, create_graph=True)
        try:
            slopes.append((slope, grad(slope, a)[0]))
        except RuntimeError:
            return REFUSED
    (right, right_bend), (slope, bend) = slopes
    if not mg.allclose(right, slope):
        return BOTH_WRONG
    return RIGHT if mg.allclose(right_bend, bend) else SILENT


class Length(Function):
    @staticmethod
    def forward(ctx, a, b):
        length = (a * a + b * b).sqrt()
        ctx.save_for_backward(a, b, length)
        return length

    @staticmethod
    def backward(ctx, g):
        a, b, length = ctx.saved_tensors
        return g * a / length, g * b / length


class DropsTheUpstream(Length):
    @staticmethod
    def backward(ctx, g):
        a, b, length = ctx.saved_tensors
        return a / length, b / length


class Swapped(Length):
    @staticmethod
    def backward(ctx, g):
        a, b, length = ctx.saved_tensors
        return g * b / length, g * a / length


class Undivided(Length):
    @staticmethod
    def backward(ctx, g):
        a, b, _ = ctx.saved_tensors
        return g * a, g * b


class StraightThrough(Function):
    @staticmethod
    def forward(ctx, a):
        return a.round()

    @staticmethod
    def backward(ctx, g):
        return g


class Honest(StraightThrough):
    @staticmethod
    def backward(ctx, g):
        return g * 0


class Ones(StraightThrough):
    @staticmethod
    def backward(ctx, g):
        return mg.ones_like(g)


class Rounds(StraightThrough):
    @staticmethod
    def backward(ctx, g):
        return g.round()


def leaf(*values):
    return mg.tensor(values, requires_grad=True)


ONE, TWO, THREE = "1, for all of it", "2, one for each tensor", "3, one for each argument"
RIGHT = "both are right"
SILENT = "the slope is right, the slope of the slope is wrong, and nothing says so"
REFUSED = "the slope is right, the second one is refused with an error"
BOTH_WRONG = "both are wrong"

QUESTIONS = {
    "five times Second": number(
        "c = 5 · Second(a) at a = {a}; the rule of Second returns 3a² and leaves out g. What does c.backward() put into a.grad?",
        five_times,
        given={"a": [2.0, 1.0, -1.0]},
        mistakes=[
            Mistake("That is the true slope. But who multiplies by 5, if the rule drops g?", lambda a: 15 * a * a),
            Mistake("5 is what arrives at Second(a). Its rule does not use it.", 5.0),
            Mistake("That is the result of the forward.", lambda a: 5 * a**3),
        ],
        hints=["5 arrives at Second(a), as g. What does the rule do with g?"],
        because="g is 5, and the rule drops it: 3a² is all that comes out.",
    ),
    "how many come back": choice(
        "forward(ctx, a, b, n) takes two tensors and a plain number, and returns two tensors. How many gradients must backward return?",
        [ONE, TWO, THREE],
        how_many_come_back,
        mistakes={
            ONE: "Each argument has a gradient of its own.",
            TWO: "Two come in, since there are two results. What goes out is counted by the arguments, and n is one.",
        },
        hints=["They are matched by their place. What stands in the third place of forward?"],
        because="As many come in as there are results, as many go out as there are arguments after ctx; None for what has no gradient.",
    ),
    "the second slope": choice(
        "Forgetful(a)² is differentiated twice. What comes out?",
        [RIGHT, SILENT, REFUSED, BOTH_WRONG],
        second_slope,
        mistakes={
            RIGHT: "The second backward asks how g · number depends on a. Does a plain number remember where it came from?",
            REFUSED: "g depends on a, through the square. So there is a way back, only not the whole of it.",
            BOTH_WRONG: "The number is right, so the first slope is g · e^a, as it should be.",
        },
        hints=["What is ctx.number for the second backward: something that depends on a, or a constant?"],
        because="For the second backward ctx.number is a constant: its part is missing, and nothing says so.",
    ),
    "the length of an arrow": code(
        "The rule of √(a² + b²).",
        name="Length",
        cases=[(leaf(3.0), leaf(4.0)), (leaf(1.0, -2.0), leaf(2.0, 1.5))],
        reference=Length,
        gradcheck=True,
        gradgradcheck=True,
        mistakes=[
            Mistake("The rule drops g, the gradient from above.", DropsTheUpstream),
            Mistake("The gradient of a stands first: they are matched by their place.", Swapped),
            Mistake("Each slope is divided by the length.", Undivided),
        ],
        hints=[
            "forward(ctx, a, b) and backward(ctx, g), both with @staticmethod above.",
            "Save a, b and the length; backward returns two gradients, separated by a comma.",
        ],
    ),
    "straight through": code(
        "Rounding whose gradient passes.",
        name="StraightThrough",
        cases=[leaf(0.2), leaf(-1.6, 2.7, 0.4)],
        reference=StraightThrough,
        mistakes=[
            Mistake("That is the true slope of a step. Here the gradient shall pass as it is.", Honest),
            Mistake("The gradient from above is not always 1. Return it as it came.", Ones),
            Mistake("Only the forward rounds. The gradient passes as it is.", Rounds),
        ],
        hints=["forward returns a.round(). What is the shortest backward that you can write?"],
    ),
}

MISCONCEPTIONS = {
    "It may seem that a rule which gives the right slope alone is right; but it must multiply by the gradient from above.": "Wrong, in two ways",
    "It may seem that a rule may keep plain numbers; but then the second slope lacks a part, and nothing says so.": "Twice through your rule",
    "It may seem that backward returns as many gradients as it gets; but it gets one for each result, and returns one for each argument.": "Several inputs, several outputs",
}
