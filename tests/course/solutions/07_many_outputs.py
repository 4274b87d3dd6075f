"""Right answers to lesson 7, as one types or writes them."""

import minigrad as mg


def jacobian(f, x):
    y = f(x)
    rows = []
    for i in range(len(y)):
        v = mg.zeros(len(y))
        v[i] = 1.0
        x.grad = None
        y.backward(gradient=v, retain_graph=True)
        rows.append(x.grad)
    return mg.stack(rows)


SOLUTIONS = {
    "what the sum does": "[1, 1, 1]",
    "one weight": "the second row of the table",
    "what arrives at x[0]": "31",
    "backwards for the whole table": "4",
    "the whole table": jacobian,
}
