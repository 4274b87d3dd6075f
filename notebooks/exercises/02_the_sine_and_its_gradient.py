"""What lesson 2 asks."""

import math

import minigrad as mg
from widgets.lessons import Mistake, choice, code, number, shape


def steep(factor, lift, a, through=mg.sin):
    """How steep factor · sin(a) + lift is at a."""
    a = mg.as_tensor(a).detach().requires_grad_()
    (factor * through(a) + lift).backward()
    return a.grad


def what_the_last_node_does():
    a = mg.tensor(0.5, requires_grad=True)
    node = mg.sin(a).grad_fn
    while node.next_functions:
        node = node.next_functions[0][0]
    node(mg.tensor(2.0))
    return {None: NOTHING, 2.0: PUTS}.get(a.grad and a.grad.item(), MULTIPLIES)


def gradient_of_a_sum():
    a = mg.linspace(0.0, 1.0, steps=25, requires_grad=True)
    mg.sin(a).sum().backward()
    return a.grad


def steepest_place():
    places = mg.tensor([0.0, math.pi / 2, math.pi, 3 * math.pi / 2])
    slopes = steep(2, 1, places, through=lambda a: mg.sin(a).sum())
    return (CLIMBING, TOP, FALLING, BOTTOM)[slopes.argmax().item()]


PUTS = "it puts what arrives into the mailbox a.grad"
MULTIPLIES = "it multiplies what arrives by one more slope, and puts that into a.grad"
NOTHING = "nothing: a plain number has no need of a node"
CLIMBING, FALLING = "where it climbs through 1, at 0", "where it falls through 1, at π"
TOP, BOTTOM = "where it is highest, at π/2", "where it is lowest, at 3π/2"

QUESTIONS = {
    "what counts": choice(
        "Which of the numbers 2 and 1 changes how steep 2 · sin(a) + 1 is?",
        ["both", "only the 2", "only the 1", "none"],
        lambda: "only the 2" if steep(2, 1, 0.5) == steep(2, 7, 0.5) != steep(3, 1, 0.5) else "both",
        mistakes={
            "both": "Adding 1 lifts the whole curve. Does it become steeper by that?",
            "only the 1": "It is the other way round: adding lifts a curve, multiplying stretches it.",
            "none": "Twice as high at each point means twice as steep.",
        },
        because="Multiplying stretches the curve; adding lifts it, and leaves each slope as it is.",
    ),
    "slope at 0.52": number(
        "About how steep is 2 · sin(a) + 1 at a = {a}? (A sine has slope 1 at 0 and is flat at π/2.)",
        lambda a: steep(2, 1, a),
        given={"a": [0.52, 0.0, math.pi / 3, 2.5]},
        tolerance=0.2,
        mistakes=[
            Mistake("That is how high the curve is there, not how steep.", lambda a: 2 * math.sin(a) + 1),
            Mistake("That is the slope of the sine; the curve is twice as high, and so twice as steep.", math.cos),
            Mistake("The 1 lifts the curve. It adds nothing to the slope.", lambda a: 2 * math.cos(a) + 1),
        ],
        hints=[
            "The slope of sin(a) is cos(a).",
            "cos(0) is 1, cos(π/3) is 1/2, cos(π/2) is 0, cos(π) is −1. Find cos({a}) between them: twice that.",
        ],
        because="The three boxes have the slopes 1, 2 and cos(a): multiplied, 2 · cos(a).",
    ),
    "the last node": choice(
        "No operation made the leaf a. Yet the way back from d ends at a node for it. What does that node do?",
        [MULTIPLIES, NOTHING, PUTS],
        what_the_last_node_does,
        mistakes={
            MULTIPLIES: "A slope belongs to an operation, and a was made by none.",
            NOTHING: "The 2 and the 1 have no node, that is true. But a has asked for a gradient.",
        },
        hints=["The sine has multiplied by its slope, and hands on the result. Where shall it lie at the end?"],
        because="No operation, no slope: it only adds what arrives to the mailbox. It is called AccumulateGrad.",
    ),
    "the shape of the gradient": shape(
        "a has the shape (25,), out = d.sum() is one number. Which shape has a.grad?",
        gradient_of_a_sum,
        mistakes=[
            Mistake("out is one number. But there is one slope for each number that a holds.", ()),
            Mistake("Only d[i] depends on a[i]. All other slopes would be 0, and nobody keeps them.", (25, 25)),
        ],
        because="Each a[i] has a part in d[i] and in no other, so each has one slope of its own.",
    ),
    "the steepest place": choice(
        "The slopes are drawn over a, from 0 to 2π, beside the curve 2 sin(a) + 1. Where is the slope largest?",
        [TOP, FALLING, BOTTOM, CLIMBING],
        steepest_place,
        mistakes={
            TOP: "High is not steep: on its top the curve climbs no more, and does not yet fall.",
            FALLING: "It is as steep there, but downwards: that is the smallest slope of all.",
            BOTTOM: "At its lowest point the curve lies level, as on its top.",
        },
        hints=["Walk along the curve from left to right. Where is the climb the hardest?"],
        because="There the curve climbs; on its top and at its bottom the slope is 0.",
    ),
    "the chain rule in code": code(
        "The gradient at the leaf of a chain whose boxes have these slopes.",
        name="arrives",
        reference=math.prod,
        cases=[([1.0, 2.0, 0.5],), ([3.0],), ([2.0, -1.0, 4.0, 0.25],)],
        mistakes=[Mistake("Slopes on the way are multiplied, not added.", sum)],
        hints=["Begin with 1, and multiply by one slope after the other.", "math.prod does it."],
    ),
    "a curve with a given slope": code(
        "A curve with the slope cos(a)**2 - sin(a)**2 that is 0 at a = 0.",
        name="curve",
        reference=lambda a: mg.sin(a) * mg.cos(a),
        cases=[(mg.tensor(0.3, requires_grad=True),), (mg.tensor([0.0, 1.0, 2.5], requires_grad=True),)],
        mistakes=[
            Mistake("That is the slope itself. Return a curve that has it.", lambda a: mg.cos(a) ** 2 - mg.sin(a) ** 2)
        ],
        hints=["The derivative of a product u · v is u′v + uv′.", "Try the product of the sine and the cosine."],
    ),
}
