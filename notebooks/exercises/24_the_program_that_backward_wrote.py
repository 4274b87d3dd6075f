"""What lesson 24 asks."""

import numpy as np

import minigrad as mg
from widgets import program, record
from widgets.lessons import Mistake, choice, code, number, order


def lines(simplify=False):
    """The program of the lesson's three lines and their backward."""
    a = mg.tensor([0.0, 1.0, 2.0], requires_grad=True)
    with record() as run:
        b = mg.sin(a)
        c = b * a
        out = c.sum()
        out.backward()
    return [line.text for line in run.program(simplify).lines]


def what_flows_to_b():
    return next(line for line in lines() if line.startswith("d_b = "))


def in_their_order():
    written = [line.partition(" ")[0] for line in lines()]
    return sorted([SEED, TO_C, TO_B, BOTH, MAILBOX], key=lambda name: written.index(NAMES.get(name, name)))


def the_way_of_this_run(x):
    written = program(lambda x: 2 * x if x > 0 else x * x, 3.0)
    return list(written.run(x=x).values())[2]


def multiplications_left():
    written = program(lambda x: (x * x).sum(), mg.tensor([1.0, 2.0]), simplify=True)
    return sum(line.text.count("*") for line in written.lines if "grad" in line.text)


def bend():
    a = mg.tensor(0.5, requires_grad=True)
    with record() as run:
        y = mg.sin(a)
        (slope,) = mg.autograd.grad(y, a, create_graph=True)
        slope.backward()
    return run.program(simplify=True).lines[-1].text.removeprefix("a_grad = ")


def by_hand(x):
    u = np.exp(x)
    return u + x * u


def only_the_product(x):
    return np.exp(x)


def only_through_the_exponential(x):
    return x * np.exp(x)


def nothing_from_above(x):
    u = np.exp(x)
    return u + u


RIGHT, OWN, SUMMED = "d_b = d_c * a", "d_b = d_c * b", "d_b = d_c + a"
SEED, TO_C, TO_B, BOTH, MAILBOX = "d_out", "d_c", "d_b", "the sum of both parts at a", "a_grad"
NAMES = {BOTH: "d_a_2"}
AGAIN, KNOWN, FIRST = "-np.sin(a)", "-y", "np.cos(a)"

QUESTIONS = {
    "a line of the backward": choice(
        "c = b * a. The gradient at c is called d_c. Which line computes what flows to b?",
        [OWN, SUMMED, RIGHT],
        what_flows_to_b,
        mistakes={
            OWN: "How fast does c grow with b? As fast as the other factor is large.",
            SUMMED: "The gradient is multiplied with a slope on its way, never added to one.",
        },
        hints=["The slope of b * a for b is a.", "What comes from above is multiplied with it."],
        because="The slope of a product for one factor is the other one; what comes from above is multiplied with it.",
    ),
    "in their order": order(
        "b = sin(a), c = b * a, out = sum(c), and then backward(). In which order are these computed?",
        [TO_B, BOTH, SEED, MAILBOX, TO_C],
        in_their_order,
        mistakes={
            (SEED, TO_C, BOTH, TO_B, MAILBOX): "One of the parts at a comes through b: it needs d_b.",
            (TO_B, TO_C, SEED, BOTH, MAILBOX): "That is the order of the forward. A gradient begins at the result.",
        },
        hints=["It begins at the result.", "Whatever a line uses must have been computed before."],
        because="From the result back to a: each line needs one before it, and what is in the mailbox comes last.",
    ),
    "the way of this run": number(
        "f(x) is 2·x where x > 0, and x·x elsewhere. Its program was written while x was 3. What does the program give for x = {x}?",
        the_way_of_this_run,
        given={"x": [-3.0, -1.0, -5.0]},
        mistakes=[
            Mistake("That is f. But has this run computed x·x, so that it could be written down?", lambda x: x * x),
            Mistake("That is what it gave while x was 3. Now it computes with the new number.", 6.0),
        ],
        hints=["Which lines has NumPy been asked for while x was 3?", "There is no `if` in the program."],
        because="NumPy was asked for 2·x and for nothing else, so that is the program, whatever x is.",
    ),
    "multiplications left": number(
        "The backward of (x * x).sum() multiplies twice: each x receives d * x. How many of them are left when a compiler has "
        "simplified it?",
        multiplications_left,
        tolerance=0.0,
        mistakes=[
            Mistake("And what is d? The backward begins with 1, and a sum hands it on.", 2.0),
            Mistake("Both compute the same, so one would be enough. But what is d?", 1.0),
        ],
        hints=["d is 1, everywhere.", "What is 1 * x?"],
        because="Both multiply by 1, so both go. What is left is x + x, the 2x of the textbook.",
    ),
    "the slope of the slope": choice(
        "y = np.sin(a), and its slope is np.cos(a). What does the simplified program compute for the slope of the slope?",
        [AGAIN, FIRST, KNOWN],
        bend,
        mistakes={
            AGAIN: "That is the right number. But is there a line already that has computed this sine?",
            FIRST: "That is the slope. Its own slope is asked for.",
        },
        hints=["The slope of cos(a) is -sin(a).", "Which line of the forward holds sin(a)?"],
        because="The slope of cos(a) is -sin(a), and the forward has the sine: y.",
    ),
    "a backward by hand": code(
        "The backward of three lines, with NumPy alone.",
        name="backward",
        cases=[(np.array([0.0, 1.0]),), (np.array([-1.0, 0.5, 2.0]),), (np.array([[3.0], [-2.0]]),)],
        reference=by_hand,
        without=["backward"],
        mistakes=[
            Mistake("x is used twice. Its second way to the loss leads through the exponential.", only_the_product),
            Mistake("x is used twice. It stands in the product, too.", only_through_the_exponential),
            Mistake("What flows to u is x, and the exponential multiplies it with its own slope.", nothing_from_above),
        ],
        hints=[
            "d_v is 1 everywhere. So d_u is x, and the first part of d_x is u.",
            "The second part comes through the exponential: d_u times its slope, which is u.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that the program of a run is the whole function; but it is the way that this one run went.": "It is the way of one run",
    "It may seem that a backward is something other than a program; but it is lines that run, can be shortened, and have a backward.": "Backward of backward",
}
