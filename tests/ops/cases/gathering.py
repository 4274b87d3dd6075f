"""The rows of ops/gathering.py as expressions."""

from .case import CUBE, MATRIX, case

CASES = [
    case("where", "m.where(a > 0, a, b)"),
    case("where", "m.where(a > b, a * 2, 1.0)"),
    case("gather", "m.gather(a, 1, ints([[0, 2], [1, 1]]))", "np.take_along_axis(a, ints([[0, 2], [1, 1]]), 1)",
         shapes=MATRIX),
    case("gather", "m.gather(a, 0, ints([[1, 0]]))", "np.take_along_axis(a[:, :2], ints([[1, 0]]), 0)", shapes=MATRIX),
    case("index_select", "m.index_select(a, 1, ints([2, 0, 2]))", "a[:, [2, 0, 2]]", shapes=MATRIX),
    case("index_select", "m.index_select(a, -1, ints([1]))", "a[..., [1]]", shapes=[*CUBE, ((3,),)]),
    case("taken", "m.take(a, ints([[0, 3], [-1, 0]]))", "a.ravel()[[[0, 3], [-1, 0]]]", shapes=MATRIX),
    case("masked_select_of", "m.masked_select(a, a > 0)", "a[a > 0]", shapes=[*MATRIX, ((4,),)], smooth=False),
    case("masked_select_of", "a.masked_select(bools([True, False, True]))", "a[:, [0, 2]].ravel()", shapes=MATRIX),
]  # fmt: skip
