"""What people write by hand: recurrent cells, attention, norms, messages on graphs, games of gradients and averages."""

PROGRAMS = (
    "h = m.zeros(2).double()\nfor t in range(4): h = m.tanh(w @ h + x[:, t % 2] + b)\nloss = {l}(h)",
    "p = x.exp() / x.exp().sum(1, keepdim=True)\n"
    "loss = -(p.log() * m.tensor([[1.0, 0.0], [0.0, 1.0]]).double()).sum() + {l}(b)",
    "mu, var = x.mean(0), x.var(0, unbiased=False)\nloss = {l}((x - mu) / (var + 1e-3).sqrt() * b + w)",
    "out = m.zeros(3, 2).double().index_add(0, m.tensor([0, 2, 2, 1]), m.cat([x, w]))\nloss = {l}(out / 2)",
    "q, k = x @ w, x.t() @ w\n"
    "a = (q @ k.transpose(0, 1) / 2 ** 0.5).masked_fill(m.tensor([[False, True], [False, False]]), float('-inf'))\n"
    "loss = {l}(a.softmax(-1) @ x)",
    "g = m.autograd.grad({l}(x * w), x, create_graph=True)[0]\nloss = (g.norm() - 1) ** 2 + {l}(b)",
    "fast = w - 0.1 * m.autograd.grad({l}(w @ x), w, create_graph=True)[0]\nloss = {l}(fast @ x)",
    "y = x.clone()\ny[0] = b * y[1]\ny[:, 1] += w[0]\ny = y.mul_(2).relu_()\nloss = {l}(y)",
    "state = [x, w]\nfor a, c in zip(x, w): state.append(state[-1] * a + c)\nloss = sum({l}(one) for one in state)",
    "mean = x.sigmoid()\nlogp = (m.tensor([[1.0, 0.0], [1.0, 1.0]]).double() * mean.log()).sum(1)\n"
    "loss = -(logp * (b - b.mean()).detach()).mean() + {l}(w)",
    "v = b\nfor _ in range(3): v = w @ v / (w @ v).norm()\nloss = v @ w @ v + {l}(x)",
    "d = ((x[:, None] - w[None]) ** 2).sum(-1)\nloss = (-d).logsumexp(1).mean() + {l}(d.min(1)[0]) + b.sum()",
    "i, f, o, c = m.cat([x, w], 1).chunk(4, 1)\ns = f.sigmoid() * b[:, None] + i.sigmoid() * c.tanh()\n"
    "loss = {l}(o.sigmoid() * s.tanh())",
    "p = x.as_strided((2, 2), (1, 1)) * w\nloss = {l}(p) + (b * p.diagonal()).sum()",
    "t, s = m.sort(x.flatten(), descending=True)\n"
    "loss = (t.cumsum(0) * m.arange(4)).sum() + {l}(w.flatten()[s] * t) + b.prod()",
    "loss = {l}(m.stack([m.stack([a * b for a in row]) for row in (x + w)]))",
    "hard = (x > 0).double()\nst = hard + x.sigmoid() - x.sigmoid().detach()\nloss = {l}(st * w) + {l}(b)",
    "a = m.linalg.solve(w @ w.t() + m.eye(2).double(), x)\nloss = {l}(a) + b.sum()",
    "e = w[m.tensor([1, 0, 1])] + x[0]\nloss = F.cross_entropy(e, m.tensor([0, 1, 1])) + {l}(b)",
    "k = (-((x[:, None] - x[None]) ** 2).sum(-1) / (2 * b[0] ** 2)).exp()\nloss = {l}(k + w)",
)
LOSSES = (
    "(lambda a: (a ** 2).sum())",
    "(lambda a: a.mean())",
    "(lambda a: a.logsumexp(0).sum())",
    "(lambda a: F.smooth_l1_loss(a, a.detach() * 0))",
    "(lambda a: a.norm())",
    "(lambda a: a.square().mean().sqrt())",
)
STEPS = (
    "loss.backward()",
    "loss.backward(retain_graph=True)\nloss.backward()",
    "g = m.autograd.grad(loss, [x, w, b], create_graph=True, allow_unused=True)\n"
    "sum((one ** 2).sum() for one in g if one is not None).backward()\ng = None",
    "optimizer = m.optim.{o}([x, w, b], lr=0.05)\nloss.backward()\noptimizer.step()\noptimizer.zero_grad()",
    "loss.backward()\nwith m.no_grad():\n    for p in (x, w, b): p -= 0.1 * p.grad if p.grad is not None else 0",
    "loss.backward()\nnorm = m.nn.utils.clip_grad_norm_([x, w, b], 0.5)\n"
    "for p in (x, w, b): p.data.add_(p.grad, alpha=-0.1)",
    "loss.backward()\nold = [p.detach().clone() for p in (x, w, b)]\n"
    "for p, o in zip((x, w, b), old): o.mul_(0.9).add_(p.detach(), alpha=0.1)",
)


def write(sketch) -> None:
    sketch.leaf("x", (2, 2))
    sketch.leaf("w", (2, 2))
    sketch.leaf("b", (2,), 0.2, 2)
    for _ in range(sketch.random.randint(1, 3)):
        sketch.add(sketch.pick(PROGRAMS).format(l=sketch.pick(LOSSES)))
        sketch.add(sketch.pick(STEPS).format(o=sketch.pick(["SGD", "Adam", "AdamW", "RMSprop"])))
    sketch.add("after = [one if one is None else one.detach() for one in (x, w, b, x.grad, w.grad, b.grad)]")
