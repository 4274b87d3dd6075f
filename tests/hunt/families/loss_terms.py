"""The losses between probabilities, signs and distances: their options, numbers as targets, several shapes."""

REDUCTIONS = "mean sum none none".split()
TWO = {
    "kl_div": "log_target=True|log_target=False|reduction='batchmean'",
    "poisson_nll_loss": "log_input=False|full=True|log_input=False, full=True",
    "hinge_embedding_loss": "margin=0.5|margin=-1.0",
    "soft_margin_loss": "",
    "multilabel_soft_margin_loss": "weight=w|weight=w[0]|weight=None",
}
THREE = {
    "cosine_embedding_loss": "margin=0.5|margin=-0.5",
    "margin_ranking_loss": "margin=0.5|margin=-0.5",
    "triplet_margin_loss": "margin=0.5|p=1|p=3|swap=True|swap=True, margin=2.0",
}
ALONE = (
    "F.softmin(x)|F.softmin(x, -1)|x.softmax(None)|x.log_softmax(None)|m.softmax(x, (0, 1))|F.normalize(x, 3.0, 0)|"
    "x[..., ::2].ravel()|m.special.softmax(x, 0)|F.softmin(x[None], 1)"
).split("|")


def write(sketch) -> None:
    pick = sketch.pick
    shape = pick([(2, 3), (2, 3), (3,), (1, 3)])
    sketch.leaf("x", shape, grad=sketch.chance(0.8))
    sketch.leaf("y", shape, 0.01, 1, grad=sketch.chance(0.5))
    sketch.leaf("w", (1, 3), 0.1, 2, grad=sketch.chance(0.2))
    if sketch.chance(0.3):
        sketch.add("y = y.detach().round() * 2 - 1")
    table, given, three = (TWO, "x, y", False) if sketch.chance(0.6) else (THREE, "x, y, z", True)
    name = pick(list(table))
    if name == "soft_margin_loss":  # for whose target PyTorch has no derivative
        sketch.add("y = y.detach()")
    if three:
        sketch.leaf("z", shape)
        if name != "triplet_margin_loss":
            of = "[..., 0]" if name.startswith("cosine") and len(shape) > 1 else ""
            sketch.add(f"z = z.detach(){of}.sign()" if of or name.startswith("margin") else "z = m.tensor(1)")
    options = [pick(table[name].split("|"))] if table[name] and sketch.chance(0.6) else []
    if sketch.chance(0.7) and "batchmean" not in str(options):
        options.append(f"reduction={pick(REDUCTIONS)!r}")
    sketch.add(f"v = F.{name}({', '.join([given, *options])})")
    sketch.add(f"u = {pick(ALONE)}")
    for out in "vu":
        if out in sketch and sketch[out].requires_grad:
            sketch.add(f"g{out} = {pick(['first', 'second'])}({out}, x, y, w)")
