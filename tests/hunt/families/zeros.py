"""Products with no, one, two or three zeros: prod, cumprod, chains of factors, along each dimension, derived twice."""


def write(sketch) -> None:
    shape = sketch.pick([(1,), (2,), (3,), (4,), (2, 3), (3, 2), (2, 2, 2), (), (0,), (2, 0)])
    count = 1
    for n in shape:
        count *= n
    zeros = set(sketch.random.sample(range(count), min(count, sketch.random.randint(0, 3))))
    values = [0.0 if i in zeros else sketch.number(0.3, 2.0) for i in range(count)]
    shaped = f".detach().reshape({shape}).requires_grad_()" * (len(shape) > 1)
    sketch.add(f"x = T({values if shape else values[0]}){shaped}")
    dim, keep = sketch.dim("x"), sketch.chance(0.3)
    text = sketch.pick(
        [
            "x.prod()", f"x.prod({dim}, {keep})", f"x.cumprod({dim})", f"m.prod(x * x, {dim})", "x.flatten().prod(0)",
            f"x.cumprod({dim}).sum()", f"x.prod({dim}) ** 2", "x.prod() * x", f"x.cumprod({dim}).prod()",
            "m.prod(m.sin(x))", f"x.prod({dim}, dtype=m.float64)", "(x * x).prod() + x.sum()",
        ]
    )  # fmt: skip
    sketch.add(f"v = {text}")
    sketch.add(f"g = {sketch.pick(['first', 'second', 'second'])}([v], x)")
