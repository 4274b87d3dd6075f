"""The rows of ops/norms.py as expressions."""

from .case import CUBE, MATRIX, PAIR, case

CASES = [
    case("vector_norm", "m.norm(a)", "np.sqrt((a * a).sum())", shapes=[*MATRIX, ((3,),)]),
    case("vector_norm", "a.norm(dim=1)", "np.sqrt((a * a).sum(1))", shapes=[*MATRIX, *CUBE]),
    case("vector_norm", "a.norm(p=1, dim=0, keepdim=True)", "abs(a).sum(0, keepdims=True)", shapes=MATRIX),
    case("vector_norm", "a.norm(3)", "(abs(a) ** 3).sum() ** (1 / 3)", shapes=MATRIX),
    case("vector_norm", "m.norm(a, inf)", "abs(a).max()", shapes=MATRIX),
    case("vector_norm", "m.norm(a, -inf, 1)", "abs(a).min(1)", shapes=MATRIX),
    case("vector_norm", "m.linalg.vector_norm(a, 0.5)", "(abs(a) ** 0.5).sum() ** 2", shapes=MATRIX),
    case("vector_norm", "m.linalg.vector_norm(a, 2, (0, 1))", "np.sqrt((a * a).sum((0, 1)))", shapes=CUBE),
    case("dist", "m.dist(a, b)", "np.sqrt(((a - b) ** 2).sum())", shapes=[((2, 3), (2, 3)), ((2, 3), (3,))]),
    case("dist", "m.dist(a, b, 3)", "(abs(a - b) ** 3).sum() ** (1 / 3)", shapes=PAIR),
    case("vector_norm", "m.linalg.norm(a)", "np.linalg.norm(a)", shapes=[*MATRIX, *CUBE]),
]  # fmt: skip
