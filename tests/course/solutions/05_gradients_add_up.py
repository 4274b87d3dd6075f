"""Right answers to lesson 5, as one types them."""

SOLUTIONS = {
    "what arrives at s": "12",
    "after four times": "24",
    "the same graph twice": "it is refused, with an error",
    "retained": "8",
}
