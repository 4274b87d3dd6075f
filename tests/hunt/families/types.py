"""Types: operands of every two types, with dimensions and without, Python's numbers and NumPy's; conversions,
reductions with `dtype=`, and changes in place, which keep the type."""

TYPES = "bool uint8 int8 int16 int32 int64 float32 float64 complex64".split()  # NumPy has no half of complex64
NUMBERS = "2|-3|0|2.5|True|-0.5|1+2j|np.float64(2)|np.float32(2.5)|np.int64(3)|300|7".split("|")
BINARY = (
    "x + y|x - y|x * y|x / y|x // y|x % y|x ** y|x == y|x < y|x & y|x ^ y|m.maximum(x, y)|"
    "m.atan2(x, y)|m.where(x > y, x, y)|"
    "m.clamp(x, y)|m.sub(x, y, alpha=2)|m.add(x, y, alpha=3)|"
    "m.logical_and(x, y)|m.remainder(x, y)|m.true_divide(x, y)"
).split("|")
NUMBERED = (
    "x + n|n - x|x * n|n / x|x / n|x // n|x % n|n % x|x ** n|x == n|x < n|m.clamp(x, n)|m.clamp(x, max=n)"
    "n)|"
    "m.where(x > x.sum() / 4, x, n)|m.add(x, x, alpha=n)|x.masked_fill(x > x, n)|m.full_like(x, n)|"
    "m.nn.functional.leaky_relu(x, n)|x & n|x.new_full((2,), "
    "n)"
).split("|")
ALONE = (
    "x.sum()|x.prod(0)|x.mean()|x.cumsum(0)|x.cumprod(0)|x.sum(dtype=m.D)|x.prod(dtype=m.D)|x.cumsum(0, "
    "dtype=m.D)|"
    "x.mean(dtype=m.D)|x.to(m.D)|x.any()|x.all(0)|x.amax()|x.argmax()|x.max(0)[0]|x.square()|x.sqrt()|x.exp()|"
    "x.abs()|-x|"
    "x.sign()|x.floor()|x.round()|x.sigmoid()|m.relu(x)|x.norm()|x.std()|x.reciprocal()|x.softmax(0)|~x|x.tolist()|"
    "x.neg()|"
    "x.reshape(-1)[0].item()|x.type_as(m.tensor(1.5))|x.logical_not()|x.count_nonzero()|x.median()|"
    "m.sgn(x)|x.var(0)"
).split("|")
CHANGES = (
    "x.add_(y)|x.mul_(y)|x.div_(y)|x.sub_(n)|x.mul_(n)|x.pow_(2)|x.fill_(n)|x.copy_(y)|x.exp_()|x.clamp_(0, 1)|"
    "x.floor_divide_(y)|"
    "x.remainder_(n)|x.zero_()|x.cumsum_(0)|x.masked_fill_(y > 0, n)|x.abs_()|x.neg_()|x.sqrt_()|x.round_()|x.lt_(n)"
).split("|")


def write(sketch) -> None:
    for name in "xy":
        values = sketch.pick(["[3, 2, 5]", "[3, 2, 5]", "[1, -2, 4]", "2", "-3"])
        sketch.add(f"{name} = m.tensor({values}).to(m.{sketch.pick(TYPES)})")
    sketch.add(f"n = {sketch.pick(NUMBERS)}")
    for i in range(sketch.random.randint(1, 3)):
        text = sketch.pick(sketch.pick([BINARY, NUMBERED, ALONE, CHANGES]))
        sketch.add(f"v{i} = {text.replace('m.D', 'm.' + sketch.pick(TYPES))}")
