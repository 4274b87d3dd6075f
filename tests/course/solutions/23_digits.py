"""Right answers to lesson 23, as one types or writes them."""

import numpy as np


def confusion(guesses, labels):
    table = np.zeros((10, 10), dtype=int)
    np.add.at(table, (labels, guesses), 1)
    return table


SOLUTIONS = {
    "knows nothing": "2.303",
    "to the right score": "-0.75",
    "all zero": "the last biases only",
    "confusion": confusion,
}
