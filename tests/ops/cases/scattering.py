"""The rows of ops/scattering.py as expressions."""

from .case import MATRIX, PAIR, case

CASES = [
    case("added", "a.scatter_add(1, ints([[2, 2], [0, 1]]), b)", "n.scattered(a, 1, ints([[2, 2], [0, 1]]), b, True)",
         shapes=[((2, 3), (2, 2))]),
    case("masked_fill_number", "a.masked_fill(bools([True, False, True]), 0.5)",
         "np.where(bools([True, False, True]), 0.5, a)", shapes=MATRIX),
    case("masked_fill_with", "a.masked_fill(bools([True, False, True]), b)",
         "np.where(bools([True, False, True]), b, a)", shapes=[((2, 3), ())]),
    case("placed", "a.scatter(0, ints([[0, 1, 1]]), b)", "n.scattered(a, 0, ints([[0, 1, 1]]), b)",
         shapes=[((2, 3), (1, 3))]),
    case("placed_number", "m.scatter(a, 1, ints([[2], [0]]), 5.0)",
         "n.scattered(a, 1, ints([[2], [0]]), 5.0)", shapes=MATRIX),
    case("added", "m.index_add(a, 1, ints([2, 2, 0]), b)", "n.with_at(a, (slice(None), [2, 2, 0]), b, True)",
         shapes=[((2, 3), (2, 3))]),
    case("added", "a.index_add(0, ints([1]), b, alpha=3)", "n.with_at(a, [1], 3 * b, True)", shapes=[((2, 3), (1, 3))]),
    case("placed", "m.index_put(a, (ints([0, 1]), ints([2, 0])), b)", "n.with_at(a, ([0, 1], [2, 0]), b)",
         shapes=[((2, 3), (2,)), ((2, 3), (1,))]),
    case("added", "a.index_put((ints([1, 1]),), b, accumulate=True)", "n.with_at(a, [1, 1], b, True)",
         shapes=[((2, 3), (2, 3)), ((2, 3), (3,))]),
    case("masked_fill_number", "m.clone(a).masked_fill_(a < 0, 2.0)", "np.where(a < 0, 2.0, a)", shapes=MATRIX),
    case("added", "m.clone(a).index_add_(0, ints([1, 1]), b)", "n.with_at(a, [1, 1], b, True)", shapes=PAIR[:1]),
    case("placed", "(a * 2).scatter_(1, ints([[1], [0]]), b)", "n.scattered(a * 2, 1, ints([[1], [0]]), b)",
         shapes=[((2, 3), (2, 1))]),
]  # fmt: skip
