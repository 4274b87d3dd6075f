"""Results without dimensions: views of them, changes in place, and what each sees of the other."""

VIEWS = (
    (
        "unsqueeze(0) view(1) view(1, 1) reshape(1) expand(1) view_as({a}) T detach() squeeze() flatten() "
        "unsqueeze(-1) expand_as({a}) swapaxes(0, -1) data real"
    )
    .replace(", ", ",")
    .split()
)
MAKE = (
    "{a} * {x}|{a}.sum()|{a}.mean()|m.sin({a}.sum())|{a}.max()|-{a}|{a}.clone()|{a} + {b}|{a}.prod()|{a}.flatten()[0]"
)
CHANGE = (
    "add_({x})|mul_({x})|zero_()|sin_()|copy_({b})|fill_({x})|sub_({b}.sum())|clamp_(max={x})|neg_()|t_()|squeeze_()"
)


def write(sketch) -> None:
    for name in "xy":
        sketch.leaf(name, sketch.pick([(), (), (), (1,)]), grad=sketch.chance(0.7))
    for i in range(sketch.random.randint(3, 9)):
        a, b = (sketch.pick(sketch.tensors()[-5:]) for _ in "ab")
        given = {"a": a, "b": b, "x": sketch.number()}
        kind = sketch.random.random()
        if kind < 0.35:
            sketch.add(f"v{i} = {a}.{sketch.pick(VIEWS).format(**given)}".replace("()()", "()"))
        elif kind < 0.65:
            line = f"{a}.{sketch.pick(CHANGE.split('|')).format(**given)}"
            sketch.add(f"with m.no_grad(): {line}" if sketch.chance(0.2) else line)
        else:
            sketch.add(f"v{i} = {sketch.pick(MAKE.split('|')).format(**given)}")
    live = [name for name in sketch.tensors() if sketch[name].requires_grad and name not in "xy"]
    if live:
        outputs = ", ".join(dict.fromkeys([live[-1], sketch.pick(live)]))
        leaves = [name for name in "xy" if sketch[name].requires_grad] or ["x"]
        sketch.add(f"g = {sketch.pick(['first', 'second'])}([{outputs}], {', '.join(leaves)})")
