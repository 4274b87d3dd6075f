"""Operations on each element by itself.

How to read a row: the forward, then for each input how the gradient `g` of the result becomes that input's gradient.
Where an input was broadcast, the engine sums afterwards; no rule knows about it.
"""

import cmath
import math
import operator
from functools import partial

import numpy as np

from ..core.forward import apply
from ..core.row import op
from ..core.tensor import Tensor
from ..numbers.dtypes import NUMBERS, common, element, of, short_name, unsupported
from ..numbers.promotion import NOT_OF_BOOLS
from ..words.formula import written_as
from .in_place import copied, of_real_numbers, twin_of, unrecorded
from .public import public

BOOL = np.dtype(bool)
BOUNDS = frozenset((int, float, type(None)))  # what most are clamped to
PUBLIC = "function method twin"  # where these rows are offered, unless they say otherwise
NONE: frozenset = frozenset()  # no number may stand where a tensor is expected
BITS = {np.dtype(f"float{size}"): np.dtype(f"int{size}") for size in (16, 32, 64)}
# Complex numbers have no order; the type of error and the words are PyTorch's.
UNORDERED = NotImplementedError("clamp is not supported for complex types")
LOG2, LOG10 = math.log(2), math.log(10)


def extreme_of_two(ufunc, which: str, a, b):
    """The larger or the smaller of two, with the rules of both."""
    says = {one: f"{{g}} where {{{one}}} is the {which}, half of it where both are equal, else 0" for one in "ab"}
    refuses = {"c": f"{ufunc.__name__} not implemented for complex tensors."}
    return op(ufunc, numbers=NONE, a=a, b=b, public="function method", refuses=refuses, rules_say=says)


def of_reals(name: str) -> dict:
    """What refuses bools, and in other words complex numbers."""
    return {"b": None, "c": NotImplementedError(f"{name} is not supported for complex inputs")}


def plain(x):
    """The array of a tensor, which a rule is given under create_graph; what is none, as it is."""
    return x.array if isinstance(x, Tensor) else x


def asked(*grads) -> bool:
    """Whether these matter for a rule of several: what leads to nowhere may have no derivative at all."""
    return any(getattr(g, "requires_grad", False) or plain(g).any() for g in grads)


def underivable(name: str):
    raise RuntimeError(f"derivative for aten::{name} is not implemented")


UNDERIVABLE = "refused: PyTorch has no derivative for this, whatever {g} is"


def without_derivative(function):
    """The in-place form of what PyTorch differentiates in its other form alone."""

    def refuse(g):  # PyTorch's type of error, and its words
        raise NotImplementedError(f"the derivative for 'inplace version of {function.op.name}' is not implemented.")

    node = f"{function.op.name.capitalize()}Backward1"
    return twin_of(function.op.variant(rules={"a": refuse}, grad_fn=node, rules_say={"a": UNDERIVABLE}))


# == arithmetic: Python's operators, because they are fast on NumPy's scalars =================================

neg = op(operator.neg, ufunc=np.negative, a=lambda g: -g, says="-a", also="negative", spoken="the negative of {}")
each = partial(op, elementwise=True)  # a row of what no function of NumPy's does
with_alpha = partial(each, a=lambda g: g, public="")
# fmt: off
add_scaled = with_alpha(lambda a, b, alpha: a + scaled(a, b, alpha), grad_fn="AddBackward0",
    b=lambda g, alpha: g * alpha, says="a + alpha * b")
sub_scaled = with_alpha(lambda a, b, alpha: a - scaled(a, b, alpha), grad_fn="SubBackward0",
    b=lambda g, alpha: g * -alpha, says="a - alpha * b")
add = op(operator.add, ufunc=np.add, overloads={"alpha": add_scaled},
    a=lambda g: g, b=lambda g: g, says="a + b", spoken="{} plus {}")
sub = op(operator.sub, numbers=frozenset((int, float)), ufunc=np.subtract, overloads={"alpha": sub_scaled},
    a=lambda g: g, b=lambda g: -g, says="a - b", also="subtract", spoken="{} minus {}")
