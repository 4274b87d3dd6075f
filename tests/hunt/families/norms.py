"""Normalisations in training and in use, attention with its masks, lookups, dropout."""


def write(sketch) -> None:
    sketch.pick((of_batch, of_batch, of_layer, attention, attention, lookups, forgetting))(sketch)


def derive(sketch, *leaves: str) -> None:
    wanted = [leaf for leaf in leaves if leaf in sketch and sketch[leaf].requires_grad]
    if "y" in sketch and sketch["y"].requires_grad and wanted:
        order = sketch.pick(("first", "second")) if sketch["y"].numel() else "first"
        sketch.add(f"g = {order}({sketch.pick(('y', 'y * y'))}, {', '.join(wanted)})")


def scale(sketch, shape) -> str:
    """A weight and a bias, or one of them, or none."""
    text = ""
    for name, option in (("w", "weight"), ("b", "bias")):
        if sketch.chance(0.6):
            sketch.leaf(name, shape if sketch.chance(0.97) else (*shape, 2), grad=sketch.chance(0.8))
            text += f", {option}={name}"
    return text


def of_batch(sketch) -> None:
    channels, space = sketch.pick((1, 2, 3)), tuple(sketch.pick((1, 2, 3)) for _ in range(sketch.pick((0, 1, 2))))
    sketch.leaf("x", (sketch.pick((1, 2, 3, 4)), channels, *space))
    stats = "None, None"
    if sketch.chance(0.8):
        sketch.leaf("mean", (channels,) if sketch.chance(0.97) else (channels + 1,), grad=False)
        sketch.leaf("var", (channels,), 0.2, 2, grad=False)
        stats = "mean, var"
    more = scale(sketch, (channels,))
    if sketch.chance(0.6):
        more += f", training={sketch.chance(0.7)}"
    more += f", momentum={sketch.pick((0.1, 0.5, 1.0, 0.0))}" if sketch.chance(0.4) else ""
    more += f", eps={sketch.pick((1e-5, 0.1, 1.0))}" if sketch.chance(0.4) else ""
    sketch.add(f"y = m.nn.functional.batch_norm(x, {stats}{more})")
    derive(sketch, "x", "w", "b")


def of_layer(sketch) -> None:
    shape = sketch.shape(4) if sketch.chance(0.95) else (0, 2)
    sketch.leaf("x", shape or (2,))
    tail = tuple(sketch["x"].shape)[-sketch.pick((1, 1, 2, 3)) :]
    tail = tail if sketch.chance(0.95) else (5,)
    more = scale(sketch, tail)
    more += f", eps={sketch.pick((1e-5, 0.1, 1.0))}" if sketch.chance(0.4) else ""
    size = tail[0] if len(tail) == 1 and sketch.chance(0.1) else list(tail) if sketch.chance(0.3) else tail
    sketch.add(f"y = m.nn.functional.layer_norm(x, {size}{more})")
    derive(sketch, "x", "w", "b")


def attention(sketch) -> None:
    pick, chance = sketch.pick, sketch.chance
    batch = pick([(), (2,), (2, 3), (1, 2), (2, 1)])
    queries, keys, width, values = pick((1, 2, 3)), pick((1, 2, 3)), pick((1, 2, 4)), pick((1, 2, 4))
    sketch.leaf("q", (*batch, queries, width))
    sketch.leaf("k", (*batch, keys, width))
    sketch.leaf("v", (*batch, keys, values), grad=chance(0.8))
    more = ""
    kind = pick(("none", "none", "bool", "float", "causal"))
    if kind == "bool":
        shape = pick([(queries, keys), (1, keys), (*batch, queries, keys), (queries, 1)])
        sketch.leaf("mask", shape, grad=False)
        sketch.add(f"mask = mask > {pick((-0.5, 0.5, 2.5))}")
        more += ", attn_mask=mask"
    elif kind == "float":
        sketch.leaf("mask", pick([(queries, keys), (1, keys), (*batch, queries, keys)]), grad=chance(0.5))
        if chance(0.3):
            sketch.add("mask = mask.detach().masked_fill(mask.detach() > 0.3, float('-inf'))")
        more += ", attn_mask=mask"
    if kind == "causal" or chance(0.04):
        more += ", is_causal=True"
    more += f", scale={pick((1.0, 0.3, -1.0, None))}" if chance(0.3) else ""
    more += f", dropout_p={pick((0.0, 0.0, 1.5))}" if chance(0.1) else ""
    sketch.add(f"y = m.nn.functional.scaled_dot_product_attention(q, k, v{more})")
    derive(sketch, "q", "k", "v", "mask")


def lookups(sketch) -> None:
    rows, chance = sketch.pick((1, 3, 4)), sketch.chance
    shape = sketch.shape(2) if chance(0.9) else (0,)
    count = 1
    for n in shape:
        count *= n
    top = rows + chance(0.05)
    kind = sketch.pick(("int64", "int64", "int32", "float64", "uint8") if chance(0.2) else ("int64",))
    numbers = [sketch.random.randrange(-(chance(0.02)), top) for _ in range(count)]
    sketch.add(f"i = m.tensor({numbers}, dtype=m.{kind}).reshape({shape})")
    if chance(0.3):
        sketch.add(f"y = m.nn.functional.one_hot(i{sketch.pick(('', f', {rows}', ', -1', ', 7', ', 1'))})")
        return
    sketch.leaf("w", (rows, sketch.pick((1, 2))))
    more = f", padding_idx={sketch.pick((0, -1, rows - 1, rows))}" if chance(0.4) else ""
    sketch.add(f"y = m.nn.functional.embedding(i, w{more})")
    derive(sketch, "w")


def forgetting(sketch) -> None:
    sketch.leaf("a", (*sketch.shape(2), sketch.pick((1, 2, 3))))
    drop, share = sketch.pick(("dropout", "dropout2d")), sketch.pick((0.0, 0.5, 1.0, 1.5))
    sketch.add(f"y = m.nn.functional.{drop}(a, {share}, training={sketch.chance(0.3)}) * 2")
    derive(sketch, "a")
