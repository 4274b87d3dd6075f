"""Right answers to lesson 12, as one types them."""

SOLUTIONS = {
    "five times Second": "12",
    "how many come back": "3, one for each argument",
    "the second slope": "the slope is right, the slope of the slope is wrong, and nothing says so",
}
