"""Losses with every combination of their options: weights, reductions, classes to ignore, shapes that do not fit."""

BY_VALUE = {  # the options that each has, and from which interval input and target come
    "mse_loss": ({}, (-2, 2), (-2, 2)),
    "l1_loss": ({}, (-2, 2), (-2, 2)),
    "huber_loss": ({"delta": (0.5, 1.0, 2, 0, -1)}, (-2, 2), (-2, 2)),
    "smooth_l1_loss": ({"beta": (0.0, 0.5, 1, 2.5, -1)}, (-2, 2), (-2, 2)),
    "binary_cross_entropy": ({"weight": "w"}, (0, 1), (0, 1)),
    "binary_cross_entropy_with_logits": ({"weight": "w", "pos_weight": "p"}, (-3, 3), (0, 1)),
}
REDUCTIONS = ("mean", "sum", "none", "mean", "batchmean")


def write(sketch) -> None:
    sketch.pick((by_value, by_value, by_class, by_class))(sketch)


def call(sketch, name: str, arguments: str, options: dict) -> None:
    given = {key: sketch.pick(values) for key, values in options.items() if values and sketch.chance(0.5)}
    if sketch.chance(0.6):
        given["reduction"] = sketch.pick(REDUCTIONS) if sketch.chance(0.97) else "median"
    text = "".join(f", {key}={value if value in ('w', 'p') else repr(value)}" for key, value in given.items())
    sketch.add(f"y = m.nn.functional.{name}({arguments}{text})")
    leaves = [leaf for leaf in "xt" if leaf in sketch and sketch[leaf].requires_grad]
    if "y" in sketch and sketch["y"].requires_grad and sketch["y"].numel():
        order = sketch.pick(("first", "second")) if sketch["x"].numel() else "first"
        sketch.add(f"g = {order}(y, {', '.join(leaves)})")


def by_value(sketch) -> None:
    name = sketch.pick(list(BY_VALUE))
    options, low, high = BY_VALUE[name]
    shape = sketch.shape() if sketch.chance(0.95) else (0, 2)
    other = shape if sketch.chance(0.9) else sketch.pick([shape[1:], (1, *shape[1:]), (2, *shape), ()])
    sketch.leaf("x", shape, *low)
    sketch.leaf("t", other, *high, grad=sketch.chance(0.2))
    if sketch.chance(0.15):
        sketch.add("t = t.detach().round()" + sketch.pick(("", ".long()")))
    weights = {}
    if options.get("weight") or options.get("pos_weight"):
        sketch.leaf("w", shape if sketch.chance(0.8) else other[-1:], 0.1, 2, grad=False)
        sketch.leaf("p", shape[-1:], 0.1, 2, grad=sketch.chance(0.05))
        weights = {key: ("w", "p") if value == "w" else ("p",) for key, value in options.items() if value in ("w", "p")}
    call(sketch, name, "x, t", options | weights)


def by_class(sketch) -> None:
    name, classes = sketch.pick(("cross_entropy", "cross_entropy", "nll_loss")), sketch.pick((1, 2, 3, 4))
    space = tuple(sketch.pick((1, 2, 3)) for _ in range(sketch.pick((0, 0, 0, 1, 2))))
    batch = (sketch.pick((1, 2, 3, 5)),) if sketch.chance(0.85) else ()
    if sketch.chance(0.04):
        batch = (0,)
    space = space if batch else ()
    sketch.leaf("x", (*batch, classes, *space))
    options = {"ignore_index": (-100, 0, 1, -1), "weight": ("w",)}
    if name == "cross_entropy" and sketch.chance(0.25):
        sketch.leaf("t", (*batch, classes, *space), 0, 1, grad=sketch.chance(0.3))
    else:
        shape = (*batch, *space) if sketch.chance(0.95) else (2, *batch)
        count = 1
        for n in shape:
            count *= n
        top = classes + (sketch.chance(0.04))
        numbers = [sketch.random.randrange(top) for _ in range(count)]
        if sketch.chance(0.2):
            numbers = [n if sketch.chance(0.6) else sketch.pick((-100, -1, 0)) for n in numbers]
        kind = sketch.pick(("int64",) * 12 + ("int32", "float64"))
        sketch.add(f"t = m.tensor({numbers}).reshape({shape}).to(m.{kind})")
    sketch.leaf("w", (classes,) if sketch.chance(0.97) else (classes + 1,), 0.1, 2, grad=sketch.chance(0.03))
    call(sketch, name, "x, t", options)
