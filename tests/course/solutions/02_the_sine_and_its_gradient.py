"""Right answers to lesson 2, as one types or writes them."""

import math

import minigrad as mg

SOLUTIONS = {
    "what counts": "only the 2",
    "slope at 0.52": "1.7",
    "the last node": "it puts what arrives into the mailbox a.grad",
    "the shape of the gradient": "(25,)",
    "the steepest place": "where it climbs through 1, at 0",
    "the chain rule in code": lambda slopes: math.prod(slopes),
    "a curve with a given slope": lambda a: mg.sin(2 * a) / 2,
}
