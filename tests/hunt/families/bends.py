"""Activations with their options, at kinks and beyond all bounds, in place and by module, in several types."""

PLAIN = "relu silu sigmoid tanh".split()
OPTIONS = {
    "leaky_relu": {"negative_slope": (0.01, 0.2, 0, -0.5, 1.5)},
    "elu": {"alpha": (1.0, 0.5, -1, 0)},
    "gelu": {"approximate": ("none", "tanh", "sine")},
    "softplus": {"beta": (1, 0.5, 3, -1), "threshold": (20, 1.0301, 0.4703)},
    "hardtanh": {"min_val": (-1.0, 0.5, -2), "max_val": (1.0, 0.5, 2)},
    "softmax": {"dim": (0, -1, 1, 2), "dtype": ("float64",)},
    "log_softmax": {"dim": (0, -1, 1, 2), "dtype": ("float64",)},
}
REQUIRED = ("softmax", "log_softmax")
INPLACE = ("relu", "silu", "leaky_relu", "elu", "hardtanh")
KINKS = (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 3.0, -3.0, 6.0, 2.0, -2.0)
EDGES = (0.0, 30.0, -30.0, 120.0, -120.0, 1e-8, -1e-8)
MODULES = {
    "relu": "ReLU", "leaky_relu": "LeakyReLU", "elu": "ELU", "gelu": "GELU", "softplus": "Softplus",
    "softmax": "Softmax",
    "log_softmax": "LogSoftmax",
}  # fmt: skip


def write(sketch) -> None:
    chance, pick = sketch.chance, sketch.pick
    shape = tuple(pick((1, 2, 3, 4)) for _ in range(pick((0, 1, 2, 2, 3)))) if chance(0.95) else (0, 2)
    sketch.leaf("x", shape)
    if chance(0.4):
        count = sketch["x"].numel()
        values = [pick(pick((KINKS, EDGES))) for _ in range(count)]
        sketch.add(f"x = T({values}).detach().reshape({shape}).requires_grad_()")
    form = pick(("x", "x", "x", "x * 1", "x.detach().float()", "x.detach().long()"))
    name = pick(PLAIN + list(OPTIONS) * 2)
    given = {}
    for option, values in OPTIONS.get(name, {}).items():
        if chance(0.5) or (option == "dim" and name in REQUIRED):
            given[option] = pick(values)
    text = "".join(f", {key}={f'm.{value}' if key == 'dtype' else repr(value)}" for key, value in given.items())
    if name in INPLACE and chance(0.3):
        text += ", inplace=True"
    functional = (
        "" if name in ("relu", "sigmoid", "tanh", "softmax", "log_softmax") and chance(0.3) else "nn.functional."
    )
    if name in MODULES and chance(0.3) and "dtype" not in given:
        sketch.add(f"layer = m.nn.{MODULES[name]}({text.removeprefix(', ')})")
        sketch.add("text = repr(layer)")
        sketch.add(f"y = layer({form})")
    else:
        text = text.replace(", inplace=True", "") if not functional else text
        if form == "x * 1":
            sketch.add("form = x * 1")
            form = "form"
        sketch.add(f"y = m.{functional}{name}({form}{text})")
    return derive(sketch)


def derive(sketch) -> None:
    if "y" in sketch and sketch["y"].requires_grad:
        sketch.add(f"g = {sketch.pick(('first', 'second'))}({sketch.pick(('y', 'y * y'))}, x)")
