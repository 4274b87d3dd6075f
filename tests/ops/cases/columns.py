"""The rows of ops/columns.py as expressions."""

from .case import case
from .pooling import IMAGE

CASES = [
    case("unfolded", "F.unfold(a, 2)", "n.columns(a, (2, 2), (1, 1), (0, 0))", shapes=[*IMAGE, ((2, 3, 3),)]),
    case("unfolded", "F.unfold(a, (1, 3), padding=(0, 1), stride=(2, 1))", "n.columns(a, (1, 3), (2, 1), (0, 1))",
         shapes=IMAGE),
    case("folded", "F.fold(a, (3, 4), 2)", "n.image(a, (3, 4), (2, 2), (1, 1))", shapes=[((2, 8, 6),), ((4, 6),)]),
    case("folded", "F.fold(a, 5, (3, 2), stride=(2, 3))", "n.image(a, (5, 5), (3, 2), (2, 3))", shapes=[((1, 6, 4),)]),
]  # fmt: skip
