"""Right answers to lesson 1, as one types or writes them."""


def slope(f, x, h):
    return (f(x + h) - f(x - h)) / (2 * h)


SOLUTIONS = {
    "a shorter step": "It turns towards the line that touches the curve",
    "up or down": "−",
    "slope of a square": "6",
    "before the backward": "None",
    "far too small": "farther from 2 than with 1e-6",
    "a step to both sides": slope,
}