mul = op(operator.mul, ufunc=np.multiply,
    a=lambda g, b: g * b, b=lambda g, a: g * a, says="a * b", also="multiply", spoken="{} times {}")
quotient = each(lambda a, b, rounding_mode: quotient_of(a, b, rounding_mode), grad_fn="DivBackward2",
    a=lambda g, b, rounding_mode: nothing(g) if rounding_mode else g / b,
    b=lambda g, a, b, rounding_mode: nothing(g) if rounding_mode else -g * ((a / b) / b), public="")
div = op(operator.truediv, ufunc=np.true_divide, overloads={"rounding_mode": quotient}, floats=True,
    a=lambda g, b: g / b, b=lambda g, a, b: -g * ((a / b) / b),
    says="a / b", also="divide true_divide", spoken="{} divided by {}")
# b is a number
rsub = each(lambda a, b: taken_from(a, b), grad_fn="RsubBackward1", a=lambda g: -g, says="b - a", public="")
reciprocal = op(np.reciprocal, floats=True, a=lambda g, out: -g * (out * out), says="1 / a")
maximum = extreme_of_two(np.maximum, "larger", a=lambda g, a, b: larger(g, a, b), b=lambda g, a, b: larger(g, b, a))
minimum = extreme_of_two(np.minimum, "smaller", a=lambda g, a, b: larger(g, b, a), b=lambda g, a, b: larger(g, a, b))
remainder_by_number = each(lambda a, b: remaindered(*met(a, b)), grad_fn="RemainderBackward0",
    a=lambda g: g, public="", refuses="b", divisor="b", typed_by=("a", "b"))
# a quotient rounded down goes up in steps, and so its slope is 0
whole_quotient = op(np.floor_divide, a=lambda g: nothing(g), b=lambda g: nothing(g), public="", says="floor(a / b)")
remainder = each(lambda a, b: remaindered(a, b), overloads={"b": remainder_by_number}, grad_fn="RemainderBackward1",
    a=lambda g: g, b=lambda g, a, b: -g * whole_quotient(a, b), refuses="b", divisor="b")
floor_divide = op(np.floor_divide, grad_fn="NotImplemented",
    a=lambda g: underivable("floor_divide"), b=lambda g: underivable("floor_divide"),
    refuses="b", kernel="div_floor_cpu", divisor="b", rules_say={"a": UNDERIVABLE, "b": UNDERIVABLE})
# fmt: on


def quotient_of(a, b, rounding_mode: str | None):
    """a / b as a whole number: the next lower one, or the next one towards 0."""
    kind = common([a, b])
    if rounding_mode and kind.kind in "bc":
        raise unsupported(f"div_{rounding_mode}_cpu", kind)
    if rounding_mode and kind.kind in "iu" and not np.all(b):
        raise RuntimeError("ZeroDivisionError")
    if rounding_mode == "floor":
        return np.floor_divide(a, b)
    if rounding_mode == "trunc":
        return (a - np.fmod(a, b)) // b if kind.kind in "iu" else np.trunc(a / b)
    if rounding_mode is None:
        return a / b
    raise RuntimeError(f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'")


def rounded_to(a, decimals: int):
    """To so many places behind the point, or (if negative) before it."""
    if type(decimals) is not int:
        raise TypeError(f"round(): argument 'decimals' must be int, not {type(decimals).__name__}")
    tens = 10.0 ** math.fabs(decimals)
    return np.rint(a * tens) / tens if decimals > 0 else np.rint(a / tens) * tens


def remaindered(a, b):
    """a - b · floor(a / b); where nothing is left, a zero with the sign of a."""
    out = np.remainder(a, b)
    return np.where(out == 0, np.copysign(out, a), out) if out.dtype.kind == "f" else out


def taken_from(a, number):
    if isinstance(number, bool):
        raise RuntimeError(NOT_OF_BOOLS["rsub"])
    a, number = met(a, number)
    return number - a


def scaled(a, b, alpha):
    """b * alpha, in the type in which a and b meet."""
    dtype = common([a, b])
    if not isinstance(alpha, NUMBERS):
        raise TypeError(f"argument 'alpha' must be Number, not {type(alpha).__name__}")
    if isinstance(alpha, float | complex) and common([dtype.type(0), alpha]) != dtype:
        raise RuntimeError(f"alpha = {alpha} would change the type of the sum; convert the tensors before")
    if isinstance(alpha, bool) and dtype != BOOL:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    return b * (element(alpha, dtype) if dtype.kind in "biu" else alpha)


def clipped(a, min=None, max=None):
    """`np.clip`; one bound alone takes half its time, and stands first: of two zeros PyTorch takes the second."""
    if a.dtype.kind == "f":
        if max is None:
            return np.maximum(min, a)
        return np.minimum(max, a) if min is None else a.clip(min, max)
    a = suited(a, min, max)
    return a.clip(*(None if bound is None else element(bound, a.dtype) for bound in (min, max)))


def masked(a, condition):
    """`np.where(condition, a, 0)`, several times as fast: the bits, read as an integer, times 0 or 1."""
    bits = BITS.get(a.dtype)
    if bits is None or getattr(condition, "dtype", BOOL) is not BOOL:  # a byte may be another number than 0 and 1
        return np.where(condition, a, 0)
    return (a.view(bits) * condition).view(a.dtype)


def as_condition(condition):
    """What `where` asks, which is true or false; bytes are what PyTorch took for that in its past."""
    kind = getattr(condition, "dtype", BOOL)
    if kind is not BOOL and kind != np.uint8:
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype {short_name(kind)}"
        )
    return condition


