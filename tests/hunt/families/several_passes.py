"""One graph and several passes over it: kept, freed, recorded or in part; with steps and changes between."""

PARTS = (
    "{a} * {b}|{a} + {b}|{a}.sin()|{a}.exp()|{a} @ {b}|{a}.clone()|{a} * 2|{a}.detach() * {b}|{a}[0] * {b}|{a}.relu()|"
    "{a}.view(2, 2)"
).split("|")
AGAIN = "sum((one ** 2).sum() for one in g{i} if one is not None and one.requires_grad).backward({k})"
PASSES = (
    "{o}.sum().backward({k})|{o}.backward(m.ones_like({o}), {k})|{o}.sum().backward(inputs=[{l}], {k})|"
    "g{i} = m.autograd.grad({o}.sum(), [{l}], allow_unused=True, {k})|"
    "g{i} = m.autograd.grad([{o}.sum(), {p}.sum()], [{l}], allow_unused=True, {k})|"
    "m.autograd.backward([{o}.sum(), {p}.sum()], {k})|"
    "g{i} = m.autograd.grad({o}.sum(), {p}, allow_unused=True, {k})|"
    f"g{{i}} = m.autograd.grad({{o}}.sum(), [{{l}}], allow_unused=True, create_graph=True)\n{AGAIN}|"
    "g{i} = m.autograd.functional.vjp(lambda a: a * {p}.detach(), {o}.detach(), m.ones_like({o}))[1]"
).split("|")
BETWEEN = (
    "with m.no_grad(): {l} -= 0.1 * ({l}.grad if {l}.grad is not None else 1)|{l}.grad = None|{o}.retain_grad()|"
    "{l}.grad.zero_() if {l}.grad is not None else None|del {o}|{l}.requires_grad_(False)|{l}.requires_grad_()|"
    "{l}.grad.detach_() if {l}.grad is not None else None|{o}.mul_(2)|{o} = {o}.detach()|{o} = {o} * {p}|"
    "kept = {l}.grad"
).split("|")


def write(sketch) -> None:
    pick = sketch.pick
    names, leaves = [], "xy" if sketch.chance(0.7) else "x"
    for name in "xy":
        names.append(sketch.leaf(name, (2, 2), grad=name in leaves))
    for i in range(sketch.random.randint(2, 5)):
        if sketch.add(f"v{i} = {pick(PARTS).format(a=pick(names[-3:]), b=pick(names))}"):
            names.append(f"v{i}")
    for i in range(sketch.random.randint(2, 4)):
        keep = pick(
            ["retain_graph=True", "retain_graph=True", "create_graph=True", "retain_graph=False", "retain_graph=None"]
        )
        given = {"o": pick(names[-2:]), "p": pick(names[1:]), "l": pick(leaves), "k": keep, "i": i}
        sketch.add(pick(PASSES).format(**given))
        if sketch.chance(0.4):
            sketch.add(pick(BETWEEN).format(**given))
    sketch.add("grads = [(x.grad, y.grad), [x.is_leaf, y.is_leaf, x._version]]")
