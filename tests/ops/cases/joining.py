"""The rows of ops/joining.py as expressions."""

from .case import CUBE, MATRIX, PAIR, case

CASES = [
    case("cat_all", "m.concat([a, b, a])", shapes=[((2, 3), (1, 3)), ((2,), (3,))]),
    case("cat_all", "m.cat((a, b), -1)", "np.concatenate((a, b), -1)", shapes=[((2, 3), (2, 1)), ((2, 0), (2, 1))]),
    case("stack_all", "m.stack((a, b), 1)", shapes=PAIR[:1]),
    case("stack_all", "m.stack([a, b, a], -1)", shapes=[((), ()), ((2,), (2,))]),
    case("split_to", "m.split(a, 2)", "np.split(a, [2, 4])", shapes=[((5,),), ((5, 2),)]),
    case("split_to", "m.split(a, [1, 3], 1)", "np.split(a, [1], 1)", shapes=[((2, 4),)]),
    case("split_to", "m.chunk(a, 2, -1)", "np.split(a, [2], -1)", shapes=[((2, 3),)]),
    case("unbind", "m.unbind(a, 1)", "list(np.moveaxis(a, 1, 0))", shapes=[*MATRIX, *CUBE]),
    case("unbind", "[row * 2 for row in a]", shapes=MATRIX),
    case("cat_all", "m.hstack((a, b))", shapes=[((2, 3), (2, 1)), ((2,), (3,))]),
    case("cat_all", "m.vstack((a, b))", shapes=[((2, 3), (1, 3)), ((3,), (3,))]),
    case("split_to", "a.split_with_sizes([1, 2], 1)", "np.split(a, [1], 1)", shapes=MATRIX),
]  # fmt: skip
