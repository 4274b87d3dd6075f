"""Scatter, gather, index_add and their relatives, each also in place: places named twice, ties, no elements, no
dimensions."""

import math

ALONG = ["gather", "scatter", "scatter_add"]
SLICES = ["index_select", "index_add"]
REST = ["index_put", "masked_fill", "masked_select"]
READING = ("gather", "index_select", "masked_select")


def write(sketch) -> None:
    draw = sketch.random
    shape = sketch.shape(lengths=(1, 2, 3, 3, 0) if sketch.chance(0.1) else (1, 2, 3))
    sketch.add(f"x = {values(sketch, shape)}")
    ndim, dim = len(shape), draw.randrange(-max(len(shape), 1), max(len(shape), 1))
    size, name = (shape[dim] if shape else 1), sketch.pick(ALONG + SLICES + REST)
    over = name not in READING and sketch.chance(0.5)
    careful = over or 0 in shape  # PyTorch refuses a wrong place late, or not at all
    at = dim % max(ndim, 1)
    if name in ALONG:
        most = [draw.randint(n > 0, n) for n in shape]
        most[at:] = [draw.randint(1, 4) * (size > 0)] * bool(shape) + most[at + 1 :]
        index, source = places(sketch, most, size, careful), values(sketch, most)
    elif name in SLICES:
        count = draw.randint(0 if ndim and sketch.chance(0.1) else 1, 3) * (size > 0)
        alone = count == 1 and sketch.chance(0.1)
        index = places(sketch, [] if alone else [count], size, careful)
        source = values(sketch, [count if i == at else n for i, n in enumerate(shape)])
    else:
        count = draw.randint(0, 4) * (0 not in shape)
        index = places(sketch, [count], math.prod(shape), careful)
        source = values(sketch, [count])
    sketch.add(f"i, v = {index}, {source}")
    mask = sketch.pick(["x > 0", "x == 0", "x.isnan()"] + ["x[0] > 0"] * (ndim > 1 and shape[0] > 0))
    arguments = {
        "gather": "{dim}, i", "scatter": sketch.pick(["{dim}, i, v", "{dim}, i, 2.5"]), "scatter_add": "{dim}, i, v",
        "index_select": "{dim}, i",
        "index_add": sketch.pick(["{dim}, i, v", "{dim}, i, v, alpha=-2"]),
        "index_put": sketch.pick([f"({mask},), v.sum()", f"({mask},), v.sum(), True"]),
        "masked_fill": f"{mask}, {sketch.pick(['1.5', 'v.sum()'])}",
        "masked_select": mask,
    }[name].format(dim=dim)  # fmt: skip
    if name == "index_put" and not ndim:
        return
    if over:
        sketch.add(f"y = x * 2\ny.{name}_({arguments})")
    else:
        sketch.add(f"y = {sketch.pick(['x.', 'm.'])}{name}({arguments})".replace("m." + name + "(", f"m.{name}(x, "))
    sketch.add("g = second(y, x, v)")


def values(sketch, shape) -> str:
    """Few different numbers, so that some are equal, and some zero."""
    if sketch.chance(0.3) and 0 not in shape:
        return f"T({sketch.numbers(tuple(shape))})"
    few = [[0.0, 1.0, -1.0, 2.0], [1.0, 2.0]][sketch.chance(0.5)]
    flat = [sketch.pick(few) for _ in range(math.prod(shape))]
    return f"T({flat}).detach().reshape({tuple(shape)}).requires_grad_()"


def places(sketch, shape, size, careful) -> str:
    low, count = (-size if not careful and sketch.chance(0.1) else 0), math.prod(shape)
    size = size + (not careful and sketch.chance(0.05))
    flat = [sketch.random.randrange(low, max(size, low + 1)) for _ in range(count)]
    kind = "int64" if sketch.chance(0.95) else "int32"
    return f"m.tensor({flat}, dtype=m.{kind}).reshape({tuple(shape)})"
