"""The rows of ops/rearranging.py as expressions."""

from .case import CUBE, MATRIX, case

CASES = [
    case("transpose", "m.swapaxes(a, 0, -1)", shapes=[*CUBE, ((3,),)]),
    case("squeeze", "m.squeeze(a)", shapes=[((1, 3, 1),), ((),)]),
    case("squeeze", "m.squeeze(a, 1)", "a.reshape(a.shape[:1] + a.shape[2:]) if a.shape[1] == 1 else a",
         shapes=[((3, 1),), ((3, 2),)]),
    case("flip", "m.flip(a, (0, -1))", shapes=[*MATRIX, *CUBE]),
    case("flip", "a.flip(0)", "a[::-1]", shapes=[*MATRIX, ((4,),)]),
    case("tile", "m.tile(a, (2, 2))", shapes=[*MATRIX, ((2,),), *CUBE]),
    case("narrow", "m.narrow(a, 1, 1, 2)", "a[:, 1:3]", shapes=[*MATRIX, *CUBE]),
    case("as_strided_to", "m.as_strided(a, (2, 2), (1, 2), 1)", "a.ravel()[[[1, 3], [2, 4]]]", shapes=MATRIX),
    case("as_strided_to", "a.as_strided((3, 2), (1, 1))", "a.ravel()[[[0, 1], [1, 2], [2, 3]]]", shapes=[((4,),)]),
    case("unfold", "a.unfold(0, 2, 1)", "np.stack([a[:-1], a[1:]], -1)", shapes=[((4,),), ((3, 2),)]),
    case("unfold", "a.unfold(-1, 2, 2)", "a.reshape(2, 2, 2)", shapes=[((2, 4),)]),
    case("diagonal_scatter", "m.diag_embed(a)", "a[..., None] * np.eye(a.shape[-1])", shapes=[*MATRIX, ((2,),)]),
    case("diagonal_scatter", "m.diag_embed(a, 1, 0, 1)", "np.diag(a, 1)", shapes=[((2,),)]),
    case("permute_to", "m.movedim(a, 0, 2)", "np.moveaxis(a, 0, 2)", shapes=CUBE),
    case("permute_to", "a.moveaxis((0, 1), (1, 2))", "np.moveaxis(a, (0, 1), (1, 2))", shapes=CUBE),
    case("reshape_to", "m.ravel(a)", shapes=[*MATRIX, ((),)]),
    case("squeeze", "a.squeeze((0, 2))", "a[0, :, 0]", shapes=[((1, 3, 1),)]),
    case("tile", "m.tile(a, (2,))", shapes=MATRIX),
    case("reshape_to", "m.repeat_interleave(a, 2)", "np.repeat(a, 2)", shapes=MATRIX),
    case("spread_to", "a.repeat_interleave(3, 1)", "np.repeat(a, 3, 1)", shapes=[*MATRIX, *CUBE]),
    case("index_select", "m.repeat_interleave(a, ints([0, 2]), 0)", "np.repeat(a, [0, 2], 0)", shapes=MATRIX),
    case("expand_to", "m.meshgrid(a, b, indexing='ij')", "list(np.meshgrid(a, b, indexing='ij'))",
         shapes=[((2,), (3,))]),
    case("expand_to", "m.meshgrid(a, b, indexing='xy')", "list(np.meshgrid(a, b))", shapes=[((2,), (3,))]),
]  # fmt: skip
