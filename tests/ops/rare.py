"""Rare rows: functions of the family of gamma, bits, and many values brought together in one place."""

import math

import numpy as np

from .cases import ABOVE_ONE, LARGE, POSITIVE, PROBABILITY, REFERENCES, UNIT, case

# == what NumPy has no function for, by its definition =====================================================

NODES, WEIGHTS = np.polynomial.legendre.leggauss(60)


def integral(function, end: float = 250.0, pieces: int = 60):
    """From 0 to `end`, piece by piece, the pieces growing."""
    edges = end * np.linspace(0, 1, pieces + 1) ** 3
    middle, half = (edges[1:] + edges[:-1]) / 2, (edges[1:] - edges[:-1]) / 2
    t = (middle[:, None] + half[:, None] * NODES).ravel()
    return function(t) @ (half[:, None] * WEIGHTS).ravel()


def each_of(function):
    return lambda a, *more: np.array([function(x, *more) for x in np.ravel(a)]).reshape(np.shape(a))


@each_of
def digamma(x):
    return integral(lambda t: np.exp(-t) / t - np.exp(-x * t) / -np.expm1(-t))


@each_of
def polygamma(x, n):
    return (-1) ** (n + 1) * integral(lambda t: t**n * np.exp(-x * t) / -np.expm1(-t))


@each_of
def erfinv(x):
    low, high = -6.0, 6.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erf(middle) < x else (low, middle)
    return (low + high) / 2


@each_of
def i1(x):
    return sum((x / 2) ** (2 * k + 1) / math.factorial(k) / math.factorial(k + 1) for k in range(40))


def together(a, dim, index, b, how, own=True):
    """One loop over the values; a place starts with its own one, or with none."""
    found = {place: [a[place]] if own else [] for place in np.ndindex(*a.shape)}
    for place in np.ndindex(*index.shape):
        found[(*place[:dim], index[place], *place[dim + 1 :])].append(b[place])
    out = [how(values) if values else a[place] for place, values in found.items()]
    return np.array(out).reshape(a.shape)


def renorm(a, p, dim, most):
    """Each slice by itself."""
    norms = np.linalg.norm(np.moveaxis(a, dim, 0).reshape(a.shape[dim], -1), p, axis=1)
    factors = [most / (n + 1e-7) if n > most else 1 for n in norms]
    return a * np.reshape(factors, [-1 if i == dim else 1 for i in range(a.ndim)])


def common(a, dim):
    """The value that comes most often, the smallest of such, and the last of its places."""
    found = []
    for row in np.moveaxis(a, dim, -1).reshape(-1, a.shape[dim]).tolist():
        value = max(sorted(set(row)), key=row.count)
        found.append((value, len(row) - 1 - row[::-1].index(value)))
    values, places = zip(*found)
    shape = np.delete(a.shape, dim)
    return [np.reshape(values, shape), np.reshape(places, shape)]


def distances(a, b, p):
    """One by one."""
    return np.array([[np.linalg.norm(x - y, p) for y in b] for x in a])


vars(REFERENCES).update(
    lgamma=each_of(math.lgamma), digamma=digamma, polygamma=polygamma, erfinv=erfinv, i1=i1, together=together,
    renorm=renorm, common=common, distances=distances,
)  # fmt: skip

# == the rows ==============================================================================================

SCATTERED = [((2, 3), (2, 2))]
AT = "ints([[0, 1], [0, 0]])"

