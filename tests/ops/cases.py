"""Every row of the tables as expressions: how to call it in minigrad and PyTorch, and what NumPy says.

In an expression `m` is the namespace (minigrad, torch or numpy), `F` its `nn.functional`, `a`, `b`, `c` the inputs.
Where NumPy spells it differently, the third column says how; where a row has no public name in PyTorch, `torch` does.
"""

import math
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from minigrad.ops import rows

from ..oracle import numbers

# == domains: where the operation is defined and smooth ====================================================

ANY, POSITIVE, UNIT, ABOVE_ONE, LARGE = (-2.5, 2.5), (0.3, 3.0), (-0.9, 0.9), (1.2, 3.0), (3.0, 9.0)
PROBABILITY = (0.1, 0.9)


@dataclass
class Case:
    row: str  # the row of the table that it is about
    expression: str
    reference: str | None = None  # in NumPy; None: the same text
    shapes: list | None = None  # tuples of input shapes; None: whatever broadcasts
    domains: dict = field(default_factory=dict)  # by input; ANY where not named
    torch: str | None = None  # where it is called differently there
    smooth: bool = True  # whether finite differences mean something

    def __post_init__(self):
        self.inputs = [name for name in "abc" if uses(self.expression, name)]
        self.id = f"{self.row}: {self.expression}"

    def call(self, m):
        """The expression as a function of its inputs."""
        text = self.expression
        if m is np:
            text = self.reference or text
        elif self.torch and m.__name__ == "torch":
            text = self.torch
        return eval(f"lambda {', '.join(self.inputs)}: {text}", names(m))

    def fixed(self) -> list[np.ndarray]:
        """The inputs for which PyTorch's answers are recorded."""
        shapes = self.shapes[0] if self.shapes else [(2, 3), (3,), (2, 1)][: len(self.inputs)]
        return [
            numbers(shape, *self.domains.get(name, ANY), salt=i)
            for i, (name, shape) in enumerate(zip(self.inputs, shapes))
        ]

    def arrays(self, smallest: int = 0):
        """Hypothesis: shapes that fit, and numbers in the domain, no two of them equal, none on a kink."""
        shapes = broadcasting(len(self.inputs), smallest)
        if self.shapes:
            shapes = st.sampled_from([group for group in self.shapes if min((smallest, *sum(group, ()))) >= smallest])
        return shapes.flatmap(lambda chosen: st.tuples(*[self._array(i, shape) for i, shape in enumerate(chosen)]))

    def _array(self, i: int, shape):
        low, high = self.domains.get(self.inputs[i], ANY)
        jitter = numbers(shape, 0.1, 0.9, salt=i)
        steps = hnp.arrays(np.int64, shape, elements=st.integers(0, 31))
        return steps.map(lambda k: np.asarray(low + (high - low) * (k + jitter) / 32))


def uses(text: str, name: str) -> bool:
    code = compile(text, "<expression>", "eval")
    constants = [one for one in code.co_consts if hasattr(one, "co_names")]
    return name in code.co_names or any(name in one.co_names for one in constants)


def broadcasting(count: int, smallest: int):
    if count == 1:
        return hnp.array_shapes(min_dims=0, max_dims=3, min_side=smallest, max_side=3).map(lambda shape: (shape,))
    shapes = hnp.mutually_broadcastable_shapes(num_shapes=count, min_dims=0, max_dims=3, min_side=smallest, max_side=3)
    return shapes.map(lambda found: found.input_shapes)


def names(m) -> dict:
    """What an expression may use, in one namespace."""

    def of(values, kind):
        array = np.array(values, kind)
        return array if m is np else m.tensor(array)

    def assign(x, index, value):
        x[index] = value
        return x

    def changed(x, change):
        change(x)
        return x

    functional = None if m is np else m.nn.functional
    kinds = {"ints": "int64", "bools": "bool", "floats": "float64"}
    known = {name: lambda values, kind=kind: of(values, kind) for name, kind in kinds.items()}
    known |= {"assign": assign, "changed": changed, "rows": SimpleNamespace(**rows), "n": REFERENCES}
    return {"m": m, "F": functional, "np": np, "inf": math.inf, "nan": math.nan, **known}


# == what NumPy has no function for ========================================================================


def np_softmax(a, dim):
    weights = np.exp(a)
    return weights / weights.sum(dim, keepdims=True)


def np_max(a, dim, function=np.max, place=np.argmax):
    return [function(a, dim), place(a, dim)]


