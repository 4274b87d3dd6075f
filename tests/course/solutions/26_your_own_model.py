"""Right answers to lesson 26, as one types them."""

SOLUTIONS = {
    "what arrives": "less than a millionth of it",
    "where is w": "1.25",
    "what reaches first": "8",
    "what a frozen layer holds": "None",
}
