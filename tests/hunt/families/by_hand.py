"""Training without an optimizer: updates under no_grad or through `.data`, momentum, zeroing in every way or none."""

LOSSES = (
    "((h @ v - t) ** 2).mean()|F.mse_loss(h @ v, t)|(h @ v - t).abs().sum()|F.huber_loss(h @ v, t)|(h @ v).exp().mean()"
).split("|")
HIDDEN = ("m.tanh(x @ w + b)|m.relu(x @ w + b)|x @ w * b|m.addmm(b, x, w).sigmoid()|(x @ w).softmax(1) + b").split("|")
UPDATES = (
    "{p} -= {r} * {p}.grad|{p}.sub_({p}.grad, alpha={r})|{p}.add_({p}.grad * -{r})|{p}.copy_({p} - {r} * {p}.grad)|"
    "{p}[:] = {p} - {r} * {p}.grad|"
    "{p}.view(-1).sub_({r} * {p}.grad.view(-1))|{p} = {p} - {r} * {p}.grad|"
    "{p} = ({p} - {r} * {p}.grad).requires_grad_()|"
    "s[{i}].mul_(0.9).add_({p}.grad); {p}.sub_(s[{i}] * {r})|s[{i}] = 0.9 * s[{i}] + {p}.grad; {p} -= {r} * s[{i}]|"
    "{p}.clamp_(-1, 1)|{p}.data = {p}.data - {r} * {p}.grad"
).split("|")
ZEROING = (
    "{p}.grad = None|{p}.grad.zero_()|{p}.grad *= 0|{p}.grad = m.zeros_like({p})|{p}.grad.detach_().zero_()|pass".split(
        "|"
    )
)
NO_GRAD = "with m.no_grad():\n    "
GUARDS = (NO_GRAD, NO_GRAD, NO_GRAD, "", "with m.inference_mode():\n    ")


def write(sketch) -> None:
    pick = sketch.pick
    sketch.leaf("x", (4, 2), grad=False)
    sketch.leaf("t", (4,), grad=False)
    for name, shape in (("w", (2, 3)), ("b", (3,)), ("v", (3,))):
        sketch.leaf(name, shape)
    sketch.add("s, losses = [m.zeros_like(p).detach() for p in (w, b, v)], []")
    guard, zeroing = pick(GUARDS), pick(ZEROING)
    names = "wbv" if sketch.chance(0.8) else pick("wbv")
    updates = [pick(UPDATES).format(p=p, i="wbv".index(p), r=pick((0.1, 0.5))) for p in names]
    loss = f"h = {pick(HIDDEN)}\nloss = {pick(LOSSES)}\nlosses.append(loss.item())\nloss.backward()"
    ask = f"\n{pick('wbv')}.requires_grad_()" * sketch.chance(0.1)
    for _ in range(sketch.random.randint(1, 4)):
        sketch.add(loss)
        for update in updates:
            sketch.add(guard + update)
        sketch.add("\n".join(zeroing.format(p=p) for p in "wbv" if sketch.chance(0.95)) + ask or "pass")
    sketch.add("facts = [(p.is_leaf, p.requires_grad, p._version, p.grad is None) for p in (w, b, v)]")
