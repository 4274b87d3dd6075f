"""The rows of ops/normalisation.py as expressions."""

from .case import MATRIX, case

CASES = [
    case("standardise", "F.layer_norm(a, (3,))", "n.standard(a, -1)", shapes=[*MATRIX, ((2, 2, 3),)]),
    case("standardise", "F.layer_norm(a, (2, 3), b, c)", "n.standard(a, (-2, -1)) * b + c",
         shapes=[((2, 2, 3), (2, 3), (2, 3))]),
    case("standardise", "F.batch_norm(a, None, None, b, c, True)", "n.standard(a, 0) * b + c",
         shapes=[((4, 2), (2,), (2,))]),
    case("standardise", "F.batch_norm(a, None, None, training=True, eps=0.01)", "n.standard(a, (0, 2, 3), 0.01)",
         shapes=[((2, 2, 2, 2),)]),
    case("normalise_as_gathered", "F.batch_norm(a, floats([0.5, 1]).to(a.dtype), floats([2, 3]).to(a.dtype), eps=0)",
         "(a - [0.5, 1]) / np.sqrt([2, 3])", shapes=[((3, 2),)]),
    case("embedding_of", "F.embedding(ints([[1, 0], [1, 1]]), a)", "a[[[1, 0], [1, 1]]]", shapes=MATRIX),
    case("embedding_of", "F.embedding(ints([1, 0]), a, padding_idx=0)", "a[[1, 0]]", shapes=MATRIX, smooth=False),
    case("safe_softmax", "F.scaled_dot_product_attention(a, b, c)", "n.softmax(a @ b.mT / np.sqrt(2), -1) @ c",
         shapes=[((1, 2, 2), (1, 3, 2), (1, 3, 2))]),
    case("safe_softmax", "F.scaled_dot_product_attention(a, a, b, is_causal=True)",
         "n.softmax(np.where(np.tri(3, dtype=bool), a @ a.mT / np.sqrt(2), -1e9), -1) @ b",
         shapes=[((1, 3, 2), (1, 3, 2))]),
]  # fmt: skip
