"""The rows of ops/sorting.py as expressions."""

from .case import CUBE, MATRIX, case

CASES = [
    case("sort_along", "m.sort(a, 1)", "n.sort(a, 1)", shapes=[*MATRIX, *CUBE]),
    case("sort_along", "a.sort(dim=0, descending=True)", "n.sort(a, 0, True)", shapes=MATRIX),
    case("sort_along", "m.sort(a, stable=True)[0]", "np.sort(a, -1)", shapes=[*MATRIX, ((),)][:1]),
    case("topk_along", "m.topk(a, 2)", "n.top(a, 2, -1)", shapes=[*MATRIX, ((4,),)]),
    case("topk_along", "a.topk(1, 0, largest=False)", "n.top(a, 1, 0, False)", shapes=MATRIX),
    case("median_along", "m.median(a, 1)", "n.median(a, 1)", shapes=[*MATRIX, ((2, 4),)]),
    case("median_along", "m.nanmedian(a, 0)", "n.median(a, 0)", shapes=[*MATRIX, ((4,),)]),
    case("median_of_all", "m.median(a)", "n.median(a.ravel(), 0)[0]", shapes=[*MATRIX, ((3,),)]),
    case("kth_along", "m.kthvalue(a, 2, 1)", "n.kth(a, 2, 1)", shapes=[*MATRIX, *CUBE]),
    case("largest_so_far", "m.cummax(a, 1)[0]", "np.maximum.accumulate(a, 1)", shapes=[*MATRIX, *CUBE]),
    case("smallest_so_far", "m.cummin(a, 0)[0]", "np.minimum.accumulate(a, 0)", shapes=[*MATRIX, ((3,),)]),
    case("cumprod", "m.cumprod(a, 1)", shapes=[*MATRIX, *CUBE]),
    case("cumprod", "(a * (a > 0)).cumprod(0)", "(a * (a > 0)).cumprod(0)", shapes=[((4,),), ((3, 2),)]),
    case("narrow", "m.diff(a)", shapes=MATRIX),
]
