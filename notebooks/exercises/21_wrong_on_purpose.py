"""What lesson 21 asks."""

import minigrad as mg
from minigrad import faults
from minigrad.autograd import gradcheck
from widgets.lessons import Mistake, choice, code, number, order


def too_early(a):
    a = mg.tensor(a, requires_grad=True)
    with faults.depth_first():
        s = a + a
        (s * (s * 2)).backward()
    return a.grad


def changed():
    w = mg.tensor([3.0], requires_grad=True)
    y = (w * w).sum()
    with mg.no_grad():
        w += 1
    try:
        y.backward()
    except RuntimeError:
        return REFUSED
    return {6.0: OLD, 8.0: NEW}[w.grad.item()]


def noticed_by_a_sine():
    x = mg.tensor([0.5, 2.0], dtype=mg.float64, requires_grad=True)
    for fault in (faults.swaps_the_operands, faults.overwrites_in_flight, faults.forgets_the_upstream):
        try:
            with fault():
                gradcheck(mg.sin, x)
        except RuntimeError:
            return fault.name
    return NONE


SIGN, SWAPS, OVERWRITES, FORGETS = (
    fault.name
    for fault in (
        faults.wrong_sign,
        faults.swaps_the_operands,
        faults.overwrites_in_flight,
        faults.forgets_the_upstream,
    )
)
NONE = "none of these"
OLD = "w.grad is 6, the slope where the forward was"
NEW = "w.grad is 8, the slope where w is now"
REFUSED = "it refuses, with an error"

QUESTIONS = {
    "who is who": order(
        "Put the faults in the order of the engines A, B, C, D.",
        [OVERWRITES, FORGETS, SWAPS, SIGN],
        [SIGN, SWAPS, OVERWRITES, FORGETS],
        mistakes=[
            Mistake(
                "C and D: y uses s twice, so one of them loses just half of what flows to a.",
                [SIGN, SWAPS, FORGETS, OVERWRITES],
            ),
            Mistake(
                "A and B: with the wrong sign of − b only b.grad is off, and by 2.",
                [SWAPS, SIGN, OVERWRITES, FORGETS],
            ),
        ],
        hints=[
            "A has a.grad right. Which fault touches only what stands behind the minus?",
            "a and b are exchanged in one of them: 36 = 2 · 6 · 3, where 2 · 6 · 2 is right.",
            "If each node hands on its own slope only, what comes out is small: D.",
        ],
        because="A errs by 2 in b only, B exchanges the factors, C loses one use of s, D knows the last slope only.",
    ),
    "too early": number(
        "s = a + a, t = 2s, y = s · t at a = {a}. s runs before the part that comes by way of t is there. What does this engine put into a.grad?",
        too_early,
        given={"a": [3.0, 1.0, -2.0]},
        mistakes=[
            Mistake("That is what the right engine says. Here one of two parts is lost.", lambda a: 16 * a),
            Mistake("That arrives at s. a is used twice in s.", lambda a: 4 * a),
        ],
        hints=[
            "y = s · t sends t to s, at once, and s to t.",
            "s has t = 4a when it runs, and a takes part in s twice.",
        ],
        because="s runs with t = 4a alone and sends it on twice; what comes by way of t stays at s.",
    ),
    "w has changed": choice(
        "y = w · w at w = 3; then w becomes 4; then y.backward(). What does the right engine do?",
        [OLD, NEW, REFUSED],
        changed,
        mistakes=[
            faults.uses_changed_values,
            Mistake("It would have to keep a copy of each number. It keeps the tensor itself, and w is 4 now.", OLD),
        ],
        hints=["The rule needs the w of the forward. Is it still there?", "Each tensor counts its changes."],
        because="The w that the rule needs is gone. The engine counts the changes, so it notices, and refuses: a message that one can "
        "read is better than a number that one believes.",
    ),
    "what a sine notices": choice(
        "gradcheck is run on a sine, and on nothing else. Which of these faults does it notice?",
        [SWAPS, OVERWRITES, FORGETS, NONE],
        noticed_by_a_sine,
        mistakes={
            SWAPS: "The rule of the sine multiplies, but it is no product of two inputs: there is nothing to exchange.",
            OVERWRITES: "In a sine each value is used once. Nothing is added.",
            NONE: "gradcheck sends gradients of 1 and of 0 back. One of these faults confuses them.",
        },
        hints=[
            "A sine has one input, used once, and no partner.",
            "Where gradcheck sends 0 from above, 0 must arrive.",
        ],
        because="The table of slopes gets a number where nothing was sent. A sine uses nothing twice, multiplies and stretches nothing: "
        "most faults have no place to show.",
    ),
    "the test that finds them all": code(
        "A test that the right engine passes and all ten broken ones fail.",
        name="engine_is_right",
        detects=list(faults.FAULTS.values()),
        hints=[
            "a.grad must be right after a program with a product, a difference, and a value that is used twice.",
            "Go twice back through one graph with retain_graph=True, and let a tensor of shape (1,) meet one of shape (3,).",
            "depth_first: y = s * t, where t is made of s. uses_changed_values: change w in place under no_grad, and "
            "see to it that backward raises a RuntimeError.",
        ],
        because="Ten misconceptions, and none gets past you.",
    ),
}

MISCONCEPTIONS = {
    "It may seem that gradcheck finds every fault; but it finds those that its function gives a chance to.": "What does a test notice?",
    "It may seem that a wrong engine would fail loudly; but most faults give a number that looks like any other.": "Four suspects",
}