def larger(g, a, b):
    """The gradient of max(a, b) for a: all of it where a is larger (or either is nan), half of it at a tie."""
    tied = a == b
    if isinstance(tied, Tensor) or tied.any():
        g = where(tied, g / 2, g)
    return kept_where(g, ~(a < b))


def suited(a, *options):
    """Integers in the type in which they meet a number that is an option: an exponent, a bound."""
    if a.dtype.kind in "fc":
        return a
    return a.astype(common([a, *(number for number in options if number is not None)]), copy=False)


def powered(a, exponent):
    """a ** exponent; some as PyTorch has them: the cube as a product, for which NumPy takes a logarithm, and roots."""
    if a.dtype.kind in "biu":
        a = suited(a, exponent)
        if a.dtype == np.bool_:
            return a | (not exponent)
        if a.dtype.kind in "iu" and exponent < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        return a ** (element(exponent, a.dtype) if a.dtype.kind in "iu" else exponent)
    if exponent == 3:
        return a * a * a
    if exponent in (0.5, -0.5):
        return np.sqrt(a) if exponent > 0 else 1 / np.sqrt(a)
    return a**exponent


def met(a, number):
    """Both in the type in which they meet; an integer that is too large for it loses its upper bits, as in C."""
    a = suited(a, number)
    return a, np.asarray(number).astype(a.dtype)[()] if a.dtype.kind in "biu" else number


# == powers, roots, exponentials, logarithms ===============================================================

# fmt: off
square = op(lambda a: np.square(a if a.dtype is not BOOL else a.astype(np.int64)), ufunc=np.square,
    grad_fn="PowBackward0", a=lambda g, a: g * (2 * raised(a, 1)), says="a²", spoken="the square of {}")
sqrt = op(np.sqrt, floats=True, a=lambda g, out: g / (2 * out), spoken="the square root of {}")
rsqrt = each(lambda a: 1 / np.sqrt(a), floats=True, a=lambda g, out: -0.5 * g * raised(out, 3), says="1 / √a")
exp = op(np.exp, floats=True, a=lambda g, out: g * out, spoken="e to the power of {}")
exp2 = op(np.exp2, floats=True, a=lambda g, out: g * out * LOG2)
expm1 = op(np.expm1, floats=True, a=lambda g, out: g * (out + 1))
log = op(np.log, floats=True, a=lambda g, a: g / a, spoken="the logarithm of {}")
log2 = op(np.log2, floats=True, a=lambda g, a: g / (a * LOG2))
log10 = op(np.log10, floats=True, a=lambda g, a: g / (a * LOG10))
log1p = op(np.log1p, floats=True, grad_fn="Log1PBackward0", a=lambda g, a: g / (a + 1))
# d(aⁿ)/da at n = 0 is 0 everywhere, at a = 0 too
power_of_number = each(powered, grad_fn="PowBackward0",
    a=lambda g, a, exponent: g * (exponent * raised(a, exponent - 1)) if exponent != 0 else nothing(g),
    says="a ** exponent", public="", spoken="{} to the power of {}")
