"""Nets, optimizers, tensors and what holds them, saved and loaded again: whole, as states, mismatched, shared."""

KINDS = True
NETS = (
    "m.nn.Linear(2, 2)|m.nn.Sequential(m.nn.Linear(2, 2), m.nn.BatchNorm1d(2))|m.nn.ModuleList([m.nn.Linear(1, 1)])|"
    "m.nn.Sequential(shared, m.nn.ReLU(), shared)|m.nn.Linear(2, 2, bias=False)|m.nn.BatchNorm1d(2)|"
    "m.nn.Embedding(2, 2)|m.nn.LayerNorm(2)"
).split("|")
CHANGES = (
    "state.pop(next(iter(state)))|state['more'] = m.ones(1)|state[next(iter(state))] = m.ones(5)|state = dict(state)|"
    "state = {'a.' + k: v for k, v in state.items()}|state = list(state)|state[next(iter(state))] = 3|"
    "state = {k: v.float() * 2 for k, v in state.items()}|state[next(iter(state))].zero_()|"
    "state = {k: v.numpy() for k, v in state.items()}|"
    "for v in state.values(): v.requires_grad|state = net.state_dict(prefix='p.')|"
    "state = net.state_dict(keep_vars=True)|state = {}"
).split("|")
THINGS = (
    "net.state_dict()|{'net': net.state_dict(), 'step': 3}|[x, x.detach(), x * 1]|optimizer.state_dict()|x|"
    "(x, 'text', None, 2.5)|"
    "x[0]|m.float64|m.Size([1, 2])|{'x': x, 'view': x.view(4)}|x.t()|m.tensor([1j])|m.zeros(0)|x.grad"
).split("|")
ASK = (
    "[(k, v.shape, v.dtype == m.float64, v.requires_grad) for k, v in state.items()]|repr(found)|"
    "[k for k, _ in other.named_parameters()]|"
    "[v for v in other.state_dict().values()]|[a is b for a, b in zip(net.parameters(), other.parameters())]|"
    "[p.requires_grad for p in other.parameters()]|"
    "[v.data_ptr() == p.data_ptr() for v, p in zip(state.values(), net.parameters())]"
).split("|")


def write(sketch) -> None:
    pick, chance = sketch.pick, sketch.chance
    sketch.add("import io, copy, pickle")
    sketch.leaf("x", (2, 2))
    sketch.add("shared = m.nn.Linear(2, 2)")
    sketch.add(f"net, other = {pick(NETS)}, {pick(NETS)}")
    sketch.add("for n in (net, other):\n    n.double()\n    for p in n.parameters(): p.data.fill_(0.5)")
    if chance(0.3):
        sketch.add("other = copy.deepcopy(net)")
    sketch.add("optimizer = m.optim.Adam(net.parameters(), 0.1)")
    if chance(0.5):
        sketch.add("(net(x) ** 3).sum().backward()\noptimizer.step()")
    sketch.add("state = net.state_dict()")
    for i in range(sketch.random.randint(1, 4)):
        kind = sketch.random.random()
        if kind < 0.3:
            sketch.add(pick(CHANGES))
        elif kind < 0.6:
            strict = pick(["", "", ", strict=False", ", strict=True"])
            sketch.add(f"found = other.load_state_dict(state{strict})")
        elif kind < 0.8:
            only = pick(["", "", ", weights_only=True", ", weights_only=False", ", map_location='cpu'"])
            sketch.add(
                f"kept = [io.BytesIO()]\nm.save({pick(THINGS)}, kept[0])\nkept[0].seek(0)\n"
                f"back{i} = m.load(kept.pop(){only})"
            )
        elif kind < 0.9:
            sketch.add(f"back{i} = pickle.loads(pickle.dumps({pick(THINGS)}))")
        else:
            sketch.add("optimizer.load_state_dict(copy.deepcopy(optimizer.state_dict()))\noptimizer.step()")
        sketch.add(f"told{i} = {pick(ASK)}")
    sketch.add("out = other(x)\nout.sum().backward()")
