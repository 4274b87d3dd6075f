"""The rows of ops/special.py as expressions."""

from .case import POSITIVE, PROBABILITY, case

CASES = [
    case("erfc", "m.erfc(a)", "n.erfc(a)"),
    case("logit", "m.logit(a)", "np.log(a / (1 - a))", a=PROBABILITY),
    case("logit", "a.logit(eps=0.2)", "np.log(np.clip(a, 0.2, 0.8) / (1 - np.clip(a, 0.2, 0.8)))", a=(0.05, 0.95)),
    case("sinc", "m.sinc(a)"),
    case("nan_to_num", "m.nan_to_num(a)"),
    case(
        "nan_to_num",
        "m.nan_to_num((a / (a > 0)).detach(), nan=1.0, posinf=2.0, neginf=-1.0)",
        "np.nan_to_num(a / (a > 0), nan=1.0, posinf=2.0, neginf=-1.0)",
    ),
    case("logsigmoid", "F.logsigmoid(a)", "np.log(n.sigmoid(a))"),
    case("deg2rad", "m.deg2rad(a)"),
    case("rad2deg", "m.rad2deg(a)"),
    case("fmax", "m.fmax(a, b)"),
    case("fmin", "a.fmin(b)", "np.fmin(a, b)"),
    case("signbit", "m.signbit(a / (a > 0))"),
    case("hypot", "m.hypot(a, b)"),
    case("logaddexp", "m.logaddexp(a, b)"),
    case("logaddexp2", "m.logaddexp2(a, b)"),
    case("xlogy", "m.xlogy(a, b)", "a * np.log(b)", b=POSITIVE),
    case("xlogy", "m.xlogy(a, 2.5)", "a * np.log(2.5)"),
    case("xlogy", "m.xlogy(3, a)", "3 * np.log(a)", a=POSITIVE),
    case("fmod", "m.fmod(a, b)", b=(3.0, 4.0)),
    case("fmod", "m.fmod(a, 3)"),
    case("copysign", "m.copysign(a, b)"),
    case("copysign", "m.copysign(a, -2)"),
    case("lerp", "m.lerp(a, b, c)", "a + c * (b - a)"),
    case("lerp_by_number", "m.lerp(a, b, 0.3)", "a + 0.3 * (b - a)"),
    case("addcmul", "m.addcmul(a, b, c, value=2)", "a + 2 * b * c"),
    case("addcdiv", "m.addcdiv(a, b, c, value=2)", "a + 2 * b / c", c=POSITIVE),
    case("frac", "m.frac(a)", "a - np.trunc(a)"),
]