power_of_tensor = op(lambda a, b: power(a, b), ufunc=np.power, refuses="b", kernel="pow", grad_fn="PowBackward1",
    a=lambda g, a, b: where(b == 0, 0, g * (b * a ** (b - 1))), b=lambda g, a, b, out: g * log_of_base(a, b, out),
    says="a ** b", public="")
number_to_power = each(lambda a, exponent: power(*met(a, exponent)[::-1]), refuses="b", typed_by=("a", "exponent"),
    kernel="pow", grad_fn="PowBackward2",
    a=lambda g, a, out, exponent: g * log_of_number_base(a, out, exponent),
    says="exponent ** a", public="", rules_say={"a": "{out} * log({exponent})"})
# fmt: on


def power(a, b):
    """a ** b; of integers, a negative b leaves what is whole: 1, -1, or 0."""
    if b.dtype.kind not in "iu":
        return a**b
    return np.where(b < 0, np.where(abs(a) == 1, a ** (b & 1), 0), a ** np.maximum(b, 0))


@written_as("a ** exponent")
def raised(a, exponent):
    """a ** exponent within a rule; of an array NumPy would compute even a ** 1."""
    if isinstance(a, Tensor):
        return a**exponent
    return a if exponent == 1 else powered(a, exponent)


def log_of_base(a, b, out):
    """out · log a, which is 0 at a = 0, unless b is negative."""
    flat = (a == 0) & ((b.real if is_complex(b) else b) >= 0)
    return where(flat, 0, out * log(a + 0j if is_complex(out) else a))


def log_of_number_base(a, out, base):
    """The same for a number as base, which may have no logarithm."""
    if not base:
        return where(a.real >= 0, 0, out * -math.inf)
    if isinstance(base, complex) or is_complex(out):
        return out * cmath.log(base)
    return out * (math.log(base) if base > 0 else math.nan)


# == circular and hyperbolic functions =====================================================================

sin = op(np.sin, floats=True, a=lambda g, a: g * cos(a), spoken="the sine of {}")
cos = op(np.cos, floats=True, a=lambda g, a: g * -sin(a), spoken="the cosine of {}")
tan = op(np.tan, floats=True, a=lambda g, out: g * (1 + out * out), spoken="the tangent of {}")
asin = op(np.arcsin, floats=True, a=lambda g, a: g * rsqrt(1 - a * a), also="arcsin")
acos = op(np.arccos, floats=True, a=lambda g, a: g * -rsqrt(1 - a * a), also="arccos")
atan = op(np.arctan, floats=True, a=lambda g, a: g / (1 + a * a), also="arctan")
atan2 = op(
    np.arctan2,
    numbers=NONE,
    floats=True,
    a=lambda g, a, b: g * (b * steepness(a, b)),
    b=lambda g, a, b: g * (-a * steepness(a, b)),
    also="arctan2",
)


def steepness(a, b):
    """1 / (a² + b²); 0 at the origin, where no angle is steeper than another."""
    total = a * a + b * b
    return where(total == 0, 0, 1 / total)


sinh = op(np.sinh, floats=True, a=lambda g, a: g * cosh(a))
cosh = op(np.cosh, floats=True, a=lambda g, a: g * sinh(a))
# fmt: off
tanh = op(np.tanh, floats=True, a=lambda g, out: g * (1 - out * out),
    public="function method functional twin", spoken="the hyperbolic tangent of {}")
asinh = op(np.arcsinh, floats=True, a=lambda g, a: g * rsqrt(a * a + 1), also="arcsinh", twin=without_derivative)
# of complex numbers √(a² - 1) and √(a + 1)·√(a - 1) are two things; of -2 - 0i both sums lose the sign of the 0
acosh = op(np.arccosh, floats=True,
    a=lambda g, a: g * (rsqrt(1 + a) * rsqrt(-1 + a) if is_complex(a) else rsqrt(a * a - 1)),
    also="arccosh", twin=without_derivative)
