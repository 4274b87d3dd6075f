"""Reductions: each along one dimension, several, all or none, kept or not, of tensors with no elements, one, or no
dimensions, with `dtype=` and corrections; derived twice."""

SEVERAL = "sum mean amax amin logsumexp var std norm".split()
NAMES = [*SEVERAL, *"prod max min median cumsum cumprod softmax log_softmax".split()]
KEEPING = "sum mean prod amax amin logsumexp var std max min median argmax".split()


def write(sketch) -> None:
    shape = sketch.shape(3, (1, 2, 3, 0) if sketch.chance(0.15) else (1, 2, 3))
    sketch.leaf("x", shape)
    name, dims = sketch.pick(NAMES), []
    if name in SEVERAL and sketch.chance(0.4):
        dims = [sketch.dim("x") for _ in range(sketch.random.randint(1, 3))]
    given = f"({', '.join(map(str, dims))},)" if dims else str(sketch.dim("x"))
    options = ", keepdim=True" * (name in KEEPING and sketch.chance(0.4))
    if name in ("sum", "mean", "prod", "cumsum", "cumprod", "softmax") and sketch.chance(0.2):
        options += f", dtype=m.{'float64'}"
    if name in ("var", "std") and sketch.chance(0.5):
        options += f", correction={sketch.pick('012')}"
    if name == "norm":
        given, options = (
            f"{sketch.pick('2 1 3 0.5 1.5 m.inf -m.inf 0'.split())}, {given}",
            ", keepdim=True" * sketch.chance(0.3),
        )
    whole = not options and name in "sum mean prod amax amin var std norm max min median".split()
    sketch.add(f"v = x.{name}({'' if whole and sketch.chance(0.25) else given + options})")
    out = "v[0]" if "v" in sketch and isinstance(sketch["v"], tuple) else "v"
    sketch.add(f"g = {sketch.pick(['first', 'second'])}([{out}], x)")
    along = f", dim={sketch.dim('x')}" * sketch.chance(0.6)
    sketch.add(f"w = m.{sketch.pick(['var_mean', 'std_mean'])}(x{along})")
    sketch.add("h = first(list(w), x)")
