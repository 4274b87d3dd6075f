"""`autograd.grad` and `backward` with all their options: unused, batched, filled with zeros, given or left out."""

OUTPUTS = "y|z|[y, z]|(z,)|y.sum()|[y.sum(), z.sum()]|x|[x, y]|c|y.detach()|[y, y]|q|[q, y]|s|e|None|[]|3".split("|")
INPUTS = "x|[x]|[x, w]|(w, x)|[x, x]|k|[x, k]|y|[y, x]|c|[x, y, w]|x[0]|[e]|[x, e]|[]|None|z".split("|")
GIVEN = (
    "None|m.ones_like(y)|[m.ones_like(y), None]|[None, m.ones_like(z)]|m.ones(2)|m.tensor(1.0)|(m.ones(3).double(),)|"
    "m.ones(3)|y.detach()|y|[m.ones_like(y), m.ones_like(z)]|m.ones(2, 3).double()|w|m.ones(3).long()|[None]|"
    "[None, None]|"
    "m.ones(3, dtype=m.complex128)|2.0|[y, z]"
).split("|")
BATCHED = (
    "m.eye(3).double()|m.ones(2, 3).double()|m.ones(2).double()|m.eye(3)|(m.eye(3).double(),)|m.zeros(0, 3).double()"
)
OPTIONS = (
    "allow_unused=True|allow_unused=False|allow_unused=None|materialize_grads=True|create_graph=True|retain_graph=True|"
    "materialize_grads=True, allow_unused=False|allow_unused=True, materialize_grads=True|retain_graph=False|"
    "create_graph=True, retain_graph=False|only_inputs=True|create_graph=False, retain_graph=None"
).split("|")


def write(sketch) -> None:
    pick, chance = sketch.pick, sketch.chance
    sketch.leaf("x", (3,))
    sketch.leaf("w", (3,))
    sketch.leaf("k", (3,), grad=False)
    sketch.add("e = m.zeros(0, requires_grad=True).double()")
    sketch.add(f"y = {pick(['x * w', 'x.sin()', 'x * x * w', 'x + w', 'x.cumsum(0) * w'])}")
    sketch.add(f"z = {pick(['y * y', 'y.exp()', 'w * 2', 'y[:1] * w', 'x * 1', 'm.stack([y, w])'])}")
    sketch.add("c, s = x + 1j * w, (x * w).sum()")
    sketch.add("q = (x.detach() * 2).requires_grad_()")
    if chance(0.2):
        sketch.add(pick(["w.requires_grad_(False)", "x.retain_grad()", "y.retain_grad()", "y.mul_(2)", "x.grad = k"]))
    for i in range(sketch.random.randint(1, 3)):
        options = ", ".join({pick(OPTIONS): 0, pick(OPTIONS): 1}) if chance(0.3) else pick(OPTIONS)
        if chance(0.55):
            sketch.add(f"g{i} = m.autograd.grad({pick(OUTPUTS)}, {pick(INPUTS)}, {pick(GIVEN)}, {options})")
        elif chance(0.4):
            batched = f"{pick(BATCHED.split('|'))}, is_grads_batched=True"
            sketch.add(f"g{i} = m.autograd.grad({pick(['y', 'z', '[y]', 'x'])}, {pick(INPUTS)}, {batched}, {options})")
        elif chance(0.5):
            inputs = pick(["", f", inputs={pick(INPUTS)}"])
            keep = pick(["retain_graph=True", "create_graph=True", ""])
            sketch.add(f"m.autograd.backward({pick(OUTPUTS)}, {pick(GIVEN)}, {keep}{inputs})")
        else:
            keep = pick(["retain_graph=True", "create_graph=True", "", f"inputs={pick(INPUTS)}"])
            sketch.add(f"{pick(['y', 'z', 's', 'x', 'k', 'c', 'q'])}.backward({pick(GIVEN)}, {keep})")
    sketch.add("kept = [one if one is None else one.detach() for one in (x.grad, w.grad, q.grad)]")
