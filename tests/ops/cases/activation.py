"""The rows of ops/activation.py as expressions."""

from .case import CUBE, MATRIX, PAIR, case

cdf = "(1 + n.erf(a / np.sqrt(2))) / 2"
tanh_cdf = "(1 + np.tanh(np.sqrt(2 / np.pi) * (a + 0.044715 * a**3))) / 2"

CASES = [
    case("relu", "m.relu(a)", "np.maximum(a, 0)"),
    case("gate", "rows.gate(a, b)", "np.where(b != 0, a, 0)", torch="m.where(b != 0, a, 0) + 0 * b"),
    case("at", "rows.at(a, b)", "a", torch="a + 0 * b", shapes=PAIR),
    case("leaky_relu", "F.leaky_relu(a)", "np.where(a > 0, a, 0.01 * a)"),
    case("leaky_relu", "F.leaky_relu(a, 0.3)", "np.where(a > 0, a, 0.3 * a)"),
    case("elu", "F.elu(a)", "np.where(a > 0, a, np.expm1(a))"),
    case("elu", "F.elu(a, alpha=0.7)", "np.where(a > 0, a, 0.7 * np.expm1(a))"),
    case("selu", "F.selu(a)", "1.0507009873554805 * np.where(a > 0, a, 1.6732632423543772 * np.expm1(a))"),
    case("celu", "F.celu(a, 2.0)", "np.where(a > 0, a, 2 * np.expm1(a / 2))"),
    case("mish", "F.mish(a)", "a * np.tanh(np.log1p(np.exp(a)))"),
    case("hardshrink", "F.hardshrink(a)", "np.where(abs(a) > 0.5, a, 0)"),
    case("softshrink", "F.softshrink(a, 0.3)", "np.sign(a) * np.maximum(abs(a) - 0.3, 0)"),
    case("hardsigmoid", "F.hardsigmoid(a)", "np.clip(a / 6 + 0.5, 0, 1)",  # whose second derivative PyTorch has not
         torch="F.hardtanh(a / 6 + 0.5, 0, 1) + 0 * F.hardsigmoid(a.detach())"),
    case("hardswish", "F.hardswish(a)", "a * np.clip(a / 6 + 0.5, 0, 1)"),
    case("silu", "F.silu(a)", "a * n.sigmoid(a)"),
    case("softplus", "F.softplus(a)", "np.log1p(np.exp(a))"),
    case("softplus", "F.softplus(a, beta=2, threshold=3)", "np.where(2 * a > 3, a, np.log1p(np.exp(2 * a)) / 2)"),
    case("gelu_by_tanh", "F.gelu(a, approximate='tanh')", f"a * {tanh_cdf}"),
    case("threshold", "F.threshold(a, 0.5, 3.0)", "np.where(a <= 0.5, 3, a)"),
    case("prelu_kernel", "F.prelu(a, b)", "np.where(a > 0, a, a * b)",
         shapes=[((2, 3), (3,)), ((4,), (1,)), ((3,), ())]),
    case("glu", "F.glu(a, 1)", "a[:, :2] * n.sigmoid(a[:, 2:])", shapes=[((3, 4),), ((2, 4, 2),)]),
    case("gelu_exact", "F.gelu(a)", f"a * {cdf}"),
    case("sigmoid", "m.sigmoid(a)", "n.sigmoid(a)"),
    case("erf", "m.erf(a)", "n.erf(a)"),
    case("softmax", "m.softmax(a, 1)", "n.softmax(a, 1)", shapes=[*MATRIX, *CUBE]),
    case("softmax", "F.softmax(a, dim=0)", "n.softmax(a, 0)", shapes=[*MATRIX, ((3,),)]),
    case("log_softmax", "m.log_softmax(a, -1)", "np.log(n.softmax(a, -1))", shapes=[*MATRIX, *CUBE]),
    case("hardtanh", "F.hardtanh(a)", "np.clip(a, -1, 1)"),
    case("hardtanh", "F.hardtanh(a, -0.5, 2)", "np.clip(a, -0.5, 2)"),
]  # fmt: skip
