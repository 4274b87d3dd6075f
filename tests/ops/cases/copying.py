"""The rows of ops/copying.py as expressions."""

from .case import case

CASES = [
    case("clone", "m.clone(a)", "a.copy()"),
    case("to_copy", "rows.to_copy(a, np.dtype('float64'))", "a", torch="a.to(m.float64, copy=True)"),
    case("copy", "m.clone(a).copy_(b)", "0 * a + b", shapes=[((2, 3), (3,)), ((2, 3), (2, 1)), ((), ())]),
    case("fill", "m.clone(a).fill_(2.5)", "np.full_like(a, 2.5)"),
    case("zero", "a * 2 + m.clone(a).zero_()", "a * 2"),
    case("fill_with", "m.clone(a).fill_(b)", "np.full_like(a, b)", shapes=[((2, 3), ())]),
    case("draw", "a * 2 + m.clone(a).uniform_(0, 1e-300)", "a * 2"),
]