def np_conv(a, weight, bias=None, stride=1, padding=0, dilation=1):
    """A convolution by its definition: one loop for each sum."""
    spatial = weight.ndim - 2
    s, p, d = ((x,) * spatial if isinstance(x, int) else x for x in (stride, padding, dilation))
    a = np.pad(a, [(0, 0), (0, 0), *((q, q) for q in p)])
    size = [(n - step * (k - 1) - 1) // t + 1 for n, k, t, step in zip(a.shape[2:], weight.shape[2:], s, d)]
    out = np.zeros((a.shape[0], weight.shape[0], *size))
    for place in np.ndindex(*size):
        for offset in np.ndindex(*weight.shape[2:]):
            at = tuple(x * t + o * step for x, t, o, step in zip(place, s, offset, d))
            out[(..., *place)] += a[(..., *at)] @ weight[(..., *offset)].T
    return out if bias is None else out + bias.reshape(-1, *(1,) * spatial)


def np_place(shape, index, a):
    out = np.zeros(shape)
    np.add.at(out, index, a)
    return out


def np_scatter(shape, dim, index, a):
    out = np.zeros(shape)
    for place in np.ndindex(*index.shape):
        target = list(place)
        target[dim] = index[place]
        out[tuple(target)] += a[place]
    return out


def np_sum_to(a, shape):
    extra = a.ndim - len(shape)
    a = a.sum(tuple(range(extra)))
    return a.sum(tuple(i for i, n in enumerate(shape) if n == 1), keepdims=True)


def np_patches(a, k):
    """Every patch of length k of (batch, channels, length), as a column."""
    count = a.shape[2] - k + 1
    return np.stack([a[:, :, i : i + k].reshape(a.shape[0], -1) for i in range(count)], 2)


def np_unpatches(a, shape, k):
    out = np.zeros(shape)
    for i in range(a.shape[2]):
        out[:, :, i : i + k] += a[:, :, i].reshape(*shape[:2], k)
    return out


REFERENCES = SimpleNamespace(
    softmax=np_softmax,
    max=np_max,
    min=lambda a, dim: np_max(a, dim, np.min, np.argmin),
    conv=np_conv,
    place=np_place,
    scatter=np_scatter,
    sum_to=np_sum_to,
    patches=np_patches,
    unpatches=np_unpatches,
    erf=np.vectorize(math.erf, otypes=[float]),
    sigmoid=lambda a: 1 / (1 + np.exp(-a)),
    huber=lambda d, delta: np.where(np.abs(d) < delta, d * d / 2, delta * (np.abs(d) - delta / 2)),
    picked=lambda a, target: -np.take_along_axis(a, np.expand_dims(target, 1), 1),
)
cdf = "(1 + n.erf(a / np.sqrt(2))) / 2"
tanh_cdf = "(1 + np.tanh(np.sqrt(2 / np.pi) * (a + 0.044715 * a**3))) / 2"


def case(row, expression, reference=None, shapes=None, torch=None, smooth=True, **domains):
    return Case(row, expression, reference, shapes, domains, torch, smooth)


# == one element at a time =================================================================================

MATRIX, SQUARE, CUBE = [((2, 3),)], [((3, 3),)], [((2, 3, 2),)]
DIMS = [((2, 3),), ((3, 1),)]
PAIR = [((2, 3), (2, 3)), ((4,), (4,)), ((2, 1, 2), (2, 1, 2))]

ELEMENTWISE = [
    case("neg", "-a"),
    case("add", "a + b"),
    case("add", "a + 1.5"),
    case("sub", "a - b"),
    case("sub", "m.subtract(a, 2)"),
    case("mul", "a * b"),
    case("mul", "3 * a"),
    case("div", "a / b", b=POSITIVE),
    case("div", "a / 4"),
    case("rsub", "2 - a"),
    case("reciprocal", "m.reciprocal(a)", a=POSITIVE),
    case("reciprocal", "2 / a", a=POSITIVE),
    case("maximum", "m.maximum(a, b)"),
    case("minimum", "m.minimum(a, b)"),
    case("fmod", "m.fmod(a, b)", a=LARGE, b=(1.1, 1.4)),
    case("fmod_by_number", "m.fmod(a, -2)", a=(2.1, 3.9)),
    case("remainder", "m.remainder(a, b)", a=LARGE, b=(-1.4, -1.1)),
    case("remainder_by_number", "a % 4", a=(0.2, 3.8)),
    case("remainder_of_number", "(7 % a).detach()", "7 % a", a=LARGE),
    case("remainder_of_number", "m.remainder(7.5, a).detach()", "7.5 % a", a=LARGE),
    case("floor_divide", "(a // b).detach()", "a // b", a=LARGE, b=(1.1, 1.4)),
    case("floor_divide_by_number", "(a // 1.3).detach()", "a // 1.3", a=LARGE),
    case("floor_divide_by_number", "m.floor_divide(a, 2).detach()", "a // 2", a=LARGE),
    case("number_floor_divided", "(7 // a).detach()", "7 // a", a=LARGE),
    case("add_scaled", "m.add(a, b, alpha=2)", "a + 2 * b"),
    case("add_scaled", "a.add(3, alpha=0.5)", "a + 1.5"),
    case("sub_scaled", "m.sub(a, b, alpha=-2)", "a + 2 * b"),
    case("sub_scaled", "m.clone(a).sub_(a, alpha=0.5)", "a - 0.5 * a"),
    case("div_rounded", "m.div(a, b, rounding_mode='floor')", "np.floor(a / b)", a=LARGE, b=(1.1, 1.4)),
    case("div_rounded", "a.div(-1.3, rounding_mode='trunc')", "np.trunc(a / -1.3)", a=LARGE),
    case("div_rounded", "a.div(b, rounding_mode=None)", "a / b", b=POSITIVE),
    case("square", "m.square(a)"),
    case("sqrt", "m.sqrt(a)", a=POSITIVE),
    case("rsqrt", "m.rsqrt(a)", "1 / np.sqrt(a)", a=POSITIVE),
    case("exp", "m.exp(a)"),
    case("exp2", "m.exp2(a)"),
    case("expm1", "m.expm1(a)"),
    case("log", "m.log(a)", a=POSITIVE),
    case("log2", "m.log2(a)", a=POSITIVE),
    case("log10", "m.log10(a)", a=POSITIVE),
    case("log1p", "m.log1p(a)", a=UNIT),
    case("power_of_number", "a ** 3"),
    case("power_of_number", "a ** 2"),
    case("power_of_number", "a ** 1"),
    case("power_of_number", "a ** 0"),
    case("power_of_number", "a ** -1.5", a=POSITIVE),
    case("power_of_number", "m.pow(a, 0.5)", a=POSITIVE),
    case("power_of_tensor", "a ** b", a=POSITIVE),
    case("number_to_power", "2 ** a"),
    case("number_to_power", "m.pow(0.5, a)"),
    case("sin", "m.sin(a)"),
    case("cos", "m.cos(a)"),
    case("tan", "m.tan(a)", a=UNIT),
    case("asin", "m.asin(a)", a=UNIT),
    case("acos", "m.acos(a)", a=UNIT),
    case("atan", "m.atan(a)"),
    case("atan2", "m.atan2(a, b)", b=POSITIVE),
    case("sinh", "m.sinh(a)"),
    case("cosh", "m.cosh(a)"),
    case("tanh", "m.tanh(a)"),
    case("asinh", "m.asinh(a)"),
    case("acosh", "m.acosh(a)", a=ABOVE_ONE),
    case("atanh", "m.atanh(a)", a=UNIT),
    case("hypot", "m.hypot(a, b)", b=POSITIVE),
    case("abs", "m.abs(a)"),
    case("abs", "abs(a)", a=(-2.0, -0.5)),
    case("sign", "m.sign(a)"),
    case("sgn", "m.sgn(a)", "np.sign(a)"),
    case("floor", "m.floor(a)"),
    case("ceil", "m.ceil(a)"),
    case("round", "m.round(a)"),
    case("round_to", "m.round(a, decimals=1)", "np.round(a, 1)"),
    case("round_to", "(a * 100).round(decimals=-1)", "np.round(a * 100, -1)"),
    case("trunc", "m.trunc(a)"),
    case("clamp_to_numbers", "m.clip(a, -1, 1.5)"),
    case("clamp_to_numbers", "m.clamp(a, min=-0.5)", "np.maximum(a, -0.5)"),
    case("clamp_to_numbers", "m.clamp(a, max=0.5)", "np.minimum(a, 0.5)"),
    case(
        "clamp_to_tensors",
        "m.clamp(a, b, c)",
        "np.clip(a, b, c)",
        b=(-2.0, 0.0),
        c=(0.5, 2.0),
        shapes=[((2, 3), (3,), (2, 1)), ((3,), (3,), (3,)), ((3,), (1,), ())],
    ),
    case("clamp_to_tensors", "m.clamp(a, max=b)", "np.minimum(a, b)"),
    case("where", "m.where(a > 0, a, b)"),
    case("where", "m.where(a > b, a * 2, 1.0)"),
    case("clone", "m.clone(a)", "a.copy()"),
    case("to_copy", "rows.to_copy(a, np.dtype('float64'))", "a", torch="a.to(m.float64, copy=True)"),
    case("copy", "m.clone(a).copy_(b)", "0 * a + b", shapes=[((2, 3), (3,)), ((2, 3), (2, 1)), ((), ())]),
    case("fill", "m.clone(a).fill_(2.5)", "np.full_like(a, 2.5)"),
    case("zero", "a * 2 + m.clone(a).zero_()", "a * 2"),
    case("relu", "m.relu(a)", "np.maximum(a, 0)"),
    case("kept_where", "rows.kept_where(a, b > 0)", "np.where(b > 0, a, 0)", torch="m.where(b > 0, a, 0)"),
    case("gate", "rows.gate(a, b)", "np.where(b != 0, a, 0)", torch="m.where(b != 0, a, 0) + 0 * b"),
    case("at", "rows.at(a, b)", "a", torch="a + 0 * b", shapes=PAIR),
    case("relu6", "F.relu6(a)", "np.clip(a, 0, 6)", a=(-3.1, 9.3)),
    case("leaky_relu", "F.leaky_relu(a)", "np.where(a > 0, a, 0.01 * a)"),
    case("leaky_relu", "F.leaky_relu(a, 0.3)", "np.where(a > 0, a, 0.3 * a)"),
    case("elu", "F.elu(a)", "np.where(a > 0, a, np.expm1(a))"),
    case("elu", "F.elu(a, alpha=0.7)", "np.where(a > 0, a, 0.7 * np.expm1(a))"),
    case("silu", "F.silu(a)", "a * n.sigmoid(a)"),
    case("softplus", "F.softplus(a)", "np.log1p(np.exp(a))"),
    case("softplus", "F.softplus(a, beta=2, threshold=3)", "np.where(2 * a > 3, a, np.log1p(np.exp(2 * a)) / 2)"),
    case("gelu_by_tanh", "F.gelu(a, approximate='tanh')", f"a * {tanh_cdf}"),
    case("gelu_exact", "F.gelu(a)", f"a * {cdf}"),
    case("sigmoid", "m.sigmoid(a)", "n.sigmoid(a)"),
    case("erf", "m.erf(a)", "n.erf(a)"),
    # through complex numbers and back
    case("real", "(a * (1 - 2j)).real"),
    case("real", "((a + 2j) ** 2).real"),
    case("imag", "((a + 1j) * (b - 2j)).imag"),
    case("conj", "((a * (1 - 2j)).conj() * (b + 1j)).imag"),
    case("angle", "m.angle(a * (1 - 2j) + 3j * b)", b=POSITIVE),
    case("abs", "abs(a * (1 - 2j) + 1j)"),
    case("exp", "m.exp(a * (0.5 + 1j)).imag"),
    case("div", "(a / (b + 1j)).imag"),
    # steps and comparisons: no gradient flows
    *[case(row, f"a {sign} b") for row, sign in zip("eq ne lt le gt ge".split(), "== != < <= > >=".split())],
    *[case(row, f"m.{row}(a / (a > 0))") for row in ("isnan", "isinf", "isfinite")],
    case("logical_not", "m.logical_not(a > 0)"),
    *[case(f"logical_{x}", f"m.logical_{x}(a > 0, b > 0)") for x in ("and", "or", "xor")],
    case("bitwise_not", "~(a > 0)"),
    *[case(f"bitwise_{x}", f"(a > 0) {s} (b > 0)") for x, s in zip(("and", "or", "xor"), "&|^")],
]

# == arrangement, parts ====================================================================================

ARRANGED = [
    case("reshape_to", "a.reshape(3, -1)", shapes=[((2, 3),), ((6, 1),)]),
    case("reshape_to", "m.reshape(a, ())", shapes=[((1, 1),)]),
    case("reshape_to", "a.view(-1)", "a.ravel()", shapes=[((2, 3),), ((),)]),
    case("reshape_to", "m.flatten(a, 1)", "a.reshape(2, -1)", shapes=CUBE),
    case("reshape_to", "a.view_as(b)", "a.reshape(b.shape)", shapes=[((2, 3), (6,))]),
    case("permute_to", "m.permute(a, (2, 0, 1))", "a.transpose(2, 0, 1)", shapes=CUBE),
    case("permute_to", "a.permute(-1, 0, 1)", "a.transpose(2, 0, 1)", shapes=CUBE),
    case("permute_to", "a.T", shapes=MATRIX),
    case("transpose", "m.transpose(a, 0, 1)", "a.swapaxes(0, 1)", shapes=[*MATRIX, *CUBE]),
    case("transpose", "m.swapaxes(a, 0, -1)", shapes=[*CUBE, ((3,),)]),
    case("transpose", "a.mT", shapes=CUBE),
    case("t", "a.t()", "a.T", shapes=[*MATRIX, ((3,),), ((),)]),
    case("unsqueeze", "m.unsqueeze(a, 1)", "np.expand_dims(a, 1)", shapes=MATRIX),
    case("unsqueeze", "a.unsqueeze(-1)", "np.expand_dims(a, -1)", shapes=[*MATRIX, ((),)]),
    case("squeeze", "m.squeeze(a)", shapes=[((1, 3, 1),), ((),)]),
    case("squeeze", "m.squeeze(a, 1)", "a.reshape(a.shape[:1] + a.shape[2:]) if a.shape[1] == 1 else a",
         shapes=[((3, 1),), ((3, 2),)]),
    case("expand_to", "a.expand(2, -1, 3)", "np.broadcast_to(a, (2, 2, 3))", shapes=[((2, 1),), ((1, 2, 3),)]),
    case("expand_to", "m.broadcast_to(a, (2, 3))", shapes=[((3,),), ((2, 1),), ((),)]),
    case("expand_to", "a.expand_as(b) * b", "a * b", shapes=[((1,), (2, 2))]),
    case("spread_to", "rows.spread_to(a, (2, 3))", "np.broadcast_to(a, (2, 3))", torch="a.expand(2, 3)",
         shapes=[((3,),), ((2, 1),)]),
    case("sum_to_size", "a.sum_to_size(3)", "n.sum_to(a, (3,))", shapes=[((2, 3),), ((2, 2, 3),)]),
    case("sum_to_size", "a.sum_to_size(2, 1)", "n.sum_to(a, (2, 1))", shapes=[((2, 3),), ((3, 2, 1),)]),
    case("flip", "m.flip(a, (0, -1))", shapes=[*MATRIX, *CUBE]),
    case("flip", "a.flip(0)", "a[::-1]", shapes=[*MATRIX, ((4,),)]),
    case("roll", "m.roll(a, 1, 0)", shapes=[*MATRIX, *CUBE]),
    case("roll", "m.roll(a, (1, -1), (0, 1))", shapes=MATRIX),
    case("roll", "m.roll(a, 2)", shapes=MATRIX),
    case("tile", "m.tile(a, (2, 2))", shapes=[*MATRIX, ((2,),), *CUBE]),
    case("tile", "a.repeat(2, 1, 2)", "np.tile(a, (2, 1, 2))", shapes=[((2, 3),), ((3,),)]),
    case("cat_all", "m.concat([a, b, a])", shapes=[((2, 3), (1, 3)), ((2,), (3,))]),
    case("cat_all", "m.cat((a, b), -1)", "np.concatenate((a, b), -1)", shapes=[((2, 3), (2, 1)), ((2, 0), (2, 1))]),
    case("stack_all", "m.stack((a, b), 1)", shapes=PAIR[:1]),
    case("stack_all", "m.stack([a, b, a], -1)", shapes=[((), ()), ((2,), (2,))]),
    case("split_to", "m.split(a, 2)", "np.split(a, [2, 4])", shapes=[((5,),), ((5, 2),)]),
    case("split_to", "m.split(a, [1, 3], 1)", "np.split(a, [1], 1)", shapes=[((2, 4),)]),
    case("split_to", "m.chunk(a, 2, -1)", "np.split(a, [2], -1)", shapes=[((2, 3),)]),
    case("unbind", "m.unbind(a, 1)", "list(np.moveaxis(a, 1, 0))", shapes=[*MATRIX, *CUBE]),
    case("unbind", "[row * 2 for row in a]", shapes=MATRIX),
    case("select", "m.select(a, 1, -1)", "a[:, -1]", shapes=[*MATRIX, *CUBE]),
    case("narrow", "m.narrow(a, 1, 1, 2)", "a[:, 1:3]", shapes=[*MATRIX, *CUBE]),
    case("pad_back", "rows.pad_back(a, (4, 3), 0, 1)", "np.pad(a, ((1, 1), (0, 0)))", torch="F.pad(a, (0, 0, 1, 1))",
         shapes=MATRIX),
    case("tril", "m.tril(a)", shapes=[*SQUARE, *MATRIX]),
    case("tril", "a.tril(-1)", "np.tril(a, -1)", shapes=SQUARE),
    case("triu", "m.triu(a, 1)", shapes=[*SQUARE, ((2, 3, 3),)]),
    case("diagonal", "m.diagonal(a, 1)", shapes=[*SQUARE, *MATRIX]),
    case("diagonal", "m.diagonal(a, -1, 0, 2)", shapes=[((3, 2, 2),)]),
    case("diagonal_copy", "m.diag(a)", shapes=SQUARE),
    case("diagonal_scatter", "m.diag(a, 1)", shapes=[((3,),)]),
    case("pick_view", "a[0]", shapes=[*MATRIX, ((3,),)]),
    case("pick_view", "a[..., 1:]", shapes=[*MATRIX, *CUBE]),
    case("pick_view", "a[None, :, -1]", shapes=[*MATRIX, *CUBE]),
    case("pick_view", "a[::2, 1]", shapes=[((5, 2),)]),
    case("pick", "a[[0, 0, 1]]", shapes=[*MATRIX, *CUBE, ((2,),)]),
    case("pick", "a[ints([1, 0, 1]), ints([2, 2, 2])]", shapes=[((2, 3),)]),
    case("pick", "a[:, ints([[1, 0], [0, 0]])]", shapes=MATRIX),
    case("pick", "a[a > 0]", shapes=[*MATRIX, ((4,),)]),
    case("pick", "a[bools([True, False])]", shapes=MATRIX),
    case("put", "rows.put(a, (4,), (np.array([0, 2, 0]),))", "n.place((4,), ([0, 2, 0],), a)", shapes=[((3,),)],
         torch="m.zeros(4, dtype=a.dtype).index_put((ints([0, 2, 0]),), a, accumulate=True)"),
    case("replace", "assign(m.clone(a), 0, b)", "assign(a.copy(), 0, b)", shapes=[((2, 3), (3,)), ((2, 3), ())]),
    case("replace", "assign(m.clone(a), (slice(None), 1), b)", "assign(a.copy(), (slice(None), 1), b)",
         shapes=[((2, 3), (2,)), ((2, 3), (1,))]),
    case("replace", "assign(m.clone(a), a > 0, 0.5)", "assign(a.copy(), a > 0, 0.5)", shapes=MATRIX),
    case("overlay", "changed(m.clone(a), lambda x: x[0].mul_(b))",
         "changed(a.copy(), lambda x: np.multiply(x[0], b, x[0]))",
         shapes=[((2, 3), (3,)), ((2, 3), ())]),
    case("overlay", "changed(a * 1, lambda x: x.t()[1:].copy_(b))", "changed(a * 1, lambda x: np.copyto(x.T[1:], b))",
         shapes=[((2, 3), (2, 2)), ((2, 3), (2,))]),
    case("gather", "m.gather(a, 1, ints([[0, 2], [1, 1]]))", "np.take_along_axis(a, ints([[0, 2], [1, 1]]), 1)",
         shapes=MATRIX),
    case("gather", "m.gather(a, 0, ints([[1, 0]]))", "np.take_along_axis(a[:, :2], ints([[1, 0]]), 0)", shapes=MATRIX),
    case("scatter_add", "rows.scatter_add(a, (2, 3), 1, np.array([[0, 2], [1, 1]]))", shapes=[((2, 2),)],
         reference="n.scatter((2, 3), 1, ints([[0, 2], [1, 1]]), a)",
         torch="m.zeros(2, 3, dtype=a.dtype).scatter_add(1, ints([[0, 2], [1, 1]]), a)"),
    case("masked_fill_number", "a.masked_fill(bools([True, False, True]), 0.5)",
         "np.where(bools([True, False, True]), 0.5, a)", shapes=MATRIX),
    case("masked_fill_with", "a.masked_fill(bools([True, False, True]), b)",
         "np.where(bools([True, False, True]), b, a)", shapes=[((2, 3), ())]),
    case("index_select", "m.index_select(a, 1, ints([2, 0, 2]))", "a[:, [2, 0, 2]]", shapes=MATRIX),
    case("index_select", "m.index_select(a, -1, ints([1]))", "a[..., [1]]", shapes=[*CUBE, ((3,),)]),
]  # fmt: skip

# == reductions ============================================================================================

REDUCED = [
    case("sum", "m.sum(a)", shapes=[*MATRIX, ((),), ((0,),)]),
    case("sum", "a.sum(0)", shapes=[*DIMS, ((4,),), ((0, 2),)]),
    case("sum", "m.sum(a, axis=(0, -1), keepdims=True)", shapes=[*CUBE, *MATRIX]),
    case("nansum", "m.nansum(a, axis=1)", shapes=MATRIX),
    case("mean", "m.mean(a)", shapes=[*MATRIX, ((),)]),
    case("mean", "a.mean(-1)", shapes=[*DIMS, ((4,),)]),
    case("mean", "m.mean(a, axis=(0, 2), keepdims=True)", shapes=CUBE),
    case("var_of", "m.var(a)", "np.var(a, ddof=1)", shapes=MATRIX),
    case("var_of", "a.var(0, correction=0)", "np.var(a, 0)", shapes=DIMS),
    case("var_of", "a.var(1, False)", "np.var(a, 1)", shapes=MATRIX),
    case("var_of", "m.var(a, (0, 2), keepdim=True)", "np.var(a, (0, 2), ddof=1, keepdims=True)", shapes=CUBE),
    case("std_of", "m.std(a)", "np.std(a, ddof=1)", shapes=MATRIX),
    case("std_of", "a.std(1, keepdim=True)", "np.std(a, 1, ddof=1, keepdims=True)", shapes=MATRIX),
    case("cumsum", "m.cumsum(a, 0)", shapes=[*MATRIX, ((4,),)]),
    case("cumsum", "a.cumsum(-1)", shapes=[*MATRIX, *CUBE]),
    case("prod", "m.prod(a)", shapes=[*MATRIX, ((),)]),
    case("prod", "a.prod(1, keepdim=True)", "a.prod(1, keepdims=True)", shapes=[*MATRIX, *CUBE]),
    case("amax", "m.amax(a, (0, 1))", shapes=[*MATRIX, *CUBE]),
    case("amax", "m.amax(a, -1)", shapes=[*MATRIX, ((4,),)]),
    case("amin", "m.amin(a, 0, keepdim=True)", "np.amin(a, 0, keepdims=True)", shapes=[*MATRIX, *CUBE]),
    case("max_of_all", "m.max(a)", shapes=[*MATRIX, ((),)]),
    case("min_of_all", "m.min(a)", shapes=[*MATRIX, ((),)]),
    case("max_along", "m.max(a, 1)", "n.max(a, 1)", shapes=[*MATRIX, *CUBE]),
    case("max_along", "a.max(-1, keepdim=True)[0]", "a.max(-1, keepdims=True)", shapes=MATRIX),
    case("min_along", "m.min(a, 0)", "n.min(a, 0)", shapes=[*MATRIX, ((4,),)]),
    case("argmax", "m.argmax(a)", shapes=MATRIX),
    case("argmax", "m.argmax(a, 1)", shapes=MATRIX),
    case("argmin", "m.argmin(a, 0, keepdim=True)", "np.argmin(a, 0, keepdims=True)", shapes=MATRIX),
    case("all", "m.all(a > -2)", shapes=MATRIX),
    case("all", "m.all(a > -1, 1)", shapes=MATRIX),
    case("any", "m.any(a > 2)", shapes=MATRIX),
    case("any", "(a > 1).any(0, keepdim=True)", "(a > 1).any(0, keepdims=True)", shapes=MATRIX),
    case("count_nonzero", "m.count_nonzero(a > 0)", shapes=MATRIX),
    case("count_nonzero", "m.count_nonzero(a > 0, 1)", shapes=MATRIX),
    case("logsumexp", "m.logsumexp(a, 1)", "np.log(np.exp(a).sum(1))", shapes=[*MATRIX, *CUBE]),
    case("logsumexp", "m.logsumexp(a, (0, 1), True)", "np.log(np.exp(a).sum((0, 1), keepdims=True))", shapes=MATRIX),
    case("vector_norm", "m.norm(a)", "np.sqrt((a * a).sum())", shapes=[*MATRIX, ((3,),)]),
    case("vector_norm", "a.norm(dim=1)", "np.sqrt((a * a).sum(1))", shapes=[*MATRIX, *CUBE]),
    case("vector_norm", "a.norm(p=1, dim=0, keepdim=True)", "abs(a).sum(0, keepdims=True)", shapes=MATRIX),
    case("vector_norm", "a.norm(3)", "(abs(a) ** 3).sum() ** (1 / 3)", shapes=MATRIX),
    case("vector_norm", "m.norm(a, inf)", "abs(a).max()", shapes=MATRIX),
    case("vector_norm", "m.norm(a, -inf, 1)", "abs(a).min(1)", shapes=MATRIX),
    case("vector_norm", "m.linalg.vector_norm(a, 0.5)", "(abs(a) ** 0.5).sum() ** 2", shapes=MATRIX),
    case("vector_norm", "m.linalg.vector_norm(a, 2, (0, 1))", "np.sqrt((a * a).sum((0, 1)))", shapes=CUBE),
]

# == products, networks, losses ============================================================================

PRODUCTS = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 2)), ((2, 2, 3), (3, 2)),
            ((2, 3), (2, 3, 1)), ((2, 1, 2, 3), (2, 3, 2)), ((3,), (2, 3, 2)), ((2, 2, 3), (3,)), ((0, 3), (3, 2)),
            ((2, 0), (0, 2))]  # fmt: skip

