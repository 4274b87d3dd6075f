"""Right answers to lesson 11, as one types or writes them."""

from minigrad.autograd import grad


def hvp(f, x, v):
    (slopes,) = grad(f(x), x, create_graph=True)
    (product,) = grad((slopes * v).sum(), x)
    return product


SOLUTIONS = {
    "what lies in the mailbox": "24",
    "without create_graph": "it refuses, with an error",
    "from near the top": "the top between the hollows",
    "one direction": "2",
    "a product without the table": hvp,
}
