"""The rows of ops/matrix.py as expressions."""

from .case import MATRIX, SQUARE, case

PRODUCTS = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 2)), ((2, 2, 3), (3, 2)),
            ((2, 3), (2, 3, 1)), ((2, 1, 2, 3), (2, 3, 2)), ((3,), (2, 3, 2)), ((2, 2, 3), (3,)), ((0, 3), (3, 2)),
            ((2, 0), (0, 2))]  # fmt: skip

CASES = [
    *[case("mm" if [len(shape) for shape in shapes] == [2, 2] else "matmul", "a @ b", shapes=[shapes])
      for shapes in PRODUCTS],
    case("matmul", "m.matmul(a, b)", shapes=PRODUCTS),
    case("mm", "m.mm(a, b)", "a @ b", shapes=[((2, 3), (3, 2))]),
    case("matmul", "m.mv(a, b)", "a @ b", shapes=[((2, 3), (3,))]),
    case("bmm_of", "m.bmm(a, b)", "a @ b", shapes=[((2, 2, 3), (2, 3, 1))]),
    case("matmul", "m.dot(a, b)", shapes=[((3,), (3,))]),
    case("mul", "m.outer(a, b)", shapes=[((2,), (3,))]),
    case("matmul", "F.linear(a, b)", "a @ b.T", shapes=[((2, 3), (2, 3)), ((3,), (2, 3)), ((2, 2, 3), (2, 3))]),
    case("addmm_of", "F.linear(a, b, c)", "a @ b.T + c", shapes=[((2, 3), (2, 3), (2,))]),
    case("addmm_of", "m.addmm(c, a, b)", "c + a @ b", shapes=[((2, 3), (3, 2), (2, 2)), ((2, 3), (3, 2), (1,))]),
    case("addmm_with_factors", "m.addmm(c, a, b, beta=0.5, alpha=2)", "0.5 * c + 2 * a @ b",
         shapes=[((2, 3), (3, 2), (2,))]),
    case("baddbmm_of", "m.baddbmm(c, a, b, beta=0.5, alpha=2)", "0.5 * c + 2 * a @ b",
         shapes=[((2, 2, 3), (2, 3, 2), (2, 2, 2)), ((1, 2, 3), (1, 3, 1), (1,))]),
    case("addbmm_of", "m.addbmm(c, a, b, alpha=2)", "c + 2 * (a @ b).sum(0)", shapes=[((2, 2, 3), (2, 3, 2), (2,))]),
    case("addmv_of", "m.addmv(c, a, b, beta=0.5)", "0.5 * c + a @ b",
         shapes=[((2, 3), (3,), (2,)), ((2, 3), (3,), ())]),
    case("addr_of", "c.addr(a, b, beta=3, alpha=2)", "3 * c + 2 * np.outer(a, b)", shapes=[((2,), (3,), (2, 3))]),
    case("vdot", "m.vdot(a, b)", shapes=[((3,), (3,))]),
    case("vdot", "m.vdot(a * (1 - 2j), b + a * 1j).real", shapes=[((3,), (3,))]),
    case("trace", "m.trace(a)", shapes=[*SQUARE, *MATRIX]),
]  # fmt: skip
