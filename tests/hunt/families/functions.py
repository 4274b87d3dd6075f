"""Operations of one's own: several outputs, constants and None among them, changes in place, views, inputs as they are,
gradients that are None, of another shape or type, or counted wrongly; and derivatives of all that, once and twice.
"""

KINDS = True
OUTPUT = (
    "a * b|a + b|a.sin()|b * 2|a|b|a.clone()|a[..., :1]|b.reshape(-1)|a.t() if a.ndim == 2 else a.exp()|None|3|a.sum()|"
    "(a > 0)|a.float()|a.expand(2, *a.shape)|a.detach()|a.view_as(a)"
).split("|")
MARK = "mark_non_differentiable({0})|mark_dirty({0})|set_materialize_grads(False)|save_for_backward(a, b)|".split("|")
PART = (
    "{g}|{g} * 2|{g} * saved(ctx, 0, {g})|{g} * saved(ctx, 1, {g}) * 3|None|{g}.sum()|{g}.expand(2, *{g}.shape)|".split(
        "|"
    )
)
HELP = """def saved(ctx, i, g):
    kept = ctx.saved_tensors
    return kept[i] if len(kept) > i and kept[i].shape == g.shape else 1"""


def write(sketch) -> None:
    sketch.add("log = []")
    sketch.add(HELP)
    shape = sketch.shape(2, (1, 2))
    names = [sketch.leaf(name, shape, grad=sketch.chance(0.8)) for name in "xy"]
    for i in range(sketch.random.randint(1, 3)):
        sketch.add(function(sketch, f"F{i}"))
        for j in range(sketch.random.randint(1, 2)):
            given = [sketch.pick(names) for _ in range(2)]
            if sketch.chance(0.5):
                given = [one + sketch.pick([" * 1", ".clone()", ".view(-1)", "[:1]", ".exp()"]) for one in given]
            if sketch.chance(0.3):
                sketch.add(f"p{i}{j} = {given[0]}")
                given[0] = f"p{i}{j}"
            if sketch.add(f"r{i}{j} = F{i}.apply({', '.join(given)})"):
                found = sketch[f"r{i}{j}"]
                for k, one in enumerate(found if isinstance(found, tuple) else ()):
                    if hasattr(one, "detach"):
                        sketch.add(f"s{i}{j}{k} = r{i}{j}[{k}]")
                names += [
                    name
                    for name in (f"p{i}{j}", f"r{i}{j}", *(f"s{i}{j}{k}" for k in range(3)))
                    if tensor(sketch, name)
                ]
        if sketch.chance(0.2):
            sketch.add(f"{sketch.pick(names)}.{sketch.pick(['mul_(2)', 'add_(1)', 'requires_grad'])}")
    names = [name for name in dict.fromkeys(names) if sketch[name].is_floating_point()]
    out = " + ".join(f"({one} * {one}).sum()" for one in sketch.random.sample(names, min(3, len(names))))
    sketch.add(f"out = {out}")
    leaves = ", ".join(name for name in "xy" if sketch[name].requires_grad)
    if leaves and sketch.chance(0.4):
        sketch.add("out.backward(retain_graph=True)")
    if leaves:
        sketch.add(f"g = {sketch.pick(['first', 'second'])}(out, {leaves})")


def tensor(sketch, name: str) -> bool:
    return name in sketch and hasattr(sketch[name], "detach")


def function(sketch, name: str) -> str:
    count = sketch.pick([1, 1, 1, 2, 3])
    outputs = [sketch.pick(OUTPUT) for _ in range(count)]
    own = [f"o{i} = {output}" for i, output in enumerate(outputs)]
    marks = [sketch.pick(MARK) for _ in range(sketch.random.randint(0, 2))]
    change = [sketch.pick(["a.mul_(2)", "a.add_(b)"])] if any("dirty" in mark for mark in marks) else []
    marks = [
        mark.format("a" if "dirty" in mark else f"*[o for o in [o{sketch.random.randrange(count)}] if m.is_tensor(o)]")
        for mark in marks
    ]
    if change and sketch.chance(0.8):
        own[0] = "o0 = a"
    returned = ", ".join(f"o{i}" for i in range(count))
    body = [*change, *own, *(f"ctx.{mark}" for mark in marks if mark), f"return {returned}"]
    if sketch.chance(0.3) and not change:
        kept = f"ctx.save_for_backward(*inputs{', output' * (count == 1 and outputs[0] not in ('None', '3'))})"
        forward = ["def forward(a, b):", *(f"    {line}" for line in (*own, f"return {returned}"))]
        forward += ["@staticmethod", "def setup_context(ctx, inputs, output):", f"    {kept}"]
    else:
        forward = ["def forward(ctx, a, b):", *(f"    {line}" for line in body)]
    g = sketch.pick([f"g{i}" for i in range(count)])
    fitting = [part for part in PART if not change or "sum" not in part and "expand" not in part]
    parts = [sketch.pick(fitting).format(g=g) or "g0" for _ in range(2)]
    if sketch.chance(0.05):
        parts = sketch.pick([parts[:1], [*parts, "None"], [*parts, g], ["3", parts[1]]])
    given = ", ".join(f"g{i}" for i in range(count))
    backward = ["@staticmethod", f"def backward(ctx, {given}):", f"    log.append([{given}])"]
    backward += ["    log.append(list(ctx.needs_input_grad))", f"    if {g} is None:", "        return None, None"]
    backward += [f"    return {', '.join(parts)}{',' * (len(parts) == 1)}"]
    if sketch.chance(0.2) and "3" not in parts:
        backward.insert(1, "@m.autograd.function.once_differentiable")
    lines = ["@staticmethod", *forward, *backward]
    return "\n    ".join([f"class {name}(m.autograd.Function):", *lines])
