"""The rows of ops/shape.py as expressions."""

from .case import CUBE, MATRIX, SQUARE, case

CASES = [
    case("reshape_to", "a.reshape(3, -1)", shapes=[((2, 3),), ((6, 1),)]),
    case("reshape_to", "m.reshape(a, ())", shapes=[((1, 1),)]),
    case("reshape_to", "a.view(-1)", "a.ravel()", shapes=[((2, 3),), ((),)]),
    case("reshape_to", "m.flatten(a, 1)", "a.reshape(2, -1)", shapes=CUBE),
    case("reshape_to", "a.view_as(b)", "a.reshape(b.shape)", shapes=[((2, 3), (6,))]),
    case("permute_to", "m.permute(a, (2, 0, 1))", "a.transpose(2, 0, 1)", shapes=CUBE),
    case("permute_to", "a.permute(-1, 0, 1)", "a.transpose(2, 0, 1)", shapes=CUBE),
    case("permute_to", "a.T", shapes=MATRIX),
    case("transpose", "m.transpose(a, 0, 1)", "a.swapaxes(0, 1)", shapes=[*MATRIX, *CUBE]),
    case("transpose", "a.mT", shapes=CUBE),
    case("t", "a.t()", "a.T", shapes=[*MATRIX, ((3,),), ((),)]),
    case("unsqueeze", "m.unsqueeze(a, 1)", "np.expand_dims(a, 1)", shapes=MATRIX),
    case("unsqueeze", "a.unsqueeze(-1)", "np.expand_dims(a, -1)", shapes=[*MATRIX, ((),)]),
    case("expand_to", "a.expand(2, -1, 3)", "np.broadcast_to(a, (2, 2, 3))", shapes=[((2, 1),), ((1, 2, 3),)]),
    case("expand_to", "m.broadcast_to(a, (2, 3))", shapes=[((3,),), ((2, 1),), ((),)]),
    case("expand_to", "a.expand_as(b) * b", "a * b", shapes=[((1,), (2, 2))]),
    case("spread_to", "rows.spread_to(a, (2, 3))", "np.broadcast_to(a, (2, 3))", torch="a.expand(2, 3)",
         shapes=[((3,),), ((2, 1),)]),
    case("sum_to_size", "a.sum_to_size(3)", "n.sum_to(a, (3,))", shapes=[((2, 3),), ((2, 2, 3),)]),
    case("sum_to_size", "a.sum_to_size(2, 1)", "n.sum_to(a, (2, 1))", shapes=[((2, 3),), ((3, 2, 1),)]),
    case("roll", "m.roll(a, 1, 0)", shapes=[*MATRIX, *CUBE]),
    case("roll", "m.roll(a, (1, -1), (0, 1))", shapes=MATRIX),
    case("roll", "m.roll(a, 2)", shapes=MATRIX),
    case("tile", "a.repeat(2, 1, 2)", "np.tile(a, (2, 1, 2))", shapes=[((2, 3),), ((3,),)]),
    case("select", "m.select(a, 1, -1)", "a[:, -1]", shapes=[*MATRIX, *CUBE]),
    case("pad_back", "rows.pad_back(a, (4, 3), 0, 1)", "np.pad(a, ((1, 1), (0, 0)))", torch="F.pad(a, (0, 0, 1, 1))",
         shapes=MATRIX),
    case("tril", "m.tril(a)", shapes=[*SQUARE, *MATRIX]),
    case("tril", "a.tril(-1)", "np.tril(a, -1)", shapes=SQUARE),
    case("triu", "m.triu(a, 1)", shapes=[*SQUARE, ((2, 3, 3),)]),
    case("diagonal", "m.diagonal(a, 1)", shapes=[*SQUARE, *MATRIX]),
    case("diagonal", "m.diagonal(a, -1, 0, 2)", shapes=[((3, 2, 2),)]),
    case("diagonal_copy", "m.diag(a)", shapes=SQUARE),
    case("diagonal_scatter", "m.diag(a, 1)", shapes=[((3,),)]),
    *[
        case(
            "reshape_to" if n < 2 else "unsqueeze", f"m.atleast_{n}d(a)", shapes=[((),)] if n < 2 else [((3,),), ((),)]
        )
        for n in (1, 2, 3)
    ],
    case("expand_to", "m.broadcast_tensors(a, b)", "list(np.broadcast_arrays(a, b))", shapes=[((2, 1), (3,))]),
    case("contiguous", "m.transpose(a, 0, 1).contiguous()", "a.T", shapes=[((2, 3),)]),
]  # fmt: skip
