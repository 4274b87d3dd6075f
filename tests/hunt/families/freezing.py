"""Nets of modules of which parts are frozen, thawed, replaced, shared or detached while they are trained."""

BLOCK = """class Block(m.nn.Module):
    def __init__(self, n, act):
        super().__init__()
        self.first, self.act, self.scale = m.nn.Linear(n, 3), act, m.nn.Parameter(m.tensor([1.0, -0.5, 2.0]))
        self.register_buffer('seen', m.zeros(3))
    def forward(self, x):
        h = self.act(self.first(x))
        if self.training:
            self.seen += h.detach().mean(0)
        return h * self.scale"""
ACTS = (
    "m.nn.Tanh() m.nn.ReLU() m.nn.GELU() m.nn.Softplus() m.nn.BatchNorm1d(3) m.nn.Identity() m.nn.LayerNorm(3)".split()
)
CHANGES = (
    "{b}.requires_grad_(False)|{b}.requires_grad_()|{b}.scale.requires_grad_(False)|"
    "{b}.first.weight.requires_grad = False|{b}.eval()|{b}.train()|{b}.zero_grad()|"
    "{b}.zero_grad(set_to_none=False)|net.zero_grad()|{b}.first = m.nn.Linear(3, 3).double()|"
    "{b}.scale = m.nn.Parameter({b}.scale.detach() * 2)|body.first.weight = head.first.weight|{b}.scale = None|"
    "{b}.scale = m.ones(3)|del {b}.scale|"
    "{b}.apply(lambda one: one.requires_grad_(False) if isinstance(one, m.nn.Linear) else None)|"
    "{b}.load_state_dict(head.state_dict())|for p in {b}.parameters(): p.data.mul_(0.9)|{b}.scale.grad = None|"
    "net.float().double()|[p.requires_grad_(p.ndim > 1) for p in net.parameters()]|"
    "saved = {{k: v.clone() for k, v in net.state_dict().items()}}|{b}.register_buffer('seen', None)|"
    "for p in {b}.parameters():\n    p.register_hook(lambda g: g * 0)|net.load_state_dict(saved)|"
    "optimizer = m.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)|"
    "net = m.nn.Sequential(head, body).double()"
).split("|")
STEP = "losses.append(out.sum().item())\n(out ** 2).mean().backward()\noptimizer.step()"
PARTLY = "m.func.functional_call(net, {k: v.detach() if v.ndim > 1 else v for k, v in net.named_parameters()}, (x,))"
FORWARDS = ("net(x)", "net(x)", "net(x)", "head(body(x).detach())", "head(body(x)) + body(x)", PARTLY)


def write(sketch) -> None:
    pick = sketch.pick
    sketch.add(BLOCK)
    sketch.add(f"body, head = Block(2, {pick(ACTS)}), Block(3, {pick(ACTS)})")
    sketch.add("net = m.nn.Sequential(body, head).double()")
    sketch.leaf("x", (4, 2), grad=sketch.chance(0.3))
    sketch.add("optimizer, losses = m.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=0.1), []")
    for _ in range(sketch.random.randint(2, 5)):
        if sketch.chance(0.7):
            sketch.add(pick(CHANGES).format(b=pick(["body", "head"])))
        zero = pick(["optimizer.zero_grad()\n", "optimizer.zero_grad()\n", "", "net.zero_grad()\n"])
        sketch.add(f"{zero}out = {pick(FORWARDS)}\n{STEP}")
    sketch.add("state = {name: value.clone() for name, value in net.state_dict().items()}")
    sketch.add("grads = {name: (p.requires_grad, p.grad) for name, p in net.named_parameters()}")
    sketch.add("kept = [len(optimizer.state), [len(group['params']) for group in optimizer.param_groups]]")