atanh = op(np.arctanh, floats=True, a=lambda g, a: g / (1 - a * a), also="arctanh", twin=without_derivative)

# == kinks and steps: the convention at the kink is PyTorch's ==============================================

# the slope at 0 is 0
abs = op(np.abs, holomorphic=False,
    a=lambda g, a: g * sgn(a), says="|a|", also="absolute", twin=of_real_numbers, refuses="b", spoken="the size of {}")
signs = partial(op, lambda a: sign_of(a), ufunc=np.sign, write=lambda target, a: np.copyto(target, sign_of(a)))
# as in PyTorch, which has sgn for complex numbers
sign = signs(a=lambda g: nothing(g), refuses={"c": NotImplementedError(
    "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.")})
sgn = signs(holomorphic=False, a=lambda g, a, out: turned(g, a, out) if is_complex(a) else nothing(g))
floor = op(np.floor, a=lambda g: nothing(g), refuses=of_reals("floor"), kernel="floor_vml_cpu")
ceil = op(np.ceil, a=lambda g: nothing(g), refuses=of_reals("ceil"), kernel="ceil_vml_cpu")
round_to = each(rounded_to, grad_fn="RoundBackward1",
    a=lambda g: nothing(g), refuses="bic", kernel="round_cpu", public="")
round = op(lambda a: np.rint(a) if a.dtype.kind in "fc" else np.array(a), ufunc=np.rint,
    overloads={"decimals": round_to}, a=lambda g: nothing(g), refuses="bc")
trunc = op(np.trunc, a=lambda g: nothing(g), also="fix", refuses=of_reals("trunc"), kernel="trunc_vml_cpu")
# inclusive bounds: the gradient passes at a = min and a = max
held = partial(each, a=lambda g, a, min, max: kept_where(g, within(a, min, max)),
    says="clamp(a, min, max)", public="", refuses={"c": UNORDERED})
clamp_to_numbers = held(clipped, grad_fn="ClampBackward1",
    write=lambda target, a, min, max: np.copyto(target, clipped(a, min, max), "same_kind"),
    typed_by=("a", "min", "max"))
clamp_to_tensors = held(lambda a, min=None, max=None: np.clip(a, min, max), grad_fn="ClampBackward0",
    min=lambda g, a, min, max: kept_where(g, a < min if max is None else (a < min) & (min < max)),
    max=lambda g, a, min, max: kept_where(g, a > max if min is None else (a > max) | (max < min)))
# one bound alone
bounded = partial(each, refuses={"c": UNORDERED})
clamp_min_number = bounded(lambda a, min: clipped(a, min), grad_fn="ClampMinBackward0", typed_by=("a", "min"),
    a=lambda g, a, min: kept_where(g, a >= min), says="clamp_min(a, min)", public="")
clamp_min = bounded(lambda a, min: np.maximum(a, min), overloads={"min": clamp_min_number}, numbers=NONE,
    grad_fn="ClampMinBackward1", a=lambda g, a, min: kept_where(g, a >= min),
    min=lambda g, a, min: kept_where(g, a < min))
clamp_max_number = bounded(lambda a, max: clipped(a, None, max), grad_fn="ClampMaxBackward0", typed_by=("a", "max"),
    a=lambda g, a, max: kept_where(g, a <= max), says="clamp_max(a, max)", public="")
clamp_max = bounded(lambda a, max: np.minimum(a, max), overloads={"max": clamp_max_number}, numbers=NONE,
    grad_fn="ClampMaxBackward1", a=lambda g, a, max: kept_where(g, a <= max),
    max=lambda g, a, max: kept_where(g, a > max))
# fmt: on


def sign_of(a):
    """-1, 0 or 1; nan, which is neither above 0 nor below, gives 0, where NumPy's gives nan."""
    if a.dtype.kind in "bc":
        return np.sign(a) if a.dtype.kind == "c" else np.array(a)
    return np.subtract(a > 0, a < 0, dtype=a.dtype)


def within(a, low, high):
    if high is None:
        return a >= low
    return a <= high if low is None else (a >= low) & (a <= high)


