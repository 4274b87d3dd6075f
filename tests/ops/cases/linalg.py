"""The rows of ops/linalg.py as expressions."""

from .case import BATCH, MATRIX, SQUARE, case

STEADY = "a @ a.mT + m.eye(3, dtype=a.dtype)"  # symmetric, with positive eigenvalues
NP_STEADY = "a @ a.mT + np.eye(3)"
LEANING = "a + 5 * m.eye(*a.shape, dtype=a.dtype)"  # of full rank
NP_LEANING = "a + 5 * np.eye(*a.shape)"

CASES = [
    case("inv", f"m.linalg.inv({STEADY})", f"np.linalg.inv({NP_STEADY})", shapes=BATCH),
    case("det", "m.linalg.det(a)", "np.linalg.det(a)", shapes=BATCH),
    case("det", "m.det(a * ints([1, 1, 0]))", "np.linalg.det(a) * 0", shapes=SQUARE, smooth=False),
    case("solve_of", f"m.linalg.solve({STEADY}, b)", f"np.linalg.solve({NP_STEADY}, b)",
         shapes=[((3, 3), (3, 2)), ((3, 3), (3,)), ((2, 3, 3), (2, 3, 1)), ((2, 3, 3), (3,))]),
    case("solve_of", f"m.linalg.solve({STEADY}, b, left=False)", f"np.linalg.solve(({NP_STEADY}).mT, b.mT).mT",
         shapes=[((3, 3), (2, 3)), ((2, 3, 3), (2, 2, 3))]),
    case("cholesky_of", f"m.linalg.cholesky({STEADY})", f"np.linalg.cholesky({NP_STEADY})", shapes=BATCH),
    case("cholesky_of", f"m.linalg.cholesky({STEADY}, upper=True)", f"np.linalg.cholesky({NP_STEADY}, upper=True)",
         shapes=BATCH),
    case("eigh_of", f"m.linalg.eigvalsh({STEADY})", f"np.linalg.eigvalsh({NP_STEADY})", shapes=BATCH),
    case("eigh_of", f"m.linalg.eigh({STEADY})[1] ** 2", f"np.linalg.eigh({NP_STEADY})[1] ** 2", shapes=SQUARE),
    case("svd_of", "m.linalg.svdvals(a)", "np.linalg.svd(a)[1]", shapes=[*SQUARE, *MATRIX]),
    case("svd_of",
         f"m.svd({LEANING})[0] ** 2", f"np.linalg.svd({NP_LEANING}, False)[0] ** 2", shapes=[((2, 3),), ((3, 2),)]),
    case("qr_of", f"m.linalg.qr({LEANING})", f"list(np.linalg.qr({NP_LEANING}))",
         shapes=[((3, 2),), ((3, 3),), ((2, 3),)]),
    case("qr_of", f"m.linalg.qr({LEANING}, 'complete')", f"list(np.linalg.qr({NP_LEANING}, 'complete'))",
         shapes=[((2, 3),), ((3, 3),)]),
    case("qr_of", f"m.qr(m.stack([{LEANING}, 2 * ({LEANING})]))[1]",
         f"np.stack([k * np.linalg.qr({NP_LEANING})[1] for k in (1, 2)])", shapes=[((3, 2),)]),
    case("qr_of", "m.linalg.qr(a + 1j * b + m.tensor([[5., 0], [0, 9], [0, 0]], dtype=a.dtype))[1][0].abs()",
         "abs(np.linalg.qr(a + 1j * b + [[5, 0], [0, 9], [0, 0]])[1][0])", shapes=[((3, 2), (3, 2))]),
    case("matrix_exp", "m.matrix_exp(a)", "n.expm(a)", shapes=SQUARE),
    case("cross_of", "m.cross(a, b)", "np.cross(a, b)", shapes=[((2, 3), (2, 3)), ((3,), (3,))]),
    case("cross_of", "m.cross(a, b, 0)", "np.cross(a, b, axis=0)", shapes=[((3, 2), (3, 2))]),
    case("cholesky_of", "m.linalg.cholesky((a + 1j * b) @ (a + 1j * b).mT.conj() + 5 * m.eye(3, dtype=a.dtype)).imag",
         "np.linalg.cholesky((a + 1j * b) @ (a + 1j * b).mT.conj() + 5 * np.eye(3)).imag", shapes=[((3, 3), (3, 3))]),
    case("eigh_of", "m.linalg.eigvalsh((a + 1j * b) @ (a + 1j * b).mH + m.diag(m.tensor([0., 9, 20], dtype=a.dtype)))",
         "np.linalg.eigvalsh((a + 1j * b) @ (a + 1j * b).mT.conj() + np.diag([0, 9, 20]))", shapes=[((3, 3), (3, 3))]),
    case("svd_of", "m.linalg.svdvals(a + 1j * b + m.tensor([[5., 0], [0, 9], [0, 0]], dtype=a.dtype))",
         "np.linalg.svd(a + 1j * b + [[5, 0], [0, 9], [0, 0]])[1]", shapes=[((3, 2), (3, 2))]),
    case("slogdet_of", f"m.linalg.slogdet({STEADY})[1]", f"np.log(np.linalg.det({NP_STEADY}))", shapes=BATCH),
]  # fmt: skip
