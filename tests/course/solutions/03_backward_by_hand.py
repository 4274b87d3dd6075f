"""Right answers to lesson 3, as one types or writes them."""

import minigrad as mg


def walk(f, a):
    node, gradient = f(a).grad_fn, mg.tensor(1.0)
    while node.name() != "torch::autograd::AccumulateGrad" and node.next_functions:
        gradient = node(gradient)
        node = node.next_functions[0][0]
    return gradient


SOLUTIONS = {
    "what a node can reach": "those that lead to x and y",
    "what the product keeps": "both factors",
    "what arrives at x": "36",
    "a second call": "It refuses, with an error",
    "a walk back": walk,
}