COMPOSED = [
    *[case("mm" if [len(shape) for shape in shapes] == [2, 2] else "matmul", "a @ b", shapes=[shapes])
      for shapes in PRODUCTS],
    case("matmul", "m.matmul(a, b)", shapes=PRODUCTS),
    case("mm", "m.mm(a, b)", "a @ b", shapes=[((2, 3), (3, 2))]),
    case("matmul", "m.mv(a, b)", "a @ b", shapes=[((2, 3), (3,))]),
    case("bmm_of", "m.bmm(a, b)", "a @ b", shapes=[((2, 2, 3), (2, 3, 1))]),
    case("matmul", "m.dot(a, b)", shapes=[((3,), (3,))]),
    case("mul", "m.outer(a, b)", shapes=[((2,), (3,))]),
    case("matmul", "F.linear(a, b)", "a @ b.T", shapes=[((2, 3), (2, 3)), ((3,), (2, 3)), ((2, 2, 3), (2, 3))]),
    case("addmm_of", "F.linear(a, b, c)", "a @ b.T + c", shapes=[((2, 3), (2, 3), (2,))]),
    case("addmm_of", "m.addmm(c, a, b)", "c + a @ b", shapes=[((2, 3), (3, 2), (2, 2)), ((2, 3), (3, 2), (1,))]),
    case("addmm_of", "m.addmm(c, a, b, beta=0.5, alpha=2)", "0.5 * c + 2 * a @ b", shapes=[((2, 3), (3, 2), (2,))]),
    case("trace", "m.trace(a)", shapes=[*SQUARE, *MATRIX]),
    case("softmax", "m.softmax(a, 1)", "n.softmax(a, 1)", shapes=[*MATRIX, *CUBE]),
    case("softmax", "F.softmax(a, dim=0)", "n.softmax(a, 0)", shapes=[*MATRIX, ((3,),)]),
    case("log_softmax", "m.log_softmax(a, -1)", "np.log(n.softmax(a, -1))", shapes=[*MATRIX, *CUBE]),
    case("squared_error", "F.mse_loss(a, b)", "np.mean((a - b) ** 2)", shapes=PAIR),
    case("squared_error", "F.mse_loss(a, b, reduction='sum')", "np.sum((a - b) ** 2)", shapes=PAIR),
    case("squared_error", "F.mse_loss(a, b, reduction='none')", "(a - b) ** 2", shapes=PAIR),
    case("abs", "F.l1_loss(a, b)", "np.mean(abs(a - b))", shapes=PAIR),
    case("huber", "F.huber_loss(a, b, delta=0.8)", "n.huber(a - b, 0.8).mean()", shapes=PAIR),
    case("huber", "F.huber_loss(a, b, reduction='none')", "n.huber(a - b, 1)", shapes=PAIR),
    case("smooth_l1", "F.smooth_l1_loss(a, b, beta=0.5)", "n.huber(a - b, 0.5).mean() / 0.5", shapes=PAIR),
    case("smooth_l1", "F.smooth_l1_loss(a, b, reduction='sum')", "n.huber(a - b, 1).sum()", shapes=PAIR),
    *[case("cross_entropy_of_probability", f"F.binary_cross_entropy(a, b{options})",
           f"-(b * np.log(a) + (1 - b) * np.log(1 - a)).{end}", shapes=PAIR, a=PROBABILITY, b=PROBABILITY)
      for options, end in (("", "mean()"), (", reduction='sum'", "sum()"), (", reduction='none'", "copy()"))],
    *[case("cross_entropy_of_logit", f"F.binary_cross_entropy_with_logits(a, b{options})",
           f"-(b * np.log(n.sigmoid(a)) + (1 - b) * np.log(1 - n.sigmoid(a))).{end}", shapes=PAIR, b=PROBABILITY)
      for options, end in (("", "mean()"), (", reduction='sum'", "sum()"), (", reduction='none'", "copy()"))],
    case("cross_entropy_of_logit",
         "F.binary_cross_entropy_with_logits(a, b, floats([0.5, 1, 2]), pos_weight=floats(3))",
         "-(floats([0.5, 1, 2]) * (3 * b * np.log(n.sigmoid(a)) + (1 - b) * np.log(1 - n.sigmoid(a)))).mean()",
         shapes=PAIR[:1], b=PROBABILITY),
    case("cross_entropy_of_probability", "F.binary_cross_entropy(a, b, floats([0.5, 1, 2]))",
         "-(floats([0.5, 1, 2]) * (b * np.log(a) + (1 - b) * np.log(1 - a))).mean()", shapes=PAIR[:1],
         a=PROBABILITY, b=PROBABILITY),
    case("negative_log_likelihood", "F.nll_loss(a, ints([2, 0]), floats([0.5, 1, 2]))",
         "(-2 * a[0, 2] - 0.5 * a[1, 0]) / 2.5",
         shapes=MATRIX),
    case("negative_log_likelihood", "F.nll_loss(a, ints([2, 0]))", "n.picked(a, ints([2, 0])).mean()", shapes=MATRIX),
    case("negative_log_likelihood", "F.nll_loss(a, ints([2, 0]), reduction='none')", "n.picked(a, ints([2, 0]))[:, 0]",
         shapes=MATRIX),
    case("negative_log_likelihood", "F.nll_loss(a, ints([2, -100]))", "-a[0, 2]", shapes=MATRIX),
    case("negative_log_likelihood", "F.cross_entropy(a, ints([2, 0]))",
         "n.picked(np.log(n.softmax(a, 1)), ints([2, 0])).mean()", shapes=MATRIX),
    case("negative_log_likelihood", "F.cross_entropy(a, ints([[2, 0], [1, 1]]), reduction='sum')",
         "n.picked(np.log(n.softmax(a, 1)), ints([[2, 0], [1, 1]])).sum()", shapes=CUBE),
    case("times", "F.cross_entropy(a, ints([2, 0]), label_smoothing=0.2)",
         "0.8 * n.picked(np.log(n.softmax(a, 1)), ints([2, 0])).mean() - 0.2 * np.log(n.softmax(a, 1)).mean()",
         shapes=MATRIX),
    case("over", "F.cross_entropy(a, b)", "-(np.log(n.softmax(a, 1)) * b).sum(1).mean()", shapes=PAIR[:1],
         b=PROBABILITY),
    case("mul", "F.kl_div(a, b, reduction='batchmean')", "(b * (np.log(b) - a)).sum() / len(a)", shapes=PAIR[:1],
         b=PROBABILITY),
    case("exp", "F.kl_div(a, b, reduction='sum', log_target=True)", "(np.exp(b) * (b - a)).sum()", shapes=PAIR[:1]),
    case("columns", "rows.columns(a, (2,), (1,), (0,), (1,))", "n.patches(a, 2)", shapes=[((1, 2, 4),)],
         torch="F.unfold(a.unsqueeze(2), (1, 2))"),
    case("image", "rows.image(a, (1, 2, 4), (2,), (1,), (0,), (1,))", "n.unpatches(a, (1, 2, 4), 2)",
         shapes=[((1, 4, 3),)], torch="F.fold(a, (1, 4), (1, 2)).squeeze(2)"),
    case("correlation", "rows.correlation(a, b, (2, 2, 2), (1,), (0,), (1,), 1)",
         "n.conv(a.swapaxes(0, 1), b.swapaxes(0, 1)).swapaxes(0, 1)",
         shapes=[((1, 2, 4), (1, 2, 3)), ((2, 2, 4), (2, 2, 3))],
         torch="F.conv1d(a.transpose(0, 1), b.transpose(0, 1)).transpose(0, 1)"),
    case("convolution", "F.conv1d(a, b)", "n.conv(a, b)", shapes=[((1, 2, 4), (2, 2, 2)), ((2, 1, 3), (1, 1, 3))]),
    case("convolution", "F.conv1d(a, b, c, stride=2, padding=1)", "n.conv(a, b, c, 2, 1)",
         shapes=[((1, 2, 4), (2, 2, 2), (2,))]),
    case("convolution", "F.conv1d(a, b, dilation=2)", "n.conv(a, b, dilation=2)", shapes=[((1, 1, 5), (1, 1, 2))]),
    case("convolution", "F.conv2d(a, b, c)", "n.conv(a, b, c)", shapes=[((1, 2, 3, 3), (1, 2, 2, 2), (1,))]),
    case("convolution", "F.conv2d(a, b, stride=(1, 2), padding=(1, 0))", "n.conv(a, b, None, (1, 2), (1, 0))",
         shapes=[((1, 1, 3, 3), (2, 1, 2, 2))]),
    case("convolution", "F.conv2d(a, b, c, groups=2)",
         "np.concatenate([n.conv(a[:, :2], b[:1], c[:1]), n.conv(a[:, 2:], b[1:], c[1:])], 1)",
         shapes=[((1, 4, 3, 3), (2, 2, 2, 2), (2,))]),
    case("convolution", "F.conv1d(a, b, stride=2, padding=1, groups=3)",
         "np.concatenate([n.conv(a[:, i : i + 1], b[2 * i : 2 * i + 2], None, 2, 1) for i in range(3)], 1)",
         shapes=[((2, 3, 4), (6, 1, 2))]),
    case("convolution", "F.conv2d(a, b, padding='same')", "n.conv(a, b, None, 1, 1)",
         shapes=[((1, 1, 2, 3), (1, 1, 3, 3))]),
]  # fmt: skip

from .rare import RARE  # noqa: E402 - these are written in the words above
from .second_ring import SECOND_RING  # noqa: E402

CASES = ELEMENTWISE + ARRANGED + REDUCED + COMPOSED + SECOND_RING + RARE
for _i, _case in enumerate(CASES):  # the same expression may stand for several shapes
    if any(_case.id == other.id for other in CASES[:_i]):
        _case.id += f" {_case.shapes[0]}"