# == complex numbers: where a rule is no complex derivative, it gives ∂L/∂(real part) + i ∂L/∂(imaginary part) ===

conj = op(np.conjugate, holomorphic=False, linear=True, a=lambda g: g.conj(), public="")
# a row that shows one of the two parts
part = partial(each, view=True, grad_fn="SelectBackward0", holomorphic=False, linear=True, public="")
real = part(lambda a: np.real(a), a=lambda g: g)
imag = part(lambda a: np.imag(a), a=lambda g: g * 1j)
# of real numbers 0 or π, which is flat
angle = each(
    lambda a: angle_of(a),
    floats=True,
    holomorphic=False,
    public="function method",
    a=lambda g, a: turning(g, a) if is_complex(a) else nothing(g),
)


def angle_of(a):
    return np.angle(a) if a.dtype.kind == "c" else np.where(a == a, (a < 0) * a.dtype.type(math.pi), a)


@written_as("x.is_complex()")
def is_complex(x) -> bool:
    return x.is_complex() if isinstance(x, Tensor) else x.dtype.kind == "c"


def turning(g, a):
    """What turns a complex number, at right angles to it; at 0 there is no direction."""
    return kept_where(g * 1j * a / where(a == 0, 1, real(a * conj(a))), a != 0)


def turned(g, a, out):
    """Only what turns a complex number changes its direction: `g` without its part along `out`, for a length of 1."""
    along = real(g * conj(out)) * out
    return kept_where((g - along) / where(a == 0, 1, abs(a)), a != 0)


# == choice, comparison, logic =============================================================================


@written_as("0")
def nothing(g):
    """No gradient: 0, also where the incoming one is infinite or no number."""
    return kept_where(g.detach() if isinstance(g, Tensor) else g, False)


def numbered(name: str, last: int = 1):
    """PyTorch's name for a node: its number says which of the last two inputs was a number."""
    return lambda *inputs: f"{name}Backward{int(isinstance(inputs[last], Tensor))}"


def compared_in_place(comparison):
    """The twin of a comparison, which PyTorch records: 1 or 0 take the place of the tensor's own numbers."""
    row, rules = comparison.op, {"a": lambda g: nothing(g), "b": lambda g: nothing(g)}
    return twin_of(row.variant(rules=rules, grad_fn=numbered(row.name.title())))


# fmt: off
# g where the condition holds, 0 elsewhere: how a bend or a choice hands its gradient back
kept_where = each(masked, mixes=False, grad_fn="WhereBackward0",
    a=lambda g, condition: kept_where(g, condition), condition=None, public="", says="where(condition, a, 0)")
where = each(lambda condition, a, b: np.where(as_condition(condition), a, b), condition=None,
    a=lambda g, condition: kept_where(g, condition),
    b=lambda g, condition: kept_where(g, logical_not(condition)), public="",
    rules_say={"b": "where({condition}, 0, 1)"})
# fmt: on
eq = op(np.equal, a=None, b=None, says="a == b", twin=compared_in_place)
ne = op(np.not_equal, a=None, b=None, says="a != b", also="not_equal", twin=compared_in_place)
lt = op(np.less, a=None, b=None, says="a < b", also="less", twin=compared_in_place, refuses="c")
le = op(np.less_equal, a=None, b=None, says="a <= b", also="less_equal", twin=compared_in_place, refuses="c")
gt = op(np.greater, a=None, b=None, says="a > b", also="greater", twin=compared_in_place, refuses="c")
ge = op(np.greater_equal, a=None, b=None, says="a >= b", also="greater_equal", twin=compared_in_place, refuses="c")
close = each(
    lambda a, b, rtol, atol, equal_nan: np.isclose(a, b, rtol, atol, equal_nan), a=None, b=None, public="", says="a ≈ b"
)
isnan = op(np.isnan, a=None, public="function method")
isinf = op(np.isinf, a=None, public="function method")
isfinite = op(np.isfinite, a=None, public="function method")
logical_not = op(np.logical_not, a=None, twin=unrecorded)
logical_and = op(np.logical_and, numbers=NONE, a=None, b=None, twin=unrecorded)
logical_or = op(np.logical_or, numbers=NONE, a=None, b=None, twin=unrecorded)
logical_xor = op(np.logical_xor, numbers=NONE, a=None, b=None, twin=unrecorded)
bitwise_not = op(np.invert, a=None, says="~a", twin=copied, refuses="fc")
bitwise_and = op(np.bitwise_and, a=None, b=None, says="a & b", twin=copied)
bitwise_or = op(np.bitwise_or, a=None, b=None, says="a | b", twin=copied)
bitwise_xor = op(np.bitwise_xor, a=None, b=None, says="a ^ b", twin=copied)

