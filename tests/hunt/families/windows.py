"""Convolutions and pools: every combination of their options."""


def write(sketch) -> None:
    sketch.pick((conv, conv, pools, pools, adaptive, columns))(sketch)


def per_dimension(sketch, values, dims: int):
    """A number, or one for each dimension."""
    if sketch.chance(0.5):
        return sketch.pick(values)
    several = tuple(sketch.pick(values) for _ in range(dims if sketch.chance(0.9) else sketch.pick((0, 1, 3))))
    return list(several) if sketch.chance(0.2) else several


def options(sketch, dims: int, share: float = 0.5, **values) -> str:
    """Some of the options, by name."""
    chosen = {name: per_dimension(sketch, given, dims) for name, given in values.items() if sketch.chance(share)}
    return "".join(f", {name}={value!r}" for name, value in chosen.items())


def image(sketch, channels: int, dims: int, lengths=(2, 3, 4, 5, 6)) -> None:
    """A leaf `x` of (batch, channels, *space), at times without the batch, or empty."""
    space = tuple(sketch.pick(lengths) for _ in range(dims))
    batch = (sketch.pick((1, 2, 3)),) if sketch.chance(0.8) else ()
    if sketch.chance(0.05):
        batch = (0,)
    sketch.leaf("x", (*batch, channels, *space))


def derived(sketch, *names: str) -> None:
    wanted = [name for name in names if name in sketch and sketch[name].requires_grad]
    if "y" in sketch and sketch["y"].requires_grad and wanted:
        kind = sketch.pick(("first", "second"))
        sketch.add(f"g = {kind}({sketch.pick(('y', 'y', 'y * y'))}, {', '.join(wanted)})")


def conv(sketch) -> None:
    chance, dims = sketch.chance, sketch.pick((1, 2))
    groups = sketch.pick((1, 1, 1, 2, 3))
    inside, outside = sketch.pick((1, 2)) * groups, sketch.pick((1, 2)) * groups
    image(sketch, inside, dims)
    kernel = tuple(sketch.pick((1, 2, 3)) for _ in range(dims))
    transposed = chance(0.3)
    sketch.leaf(
        "w", (*((inside, outside // groups) if transposed else (outside, inside // groups)), *kernel), grad=chance(0.8)
    )
    bias = ", None"
    if chance(0.6):
        sketch.leaf("b", (outside,), grad=chance(0.8))
        bias = ", b"
    more = options(sketch, dims, stride=(1, 1, 2, 3), dilation=(1, 1, 2, 3))
    if transposed:
        more += options(sketch, dims, padding=(0, 1, 2), output_padding=(0, 0, 1, 2))
    elif chance(0.6):
        more += (
            f", padding={sketch.pick(('same', 'valid', 'wide'))!r}"
            if chance(0.3)
            else options(sketch, dims, 1, padding=(0, 1, 2))
        )
    if groups > 1 or chance(0.1):
        more += f", groups={groups if chance(0.95) else sketch.pick((0, 5))}"
    sketch.add(f"y = m.nn.functional.conv{'_transpose' * transposed}{dims}d(x, w{bias}{more})")
    derived(sketch, "x", "w", "b")


def pools(sketch) -> None:
    chance, dims = sketch.chance, 2
    image(sketch, sketch.pick((1, 2)), dims)
    if chance(0.3):  # ties, infinities, missing values
        some = sketch.pick(("float('nan')", "-float('inf')", "float('inf')", "0.5"))
        sketch.add(f"x = (x.detach().round() / 1).masked_fill(x.detach() > {sketch.number()}, {some}).requires_grad_()")
    kind = sketch.pick(("max", "avg"))
    more = options(sketch, dims, stride=(1, 2, 3, None), padding=(0, 1, 1, 2))
    more = more.replace("stride=()", "stride=[]")
    if kind == "max":
        # of a window that lies in the padding altogether PyTorch writes the gradient beside its memory, and may crash
        more += options(sketch, dims, 0.4, dilation=(1, 2, 3)) if "padding" not in more else ""
        more += ", return_indices=True" if chance(0.4) else ""
    else:
        more += ", count_include_pad=False" * chance(0.3)
        more += f", divisor_override={sketch.pick((2, -3, 0))}" * chance(0.1)
    more += ", ceil_mode=True" * chance(0.3)
    kernel = per_dimension(sketch, (1, 2, 2, 3), dims)
    sketch.add(f"out = m.nn.functional.{kind}_pool{dims}d(x, {kernel!r}{more})")
    sketch.add("y = out[0] if isinstance(out, tuple) else out")
    if "nan" in sketch.lines[1] or "inf" in sketch.lines[1]:
        sketch.add("g = first(y, x)")
    else:
        derived(sketch, "x")


def columns(sketch) -> None:
    image(sketch, sketch.pick((1, 2)), 2)
    kernel = per_dimension(sketch, (1, 2, 2, 3, 3), 2)
    more = options(sketch, 2, dilation=(1, 2), padding=(0, 1, 2, -1), stride=(1, 2, 3, 0))
    sketch.add(f"y = m.nn.functional.unfold(x, {kernel!r}{more})")
    derived(sketch, "x")
    size = f"x.shape[-2:], {kernel!r}{more}" if sketch.chance(0.8) else f"{sketch.pick((3, 4))}, {kernel!r}"
    sketch.add(f"z = m.nn.functional.fold(y * {sketch.pick(('y', 'y.cos()', '1'))}, {size})")
    sketch.add("h = second(z * z, x)")


def adaptive(sketch) -> None:
    image(sketch, 2, 2, (1, 2, 3, 4, 5))
    size = per_dimension(sketch, (1, 2, 3, 4, 7, None, 0), 2)
    sketch.add(f"y = m.nn.functional.adaptive_avg_pool2d(x, {size!r})")
    derived(sketch, "x")
