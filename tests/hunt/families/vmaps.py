"""vmap over operations of all kinds: along any dimension, with some arguments whole, twice, and its gradient."""

from .tangents import ANY, BROADCAST, EXPRESSIONS

WAYS = ["f", "f", "f", "fn.grad(lambda *x: f(*x).sum())", "fn.jacrev(f)", "lambda *x: {'p': f(*x), 'q': x[0] * 2}"]


def write(sketch) -> None:
    expression, case = sketch.pick(EXPRESSIONS)
    shapes, size, dims, names = sketch.pick(case.shapes or BROADCAST), sketch.pick([1, 2, 3]), [], []
    sketch.add("fn = m.func")
    for name, shape in zip(case.inputs, shapes):
        dim = None if names and sketch.chance(0.3) else sketch.random.randrange(-len(shape) - 1, len(shape) + 1)
        if dim is not None:
            where = dim % (len(shape) + 1)
            shape = (*shape[:where], size, *shape[where:])
        sketch.add(f"{name} = T({sketch.numbers(shape, *case.domains.get(name, ANY))}, grad={sketch.chance(0.5)})")
        dims.append(dim)
        names.append(name)
    sketch.add(f"f = lambda {', '.join(names)}: {expression}")
    given = f"in_dims={tuple(dims)}"
    out = sketch.pick(["", "", ", out_dims=-1", ", chunk_size=1", ", randomness='different'"])
    way = sketch.pick(WAYS)
    call = f"fn.vmap({way}, {given}{out})({', '.join(names)})"
    sketch.add(f"r = {call}" if way == "f" else f"r = still({call})")
    leaves = [name for name in names if sketch[name].requires_grad]
    if way == "f" and leaves and sketch.chance(0.6):
        sketch.add(f"g = first([r, {leaves[0]} * 2], {', '.join(leaves)})")
