"""Nets' functions with operands of mixed types and shapes: float32 beside float64, halves, integers, booleans."""

CALLS = (
    "mse_loss({a}, {b})|l1_loss({a}, {b})|smooth_l1_loss({a}, {b})|huber_loss({a}, {b})|"
    "binary_cross_entropy({a}, {b})|binary_cross_entropy_with_logits({a}, {b})|cross_entropy({a}, {b})|"
    "cross_entropy({a}, {c})|nll_loss({a}, {c})|cross_entropy({a}, {c}, weight={d})|linear({a}, {b})|"
    "linear({a}, {b}, {d})|softmax({a}, 1)|log_softmax({a}, 1)|softmax({a}, 1, dtype=m.float32)|gelu({a})|"
    "silu({a})|layer_norm({a}, (2,), {d}, {d})|batch_norm({a}, {d}, {d}, training=True)|embedding({c}, {a})|"
    "one_hot({c})|dropout({a}, 0.0)|scaled_dot_product_attention({a}, {b}, {b})|leaky_relu({a})|elu({a})|"
    "softplus({a})|hardtanh({a})|pad({a}, (1, 0))|relu({a})|sigmoid({a})"
).split("|")
TYPES = "float32 float32 float64 float64 float16 int64 bool int32 uint8".split()


def write(sketch) -> None:
    for name, shape in (("a", (2, 2)), ("b", (2, 2)), ("d", (2,))):
        kind = sketch.pick(TYPES)
        low = 0.1 if "float" in kind else 0
        shape = shape if sketch.chance(0.85) else sketch.pick([(2,), (1, 2), (), (0, 2), (3, 2)])
        sketch.add(f"{name} = T({sketch.numbers(shape, low, 0.95)}).detach().reshape({shape}).to(m.{kind})")
        if "float" in kind and sketch.chance(0.7):
            sketch.add(f"{name}.requires_grad_()")
    sketch.add(
        f"c = m.tensor([0, 1]).to(m.{sketch.pick(['int64', 'int64', 'int64', 'int32', 'uint8', 'float32', 'bool'])})"
    )
    for i in range(2):
        names = {one: sketch.pick(["a", "b", "a", "b", "d"]) if one in "ab" else one for one in "abcd"}
        sketch.add(f"v{i} = F.{sketch.pick(CALLS).format(**names)}")
        if f"v{i}" in sketch and getattr(sketch[f"v{i}"], "requires_grad", False):
            sketch.add(f"v{i}.float().sum().backward()")
