"""Products of vectors, matrices and batches of all shapes, with nothing in them and without dimensions, by each of
their names, with alpha and beta."""

CALLS = (
    "a @ b|m.matmul(a, b)|m.mm(a, b)|m.bmm(a, b)|m.mv(a, b)|m.dot(a, b)|m.outer(a, b)|m.addmm(c, a, b)|"
    "m.addmm(c, a, b, alpha=N, beta=M)|m.nn.functional.linear(a, b)|m.nn.functional.linear(a, b, c)|"
    "m.trace(a)|m.cross(a, a.flip(0), dim=-1)|"
    "a.__rmatmul__(b)"
).split("|")


def write(sketch) -> None:
    draw = sketch.random
    n, k, p, q = (0 if sketch.chance(0.07) else draw.randint(1, 3) for _ in range(4))
    first = sketch.pick(
        [(k,), (n, k), (n, k), (q, n, k), (1, n, k), (2, q, n, k), ()] if sketch.chance(0.9) else [(n, p), (p,)]
    )
    second = sketch.pick([(k,), (k, p), (k, p), (q, k, p), (2, 1, k, p), (p, k), ()])
    sketch.leaf("a", first)
    sketch.leaf("b", second)
    sketch.leaf("c", sketch.pick([(n, p), (p,), (n, 1), (1,), (), (q, n, p), (n,), (n, k)]))
    fits = {
        (1, 1): "dot outer",
        (2, 1): "mv",
        (2, 2): "mm addmm linear",
        (3, 3): "bmm",
    }
    words = fits.get((len(first), len(second)), "").split()
    fitting = [call for call in CALLS if any(word in call for word in words)]
    for i in range(2):
        call = sketch.pick(fitting if fitting and sketch.chance(0.6) else CALLS)
        number, other = (sketch.pick(["2", "0.5", "0", "-1", "1"]) for _ in range(2))
        if sketch.add(f"v{i} = {call.replace('N', number).replace('M', other)}"):
            sketch.add(f"g{i} = {sketch.pick(['first', 'second'])}([v{i}], a, b, c)")
