"""Right answers to lesson 6, as one types them."""

SOLUTIONS = {
    "a product that nobody asks about": "a leaf, without a node",
    "who has a gradient": "w",
    "behind the hook": "15",
    "behind a frozen layer": "only the first layer",
}
