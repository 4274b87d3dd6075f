"""Right answers to lesson 24, as one types or writes them."""

import numpy as np


def backward(x):
    u = np.exp(x)
    d_u = x
    d_x = u
    return d_x + d_u * u


SOLUTIONS = {
    "a line of the backward": "d_b = d_c * a",
    "in their order": ["d_out", "d_c", "d_b", "the sum of both parts at a", "a_grad"],
    "the way of this run": "-6",
    "multiplications left": "0",
    "the slope of the slope": "-y",
    "a backward by hand": backward,
}
