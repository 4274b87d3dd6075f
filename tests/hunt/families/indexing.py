"""Indices of all kinds (numbers, slices, None, dots, masks, lists, tensors, arrays, tuples of these), read and assigned
through, also by `op=`, and views of the same tensor looked at afterwards."""

import warnings

KINDS = True
PARTS = ["number"] * 4 + ["slice"] * 5 + ["none", "dots", "list", "list", "tensor", "tensor", "mask", "bool", "array"]


def write(sketch) -> None:
    shape = sketch.shape(most_dims=4)
    kind = "float64" if sketch.chance(0.9) else sketch.pick(["int64", "bool", "float32"])
    numbers = f"T({sketch.numbers(shape)}).detach().reshape({shape})"
    sketch.add(f"x = {numbers}.{'requires_grad_()' if kind == 'float64' else f'to(m.{kind})'}")
    sketch.add("y = x.clone()" if kind != "float64" else "y = x * 1")
    names = ["y"]
    for i in range(sketch.random.randint(1, 4)):
        name = sketch.pick(names)
        index = index_of(sketch, tuple(sketch[name].shape))
        if sketch.chance(0.5):
            names += [f"z{i}"] * sketch.add(f"z{i} = {name}[{index}]")
            continue
        with warnings.catch_warnings(action="ignore"):  # of what is deprecated
            try:
                sizes = tuple(sketch[name][eval(index, dict(sketch.space))].shape) if "\n" not in index else ()
            except Exception:
                sizes = (2,)
        value, leaf = value_for(sketch, sizes, kind, f"v{i}", other=sketch.chance(0.03) and "True" not in index)
        how = sketch.pick(["=", "=", "=", "+=", "*="]) if kind != "bool" else "="
        if leaf:
            sketch.add(leaf)
        sketch.add(f"{name}[{index}] {how} {value}")
    out = [name for name in dict.fromkeys(["y", *names]) if sketch[name].requires_grad]
    leaves = ["x", *(f"v{i}" for i in range(4) if f"v{i}" in sketch and sketch[f"v{i}"].requires_grad)]
    if out and kind == "float64":
        sketch.add(f"g = second([{', '.join(out)}], {', '.join(leaves)})")


def index_of(sketch, shape) -> str:
    """Mostly as many parts as there are dimensions, and mostly within them; of several masks or lists one shape."""
    rest, parts, count, dotted = list(shape), [], sketch.pick([1, 2]), False
    most = sketch.random.randint(1, max(len(shape), 1)) + sketch.chance(0.03)
    while (most > 0 and rest) or not parts:
        kind = sketch.pick(PARTS)
        n = rest[0] if rest else 1
        if kind == "dots":
            if dotted:
                continue
            rest, dotted, part = rest[max(len(rest) - most, 0) :], True, "..."
        elif kind in ("none", "bool"):
            part = "None" if kind == "none" else sketch.pick(["True", "m.tensor(True)"])
        else:
            part = part_of(sketch, kind, n, count)
            rest, most = rest[1:], most - 1
        parts.append(part)
    return ", ".join(parts) if sketch.chance(0.95) else f"({', '.join(parts)},)"


def part_of(sketch, kind: str, n: int, count: int) -> str:
    draw, outside = sketch.random, sketch.chance(0.02)
    within = [draw.randrange(-n, n) if n else 0 for _ in range(count)]
    distinct = draw.sample(range(n), count) if n >= count else within
    if kind == "number":
        number = n if outside else within[0]
        return sketch.pick([f"{number}"] * 4 + [f"m.tensor({number})", f"np.int64({number})"])
    if kind == "slice":
        ends = [sketch.pick(["", "", "1", "-1", "2", "0"]) for _ in range(2)]
        return ":".join(ends) + sketch.pick(["", "", "", ":2", ":1"])
    if kind == "mask":
        mask = [sketch.chance(0.6) for _ in range(n + outside)]
        return sketch.pick(
            [f"m.tensor({mask}, dtype=m.bool)", f"np.array({mask}, dtype=bool)"] + [f"{mask}"] * bool(mask)
        )
    if kind == "list":
        return sketch.pick([f"{distinct}", f"{distinct}", f"range({min(n, count)})", f"[{distinct}]"])
    if kind == "array":
        return f"np.array({distinct})"
    return sketch.pick([f"m.tensor({distinct})"] * 4 + [f"m.tensor([{distinct}])", f"m.tensor({distinct}).int()"])


def value_for(sketch, sizes, kind: str, name: str, other: bool) -> tuple:
    """A value to assign, perhaps of another type, and the line that makes it, if there is one."""
    if sketch.chance(0.3):
        return sketch.pick(["2.5", "-1", "True", "0.0"]), ""
    fitted = tuple(1 if sketch.chance(0.15) else n for n in sizes)
    fitted = fitted[sketch.random.randint(0, len(fitted)) :] if sketch.chance(0.2) else fitted
    fitted = (1, *fitted) if sketch.chance(0.1) else fitted
    grad = ".requires_grad_()" if kind == "float64" and sketch.chance(0.9) else f".to(m.{kind})"
    grad = ".to(m.float32)" if other else grad
    return name, f"{name} = T({sketch.numbers(fitted)}).detach().reshape({fitted}){grad}"
