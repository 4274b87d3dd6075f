"""What lesson 25 asks."""

import contextlib
import io
import re

import numpy as np

import minigrad as mg
from widgets.lessons import Mistake, choice, code, number


def explained(function, *inputs):
    """What is printed of a plan."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        mg.explain(function, *inputs)
    return said.getvalue()


def step(x):
    a = mg.sin(x) * mg.sin(x)
    b = mg.exp(x)
    return (1 * a).sum()


def operations_left():
    return int(re.search(r"; (\d+) and", explained(step, mg.ones(3)))[1])


def changes_a_bit():
    zero = np.float32(-0.0)
    results = {TIMES: zero * 1, PLUS: zero + 0, MINUS: zero - 0}
    return next(name for name, one in results.items() if one.tobytes() != zero.tobytes())


def noisy(x):
    with contextlib.redirect_stdout(io.StringIO()):
        print("called")
    return x.sin()


def scaled(x):
    return x * x.max().item()


def folded(x):
    return x.sin() if x.sum() > 0 else x.cos()


def can_be_compiled():
    each = {NOISY: noisy, SCALED: scaled, FOLDED: folded}
    return next(name for name, one in each.items() if not explained(one, mg.ones(3)).startswith("not"))


def plans_made():
    compiled = mg.compile(folded)
    for x in (mg.ones(3), -mg.ones(3), mg.ones(3)):
        compiled(x)
    return len(compiled.plans)


def bytes_taken():
    said = explained(lambda x: x.sin().cos().exp().sum(), mg.ones(1000))
    return int(re.search(r"([\d,]+) bytes, taken once", said)[1].replace(",", ""))


def pieces(program):
    last = {one: i for i, (_, inputs) in enumerate(program) for one in inputs}
    made, free, taken = set(), 0, 0
    for i, (name, inputs) in enumerate(program):
        free += sum(one in made and last[one] == i for one in set(inputs))
        if free:
            free -= 1
        else:
            taken += 1
        made.add(name)
    return taken


def one_for_each(program):
    return len(program)


def never_over_what_is_read(program):
    last = {one: i for i, (_, inputs) in enumerate(program) for one in inputs}
    made, free, taken = set(), 0, 0
    for i, (name, inputs) in enumerate(program):
        if free:
            free -= 1
        else:
            taken += 1
        free += sum(one in made and last[one] == i for one in set(inputs))
        made.add(name)
    return taken


def over_what_was_given(program):
    last = {one: i for i, (_, inputs) in enumerate(program) for one in inputs}
    free, taken = 0, 0
    for i, (_, inputs) in enumerate(program):
        free += sum(last[one] == i for one in set(inputs))
        if free:
            free -= 1
        else:
            taken += 1
    return taken


ROW = [("a", ["x"]), ("b", ["a"]), ("c", ["b"]), ("d", ["c"])]
TWO = [("a", ["x"]), ("b", ["x"]), ("c", ["a", "b"])]
LATE = [("a", ["x"]), ("b", ["a"]), ("c", ["b"]), ("d", ["c", "a"])]
THREE = [("a", ["x"]), ("b", ["x"]), ("c", ["x"]), ("d", ["a", "b"]), ("e", ["c", "d"])]
RETURNED = [("a", ["x"]), ("b", ["x"]), ("c", ["b"])]
SQUARE = [("a", ["x"]), ("b", ["a", "a"]), ("c", ["x"]), ("d", ["b", "c"])]

TIMES, PLUS, MINUS = "x * 1", "x + 0", "x - 0"
NOISY, SCALED, FOLDED = "noisy", "scaled", "folded"

QUESTIONS = {
    "how many are left": number(
        "step(x) asks NumPy for six things: two sines, their product, exp, the product with 1, and the sum. How many of them are left in the plan?",
        operations_left,
        tolerance=0.0,
        mistakes=[
            Mistake("Read it once more: is there anything that changes nothing, or that nobody reads?", 6.0),
            Mistake("b is computed, and nobody reads it. There is more that may go.", 5.0),
            Mistake("One sine is enough. But what does the product with 1 do?", 4.0),
            Mistake("A sine, its square and the sum: which of the three could go?", 2.0),
        ],
        hints=["Who reads b?", "How many different sines are there?", "What is 1 * a?"],
        because="One sine, the product, and the sum. The second sine is known, the product with 1 changes nothing, and nobody reads b.",
    ),
    "what must stay": choice(
        "The same to the last bit: which of these must a compiler NOT leave out?",
        [MINUS, TIMES, PLUS],
        changes_a_bit,
        mistakes={
            TIMES: "Each number times 1 is that number, with its sign: 0 and -0, too.",
            MINUS: "Take -0: what is -0 - 0? The sign stays.",
        },
        hints=["Computers know two zeros, 0 and -0. Try each of the three with x = -0.0."],
        because="-0.0 + 0 is 0.0: the sign is another one, and with it a bit.",
    ),
    "which can be compiled": choice(
        "One of the three can be compiled. Which?",
        [NOISY, FOLDED, SCALED],
        can_be_compiled,
        mistakes={
            NOISY: "A plan is lines of NumPy, and none of them prints.",
            SCALED: "max().item() is a number of Python's. It differs from call to call, and no line of NumPy makes it.",
        },
        hints=[
            "A plan does what NumPy was asked. What does Python do by itself?",
            "An `if` needs only an answer: yes or no. That can be asked again.",
        ],
        because="An `if` becomes a question. A print would not be done again, and the number of .item() would stay what it was in the first call.",
    ),
    "how many plans": number(
        "compiled = mg.compile(folded). It is called with ones, with minus ones, and with ones again. How many plans are there then?",
        plans_made,
        tolerance=0.0,
        mistakes=[
            Mistake("The first plan holds a sine. Minus ones want a cosine.", 1.0),
            Mistake("The third call has the answer of the first one, and so its plan.", 3.0),
        ],
        hints=["How many ways through the function are there?", "A way that was gone before has its plan."],
        because="One for each way through the function. The third call finds the plan of the first.",
    ),
    "bytes": number(
        "x has 1000 numbers of 4 bytes and needs no gradient. x.sin().cos().exp().sum() makes three new arrays. How many bytes must the plan have for them?",
        bytes_taken,
        tolerance=0.0,
        mistakes=[
            Mistake("That is each in an array of its own. But who reads the sine, once its cosine is there?", 12000.0),
            Mistake("Two would do. But NumPy may write a result over the very array that it reads.", 8000.0),
            Mistake("The sine must be written somewhere, and x is not ours to overwrite.", 0.0),
        ],
        hints=["After the cosine nobody reads the sine any more.", "np.cos(a, out=a) is allowed."],
        because="One array is enough: the cosine is written over the sine, and exp over the cosine.",
    ),
    "pieces of memory": code(
        "How many arrays a plan must have.",
        name="pieces",
        cases=[(ROW,), (TWO,), (LATE,), (SQUARE,), (ROW[:1],), (THREE,), (RETURNED,)],
        reference=pieces,
        mistakes=[
            Mistake(
                "That is an array for each result. One that nobody reads any more may be written over.", one_for_each
            ),
            Mistake(
                "What a step reads for the last time may be written over by this very step.", never_over_what_is_read
            ),
            Mistake("x was given: it is not the plan's, so nobody may write over it.", over_what_was_given),
        ],
        hints=[
            "First find out for each name which step is the last one to read it.",
            "Then go through the steps and count the arrays that are free: add those that this step reads for the last time, then take one for its result, or a new one.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that a compiler may leave out whatever mathematics allows; but -0 + 0 is 0, and other orders of adding round in other ways.": "The same, to the last bit",
    "It may seem that a compiled function does what the function says; but it does what NumPy was asked in one call, after asking whether it may.": "Where it cannot go",
}
