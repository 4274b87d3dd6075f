"""Expressions that use their variables again and again, so that graphs branch, join and end in several outputs."""

MAKE = (
    "m.sin({a})|m.exp(m.tanh({a}))|{a} * {b}|{a} + {b}|{a} - {b}|{a} / (1 + {b} * {b})|{x} * {a}|{x} - {a}|{a} / {x}|"
    "m.tanh({a}) ** 3|{a}.sum()|{a}.mean(0, keepdim=True)|{a}.reshape(-1)|{a}.T|m.maximum({a}, {b})|m.relu({a})|"
    "m.cat([{a}.flatten(), {b}.flatten()])|{a}[..., :1]|{a} * {b}.detach()|m.where({a} > {b}, {a}, {b})|"
    "m.sigmoid({a})"
).split("|")


def write(sketch) -> None:
    leaves = [sketch.leaf(name) for name in "xyz"[: sketch.random.randint(1, 3)]]
    names = list(leaves)
    for i in range(sketch.random.randint(2, 10)):
        given = {"a": sketch.pick(names[-4:]), "b": sketch.pick(names), "x": sketch.number(0.3, 1.7)}
        if sketch.add(f"v{i} = {sketch.pick(MAKE).format(**given)}"):
            names.append(f"v{i}")
    outputs = dict.fromkeys([names[-1], sketch.pick(names)])
    sketch.add(f"g = {sketch.pick(['first', 'second'])}([{', '.join(outputs)}], {', '.join(leaves)})")