# == as people call them ===================================================================================


@public("function method")
def pow(input, exponent):
    """`input ** exponent`, of tensors and numbers.

    >>> import minigrad as mg
    >>> mg.pow(mg.tensor([2.0, 3.0]), 2)
    tensor([4., 9.])
    """
    if type(exponent) in (int, float) and isinstance(input, Tensor):  # most often
        return power_of_number.op.run(input, exponent)
    input, exponent = (x.item() if isinstance(x, np.generic) else x for x in (input, exponent))
    if not isinstance(input, Tensor):
        checked_exponent(input)
    base, exponent = in_complex(input, exponent), in_complex(exponent, input)
    if isinstance(exponent, Tensor):
        return power_of_tensor(base, exponent) if isinstance(base, Tensor) else number_to_power(exponent, base)
    return power_of_number(base, checked_exponent(exponent))


def checked_exponent(exponent):
    if not isinstance(exponent, (*NUMBERS, np.ndarray)):
        raise TypeError(f"pow(): argument 'exponent' must be Number, not {type(exponent).__name__}")
    return exponent


def in_complex(x, other):
    """A tensor in the type in which it meets a complex option: the rule is that of complex numbers."""
    return x.to(of(common([x.array, other]))) if isinstance(other, complex) and isinstance(x, Tensor) else x


@public("function method", also="clip")
def clamp(input, min=None, max=None):
    """`input` held between `min` and `max`, which are numbers or tensors.

    >>> import minigrad as mg
    >>> mg.clamp(mg.tensor([-1.0, 0.5, 2.0]), min=0, max=1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if type(min) not in BOUNDS or type(max) not in BOUNDS or min is max:
        check_bounds(min, max)
        if isinstance(min, Tensor) or isinstance(max, Tensor):
            return clamp_to_tensors(input, min, max)
    return clamp_to_numbers.op.run(input, min, max)


def check_bounds(min, max) -> None:
    """At least one; both are tensors, or both numbers."""
    given = [one for one in (min, max) if one is not None]
    if not given:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    wanted = Tensor if isinstance(given[0], Tensor) else (int, float, np.integer, np.floating)
    if not all(isinstance(one, wanted) for one in given):
        kinds = ", ".join(type(one).__name__ for one in given)
        raise TypeError(f"clamp() received an invalid combination of arguments - got (Tensor, {kinds})")


@public("function method")
def pow_(self, exponent):
    """`pow`, written over the tensor itself."""
    if isinstance(exponent, Tensor):
        return apply(power_of_tensor.op, (self, exponent), into=self)
    return apply(power_of_number.op, (self, checked_exponent(exponent)), into=self)


@public("function method", also="clip_")
def clamp_(self, min=None, max=None):
    """`clamp`, written over the tensor itself."""
    check_bounds(min, max)
    row = clamp_to_tensors if isinstance(min, Tensor) or isinstance(max, Tensor) else clamp_to_numbers
    return apply(row.op, (self, min, max), into=self)


@public("function method")
def isclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Tensor:
    """Where |input - other| ≤ atol + rtol · |other|: the same up to rounding."""
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{short_name(input)} did not match {short_name(other)}")
    if not (rtol >= 0 <= atol):
        raise RuntimeError(f"rtol and atol must not be below 0, but are {rtol} and {atol}")
    return close(input, other, rtol, atol, equal_nan)


@public("function method")
def positive(input: Tensor) -> Tensor:
    """The tensor itself: `+input`."""
    if input.array.dtype == BOOL:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input
