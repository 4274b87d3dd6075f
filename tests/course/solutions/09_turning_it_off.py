"""Right answers to lesson 9, as one types or writes them."""


def rounded(x):
    return x - (x - x.round()).detach()


SOLUTIONS = {
    "the innermost block": "a, c",
    "what arrives through the block": "12",
    "half detached": "3",
    "behind its back": "60",
    "round, but learn": rounded,
}
