"""Functions of each element with all their options: alpha, value, weights, bounds, rounding; of shapes that
broadcast."""

WAYS = (
    "m.add(a, b, alpha=N)|m.sub(a, b, alpha=N)|"
    ""
    "m.clamp(a, -0.5, 0.7)|m.clamp(a, b, c)|m.clamp(a, min=b)|m.clamp(a, max=N)|"
    ""
    "a.__rsub__(N)|"
    "a.__rtruediv__(N)|"
    "a.__radd__(N)|a.__rmul__(b)|a.__rpow__(2)|c.__pow__(b)|a.__rsub__(b)|a.__mod__(c)|a.__rmod__(N)|a.__neg__()|"
    "a.__pos__()|a.__abs__()|"
    "c ** b|c ** N|N - a|N / c|m.where(a > b, a, N)|m.where(a > b, N, b)|m.atan2(a, b)|"
    ""
    ""
    ""
    "a.square() + b.rsqrt()"
).split("|")


def write(sketch) -> None:
    whole = sketch.shape(2, (1, 2, 3))
    for name in "abc":
        kept = whole[sketch.random.randint(0, len(whole)) :] if sketch.chance(0.3) else whole
        shape = tuple(1 if sketch.chance(0.2) else n for n in kept)
        sketch.leaf(name, shape, 0.3 if name == "c" else -2.0, 3.0 if name == "c" else 2.0, grad=sketch.chance(0.8))
    names = []
    for i in range(sketch.random.randint(1, 3)):
        number = sketch.pick(["2", "-1", "0.5", "1", "0", "True", "1.5", "np.float64(0.5)"])
        if sketch.add(f"v{i} = {sketch.pick(WAYS).replace('N', number)}") and sketch[f"v{i}"].requires_grad:
            names.append(f"v{i}")
    live = [name for name in "abc" if sketch[name].requires_grad]
    if names and live:
        sketch.add(f"g = {sketch.pick(['first', 'second'])}([{', '.join(names)}], {', '.join(live)})")
