"""Right answers to lesson 18, as one types them."""

SOLUTIONS = {
    "keeps nothing": "h + h",
    "a row of sines": "20000",
    "run again": "8",
    "how many parts": "6",
}
