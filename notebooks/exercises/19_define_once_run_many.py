"""What lesson 19 asks."""

import contextlib
import io
import re

import minigrad as mg
import minigrad.static as tf
from widgets.lessons import Mistake, choice, code, number


def multiplications(w):
    w = mg.tensor(w, requires_grad=True)
    x, count = w, 0
    while x < 100:
        x = x * w
        count += 1
    return count


def printed():
    x = tf.placeholder(tf.float32, shape=())
    return {"Tensor": STEP}.get(type(x * x).__name__, NUMBER)


def said(runs):
    heard = []

    def square(x):
        heard.append("said")
        return x * x

    x = tf.placeholder(tf.float32, shape=())
    y = square(x)
    with tf.Session() as session:
        for i in range(int(runs)):
            session.run(y, {x: float(i)})
    return len(heard)


def noticed():
    a, b = (tf.placeholder(tf.float32, shape=(2, 3)) for _ in range(2))
    try:
        product = tf.matmul(a, b)
    except ValueError:
        return DEFINED
    try:
        tf.Session().run(product, {one: [[1.0] * 3] * 2 for one in (a, b)})
    except tf.InvalidArgumentError:
        return RUN
    return NEVER


def left_in_the_plan():
    x = tf.placeholder(tf.float32, shape=(2,))
    with contextlib.redirect_stdout(io.StringIO()) as explained:
        tf.Session().explain(tf.sin(x) + tf.sin(x), {x: [1.0, 2.0]})
    return int(re.search(r"; (\d+) and", explained.getvalue())[1])


def needed(program, wanted):
    used = set(wanted)
    kept = []
    for name, _, inputs in reversed(program):
        if name in used:
            kept.insert(0, name)
            used.update(inputs)
    return kept


def only_inputs(program, wanted):
    used = {one for name, _, inputs in program if name in wanted for one in inputs}
    return [name for name, _, _ in program if name in used or name in wanted]


def everything(program, wanted):
    return [name for name, _, _ in program]


def without_wanted(program, wanted):
    return [name for name in needed(program, wanted) if name not in wanted]


def shared(program):
    first, same, kept = {}, {}, []
    for name, operation, inputs in program:
        inputs = [same.get(one, one) for one in inputs]
        step = (operation, *inputs)
        if operation == "feed" or step not in first:
            first[step] = name
            kept.append((name, operation, inputs))
        else:
            same[name] = first[step]
    return kept


def names_left(program):
    first, kept = set(), []
    for name, operation, inputs in program:
        step = (operation, *inputs)
        if operation == "feed" or step not in first:
            first.add(step)
            kept.append((name, operation, inputs))
    return kept


def feeds_too(program):
    first, same, kept = {}, {}, []
    for name, operation, inputs in program:
        inputs = [same.get(one, one) for one in inputs]
        step = (operation, *inputs)
        if step in first:
            same[name] = first[step]
        else:
            first[step] = name
            kept.append((name, operation, inputs))
    return kept


TWICE = [
    ("x", "feed", []),
    ("w", "feed", []),
    ("p", "mul", ["x", "w"]),
    ("q", "mul", ["x", "w"]),
    ("a", "sin", ["p"]),
    ("b", "sin", ["q"]),
    ("y", "add", ["a", "b"]),
]
ONCE = [("x", "feed", []), ("a", "sin", ["x"]), ("b", "cos", ["x"]), ("c", "sub", ["a", "b"]), ("d", "sub", ["b", "a"])]
STEP, NUMBER, EMPTY = "a step with a name, a shape and a type", "a number", "an error: x has no value"
DEFINED, RUN, NEVER = "when the product is defined", "in the first run", "never: the result is just wrong"

