"""Changes in place under every name: of leaves, results and views, by numbers and tensors, then a backward."""

ONE = (
    "neg abs square sqrt rsqrt exp expm1 exp2 log log1p log2 log10 sin cos tan asin acos atan sinh cosh "
    "tanh sigmoid sign floor "
    "ceil round trunc reciprocal erf sgn relu "
    "negative absolute arctan fix zero "
    "logical_not"
).split()
TWO = (
    "add sub mul div multiply subtract divide true_divide remainder atan2 arctan2 "
    "floor_divide "
    "eq ne lt le gt ge greater less logical_and logical_or copy"
).split()
MORE = (
    "clamp_(0.3, 0.8) clip_(min=0.4) "
    "fill_(2.0) tril_() triu_(1) "
    "cumsum_(0) cumprod_(-1) t_() transpose_(0,1) squeeze_() unsqueeze_(0) masked_fill_(c>0.5,0.1) "
    ""
    "add_(c,alpha=2) sub_(c,alpha=3) swapaxes_(0,1) "
    "clamp_(c,1)"
).split()


def write(sketch) -> None:
    shape = sketch.pick([(3,), (2, 2), (2, 3)])
    sketch.leaf("x", shape, 0.1, 0.9)
    sketch.leaf("c", sketch.pick([shape, shape[-1:]]), 0.2, 0.9, grad=sketch.chance(0.4))
    sketch.add(sketch.pick(["y = x * 1", "y = x + 0", "y = x.clone()", "y = x.sin()", "y = x.exp()", "y = x"]))
    views = ["y"]
    for number in range(sketch.random.randint(1, 4)):
        if sketch.chance(0.25):
            sketch.add(
                f"v{number} = y{sketch.pick(['[0]', '[..., :2]', '.view(-1)', '[:1]', '.detach()', '[..., None]'])}"
            )
            views += [f"v{number}"] * (f"v{number}" in sketch)
        kind = sketch.pick(["one", "two", "two", "more"])
        if kind == "one":
            call = f"{sketch.pick(ONE)}_()"
        elif kind == "two":
            call = f"{sketch.pick(TWO)}_({sketch.pick(['c', 'c', '0.5', '2', 'c[..., :1]'])})"
        else:
            call = sketch.pick(MORE)
        sketch.add(f"{sketch.pick(views)}.{call}")
    sketch.add("facts = [y._version, y.is_leaf]")
    sketch.add(f"g = first({sketch.pick(['y', 'y * y', 'y.sin()'])}, x)")
