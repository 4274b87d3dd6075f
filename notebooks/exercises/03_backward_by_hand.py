"""What lesson 3 asks."""

import minigrad as mg
from minigrad import faults
from widgets.lessons import Mistake, choice, code, number


def program(x, y):
    x, y = (mg.tensor(value, requires_grad=True) for value in (x, y))
    z = x * y
    return x, z, z**2


def can_reach():
    x, z, l = program(2.0, 3.0)
    before = {to for to, _ in z.grad_fn.next_functions}
    return AFTER if l.grad_fn in before else BEFORE if len(before) == 2 else SELF


def arrives_at_x(x, y):
    leaf, _, l = program(x, y)
    l.backward()
    return leaf.grad


def what_it_keeps():
    _, z, _ = program(2.0, 3.0)
    return "both factors" if (z.grad_fn._saved_self, z.grad_fn._saved_other) == (2.0, 3.0) else "?"


def second_call():
    _, z, l = program(2.0, 3.0)
    l.backward()
    try:
        z.grad_fn(mg.tensor(1.0))
    except RuntimeError:
        return "It refuses, with an error"
    return "It returns the same two numbers"


def walk(f, a):
    node, gradient = f(a).grad_fn, mg.tensor(1.0)
    while node.next_functions:
        gradient = node(gradient)
        node = next(to for to, _ in node.next_functions if to is not None)
        gradient = next(part for part in gradient if part is not None) if isinstance(gradient, tuple) else gradient
    return gradient


def only_the_last(f, a):
    node, gradient = f(a).grad_fn, mg.tensor(1.0)
    while node.next_functions:
        part = node(mg.tensor(1.0))
        gradient = next(one for one in part if one is not None) if isinstance(part, tuple) else part
        node = next(to for to, _ in node.next_functions if to is not None)
    return gradient


def leaf(value):
    return mg.tensor(value, requires_grad=True)


AFTER, BEFORE = "that of the square, l", "those that lead to x and y"
ALL, SELF = "all nodes of the graph", "none: a node knows only itself"

QUESTIONS = {
    "what a node can reach": choice(
        "You hold the node of z = x * y, and go from node to node by next_functions. Which nodes can you reach?",
        [AFTER, BEFORE, ALL, SELF],
        can_reach,
        mistakes={
            AFTER: "The square was computed later. When the product was recorded, nobody knew of it.",
            ALL: "You would have to begin at the node of l for that.",
            SELF: "Then nothing could flow on from it.",
        },
        hints=["Which way does a gradient go on from z?"],
        because="A node knows the nodes before it, one for each argument, in the order in which they were written.",
    ),
    "what the product keeps": choice(
        "Which numbers must the node of z = x * y keep?",
        ["only z", "both factors", "both factors and z", "nothing"],
        what_it_keeps,
        mistakes={
            "only z": "∂z/∂x = y: can you find y if you know only z?",
            "both factors and z": "z stands in neither of the two rules, so it is not kept.",
            "nothing": "∂z/∂x is y, and ∂z/∂y is x. Where would the numbers come from?",
        },
        hints=["Look at its two rules. Which names occur in them?"],
        because="The rule for x needs y, and the rule for y needs x.",
    ),
    "what arrives at x": number(
        "l = (x · y)² with x = {x} and y = {y}. Which gradient arrives at x?",
        arrives_at_x,
        given={"x": [2.0, 1.0, -1.0], "y": [3.0, 4.0, 0.5]},
        mistakes=[
            faults.swaps_the_operands,
            faults.forgets_the_upstream,
            Mistake("That is what arrives at z. The product has a slope, too.", lambda x, y: 2 * x * y),
        ],
        hints=[
            "The square sends 2z to the product. What does the product multiply it by for x?",
            "2 · z · y, and z is x · y.",
        ],
        because="2z arrives at the product, and the product multiplies it by y: {answer}.",
    ),
    "a second call": choice(
        "After l.backward() the node of the product is called again. What happens?",
        ["It returns the same two numbers", "It returns zeros", "It refuses, with an error"],
        second_call,
        mistakes={
            "It returns the same two numbers": "It would need x and y for that. Does it still have them?",
            "It returns zeros": "A wrong number would be worse than none.",
        },
        because="It let go of what it saved when the backward had used it: memory is dear.",
    ),
    "a walk back": code(
        "What arrives at the leaf of a chain.",
        name="walk",
        cases=[
            (mg.sin, leaf(0.5)),
            (lambda a: a.exp().sin(), leaf(0.2)),
            (lambda a: (a**2).exp().log(), leaf(3.0)),
        ],
        reference=walk,
        without=["backward"],
        mistakes=[
            Mistake("Each node gets what the one before it returned. Only the first one gets 1.", only_the_last),
            Mistake("That is the result. What flows back begins with 1.", lambda f, a: f(a)),
        ],
        hints=[
            "Begin with node, gradient = f(a).grad_fn, mg.tensor(1.0).",
            "In a loop: gradient = node(gradient), then node = node.next_functions[0][0], until that node has no next_functions.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that a gradient lies in `.grad` as soon as it is known; but only the last node puts it there.": "Calling a node",
    "It may seem that the graph remembers all numbers; but a node keeps what its rule needs, and no longer than needed.": "What a node keeps",
}
