"""Leaves and results turned about in the midst: `.data`, `.grad`, `requires_grad`, `detach_`, `retain_grad`."""

MAKE = (
    "{a} * {b}|{a} + 1|{a}.exp()|{a}[0]|{a}.view(-1)|{a}.detach()|{a}.data|{a}.clone()|{a}.sum()|{a} * {a}|"
    "{a}.t()|{a}.requires_grad_()|{a}.double()|{a}.float()|m.stack([{a}, {b}])|{a}.expand(2, 2, 2)|"
    "{a}.detach().requires_grad_()|{a}.grad|m.nn.Parameter({a})|"
    "m.nn.Parameter({a}.detach(), requires_grad=False)|{a}.new_zeros(2)|m.zeros_like({a})|"
    "m.ones_like({a}, requires_grad=True)|{a}.type_as({b})"
).split("|")
CHANGE = (
    "{a}.requires_grad_()|{a}.requires_grad_(False)|{a}.requires_grad = False|{a}.requires_grad = True|"
    "{a}.detach_()|{a}.retain_grad()|{a}.data = {b}.data|{a}.data = m.zeros(3)|{a}.data.mul_(2)|"
    "{a}.grad = {b}.detach()|{a}.grad = None|{a}.grad = 3|{a}.grad.zero_()|{a}.grad = {a}|{a}.grad = m.ones(5)|"
    "{a}.sum().backward()|({a} * {b}).sum().backward(retain_graph=True)|{a}.backward()|"
    "{a}.mean().backward(inputs=[x])|{a}.mul_(2)|{a}.copy_({b})|del {a}.grad|{a}.grad.requires_grad_()|"
    "{a}.grad.detach_()|{a}.data.requires_grad_()|{a}.requires_grad_(None)|{a}.is_leaf = True|{a}.data = None|"
    "{a}.backward(m.ones_like({a}))"
).split("|")
ASK = (
    "[{a}.is_leaf, {a}.requires_grad, {a}.retains_grad, {a}._version]|{a}.grad is None|{a}.grad_fn is None|"
    "{a}.output_nr|{a}.data.requires_grad|[{a}.grad.requires_grad, {a}.grad.is_leaf]|{a} is {b}|{a}._is_view()"
).split("|")


def write(sketch) -> None:
    sketch.leaf("x", (2, 2))
    sketch.leaf("y", (2, 2), grad=sketch.chance(0.5))
    sketch.add("z = x * y")
    names = ["x", "y", "z"]
    for i in range(sketch.random.randint(3, 8)):
        given = {one: sketch.pick(names[-4:] + ["x"]) for one in "ab"}
        kind = sketch.random.random()
        if kind < 0.35:
            line = f"v{i} = {sketch.pick(MAKE).format(**given)}"
            sketch.add(line)
            names += [f"v{i}"] * hasattr(sketch.space.get(f"v{i}"), "detach")
        elif kind < 0.8:
            line = sketch.pick(CHANGE).format(**given)
            sketch.add(f"with m.no_grad(): {line}" if sketch.chance(0.2) else line)
        else:
            sketch.add(f"told{i} = {sketch.pick(ASK).format(**given)}")
    sketch.add(f"{names[-1]}.sum().backward()")
