"""Right answers to lesson 19, as one types or writes them."""


def needed(program, wanted):
    used, kept = set(wanted), []
    for name, _, inputs in reversed(program):
        if name in used:
            kept.append(name)
            used.update(inputs)
    return kept[::-1]


def shared(program):
    first, same, kept = {}, {}, []
    for name, operation, inputs in program:
        inputs = [same.get(one, one) for one in inputs]
        step = (operation, *inputs)
        if operation != "feed" and step in first:
            same[name] = first[step]
        else:
            first[step] = name
            kept.append((name, operation, inputs))
    return kept


SOLUTIONS = {
    "multiplications": "4",
    "what is printed": "a step with a name, a shape and a type",
    "how often is it said": "1",
    "when is it noticed": "when the product is defined",
    "what is left": "2",
    "what is needed": needed,
    "the same only once": shared,
}
