"""Inverses, determinants, decompositions, norms and powers of matrices, tall, wide, in batches and in none, real and
complex; seen through what does not depend on signs and phases, and derived twice."""

SQUARE = (
    "m.linalg.inv(A)|m.linalg.det(A)|m.linalg.solve(A, B)|m.linalg.solve(A, B[..., 0])|"
    "m.matrix_exp(A)|m.linalg.cholesky(P)|"
    "m.linalg.cholesky(P, upper=True)|m.linalg.eigvalsh(P)|m.linalg.eigvalsh(A, UPLO='U')|m.linalg.eigh(P)[1].abs()|"
    "m.linalg.eigh(A)[1].abs()|m.linalg.norm(A, ord='fro', dim=(-2, -1))|"
    "A.trace()"
).split("|")
ANY = (
    "m.linalg.svdvals(R)|m.linalg.svd(R, full_matrices=False)[0].abs()|m.linalg.svd(R, full_matrices=False)[2].abs()|"
    "m.linalg.qr(R)[0].abs()|m.linalg.qr(R)[1].abs()|m.linalg.qr(R, 'complete')[0].abs()|R.qr()[1].abs()|"
    "m.linalg.norm(R, 'fro', dim=(-2, -1))|m.linalg.norm(R)|m.linalg.vector_norm(R, V, dim=-1)|"
    "m.linalg.vector_norm(R, V)|R.norm(V)|R.mH @ R|"
    "R.norm(V, -1, True)|m.linalg.svdvals(R).sum()"
).split("|")


def write(sketch) -> None:
    n, batch = sketch.random.randint(1, 3), sketch.pick([(), (), (2,), (0,), (2, 1)] if sketch.chance(0.4) else [()])
    rows, columns = sketch.random.randint(1, 3), sketch.random.randint(1, 3)
    twist = " * (0.8 + 0.6j)" if sketch.chance(0.3) else ""
    for name, shape in (("x", (*batch, n, n)), ("y", (*batch, rows, columns)), ("B", (*batch, n, 2))):
        if 0 in batch:  # which no nested list can say
            sketch.add(f"{name} = T([]).detach().reshape({shape}).requires_grad_()")
        else:
            sketch.leaf(name, shape)
    imaginary = " + 1j * x.mT" * bool(twist)
    sketch.add(f"A = x + 3 * m.eye({n}, dtype=m.float64){imaginary}")
    sketch.add("P = A @ A.mH" + f" + m.eye({n}, dtype=m.float64)")
    sketch.add(f"R = y{' + 1j * y.flip(-1)' * bool(twist)}")
    if twist:
        sketch.add("B = B + 0j")
    given = {"K": sketch.pick("-2 -1 0 1 2 3 5".split()), "V": sketch.pick("2 1 3 0.5 m.inf -m.inf 0".split())}
    text = sketch.pick(sketch.pick([SQUARE, ANY]))
    for mark, value in given.items():
        text = text.replace(f" {mark}", f" {value}").replace(f"({mark}", f"({value}").replace(f"={mark}", f"={value}")
    if sketch.add(f"v = {text}") and sketch["v"].requires_grad:
        sketch.add(f"g = {sketch.pick(['first', 'second'])}([v], x, y)")
