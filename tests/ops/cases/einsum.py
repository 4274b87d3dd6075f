"""The rows of ops/einsum.py as expressions."""

from .case import CUBE, MATRIX, SQUARE, case

CASES = [
    case("bmm_of", "m.einsum('ij,jk->ik', a, b)", "a @ b", shapes=[((2, 3), (3, 2))]),
    case("bmm_of", "m.einsum('bij,bjk', a, b)", "np.einsum('bij,bjk', a, b)", shapes=[((2, 2, 3), (2, 3, 2))]),
    case("mul", "m.einsum('i,j->ji', a, b)", "np.outer(b, a)", shapes=[((2,), (3,))]),
    case("diagonal", "m.einsum('ii', a)", "np.trace(a)", shapes=SQUARE),
    case("permute_to", "m.einsum('...ij->...ji', a)", "a.swapaxes(-1, -2)", shapes=[*MATRIX, *CUBE]),
    case("bmm_of", "m.einsum('ij,kj,ljm->imk', a, b, c)", "np.einsum('ij,kj,ljm->imk', a, b, c)",
         shapes=[((2, 3), (2, 3), (2, 3, 2))]),
    case("bmm_of", "m.einsum('...i,i->...', a, b)", "a @ b", shapes=[((2, 3, 2), (2,))]),
    case("mul", "m.einsum('ij,j->i', a, b)", "(a * b).sum(1)", shapes=[((2, 3), (1,))]),
    case("bmm_of", "m.tensordot(a, b, 2)", shapes=[((2, 3, 2), (3, 2, 2)), ((2, 3), (2, 3))]),
    case("bmm_of", "m.tensordot(a, b, ([0], [1]))", shapes=[((2, 3), (3, 2))]),
]  # fmt: skip
