"""Right answers to lesson 8, as one types or writes them."""


def unstretch(g, shape):
    while g.dim() > len(shape):
        g = g.sum(dim=0)
    for dim, size in enumerate(shape):
        if size == 1:
            g = g.sum(dim=dim, keepdim=True)
    return g


SOLUTIONS = {
    "the shape that comes back": "(3,)",
    "how much comes back": "4",
    "a column": "(2, 1)",
    "which dimensions": "0 and 2",
    "five predictions": "(5, 5)",
    "undo the stretching": unstretch,
}
