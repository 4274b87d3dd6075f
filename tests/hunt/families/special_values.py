"""nan, the infinities, zeros of both signs, the largest and the smallest: through each function, and back."""

VALUES = "0.0 -0.0 1.0 -1.0 0.5 -0.5 2.0 nan inf -inf 3.0".split()
UNARY = (
    "neg abs square sqrt rsqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh "
    "acosh atanh "
    "sigmoid relu sign sgn floor ceil round trunc reciprocal erf isnan isfinite"
).split()
NUMBERED = ("a ** N|N ** a|a.clamp(N)|a.clamp(max=N)|a % N|a // N|a * N|a / N|N / a|a - N").split("|")
NUMBERS = "0 1 2 0.5 -1 3 -0.5 m.inf 2.5 -2".split()
BINARY = (
    "a * b|a / b|a - b|a ** b|a % b|a // b|m.atan2(a, b)|m.maximum(a, b)|m.minimum(a, b)|"
    ""
    "m.where(a > b, a, b)|m.clamp(a, b)|m.clamp(a, max=b)|m.clamp(a, b, b + 1)|"
    ""
    "a == b|a <= b|"
    "m.nn.functional.mse_loss(a, b)|m.nn.functional.l1_loss(a, b)|m.dist(a, b)"
).split("|")
REDUCED = (
    "a.sum()|a.mean(0)|a.prod()|a.prod(0)|a.cumsum(0)|a.amax()|a.amax(0)|a.max(0)|a.argmax()|a.logsumexp(0)|"
    "a.softmax(0)|a.log_softmax(0)|a.norm()|a.norm(1)|a.norm(m.inf)|a.norm(0.5)|a.norm(3)|a.var()|a.std(0)|"
    "a.std(0, correction=0)|a.median()|a.sort()[0]|a.any()|"
    "a.min()"
).split("|")


def write(sketch) -> None:
    count = sketch.random.randint(0 if sketch.chance(0.1) else 1, 4)
    for name in "ab":
        values = ", ".join(sketch.pick(VALUES) for _ in range(count)).replace("nan", "m.nan").replace("inf", "m.inf")
        values = sketch.pick(["0.0", "m.nan", "-m.inf", "2.0"]) if sketch.chance(0.1) else f"[{values}]"
        sketch.add(f"{name} = T({values})")
    text = sketch.pick([f"m.{sketch.pick(UNARY)}(a)", sketch.pick(NUMBERED), sketch.pick(BINARY), sketch.pick(REDUCED)])
    if (
        sketch.add(f"v = {text.replace('N', sketch.pick(NUMBERS))}")
        and hasattr(sketch["v"], "requires_grad")
        and sketch["v"].requires_grad
    ):
        sketch.add("g = first([v], a, b)")