TURNED = "a + 9 * m.eye(2, dtype=a.dtype)"
RARE = [
    case("lgamma", "m.lgamma(a)", "n.lgamma(a)", a=LARGE),
    case("lgamma", "m.lgamma(-a / 10)", "n.lgamma(-a / 10)", a=(3.0, 6.0)),
    case("digamma", "m.digamma(a)", "n.digamma(a)", a=POSITIVE),
    case("digamma", "m.digamma(1 - a)", "n.digamma(a) + np.pi / np.tan(np.pi * a)", a=(1.2, 1.8)),
    case("polygamma_at", "m.polygamma(1, a)", "n.polygamma(a, 1)", a=ABOVE_ONE),
    case("polygamma_at", "a.polygamma(3)", "n.polygamma(a, 3)", a=ABOVE_ONE),
    case("polygamma_at", "a.polygamma(0)", "n.digamma(a)", a=ABOVE_ONE),
    case("multigamma", "m.mvlgamma(a, 2)", "n.lgamma(a) + n.lgamma(a - 0.5) + np.log(np.pi) / 2", a=LARGE),
    case("erfinv", "m.erfinv(a)", "n.erfinv(a)", a=UNIT),
    case("i0", "m.i0(a)", "np.i0(a)"),
    case("i1", "rows.i1(a)", "n.i1(a)", torch="m.special.i1(a)"),
    case("sinc", "m.sinc(a)"),
    case("fmax", "m.fmax(a, b)"),
    case("fmin", "m.fmin(a, b)"),
    case("copysign", "m.copysign(a, b)"),
    case("copysign_number", "m.copysign(a, -2)"),
    case("ldexp", "m.ldexp(a, b)", "a * 2**b"),
    case("nextafter", "m.nextafter(a, b)"),
    case("heaviside", "m.heaviside(a, b).detach()", "np.heaviside(a, b)"),
    case("gcd", "m.gcd(ints([12, -9]), ints([18, 6])) + 0 * a", shapes=[((2,),)], smooth=False),
    case("lcm", "m.lcm(ints([12, -9]), ints([18, 6])) + 0 * a", shapes=[((2,),)], smooth=False),
    case("bitwise_left_shift", "(ints([3, -5]) << ints([1, 2])) + 0 * a", shapes=[((2,),)], smooth=False),
    case("bitwise_right_shift", "(ints([13, -5]) >> 1) + 0 * a", shapes=[((2,),)], smooth=False),
    case("conj_physical", "m.conj_physical(a * 1j).imag", "-a"),
    case("contiguous", "m.transpose(a, 0, 1).contiguous()", "a.T", shapes=[((2, 3),)]),
    case("renormed", "m.renorm(a, 2, 0, 1.5)", "n.renorm(a, 2, 0, 1.5)", shapes=[((2, 3),)]),
    case("renormed", "m.renorm(a, 1, 1, 2.0)", "n.renorm(a, 1, 1, 2.0)", shapes=[((2, 3),)]),
    case("fill_with", "m.clone(a).fill_(b)", "np.full_like(a, b)", shapes=[((2, 3), ())]),
    case("draw", "a * 2 + m.clone(a).uniform_(0, 1e-300)", "a * 2"),
    case("masked_scattered", "m.masked_scatter(a, bools([[True, False, True], [False, True, True]]), b)",
         "n.with_at(a, bools([[True, False, True], [False, True, True]]), b.ravel()[:4])",
         shapes=[((2, 3), (6,)), ((2, 3), (2, 2))]),
    *[case("gathered", f"a.scatter_reduce(0, {AT}, b, '{name}')", f"n.together(a, 0, {AT}, b, np.{how})",
           shapes=SCATTERED)
      for name, how in (("sum", "sum"), ("mean", "mean"), ("prod", "prod"), ("amax", "max"), ("amin", "min"))],
    *[case("gathered", f"a.scatter_reduce(1, {AT}, b, '{name}', include_self=False)",
           f"n.together(a, 1, {AT}, b, np.{how}, False)", shapes=SCATTERED)
      for name, how in (("sum", "sum"), ("mean", "mean"), ("prod", "prod"), ("amax", "max"), ("amin", "min"))],
    case("gathered", "a.index_reduce(0, ints([1, 1]), b, 'mean')", "n.together(a, 0, ints([[1] * 3] * 2), b, np.mean)",
         shapes=[((2, 3), (2, 3))]),
    case("placed", "m.put(a, ints([1, 4]), b)", "n.with_at(a.ravel(), [1, 4], b).reshape(2, 3)",
         shapes=[((2, 3), (2,))]),
    case("added", "a.put(ints([1, 1]), b, accumulate=True)",
         "n.with_at(a.ravel(), [1, 1], b, True).reshape(2, 3)", shapes=[((2, 3), (2,))]),
    case("vdot_of", "m.vdot(a, b)", shapes=[((3,), (3,)), ((1,), (1,)), ((0,), (0,))]),
    case("vdot_of", "m.vdot(a * 1j + b, b * 1j - a).imag", "(a * a + b * b).sum()", shapes=[((3,), (3,))]),
    case("rsub_of", "m.rsub(a, b)", "b - a"),
    case("rsub_of", "m.rsub(a, b, alpha=3)", "b - 3 * a"),
    case("rsub", "m.rsub(a, 2)", "2 - a"),
    case("mode_along", "m.mode(a)", "n.common(a, -1)", shapes=[((2, 3),), ((4,),), ((2, 2, 2),)]),
    case("mode_along", "m.mode(m.round(a / 2).detach() + 0 * a, 0)", "n.common(np.round(a / 2), 0)",
         shapes=[((5, 3),), ((7,),)], smooth=False),
    *[case("sort_along", f"m.{name}(a, 0.3{rest}, interpolation='{how}')",
           f"np.quantile(a, 0.3{rest.replace('keepdim', 'keepdims')}, method='{how}')",
           shapes=[((2, 3),), ((3, 4),)])
      for name, rest, how in (
          ("quantile", "", "linear"), ("quantile", ", 1", "midpoint"), ("quantile", ", 0, keepdim=True", "nearest"),
          ("nanquantile", ", 1", "linear"), ("nanquantile", ", 0", "lower"), ("quantile", "", "higher"))],
    case("lerp", "m.quantile(a, b, 1)", "np.quantile(a, b, 1)", shapes=[((2, 3), (2,)), ((2, 4), ())], b=PROBABILITY),
    *[case("cdist_of", f"m.cdist(a, b, {p})", f"n.distances(a, b, {p})", shapes=[((2, 3), (4, 3)), ((1, 2), (3, 2))],
           torch=f"m.linalg.vector_norm(a[:, None] - b, {p}, -1)", smooth=p != "inf")
      for p in ("1", "2", "2.5", "inf")],
    case("cdist_of", "m.cdist(a, b)", "np.stack([n.distances(x, b, 2) for x in a])", shapes=[((2, 2, 3), (3, 3))],
         torch="m.linalg.vector_norm(a[:, :, None] - b, 2, -1)"),
    case("select", "m.trapezoid(a, dim=0)", "np.trapezoid(a, axis=0)", shapes=[((3, 2),), ((2,),), ((1, 2),)]),
    case("mul", "m.trapezoid(a, b)", "np.trapezoid(a, b)", shapes=[((2, 3), (3,)), ((2, 3), (2, 3))]),
    case("cumsum", "m.cumulative_trapezoid(a, dx=2)", "np.cumsum(a[..., 1:] + a[..., :-1], -1)",
         shapes=[((2, 3),), ((4,),)]),
    case("cumsum", "m.cumulative_trapezoid(a, b, dim=0)",
         "np.cumsum((a[1:] + a[:-1]) / 2 * np.diff(b)[:, None], 0)", shapes=[((3, 2), (3,))]),
    case("cat_all", "m.gradient(a, spacing=2)", "list(np.gradient(a, 2))", shapes=[((2, 3),), ((3, 2, 4),)]),
    case("cat_all", "m.gradient(a, dim=1, edge_order=2)", "[np.gradient(a, axis=1, edge_order=2)]", shapes=[((2, 4),)]),
    *[case("cat_all", f"m.gradient(a, spacing=[floats([1, 2, 4, 5])], dim=0, edge_order={order})",
           f"[np.gradient(a, [1, 2, 4, 5], axis=0, edge_order={order})]",
           shapes=[((4, 2),), ((4,),)]) for order in (1, 2)],
    case("cat_all", "m.gradient(a, spacing=[b])", "[np.gradient(a, b)]",
         shapes=[((4,), (4,))], b=POSITIVE, smooth=False),
    # PyTorch cannot differentiate its own `vander` twice
    case("cumprod", "m.vander(a)", shapes=[((3,),), ((2,),)], torch="m.linalg.vander(a).flip(-1)"),
    case("cumprod", "m.vander(a, 4, increasing=True)", "np.vander(a, 4, True)",
         shapes=[((3,),), ((2,),)], torch="m.linalg.vander(a, N=4)"),
    case("mm", "m.cov(a)", shapes=[((2, 3),), ((3, 4),)]),
    case("mm", "a.cov(correction=0, fweights=ints([1, 3, 2]))", "np.cov(a, ddof=0, fweights=[1, 3, 2])",
         shapes=[((2, 3),)]),
    case("mm", "m.cov(a, aweights=b)", "np.cov(a, aweights=b)", shapes=[((2, 3), (3,)), ((3,), (3,))], b=POSITIVE),
    case("mm", "m.corrcoef(a + floats([[0, 9, 5, 19], [11, 0, 17, 6]]))",
         "np.corrcoef(a + floats([[0, 9, 5, 19], [11, 0, 17, 6]]))", shapes=[((2, 4),)]),  # no row is nearly constant
    case("bincount_of", "m.bincount(ints([2, 0, 2]), a).detach()", "np.bincount([2, 0, 2], a)", shapes=[((3,),)]),
    case("entr", "m.special.entr(a)", "-a * np.log(a)", a=POSITIVE),
    case("xlog1py", "m.special.xlog1py(a, b)", "a * np.log(1 + b)", b=POSITIVE),
    case("erf", "m.special.ndtr(a)", "(1 + n.erf(a / np.sqrt(2))) / 2"),
    case("eig_of", "m.linalg.eig(a + floats([[0, 9], [-9, 0]])).eigenvalues.real",
         "np.linalg.eig(a + floats([[0, 9], [-9, 0]]))[0].real", shapes=[((2, 2),)]),
    case("eig_of", "m.linalg.eigvals(a + floats([[5, 9], [-9, 0]])).imag",
         "np.linalg.eig(a + floats([[5, 9], [-9, 0]]))[0].imag", shapes=[((2, 2),)]),
    case("eig_of", "m.abs(m.linalg.eig(a + floats([[9, 7], [1, 0]])).eigenvectors)",
         "abs(np.linalg.eig(a + floats([[9, 7], [1, 0]]))[1])", shapes=[((2, 2),)]),
    case("lstsq_of", "m.linalg.lstsq(a + 5 * m.eye(3, 2, dtype=a.dtype), b).solution",
         "np.linalg.lstsq(a + 5 * np.eye(3, 2), b)[0]", shapes=[((3, 2), (3, 2))]),
    case("lstsq_of", "m.linalg.lstsq(a + 5 * m.eye(2, 3, dtype=a.dtype), b).solution",
         "np.linalg.lstsq(a + 5 * np.eye(2, 3), b)[0]", shapes=[((2, 3), (2, 1)), ((2, 3), (2,))]),
    case("cholesky_of", "m.linalg.cholesky((a + 1j * b) @ (a + 1j * b).mT.conj() + 5 * m.eye(3, dtype=a.dtype)).imag",
         "np.linalg.cholesky((a + 1j * b) @ (a + 1j * b).mT.conj() + 5 * np.eye(3)).imag", shapes=[((3, 3), (3, 3))]),
    case("qr_of", "m.linalg.qr(a + 1j * b + m.tensor([[5., 0], [0, 9], [0, 0]], dtype=a.dtype))[1][0].abs()",
         "abs(np.linalg.qr(a + 1j * b + [[5, 0], [0, 9], [0, 0]])[1][0])", shapes=[((3, 2), (3, 2))]),
    case("eigh_of", "m.linalg.eigvalsh((a + 1j * b) @ (a + 1j * b).mH + m.diag(m.tensor([0., 9, 20], dtype=a.dtype)))",
         "np.linalg.eigvalsh((a + 1j * b) @ (a + 1j * b).mT.conj() + np.diag([0, 9, 20]))", shapes=[((3, 3), (3, 3))]),
    case("svd_of", "m.linalg.svdvals(a + 1j * b + m.tensor([[5., 0], [0, 9], [0, 0]], dtype=a.dtype))",
         "np.linalg.svd(a + 1j * b + [[5, 0], [0, 9], [0, 0]])[1]", shapes=[((3, 2), (3, 2))]),
    case("pinv_of", "m.linalg.pinv(a + (5 + 1j * b) * m.eye(3, 2, dtype=a.dtype)).imag",
         "np.linalg.pinv(a + (5 + 1j * b) * np.eye(3, 2)).imag", shapes=[((3, 2), (3, 2))]),
    case("lstsq_of", "m.abs(m.linalg.lstsq(a + (5 + 1j * a) * m.eye(3, 2, dtype=a.dtype), 9 + 1j * b).solution)",
         "abs(np.linalg.lstsq(a + (5 + 1j * a) * np.eye(3, 2), 9 + 1j * b)[0])", shapes=[((3, 2), (3, 2))]),
    *[case("svd_of", f"m.linalg.cond({TURNED}, {p})", f"np.linalg.cond(a + 9 * np.eye(2), {p})",
           shapes=[((2, 2),)])
      for p in ("2", "-2")],
    *[case("inv", f"m.linalg.cond({TURNED}, {p})", f"np.linalg.cond(a + 9 * np.eye(2), {p})",
           shapes=[((2, 2),)],  # PyTorch overwrites what it needs for the derivative of this
           torch=" * ".join(f"m.linalg.matrix_norm({x}, {p})" for x in (TURNED, f"m.linalg.inv({TURNED})")))
      for p in ("1", "inf", "'fro'")],
    case("cumprod", "m.linalg.vander(a, N=3)", "np.stack([a**0, a, a**2], -1)", shapes=[((3,),), ((2, 2),)]),
]  # fmt: skip
