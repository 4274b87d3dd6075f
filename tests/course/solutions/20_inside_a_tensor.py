"""Right answers to lesson 20, as one types or writes them."""


def numbers_behind(make):
    total, stack, seen = 0, [make().grad_fn], set()
    while stack:
        node = stack.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            total += node.variable.numel()
        stack += [before for before, _ in node.next_functions]
    return total


SOLUTIONS = {
    "what exp saved": "its result, exp(x)",
    "output number": "2",
    "the end of two ways": "one and the same node",
    "the version": "3",
    "numbers behind a result": numbers_behind,
}