QUESTIONS = {
    "multiplications": number(
        "grow(w) multiplies x, which begins as w, by w until it has reached 100. How many multiplications are in the graph for w = {w}?",
        multiplications,
        given={"w": [3.0, 2.0, 5.0, 11.0]},
        mistakes=[
            Mistake("The line stands there once, but it ran several times, and each run leaves a node.", 1.0),
            Mistake("The last comparison ends the loop; it multiplies nothing.", lambda w: multiplications(w) + 1),
        ],
        hints=["x begins at {w}. Multiply by {w} until 100 is reached, and count."],
        because="Each round leaves one node: {answer}.",
    ),
    "what is printed": choice(
        "x is a placeholder. y = x * x; print(y). What is printed?",
        [NUMBER, STEP, EMPTY],
        printed,
        mistakes={
            NUMBER: "Which one? x has no value yet.",
            EMPTY: "It needs none yet: the product is noted, not computed.",
        },
        hints=["Nothing has been computed when print is called."],
        because="y is a step that was noted. Its number exists only in a run.",
    ),
    "how often is it said": number(
        "The function prints, and returns x * x. It is called once, to define y; then y is run {runs} times. How often does it print?",
        said,
        given={"runs": [3.0, 10.0, 5.0]},
        mistakes=[
            Mistake("A run does the steps of the graph. The print is no step: it belongs to Python.", lambda n: n),
            Mistake("Once at the definition, right; but the runs do not call the function.", lambda n: n + 1),
        ],
        hints=["What is in the graph: the function, or what it noted?"],
        because="Python's part ran while y was defined. The runs know the noted steps alone.",
    ),
    "when is it noticed": choice(
        "Two placeholders of shape (2, 3) are multiplied with matmul, which cannot be. When is it noticed?",
        [NEVER, RUN, DEFINED],
        noticed,
        mistakes={
            RUN: "It would be if the shapes were unknown. Here they are known before any number is.",
            NEVER: "There is no such product, so there could not be a result.",
        },
        hints=["What must be known to see that it does not fit: the numbers, or the shapes?"],
        because="The shapes are known at the definition, and they do not fit.",
    ),
    "what is left": number(
        "y = sin(x) + sin(x) are three steps. How many operations are left of them in the plan?",
        left_in_the_plan,
        tolerance=0.0,
        mistakes=[
            Mistake("So it was noted. But the second sine has the same input as the first.", 3.0),
            Mistake("One sine is enough. It must still be added to itself.", 1.0),
        ],
        hints=["What does the second sine compute that the first has not?"],
        because="One sine, and one addition of it to itself.",
    ),
    "what is needed": code(
        "The steps that a run must do.",
        name="needed",
        cases=[
            (TWICE, ["y"]),
            (TWICE, ["a"]),
            (TWICE, ["b", "p"]),
            (ONCE, ["c"]),
            (ONCE, ["x"]),
            (ONCE, []),
        ],
        reference=needed,
        mistakes=[
            Mistake("Those are the direct inputs. They have inputs, too.", only_inputs),
            Mistake("That is the whole program. What nobody asks for may be left out.", everything),
            Mistake("What is wanted must be computed itself, too.", without_wanted),
        ],
        hints=[
            "Go through the program backwards. A step is needed if it is wanted, or an input of one that is needed.",
            "Keep a set of names that are needed; where you meet one of them, add its inputs to the set.",
        ],
    ),
    "the same only once": code(
        "A program without repetitions.",
        name="shared",
        cases=[(TWICE,), (ONCE,), (TWICE[:4],)],
        reference=shared,
        mistakes=[
            Mistake(
                "Where a step is left out, those after it must use the first one's name; then more steps turn out the same.",
                names_left,
            ),
            Mistake("Two feeds look the same, but they bring different numbers. Keep each.", feeds_too),
        ],
        hints=[
            "Two dicts: from (operation, *inputs) to the name that has it first, and from a name left out to that one.",
            "Replace the inputs of each step first, then look whether the step is known. Keep every feed.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that a loop is part of the graph; but eager graphs hold only what the loop did.": "A graph for each run",
    "It may seem that a print in a model runs with the model; but in a static graph it runs once, at the definition.": "Who runs the Python?",
}
