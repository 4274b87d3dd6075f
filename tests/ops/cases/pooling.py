"""The rows of ops/pooling.py as expressions."""

from .case import MATRIX, case

IMAGE = [((1, 2, 4, 4),)]

CASES = [
    case("max_pool", "F.max_pool2d(a, 2)", "n.pooled(a, (2, 2), (2, 2), (0, 0), np.max, 0)",
         shapes=[*IMAGE, ((2, 1, 2, 5),)]),
    case("max_pool", "F.max_pool2d(a, 3, stride=(1, 2), padding=1)",
         "n.pooled(a, (3, 3), (1, 2), (1, 1), np.max, -np.inf)",
         shapes=IMAGE),
    case("avg_pool", "F.avg_pool2d(a, 2, 1)", "n.pooled(a, (2, 2), (1, 1), (0, 0), np.mean, 0)",
         shapes=[*IMAGE, ((1, 3, 3),)]),
    case("avg_pool", "F.avg_pool2d(a, (2, 3), padding=1)", "n.pooled(a, (2, 3), (2, 3), (1, 1), np.mean, 0)",
         shapes=IMAGE),
    case("max_pool", "F.max_pool2d(a, 2, 1)", "n.pooled(a[None], (2, 2), (1, 1), (0, 0), np.max, 0)[0]",
         shapes=[((2, 3, 3),)]),
    case("avg_pool", "F.avg_pool2d(a, 2, padding=1)", "n.pooled(a[None], (2, 2), (2, 2), (1, 1), np.mean, 0)[0]",
         shapes=[((2, 2, 4),)]),
    case("means_of_parts", "F.adaptive_avg_pool2d(a, (2, 3))", "n.adaptive(a, (2, 3))",
         shapes=[*IMAGE, ((1, 3, 5),)]),
    case("mean", "F.adaptive_avg_pool2d(a, 1)", "a.mean((-2, -1), keepdims=True)", shapes=IMAGE),
    case("constant_pad", "F.pad(a, (1, 2), value=3.0)", "np.pad(a, ((0, 0), (1, 2)), constant_values=3.0)",
         shapes=MATRIX),
    case("padded_by", "F.pad(a, (1, 2), 'reflect')", "np.pad(a, ((0, 0), (1, 2)), 'reflect')", shapes=MATRIX),
    case("padded_by", "F.pad(a, (2, 1), 'replicate')", "np.pad(a, ((0, 0), (2, 1)), 'edge')", shapes=MATRIX),
    case("constant_pad", "F.pad(a, (-1, 0, 0, 1))", "np.pad(a[:, 1:], ((0, 1), (0, 0)))", shapes=MATRIX),
]  # fmt: skip
