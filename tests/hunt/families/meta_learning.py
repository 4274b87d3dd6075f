"""A step of training inside a graph: its result depends on the rate, the start and the data, and so has derivatives."""

MODELS = (
    "x @ a|m.tanh(x @ a)|(x * a).sum(1)|F.linear(x, a[None])[:, 0]|m.sin(x @ a) * r.sum()|(x @ a).relu() + a[0]".split(
        "|"
    )
)
LOSSES = (
    "((p - t) ** 2).mean()|F.mse_loss(p, t, reduction='sum') / 4|F.smooth_l1_loss(p, t)|(p * t).exp().sum() / 9".split(
        "|"
    )
)
STEPS = (
    "a = a - r * g|a = m.sub(a, r * g)|a = a.add(g * -r)|q = 0.9 * q + g; a = a - r * q|"
    "a = a - r * g / (g.norm() + 1)|a = a * 1; a -= r * g|a = a.clone(); a.sub_(r * g)|a = a - r * g.detach()|"
    "a = m.where(g > 0, a - r, a + r * g)|a = a - r * g.clamp(-0.5, 0.5)|"
    "c = c * 0.9 + g * g; a = a - r * g / (c.sqrt() + 0.1)"
).split("|")
GRADIENTS = (
    "g, = m.autograd.grad(loss(a), a, create_graph=True)|g = m.func.grad(loss)(a)|"
    "g = m.func.grad_and_value(loss)(a)[0]|g = m.func.vjp(loss, a)[1](m.ones((), dtype=m.float64))[0]|"
    "g, = m.autograd.grad(loss(a), a)|a.retain_grad(); loss(a).backward(create_graph=True); g = a.grad|"
    "g = m.func.jacrev(loss)(a)"
).split("|")


def write(sketch) -> None:
    pick = sketch.pick
    sketch.leaf("x", (3, 2), grad=sketch.chance(0.3))
    sketch.leaf("t", (3,), grad=sketch.chance(0.3))
    sketch.leaf("w", (2,))
    sketch.leaf("r", pick([(), (), (2,), (1,)]), 0.05, 0.5)
    model = pick(MODELS)
    sketch.add(f"def loss(a):\n    p = {model}\n    return {pick(LOSSES)}")
    gradient, step = pick(GRADIENTS), pick(STEPS)
    sketch.add("a, q, c = w * 1, m.zeros(2, dtype=m.float64), m.zeros(2, dtype=m.float64)")
    for _ in range(sketch.random.randint(1, 3)):
        sketch.add(f"{gradient}\n{step}")
        if sketch.chance(0.15):
            sketch.add(
                pick(["a = a.detach().requires_grad_()", "with m.no_grad():\n    w.mul_(0.9)", "r = r.detach()"])
            )
    leaves = ", ".join(name for name in "xtwr" if sketch[name].requires_grad and sketch[name].is_leaf)
    sketch.add(f"out = {pick(['loss(a)', 'loss(a)', 'a.sum()', 'loss(a) + (a * a).sum()'])}")
    sketch.add(pick([f"d = {pick(['first', 'first', 'second'])}(out, {leaves})", "out.backward()"]))
