"""The gradient of each sample by itself: vmap over grad, against a loop, batched backwards and hooks."""

MODELS = (
    "(x @ p['w'] + p['b']).tanh() @ p['v']|F.linear(x, p['w'].T, p['b']).relu() @ p['v']|"
    "(x @ p['w']).softmax(-1) @ p['v']|((x @ p['w']) ** 2 + p['b']).sum() * p['v'].sum()|"
    "(x @ p['w'] * p['b']).sigmoid() @ p['v']|F.layer_norm(x @ p['w'], (3,), p['b'], p['v']).sum()|"
    "(x @ p['w']).max() * p['v'][0]|(x @ p['w']).logsumexp(-1)"
).split("|")
LOSSES = (
    "(y - t) ** 2|F.mse_loss(y, t)|F.huber_loss(y, t)|(y * t).exp()|F.binary_cross_entropy_with_logits(y, t.sigmoid())"
).split("|")
EACH = "fn.vmap(fn.grad(loss), (None, 0, 0))(p, x, t)"
WAYS = (
    "fn.vmap(fn.grad(loss), (None, 0, 0))(p, x, t)|"
    "fn.vmap(fn.grad(loss), in_dims=(None, 0, 0), chunk_size=2)(p, x, t)|"
    "fn.vmap(fn.grad_and_value(loss), (None, 0, 0))(p, x, t)[0]|[fn.grad(loss)(p, a, b) for a, b in zip(x, t)]|"
    "fn.vmap(lambda a, b: fn.grad(loss)(p, a, b))(x, t)|"
    "fn.vmap(fn.grad(loss, argnums=(0, 1)), (None, 0, 0))(p, x, t)|"
    "fn.jacrev(lambda p: fn.vmap(loss, (None, 0, 0))(p, x, t))(p)|fn.vmap(fn.grad(loss, 1), (None, 0, 0))(p, x, t)|"
    "fn.vmap(fn.jacrev(loss, 1), (None, 0, 0))(p, x, t)|fn.vmap(fn.hessian(loss, 1), (None, 0, 0))(p, x, t)|"
    "fn.vmap(lambda a, b: fn.jvp(lambda a: loss(p, a, b), (a,), (a * 2,))[1])(x, t)|"
    "fn.vmap(fn.vmap(fn.grad(loss), (None, 0, 0)), (None, None, 0))(p, x, m.stack([t, t * 2]))|"
    "m.autograd.grad(fn.vmap(loss, (None, 0, 0))(p, x, t), list(p.values()), m.eye(4).double(), is_grads_batched=True)|"
    "[m.autograd.grad(one, list(p.values()), retain_graph=True) for one in fn.vmap(loss, (None, 0, 0))(p, x, t)]"
).split("|")


def write(sketch) -> None:
    sketch.leaf("x", (4, 2), grad=sketch.chance(0.2))
    sketch.leaf("t", (4,), grad=sketch.chance(0.2))
    w, b, v = map(sketch.numbers, ((2, 3), (3,), (3,)))
    sketch.add(f"fn, p = m.func, {{'w': T({w}), 'b': T({b}), 'v': T({v})}}")
    sketch.add(f"def loss(p, x, t):\n    y = {sketch.pick(MODELS)}\n    return {sketch.pick(LOSSES)}")
    way = sketch.pick(WAYS)
    sketch.add(f"r = {'' if 'autograd' in way else 'still'}({way})")
    if sketch.chance(0.2):
        sketch.add(f"norms = sum((one.reshape(4, -1) ** 2).sum(1) for one in {EACH}.values())")
        sketch.add("g = first(norms.sqrt(), *p.values())")
    if sketch.chance(0.3):
        sketch.add("fn.vmap(loss, (None, 0, 0))(p, x, t).sum().backward()\ngrads = [one.grad for one in p.values()]")
