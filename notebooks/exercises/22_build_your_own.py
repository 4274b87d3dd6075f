"""What lesson 22 asks: an engine, stage by stage. A stage is tried through the class that it is a part of."""

import math
import random

import minigrad as mg
from minigrad import faults
from widgets.lessons import Mistake, choice, code, number

# == one way to write it =====================================================================================


class Value:
    def __init__(self, number, came_from=()):
        self.number = number
        self.grad = 0.0
        self.came_from = list(came_from)

    def __add__(self, other):
        other = other if isinstance(other, Value) else type(self)(other)
        return type(self)(self.number + other.number, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        other = other if isinstance(other, Value) else type(self)(other)
        return type(self)(self.number * other.number, [(self, other.number), (other, self.number)])

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        result = math.tanh(self.number)
        return type(self)(result, [(self, 1 - result**2)])

    def exp(self):
        result = math.exp(self.number)
        return type(self)(result, [(self, result)])

    def order(self):
        found, seen, stack = [], set(), [(self, False)]
        while stack:
            value, inputs_done = stack.pop()
            if inputs_done:
                found.append(value)
            elif value not in seen:
                seen.add(value)
                stack.append((value, True))
                stack += [(before, False) for before, _ in value.came_from]
        return found[::-1]

    def backward(self):
        values = self.order()
        for value in values:
            if value.came_from:
                value.grad = 0.0
        self.grad += 1.0
        for value in values:
            for before, slope in value.came_from:
                before.grad += value.grad * slope


# == what is tried ===========================================================================================


def differs(kind, program, numbers):
    """What a class gets wrong in a program, beside this very engine; nothing if all is right."""
    ours = [mg.tensor(n, dtype=mg.float64, requires_grad=True) for n in numbers]
    right = program(*ours)
    right.backward(retain_graph=True)
    right.backward()
    inputs = [kind(n) for n in numbers]
    result = program(*inputs)
    if not math.isclose(result.number, right.item(), rel_tol=1e-9, abs_tol=1e-12):
        return f"the result is {result.number:g}; right is {right.item():g}."
    result.backward()
    result.backward()
    for place, (mine, one) in enumerate(zip(inputs, ours), 1):
        wanted = 0.0 if one.grad is None else one.grad.item()
        if not math.isclose(mine.grad, wanted, rel_tol=1e-9, abs_tol=1e-12):
            return f"input {place} has {mine.grad:g} after two backwards; right is {wanted:g}."
    return None


def forward_of(value):
    """Whether sums and products are right, and what they remember."""
    kind = type(value)
    a, b = kind(3.0), kind(5.0)
    made = {"a + b": (a + b, 8.0), "a * b": (a * b, 15.0), "a + 2": (a + 2, 5.0), "a * 2": (a * 2, 6.0)}
    made |= {"2 + a": (2 + a, 5.0), "2 * a": (2 * a, 6.0)}
    for text, (result, right) in made.items():
        if not isinstance(result, kind):
            return f"{text} must be a Value, but is {type(result).__name__}."
        if result.number != right:
            return f"With a = 3 and b = 5, {text} gives {result.number:g}; right is {right:g}."
    if len((a * b).came_from) != 2:
        return "a * b came from two inputs: came_from must hold two pairs."
    slopes = dict((a * b).came_from)
    if a not in slopes or b not in slopes:
        return "came_from must hold a and b themselves: their mailboxes are wanted, not those of copies."
    if (slopes[a], slopes[b]) == (3.0, 5.0):
        return faults.swaps_the_operands.misconception
    if (slopes[a], slopes[b]) != (5.0, 3.0):
        return f"With a = 3 and b = 5, a * b has the slopes {slopes[a]} and {slopes[b]}; right is 5 and 3."
    if [slope for _, slope in (a + b).came_from] != [1, 1]:
        return "The slopes of a sum are 1 and 1."
    if (a.number, a.grad) != (3.0, 0.0):
        return "a itself was changed."
    return None


def functions_of(value):
    """Whether tanh and exp are right."""
    kind = type(value)
    for name in ("tanh", "exp"):
        for n in (0.5, -2.0):
            a = kind(n)
            result = getattr(a, name)()
            one = mg.tensor(n, dtype=mg.float64, requires_grad=True)
            right = getattr(one, name)()
            right.backward()
            if not isinstance(result, kind):
                return f"{name} must give a Value, but gives {type(result).__name__}."
            if not math.isclose(result.number, right.item()):
                return f"{name} of {n} gives {result.number:g}; right is {right.item():g}."
            ((before, slope),) = result.came_from
            if before is not a:
                return f"The result of {name} came from the value itself, but {name} of {n} came from another one."
            if name == "tanh" and math.isclose(slope, 1 - n**2):
                return "The slope of tanh is 1 − tanh², with the result in it, not the input."
            if not math.isclose(slope, one.grad.item()):
                return f"The slope of {name} at {n} is {slope:g}; right is {one.grad.item():g}."
    return None


def order_of(value):
    """Whether each value stands before all that it came from, once."""
    kind = type(value)
    a = kind(2.0)
    s = a + 1
    p = s * s
    late = s + p * a
    for result, name in ((s, "a + 1"), (p, "s * s"), (late, "s + s * s * a")):
        found = result.order()
        if not isinstance(found, list) or result not in found:
            return f"order() of {name} must be a list that begins with the result."
        if len(set(found)) < len(found):
            return f"In order() of {name} a value stands twice."
        places = {one: place for place, one in enumerate(found)}
        for one in found:
            for before, _ in one.came_from:
                if before not in places:
                    return f"In order() of {name} a value is missing that another one came from."
                if places[before] < places[one]:
                    return f"In order() of {name}: {faults.depth_first.misconception}"
    many = a
    for _ in range(40):
        many = many + many
    if len(many.order()) != 41:
        return "After forty doublings there are 41 values."
    long = a
    for _ in range(5000):
        long = long + a
    try:
        long.order()
    except RecursionError:
        return "A chain of 5000 sums is too deep for a function that calls itself. Keep a stack of your own."
    return None


def backward_of(value):
    """Whether gradients arrive, are added, and are not remembered inside."""
    kind = type(value)
    a = kind(3.0)
    (a * 5).backward()
    if a.grad != 5.0:
        return f"(a * 5).backward() leaves a.grad = {a.grad:g}; right is 5."
    a = kind(3.0)
    (a * a).backward()
    if a.grad == 3.0:
        return faults.overwrites_in_flight.misconception
    if a.grad != 6.0:
        return f"(a * a).backward() at a = 3 leaves a.grad = {a.grad:g}; right is 6."
    a = kind(3.0)
    (a * 2 * a.exp()).backward()
    right = 8 * math.exp(3.0)
    if not math.isclose(a.grad, right):
        local = "" if a.grad > right / 2 else f" {faults.forgets_the_upstream.misconception}"
        return f"(a * 2 * a.exp()).backward() at a = 3 leaves a.grad = {a.grad:g}; right is {right:g}.{local}"
    a = kind(3.0)
    for _ in range(2):
        (a * 5).backward()
    if a.grad == 5.0:
        return faults.overwrites_at_the_leaf.misconception
    a = kind(3.0)
    s = a + a
    result = s * s
    result.backward()
    result.backward()
    if a.grad != 48.0:
        return f"{faults.remembers_inside.misconception} (a.grad is {a.grad:g} after two backwards; right is 48.)"
    return None


def attacked(value):
    """Random programs, run by the learner's class and by this engine; the smallest that differs is told."""
    kind, luck = type(value), random.Random(0)
    for size in range(1, 13):
        for _ in range(20):
            steps = [(luck.choice("+*t"), luck.random(), luck.random()) for _ in range(size)]
            numbers = [luck.choice([0.5, -1.0, 2.0]) for _ in range(2)]
            try:
                found = differs(kind, lambda a, b, steps=steps: composed([a, b], steps), numbers)
            except (AttributeError, TypeError, ValueError) as error:
                found = f"{type(error).__name__}: {error}."
            if found:
                text = composed(["a", "b"], steps)
                return f"{text} with a = {numbers[0]:g} and b = {numbers[1]:g}: {found}"
    deep = kind(0.5)
    first = deep
    for _ in range(5000):
        deep = deep + first
    deep.backward()
    return None if first.grad == 5001.0 else f"After 5000 sums the gradient is {first.grad:g}; right is 5001."


def composed(values, steps):
    """The last of the values that the steps make; of texts the program's text."""
    values = list(values)
    for operation, first, second in steps:
        x, y = values[int(first * len(values))], values[int(second * len(values))]
        if isinstance(x, str):
            values.append(f"tanh({x})" if operation == "t" else f"({x} {operation} {y})")
        elif operation == "t":
            values.append(x.tanh())
        else:
            values.append(x + y if operation == "+" else x * y)
    return values[-1]


def descend(parameters, loss_of, rate, steps):
    losses = []
    for _ in range(steps):
        for parameter in parameters:
            parameter.grad = 0.0
        loss = loss_of(parameters)
        loss.backward()
        for parameter in parameters:
            parameter.number -= rate * parameter.grad
        losses.append(loss.number)
    return losses


# == what is often done instead ==============================================================================


class Swapped(Value):
    def __mul__(self, other):
        other = other if isinstance(other, Value) else type(self)(other)
        return type(self)(self.number * other.number, [(self, self.number), (other, other.number)])

    __rmul__ = __mul__


class OfTheInput(Value):
    def tanh(self):
        return type(self)(math.tanh(self.number), [(self, 1 - self.number**2)])


class Recursive(Value):
    def order(self):
        found = []

        def visit(value):
            if value not in found:
                for before, _ in value.came_from:
                    visit(before)
                found.append(value)

        visit(self)
        return found[::-1]


class Overwriting(Value):
    def backward(self):
        self.grad = 1.0
        for value in self.order():
            for before, slope in value.came_from:
                before.grad = value.grad * slope


class NeverEmptied(Value):
    def backward(self):
        self.grad += 1.0
        for value in self.order():
            for before, slope in value.came_from:
                before.grad += value.grad * slope


def without_emptying(parameters, loss_of, rate, steps):
    losses = []
    for _ in range(steps):
        loss = loss_of(parameters)
        loss.backward()
        for parameter in parameters:
            parameter.number -= rate * parameter.grad
        losses.append(loss.number)
    return losses


def uphill(parameters, loss_of, rate, steps):
    return descend(parameters, loss_of, -rate, steps)


def parabola(parameters):
    (a,) = parameters
    return (a + (-3.0)) * (a + (-3.0))


def two_points(parameters):
    w, b = parameters
    total = Value(0.0)
    for x, y in ((0.5, 0.2), (-1.0, 0.7)):
        error = (w * x + b).tanh() + (-y)
        total = total + error * error
    return total


def twice(emptied):
    """a.grad after two backwards through s = a + a, l = s * s, with inner mailboxes emptied in between or not."""

    def answer(a):
        kind = Value if emptied else NeverEmptied
        a = kind(a)
        s = a + a
        result = s * s
        result.backward()
        result.backward()
        return a.grad

    return answer


def how_many(doublings):
    a = Value(1.0)
    for _ in range(int(doublings)):
        a = a + a
    return len(a.order())


def too_deep():
    a = Value(1.0)
    for _ in range(5000):
        a = a + 1

    def visit(value):
        for before, _ in value.came_from:
            visit(before)

    try:
        visit(a)
    except RecursionError:
        return FAILS
    return WORKS


WORKS, FAILS, SLOW = "it works", "an error: too many calls within each other", "it works, but takes minutes"

QUESTIONS = {
    "plus and times": code(
        "The class Value, with sums and products.",
        name="Value",
        cases=[(3.0,)],
        accepts=forward_of,
        one_way=[Value.__add__, Value.__mul__],
        mistakes=[Mistake(faults.swaps_the_operands.misconception, Swapped)],
        hints=[
            "Value(number, came_from): came_from is a list of two pairs, (self, slope) and (other, slope).",
            "The slopes of a sum are 1.0 and 1.0; of a product other.number for self, and self.number for other.",
            "other = other if isinstance(other, Value) else Value(other)",
        ],
        because="Each value knows its inputs, and its slope along each.",
    ),
    "tanh and exp": code(
        "tanh and exp of a Value.",
        name="Value",
        cases=[(3.0,)],
        accepts=functions_of,
        one_way=[Value.tanh, Value.exp],
        mistakes=[Mistake("The slope of tanh is 1 − tanh², with the result in it, not the input.", OfTheInput)],
        hints=[
            "One input: came_from is [(self, slope)].",
            "result = math.tanh(self.number), and the slope is 1 - result**2. For exp the slope is the result.",
        ],
    ),
    "how many values": number(
        "a is doubled {doublings} times: a = a + a. How many values does order() list for the last one?",
        how_many,
        given={"doublings": [40.0, 10.0, 100.0]},
        tolerance=0.0,
        mistakes=[
            Mistake("So many ways lead back to the first. But each value is listed once.", lambda n: 2.0**n),
            Mistake("The first one is listed, too.", lambda n: n),
            Mistake("a + a has two inputs, but they are one and the same value.", lambda n: 2 * n + 1),
        ],
        hints=["Each doubling makes one new value."],
        because="One for each doubling, and the first.",
    ),
    "a long chain": choice(
        "order() is written as a function that calls itself for each input. What does it do with a chain of 5000 sums?",
        [WORKS, SLOW, FAILS],
        too_deep,
        mistakes={
            WORKS: "Each value waits for its input's call to end. How many calls are open at the end of the chain?",
            SLOW: "5000 calls are quickly made. But they are all open at the same time.",
        },
        hints=["Python allows about a thousand calls within each other."],
        because="A function that calls itself is a recursion, and Python ends it at about a thousand calls. An engine keeps a stack of its own.",
    ),
    "order": code(
        "Each value before all that it came from.",
        name="Value",
        cases=[(3.0,)],
        accepts=order_of,
        one_way=[Value.order],
        seconds=20,
        mistakes=[
            Mistake(
                "A chain of 5000 sums is too deep for a function that calls itself. Keep a stack of your own.",
                Recursive,
            ),
        ],
        hints=[
            "A value may be listed (from behind) when all that it came from is listed. A set of those seen spares the rest.",
            "Put pairs on the stack: (value, False) when it is met first, (value, True) below its inputs.",
            "Popped with True: append it to the list. Popped with False and not seen: push (value, True), then its "
            "inputs with False. At the end reverse the list.",
        ],
    ),
    "two backwards": number(
        "Somebody's backward() adds 1 to l.grad, sends on what lies in .grad, and empties nothing. s = a + a, l = s · s at a = {a}; "
        "l.backward() twice. What is a.grad?",
        twice(emptied=False),
        given={"a": [3.0, 1.0, -2.0]},
        mistakes=[
            Mistake(
                "So it is in a right engine. But here l and s still hold the gradients of the first time.", twice(True)
            ),
            Mistake(
                "s still holds its gradient, right. But so does l: its second gradient is 1 + 1.", lambda a: 24 * a
            ),
            Mistake("The second backward adds something, too.", lambda a: 8 * a),
        ],
        hints=[
            "After the first backward l.grad is 1, s.grad is 2s, that is 4a, and a.grad is 8a.",
            "Then l.grad becomes 2, so 8a come to the 4a that s holds; and s sends all of it, along two ways.",
        ],
        because="s sends 4a the first time and 12a the second, each along two ways. What lies inside must be emptied; only leaves add up.",
    ),
    "backward": code(
        "The way back.",
        name="Value",
        cases=[(3.0,)],
        accepts=backward_of,
        one_way=[Value.backward],
        mistakes=[
            Mistake(faults.overwrites_in_flight.misconception, Overwriting),
            Mistake(faults.remembers_inside.misconception, NeverEmptied),
        ],
        hints=[
            "First empty the .grad of all values that came from others. Leaves keep theirs.",
            "Then self.grad += 1.0, and for each value in order: each input's .grad grows by value.grad * slope.",
        ],
    ),
    "withstands": code(
        "The engine, attacked with random programs.",
        name="Value",
        cases=[(3.0,)],
        accepts=attacked,
        seconds=20,
        mistakes=[],
        hints=["Write the program that it fails with in a cell, and look at .grad of each value in it."],
        because="240 random programs, and a chain of 5000 sums: all gradients are those of minigrad.",
    ),
    "descend": code(
        "A training loop.",
        name="descend",
        cases=[
            ([Value(0.0)], parabola, 0.1, 3),
            ([Value(0.3), Value(-0.2)], two_points, 0.5, 4),
        ],
        reference=descend,
        mistakes=[
            Mistake("Empty the mailboxes before each backward; or the old slopes are added.", without_emptying),
            Mistake("The slope points uphill. Go against it.", uphill),
        ],
        hints=[
            "In each step: empty each parameter's .grad; loss = loss_of(parameters); loss.backward(); move; note loss.number.",
            "parameter.number -= rate * parameter.grad",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that an engine must know formulas for whole programs; but a slope for each operation is enough.": "Stage 1: sums and products",
}
