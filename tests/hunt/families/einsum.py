"""Einsum equations: any letters, repeated ones, dots, dimensions of length 0 and 1, results in any order; and
tensordot."""

KINDS = True


def write(sketch) -> None:
    draw, count = sketch.random, sketch.pick([1, 2, 2, 2, 3, 3, 4])
    letters = draw.sample("ijkABz", 4)
    size = {one: sketch.pick([1, 2, 2, 3, 3] + [0] * sketch.chance(0.1)) for one in letters}
    dots = [sketch.pick([1, 2, 3]) for _ in range(2)] if sketch.chance(0.3) else []
    terms = []
    for i in range(count):
        term = [sketch.pick(letters) for _ in range(draw.randint(0, 3))]
        shape = [1 if sketch.chance(0.1) else size[one] for one in term]
        if dots and sketch.chance(0.8):
            at, few = draw.randint(0, len(term)), dots[draw.randint(0, 2) :]
            term.insert(at, "...")
            shape[at:at] = [1 if sketch.chance(0.2) else n for n in few]
        sketch.leaf("wxyz"[i], tuple(shape), grad=sketch.chance(0.8))
        terms.append(term)
    used = [one for one in letters if any(one in term for term in terms)]
    result = draw.sample(used, draw.randint(0, len(used)))
    if any("..." in term for term in terms) and sketch.chance(0.8):
        result.insert(draw.randint(0, len(result)), "...")
    if sketch.chance(0.03):
        result.append(sketch.pick("i..q,"))
    names, shown = "wxyz"[:count], sketch.chance(0.7)
    blank = " " * sketch.chance(0.1)
    equation = f"{blank},".join(map("".join, terms)) + f"->{blank}{''.join(result)}" * shown
    sketch.add(f"r = m.einsum({equation!r}, {', '.join(names)})")
    products(sketch)
    live = [name for name in (*names, *"abc") if name in sketch and sketch[name].requires_grad]
    out = [name for name in "rs" if name in sketch and sketch[name].requires_grad]
    if out:
        sketch.add(f"g = second([{', '.join(out)}], {', '.join(live)})")


def products(sketch) -> None:
    draw = sketch.random
    n, k, p = (draw.randint(0 if sketch.chance(0.1) else 1, 3) for _ in range(3))
    first, second = [n, k, p][: draw.randint(0, 3)], [k, n, 2][: draw.randint(0, 3)]
    dims = [draw.randint(-3, 2) for _ in range(draw.randint(0, 2))]
    others = [draw.randint(-3, 2) for _ in dims] if sketch.chance(0.95) else [0]
    sketch.leaf("a", tuple(first))
    sketch.leaf("b", tuple(second))
    given = sketch.pick(["1", "0", "2", f"({dims}, {others})", f"dims=({dims}, {others})"])
    sketch.add(f"s = m.tensordot(a, b, {given})")
