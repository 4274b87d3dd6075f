"""Right answers to lesson 25, as one types or writes them."""


def pieces(program):
    read_last = {}
    for step, (_, inputs) in enumerate(program):
        for one in inputs:
            read_last[one] = step
    arrays, free, ours = 0, [], set()
    for step, (name, inputs) in enumerate(program):
        free += [one for one in dict.fromkeys(inputs) if one in ours and read_last[one] == step]
        if free:
            free.pop()
        else:
            arrays += 1
        ours.add(name)
    return arrays


SOLUTIONS = {
    "how many are left": "3",
    "what must stay": "x + 0",
    "which can be compiled": "folded",
    "how many plans": "2",
    "bytes": "4000",
    "pieces of memory": pieces,
}
