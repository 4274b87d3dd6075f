"""The rows of ops/statistics.py as expressions."""

from .case import CUBE, DIMS, MATRIX, case

CASES = [
    case("var_of", "m.var(a)", "np.var(a, ddof=1)", shapes=MATRIX),
    case("var_of", "a.var(0, correction=0)", "np.var(a, 0)", shapes=DIMS),
    case("var_of", "a.var(1, False)", "np.var(a, 1)", shapes=MATRIX),
    case("var_of", "m.var(a, (0, 2), keepdim=True)", "np.var(a, (0, 2), ddof=1, keepdims=True)", shapes=CUBE),
    case("std_of", "m.std(a)", "np.std(a, ddof=1)", shapes=MATRIX),
    case("std_of", "a.std(1, keepdim=True)", "np.std(a, 1, ddof=1, keepdims=True)", shapes=MATRIX),
    case("std_mean_of", "m.std_mean(a, 1)", "[a.std(1, ddof=1), a.mean(1)]", shapes=[*MATRIX, *CUBE]),
    case("std_mean_of", "m.std_mean(a)", "[a.std(ddof=1), a.mean()]", shapes=MATRIX),
    case("var_mean_of", "m.var_mean(a, 0, correction=0, keepdim=True)",
         "[a.var(0, keepdims=True), a.mean(0, keepdims=True)]",
         shapes=MATRIX),
]  # fmt: skip
