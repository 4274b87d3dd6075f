"""What lesson 13 asks."""

import minigrad as mg
from minigrad.autograd import forward_ad
from minigrad.func import jvp
from widgets.lessons import Mistake, choice, code, number


def tangent_of_product(v, w):
    def product(t):
        return (3 + v * t) * (4 + w * t)

    return jvp(product, (mg.tensor(0.0),), (mg.tensor(1.0),))[1]


def what_is_kept():
    with forward_ad.dual_level():
        f = forward_ad.make_dual(mg.tensor(2.0), mg.tensor(1.0)) ** 3
    return NOTHING if f.grad_fn is None else A_NODE


def passes(n, m):
    """As many as the Jacobian has columns."""

    def f(x):
        return x.sum() * mg.ones(int(m))

    return jacobian(f, mg.ones(int(n))).shape[1]


def jacobian(f, x):
    columns = [jvp(f, (x,), (direction,))[1] for direction in mg.eye(len(x))]
    return mg.stack(columns, 1)


def transposed(f, x):
    return jacobian(f, x).T


def all_at_once(f, x):
    return jvp(f, (x,), (mg.ones_like(x),))[1]


def along_x(f, x):
    columns = [jvp(f, (x,), (direction * x,))[1] for direction in mg.eye(len(x))]
    return mg.stack(columns, 1)


NOTHING = "nothing: f has no node"
A_NODE = "a node for each operation, as always"
NUMBERS = "no nodes, but the numbers of each step"
FORWARD, BACKWARD, EQUAL = "forward mode", "a backward", "both take as many"

QUESTIONS = {
    "a product of pairs": number(
        "(3 + {v}ε) · (4 + {w}ε), with ε² = 0: which number stands before ε in the result?",
        tangent_of_product,
        given={"v": [1.0, 2.0, 5.0], "w": [2.0, 5.0, 3.0]},
        mistakes=[
            Mistake("That is what stands before ε², and ε² is 0.", lambda v, w: v * w),
            Mistake("The tangents are added in a sum. Multiply the brackets out.", lambda v, w: v + w),
            Mistake("Each tangent meets the other's value, not its own.", lambda v, w: 3 * v + 4 * w),
            Mistake("That is the value. Its tangent is asked for.", 12.0),
        ],
        hints=["Multiply out: there are four products. Two of them have one ε.", "3 · {w} and {v} · 4."],
        because="Two products have one ε, 3 · {w} and {v} · 4, and the one with ε² vanishes.",
    ),
    "what is kept": choice(
        "f = a³ + a is computed with a pair (2, 1); nobody asked for requires_grad. What is kept for a way back?",
        [A_NODE, NUMBERS, NOTHING],
        what_is_kept,
        mistakes={
            A_NODE: "Nodes are for the way back. Is there one?",
            NUMBERS: "The tangent is multiplied at once by what the rule needs, so nothing has to wait for it.",
        },
        hints=["When is the slope known: at the end of the way forward, or later?"],
        because="The tangent arrives together with the value. With no way back, nothing must be kept for one.",
    ),
    "forward for the whole": number(
        "A function has {n} inputs and {m} outputs. How many passes forward give its whole Jacobian?",
        passes,
        given={"n": [3.0, 2.0, 10.0], "m": [2.0, 5.0, 4.0]},
        mistakes=[
            Mistake("So many backwards: each gives a row. A pass forward gives a column.", lambda n, m: m),
            Mistake("One for each entry? A pass gives a whole column.", lambda n, m: n * m),
            Mistake("One pass mixes all columns, as the direction says. They must be kept apart.", 1.0),
        ],
        hints=["One pass gives one column. How many columns has the Jacobian?"],
        because="One column for each input: {n}.",
    ),
    "which for a network": choice(
        "A network has a million weights and one loss. All its slopes are wanted. Which takes fewer passes?",
        [FORWARD, BACKWARD, EQUAL],
        BACKWARD,
        mistakes={
            FORWARD: "It takes one pass for each weight: a million.",
            EQUAL: "Count the inputs and the outputs: a million, and one.",
        },
        hints=["Forward: one pass for each input. Backward: one for each output."],
        because="One output, so one backward. That is why networks are trained by going back.",
    ),
    "a jacobian by columns": code(
        "The Jacobian, column by column.",
        name="jacobian",
        cases=[
            (lambda x: mg.stack([x[0] * x[1], x[1] * x[2]]), mg.tensor([1.0, 2.0, 3.0])),
            (lambda x: mg.stack([x.sum(), x.prod(), x[0] ** 2]), mg.tensor([0.5, -2.0])),
        ],
        reference=jacobian,
        mistakes=[
            Mistake("A tangent is a column, and you have set them as rows: stack them along dimension 1.", transposed),
            Mistake("That is the sum of the columns: all inputs moved at once.", all_at_once),
            Mistake("The direction of a column is 1 in its place, whatever x is.", along_x),
        ],
        hints=[
            "mg.eye(len(x)) has one direction in each row.",
            "jvp(f, (x,), (direction,))[1] is one column; mg.stack(columns, 1) sets them side by side.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that a derivative needs a way back; but it can travel along with the value.": "A number that knows its speed",
    "It may seem that forward mode is the slower one; but with one input and many outputs one pass is enough.": "One number in, many out",
}
